/* A part of the work is a view of the labels: some items, some raters, codes as they are,
 * as their ancestors, or as given or not. A view is turned into a table of categories,
 * of which coefficients are taken. */
#ifndef LABEL_AGREE_TABLE_H
#define LABEL_AGREE_TABLE_H

#include "base/map.h"
#include "label/agree.h"

enum { LABEL_AGREE_TABLE_CATEGORIES_MAX = 3000 }; /* distances are their square */

struct label_agree_table_view {
    const struct label_agree_data *data;
    const size_t *labels; /* which count, in data->labels; by item, then by rater */
    size_t label_count;
    const bool *items; /* which count; NULL: all */
    size_t code;       /* given or not; LABEL_AGREE_NONE: all codes */
    int level;         /* 0: codes as they are */
    bool ordered;      /* categories are places in the order of codes. Labels with several
                          codes, and those with one outside of the order, do not count */
};

struct label_agree_table {
    struct stats_agree_ratings ratings; /* items with labels; those with one tell how
                                         often categories are used */
    const size_t *items;                /* which they are */
    struct stats_agree_sets sets;       /* of each category, its codes; not if ordered */
    bool several;                       /* a category is a set of several codes */
    size_t shared;                      /* items with at least two labels */
    size_t labels, raters;              /* of these */
};

/* All labels. It is made once; parts of it are copies that leave some out. */
struct label_agree_table_view label_agree_table_whole(const struct label_agree_data *data,
                                                      struct arena *arena);

/* Of each rater, the labels. */
struct label_agree_table_view *
label_agree_table_by_rater(const struct label_agree_table_view *whole,
                           struct arena *arena);

/* The labels of two raters, the first one's before the second one's of the same item. */
struct label_agree_table_view
label_agree_table_pair(const struct label_agree_table_view *first,
                       const struct label_agree_table_view *second, struct arena *arena);

/* The work grows with the labels of the view, not with items times raters. */
struct label_agree_table label_agree_table_of(const struct label_agree_table_view *view,
                                              struct arena *arena);

/* Share of the pairs of labels that are equal: of an item, and the mean over items. NAN:
 * there is no pair. */
double label_agree_table_equal_pairs(const struct stats_agree_ratings *ratings,
                                     size_t item);
double label_agree_table_observed(const struct stats_agree_ratings *ratings);

struct stats_agreement label_agree_table_undefined(const char *why);
struct stats_agreement label_agree_table_cohen(const struct label_agree_table *table,
                                               enum stats_agree_weights weights,
                                               double level, struct arena *arena);

/* Of alpha: MASI's between sets, else equal or not. */
double *label_agree_table_distance(const struct label_agree_table *table,
                                   struct arena *arena);

#endif
