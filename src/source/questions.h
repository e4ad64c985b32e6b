/* The tags of all questions of sources, also of those that the corpus does not hold: they
 * have to be counted over a whole site. */
#ifndef SOURCE_QUESTIONS_H
#define SOURCE_QUESTIONS_H

#include "dump/tagset.h"
#include "source/ingest.h"

/* Whether questions of such a source can be counted without a corpus. */
bool source_questions_has(const struct source_kind *kind);

/* Adds the questions that meet options->query, which asks for nothing around them, of the
 * sources that have any. What an ingest leaves out is left out: planted posts, those of
 * after the end, repeated ones. A post of one site that several sources hold counts once.
 * Where a server counts, which tags stand together is known of those within the limits
 * alone. */
bool source_questions_count(const struct source_ingest_options *options,
                            struct dump_tagset_limits limits, struct dump_tagset *tagset,
                            struct err *err) MUST_USE;

#endif
