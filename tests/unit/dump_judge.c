/* A row of a dump is judged as its decoded post is. */
#include "dump/judge.h"

#include "tests/tap.h"

static const char row_text[] =
    "<row Id=\"5\" PostTypeId=\"1\" AcceptedAnswerId=\"6\" "
    "CreationDate=\"2018-03-01T10:00:00.000\" "
    "Score=\"7\" ViewCount=\"300\" Body=\"&lt;p&gt;Runs on the "
    "&lt;em&gt;ser&lt;/em&gt;ver&lt;/p&gt;"
    "&lt;pre&gt;&lt;code&gt;import android&lt;/code&gt;&lt;/pre&gt;\" "
    "Title=\"R&amp;amp;D of curiosity\" "
    "Tags=\"&lt;tensorflow&gt;&lt;c++&gt;\" />\0"
    "...................................................................................."
    "............"
    "...................................................................................."
    "............";

static const struct {
    const char *query;
    bool meets;
} rows[] = {
    {"[tensorflow]", true},
    {"[tensor*]", true},
    {"[tensor]", false},
    {"score:7.. views:..300", true},
    {"score>7", false},
    {"created:2018", true},
    {"created:..2017", false},
    {"hasaccepted:yes hascode:yes", true},
    {"closed:yes", false},
    {"is:question", true},
    {"is:answer", false},
    {"prose:server", true}, /* an inline tag does not part a word */
    {"prose:android", false},
    {"code:android", true},
    {"body:android", true},
    {"ios", false},
    {"title:curiosity", true},
    {"prose:curiosity", true},
    {"title:~\"&amp;\"",
     true}, /* the title is plain text: &amp; was typed by its writer */
    {"id:5 [c++]", true},
    {"not [java] and (server or browser)", true},
};

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct dump_rows walk = {.where = DUMP_ROWS_CONTENT};
    struct dump_rows_row row;
    struct str block = str_from(row_text);

    dump_rows_block(&walk, block, 0, false);
    tap_case("the row is read");
    CHECK(dump_rows_next(&walk, &row));
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct query_node *node;
        struct query_compiled *compiled;
        struct dump_judge judge;
        struct item post;
        tap_case("%s", rows[i].query);
        if (!CHECK(query_parse(str_from(rows[i].query), &arena, &node, &err)) ||
            !CHECK(query_compile(node, (struct query_options){0}, &compiled, &err)))
            continue;
        struct query_needs needs = query_needs(node);
        dump_judge_open(&judge, compiled, &needs);
        dump_judge_read(&judge, &row, &post);
        bool meets;
        CHECK(dump_judge_post(&judge, &post, &meets, &err) && meets == rows[i].meets);
        dump_judge_read_all(&judge, &row, &post);
        CHECK(judge.doubts.replaced == 0 && judge.doubts.unreadable == 0);
        CHECK(dump_judge_post(&judge, &post, &meets, &err) && meets == rows[i].meets);
        CHECK(dump_judge_code_blocks(&judge) == 1);
        CHECK(str_eq(dump_judge_text(&judge, QUERY_TITLE), STR("R&amp;D of curiosity")));
        dump_judge_close(&judge);
        query_free(compiled);
    }
    dump_rows_free(&walk);
    arena_free(&arena);
    return tap_done();
}
