/* Intervals of shares against R. */
#include "stats/interval.h"

#include "tests/vectors/read.h"

static void check_shares(void)
{
    struct vectors_file vectors = vectors_open("interval");

    while (vectors_next(&vectors, "wilson")) {
        int64_t x = vectors_ints(&vectors, "x")[0], n = vectors_ints(&vectors, "n")[0];
        double level = vectors_number(&vectors, "level");
        struct stats_interval got = stats_interval_wilson(x, n, level);
        CHECK(got.undefined == NULL && got.estimate == (double)x / (double)n);
        CHECK_NEAR(got.low, vectors_number(&vectors, "low"), 1e-15 + 1e-10 * got.low);
        CHECK_CLOSE(got.high, vectors_number(&vectors, "high"), 1e-10);
    }
    vectors_close(&vectors);
}

int main(void)
{
    struct stats_interval got, wide;

    check_shares();
    tap_case("effective size: as of that many draws, whole or not");
    got = stats_interval_wilson_effective(0.3, 20, 0.95);
    wide = stats_interval_wilson(6, 20, 0.95);
    CHECK_NEAR(got.low, wide.low, 1e-15);
    CHECK_NEAR(got.high, wide.high, 1e-15);
    CHECK(stats_interval_wilson_effective(0.3, 20.5, 0.95).high < got.high);
    tap_case("z: 1.96");
    CHECK_NEAR(stats_interval_z(0.95), 1.959963984540054, 1e-14);
    tap_case("finite: all were asked");
    got = stats_interval_wilson_finite(3, 10, 10, 0.95);
    CHECK(got.low == 0.3 && got.high == 0.3 && got.undefined == NULL);
    tap_case("finite: as from 2 n draws when n = (N + 1) / 2");
    got = stats_interval_wilson_finite(6, 11, 21, 0.95);
    wide = stats_interval_wilson(12, 22, 0.95);
    CHECK_NEAR(got.low, wide.low, 1e-15);
    CHECK_NEAR(got.high, wide.high, 1e-15);
    tap_case("finite: hardly narrower in a large population");
    got = stats_interval_wilson_finite(3, 10, 1000000000, 0.95);
    wide = stats_interval_wilson(3, 10, 0.95);
    CHECK_NEAR(got.low, wide.low, 1e-8);
    CHECK(got.low > wide.low && got.high < wide.high);
    tap_case("nobody was asked: undefined");
    CHECK_TEXT(stats_interval_wilson(0, 0, 0.95).undefined, "the group is empty");
    CHECK_TEXT(stats_interval_wilson_finite(0, 0, 5, 0.95).undefined,
               "the group is empty");
    CHECK(isnan(stats_interval_wilson(0, 0, 0.95).estimate));
    return tap_done();
}
