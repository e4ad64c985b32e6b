/* Rows form a forest: a set's name over its groups, a group over those that part it. */
#include "measure/table_layout.h"

#include <stdio.h>
#include <string.h>

#include "measure/table_notes.h"

enum { ROWS_LIMIT = 100000 };

static struct str joined(struct measure_table_maker *maker, struct str a,
                         const char *between, struct str b, bool slug)
{
    struct buf text = {0};

    buf_add(&text, a);
    if (a.len > 0)
        buf_add_format(&text, "%s", between);
    if (slug)
        result_slug(b, &text);
    else
        buf_add(&text, b);
    struct str copy = arena_copy(maker->arena, buf_str(&text));
    buf_free(&text);
    return copy;
}

/* The slug of a name that stands below `above`; where it is taken, ~2 and so on is added.
 */
static struct str unique_slug(struct measure_table_maker *maker, struct map *taken,
                              struct str above, struct str name)
{
    struct str path = joined(maker, above, ".", name, true);
    size_t begin = above.len > 0 ? above.len + 1 : 0;

    taken->arena = maker->arena;
    int64_t number = ++*map_put(taken, path);
    if (number == 1)
        return str_slice(path, begin, path.len);
    char ending[30];
    snprintf(ending, sizeof ending, "~%lld", (long long)number);
    return joined(maker, str_slice(path, begin, path.len), "", str_from(ending), false);
}

static struct measure_table_maker_row *add_row(struct measure_table_maker *maker,
                                               struct str name, struct measure_bits bits,
                                               size_t parent)
{
    if (maker->count == maker->room) {
        struct measure_table_maker_row *more = arena_array(
            maker->arena, struct measure_table_maker_row, maker->room * 2 + 64);
        if (maker->count > 0)
            memcpy(more, maker->rows, maker->count * sizeof *more);
        maker->rows = more;
        maker->room = maker->room * 2 + 64;
    }
    struct measure_table_maker_row *row = &maker->rows[maker->count++];
    struct str above =
        parent == STUDY_NONE ? (struct str){0} : maker->rows[parent].shown.path;
    struct str slug = unique_slug(maker, &maker->row_paths, above, name);
    *row = (struct measure_table_maker_row){
        .shown = {.name = name,
                  .slug = slug,
                  .path = joined(maker, above, ".", slug, false),
                  .level = parent == STUDY_NONE ? 0 : maker->rows[parent].shown.level + 1,
                  .parent = parent,
                  .n = measure_bits_count(bits)},
        .bits = bits,
        .year = parent == STUDY_NONE ? ITEM_NONE : maker->rows[parent].year,
        .block = parent == STUDY_NONE ? STUDY_NONE : maker->rows[parent].block,
        .leaf = true};
    struct measure_bits *own = arena_array(maker->arena, struct measure_bits, 1);
    *own = bits;
    row->items = (struct measure_cell_items){own, 1};
    if (parent != STUDY_NONE)
        maker->rows[parent].leaf = false;
    return row;
}

/* Codes of the same labels belong together only along the tree: a post with two codes
 * must not show the one below the other. */
static bool on_one_branch(const struct measure_table_maker *maker, size_t parent,
                          const struct measure_groups_value *value)
{
    const struct measure_groups_value *above = maker->rows[parent].value;

    return above == NULL || value->labels == NULL || above->labels != value->labels ||
           measure_labels_at_level(value->labels, value->code,
                                   value->labels->codes[above->code].level) ==
               above->code;
}

/* Rows for the groups from `depth` on, below a row or at the top. */
static bool add_groups(struct measure_table_maker *maker, size_t depth, size_t parent,
                       struct measure_bits within, struct err *err)
{
    const struct measure_groups *groups = &maker->inputs->groups[maker->table->by[depth]];

