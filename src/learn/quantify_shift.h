/* What the corrections by themselves (see quantify.h) share with others. */
#ifndef LEARN_QUANTIFY_SHIFT_H
#define LEARN_QUANTIFY_SHIFT_H

#include "learn/quantify.h"

/* Solves the size x size system by elimination with pivots; rows are size + 1 long, the
 * right side last, and are used up. False when it has no single solution. */
bool quantify_shift_solve(double *rows, size_t size, double *out);

#endif
