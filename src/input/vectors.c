/* All numbers go through one door, which knows how many a row has. */
#include "input/vectors.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "input/csv.h"
#include "input/document.h"

static const char *const key_names[] = {"id", "key", "item", "url", "custom_id"};

struct vectors_reading {
    struct input_vectors *out;
    struct arena *arena;
    LIST(struct str) keys;
    LIST(float) numbers;
    /* Of a csv: the column of keys, those without a name (pandas has the number of a row
     * there), and how many others there are. */
    size_t key;
    const bool *unnamed;
    size_t others;
    struct input_json_tree tree;
};

static bool refuse_number(const struct vectors_reading *reading, size_t place,
                          struct str found, struct err *err)
{
    found = str_slice(found, 0, 40);
    return err_set(err, ERR_INPUT,
                   "found '%.*s' as number %zu of the vector of '%.*s', expected a "
                   "finite number",
                   STR_ARG(found), place + 1,
                   STR_ARG(reading->keys.at[reading->keys.count - 1]));
}

/* Of the key that was added last. */
static bool add_number(struct vectors_reading *reading, size_t place, double value,
                       struct str text, struct err *err)
{
    float number = (float)value;

    if (!isfinite(number))
        return refuse_number(reading, place, text, err);
    list_add(&reading->numbers, number);
    return true;
}

static bool add_key(struct vectors_reading *reading, struct str key, struct err *err)
{
    struct str trimmed = str_trim(key);
    int64_t *row = map_put(&reading->out->by_key, trimmed);

    if (trimmed.len == 0)
        return err_set(err, ERR_INPUT, "there is no key, expected that of an item");
    if (*row > 0)
        return err_set(err, ERR_INPUT,
                       "'%.*s' is there a second time; the first is vector "
                       "%lld",
                       STR_ARG(trimmed), (long long)*row);
    list_add(&reading->keys, arena_copy(reading->arena, trimmed));
    *row = (int64_t)reading->keys.count;
    return true;
}

/* The first row says how long all are. */
static bool end_row(struct vectors_reading *reading, size_t begin, struct err *err)
{
    struct input_vectors *out = reading->out;
    size_t length = reading->numbers.count - begin;

    if (out->dimensions == 0)
        out->dimensions = length;
    if (length == 0 || length > INPUT_VECTORS_DIMENSIONS_MAX)
        return err_set(err, ERR_INPUT, "found %zu numbers, expected 1 to %d", length,
                       INPUT_VECTORS_DIMENSIONS_MAX);
    if (length != out->dimensions)
        return err_set(err, ERR_INPUT,
                       "found %zu numbers, expected %zu as in the first row", length,
                       out->dimensions);
    return true;
}

static bool add_list(struct vectors_reading *reading, const struct input_json *list,
                     struct err *err)
{
    size_t place = 0;

    INPUT_JSON_EACH(item, list)
    {
        if (!input_json_is_number(item))
            return refuse_number(reading, place, str_from(input_json_called(item)), err);
        if (!add_number(reading, place++, input_json_number(item), STR("a huge number"),
                        err))
            return false;
    }
    return true;
}

/* --- csv --- */

/* No column is called 0.5 or [0.5, 2]; programs do call them 0, 1, 2. */
static bool is_vector(struct str name)
{
    double value;

    return str_starts(name, STR("[")) ||
           (memchr(name.ptr, '.', name.len) != NULL && str_to_real(name, &value));
}

static bool take_head(void *context, const struct input_csv_row *head, struct err *err)
{
    struct vectors_reading *reading = context;
    bool *unnamed = arena_array(reading->arena, bool, head->count);

    for (size_t i = ROWS_OF(key_names); i-- > 0;) {
        size_t column = input_csv_rows_find(head, str_from(key_names[i]));
        if (column < head->count)
            reading->key = column;
    }
    for (size_t i = 0; i < head->count; i++) {
        struct str name = str_trim(head->fields[i]);
        unnamed[i] = name.len == 0 && i != reading->key;
        reading->others += name.len > 0 && i != reading->key;
        if (is_vector(name))
            return err_set(err, ERR_INPUT,
                           "found '%.*s' where the first line names columns, expected a "
                           "line such as id,a,b",
                           STR_ARG(str_slice(name, 0, 40)));
    }
    reading->unnamed = unnamed;
    return reading->others > 0 ||
           err_set(err, ERR_INPUT,
                   "there is one column, expected keys and numbers beside them");
}

static bool add_written_list(struct vectors_reading *reading, struct str text,
                             struct err *err)
{
    const struct input_json *list = input_json_parse(&reading->tree, text);