    for (size_t v = 0; v < groups->count; v++) {
        const struct measure_groups_value *value = &groups->values[v];
        struct arena_mark mark = arena_mark(maker->arena);
        struct measure_bits bits = measure_bits_and(within, value->bits, maker->arena);
        /* Below others only what occurs; at the top also what might have. */
        if ((depth > 0 && measure_bits_count(bits) == 0) ||
            (parent != STUDY_NONE && !on_one_branch(maker, parent, value))) {
            arena_rewind(maker->arena, mark);
            continue;
        }
        if (maker->count >= ROWS_LIMIT)
            return err_set(err, ERR_INPUT, "table %.*s: more than %d rows",
                           STR_ARG(maker->table->name), ROWS_LIMIT);
        struct measure_table_maker_row *row = add_row(maker, value->name, bits, parent);
        row->value = value;
        if (value->year != ITEM_NONE)
            row->year = value->year;
        size_t at = maker->count - 1;
        if (depth + 1 < maker->table->by_count &&
            !add_groups(maker, depth + 1, at, bits, err))
            return false;
    }
    return true;
}

static bool is_empty_period(const struct measure_table_maker_row *row)
{
    return row->shown.n == 0 && row->leaf && row->value->period;
}

/* Periods before the first and after the last that have any item are no rows. */
static void trim_periods(struct measure_table_maker *maker, size_t from)
{
    size_t end = maker->count;

    while (end > from && is_empty_period(&maker->rows[end - 1]))
        end--;
    maker->count = end;
    while (from < end && is_empty_period(&maker->rows[from])) {
        memmove(&maker->rows[from], &maker->rows[from + 1],
                (end - from - 1) * sizeof *maker->rows);
        for (size_t i = from; i + 1 < end; i++)
            if (maker->rows[i].shown.parent != STUDY_NONE &&
                maker->rows[i].shown.parent > from)
                maker->rows[i].shown.parent--;
        maker->count = --end;
    }
}

bool measure_table_layout_rows(struct measure_table_maker *maker, struct err *err)
{
    const struct study_table *table = maker->table;

    for (size_t s = 0; s < maker->set_count; s++) {
        size_t parent = STUDY_NONE, from = maker->count;
        if (table->by_count == 0 || maker->set_count > 1) {
            struct str name = table->of_count > 0 ? table->of[s] : STR("all");
            add_row(maker, name, maker->sets[s], STUDY_NONE);
            parent = maker->count - 1;
            maker->rows[parent].block = parent;
            from = maker->count;
        }
        if (table->by_count > 0 && !add_groups(maker, 0, parent, maker->sets[s], err))
            return false;
        trim_periods(maker, from);
    }
    return true;
}

/* Every combination of the groups' values, the first group slowest. */
static void combine(struct measure_table_maker *maker)
{
    const struct study_table *table = maker->table;
    struct measure_table_maker_beside all = {
        .bits = measure_bits_all(maker->inputs->frame->count, maker->arena)};

    maker->across = arena_array(maker->arena, struct measure_table_maker_beside, 2);
    maker->across[0] = all;
    maker->across_count = 1;
    for (size_t g = 0; g < table->across_count; g++) {
        const struct measure_groups *groups = &maker->inputs->groups[table->across[g]];
        struct measure_table_maker_beside *before = maker->across;
        size_t count = maker->across_count;
        maker->across = arena_array(maker->arena, struct measure_table_maker_beside,
                                    count * groups->count + 2);
        maker->across_count = 0;
        for (size_t b = 0; b < count; b++)
            for (size_t v = 0; v < groups->count; v++)
                maker->across[maker->across_count++] =
                    (struct measure_table_maker_beside){
                        joined(maker, before[b].name, ", ", groups->values[v].name,
                               false),
                        joined(maker, before[b].path, ".",
                               unique_slug(maker, &maker->head_paths, before[b].path,
                                           groups->values[v].name),
                               false),
                        measure_bits_and(before[b].bits, groups->values[v].bits,
                                         maker->arena),
                        false};
    }
    maker->in_across = measure_bits_make(maker->inputs->frame->count, maker->arena);
    for (size_t a = 0; a < maker->across_count; a++)
        measure_bits_add(maker->in_across, maker->across[a].bits);
    if (table->across_count > 0 && table->totals & STUDY_TOTAL_ROWS)
        maker->across[maker->across_count++] = (struct measure_table_maker_beside){
            STR("total"), STR("total"), maker->in_across, true};
}

