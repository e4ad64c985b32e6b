/* Members of the json that pages send. */
#include <math.h>

#include "serve/internal.h"

static bool missing(const char *name, struct err *err)
{
    return err_set(err, ERR_INPUT, "the request lacks '%s'", name);
}

static bool wrong(const char *name, const char *expected, struct err *err)
{
    return err_set(err, ERR_INPUT, "'%s' in the request is not %s", name, expected);
}

static struct str text_of(const json_t *value)
{
    return (struct str){json_string_value(value), json_string_length(value)};
}

bool serve_ask_text(const json_t *body, const char *name, int required, struct str *out,
                    struct err *err)
{
    const json_t *value = json_object_get(body, name);

    *out = (struct str){0};
    if (value == NULL)
        return required == SERVE_OPTIONAL || missing(name, err);
    if (!json_is_string(value))
        return wrong(name, "a text", err);
    *out = text_of(value);
    return true;
}

bool serve_ask_texts(const json_t *body, const char *name, struct arena *arena,
                     struct str **out, size_t *count, struct err *err)
{
    const json_t *list = json_object_get(body, name);

    if (list == NULL)
        return missing(name, err);
    if (!json_is_array(list))
        return wrong(name, "a list of texts", err);
    *count = json_array_size(list);
    *out = arena_array(arena, struct str, *count);
    for (size_t i = 0; i < *count; i++) {
        const json_t *value = json_array_get(list, i);
        if (!json_is_string(value))
            return wrong(name, "a list of texts", err);
        (*out)[i] = text_of(value);
    }
    return true;
}

bool serve_ask_int(const json_t *body, const char *name, int required, int64_t *out,
                   struct err *err)
{
    const json_t *value = json_object_get(body, name);

    *out = 0;
    if (value == NULL)
        return required == SERVE_OPTIONAL || missing(name, err);
    if (!json_is_integer(value))
        return wrong(name, "a whole number", err);
    *out = json_integer_value(value);
    return true;
}

bool serve_ask_real(const json_t *body, const char *name, double *out, struct err *err)
{
    const json_t *value = json_object_get(body, name);

    *out = 0;
    if (value == NULL)
        return true;
    if (!json_is_number(value) || !isfinite(json_number_value(value)))
        return wrong(name, "a number", err);
    *out = json_number_value(value);
    return true;
}

bool serve_ask_bool(const json_t *body, const char *name, bool *out, struct err *err)
{
    const json_t *value = json_object_get(body, name);

    *out = false;
    if (value == NULL)
        return true;
    if (!json_is_boolean(value))
        return wrong(name, "true or false", err);
    *out = json_is_true(value);
    return true;
}
