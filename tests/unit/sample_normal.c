/* The normal quantile against R's qnorm(). */
#include "sample/normal.h"

#include <math.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    double p, z;
} rows[] = {
    {"far tail", 1e-300, -37.047096299361201},
    {"where the far tail begins", 1e-20, -9.2623400897984052},
    {"tail", 1e-10, -6.3613409024040557},
    {"0.001", 0.001, -3.0902323061678132},
    {"confidence 99%", 0.005, -2.5758293035488999},
    {"confidence 95%", 0.025, -1.9599639845400538},
    {"confidence 90%", 0.05, -1.6448536269514726},
    {"beside the middle's edge", 0.0751, -1.4388253927525398},
    {"middle", 0.3, -0.52440051270804067},
    {"half", 0.5, 0},
    {"above half", 0.6, 0.25334710313579978},
    {"above the middle's edge", 0.9249, 1.4388253927525403},
    {"upper 2.5%", 0.975, 1.9599639845400536},
    {"upper tail", 0.9999999, 5.1993375822906618},
    {"nothing below", 0, -INFINITY},
    {"everything below", 1, INFINITY},
    {"no probability: negative", -0.1, NAN},
    {"no probability: above 1", 1.1, NAN},
    {"no probability: undefined", NAN, NAN},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        double z = rows[i].z, got = normal_quantile(rows[i].p);
        tap_case("quantile: %s", rows[i].name);
        if (isinf(z))
            CHECK(got == z);
        else
            CHECK_NEAR(got, z, 1e-14 * fmax(1, fabs(z)));
        tap_case("upper quantile: %s", rows[i].name);
        CHECK(isnan(z) ? isnan(normal_upper_quantile(rows[i].p))
                       : normal_upper_quantile(rows[i].p) == -got);
    }
    return tap_done();
}
