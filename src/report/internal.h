/* What files of this folder share: the parts of pages and of figures. */
#ifndef REPORT_INTERNAL_H
#define REPORT_INTERNAL_H

#include "base/arena.h"
#include "base/buf.h"
#include "report/figure.h"
#include "report/page.h"
#include "result/numbers.h"

/* root: the way from the page to the report's folder, "" or "../". */
void report_page_add_head(struct str title, const char *root, struct buf *out);
void report_page_add_foot(struct buf *out);

/* Says that no people wrote the posts. */
void report_page_add_simulated(struct buf *out);

/* Around what may be wider than the page and holds nothing that could have the focus. */
void report_page_add_scroll(const char *label, struct buf *out);

/* The parts of the index. */
void report_page_add_glance(const struct report_page_inputs *inputs, struct buf *out);
void report_page_add_studied(const struct report_page_inputs *inputs, struct buf *out);
void report_page_add_results(const struct report_page_inputs *inputs, struct buf *out);

/* What belongs to a question, by index; and the first question that a result belongs to,
 * question_count: none. */
enum { REPORT_TABLES, REPORT_FIGURES, REPORT_TESTS, REPORT_RESULT_KINDS };

const size_t *report_results_of(const struct study_question *question, int kind,
                                size_t *count);
size_t report_question_of(const struct study *study, int kind, size_t result);

/* A text of the study file with its numbers filled in. */
void report_page_add_filled(const struct report_page_inputs *inputs, struct str text,
                            struct buf *out);

/* The section of the study file that made something, to be unfolded. */
void report_page_add_made_by(const char *section, struct str name,
                             const struct yaml_node *node, struct buf *out);

/* Figures. */

struct report_figure_grid {
    struct str *rows, *names; /* paths, and what the table calls them */
    struct str *labels;       /* what the figure calls them */
    int *levels;
    size_t row_count;
    size_t *leaves; /* the lowest rows */
    struct str *leaf_labels;
    size_t leaf_count;
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
    struct str *estimates;       /* a forest's columns with intervals */
    size_t estimate_count;
    bool partial;    /* some value is of a period that was not over */
    struct buf ends; /* of the sources that such values lack */
    bool *labelled;  /* of the figure's labels: something is called so */
    const struct report_figure_side *given; /* sides as they came, by their own names */
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
 * drift from the data. The text is in src/report/prose/, in parts that begin with a line
 * [name], and is filled in with facts that C gives them by name:
 *
 *   {name}                       a text, a number, or how many a list has
 *   {name|question|questions}    a number with the noun that suits it
 *   {name:is|are}                the word alone
 *   `words {name}`               a name or a query, in type of fixed width
 *   {if name} {else if not name} {else} {end}
 *                                whether there is a text, something in a list, or more
 *                                than nothing of a number; also name > 1, < 1, = word
 *   {each name} {between} {end}  for each of a list; what stands between two of them
 *   {and}                        in it: ", " or, before the last, " and "
 *   {part name}                  another part, as if it stood here
 *
 * A blank line ends a paragraph or a list; elsewhere blanks and line breaks are one
 * blank, and nothing before {else}, {between} and {end}. Lines that begin with # are
 * titles (one of the third level is left out when nothing stands under it), those with -
 * are points of a list, those with // are for whoever reads the file. A point that begins
 * with [ ] has a box, which {recorded} ticks; **words** are bold. The last two are
 * Markdown alone.
 */
struct report_prose {
    struct buf *markdown;
    struct buf *latex; /* NULL: Markdown alone */
    const struct result_numbers *numbers;
    size_t number_count;
};

struct report_fact {
    const char *name;
    struct str text;
    double number; /* of a text or a list: how long it is */
    enum {
        REPORT_TEXT,
        REPORT_NUMBER,
        REPORT_ADDRESS, /* a number whose address is `text` */
        REPORT_LIST
    } kind;
    const struct result_number *at; /* of an address; NULL: there is none */
    struct report_scope *first, *last;
    struct report_fact *next;
};

/* What is known by name: of the study, or of one of a list, and so on inwards. */
struct report_scope {
    struct arena *arena;
    const struct report_prose *prose; /* where the numbers are */
    const struct report_scope *outer;
    struct report_fact *facts;
    size_t place;              /* in its list */
    struct report_scope *next; /* there */
};

void report_text(struct report_scope *scope, const char *name, struct str text);
void report_count(struct report_scope *scope, const char *name, size_t count);
void report_number(struct report_scope *scope, const char *name, double number);

/* A text that is empty unless something holds; a day is one such as 5 September 2021. */
void report_format(struct report_scope *scope, const char *name, bool holds,
                   const char *format, ...) PRINTF_LIKE(4, 5);
void report_day(struct report_scope *scope, const char *name, bool holds, int64_t ms);

/* The result is the number at the address; NAN: it is not there or undefined. */
double report_address(struct report_scope *scope, const char *name, const char *format,
                      ...) PRINTF_LIKE(3, 4);

/* An empty list; one more of it. */
void report_list(struct report_scope *scope, const char *name);
struct report_scope *report_one(struct report_scope *scope, const char *list);

/* NULL: nobody has given it. */
const struct report_fact *report_find(const struct report_scope *scope, struct str name);

/* The text of a part, with the line break behind its name. */
struct str report_prose_part(struct str name);

void report_prose_write(struct report_prose *prose, struct str text,
                        const struct report_scope *scope);

#endif
