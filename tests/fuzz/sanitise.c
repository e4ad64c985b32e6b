/* Post html of any bytes: what comes out is made of allowed tags alone, all of them
 * closed, with links that lead where links may lead; and doing it again changes nothing.
 * The reader here knows nothing of the sanitiser. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "text/sanitise.h"
#include "text/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const allowed[] = {
    "a",   "blockquote", "br",    "code", "dd", "del",   "dl", "dt",  "em",     "h1",
    "h2",  "h3",         "hr",    "kbd",  "li", "ol",    "p",  "pre", "strong", "sub",
    "sup", "table",      "tbody", "td",   "th", "thead", "tr", "ul"};

static bool is(struct str name, const char *other)
{
    return str_eq(name, str_from(other));
}

static bool is_allowed(struct str name)
{
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (is(name, allowed[i]))
            return true;
    return false;
}

static bool begins_lower(struct str s, const char *prefix)
{
    for (size_t i = 0; prefix[i] != '\0'; i++)
        if (i >= s.len || (s.ptr[i] | 32) != (prefix[i] | 32))
            return false;
    return true;
}

/* Takes name="address" from the front. */
static bool take_address(struct str *tag, struct str name)
{
    struct str address;

    if (!str_starts(*tag, name))
        return false;
    *tag = str_slice(*tag, name.len, tag->len);
    bool closed = str_cut(tag, '"', &address);
    assert(closed);
    assert(begins_lower(address, "http://") || begins_lower(address, "https://") ||
           begins_lower(address, "mailto:"));
    return true;
}

static void check_link(struct str tag)
{
    struct str image = STR(TEXT_SANITISE_IMAGE), begin = STR("a ");

    image = str_slice(image, 1, image.len); /* behind its bracket */
    bool marked = str_starts(tag, image);
    tag = str_slice(tag, marked ? image.len : begin.len, tag.len);
    if (marked && take_address(&tag, STR("data-image=\"")))
        tag = str_slice(tag, 1, tag.len);
    bool leads = take_address(&tag, STR("href=\""));
    assert(leads);
    assert(str_eq(tag, STR(" rel=\"noopener noreferrer nofollow\" target=\"_blank\"")));
}

static void check_tags(struct str html)
{
    struct str open[TEXT_SANITISE_DEPTH_MAX + 1], rest = html, text, tag;
    size_t depth = 0;

    while (str_cut(&rest, '<', &text)) {
        assert(text.len == 0 || memchr(text.ptr, '>', text.len) == NULL);
        bool closed = str_cut(&rest, '>', &tag);
        assert(closed);
        if (str_starts(tag, STR("/"))) {
            assert(depth > 0 && str_eq(open[depth - 1], str_slice(tag, 1, tag.len)));
            depth--;
        } else if (str_starts(tag, STR("a "))) {
            check_link(tag);
            assert(depth < TEXT_SANITISE_DEPTH_MAX);
            open[depth++] = STR("a");
        } else {
            assert(is_allowed(tag) && !is(tag, "a"));
            if (is(tag, "br") || is(tag, "hr"))
                continue;
            assert(depth < TEXT_SANITISE_DEPTH_MAX);
            open[depth++] = tag;
        }
    }
    assert(text.len == 0 || memchr(text.ptr, '>', text.len) == NULL);
    assert(depth == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf once = {0}, twice = {0};

    text_sanitise_html((struct str){(const char *)data, size}, &once);
    assert(text_utf8_valid(buf_str(&once)));
    check_tags(buf_str(&once));
    text_sanitise_html(buf_str(&once), &twice);
    assert(str_eq(buf_str(&once), buf_str(&twice)));
    buf_free(&once);
    buf_free(&twice);
    return 0;
}