    if (!input_json_is(list, INPUT_JSON_ARRAY))
        return refuse_number(reading, 0, text, err);
    return add_list(reading, list, err);
}

static bool take_row(void *context, const struct input_csv_row *row, struct err *err)
{
    struct vectors_reading *reading = context;
    size_t begin = reading->numbers.count, place = 0;

    if (!add_key(reading, row->fields[reading->key], err))
        return false;
    for (size_t i = 0; i < row->count; i++) {
        struct str text = str_trim(row->fields[i]);
        double value;
        if (i == reading->key || reading->unnamed[i])
            continue;
        if (reading->others == 1 && str_starts(text, STR("["))) {
            if (!add_written_list(reading, text, err))
                return false;
        } else if (!str_to_real(text, &value)) {
            return refuse_number(reading, place, text, err);
        } else if (!add_number(reading, place, value, text, err)) {
            return false;
        }
        place++;
    }
    return end_row(reading, begin, err);
}

static bool read_csv(struct vectors_reading *reading, struct str bytes, const char *path,
                     struct err *err)
{
    struct input_csv_rows to = {take_head, take_row, reading};

    return input_csv_rows_read(bytes, path, &to, err);
}

/* --- json --- */

/* Of a vendor's batch of requests a line is the whole reply: its only vector. */
static const struct input_json *list_of(const struct input_json *object)
{
    const struct input_json *list = input_json_get(object, "vector");

    if (list == NULL)
        list = input_json_get(object, "embedding");
    if (list != NULL)
        return list;
    list = input_json_get(input_json_get(input_json_get(object, "response"), "body"),
                          "data");
    return input_json_count(list) == 1
               ? input_json_get(input_json_first(list), "embedding")
               : NULL;
}

static bool take_object(struct vectors_reading *reading, const struct input_json *object,
                        struct err *err)
{
    const struct input_json *key = NULL, *list = list_of(object);

    for (size_t i = 0; i < ROWS_OF(key_names) && key == NULL; i++)
        key = input_json_get(object, key_names[i]);
    if (!input_json_is(key, INPUT_JSON_STRING) && !input_json_is(key, INPUT_JSON_INTEGER))
        return err_set(err, ERR_INPUT,
                       "found %s, expected an object with a key under id, key, item, url "
                       "or custom_id",
                       key == NULL ? "none" : input_json_called(key));
    if (!input_json_is(list, INPUT_JSON_ARRAY))
        return err_set(err, ERR_INPUT,
                       "found %s, expected a list of numbers under vector or embedding",
                       list == NULL ? "none" : input_json_called(list));
    struct str text = input_json_text(key);
    if (input_json_is(key, INPUT_JSON_INTEGER))
        text = arena_format(reading->arena, "%lld", (long long)input_json_integer(key));
    size_t begin = reading->numbers.count;
    return add_key(reading, text, err) && add_list(reading, list, err) &&
           end_row(reading, begin, err);
}

static bool read_json(struct vectors_reading *reading, struct str bytes, const char *path,
                      struct err *err)
{
    struct input_document document = {.path = path};
    enum input_document_part part;
    struct str value;
    bool ok = true;

    input_document_push(&document, bytes, true);
    while (ok && input_document_next(&document, &value, &part, err)) {
        const struct input_json *object = input_document_decode(&document, err);
        ok = object != NULL && (take_object(reading, object, err) ||
                                input_document_fail(&document, object->at, err));
    }
    ok = ok && !document.failed;
    input_document_free(&document);
    return ok;
}

/* --- npy --- */

enum { NPY_HEAD = 10, REAL_16 = 2, REAL_32 = 4, REAL_64 = 8 };

struct npy {
    size_t width; /* bytes of a number */
    bool swapped; /* the most significant byte comes first */
    bool columns; /* one column after the other */
    size_t rows, wide;
    struct str data;
};

static uint64_t npy_bits(const struct npy *npy, size_t place)
{
    const unsigned char *at = (const unsigned char *)npy->data.ptr + place * npy->width;
    uint64_t bits = 0;

    for (size_t i = 0; i < npy->width; i++)
        bits |= (uint64_t)at[npy->swapped ? npy->width - 1 - i : i] << 8 * i;
    return bits;
}

/* IEEE 754 of 16 bits. */
static double half_of(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 1023) / 1024;
    double value = exponent == 0    ? ldexp(fraction, -14)
                   : exponent == 31 ? (fraction > 0 ? NAN : INFINITY)
                                    : ldexp(1 + fraction, exponent - 15);

    return bits >> 15 ? -value : value;
}

