/* The share of each class in a set of posts, of which only some have labels and only a
 * classifier has seen every one. The share meant is that of this very set. Each method
 * assumes something else (learn_quantify_assumptions) and has an interval of its own:
 * - Plain: the predictions counted; Wilson, as if they were labels.
 * - Adjusted count: which shares, put through the confusion matrix of the labelled posts,
 *   make the predicted counts most likely. Where inverting the matrix gives shares of
 *   0 .. 1 that is the result, otherwise it is on the border; Forman, "Quantifying counts
 *   and costs via classification", 2008; Vucetic and Obradovic, ECML 2001.
 * - Probabilistic adjusted count: the same with mean probabilities in place of counts;
 *   Bella, Ferri, Hernandez-Orallo and Ramirez-Quintana, ICDM 2010.
 * - EM: probabilities are weighted by the new shares until these stay; Saerens, Latinne
 *   and Decaestecker, Neural Computation 14, 2002 (EMQ of QuaPy). Before that they are
 *   calibrated on the labelled posts by a slope and a bias for each class; Alexandari,
 *   Kundaje and Shrikumar, ICML 2020.
 * - Labelled alone: the labelled posts counted; Wilson for a finite set.
 * - Prediction-powered: labels, and predictions as far as they help; Angelopoulos, Duchi
 *   and Zrnic, "PPI++: efficient prediction-powered inference", 2023, with predictions of
 *   labelled posts by models that have not seen them and of all others by the mean of
 *   those models, so that both have the same bias, which cancels out; Zrnic and Candes,
 *   "Cross-prediction-powered inference", PNAS 121, 2024.
 *
 * With several labels each class is a question of its own: has it or has it not. With one
 * label each, prediction-powered shares are made to add up to 1, which changes the least
 * exact the most.
 *
 * The interval of adjusted counts and EM rests on how items of each class vary in what is
 * predicted for them (quantify_limits.c).
 *
 * How often 95% intervals held the truth in 300 simulated studies of 1,500 posts with 200
 * labels and seven classes that are hard to tell apart (tools/coverage):
 * prediction-powered 94.0%, labelled alone 94.5%; plain count 21.9%. What adjusted counts
 * and EM hold, of rare classes too, is in docs/quality.md. With too few labels of a class,
 * or where predictions hardly tell classes apart, they are undefined; where they are told
 * they are up to five times as wide as labels alone: these methods are for sets that the
 * labels are no sample of.
 *
 * Items without a prediction (silent): plain counts are of the others. For adjusted
 * counts they are a prediction of their own, which posts of each class have as often as
 * among the labelled; for EM each has the shares of labelled ones like it; for
 * prediction-powered shares, which are valid whatever is predicted, they are predicted to
 * have no class.
 *
 * Where strata were drawn at different rates, labels alone and prediction-powered shares
 * are means over strata, weighted by their posts; for the other corrections each label
 * counts for the posts that it stands for. Strata that were drawn at the same rate are
 * one, so with a single rate nothing changes. */
#ifndef LEARN_QUANTIFY_H
#define LEARN_QUANTIFY_H

#include "base/arena.h"
#include "stats/interval.h"

enum learn_quantify_method {
    LEARN_QUANTIFY_POWERED,
    LEARN_QUANTIFY_LABELLED,
    LEARN_QUANTIFY_PLAIN,
    LEARN_QUANTIFY_ADJUSTED,
    LEARN_QUANTIFY_PROBABLE,
    LEARN_QUANTIFY_EM,
    LEARN_QUANTIFY_METHODS,
};

extern const char
    *const learn_quantify_names[LEARN_QUANTIFY_METHODS]; /* "adjusted count" */
/* Why a share is undefined: the former of all classes. */
extern const char learn_quantify_same_said[], learn_quantify_few_of_class[];
extern const char
    *const learn_quantify_assumptions[LEARN_QUANTIFY_METHODS]; /* a sentence each */

/* How an item came to its label. Inference rests on a random sample alone; what was
 * chosen otherwise, such as by uncertainty, may have been learned from. */
enum learn_quantify_role {
    LEARN_QUANTIFY_UNLABELLED,
    LEARN_QUANTIFY_DRAWN,
    LEARN_QUANTIFY_CHOSEN
};

/* What is known of all items. A labelled item's prediction must come from a model that
 * has not seen it. */
struct learn_quantify_items {
    size_t count, classes;
    bool several;
    const uint8_t *role;         /* of each: enum learn_quantify_role */
    const uint8_t *truth;        /* items x classes; of labelled items */
    const uint8_t *said;         /* items x classes: the classes predicted */
    const double *probabilities; /* items x classes */
    const size_t *stratum;       /* of each, below strata; NULL: drawn from as a whole */
    size_t strata;
    const uint8_t *silent; /* of each: nothing is predicted, not even that it has no
                              class; said and probabilities are 0. NULL: of none */
};

