/* Codebooks that change: where codes are afterwards. */
#include "tests/unit/changed.h"

static struct arena arena;

static const struct {
    const char *name;
    size_t known;
    const char *path, *now, *review;
} carried[] = {
    {"a code that stays", 0, "model", "model", ""},
    {"merged", 0, "gpu", "hardware", ""},
    {"moved", 0, "data/parsing", "model/parsing", ""},
    {"a split needs a human", 0, "crash", "crash",
     "split crash into start, end: two kinds"},
    {"so does a retired code", 0, "other", "other", "retire other: empty"},
    {"but for one with a successor", 0, "junk", "unclear", ""},
    {"a new name changes nothing", 0, "hardware", "hardware", ""},
    {"a merge by judgement", 0, "slow", "slow", "merge slow into hardware: judge"},
    {"a change that was known has no effect", 1, "gpu", "gpu",
     "the code is no longer in the codebook"},
    {"a later one has", 1, "data/parsing", "model/parsing", ""},
    {"a name that only begins alike", 0, "gpus", "gpus",
     "the code is no longer in the codebook"},
    {"below a merged code, what has no place", 0, "gpu/fan", "hardware/fan",
     "the code is no longer in the codebook"},
};

static void test_carry(void)
{
    struct study_codebook codebook;
    struct buf problems = {0};

    tap_case("a codebook with all kinds of changes");
    CHECK(changed_parse(CHANGED_CODES CHANGED_CHANGES, &arena, &codebook, &problems));
    CHECK(codebook.change_count == 7 && problems.len == 0);
    for (size_t i = 0; i < ROWS(carried); i++) {
        tap_case("carried: %s", carried[i].name);
        struct study_history_place place =
            study_history_carry(&codebook, codebook.dimensions, carried[i].known,
                                str_from(carried[i].path), &arena);
        CHECK_TEXT(arena_c_string(&arena, place.path), carried[i].now);
        CHECK_TEXT(arena_c_string(&arena, place.review), carried[i].review);
    }
    buf_free(&problems);
}

int main(void)
{
    test_carry();
    tap_case("a version is a hash of the file");
    CHECK_TEXT(arena_c_string(&arena, study_history_version(STR(""), &arena)),
               "2d06800538d394c2"); /* XXH3 of nothing, as its authors give it */
    arena_free(&arena);
    return tap_done();
}
