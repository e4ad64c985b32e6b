/* Which part of a year or week the rows of a series are of. */
#ifndef MEASURE_SEASON_H
#define MEASURE_SEASON_H

#include "base/str.h"
#include "stats/series.h"

/* Times that are all months of 12 parts, written as 2022-11, or all quarters of 4,
 * written as 2022-Q4, say it themselves, so that one may be missing; of others each row
 * is of the next part. parts below 2: no season. */
struct stats_season measure_season(const struct str *times, size_t count, size_t parts,
                                   struct arena *arena);

#endif
