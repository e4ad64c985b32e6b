/* The keyword-weight classifier. A post's score for a class is the sum over its words of
 * count times weight, which is what a scorer does with rows of plain counts. */
#include <math.h>
#include <stdlib.h>

#include "learn/fit.h"

struct ranked {
    double count;
    size_t column;
};

static int by_count(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;

    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return a->column < b->column ? -1 : 1;
}

/* Sets to 0 what is not among the class's `top` most frequent words. */
static void keep_top(double *thetas, size_t columns, size_t top, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct ranked *ranked = arena_array(arena, struct ranked, columns + 1);

    for (size_t c = 0; c < columns; c++)
        ranked[c] = (struct ranked){thetas[c], c};
    qsort(ranked, columns, sizeof *ranked, by_count);
    for (size_t i = top; i < columns; i++)
        thetas[ranked[i].column] = 0;
    arena_rewind(arena, mark);
}

static void normalise(double *thetas, size_t columns, bool length)
{
    double all = 0;

    for (size_t c = 0; c < columns; c++)
        all += length ? thetas[c] * thetas[c] : thetas[c];
    if (length)
        all = sqrt(all);
    for (size_t c = 0; c < columns && all > 0; c++)
        thetas[c] /= all;
}

static void count_words(const struct rows *counts, const struct membership *truth,
                        size_t class, double *thetas)
{
    for (size_t c = 0; c < counts->columns; c++)
        thetas[c] = 0;
    for (size_t i = 0; i < counts->count; i++) {
        if (!membership_has(truth, i, class))
            continue;
        struct rows_row row = rows_at(counts, i);
        for (size_t c = 0; c < row.count; c++)
            thetas[row.cells[c].column] += (double)row.cells[c].value;
    }
}

struct scorer fit_keyword(const struct rows *counts, const struct membership *truth,
                          struct fit_keyword options, struct arena *arena)
{
    size_t columns = counts->columns, classes = truth->classes;
    struct scorer scorer = scorer_new(columns, classes, arena);
    double *thetas = arena_array(arena, double, columns + 1);

    for (size_t k = 0; k < classes; k++) {
        count_words(counts, truth, k, thetas);
        if (options.top > 0 && options.top < columns)
            keep_top(thetas, columns, options.top, arena);
        normalise(thetas, columns, options.length);
        for (size_t c = 0; c < columns; c++) {
            size_t at = c * classes + k;
            bool picked = options.picked != NULL && options.picked[at] != 0 &&
                          (thetas[c] > 0 || !options.only_top);
            scorer.weights[at] = thetas[c] + (picked ? options.alpha : 0);
        }
    }
    return scorer;
}
