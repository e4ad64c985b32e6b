/* What is behind each cell, in items and in words. */
#include "measure/behind.h"

#include <math.h>

#include "measure/behind_list.h"

static void add_condition(const struct measure *measure, struct buf *out)
{
    static const char *const words[][2] = {
        [MEASURE_ALL] = {"", ""},
        [MEASURE_ACCEPTED] = {" with an accepted answer", " without an accepted answer"},
        [MEASURE_ANSWERED] = {" with an answer", " without an answer"},
        [MEASURE_CLOSED] = {" that are closed", " that are not closed"},
        [MEASURE_IN_SET] = {" that are in ", " that are not in "},
    };

    buf_add_format(out, "%s", words[measure->condition][measure->negated]);
    if (measure->condition == MEASURE_IN_SET)
        buf_add(out, measure->name);
}

static struct str value_words(struct behind_maker *maker, const struct measure *measure)
{
    static const char *const words[] = {
        [MEASURE_NUMBER] = "",
        [MEASURE_TO_FIRST] = " to first answer",
        [MEASURE_TO_ACCEPTED] = " to accepted",
        [MEASURE_ASKER] = "asker",
        [MEASURE_ANSWERER] = "answerer",
        [MEASURE_FIELD] = "",
    };
    struct buf text = {0};

    buf_add(&text, measure_unit(measure));
    buf_add_format(&text, "%s", words[measure->quantity]);
    if (measure->quantity == MEASURE_NUMBER)
        buf_add(&text, item_field(measure->field)->name);
    if (measure->quantity == MEASURE_FIELD)
        buf_add(&text, measure->name);
    return behind_list_printed(maker, &text);
}

/* "items without an accepted answer, at least 30 days old". */
static struct str what_words(struct behind_maker *maker, const struct cell_column *column,
                             bool meeting, struct str value)
{
    const struct measure *measure = column->quantity.measure;
    struct buf text = {0};

    buf_add(&text, STR("items"));
    if (meeting)
        add_condition(measure, &text);
    if (value.len > 0 && measure->kind == MEASURE_SURVIVAL)
        buf_add_format(&text, " and their %.*s, if there is one", STR_ARG(value));
    else if (value.len > 0)
        buf_add_format(&text, " with a value of %.*s", STR_ARG(value));
    if (column->column->minimum_age_days > 0)
        buf_add_format(&text, ", at least %g days old", column->column->minimum_age_days);
    return behind_list_printed(maker, &text);
}

/* Cells. */

static struct str across_words(const struct result_column *column)
{
    return column->total ? (struct str){0} : column->across;
}

/* What a share is a share of, if that is items; without words: it is not. */
static struct bits whole_of(const struct behind_maker *maker, size_t r, size_t h,
                            struct arena *arena, size_t *row)
{
    const struct table *table = maker->from;
    const struct cell_column *column = &table->columns[h % table->column_count];
    const struct table_items *own = &table->items[r];
    struct bits across = table->across[h];

    *row = r;
    if (column->quantity.measure->kind == MEASURE_PART)
        return cell_known(column, bits_and(own->bits, across, arena), arena);
    switch (column->quantity.measure->whole) {
    case MEASURE_OF_SET:
        *row = STUDY_NONE;
        return bits_and(own->set, column->old, arena);
    case MEASURE_OF_PARENT:
        *row = table->shown.rows[r].parent;
        across = bits_and(*row == STUDY_NONE ? own->set : table->items[*row].bits, across,
                          arena);
        return bits_and(across, column->old, arena);
    case MEASURE_OF_ROW:
        across = bits_and(own->bits, table->in_across, arena);
        return bits_and(across, column->old, arena);
    default:
        return (struct bits){0};
    }
}

static const char *share_words(const struct measure *measure)
{
    static const char *const words[] = {
        [MEASURE_OF_SET] = "items of the set",
        [MEASURE_OF_PARENT] = "items of the group one level up",
        [MEASURE_OF_ROW] = "items of the row over all groups across",
        [MEASURE_OF_COLUMN] = "that the column adds up to",
        [MEASURE_OF_CENSUS] = "questions of the site",
    };

    return measure->kind == MEASURE_PART ? "items of the group" : words[measure->whole];
}

/* Shares lead to the items of their whole, where they are items. */
static void set_share(struct behind_maker *maker, size_t r, size_t h,
                      struct result_cell *out)
{
    const struct table *table = maker->from;
    const struct cell_column *column = &table->columns[h % table->column_count];
    const struct measure *measure = column->quantity.measure;
    struct arena work = {0};
    size_t row;

