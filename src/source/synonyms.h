/* A table of tag synonyms: csv with the columns synonym and tag, or as the Data Explorer
 * and the api of Stack Exchange give it. */
#ifndef SOURCE_SYNONYMS_H
#define SOURCE_SYNONYMS_H

#include "query/query.h"

/* What *out points to lives in the arena. *left_out gets how many synonyms were
 * not approved and do not count. ERR_INPUT with the place for what is wrong. */
bool source_synonyms_read(const char *path, struct arena *arena,
                          struct query_synonyms **out, int64_t *left_out,
                          struct err *err) MUST_USE;

#endif
