/* The range of numbers that one direction of a plot has to take in. */
#include <math.h>

#include "chart/internal.h"

void side_begin(struct side *side)
{
    side->low = INFINITY;
    side->high = -INFINITY;
}

void side_include(struct side *side, const double *values, size_t count)
{
    for (size_t i = 0; values != NULL && i < count; i++) {
        if (!isfinite(values[i]) || (side->axis.scale == CHART_LOG && values[i] <= 0))
            continue;
        side->low = fmin(side->low, values[i]);
        side->high = fmax(side->high, values[i]);
    }
}

void side_settle(struct side *side, bool from_zero)
{
    bool log = side->axis.scale == CHART_LOG;

    if (side->low > side->high) {
        side->low = log ? 1 : 0;
        side->high = log ? 10 : 1;
    }
    if (log || side->axis.scale == CHART_YEARS)
        return;
    if (from_zero || (side->low > 0 && side->low < 0.6 * side->high))
        side->low = fmin(0, side->low);
    if (from_zero)
        side->high = fmax(0, side->high);
}
