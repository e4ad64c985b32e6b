/* Most bytes need nothing: they are copied many at a time as long as none of these
 * is an ampersand, a control or part of a longer UTF-8 sequence. */
#include "dump/value.h"

#include "base/date.h"
#include "text/markup.h"
#include "text/utf8.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Longer text is no number and no moment. */
enum { SHORT_BYTES = 200 };

enum { STEP = 16 }; /* bytes that are decoded at once, and may be written too many */

/* In each of eight bytes. */
#define ONES  UINT64_C(0x0101010101010101)
#define HIGHS (ONES << 7)

#define NOINLINE __attribute__((noinline)) /* so that its caller keeps its registers */

/* How many of the eight bytes from p on, counted from the first, need nothing. */
static inline unsigned plain_bytes(const char *p)
{
    uint64_t word = str_word(p), ampersand = word ^ ONES * '&';
    /* A byte that is marked may wrongly mark those above it, never those below. */
    uint64_t marks =
        (((ampersand - ONES) & ~ampersand) | (word - ONES * 0x20) | word) & HIGHS;

    return marks == 0 ? 8 : (unsigned)__builtin_ctzll(marks) / 8;
}

/* The entities of nearly every value, by the low five bits of the byte behind the '&'. */
static const struct entity {
    char form[8], mask[8]; /* and which of its bytes count */
    unsigned char len;     /* 0: none is here */
    char c;
} entities[32] = {
    ['l' & 31] = {"&lt;", "\xFF\xFF\xFF\xFF", 4, '<'},
    ['g' & 31] = {"&gt;", "\xFF\xFF\xFF\xFF", 4, '>'},
    ['a' & 31] = {"&amp;", "\xFF\xFF\xFF\xFF\xFF", 5, '&'},
    ['#' & 31] = {"&#xA;", "\xFF\xFF\xFF\xFF\xFF", 5, '\n'},
    ['q' & 31] = {"&quot;", "\xFF\xFF\xFF\xFF\xFF\xFF", 6, '"'},
};

/* One of these at p, where eight bytes can be read, or NULL. */
static inline const struct entity *usual_entity(const char *p)
{
    const struct entity *entity = &entities[p[1] & 31];
    uint64_t differs = (str_word(p) ^ str_word(entity->form)) & str_word(entity->mask);

    return entity->len > 0 && differs == 0 ? entity : NULL;
}

static const char *expected_at(char c)
{
    return c == '&'                   ? "an entity of XML such as &amp; or &#10;"
           : (unsigned char)c >= 0x80 ? "UTF-8"
                                      : "a character of XML, not a control";
}

/* Everything that is not just copied; true unless U+FFFD stands for it. */
static bool decode_rest(struct str raw, size_t at, size_t *len, char **to)
{
    uint32_t code;
    bool right = raw.ptr[at] == '&' ? text_markup_xml_reference(raw, at, &code, len)
                                    : text_markup_xml_character(raw, at, &code, len);

    *to += text_utf8_write(code, *to);
    return right;
}

#ifdef __SSE2__
/* The same of sixteen bytes. */
static inline unsigned plain_of_16(__m128i bytes)
{
    __m128i marks = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);

    marks = _mm_or_si128(marks, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('&')));
    return (unsigned)__builtin_ctz(
        (unsigned)_mm_movemask_epi8(_mm_or_si128(marks, bytes)) | 1u << 16);
}
#endif

