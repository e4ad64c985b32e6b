/* Pearson and Spearman against R, and where they are undefined. */
#include "stats/correlation.h"

#include "tests/vectors/read.h"

static void check_against_r(void)
{
    struct vectors vectors = vectors_open("correlation");

    while (vectors_next(&vectors, "pearson spearman")) {
        struct values x = vectors_values(&vectors, "x"),
                      y = vectors_values(&vectors, "y");
        bool pearson = vectors_is(&vectors, "pearson"), exact;
        struct correlation got;
        double p;
        got = pearson ? correlation_pearson(x, y, 0.95)
                      : correlation_spearman(x, y, 0.95, &vectors.arena);
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

int main(void)
{
    struct arena arena = {0};
    double x[60], y[60];
    struct correlation got;

    check_against_r();
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct values first = {rows[i].x, rows[i].count},
                      second = {rows[i].y, rows[i].count};
        tap_case("%s", rows[i].name);
        got = correlation_pearson(first, second, 0.95);
        CHECK((got.undefined == NULL) == (rows[i].undefined == NULL));
        if (rows[i].undefined != NULL) {
            CHECK_TEXT(got.undefined, rows[i].undefined);
            CHECK_TEXT(correlation_spearman(first, second, 0.95, &arena).undefined,
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
    got = correlation_spearman((struct values){x, 60}, (struct values){y, 60}, 0.95,
                               &arena);
    CHECK(got.p > 0 && got.p < 1e-20 && !got.exact);
    arena_free(&arena);
    return tap_done();
}
