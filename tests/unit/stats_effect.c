/* Effect sizes with their intervals, against R. */
#include "stats/effect.h"

#include "tests/vectors/read.h"

/* Effect sizes of two groups against R, their words, and where they are undefined. */

static void check_against_r(void)
{
    struct vectors_file vectors = vectors_open("effect");

    while (vectors_next(&vectors, "cliff hedges pairs biserial")) {
        struct stats_values x = vectors_values(&vectors, "x"),
                            y = vectors_values(&vectors, "y");
        double want;
        struct stats_effect got;
        if (vectors_is(&vectors, "cliff"))
            got = stats_effect_cliff(x, y, 0.95, &vectors.arena);
        else if (vectors_is(&vectors, "hedges"))
            got = stats_effect_hedges(x, y, 0.95);
        else if (vectors_is(&vectors, "pairs"))
            got = stats_effect_hedges_pairs(x, y, 0.95, &vectors.arena);
        else
            got = stats_effect_rank_biserial_pairs(x, y, 0.95, &vectors.arena);
        CHECK(got.undefined == NULL && got.interval_undefined == NULL);
        want = vectors_number(&vectors, "estimate");
        CHECK_NEAR(got.estimate, want, 1e-10 * fabs(want) + 1e-15);
        CHECK_CLOSE(got.low, vectors_number(&vectors, "low"), 1e-10);
        CHECK_CLOSE(got.high, vectors_number(&vectors, "high"), 1e-10);
    }
    vectors_close(&vectors);
}

/* Of ranks, with non-centralities by uniroot() of pchisq(). */
static void check_ranks(void)
{
    struct vectors_file vectors = vectors_open("effect");

    while (vectors_next(&vectors, "epsilon concordance")) {
        double chi = vectors_number(&vectors, "chi"), df = vectors_number(&vectors, "df");
        size_t n = (size_t)vectors_number(&vectors, "n");
        struct stats_effect got = vectors_is(&vectors, "epsilon")
                                      ? stats_effect_epsilon_squared(chi, df, n, 0.95)
                                      : stats_effect_concordance(chi, df, n, 0.95);
        CHECK_CLOSE(got.estimate, vectors_number(&vectors, "estimate"), 1e-12);
        CHECK_NEAR(got.low, vectors_number(&vectors, "low"), 1e-9);
        CHECK_NEAR(got.high, vectors_number(&vectors, "high"), 1e-9);
    }
    vectors_close(&vectors);
}

/* a is 0 and 2; b is two values around a mean that gives the g wanted: the pooled
 * deviation is sqrt 2, and what takes the bias away with two degrees of freedom is 1 /
 * sqrt pi. */
static const struct {
    double g;
    const char *word;
} words[] = {
    {0, "negligible"}, {0.19, "negligible"}, {0.21, "small"}, {-0.49, "small"},
    {0.51, "medium"},  {-0.79, "medium"},    {0.81, "large"}, {-5, "large"},
};

static void check_words(struct arena *arena)
{
    double first[20], second[] = {0.5, 1.5};
    struct stats_effect got;

    for (size_t i = 0; i < ROWS(words); i++) {
        const double apart = words[i].g * sqrt(2 * acos(-1)), a[] = {0, 2},
                     b[] = {-apart, 2 - apart};
        tap_case("g of %g is %s", words[i].g, words[i].word);
        got = stats_effect_hedges((struct stats_values){a, 2},
                                  (struct stats_values){b, 2}, 0.95);
        CHECK_NEAR(got.estimate, words[i].g, 1e-14);
        CHECK_TEXT(got.word, words[i].word);
    }
    for (int above = 10; above <= 20; above += 2) {
        static const char *const by_tenth[] = {"negligible", "small", "small", "medium",
                                               "medium",     "large", "large", "large",
                                               "large",      "large", "large"};
        for (int i = 0; i < 20; i++)
            first[i] = i < above ? 2 : 0;
        got = stats_effect_cliff((struct stats_values){first, 20},
                                 (struct stats_values){second, 2}, 0.95, arena);
        tap_case("Cliff's delta of %g is %s", (above - 10) / 10.0, got.word);
        CHECK_NEAR(got.estimate, (above - 10) / 10.0, 1e-15);
        CHECK_TEXT(got.word, by_tenth[above - 10]);
    }
}

