/* Of a package's numbers only out/numbers/ is read, whether it is a folder, a zip, or a
 * zip of the folder. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "input/csv.h"
#include "input/input.h"
#include "package/package.h"

enum { NUMBERS_BYTES_MAX = 256 << 20 }; /* of one step */

struct read_reading {
    struct input *input;
    struct arena *arena;
    LIST(struct result_numbers) list;
};

/* Numbers as a csv, of whichever assay has written it: columns are found by their names,
 * and the type of each is declared here. */

#define N_MAX 9e15 /* whole numbers up to here are exact */

enum { TEXT, REAL };

static const struct {
    const char *name;
    int type;
    size_t offset; /* in struct result_number */
} columns[] = {
    {"row", TEXT, offsetof(struct result_number, row)},
    {"column", TEXT, offsetof(struct result_number, column)},
    {"value", REAL, offsetof(struct result_number, value)},
    {"low", REAL, offsetof(struct result_number, low)},
    {"high", REAL, offsetof(struct result_number, high)},
    {"undefined", TEXT, offsetof(struct result_number, undefined)},
    {"label", TEXT, offsetof(struct result_number, label)},
    {"heading", TEXT, offsetof(struct result_number, heading)},
};

struct csv_numbers {
    struct arena *arena;
    LIST(struct result_number) list;
    size_t places[ROWS_OF(columns)]; /* of the columns in the csv */
    size_t n, total;
};

static bool read_heads(void *context, const struct input_csv_row *head, struct err *err)
{
    struct csv_numbers *to = context;

    for (size_t i = 0; i < ROWS_OF(columns); i++)
        if (!input_csv_rows_need(head, str_from(columns[i].name), &to->places[i], err))
            return false;
    return input_csv_rows_need(head, STR("n"), &to->n, err) &&
           input_csv_rows_need(head, STR("total"), &to->total, err);
}

/* Nothing is NAN. */
static bool read_real(struct str text, double *out, struct err *err)
{
    bool negative = str_starts(text, STR("-"));

    *out = NAN;
    if (str_eq(str_slice(text, negative, text.len), STR("inf"))) {
        *out = negative ? -INFINITY : INFINITY; /* such as t of a perfect correlation */
        return true;
    }
    return text.len == 0 || str_to_real(text, out) ||
           err_set(err, ERR_INPUT, "found '%.*s', expected a number", STR_ARG(text));
}

static bool read_number(void *context, const struct input_csv_row *row, struct err *err)
{
    struct csv_numbers *to = context;
    struct result_number number = {0};
    double n;

    for (size_t i = 0; i < ROWS_OF(columns); i++) {
        struct str field = row->fields[to->places[i]];
        void *part = (char *)&number + columns[i].offset;
        if (columns[i].type == TEXT)
            *(struct str *)part = arena_copy(to->arena, field);
        else if (!read_real(field, part, err))
            return false;
    }
    if (!read_real(row->fields[to->n], &n, err))
        return false;
    if (n < 0 || n > N_MAX)
        return err_set(err, ERR_INPUT, "found '%.*s', expected a number of items",
                       STR_ARG(row->fields[to->n]));
    number.n = isnan(n) ? -1 : (int64_t)n;
    number.total_row = str_starts(row->fields[to->total], STR("row"));
    number.total_column = str_ends(row->fields[to->total], STR("column"));
    list_add(&to->list, number);
    return true;
}

bool package_parse_numbers(struct str text, const char *path, struct str step,
                           struct arena *arena, struct result_numbers *out,
                           struct err *err)
{
    struct csv_numbers to = {.arena = arena};
    bool ok = input_csv_rows_read(
        text, path, &(struct input_csv_rows){read_heads, read_number, &to}, err);

    *out = (struct result_numbers){
        .step = step, .count = to.list.count, .at = list_copy(&to.list, arena)};
    list_free(&to.list);
    return ok;
}

/* "tables.trend" of "out/numbers/tables.trend.csv", or false. */
static bool step_of(struct str name, bool folder, struct str *step)
{
    struct str marker = STR("out/numbers/");
    bool found = folder;

    for (size_t i = 0; i + marker.len < name.len && !found; i++)
        if ((i == 0 || name.ptr[i - 1] == '/') &&
            str_starts(str_slice(name, i, name.len), marker)) {
            name = str_slice(name, i + marker.len, name.len);
            found = true;
        }
    *step = str_slice(name, 0, name.len - (name.len < 4 ? name.len : 4));
    return found && step->len > 0 && str_ends(name, STR(".csv"));
}

static bool read_member(struct read_reading *reading, size_t member, struct buf *text,
                        struct err *err)
{
    struct input_stream_options options = {0};
    struct input_stream *stream;
    size_t got = 1;

    if (!input_stream_open(reading->input, member, &options, &stream, err))
        return false;
    bool ok = true;
    while (ok && got > 0 && text->len <= NUMBERS_BYTES_MAX) {
        char *room = buf_reserve(text, INPUT_PART_BYTES);
        ok = input_stream_read(stream, room, INPUT_PART_BYTES, &got, err);
        text->len += ok ? got : 0;
    }
    input_stream_close(stream);
    return ok &&
           (text->len <= NUMBERS_BYTES_MAX ||
            err_set(err, ERR_INPUT, "%s: expected at most %d bytes, found more",
                    input_member(reading->input, member)->place, NUMBERS_BYTES_MAX));
}

