/* Text for people in two forms at once: Markdown to read and LaTeX to paste, in which
 * every number that has an address is a macro of out/numbers.tex, so that the text cannot
 * drift from the data.
 *
 * Texts are written with a little markup:
 *   `name`                               a name, in type of fixed width
 *   {sets.B.count}                       the number at that address
 *   {sets.B.count|question|questions}    the same with the noun that suits it
 *   {=12}, {=12|item|items}              a number that has no address
 * Everything else is plain. Only names that cannot hold a backtick or a brace may be put
 * into a format; for other texts there are prose_text() and prose_code(). */
#ifndef REPORT_PROSE_H
#define REPORT_PROSE_H

#include "base/buf.h"
#include "result/numbers.h"

struct prose {
    struct buf *markdown;
    struct buf *latex; /* NULL: Markdown alone */
    const struct numbers *numbers;
    size_t number_count;
};

void prose_add(struct prose *prose, const char *format, ...) PRINTF_LIKE(2, 3);
void prose_text(struct prose *prose, struct str text); /* escaped, whatever it holds */
void prose_code(struct prose *prose, struct str text); /* a query, a path */
void prose_day(struct prose *prose, int64_t ms);       /* 5 September 2021 */

void prose_title(struct prose *prose, int level, const char *title); /* 1: the top */
void prose_end(struct prose *prose);                                 /* of a paragraph */

/* Points of a list; what follows prose_point() up to the next one belongs to it. */
void prose_list(struct prose *prose);
void prose_point(struct prose *prose);
void prose_list_end(struct prose *prose);

/* "a", "a and b", "a, b and c": what stands before number i of so many. */
const char *prose_between(size_t i, size_t count);

/* The number at an address; NAN: it is not there or undefined. */
double prose_value(const struct prose *prose, const char *address, ...) PRINTF_LIKE(2, 3);

#endif
