/* Queries on stored posts: each kind of condition on a corpus small enough to see. The
 * property test query_sql compares with the query engine at random. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "store/corpus.h"
#include "tests/tap.h"

static char folder[] = "/tmp/assay-test-XXXXXX";

static const struct {
    const char *query, *ids;
} rows[] = {
    {"*", "1 2 3 "},
    {"[python]", "1 "},
    {"[PYTHON]", "1 "},
    {"[it's]", "2 "},
    {"[py*]", "1 "},
    {"tag:~s", "2 "},
    {"not [python]", "2 3 "},
    {"is:question", "1 2 "},
    {"is:answer parent:1", "3 "},
    {"score:..0", "2 "},
    {"not score:..0", "1 3 "}, /* 3 has no score: neither */
    {"views:1..", "1 "},
    {"created:1970", "1 2 3 "},
    {"hasaccepted:yes", "1 "},
    {"closed:yes", "2 "},
    {"hascode:yes", "3 "},
    {"prose:deploy*", "1 "},
    {"code:deploy", "3 "},
    {"title:\"how to\" or code:x", "1 "},
    {"body:server", "2 "},
    {"(prose:deployed and [python]) or id:3", "1 3 "},
};

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct corpus *corpus;
    bool resumed, added;
    const int64_t none = CORPUS_NONE;
    const struct corpus_post posts[] = {
        {1, 1, none, 3, 1000, none, 5, 100, 1, 0, none, 7, STR_INIT("<python>"),
         STR_INIT("How to"), STR_INIT("<p>deployed</p>"), STR_INIT("How to\ndeployed"),
         STR_INIT(""), 0},
        {2, 1, none, none, 2000, 3000, -1, none, 0, 0, none, none, STR_INIT("|it's|"),
         STR_INIT("T"), STR_INIT("<p>ser<b>ver</b></p>"), STR_INIT("T\nserver"),
         STR_INIT(""), 0},
        {3, 2, 1, none, 2500, none, none, none, none, 0, none, 8, STR_INIT(""),
         STR_INIT(""), STR_INIT("<pre>deploy</pre>"), STR_INIT(""), STR_INIT("deploy"),
         1},
    };

    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    CHECK(corpus_build(file_join(folder, "c.db", &arena), STR("k"), &corpus, &resumed,
                       &err));
    CHECK(corpus_begin(corpus, &err));
    for (size_t i = 0; i < ROWS(posts); i++)
        CHECK(corpus_add_post(corpus, &posts[i], &added, &err) && added);
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
    corpus_close(corpus);
    static const char *const left[] = {"c.db.part", "c.db.part-wal", "c.db.part-shm"};
    for (size_t i = 0; i < ROWS(left); i++)
        file_remove(file_join(folder, left[i], &arena));
    rmdir(folder);
    arena_free(&arena);
    return tap_done();
}