enum {
    LEARN_QUANTIFY_FEW = 30,      /* a set with fewer labels is flagged */
    LEARN_QUANTIFY_CLASS_FEW = 5, /* with fewer of a class, predictions are not used, and
                                     corrections undefined */
};

struct learn_quantify_share {
    double estimate, low, high; /* NAN: undefined */
    const char *undefined;      /* why, if it is more than that nothing is labelled */
};

struct learn_quantify {
    size_t items, labelled; /* of the set; those of them that were drawn at random */
    size_t silent, silent_labelled; /* those of both without a prediction */
    bool few;       /* fewer than LEARN_QUANTIFY_FEW: too few to rely on */
    size_t strata;  /* that were drawn at different rates; 1: none were */
    size_t joined;  /* items of strata with fewer than two labels and at most 5%
                       of the items, taken together or with the largest */
    size_t unknown; /* items of larger strata with fewer than two labels: shares
                       that rest on a sample of the set are NAN */
    struct learn_quantify_share *of[LEARN_QUANTIFY_METHODS]; /* of each class */
};

/* Shares in the items for which `in` is not 0; NULL: all. How often a class is mistaken
 * is taken from all items drawn at random, in the set or not; a class that none of them
 * has makes the adjusted shares and EM NAN, one that is predicted for none of them the
 * adjusted count. Where every item of the set was drawn and labelled its shares are
 * known, and all methods but the plain count give them. */
struct learn_quantify learn_quantify_shares(const struct learn_quantify_items *items,
                                            const uint8_t *in, double level,
                                            struct arena *arena);

/* One mean from labels, predictions for labelled items, and for all others: the
 * estimate and lambda of ppi_py's ppi_mean_pointestimate, and the error of its
 * ppi_mean_ci, which is that for the population that the set was drawn from. `error` is
 * that for the set itself, which is what intervals rest on: the variance of what is left
 * of the labels, times the share that has no label; Cochran, "Sampling Techniques", 1977,
 * 7.3. */
struct learn_quantify_powered {
    double estimate, lambda;
    double error, error_beyond;
    double size; /* as many draws would be as exact; infinite when all are labelled */
    double low, high;
};

/* Labels are 0 or 1. The interval is Wilson's for as many draws as would have that error,
 * to which half a post that was missed is added: simulation shows that it then holds for
 * rare classes as well. Fewer than LEARN_QUANTIFY_CLASS_FEW of either label: lambda is 0.
 */
struct learn_quantify_powered learn_quantify_powered(struct stats_values truth,
                                                     struct stats_values predicted,
                                                     struct stats_values unlabelled,
                                                     double level);

/* Another estimate, kept to 0 .. 1: the interval is set anew from the size, or moves
 * along where there is none. */
void learn_quantify_powered_move(struct learn_quantify_powered *powered, double estimate,
                                 double level);

/* The posts of a set that were drawn at one rate. */
struct learn_quantify_stratum {
    struct stats_values truth, predicted, unlabelled;
};

/* The mean over strata, each weighted by its posts and with its own labels, of which it
 * has two at least; lambda goes with the share of posts without a label and is 0 without
 * predictions. The variance adds up; Cochran 1977, 5.4 and 7.10 (combined regression);
 * for predictions also Fisch, Maynez, Hofer, Dhingra, Globerson and Cohen, "Stratified
 * prediction-powered inference for hybrid language model evaluation", NeurIPS 2024. So do
 * the squared distances to Wilson's limits of each stratum, which is the interval; Zou,
 * Huang and Zhang, "A note on confidence interval estimation for a linear function of
 * binomial proportions", Computational Statistics and Data Analysis 53, 2009. As the
 * slope is estimated from the same labels, estimates are nearly unbiased, not wholly.
 * error_beyond and size are NAN. */
struct learn_quantify_powered
learn_quantify_powered_strata(const struct learn_quantify_stratum *strata, size_t count,
                              bool predictions, double level);

/* The corrections by themselves. confusion: classes x outcomes counts, or sums of
 * probabilities, true by predicted; counts: the same of the set. Outcomes are the classes
 * and what else may be predicted, such as none; those that no labelled item has are left
 * out. False, and NAN, when a class has no labelled item, or when predictions do not tell
 * classes apart: one is never predicted, or two are mistaken in the same way. */
bool learn_quantify_adjust(const double *confusion, const double *counts, size_t classes,
                           size_t outcomes, double *shares, struct arena *arena);
void learn_quantify_em(const double *probabilities, size_t items, const double *prior,
                       size_t classes, double *shares, struct arena *arena);

#endif
