/* Document frequencies, chi-square, and the lengths of parts. Logarithms are those of
 * base/real.h, so that a model is the same on every machine. */
#include "learn/weigh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/real.h"

enum { VECTORS = 2 * LEARN_PARTS_COUNT, GIVEN, GROUPS };

uint8_t learn_weigh_group(const struct learn_features_entry *entry)
{
    return (uint8_t)(2 * entry->part + (entry->kind == LEARN_FEATURES_LETTERS));
}

static double group_weight(const struct learn_weigh_options *options, uint8_t group)
{
    if (group >= VECTORS)
        return group == VECTORS ? options->vectors : options->given;
    return options->parts[group / 2] * (group % 2 ? options->letters : 1);
}

static uint32_t *document_frequencies(const struct learn_rows *counts,
                                      const size_t *items, size_t count,
                                      struct arena *arena)
{
    uint32_t *df = arena_array(arena, uint32_t, counts->columns + 1);

    for (size_t i = 0; i < count; i++) {
        struct learn_rows_row row = learn_rows_at(counts, items[i]);
        for (size_t c = 0; c < row.count && row.cells[c].column < counts->columns; c++)
            df[row.cells[c].column] += row.cells[c].value > 0;
    }
    return df;
}

static double idf_of(enum learn_weigh_idf how, double items, double df)
{
    switch (how) {
    case LEARN_WEIGH_IDF_SMOOTH:
        return real_log((1 + items) / (1 + df)) + 1;
    case LEARN_WEIGH_IDF_PLAIN:
        return real_log(items / df) + 1;
    case LEARN_WEIGH_IDF_NONE:
        break;
    }
    return 1;
}

void learn_weigh_chi_square(const struct learn_rows *rows,
                            const struct learn_membership *truth, double *out,
                            struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    size_t classes = truth->classes;
    double *observed = arena_array(arena, double, rows->columns *classes + 1);
    double *sizes = arena_array(arena, double, classes + 1), labels = 0;

    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0; k < classes; k++) {
            if (!learn_membership_has(truth, i, k))
                continue;
            struct learn_rows_row row = learn_rows_at(rows, i);
            sizes[k]++, labels++;
            for (size_t c = 0; c < row.count; c++)
                observed[row.cells[c].column * classes + k] += (double)row.cells[c].value;
        }
    for (size_t column = 0; column < rows->columns; column++) {
        double sum = 0, chi_square = 0;
        for (size_t k = 0; k < classes; k++)
            sum += observed[column * classes + k];
        for (size_t k = 0; k < classes; k++) {
            double expected = sum * sizes[k] / labels;
            double off = observed[column * classes + k] - expected;
            chi_square += expected > 0 ? off * off / expected : 0;
        }
        out[column] = chi_square;
    }
    arena_rewind(arena, mark);
}

/* Leaves the `select` best of those kept. */
static void select_best(const struct learn_rows *counts,
                        const struct learn_membership *truth, const size_t *items,
                        size_t count, size_t select, uint32_t *column,
                        struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct learn_rows_builder builder = {0};
    struct learn_membership some = learn_membership_of(truth, items, count, arena);
    double *values = arena_array(arena, double, counts->columns + 1);
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        struct learn_rows_row row = learn_rows_at(counts, items[i]);
        for (size_t c = 0; c < row.count && row.cells[c].column < counts->columns; c++)
            if (column[row.cells[c].column] != LEARN_WEIGH_NONE)
                learn_rows_add_cell(&builder, row.cells[c].column, row.cells[c].value);
        learn_rows_end_row(&builder);
    }
    struct learn_rows rows = learn_rows_of(&builder, counts->columns);
    learn_weigh_chi_square(&rows, &some, values, arena);
    for (size_t f = 0; f < counts->columns; f++)
        if (column[f] == LEARN_WEIGH_NONE)
            values[f] = NAN;
        else
            kept++;
    const size_t *ranked = order_places(values, counts->columns, true, arena);
    for (size_t i = select; i < kept; i++)
        column[ranked[i]] = LEARN_WEIGH_NONE;
    learn_rows_builder_free(&builder);
    arena_rewind(arena, mark);
}

struct learn_weigh learn_weigh_learn(const struct learn_weigh_source *source,
                                     const struct learn_membership *truth,
                                     const size_t *items, size_t count,
                                     const struct learn_weigh_options *options,
                                     struct arena *arena)
{
    const struct learn_rows *counts = source->counts;
    struct learn_weigh weigh = {.options = *options,
                                .features = counts->columns,
                                .vectors = source->vectors,
                                .given = source->given};
    uint32_t *column = arena_array(arena, uint32_t, counts->columns + 1);
    uint32_t *df = document_frequencies(counts, items, count, arena);
    double df_max = options->df_max > 0 ? options->df_max * (double)count : (double)count;

