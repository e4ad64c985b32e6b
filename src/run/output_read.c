/* Reading back what earlier steps, or earlier runs, have written. */
#include <string.h>

#include "base/file.h"
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

bool output_read_ids(const struct study *study, const char *kind, struct str name,
                     struct arena *arena, int64_t **ids, size_t *count, struct err *err)
{
    struct output_file file = {0};
    struct str text, line, cell;
    struct buf list = {0};
    bool ok, first = true;

    buf_add_format(&file.path, "out/%s/%.*s.csv", kind, STR_ARG(name));
    const char *path =
        file_join(study->home, arena_c_string(arena, buf_str(&file.path)), arena);
    buf_free(&file.path);
    ok = file_read(path, arena, &text, err);
    for (int number = 1; ok && text.len > 0; number++) {
        int64_t id;
        str_cut(&text, '\n', &line);
        str_cut(&line, ',', &cell);
        if (!first && !item_key_read(&study->spaces, cell, &id, err))
            ok = err_at(err, "%s:%d: ", path, number);
        else if (!first)
            buf_add(&list, (struct str){(const char *)&id, sizeof id});
        first = false;
    }
    *count = list.len / sizeof **ids;
    *ids = arena_array(arena, int64_t, *count + 1);
    if (list.len > 0)
        memcpy(*ids, list.ptr, list.len);
    buf_free(&list);
    return ok;
}
