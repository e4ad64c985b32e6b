/* Growth doubles, so that n bytes cost at most 2n copies. */
#include "base/buf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { FIRST_BYTES = 256, LARGE_BYTES = 64 * 1024, PAGE_BYTES = 4096 };

void buf_free(struct buf *buf)
{
    free(buf->ptr);
    *buf = (struct buf){0};
}

struct str buf_keep(struct buf *buf, struct arena *arena)
{
    struct str copy = arena_copy(arena, buf_str(buf));

    buf_free(buf);
    return copy;
}

/* Large buffers begin on a page: the kernel copies a file's bytes into them several times
 * as fast as to an odd address (measured: 11 against 1.8 GB/s). */
static char *enlarge(const struct buf *buf, size_t capacity)
{
    if (capacity < LARGE_BYTES)
        return realloc(buf->ptr, capacity);
    char *larger =
        aligned_alloc(PAGE_BYTES, capacity / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES);
    if (larger != NULL) {
        if (buf->len > 0)
            memcpy(larger, buf->ptr, buf->len);
        free(buf->ptr);
    }
    return larger;
}

void buf_grow(struct buf *buf, size_t more)
{
    size_t capacity = buf->capacity > 0 ? buf->capacity : FIRST_BYTES;

    if (more > SIZE_MAX / 4 - buf->len)
        arena_exhausted();
    while (capacity - buf->len < more)
        capacity *= 2;
    char *larger = enlarge(buf, capacity);
    if (larger == NULL)
        arena_exhausted();
    buf->ptr = larger;
    buf->capacity = capacity;
}

void buf_add_int(struct buf *buf, int64_t value)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        digits[--at] = '-';
    buf_add(buf, (struct str){digits + at, sizeof digits - at});
}

void buf_add_arguments(struct buf *buf, const char *format, va_list arguments)
{
    va_list again;

    va_copy(again, arguments);
    int len = vsnprintf(NULL, 0, format, arguments);
    if (len > 0) {
        vsnprintf(buf_reserve(buf, (size_t)len + 1), (size_t)len + 1, format, again);
        buf->len += (size_t)len;
    }
    va_end(again);
}

void buf_add_thousands(struct buf *buf, double value, int digits)
{
    char text[400];
    size_t len = (size_t)snprintf(text, sizeof text, "%.*f", digits, value), i = 0;
    size_t whole = len - (digits > 0 ? (size_t)digits + 1 : 0);

    if (text[0] == '-') {
        /* What rounds to nothing has no sign. */
        if (text[strspn(text, "-0.")] != '\0')
            buf_add_char(buf, '-');
        i++;
    }
    if (isinf(value)) {
        buf_add(buf, STR("∞"));
        return;
    }
    for (; i < len; i++) {
        buf_add_char(buf, text[i]);
        if (i + 1 < whole && (whole - i - 1) % 3 == 0)
            buf_add_char(buf, ',');
    }
}

void buf_add_number(struct buf *buf, double value)
{
    if (isnan(value))
        buf_add(buf, STR("–"));
    else if (value == floor(value) && fabs(value) < 1e15)
        buf_add_thousands(buf, value, 0);
    else
        buf_add_format(buf, "%.10g", value);
}

void buf_add_format(struct buf *buf, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    buf_add_arguments(buf, format, arguments);
    va_end(arguments);
}

/* Where the next byte is that may have to be replaced, in any of the formats below: from
 * i on, or s.len. */
static size_t next_special(struct str s, size_t i)
{
#ifdef __SSE2__
    for (; s.len - i >= 16; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(s.ptr + i));
        __m128i marks = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
        marks = _mm_or_si128(marks, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')));
        marks = _mm_or_si128(marks, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
        marks = _mm_or_si128(marks, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('&')));
        marks = _mm_or_si128(marks, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('<')));
        marks = _mm_or_si128(marks, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('>')));
        int mask = _mm_movemask_epi8(marks);
        if (mask != 0)
            return i + (size_t)__builtin_ctz((unsigned)mask);
    }
