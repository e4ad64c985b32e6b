/* What something else than a classifier of ours says of items: any program, whose csv has
 * the columns item, code and, if it has one, probability; or a model that is a rater. */
#ifndef RUN_PREDICTIONS_H
#define RUN_PREDICTIONS_H

#include "measure/labels.h"

struct run_prediction {
    size_t item;        /* in the frame */
    size_t code;        /* of the labels */
    double probability; /* NAN: not said */
};

struct run_predictions {
    struct run_prediction *at; /* by item, then code; each once */
    size_t count;
    int64_t unknown; /* rows of items that the corpus does not hold */
};

/* What is looked up: codes go by their paths or names, and count at the level. */
struct run_predictions_of {
    const struct measure_frame *frame;
    const struct measure_labels *labels;
    int level;
    struct arena *arena;
};

/* ERR_INPUT with "path:line: " for a missing column, a code that the labels do not have,
 * with the nearest, for what is no probability, and for a row that is there twice. */
bool run_predictions_csv(const struct run_predictions_of *of, const char *path,
                         struct run_predictions *out, struct err *err) MUST_USE;

/* What a model of a labelling says, as the labelling's step has written it down. */
bool run_predictions_rater(const struct run_predictions_of *of, const struct study *study,
                           const struct study_labels *labels, struct str rater,
                           struct run_predictions *out, struct err *err) MUST_USE;

#endif
