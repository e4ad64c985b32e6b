/* Rows are laid out first, then measured column by column, then sorted and cut. */
#include "measure/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/stop.h"
#include "measure/internal.h"
#include "stats/correlation.h"
#include "stats/ranktest.h"
#include "store/corpus.h"

enum { CENSUS_YEARS = 10000 };

struct table_row {
    struct result_row shown;
    struct measure_bits bits;
    struct measure_cell_items
        items;     /* the same; of a total of rows that overlap, each row */
    int64_t year;  /* of "created by year" */
    size_t source; /* of "source"; STUDY_NONE: all of them */
    size_t block;  /* the row, or STUDY_NONE, whose set its shares are shares of */
    bool leaf;     /* no rows below */
    const struct measure_groups_value *value;
    struct measure_table_period period;
};

/* What is left over is no group among others: it has no rank. */
static bool is_rest(const struct table_row *row)
{
    return row->value != NULL && row->value->others;
}

/* A group, or a combination of groups, that stands beside others. */
struct table_beside {
    struct str name, path;
    struct measure_bits bits;
    bool total;
    int64_t year;  /* as of a row */
    size_t source; /* as of a row */
    struct measure_table_period period;
};

/* What the rows of a block add up to in a column. Kept, for it is asked for row after
 * row. */
struct table_sum {
    bool known;
    size_t block;
    int64_t sum;
};

/* What is in the making. */
struct table_maker {
    const struct study_table *table;
    const struct measure_table_inputs *inputs;
    struct arena *arena;
    struct measure_table *out;
    struct table_row *rows;
    size_t count, room;
    struct measure_bits *sets; /* of table->of; one with all items when there is none */
    size_t set_count;
    struct table_beside *across; /* groups beside each other; one with all items */
    size_t across_count;
    struct measure_bits in_across; /* items of any of them */
    struct table_sum *sums; /* of each head: what shares of a column are shares of */
    struct measure_cell_column *columns;
    struct map row_paths, head_paths; /* how often a path was wanted */
    int64_t *census;      /* of year 0 .. 9999, [0]: of all years; then the same of each
                             source;      NULL: there is none */
    size_t census_source; /* whose census is being read */
};

/* Nothing is left out, and nothing is undefined, without a note that says so. */
static void add_note(struct table_maker *maker, const char *format, ...)
    PRINTF_LIKE(2, 3);

static void add_note(struct table_maker *maker, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    result_add_note(&maker->out->shown,
                    arena_format_arguments(maker->arena, format, args), maker->arena);
    va_end(args);
}

/* Rows form a forest: a set's name over its groups, a group over those that part it. */
enum { ROWS_LIMIT = 100000 };

static struct str joined(struct table_maker *maker, struct str a, const char *between,
                         struct str b)
{
    return arena_format(maker->arena, "%.*s%s%.*s", STR_ARG(a), a.len > 0 ? between : "",
                        STR_ARG(b));
}

/* The slug of a name that stands below `above`; where it is taken, ~2 and so on is added.
 */
static struct str unique_slug(struct table_maker *maker, struct map *taken,
                              struct str above, struct str name)
{
    struct buf text = {0};

    result_slug(name, &text);
    struct str slug = buf_keep(&text, maker->arena);
    taken->arena = maker->arena;
    int64_t number = ++*map_put(taken, joined(maker, above, ".", slug));
    return number == 1 ? slug
                       : arena_format(maker->arena, "%.*s~%lld", STR_ARG(slug),
                                      (long long)number);
}

static struct table_row *add_row(struct table_maker *maker, struct str name,
                                 struct measure_bits bits, size_t parent)
{
    if (maker->count == maker->room) {
        struct table_row *more =
            arena_array(maker->arena, struct table_row, maker->room * 2 + 64);
        if (maker->count > 0)
            memcpy(more, maker->rows, maker->count * sizeof *more);
        maker->rows = more;
        maker->room = maker->room * 2 + 64;
    }
    struct table_row *row = &maker->rows[maker->count++];
    struct str above = parent == STUDY_NONE ? STR("") : maker->rows[parent].shown.path;
    struct str slug = unique_slug(maker, &maker->row_paths, above, name);
    *row = (struct table_row){
        .shown = {.name = name,
                  .slug = slug,
                  .path = joined(maker, above, ".", slug),
                  .level = parent == STUDY_NONE ? 0 : maker->rows[parent].shown.level + 1,
                  .parent = parent,
                  .n = measure_bits_count(bits)},
        .bits = bits,
        .year = parent == STUDY_NONE ? ITEM_NONE : maker->rows[parent].year,
        .source = parent == STUDY_NONE ? STUDY_NONE : maker->rows[parent].source,
        .block = parent == STUDY_NONE ? STUDY_NONE : maker->rows[parent].block,
        .leaf = true};
    if (parent != STUDY_NONE)
        row->period = maker->rows[parent].period;
    row->period.line =
        parent == STUDY_NONE ? slug : joined(maker, row->period.line, "\n", slug);
    struct measure_bits *own = arena_array(maker->arena, struct measure_bits, 1);
    *own = bits;
    row->items = (struct measure_cell_items){own, 1};
    if (parent != STUDY_NONE)
        maker->rows[parent].leaf = false;
    return row;
}

