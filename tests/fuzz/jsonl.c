/* Any bytes as json are posts or an error with its place, whatever the pieces they come
 * in; blanks between the objects, an array or "items" around them change nothing. */
#include "dump/jsonl.h"

#include "input/document.h"
#include "tests/fuzz/check_post.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_pieces(struct str text, size_t piece, int64_t *count, struct err *err)
{
    struct dump_jsonl_options options = {"f", NULL, check_post, count, NULL};
    struct dump_jsonl *jsonl = dump_jsonl_open(&options);
    bool ok = true;

    for (; ok && text.len > piece; text = str_slice(text, piece, text.len))
        ok = dump_jsonl_push(jsonl, str_slice(text, 0, piece), false, err);
    ok = ok && dump_jsonl_push(jsonl, text, true, err);
    dump_jsonl_close(jsonl);
    return ok;
}

static bool read_posts(struct str text, int64_t *count, struct err *err)
{
    bool ok = read_pieces(text, SIZE_MAX, count, err);

    assert(ok == (err->kind == ERR_NONE));
    if (!ok)
        check_error(err);
    return ok;
}

/* The same posts when these stand around all of them. */
static void check_within(const char *before, const struct buf *inner, const char *behind,
                         int64_t count)
{
    struct buf text = {0};
    struct err err = {0};
    int64_t again = 0;

    buf_add(&text, str_from(before));
    buf_add(&text, buf_str(inner));
    buf_add(&text, str_from(behind));
    /* Brackets around add to the depth. */
    bool ok = read_posts(buf_str(&text), &again, &err);
    assert(strstr(err.text, "brackets") != NULL || (ok && again == count));
    buf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size}, value;
    struct input_document document = {.path = "f"};
    struct buf apart = {0}, joined = {0};
    struct err err = {0}, other = {0}, ignored = {0};
    int64_t count = 0, again = 0;
    bool plain = true, ok = read_posts(text, &count, &err);
    enum input_document_part part;

    assert(read_pieces(text, size % 7 + 1, &again, &other) == ok && again == count);
    assert(strcmp(err.text, other.text) == 0);
    input_document_push(&document, text, true);
    while (input_document_next(&document, &value, &part, &ignored)) {
        plain = plain && part == INPUT_DOCUMENT_VALUE;
        buf_add(&joined, joined.len > 0 ? STR(",") : STR(""));
        buf_add(&joined, value);
        buf_add(&apart, STR("\r\n\t "));
        buf_add(&apart, value);
    }
    assert(!document.failed || !ok);
    for (size_t i = 0; i < size && plain; i++) /* a page of them may hide in an object */
        plain =
            text.ptr[i] != '\\' && !str_starts(str_slice(text, i, size), STR("items"));
    if (ok && plain) {
        again = 0;
        assert(read_posts(buf_str(&apart), &again, &ignored) && again == count);
        check_within("[", &joined, "]", count);
        check_within("{\"items\":[", &joined, "],\"has_more\":false}", count);
    }
    input_document_free(&document);
    buf_free(&apart);
    buf_free(&joined);
    return 0;
}
