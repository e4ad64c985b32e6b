/* The census of a dump, and its health: what a pass counts of all posts, taken or not. */
#ifndef DUMP_SELECT_CENSUS_H
#define DUMP_SELECT_CENSUS_H

#include "dump/select.h"

/* On any thread: counts the post in health, and adds a question to `census`; false when
 * it is too late and to be left out. */
bool dump_select_census_note(int64_t until_ms, const struct item *post,
                             struct dump_select_health *health, struct buf *census);

/* The questions of such a `census`, in its order. */
void dump_select_census_count(struct dump_tally *tally, struct str census);

void dump_select_census_merge(struct dump_select_health *into,
                              const struct dump_select_health *from);

/* At the end of the dump: what only all posts together tell. */
void dump_select_census_finish(struct dump_select_state *state);

#endif
