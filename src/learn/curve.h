/* What more labels would bring: an inverse power law through the learning curve,
 * score = a - b n^-c (Cortes, Jackel, Solla, Vapnik and Denker, "Learning curves:
 * asymptotic values and rate of convergence", NIPS 1993; Figueroa, Zeng-Treitler, Kandula
 * and Ngo, "Predicting sample size required for classification performance", BMC Medical
 * Informatics 12, 2012). A forecast is refused where the curve does not carry it. */
#ifndef LEARN_CURVE_H
#define LEARN_CURVE_H

#include "base/compiler.h"
#include "stats/values.h"

/* Scores of several runs with the same number of labels. */
struct curve_step {
    double labels;
    struct values scores;
};

struct curve_options {
    double now, more; /* labels that there are, and those that may come */
    double level;
    size_t resamples;
    uint64_t seed;
};

struct curve_forecast {
    double highest, loss, rate; /* a, b and c */
    double now;                 /* the law with the labels that there are */
    double score, low, high;    /* with those that may come as well */
    double gain;                /* score - now */
    const char *refused;        /* NULL: the numbers above hold */
};

/* The law by least squares into a, b and c of out: a is at most 1, since scores are, and
 * c is sought from 0.01 to 3. False when the best law does not rise. */
bool curve_fit(struct values labels, struct values scores,
               struct curve_forecast *out) MUST_USE;

/* Every step has the same runs, in the same order. The interval comes from resampling
 * them. Refused when there are fewer than 4 steps or 3 runs, when scores do not rise by
 * more than chance (from the first step to the last by less than twice the standard
 * error), or when more than one in ten resamples does not follow the law. */
struct curve_forecast curve_forecast(const struct curve_step *steps, size_t count,
                                     struct curve_options options, struct arena *arena);

#endif
