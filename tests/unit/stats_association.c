/* Cramer's V and odds ratios against R, their words, and where they are undefined. */
#include "stats/effect.h"

#include "tests/vectors/read.h"

static void check_cramer(struct vectors *vectors)
{
    struct contingency table = {vectors_ints(vectors, "cells"),
                                (size_t)vectors_number(vectors, "rows"),
                                (size_t)vectors_number(vectors, "columns")};
    struct effect got = effect_cramer(table, 0.95, &vectors->arena);

    CHECK(got.undefined == NULL && got.interval_undefined == NULL);
    CHECK_NEAR(got.estimate, vectors_number(vectors, "estimate"), 1e-12);
    /* R finds the bounds with uniroot() on a distribution that it has to about 1e-12. */
    CHECK_NEAR(got.low, vectors_number(vectors, "low"), 1e-9);
    CHECK_NEAR(got.high, vectors_number(vectors, "high"), 1e-9);
    got = effect_cramer_corrected(table, &vectors->arena);
    CHECK_NEAR(got.estimate, vectors_number(vectors, "corrected"), 1e-12);
    CHECK(isnan(got.low) && got.interval_undefined != NULL);
}

static void check_odds(struct vectors *vectors)
{
    struct effect got = effect_odds_ratio(vectors_ints(vectors, "cells"), 0.95);

    CHECK(got.undefined == NULL);
    CHECK_CLOSE(got.estimate, vectors_number(vectors, "estimate"), 1e-12);
    CHECK_CLOSE(got.low, vectors_number(vectors, "low"), 1e-12);
    CHECK_CLOSE(got.high, vectors_number(vectors, "high"), 1e-12);
}

static const struct {
    int64_t cells[4];
    const char *odds_word, *cramer_word;
} words[] = {
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

int main(void)
{
    struct vectors vectors = vectors_open("effect");
    const int64_t wide[] = {11, 3, 2, 5, 1, 9, 4, 2, 3, 2, 12, 6},
                  tall[] = {11, 1, 3, 3, 9, 2, 2, 4, 12, 5, 2, 6};
    struct effect got;

    while (vectors_next(&vectors, "cramer odds_ratio")) {
        if (vectors_is(&vectors, "cramer"))
            check_cramer(&vectors);
        else
            check_odds(&vectors);
    }
    for (size_t i = 0; i < ROWS(words); i++) {
        struct contingency table = {words[i].cells, 2, 2};
        tap_case("words: odds %s, V %s", words[i].odds_word, words[i].cramer_word);
        CHECK_TEXT(effect_odds_ratio(words[i].cells, 0.95).word, words[i].odds_word);
        CHECK_TEXT(effect_cramer(table, 0.95, &vectors.arena).word, words[i].cramer_word);
    }
    for (size_t i = 0; i < ROWS(undefined); i++) {
        struct contingency table = {undefined[i].cells, 2, 2};
        tap_case("undefined: %s", undefined[i].name);
        got = effect_odds_ratio(undefined[i].cells, 0.95);
        CHECK_TEXT(got.undefined, undefined[i].why);
        CHECK(isnan(got.estimate) && isnan(got.high) && got.word == NULL);
        CHECK(effect_cramer(table, 0.95, &vectors.arena).undefined != NULL);
        CHECK(effect_cramer_corrected(table, &vectors.arena).undefined != NULL);
    }
    tap_case("the corrected V of 3 x 4, and of the same table turned");
    got = effect_cramer_corrected((struct contingency){wide, 3, 4}, &vectors.arena);
    CHECK_NEAR(got.estimate, 0.43313827472561578, 1e-12); /* R */
    got = effect_cramer_corrected((struct contingency){tall, 4, 3}, &vectors.arena);
    CHECK_NEAR(got.estimate, 0.43313827472561578, 1e-12);
    tap_case("undefined: the corrected V of two items");
    got = effect_cramer_corrected(
        (struct contingency){(const int64_t[]){1, 0, 0, 1}, 2, 2}, &vectors.arena);
    CHECK_TEXT(got.undefined, "there are too few values");
    vectors_close(&vectors);
    return tap_done();
}