/* Codes of the same labels belong together only along the tree: a post with two codes
 * must not show the one below the other. */
static bool on_one_branch(const struct table_maker *maker, size_t parent,
                          const struct measure_groups_value *value)
{
    const struct measure_groups_value *above = maker->rows[parent].value;

    return above == NULL || value->labels == NULL || above->labels != value->labels ||
           measure_labels_at_level(value->labels, value->code,
                                   value->labels->codes[above->code].level) ==
               above->code;
}

/* Rows for the groups from `depth` on, below a row or at the top. */
static bool add_groups(struct table_maker *maker, size_t depth, size_t parent,
                       struct measure_bits within, struct err *err)
{
    const struct measure_groups *groups = &maker->inputs->groups[maker->table->by[depth]];

    for (size_t v = 0; v < groups->count; v++) {
        const struct measure_groups_value *value = &groups->values[v];
        struct arena_mark mark = arena_mark(maker->arena);
        struct measure_bits bits = measure_bits_and(within, value->bits, maker->arena);
        /* Below others only what occurs; at the top also what might have. */
        if (((depth > 0 || value->if_any) && measure_bits_count(bits) == 0) ||
            (parent != STUDY_NONE && !on_one_branch(maker, parent, value))) {
            arena_rewind(maker->arena, mark);
            continue;
        }
        if (maker->count >= ROWS_LIMIT)
            return err_set(err, ERR_INPUT, "table %.*s: more than %d rows",
                           STR_ARG(maker->table->name), ROWS_LIMIT);
        struct table_row *row = add_row(maker, value->name, bits, parent);
        row->value = value;
        if (value->year != ITEM_NONE)
            row->year = value->year;
        if (value->source != STUDY_NONE)
            row->source = value->source;
        if (value->period)
            row->period = (struct measure_table_period){
                value->name,
                maker->inputs->study->groups[maker->table->by[depth]].grouping,
                parent == STUDY_NONE ? STR("") : maker->rows[parent].period.line};
        size_t at = maker->count - 1;
        if (depth + 1 < maker->table->by_count &&
            !add_groups(maker, depth + 1, at, bits, err))
            return false;
    }
    return true;
}

static bool is_empty_period(const struct table_row *row)
{
    return row->shown.n == 0 && row->leaf && row->value->period;
}

/* Periods before the first and after the last that have any item are no rows. */
static void trim_periods(struct table_maker *maker, size_t from)
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

/* Of the sets, which are known. ERR_INPUT when there are too many. */
static bool lay_rows(struct table_maker *maker, struct err *err)
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

static struct table_beside beside(struct table_maker *maker,
                                  const struct table_beside *before, size_t group,
                                  const struct measure_groups_value *value)
{
    struct str slug = unique_slug(maker, &maker->head_paths, before->path, value->name);
    struct measure_table_period period = before->period;

    if (value->period) {
        period.name = value->name;
        period.grouping = maker->inputs->study->groups[group].grouping;
    } else
        period.line = joined(maker, period.line, "\n", slug);
    return (struct table_beside){
        .name = joined(maker, before->name, ", ", value->name),
        .path = joined(maker, before->path, ".", slug),
        .bits = measure_bits_and(before->bits, value->bits, maker->arena),
        .year = value->year != ITEM_NONE ? value->year : before->year,
        .source = value->source != STUDY_NONE ? value->source : before->source,
        .period = period};
}

/* A source of which the sets have no item is no column. */
static bool is_absent(const struct measure_groups_value *value, struct measure_bits items)
{
    return value->source != STUDY_NONE && value->if_any &&
           !measure_bits_meet(value->bits, items);
}

