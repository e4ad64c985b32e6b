/* Labels from a csv: names become numbers in the order in which they come, but codes
 * stand in the order of bytes; and which code is above which. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "base/map.h"
#include "base/order.h"
#include "input/csv.h"
#include "label/agree.h"
#include "label/unit.h"

enum { FILE_BYTES_MAX = 1 << 30 };

struct entry { /* a code that a rater gave to an item, or to a unit in it */
    size_t item, rater, code;
    size_t row;  /* the order in which they come */
    size_t unit; /* of the rater; none where items have no units */
    size_t part;
};

struct own_unit { /* of a rater in an item */
    size_t item;
    struct label_unit unit;
};

struct agree_read_loader {
    const struct label_agree_columns *columns;
    struct map items, raters, codes;
    struct buf entries;
    size_t rows;
    size_t item, rater, label; /* the columns of the csv */
    size_t *wide;              /* those of raters, where each has one of his own */
    size_t wide_count;
    size_t unit, place, by;  /* the same; LABEL_AGREE_NONE: none */
    struct map parts, units; /* of units: item, rater and name */
    struct arena *arena;
    LIST(struct own_unit) own;
};

/* The column that is named, or the usual one if there is such a one. */
static bool find_optional(const struct input_csv_row *head, struct str name,
                          struct str usual, size_t *column, struct err *err)
{
    if (name.len > 0)
        return input_csv_rows_need(head, name, column, err);
    *column = usual.len > 0 ? input_csv_rows_find(head, usual) : head->count;
    if (*column == head->count)
        *column = LABEL_AGREE_NONE;
    return true;
}

/* A column for each rater: their heads are the names of raters. */
static bool find_wide(struct agree_read_loader *loader, const struct input_csv_row *head,
                      struct err *err)
{
    struct str rest = loader->columns->wide, name;

    loader->wide = arena_array(loader->arena, size_t, rest.len / 2 + 2);
    for (bool more = true; more;) {
        more = str_cut(&rest, ',', &name);
        if (str_trim(name).len == 0)
            return err_set(err, ERR_USAGE,
                           "'%.*s' has an empty name, expected columns of raters such as "
                           "ann,bob",
                           STR_ARG(loader->columns->wide));
        size_t *column = &loader->wide[loader->wide_count++];
        if (!input_csv_rows_need(head, str_trim(name), column, err))
            return false;
        if (map_number(&loader->raters, str_trim(name)) + 1 != loader->wide_count)
            return err_set(err, ERR_USAGE, "the rater '%.*s' is named twice",
                           STR_ARG(str_trim(name)));
    }
    return true;
}

static bool find_long(struct agree_read_loader *loader, const struct input_csv_row *head,
                      struct err *err)
{
    const struct label_agree_columns *columns = loader->columns;
    bool neither = input_csv_rows_find(head, columns->rater) == head->count &&
                   input_csv_rows_find(head, columns->label) == head->count;

    if (input_csv_rows_need(head, columns->rater, &loader->rater, err) &&
        input_csv_rows_need(head, columns->label, &loader->label, err))
        return true;
    size_t len = strlen(err->text);
    if (neither)
        snprintf(err->text + len, sizeof err->text - len,
                 "; where each rater has a column of his own, name these with --raters");
    return false;
}

static bool read_head(void *context, const struct input_csv_row *head, struct err *err)
{
    struct agree_read_loader *loader = context;
    const struct label_agree_columns *columns = loader->columns;

    return input_csv_rows_need(head, columns->item, &loader->item, err) &&
           (columns->wide.len > 0 ? find_wide : find_long)(loader, head, err) &&
           find_optional(head, columns->unit, columns->usual ? STR("unit") : STR(""),
                         &loader->unit, err) &&
           /* A place alone may be anything, such as a town. */
           find_optional(head, columns->place,
                         loader->unit != LABEL_AGREE_NONE ? STR("place") : STR(""),
                         &loader->place, err) &&
           find_optional(head, columns->by, STR(""), &loader->by, err);
}

/* The rater's unit that a row is about. Without a name it is called by its place. */
static bool read_unit(struct agree_read_loader *loader, const struct input_csv_row *row,
                      struct entry *entry, struct err *err)
{
    struct str name = {0}, place = {0};
    struct buf key = {0};

