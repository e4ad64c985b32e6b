/* Json as it is written: commas, escapes, what is undefined. */
#include "serve/internal.h"

#include <jansson.h>
#include <math.h>

#include "tests/tap.h"

static void test_shape(void)
{
    struct buf out = {0};
    struct str texts[] = {STR("a"), STR("b\"c\n")};

    tap_case("values, lists and objects inside one another");
    serve_writer_open(&out, NULL, '{');
    serve_writer_int(&out, "one", INT64_MIN);
    serve_writer_real(&out, "half", 0.5);
    serve_writer_real(&out, "undefined", NAN);
    serve_writer_real(&out, "endless", -INFINITY);
    serve_writer_bool(&out, "yes", true);
    serve_writer_null(&out, "none");
    serve_writer_texts(&out, "texts", texts, 2);
    serve_writer_open(&out, "empty", '[');
    serve_writer_close(&out, ']');
    serve_writer_open(&out, "list", '[');
    for (int i = 0; i < 2; i++) {
        serve_writer_open(&out, NULL, '{');
        serve_writer_close(&out, '}');
    }
    serve_writer_int(&out, NULL, 3);
    serve_writer_close(&out, ']');
    serve_writer_close(&out, '}');
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr,
               "{\"one\":-9223372036854775808,\"half\":0.5,\"undefined\":null,"
               "\"endless\":null,\"yes\":true,\"none\":null,"
               "\"texts\":[\"a\",\"b\\\"c\\n\"],\"empty\":[],\"list\":[{},{},3]}");
    buf_free(&out);
}

/* A text whose last byte looks like a bracket does not take the comma away. */
static void test_texts(void)
{
    static const struct {
        const char *name;
        struct str text;
        const char *want;
    } rows[] = {
        {"a bracket at the end", STR_INIT("a{["), "a{["},
        {"a quote and a backslash", STR_INIT("\"\\"), "\"\\"},
        {"bytes that are no characters", STR_INIT("a\xff"), "a\xef\xbf\xbd"},
        {"a zero byte", STR_INIT("a\0b"),
         "a\xef\xbf\xbd"
         "b"},
        {"nothing", STR_INIT(""), ""},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct buf out = {0};
        tap_case("text: %s", rows[i].name);
        serve_writer_open(&out, NULL, '{');
        serve_writer_text(&out, "a", rows[i].text);
        serve_writer_int(&out, "b", 1);
        serve_writer_close(&out, '}');
        json_t *read = json_loadb(out.ptr, out.len, 0, NULL);
        const char *got = json_string_value(json_object_get(read, "a"));
        CHECK_TEXT(got == NULL ? "(no json)" : got, rows[i].want);
        json_decref(read);
        buf_free(&out);
    }
}

int main(void)
{
    test_shape();
    test_texts();
    return tap_done();
}
