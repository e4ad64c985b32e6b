/* Sites are strata; one that has nothing of what is asked for says nothing of it. */
#include "measure/trend.h"

#include <math.h>

#include "base/date.h"

#define YEAR_MS (INT64_C(365) * DATE_DAY_MS)

void measure_trend_add(const struct measure_ends *ends, int64_t id, int64_t created_ms,
                       struct measure_trend_counts *counts)
{
    size_t space = item_space(id);

    if (created_ms == ITEM_NONE || space >= ends->spaces->count ||
        ends->ms[space] == ITEM_NONE)
        return;
    *(created_ms > ends->ms[space] - YEAR_MS ? &counts[space].recent
                                             : &counts[space].before) += 1;
}

struct measure_trend_counts measure_trend_sum(const struct measure_ends *ends,
                                              const struct measure_trend_counts *counts)
{
    struct measure_trend_counts sum = {0, 0};

    for (size_t s = 0; s < ends->spaces->count; s++) {
        sum.recent += counts[s].recent;
        sum.before += counts[s].before;
    }
    return sum;
}

double measure_trend_ratio(const struct measure_ends *ends,
                           const struct measure_trend_counts *of,
                           const struct measure_trend_counts *all)
{
    double recent = 0, before = 0, one = NAN;
    size_t sites = 0;

    for (size_t s = 0; s < ends->spaces->count; s++) {
        double now = (double)all[s].recent, then = (double)all[s].before;
        if (of[s].recent + of[s].before == 0 || now == 0 || then == 0)
            continue;
        recent += (double)of[s].recent * then / (now + then);
        before += (double)of[s].before * now / (now + then);
        one = (double)of[s].recent / now / ((double)of[s].before / then);
        sites++;
    }
    return sites == 0 || before == 0 ? NAN : sites == 1 ? one : recent / before;
}