static enum result_type type_of(const struct study_measure *measure)
{
    switch (measure->kind) {
    case STUDY_MEASURE_COUNT:
    case STUDY_MEASURE_DISTINCT:
        return RESULT_COUNT;
    case STUDY_MEASURE_SHARE:
    case STUDY_MEASURE_PART:
        return RESULT_SHARE;
    case STUDY_MEASURE_RANK:
        return RESULT_RANK;
    default:
        return study_measure_is_time(measure) ? RESULT_DURATION : RESULT_REAL;
    }
}

static int digits_of(const struct study_column *column)
{
    if (column->digits >= 0)
        return column->digits;
    switch (column->measure.kind) {
    case STUDY_MEASURE_COUNT:
    case STUDY_MEASURE_DISTINCT:
        return 0;
    case STUDY_MEASURE_SUM:
    case STUDY_MEASURE_MIN:
    case STUDY_MEASURE_MAX:
        return study_measure_is_time(&column->measure) ? 2 : 0;
    case STUDY_MEASURE_RANK:
        return 1;
    default:
        return 2;
    }
}

void measure_table_layout_heads(struct measure_table_maker *maker)
{
    const struct study_table *table = maker->table;
    struct result_table *out = &maker->out->shown;

    combine(maker);
    size_t count = maker->across_count * table->column_count;
    out->columns = arena_array(maker->arena, struct result_column, count + 1);
    maker->out->across = arena_array(maker->arena, struct measure_bits, count + 1);
    for (size_t a = 0; a < maker->across_count; a++)
        for (size_t c = 0; c < table->column_count; c++) {
            const struct study_column *column = &table->columns[c];
            maker->out->across[out->column_count] = maker->across[a].bits;
            out->columns[out->column_count++] = (struct result_column){
                .type = type_of(&column->measure),
                .digits = digits_of(column),
                .name = column->name,
                .across = maker->across[a].name,
                .path = joined(maker, maker->across[a].path, ".", column->slug, false),
                .measures = column->text,
                .unit = study_measure_unit(&column->measure),
                .total = maker->across[a].total};
        }
    maker->sums = arena_array(maker->arena, struct measure_table_maker_sum, count + 1);
}

void measure_table_layout_total(struct measure_table_maker *maker)
{
    struct measure_bits all =
        measure_bits_make(maker->inputs->frame->count, maker->arena);
    struct measure_bits *parts =
        arena_array(maker->arena, struct measure_bits, maker->count + 1);
    size_t count = 0;
    int64_t sum = 0;

    for (size_t i = 0; i < maker->count; i++)
        if (maker->rows[i].leaf) {
            measure_bits_add(all, maker->rows[i].bits);
            parts[count++] = maker->rows[i].bits;
            sum += maker->rows[i].shown.n;
        }
    struct measure_table_maker_row *row = add_row(maker, STR("total"), all, STUDY_NONE);
    int64_t once = row->shown.n;
    row->shown.total = true;
    if (maker->table->unit_rows) {
        row->items = (struct measure_cell_items){parts, count};
        row->shown.n = sum;
    }
    if (sum > once)
        measure_table_notes_add(
            maker,
            maker->table->unit_rows
                ? "Rows overlap: the total counts %lld, of which %lld are different "
                  "items."
                : "Rows overlap: their counts add up to %lld, the total counts each of "
                  "its %lld items once.",
            (long long)sum, (long long)once);
}
