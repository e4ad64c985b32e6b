/* Candidates for a tag set, counted by hand. */
#include "dump/tagset.h"

#include "tests/tap.h"

static const char *const questions[] = {
    "<tensorflow><python>",       /* with a seed tag: four */
    "|tensorflow|gpu|",           /* the other spelling */
    "<keras-tuner><python><gpu>", /* keras* */
    "<TensorFlow><python>",       /* in any case */
    "<python><gpu>",              /* without: five */
    "<python><java>",
    "<gpu>",
    "<java>",
    "<python><python>", /* a tag that is said twice is there once */
};

int main(void)
{
    static const struct str seeds[] = {STR_INIT("Tensorflow"), STR_INIT("keras*")};
    struct arena arena = {0};
    struct dump_tagset tagset;
    struct dump_tagset_limits all = {0.3, 0.3};
    size_t count;

    dump_tagset_open(&tagset, seeds, 2, &arena);
    for (size_t i = 0; i < ROWS(questions); i++)
        dump_tagset_add(&tagset, str_from(questions[i]));
    tap_case("seeds are found in both spellings and in any case");
    CHECK(tagset.questions == 9 && tagset.seeded == 4);

    const struct dump_tagset_candidate *found =
        dump_tagset_candidates(&tagset, all, &arena, &count);
    tap_case("candidates, the most significant first");
    CHECK(count == 2 && str_eq(found[0].name, STR("python")) &&
          str_eq(found[1].name, STR("gpu")));
    CHECK(found[0].questions == 6 && found[0].seeded == 3 && found[0].adds == 3);
    CHECK_NEAR(found[0].relevance, 0.5, 1e-15);
    CHECK_NEAR(found[0].significance, 0.75, 1e-15);
    tap_case("what each adds beyond those above it");
    CHECK(found[0].beyond == 3 && found[1].adds == 2 && found[1].beyond == 1);

    tap_case("what limits take together");
    struct dump_tagset_taken taken = dump_tagset_taken(&tagset, all);
    CHECK(taken.tags == 2 && taken.adds == 4);
    taken = dump_tagset_taken(&tagset, (struct dump_tagset_limits){0.51, 0});
    CHECK(taken.tags == 0 && taken.adds == 0);

    tap_case("which stand together where no seed does");
    size_t groups;
    const struct dump_tagset_together *together =
        dump_tagset_together(&tagset, found, count, &arena, &groups);
    CHECK(groups == 3);
    CHECK(together[0].count == 2 && together[0].questions == 1);
    CHECK(together[1].count == 1 && together[1].candidates[0] == 0 &&
          together[1].questions == 2);
    CHECK(together[2].count == 1 && together[2].candidates[0] == 1 &&
          together[2].questions == 1);

    tap_case("a misspelt seed has a near tag");
    dump_tagset_free(&tagset);
    dump_tagset_open(&tagset, &(struct str)STR_INIT("pyhton"), 1, &arena);
    dump_tagset_add(&tagset, STR("<python>"));
    CHECK(str_eq(dump_tagset_near(&tagset), STR("python")));
    dump_tagset_free(&tagset);
    arena_free(&arena);
    return tap_done();
}
