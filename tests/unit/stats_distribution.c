/* Tails and quantiles against R. */
#include "stats/distribution.h"

#include "tests/vectors/read.h"

static double value_of(struct vectors_file *vectors)
{
    double x = vectors_number(vectors, "x");

    if (vectors_is(vectors, "normal_upper"))
        return stats_normal_upper(x);
    if (vectors_is(vectors, "normal_quantile"))
        return stats_normal_quantile(x);
    if (vectors_is(vectors, "t_two_sided"))
        return stats_t_two_sided(x, vectors_number(vectors, "df"));
    if (vectors_is(vectors, "t_quantile"))
        return stats_t_quantile(x, vectors_number(vectors, "df"));
    if (vectors_is(vectors, "chi_square_upper"))
        return stats_chi_square_upper(x, vectors_number(vectors, "df"));
    return stats_noncentral_lower(x, vectors_number(vectors, "df"),
                                  vectors_number(vectors, "ncp"));
}

int main(void)
{
    struct vectors_file vectors = vectors_open("distribution");

    while (vectors_next(&vectors, "normal_upper normal_quantile t_two_sided t_quantile "
                                  "chi_square_upper "
                                  "noncentral_lower")) {
        double want = vectors_number(&vectors, "want");
        if (vectors_is(&vectors, "noncentral_lower")) /* a sum: its error is absolute */
            CHECK_NEAR(value_of(&vectors), want, 1e-13);
        else
            CHECK_CLOSE(value_of(&vectors), want, 1e-10);
    }
    tap_case("far out the tails are 0, and nothing is reported by ending the program");
    CHECK(stats_chi_square_upper(1e6, 1) == 0);
    CHECK(stats_chi_square_upper(1e9, 400) == 0);
    CHECK(stats_chi_square_upper(1399, 1) < 1e-300);
    CHECK(stats_chi_square_upper(INFINITY, 3) == 0);
    CHECK(stats_normal_upper(1e10) == 0);
    CHECK(stats_t_two_sided(INFINITY, 3) == 0);
    CHECK(stats_t_two_sided(1e200, 1) < 1e-190);
    CHECK(stats_t_two_sided(1e5, 1e6) == 0);
    tap_case("degrees of freedom beyond what GSL's series can do");
    CHECK_NEAR(stats_chi_square_upper(7110979, 7103735), 0.027342126947, 1e-7);
    CHECK_NEAR(stats_chi_square_upper(2460638, 2458040), 0.120674059426, 1e-7);
    tap_case("at 0 they are whole");
    CHECK(stats_chi_square_upper(0, 3) == 1);
    CHECK(stats_chi_square_upper(-1e-18, 3) == 1);
    CHECK(stats_normal_two_sided(0) == 1);
    CHECK(stats_t_two_sided(0, 3) == 1);
    tap_case("log gamma of whole numbers");
    CHECK_NEAR(stats_log_gamma(5), log(24), 1e-14);
    CHECK_NEAR(stats_log_gamma(1), 0, 1e-14);
    vectors_close(&vectors);
    return tap_done();
}