    if (loader->unit == LABEL_AGREE_NONE && loader->place == LABEL_AGREE_NONE)
        return true;
    if (loader->unit != LABEL_AGREE_NONE)
        name = str_trim(row->fields[loader->unit]);
    if (loader->place != LABEL_AGREE_NONE)
        place = str_trim(row->fields[loader->place]);
    if (name.len == 0)
        name = place;
    buf_add_format(&key, "%zu %zu ", entry->item, entry->rater);
    buf_add(&key, name);
    entry->unit = map_number(&loader->units, buf_str(&key));
    buf_free(&key);
    if (entry->unit < loader->own.count)
        return true;
    struct own_unit own = {
        .item = entry->item,
        .unit = {.rater = entry->rater, .name = arena_copy(loader->arena, name)}};
    place = arena_copy(loader->arena, place);
    if (!label_unit_place_read(place, &own.unit.place, err))
        return false;
    list_add(&loader->own, own);
    return true;
}

static bool read_labels(struct agree_read_loader *loader, const struct input_csv_row *row,
                        struct entry entry, struct str labels, struct err *err)
{
    char separator = loader->columns->separator;
    struct str label;

    entry.row = loader->rows++;
    if (loader->by != LABEL_AGREE_NONE)
        entry.part = map_number(&loader->parts, str_trim(row->fields[loader->by]));
    if (!read_unit(loader, row, &entry, err))
        return false;
    for (bool more = true; more;) {
        label = labels;
        more = separator != '\0' && str_cut(&labels, separator, &label);
        label = str_trim(label);
        if (label.len == 0)
            continue;
        entry.code = map_number(&loader->codes, label);
        buf_add(&loader->entries, (struct str){(const char *)&entry, sizeof entry});
    }
    return true;
}

/* An empty cell of a wide table is no label. */
static bool read_row(void *context, const struct input_csv_row *row, struct err *err)
{
    struct agree_read_loader *loader = context;
    struct str item = str_trim(row->fields[loader->item]);
    bool wide = loader->wide_count > 0, ok = true;
    struct str rater = wide ? (struct str){0} : str_trim(row->fields[loader->rater]);

    if (item.len == 0 || (rater.len == 0 && !wide))
        return err_set(err, ERR_INPUT, "the row names no %s",
                       item.len == 0 ? "item" : "rater");
    struct entry entry = {.item = map_number(&loader->items, item)};
    if (!wide) {
        entry.rater = map_number(&loader->raters, rater);
        return read_labels(loader, row, entry, row->fields[loader->label], err);
    }
    for (; ok && entry.rater < loader->wide_count; entry.rater++)
        ok = read_labels(loader, row, entry, row->fields[loader->wide[entry.rater]], err);
    return ok;
}

static struct str *names_of(const struct map *map, struct arena *arena)
{
    struct str *names = arena_array(arena, struct str, map->count + 1);

    for (size_t i = 0; i < map->capacity; i++)
        if (map->entries[i].key.ptr != NULL)
            names[map->entries[i].value] = map->entries[i].key;
    return names;
}