/* Every combination of the groups' values, the first group slowest. */
static void combine(struct table_maker *maker)
{
    const struct study_table *table = maker->table;
    struct table_beside all = {
        .name = STR(""),
        .path = STR(""),
        .bits = measure_bits_all(maker->inputs->frame->count, maker->arena),
        .year = ITEM_NONE,
        .source = STUDY_NONE,
        .period = {.line = STR("")}};

    struct measure_bits in_sets =
        measure_bits_make(maker->inputs->frame->count, maker->arena);
    maker->across = arena_array(maker->arena, struct table_beside, 2);
    maker->across[0] = all;
    maker->across_count = 1;
    for (size_t s = 0; s < maker->set_count; s++)
        measure_bits_add(in_sets, maker->sets[s]);
    for (size_t g = 0; g < table->across_count; g++) {
        const struct measure_groups *groups = &maker->inputs->groups[table->across[g]];
        struct table_beside *before = maker->across;
        size_t count = maker->across_count;
        maker->across =
            arena_array(maker->arena, struct table_beside, count * groups->count + 2);
        maker->across_count = 0;
        for (size_t b = 0; b < count; b++)
            for (size_t v = 0; v < groups->count; v++)
                if (!is_absent(&groups->values[v], in_sets))
                    maker->across[maker->across_count++] =
                        beside(maker, &before[b], table->across[g], &groups->values[v]);
    }
    maker->in_across = measure_bits_make(maker->inputs->frame->count, maker->arena);
    for (size_t a = 0; a < maker->across_count; a++)
        measure_bits_add(maker->in_across, maker->across[a].bits);
    if (table->across_count > 0 && table->totals & STUDY_TOTAL_ROWS)
        maker->across[maker->across_count++] =
            (struct table_beside){.name = STR("total"),
                                  .path = STR("total"),
                                  .bits = maker->in_across,
                                  .total = true,
                                  .year = ITEM_NONE,
                                  .source = STUDY_NONE,
                                  .period = {.line = STR("total")}};
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

static bool has_interval(const struct study_measure *measure)
{
    return measure->kind == STUDY_MEASURE_SHARE || measure->kind == STUDY_MEASURE_PART ||
           measure->kind == STUDY_MEASURE_SURVIVAL;
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

static void lay_heads(struct table_maker *maker)
{
    const struct study_table *table = maker->table;
    struct result_table *out = &maker->out->shown;

    combine(maker);
    size_t count = maker->across_count * table->column_count;
    out->columns = arena_array(maker->arena, struct result_column, count + 1);
    maker->out->across = arena_array(maker->arena, struct measure_bits, count + 1);
    maker->out->heads = arena_array(maker->arena, struct measure_table_period, count + 1);
    for (size_t a = 0; a < maker->across_count; a++)
        for (size_t c = 0; c < table->column_count; c++) {
            const struct study_column *column = &table->columns[c];
            maker->out->across[out->column_count] = maker->across[a].bits;
            maker->out->heads[out->column_count] = maker->across[a].period;
            out->columns[out->column_count++] = (struct result_column){
                .type = type_of(&column->measure),
                .digits = digits_of(column),
                .name = column->name,
                .across = maker->across[a].name,
                .path = joined(maker, maker->across[a].path, ".", column->slug),
                .measures = column->text,
                .unit = study_measure_unit(&column->measure),
                .interval = has_interval(&column->measure),
                .total = maker->across[a].total};
        }
    maker->sums = arena_array(maker->arena, struct table_sum, count + 1);
}

/* A last row over all others. It counts each item once, or, where the study says that
 * rows are its unit, once for each row that it stands in. */
static void lay_total(struct table_maker *maker)
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
    struct table_row *row = add_row(maker, STR("total"), all, STUDY_NONE);
    int64_t once = row->shown.n;
    row->shown.total = true;
    if (maker->table->unit_rows) {
        row->items = (struct measure_cell_items){parts, count};
        row->shown.n = sum;
    }
    if (sum > once)
        add_note(
            maker,
            maker->table->unit_rows
                ? "Rows overlap: the total counts %lld, of which %lld are different "
                  "items."
                : "Rows overlap: their counts add up to %lld, the total counts each of "
                  "its %lld items once.",
            (long long)sum, (long long)once);
}

/* A cell is a measure over the items that its row and its column share; a share also asks
 * what it is a share of. */
static int64_t count_in(const struct table_maker *maker, size_t c,
                        struct measure_bits items)
{
    return measure_cell_count(&maker->columns[c], (struct measure_cell_items){&items, 1},
                              maker->arena);
}

/* Of the row's block; of all rows for a total, and where each set is a row. */
static int64_t sum_of_leaves(const struct table_maker *maker, const struct table_row *row,
                             size_t h)
{
    size_t a = h / maker->table->column_count, c = h % maker->table->column_count;
    bool all = row->shown.total || maker->table->by_count == 0;
    size_t block = all ? STUDY_NONE : row->block;
    struct table_sum *kept = &maker->sums[h];

    if (kept->known && kept->block == block)
        return kept->sum;
    *kept = (struct table_sum){true, block, 0};
    for (size_t i = 0; i < maker->count; i++) {
        const struct table_row *other = &maker->rows[i];
        struct arena_mark mark = arena_mark(maker->arena);
        if (other->leaf && !other->shown.total && (all || other->block == block))
            kept->sum += count_in(
                maker, c,
                measure_bits_and(other->bits, maker->across[a].bits, maker->arena));
        arena_rewind(maker->arena, mark);
    }
    return kept->sum;
}

/* The census counts questions and nothing else; NULL: so does the cell. */
static const char *not_of_census(const struct table_maker *maker,
                                 const struct table_row *row,
                                 const struct table_beside *across)
{
    unsigned kinds = 0;
    struct buf why = {0};

    MEASURE_BITS_EACH (i, row->bits)
        if (measure_bits_has(across->bits, i))
            kinds |= 1u << measure_column_at(maker->inputs->frame->kind, i);
    if ((kinds & ~(1u << ITEM_QUESTION)) == 0)
        return NULL;
    for (unsigned kind = 1; kind < ITEM_KINDS; kind++)
        if (kinds >> kind & 1)
            buf_add_format(&why, "%s%.*ss",
                           why.len == 0 ? "the census counts questions; these are "
                           : kinds >> (kind + 1) == 0 ? " and "
                                                      : ", ",
                           STR_ARG(item_kind_name((enum item_kind)kind)));
    return buf_keep(&why, maker->arena).ptr;
}

static struct measure_cell_whole census_whole(const struct table_maker *maker,
                                              const struct table_row *row,
                                              const struct table_beside *across)
{
    if (maker->census == NULL)
        return (struct measure_cell_whole){0, "the sources have no census"};
    int64_t year = row->year != ITEM_NONE      ? row->year
                   : across->year != ITEM_NONE ? across->year
                                               : 0;
    size_t source = row->source != STUDY_NONE ? row->source : across->source;
    size_t of = source == STUDY_NONE ? 0 : source + 1;
    return (struct measure_cell_whole){maker->census[of * CENSUS_YEARS + (size_t)year],
                                       NULL};
}

/* The set that a row's shares are shares of. */
static struct measure_bits set_of_row(const struct table_maker *maker,
                                      const struct table_row *row)
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
static int64_t count_set(const struct table_maker *maker, const struct table_row *row,
                         size_t c, struct measure_bits across)
{
    int64_t sum = 0;

    if (!row->shown.total || !maker->table->unit_rows || maker->set_count == 1)
        return count_in(maker, c,
                        measure_bits_and(set_of_row(maker, row), across, maker->arena));
    for (size_t s = 0; s < maker->set_count; s++)
        sum += count_in(maker, c, measure_bits_and(maker->sets[s], across, maker->arena));
    return sum;
}

/* A row over all groups across; where a total counts items once for each of its rows, so
 * does this. */
static int64_t count_row(const struct table_maker *maker, const struct table_row *row,
                         size_t c)
{
    struct measure_bits *parts =
        arena_array(maker->arena, struct measure_bits, row->items.count + 1);

    for (size_t p = 0; p < row->items.count; p++)
        parts[p] = measure_bits_and(row->items.parts[p], maker->in_across, maker->arena);
    return measure_cell_count(&maker->columns[c],
                              (struct measure_cell_items){parts, row->items.count},
                              maker->arena);
}

/* What is left over of codes stands below none of them: like a code without any above it,
 * it is its own root. */
static bool is_rest_of_codes(const struct table_maker *maker, const struct table_row *row)
{
    for (size_t g = 0; is_rest(row) && g < maker->table->by_count; g++) {
        size_t by = maker->table->by[g];
        const struct measure_groups *groups = &maker->inputs->groups[by];
        if (row->value == &groups->values[groups->count - 1])
            return maker->inputs->study->groups[by].grouping == STUDY_GROUPING_LABELS;
    }
    return false;
}

/* Of a code the items with any code below the same top of the codebook's tree, as far as
 * they belong to what the tree stands below; of other groups those of the topmost row. */
static struct measure_bits items_of_root(const struct table_maker *maker,
                                         const struct table_row *row)
{
    const struct measure_labels *labels = row->value->labels;
    struct measure_bits bits =
        measure_bits_make(maker->inputs->frame->count, maker->arena);
    size_t parent = row->shown.parent;
    const struct table_row *top = row;

    if (is_rest_of_codes(maker, row))
        return row->bits;
    while (parent != STUDY_NONE && maker->rows[parent].value != NULL &&
           (labels == NULL || maker->rows[parent].value->labels == labels)) {
        top = &maker->rows[parent];
        parent = top->shown.parent;
    }
    if (labels == NULL)
        return top->bits;
    for (size_t g = 0; g < maker->table->by_count; g++) {
        const struct measure_groups *groups = &maker->inputs->groups[maker->table->by[g]];
        for (size_t v = 0; v < groups->count; v++)
            if (groups->values[v].labels == labels &&
                measure_labels_at_level(labels, groups->values[v].code, 1) ==
                    measure_labels_at_level(labels, row->value->code, 1))
                measure_bits_add(bits, groups->values[v].bits);
    }
    return measure_bits_and(
        bits, parent == STUDY_NONE ? set_of_row(maker, row) : maker->rows[parent].bits,
        maker->arena);
}

/* Of all rows together it is everything, or where items stand in several of them nothing
 * that has a meaning: items over what counts them several times. */
static struct measure_cell_whole column_whole(const struct table_maker *maker,
                                              const struct table_row *row, size_t h,
                                              struct measure_bits across)
{
    size_t c = h % maker->table->column_count;
    int64_t sum = sum_of_leaves(maker, row, h), counted = 0;

    for (size_t p = 0; row->shown.total && p < row->items.count; p++)
        counted += count_in(
            maker, c, measure_bits_and(row->items.parts[p], across, maker->arena));
    if (row->shown.total && counted < sum)
        return (struct measure_cell_whole){0, "items stand in several of the rows"};
    return (struct measure_cell_whole){sum, NULL};
}

static struct measure_cell_whole whole_of(const struct table_maker *maker,
                                          const struct table_row *row, size_t h)
{
    size_t a = h / maker->table->column_count, c = h % maker->table->column_count;
    struct measure_bits across = maker->across[a].bits;
    size_t parent = row->shown.parent;

    switch (maker->columns[c].quantity.measure->whole) {
    case STUDY_MEASURE_OF_CENSUS:
        return census_whole(maker, row, &maker->across[a]);
    case STUDY_MEASURE_OF_COLUMN:
        return column_whole(maker, row, h, across);
    case STUDY_MEASURE_OF_ROW:
        return (struct measure_cell_whole){count_row(maker, row, c), NULL};
    case STUDY_MEASURE_OF_ROOT:
        if (row->value == NULL)
            return (struct measure_cell_whole){0, "it stands below no root"};
        return (struct measure_cell_whole){
            count_in(maker, c,
                     measure_bits_and(items_of_root(maker, row), across, maker->arena)),
            NULL};
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

static void compute_cell(struct table_maker *maker, size_t r, size_t h)
{
    const struct study_table *table = maker->table;
    size_t a = h / table->column_count, c = h % table->column_count;
    struct table_row *row = &maker->rows[r];
    const struct study_measure *measure = maker->columns[c].quantity.measure;
    enum study_measure_kind kind = measure->kind;
    const char *outside =
        kind == STUDY_MEASURE_SHARE && measure->whole == STUDY_MEASURE_OF_CENSUS
            ? not_of_census(maker, row, &maker->across[a])
            : NULL;
    struct arena_mark mark = arena_mark(maker->arena);
    struct measure_bits *parts =
        arena_array(maker->arena, struct measure_bits, row->items.count + 1);
    struct measure_cell_whole whole = {0};

    for (size_t p = 0; p < row->items.count; p++)
        parts[p] =
            measure_bits_and(row->items.parts[p], maker->across[a].bits, maker->arena);

    if (outside != NULL)
        whole.undefined = outside;
    else if (kind == STUDY_MEASURE_SHARE)
        whole = whole_of(maker, row, h);
    struct result_cell cell = measure_cell_compute(
        &maker->columns[c], (struct measure_cell_items){parts, row->items.count}, whole,
        maker->arena);
    cell.small = cell.n < table->small && cell.undefined == NULL &&
                 kind != STUDY_MEASURE_COUNT && kind != STUDY_MEASURE_DISTINCT;
    arena_rewind(maker->arena, mark);
    maker->out->shown.cells[r * maker->out->shown.column_count + h] = cell;
}

/* Row by row, when rows and heads are laid out; false when the user stops it. */
static bool compute_cells(struct table_maker *maker, struct err *err)
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
    struct stats_rank rank =
        stats_rank_values((struct stats_values){values, count}, maker->arena);
    for (size_t i = 0; i < count; i++) {
        cells[i]->value = rank.at[i];
        cells[i]->low = cells[i]->high = NAN;
        cells[i]->counted = false;
    }
    arena_rewind(maker->arena, mark);
}

/* Puts ranks in place of the values of columns that are ranks. */
static void rank_cells(struct table_maker *maker)
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

/* Sorting moves whole subtrees: siblings are ordered, then written out depth first. */
struct sibling {
    size_t row;
    double value;
    struct str name;
    bool by_name, descending;
    bool others; /* what is left over */
};

static int compare_siblings(const void *a, const void *b)
{
    const struct sibling *one = a, *two = b;
    int order = one->others - two->others;

    if (order != 0) /* the rest comes last either way */
        return order;
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

static void write_subtrees(const struct table_maker *maker, size_t parent, size_t *order,
                           size_t *count)
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
                r,
                maker->out->shown.cells[r * maker->out->shown.column_count + h].value,
                maker->rows[r].shown.name,
                table->sort_by_name,
                table->descending,
                is_rest(&maker->rows[r])};
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

/* From rows and cells as they were laid out to those of the finished table. */
static void write_ordered(struct table_maker *maker)
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
            maker->rows[order[i]].bits, set_of_row(maker, &maker->rows[order[i]]),
            maker->rows[order[i]].value, maker->rows[order[i]].period};
        if (out->rows[i].parent != STUDY_NONE)
            out->rows[i].parent = place[out->rows[i].parent];
        out->rows[i].rest =
            is_rest(&maker->rows[order[i]]) ||
            (out->rows[i].parent != STUDY_NONE && out->rows[out->rows[i].parent].rest);
        memcpy(&cells[i * out->column_count], &out->cells[order[i] * out->column_count],
               out->column_count * sizeof *cells);
    }
    out->row_count = count;
    out->cells = cells;
    made->columns = maker->columns;
    made->column_count = maker->table->column_count;
    made->in_across = maker->in_across;
}

