/* What is behind each cell, in items and in words. */
#include "measure/behind.h"

#include <math.h>

#include "measure/behind_list.h"

static void add_condition(const struct study_measure *measure, struct buf *out)
{
    static const char *const words[][2] = {
        [STUDY_MEASURE_ALL] = {"", ""},
        [STUDY_MEASURE_ACCEPTED] = {" with an accepted answer",
                                    " without an accepted answer"},
        [STUDY_MEASURE_ANSWERED] = {" with an answer", " without an answer"},
        [STUDY_MEASURE_CLOSED] = {" that are closed", " that are not closed"},
        [STUDY_MEASURE_IN_SET] = {" that are in ", " that are not in "},
    };

    buf_add_format(out, "%s", words[measure->condition][measure->negated]);
    if (measure->condition == STUDY_MEASURE_IN_SET)
        buf_add(out, measure->name);
}

static struct str value_words(struct measure_behind_maker *maker,
                              const struct study_measure *measure)
{
    static const char *const words[] = {
        [STUDY_MEASURE_NUMBER] = "",
        [STUDY_MEASURE_TO_FIRST] = " to first answer",
        [STUDY_MEASURE_TO_ACCEPTED] = " to accepted",
        [STUDY_MEASURE_ASKER] = "asker",
        [STUDY_MEASURE_ANSWERER] = "answerer",
        [STUDY_MEASURE_FIELD] = "",
    };
    struct buf text = {0};

    buf_add(&text, study_measure_unit(measure));
    buf_add_format(&text, "%s", words[measure->quantity]);
    if (measure->quantity == STUDY_MEASURE_NUMBER)
        buf_add(&text, item_field(measure->field)->name);
    if (measure->quantity == STUDY_MEASURE_FIELD)
        buf_add(&text, measure->name);
    return measure_behind_list_printed(maker, &text);
}

/* "items without an accepted answer, at least 30 days old". */
static struct str what_words(struct measure_behind_maker *maker,
                             const struct measure_cell_column *column, bool meeting,
                             struct str value)
{
    const struct study_measure *measure = column->quantity.measure;
    struct buf text = {0};

    buf_add(&text, STR("items"));
    if (meeting)
        add_condition(measure, &text);
    if (value.len > 0 && measure->kind == STUDY_MEASURE_SURVIVAL)
        buf_add_format(&text, " and their %.*s, if there is one", STR_ARG(value));
    else if (value.len > 0)
        buf_add_format(&text, " with a value of %.*s", STR_ARG(value));
    if (column->column->minimum_age_days > 0)
        buf_add_format(&text, ", at least %g days old", column->column->minimum_age_days);
    return measure_behind_list_printed(maker, &text);
}

/* Cells. */

static struct str across_words(const struct result_column *column)
{
    return column->total ? (struct str){0} : column->across;
}

/* What a share is a share of, if that is items; without words: it is not. */
static struct measure_bits whole_of(const struct measure_behind_maker *maker, size_t r,
                                    size_t h, struct arena *arena, size_t *row)
{
    const struct measure_table *table = maker->from;
    const struct measure_cell_column *column = &table->columns[h % table->column_count];
    const struct measure_table_items *own = &table->items[r];
    struct measure_bits across = table->across[h];

    *row = r;
    if (column->quantity.measure->kind == STUDY_MEASURE_PART)
        return measure_cell_known(column, measure_bits_and(own->bits, across, arena),
                                  arena);
    switch (column->quantity.measure->whole) {
    case STUDY_MEASURE_OF_SET:
        *row = STUDY_NONE;
        return measure_bits_and(own->set, column->old, arena);
    case STUDY_MEASURE_OF_PARENT:
        *row = table->shown.rows[r].parent;
        across = measure_bits_and(*row == STUDY_NONE ? own->set : table->items[*row].bits,
                                  across, arena);
        return measure_bits_and(across, column->old, arena);
    case STUDY_MEASURE_OF_ROW:
        across = measure_bits_and(own->bits, table->in_across, arena);
        return measure_bits_and(across, column->old, arena);
    default:
        return (struct measure_bits){0};
    }
}

static const char *share_words(const struct study_measure *measure)
{
    static const char *const words[] = {
        [STUDY_MEASURE_OF_SET] = "items of the set",
        [STUDY_MEASURE_OF_PARENT] = "items of the group one level up",
        [STUDY_MEASURE_OF_ROW] = "items of the row over all groups across",
        [STUDY_MEASURE_OF_COLUMN] = "that the column adds up to",
        [STUDY_MEASURE_OF_CENSUS] = "questions of the site",
    };

    return measure->kind == STUDY_MEASURE_PART ? "items of the group"
                                               : words[measure->whole];
}

/* Shares lead to the items of their whole, where they are items. */
static void set_share(struct measure_behind_maker *maker, size_t r, size_t h,
                      struct result_cell *out)
{
    const struct measure_table *table = maker->from;
    const struct measure_cell_column *column = &table->columns[h % table->column_count];
    const struct study_measure *measure = column->quantity.measure;
    struct arena work = {0};
    size_t row;

