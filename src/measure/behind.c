/* What is behind each cell, in items and in words. */
#include "measure/behind.h"

#include <math.h>

#include "measure/behind_list.h"
#include "measure/table_text.h"

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

/* Notes are below the table alone. */
static void add_number(const struct cell *cell, const struct study_column *column,
                       struct buf *out)
{
    struct cell plain = *cell;

    plain.mark = 0;
    table_text_cell(&plain, column, out);
}

static struct str across_words(const struct table_head *head)
{
    return head->total ? (struct str){0} : head->across;
}

/* What a share is a share of, if that is items; without words: it is not. */
static struct bits whole_of(const struct behind_maker *maker, size_t r, size_t h,
                            struct arena *arena, size_t *row)
{
    const struct table *table = maker->table;
    const struct cell_column *column = &table->columns[h % table->column_count];
    const struct table_row *own = &table->rows[r];
    struct bits across = table->heads[h].bits;

    *row = r;
    if (column->quantity.measure->kind == MEASURE_PART)
        return cell_known(column, bits_and(own->bits, across, arena), arena);
    switch (column->quantity.measure->whole) {
    case MEASURE_OF_SET:
        *row = STUDY_NONE;
        return bits_and(own->set, column->old, arena);
    case MEASURE_OF_PARENT:
        *row = own->parent;
        across = bits_and(*row == STUDY_NONE ? own->set : table->rows[*row].bits, across,
                          arena);
        return bits_and(across, column->old, arena);
    case MEASURE_OF_ROW:
        across = bits_and(own->bits, table->in_across, arena);
        return bits_and(across, column->old, arena);
    default:
        return (struct bits){0};
    }
}

static struct str share_words(const struct measure *measure)
{
    static const char *const words[] = {
        [MEASURE_OF_SET] = "items of the set",
        [MEASURE_OF_PARENT] = "items of the group one level up",
        [MEASURE_OF_ROW] = "items of the row over all groups across",
        [MEASURE_OF_COLUMN] = "that the column adds up to",
        [MEASURE_OF_CENSUS] = "questions of the site",
    };

    return measure->kind == MEASURE_PART ? STR("items of the group")
                                         : str_from(words[measure->whole]);
}

/* Shares name both of their numbers, and lead to the items of both where they are items.
 */
static void set_share(struct behind_maker *maker, size_t r, size_t h,
                      struct behind_cell *out)
{
    const struct table *table = maker->table;
    const struct cell_column *column = &table->columns[h % table->column_count];
    const struct cell *cell = &table->cells[r * table->head_count + h];
    const struct measure *measure = column->quantity.measure;
    struct arena work = {0};
    size_t row;

    out->words = share_words(measure);
    if (cell->undefined == NULL) {
        out->count = llround(cell->value * (double)cell->n);
        out->whole_count = cell->n;
    }
    struct bits whole = whole_of(maker, r, h, &work, &row);
    /* A total may count items several times: then the whole is no list of items. */
    if (whole.words != NULL && bits_count(whole) == out->whole_count) {
        bool part = measure->kind == MEASURE_PART;
        struct behind_wanted wanted = {
            .items = whole,
            .list = {.row = row != STUDY_NONE ? behind_list_row(maker, row)
                                              : (struct str){0},
                     .across = part || measure->whole == MEASURE_OF_PARENT
                                   ? across_words(&table->heads[h])
                                   : (struct str){0},
                     .what = what_words(maker, column, false, (struct str){0})}};
        out->whole = behind_list_of(maker, &wanted);
    }
    arena_free(&work);
}

static struct str words_of(const struct measure *measure)
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

    return str_from(words[measure->kind]);
}

static void set_cell(struct behind_maker *maker, size_t r, size_t h,
                     struct behind_cell *out)
{
    const struct table *table = maker->table;
    const struct cell_column *column = &table->columns[h % table->column_count];
    const struct measure *measure = column->quantity.measure;
    const struct cell *cell = &table->cells[r * table->head_count + h];
    bool ranked = table->heads[h].column->measure.kind == MEASURE_RANK;
    bool valued = measure->kind >= MEASURE_SUM && measure->kind <= MEASURE_SURVIVAL;
    struct arena work = {0};
    struct bits items = bits_and(table->rows[r].bits, table->heads[h].bits, &work);
    struct str value = valued ? value_words(maker, measure) : (struct str){0};
    struct behind_wanted wanted = {
        .items = cell_behind(column, items, &work),
        .list = {.row = behind_list_row(maker, r),
                 .across = across_words(&table->heads[h]),
                 .what = what_words(maker, column, true, value),
                 .value = value},
        .valued = valued ? column : NULL,
        .middle = ranked,
        .around = ranked || measure->kind == MEASURE_SUM || measure->kind == MEASURE_SD
                      ? NAN
                      : cell->value};

