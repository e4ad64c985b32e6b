/* A method judged on posts that it has not seen: by repeated stratified k-fold
 * cross-validation, or on a part that is held out. Everything that is tuned is tuned
 * inside the part that is learned from. The same seed gives the same bytes for any number
 * of threads. */
#ifndef LEARN_JUDGE_H
#define LEARN_JUDGE_H

#include "learn/model.h"
#include "learn/score.h"

struct judge_options {
    size_t folds, repeats;
    uint64_t seed;
    int threads;
    bool keep; /* the models of the first repetition */
};

struct judged {
    struct membership truth;         /* of the items judged on, in their order */
    struct membership predicted;     /* of the first repetition */
    const double *probabilities;     /* items x classes */
    size_t rounds;                   /* folds times repetitions */
    const double *macro_f1;          /* of each round */
    const struct model_tuned *tuned; /* in each round */
    double test_share; /* test items over training items in a round, on average */
    const struct model *models; /* of the first repetition's folds; NULL: not kept */
    size_t model_count;
    struct arena *kept; /* private: their memory */
};

/* Gives the memory of kept models back. */
void judge_free(struct judged *judged);

/* In how many rounds word vectors helped. */
size_t judge_rounds_with_vectors(const struct judged *judged);

/* Each item is predicted once a repetition, by a model that has not seen it or a near
 * duplicate of it. ERR_INPUT when there are fewer than two items. */
bool judge_folds(const struct model_settings *settings, const struct examples *examples,
                 struct judge_options options, struct arena *arena, struct judged *out,
                 struct err *err) MUST_USE;

/* A model's predictions for the items. */
void judge_items(const struct model *model, const struct examples *examples,
                 struct folds_items items, struct arena *arena, struct judged *out);

/* Macro F1 when only a part of each fold's training items is learned from. */
struct judge_step {
    double share;               /* of the training items */
    double items;               /* how many that are, on average */
    double macro_f1, deviation; /* mean and standard deviation over folds */
    struct values scores;       /* of each round, the same rounds at every step */
};

enum { JUDGE_STEPS = 5 }; /* 20%, 40%, ... */

/* whole: what judge_folds() gave with the same options, NULL: it is asked here. What it
 * tuned in each round, on all that the round learns from and nothing else, holds for the
 * parts as well. */
bool judge_curve(const struct model_settings *settings, const struct examples *examples,
                 struct judge_options options, const struct judged *whole,
                 struct arena *arena, struct judge_step steps[JUDGE_STEPS],
                 struct err *err) MUST_USE;

#endif
