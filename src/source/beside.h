/* What an engine holds beside the posts: comments, users and the like, read as rows of a
 * dump, so that they mean what they mean there. */
#ifndef SOURCE_BESIDE_H
#define SOURCE_BESIDE_H

#include "engine/engine.h"
#include "source/intake.h"

/* Finds what the query asks of what is around a post; newest_ms is when the newest post
 * was written. */
bool source_beside_related(struct source_intake *intake, struct engine *engine,
                           int64_t newest_ms, struct err *err) MUST_USE;

/* Stores what hangs on the posts in the corpus, as far as the source takes it. */
bool source_beside_store(struct source_intake *intake, struct engine *engine,
                         struct err *err) MUST_USE;

/* Adds a line to the key of the corpus for each such table that there is. */
bool source_beside_state(struct engine *engine, struct buf *key,
                         struct err *err) MUST_USE;

#endif
