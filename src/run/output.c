/* Plain files that anybody can read: csv for programs, Markdown for people, json where a
 * table is not enough. */
#include "run/output.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "measure/behind.h"
#include "result/numbers.h"
#include "result/table_text.h"

void run_output_free(struct run_output *output)
{
    for (size_t i = 0; i < output->count; i++) {
        buf_free(&output->files[i]->path);
        buf_free(&output->files[i]->text);
    }
    buf_free(&output->says);
    arena_free(&output->arena);
}

struct str run_output_path(const struct run_output *output, size_t file)
{
    return buf_str(&output->files[file]->path);
}

struct str run_output_text(const struct run_output *output, size_t file)
{
    return buf_str(&output->files[file]->text);
}

/* What it returns stays where it is when further files are added. */
static struct run_output_file *next_file(struct run_output *output)
{
    if (output->count == output->room) {
        size_t room = output->room * 2 + 8;
        struct run_output_file **files =
            arena_array(&output->arena, struct run_output_file *, room);
        if (output->count > 0)
            memcpy(files, output->files,
                   output->count * sizeof(struct run_output_file *));
        output->files = files;
        output->room = room;
    }
    output->files[output->count] = arena_array(&output->arena, struct run_output_file, 1);
    return output->files[output->count++];
}

struct buf *run_output_add(struct run_output *output, const char *path)
{
    struct run_output_file *file = next_file(output);

    buf_add_format(&file->path, "%s", path);
    return &file->text;
}

struct buf *run_output_add_named(struct run_output *output, const char *kind,
                                 struct str name, const char *ending)
{
    struct run_output_file *file = next_file(output);

    buf_add_format(&file->path, "out/%s/%.*s%s", kind, STR_ARG(name), ending);
    return &file->text;
}

struct buf *run_output_add_own(struct run_output *output, struct str name,
                               const char *ending)
{
    struct run_output_file *file = next_file(output);
    struct str step = output->step, kind;

    str_cut(&step, '.', &kind);
    buf_add_format(&file->path, "out/%.*s/%.*s/%.*s%s", STR_ARG(kind), STR_ARG(step),
                   STR_ARG(name), ending);
    return &file->text;
}

struct buf *run_output_rows(struct run_output *output)
{
    if (output->result == NULL) {
        output->result = run_output_add_named(output, "results", output->step, ".result");
        result_file_begin(output->step, output->result);
    }
    return output->result;
}

void run_output_result(struct run_output *output, const struct result_table *table)
{
    struct arena arena = {0};
    struct result only = {output->step, (struct result_table *)table, 1};
    struct result_numbers numbers;

    result_file_table(table, run_output_rows(output));
    if (table->numbers) {
        result_numbers_from(&only, &arena, &numbers);
        result_numbers_csv(&numbers,
                           run_output_add_named(output, "numbers", output->step, ".csv"));
    }
    arena_free(&arena);
}

void run_output_shown(struct run_output *output, const struct result_table *table,
                      const char *heads)
{
    run_output_result(output, table);
    result_table_text_step(table, heads, run_output_add_own(output, table->name, ".csv"));
}

struct run_output_list run_output_list(struct run_output *output, struct str name,
                                       const struct result_column *columns, size_t count,
                                       struct buf *csv)
{
    struct run_output_list list = {.output = output, .csv = csv};

    list.table = result_from(arena_c_string(&output->arena, name), "", columns, count,
                             &output->arena);
    result_file_head(&list.table, &list.rows);
    for (size_t c = 0; c < count; c++) {
        struct buf heading = {0};
        result_heading(&columns[c], &heading);
        buf_add(csv, c > 0 ? STR(",") : STR(""));
        buf_add_csv(csv, buf_str(&heading));
        buf_free(&heading);
    }
    buf_add_char(csv, '\n');
    return list;
}

void run_output_list_add(struct run_output_list *list, const struct result_cell *cells)
{
    struct buf *csv = list->csv;

    result_file_row(&list->table, &(struct result_row){.n = -1}, cells, &list->rows);
    for (size_t c = 0; c < list->table.column_count; c++) {
        const struct result_column *column = &list->table.columns[c];
        if (c > 0)
            buf_add_char(csv, ',');
        if (column->type == RESULT_ITEM)
            item_key_add_csv(csv, list->output->spaces, cells[c].item);
        else if (column->type == RESULT_TEXT)
            buf_add_csv(csv, cells[c].text);
        else if (cells[c].undefined == NULL)
            buf_add_format(csv, "%.*f", column->digits, cells[c].value);
    }
    buf_add_char(csv, '\n');
}

