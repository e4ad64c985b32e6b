/* Merges of verbs and objects, for the pages on which people decide on them. */
#ifndef SERVE_MERGES_H
#define SERVE_MERGES_H

#include "base/arena.h"
#include "base/err.h"
#include "label/label.h"

struct serve_merges;

/* Of a step that has unifiers; both outlive it. The csv of decisions is made when there
 * is none. ERR_INPUT when it cannot be read, or when the step has not been run. The
 * caller hands *out to serve_merges_close(). */
bool serve_merges_open(const struct study *study, const struct study_phrases *of,
                       struct serve_merges **out, struct err *err) MUST_USE;
void serve_merges_close(struct serve_merges *merges); /* NULL is fine */

/* Unifiers in the order of the study file, then the arbiter if there is one. */
size_t serve_merges_people(const struct serve_merges *merges,
                           const struct label_person **out);
bool serve_merges_settles(const struct label_person *person); /* is the arbiter */
bool serve_merges_token(const struct serve_merges *merges, struct str name,
                        struct arena *arena, struct str *token, struct err *err) MUST_USE;

#endif
