/* Compiling: cheap conditions come first and spare the texts, each text is fetched at
 * most once, and nothing of the tree is needed afterwards. */
#include "query/query.h"

#include "tests/tap.h"
#include "tests/unit/query_post.h"

static bool compile(const char *query, struct query_compiled **out)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *node;
    char *text = arena_c_string(&arena, str_from(query));
    bool ok = query_parse((struct str){text, strlen(text)}, &arena, &node, &err) &&
              query_compile(node, (struct query_options){0}, out, &err);

    arena_free(&arena); /* under ASan a later look at the tree would be seen */
    return ok;
}

static const struct {
    const char *query;
    bool holds;
    const char *fetched; /* how often: title, prose, code, body, has_code, sets */
} rows[] = {
    {"[x] [a]", false, "000000"},
    {"word score:9", false, "000000"},
    {"word or score:1", true, "000000"},
    {"/word/ other", false, "010000"},
    {"title:none word", false, "100000"},
    {"word title:none", false, "100000"},
    {"/word/ title:none", false, "100000"},
    {"title:/none/ word", false, "110000"},
    {"word in:none", false, "000001"},
    {"in:none [x]", false, "000000"},
    {"word hascode:no", false, "000010"},
    {"hascode:yes in:none", false, "000001"},
    {"word and word and /word/ or -other", true, "010000"},
    {"(word or score:9) and [x]", false, "000000"},
    {"(word and score:9) or [a]", true, "000000"},
    {"not word and [x]", false, "000000"},
    {"body:word or code:word or prose:word", true, "011100"},
    {"word other", false, "010000"},
    {"/zz/ or /word/ or title:none", true, "110000"},
};

static void check_rows(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct query_compiled *compiled = NULL;
        struct post post = post_empty();
        char fetched[7] = "";
        tap_case("order: %s", rows[i].query);
        if (!CHECK(compile(rows[i].query, &compiled)))
            continue;
        struct query_scratch *scratch = query_scratch_open(compiled);
        post.item.score = 1;
        post.item.tags = STR("<a><b>");
        post.texts[QUERY_TITLE] = STR("a title");
        post.texts[QUERY_PROSE] = STR("a title\na word");
        post.has_code = true;
        post_ready(&post);
        CHECK(post_holds(compiled, scratch, &post.asked) == rows[i].holds);
        for (int text = 0; text < QUERY_TEXTS; text++)
            fetched[text] = (char)('0' + post.fetched[text]);
        fetched[4] = (char)('0' + post.code_asked);
        fetched[5] = (char)('0' + post.sets_asked);
        CHECK_TEXT(fetched, rows[i].fetched);
        query_scratch_close(scratch);
        query_free(compiled);
    }
}

static void check_bad_regex(void)
{
    struct query_node node = {
        .kind = QUERY_TEXT,
        .field = QUERY_FIELD_TITLE,
        .match = QUERY_REGEX,
        .text = STR("a(b"),
    };
    struct query_node good = {.kind = QUERY_TEXT, .match = QUERY_REGEX, .text = STR("a")};
    struct query_node both = {.kind = QUERY_AND, .first = &good};
    struct query_compiled *compiled;
    struct err err = {0};

    tap_case("a tree made by hand with a wrong regex");
    good.next = &node;
    CHECK(!query_compile(&both, (struct query_options){0}, &compiled, &err));
    CHECK(err.kind == ERR_INPUT);
    CHECK_TEXT(err.text, "in the regex /a(b/: missing closing parenthesis");
    query_free(NULL);
    query_scratch_close(NULL);
}

static void check_shared(void)
{
    struct query_compiled *compiled = NULL;

    tap_case("one compiled query, two scratches in turn");
    if (!CHECK(compile("word /wo/ [a] (x or y)", &compiled)))
        return;
    struct query_scratch *one = query_scratch_open(compiled);
    struct query_scratch *two = query_scratch_open(compiled);
    struct post yes = post_empty(), no = post_empty();
    yes.item.tags = no.item.tags = STR("|a|");
    yes.texts[QUERY_PROSE] = STR("word x");
    no.texts[QUERY_PROSE] = STR("word z");
    post_ready(&yes);
    post_ready(&no);
    for (int round = 0; round < 3; round++) {
        CHECK(post_holds(compiled, one, &yes.asked));
        CHECK(!post_holds(compiled, two, &no.asked));
        CHECK(!post_holds(compiled, one, &no.asked));
        CHECK(post_holds(compiled, two, &yes.asked));
    }
    query_scratch_close(one);
    query_scratch_close(two);
    query_free(compiled);
}

int main(void)
{
    check_rows();
    check_bad_regex();
    check_shared();
    return tap_done();
}
