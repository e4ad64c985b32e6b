/* Any bytes are rows of one length or an error with its place; pieces and the path
 * through the processor do not matter, and the rows can be written and read again. */
#include "input/csv.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Rows as csv behind a byte-order mark, then their lines, then the error. */
struct result {
    struct buf rows, lines;
    struct err err;
    size_t columns;
};

static void add_row(struct result *result, const struct input_csv_row *row)
{
    for (size_t i = 0; i < row->count; i++) {
        if (i > 0)
            buf_add_char(&result->rows, ',');
        buf_add_csv(&result->rows, row->fields[i]);
    }
    buf_add_char(&result->rows, '\n');
    buf_add_int(&result->lines, row->line);
    buf_add_char(&result->lines, '\n');
}

static struct result read_pieces(struct str text, size_t step, char separator,
                                 bool portable)
{
    struct input_csv csv = {.path = "f", .separator = separator, .portable = portable};
    struct result result = {0};
    struct input_csv_row row;
    int64_t line = 0;
    size_t at = 0;

    buf_add(&result.rows, STR("\xEF\xBB\xBF"));
    do {
        struct str piece = str_slice(text, at, at + step);
        at += piece.len;
        input_csv_push(&csv, piece, at == text.len);
        while (input_csv_next(&csv, &row, &result.err)) {
            assert(row.count == csv.columns && row.count > 0 && row.line > line);
            line = row.line;
            add_row(&result, &row);
        }
    } while (at < text.len && !csv.failed);
    assert(csv.failed == (result.err.kind == ERR_INPUT));
    if (csv.failed) {
        assert(strncmp(result.err.text, "f:", 2) == 0);
        assert(result.err.text[2] >= '1' && result.err.text[2] <= '9');
    }
    result.columns = csv.columns;
    input_csv_free(&csv);
    return result;
}

static void release(struct result *result)
{
    buf_free(&result->rows);
    buf_free(&result->lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct result whole = read_pieces(text, size + 1, '\0', false);

    for (size_t step = 1; step < 200; step = 3 * step + 1) { /* 1 4 13 40 121 */
        struct result other = read_pieces(text, step, '\0', step % 2);
        assert(str_eq(buf_str(&whole.rows), buf_str(&other.rows)));
        assert(str_eq(buf_str(&whole.lines), buf_str(&other.lines)));
        assert(strcmp(whole.err.text, other.err.text) == 0);
        release(&other);
    }
    if (whole.columns > 1) { /* an only column may be an empty line, which is no header */
        struct result again = read_pieces(buf_str(&whole.rows), SIZE_MAX, ',', false);
        assert(again.err.kind == ERR_NONE);
        assert(str_eq(buf_str(&whole.rows), buf_str(&again.rows)));
        release(&again);
    }
    release(&whole);
    return 0;
}
