/* Is one classifier better than another? Both judged on the same items, or folds.
 * - McNemar: the two-sided exact test on items that only one has right; McNemar,
 *   Psychometrika 12, 1947.
 * - Corrected resampled t: folds share training items, so that the plain t test finds
 *   differences that are none; Nadeau and Bengio, "Inference for the generalization
 *   error", Machine Learning 52, 2003. */
#ifndef LEARN_COMPARE_H
#define LEARN_COMPARE_H

#include "learn/membership.h"
#include "stats/values.h"

struct compare_mcnemar {
    int64_t only_first, only_second; /* right */
    double p;                        /* 1 when they never differ */
};

struct compare_mcnemar compare_mcnemar(const struct membership *truth,
                                       const struct membership *first,
                                       const struct membership *second);

struct compare_t {
    double difference; /* mean of first minus second */
    double t, df, p;
    const char *undefined;
};

/* A score a fold of each; `test_share` is test items over training items. */
struct compare_t compare_resampled_t(struct values first, struct values second,
                                     double test_share);

#endif
