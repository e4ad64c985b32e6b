/* Queries on stored posts: each kind of condition on a corpus small enough to see. The
 * property test query_sql compares with the query engine at random. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "store/corpus.h"
#include "tests/tap.h"
#include "tests/unit/stored.h"

static char folder[] = "/tmp/assay-test-XXXXXX";

static const struct {
    const char *query, *ids;
} rows[] = {
    {"*", "1 2 3 4 5 "},
    {"[python]", "1 "},
    {"[PYTHON]", "1 "},
    {"[it's]", "2 "},
    {"[py*]", "1 "},
    {"tag:~s", "2 "},
    {"not [python]", "2 3 4 5 "},
    {"is:question", "1 2 4 "},
    {"is:answer parent:1", "3 "},
    {"score:..0", "2 "},
    {"not score:..0", "1 3 4 5 "}, /* 3 has no score: neither */
    {"views:1..", "1 "},
    {"created:1970", "1 2 3 4 "},
    {"hasaccepted:yes", "1 4 "},
    {"title:row", "5 "},
    {"closed:yes", "2 "},
    {"hascode:yes", "3 "},
    {"prose:deploy*", "1 "},
    {"code:deploy", "3 "},
    {"title:\"how to\" or code:x", "1 "},
    {"body:server", "2 "},
    {"(prose:deployed and [python]) or id:3", "1 3 "},
};

enum { NONE = -99 }; /* CORPUS_NONE below */

static const struct {
    int64_t id, type, parent, accepted, created_ms, closed_ms, score, views;
    const char *tags, *title, *body, *prose, *code;
} posts[] = {
    {1, 1, NONE, 3, 1000, NONE, 5, 100, "<python>", "How to", "<p>deployed</p>",
     "How to\ndeployed", ""},
    {2, 1, NONE, NONE, 2000, 3000, -1, NONE, "|it's|", "T", "<p>ser<b>ver</b></p>",
     "T\nserver", ""},
    {3, 2, 1, NONE, 2500, NONE, NONE, NONE, "", "", "<pre>deploy</pre>", "", "deploy"},
    {4, 1, NONE, 0, 2600, NONE, NONE, NONE, "", "", "", "", ""}, /* accepted, which? */
    {5, CORPUS_ROW, NONE, NONE, NONE, NONE, NONE, NONE, "", "row", "", "row", ""},
};

static int64_t number(int64_t value)
{
    return value == NONE ? CORPUS_NONE : value;
}

static bool add(struct corpus *corpus, size_t i, struct err *err)
{
    struct corpus_post post = {.id = posts[i].id,
                               .type = posts[i].type,
                               .parent = number(posts[i].parent),
                               .accepted = number(posts[i].accepted),
                               .accepted_ms = CORPUS_NONE,
                               .created_ms = number(posts[i].created_ms),
                               .closed_ms = number(posts[i].closed_ms),
                               .score = number(posts[i].score),
                               .views = number(posts[i].views),
                               .answers = CORPUS_NONE,
                               .comments = CORPUS_NONE,
                               .favorites = CORPUS_NONE,
                               .owner = CORPUS_NONE,
                               .tags = str_from(posts[i].tags),
                               .title = str_from(posts[i].title),
                               .body = str_from(posts[i].body),
                               .prose = str_from(posts[i].prose),
                               .code = str_from(posts[i].code),
                               .code_blocks = posts[i].code[0] != '\0'};
    bool added;

    return corpus_add_post(corpus, &post, &added, err) && added;
}

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct corpus *corpus;
    bool resumed;

    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    CHECK(corpus_build(file_join(folder, "c.db", &arena), STR("k"), &corpus, &resumed,
                       &err));
    CHECK(corpus_begin(corpus, &err));
    for (size_t i = 0; i < ROWS(posts); i++)
        CHECK(add(corpus, i, &err));
    CHECK(corpus_commit(corpus, &err));
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct query_node *node;
        int64_t *ids;
        size_t count;
        char got[100] = "";
        tap_case("select %s", rows[i].query);
        if (!CHECK(query_parse(str_from(rows[i].query), &arena, &node, &err)) ||
            !CHECK(corpus_select(corpus, node, &arena, &ids, &count, &err)))
            continue;
        for (size_t n = 0; n < count; n++)
            snprintf(got + strlen(got), sizeof got - strlen(got), "%lld ",
                     (long long)ids[n]);
        CHECK_TEXT(got, rows[i].ids);
    }
    tap_case("a set that was not written out is refused");
    struct query_node *node;
    int64_t *ids;
    size_t count;
    CHECK(query_parse(STR("in:x"), &arena, &node, &err));
    CHECK(!corpus_select(corpus, node, &arena, &ids, &count, &err));
    tap_case("a regex that gives up on a post ends the selection, under not as well");
    struct corpus_post hopeless = stored_post(99);
    bool added;
    hopeless.code =
        STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!");
    CHECK(query_parse(STR("not code:/((a+)+)\\1\\d/"), &arena, &node, &err));
    CHECK(corpus_begin(corpus, &err) &&
          corpus_add_post(corpus, &hopeless, &added, &err) &&
          corpus_commit(corpus, &err));
    CHECK(!corpus_select(corpus, node, &arena, &ids, &count, &err));
    CHECK(err.kind == ERR_INPUT);
    CHECK(str_starts(str_from(err.text),
                     STR("post 99: the regex code:/((a+)+)\\1\\d/ was given up")));
    corpus_close(corpus);
    static const char *const left[] = {"c.db.part", "c.db.part-wal", "c.db.part-shm"};
    for (size_t i = 0; i < ROWS(left); i++)
        file_remove(file_join(folder, left[i], &arena));
    rmdir(folder);
    arena_free(&arena);
    return tap_done();
}
