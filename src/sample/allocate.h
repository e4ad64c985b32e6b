/* How a sample is shared out over strata. Whole numbers throughout: no rounding differs
 * between machines. */
#ifndef SAMPLE_ALLOCATE_H
#define SAMPLE_ALLOCATE_H

#include "base/arena.h"
#include "sample/size.h"

enum allocate_method {
    ALLOCATE_PROPORTIONAL, /* each stratum by its part of the frame */
    ALLOCATE_EQUAL,        /* the same number from each */
    ALLOCATE_OWN,          /* the size applies to each stratum by itself */
};

struct allocate_rule {
    enum allocate_method method;
    struct size_spec size; /* of the whole sample; ALLOCATE_OWN: of each stratum */
    int64_t minimum;       /* from each stratum that has so many; else all it has */
};

/* Fills sizes[0 .. strata) for strata of frames[0 .. strata) items. No stratum gives more
 * than it has. The sizes add up to the sample's size, unless the minimums alone are more.
 *
 * Proportional: the largest-remainder method (Hamilton); of equal remainders the earlier
 * stratum wins. A stratum whose part would be below the minimum gets the minimum, and the
 * others share the rest in proportion. The arena is for the work only.
 * Equal: what a small stratum cannot give, the others give; what does not divide evenly
 * goes to the earlier strata. */
void allocate(const struct allocate_rule *rule, const int64_t *frames, size_t strata,
              struct arena *arena, int64_t *sizes);

#endif
