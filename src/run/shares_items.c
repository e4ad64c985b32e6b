/* Rows become arrays that quantify.h takes. */
#include "run/shares_items.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "run/output.h"

struct shares_items_columns {
    struct buf places, role, truth, said, stratum, probabilities;
};

struct shares_items_reading {
    const struct measure_frame *frame;
    struct arena *arena;
    struct shares_items_columns columns;
    struct run_shares_items *out;
};

static bool is_column(const struct result_table *table, size_t c, const char *name,
                      enum result_type type)
{
    return c < table->column_count && table->columns[c].type == type &&
           (name == NULL || str_eq(table->columns[c].name, str_from(name)));
}

static bool read_head(void *context, const struct result_table *table, struct err *err)
{
    struct shares_items_reading *reading = context;
    size_t classes =
        table->column_count < RUN_SHARES_ITEMS_CLASSES
            ? 0
            : (table->column_count - RUN_SHARES_ITEMS_CLASSES) / RUN_SHARES_ITEMS_COLUMNS;
    bool ok = is_column(table, RUN_SHARES_ITEMS_ID, "id", RESULT_ITEM) &&
              is_column(table, RUN_SHARES_ITEMS_ROLE, "role", RESULT_TEXT) &&
              is_column(table, RUN_SHARES_ITEMS_STRATUM, "stratum", RESULT_COUNT) &&
              table->column_count ==
                  RUN_SHARES_ITEMS_CLASSES + classes * RUN_SHARES_ITEMS_COLUMNS;

    reading->out->known.classes = classes;
    reading->out->classes = arena_array(reading->arena, struct str, classes + 1);
    for (size_t k = 0; k < classes; k++) {
        size_t c = RUN_SHARES_ITEMS_CLASSES + k * RUN_SHARES_ITEMS_COLUMNS;
        ok = ok && is_column(table, c + RUN_SHARES_ITEMS_TRULY, NULL, RESULT_COUNT) &&
             is_column(table, c + RUN_SHARES_ITEMS_SAID, NULL, RESULT_COUNT) &&
             is_column(table, c + RUN_SHARES_ITEMS_PROBABILITY, NULL, RESULT_SHARE);
        reading->out->classes[k] = arena_copy(reading->arena, table->columns[c].name);
    }
    return ok || err_set(err, ERR_INPUT, "expected the columns of a classifier's items");
}

/* Of one item: whether it has each class, truly or as was said. */
static bool read_classes(struct shares_items_reading *reading,
                         const struct result_cell *cells, struct buf *to)
{
    size_t count = 0;

    for (size_t k = 0; k < reading->out->known.classes; k++) {
        double is = cells[k * RUN_SHARES_ITEMS_COLUMNS].value;
        if (is != 0 && is != 1 && !isnan(is))
            return false;
        buf_add_char(to, is == 1);
        count += is == 1;
    }
    reading->out->known.several = reading->out->known.several || count > 1;
    return true;
}

/* Missing: not known. There are no more strata than items. */
static bool read_stratum(struct shares_items_reading *reading, double number,
                         struct buf *to)
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

static bool read_item(struct shares_items_reading *reading,
                      const struct result_cell *cells)
{
    struct shares_items_columns *columns = &reading->columns;
    struct str role = cells[RUN_SHARES_ITEMS_ROLE].text;
    size_t place = measure_frame_find(reading->frame, cells[RUN_SHARES_ITEMS_ID].item);

    if (place == reading->frame->count)
        return false;
    buf_add(&columns->places, (struct str){(const char *)&place, sizeof place});
    buf_add_char(&columns->role, str_eq(role, STR("drawn")) ? LEARN_QUANTIFY_DRAWN
                                 : str_eq(role, STR("chosen"))
                                     ? LEARN_QUANTIFY_CHOSEN
                                     : LEARN_QUANTIFY_UNLABELLED);
    if (!read_classes(reading, &cells[RUN_SHARES_ITEMS_CLASSES + RUN_SHARES_ITEMS_TRULY],
                      &columns->truth) ||
        !read_classes(reading, &cells[RUN_SHARES_ITEMS_CLASSES + RUN_SHARES_ITEMS_SAID],
                      &columns->said) ||
        !read_stratum(reading, cells[RUN_SHARES_ITEMS_STRATUM].value, &columns->stratum))
        return false;
    for (size_t k = 0; k < reading->out->known.classes; k++) {
        double probability =
            cells[RUN_SHARES_ITEMS_CLASSES + k * RUN_SHARES_ITEMS_COLUMNS +
                  RUN_SHARES_ITEMS_PROBABILITY]
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
static void take_columns(struct shares_items_reading *reading)
{
    struct shares_items_columns *columns = &reading->columns;
    struct run_shares_items *out = reading->out;

    out->known.count = columns->role.len;
    out->places = taken(&columns->places, reading->arena);
    out->known.role = taken(&columns->role, reading->arena);
    out->known.truth = taken(&columns->truth, reading->arena);
    out->known.said = taken(&columns->said, reading->arena);
    out->known.stratum = taken(&columns->stratum, reading->arena);
    out->known.probabilities = taken(&columns->probabilities, reading->arena);
}

bool run_shares_items_read(const char *folder, struct str classifier,
                           const struct measure_frame *frame, struct arena *arena,
                           struct run_shares_items *out, struct err *err)
{
    struct shares_items_reading reading = {.frame = frame, .arena = arena, .out = out};
    struct result_file_rows rows = {STR("items"), read_head, read_row, &reading};

    *out = (struct run_shares_items){0};
    bool ok = run_output_read_rows(folder, "classifiers", classifier, &rows, err);
    take_columns(&reading);
    return ok;
}
