/* What the files of dump/ share only with each other: markup around the rows, read slowly
 * and exactly. */
#ifndef DUMP_INTERNAL_H
#define DUMP_INTERNAL_H

#include "base/str.h"

enum step {
    STEP_DONE,
    STEP_CUT,   /* the bytes end inside it */
    STEP_WRONG, /* the cursor stands at what is wrong, and says what was expected */
};

struct cursor {
    const char *at, *end;
    const char *expected;
};

static inline bool byte_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Writes the places of every '"' and '<' in bytes[from .. to) to out, which has room for
 * to - from + STOPS_ROOM of them, and returns their number. 64 bytes behind `to` must be
 * readable. */
enum { STOPS_ROOM = 64 };
typedef size_t stops_find(const char *bytes, uint32_t from, uint32_t to, uint32_t *out);
size_t stops_find_portable(const char *bytes, uint32_t from, uint32_t to, uint32_t *out);
stops_find *stops_best(void); /* the fastest that this processor can run */

/* A valid code point of XML 1.0 (its production Char) as UTF-8: its length, 0 when the
 * bytes are none, -1 when the end cuts it. at < end. */
int markup_character(const char *at, const char *end);

/* An ASCII name; names in other letters are XML but none of a dump's. */
enum step markup_name(struct cursor *cursor, struct str *name);

/* What may follow a tag's name or an attribute's closing quote. */
enum markup_next { MARKUP_ATTRIBUTE, MARKUP_CLOSE, MARKUP_CLOSE_EMPTY };

/* Reads on to behind '>' or "/>", or, for an attribute, to behind the quote that opens
 * its value. */
enum step markup_next(struct cursor *cursor, enum markup_next *next, struct str *name,
                      char *quote);

/* From behind the opening quote to behind the closing one. */
enum step markup_value(struct cursor *cursor, char quote, struct str *value);

/* A comment or a processing instruction, from its '<' on. */
enum step markup_comment(struct cursor *cursor);
enum step markup_instruction(struct cursor *cursor);

/* <?xml version="1.0" encoding="utf-8"?> */
enum step markup_declaration(struct cursor *cursor);

/* Whether the bytes at the cursor begin with the literal: DONE, WRONG, or CUT when they
 * end before that is known. The cursor does not move. */
enum step markup_starts(const struct cursor *cursor, struct str literal);

#endif