#endif
    while (i < s.len && (unsigned char)s.ptr[i] > '>' && s.ptr[i] != '\\')
        i++;
    return i;
}

/* Adds s with each byte that `replace` knows exchanged; runs between them are copied
 * whole. */
static void add_replaced(struct buf *buf, struct str s, struct str (*replace)(char c))
{
    size_t done = 0;

    for (size_t i = next_special(s, 0); i < s.len; i = next_special(s, i + 1)) {
        struct str instead = replace(s.ptr[i]);
        if (instead.len == 0)
            continue;
        buf_add(buf, str_slice(s, done, i));
        buf_add(buf, instead);
        done = i + 1;
    }
    buf_add(buf, str_slice(s, done, s.len));
}

static struct str xml_instead(char c)
{
    switch (c) {
    case '&':
        return STR("&amp;");
    case '<':
        return STR("&lt;");
    case '>':
        return STR("&gt;");
    case '"':
        return STR("&quot;");
    case '\n':
        return STR("&#xA;");
    case '\r':
        return STR("&#xD;");
    case '\t':
        return STR("&#x9;");
    default:
        return (struct str){0};
    }
}

void buf_add_xml(struct buf *buf, struct str s)
{
    add_replaced(buf, s, xml_instead);
}

/* Writes what stands for a byte in JSON; up to eight bytes. */
static char *put_json(char *to, char c)
{
    static const char controls[32][8] = {
        "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006",
        "\\u0007", "\\b",     "\\t",     "\\n",     "\\u000b", "\\f",     "\\r",
        "\\u000e", "\\u000f", "\\u0010", "\\u0011", "\\u0012", "\\u0013", "\\u0014",
        "\\u0015", "\\u0016", "\\u0017", "\\u0018", "\\u0019", "\\u001a", "\\u001b",
        "\\u001c", "\\u001d", "\\u001e", "\\u001f"};

    if ((unsigned char)c < sizeof controls / sizeof controls[0]) {
        const char *instead = controls[(unsigned char)c];
        memcpy(to, instead, sizeof controls[0]);
        return to + (instead[1] == 'u' ? 6 : 2);
    }
    *to = '\\';
    to += c == '"' || c == '\\';
    *to = c;
    return to + 1;
}

