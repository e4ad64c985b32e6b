/* Who labelled what is not for publication; that two labels are by the same person is. */
#include "base/map.h"
#include "input/csv.h"
#include "package/internal.h"

struct renaming {
    const struct str *columns;
    size_t count;
    bool *names; /* of each column of the csv: it names raters */
    struct map raters;
    struct arena *arena;
};

static void find_columns(struct renaming *renaming, const struct input_csv_row *head)
{
    renaming->names = arena_array(renaming->arena, bool, head->count + 1);
    for (size_t c = 0; c < head->count; c++)
        for (size_t i = 0; i < renaming->count; i++)
            if (str_eq(str_trim(head->fields[c]), renaming->columns[i]))
                renaming->names[c] = true;
}

static void add_rater(struct renaming *renaming, struct str name, struct buf *out)
{
    if (name.len == 0)
        return;
    buf_add_format(out, "rater-%zu", map_number(&renaming->raters, name) + 1);
}

/* Readers find out the separator: what could be taken for one stands in quotes. */
static void add_field(struct str field, struct buf *out)
{
    bool mistakable = false;

    for (size_t i = 0; i < field.len; i++)
        mistakable = mistakable || field.ptr[i] == ';' || field.ptr[i] == '\t';
    if (!mistakable) {
        buf_add_csv(out, field);
        return;
    }
    buf_add_char(out, '"');
    for (size_t i = 0; i < field.len; i++) {
        if (field.ptr[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, field.ptr[i]);
    }
    buf_add_char(out, '"');
}

static void add_row(struct renaming *renaming, const struct input_csv_row *row, bool head,
                    struct buf *out)
{
    for (size_t c = 0; c < row->count; c++) {
        if (c > 0)
            buf_add_char(out, ',');
        if (!head && renaming->names[c])
            add_rater(renaming, row->fields[c], out);
        else
            add_field(row->fields[c], out);
    }
    buf_add_char(out, '\n');
}

bool package_rename_raters(struct str csv, const char *path, const struct str *columns,
                           size_t count, struct arena *arena, struct str *out,
                           struct err *err)
{
    struct renaming renaming = {
        .columns = columns, .count = count, .raters = {.arena = arena}, .arena = arena};
    struct input_csv reader = {.path = path};
    struct input_csv_row row;
    struct buf text = {0};
    bool head = true;

    input_csv_push(&reader, csv, true);
    while (input_csv_next(&reader, &row, err)) {
        if (head)
            find_columns(&renaming, &row);
        add_row(&renaming, &row, head, &text);
        head = false;
    }
    bool ok = !reader.failed;
    *out = arena_copy(arena, buf_str(&text));
    buf_free(&text);
    input_csv_free(&reader);
    return ok;
}
