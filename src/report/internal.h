/* What files of this folder share: the parts of pages and of figures. */
#ifndef REPORT_INTERNAL_H
#define REPORT_INTERNAL_H

#include "report/figure.h"
#include "report/page.h"

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

/* What all columns measure; empty: not the same. */
struct str report_figure_measured(const struct report_figure_maker *maker);

/* Columns that share an axis must be of one unit. */
bool report_figure_check_units(const struct report_figure_maker *maker) MUST_USE;

/* The kinds that show items. */
bool report_figure_boxes(struct report_figure_maker *maker) MUST_USE;
bool report_figure_distribution(struct report_figure_maker *maker) MUST_USE;
bool report_figure_survival(struct report_figure_maker *maker) MUST_USE;

#endif
