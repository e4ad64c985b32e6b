/* What files of this folder share: the parts of pages and of figures. */
#ifndef REPORT_INTERNAL_H
#define REPORT_INTERNAL_H

#include "base/buf.h"
#include "report/figure.h"
#include "report/page.h"
#include "result/numbers.h"

/* root: the way from the page to the report's folder, "" or "../". */
void report_page_add_head(struct str title, const char *root, struct buf *out);
void report_page_add_foot(struct buf *out);

/* Says that the posts are none of people. */
void report_page_add_simulated(struct buf *out);

/* <TAG>TEXT</TAG>, the text escaped. */
void report_page_add_element(const char *tag, struct str text, struct buf *out);

/* Around what may be wider than the page and holds nothing that could have the focus. */
void report_page_add_scroll(const char *label, struct buf *out);

/* The parts of the index. */
void report_page_add_studied(const struct report_page_inputs *inputs, struct buf *out);
void report_page_add_results(const struct report_page_inputs *inputs, struct buf *out);

/* The section of the study file that made something, to be unfolded. */
void report_page_add_made_by(const char *section, struct str name,
                             const struct yaml_node *node, struct buf *out);

/* Figures. */

struct report_figure_grid {
    struct str *rows, *labels; /* paths and names */
    int *levels;
    bool *leaf;
    size_t row_count;
    struct str *columns, *headings, *units;
    size_t column_count;
    struct str total;                   /* the column that is one of totals, if any */
    const struct result_number **cells; /* row after row; NULL: none */
};

struct report_figure_maker {
    const struct study_figure *figure;
    const struct report_figure_inputs *inputs;
    struct arena *arena;
    struct chart *out;
    struct report_figure_grid grid;
    struct chart_series *series; /* the same as the chart's, to be filled in */
    struct err *err;
};

/* Of the figure's table, without totals. */
bool report_figure_make_grid(struct report_figure_maker *maker) MUST_USE;

/* Shares are parts of 1, shown as percentages. */
enum chart_number report_figure_number(const struct report_figure_maker *maker,
                                       size_t column);

/* Columns that share an axis must be of one unit. */
bool report_figure_check_units(const struct report_figure_maker *maker) MUST_USE;

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
