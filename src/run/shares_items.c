/* Rows become arrays that quantify.h takes. */
#include "run/shares_items.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "run/output.h"

struct columns {
    struct buf places, role, truth, said, stratum, probabilities;
};

struct reading {
    const struct frame *frame;
    struct arena *arena;
    struct columns columns;
    struct shares_items *out;
};

static bool is_column(const struct result_table *table, size_t c, const char *name,
                      enum result_type type)
{
    return c < table->column_count && table->columns[c].type == type &&
           (name == NULL || str_eq(table->columns[c].name, str_from(name)));
}

static bool read_head(void *context, const struct result_table *table, struct err *err)
{
    struct reading *reading = context;
    size_t classes =
        table->column_count < SHARES_ITEMS_CLASSES
            ? 0
            : (table->column_count - SHARES_ITEMS_CLASSES) / SHARES_ITEMS_COLUMNS;
    bool ok =
        is_column(table, SHARES_ITEMS_ID, "id", RESULT_ITEM) &&
        is_column(table, SHARES_ITEMS_ROLE, "role", RESULT_TEXT) &&
        is_column(table, SHARES_ITEMS_STRATUM, "stratum", RESULT_COUNT) &&
        table->column_count == SHARES_ITEMS_CLASSES + classes * SHARES_ITEMS_COLUMNS;

    reading->out->known.classes = classes;
    reading->out->classes = arena_array(reading->arena, struct str, classes + 1);
    for (size_t k = 0; k < classes; k++) {
        size_t c = SHARES_ITEMS_CLASSES + k * SHARES_ITEMS_COLUMNS;
        ok = ok && is_column(table, c + SHARES_ITEMS_TRULY, NULL, RESULT_COUNT) &&
             is_column(table, c + SHARES_ITEMS_SAID, NULL, RESULT_COUNT) &&
             is_column(table, c + SHARES_ITEMS_PROBABILITY, NULL, RESULT_SHARE);
        reading->out->classes[k] = arena_copy(reading->arena, table->columns[c].name);
    }
    return ok || err_set(err, ERR_INPUT, "expected the columns of a classifier's items");
}

/* Of one item: whether it has each class, truly or as was said. */
static bool read_classes(struct reading *reading, const struct result_cell *cells,
                         struct buf *to)
{
    size_t count = 0;

    for (size_t k = 0; k < reading->out->known.classes; k++) {
        double is = cells[k * SHARES_ITEMS_COLUMNS].value;
        if (is != 0 && is != 1 && !isnan(is))
            return false;
        buf_add_char(to, is == 1);
        count += is == 1;
    }
    reading->out->known.several = reading->out->known.several || count > 1;
    return true;
}

/* Missing: not known. There are no more strata than items. */
static bool read_stratum(struct reading *reading, double number, struct buf *to)
{
    if (isnan(number))
        number = 0;
    if (number < 0 || number != floor(number) || number >= (double)reading->frame->count)
        return false;
    size_t stratum = (size_t)number;
    if (stratum >= reading->out->known.strata)
        reading->out->known.strata = stratum + 1;
    buf_add(to, (struct str){(const char *)&stratum, sizeof stratum});
    return true;
}

static bool read_item(struct reading *reading, const struct result_cell *cells)
{
    struct columns *columns = &reading->columns;
    struct str role = cells[SHARES_ITEMS_ROLE].text;
    size_t place = frame_find(reading->frame, cells[SHARES_ITEMS_ID].item);

    if (place == reading->frame->count)
        return false;
    buf_add(&columns->places, (struct str){(const char *)&place, sizeof place});
    buf_add_char(&columns->role, str_eq(role, STR("drawn"))    ? QUANTIFY_DRAWN
                                 : str_eq(role, STR("chosen")) ? QUANTIFY_CHOSEN
                                                               : QUANTIFY_UNLABELLED);
    if (!read_classes(reading, &cells[SHARES_ITEMS_CLASSES + SHARES_ITEMS_TRULY],
                      &columns->truth) ||
        !read_classes(reading, &cells[SHARES_ITEMS_CLASSES + SHARES_ITEMS_SAID],
                      &columns->said) ||
        !read_stratum(reading, cells[SHARES_ITEMS_STRATUM].value, &columns->stratum))
        return false;
    for (size_t k = 0; k < reading->out->known.classes; k++) {
        double probability = cells[SHARES_ITEMS_CLASSES + k * SHARES_ITEMS_COLUMNS +
                                   SHARES_ITEMS_PROBABILITY]
                                 .value;
        buf_add(&columns->probabilities,
                (struct str){(const char *)&probability, sizeof probability});
    }
    return true;
}

static bool read_row(void *context, const struct result_row *row,
                     const struct result_cell *cells, struct err *err)
{
    (void)row;
    return read_item(context, cells) ||
           err_set(err, ERR_INPUT, "no item as a classifier leaves it");
}

static void *taken(struct buf *from, struct arena *arena)
{
    void *copy = arena_array(arena, max_align_t, from->len / sizeof(max_align_t) + 1);

    if (from->len > 0)
        memcpy(copy, from->ptr, from->len);
    buf_free(from);
    return copy;
}

/* Takes the columns over, also what there is of them after an error. */
static void take_columns(struct reading *reading)
{
    struct columns *columns = &reading->columns;
    struct shares_items *out = reading->out;

    out->known.count = columns->role.len;
    out->places = taken(&columns->places, reading->arena);
    out->known.role = taken(&columns->role, reading->arena);
    out->known.truth = taken(&columns->truth, reading->arena);
    out->known.said = taken(&columns->said, reading->arena);
    out->known.stratum = taken(&columns->stratum, reading->arena);
    out->known.probabilities = taken(&columns->probabilities, reading->arena);
}

bool shares_items_read(const char *folder, struct str classifier,
                       const struct frame *frame, struct arena *arena,
                       struct shares_items *out, struct err *err)
{
    struct reading reading = {.frame = frame, .arena = arena, .out = out};
    struct result_file_rows rows = {STR("items"), read_head, read_row, &reading};

    *out = (struct shares_items){0};
    bool ok = output_read_rows(folder, "classifiers", classifier, &rows, err);
    take_columns(&reading);
    return ok;
}