    *out = (struct behind_cell){.number = r * table->head_count + h,
                                .list = behind_list_of(maker, &wanted),
                                .whole = BEHIND_NONE,
                                .count = -1,
                                .whole_count = -1};
    if (ranked)
        out->words = STR("by its rank");
    else if (measure->kind == MEASURE_SHARE || measure->kind == MEASURE_PART)
        set_share(maker, r, h, out);
    else if (measure->kind == MEASURE_COUNT &&
             cell->value != (double)bits_count(wanted.items))
        out->words = STR("these items, some of them several times: they stand in "
                         "several rows");
    else
        out->words = words_of(measure);
    /* Nobody is in the numerator: the items are those of the whole. */
    if (out->list == BEHIND_NONE)
        out->list = out->whole;
    struct buf text = {0};
    table_text_heading(&table->heads[h], &text);
    out->heading = behind_list_printed(maker, &text);
    text = (struct buf){0};
    add_number(cell, table->heads[h].column, &text);
    out->text = behind_list_printed(maker, &text);
    arena_free(&work);
}

/* A table that a step gave. */

static void set_given(struct behind_maker *maker, const struct table_evidence *given,
                      size_t number, struct behind_cell *out)
{
    const struct table *table = maker->table;
    const struct table_head *head = &table->heads[number % table->head_count];
    const struct cell *cell = &table->cells[number];
    size_t row = number / table->head_count;
    struct behind_wanted wanted = {
        .given = given,
        .list = {.row = given->row != STUDY_NONE ? behind_list_row(maker, row)
                                                 : (struct str){0},
                 .across = given->head != STUDY_NONE ? head->name : (struct str){0},
                 .what = given->what}};
    struct buf heading = {0}, text = {0};

    if (cell->undefined != NULL)
        return;
    out->list = behind_list_of(maker, &wanted);
    out->words = head->rests != NULL ? str_from(head->rests)
                 : cell->value == (double)given->count
                     ? STR("so many items are listed here")
                     : STR("computed from these items");
    /* Numbers of several rows may rest on the same items. */
    buf_add_format(&heading, "%.*s: ", STR_ARG(table->rows[row].name));
    table_text_heading(head, &heading);
    add_number(cell, head->column, &text);
    out->heading = behind_list_printed(maker, &heading);
    out->text = behind_list_printed(maker, &text);
}

static void set_all_given(struct behind_maker *maker, struct behind_cell *cells,
                          size_t count)
{
    const struct table *table = maker->table;
    const struct table_evidence **of =
        arena_array(maker->arena, const struct table_evidence *, count + 1);

    for (size_t e = 0; e < table->evidence_count; e++) {
        const struct table_evidence *it = &table->evidence[e];
        size_t row = it->row, rows = table->row_count;
        for (size_t r = row == STUDY_NONE ? 0 : row; r < rows && r <= row; r++)
            for (size_t h = it->head == STUDY_NONE ? 0 : it->head;
                 h < table->head_count && h <= it->head; h++)
                of[r * table->head_count + h] = it;
    }
    for (size_t i = 0; i < count; i++) {
        cells[i] = (struct behind_cell){.number = i,
                                        .list = BEHIND_NONE,
                                        .whole = BEHIND_NONE,
                                        .count = -1,
                                        .whole_count = -1};
        if (of[i] != NULL)
            set_given(maker, of[i], i, &cells[i]);
    }
}

void behind_make(const struct table *table, const struct behind_files *files,
                 struct arena *arena, struct behind *out)
{
    struct behind_maker maker = {
        .table = table,
        .to = files,
        .arena = arena,
        .lists = {.arena = arena},
        .files = {.arena = arena},
        .all = arena_array(arena, struct behind_list, BEHIND_LISTS)};
    bool any = table->ids != NULL || table->evidence_count > 0;
    size_t count = any ? table->row_count * table->head_count : 0;
    struct behind_cell *cells = arena_array(arena, struct behind_cell, count + 1);

    for (size_t i = 0; i < count && table->ids != NULL; i++)
        set_cell(&maker, i / table->head_count, i % table->head_count, &cells[i]);
    if (table->ids == NULL)
        set_all_given(&maker, cells, count);
    *out = (struct behind){maker.all, maker.count, cells, count, maker.cut};
}
