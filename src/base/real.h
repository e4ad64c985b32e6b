/* Elementary functions whose every bit is the same on every machine: what is simulated or
 * drawn with them must not depend on the C library. Only +, -, *, / and sqrt of IEEE 754
 * are used. Within two units of the last place of the true value. */
#ifndef BASE_REAL_H
#define BASE_REAL_H

#include <stddef.h>

double real_exp(double x); /* 0 below -745, infinity above 709.78 */
/* The same of each number, in half the time. */
void real_exp_each(double *at, size_t count);
double real_log(double x); /* x > 0 and finite */

#endif
