/* What a corpus holds is counted and listed by kind. */
#include "store/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "tests/tap.h"
#include "tests/unit/stored.h"

static char folder[] = "/tmp/assay-test-XXXXXX";

/* Questions 1, 2, 3; answers 4 (accepted by 1, older than it), 5; a row 6. The answer
 * that 2 accepted is not there. */
static bool fill(struct corpus *corpus, struct err *err)
{
    static const struct {
        int64_t id, type, parent, accepted, owner, created_ms;
    } posts[] = {
        {1, 1, ITEM_NONE, 4, 70, 100},
        {2, 1, ITEM_NONE, 99, 71, 100},
        {3, 1, ITEM_NONE, ITEM_NONE, ITEM_NONE, 100},
        {4, 2, 1, ITEM_NONE, 72, 50},
        {5, 2, 1, ITEM_NONE, 70, 150},
        {6, 100, ITEM_NONE, ITEM_NONE, ITEM_NONE, 100},
    };
    const struct corpus_census census[] = {{2018, STR(""), 5, 2, 3, 0, 9, 9},
                                           {2019, STR(""), 7, 4, 3, 0, 9, 9},
                                           {2019, STR("python"), 6, 3, 3, 0, 9, 9}};
    bool ok = corpus_begin(corpus, err), added;

    for (size_t i = 0; i < ROWS(posts) && ok; i++) {
        struct item post = stored_post(posts[i].id);
        post.kind = posts[i].kind;
        post.parent = posts[i].parent;
        post.accepted = posts[i].accepted;
        post.owner = posts[i].owner;
        post.created_ms = posts[i].created_ms;
        ok = corpus_add_post(corpus, &post, &added, err);
    }
    for (size_t i = 0; i < ROWS(census) && ok; i++)
        ok = corpus_add_census(corpus, &census[i], err);
    struct corpus_user users[] = {{.id = 70, .name = STR("a")},
                                  {.id = 71, .name = STR("b")}};
    for (size_t i = 0; i < ROWS(users) && ok; i++)
        ok = corpus_add_user(corpus, &users[i], err);
    struct corpus_vote vote = {.id = 1, .post = 1, .type = 2, .created_ms = 100};
    return ok && corpus_add_vote(corpus, &vote, err) && corpus_commit(corpus, err);
}

static void check_counts(struct corpus *corpus)
{
    struct corpus_counts counts;
    struct err err = {0};
    int64_t too_old = -1, missing = -1;

    tap_case("each kind is counted, and the census over its years");
    CHECK(corpus_counts(corpus, &counts, &err));
    CHECK(counts.questions == 3 && counts.answers == 2 && counts.rows == 1);
    CHECK(counts.users == 2 && counts.votes == 1 && counts.comments == 0);
    CHECK(counts.links == 0 && counts.history == 0 && counts.badges == 0);
    CHECK(counts.census_questions == 12 && counts.census_accepted == 6);
    tap_case("accepted answers that are too old or missing");
    CHECK(corpus_doubts(corpus, &too_old, &missing, &err));
    CHECK(too_old == 1 && missing == 1);
}

static const struct {
    const char *name;
    enum corpus_which which;
    int64_t count, has, lacks;
} sets[] = {
    {"questions", CORPUS_QUESTION_IDS, 3, 3, 4},
    {"questions and answers", CORPUS_POST_IDS, 5, 5, 6},
    {"owners, each once", CORPUS_OWNER_IDS, 3, 72, 1},
};

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct corpus *corpus;
    bool resumed;

    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    const char *path = file_join(folder, "c.db", &arena);
    tap_case("a corpus");
    if (CHECK(corpus_build(path, STR("k"), &corpus, &resumed, &err)) &&
        CHECK(fill(corpus, &err)) && CHECK(corpus_finish(corpus, &err)) &&
        CHECK(corpus_open(path, &corpus, &err))) {
        check_counts(corpus);
        for (size_t i = 0; i < ROWS(sets); i++) {
            struct idset ids = {0};
            tap_case("ids: %s", sets[i].name);
            CHECK(corpus_ids(corpus, sets[i].which, &ids, &err));
            CHECK(ids.ids == sets[i].count);
            CHECK(idset_has(&ids, sets[i].has) && !idset_has(&ids, sets[i].lacks));
            idset_free(&ids);
        }
        corpus_close(corpus);
    }
    static const char *const left[] = {"c.db", "c.db-wal", "c.db-shm"};
    for (size_t i = 0; i < ROWS(left); i++)
        file_remove(file_join(folder, left[i], &arena));
    rmdir(folder);
    arena_free(&arena);
    return tap_done();
}
