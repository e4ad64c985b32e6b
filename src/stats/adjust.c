/* Correction for many tests: p values are put in order once, adjusted, and kept monotone.
 */
#include "stats/adjust.h"

#include <math.h>

#include "base/order.h"

/* The places of the defined ones in ascending order; *adjusted gets NAN for the rest. */
static const size_t *ascending(struct stats_values p, struct arena *arena,
                               double **adjusted, size_t *tests)
{
    *adjusted = arena_array(arena, double, p.count);
    *tests = 0;
    for (size_t i = 0; i < p.count; i++) {
        (*adjusted)[i] = NAN;
        *tests += isnan(p.at[i]) ? 0 : 1;
    }
    return order_places(p.at, p.count, false, arena);
}

double *stats_adjust_bonferroni(struct stats_values p, struct arena *arena)
{
    double *adjusted;
    size_t tests;
    const size_t *places = ascending(p, arena, &adjusted, &tests);

    for (size_t i = 0; i < tests; i++)
        adjusted[places[i]] = fmin(1, p.at[places[i]] * (double)tests);
    return adjusted;
}

double *stats_adjust_holm(struct stats_values p, struct arena *arena)
{
    double *adjusted, highest = 0;
    size_t tests;
    const size_t *places = ascending(p, arena, &adjusted, &tests);

    for (size_t i = 0; i < tests; i++) {
        highest = fmax(highest, fmin(1, p.at[places[i]] * (double)(tests - i)));
        adjusted[places[i]] = highest;
    }
    return adjusted;
}

static double *adjust_rates(struct stats_values p, bool harmonic, struct arena *arena)
{
    double *adjusted, lowest = 1, by = harmonic ? 0 : 1;
    size_t tests;
    const size_t *places = ascending(p, arena, &adjusted, &tests);

    for (size_t i = 0; i < tests && harmonic; i++)
        by += 1 / (double)(i + 1);
    for (size_t i = tests; i-- > 0;) {
        lowest = fmin(lowest, p.at[places[i]] * (by * (double)tests / (double)(i + 1)));
        adjusted[places[i]] = lowest;
    }
    return adjusted;
}

double *stats_adjust_benjamini_hochberg(struct stats_values p, struct arena *arena)
{
    return adjust_rates(p, false, arena);
}

double *stats_adjust_benjamini_yekutieli(struct stats_values p, struct arena *arena)
{
    return adjust_rates(p, true, arena);
}
