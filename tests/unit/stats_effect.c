/* Effect sizes of two groups against R, their words, and where they are undefined. */
#include "stats/effect.h"

#include "tests/vectors/read.h"

static void check_against_r(void)
{
    struct vectors vectors = vectors_open("effect");

    while (vectors_next(&vectors, "cliff cohen hedges biserial")) {
        struct values x = vectors_values(&vectors, "x"),
                      y = vectors_values(&vectors, "y");
        double want;
        struct effect got;
        if (vectors_is(&vectors, "cliff"))
            got = effect_cliff(x, y, 0.95, &vectors.arena);
        else if (vectors_is(&vectors, "cohen"))
            got = effect_cohen(x, y, 0.95);
        else if (vectors_is(&vectors, "hedges"))
            got = effect_hedges(x, y, 0.95);
        else
            got = effect_rank_biserial_pairs(x, y, 0.95, &vectors.arena);
        CHECK(got.undefined == NULL && got.interval_undefined == NULL);
        want = vectors_number(&vectors, "estimate");
        CHECK_NEAR(got.estimate, want, 1e-10 * fabs(want) + 1e-15);
        CHECK_CLOSE(got.low, vectors_number(&vectors, "low"), 1e-10);
        CHECK_CLOSE(got.high, vectors_number(&vectors, "high"), 1e-10);
    }
    vectors_close(&vectors);
}

/* a is 0 and 2; b is two values around a mean that gives the d wanted (pooled sd is sqrt
 * 2).
 */
static const struct {
    double d;
    const char *word;
} words[] = {
    {0, "negligible"}, {0.19, "negligible"}, {0.21, "small"}, {-0.49, "small"},
    {0.51, "medium"},  {-0.79, "medium"},    {0.81, "large"}, {-5, "large"},
};

static void check_words(struct arena *arena)
{
    double first[20], second[] = {0.5, 1.5};
    struct effect got;

    for (size_t i = 0; i < ROWS(words); i++) {
        const double a[] = {0, 2},
                     b[] = {-words[i].d * sqrt(2), 2 - words[i].d * sqrt(2)};
        tap_case("d of %g is %s", words[i].d, words[i].word);
        got = effect_cohen((struct values){a, 2}, (struct values){b, 2}, 0.95);
        CHECK_NEAR(got.estimate, words[i].d, 1e-14);
        CHECK_TEXT(got.word, words[i].word);
    }
    for (int above = 10; above <= 20; above += 2) {
        static const char *const by_tenth[] = {"negligible", "small", "small", "medium",
                                               "medium",     "large", "large", "large",
                                               "large",      "large", "large"};
        for (int i = 0; i < 20; i++)
            first[i] = i < above ? 2 : 0;
        got = effect_cliff((struct values){first, 20}, (struct values){second, 2}, 0.95,
                           arena);
        tap_case("Cliff's delta of %g is %s", (above - 10) / 10.0, got.word);
        CHECK_NEAR(got.estimate, (above - 10) / 10.0, 1e-15);
        CHECK_TEXT(got.word, by_tenth[above - 10]);
    }
}

int main(void)
{
    const double ones[] = {1, 1, 1}, twos[] = {2, 2, 2}, up[] = {1, 2, 3};
    struct values one = {ones, 3}, two = {twos, 3}, none = {ones, 0};
    struct arena arena = {0};
    struct effect got;

    check_against_r();
    check_words(&arena);
    tap_case("undefined: groups without spread have no d");
    got = effect_cohen(one, two, 0.95);
    CHECK_TEXT(got.undefined, "the values hardly vary");
    CHECK(isnan(got.estimate) && isnan(got.low) && got.word == NULL);
    tap_case("but a delta: apart, and equal");
    CHECK(effect_cliff(one, two, 0.95, &arena).estimate == -1);
    got = effect_cliff(one, one, 0.95, &arena);
    CHECK(got.estimate == 0 && got.low < 0 && got.high > 0);
    tap_case("undefined: an empty group, a single value");
    CHECK_TEXT(effect_cliff(one, none, 0.95, &arena).undefined, "the group is empty");
    CHECK_TEXT(effect_hedges(none, one, 0.95).undefined, "the group is empty");
    got = effect_cliff((struct values){ones, 1}, two, 0.95, &arena);
    CHECK(got.estimate == -1 && isnan(got.low));
    CHECK_TEXT(got.interval_undefined, "the group has too few values");
    CHECK_TEXT(effect_cohen((struct values){ones, 1}, two, 0.95).undefined,
               "the group has too few values");
    tap_case("undefined: pairs that are equal, or go one way");
    CHECK_TEXT(effect_rank_biserial_pairs(one, one, 0.95, &arena).undefined,
               "all pairs are equal");
    got = effect_rank_biserial_pairs((struct values){up, 3}, one, 0.95, &arena);
    CHECK(got.estimate == 1);
    CHECK_TEXT(got.interval_undefined, "all pairs differ in the same direction");
    arena_free(&arena);
    return tap_done();
}
