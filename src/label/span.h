/* Spans: the words or lines of an item by which a rater decided. Where a span is, and the
 * text that its offsets count in.
 *
 * The text of an item is in parts: "title", "body", "answer-1" and on, as pages show
 * them, and each file of a diff by its path. Title and plain text are themselves; of html
 * and Markdown it is what text/plain.h makes of the html that pages show. A place in such
 * a part is "body@120-135": characters (code points) from 0, the last one not included.
 * Of a diff whole lines are marked, by the places of units: "src/net.py:R12-R15"; its
 * part holds the lines that the diff shows, each with its line end. */
#ifndef LABEL_SPAN_H
#define LABEL_SPAN_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum { LABEL_SPAN_QUOTE_MAX = 20000 }; /* bytes */

struct label_part {
    struct str name, text;
    size_t characters;
    bool diff; /* it has lines */
};

struct label_part_line { /* of a diff */
    size_t part;
    int64_t old, new;  /* 0: it was not there */
    size_t begin, end; /* characters of its part */
};

struct label_parts {
    struct label_part *at;
    size_t count;
    struct label_part_line *lines;
    size_t line_count;
};

/* Where a place is in the parts. */
struct label_span_range {
    size_t part;
    size_t begin, end; /* characters; end is above begin */
};

/* False when the parts have no such place. */
bool label_span_find(const struct label_parts *parts, struct str place,
                     struct label_span_range *out);

/* What stands there. */
struct str label_span_quote(const struct label_parts *parts,
                            const struct label_span_range *range);

/* The place of a range; of a diff the lines that it touches, on one side. */
struct str label_span_place(const struct label_parts *parts,
                            const struct label_span_range *range, struct arena *arena);

/* Whether it has the form of a place of a span. */
bool label_span_check(struct str place, struct err *err) MUST_USE;

/* All parts as one document, for programs that know no parts: each ends with a line end,
 * and an empty line stands between two. */
struct str label_parts_document(const struct label_parts *parts, struct arena *arena);

/* From characters of the document to those of a part and back. False for what is not
 * within one part. Line ends at the ends of the range that belong to no part are left
 * out. */
bool label_parts_from_document(const struct label_parts *parts, size_t begin, size_t end,
                               struct label_span_range *out);
size_t label_parts_to_document(const struct label_parts *parts,
                               const struct label_span_range *range);

#endif