int64_t dump_value_decode(struct str raw, struct buf *out, struct dump_value_fault *fault)
{
    const char *p = raw.ptr, *end = raw.ptr + raw.len;
    char *to = buf_reserve(out, raw.len + STEP);
    int64_t replaced = 0;

    while (p < end) {
        bool stopped = false;
#ifdef __SSE2__
        while (!stopped && end - p >= STEP) {
            __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
            unsigned plain = plain_of_16(bytes);
            _mm_storeu_si128((__m128i *)(void *)to, bytes); /* there is room: see above */
            p += plain;
            to += plain;
            stopped = plain < STEP;
        }
#endif
        while (!stopped && end - p >= 8) {
            unsigned plain = plain_bytes(p);
            memcpy(to, p, 8);
            p += plain;
            to += plain;
            stopped = plain < 8;
        }
        if (p == end)
            break;
        const struct entity *entity;
        size_t len = 1;
        if (*p == '&' && end - p >= 8 && (entity = usual_entity(p)) != NULL) {
            *to++ = entity->c;
            len = entity->len;
        } else if ((unsigned char)*p >= 0x20 && (unsigned char)*p < 0x80 && *p != '&') {
            *to++ = *p;
        } else if (!decode_rest(raw, (size_t)(p - raw.ptr), &len, &to)) {
            if (replaced++ == 0 && fault != NULL)
                *fault =
                    (struct dump_value_fault){{p, (size_t)(end - p)}, expected_at(*p)};
            /* What replaces a byte has three: there has to be room again. */
            out->len = (size_t)(to - out->ptr);
            to = buf_reserve(out, (size_t)(end - p) + STEP);
        }
        p += len;
    }
    out->len = (size_t)(to - out->ptr);
    return replaced;
}

/* "&lt;a&gt;&lt;b&gt;", as nearly all tags are written, without asking at each byte what
 * it is. Where anything else comes, the rest is read as any other value. */
int64_t dump_value_decode_tags(struct str raw, struct buf *out)
{
    const uint32_t lt = (uint32_t)str_word("&lt;\0\0\0"), /* eight bytes each */
        gt = (uint32_t)str_word("&gt;\0\0\0");
    const char *p = raw.ptr, *end = raw.ptr + raw.len;
    char *to = buf_reserve(out, raw.len + 32);

    while (end - p > 8 && (uint32_t)str_word(p) == lt) {
        const char *tag = p + 4;
        char *copy = to;
        unsigned plain;
        *copy++ = '<';
#ifdef __SSE2__
        /* Most tags are shorter than sixteen bytes: each is copied at once. As signed
         * numbers, bytes above 0x7F are below 0x20 as well. */
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)tag);
        unsigned stops = (unsigned)_mm_movemask_epi8(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('&')),
                         _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20))));
        _mm_storeu_si128((__m128i *)(void *)copy, bytes);
        plain = stops != 0 ? (unsigned)__builtin_ctz(stops) : 16;
        tag += plain;
        copy += plain;
        plain = plain == 16 ? 8 : 0;
#else
        plain = 8;
#endif
        while (plain == 8 && tag < end) {
            plain = plain_bytes(tag);
            memcpy(copy, tag, 8);
            tag += plain;
            copy += plain;
        }
        if (end - tag < 4 || (uint32_t)str_word(tag) != gt)
            break;
        *copy++ = '>';
        p = tag + 4;
        to = copy;
    }
    out->len = (size_t)(to - out->ptr);
    return dump_value_decode(str_slice(raw, (size_t)(p - raw.ptr), raw.len), out, NULL);
}

/* The decoded text of a short value: raw itself where nothing is to be decoded. */
static bool short_text(struct str raw, struct buf *buf, struct str *text)
{
    if (raw.len > SHORT_BYTES || dump_value_decode(raw, buf, NULL) > 0)
        return false;
    *text = buf_str(buf);
    return true;
}

/* Any number that is not just a few digits. */
static bool other_int(struct str raw, int64_t *out)
{
    struct buf buf = {0};
    struct str text;

    if (str_to_int(raw, out))
        return true;
    bool ok = short_text(raw, &buf, &text) && str_to_int(text, out);
    buf_free(&buf);
    return ok;
}

