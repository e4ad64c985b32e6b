/* For tests of statistical tests. */
#ifndef TESTS_UNIT_TESTED_H
#define TESTS_UNIT_TESTED_H

#include <math.h>

#include "tests/unit/measured.h"

/* What is not given is NAN. */
static inline void tested_near(double got, double want)
{
    if (!isnan(want))
        CHECK_NEAR(got, want, 1e-9 + 1e-9 * fabs(want));
}

#endif
