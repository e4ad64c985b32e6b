/* Any bytes as json are posts or an error with its place; blanks between the values, and
 * an array around them, change nothing. */
#include "dump/jsonl.h"

#include "input/document.h"
#include "tests/fuzz/check_post.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_posts(struct str text, int64_t *count, struct err *err)
{
    struct jsonl_options options = {"f", NULL, check_post, count};
    bool ok = jsonl_read(text, &options, err);

    assert(ok == (err->kind == ERR_NONE));
    if (!ok)
        check_error(err);
    return ok;
}

/* The value is a post with its answers, not an array or a page of them. */
static bool is_plain(struct str value)
{
    for (size_t i = 0; i < value.len; i++) /* "items" may be escaped */
        if (value.ptr[i] == '\\' ||
            str_starts(str_slice(value, i, value.len), STR("items")))
            return false;
    return value.ptr[0] == '{';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size}, value;
    struct document document = {.text = text, .path = "f"};
    struct buf apart = {0}, array = {0};
    struct err err = {0}, ignored = {0};
    int64_t count = 0, again = 0;
    bool plain = true, ok = read_posts(text, &count, &err);

    buf_add_char(&array, '[');
    while (document_next(&document, &value, &ignored)) {
        plain = plain && is_plain(value);
        if (array.len > 1)
            buf_add_char(&array, ',');
        buf_add(&array, value);
        buf_add(&apart, STR("\r\n\t "));
        buf_add(&apart, value);
    }
    buf_add_char(&array, ']');
    assert(!document.failed || !ok);
    if (ok) {
        assert(read_posts(buf_str(&apart), &again, &ignored) && again == count);
        again = 0;
        /* An array adds a bracket to the depth. */
        if (plain && (read_posts(buf_str(&array), &again, &ignored) ||
                      strstr(ignored.text, "brackets") == NULL))
            assert(ignored.kind == ERR_NONE && again == count);
    }
    buf_free(&apart);
    buf_free(&array);
    return 0;
}
