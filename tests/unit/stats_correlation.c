/* Correlations and trends, against R. */
#include "stats/correlation.h"

#include "tests/vectors/read.h"

/* Pearson and Spearman against R, and where they are undefined. */

static void check_against_r(void)
{
    struct vectors_file vectors = vectors_open("correlation");

    while (vectors_next(&vectors, "pearson spearman")) {
        struct stats_values x = vectors_values(&vectors, "x"),
                            y = vectors_values(&vectors, "y");
        bool pearson = vectors_is(&vectors, "pearson"), exact;
        struct stats_correlation got;
        double p;
        got = pearson ? stats_correlation_pearson(x, y, 0.95)
                      : stats_correlation_spearman(x, y, 0.95, &vectors.arena);
        CHECK(got.undefined == NULL && got.interval_undefined == NULL);
        CHECK_CLOSE(got.r, vectors_number(&vectors, "r"), 1e-10);
        CHECK_CLOSE(got.statistic, vectors_number(&vectors, "statistic"), 1e-10);
        p = vectors_number(&vectors, "p");
        exact = !pearson && vectors_number(&vectors, "exact") != 0;
        if (p > 0) {
            CHECK_CLOSE(got.p, p, 1e-10);
            CHECK(got.exact == exact);
        } else { /* where R's series gives out we take t */
            CHECK(got.p > 0 && got.p < 1e-6 && exact && !got.exact);
        }
        CHECK_CLOSE(got.low, vectors_number(&vectors, "low"), 1e-10);
        CHECK_CLOSE(got.high, vectors_number(&vectors, "high"), 1e-10);
    }
    vectors_close(&vectors);
}

static const struct {
    const char *name;
    double x[5], y[5];
    size_t count;
    const char *undefined, *interval; /* why */
    double r, p;                      /* of Pearson */
} rows[] = {
    {"two pairs", {1, 2}, {1, 2}, 2, "the group has too few values", "", NAN, NAN},
    {"none", {0}, {0}, 0, "the group is empty", "", NAN, NAN},
    {"a constant",
     {1, 2, 3},
     {0.1, 0.1, 0.1},
     3,
     "all values of a column are equal",
     "",
     NAN,
     NAN},
    {"three pairs have no interval",
     {1, 2, 3},
     {1, 3, 2},
     3,
     NULL,
     "there are too few pairs",
     0.5,
     0.66666666666666663},
    {"perfect",
     {1, 2, 3, 4, 5},
     {2, 4, 6, 8, 10},
     5,
     NULL,
     "the correlation is perfect",
     1,
     0},
    {"perfectly opposed",
     {1e-300, 2e-300, 3e-300, 4e-300},
     {-1e300, -2e299, 6e299, 1.4e300 - 4e299},
     3,
     NULL,
     "there are too few pairs",
     1,
     0},
};

static void test_correlation(void)
{
    struct arena arena = {0};
    double x[60], y[60];
    struct stats_correlation got;

    check_against_r();
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct stats_values first = {rows[i].x, rows[i].count},
                            second = {rows[i].y, rows[i].count};
        tap_case("%s", rows[i].name);
        got = stats_correlation_pearson(first, second, 0.95);
        CHECK((got.undefined == NULL) == (rows[i].undefined == NULL));
        if (rows[i].undefined != NULL) {
            CHECK_TEXT(got.undefined, rows[i].undefined);
            CHECK_TEXT(stats_correlation_spearman(first, second, 0.95, &arena).undefined,
                       rows[i].undefined);
        } else {
            CHECK_TEXT(got.interval_undefined, rows[i].interval);
        }
        CHECK_NEAR(got.r, rows[i].r, 1e-15);
        CHECK_NEAR(got.p, rows[i].p, 1e-7);
        CHECK(isnan(got.low) && isnan(got.high));
    }
    tap_case("a perfect order of sixty: p is small but not 0");
    for (int i = 0; i < 60; i++) {
        x[i] = i;
        y[i] = i == 59 ? 57.5 : i;
    }
    got = stats_correlation_spearman((struct stats_values){x, 60},
                                     (struct stats_values){y, 60}, 0.95, &arena);
    CHECK(got.p > 0 && got.p < 1e-20 && !got.exact);
    arena_free(&arena);
}

