/* What is behind each cell, in items and in words. */
#define _GNU_SOURCE /* qsort_r() */
#include "measure/behind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/order.h"
#include "measure/internal.h"
#include "result/numbers.h"

/* Lists are known by a hash of what they hold. One of millions of items takes 16 bytes an
 * item while it is made. */
struct behind_item {
    double value; /* NAN: none, or it still waits */
    size_t at;    /* its place among the items of the table, or those that were given */
};

struct behind_items {
    const struct measure_behind_maker *maker;
    const struct measure_behind_wanted *wanted;
    struct behind_item *at;
    size_t count;
    struct arena *arena;
};

static int64_t id_of(const struct behind_items *items, struct behind_item item)
{
    const struct result_list *given = items->wanted->given;

    return given != NULL ? given->ids[item.at]
                         : measure_column_at(items->maker->from->ids, item.at);
}

/* "2 net.py:R4"; empty: the item as a whole. */
static struct str unit_of(const struct behind_items *items, struct behind_item item)
{
    const struct result_list *given = items->wanted->given;
    const struct measure_frame_unit *units =
        given != NULL ? NULL : items->maker->from->units;

    if (given != NULL)
        return given->units != NULL ? given->units[item.at] : (struct str){0};
    if (units == NULL || units[item.at].place.len == 0)
        return units == NULL ? (struct str){0} : units[item.at].name;
    return arena_format(items->arena, "%.*s %.*s", STR_ARG(units[item.at].name),
                        STR_ARG(units[item.at].place));
}

/* By value, who still waits last, then id, then unit. */
static int compare_items(const void *a, const void *b, void *context)
{
    const struct behind_item *one = a, *two = b;
    const struct behind_items *items = context;
    int by_value = order_then(ORDER_BY(isnan(one->value) != 0, isnan(two->value) != 0),
                              ORDER_BY(one->value, two->value));

    if (by_value != 0)
        return by_value;
    int by_id = ORDER_BY(id_of(items, *one), id_of(items, *two));
    return by_id != 0 ? by_id : str_compare(unit_of(items, *one), unit_of(items, *two));
}

/* Items of a table come in the order of their ids, which those of equal values keep. */
static void order_items(struct behind_items *items)
{
    bool given = items->wanted->given != NULL;

    if (items->wanted->valued != NULL)
        order_records(items->at, items->count, sizeof *items->at,
                      offsetof(struct behind_item, value));
    if (!given && (items->maker->from->units == NULL || items->wanted->valued == NULL))
        return;
    for (size_t i = 1; i < items->count; i++)
        if (compare_items(&items->at[i - 1], &items->at[i], items) > 0) {
            qsort_r(items->at, items->count, sizeof *items->at, compare_items, items);
            return;
        }
}

static struct behind_items list_items(const struct measure_behind_maker *maker,
                                      const struct measure_behind_wanted *wanted,
                                      struct arena *arena)
{
    size_t count = (size_t)wanted->list.count;
    struct behind_items items = {maker, wanted,
                                 arena_array(arena, struct behind_item, count), 0, arena};
    int64_t negative = 0; /* those are not among the items */

    if (wanted->given != NULL) {
        for (; items.count < count; items.count++)
            items.at[items.count] = (struct behind_item){NAN, items.count};
    } else {
        MEASURE_BITS_EACH (i, wanted->items)
            items.at[items.count++] = (struct behind_item){
                wanted->valued != NULL
                    ? measure_quantity_value(&wanted->valued->quantity, i, &negative)
                    : NAN,
                i};
    }
    order_items(&items);
    return items;
}

/* So that the value that the number is stands in the middle of those shown. */
static int64_t first_shown(const struct behind_items *items)
{
    const struct measure_behind_wanted *wanted = items->wanted;
    int64_t count = wanted->list.count, place = 0;

    if (wanted->valued == NULL || count <= MEASURE_BEHIND_FIRST)
        return 0;
    if (wanted->middle)
        place = count / 2;
    while (!isnan(wanted->around) && place < count &&
           items->at[place].value < wanted->around)
        place++;
    place -= MEASURE_BEHIND_FIRST / 2;
    return place < 0                              ? 0
           : place > count - MEASURE_BEHIND_FIRST ? count - MEASURE_BEHIND_FIRST
                                                  : place;
}