static void test_effect(void)
{
    const double ones[] = {1, 1, 1}, twos[] = {2, 2, 2}, up[] = {1, 2, 3};
    struct stats_values one = {ones, 3}, two = {twos, 3}, none = {ones, 0};
    struct arena arena = {0};
    struct stats_effect got;

    check_against_r();
    check_ranks();
    check_words(&arena);
    tap_case("undefined: groups without spread have no g");
    got = stats_effect_hedges(one, two, 0.95);
    CHECK_TEXT(got.undefined, "the values hardly vary");
    CHECK(isnan(got.estimate) && isnan(got.low) && got.word == NULL);
    tap_case("but a delta: apart, and equal");
    CHECK(stats_effect_cliff(one, two, 0.95, &arena).estimate == -1);
    got = stats_effect_cliff(one, one, 0.95, &arena);
    CHECK(got.estimate == 0 && got.low < 0 && got.high > 0);
    tap_case("undefined: an empty group, a single value");
    CHECK_TEXT(stats_effect_cliff(one, none, 0.95, &arena).undefined,
               "the group is empty");
    CHECK_TEXT(stats_effect_hedges(none, one, 0.95).undefined, "the group is empty");
    got = stats_effect_cliff((struct stats_values){ones, 1}, two, 0.95, &arena);
    CHECK(got.estimate == -1 && isnan(got.low));
    CHECK_TEXT(got.interval_undefined, "the group has too few values");
    CHECK_TEXT(stats_effect_hedges((struct stats_values){ones, 1}, two, 0.95).undefined,
               "the group has too few values");
    tap_case("undefined: pairs that are equal, or go one way");
    CHECK_TEXT(stats_effect_rank_biserial_pairs(one, one, 0.95, &arena).undefined,
               "all pairs are equal");
    got =
        stats_effect_rank_biserial_pairs((struct stats_values){up, 3}, one, 0.95, &arena);
    CHECK(got.estimate == 1);
    CHECK_TEXT(got.interval_undefined, "all pairs differ in the same direction");
    arena_free(&arena);
}

/* Cramer's V and odds ratios against R, their words, and where they are undefined. */

static void check_cramer(struct vectors_file *vectors)
{
    struct stats_contingency table = {vectors_ints(vectors, "cells"),
                                      (size_t)vectors_number(vectors, "rows"),
                                      (size_t)vectors_number(vectors, "columns")};
    struct stats_effect got = stats_effect_cramer(table, 0.95, &vectors->arena);

    CHECK(got.undefined == NULL && got.interval_undefined == NULL);
    CHECK_NEAR(got.estimate, vectors_number(vectors, "estimate"), 1e-12);
    /* R finds the bounds with uniroot() on a distribution that it has to about 1e-12. */
    CHECK_NEAR(got.low, vectors_number(vectors, "low"), 1e-9);
    CHECK_NEAR(got.high, vectors_number(vectors, "high"), 1e-9);
}

static void check_odds(struct vectors_file *vectors)
{
    struct stats_effect got =
        stats_effect_odds_ratio(vectors_ints(vectors, "cells"), 0.95);

    CHECK(got.undefined == NULL);
    CHECK_CLOSE(got.estimate, vectors_number(vectors, "estimate"), 1e-12);
    CHECK_CLOSE(got.low, vectors_number(vectors, "low"), 1e-12);
    CHECK_CLOSE(got.high, vectors_number(vectors, "high"), 1e-12);
}

static const struct {
    int64_t cells[4];
    const char *odds_word, *cramer_word;
} association_words[] = {
    {{50, 50, 50, 50}, "negligible", "negligible"},
    {{50, 50, 60, 40}, "negligible", "small"}, /* 1/1.5 */
    {{60, 40, 40, 60}, "small", "small"},      /* 2.25; V 0.2 */
    {{70, 30, 30, 70}, "medium", "medium"},    /* 5.4; V 0.4 */
    {{30, 70, 70, 30}, "medium", "medium"},
    {{74, 26, 26, 74}, "large", "medium"}, /* 8.1; V 0.48 */
    {{76, 24, 24, 76}, "large", "large"},  /* 10; V 0.52 */
};

static const struct {
    const char *name;
    int64_t cells[4];
    const char *why;
} undefined[] = {
    {"an empty group", {0, 0, 3, 4}, "the group is empty"},
    {"only hits", {3, 0, 4, 0}, "both groups have the same outcome throughout"},
};

static void test_association(void)
{
    struct vectors_file vectors = vectors_open("effect");
    struct stats_effect got;

    while (vectors_next(&vectors, "cramer odds_ratio")) {
        if (vectors_is(&vectors, "cramer"))
            check_cramer(&vectors);
        else
            check_odds(&vectors);
    }
    for (size_t i = 0; i < ROWS(association_words); i++) {
        struct stats_contingency table = {association_words[i].cells, 2, 2};
        tap_case("words: odds %s, V %s", association_words[i].odds_word,
                 association_words[i].cramer_word);
        CHECK_TEXT(stats_effect_odds_ratio(association_words[i].cells, 0.95).word,
                   association_words[i].odds_word);
        CHECK_TEXT(stats_effect_cramer(table, 0.95, &vectors.arena).word,
                   association_words[i].cramer_word);
    }
    for (size_t i = 0; i < ROWS(undefined); i++) {
        struct stats_contingency table = {undefined[i].cells, 2, 2};
        tap_case("undefined: %s", undefined[i].name);
        got = stats_effect_odds_ratio(undefined[i].cells, 0.95);
        CHECK_TEXT(got.undefined, undefined[i].why);
        CHECK(isnan(got.estimate) && isnan(got.high) && got.word == NULL);
        CHECK(stats_effect_cramer(table, 0.95, &vectors.arena).undefined != NULL);
    }
    vectors_close(&vectors);
}

int main(void)
{
    test_effect();
    test_association();
    return tap_done();
}
