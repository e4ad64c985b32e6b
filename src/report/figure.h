/* Figures of the study: from numbers and items to a chart. */
#ifndef REPORT_FIGURE_H
#define REPORT_FIGURE_H

#include "chart/chart.h"
#include "measure/frame.h"
#include "result/numbers.h"
#include "study/study.h"

/* Items of a set or group, for kinds that show each item's value. */
struct figure_side {
    struct str name;
    struct bits bits;
};

struct figure_inputs {
    const struct numbers *numbers;   /* of the table, or of the funnel's set; else NULL */
    const struct study_table *table; /* whose numbers these are; else NULL */
    const struct frame *frame;       /* of items; else NULL */
    const struct figure_side *sides;
    size_t side_count;
    int64_t all; /* questions of the sources, for a funnel's beginning; 0: not known */
};

/* What the chart points to lives in arena. ERR_INPUT when the table does not have what
 * the figure is to show. */
bool figure_chart(const struct study_figure *figure, const struct figure_inputs *inputs,
                  struct arena *arena, struct chart *out, struct err *err) MUST_USE;

#endif
