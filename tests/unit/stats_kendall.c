/* Kendall's tau against R, and where it is undefined. */
#include "stats/correlation.h"

#include "tests/vectors/read.h"

int main(void)
{
    struct vectors vectors = vectors_open("correlation");
    const double up[] = {1, 2, 3, 4}, ones[] = {1, 1, 1, 1};
    struct correlation got;
    double p, many[50];

    while (vectors_next(&vectors, "kendall")) {
        got = correlation_kendall(vectors_values(&vectors, "x"),
                                  vectors_values(&vectors, "y"), 0.95, &vectors.arena);
        CHECK(got.undefined == NULL && got.interval_undefined == NULL);
        CHECK(got.exact == (vectors_number(&vectors, "exact") != 0));
        CHECK_CLOSE(got.r, vectors_number(&vectors, "r"), 1e-12);
        CHECK_CLOSE(got.statistic, vectors_number(&vectors, "statistic"), 1e-12);
        /* R takes the exact upper tail from 1, and loses the digits of small ones. */
        p = vectors_number(&vectors, "p");
        CHECK_NEAR(got.p, p, 1e-10 * p + (got.exact ? 5e-15 : 0));
        CHECK_CLOSE(got.low, vectors_number(&vectors, "low"), 1e-10);
        CHECK_CLOSE(got.high, vectors_number(&vectors, "high"), 1e-10);
    }
    tap_case("exact below fifty pairs");
    for (int i = 0; i < 50; i++)
        many[i] = i;
    CHECK(correlation_kendall((struct values){many, 49}, (struct values){many, 49}, 0.95,
                              &vectors.arena)
              .exact);
    CHECK(!correlation_kendall((struct values){many, 50}, (struct values){many, 50}, 0.95,
                               &vectors.arena)
               .exact);
    tap_case("undefined: a column that does not vary");
    got = correlation_kendall((struct values){up, 4}, (struct values){ones, 4}, 0.95,
                              &vectors.arena);
    CHECK_TEXT(got.undefined, "all values of a column are equal");
    CHECK(isnan(got.r) && isnan(got.p));
    tap_case("four pairs in order: 2 of 24 arrangements are as far out; no interval");
    got = correlation_kendall((struct values){up, 4}, (struct values){up, 4}, 0.95,
                              &vectors.arena);
    CHECK(got.r == 1 && got.exact);
    CHECK_NEAR(got.p, 2.0 / 24, 1e-15);
    CHECK_TEXT(got.interval_undefined, "there are too few pairs");
    vectors_close(&vectors);
    return tap_done();
}
