/* Figures of the study: from numbers and items to a chart. */
#ifndef REPORT_FIGURE_H
#define REPORT_FIGURE_H

#include "chart/chart.h"
#include "measure/ends.h"
#include "measure/frame.h"
#include "result/numbers.h"
#include "study/study.h"

/* Items of a set or group, for kinds that show each item's value. */
struct report_figure_side {
    struct str name;
    struct measure_bits bits;
};

struct report_figure_inputs {
    const struct result_numbers
        *numbers;                    /* of the table, or of the funnel's set; else NULL */
    const struct study_table *table; /* whose numbers these are; else NULL */
    const struct measure_frame *frame; /* of items; else NULL */
    const struct report_figure_side *sides;
    size_t side_count;
    int64_t all; /* questions of the sources, for a funnel's beginning; 0: not known */
    bool mixed;  /* of which some are other items than questions */
    struct measure_unfinished
        unfinished;   /* which of the numbers are not of whole periods */
    const char **key; /* result: which key of the figure an error is about; may be NULL */
};

/* What the chart points to lives in arena. ERR_INPUT when the table does not have what
 * the figure is to show. */
bool report_figure_chart(const struct study_figure *figure,
                         const struct report_figure_inputs *inputs, struct arena *arena,
                         struct chart *out, struct err *err) MUST_USE;

#endif
