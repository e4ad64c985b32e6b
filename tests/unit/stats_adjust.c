/* Adjusted p values against R. */
#include "stats/adjust.h"

#include "tests/vectors/read.h"

static void check(const double *got, struct stats_values want)
{
    for (size_t i = 0; i < want.count; i++)
        CHECK_CLOSE(got[i], want.at[i], 1e-14);
}

int main(void)
{
    struct vectors_file vectors = vectors_open("adjust");
    struct stats_values none = {0};

    while (vectors_next(&vectors, "adjust")) {
        struct stats_values p = vectors_values(&vectors, "p");
        CHECK(p.count > 0);
        check(stats_adjust_bonferroni(p, &vectors.arena),
              vectors_values(&vectors, "bonferroni"));
        check(stats_adjust_holm(p, &vectors.arena), vectors_values(&vectors, "holm"));
        check(stats_adjust_benjamini_hochberg(p, &vectors.arena),
              vectors_values(&vectors, "bh"));
    }
    tap_case("Benjamini and Yekutieli, as R's p.adjust(c(.01, .02, .3, .04), \"BY\")");
    double some[] = {0.01, 0.02, 0.3, 0.04};
    const double by[] = {0.083333333333333343, 0.083333333333333343, 0.625,
                         0.11111111111111113};
    check(
        stats_adjust_benjamini_yekutieli((struct stats_values){some, 4}, &vectors.arena),
        (struct stats_values){by, 4});
    tap_case("no tests at all");
    CHECK(stats_adjust_holm(none, &vectors.arena) != NULL);
    vectors_close(&vectors);
    return tap_done();
}
