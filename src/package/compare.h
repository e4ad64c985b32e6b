/* The numbers of two runs of a study, side by side. */
#ifndef PACKAGE_COMPARE_H
#define PACKAGE_COMPARE_H

#include "result/numbers.h"

enum package_compare_side {
    PACKAGE_COMPARE_BOTH,
    PACKAGE_COMPARE_ONLY_THEIRS,
    PACKAGE_COMPARE_ONLY_OURS
};

struct package_compare_difference {
    enum package_compare_side side;
    /* "tables.trend.2019.count"; with .low, .high or .n when only these differ. */
    struct str address;
    double theirs, ours; /* NAN: undefined, or not there */
};

struct package_compare {
    struct package_compare_difference
        *differences; /* in the order of our steps and numbers */
    size_t count;
    size_t numbers; /* that both sides have */
};

/* Two values are the same when they differ by less than a billionth: other machines may
 * differ in the last digits. An undefined one is the same as an undefined one. */
void package_compare_numbers(const struct result_numbers *theirs, size_t their_count,
                             const struct result_numbers *ours, size_t our_count,
                             struct arena *arena, struct package_compare *out);

#endif
