/* Units: what a rater marks in an item, such as each bug that a commit fixes. Where a
 * unit is, and which units of several raters are the same one. Pure: it knows neither
 * labels.db nor files. */
#ifndef LABEL_UNIT_H
#define LABEL_UNIT_H

#include "base/err.h"
#include "base/str.h"

enum { LABEL_UNIT_NAME_MAX = 200, LABEL_UNIT_PLACE_MAX = 1000 }; /* bytes */

/* Where a unit is: lines of a file on one side of a diff, "src/net.py:R12-R15", of a part
 * of a text, "body:3", or all of a part, "src/net.py". */
struct label_unit_place {
    struct str part;     /* the file, or the part of the text; empty: it is not said */
    char side;           /* 'L' before, 'R' after the change; 0: no side of a diff */
    int64_t first, last; /* lines from 1; 0: all of the part */
};

/* An empty text is a place that is not said. ERR_INPUT for one that is too long, and for
 * lines that cannot be. */
bool label_unit_place_read(struct str text, struct label_unit_place *out,
                           struct err *err) MUST_USE;

/* Whether a text can be the name of a unit: a line that is not too long. */
bool label_unit_check(struct str name, struct err *err) MUST_USE;

struct label_unit {
    size_t rater;      /* a number for whoever marked it */
    struct str name;   /* what the rater calls it in the item: "2" */
    struct str called; /* the same in words, "second bug"; empty: not said */
    struct label_unit_place place;
};

/* Which units of one item are the same: sets match[i] to the number of unit i's group,
 * from 0, in the order of their first members; how many groups there are.
 *
 * Two units of different raters may be the same where both have a place and the places
 * overlap, or where one has none and they are called the same, by their words or, of two
 * without, by their names. Of all such pairs those with places come first, the larger
 * part of their lines they share the earlier, then in the order of label_unit_order(); a
 * pair joins the groups of its units unless some rater has a unit in both. */
size_t label_unit_match(const struct label_unit *units, size_t count, size_t *match);

/* Sets order[] to the units' numbers by what they say, places, words and names: an order
 * that does not tell, or change with, who marked them. Units that say the same stay in
 * theirs. */
void label_unit_order(const struct label_unit *units, size_t count, size_t *order);

#endif
