/* What the files of models share. */
#ifndef LEARN_INTERNAL_H
#define LEARN_INTERNAL_H

#include "learn/model.h"

struct weigh_source model_source(const struct model_settings *settings,
                                 const struct examples *examples);

/* The settings' weights, with those that were tuned. */
struct weigh_options model_weights(const struct model_settings *settings,
                                   struct model_tuned tuned);

/* The weights for one candidate value; rows and truth are the training part. `start` is
 * where linear methods begin and leave what they came to, classes x rows, which makes the
 * next candidate's way short; NULL: from 0. */
struct scorer model_fit(const struct model_settings *settings,
                        const struct examples *examples, const struct weigh *weigh,
                        const struct rows *rows, const struct membership *truth,
                        struct model_tuned tuned, double *start, struct arena *arena);

/* Sets tuned, sharpness and thresholds by cross-validation within the items. */
void model_tune(const struct model_settings *settings, const struct examples *examples,
                struct folds_items items, struct arena *arena, struct model *out);

/* MODEL_REST or MODEL_POWERSET, whichever has the higher macro F1 by cross-validation
 * within the items; of equals the first. */
enum model_several model_choose(const struct model_settings *settings,
                                const struct examples *examples,
                                struct folds_items items);

/* A row of counts as the model weighs it, and of a powerset the probabilities of its
 * sets; both until the next call with that scratch. */
struct rows_row model_row(const struct model *model, struct rows_row counts,
                          struct model_scratch *scratch);
const double *model_predict_sets(const struct model *model, struct rows_row counts,
                                 struct model_scratch *scratch);

/* Uses sharpness and thresholds. */
void model_probabilities(const struct model *model, const double *scores,
                         double *probabilities);

#endif
