/* Sums have a fixed order, so that the same vectors give the same bits on any number of
 * threads. */
#include "stats/cluster.h"

#include <math.h>

double stats_dot(const float *a, const float *b, size_t dimensions)
{
    /* Eight sums that do not wait for each other. */
    float sums[8] = {0};
    size_t k = 0;
    double rest = 0;

    for (; k + 8 <= dimensions; k += 8)
        for (size_t j = 0; j < 8; j++)
            sums[j] += a[k + j] * b[k + j];
    for (; k < dimensions; k++)
        rest += (double)a[k] * (double)b[k];
    for (size_t j = 0; j < 8; j++)
        rest += (double)sums[j];
    return rest;
}

bool stats_unit(const float *vector, size_t dimensions, float *out)
{
    double squares = 0;

    for (size_t k = 0; k < dimensions; k++)
        squares += (double)vector[k] * (double)vector[k];
    double scale = squares > 0 ? 1 / sqrt(squares) : 0;
    for (size_t k = 0; k < dimensions; k++)
        out[k] = (float)((double)vector[k] * scale);
    return squares > 0;
}
