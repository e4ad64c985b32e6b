/* One piece of markup after the other. */
#include "text/plain.h"

#include "text/markup.h"
#include "text/utf8.h"

static void add_code(struct buf *out, uint32_t code)
{
    char bytes[4];

    buf_add(out, (struct str){bytes, text_utf8_write(code, bytes)});
}

void text_plain(struct str html, struct buf *out)
{
    struct text_markup_source source = {.text = html};
    size_t begin = out->len;

    for (size_t at = 0; at < html.len;) {
        size_t plain = at;
        while (plain < html.len && html.ptr[plain] != '<' && html.ptr[plain] != '&')
            plain++;
        buf_add(out, str_slice(html, at, plain));
        if (plain == html.len)
            return;
        struct text_markup piece = text_markup_read(&source, plain);
        for (size_t i = 0; i < piece.count; i++)
            add_code(out, piece.codes[i]);
        if (piece.count == 0 &&
            (piece.tag == TEXT_TAG_BLOCK || piece.tag == TEXT_TAG_PRE) &&
            out->len > begin && out->ptr[out->len - 1] != '\n')
            buf_add_char(out, '\n');
        at = piece.end;
    }
}

size_t text_plain_byte(struct str text, size_t character)
{
    size_t at = 0;

    for (; at < text.len; at++)
        if ((text.ptr[at] & 0xC0) != 0x80 && character-- == 0)
            break;
    return at;
}
