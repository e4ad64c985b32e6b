/* A cell is a measure over the items that its row and its column share; a share also asks
 * what it is a share of. */
#include "measure/table_cells.h"

#include <math.h>

#include "base/stop.h"
#include "stats/ranktest.h"

static int64_t count_in(const struct table_maker *maker, size_t c, struct bits items)
{
    return cell_count(&maker->columns[c], (struct cell_items){&items, 1}, maker->arena);
}

/* Of the row's block; of all rows for a total, and where each set is a row. */
static int64_t sum_of_leaves(const struct table_maker *maker,
                             const struct table_maker_row *row, size_t h)
{
    size_t a = h / maker->table->column_count, c = h % maker->table->column_count;
    bool all = row->shown.total || maker->table->by_count == 0;
    size_t block = all ? STUDY_NONE : row->block;
    struct table_maker_sum *kept = &maker->sums[h];

    if (kept->known && kept->block == block)
        return kept->sum;
    *kept = (struct table_maker_sum){true, block, 0};
    for (size_t i = 0; i < maker->count; i++) {
        const struct table_maker_row *other = &maker->rows[i];
        struct arena_mark mark = arena_mark(maker->arena);
        if (other->leaf && !other->shown.total && (all || other->block == block))
            kept->sum += count_in(
                maker, c, bits_and(other->bits, maker->across[a].bits, maker->arena));
        arena_rewind(maker->arena, mark);
    }
    return kept->sum;
}

static struct cell_whole census_whole(const struct table_maker *maker,
                                      const struct table_maker_row *row)
{
    if (maker->census == NULL)
        return (struct cell_whole){0, "the sources have no census"};
    int64_t year = row->year == ITEM_NONE ? 0 : row->year;
    return (struct cell_whole){maker->census[year], NULL};
}

struct bits table_cells_set(const struct table_maker *maker,
                            const struct table_maker_row *row)
{
    if (row->block != STUDY_NONE)
        return maker->rows[row->block].bits;
    if (!row->shown.total || maker->set_count == 1)
        return maker->sets[0];
    struct bits all = bits_make(maker->inputs->frame->count, maker->arena);
    for (size_t s = 0; s < maker->set_count; s++)
        bits_add(all, maker->sets[s]);
    return all;
}

/* How large the row's set is, as far as it belongs to `across`; of a total that counts
 * items once for each row they stand in, all sets one after the other. */
static int64_t count_set(const struct table_maker *maker,
                         const struct table_maker_row *row, size_t c, struct bits across)
{
    int64_t sum = 0;

    if (!row->shown.total || !maker->table->unit_rows || maker->set_count == 1)
        return count_in(maker, c,
                        bits_and(table_cells_set(maker, row), across, maker->arena));
    for (size_t s = 0; s < maker->set_count; s++)
        sum += count_in(maker, c, bits_and(maker->sets[s], across, maker->arena));
    return sum;
}

/* A row over all groups across; where a total counts items once for each of its rows, so
 * does this. */
static int64_t count_row(const struct table_maker *maker,
                         const struct table_maker_row *row, size_t c)
{
    struct bits *parts = arena_array(maker->arena, struct bits, row->items.count + 1);

    for (size_t p = 0; p < row->items.count; p++)
        parts[p] = bits_and(row->items.parts[p], maker->in_across, maker->arena);
    return cell_count(&maker->columns[c], (struct cell_items){parts, row->items.count},
                      maker->arena);
}

static struct cell_whole whole_of(const struct table_maker *maker,
                                  const struct table_maker_row *row, size_t h)
{
    size_t a = h / maker->table->column_count, c = h % maker->table->column_count;
    struct bits across = maker->across[a].bits;
    size_t parent = row->shown.parent;

    switch (maker->columns[c].quantity.measure->whole) {
    case MEASURE_OF_CENSUS:
        return census_whole(maker, row);
    case MEASURE_OF_COLUMN:
        return (struct cell_whole){sum_of_leaves(maker, row, h), NULL};
    case MEASURE_OF_ROW:
        return (struct cell_whole){count_row(maker, row, c), NULL};
    case MEASURE_OF_PARENT:
        if (parent == STUDY_NONE)
            return (struct cell_whole){count_set(maker, row, c, across), NULL};
        return (struct cell_whole){
            count_in(maker, c, bits_and(maker->rows[parent].bits, across, maker->arena)),
            NULL};
    default:
        across = bits_all(maker->inputs->frame->count, maker->arena);
        return (struct cell_whole){count_set(maker, row, c, across), NULL};
    }
}

static void compute_cell(struct table_maker *maker, size_t r, size_t h)
{
    const struct study_table *table = maker->table;
    size_t a = h / table->column_count, c = h % table->column_count;
    struct table_maker_row *row = &maker->rows[r];
    struct arena_mark mark = arena_mark(maker->arena);
    enum measure_kind kind = maker->columns[c].quantity.measure->kind;
    struct bits *parts = arena_array(maker->arena, struct bits, row->items.count + 1);
    struct cell_whole whole = {0};

    for (size_t p = 0; p < row->items.count; p++)
        parts[p] = bits_and(row->items.parts[p], maker->across[a].bits, maker->arena);

    if (kind == MEASURE_SHARE)
        whole = whole_of(maker, row, h);
    struct result_cell cell =
        cell_compute(&maker->columns[c], (struct cell_items){parts, row->items.count},
                     whole, maker->arena);
    cell.small = cell.n < table->small && cell.undefined == NULL &&
                 kind != MEASURE_COUNT && kind != MEASURE_DISTINCT;
    arena_rewind(maker->arena, mark);
    maker->out->shown.cells[r * maker->out->shown.column_count + h] = cell;
}

bool table_cells_compute(struct table_maker *maker, struct err *err)
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

static const struct study_column *column_of(const struct table_maker *maker, size_t h)
{
    return &maker->table->columns[h % maker->table->column_count];
}

/* Replaces values by their ranks among the rows with the same parent. */
static void rank_head(struct table_maker *maker, size_t h, size_t parent)
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
    struct rank rank = rank_values((struct values){values, count}, maker->arena);
    for (size_t i = 0; i < count; i++) {
        cells[i]->value = rank.at[i];
        cells[i]->low = cells[i]->high = NAN;
        cells[i]->counted = false;
    }
    arena_rewind(maker->arena, mark);
}

void table_cells_rank(struct table_maker *maker)
{
    struct result_table *out = &maker->out->shown;

    for (size_t h = 0; h < out->column_count; h++) {
        if (column_of(maker, h)->measure.kind != MEASURE_RANK)
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
