/* Every score is a sum over columns, so that its parts can be listed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/internal.h"

static int by_strength(const void *left, const void *right)
{
    const struct model_reason *a = left, *b = right;
    double x = fabs(a->weight), y = fabs(b->weight);

    if (x != y)
        return x > y ? -1 : 1;
    return a->feature < b->feature ? -1 : a->feature > b->feature;
}

/* The most probable set that has the class. */
static size_t set_with(const struct model *model, struct rows_row counts, size_t class,
                       struct model_scratch *scratch)
{
    const struct powerset *powerset = model->powerset;
    const double *of_sets = model_predict_sets(model, counts, scratch);
    size_t best = powerset->count;

    for (size_t s = 0; s < powerset->count; s++)
        if (powerset->has[s * powerset->classes + class] &&
            (best == powerset->count || of_sets[s] > of_sets[best]))
            best = s;
    return best < powerset->count ? best : scorer_best(of_sets, powerset->count);
}

/* How much a column speaks for the class. What it adds to every class alike decides
 * nothing. */
static double says_for(const struct model *model, size_t column, size_t class)
{
    const double *weights = model->scorer.weights + column * model->classes;
    double mean = 0;

    for (size_t k = 0; k < model->classes && !model->several; k++)
        mean += weights[k] / (double)model->classes;
    return weights[class] - mean;
}

/* What words say by their vectors: each has its share of the sum. A word that has a
 * column as well is there twice, once for itself and once for words like it. */
static size_t add_vector_reasons(const struct model *model, struct rows_row counts,
                                 struct rows_row row, size_t class,
                                 struct model_reason *reasons, size_t count,
                                 struct arena *arena)
{
    const struct weigh *weigh = &model->weigh;
    size_t own = weigh->own_columns, wide = weigh->columns - own;

    if (wide == 0 || weigh->options.vectors <= 0)
        return count;
    double *sum = arena_array(arena, double, 2 * wide), *says = sum + wide;
    double length = 0, shown = 0;
    weigh_vector_sum(weigh, counts, sum);
    for (size_t k = 0; k < wide; k++) {
        double cell = (double)row.cells[row.count - wide + k].value;
        length += sum[k] * sum[k];
        shown += cell * cell;
        says[k] = says_for(model, own + k, class);
    }
    for (size_t i = 0; i < counts.count && length > 0; i++) {
        double times = weigh_vector_times(weigh, counts.cells[i]), all = 0;
        if (times <= 0)
            continue;
        const float *vector = weigh->vectors.vectors->at +
                              weigh->vectors.row[counts.cells[i].column] * wide;
        for (size_t k = 0; k < wide; k++)
            all += (double)vector[k] * says[k];
        reasons[count++] = (struct model_reason){
            counts.cells[i].column, times * all * sqrt(shown / length), true};
    }
    return count;
}

size_t model_explain(const struct model *model, struct rows_row counts, size_t class,
                     struct model_scratch *scratch, struct model_reason *out, size_t room,
                     struct arena *arena)
{
    if (model->member_count > 0)
        return model_explain(model->members, counts, class, scratch, out, room, arena);
    if (model->powerset != NULL)
        return model_explain(model->inner, counts,
                             set_with(model, counts, class, scratch), scratch, out, room,
                             arena);
    struct rows_row row = model_row(model, counts, scratch);
    size_t own = model->weigh.own_columns, count = 0;
    struct model_reason *reasons =
        arena_array(arena, struct model_reason, row.count + counts.count + 1);

    for (size_t i = 0; i < row.count; i++)
        if (row.cells[i].column < own)
            reasons[count++] = (struct model_reason){
                model->weigh.features_of[row.cells[i].column],
                (double)row.cells[i].value * says_for(model, row.cells[i].column, class),
                false};
    count = add_vector_reasons(model, counts, row, class, reasons, count, arena);
    qsort(reasons, count, sizeof *reasons, by_strength);
    if (count > room)
        count = room;
    memcpy(out, reasons, count * sizeof *out);
    return count;
}