static int compare_names(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* Codes in the order of bytes; entries are renumbered. */
static void sort_codes(struct agree_read_loader *loader, struct arena *arena,
                       struct label_agree_data *out)
{
    size_t count = loader->codes.count;
    struct str *names = names_of(&loader->codes, arena);
    struct label_agree_code *codes =
        arena_array(arena, struct label_agree_code, count + 1);
    size_t *place = arena_array(arena, size_t, count + 1);
    struct entry *entries = (struct entry *)(void *)loader->entries.ptr;

    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 0; i < count; i++) {
        codes[i] = (struct label_agree_code){names[i], names[i], LABEL_AGREE_NONE, 1};
        place[*map_get(&loader->codes, names[i])] = i;
    }
    for (size_t i = 0; i < loader->entries.len / sizeof *entries; i++)
        entries[i].code = place[entries[i].code];
    out->codes = codes;
    out->code_count = count;
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *one = a, *two = b;
    const size_t keys[][2] = {{one->item, two->item},
                              {one->rater, two->rater},
                              {one->code, two->code},
                              {one->row, two->row}};

    for (size_t i = 0; i < ROWS_OF(keys); i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

struct ordered { /* a label, and the row that finished it */
    struct label_agree_label label;
    size_t row, part;
};

static int compare_rows(const void *a, const void *b)
{
    const struct ordered *one = a, *two = b;

    return one->row < two->row ? -1 : one->row > two->row;
}

/* Units of raters that are the same one become one, which stands in place of the item. */

static int compare_own(const void *a, const void *b)
{
    const struct own_unit *one = *(const struct own_unit *const *)a,
                          *two = *(const struct own_unit *const *)b;

    return order_then(order_then(ORDER_BY(one->item, two->item),
                                 ORDER_BY(one->unit.rater, two->unit.rater)),
                      ORDER_BY(one, two));
}

static void match_units(struct agree_read_loader *loader, struct arena *arena,
                        struct label_agree_data *out)
{
    size_t count = loader->own.count, made = 0;
    struct entry *entries = (struct entry *)(void *)loader->entries.ptr;
    const struct own_unit **sorted =
        arena_array(arena, const struct own_unit *, count + 1);
    struct label_unit *units = arena_array(arena, struct label_unit, count + 1);
    size_t *match = arena_array(arena, size_t, count + 1);
    size_t *of = arena_array(arena, size_t, count + 1);
    size_t *whole_of = arena_array(arena, size_t, count + 1);
    struct str *names = arena_array(arena, struct str, count + 1);

    out->wholes = names_of(&loader->items, arena);
    out->whole_count = loader->items.count;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &loader->own.at[i];
    if (count > 0)
        qsort(sorted, count, sizeof *sorted, compare_own);
    for (size_t begin = 0, end; begin < count; begin = end) {
        size_t item = sorted[begin]->item;
        for (end = begin; end < count && sorted[end]->item == item; end++)
            units[end - begin] = sorted[end]->unit;
        size_t groups = label_unit_match(units, end - begin, match);
        for (size_t i = end; i > begin; i--) {
            size_t unit = made + match[i - 1 - begin];
            of[sorted[i - 1] - loader->own.at] = unit;
            whole_of[unit] = item;
            names[unit] = arena_format(arena, "%.*s#%.*s", STR_ARG(out->wholes[item]),
                                       STR_ARG(sorted[i - 1]->unit.name));
        }
        made += groups;
    }
    for (size_t i = 0; i < loader->entries.len / sizeof *entries; i++)
        entries[i].item = of[entries[i].unit];
    out->whole_of = whole_of;
    out->items = names;
    out->item_count = made;
}

/* Entries of one item and rater become a label. */
static void gather(struct agree_read_loader *loader, struct arena *arena,
                   struct label_agree_data *out)
{
    size_t count = loader->entries.len / sizeof(struct entry), made = 0;
    struct entry *entries = (struct entry *)(void *)loader->entries.ptr;
    struct ordered *ordered = arena_array(arena, struct ordered, count + 1);
    size_t *codes = arena_array(arena, size_t, count + 1);
    size_t *parts = arena_array(arena, size_t, count + 1);

    if (count > 0)
        qsort(entries, count, sizeof *entries, compare_entries);
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &entries[i], *last = i > 0 ? entry - 1 : NULL;
        bool same =
            last != NULL && last->item == entry->item && last->rater == entry->rater;
        struct ordered *one = same ? &ordered[made - 1] : &ordered[made++];
        if (!same)
            *one = (struct ordered){
                {entry->item, entry->rater, &codes[i], 0, NAN}, entry->row, entry->part};
        if (!same || last->code != entry->code)
            codes[(size_t)(one->label.codes - codes) + one->label.code_count++] =
                entry->code;
        if (entry->row > one->row)
            one->row = entry->row;
    }
    if (made > 0)
        qsort(ordered, made, sizeof *ordered, compare_rows);
    struct label_agree_label *labels =
        arena_array(arena, struct label_agree_label, made + 1);
    for (size_t i = 0; i < made; i++) {
        labels[i] = ordered[i].label;
        parts[i] = ordered[i].part;
    }
    out->labels = labels;
    out->label_count = made;
    out->part_of = parts;
}

bool label_agree_parse(struct str text, const char *path,
                       const struct label_agree_columns *columns, struct arena *arena,
                       struct label_agree_data *out, struct err *err)
{
    struct agree_read_loader loader = {.columns = columns,
                                       .items = {.arena = arena},
                                       .raters = {.arena = arena},
                                       .codes = {.arena = arena},
                                       .parts = {.arena = arena},
                                       .units = {.arena = arena},
                                       .arena = arena};
    struct input_csv_rows to = {read_head, read_row, &loader};

    *out = (struct label_agree_data){0};
    bool ok = input_csv_rows_read(text, path, &to, err);
    if (ok) {
        out->items = names_of(&loader.items, arena);
        out->item_count = loader.items.count;
        if (loader.own.count > 0)
            match_units(&loader, arena, out);
        sort_codes(&loader, arena, out);
        gather(&loader, arena, out);
        out->parts = names_of(&loader.parts, arena);
        out->part_count = loader.parts.count;
        out->raters = names_of(&loader.raters, arena);
        out->rater_count = loader.raters.count;
    }
    buf_free(&loader.entries);
    list_free(&loader.own);
    return ok;
}

bool label_agree_read(const char *path, const struct label_agree_columns *columns,
                      struct arena *arena, struct label_agree_data *out, struct err *err)
{
    struct arena file = {0};
    struct str text;
    bool ok = file_read_max(path, FILE_BYTES_MAX, &file, &text, err) &&
              label_agree_parse(text, path, columns, arena, out, err);

    arena_free(&file);
    return ok;
}

/* Which code stands before which. */

struct numbered {
    double number;
    size_t code;
};

static int compare_numbered(const void *a, const void *b)
{
    const struct numbered *one = a, *two = b;

    return one->number < two->number ? -1 : one->number > two->number;
}

/* Codes that are the same number, such as 1 and 1.0, share a place. */
static void order_by_number(struct label_agree_data *data, struct arena *arena)
{
    size_t count = data->code_count, *places = arena_array(arena, size_t, count + 1);
    struct numbered *codes = arena_array(arena, struct numbered, count + 1);
    double *numbers = arena_array(arena, double, count + 1);
    struct str *names = arena_array(arena, struct str, count + 1);
    size_t made = 0;

    for (size_t i = 0; i < count; i++) {
        codes[i].code = i;
        if (!str_to_real(data->codes[i].path, &codes[i].number))
            return;
    }
    qsort(codes, count, sizeof *codes, compare_numbered);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || codes[i].number != codes[i - 1].number) {
            numbers[made] = codes[i].number;
            names[made++] = data->codes[codes[i].code].path;
        }
        places[codes[i].code] = made - 1;
    }
    if (made > 2) /* of two, one order is as good as the other */
        data->order = (struct label_agree_order){places, numbers, names, made};
}

