/* A cell is a measure over the items that its row and its column share; a share also asks
 * what it is a share of. */
#include "measure/table_cells.h"

#include <math.h>

#include "base/stop.h"
#include "stats/ranktest.h"

static int64_t count_in(const struct measure_table_maker *maker, size_t c,
                        struct measure_bits items)
{
    return measure_cell_count(&maker->columns[c], (struct measure_cell_items){&items, 1},
                              maker->arena);
}

/* Of the row's block; of all rows for a total, and where each set is a row. */
static int64_t sum_of_leaves(const struct measure_table_maker *maker,
                             const struct measure_table_maker_row *row, size_t h)
{
    size_t a = h / maker->table->column_count, c = h % maker->table->column_count;
    bool all = row->shown.total || maker->table->by_count == 0;
    size_t block = all ? STUDY_NONE : row->block;
    struct measure_table_maker_sum *kept = &maker->sums[h];

    if (kept->known && kept->block == block)
        return kept->sum;
    *kept = (struct measure_table_maker_sum){true, block, 0};
    for (size_t i = 0; i < maker->count; i++) {
        const struct measure_table_maker_row *other = &maker->rows[i];
        struct arena_mark mark = arena_mark(maker->arena);
        if (other->leaf && !other->shown.total && (all || other->block == block))
            kept->sum += count_in(
                maker, c,
                measure_bits_and(other->bits, maker->across[a].bits, maker->arena));
        arena_rewind(maker->arena, mark);
    }
    return kept->sum;
}

static struct measure_cell_whole census_whole(const struct measure_table_maker *maker,
                                              const struct measure_table_maker_row *row)
{
    if (maker->census == NULL)
        return (struct measure_cell_whole){0, "the sources have no census"};
    int64_t year = row->year == ITEM_NONE ? 0 : row->year;
    return (struct measure_cell_whole){maker->census[year], NULL};
}

struct measure_bits measure_table_cells_set(const struct measure_table_maker *maker,
                                            const struct measure_table_maker_row *row)
{
    if (row->block != STUDY_NONE)
        return maker->rows[row->block].bits;
    if (!row->shown.total || maker->set_count == 1)
        return maker->sets[0];
    struct measure_bits all =
        measure_bits_make(maker->inputs->frame->count, maker->arena);
    for (size_t s = 0; s < maker->set_count; s++)
        measure_bits_add(all, maker->sets[s]);
    return all;
}

/* How large the row's set is, as far as it belongs to `across`; of a total that counts
 * items once for each row they stand in, all sets one after the other. */
static int64_t count_set(const struct measure_table_maker *maker,
                         const struct measure_table_maker_row *row, size_t c,
                         struct measure_bits across)
{
    int64_t sum = 0;

    if (!row->shown.total || !maker->table->unit_rows || maker->set_count == 1)
        return count_in(
            maker, c,
            measure_bits_and(measure_table_cells_set(maker, row), across, maker->arena));
    for (size_t s = 0; s < maker->set_count; s++)
        sum += count_in(maker, c, measure_bits_and(maker->sets[s], across, maker->arena));
    return sum;
}

/* A row over all groups across; where a total counts items once for each of its rows, so
 * does this. */
static int64_t count_row(const struct measure_table_maker *maker,
                         const struct measure_table_maker_row *row, size_t c)
{
    struct measure_bits *parts =
        arena_array(maker->arena, struct measure_bits, row->items.count + 1);

    for (size_t p = 0; p < row->items.count; p++)
        parts[p] = measure_bits_and(row->items.parts[p], maker->in_across, maker->arena);
    return measure_cell_count(&maker->columns[c],
                              (struct measure_cell_items){parts, row->items.count},
                              maker->arena);
}

static struct measure_cell_whole whole_of(const struct measure_table_maker *maker,
                                          const struct measure_table_maker_row *row,
                                          size_t h)
{
    size_t a = h / maker->table->column_count, c = h % maker->table->column_count;
    struct measure_bits across = maker->across[a].bits;
    size_t parent = row->shown.parent;

    switch (maker->columns[c].quantity.measure->whole) {
    case STUDY_MEASURE_OF_CENSUS:
        return census_whole(maker, row);
    case STUDY_MEASURE_OF_COLUMN:
        return (struct measure_cell_whole){sum_of_leaves(maker, row, h), NULL};
    case STUDY_MEASURE_OF_ROW:
        return (struct measure_cell_whole){count_row(maker, row, c), NULL};
    case STUDY_MEASURE_OF_PARENT:
        if (parent == STUDY_NONE)
            return (struct measure_cell_whole){count_set(maker, row, c, across), NULL};
        return (struct measure_cell_whole){
            count_in(maker, c,
                     measure_bits_and(maker->rows[parent].bits, across, maker->arena)),
            NULL};
    default:
        across = measure_bits_all(maker->inputs->frame->count, maker->arena);
        return (struct measure_cell_whole){count_set(maker, row, c, across), NULL};
    }
}

