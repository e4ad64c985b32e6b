/* Lists are known by a hash of what they hold. */
#include "measure/behind_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "result/numbers.h"

struct behind_item {
    int64_t id;
    double value; /* NAN: none, or it still waits */
};

struct str measure_behind_list_printed(struct measure_behind_maker *maker,
                                       struct buf *text)
{
    struct str copy = arena_copy(maker->arena, buf_str(text));

    buf_free(text);
    return copy;
}

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

static struct behind_item *given_items(const struct result_list *given,
                                       struct arena *arena)
{
    struct behind_item *items = arena_array(arena, struct behind_item, given->shown + 1);

    for (size_t i = 0; i < given->shown; i++)
        items[i] = (struct behind_item){given->ids[i], NAN};
    qsort(items, given->shown, sizeof *items, compare_valued);
    return items;
}

static struct behind_item *list_items(const struct measure_behind_maker *maker,
                                      const struct measure_behind_wanted *wanted,
                                      struct arena *arena)
{
    if (wanted->given != NULL)
        return given_items(wanted->given, arena);
    struct measure_bits bits = wanted->items;
    struct behind_item *items =
        arena_array(arena, struct behind_item, (size_t)wanted->list.count + 1);
    size_t count = 0;
    int64_t negative = 0; /* those are not among the items */

    for (size_t i = measure_bits_next(bits, 0); i < bits.count;
         i = measure_bits_next(bits, i + 1))
        items[count++] = (struct behind_item){
            maker->from->ids[i],
            wanted->valued != NULL
                ? measure_quantity_value(&wanted->valued->quantity, i, &negative)
                : NAN};
    if (wanted->valued != NULL)
        qsort(items, count, sizeof *items, compare_valued);
    return items;
}

/* So that the value that the number is stands in the middle of those shown. */
static int64_t first_shown(const struct measure_behind_wanted *wanted,
                           const struct behind_item *items)
{
    int64_t count = wanted->list.count, place = 0;

    if (wanted->valued == NULL || count <= MEASURE_BEHIND_FIRST)
        return 0;
    if (wanted->middle)
        place = count / 2;
    while (!isnan(wanted->around) && place < count && items[place].value < wanted->around)
        place++;
    place -= MEASURE_BEHIND_FIRST / 2;
    return place < 0                              ? 0
           : place > count - MEASURE_BEHIND_FIRST ? count - MEASURE_BEHIND_FIRST
                                                  : place;
}

static void write_file(const struct behind_item *items, const struct result_list *list,
                       const struct item_spaces *spaces, struct buf *out)
{
    buf_add(out, STR("id"));
    if (list->value.len > 0) {
        buf_add_char(out, ',');
        buf_add_csv(out, list->value);
    }
    buf_add_char(out, '\n');
    for (int64_t i = 0; i < list->count; i++) {
        item_key_add_csv(out, spaces, items[i].id);
        if (list->value.len > 0)
            buf_add_char(out, ',');
        if (!isnan(items[i].value))
            result_numbers_print(items[i].value, out);
        buf_add_char(out, '\n');
    }
}

/* A set or sample as it is has its file already. */
static bool find_set_file(struct measure_behind_maker *maker,
                          const struct measure_behind_wanted *wanted, struct str *csv)
{
    const struct measure_table *table = maker->from;

    if (wanted->given != NULL || wanted->valued != NULL)
        return false;
    for (size_t s = 0; s < table->set_count; s++) {
        if (memcmp(table->sets[s].bits.words, wanted->items.words,
                   (wanted->items.count + 7) / 8) != 0)
            continue;
        struct buf path = {0};
        buf_add_format(&path, "%s/%.*s.csv", table->sets[s].sample ? "samples" : "sets",
                       STR_ARG(table->sets[s].name));
        *csv = measure_behind_list_printed(maker, &path);
        return true;
    }
    return false;
}

static struct str csv_of(struct measure_behind_maker *maker,
                         const struct measure_behind_wanted *wanted,
                         const struct behind_item *items, struct str holds)
{
    struct buf path = {0};
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
    write_file(items, &wanted->list, maker->to->spaces,
               maker->to->file(maker->to->context, number));
    buf_add_format(&path, "%s/%.*s/%zu.csv", maker->to->folder,
                   STR_ARG(maker->table->name), number);
    return measure_behind_list_printed(maker, &path);
}

/* What tells lists with other items or values apart. */
static void add_content(const struct measure_behind_wanted *wanted,
                        const struct behind_item *items, struct buf *out)
{
    XXH128_hash_t hash =
        wanted->given != NULL
            ? XXH3_128bits(items, (size_t)wanted->list.count * sizeof *items)
            : XXH3_128bits(wanted->items.words, wanted->items.count / 8 + 1);

    buf_add_format(out, "%016llx%016llx %d %.*s", (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64,
                   wanted->valued != NULL ? wanted->valued->quantity.round_first : 0,
                   STR_ARG(wanted->list.value));
}

/* With its csv, and the part of its items that is shown. */
static void keep_list(struct measure_behind_maker *maker,
                      const struct measure_behind_wanted *wanted,
                      const struct behind_item *items, struct str holds)
{
    struct result_list *list = arena_array(maker->arena, struct result_list, 1);
    int64_t rest = wanted->list.count - wanted->list.from;

    *list = wanted->list;
    list->csv = csv_of(maker, wanted, items, holds);
    list->shown = rest < MEASURE_BEHIND_FIRST ? (size_t)rest : MEASURE_BEHIND_FIRST;
    int64_t *ids = arena_array(maker->arena, int64_t, list->shown);
    double *values =
        list->value.len > 0 ? arena_array(maker->arena, double, list->shown) : NULL;
    for (size_t i = 0; i < list->shown; i++) {
        ids[i] = items[(size_t)list->from + i].id;
        if (values != NULL)
            values[i] = items[(size_t)list->from + i].value;
    }
    list->ids = ids;
    list->values = values;
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
    struct behind_item *items = list_items(maker, wanted, &work);
    add_content(wanted, items, &holds);
    list->from = first_shown(wanted, items);
    size_t same = holds.len;
    buf_add_format(&holds, " %lld", (long long)list->from);
    if (wanted->given != NULL) /* what they are is all that is known of them */
        buf_add(&holds, list->what);
    int64_t *number = map_put(&maker->lists, buf_str(&holds));
    if (*number == 0) {
        keep_list(maker, wanted, items, str_slice(buf_str(&holds), 0, same));
        *number = (int64_t)maker->table->list_count;
    }
    const struct result_list *found = maker->table->lists[*number - 1];
    buf_free(&holds);
    arena_free(&work);
    return found;
}