/* Of the rows below one, or of those at the top. */
static void correlate_block(struct table_maker *maker, size_t parent)
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
            is_rest(&maker->rows[r]) || cells[table->ranked[0]].undefined != NULL ||
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
        add_note(maker, "%.*s%sRank correlation of %.*s and %.*s: undefined: %s.",
                 STR_ARG(block), block.len > 0 ? ": " : "", STR_ARG(first),
                 STR_ARG(second), why);
    else
        add_note(
            maker,
            "%.*s%sRank correlation of %.*s and %.*s over %zu rows: Spearman %.4f (p "
            "%.4f), Kendall tau-b %.4f (p %.4f).",
            STR_ARG(block), block.len > 0 ? ": " : "", STR_ARG(first), STR_ARG(second),
            count, spearman.r, spearman.p, kendall.r, kendall.p);
}

/* Rows of one block are compared, before `top` takes some of them away. */
static void note_ranks(struct table_maker *maker)
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
static void note_undefined(struct table_maker *maker)
{
    const struct result_table *out = &maker->out->shown;
    struct map told = {.arena = maker->arena};

    for (size_t i = 0; i < out->row_count * out->column_count; i++) {
        size_t before = told.count;
        if (out->cells[i].undefined == NULL)
            continue;
        map_put(&told, str_from(out->cells[i].undefined));
        if (told.count > before)
            add_note(maker, "– undefined: %s.", out->cells[i].undefined);
    }
}

