/* Texts of any bytes in every form: what comes out is UTF-8, the same whatever is asked
 * for, and no larger than the bytes allow; nothing of plain text or a diff gets lost. */
#include <assert.h>
#include <stdint.h>

#include "text/form.h"
#include "text/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(enum item_form form, struct str body, unsigned want)
{
    struct text_html_parts all = {0}, some = {0};
    struct buf repaired = {0}, shown = {0};

    text_form_split(form, body, TEXT_HTML_ALL, &all);
    text_form_split(form, body, want, &some);
    assert(all.code_count == some.code_count);
    assert(text_utf8_valid(buf_str(&all.prose)) && text_utf8_valid(buf_str(&all.code)));
    assert(text_utf8_valid(buf_str(&all.body)) && text_utf8_valid(buf_str(&all.links)));
    if ((want & TEXT_HTML_PROSE) != 0)
        assert(str_eq(buf_str(&all.prose), buf_str(&some.prose)));
    if ((want & TEXT_HTML_CODE) != 0)
        assert(str_eq(buf_str(&all.code), buf_str(&some.code)));
    assert(form == ITEM_HTML || all.rendered.len <= 40 * body.len + 3 * 4096);
    text_utf8_repair(body, &repaired);
    if (form == ITEM_PLAIN)
        assert(str_eq(buf_str(&all.prose), buf_str(&repaired)));
    if (form == ITEM_DIFF)
        assert(str_eq(buf_str(&all.code), buf_str(&repaired)));
    text_form_show(form, body, &shown);
    text_html_parts_free(&all);
    text_html_parts_free(&some);
    buf_free(&repaired);
    buf_free(&shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct str body = {(const char *)data + 1, size - 1};
    for (int form = ITEM_HTML; form <= ITEM_DIFF; form++)
        check((enum item_form)form, body, data[0] & TEXT_HTML_ALL);
    return 0;
}
