/* The numbers of two runs of a study, side by side. */
#ifndef PACKAGE_COMPARE_H
#define PACKAGE_COMPARE_H

#include "result/numbers.h"

enum compare_side { COMPARE_BOTH, COMPARE_ONLY_THEIRS, COMPARE_ONLY_OURS };

struct compare_difference {
    enum compare_side side;
    /* "tables.trend.2019.count"; with .low, .high or .n when only these differ. */
    struct str address;
    double theirs, ours; /* NAN: undefined, or not there */
};

struct compare {
    struct compare_difference *differences; /* in the order of our steps and numbers */
    size_t count;
    size_t numbers; /* that both sides have */
};

/* Two values are the same when they differ by less than a billionth: other machines may
 * differ in the last digits. An undefined one is the same as an undefined one. */
void compare_numbers(const struct numbers *theirs, size_t their_count,
                     const struct numbers *ours, size_t our_count, struct arena *arena,
                     struct compare *out);

#endif
