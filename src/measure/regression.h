/* Regressions of the study: from items to columns of numbers, and what came out as
 * tables. */
#ifndef MEASURE_REGRESSION_H
#define MEASURE_REGRESSION_H

#include "measure/groups.h"
#include "result/result.h"
#include "stats/regression.h"
#include "study/study.h"

struct measure_regression_inputs {
    const struct measure_frame *frame;
    struct measure_bits items;
    const struct measure_groups *groups; /* of the study, those that the regression names
                                            being made */
    bool (*find_set)(void *context, struct str name, struct measure_bits *out,
                     struct err *err); /* groups.h */
    void *context;
};

struct measure_regression {
    struct result_table terms, fit;
    int64_t count;                     /* items that went in */
    struct stats_regression_data data; /* what they are to the model */
    const size_t *items;               /* of each case, its place in the frame */
    const struct str *names;           /* of the columns */
    struct str undefined;              /* why there are no numbers; empty: there are */
    const char *wrong;                 /* the key that an error is about */
};

/* ERR_INPUT for values of `against` that no group has. */
bool measure_regression(const struct study_regression *study,
                        const struct measure_regression_inputs *inputs,
                        struct arena *arena, struct measure_regression *out,
                        struct err *err) MUST_USE;

#endif
