/* Correction for many tests: p values are put in order once, adjusted, and kept monotone.
 */
#include "stats/adjust.h"

#include <math.h>
#include <stdlib.h>

struct place {
    double p;
    size_t index;
};

static int by_p(const void *left, const void *right)
{
    const struct place *a = left, *b = right;

    return (a->p > b->p) - (a->p < b->p);
}

/* The defined ones in ascending order; *adjusted gets NAN for the rest. */
static struct place *ascending(struct values p, struct arena *arena, double **adjusted,
                               size_t *tests)
{
    struct place *places = arena_array(arena, struct place, p.count);

    *adjusted = arena_array(arena, double, p.count);
    *tests = 0;
    for (size_t i = 0; i < p.count; i++) {
        (*adjusted)[i] = NAN;
        if (!isnan(p.at[i]))
            places[(*tests)++] = (struct place){p.at[i], i};
    }
    if (*tests > 0)
        qsort(places, *tests, sizeof *places, by_p);
    return places;
}

double *adjust_bonferroni(struct values p, struct arena *arena)
{
    double *adjusted;
    size_t tests;
    struct place *places = ascending(p, arena, &adjusted, &tests);

    for (size_t i = 0; i < tests; i++)
        adjusted[places[i].index] = fmin(1, places[i].p * (double)tests);
    return adjusted;
}

double *adjust_holm(struct values p, struct arena *arena)
{
    double *adjusted, highest = 0;
    size_t tests;
    struct place *places = ascending(p, arena, &adjusted, &tests);

    for (size_t i = 0; i < tests; i++) {
        highest = fmax(highest, fmin(1, places[i].p * (double)(tests - i)));
        adjusted[places[i].index] = highest;
    }
    return adjusted;
}

double *adjust_benjamini_hochberg(struct values p, struct arena *arena)
{
    double *adjusted, lowest = 1;
    size_t tests;
    struct place *places = ascending(p, arena, &adjusted, &tests);

    for (size_t i = tests; i-- > 0;) {
        lowest = fmin(lowest, places[i].p * ((double)tests / (double)(i + 1)));
        adjusted[places[i].index] = lowest;
    }
    return adjusted;
}
