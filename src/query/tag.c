/* Tags of a post, one by one, and patterns for them. */
#include "query/internal.h"

static bool is_border(char c)
{
    return c == '<' || c == '>' || c == '|';
}

bool query_tag_next(struct str *tags, struct str *tag)
{
    size_t from = 0, to;

    while (from < tags->len && is_border(tags->ptr[from]))
        from++;
    for (to = from; to < tags->len && !is_border(tags->ptr[to]);)
        to++;
    *tag = str_slice(*tags, from, to);
    *tags = str_slice(*tags, to, tags->len);
    return tag->len > 0;
}

/* Bytes of the character at the front; a byte that is not UTF-8 is one by itself. */
static size_t character_len(struct str s, size_t at)
{
    uint32_t character;
    size_t len = query_decode(str_slice(s, at, s.len), &character);

    return len > 0 ? len : 1;
}

bool query_glob(struct str pattern, struct str text)
{
    size_t p = 0, t = 0, star = SIZE_MAX, star_text = 0;

    /* A later * makes earlier ones final: only the last one has to be tried further. */
    while (t < text.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            star_text = t;
        } else if (p < pattern.len && pattern.ptr[p] == '?') {
            p++;
            t += character_len(text, t);
        } else if (p < pattern.len && pattern.ptr[p] == text.ptr[t]) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            star_text += character_len(text, star_text);
            t = star_text;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*')
        p++;
    return p == pattern.len;
}
