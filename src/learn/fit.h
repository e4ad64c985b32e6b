/* How each method comes to its weights, and how weights score a row. */
#ifndef LEARN_FIT_H
#define LEARN_FIT_H

#include "learn/examples.h"
#include "learn/features.h"

/* The form that every classifier here has once it has learned: for each class a weight a
 * column and a constant; the highest sum wins. So one function predicts for all of them,
 * and what decided can be read off. */

struct learn_scorer {
    size_t columns, classes;
    double *weights;   /* columns x classes */
    double *constants; /* of each class */
};

struct learn_scorer learn_scorer_new(size_t columns, size_t classes, struct arena *arena);

/* One score a class. */
void learn_scorer_score(const struct learn_scorer *scorer, struct learn_rows_row row,
                        double *scores);

/* The first of the highest. */
size_t learn_scorer_best(const double *scores, size_t classes);

/* How each method learns its weights from rows and the classes they have. All are
 * deterministic; those that draw random numbers take a seed. Rows whose class list is
 * empty serve as counterexamples only.
 * - Majority: the share of each class, whatever the text.
 * - Naive Bayes: multinomial, with additive smoothing; McCallum and Nigam, "A comparison
 *   of event models for naive Bayes text classification", 1998.
 * - Complement naive Bayes: Rennie, Shih, Teevan and Karger, "Tackling the poor
 *   assumptions of naive Bayes text classifiers", ICML 2003 (weights not normalised).
 * - Linear: one class against the rest; squared hinge loss by dual coordinate descent
 *   (Hsieh, Chang, Lin, Keerthi and Sundararajan, ICML 2008) or logistic loss by the same
 *   with Newton steps (Yu, Huang and Lin, Machine Learning 85, 2011). These are solvers 1
 *   and 7 of LIBLINEAR; ours draws its order from a seed, where LIBLINEAR takes the C
 *   library's global one, so that results do not depend on threads.
 * - Centroid: the class whose mean row has the smallest angle.
 * - Keyword weight: Zhang, Gao, Ma, Lyu and Kim, "An empirical study of common challenges
 *   in developing deep learning applications", ISSRE 2019. */

struct learn_scorer learn_fit_majority(const struct learn_rows *rows,
                                       const struct learn_membership *truth,
                                       struct arena *arena);
struct learn_scorer learn_fit_bayes(const struct learn_rows *rows,
                                    const struct learn_membership *truth,
                                    double smoothing, struct arena *arena);
struct learn_scorer learn_fit_complement(const struct learn_rows *rows,
                                         const struct learn_membership *truth,
                                         double smoothing, struct arena *arena);
struct learn_scorer learn_fit_centroid(const struct learn_rows *rows,
                                       const struct learn_membership *truth,
                                       struct arena *arena);

struct learn_fit_linear {
    double strength; /* C: how much an error costs beside large weights; > 0 */
    bool balanced;   /* errors on a small class cost as much in all as on a large one,
                        within the rest as well */
    const double *class_weights; /* how much an error on a row of each class costs beside
                                    one on the rest, as LIBLINEAR's -wi; NULL: as much */
    bool logistic;
    double tolerance; /* 0: 0.1, as LIBLINEAR */
    double *alpha;    /* classes x rows, of hinge loss: where the search begins, and what
                         it came to; NULL: it begins at 0 */
    uint64_t seed;
};

struct learn_scorer learn_fit_linear(const struct learn_rows *rows,
                                     const struct learn_membership *truth,
                                     struct learn_fit_linear options,
                                     struct arena *arena);

/* Weight of word i in class c: theta(i, c) + alpha where i was picked by hand for c;
 * theta is the word's count in the posts of c over a normaliser. What the paper leaves
 * open is an option; all zeros is the paper's formula. */
struct learn_fit_keyword {
    bool length;           /* normaliser: root of the sum of squares, not the sum */
    size_t top;            /* only so many of a class's most frequent words; 0: all */
    bool only_top;         /* a picked word outside of them counts for nothing */
    double alpha;          /* what a picked word adds */
    const uint8_t *picked; /* columns x classes; NULL: none was picked */
};

struct learn_scorer learn_fit_keyword(const struct learn_rows *counts,
                                      const struct learn_membership *truth,
                                      struct learn_fit_keyword options,
                                      struct arena *arena);

#endif