static double npy_number(const struct npy *npy, size_t row, size_t column)
{
    uint64_t bits =
        npy_bits(npy, npy->columns ? column * npy->rows + row : row * npy->wide + column);
    uint32_t short_bits = (uint32_t)bits;
    double value;
    float number;

    if (npy->width == REAL_16)
        return half_of(bits);
    if (npy->width == REAL_32) {
        memcpy(&number, &short_bits, sizeof number);
        return (double)number;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static struct str without_mark(struct str text)
{
    return str_starts(text, STR("\xEF\xBB\xBF")) ? str_slice(text, 3, text.len) : text;
}

/* What stands behind 'NAME': in the head, which is a dictionary as Python writes it. */
static struct str npy_value(struct str head, const char *name)
{
    struct str wanted = str_from(name);

    for (; head.len > 0; head = str_slice(head, 1, head.len))
        if (str_starts(head, wanted)) {
            head = str_slice(head, wanted.len, head.len);
            while (head.len > 0 && strchr("'\": ", head.ptr[0]) != NULL)
                head = str_slice(head, 1, head.len);
            return head;
        }
    return head;
}

/* "(3, 2)"; false for any other number of dimensions. */
static bool read_shape(struct str text, struct npy *npy)
{
    struct str inside, rows, wide;
    int64_t counts[2];

    if (!str_starts(text, STR("(")) || !str_cut(&text, ')', &inside))
        return false;
    inside = str_slice(inside, 1, inside.len);
    if (!str_cut(&inside, ',', &rows))
        return false;
    str_cut(&inside, ',', &wide);
    if (str_trim(inside).len > 0 && inside.ptr != wide.ptr)
        return false;
    if (!str_to_int(str_trim(rows), &counts[0]) ||
        !str_to_int(str_trim(wide), &counts[1]) || counts[0] < 0 || counts[1] < 0)
        return false;
    npy->rows = (size_t)counts[0];
    npy->wide = (size_t)counts[1];
    return true;
}

static bool read_npy_head(struct str bytes, struct npy *npy, struct err *err)
{
    const unsigned char *at = (const unsigned char *)bytes.ptr;
    size_t wide_length = bytes.len > 6 && at[6] > 1 ? 4 : 2, length = 0;

    if (bytes.len < NPY_HEAD + wide_length - 2)
        return err_set(err, ERR_INPUT, "the file ends within its head");
    for (size_t i = 0; i < wide_length; i++)
        length |= (size_t)at[8 + i] << 8 * i;
    struct str head = str_slice(bytes, 8 + wide_length, 8 + wide_length + length);
    struct str kind = npy_value(head, "descr");
    struct str shown = {0}, rest = kind;
    (void)str_cut(&rest, '\'', &shown);
    npy->data = str_slice(bytes, 8 + wide_length + length, bytes.len);
    npy->swapped = str_starts(kind, STR(">"));
    npy->width = kind.len > 2 && kind.ptr[1] == 'f' ? (size_t)(kind.ptr[2] - '0') : 0;
    if (kind.len < 4 || strchr("<>", kind.ptr[0]) == NULL ||
        (kind.ptr[3] != '\'' && kind.ptr[3] != '"') ||
        (npy->width != REAL_16 && npy->width != REAL_32 && npy->width != REAL_64))
        return err_set(err, ERR_INPUT,
                       "the array is of type '%.*s', expected real numbers: f2, f4 or f8",
                       STR_ARG(str_slice(shown, 0, 16)));
    npy->columns = str_starts(npy_value(head, "fortran_order"), STR("True"));
    if (!read_shape(npy_value(head, "shape"), npy))
        return err_set(err, ERR_INPUT,
                       "the array has no two dimensions, expected a row for each item");
    if (npy->wide == 0 || npy->wide > INPUT_VECTORS_DIMENSIONS_MAX)
        return err_set(err, ERR_INPUT, "found %zu numbers a row, expected 1 to %d",
                       npy->wide, INPUT_VECTORS_DIMENSIONS_MAX);
    if (npy->data.len / npy->width / npy->wide != npy->rows ||
        npy->data.len % (npy->width * npy->wide) != 0)
        return err_set(err, ERR_INPUT,
                       "found %zu bytes of numbers, expected %zu rows of %zu numbers of "
                       "%zu bytes",
                       npy->data.len, npy->rows, npy->wide, npy->width);
    return true;
}

static bool read_listed(struct vectors_reading *reading, struct str listed,
                        const char *keys, struct err *err)
{
    const char *instead = file_no_text(listed);
    int64_t number = 0;
    struct str line;

    if (instead != NULL)
        return err_set(err, ERR_INPUT, "%s: is %s", keys, instead);
    listed = without_mark(listed);
    for (bool more = listed.len > 0; more;) {
        more = str_cut(&listed, '\n', &line);
        number++;
        if (!more && line.len == 0)
            break;
        if (!add_key(reading, line, err))
            return err_at(err, "%s:%lld: ", keys, (long long)number);
    }
    return true;
}

static bool read_npy(struct vectors_reading *reading, struct str bytes, const char *path,
                     struct str listed, const char *keys, struct err *err)
{
    struct npy npy = {0};

    if (!read_npy_head(bytes, &npy, err))
        return err_at(err, "%s: ", path);
    if (keys == NULL)
        return err_set(err, ERR_INPUT,
                       "%s: an array has no keys, expected a second file with the key of "
                       "each of its %zu rows in a line of its own",
                       path, npy.rows);
    if (!read_listed(reading, listed, keys, err))
        return false;
    if (reading->keys.count != npy.rows)
        return err_set(err, ERR_INPUT,
                       "%s: there are %zu keys, expected %zu: one for "
                       "each row of %s",
                       keys, reading->keys.count, npy.rows, path);
    reading->out->dimensions = npy.wide;
    list_reserve(&reading->numbers, npy.rows * npy.wide);
    for (size_t r = 0; r < npy.rows; r++)
        for (size_t c = 0; c < npy.wide; c++) {
            double value = npy_number(&npy, r, c);
            if (!isfinite((float)value))
                return err_set(err, ERR_INPUT,
                               "%s: row %zu, that of '%.*s', has %s as number %zu, "
                               "expected a finite number",
                               path, r + 1, STR_ARG(reading->keys.at[r]),
                               isnan(value) ? "NaN" : "an infinite number", c + 1);
            list_add(&reading->numbers, (float)value);
        }
    return true;
}

static struct str digest_of(struct str bytes, struct arena *arena)
{
    char *hex = g_compute_checksum_for_data(
        G_CHECKSUM_SHA256, (const unsigned char *)(bytes.len > 0 ? bytes.ptr : ""),
        bytes.len);
    struct str hash = arena_copy(arena, str_from(hex));

    g_free(hex);
    return hash;
}

static bool is_json(struct str bytes)
{
    bytes = str_trim(without_mark(bytes));
    return str_starts(bytes, STR("{")) || str_starts(bytes, STR("["));
}

bool input_vectors_parse(struct str bytes, const char *path, struct str listed,
                         const char *keys, struct arena *arena, struct input_vectors *out,
                         struct err *err)
{
    struct vectors_reading reading = {.out = out, .arena = arena};
    bool npy = str_starts(bytes, STR("\x93NUMPY"));
    const char *instead = npy ? NULL : file_no_text(bytes);

    *out = (struct input_vectors){.by_key = {.arena = arena}};
    bool ok = npy               ? read_npy(&reading, bytes, path, listed, keys, err)
              : instead != NULL ? err_set(err, ERR_INPUT, "%s: is %s", path, instead)
              : keys != NULL    ? err_set(err, ERR_INPUT,
                                          "%s: this is no array of NumPy, so that there is "
                                             "nothing that the keys of %s belong to",
                                          path, keys)
              : is_json(bytes)  ? read_json(&reading, bytes, path, err)
                                : read_csv(&reading, bytes, path, err);
    if (ok && reading.keys.count == 0)
        ok = err_set(err, ERR_INPUT, "%s: there are no vectors", path);
    if (ok) {
        out->count = reading.keys.count;
        out->keys = list_copy(&reading.keys, arena);
        out->at = list_copy(&reading.numbers, arena);
        out->hash = digest_of(bytes, arena);
    }
    list_free(&reading.keys);
    list_free(&reading.numbers);
    input_json_free(&reading.tree);
    return ok;
}

bool input_vectors_read(const char *path, const char *keys, struct arena *arena,
                        struct input_vectors *out, struct err *err)
{
    struct str bytes, listed = {0};

    return file_read(path, arena, &bytes, err) &&
           (keys == NULL || file_read(keys, arena, &listed, err)) &&
           input_vectors_parse(bytes, path, listed, keys, arena, out, err);
}

const float *input_vectors_find(const struct input_vectors *vectors, struct str key)
{
    const int64_t *row = map_get(&vectors->by_key, key);

    return row != NULL && *row > 0
               ? vectors->at + (size_t)(*row - 1) * vectors->dimensions
               : NULL;
}
