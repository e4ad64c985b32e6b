/* For tests of agreement: what each rater said of each item, written out row by row. */
#ifndef TESTS_UNIT_RATED_H
#define TESTS_UNIT_RATED_H

#include "stats/agreement.h"

static inline struct stats_agree_ratings rated_dense(const int32_t *at, size_t items,
                                                     size_t raters, size_t categories)
{
    return (struct stats_agree_ratings){
        .at = at, .items = items, .raters = raters, .categories = categories};
}

#endif