static void note_unreadable(struct table_maker *maker, size_t column,
                            struct measure_bits shown)
{
    const struct study_column *asked = &maker->table->columns[column];
    struct buf told = {0};

    if (asked->measure.kind != STUDY_MEASURE_DISTINCT) /* which counts texts */
        measure_quantity_tell_unreadable(&maker->columns[column].quantity, shown, &told);
    if (told.len > 0)
        add_note(maker, "%.*s: %.*s", STR_ARG(asked->name), STR_ARG(buf_str(&told)));
    buf_free(&told);
}

/* Each item once, in however many rows it stands. */
static void note_values(struct table_maker *maker)
{
    const struct study_table *table = maker->table;
    struct measure_bits shown =
        measure_bits_make(maker->inputs->frame->count, maker->arena);

    for (size_t r = 0; r < maker->count; r++)
        measure_bits_add(shown, maker->rows[r].bits);
    for (size_t c = 0; c < table->column_count; c++) {
        note_unreadable(maker, c, shown);
        int64_t negative = measure_cell_negative(&maker->columns[c], shown, maker->arena);
        if (negative > 0)
            add_note(maker,
                     negative == 1
                         ? "%.*s: %lld question is left out: its answer is older than "
                           "itself."
                         : "%.*s: %lld questions are left out: their answers are older "
                           "than themselves.",
                     STR_ARG(table->columns[c].name), (long long)negative);
        int64_t unknown = measure_cell_unknown(&maker->columns[c], shown, maker->arena);
        bool endorsed = study_measure_asks_endorsed(&table->columns[c].measure);
        if (unknown > 0)
            add_note(maker,
                     endorsed ? "%.*s: %lld item%s left out: who asked, or what was "
                                "commented, is not known."
                              : "%.*s: %lld item%s left out: the answer is not in the "
                                "corpus, so that its moment is not known.",
                     STR_ARG(table->columns[c].name), (long long)unknown,
                     unknown == 1 ? " is" : "s are");
        int64_t young = measure_cell_young(&maker->columns[c], shown, maker->arena);
        if (young > 0)
            add_note(maker,
                     young == 1 ? "%.*s: %lld item is left out: its source ended before "
                                  "it could have waited so long."
                                : "%.*s: %lld items are left out: their source ended "
                                  "before they could have waited so long.",
                     STR_ARG(table->columns[c].name), (long long)young);
    }
}

