/* What an attribute says: from the bytes between the quotes to text, numbers and times,
 * as XML 1.0 wants it. */
#ifndef DUMP_VALUE_H
#define DUMP_VALUE_H

#include "dump/rows.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

struct dump_value_fault {
    struct str at; /* from the wrong byte to the value's end */
    const char *expected;
};

/* Adds the decoded value to out: the five entities and numeric ones replaced, a raw line
 * end or tab as a blank, everything UTF-8 and a character of XML. What is not (&nbsp;
 * &#x1F; bad UTF-8, a control, a '&' alone) becomes U+FFFD; returns how many did, and
 * *fault, unless NULL, tells where the first stands. */
int64_t dump_value_decode(struct str raw, struct buf *out,
                          struct dump_value_fault *fault);

/* The same for the tags of a row, behind whose block bytes can be read. */
int64_t dump_value_decode_tags(struct str raw, struct buf *out);

/* Where a tag of a raw value of a row ends, as far as nothing in it is to be decoded; it
 * may be behind the end. */
static inline const char *dump_value_tag_end(const char *p, const char *end)
{
#ifdef __SSE2__
    for (; p < end; p += 16) {
        /* As signed numbers, bytes above 0x7F are below 0x20 as well. */
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i marks = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('&')),
                                     _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)));
        __m128i borders = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('|')),
                                       _mm_cmpeq_epi8(bytes, _mm_set1_epi8('>')));
        unsigned stops = (unsigned)_mm_movemask_epi8(_mm_or_si128(marks, borders));
        if (stops != 0)
            return p + __builtin_ctz(stops);
    }
#else
    for (; p < end; p++)
        if (*p == '&' || *p == '|' || *p == '>' || *p < 0x20 || *p > 0x7E)
            return p;
#endif
    return end;
}

/* Cuts the first tag off the rest of the tags of a row, "&lt;a&gt;&lt;b&gt;", or with
 * `bars`, once the first of them is gone, "a|b|"; false where it is another thing. */
static inline bool dump_value_cut_tag(struct str *rest, bool bars, struct str *tag)
{
    const uint32_t lt = (uint32_t)str_word("&lt;\0\0\0"), /* eight bytes each */
        gt = (uint32_t)str_word("&gt;\0\0\0");
    const char *p = rest->ptr, *end = p + rest->len;
    const ptrdiff_t border = bars ? 1 : 4;

    if (!bars) {
        if (rest->len < 8 || (uint32_t)str_word(p) != lt)
            return false;
        p += border;
    }
    const char *behind = dump_value_tag_end(p, end);
    if (end - behind < border ||
        (bars ? *behind != '|' : (uint32_t)str_word(behind) != gt))
        return false;
    *tag = (struct str){p, (size_t)(behind - p)};
    *rest = (struct str){behind + border, (size_t)(end - behind - border)};
    return true;
}

/* The same as a number or a moment; false, with the result untouched, when raw is another
 * thing. */
bool dump_value_int(struct str raw, int64_t *out) MUST_USE;
bool dump_value_date(struct str raw, int64_t *ms) MUST_USE;

/* The same for values of a row, behind whose block bytes can be read. */
bool dump_value_row_int(struct str raw, int64_t *out) MUST_USE;

/* The same for one to eight digits, as nearly all numbers are written; false for any
 * other value, whatever it is. */
static inline bool dump_value_few_digits(struct str raw, int64_t *out)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7,
                   pair = UINT64_C(0x000000FF000000FF);

    if (raw.len - 1 >= 8)
        return false;
    /* As if zeros stood before them, the first digit being the lowest byte. */
    uint64_t digits = (str_word(raw.ptr) ^ ones * '0') << 8 * (8 - raw.len);
    if (((digits | (digits + ones * (0x80 - 10))) & highs) != 0)
        return false;
    digits = digits * 10 + (digits >> 8); /* pairs, then fours, then all */
    *out = (int64_t)(((digits & pair) * (100 + (UINT64_C(1000000) << 32)) +
                      (digits >> 16 & pair) * (1 + (UINT64_C(10000) << 32))) >>
                     32);
    return true;
}

/* The same for one of many moments: `day`, zero at first, is the day of the one before,
 * which mostly is its own. */
struct dump_value_day {
    char text[11]; /* "2014-01-01T" */
    int64_t ms;
};
bool dump_value_date_near(struct str raw, struct dump_value_day *day,
                          int64_t *ms) MUST_USE;

/* PostTypeId: 1 question, 2 answer, 3 to 8 wikis and the like; 0 when there is none or
 * it is no number. */
enum { DUMP_VALUE_QUESTION = 1, DUMP_VALUE_ANSWER = 2 };
int64_t dump_value_post_type(const struct dump_rows_row *row);

#endif
