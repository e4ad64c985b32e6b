/* The census of a dump, and its health: what a pass counts of all posts, taken or not. */
#ifndef DUMP_SELECT_CENSUS_H
#define DUMP_SELECT_CENSUS_H

#include "dump/select.h"

/* On any thread: counts the post in health, and adds a question to `census`; false when
 * it is too late and to be left out. */
bool select_census_note(int64_t until_ms, const struct item *post,
                        struct select_health *health, struct buf *census);

/* The questions of such a `census`, in its order. */
void select_census_count(struct tally *tally, struct str census);

void select_census_merge(struct select_health *into, const struct select_health *from);

/* At the end of the dump: what only all posts together tell. */
void select_census_finish(struct select_state *state);

#endif
