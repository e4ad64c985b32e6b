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

/* Synonyms and capitals mean the tag that queries take them for. */
static void test_meant(struct arena *arena)
{
    static const struct query_synonym pairs[] = {{STR_INIT("Py"), STR_INIT("python")},
                                                 {STR_INIT("kerasx"), STR_INIT("layer")}};
    static const struct str seeds[] = {STR_INIT("keras*")};
    static const char *const tagged[] = {"<keras><py>", "<Python>", "<PY><python>",
                                         "<kerasx>",    "<layer>",  "<java>"};
    struct query_synonyms *synonyms = NULL;
    struct dump_tagset tagset;
    struct dump_tagset_limits all = {0, 0.01};
    struct err err = {0};
    size_t wrong, count;

    tap_case("synonyms and capitals");
    if (!CHECK(query_synonyms_make(pairs, ROWS(pairs), arena, &synonyms, &wrong, &err)))
        return;
    dump_tagset_open(&tagset, seeds, 1, synonyms, arena);
    for (size_t i = 0; i < ROWS(tagged); i++)
        dump_tagset_add(&tagset, str_from(tagged[i]));
    CHECK(tagset.questions == 6 && tagset.seeded == 2);
    const struct dump_tagset_candidate *found =
        dump_tagset_candidates(&tagset, all, arena, &count);
    CHECK(count == 2 && str_eq(found[0].name, STR("layer")) &&
          str_eq(found[1].name, STR("python")));
    CHECK(found[0].questions == 2 && found[0].seeded == 1 && found[0].adds == 1);
    CHECK(found[1].questions == 3 && found[1].seeded == 1 && found[1].adds == 2);
    dump_tagset_free(&tagset);
}

/* The same candidates from counts as from the questions one by one. */
static void test_counted(struct arena *arena)
{
    static const struct str seeds[] = {STR_INIT("tensorflow"), STR_INIT("keras*")};
    struct dump_tagset tagset;
    struct dump_tagset_limits limits = {0.3, 0.3};
    size_t count, groups;

    tap_case("questions that somebody else has counted");
    dump_tagset_open(&tagset, seeds, 2, NULL, arena);
    dump_tagset_add_questions(&tagset, 9, 4);
    dump_tagset_add_tag(&tagset, STR("gpu"), 4, 2);
    dump_tagset_add_tag(&tagset, STR("java"), 2, 0);
    dump_tagset_add_tag(&tagset, STR("python"), 6, 3);
    dump_tagset_add_tag(&tagset, STR("tensorflow"), 3, 3);
    const struct str *names = dump_tagset_within(&tagset, limits, arena, &count);
    CHECK(count == 2 && str_eq(names[0], STR("gpu")) && str_eq(names[1], STR("python")));
    dump_tagset_add_together(&tagset, STR("python"), 2);
    dump_tagset_add_together(&tagset, STR("gpu|python"), 1);
    dump_tagset_add_together(&tagset, STR("gpu"), 1);
    const struct dump_tagset_candidate *found =
        dump_tagset_candidates(&tagset, limits, arena, &count);
    CHECK(count == 2 && found[0].adds == 3 && found[0].beyond == 3 &&
          found[1].adds == 2 && found[1].beyond == 1);
    CHECK(dump_tagset_taken(&tagset, limits).adds == 4);
    const struct dump_tagset_together *together =
        dump_tagset_together(&tagset, found, count, arena, &groups);
    CHECK(groups == 3 && together[0].questions == 2 && together[1].count == 2 &&
          together[2].questions == 1);
    dump_tagset_free(&tagset);
}

int main(void)
{
    static const struct str seeds[] = {STR_INIT("Tensorflow"), STR_INIT("keras*")};
    struct arena arena = {0};
    struct dump_tagset tagset;
    struct dump_tagset_limits all = {0.3, 0.3};
    size_t count;

    dump_tagset_open(&tagset, seeds, 2, NULL, &arena);
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
    CHECK(together[0].count == 1 && together[0].candidates[0] == 0 &&
          together[0].questions == 2);
    CHECK(together[1].count == 2 && together[1].questions == 1);
    CHECK(together[2].count == 1 && together[2].candidates[0] == 1 &&
          together[2].questions == 1);

    tap_case("a misspelt seed has a near tag");
    dump_tagset_free(&tagset);
    dump_tagset_open(&tagset, &(struct str)STR_INIT("pyhton"), 1, NULL, &arena);
    dump_tagset_add(&tagset, STR("<python>"));
    CHECK(str_eq(dump_tagset_near(&tagset), STR("python")));
    dump_tagset_free(&tagset);
    test_meant(&arena);
    test_counted(&arena);
    arena_free(&arena);
    return tap_done();
}
