/* May a model take the place of a rater? The alternative annotator test of Calderon,
 * Reichart and Dror, "The Alternative Annotator Test for LLM-as-a-Judge: How to
 * Statistically Justify Replacing Human Annotators with LLMs", ACL 2025. Each rater in
 * turn is left out, and it is asked who is nearer to the others, item by item: the model,
 * or the rater. The model may be worse by as much as epsilon, for what the rater costs
 * more. As the authors' alt_test.py. */
#ifndef STATS_ALTERNATIVE_H
#define STATS_ALTERNATIVE_H

#include "stats/values.h"

enum { STATS_ALTERNATIVE_ITEMS = 30 }; /* with fewer the t test does not hold */

struct stats_alternative {
    double advantage; /* share of items in which the model is as near or nearer */
    double p;         /* one-sided t test: the model is worse by epsilon or more */
    const char *undefined;
};

/* Of each item how near each of them is to the other raters, from 0 to 1. */
struct stats_alternative stats_alternative(struct stats_values rater,
                                           struct stats_values model, double epsilon);

#endif
