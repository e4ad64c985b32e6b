/* What the files of dump/ share only with each other: markup around the rows, read slowly
 * and exactly. */
#ifndef DUMP_INTERNAL_H
#define DUMP_INTERNAL_H

#include <stdatomic.h>

#include "dump/scan.h"
#include "dump/select.h"

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
enum { DUMP_STOPS_ROOM = 128, DUMP_STOPS_AHEAD = 2048 };
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
 * bytes are not one, -1 when the end cuts it. at < end. */
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

/* A part of a table on its way from the file to the merge: what one thread can make of it
 * alone. */
enum {
    DUMP_SCAN_SLOT_STEP_BYTES =
        128 * 1024, /* read at once of a long part: stays in the cache */
    DUMP_SCAN_SLOT_ROW_MAX = 64 * 1024 * 1024,
};

/* What all threads of a scan look at. */
struct dump_scan_reading {
    const struct dump_scan_job *job;
    struct input_stream *stream;
    bool count_lines; /* else they are counted when somebody asks */
    atomic_bool stop; /* nothing more is wanted */
};

/* A part on its way. Offsets and lines count from the part's beginning. */
struct dump_scan_slot {
    void *user;
    struct input_part part;
    struct buf bytes; /* from `begin` on: all, or, of a long part, those at hand */
    size_t begin;
    struct buf head; /* before the first row */
    struct buf tail; /* behind the last whole row */
    int64_t len, lines;
    int64_t problem_line;
    bool found; /* a row's beginning */
    /* What the walk over it came to: */
    int64_t count, broken, root_end;
    struct dump_rows_problem problem;
    bool failed, skipping;
    enum dump_rows_where where;
    char root[DUMP_ROWS_ROOT_MAX];
    size_t root_len;

    bool done; /* ready to be merged; under the mutex */
    bool read; /* its bytes could be read, else: */
    struct err err;
};

/* Everything that can be done with slot->part before those before it are merged. */
void dump_scan_slot_work(const struct dump_scan_reading *reading, struct dump_rows *rows,
                         struct input_reader *reader, struct dump_scan_slot *slot);

int64_t dump_scan_slot_lines(struct str bytes); /* line ends in them */

/* Merging the parts of a table in their order, on the calling thread: the true walk over
 * it, of which the threads made most. */
struct dump_scan_seam {
    const struct dump_scan_reading *reading;
    struct dump_scan_result *result;
    struct input *input;
    size_t member;
    const char *place;
    void *user; /* the user's slot for what lies between parts */

    struct dump_rows rows; /* the true walk */
    struct buf carry;      /* what it has not yet dealt with */
    int64_t carry_at, carry_line;
    int64_t problem_line; /* of the walk's first problem; -1: there is none */
    int64_t at, line;     /* where the next part begins */
    struct input_reader *reader;
};

/* The next part, and the seam before it. result->enough says that the user wants no more.
 */
bool dump_scan_seam_merge(struct dump_scan_seam *seam, struct dump_scan_slot *slot,
                          struct err *err) MUST_USE;

/* All parts are merged: the table must end here. */
bool dump_scan_seam_finish(struct dump_scan_seam *seam, struct err *err) MUST_USE;

/* The census of a dump, and its health: what a pass counts of all posts, taken or not. */
/* On any thread: counts the post in health, and notes a question in `census` (see
 * dump_tally_note()), unless it is late. Returns what had to be replaced in its tags. */
int64_t dump_select_census_note(bool late, const struct item *post, struct str raw_tags,
                                struct dump_select_health *health, struct buf *census);

void dump_select_census_merge(struct dump_select_health *into,
                              const struct dump_select_health *from);

/* One of the two posts that Stack Exchange plants in its dumps. */
bool dump_select_is_planted(const struct dump_rows_row *row);

/* At the end of the dump: what only all posts together tell. */
void dump_select_census_finish(struct dump_select_state *state);

#endif
