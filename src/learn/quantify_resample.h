/* Corrections that rest on errors being the same everywhere, with intervals. */
#ifndef LEARN_QUANTIFY_RESAMPLE_H
#define LEARN_QUANTIFY_RESAMPLE_H

#include "learn/quantify.h"

/* Items as one question sees them: of its answers exactly one is true. */
struct quantify_seen {
    size_t count;
    size_t *said, *truth;  /* truth: NULL where it is not known */
    double *probabilities; /* items x answers */
};

/* What resampling must know of the labelled items. */
struct quantify_drawn {
    size_t strata;
    const size_t *stratum; /* of each labelled item */
    const double *weight;  /* of each labelled item: 1 on average */
    /* Of each stratum: the variance that its labels bring, as a share of what it would be
     * if they were drawn from very many; see quantify_resample.c. */
    const double *variance;
};

struct quantify_question {
    size_t classes; /* answers */
    struct quantify_seen labelled, set;
    struct quantify_drawn drawn;
};

/* Shares by adjusted count, probabilistic adjusted count and EM, with intervals: out is
 * 3 x answers. */
void quantify_resample(const struct quantify_question *question,
                       struct quantify_options options, struct arena *arena,
                       struct quantify_share *out);

#endif
