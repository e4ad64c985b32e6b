/* Null distributions: small ones counted by hand, larger ones by what must hold. Against
 * R they are tested through the tests that use them. */
#include "stats/internal.h"

#include <math.h>

#include "tests/tap.h"

static void check_ends(const char *name, struct stats_exact least,
                       struct stats_exact most, double one)
{
    tap_case("%s: the ends have one arrangement each", name);
    CHECK_NEAR(least.lower, one, 1e-12 * one);
    CHECK(least.upper == 1);
    CHECK_NEAR(most.upper, one, 1e-12 * one);
    CHECK(most.lower == 1);
}

int main(void)
{
    struct arena arena = {0};
    struct stats_exact tails;

    check_ends("U of 3 and 4", stats_exact_mann_whitney(0, 3, 4, &arena),
               stats_exact_mann_whitney(12, 3, 4, &arena), 1.0 / 35);
    check_ends("U of 49 and 49", stats_exact_mann_whitney(0, 49, 49, &arena),
               stats_exact_mann_whitney(2401, 49, 49, &arena), 1 / 2.547761225898085e28);
    check_ends("signed ranks of 49", stats_exact_signed_rank(0, 49, &arena),
               stats_exact_signed_rank(1225, 49, &arena), ldexp(1, -49));
    check_ends("Kendall of 5", stats_exact_kendall(0, 5, &arena),
               stats_exact_kendall(10, 5, &arena), 1.0 / 120);
    check_ends("Kendall of 49", stats_exact_kendall(0, 49, &arena),
               stats_exact_kendall(1176, 49, &arena), 1 / 6.0828186403426752e62);
    check_ends("Spearman of 4", stats_exact_spearman(0, 4), stats_exact_spearman(20, 4),
               1.0 / 24);
    check_ends("Spearman of 9", stats_exact_spearman(0, 9), stats_exact_spearman(240, 9),
               1.0 / 362880);

    tap_case("U of 2 and 2: 1 1 2 1 1 of 6");
    tails = stats_exact_mann_whitney(1, 2, 2, &arena);
    CHECK_NEAR(tails.lower, 2.0 / 6, 1e-15);
    CHECK_NEAR(tails.upper, 5.0 / 6, 1e-15);
    CHECK_NEAR(stats_exact_two_sided(tails), 4.0 / 6, 1e-15);
    tap_case("signed ranks of 3: 1 1 1 2 1 1 1 of 8");
    tails = stats_exact_signed_rank(2, 3, &arena);
    CHECK_NEAR(tails.lower, 3.0 / 8, 1e-15);
    CHECK_NEAR(tails.upper, 6.0 / 8, 1e-15);
    tap_case("Kendall of 3: 1 2 2 1 of 6");
    tails = stats_exact_kendall(1, 3, &arena);
    CHECK_NEAR(tails.lower, 3.0 / 6, 1e-15);
    CHECK_NEAR(tails.upper, 5.0 / 6, 1e-15);
    tap_case("Spearman of 3: 0, 2, 2, 6, 6, 8");
    tails = stats_exact_spearman(2, 3);
    CHECK_NEAR(tails.lower, 3.0 / 6, 1e-15);
    CHECK_NEAR(tails.upper, 5.0 / 6, 1e-15);
    tap_case("two-sided is never above 1");
    CHECK(stats_exact_two_sided((struct stats_exact){0.7, 0.6}) == 1);
    tap_case("from ten on the series: falls with n, rises with S");
    for (double s = 40; s <= 200; s += 40) {
        CHECK(stats_exact_spearman(s, 9).lower > stats_exact_spearman(s, 10).lower);
        CHECK(stats_exact_spearman(s, 10).lower > stats_exact_spearman(s, 11).lower);
        CHECK(stats_exact_spearman(s, 10).lower < stats_exact_spearman(s + 2, 10).lower);
        CHECK(stats_exact_spearman(s, 10).upper > stats_exact_spearman(s + 2, 10).upper);
    }
    arena_free(&arena);
    return tap_done();
}