static size_t find_code(const struct label_agree_data *data, struct str text)
{
    for (size_t i = 0; i < data->code_count; i++)
        if (str_eq(data->codes[i].path, text))
            return i;
    for (size_t i = 0; i < data->code_count; i++)
        if (str_eq(data->codes[i].name, text))
            return i;
    double wanted, number;
    for (size_t i = 0; i < data->code_count && str_to_real(text, &wanted); i++)
        if (str_to_real(data->codes[i].path, &number) && number == wanted)
            return i;
    return LABEL_AGREE_NONE;
}

static bool order_by_list(struct label_agree_data *data, struct str list,
                          struct arena *arena, struct err *err)
{
    size_t *places = arena_array(arena, size_t, data->code_count + 1), found = 0;
    struct str *names = arena_array(arena, struct str, list.len / 2 + 1), one;
    size_t count = 0;

    for (size_t i = 0; i < data->code_count; i++)
        places[i] = LABEL_AGREE_NONE;
    for (bool more = true; more;) {
        more = str_cut(&list, ',', &one);
        one = str_trim(one);
        if (one.len == 0)
            return err_set(err, ERR_USAGE, "the order of labels has an empty place");
        for (size_t i = 0; i < count; i++)
            if (str_eq(names[i], one))
                return err_set(err, ERR_USAGE,
                               "the order of labels has '%.*s' for the second time",
                               STR_ARG(one));
        size_t code = find_code(data, one);
        if (code != LABEL_AGREE_NONE) {
            places[code] = count;
            found++;
        }
        names[count++] = one;
    }
    if (count < 2)
        return err_set(err, ERR_USAGE, "an order of labels has two at least");
    if (found == 0)
        return err_set(err, ERR_USAGE, "no label is in the order that was given");
    data->order = (struct label_agree_order){places, NULL, names, count};
    double *numbers = arena_array(arena, double, count + 1);
    size_t read = 0;
    while (read < count && str_to_real(names[read], &numbers[read]))
        read++;
    if (read == count) /* a distance is a distance, whichever way the list goes */
        data->order.numbers = numbers;
    return true;
}

bool label_agree_set_order(struct label_agree_data *data, struct str list,
                           struct arena *arena, struct err *err)
{
    data->order = (struct label_agree_order){0};
    if (list.len > 0)
        return order_by_list(data, list, arena, err);
    order_by_number(data, arena);
    return true;
}

size_t label_agree_outside(const struct label_agree_data *data, size_t code)
{
    size_t count = 0;

    for (size_t i = 0; i < data->label_count && data->order.count > 0; i++) {
        const struct label_agree_label *label = &data->labels[i];
        size_t own = label->code_count == 1 ? label->codes[0] : data->code_count;
        count += (code == LABEL_AGREE_NONE || code == own) &&
                 (own == data->code_count || data->order.places[own] == LABEL_AGREE_NONE);
    }
    return count;
}