static bool has_units(const struct behind_items *items)
{
    return items->count > 0 && unit_of(items, items->at[0]).len > 0;
}

static void write_file(const struct behind_items *items, struct buf *out)
{
    const struct result_list *list = &items->wanted->list;
    bool units = has_units(items);

    buf_add(out, units ? STR("id,unit") : STR("id"));
    if (list->value.len > 0) {
        buf_add_char(out, ',');
        buf_add_csv(out, list->value);
    }
    buf_add_char(out, '\n');
    for (size_t i = 0; i < items->count; i++) {
        item_key_add_csv(out, items->maker->to->spaces, id_of(items, items->at[i]));
        if (units) {
            buf_add_char(out, ',');
            buf_add_csv(out, unit_of(items, items->at[i]));
        }
        if (list->value.len > 0)
            buf_add_char(out, ',');
        if (!isnan(items->at[i].value))
            result_numbers_print(items->at[i].value, out);
        buf_add_char(out, '\n');
    }
}

/* A set or sample as it is has its file already. */
static bool find_set_file(struct measure_behind_maker *maker,
                          const struct measure_behind_wanted *wanted, struct str *csv)
{
    const struct measure_table *table = maker->from;

    if (wanted->given != NULL || wanted->valued != NULL || table->units != NULL)
        return false;
    for (size_t s = 0; s < table->set_count; s++) {
        if (memcmp(table->sets[s].bits.words, wanted->items.words,
                   (wanted->items.count + 7) / 8) != 0)
            continue;
        *csv = arena_format(maker->arena, "%s/%.*s.csv",
                            table->sets[s].sample ? "samples" : "sets",
                            STR_ARG(table->sets[s].name));
        return true;
    }
    return false;
}

static struct str csv_of(struct measure_behind_maker *maker,
                         const struct behind_items *items, struct str holds)
{
    const struct measure_behind_wanted *wanted = items->wanted;
    struct str csv = {0};
    int64_t *owner = map_put(&maker->files, holds);
    size_t number = maker->table->list_count;

    if (*owner > 0)
        return maker->table->lists[*owner - 1]->csv;
    *owner = (int64_t)number + 1;
    if (find_set_file(maker, wanted, &csv) ||
        maker->lines + wanted->list.count > maker->to->lines)
        return csv;
    maker->lines += wanted->list.count;
    write_file(items, maker->to->file(maker->to->context, number));
    return arena_format(maker->arena, "%s/%.*s/%zu.csv", maker->to->folder,
                        STR_ARG(maker->table->name), number);
}

static XXH128_hash_t hash_given(const struct behind_items *items)
{
    enum { PIECE = 64 * 1024 };
    XXH3_state_t *state = XXH3_createState();
    struct buf piece = {0};

    if (state == NULL)
        arena_exhausted();
    XXH3_128bits_reset(state);
    for (size_t i = 0; i < items->count; i++) {
        int64_t id = id_of(items, items->at[i]);
        buf_add(&piece, (struct str){(const char *)&id, sizeof id});
        buf_add(&piece, unit_of(items, items->at[i]));
        buf_add_char(&piece, '\0');
        if (piece.len >= PIECE || i + 1 == items->count) {
            XXH3_128bits_update(state, piece.ptr, piece.len);
            buf_clear(&piece);
        }
    }
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    buf_free(&piece);
    return hash;
}

