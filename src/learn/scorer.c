/* A sparse row times a dense table. */
#include "learn/scorer.h"

#include <string.h>

struct scorer scorer_new(size_t columns, size_t classes, struct arena *arena)
{
    return (struct scorer){columns, classes,
                           arena_array(arena, double, columns *classes + 1),
                           arena_array(arena, double, classes + 1)};
}

void scorer_score(const struct scorer *scorer, struct rows_row row, double *scores)
{
    size_t classes = scorer->classes;

    memcpy(scores, scorer->constants, classes * sizeof *scores);
    for (size_t i = 0; i < row.count; i++) {
        const double *weights = scorer->weights + row.cells[i].column * classes;
        double value = (double)row.cells[i].value;
        for (size_t k = 0; k < classes; k++)
            scores[k] += value * weights[k];
    }
}

void scorer_score_rows(const struct scorer *scorer, const struct rows *rows,
                       double *scores)
{
    for (size_t i = 0; i < rows->count; i++)
        scorer_score(scorer, rows_at(rows, i), scores + i * scorer->classes);
}

size_t scorer_best(const double *scores, size_t classes)
{
    size_t best = 0;

    for (size_t k = 1; k < classes; k++)
        if (scores[k] > scores[best])
            best = k;
    return best;
}
