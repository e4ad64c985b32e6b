/* How good predictions are, counted honestly: every wrong prediction counts, each item
 * once. Undefined is NAN.
 * - Precision of a class is undefined when it was never predicted, recall when no item
 *   has it; F1 when both. Macro means take an undefined precision or recall for 0 where
 *   the class has items, as it is usual, and leave out a class that has neither.
 * - Micro: over all decisions together. Weighted: by the number of items of the class.
 * - MCC for several classes: Gorodkin, "Comparing two K-category assignments by a
 *   K-category correlation coefficient", 2004; for several labels over all decisions. Items
 *   without a prediction are a class of their own.
 * - Kappa: Cohen's, of the classifier and the labels; for several labels over all
 *   decisions.
 *
 * Predictions of an item may be repeated, by models that learned from other folds:
 * `predicted` then has a multiple of the items of `truth`, one repetition after the
 * other, and each counts for its part. */
#ifndef LEARN_SCORE_H
#define LEARN_SCORE_H

#include "learn/examples.h"
#include "stats/bootstrap.h"
#include "stats/values.h"

struct learn_score_class {
    double items, predicted, hits; /* counts */
    double precision, recall, f1;
};

/* Numbers over all classes, in the order of reports. */
enum learn_score_overall {
    LEARN_SCORE_MACRO_PRECISION,
    LEARN_SCORE_MACRO_RECALL,
    LEARN_SCORE_MACRO_F1,
    LEARN_SCORE_MICRO_F1,
    LEARN_SCORE_WEIGHTED_F1,
    LEARN_SCORE_ACCURACY, /* the whole set of labels right */
    LEARN_SCORE_MCC,
    LEARN_SCORE_KAPPA,
    LEARN_SCORE_OVERALL,
};

extern const char *const learn_score_names[LEARN_SCORE_OVERALL]; /* "macro F1", ... */

struct learn_score {
    size_t items, classes;
    struct learn_score_class *of;
    double overall[LEARN_SCORE_OVERALL];
    double *confusion; /* classes x classes, true by predicted; NULL: several labels */
};

struct learn_score learn_score_of(const struct learn_membership *truth,
                                  const struct learn_membership *predicted,
                                  struct arena *arena);

/* Intervals of every number by resampling items: BCa of stats/bootstrap.h. Where these
 * tell nothing, as with scores of exactly 0 or 1, or of a class that some have no item
 * of, scores of a class and accuracy have Wilson's, F1 by way of hits / (hits + errors),
 * whose interval it follows; weighted F1, MCC and kappa of 1 what accuracy's limit leaves
 * them at least; macro means put the distances of their classes together as Zou and
 * Donner, "Construction of confidence limits about effect measures", Statistics in
 * Medicine 27, 2008. */
struct learn_score_intervals {
    struct stats_bootstrap *precision, *recall, *f1; /* of each class */
    struct stats_bootstrap overall[LEARN_SCORE_OVERALL];
};

struct learn_score_intervals
learn_score_intervals(const struct learn_membership *truth,
                      const struct learn_membership *predicted,
                      struct stats_bootstrap_options options, struct arena *arena);

/* Whether probabilities mean what they say. */
enum { LEARN_SCORE_BINS = 10 };

struct learn_score_calibration {
    double brier; /* mean over items of the squared errors, summed over classes */
    double expected_error; /* mean over bins of |sure - right|, by their items */
    struct learn_score_bin {
        double items, sure, right; /* mean probability of the class given; share right */
    } bins[LEARN_SCORE_BINS];      /* by that probability: 0 .. 0.1, 0.1 .. 0.2, ... */
};

/* With one label, of the most probable class of each item; with several each class of an
 * item is a decision of its own. As many repetitions of probabilities follow each other.
 * untold: repetitions x items, whether no probability was said, so that the item is left
 * out; NULL: all were said. */
struct learn_score_calibration
learn_score_calibration(const struct learn_membership *truth, const double *probabilities,
                        size_t repeats, const bool *untold);

/* How well probabilities of a class order items, whatever the threshold. */
struct learn_score_areas {
    double roc;               /* chance that an item with the class has the higher one */
    double roc_low, roc_high; /* DeLong, DeLong and Clarke-Pearson, Biometrics 44, 1988,
                               * on the scale of logits; of an area of exactly 0 or 1
                               * Newcombe, Statistics in Medicine 25, 2006, method 5 */
    double pr; /* average precision: of each item with the class that of all at least as
                * probable; no line is drawn between points (Davis and Goadrich, ICML
                * 2006) */
};

/* A place on both curves: what is at least so probable is taken for the class. */
struct learn_score_point {
    double threshold, recall, false_alarms, precision;
};

/* NAN where all items or none have the class. points: if not NULL, room for a point an
 * item and repetition; *count gets how many there are, one for each probability that
 * occurs. */
struct learn_score_areas
learn_score_areas(const struct learn_membership *truth, const double *probabilities,
                  size_t repeats, size_t class, double level, struct arena *arena,
                  struct learn_score_point *points, size_t *count);

/* Is one classifier better than another? Both judged on the same items, or folds.
 * - McNemar: the two-sided exact test on items that only one has right; McNemar,
 *   Psychometrika 12, 1947.
 * - Corrected resampled t: folds share training items, so that the plain t test finds
 *   differences where there are none; Nadeau and Bengio, "Inference for the
 * generalization error", Machine Learning 52, 2003. */

struct learn_compare_mcnemar {
    int64_t only_first, only_second; /* right */
    double p;                        /* 1 when they never differ */
};

struct learn_compare_mcnemar learn_compare_mcnemar(const struct learn_membership *truth,
                                                   const struct learn_membership *first,
                                                   const struct learn_membership *second);

struct learn_compare_t {
    double difference; /* mean of first minus second */
    double t, df, p;
    const char *undefined;
};

/* A score a fold of each; `test_share` is test items over training items. */
struct learn_compare_t learn_compare_resampled_t(struct stats_values first,
                                                 struct stats_values second,
                                                 double test_share);

#endif
