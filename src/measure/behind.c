/* Lists are found cell by cell; two with the same items, the same values and the same
 * part shown are one. */
#include "measure/behind.h"

#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/map.h"
#include "measure/numbers.h"
#include "measure/table_text.h"

struct maker {
    const struct table *table;
    struct arena *arena;
    struct buf *(*file)(void *context, size_t number);
    void *context;
    struct map lists, files; /* what a list holds to its number plus 1 */
    struct behind_list *all;
    size_t count;
    int64_t lines;
    bool cut;
};

/* What a list is to hold. */
struct wanted {
    struct bits items;
    struct behind_list list;          /* its words */
    const struct cell_column *valued; /* NULL: no values */
    double around;                    /* the value to be seen; NAN: the smallest */
    bool middle;                      /* the middle one is to be seen */
};

static struct str printed(struct maker *maker, struct buf *text)
{
    struct str copy = arena_copy(maker->arena, buf_str(text));

    buf_free(text);
    return copy;
}

/* Words. */

static struct str row_words(struct maker *maker, size_t r)
{
    const struct table *table = maker->table;
    struct str names[16];
    size_t count = 0;
    struct buf text = {0};

    if (table->rows[r].total) /* all rows */
        return (struct str){0};
    for (; r != STUDY_NONE && count < ROWS_OF(names); r = table->rows[r].parent)
        names[count++] = table->rows[r].name;
    while (count-- > 0) {
        buf_add(&text, names[count]);
        if (count > 0)
            buf_add_char(&text, '\n');
    }
    return printed(maker, &text);
}

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

static struct str value_words(struct maker *maker, const struct measure *measure)
{
    static const char *const words[] = {
        [MEASURE_VIEWS] = "views",
        [MEASURE_SCORE] = "score",
        [MEASURE_ANSWERS] = "answers",
        [MEASURE_COMMENTS] = "comments",
        [MEASURE_FAVORITES] = "favorites",
        [MEASURE_TO_FIRST] = " to first answer",
        [MEASURE_TO_ACCEPTED] = " to accepted",
        [MEASURE_ASKER] = "asker",
        [MEASURE_ANSWERER] = "answerer",
        [MEASURE_FIELD] = "",
    };
    struct buf text = {0};

    buf_add(&text, measure_unit(measure));
    buf_add_format(&text, "%s", words[measure->quantity]);
    if (measure->quantity == MEASURE_FIELD)
        buf_add(&text, measure->name);
    return printed(maker, &text);
}

/* "items without an accepted answer, at least 30 days old". */
static struct str what_words(struct maker *maker, const struct cell_column *column,
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
    return printed(maker, &text);
}

/* Lists. */

static int compare_valued(const void *a, const void *b)
{
    const struct behind_item *one = a, *two = b;

    /* Who still waits comes last. */
    if (isnan(one->value) != isnan(two->value))
        return isnan(one->value) ? 1 : -1;
    if (one->value != two->value && !isnan(one->value))
        return one->value < two->value ? -1 : 1;
    return one->id < two->id ? -1 : one->id > two->id;
}

static struct behind_item *list_items(const struct maker *maker,
                                      const struct wanted *wanted, struct arena *arena)
{
    struct bits bits = wanted->items;
    struct behind_item *items =
        arena_array(arena, struct behind_item, (size_t)wanted->list.count + 1);
    size_t count = 0;
    int64_t negative = 0; /* those are not among the items */

    for (size_t i = bits_next(bits, 0); i < bits.count; i = bits_next(bits, i + 1))
        items[count++] = (struct behind_item){
            maker->table->ids[i],
            wanted->valued != NULL
                ? quantity_value(&wanted->valued->quantity, i, &negative)
                : NAN};
    if (wanted->valued != NULL)
        qsort(items, count, sizeof *items, compare_valued);
    return items;
}

/* So that the value that the number is stands in the middle of those shown. */
static int64_t first_shown(const struct wanted *wanted, const struct behind_item *items)
{
    int64_t count = wanted->list.count, place = 0;

    if (wanted->valued == NULL || count <= BEHIND_FIRST)
        return 0;
    if (wanted->middle)
        place = count / 2;
    while (!isnan(wanted->around) && place < count && items[place].value < wanted->around)
        place++;
    place -= BEHIND_FIRST / 2;
    return place < 0 ? 0 : place > count - BEHIND_FIRST ? count - BEHIND_FIRST : place;
}

static void write_file(const struct behind_item *items, const struct behind_list *list,
                       struct buf *out)
{
    buf_add(out, STR("id"));
    if (list->value.len > 0) {
        buf_add_char(out, ',');
        buf_add_csv(out, list->value);
    }
    buf_add_char(out, '\n');
    for (int64_t i = 0; i < list->count; i++) {
        buf_add_int(out, items[i].id);
        if (list->value.len > 0)
            buf_add_char(out, ',');
        if (!isnan(items[i].value))
            numbers_print(items[i].value, out);
        buf_add_char(out, '\n');
    }
}

/* A set or sample as it is has its file already. */
static bool find_set_file(struct maker *maker, const struct wanted *wanted,
                          struct str *csv)
{
    const struct table *table = maker->table;

    for (size_t s = 0; s < table->set_count && wanted->valued == NULL; s++) {
        if (memcmp(table->sets[s].bits.words, wanted->items.words,
                   (wanted->items.count + 7) / 8) != 0)
            continue;
        struct buf path = {0};
        buf_add_format(&path, "%s/%.*s.csv", table->sets[s].sample ? "samples" : "sets",
                       STR_ARG(table->sets[s].name));
        *csv = printed(maker, &path);
        return true;
    }
    return false;
}