static void compute_cell(struct measure_table_maker *maker, size_t r, size_t h)
{
    const struct study_table *table = maker->table;
    size_t a = h / table->column_count, c = h % table->column_count;
    struct measure_table_maker_row *row = &maker->rows[r];
    struct arena_mark mark = arena_mark(maker->arena);
    enum study_measure_kind kind = maker->columns[c].quantity.measure->kind;
    struct measure_bits *parts =
        arena_array(maker->arena, struct measure_bits, row->items.count + 1);
    struct measure_cell_whole whole = {0};

    for (size_t p = 0; p < row->items.count; p++)
        parts[p] =
            measure_bits_and(row->items.parts[p], maker->across[a].bits, maker->arena);

    if (kind == STUDY_MEASURE_SHARE)
        whole = whole_of(maker, row, h);
    struct result_cell cell = measure_cell_compute(
        &maker->columns[c], (struct measure_cell_items){parts, row->items.count}, whole,
        maker->arena);
    cell.small = cell.n < table->small && cell.undefined == NULL &&
                 kind != STUDY_MEASURE_COUNT && kind != STUDY_MEASURE_DISTINCT;
    arena_rewind(maker->arena, mark);
    maker->out->shown.cells[r * maker->out->shown.column_count + h] = cell;
}

bool measure_table_cells_compute(struct measure_table_maker *maker, struct err *err)
{
    struct result_table *out = &maker->out->shown;

    out->cells = arena_array(maker->arena, struct result_cell,
                             maker->count * out->column_count + 1);
    for (size_t r = 0; r < maker->count; r++) {
        for (size_t h = 0; h < out->column_count; h++)
            compute_cell(maker, r, h);
        if (!stop_check(err))
            return false;
    }
    return true;
}

static const struct study_column *column_of(const struct measure_table_maker *maker,
                                            size_t h)
{
    return &maker->table->columns[h % maker->table->column_count];
}

/* Replaces values by their ranks among the rows with the same parent. */
static void rank_head(struct measure_table_maker *maker, size_t h, size_t parent)
{
    struct result_table *out = &maker->out->shown;
    bool ascending = column_of(maker, h)->measure.ascending;
    struct arena_mark mark = arena_mark(maker->arena);
    double *values = arena_array(maker->arena, double, maker->count + 1);
    struct result_cell **cells =
        arena_array(maker->arena, struct result_cell *, maker->count + 1);
    size_t count = 0;

    for (size_t r = 0; r < maker->count; r++) {
        struct result_cell *cell = &out->cells[r * out->column_count + h];
        if (maker->rows[r].shown.parent != parent || maker->rows[r].shown.total ||
            cell->undefined != NULL)
            continue;
        values[count] = ascending ? cell->value : -cell->value;
        cells[count++] = cell;
    }
    struct stats_rank rank =
        stats_rank_values((struct stats_values){values, count}, maker->arena);
    for (size_t i = 0; i < count; i++) {
        cells[i]->value = rank.at[i];
        cells[i]->low = cells[i]->high = NAN;
        cells[i]->counted = false;
    }
    arena_rewind(maker->arena, mark);
}

void measure_table_cells_rank(struct measure_table_maker *maker)
{
    struct result_table *out = &maker->out->shown;

    for (size_t h = 0; h < out->column_count; h++) {
        if (column_of(maker, h)->measure.kind != STUDY_MEASURE_RANK)
            continue;
        rank_head(maker, h, STUDY_NONE);
        for (size_t r = 0; r < maker->count; r++) {
            struct result_cell *cell = &out->cells[r * out->column_count + h];
            if (!maker->rows[r].leaf)
                rank_head(maker, h, r);
            if (maker->rows[r].shown.total) {
                cell->value = cell->low = cell->high = NAN;
                cell->undefined = "a total has no rank";
            }
        }
    }
}
