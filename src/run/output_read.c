/* Reading back what earlier steps, or earlier runs, have given. */
#include "base/file.h"
#include "input/csv.h"
#include "run/output.h"

static bool read_text(const char *folder, struct str step, struct arena *arena,
                      const char **path, struct str *text, struct err *err)
{
    struct buf name = {0};

    buf_add_format(&name, "out/results/%.*s.result", STR_ARG(step));
    *path = file_join(folder, arena_c_string(arena, buf_str(&name)), arena);
    buf_free(&name);
    return file_read(*path, arena, text, err);
}

bool run_output_read(const char *folder, struct str step, struct arena *arena,
                     struct result *out, struct err *err)
{
    const char *path;
    struct str text;

    return read_text(folder, step, arena, &path, &text, err) &&
           result_file_read(text, path, arena, out, err);
}

bool run_output_read_numbers(const char *folder, struct str step, struct arena *arena,
                             struct result_numbers *out, struct err *err)
{
    struct result result;

    if (!run_output_read(folder, step, arena, &result, err))
        return false;
    result_numbers_from(&result, arena, out);
    out->step = step;
    return true;
}

static struct str step_of(const char *kind, struct str name, struct arena *arena)
{
    struct buf step = {0};

    buf_add_format(&step, "%s.%.*s", kind, STR_ARG(name));
    struct str copy = arena_copy(arena, buf_str(&step));
    buf_free(&step);
    return copy;
}

/* They are what the step counts first. */
bool run_output_read_ids(const char *folder, const char *kind, struct str name,
                         struct arena *arena, int64_t **ids, size_t *count,
                         struct err *err)
{
    struct arena work = {0};
    struct result result;
    bool ok = run_output_read(folder, step_of(kind, name, &work), &work, &result, err);
    const struct result_table *table = ok ? result_find(&result, STR("numbers")) : NULL;
    const struct result_list *list =
        table != NULL && table->column_count > 0 && table->row_count > 0
            ? table->cells[0].list
            : NULL;

    *count = list != NULL ? list->shown : 0;
    *ids = arena_array(arena, int64_t, *count + 1);
    for (size_t i = 0; i < *count; i++)
        (*ids)[i] = list->ids[i];
    arena_free(&work);
    return ok;
}

bool run_output_read_rows(const char *folder, const char *kind, struct str name,
                          const struct result_file_rows *rows, struct err *err)
{
    struct arena arena = {0};
    const char *path;
    struct str text;
    bool ok = read_text(folder, step_of(kind, name, &arena), &arena, &path, &text, err) &&
              result_file_each(text, path, rows, err);

    arena_free(&arena);
    return ok;
}