    out->words = share_words(measure);
    struct measure_bits whole = whole_of(maker, r, h, &work, &row);
    /* A total may count items several times: then the whole is no list of items. */
    if (whole.words != NULL && out->counted && measure_bits_count(whole) == out->n) {
        bool part = measure->kind == STUDY_MEASURE_PART;
        struct measure_behind_wanted wanted = {
            .items = whole,
            .list = {.row = row != STUDY_NONE
                                ? result_names(maker->table, row, maker->arena)
                                : (struct str){0},
                     .across = part || measure->whole == STUDY_MEASURE_OF_PARENT
                                   ? across_words(&maker->table->columns[h])
                                   : (struct str){0},
                     .what = what_words(maker, column, false, (struct str){0})}};
        out->whole = measure_behind_list_of(maker, &wanted);
    }
    arena_free(&work);
}

static const char *words_of(const struct study_measure *measure)
{
    static const char *const words[] = {
        [STUDY_MEASURE_COUNT] = "so many items are listed here",
        [STUDY_MEASURE_DISTINCT] = "so many different ones among these items",
        [STUDY_MEASURE_SUM] = "the sum of these values",
        [STUDY_MEASURE_MEAN] = "the mean of these values",
        [STUDY_MEASURE_MEDIAN] = "the middle of these values",
        [STUDY_MEASURE_QUANTILE] = "a quantile of these values",
        [STUDY_MEASURE_MIN] = "the smallest of these values",
        [STUDY_MEASURE_MAX] = "the largest of these values",
        [STUDY_MEASURE_SD] = "the standard deviation of these values",
        [STUDY_MEASURE_SURVIVAL] =
            "the Kaplan-Meier median of these values; items without one "
            "still wait",
    };

    return words[measure->kind];
}

static void set_cell(struct measure_behind_maker *maker, size_t r, size_t h,
                     struct result_cell *cell)
{
    const struct measure_table *table = maker->from;
    const struct measure_cell_column *column = &table->columns[h % table->column_count];
    const struct study_measure *measure = column->quantity.measure;
    bool ranked = maker->table->columns[h].type == RESULT_RANK;
    bool valued =
        measure->kind >= STUDY_MEASURE_SUM && measure->kind <= STUDY_MEASURE_SURVIVAL;
    struct arena work = {0};
    struct measure_bits items =
        measure_bits_and(table->items[r].bits, table->across[h], &work);
    struct str value = valued ? value_words(maker, measure) : (struct str){0};
    struct measure_behind_wanted wanted = {
        .items = measure_cell_behind(column, items, &work),
        .list = {.row = result_names(maker->table, r, maker->arena),
                 .across = across_words(&maker->table->columns[h]),
                 .what = what_words(maker, column, true, value),
                 .value = value},
        .valued = valued ? column : NULL,
        .middle = ranked,
        .around = ranked || measure->kind == STUDY_MEASURE_SUM ||
                          measure->kind == STUDY_MEASURE_SD
                      ? NAN
                      : cell->value};

    cell->list = measure_behind_list_of(maker, &wanted);
    if (ranked)
        cell->words = "by its rank";
    else if (measure->kind == STUDY_MEASURE_SHARE || measure->kind == STUDY_MEASURE_PART)
        set_share(maker, r, h, cell);
    else if (measure->kind == STUDY_MEASURE_COUNT &&
             cell->value != (double)measure_bits_count(wanted.items))
        cell->words = "these items, some of them several times: they stand in several "
                      "rows";
    else
        cell->words = words_of(measure);
    /* Nobody is in the numerator: the items are those of the whole. */
    if (cell->list == NULL)
        cell->list = cell->whole;
    arena_free(&work);
}

static struct measure_behind_maker begin(struct result_table *table,
                                         const struct measure_behind_files *files,
                                         struct arena *arena)
{
    return (struct measure_behind_maker){.table = table,
                                         .to = files,
                                         .arena = arena,
                                         .lists = {.arena = arena},
                                         .files = {.arena = arena}};
}

void measure_behind_make(struct measure_table *table,
                         const struct measure_behind_files *files, struct arena *arena)
{
    struct result_table *shown = &table->shown;
    struct measure_behind_maker maker = begin(shown, files, arena);
    size_t columns = shown->column_count;

    maker.from = table;
    for (size_t i = 0; i < shown->row_count * columns; i++)
        set_cell(&maker, i / columns, i % columns, &shown->cells[i]);
}

void measure_behind_shorten(struct result_table *table,
                            const struct measure_behind_files *files, struct arena *arena)
{
    struct measure_behind_maker maker = begin(table, files, arena);

    table->lists = NULL;
    table->list_count = table->list_room = 0;
    for (size_t i = 0; i < table->row_count * table->column_count; i++) {
        const struct result_list *given = table->cells[i].list;
        if (given == NULL)
            continue;
        struct measure_behind_wanted wanted = {
            .given = given,
            .list = {.row = given->row, .across = given->across, .what = given->what}};
        table->cells[i].list = measure_behind_list_of(&maker, &wanted);
    }
}