/* What tells lists with other items or values apart. */
static void add_content(const struct behind_items *items, struct buf *out)
{
    const struct measure_behind_wanted *wanted = items->wanted;
    XXH128_hash_t hash =
        wanted->given != NULL
            ? hash_given(items)
            : XXH3_128bits(wanted->items.words, wanted->items.count / 8 + 1);

    buf_add_format(out, "%016llx%016llx %d %.*s", (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64,
                   wanted->valued != NULL ? wanted->valued->quantity.round_first : 0,
                   STR_ARG(wanted->list.value));
}

/* With its csv, and the part of its items that is shown. */
static void keep_list(struct measure_behind_maker *maker,
                      const struct behind_items *items, struct str holds)
{
    struct result_list *list = arena_array(maker->arena, struct result_list, 1);

    *list = items->wanted->list;
    const struct behind_item *first = items->at + list->from;
    size_t rest = (size_t)(list->count - list->from);
    list->csv = csv_of(maker, items, holds);
    list->shown = rest < MEASURE_BEHIND_FIRST ? rest : MEASURE_BEHIND_FIRST;
    int64_t *ids = arena_array(maker->arena, int64_t, list->shown);
    double *values =
        list->value.len > 0 ? arena_array(maker->arena, double, list->shown) : NULL;
    struct str *units =
        has_units(items) ? arena_array(maker->arena, struct str, list->shown) : NULL;
    for (size_t i = 0; i < list->shown; i++) {
        ids[i] = id_of(items, first[i]);
        if (values != NULL)
            values[i] = first[i].value;
        if (units != NULL)
            units[i] = arena_copy(maker->arena, unit_of(items, first[i]));
    }
    list->ids = ids;
    list->values = values;
    list->units = units;
    result_keep_list(maker->table, list, maker->arena);
}

const struct result_list *measure_behind_list_of(struct measure_behind_maker *maker,
                                                 struct measure_behind_wanted *wanted)
{
    struct result_list *list = &wanted->list;
    struct arena work = {0};
    struct buf holds = {0};

    list->count = wanted->given != NULL ? (int64_t)wanted->given->shown
                                        : measure_bits_count(wanted->items);
    if (list->count == 0)
        return NULL;
    if (maker->table->list_count == RESULT_LISTS_MAX) {
        maker->table->cut = true;
        return NULL;
    }
    struct behind_items items = list_items(maker, wanted, &work);
    add_content(&items, &holds);
    list->from = first_shown(&items);
    size_t same = holds.len;
    buf_add_format(&holds, " %lld", (long long)list->from);
    if (wanted->given != NULL) /* what they are is all that is known of them */
        buf_add(&holds, list->what);
    int64_t *number = map_put(&maker->lists, buf_str(&holds));
    if (*number == 0) {
        keep_list(maker, &items, str_slice(buf_str(&holds), 0, same));
        *number = (int64_t)maker->table->list_count;
    }
    const struct result_list *found = maker->table->lists[*number - 1];
    buf_free(&holds);
    arena_free(&work);
    return found;
}

static void add_condition(const struct study_measure *measure, struct buf *out)
{
    static const char *const words[][2] = {
        [STUDY_MEASURE_ALL] = {"", ""},
        [STUDY_MEASURE_ACCEPTED] = {" with an accepted answer",
                                    " without an accepted answer"},
        [STUDY_MEASURE_ANSWERED] = {" with an answer", " without an answer"},
        [STUDY_MEASURE_ENDORSED] = {" with an endorsed answer",
                                    " without an endorsed answer"},
        [STUDY_MEASURE_CLOSED] = {" that are closed", " that are not closed"},
        [STUDY_MEASURE_IN_SET] = {" that are in ", " that are not in "},
    };

    buf_add_format(out, "%s", words[measure->condition][measure->negated]);
    if (measure->condition == STUDY_MEASURE_IN_SET)
        buf_add(out, measure->name);
    if (measure->within > 0) {
        struct study_measure time = *measure;
        time.kind = STUDY_MEASURE_EACH;
        buf_add_format(out, " within %g %.*s", measure->within,
                       STR_ARG(study_measure_unit(&time)));
    }
}

static struct str value_words(struct measure_behind_maker *maker,
                              const struct study_measure *measure)
{
    static const char *const words[] = {
        [STUDY_MEASURE_NUMBER] = "",
        [STUDY_MEASURE_TO_FIRST] = " to first answer",
        [STUDY_MEASURE_TO_ACCEPTED] = " to accepted",
        [STUDY_MEASURE_TO_ENDORSED] = " to endorsed",
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
    return buf_keep(&text, maker->arena);
}

/* "items without an accepted answer, at least 30 days old". */
static struct str what_words(struct measure_behind_maker *maker,
                             const struct measure_cell_column *column, bool meeting,
                             struct str value)
{
    const struct study_measure *measure = column->quantity.measure;
    struct buf text = {0};

    buf_add(&text, maker->from->units != NULL ? STR("units") : STR("items"));
    if (meeting)
        add_condition(measure, &text);
    if (value.len > 0 && measure->kind == STUDY_MEASURE_SURVIVAL)
        buf_add_format(&text, " and their %.*s, if there is one", STR_ARG(value));
    else if (value.len > 0)
        buf_add_format(&text, " with a value of %.*s", STR_ARG(value));
    if (column->column->minimum_age_days > 0)
        buf_add_format(&text, ", at least %g days old", column->column->minimum_age_days);
    return buf_keep(&text, maker->arena);
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
        [STUDY_MEASURE_OF_ROOT] = "items of the root",
        [STUDY_MEASURE_OF_ROW] = "items of the row over all groups across",
        [STUDY_MEASURE_OF_COLUMN] = "that the column adds up to",
        [STUDY_MEASURE_OF_CENSUS] = "questions of the site",
    };

    return measure->kind == STUDY_MEASURE_PART ? "items of the group"
                                               : words[measure->whole];
}

/* The items of all rows that a column adds up: those of the row's set; of all sets for a
 * total, and where sets are the rows. All cells of a set and column have them in common.
 */
static struct measure_behind_column *column_of(struct measure_behind_maker *maker,
                                               size_t r, size_t h)
{
    const struct measure_table *table = maker->from;
    const struct measure_table_items *own = &table->items[r];
    bool all = own->value == NULL;
    struct measure_behind_column *kept = &maker->columns[h];
    struct measure_bits items;

    if (kept->known && kept->all == all && (all || kept->set == own->set.words))
        return kept;
    items = measure_bits_make(own->bits.count, maker->arena);
    for (size_t i = 0; i < table->shown.row_count; i++)
        if (!table->shown.rows[i].total &&
            (all || (table->items[i].value != NULL &&
                     table->items[i].set.words == own->set.words)))
            measure_bits_add(items, table->items[i].bits);
    items = measure_bits_and(items, table->across[h], maker->arena);
    items = measure_bits_and(items, table->columns[h % table->column_count].old,
                             maker->arena);
    *kept = (struct measure_behind_column){.known = true,
                                           .all = all,
                                           .set = own->set.words,
                                           .items = items,
                                           .count = measure_bits_count(items)};
    return kept;
}

/* NULL: items count several times, so that the whole is no list of them. */
static const struct result_list *list_of_column(struct measure_behind_maker *maker,
                                                size_t r, size_t h,
                                                const struct result_cell *cell)
{
    struct measure_behind_column *column = column_of(maker, r, h);

    if (!cell->counted || column->count != cell->n)
        return NULL;
    if (!column->listed) {
        struct measure_behind_wanted wanted = {
            .items = column->items,
            .list = {.across = across_words(&maker->table->columns[h]),
                     .what = what_words(
                         maker, &maker->from->columns[h % maker->from->column_count],
                         false, (struct str){0})}};
        column->list = measure_behind_list_of(maker, &wanted);
        column->listed = true;
    }
    return column->list;
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
    if (measure->kind == STUDY_MEASURE_SHARE &&
        measure->whole == STUDY_MEASURE_OF_COLUMN) {
        out->whole = list_of_column(maker, r, h, out);
        return;
    }
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
    maker.columns = arena_array(arena, struct measure_behind_column, columns + 1);
    for (size_t i = 0; i < shown->row_count * columns; i++)
        set_cell(&maker, i / columns, i % columns, &shown->cells[i]);
}

/* NULL: there was none. */
static const struct result_list *shortened(struct measure_behind_maker *maker,
                                           const struct result_list *given)
{
    if (given == NULL)
        return NULL;
    return measure_behind_list_of(
        maker,
        &(struct measure_behind_wanted){
            .given = given,
            .list = {.row = given->row, .across = given->across, .what = given->what}});
}

void measure_behind_shorten(struct result_table *table,
                            const struct measure_behind_files *files, struct arena *arena)
{
    struct measure_behind_maker maker = begin(table, files, arena);

    table->lists = NULL;
    table->list_count = table->list_room = 0;
    for (size_t i = 0; i < table->row_count * table->column_count; i++) {
        table->cells[i].list = shortened(&maker, table->cells[i].list);
        table->cells[i].whole = shortened(&maker, table->cells[i].whole);
    }
}