    for (size_t f = 0; f < counts->columns; f++) {
        bool kept =
            df[f] > 0 && df[f] >= options->df_min && df[f] <= df_max &&
            group_weight(options,
                         learn_weigh_group(learn_features_entry(source->table, f))) > 0;
        column[f] = kept ? 0 : LEARN_WEIGH_NONE;
    }
    if (options->select > 0)
        select_best(counts, truth, items, count, options->select, column, arena);
    for (size_t f = 0; f < counts->columns; f++)
        if (column[f] != LEARN_WEIGH_NONE)
            column[f] = (uint32_t)weigh.own_columns++;
    float *idf = arena_array(arena, float, weigh.own_columns + 1);
    uint8_t *group = arena_array(arena, uint8_t, weigh.own_columns + 1);
    uint32_t *features_of = arena_array(arena, uint32_t, weigh.own_columns + 1);
    for (uint32_t f = 0; f < counts->columns; f++)
        if (column[f] != LEARN_WEIGH_NONE) {
            idf[column[f]] = (float)idf_of(options->idf, (double)count, df[f]);
            group[column[f]] = learn_weigh_group(learn_features_entry(source->table, f));
            features_of[column[f]] = f;
        }
    weigh.column = column;
    weigh.idf = idf;
    weigh.group = group;
    weigh.features_of = features_of;
    weigh.columns =
        weigh.own_columns +
        (weigh.vectors.vectors != NULL ? weigh.vectors.vectors->dimensions : 0) +
        weigh.given;
    return weigh;
}

/* What a cell of each group is multiplied with, so that the group has its part's weight
 * for length, and the row length 1. */
static void lengths(const struct learn_weigh_options *options, const double *squares,
                    double *factors)
{
    double all = 0;

    for (uint8_t g = 0; g < GROUPS; g++) {
        double weight = group_weight(options, g);
        factors[g] = weight;
        if (options->l2 && squares[g] > 0) {
            factors[g] = weight / sqrt(squares[g]);
            all += weight * weight;
        }
    }
    if (options->l2 && all > 0)
        for (size_t g = 0; g < GROUPS; g++)
            factors[g] /= sqrt(all);
}

static double damped(const struct learn_weigh *weigh, float count)
{
    return weigh->options.sublinear && count > 1 ? 1 + real_log((double)count)
                                                 : (double)count;
}

double learn_weigh_vector_times(const struct learn_weigh *weigh,
                                struct learn_rows_cell count)
{
    const struct learn_vectors_use *use = &weigh->vectors;

    if (count.column >= weigh->features || use->row[count.column] == LEARN_VECTORS_NONE ||
        count.value <= 0)
        return 0;
    return damped(weigh, count.value) * weigh->options.parts[use->part[count.column]];
}

void learn_weigh_vector_sum(const struct learn_weigh *weigh, struct learn_rows_row counts,
                            double *out)
{
    const struct learn_vectors *vectors = weigh->vectors.vectors;
    size_t wide = vectors->dimensions;

    memset(out, 0, wide * sizeof *out);
    for (size_t i = 0; i < counts.count; i++) {
        double times = learn_weigh_vector_times(weigh, counts.cells[i]);
        if (times <= 0)
            continue;
        const float *row =
            vectors->at + weigh->vectors.row[counts.cells[i].column] * wide;
        for (size_t k = 0; k < wide; k++)
            out[k] += times * (double)row[k];
    }
}

/* One cell for each dimension; the sum of their squares is returned. */
static double add_vector(const struct learn_weigh *weigh, struct learn_rows_row counts,
                         struct learn_rows_builder *out)
{
    double sum[LEARN_VECTORS_DIMENSIONS_MAX], squares = 0;

    learn_weigh_vector_sum(weigh, counts, sum);
    for (size_t k = 0; k < weigh->vectors.vectors->dimensions; k++) {
        squares += sum[k] * sum[k];
        learn_rows_add_cell(out, (uint32_t)(weigh->own_columns + k), (float)sum[k]);
    }
    return squares;
}

static bool uses_vectors(const struct learn_weigh *weigh)
{
    return weigh->options.vectors > 0 && weigh->vectors.vectors != NULL;
}

void learn_weigh_row(const struct learn_weigh *weigh, struct learn_rows_row counts,
                     struct learn_rows_builder *out)
{
    size_t begin = out->cells.count;
    double squares[GROUPS] = {0}, factors[GROUPS];

    for (size_t i = 0; i < counts.count; i++) {
        uint32_t feature = counts.cells[i].column;
        float count = counts.cells[i].value;
        if (feature >= LEARN_ROWS_GIVEN && weigh->options.given > 0 &&
            feature - LEARN_ROWS_GIVEN < weigh->given) {
            squares[GIVEN] += (double)count * (double)count;
            learn_rows_add_cell(
                out, (uint32_t)learn_weigh_given(weigh) + (feature - LEARN_ROWS_GIVEN),
                count);
        }
        if (feature >= weigh->features || weigh->column[feature] == LEARN_WEIGH_NONE ||
            count <= 0)
            continue;
        uint32_t column = weigh->column[feature];
        double value = damped(weigh, count) * (double)weigh->idf[column];
        squares[weigh->group[column]] += value * value;
        learn_rows_add_cell(out, column, (float)value);
    }
    if (uses_vectors(weigh))
        squares[VECTORS] = add_vector(weigh, counts, out);
    lengths(&weigh->options, squares, factors);
    struct learn_rows_cell *cells = out->cells.at;
    for (size_t i = begin; i < out->cells.count; i++) {
        uint32_t column = cells[i].column;
        cells[i].value *=
            (float)factors[column < weigh->own_columns         ? weigh->group[column]
                           : column < learn_weigh_given(weigh) ? VECTORS
                                                               : GIVEN];
    }
    learn_rows_end_row(out);
}

void learn_weigh_rows(const struct learn_weigh *weigh, const struct learn_rows *counts,
                      const size_t *items, size_t count, struct learn_rows_builder *out)
{
    for (size_t i = 0; i < count; i++)
        learn_weigh_row(weigh, learn_rows_at(counts, items[i]), out);
}
