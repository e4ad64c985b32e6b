/* The reply is read by input/json.h. */
#include "model/embedding.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "input/json.h"
#include "input/vectors.h"
#include "text/utf8.h"

void model_embedding_request(const struct study_embed *how, const struct str *texts,
                             size_t count, struct buf *out)
{
    buf_add(out, STR("{\"model\":\""));
    buf_add_json(out, how->model);
    buf_add(out, STR("\",\"encoding_format\":\"float\""));
    if (how->dimensions > 0)
        buf_add_format(out, ",\"dimensions\":%lld", (long long)how->dimensions);
    buf_add(out, STR(",\"input\":["));
    for (size_t i = 0; i < count; i++) {
        buf_add(out, i > 0 ? STR(",\"") : STR("\""));
        buf_add_json(out, texts[i]);
        buf_add_char(out, '"');
    }
    buf_add(out, STR("]}"));
}

static bool take_number(double number, const char *found, size_t place, size_t index,
                        struct arena *arena, struct model_embedding *out)
{
    out->at[index * out->dimensions + place] = (float)number;
    if (isfinite((float)number))
        return true;
    out->says =
        arena_format(arena, "number %zu of vector %zu is %s, expected a finite number",
                     place + 1, index, found);
    return false;
}

static bool take_numbers(const struct input_json *list, size_t index, struct arena *arena,
                         struct model_embedding *out)
{
    size_t place = 0;
    bool ok = true;

    for (const struct input_json *item = input_json_first(list); ok && item != NULL;
         item = input_json_next(list, item)) {
        bool number = input_json_is_number(item);
        ok = take_number(number ? input_json_number(item) : NAN,
                         number ? "too large" : input_json_called(item), place++, index,
                         arena, out);
    }
    return ok;
}

/* Numbers of 32 bits, the lowest byte first, as servers write base64. */
static bool take_bytes(struct str bytes, size_t index, struct arena *arena,
                       struct model_embedding *out)
{
    bool ok = true;

    for (size_t place = 0; ok && place < bytes.len / 4; place++) {
        const unsigned char *at = (const unsigned char *)bytes.ptr + 4 * place;
        uint32_t bits =
            at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        float number;
        memcpy(&number, &bits, sizeof number);
        ok = take_number((double)number, "none", place, index, arena, out);
    }
    return ok;
}

/* Empty: it is no base64, or none of numbers. */
static struct str read_base64(const struct input_json *text, struct arena *arena)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
    struct str written = input_json_text(text);
    size_t len = 0;

    for (size_t i = 0; i < written.len; i++)
        if (strchr(digits, written.ptr[i]) == NULL)
            return (struct str){0};
    unsigned char *bytes = g_base64_decode(arena_c_string(arena, written), &len);
    struct str kept = arena_copy(arena, (struct str){(const char *)bytes, len});
    g_free(bytes);
    return len % 4 == 0 ? kept : (struct str){0};
}

/* The first vector says how long all are, unless that is known. */
static bool take_vector(const struct input_json *entry, size_t count, bool *seen,
                        struct arena *arena, struct model_embedding *out)
{
    const struct input_json *index = input_json_get(entry, "index"),
                            *list = input_json_get(entry, "embedding");
    int64_t at = input_json_integer(index);
    struct str bytes = read_base64(list, arena);
    size_t length = bytes.len > 0 ? bytes.len / 4 : input_json_count(list);

    if (!input_json_is(index, INPUT_JSON_INTEGER) || at < 0 || (uint64_t)at >= count) {
        out->says =
            arena_format(arena, "a vector has %s, expected an index from 0 to %zu",
                         index == NULL                              ? "no index"
                         : input_json_is(index, INPUT_JSON_INTEGER) ? "another index"
                                                                    : "no whole index",
                         count - 1);
    } else if (seen[at]) {
        out->says = arena_format(arena, "index %lld is there twice", (long long)at);
    } else if (!input_json_is(list, INPUT_JSON_ARRAY) && bytes.len == 0) {
        out->says = arena_format(arena,
                                 "the embedding of index %lld is %s, expected a list "
                                 "of numbers",
                                 (long long)at,
                                 list == NULL ? "not there" : input_json_called(list));
    } else if (length == 0 || length > INPUT_VECTORS_DIMENSIONS_MAX ||
               (out->dimensions > 0 && length != out->dimensions)) {
        out->says =
            arena_format(arena, "the vector of index %lld has %zu numbers, expected ",
                         (long long)at, length);
        out->says = out->dimensions > 0
                        ? arena_format(arena, "%.*s%zu as all others", STR_ARG(out->says),
                                       out->dimensions)
                        : arena_format(arena, "%.*s1 to %d", STR_ARG(out->says),
                                       INPUT_VECTORS_DIMENSIONS_MAX);
    } else {
        if (out->at == NULL) {
            out->dimensions = length;
            out->at = arena_array(arena, float, count *length);
        }
        seen[at] = true;
        return bytes.len > 0 ? take_bytes(bytes, (size_t)at, arena, out)
                             : take_numbers(list, (size_t)at, arena, out);
    }
    return false;
}

bool model_embedding_read(struct str body, size_t count, size_t dimensions,
                          struct arena *arena, struct model_embedding *out)
{
    struct input_json_tree tree = {0};
    const struct input_json *root = input_json_parse(&tree, body),
                            *data = input_json_get(root, "data"),
                            *usage = input_json_get(root, "usage"),
                            *tokens = input_json_get(usage, "prompt_tokens");
    bool *seen = arena_array(arena, bool, count + 1), ok = true;

    *out = (struct model_embedding){
        .dimensions = dimensions,
        .model = arena_copy(arena, input_json_text(input_json_get(root, "model")))};
    if (tokens == NULL)
        tokens = input_json_get(usage, "total_tokens");
    if (input_json_integer(tokens) > 0)
        out->tokens = input_json_integer(tokens);
    if (!input_json_is(data, INPUT_JSON_ARRAY)) {
        out->says = arena_format(arena, "the reply has no list `data`: %.*s",
                                 STR_ARG(text_utf8_cut(body, 200)));
        ok = false;
    } else if (data->len != count) {
        out->says = arena_format(arena, "the reply has %zu vectors, expected %zu",
                                 (size_t)data->len, count);
        ok = false;
    }
    for (const struct input_json *entry = ok ? input_json_first(data) : NULL;
         ok && entry != NULL; entry = input_json_next(data, entry))
        ok = take_vector(entry, count, seen, arena, out);
    input_json_free(&tree);
    return ok;
}