/* Rows of one block in which an item may stand twice; a total has told of it. */
static void note_overlap(struct table_maker *maker)
{
    size_t items = maker->inputs->frame->count;
    struct measure_bits again = measure_bits_make(items, maker->arena);
    struct measure_bits shown = measure_bits_make(items, maker->arena);

    if (maker->table->by_count == 0 || maker->table->totals & STUDY_TOTAL_COLUMNS)
        return;
    for (size_t r = 0, block = STUDY_NONE; r < maker->count; r++) {
        const struct table_row *row = &maker->rows[r];
        if (row->block != block || r == 0)
            shown = measure_bits_make(items, maker->arena);
        block = row->block;
        if (!row->leaf || row->shown.total)
            continue;
        struct arena_mark mark = arena_mark(maker->arena);
        measure_bits_add(again, measure_bits_and(shown, row->bits, maker->arena));
        arena_rewind(maker->arena, mark);
        measure_bits_add(shown, row->bits);
    }
    int64_t count = measure_bits_count(again);
    if (count > 0)
        add_note(maker, "Rows overlap: %lld %s%s stand%s in several, and each counts.",
                 (long long)count, maker->inputs->frame->units != NULL ? "unit" : "item",
                 count == 1 ? "" : "s", count == 1 ? "s" : "");
}

