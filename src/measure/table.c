/* Rows are laid out first, then measured column by column, then sorted and cut. */
#include "measure/table.h"

#include "measure/table_cells.h"
#include "measure/table_layout.h"
#include "measure/table_notes.h"
#include "measure/table_order.h"
#include "store/corpus.h"

static bool find_sets(struct measure_table_maker *maker, struct err *err)
{
    const struct study_table *table = maker->table;

    maker->set_count = table->of_count > 0 ? table->of_count : 1;
    maker->sets = arena_array(maker->arena, struct measure_bits, maker->set_count);
    maker->sets[0] = measure_bits_all(maker->inputs->frame->count, maker->arena);
    maker->out->sets =
        arena_array(maker->arena, struct measure_table_set, table->of_count + 1);
    for (size_t s = 0; s < table->of_count; s++) {
        if (!maker->inputs->find_set(maker->inputs->context, table->of[s],
                                     &maker->sets[s]))
            return err_set(err, ERR_INPUT, "table %.*s: there is no set '%.*s'",
                           STR_ARG(table->name), STR_ARG(table->of[s]));
        bool sample = study_find_set(maker->inputs->study, table->of[s]) == STUDY_NONE;
        maker->out->sets[maker->out->set_count++] =
            (struct measure_table_set){table->of[s], sample, maker->sets[s]};
    }
    for (size_t w = 0; w < table->where_count; w++) {
        const struct measure_groups *groups =
            &maker->inputs->groups[table->where[w].group];
        size_t v = 0;
        while (v < groups->count &&
               !str_eq(groups->values[v].name, table->where[w].value))
            v++;
        if (v == groups->count)
            return err_set(
                err, ERR_INPUT, "table %.*s: the group %.*s has no value '%.*s'",
                STR_ARG(table->name),
                STR_ARG(maker->inputs->study->groups[table->where[w].group].name),
                STR_ARG(table->where[w].value));
        for (size_t s = 0; s < maker->set_count; s++)
            maker->sets[s] =
                measure_bits_and(maker->sets[s], groups->values[v].bits, maker->arena);
    }
    return true;
}

static bool take_census(void *context, const struct store_census *census, struct err *err)
{
    struct measure_table_maker *maker = context;

    (void)err;
    if (census->tag.len > 0 || census->year < 1 || census->year > 9999)
        return true;
    if (maker->census == NULL)
        maker->census = arena_array(maker->arena, int64_t, 10000);
    maker->census[census->year] += census->questions;
    maker->census[0] += census->questions;
    return true;
}

static bool open_columns(struct measure_table_maker *maker, struct err *err)
{
    const struct study_table *table = maker->table;
    bool census = false;

    maker->columns =
        arena_array(maker->arena, struct measure_cell_column, table->column_count + 1);
    for (size_t c = 0; c < table->column_count; c++) {
        if (!measure_cell_open(&table->columns[c], maker->inputs->frame,
                               table->confidence, maker->inputs->find_set,
                               maker->inputs->context, &maker->columns[c], err))
            return err_at(err, "table %.*s: ", STR_ARG(table->name));
        census = census ||
                 maker->columns[c].quantity.measure->whole == STUDY_MEASURE_OF_CENSUS;
    }
    return !census ||
           store_census(maker->inputs->frame->corpus, STORE_ALL, take_census, maker, err);
}

bool measure_table_make(const struct study_table *table,
                        const struct measure_table_inputs *inputs, struct arena *arena,
                        struct measure_table *out, struct err *err)
{
    struct measure_table_maker maker = {
        .table = table, .inputs = inputs, .arena = arena, .out = out};

    *out = (struct measure_table){
        .shown = {.name = table->name, .title = table->title, .numbers = true},
        .ids = inputs->frame->ids};
    if (!find_sets(&maker, err) || !open_columns(&maker, err) ||
        !measure_table_layout_rows(&maker, err))
        return false;
    measure_table_layout_heads(&maker);
    if (table->totals & STUDY_TOTAL_COLUMNS)
        measure_table_layout_total(&maker);
    if (!measure_table_cells_compute(&maker, err))
        return false;
    measure_table_cells_rank(&maker);
    measure_table_notes_ranks(&maker);
    measure_table_order_write(&maker);
    measure_table_notes_left_out(&maker);
    return true;
}
