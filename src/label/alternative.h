/* Whether models may take the place of raters (stats/alternative.h), from a table of
 * labels. */
#ifndef LABEL_ALTERNATIVE_H
#define LABEL_ALTERNATIVE_H

#include "label/agree.h"

/* What a rater costs more than a model, as the authors of the test have it: raters of a
 * crowd, skilled ones, experts. */
enum { LABEL_ALTERNATIVE_EPSILONS = 3 };
extern const double label_alternative_epsilons[LABEL_ALTERNATIVE_EPSILONS];

struct label_alternative_rater {
    size_t rater, items;
    double advantage;
    double p[LABEL_ALTERNATIVE_EPSILONS]; /* adjusted for the number of raters */
    const char *undefined;
};

struct label_alternative {
    struct label_alternative_rater *raters;
    size_t rater_count;
    size_t tested;    /* of these, with items enough */
    double advantage; /* the mean over them; NAN: none */
    /* Share of raters than whom the model is not worse; at 0.5 and above it may take
     * their place. */
    double winning[LABEL_ALTERNATIVE_EPSILONS];
};

/* The first `people` raters against another one. Items count that two of them or more,
 * and the model, have labelled. How near two labels are is the Jaccard index of their
 * codes: with one code each, whether they are equal. p is adjusted as Benjamini and
 * Yekutieli have it, false discoveries at 5%. */
struct label_alternative label_alternative(const struct label_agree_data *data,
                                           size_t people, size_t model,
                                           struct arena *arena);

#endif
