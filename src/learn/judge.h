/* A method judged on posts that it has not seen: by repeated stratified k-fold
 * cross-validation, or on a part that is held out. Everything that is tuned is tuned
 * inside the part that is learned from. The same seed gives the same bytes for any number
 * of threads. */
#ifndef LEARN_JUDGE_H
#define LEARN_JUDGE_H

#include "base/compiler.h"
#include "base/progress.h"
#include "learn/model.h"
#include "learn/score.h"
#include "stats/values.h"

struct learn_judge_options {
    size_t folds, repeats;
    uint64_t seed;
    int threads;
    bool keep;                 /* the models of the first repetition */
    struct progress *progress; /* a piece a round; NULL: nobody is told */
    const size_t *fold_of; /* of each item, below folds: folds of one's own, in place of
                            * drawn ones; repeats is 1. NULL: drawn */
};

struct learn_judged {
    struct learn_membership truth;     /* of the items judged on, in their order */
    size_t repeats;                    /* how often each was predicted */
    struct learn_membership predicted; /* repetitions one after the other */
    const double *probabilities;       /* repetitions x items x classes */
    /* Repetitions x items: whether no probability was said. NULL: all were. */
    const bool *untold;
    size_t silent;          /* of these, of which nothing at all was said */
    const size_t *fold_of;  /* repetitions x items; NULL: no folds */
    size_t rounds;          /* folds times repetitions */
    const double *macro_f1; /* of each round */
    const struct learn_model_tuned *tuned; /* in each round */
    double test_share; /* test items over training items in a round, on average */
    const struct learn_model
        *models; /* of the first repetition's folds; NULL: not kept */
    size_t model_count;
    struct arena *kept; /* private: their memory */
};

/* Gives the memory of kept models back. */
void learn_judge_free(struct learn_judged *judged);

/* In how many rounds word vectors helped, and the posts' own vectors. */
size_t learn_judge_rounds_with_vectors(const struct learn_judged *judged);
size_t learn_judge_rounds_with_given(const struct learn_judged *judged);

/* Each item is predicted once a repetition, by a model that has not seen it or a near
 * duplicate of it; with folds of one's own near duplicates may stand on both sides.
 * ERR_INPUT when there are fewer than two items. */
bool learn_judge_folds(const struct learn_model_settings *settings,
                       const struct learn_examples *examples,
                       struct learn_judge_options options, struct arena *arena,
                       struct learn_judged *out, struct err *err) MUST_USE;

/* Scores of each repetition, as far as they spread. */
struct learn_judge_spread {
    double mean, deviation, least, most;
};

struct learn_judge_spread learn_judge_spread(const struct learn_judged *judged,
                                             enum learn_score_overall score,
                                             struct arena *arena);

/* A model's predictions for the items. */
void learn_judge_items(const struct learn_model *model,
                       const struct learn_examples *examples,
                       struct learn_fold_items items, struct arena *arena,
                       struct learn_judged *out);

/* Macro F1 when only a part of each fold's training items is learned from. */
struct learn_judge_step {
    double share;               /* of the training items */
    double items;               /* how many that are, on average */
    double macro_f1, deviation; /* mean and standard deviation over folds */
    struct stats_values scores; /* of each round, the same rounds at every step */
};

enum { LEARN_JUDGE_STEPS = 5 }; /* 20%, 40%, ... */

/* whole: what learn_judge_folds() gave with the same options, NULL: it is asked here.
 * What it tuned in each round, on all that the round learns from and nothing else, holds
 * for the parts as well. */
bool learn_judge_curve(const struct learn_model_settings *settings,
                       const struct learn_examples *examples,
                       struct learn_judge_options options,
                       const struct learn_judged *whole, struct arena *arena,
                       struct learn_judge_step steps[LEARN_JUDGE_STEPS],
                       struct err *err) MUST_USE;

/* What more labels would bring: an inverse power law through the learning curve,
 * score = a - b n^-c (Cortes, Jackel, Solla, Vapnik and Denker, "Learning curves:
 * asymptotic values and rate of convergence", NIPS 1993; Figueroa, Zeng-Treitler, Kandula
 * and Ngo, "Predicting sample size required for classification performance", BMC Medical
 * Informatics 12, 2012). A forecast is refused where the curve does not carry it. */

/* Scores of several runs with the same number of labels. */
struct learn_curve_step {
    double labels;
    struct stats_values scores;
};

struct learn_curve_options {
    double now, more; /* labels that there are, and those that may come */
    double level;
    size_t resamples;
    uint64_t seed;
};

struct learn_curve_forecast {
    double highest, loss, rate; /* a, b and c */
    double now;                 /* the law with the labels that there are */
    double score, low, high;    /* with those that may come as well */
    double gain;                /* score - now */
    const char *refused;        /* NULL: the numbers above hold */
};

/* The law by least squares into a, b and c of out: a is at most 1, since scores are, and
 * c is sought from 0.01 to 3. False when the best law does not rise. */
bool learn_curve_fit(struct stats_values labels, struct stats_values scores,
                     struct learn_curve_forecast *out) MUST_USE;

/* Every step has the same runs, in the same order. The interval comes from resampling
 * them. Refused when there are fewer than 4 steps or 3 runs, when scores do not rise by
 * more than chance (from the first step to the last by less than twice the standard
 * error), or when more than one in ten resamples does not follow the law. */
struct learn_curve_forecast learn_curve_forecast(const struct learn_curve_step *steps,
                                                 size_t count,
                                                 struct learn_curve_options options,
                                                 struct arena *arena);

#endif
