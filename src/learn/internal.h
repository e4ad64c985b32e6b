/* What the files of models share. */
#ifndef LEARN_INTERNAL_H
#define LEARN_INTERNAL_H

#include "learn/model.h"

/* The weights for one candidate value; rows and truth are the training part. */
struct scorer model_fit(const struct model_settings *settings,
                        const struct examples *examples, const struct weigh *weigh,
                        const struct rows *rows, const struct membership *truth,
                        struct model_tuned tuned, struct arena *arena);

/* Sets tuned, sharpness and thresholds by cross-validation within the items. */
void model_tune(const struct model_settings *settings, const struct examples *examples,
                struct folds_items items, struct arena *arena, struct model *out);

/* Uses sharpness and thresholds. */
void model_probabilities(const struct model *model, const double *scores,
                         double *probabilities);

#endif
