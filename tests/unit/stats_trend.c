/* Mann-Kendall and Sen against their formulas in R, and where they are undefined. */
#include "stats/trend.h"

#include "tests/vectors/read.h"

static const struct {
    const char *name;
    double times[4], values[4];
    size_t count;
    const char *why;
} undefined[] = {
    {"two values", {1, 2}, {3, 4}, 2, "the group has too few values"},
    {"none", {0}, {0}, 0, "the group is empty"},
    {"constant", {1, 2, 3}, {5, 5, 5}, 3, "all values are equal"},
    {"times go back", {1, 3, 2}, {1, 2, 3}, 3, "the times do not ascend"},
    {"a time twice", {1, 2, 2}, {1, 2, 3}, 3, "the times do not ascend"},
    {"not a number", {1, 2, 3}, {1, NAN, 3}, 3, "a value is not a number or too large"},
};

int main(void)
{
    struct vectors vectors = vectors_open("trend");
    const double years[] = {2015, 2016, 2017, 2018}, counts[] = {1, 3, 5, 7};
    struct trend got;

    while (vectors_next(&vectors, "trend")) {
        got = trend_mann_kendall(vectors_values(&vectors, "t"),
                                 vectors_values(&vectors, "y"), 0.95, &vectors.arena);
        CHECK(got.undefined == NULL && got.interval_undefined == NULL);
        CHECK(got.score == vectors_number(&vectors, "score"));
        CHECK_CLOSE(got.variance, vectors_number(&vectors, "variance"), 1e-14);
        CHECK_CLOSE(got.z, vectors_number(&vectors, "z"), 1e-12);
        CHECK_CLOSE(got.p, vectors_number(&vectors, "p"), 1e-10);
        CHECK_CLOSE(got.tau, vectors_number(&vectors, "tau"), 1e-12);
        CHECK_CLOSE(got.slope, vectors_number(&vectors, "slope"), 1e-12);
        CHECK_CLOSE(got.low, vectors_number(&vectors, "low"), 1e-12);
        CHECK_CLOSE(got.high, vectors_number(&vectors, "high"), 1e-12);
    }
    tap_case("a line has its slope; four values have no interval");
    got = trend_mann_kendall((struct values){years, 4}, (struct values){counts, 4}, 0.95,
                             &vectors.arena);
    CHECK(got.slope == 2 && got.tau == 1 && got.score == 6);
    CHECK_TEXT(got.interval_undefined, "there are too few values");
    CHECK(isnan(got.low) && isnan(got.high));
    for (size_t i = 0; i < ROWS(undefined); i++) {
        tap_case("undefined: %s", undefined[i].name);
        got = trend_mann_kendall((struct values){undefined[i].times, undefined[i].count},
                                 (struct values){undefined[i].values, undefined[i].count},
                                 0.95, &vectors.arena);
        CHECK_TEXT(got.undefined, undefined[i].why);
        CHECK(isnan(got.p) && isnan(got.slope) && isnan(got.tau));
    }
    vectors_close(&vectors);
    return tap_done();
}
