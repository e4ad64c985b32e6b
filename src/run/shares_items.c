/* Rows become arrays that quantify.h takes. */
#include "run/shares_items.h"

#include <stddef.h>
#include <string.h>

#include "base/file.h"
#include "input/csv.h"

enum { FIRST_CLASS = 5 /* column */ };

struct columns {
    struct buf places, role, truth, said, stratum, probabilities;
};

struct reading {
    const struct frame *frame;
    struct arena *arena;
    struct columns columns;
    uint8_t *is; /* room for a row's classes */
    struct shares_items *out;
};

static void read_heads(struct reading *reading, const struct csv_row *row)
{
    size_t classes = row->count - FIRST_CLASS;

    reading->out->known.classes = classes;
    reading->out->classes = arena_array(reading->arena, struct str, classes + 1);
    reading->is = arena_array(reading->arena, uint8_t, classes + 1);
    for (size_t k = 0; k < classes; k++)
        reading->out->classes[k] =
            arena_copy(reading->arena, row->fields[FIRST_CLASS + k]);
}

/* "0 3": numbers of classes. */
static bool read_classes(struct reading *reading, struct str text, uint8_t *is)
{
    struct str one;
    int64_t number;
    size_t count = 0;

    for (bool more = text.len > 0; more; count++) {
        more = str_cut(&text, ' ', &one);
        if (!str_to_int(one, &number) || number < 0 ||
            (size_t)number >= reading->out->known.classes)
            return false;
        is[number] = 1;
    }
    reading->out->known.several = reading->out->known.several || count > 1;
    return true;
}

/* Empty: not known. There are no more strata than items. */
static bool read_stratum(struct reading *reading, struct str text, struct buf *to)
{
    int64_t number = 0;

    if (text.len > 0 && (!str_to_int(text, &number) || number < 0 ||
                         (size_t)number >= reading->frame->count))
        return false;
    size_t stratum = (size_t)number;
    if (stratum >= reading->out->known.strata)
        reading->out->known.strata = stratum + 1;
    buf_add(to, (struct str){(const char *)&stratum, sizeof stratum});
    return true;
}

static bool read_item(struct reading *reading, const struct csv_row *row)
{
    struct columns *columns = &reading->columns;
    uint8_t *is = reading->is;
    size_t classes = reading->out->known.classes;
    uint8_t role = str_eq(row->fields[1], STR("drawn"))    ? QUANTIFY_DRAWN
                   : str_eq(row->fields[1], STR("chosen")) ? QUANTIFY_CHOSEN
                                                           : QUANTIFY_UNLABELLED;
    int64_t id;

    if (!item_key_read(reading->frame->spaces, row->fields[0], &id, &(struct err){0}))
        return false;
    size_t place = frame_find(reading->frame, id);
    if (place == reading->frame->count)
        return false;
    buf_add(&columns->places, (struct str){(const char *)&place, sizeof place});
    buf_add_char(&columns->role, (char)role);
    for (size_t s = 0; s < 2; s++) {
        memset(is, 0, classes);
        if (!read_classes(reading, row->fields[2 + s], is))
            return false;
        buf_add(s == 0 ? &columns->truth : &columns->said,
                (struct str){(const char *)is, classes});
    }
    if (!read_stratum(reading, row->fields[4], &columns->stratum))
        return false;
    for (size_t k = 0; k < classes; k++) {
        double probability;
        if (!str_to_real(row->fields[FIRST_CLASS + k], &probability))
            return false;
        buf_add(&columns->probabilities,
                (struct str){(const char *)&probability, sizeof probability});
    }
    return true;
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

bool shares_items_read(const char *path, const struct frame *frame, struct arena *arena,
                       struct shares_items *out, struct err *err)
{
    struct csv csv = {.path = path};
    struct csv_row row;
    struct reading reading = {.frame = frame, .arena = arena, .out = out};
    struct str text;
    bool ok = file_read(path, arena, &text, err);

    *out = (struct shares_items){0};
    if (!ok)
        return false;
    csv_push(&csv, text, true);
    for (bool head = true; ok && csv_next(&csv, &row, err); head = false) {
        if (head && row.count >= FIRST_CLASS)
            read_heads(&reading, &row);
        else if (head || !read_item(&reading, &row))
            ok = err_set(err, ERR_INPUT, "%s:%lld: not as assay writes it", path,
                         (long long)row.line);
    }
    ok = ok && !csv.failed;
    take_columns(&reading);
    csv_free(&csv);
    return ok;
}
