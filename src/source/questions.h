/* The tags of all questions of sources, also of those that the corpus does not hold: for
 * what has to be counted over a whole site. */
#ifndef SOURCE_QUESTIONS_H
#define SOURCE_QUESTIONS_H

#include "source/ingest.h"

typedef void source_questions_take(void *context, struct str tags);

/* Whether questions of such a source can be gone over without a corpus. */
bool source_questions_has(const struct source_kind *kind);

/* One pass over the dumps and tables of posts among the sources, in their order: the
 * questions that meet options->query, which asks for nothing around them. What an ingest
 * leaves out is left out: planted posts, those of after the end, repeated ones. A post of
 * one site that several sources hold comes once. */
bool source_questions_read(const struct source_ingest_options *options,
                           source_questions_take *take, void *context,
                           struct err *err) MUST_USE;

#endif