static void note_outside(struct table_maker *maker, size_t group)
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
        add_note(maker, "%lld %s%s belong%s to no group of %.*s.", (long long)outside,
                 maker->inputs->frame->units != NULL ? "unit" : "item",
                 outside == 1 ? "" : "s", outside == 1 ? "s" : "",
                 STR_ARG(maker->inputs->study->groups[group].name));
}

static bool parts_by(const struct study_table *table, size_t group)
{
    for (size_t b = 0; b < table->by_count; b++)
        if (table->by[b] == group)
            return true;
    for (size_t a = 0; a < table->across_count; a++)
        if (table->across[a] == group)
            return true;
    return false;
}

/* A sample whose strata were drawn at different rates is not its set on a smaller scale,
 * unless the table parts it by them. */
static void note_strata(struct table_maker *maker, struct str name)
{
    const struct study *study = maker->inputs->study;
    size_t index = study_find_sample(study, name);
    const struct study_sample *sample =
        index == STUDY_NONE ? NULL : &study->samples[index];

    if (sample == NULL || study_sample_is_even(sample) ||
        (parts_by(maker->table, sample->by) &&
         !(maker->table->totals & STUDY_TOTAL_COLUMNS)))
        return;
    add_note(
        maker,
        "%.*s was drawn at different rates from the groups of %.*s: what is found over "
        "all of it is of the sample, not of %.*s.",
        STR_ARG(name), STR_ARG(study->groups[sample->by].name), STR_ARG(sample->of));
}