static struct str csv_of(struct maker *maker, const struct wanted *wanted,
                         const struct behind_item *items, struct str holds)
{
    struct buf path = {0};
    struct str csv = {0};
    int64_t *owner = map_put(&maker->files, holds);

    if (*owner > 0)
        return maker->all[*owner - 1].csv;
    *owner = (int64_t)maker->count + 1;
    if (find_set_file(maker, wanted, &csv) ||
        maker->lines + wanted->list.count > BEHIND_LINES)
        return csv;
    maker->lines += wanted->list.count;
    write_file(items, &wanted->list, maker->file(maker->context, maker->count));
    buf_add_format(&path, "items/%.*s/%zu.csv", STR_ARG(maker->table->name),
                   maker->count);
    return printed(maker, &path);
}

/* The number of the list, which is made when there is none like it. */
static size_t list_of(struct maker *maker, struct wanted *wanted)
{
    struct behind_list *list = &wanted->list;
    struct arena work = {0};
    struct buf holds = {0};

    list->count = bits_count(wanted->items);
    if (list->count == 0)
        return BEHIND_NONE;
    if (maker->count == BEHIND_LISTS) {
        maker->cut = true;
        return BEHIND_NONE;
    }
    XXH128_hash_t hash = XXH3_128bits(wanted->items.words, wanted->items.count / 8 + 1);
    buf_add_format(&holds, "%016llx%016llx %d %.*s", (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64,
                   wanted->valued != NULL ? wanted->valued->quantity.round_first : 0,
                   STR_ARG(list->value));
    struct behind_item *items = list_items(maker, wanted, &work);
    list->from = first_shown(wanted, items);
    size_t same = holds.len;
    buf_add_format(&holds, " %lld", (long long)list->from);
    int64_t *number = map_put(&maker->lists, buf_str(&holds));
    if (*number == 0) {
        list->csv = csv_of(maker, wanted, items, str_slice(buf_str(&holds), 0, same));
        int64_t rest = list->count - list->from;
        list->shown = rest < BEHIND_FIRST ? (size_t)rest : BEHIND_FIRST;
        struct behind_item *shown =
            arena_array(maker->arena, struct behind_item, list->shown);
        memcpy(shown, items + list->from, list->shown * sizeof *shown);
        list->items = shown;
        maker->all[maker->count] = *list;
        *number = (int64_t)++maker->count;
    }
    size_t found = (size_t)*number - 1;
    buf_free(&holds);
    arena_free(&work);
    return found;
}

/* Cells. */

static struct str across_words(const struct table_head *head)
{
    return head->total ? (struct str){0} : head->across;
}

/* What a share is a share of, if that is items; without words: it is not. */
static struct bits whole_of(const struct maker *maker, size_t r, size_t h,
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
static void set_share(struct maker *maker, size_t r, size_t h, struct behind_cell *out)
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
        struct wanted wanted = {
            .items = whole,
            .list = {.row = row != STUDY_NONE ? row_words(maker, row) : (struct str){0},
                     .across = part || measure->whole == MEASURE_OF_PARENT
                                   ? across_words(&table->heads[h])
                                   : (struct str){0},
                     .what = what_words(maker, column, false, (struct str){0})}};
        out->whole = list_of(maker, &wanted);
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

static void set_cell(struct maker *maker, size_t r, size_t h, struct behind_cell *out)
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
    struct wanted wanted = {.items = cell_behind(column, items, &work),
                            .list = {.row = row_words(maker, r),
                                     .across = across_words(&table->heads[h]),
                                     .what = what_words(maker, column, true, value),
                                     .value = value},
                            .valued = valued ? column : NULL,
                            .middle = ranked,
                            .around = ranked || measure->kind == MEASURE_SUM ||
                                              measure->kind == MEASURE_SD
                                          ? NAN
                                          : cell->value};

    *out = (struct behind_cell){.number = r * table->head_count + h,
                                .list = list_of(maker, &wanted),
                                .whole = BEHIND_NONE,
                                .count = -1,
                                .whole_count = -1};
    if (ranked)
        out->words = STR("by its rank");
    else if (measure->kind == MEASURE_SHARE || measure->kind == MEASURE_PART)
        set_share(maker, r, h, out);
    else
        out->words = words_of(measure);
    /* Nobody is in the numerator: the items are those of the whole. */
    if (out->list == BEHIND_NONE)
        out->list = out->whole;
    struct buf text = {0};
    table_text_heading(&table->heads[h], &text);
    out->heading = printed(maker, &text);
    text = (struct buf){0};
    table_text_cell(cell, table->heads[h].column, &text);
    out->text = printed(maker, &text);
    arena_free(&work);
}

void behind_make(const struct table *table,
                 struct buf *(*file)(void *context, size_t number), void *context,
                 struct arena *arena, struct behind *out)
{
    struct maker maker = {.table = table,
                          .arena = arena,
                          .file = file,
                          .context = context,
                          .lists = {.arena = arena},
                          .files = {.arena = arena},
                          .all = arena_array(arena, struct behind_list, BEHIND_LISTS)};
    size_t count = table->ids != NULL ? table->row_count * table->head_count : 0;
    struct behind_cell *cells = arena_array(arena, struct behind_cell, count + 1);

    for (size_t i = 0; i < count; i++)
        set_cell(&maker, i / table->head_count, i % table->head_count, &cells[i]);
    *out = (struct behind){maker.all, maker.count, cells, count, maker.cut};
}
