/* What the files of dump/ share only with each other: markup around the rows, read slowly
 * and exactly. */
#ifndef DUMP_INTERNAL_H
#define DUMP_INTERNAL_H

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

#include "base/str.h"

enum dump_step {
    DUMP_STEP_DONE,
    DUMP_STEP_CUT,   /* the bytes end inside it */
    DUMP_STEP_WRONG, /* the cursor stands at what is wrong, and says what was expected */
};

struct dump_cursor {
    const char *at, *end;
    const char *expected;
};

static inline bool dump_byte_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* A stop is where a value ends or is wrong: the first '"' or '<' from p on. Without one
 * before `end`, the place that is given is `end` or behind it. DUMP_STOPS_ROOM bytes
 * behind `end` must be readable. */
enum { DUMP_STOPS_ROOM = 128 };
const char *dump_stops_find_portable(const char *p, const char *end);
const char *dump_stops_find_avx2(const char *p,
                                 const char *end); /* where there is AVX2 */
bool dump_stops_have_avx2(void);

#if defined(__x86_64__) && defined(__GNUC__)
#define DUMP_STOPS_AVX2 __attribute__((target("avx2,bmi")))

/* 0xFF where a stop is. The table has, at a stop's low four bits, the stop, and elsewhere
 * a byte whose low four bits are others; so only stops are equal to what it gives. */
DUMP_STOPS_AVX2 static inline __m256i stops_in(const char *p)
{
    const __m256i table =
        _mm256_setr_epi8(1, 0, '"', 0, 0, 0, 0, 0, 0, 0, 0, 0, '<', 0, 0, 0, 1, 0, '"', 0,
                         0, 0, 0, 0, 0, 0, 0, 0, '<', 0, 0, 0);
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)p);

    return _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, bytes), bytes);
}

/* The same as dump_stops_find_avx2(), and faster where the stop is near. `usual`, below
 * 31, is where it mostly is: to ask for that lets the processor guess, and read on behind
 * the stop before it knows. */
DUMP_STOPS_AVX2 static inline const char *stops_next_avx2(const char *p, const char *end,
                                                          unsigned usual)
{
    enum { DUMP_NEAR_BYTES = 32 };
    uint32_t near = (uint32_t)_mm256_movemask_epi8(stops_in(p));

    if ((near & ((2u << usual) - 1)) == 1u << usual)
        return p + usual;
    return near != 0 ? p + _tzcnt_u32(near)
                     : dump_stops_find_avx2(p + DUMP_NEAR_BYTES, end);
}
#endif

/* A valid code point of XML 1.0 (its production Char) as UTF-8: its length, 0 when the
 * bytes are none, -1 when the end cuts it. at < end. */
int dump_markup_character(const char *at, const char *end);

/* An ASCII name; names in other letters are XML but none of a dump's. */
enum dump_step dump_markup_name(struct dump_cursor *cursor, struct str *name);

/* What may follow a tag's name or an attribute's closing quote. */
enum dump_markup_next {
    DUMP_MARKUP_ATTRIBUTE,
    DUMP_MARKUP_CLOSE,
    DUMP_MARKUP_CLOSE_EMPTY
};

/* Reads on to behind '>' or "/>", or, for an attribute, to behind the quote that opens
 * its value. */
enum dump_step dump_markup_next(struct dump_cursor *cursor, enum dump_markup_next *next,
                                struct str *name, char *quote);

/* From behind the opening quote to behind the closing one. */
enum dump_step dump_markup_value(struct dump_cursor *cursor, char quote,
                                 struct str *value);

/* A comment or a processing instruction, from its '<' on. */
enum dump_step dump_markup_comment(struct dump_cursor *cursor);
enum dump_step dump_markup_instruction(struct dump_cursor *cursor);

/* <?xml version="1.0" encoding="utf-8"?> */
enum dump_step dump_markup_declaration(struct dump_cursor *cursor);

/* Whether the bytes at the cursor begin with the literal: DONE, WRONG, or CUT when they
 * end before that is known. The cursor does not move. */
enum dump_step dump_markup_starts(const struct dump_cursor *cursor, struct str literal);

#endif
