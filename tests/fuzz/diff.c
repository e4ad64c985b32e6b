/* Patches of any bytes: the html has our own elements alone, all of them closed, within
 * its limits, and json is json. */
#include <assert.h>
#include <jansson.h>
#include <stdint.h>

#include "text/diff.h"
#include "text/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const elements[] = {"div",  "details", "summary",
                                       "span", "bdi",     "code"};

static bool is_known(struct str tag)
{
    struct str name;

    str_cut(&tag, ' ', &name);
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (str_eq(name, str_from(elements[i])))
            return true;
    return false;
}

static void check_html(struct str html)
{
    struct str open[20], rest = html, text, tag;
    size_t depth = 0;

    assert(text_utf8_valid(html));
    while (str_cut(&rest, '<', &text)) {
        bool closed = str_cut(&rest, '>', &tag);
        assert(closed);
        if (str_starts(tag, STR("/"))) {
            assert(depth > 0);
            struct str opened = open[--depth], name;
            str_cut(&opened, ' ', &name);
            assert(str_eq(name, str_slice(tag, 1, tag.len)));
        } else {
            assert(is_known(tag) && depth < sizeof open / sizeof *open);
            open[depth++] = tag;
        }
    }
    assert(depth == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str patch = {(const char *)data, size};
    const struct text_diff_limits small = {
        .files = 3, .lines = 9, .file_lines = 5, .line_bytes = 7, .bytes = 3000};
    struct buf html = {0}, cut = {0}, text = {0};

    text_diff_html(patch, &text_diff_page, &html);
    check_html(buf_str(&html));
    text_diff_html(patch, &small, &cut);
    check_html(buf_str(&cut));
    text_diff_json(patch, &text);
    json_t *json = json_loadb(text.ptr, text.len, JSON_ALLOW_NUL, NULL);
    assert(json_is_array(json));
    json_decref(json);
    buf_free(&html);
    buf_free(&cut);
    buf_free(&text);
    return 0;
}
