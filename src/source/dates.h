/* Dates of rows that only name a post: the numbers of a site's posts grow with time, so
 * that a post was written between the dated posts whose numbers are next to its own. */
#ifndef SOURCE_DATES_H
#define SOURCE_DATES_H

#include "base/list.h"
#include "source/intake.h"

struct source_dates_post {
    int64_t id, ms;
};

/* A zeroed one is ready. */
struct source_dates {
    LIST(struct source_dates_post) posts; /* both ascend */
    int64_t older; /* left out: older than a post with a lower number, such as those that
                      came from another site */
};

/* Earliest and latest it can be, and in between by its number. */
struct source_dates_found {
    int64_t ms, earliest_ms, latest_ms;
};

/* All dated posts of the tables that the intake's source names. ERR_INPUT with the place
 * for a table that is wrong or has none. */
bool source_dates_read(struct source_intake *intake, struct source_dates *out,
                       struct err *err) MUST_USE;
void source_dates_free(struct source_dates *dates);

/* False: it lies outside of the dated posts, so that one of the bounds is missing. */
bool source_dates_find(const struct source_dates *dates, int64_t id,
                       struct source_dates_found *out);

/* The number of a post in what a row says: a number, or a link with one. ITEM_NONE. */
int64_t source_dates_number(struct str text);

#endif
