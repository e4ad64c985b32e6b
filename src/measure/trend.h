/* How many times as frequent something is in the last 365 days as before. These are
 * counted back from where each site ends (measure/ends.h), and a site is compared with
 * itself alone: what only stands in one does not fall because another one goes on. */
#ifndef MEASURE_TREND_H
#define MEASURE_TREND_H

#include "measure/ends.h"

/* Items of a site in its last 365 days and before. */
struct measure_trend_counts {
    int64_t recent, before;
};

/* Adds an item to counts of each space; without a date, or where nobody knows when its
 * site ends, it counts nowhere. */
void measure_trend_add(const struct measure_ends *ends, int64_t id, int64_t created_ms,
                       struct measure_trend_counts *counts);

/* Of all spaces. */
struct measure_trend_counts measure_trend_sum(const struct measure_ends *ends,
                                              const struct measure_trend_counts *counts);

/* The ratio of shares. Of several sites that have it, the ratio of Mantel and Haenszel
 * (Rothman, Greenland and Lash, "Modern Epidemiology", 3rd edition, chapter 15), which
 * weighs what each says. NAN: nothing of it was before, or nothing at all is recent. */
double measure_trend_ratio(const struct measure_ends *ends,
                           const struct measure_trend_counts *of,
                           const struct measure_trend_counts *all);

#endif
