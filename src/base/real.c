/* Argument reduction and series: exp by 2^k times a Taylor polynomial on |r| <= ln2 / 2,
 * log by atanh's series on a mantissa near 1. Compiled with -ffp-contract=off, because a
 * fused multiply-add would round differently where the processor has one. */
#include "base/real.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ln 2 in two parts: the first has 33 significant bits, so that k times it is exact. */
static const double LN2_HIGH = 6.93147180369123816490e-01;
static const double LN2_LOW = 1.90821492927058770002e-10;

static double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static double scaled(double value, int exponent)
{
    /* In two steps, so that neither leaves the range of normal numbers. */
    int half = exponent / 2;

    return value * power_of_two(half) * power_of_two(exponent - half);
}

/* exp x is 2^whole times exp of what is left. */
static double reduced(double x, int *whole)
{
    double k = x * 1.44269504088896338700e+00; /* 1 / ln 2 */

    *whole = (int)(k < 0 ? k - 0.5 : k + 0.5);
    return (x - *whole * LN2_HIGH) - *whole * LN2_LOW;
}

/* False where the series does not serve: *value is the result. */
static bool in_range(double x, double *value)
{
    *value = isnan(x) ? x : x > 0 ? INFINITY : 0;
    return x <= 709.782712893384 && x >= -745.0;
}

double real_exp(double x)
{
    double value, sum = 1;
    int whole;

    if (!in_range(x, &value))
        return value;
    double r = reduced(x, &whole);
    for (int i = 14; i >= 1; i--)
        sum = 1 + sum * r / i;
    return scaled(sum, whole);
}

void real_exp_each(double *at, size_t count)
{
    /* A division waits for the one before it; those of other values do not. */
    enum { TOGETHER = 8 };
    size_t done = 0;

    for (; done + TOGETHER <= count; done += TOGETHER) {
        double r[TOGETHER], sum[TOGETHER], value[TOGETHER];
        int whole[TOGETHER];
        bool in[TOGETHER];
        for (size_t j = 0; j < TOGETHER; j++) {
            in[j] = in_range(at[done + j], &value[j]);
            r[j] = reduced(in[j] ? at[done + j] : 0, &whole[j]);
            sum[j] = 1;
        }
        for (int i = 14; i >= 1; i--)
            for (size_t j = 0; j < TOGETHER; j++)
                sum[j] = 1 + sum[j] * r[j] / i;
        for (size_t j = 0; j < TOGETHER; j++)
            at[done + j] = in[j] ? scaled(sum[j], whole[j]) : value[j];
    }
    for (; done < count; done++)
        at[done] = real_exp(at[done]);
}

double real_log(double x)
{
    assert(x > 0 && isfinite(x));

    int shift = 0;
    if (x < 2.2250738585072014e-308) { /* subnormal: bring it into range first */
        x *= 18014398509481984.0;      /* 2^54 */
        shift = -54;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023 + shift;
    bits = (bits & 0xFFFFFFFFFFFFFu) | (uint64_t)1023 << 52;
    double mantissa;
    memcpy(&mantissa, &bits, sizeof mantissa);
    if (mantissa > 1.41421356237309504880) {
        mantissa /= 2;
        exponent++;
    }
    /* log m = 2 (s + s^3/3 + s^5/5 + ...) with s = (m - 1) / (m + 1), |s| < 0.172. */
    double s = (mantissa - 1) / (mantissa + 1), square = s * s, sum = 0;
    for (int i = 23; i >= 3; i -= 2)
        sum = (sum + 1.0 / i) * square;
    return exponent * LN2_HIGH + (2 * s + (2 * s * sum + exponent * LN2_LOW));
}