void run_output_list_end(struct run_output_list *list)
{
    buf_add(run_output_rows(list->output), buf_str(&list->rows));
    buf_free(&list->rows);
}

void run_output_end(struct run_output *output)
{
    if (output->result != NULL)
        result_file_end(output->result);
}

bool run_output_write(const struct run_output *output, const char *folder,
                      struct err *err)
{
    struct arena arena = {0};
    bool ok = true;

    for (size_t i = 0; i < output->count && ok; i++) {
        const char *path = arena_c_string(&arena, run_output_path(output, i)), *made;
        char *parent = arena_c_string(&arena, run_output_path(output, i));
        *strrchr(parent, '/') = '\0';
        ok = file_make_folder(file_join(folder, parent, &arena), &arena, &made, err) &&
             file_write_checked(file_join(folder, path, &arena),
                                run_output_text(output, i), err);
    }
    arena_free(&arena);
    return ok;
}

/* The items behind numbers. */

struct lists {
    struct run_output *output;
    const char *folder;
    struct str name;
};

static struct buf *add_items(void *context, size_t number)
{
    const struct lists *lists = context;
    struct run_output_file *file = next_file(lists->output);

    buf_add_format(&file->path, "out/%s/%.*s/%zu.csv", lists->folder,
                   STR_ARG(lists->name), number);
    return &file->text;
}

void run_output_behind(struct run_output *output, const char *folder,
                       struct measure_table *table, int64_t lines)
{
    struct lists lists = {output, folder, table->shown.name};

    measure_behind_make(
        table,
        &(struct measure_behind_files){folder, lines, add_items, &lists, output->spaces},
        &output->arena);
}

void run_output_shorten(struct run_output *output, const char *folder,
                        struct result_table *table, int64_t lines)
{
    struct lists lists = {output, folder, table->name};

    measure_behind_shorten(
        table,
        &(struct measure_behind_files){folder, lines, add_items, &lists, output->spaces},
        &output->arena);
}

/* Reading back what earlier steps, or earlier runs, have given. */

static struct str step_of(const char *kind, struct str name, struct arena *arena)
{
    return arena_format(arena, "%s.%.*s", kind, STR_ARG(name));
}

static const char *path_of(const char *folder, struct str step, struct arena *arena)
{
    return file_join(
        folder, arena_format(arena, "out/results/%.*s.result", STR_ARG(step)).ptr, arena);
}

bool run_output_there(const char *folder, struct str step, struct arena *arena)
{
    return file_exists(path_of(folder, step, arena));
}

static bool read_text(const char *folder, struct str step, struct arena *arena,
                      const char **path, struct str *text, struct err *err)
{
    *path = path_of(folder, step, arena);
    return file_read(*path, arena, text, err);
}

/* With the items of lists that are shown. */
static bool read_step(const char *folder, struct str step, struct arena *arena,
                      struct result *out, struct err *err)
{
    struct arena work = {0};
    const char *path;
    struct str text;
    bool ok = read_text(folder, step, &work, &path, &text, err) &&
              result_file_read(result_file_brief(text, MEASURE_BEHIND_FIRST, arena), path,
                               arena, out, err);

    arena_free(&work);
    return ok;
}

bool run_output_read(const char *folder, const char *kind, struct str name,
                     struct arena *arena, struct result *out, struct err *err)
{
    return read_step(folder, step_of(kind, name, arena), arena, out, err);
}

bool run_output_read_numbers(const char *folder, struct str step, struct arena *arena,
                             struct result_numbers *out, struct err *err)
{
    struct result result;

    if (!read_step(folder, step, arena, &result, err))
        return false;
    result_numbers_from(&result, arena, out);
    out->step = step;
    return true;
}

bool run_output_read_ids(const char *folder, const char *kind, struct str name,
                         struct arena *arena, int64_t **ids, size_t *count,
                         struct err *err)
{
    struct arena work = {0};
    const char *path;
    struct str text;
    bool ok = read_text(folder, step_of(kind, name, &work), &work, &path, &text, err) &&
              result_file_items(text, path, arena, ids, count, err);

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
