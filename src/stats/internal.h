/* What the files of stats/ share only with each other. */
#ifndef STATS_INTERNAL_H
#define STATS_INTERNAL_H

#include "stats/contingency.h"
#include "stats/correlation.h"
#include "stats/effect.h"

struct contingency_margins {
    double *rows, *columns, total;
};

/* Sums of rows and columns. NULL, or why nothing can be said about the table. */
const char *contingency_margins(struct contingency table, struct arena *arena,
                                struct contingency_margins *margins);

struct correlation correlation_undefined(const char *why);

/* Fisher's z of result->r plus and minus what its variance gives. */
void correlation_set_interval(struct correlation *result, double variance, double level);

struct effect effect_undefined(const char *why);

/* The word for a size, of the three limits above it. */
const char *effect_word(double size, double small, double medium, double large);

#endif
