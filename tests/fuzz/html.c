/* Html of any bytes: every spelling of it comes apart in the same way, whatever is asked
 * for and however it is read, and what comes out is UTF-8. */
#include <assert.h>
#include <stdint.h>

#include "text/html.h"
#include "text/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_same(const struct buf *a, const struct buf *b)
{
    assert(str_eq(buf_str(a), buf_str(b)));
    assert(text_utf8_valid(buf_str(a)));
}

static void check_parts(const struct text_html_parts *a, const struct text_html_parts *b,
                        unsigned want)
{
    assert(a->code_count == b->code_count);
    if ((want & TEXT_HTML_PROSE) != 0)
        check_same(&a->prose, &b->prose);
    if ((want & TEXT_HTML_CODE) != 0)
        check_same(&a->code, &b->code);
    if ((want & TEXT_HTML_BODY) != 0)
        check_same(&a->body, &b->body);
    if ((want & TEXT_HTML_INLINE) != 0)
        check_same(&a->inline_code, &b->inline_code);
    if ((want & TEXT_HTML_LINKS) != 0)
        check_same(&a->links, &b->links);
}

/* The bytes with blanks in place of what XML forbids. */
static void allow(struct str text, struct buf *html)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        struct str rest = str_slice(text, i, text.len);
        bool forbidden = (c > 0 && c < 0x20 && c != '\t' && c != '\n' && c != '\r') ||
                         str_starts(rest, STR("\xEF\xBF\xBE")) ||
                         str_starts(rest, STR("\xEF\xBF\xBF"));
        buf_add_char(html, forbidden ? ' ' : text.ptr[i]);
    }
}

/* Escaped as in a dump, where line ends and tabs are numbers. */
static void spell_as_dumps_do(struct str html, struct buf *xml)
{
    for (size_t i = 0; i < html.len; i++) {
        char c = html.ptr[i];
        if (c == '\t' || c == '\n' || c == '\r')
            buf_add_format(xml, "&#x%X;", (unsigned)c);
        else if ((c & 0x80) != 0 || c == 0)
            buf_add_char(xml, c);
        else
            buf_add_xml(xml, str_slice(html, i, i + 1));
    }
}

/* Every character of ASCII as a number, so that nothing is known by sight. */
static void spell_in_numbers(struct str html, struct buf *xml)
{
    for (size_t i = 0; i < html.len; i++) {
        if ((signed char)html.ptr[i] > 0)
            buf_add_format(xml, "&#x%X;", (unsigned)html.ptr[i]);
        else
            buf_add_char(xml, html.ptr[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text_html_parts whole = {0}, other = {0};
    struct buf html = {0}, xml = {0}, numbers = {0};
    struct str text;
    unsigned want;

    if (size == 0)
        return 0;
    want = data[0] & TEXT_HTML_ALL;
    text = (struct str){(const char *)data + 1, size - 1};
    allow(text, &html);
    spell_as_dumps_do(buf_str(&html), &xml);
    spell_in_numbers(buf_str(&html), &numbers);

    text_html_split(buf_str(&html), TEXT_HTML_ALL, &whole);
    text_html_split_xml(buf_str(&xml), TEXT_HTML_ALL, &other);
    check_parts(&whole, &other, TEXT_HTML_ALL);
    text_html_split_xml(buf_str(&xml), TEXT_HTML_PORTABLE | want, &other);
    check_parts(&other, &whole, want);
    text_html_split_xml(buf_str(&numbers), want, &other);
    check_parts(&other, &whole, want);

    text_html_split_xml(text, TEXT_HTML_ALL, &whole); /* the bytes as if they were XML */
    text_html_split_xml(text, TEXT_HTML_PORTABLE | want, &other);
    check_parts(&whole, &other, want);

    text_html_parts_free(&whole);
    text_html_parts_free(&other);
    buf_free(&html);
    buf_free(&xml);
    buf_free(&numbers);
    return 0;
}