/* Sources that are no rows or columns, since the sets have nothing of them. */
static void note_absent(struct table_maker *maker, size_t group)
{
    const struct measure_groups *groups = &maker->inputs->groups[group];
    struct measure_bits in_sets =
        measure_bits_make(maker->inputs->frame->count, maker->arena);
    struct buf names = {0};

    for (size_t s = 0; s < maker->set_count; s++)
        measure_bits_add(in_sets, maker->sets[s]);
    for (size_t v = 0; v < groups->count; v++)
        if (is_absent(&groups->values[v], in_sets))
            buf_add_format(&names, "%s%.*s", names.len > 0 ? ", " : "",
                           STR_ARG(groups->values[v].name));
    if (names.len > 0)
        add_note(maker, "No item is of %.*s.", STR_ARG(buf_str(&names)));
    buf_free(&names);
}

/* Of the finished table. */
static void note_left_out(struct table_maker *maker)
{
    const struct study_table *table = maker->table;
    bool small = false;

    for (size_t s = 0; s < table->of_count; s++)
        note_strata(maker, table->of[s]);
    note_values(maker);
    note_overlap(maker);
    for (size_t i = 0; i < maker->out->shown.row_count * maker->out->shown.column_count;
         i++)
        small = small || maker->out->shown.cells[i].small;
    if (small)
        add_note(maker, "* rests on fewer than %lld items.", (long long)table->small);
    if (maker->census != NULL && study_sources_overlap(maker->inputs->study))
        add_note(maker,
                 "In the census a question that several sources hold counts for each "
                 "of them.");
    note_undefined(maker);
    for (size_t b = 0; b < table->by_count; b++) {
        note_outside(maker, table->by[b]);
        note_absent(maker, table->by[b]);
    }
    for (size_t a = 0; a < table->across_count; a++) {
        note_outside(maker, table->across[a]);
        note_absent(maker, table->across[a]);
    }
}

static bool find_sets(struct table_maker *maker, struct err *err)
{
    const struct study_table *table = maker->table;

    maker->set_count = table->of_count > 0 ? table->of_count : 1;
    maker->sets = arena_array(maker->arena, struct measure_bits, maker->set_count);
    maker->sets[0] = measure_bits_all(maker->inputs->frame->count, maker->arena);
    maker->out->sets =
        arena_array(maker->arena, struct measure_table_set, table->of_count + 1);
    for (size_t s = 0; s < table->of_count; s++) {
        if (!maker->inputs->find_set(maker->inputs->context, table->of[s],
                                     &maker->sets[s], err))
            return err_at(err, "table %.*s: ", STR_ARG(table->name));
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
    struct table_maker *maker = context;

    (void)err;
    if (census->tag.len > 0 || census->year < 1 || census->year >= CENSUS_YEARS)
        return true;
    if (maker->census == NULL)
        maker->census =
            arena_array(maker->arena, int64_t,
                        (maker->inputs->study->source_count + 1) * CENSUS_YEARS);
    int64_t *of = maker->census + (maker->census_source + 1) * CENSUS_YEARS;
    maker->census[census->year] += census->questions;
    maker->census[0] += census->questions;
    of[census->year] += census->questions;
    of[0] += census->questions;
    return true;
}

static bool open_columns(struct table_maker *maker, struct err *err)
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
    bool ok = true;
    for (size_t i = 0; census && ok && i < maker->inputs->study->source_count; i++) {
        maker->census_source = i;
        ok = store_census(maker->inputs->frame->corpus, (int64_t)i, take_census, maker,
                          err);
    }
    return ok;
}

bool measure_table_make(const struct study_table *table,
                        const struct measure_table_inputs *inputs, struct arena *arena,
                        struct measure_table *out, struct err *err)
{
    struct table_maker maker = {
        .table = table, .inputs = inputs, .arena = arena, .out = out};

    *out = (struct measure_table){
        .shown = {.name = table->name, .title = table->title, .numbers = true},
        .ids = inputs->frame->ids,
        .units = inputs->frame->units};
    if (!find_sets(&maker, err) || !open_columns(&maker, err) || !lay_rows(&maker, err))
        return false;
    lay_heads(&maker);
    if (table->totals & STUDY_TOTAL_COLUMNS)
        lay_total(&maker);
    if (!compute_cells(&maker, err))
        return false;
    rank_cells(&maker);
    note_ranks(&maker);
    write_ordered(&maker);
    note_left_out(&maker);
    return true;
}
