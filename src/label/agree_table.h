/* A part of the work is a view of the labels: some items, some raters, codes as they are,
 * as their ancestors, or as given or not. A view is turned into a table of categories,
 * of which coefficients are taken. */
#ifndef LABEL_AGREE_TABLE_H
#define LABEL_AGREE_TABLE_H

#include "base/map.h"
#include "label/agree.h"

enum { AGREE_TABLE_CATEGORIES_MAX = 3000 }; /* distances are their square */

struct agree_table_view {
    const struct agree_data *data;
    const bool *items; /* which count; NULL: all */
    size_t raters[2];  /* the only two; AGREE_NONE: all */
    size_t code;       /* given or not; AGREE_NONE: all codes */
    int level;         /* 0: codes as they are */
};

struct agree_table {
    struct agreement_ratings ratings; /* items with labels; those with one tell how
                                         often categories are used */
    struct agreement_sets sets;       /* of each category, its codes */
    bool several;                     /* a category is a set of several codes */
    size_t shared;                    /* items with at least two labels */
    size_t labels, raters;            /* of these */
};

struct agree_table_view agree_table_whole(const struct agree_data *data);
struct agree_table agree_table_of(const struct agree_table_view *view,
                                  struct arena *arena);

/* Categories are places in the order of codes. Labels with several codes, and those with
 * one that is outside of the order, do not count. */
struct agree_table agree_table_ordered(const struct agree_data *data,
                                       struct arena *arena);

/* The category of each label, in all items: [item * raters + rater]. Categories are
 * numbered in *sets as they come. */
int32_t *agree_table_categories(const struct agree_table_view *view, struct map *sets,
                                struct arena *arena);

/* Share of the pairs of labels that are equal: of an item, and the mean over items. NAN:
 * there is no pair. */
double agree_table_equal_pairs(const int32_t *labels, size_t raters);
double agree_table_observed(const struct agreement_ratings *ratings);

struct agreement agree_table_undefined(const char *why);
struct agreement agree_table_cohen(const struct agree_table *table,
                                   enum agreement_weights weights, double level,
                                   struct arena *arena);

/* Of alpha: MASI's between sets, else equal or not. */
double *agree_table_distance(const struct agree_table *table, struct arena *arena);

#endif
