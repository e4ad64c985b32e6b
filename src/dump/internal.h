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

/* A stop is where a value begins, ends or is wrong: a '"' or '<'. The places of many are
 * listed before the first of them is looked at: so the processor need not guess where a
 * value ends, and looks at several values at once. */
enum {
    DUMP_STOPS_SPAN = 16384, /* bytes at once; they stay in the cache for the walk */
    DUMP_STOPS_ROOM = 128,   /* bytes behind the end that must be readable */
};

/* Lists the stops before the end from stops->from on, which is before it, as far as is
 * done at once. */
void dump_stops_list_portable(struct dump_stops *stops, const char *end);
void dump_stops_list_avx2(struct dump_stops *stops, const char *end);
void dump_stops_list_wide(struct dump_stops *stops, const char *end);

bool dump_stops_have_avx2(void);
bool dump_stops_have_wide(void); /* AVX-512, where it does not slow the processor down */

#if defined(__x86_64__) && defined(__GNUC__)
#define DUMP_STOPS_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define DUMP_STOPS_WIDE \
    __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vbmi2,bmi,bmi2," \
                          "popcnt")))
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
    bool count_lines;             /* else they are counted when somebody asks */
    atomic_bool stop;             /* nothing more is wanted */
    _Atomic(int64_t) least_ns[2]; /* processor time of a part that was read, and of one
                                     that was mapped; 0: none was yet */
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
void dump_scan_slot_work(struct dump_scan_reading *reading, struct dump_rows *rows,
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
