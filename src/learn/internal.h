/* What the files of models share, and those of shares. */
#ifndef LEARN_INTERNAL_H
#define LEARN_INTERNAL_H

#include "learn/model.h"
#include "learn/quantify.h"

/* The weights for one candidate value; rows and truth are the training part. */
struct scorer model_fit(const struct model_settings *settings,
                        const struct examples *examples, const struct weigh *weigh,
                        const struct rows *rows, const struct membership *truth,
                        struct model_tuned tuned, struct arena *arena);

/* Sets tuned, sharpness and thresholds by cross-validation within the items. */
void model_tune(const struct model_settings *settings, const struct examples *examples,
                struct folds_items items, struct arena *arena, struct model *out);

/* MODEL_REST or MODEL_POWERSET, whichever has the higher macro F1 by cross-validation
 * within the items; of equals the first. */
enum model_several model_choose(const struct model_settings *settings,
                                const struct examples *examples,
                                struct folds_items items);

/* Uses sharpness and thresholds. */
void model_probabilities(const struct model *model, const double *scores,
                         double *probabilities);

/* Sets low and high from estimate and size. */
void quantify_powered_interval(struct quantify_powered *powered, double level);

/* Items as one question sees them: of its answers exactly one is true. */
struct quantify_seen {
    size_t count;
    size_t *said, *truth;  /* truth: NULL where it is not known */
    double *probabilities; /* items x answers */
};

struct quantify_question {
    size_t classes; /* answers */
    struct quantify_seen labelled, set;
    size_t shared;       /* labelled items that are in the set */
    const double *prior; /* NULL: the mean probability of labelled items */
};

/* Shares by adjusted count, probabilistic adjusted count and EM, with intervals: out is
 * 3 x answers. */
void quantify_answer(const struct quantify_question *question,
                     struct quantify_options options, struct arena *arena,
                     struct quantify_share *out);

#endif
