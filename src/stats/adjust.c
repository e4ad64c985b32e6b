/* Correction for many tests: p values are put in order once, adjusted, and kept monotone.
 */
#include "stats/adjust.h"

#include <math.h>
#include <stdlib.h>

struct adjust_place {
    double p;
    size_t index;
};

static int by_p(const void *left, const void *right)
{
    const struct adjust_place *a = left, *b = right;

    return (a->p > b->p) - (a->p < b->p);
}

/* The defined ones in ascending order; *adjusted gets NAN for the rest. */
static struct adjust_place *ascending(struct stats_values p, struct arena *arena,
                                      double **adjusted, size_t *tests)
{
    struct adjust_place *places = arena_array(arena, struct adjust_place, p.count);

    *adjusted = arena_array(arena, double, p.count);
    *tests = 0;
    for (size_t i = 0; i < p.count; i++) {
        (*adjusted)[i] = NAN;
        if (!isnan(p.at[i]))
            places[(*tests)++] = (struct adjust_place){p.at[i], i};
    }
    if (*tests > 0)
        qsort(places, *tests, sizeof *places, by_p);
    return places;
}

double *stats_adjust_bonferroni(struct stats_values p, struct arena *arena)
{
    double *adjusted;
    size_t tests;
    struct adjust_place *places = ascending(p, arena, &adjusted, &tests);

    for (size_t i = 0; i < tests; i++)
        adjusted[places[i].index] = fmin(1, places[i].p * (double)tests);
    return adjusted;
}

double *stats_adjust_holm(struct stats_values p, struct arena *arena)
{
    double *adjusted, highest = 0;
    size_t tests;
    struct adjust_place *places = ascending(p, arena, &adjusted, &tests);

    for (size_t i = 0; i < tests; i++) {
        highest = fmax(highest, fmin(1, places[i].p * (double)(tests - i)));
        adjusted[places[i].index] = highest;
    }
    return adjusted;
}

double *stats_adjust_benjamini_hochberg(struct stats_values p, struct arena *arena)
{
    double *adjusted, lowest = 1;
    size_t tests;
    struct adjust_place *places = ascending(p, arena, &adjusted, &tests);

    for (size_t i = tests; i-- > 0;) {
        lowest = fmin(lowest, places[i].p * ((double)tests / (double)(i + 1)));
        adjusted[places[i].index] = lowest;
    }
    return adjusted;
}
