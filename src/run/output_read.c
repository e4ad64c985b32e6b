/* Reading back what earlier steps, or earlier runs, have written. */
#include <string.h>

#include "base/file.h"
#include "input/csv.h"
#include "run/output.h"

bool output_read_numbers(const char *folder, struct str step, struct arena *arena,
                         struct numbers *out, struct err *err)
{
    struct buf name = {0};
    struct str text;

    buf_add_format(&name, "out/numbers/%.*s.csv", STR_ARG(step));
    const char *path = file_join(folder, arena_c_string(arena, buf_str(&name)), arena);
    buf_free(&name);
    return file_read(path, arena, &text, err) &&
           numbers_parse(text, path, step, arena, out, err);
}

struct ids_reader {
    const struct item_spaces *spaces;
    struct buf list;
};

static bool read_head(void *context, const struct csv_row *head, struct err *err)
{
    (void)context, (void)head, (void)err;
    return true;
}

static bool read_id(void *context, const struct csv_row *row, struct err *err)
{
    struct ids_reader *reader = context;
    int64_t id;

    if (!item_key_read(reader->spaces, row->fields[0], &id, err))
        return false;
    buf_add(&reader->list, (struct str){(const char *)&id, sizeof id});
    return true;
}

bool output_read_ids(const struct study *study, const char *kind, struct str name,
                     struct arena *arena, int64_t **ids, size_t *count, struct err *err)
{
    struct ids_reader reader = {.spaces = &study->spaces};
    struct csv_rows to = {read_head, read_id, &reader};
    struct buf file = {0};
    struct str text;

    buf_add_format(&file, "out/%s/%.*s.csv", kind, STR_ARG(name));
    const char *path =
        file_join(study->home, arena_c_string(arena, buf_str(&file)), arena);
    buf_free(&file);
    bool ok =
        file_read(path, arena, &text, err) && csv_rows_read(text, path, &to, err);
    *count = reader.list.len / sizeof **ids;
    *ids = arena_array(arena, int64_t, *count + 1);
    if (reader.list.len > 0)
        memcpy(*ids, reader.list.ptr, reader.list.len);
    buf_free(&reader.list);
    return ok;
}