/* Kendall's tau against R, and where it is undefined. */

static void test_kendall(void)
{
    struct vectors_file vectors = vectors_open("correlation");
    const double up[] = {1, 2, 3, 4}, ones[] = {1, 1, 1, 1};
    struct stats_correlation got;
    double p, many[50];

    while (vectors_next(&vectors, "kendall")) {
        got = stats_correlation_kendall(vectors_values(&vectors, "x"),
                                        vectors_values(&vectors, "y"), 0.95,
                                        &vectors.arena);
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
    CHECK(stats_correlation_kendall((struct stats_values){many, 49},
                                    (struct stats_values){many, 49}, 0.95, &vectors.arena)
              .exact);
    CHECK(!stats_correlation_kendall((struct stats_values){many, 50},
                                     (struct stats_values){many, 50}, 0.95,
                                     &vectors.arena)
               .exact);
    tap_case("undefined: a column that does not vary");
    got = stats_correlation_kendall((struct stats_values){up, 4},
                                    (struct stats_values){ones, 4}, 0.95, &vectors.arena);
    CHECK_TEXT(got.undefined, "all values of a column are equal");
    CHECK(isnan(got.r) && isnan(got.p));
    tap_case("four pairs in order: 2 of 24 arrangements are as far out; no interval");
    got = stats_correlation_kendall((struct stats_values){up, 4},
                                    (struct stats_values){up, 4}, 0.95, &vectors.arena);
    CHECK(got.r == 1 && got.exact);
    CHECK_NEAR(got.p, 2.0 / 24, 1e-15);
    CHECK_TEXT(got.interval_undefined, "there are too few pairs");
    vectors_close(&vectors);
}

/* Mann-Kendall and Sen against their formulas in R, and where they are undefined. */

static const struct {
    const char *name;
    double times[4], values[4];
    size_t count;
    const char *why;
} trend_undefined[] = {
    {"two values", {1, 2}, {3, 4}, 2, "the group has too few values"},
    {"none", {0}, {0}, 0, "the group is empty"},
    {"constant", {1, 2, 3}, {5, 5, 5}, 3, "all values are equal"},
    {"times go back", {1, 3, 2}, {1, 2, 3}, 3, "the times do not ascend"},
    {"a time twice", {1, 2, 2}, {1, 2, 3}, 3, "the times do not ascend"},
    {"not a number", {1, 2, 3}, {1, NAN, 3}, 3, "a value is not a number or too large"},
};

static void test_trend(void)
{
    struct vectors_file vectors = vectors_open("trend");
    const double years[] = {2015, 2016, 2017, 2018}, counts[] = {1, 3, 5, 7};
    struct stats_trend got;

    while (vectors_next(&vectors, "trend")) {
        got =
            stats_trend_mann_kendall(vectors_values(&vectors, "t"),
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
    got =
        stats_trend_mann_kendall((struct stats_values){years, 4},
                                 (struct stats_values){counts, 4}, 0.95, &vectors.arena);
    CHECK(got.slope == 2 && got.tau == 1 && got.score == 6);
    CHECK_TEXT(got.interval_undefined, "there are too few values");
    CHECK(isnan(got.low) && isnan(got.high));
    for (size_t i = 0; i < ROWS(trend_undefined); i++) {
        tap_case("undefined: %s", trend_undefined[i].name);
        got = stats_trend_mann_kendall(
            (struct stats_values){trend_undefined[i].times, trend_undefined[i].count},
            (struct stats_values){trend_undefined[i].values, trend_undefined[i].count},
            0.95, &vectors.arena);
        CHECK_TEXT(got.undefined, trend_undefined[i].why);
        CHECK(isnan(got.p) && isnan(got.slope) && isnan(got.tau));
    }
    vectors_close(&vectors);
}

int main(void)
{
    test_correlation();
    test_kendall();
    test_trend();
    return tap_done();
}
