/* Our elementary functions against libm's, which is within one unit of the last place,
 * and frozen bits: what is simulated depends on every one of them. */
#include "base/real.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "tests/tap.h"

enum { VALUES = 300000 };

static int64_t bits_of(double x)
{
    int64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits; /* neighbours differ by 1, also around 0 */
}

/* How many doubles lie between the two. */
static int64_t units_apart(double a, double b)
{
    int64_t difference = bits_of(a) - bits_of(b);

    return difference < 0 ? -difference : difference;
}

static double exp_at(struct rng *rng, int turn)
{
    double unit = rng_unit(rng);

    switch (turn % 4) {
    case 0:
        return unit * 1454.7 - 745;
    case 1:
        return unit * 2 - 1;
    case 2:
        return ldexp(unit - 0.5, -(int)rng_below(rng, 60));
    default: /* results that are subnormal */
        return -708 - unit * 37;
    }
}

/* Any positive finite bit pattern, so subnormals and extremes as well, or one near 1. */
static double log_at(struct rng *rng, int turn)
{
    double x;

    if (turn % 2 == 0)
        return 1 + ldexp(rng_unit(rng) - 0.5, -(int)rng_below(rng, 50));
    uint64_t bits = 1 + rng_below(rng, 0x7FEFFFFFFFFFFFFFu);
    memcpy(&x, &bits, sizeof x);
    return turn % 4 == 1 ? x : ldexp(x, -1074 - ilogb(x) + (int)rng_below(rng, 52));
}

static void check_against_libm(void)
{
    struct rng rng = rng_seeded(31);
    int64_t worst_exp = 0, worst_log = 0;

    for (int i = 0; i < VALUES; i++) {
        double x = exp_at(&rng, i), y = log_at(&rng, i);
        int64_t apart = units_apart(real_exp(x), exp(x));
        worst_exp = apart > worst_exp ? apart : worst_exp;
        apart = y > 0 ? units_apart(real_log(y), log(y)) : 0;
        worst_log = apart > worst_log ? apart : worst_log;
    }
    tap_case("exp: within 2 units of libm at %d values", VALUES);
    CHECK_NEAR((double)worst_exp, 0, 2);
    tap_case("log: within 3 units of libm at %d values", VALUES);
    CHECK_NEAR((double)worst_log, 0, 3);
    /* y log x is at most 9.3 here: one unit of it is up to 16 of the result. */
}

static void check_each(void)
{
    enum { FEW = 1003 };
    static double at[FEW], from[FEW];
    struct rng rng = rng_seeded(32);
    bool same = true;

    for (int i = 0; i < FEW; i++)
        at[i] = from[i] = i % 50 == 7    ? NAN
                          : i % 50 == 11 ? INFINITY
                          : i % 50 == 12 ? -800
                                         : exp_at(&rng, i);
    real_exp_each(at, FEW);
    for (int i = 0; i < FEW; i++) {
        double alone = real_exp(from[i]);
        same = same && memcmp(&alone, &at[i], sizeof alone) == 0;
    }
    tap_case("exp of many numbers: the bits of each by itself");
    CHECK(same);
}

static const struct {
    const char *name;
    double x;
} edges[] = {
    {"smallest subnormal", 4.9406564584124654e-324},
    {"a subnormal", 1e-310},
    {"largest subnormal", 2.2250738585072009e-308},
    {"smallest normal", DBL_MIN},
    {"below 1", 1 - DBL_EPSILON / 2},
    {"above 1", 1 + DBL_EPSILON},
    {"below the square root of 2", 1.4142135623730949},
    {"above the square root of 2", 1.4142135623730954},
    {"2", 2},
    {"10", 10},
    {"2^1023", 0x1p1023},
    {"largest", DBL_MAX},
};

static const struct {
    double x, value;
} exact_exp[] = {
    {0, 1},
    {-0.0, 1},
    {1e-300, 1},
    {-1e-300, 1},
    {DBL_EPSILON / 4, 1},
    {709.782712893385, INFINITY},
    {1e300, INFINITY},
    {INFINITY, INFINITY},
    {-745.2, 0},
    {-1e300, 0},
    {-INFINITY, 0},
};

static void check_edges(void)
{
    for (size_t i = 0; i < ROWS(edges); i++) {
        tap_case("log: %s", edges[i].name);
        CHECK(units_apart(real_log(edges[i].x), log(edges[i].x)) <= 2);
    }
    tap_case("log: 1 is exactly 0");
    CHECK(real_log(1) == 0);
    for (size_t i = 0; i < ROWS(exact_exp); i++) {
        tap_case("exp: %g is exactly %g", exact_exp[i].x, exact_exp[i].value);
        CHECK(real_exp(exact_exp[i].x) == exact_exp[i].value);
    }
    tap_case("exp: the last values before infinity and before 0");
    CHECK(units_apart(real_exp(709.78271289338397), exp(709.78271289338397)) <= 2);
    CHECK(real_exp(-745.0) == 4.9406564584124654e-324);
    CHECK(units_apart(real_exp(-708.5), exp(-708.5)) <= 1);
    tap_case("exp: not a number stays one");
    CHECK(isnan(real_exp(NAN)));
}

static void check_shape(void)
{
    bool exp_rises = true, log_rises = true;
    double last_exp = 0, last_log = -INFINITY;

    for (int i = -70000; i <= 70000; i++) {
        double x = i / 100.0, y = (i + 70001) / 1000.0;
        exp_rises = exp_rises && real_exp(x) > last_exp;
        log_rises = log_rises && real_log(y) > last_log;
        last_exp = real_exp(x);
        last_log = real_log(y);
    }
    tap_case("exp and log rise");
    CHECK(exp_rises);
    CHECK(log_rises);
}

static const struct {
    double x, exp_x, log_x;
} frozen[] = {
    {0.001, 0x1.0041919b7ee34p+0, -0x1.ba18a998fffap+2},
    {0.1, 0x1.1aec7b35a00d4p+0, -0x1.26bb1bbb55515p+1},
    {0.5, 0x1.a61298e1e069cp+0, -0x1.62e42fefa39efp-1},
    {0.7, 0x1.01c2a61268987p+1, -0x1.6d3c324e13f5p-2},
    {1.1, 0x1.808883244d593p+1, 0x1.8663f793c46ccp-4},
    {1.5, 0x1.1ed3fe64fc541p+2, 0x1.9f323ecbf984cp-2},
    {3.14159, 0x1.7240068789162p+4, 0x1.250cf662abf9ap+0},
    {10, 0x1.5829dcf95056p+14, 0x1.26bb1bbb55516p+1},
    {100.5, 0x1.fcc37a76f9e76p+144, 0x1.270cd2ff40ab2p+2},
    {700, 0x1.d945df4f8ec8ep+1009, 0x1.a344e6741ebabp+2},
};

int main(void)
{
    check_against_libm();
    check_each();
    check_edges();
    check_shape();
    for (size_t i = 0; i < ROWS(frozen); i++) {
        tap_case("frozen: exp and log of %g", frozen[i].x);
        CHECK_NEAR(real_exp(frozen[i].x), frozen[i].exp_x, 0);
        CHECK_NEAR(real_log(frozen[i].x), frozen[i].log_x, 0);
    }
    return tap_done();
}
