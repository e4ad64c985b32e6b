/* Nothing is left out, and nothing is undefined, without a note that says so. */
#include "measure/table_notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "stats/correlation.h"

void measure_table_notes_add(struct measure_table_maker *maker, const char *format, ...)
{
    char text[500];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (maker->out->shown.note_count < MEASURE_TABLE_NOTES_MAX)
        result_add_note(&maker->out->shown, str_from(text), maker->arena);
}

/* Of the rows below one, or of those at the top. */
static void correlate_block(struct measure_table_maker *maker, size_t parent)
{
    const struct study_table *table = maker->table;
    const struct result_table *out = &maker->out->shown;
    double *x = arena_array(maker->arena, double, maker->count + 1);
    double *y = arena_array(maker->arena, double, maker->count + 1);
    struct str first = table->columns[table->ranked[0]].name,
               second = table->columns[table->ranked[1]].name;
    struct str block =
        parent == STUDY_NONE ? (struct str){0} : maker->rows[parent].shown.name;
    size_t count = 0;

    for (size_t r = 0; r < maker->count; r++) {
        const struct result_cell *cells = &out->cells[r * out->column_count];
        if (maker->rows[r].shown.parent != parent || maker->rows[r].shown.total ||
            cells[table->ranked[0]].undefined != NULL ||
            cells[table->ranked[1]].undefined != NULL)
            continue;
        x[count] = cells[table->ranked[0]].value;
        y[count++] = cells[table->ranked[1]].value;
    }
    struct stats_values one = {x, count}, two = {y, count};
    struct stats_correlation spearman =
        stats_correlation_spearman(one, two, table->confidence, maker->arena);
    struct stats_correlation kendall =
        stats_correlation_kendall(one, two, table->confidence, maker->arena);
    const char *why = spearman.undefined != NULL ? spearman.undefined : kendall.undefined;
    if (why != NULL)
        measure_table_notes_add(maker,
                                "%.*s%sRank correlation of %.*s and %.*s: undefined: %s.",
                                STR_ARG(block), block.len > 0 ? ": " : "", STR_ARG(first),
                                STR_ARG(second), why);
    else
        measure_table_notes_add(
            maker,
            "%.*s%sRank correlation of %.*s and %.*s over %zu rows: Spearman %.4f (p "
            "%.4f), Kendall tau-b %.4f (p %.4f).",
            STR_ARG(block), block.len > 0 ? ": " : "", STR_ARG(first), STR_ARG(second),
            count, spearman.r, spearman.p, kendall.r, kendall.p);
}

/* Rows of one block are compared, before `top` takes some of them away. */
void measure_table_notes_ranks(struct measure_table_maker *maker)
{
    const struct study_table *table = maker->table;
    bool nested = false;

    if (table->ranked[0] == STUDY_NONE || table->ranked[1] == STUDY_NONE)
        return;
    for (size_t r = 0; r < maker->count; r++)
        if (!maker->rows[r].leaf) {
            correlate_block(maker, r);
            nested = true;
        }
    if (!nested)
        correlate_block(maker, STUDY_NONE);
}

/* Each reason once. */
static void note_undefined(struct measure_table_maker *maker)
{
    const struct result_table *out = &maker->out->shown;
    const char *told[MEASURE_TABLE_NOTES_MAX];
    size_t count = 0;

    for (size_t i = 0; i < out->row_count * out->column_count; i++) {
        size_t t = 0;
        if (out->cells[i].undefined == NULL)
            continue;
        while (t < count && strcmp(told[t], out->cells[i].undefined) != 0)
            t++;
        if (t == count && count < MEASURE_TABLE_NOTES_MAX) {
            told[count++] = out->cells[i].undefined;
            measure_table_notes_add(maker, "– undefined: %s.", out->cells[i].undefined);
        }
    }
}

/* Each item once, in however many rows it stands. */
static void note_negative(struct measure_table_maker *maker)
{
    const struct study_table *table = maker->table;
    struct measure_bits shown =
        measure_bits_make(maker->inputs->frame->count, maker->arena);

    for (size_t r = 0; r < maker->count; r++)
        measure_bits_add(shown, maker->rows[r].bits);
    for (size_t c = 0; c < table->column_count; c++) {
        int64_t negative = measure_cell_negative(&maker->columns[c], shown, maker->arena);
        if (negative > 0)
            measure_table_notes_add(
                maker, "%.*s: %lld answer%s older than %s question %s left out.",
                STR_ARG(table->columns[c].name), (long long)negative,
                negative == 1 ? "" : "s", negative == 1 ? "its" : "their",
                negative == 1 ? "is" : "are");
    }
}

static void note_outside(struct measure_table_maker *maker, size_t group)
{
    const struct measure_groups *groups = &maker->inputs->groups[group];
    struct measure_bits in_sets =
        measure_bits_make(maker->inputs->frame->count, maker->arena);
    struct measure_bits in_any =
        measure_bits_make(maker->inputs->frame->count, maker->arena);

    for (size_t v = 0; v < groups->count; v++)
        measure_bits_add(in_any, groups->values[v].bits);
    for (size_t s = 0; s < maker->set_count; s++)
        measure_bits_add(in_sets, maker->sets[s]);
    int64_t outside = measure_bits_count(in_sets) -
                      measure_bits_count(measure_bits_and(in_sets, in_any, maker->arena));
    if (outside > 0)
        measure_table_notes_add(maker, "%lld item%s belong%s to no group of %.*s.",
                                (long long)outside, outside == 1 ? "" : "s",
                                outside == 1 ? "s" : "",
                                STR_ARG(maker->inputs->study->groups[group].name));
}

void measure_table_notes_left_out(struct measure_table_maker *maker)
{
    const struct study_table *table = maker->table;
    bool small = false;

    note_negative(maker);
    for (size_t i = 0; i < maker->out->shown.row_count * maker->out->shown.column_count;
         i++)
        small = small || maker->out->shown.cells[i].small;
    if (small)
        measure_table_notes_add(maker, "* rests on fewer than %lld items.",
                                (long long)table->small);
    note_undefined(maker);
    for (size_t b = 0; b < table->by_count; b++)
        note_outside(maker, table->by[b]);
    for (size_t a = 0; a < table->across_count; a++)
        note_outside(maker, table->across[a]);
}
