/* The reply is read by input/json.h. */
#include "model/embedding.h"

#include <math.h>

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

static bool take_numbers(const struct input_json *list, size_t index, struct arena *arena,
                         struct model_embedding *out)
{
    size_t place = 0;

    INPUT_JSON_EACH(item, list)
    {
        float number = input_json_is_number(item) ? (float)input_json_number(item) : NAN;
        if (!isfinite(number)) {
            out->says = arena_format(
                arena,
                "number %zu of vector %zu is %s, expected a finite "
                "number",
                place + 1, index,
                input_json_is_number(item) ? "too large" : input_json_called(item));
            return false;
        }
        out->at[index * out->dimensions + place++] = number;
    }
    return true;
}

/* The first vector says how long all are, unless that is known. */
static bool take_vector(const struct input_json *entry, size_t count, bool *seen,
                        struct arena *arena, struct model_embedding *out)
{
    const struct input_json *index = input_json_get(entry, "index"),
                            *list = input_json_get(entry, "embedding");
    int64_t at = input_json_integer(index);
    size_t length = input_json_count(list);

    if (!input_json_is(index, INPUT_JSON_INTEGER) || at < 0 || (uint64_t)at >= count) {
        out->says =
            arena_format(arena, "a vector has %s, expected an index from 0 to %zu",
                         index == NULL                              ? "no index"
                         : input_json_is(index, INPUT_JSON_INTEGER) ? "another index"
                                                                    : "no whole index",
                         count - 1);
    } else if (seen[at]) {
        out->says = arena_format(arena, "index %lld is there twice", (long long)at);
    } else if (!input_json_is(list, INPUT_JSON_ARRAY)) {
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
        return take_numbers(list, (size_t)at, arena, out);
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