    out->words = share_words(measure);
    struct bits whole = whole_of(maker, r, h, &work, &row);
    /* A total may count items several times: then the whole is no list of items. */
    if (whole.words != NULL && out->counted && bits_count(whole) == out->n) {
        bool part = measure->kind == MEASURE_PART;
        struct behind_wanted wanted = {
            .items = whole,
            .list = {.row = row != STUDY_NONE
                                ? result_names(maker->table, row, maker->arena)
                                : (struct str){0},
                     .across = part || measure->whole == MEASURE_OF_PARENT
                                   ? across_words(&maker->table->columns[h])
                                   : (struct str){0},
                     .what = what_words(maker, column, false, (struct str){0})}};
        out->whole = behind_list_of(maker, &wanted);
    }
    arena_free(&work);
}

static const char *words_of(const struct measure *measure)
{
    static const char *const words[] = {
        [MEASURE_COUNT] = "so many items are listed here",
        [MEASURE_DISTINCT] = "so many different ones among these items",
        [MEASURE_SUM] = "the sum of these values",
        [MEASURE_MEAN] = "the mean of these values",
        [MEASURE_MEDIAN] = "the middle of these values",
        [MEASURE_QUANTILE] = "a quantile of these values",
        [MEASURE_MIN] = "the smallest of these values",
        [MEASURE_MAX] = "the largest of these values",
        [MEASURE_SD] = "the standard deviation of these values",
        [MEASURE_SURVIVAL] = "the Kaplan-Meier median of these values; items without one "
                             "still wait",
    };

    return words[measure->kind];
}

static void set_cell(struct behind_maker *maker, size_t r, size_t h,
                     struct result_cell *cell)
{
    const struct table *table = maker->from;
    const struct cell_column *column = &table->columns[h % table->column_count];
    const struct measure *measure = column->quantity.measure;
    bool ranked = maker->table->columns[h].type == RESULT_RANK;
    bool valued = measure->kind >= MEASURE_SUM && measure->kind <= MEASURE_SURVIVAL;
    struct arena work = {0};
    struct bits items = bits_and(table->items[r].bits, table->across[h], &work);
    struct str value = valued ? value_words(maker, measure) : (struct str){0};
    struct behind_wanted wanted = {
        .items = cell_behind(column, items, &work),
        .list = {.row = result_names(maker->table, r, maker->arena),
                 .across = across_words(&maker->table->columns[h]),
                 .what = what_words(maker, column, true, value),
                 .value = value},
        .valued = valued ? column : NULL,
        .middle = ranked,
        .around = ranked || measure->kind == MEASURE_SUM || measure->kind == MEASURE_SD
                      ? NAN
                      : cell->value};

    cell->list = behind_list_of(maker, &wanted);
    if (ranked)
        cell->words = "by its rank";
    else if (measure->kind == MEASURE_SHARE || measure->kind == MEASURE_PART)
        set_share(maker, r, h, cell);
    else if (measure->kind == MEASURE_COUNT &&
             cell->value != (double)bits_count(wanted.items))
        cell->words = "these items, some of them several times: they stand in several "
                      "rows";
    else
        cell->words = words_of(measure);
    /* Nobody is in the numerator: the items are those of the whole. */
    if (cell->list == NULL)
        cell->list = cell->whole;
    arena_free(&work);
}

static struct behind_maker begin(struct result_table *table,
                                 const struct behind_files *files, struct arena *arena)
{
    return (struct behind_maker){.table = table,
                                 .to = files,
                                 .arena = arena,
                                 .lists = {.arena = arena},
                                 .files = {.arena = arena}};
}

void behind_make(struct table *table, const struct behind_files *files,
                 struct arena *arena)
{
    struct result_table *shown = &table->shown;
    struct behind_maker maker = begin(shown, files, arena);
    size_t columns = shown->column_count;

    maker.from = table;
    for (size_t i = 0; i < shown->row_count * columns; i++)
        set_cell(&maker, i / columns, i % columns, &shown->cells[i]);
}

void behind_shorten(struct result_table *table, const struct behind_files *files,
                    struct arena *arena)
{
    struct behind_maker maker = begin(table, files, arena);

    table->lists = NULL;
    table->list_count = table->list_room = 0;
    for (size_t i = 0; i < table->row_count * table->column_count; i++) {
        const struct result_list *given = table->cells[i].list;
        if (given == NULL)
            continue;
        struct behind_wanted wanted = {
            .given = given,
            .list = {.row = given->row, .across = given->across, .what = given->what}};
        table->cells[i].list = behind_list_of(&maker, &wanted);
    }
}
