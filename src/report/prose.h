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
 * into a format; for other texts there are report_prose_text() and report_prose_code().
 */
#ifndef REPORT_PROSE_H
#define REPORT_PROSE_H

#include "base/buf.h"
#include "result/numbers.h"

struct report_prose {
    struct buf *markdown;
    struct buf *latex; /* NULL: Markdown alone */
    const struct result_numbers *numbers;
    size_t number_count;
};

void report_prose_add(struct report_prose *prose, const char *format, ...)
    PRINTF_LIKE(2, 3);
void report_prose_text(struct report_prose *prose,
                       struct str text); /* escaped, whatever it holds */
void report_prose_code(struct report_prose *prose, struct str text); /* a query, a path */
void report_prose_day(struct report_prose *prose, int64_t ms); /* 5 September 2021 */

void report_prose_title(struct report_prose *prose, int level,
                        const char *title);        /* 1: the top */
void report_prose_end(struct report_prose *prose); /* of a paragraph */

/* Points of a list; what follows report_prose_point() up to the next one belongs to it.
 */
void report_prose_list(struct report_prose *prose);
void report_prose_point(struct report_prose *prose);
void report_prose_list_end(struct report_prose *prose);

/* "a", "a and b", "a, b and c": what stands before number i of so many. */
const char *report_prose_between(size_t i, size_t count);

/* The number at an address; NAN: it is not there or undefined. */
double report_prose_value(const struct report_prose *prose, const char *address, ...)
    PRINTF_LIKE(2, 3);

#endif
