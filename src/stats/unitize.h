/* Agreement of raters who cut units out of a continuum, such as words of a text.
 *
 * Krippendorff's alpha for unitizing: K. Krippendorff, On the reliability of unitizing
 * continuous data, Sociological Methodology 25 (1995) 47-76, as in Content Analysis (2nd
 * edition, 2004), section 11.6. The continuum may be in pieces, such as the texts of
 * several items: no unit and no gap goes across their ends. */
#ifndef STATS_UNITIZE_H
#define STATS_UNITIZE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct stats_unitize_unit {
    size_t rater, category, piece; /* numbers from 0 */
    int64_t begin, length;         /* within the piece; length above 0 */
};

struct stats_unitize_continuum {
    const int64_t *pieces; /* their lengths */
    size_t piece_count, raters, categories;
};

struct stats_unitize_alpha {
    double alpha; /* NAN: undefined */
    double observed, expected;
};

/* Of each category, and in out[categories] of all together. Units of one rater, category
 * and piece do not overlap. Undefined without units, or with fewer than two raters. */
void stats_unitize_alpha(const struct stats_unitize_continuum *continuum,
                         const struct stats_unitize_unit *units, size_t count,
                         struct arena *arena, struct stats_unitize_alpha *out);

#endif
