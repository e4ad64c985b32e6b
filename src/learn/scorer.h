/* The form that every classifier here has once it has learned: for each class a weight a
 * column and a constant; the highest sum wins. So one function predicts for all of them,
 * and what decided can be read off. */
#ifndef LEARN_SCORER_H
#define LEARN_SCORER_H

#include "learn/rows.h"

struct scorer {
    size_t columns, classes;
    double *weights;   /* columns x classes */
    double *constants; /* of each class */
};

struct scorer scorer_new(size_t columns, size_t classes, struct arena *arena);

/* One score a class. */
void scorer_score(const struct scorer *scorer, struct rows_row row, double *scores);
void scorer_score_rows(const struct scorer *scorer, const struct rows *rows,
                       double *scores); /* rows x classes */

/* The first of the highest. */
size_t scorer_best(const double *scores, size_t classes);

#endif
