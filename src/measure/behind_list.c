/* Lists are known by a hash of what they hold. */
#include "measure/behind_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "measure/numbers.h"

struct str behind_list_printed(struct behind_maker *maker, struct buf *text)
{
    struct str copy = arena_copy(maker->arena, buf_str(text));

    buf_free(text);
    return copy;
}

struct str behind_list_row(struct behind_maker *maker, size_t r)
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
    return behind_list_printed(maker, &text);
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

static struct behind_item *given_items(const struct table_evidence *given,
                                       struct arena *arena)
{
    struct behind_item *items = arena_array(arena, struct behind_item, given->count + 1);

    for (size_t i = 0; i < given->count; i++)
        items[i] = (struct behind_item){given->ids[i], NAN};
    qsort(items, given->count, sizeof *items, compare_valued);
    return items;
}

static struct behind_item *list_items(const struct behind_maker *maker,
                                      const struct behind_wanted *wanted,
                                      struct arena *arena)
{
    if (wanted->given != NULL)
        return given_items(wanted->given, arena);
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
static int64_t first_shown(const struct behind_wanted *wanted,
                           const struct behind_item *items)
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
static bool find_set_file(struct behind_maker *maker, const struct behind_wanted *wanted,
                          struct str *csv)
{
    const struct table *table = maker->table;

    for (size_t s = 0;
         s < table->set_count && wanted->valued == NULL && wanted->given == NULL; s++) {
        if (memcmp(table->sets[s].bits.words, wanted->items.words,
                   (wanted->items.count + 7) / 8) != 0)
            continue;
        struct buf path = {0};
        buf_add_format(&path, "%s/%.*s.csv", table->sets[s].sample ? "samples" : "sets",
                       STR_ARG(table->sets[s].name));
        *csv = behind_list_printed(maker, &path);
        return true;
    }
    return false;
}

static struct str csv_of(struct behind_maker *maker, const struct behind_wanted *wanted,
                         const struct behind_item *items, struct str holds)
{
    struct buf path = {0};
    struct str csv = {0};
    int64_t *owner = map_put(&maker->files, holds);

    if (*owner > 0)
        return maker->all[*owner - 1].csv;
    *owner = (int64_t)maker->count + 1;
    if (find_set_file(maker, wanted, &csv) ||
        maker->lines + wanted->list.count > maker->to->lines)
        return csv;
    maker->lines += wanted->list.count;
    write_file(items, &wanted->list, maker->to->file(maker->to->context, maker->count));
    buf_add_format(&path, "%s/%.*s/%zu.csv", maker->to->folder,
                   STR_ARG(maker->table->name), maker->count);
    return behind_list_printed(maker, &path);
}

/* What tells lists with other items or values apart. */
static void add_content(const struct behind_wanted *wanted,
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

size_t behind_list_of(struct behind_maker *maker, struct behind_wanted *wanted)
{
    struct behind_list *list = &wanted->list;
    struct arena work = {0};
    struct buf holds = {0};

    list->count =
        wanted->given != NULL ? (int64_t)wanted->given->count : bits_count(wanted->items);
    if (list->count == 0)
        return BEHIND_NONE;
    if (maker->count == BEHIND_LISTS) {
        maker->cut = true;
        return BEHIND_NONE;
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
