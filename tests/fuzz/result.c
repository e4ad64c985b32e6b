/* Any bytes are a result or an error with its place; what is read is written as bytes
 * that give the same bytes again, and row by row as all at once. */
#include <assert.h>
#include <string.h>

#include "result/result_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print(const struct result *result, struct buf *out)
{
    result_file_begin(result->step, out);
    for (size_t i = 0; i < result->count; i++)
        result_file_table(&result->tables[i], out);
    result_file_end(out);
}

static bool count_row(void *context, const struct result_row *row,
                      const struct result_cell *cells, struct err *err)
{
    (void)row, (void)cells, (void)err;
    ++*(size_t *)context;
    return true;
}

static void check_rows(struct str text, const struct result *result)
{
    size_t wanted = 0, count = 0;
    struct result_file_rows rows = {.row = count_row, .context = &count};
    struct err err = {0};

    if (result->count == 0)
        return;
    rows.table = result->tables[0].name;
    for (size_t i = 0; i < result->count; i++) /* several may have one name */
        if (str_eq(result->tables[i].name, rows.table))
            wanted += result->tables[i].row_count;
    assert(result_file_each(text, "r", &rows, &err));
    assert(count == wanted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct arena arena = {0};
    struct buf first = {0}, second = {0};
    struct result result, again;
    struct err err = {0};

    if (result_file_read(text, "r", &arena, &result, &err)) {
        check_rows(text, &result);
        print(&result, &first);
        bool ok = result_file_read(buf_str(&first), "r", &arena, &again, &err);
        assert(ok);
        print(&again, &second);
        assert(str_eq(buf_str(&first), buf_str(&second)));
    } else {
        assert(err.kind == ERR_INPUT && strncmp(err.text, "r:", 2) == 0);
    }
    buf_free(&first);
    buf_free(&second);
    arena_free(&arena);
    return 0;
}
