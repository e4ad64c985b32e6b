/* The section `labelling` of the study file: what is read, and what is complained of. */
#include "tests/unit/sectioned.h"

#define HEAD \
    "study: s\nsource: {posts: p.csv}\nsets: {x: '[x]'}\ncodebooks: {b: k.yaml}\n" \
    "labelling:\n"

static struct arena arena;

static const struct sectioned_wrong wrong[] = {
    {"no codebook of that name", "  c: {sample: x, raters: [a]}\n",
     "expected `codebook`, or a codebook that is called 'c' as well"},
    {"a rater twice", "  b: {sample: x, raters: [a, b, a]}\n",
     "the rater 'a' is there twice"},
    {"more raters an item than there are",
     "  b: {sample: x, raters: [a], raters-per-item: 2}\n", "but there are 1 raters"},
    {"checkpoints that do not ascend",
     "  b: {sample: x, raters: [a], checkpoints: [10%, 5%]}\n",
     "checkpoints must ascend; '5%' comes after '10%'"},
    {"something to hide that is not there",
     "  b: {sample: x, raters: [a], hide: author}\n", "author"},
};

int main(void)
{
    struct study study;
    struct buf problems = {0};

    tap_case("everything given");
    CHECK(sectioned_parse(
        HEAD,
        "  t: {sample: [x], codebook: b, raters: [a, b, c], arbiter: d, "
        "lead: a, pilot: 30%, checkpoints: [5%, 100%], raters-per-item: 2, "
        "overlap: 20%, retest: 10%, seed: 9, hide: [answers, score]}\n",
        &arena, &study, &problems));
    if (CHECK(study.labelling_count == 1)) {
        const struct study_labelling *one = &study.labellings[0];
        CHECK(one->of_count == 1 && one->rater_count == 3 && one->checkpoint_count == 2);
        CHECK(str_eq(one->arbiter, STR("d")) && str_eq(one->lead, STR("a")));
        CHECK_TEXT(one->codebook, "dir/k.yaml");
        CHECK_NEAR(one->pilot, 0.3, 1e-12);
        CHECK_NEAR(one->checkpoints[0], 0.05, 1e-12);
        CHECK_NEAR(one->overlap, 0.2, 1e-12);
        CHECK_NEAR(one->retest, 0.1, 1e-12);
        CHECK(one->raters_per_item == 2 && one->seed == 9);
        CHECK(one->hide == (STUDY_HIDE_ANSWERS | STUDY_HIDE_SCORE));
    }

    tap_case("what is left out");
    CHECK(sectioned_parse(HEAD, "  b: {sample: x, raters: [a], arbiter: d}\n", &arena,
                          &study, &problems));
    if (CHECK(study.labelling_count == 1)) {
        const struct study_labelling *one = &study.labellings[0];
        CHECK(str_eq(one->lead, STR("d")) && one->raters_per_item == 0);
        CHECK_NEAR(one->overlap, 1, 0);
        CHECK_NEAR(one->retest, 0, 0);
        CHECK(one->pilot == 0 && one->seed == 0 && one->hide == 0);
    }
    sectioned_refuse(HEAD, wrong, ROWS(wrong), &arena);
    buf_free(&problems);
    arena_free(&arena);
    return tap_done();
}
