/* Raters who are simulated, for the demo: they know the truth and slip at a known rate,
 * so that agreement, disputes and decisions have something to show and a planted value.
 */
#ifndef CMD_RATERS_H
#define CMD_RATERS_H

#include "base/err.h"
#include "study/study.h"

/* What is true in one dimension of a labelling task: labels of the study, which must be
 * up to date. */
struct cmd_raters_truth {
    const char *dimension; /* "" is the only one */
    const char *labels;
};

struct cmd_raters_options {
    const char *task;
    struct cmd_raters_truth truths[4]; /* labels NULL ends them */
    const char
        *none;    /* the code of items of which nothing is true; NULL: there are none */
    double slips; /* the share of labels that are wrong: any other code is as likely */
    uint64_t seed;
    const char *over; /* the code that models give too often; NULL: there are no models */
    double times;     /* as often as it is true */
};

/* All rounds that the study asks for are opened, labelled and closed, and the arbiter
 * decides every dispute as it is true. Models answer as their server would: in the first
 * dimension what is true, but for slips and the code that they give too often. Does nothing
 * when there are rounds already. */
bool cmd_raters_label(const struct study *study, const struct cmd_raters_options *options,
                      struct err *err) MUST_USE;

#endif
