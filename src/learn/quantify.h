/* The share of each class in a whole corpus, of which only a classifier has seen every
 * post. Counting its predictions ("plain") inherits its errors; what else is here
 * corrects for them. All assume that posts of one class look alike in the corpus and in
 * the judged sample (prior shift); plain count assumes a classifier without errors.
 * - Adjusted count: which shares, put through the judged confusion matrix, make the
 *   predicted counts most likely. Where inverting the matrix gives shares of 0 .. 1 that
 *   is the result; otherwise it is the nearest on the border; Forman, "Quantifying counts
 *   and costs via classification", 2008; Vucetic and Obradovic, ECML 2001.
 * - EM: the same from probabilities; Saerens, Latinne and Decaestecker, "Adjusting the
 *   outputs of a classifier to new a priori probabilities", Neural Computation 14, 2002.
 * Intervals are percentiles over resamples of judged items and corpus together. */
#ifndef LEARN_QUANTIFY_H
#define LEARN_QUANTIFY_H

#include "base/arena.h"

struct quantify_share {
    double estimate, low, high;
};

struct quantify {
    struct quantify_share *plain, *adjusted, *em; /* of each class */
};

/* Judged items on posts that the classifier has not seen, and its word on the corpus. */
struct quantify_input {
    size_t classes;
    size_t judged;
    const size_t *truth, *said; /* of each judged item */
    size_t items;
    const size_t *predicted;     /* of each post of the corpus */
    const double *probabilities; /* posts x classes; NULL: no EM */
    const double *prior;         /* shares of classes that it learned from; for EM */
    double level;
    size_t resamples;
    uint64_t seed;
};

/* A class that no judged item has gets NAN for adjusted shares of all: its errors are not
 * known. */
struct quantify quantify_shares(const struct quantify_input *input, struct arena *arena);

/* The two corrections by themselves. confusion: classes x classes counts, true by
 * predicted; counts: predictions in the corpus. False when a class has no judged item. */
bool quantify_adjust(const double *confusion, const double *counts, size_t classes,
                     double *shares, struct arena *arena);
void quantify_em(const double *probabilities, size_t items, const double *prior,
                 size_t classes, double *shares, struct arena *arena);

#endif