static bool read_step(struct read_reading *reading, size_t member, struct str step,
                      struct err *err)
{
    const char *place = input_member(reading->input, member)->place;
    struct result_numbers numbers;
    struct buf text = {0};
    bool ok =
        read_member(reading, member, &text, err) &&
        package_parse_numbers(buf_str(&text), place, arena_copy(reading->arena, step),
                              reading->arena, &numbers, err);

    if (ok)
        list_add(&reading->list, numbers);
    buf_free(&text);
    return ok;
}

static bool read_all(struct read_reading *reading, bool folder, struct err *err)
{
    struct str step;

    for (size_t i = 0; i < input_count(reading->input); i++)
        if (step_of(input_member(reading->input, i)->name, folder, &step) &&
            !read_step(reading, i, step, err))
            return false;
    return true;
}

static int compare_steps(const void *a, const void *b)
{
    return str_compare(((const struct result_numbers *)a)->step,
                       ((const struct result_numbers *)b)->step);
}

bool package_read_numbers(const char *path, const char *home, struct arena *arena,
                          struct result_numbers **out, size_t *count, struct err *err)
{
    struct read_reading reading = {.arena = arena};
    bool folder = file_is_folder(path);
    const char *numbers = file_join(file_join(path, home, arena), "out/numbers", arena);

    if (folder && !file_is_folder(numbers))
        return err_set(err, ERR_INPUT, "%s is no package: it has no out/numbers/", path);
    if (!input_open(folder ? numbers : path, &reading.input, err))
        return false;
    bool ok = read_all(&reading, folder, err);
    *count = reading.list.count;
    *out = list_copy(&reading.list, arena);
    qsort(*out, *count, sizeof **out, compare_steps);
    list_free(&reading.list);
    input_close(reading.input);
    if (ok && *count == 0)
        return err_set(err, ERR_INPUT, "%s is no package: it has no out/numbers/", path);
    return ok;
}

/* Unpacking. */

#define UNPACKED_BYTES_MAX (INT64_C(4) << 30)

/* Below the folder, whatever the archive says. */
static bool stays_inside(struct str name)
{
    struct str rest = name, part;
    bool more = true, inside = name.len > 0 && name.len < 1000;

    while (more && inside) {
        more = str_cut(&rest, '/', &part);
        inside = part.len > 0 && !str_eq(part, STR("..")) && !str_eq(part, STR("."));
    }
    for (size_t i = 0; i < name.len; i++)
        inside = inside && name.ptr[i] != '\\' && name.ptr[i] != '\0';
    return inside;
}

static bool unpack_member(struct read_reading *reading, size_t member, const char *path,
                          int64_t *left, struct err *err)
{
    struct input_stream_options options = {0};
    struct input_stream *stream;
    struct file_out *out = NULL;
    char *room = arena_array(reading->arena, char, INPUT_PART_BYTES);
    size_t got = 1;

    if (!input_stream_open(reading->input, member, &options, &stream, err))
        return false;
    bool ok = file_out_open(path, &out, err);
    while (ok && got > 0) {
        ok = input_stream_read(stream, room, INPUT_PART_BYTES, &got, err) &&
             file_out_write(out, (struct str){room, got}, err);
        *left -= (int64_t)got;
        if (ok && *left < 0)
            ok = err_set(err, ERR_INPUT,
                         "%s: expected at most 4 GB of a package, found more",
                         input_member(reading->input, member)->place);
    }
    input_stream_close(stream);
    if (ok)
        return file_out_commit(out, err);
    file_out_discard(out);
    return false;
}

static bool unpack_all(struct read_reading *reading, const char *folder,
                       const char **inside, struct err *err)
{
    int64_t left = UNPACKED_BYTES_MAX;
    size_t shortest = SIZE_MAX;

    for (size_t i = 0; i < input_count(reading->input); i++) {
        const struct input_member *member = input_member(reading->input, i);
        struct arena_mark mark = arena_mark(reading->arena);
        struct str name = member->name, file = str_last(name, '/');
        const char *made;
        if (!stays_inside(name))
            return err_set(err, ERR_INPUT, "%s: expected a name within the package",
                           member->place);
        if (str_starts(file,
                       STR("corpus.db"))) /* it may name servers, for our password */
            return err_set(err, ERR_INPUT, "%s: a package has no corpus", member->place);
        const char *path =
            file_join(folder, arena_c_string(reading->arena, name), reading->arena);
        const char *home = arena_c_string(
            reading->arena, str_slice(str_from(path), 0, strlen(path) - file.len - 1));
        if (!file_make_folder(home, reading->arena, &made, err) ||
            !unpack_member(reading, i, path, &left, err))
            return false;
        if (str_eq(file, STR("study.yaml")) && name.len < shortest) {
            shortest = name.len;
            *inside = home;
        } else {
            arena_rewind(reading->arena, mark);
        }
    }
    return true;
}

bool package_unpack(const char *path, const char *folder, struct arena *arena,
                    const char **inside, struct err *err)
{
    struct read_reading reading = {.arena = arena};

    *inside = NULL;
    if (!input_open(path, &reading.input, err))
        return false;
    bool ok = unpack_all(&reading, folder, inside, err);
    input_close(reading.input);
    return ok &&
           (*inside != NULL ||
            err_set(err, ERR_INPUT, "%s is no package: it has no study.yaml", path));
}
