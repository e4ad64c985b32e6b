/* Formulas are found by the signs around them; what they hold is not looked at. */
#include "text/math.h"

#include <string.h>

enum {
    LONGEST = 4096
}; /* bytes of one formula; beyond that a sign has lost its partner */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Bytes of other letters than those of ASCII count as letters. */
static bool is_wordy(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           ((unsigned char)c & 0x80) != 0;
}

static bool is_escaped(struct str text, size_t at)
{
    size_t strokes = 0;

    while (strokes < at && text.ptr[at - 1 - strokes] == '\\')
        strokes++;
    return strokes % 2 == 1;
}

/* Where `end` first stands behind `at`, and how far that goes; 0: nowhere. */
static size_t find_end(struct str text, size_t at, struct str end)
{
    size_t last = text.len - at > LONGEST ? at + LONGEST : text.len;

    for (; at + end.len <= last; at++)
        if (memcmp(text.ptr + at, end.ptr, end.len) == 0 && !is_escaped(text, at))
            return at + end.len;
    return 0;
}

static size_t end_of_inline(struct str text, size_t at)
{
    size_t first = at + 1;
    size_t last = text.len - at > LONGEST ? at + LONGEST : text.len;

    if (first == text.len || is_blank(text.ptr[first]) ||
        (at > 0 && is_wordy(text.ptr[at - 1])))
        return 0;
    for (size_t i = first; i < last && text.ptr[i] != '\n'; i++)
        if (text.ptr[i] == '$' && !is_escaped(text, i))
            return i > first && !is_blank(text.ptr[i - 1]) &&
                           (i + 1 == text.len || !is_wordy(text.ptr[i + 1]))
                       ? i + 1
                       : 0;
    return 0;
}

/* Of "\begin{name}": behind "\end{name}". */
static size_t end_of_environment(struct str text, size_t at)
{
    static const struct str begin = STR_INIT("\\begin{");
    struct str rest = str_slice(text, at, text.len), name;
    char end[48];

    if (!str_starts(rest, begin))
        return 0;
    rest = str_slice(rest, begin.len, rest.len);
    if (!str_cut(&rest, '}', &name) || name.len == 0 || name.len > 32)
        return 0;
    memcpy(end, "\\end{", 5);
    memcpy(end + 5, name.ptr, name.len);
    end[5 + name.len] = '}';
    return find_end(text, at + begin.len + name.len, (struct str){end, name.len + 6});
}

/* Where the formula that begins at a dollar or a stroke ends, before which no stroke
 * stands; 0: none begins there. */
static size_t end_of_formula(struct str text, size_t at)
{
    struct str rest = str_slice(text, at, text.len);

    if (str_starts(rest, STR("$$")))
        return find_end(text, at + 2, STR("$$"));
    if (rest.ptr[0] == '$')
        return end_of_inline(text, at);
    if (str_starts(rest, STR("\\(")))
        return find_end(text, at + 2, STR("\\)"));
    if (str_starts(rest, STR("\\[")))
        return find_end(text, at + 2, STR("\\]"));
    return end_of_environment(text, at);
}

/* Texts without either sign, which are most, cost two searches for a byte. */
static size_t next_sign(struct str text, size_t at)
{
    const char *dollar = memchr(text.ptr + at, '$', text.len - at);
    size_t before = dollar != NULL ? (size_t)(dollar - text.ptr) : text.len;
    const char *stroke = memchr(text.ptr + at, '\\', before - at);

    return stroke != NULL ? (size_t)(stroke - text.ptr) : before;
}

struct str text_math_blank(struct str text, struct buf *room)
{
    bool copied = false;

    for (size_t at = 0, end; at < text.len && (at = next_sign(text, at)) < text.len;
         at = end) {
        end = end_of_formula(text, at);
        if (end == 0) { /* what stands behind a stroke begins nothing either */
            end = at + (text.ptr[at] == '\\' ? 2 : 1);
            continue;
        }
        if (!copied) {
            buf_clear(room);
            buf_add(room, text);
            copied = true;
        }
        memset(room->ptr + at, ' ', end - at);
    }
    return copied ? buf_str(room) : text;
}