/* Texts have such a byte in every line, so runs are copied while they are looked at. */
void buf_add_json(struct buf *buf, struct str s)
{
    enum { STEP = 16, LONGEST = 8 };
    size_t i = 0;

    while (i < s.len) {
        /* All the rest as it is, and one byte that is not. */
        char *to = buf_reserve(buf, s.len - i + STEP + LONGEST);
#ifdef __SSE2__
        for (unsigned mask = 0; mask == 0 && s.len - i >= STEP;) {
            __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(s.ptr + i));
            __m128i marks =
                _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
            marks = _mm_or_si128(marks, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')));
            marks = _mm_or_si128(marks, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
            mask = (unsigned)_mm_movemask_epi8(marks);
            _mm_storeu_si128((__m128i *)(void *)to, bytes);
            size_t plain = mask != 0 ? (size_t)__builtin_ctz(mask) : STEP;
            i += plain;
            to += plain;
        }
#endif
        if (i < s.len)
            to = put_json(to, s.ptr[i++]);
        buf->len = (size_t)(to - buf->ptr);
    }
}

static struct str csv_instead(char c)
{
    return c == '"' ? STR("\"\"") : (struct str){0};
}

void buf_add_csv(struct buf *buf, struct str s)
{
    bool quoted = s.len > 0 && (s.ptr[0] == ' ' || s.ptr[s.len - 1] == ' ');

    for (size_t i = 0; i < s.len && !quoted; i++)
        quoted =
            s.ptr[i] == ',' || s.ptr[i] == '"' || s.ptr[i] == '\n' || s.ptr[i] == '\r';
    if (!quoted) {
        buf_add(buf, s);
        return;
    }
    buf_add_char(buf, '"');
    add_replaced(buf, s, csv_instead);
    buf_add_char(buf, '"');
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* Whether a name or an address may go on in the next line before its byte `at`. */
static bool divides(struct str word, size_t at)
{
    char before = word.ptr[at - 1], here = word.ptr[at];

    return (memchr("/._:-@=&?,;+)]", before, 14) != NULL && before != here) ||
           (before >= 'a' && before <= 'z' && here >= 'A' && here <= 'Z');
}

size_t buf_latex_piece(struct str word)
{
    enum { SHORT = 20, LEAST = 3, LETTERS = 14 };
    size_t letters = 0, since = 0;

    if (word.len <= SHORT)
        return word.len;
    for (size_t at = 1; at + LEAST < word.len; at++) {
        if (((unsigned char)word.ptr[at] & 0xC0) == 0x80)
            continue; /* within a letter */
        since++;
        letters = is_letter(word.ptr[at - 1]) ? letters + 1 : 0;
        if ((since >= LEAST && divides(word, at)) ||
            (letters >= LETTERS && is_letter(word.ptr[at])))
            return at;
    }
    return word.len;
}

static void add_latex_word(struct buf *buf, struct str s)
{
    static const struct {
        struct str text;
        const char *latex;
    } special[] = {{STR_INIT("\\"), "\\textbackslash{}"},
                   {STR_INIT("{"), "\\{"},
                   {STR_INIT("}"), "\\}"},
                   {STR_INIT("$"), "\\$"},
                   {STR_INIT("&"), "\\&"},
                   {STR_INIT("#"), "\\#"},
                   {STR_INIT("_"), "\\_"},
                   {STR_INIT("%"), "\\%"},
                   {STR_INIT("~"), "\\textasciitilde{}"},
                   {STR_INIT("^"), "\\textasciicircum{}"},
                   {STR_INIT("<"), "\\textless{}"},
                   {STR_INIT(">"), "\\textgreater{}"},
                   {STR_INIT("|"), "\\textbar{}"},
                   {STR_INIT("∞"), "$\\infty$"}};

    while (s.len > 0) {
        size_t k = 0;
        while (k < ROWS_OF(special) && !str_starts(s, special[k].text))
            k++;
        bool found = k < ROWS_OF(special);
        size_t len = found ? special[k].text.len : 1;
        buf_add(buf, found ? str_from(special[k].latex) : str_slice(s, 0, len));
        s = str_slice(s, len, s.len);
    }
}

void buf_add_latex(struct buf *buf, struct str s)
{
    struct str word;

    for (bool more = true; more;) {
        more = str_cut(&s, ' ', &word);
        for (size_t len; word.len > 0; word = str_slice(word, len, word.len)) {
            len = buf_latex_piece(word);
            add_latex_word(buf, str_slice(word, 0, len));
            if (len == word.len)
                continue;
            bool letters = is_letter(word.ptr[len - 1]) && !divides(word, len);
            buf_add(buf, letters ? STR("\\-") : STR("\\hspace{0pt}"));
        }
        if (more)
            buf_add_char(buf, ' ');
    }
}

void buf_add_markdown(struct buf *buf, struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (c == '|' || c == '\\' || c == '<' || c == '`')
            buf_add_char(buf, '\\');
        buf_add_char(buf, c == '\n' ? ' ' : c);
    }
}

void buf_add_html(struct buf *buf, const char *html, ...)
{
    va_list values;

    va_start(values, html);
    for (; *html != '\0'; html++)
        if (*html == '%')
            buf_add_xml(buf, va_arg(values, struct str));
        else if (*html == '$')
            buf_add_number(buf, va_arg(values, double));
        else
            buf_add_char(buf, *html);
    va_end(values);
}