bool dump_value_int(struct str raw, int64_t *out)
{
    enum { DIGITS_MAX = 18 }; /* these fit */
    int64_t value = 0;

    if (raw.len - 1 >= DIGITS_MAX)
        return other_int(raw, out);
    for (size_t i = 0; i < raw.len; i++) {
        unsigned digit = (unsigned char)raw.ptr[i] - (unsigned)'0';
        if (digit > 9)
            return other_int(raw, out);
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

static inline unsigned two_digits(const char *p, bool *digits)
{
    unsigned tens = (unsigned char)p[0] - (unsigned)'0',
             ones = (unsigned char)p[1] - (unsigned)'0';

    *digits &= tens <= 9 && ones <= 9;
    return tens * 10 + ones;
}

/* "2014-01-01T"; false when it is another thing, or a day that not every month has. */
static NOINLINE bool usual_day(const char *p, int64_t *ms)
{
    bool digits = p[4] == '-' && p[7] == '-' && p[10] == 'T';
    unsigned year = two_digits(p, &digits) * 100 + two_digits(p + 2, &digits),
             month = two_digits(p + 5, &digits), day = two_digits(p + 8, &digits);

    if (!digits || month - 1 >= 12 || day - 1 >= 31)
        return false;
    int64_t at = date_from_civil((struct date){(int)year, (int)month, (int)day});
    if (day > 28 && date_to_civil(at).day != (int)day)
        return false;
    *ms = at;
    return true;
}

/* "01:09:04.571"; whatever is wrong is asked for at once. */
static inline bool usual_time(const char *p, int64_t *ms)
{
    const uint64_t separators = UINT64_C(0x0000FF0000FF0000), tens = ONES * (0x80 - 10);
    uint64_t clock = str_word(p) ^ str_word("00:00:00"),
             rest = (str_word(p + 4) ^ str_word("----.000")) >> 32,
             wrong = ((clock | (clock + tens) | rest | (rest + tens)) & HIGHS) |
                     (clock & separators) | (rest & 0xFF);

    clock = clock * 10 + (clock >> 8); /* pairs of digits, none of them above 99 */
    int64_t hour = clock & 0xFF, minute = clock >> 24 & 0xFF, second = clock >> 48 & 0xFF;
    if ((wrong != 0) | (hour >= 24) | (minute >= 60) | (second >= 60))
        return false;
    *ms = hour * DATE_HOUR_MS + minute * DATE_MINUTE_MS + second * DATE_SECOND_MS +
          (int64_t)((rest >> 8 & 0xFF) * 100 + (rest >> 16 & 0xFF) * 10 + (rest >> 24));
    return true;
}

/* A moment as dumps write it: 2014-01-01T01:09:04.571. Its day is mostly that of the
 * moment before. */
static inline bool usual_date(struct str raw, struct dump_value_day *day, int64_t *ms)
{
    int64_t time;

    if (raw.len != 23 || !usual_time(raw.ptr + sizeof day->text, &time))
        return false;
    /* Eleven bytes as two words. */
    if (day->text[0] == '\0' ||
        ((str_word(day->text) ^ str_word(raw.ptr)) |
         (str_word(day->text + 3) ^ str_word(raw.ptr + 3))) != 0) {
        if (!usual_day(raw.ptr, &day->ms))
            return false;
        memcpy(day->text, raw.ptr, sizeof day->text);
    }
    *ms = day->ms + time;
    return true;
}

/* Any moment that is written otherwise. */
static NOINLINE bool other_date(struct str raw, int64_t *ms)
{
    struct buf buf = {0};
    struct str text;

    if (date_parse(raw, ms))
        return true;
    bool ok = short_text(raw, &buf, &text) && date_parse(text, ms);
    buf_free(&buf);
    return ok;
}

bool dump_value_date_near(struct str raw, struct dump_value_day *day, int64_t *ms)
{
    return usual_date(raw, day, ms) || other_date(raw, ms);
}

bool dump_value_date(struct str raw, int64_t *ms)
{
    struct dump_value_day day = {0};

    return dump_value_date_near(raw, &day, ms);
}

bool dump_value_row_int(struct str raw, int64_t *out)
{
    return dump_value_few_digits(raw, out) || dump_value_int(raw, out);
}

int64_t dump_value_post_type(const struct dump_rows_row *row)
{
    struct str raw = dump_rows_raw(row, DUMP_ROWS_POST_TYPE_ID);
    int64_t type = 0;

    if (raw.len == 1 && raw.ptr[0] >= '0' && raw.ptr[0] <= '9')
        return raw.ptr[0] - '0';
    return raw.ptr != NULL && dump_value_int(raw, &type) ? type : 0;
}
