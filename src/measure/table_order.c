/* Sorting moves whole subtrees: siblings are ordered, then written out depth first. */
#include "measure/table_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/table_cells.h"

struct sibling {
    size_t row;
    double value;
    struct str name;
    bool by_name, descending;
};

static int compare_siblings(const void *a, const void *b)
{
    const struct sibling *one = a, *two = b;
    int order;

    if (one->by_name) {
        order = str_compare(one->name, two->name);
    } else {
        /* Undefined ones come last either way. */
        if (isnan(one->value) || isnan(two->value)) {
            order = isnan(one->value) - isnan(two->value);
            return order != 0 ? order : one->row < two->row ? -1 : 1;
        }
        order = one->value < two->value ? -1 : one->value > two->value;
        if (one->descending)
            order = -order;
    }
    return order != 0 ? order : one->row < two->row ? -1 : 1;
}

static void write_subtrees(const struct measure_table_maker *maker, size_t parent,
                           size_t *order, size_t *count)
{
    const struct study_table *table = maker->table;
    struct arena scratch = {0};
    struct sibling *siblings = arena_array(&scratch, struct sibling, maker->count + 1);
    size_t n = 0;
    /* Sets at the top stay in the order of the study file when groups part them. */
    bool sorted = (table->sort_by_name || table->sort != STUDY_NONE) &&
                  !(parent == STUDY_NONE && maker->set_count > 1 && table->by_count > 0);

    for (size_t r = 0; r < maker->count; r++)
        if (maker->rows[r].shown.parent == parent && !maker->rows[r].shown.total) {
            size_t h = table->sort != STUDY_NONE ? table->sort : 0;
            /* By the total, where there is one: it is the last. */
            if (table->totals & STUDY_TOTAL_ROWS)
                h += (maker->across_count - 1) * table->column_count;
            siblings[n++] = (struct sibling){
                r, maker->out->shown.cells[r * maker->out->shown.column_count + h].value,
                maker->rows[r].shown.name, table->sort_by_name, table->descending};
        }
    if (sorted)
        qsort(siblings, n, sizeof *siblings, compare_siblings);
    bool cut = table->top > 0 && (size_t)table->top < n &&
               !(parent == STUDY_NONE && maker->set_count > 1 && table->by_count > 0);
    if (cut)
        n = (size_t)table->top;
    for (size_t i = 0; i < n; i++) {
        order[(*count)++] = siblings[i].row;
        if (!maker->rows[siblings[i].row].leaf)
            write_subtrees(maker, siblings[i].row, order, count);
    }
    arena_free(&scratch);
}

void measure_table_order_write(struct measure_table_maker *maker)
{
    struct measure_table *made = maker->out;
    struct result_table *out = &made->shown;
    size_t *order = arena_array(maker->arena, size_t, maker->count + 1);
    size_t *place = arena_array(maker->arena, size_t, maker->count + 1);
    size_t count = 0;

    write_subtrees(maker, STUDY_NONE, order, &count);
    for (size_t r = 0; r < maker->count; r++)
        if (maker->rows[r].shown.total)
            order[count++] = r;
    struct result_cell *cells =
        arena_array(maker->arena, struct result_cell, count * out->column_count + 1);
    made->items = arena_array(maker->arena, struct measure_table_items, count + 1);
    out->rows = arena_array(maker->arena, struct result_row, count + 1);
    for (size_t i = 0; i < count; i++) {
        place[order[i]] = i;
        out->rows[i] = maker->rows[order[i]].shown;
        made->items[i] = (struct measure_table_items){
            maker->rows[order[i]].bits,
            measure_table_cells_set(maker, &maker->rows[order[i]])};
        if (out->rows[i].parent != STUDY_NONE)
            out->rows[i].parent = place[out->rows[i].parent];
        memcpy(&cells[i * out->column_count], &out->cells[order[i] * out->column_count],
               out->column_count * sizeof *cells);
    }
    out->row_count = count;
    out->cells = cells;
    made->columns = maker->columns;
    made->column_count = maker->table->column_count;
    made->in_across = maker->in_across;
}
