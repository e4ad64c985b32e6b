/* The methods that only count: majority, naive Bayes, centroid. */
#include "learn/fit.h"

#include <math.h>

#include "base/real.h"

/* Sums of the rows of each class (columns x classes), and how many rows it has. */
static struct scorer class_sums(const struct rows *rows, const struct membership *truth,
                                struct arena *arena)
{
    size_t classes = truth->classes;
    struct scorer sums = scorer_new(rows->columns, classes, arena);

    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0; k < classes; k++) {
            if (!membership_has(truth, i, k))
                continue;
            struct rows_row row = rows_at(rows, i);
            sums.constants[k]++;
            for (size_t c = 0; c < row.count; c++)
                sums.weights[row.cells[c].column * classes + k] +=
                    (double)row.cells[c].value;
        }
    return sums;
}

/* log of each class's share of labels; a class without any is as if it had half a one. */
static void log_shares(double *sizes, size_t classes)
{
    double labels = 0;

    for (size_t k = 0; k < classes; k++)
        labels += sizes[k];
    for (size_t k = 0; k < classes; k++)
        sizes[k] = real_log((sizes[k] > 0 ? sizes[k] : 0.5) / (labels > 0 ? labels : 1));
}

struct scorer fit_majority(const struct rows *rows, const struct membership *truth,
                           struct arena *arena)
{
    struct scorer scorer = scorer_new(rows->columns, truth->classes, arena);

    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0; k < truth->classes; k++)
            scorer.constants[k] += membership_has(truth, i, k);
    if (!truth->several)
        log_shares(scorer.constants, truth->classes);
    /* With several labels each class is a question of its own: the log of how often it is
     * to how often it is not, half an item added to both. */
    for (size_t k = 0; k < truth->classes && truth->several; k++)
        scorer.constants[k] = real_log((scorer.constants[k] + 0.5) /
                                       ((double)rows->count - scorer.constants[k] + 0.5));
    return scorer;
}

static double column_total(const struct scorer *sums, size_t column)
{
    double total = 0;

    for (size_t k = 0; k < sums->classes; k++)
        total += sums->weights[column * sums->classes + k];
    return total;
}

struct scorer fit_bayes(const struct rows *rows, const struct membership *truth,
                        double smoothing, struct arena *arena)
{
    size_t classes = truth->classes;
    struct scorer scorer = class_sums(rows, truth, arena);

    for (size_t k = 0; k < classes; k++) {
        double all = smoothing * (double)rows->columns;
        for (size_t c = 0; c < rows->columns; c++)
            all += scorer.weights[c * classes + k];
        for (size_t c = 0; c < rows->columns; c++)
            scorer.weights[c * classes + k] =
                real_log((scorer.weights[c * classes + k] + smoothing) / all);
    }
    log_shares(scorer.constants, classes);
    return scorer;
}

struct scorer fit_complement(const struct rows *rows, const struct membership *truth,
                             double smoothing, struct arena *arena)
{
    size_t classes = truth->classes;
    struct scorer scorer = class_sums(rows, truth, arena);
    double *others = arena_array(arena, double, classes + 1);

    for (size_t c = 0; c < rows->columns; c++) {
        double total = column_total(&scorer, c);
        for (size_t k = 0; k < classes; k++) {
            double *weight = scorer.weights + c * classes + k;
            *weight = total - *weight + smoothing; /* in all classes but this one */
            others[k] += *weight;
        }
    }
    for (size_t c = 0; c < rows->columns; c++)
        for (size_t k = 0; k < classes; k++) {
            double *weight = scorer.weights + c * classes + k;
            *weight = -real_log(*weight / others[k]);
        }
    for (size_t k = 0; k < classes; k++)
        scorer.constants[k] = 0; /* as in the paper: class sizes play no part */
    return scorer;
}

struct scorer fit_centroid(const struct rows *rows, const struct membership *truth,
                           struct arena *arena)
{
    size_t classes = truth->classes;
    struct scorer scorer = class_sums(rows, truth, arena);

    for (size_t k = 0; k < classes; k++) {
        double squares = 0;
        for (size_t c = 0; c < rows->columns; c++)
            squares += scorer.weights[c * classes + k] * scorer.weights[c * classes + k];
        for (size_t c = 0; c < rows->columns && squares > 0; c++)
            scorer.weights[c * classes + k] /= sqrt(squares);
        scorer.constants[k] = 0;
    }
    return scorer;
}
