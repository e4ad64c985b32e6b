/* --vectors of commands that read posts without a study: a vector for each post, by its
 * id as the column of --id writes it. */
#ifndef CMD_GIVEN_H
#define CMD_GIVEN_H

#include "base/buf.h"
#include "input/vectors.h"
#include "learn/examples.h"

/* The vectors of those posts. */
struct learn_given cmd_given_of(const struct input_vectors *vectors,
                                const struct str *ids, size_t count, struct arena *arena);

/* ERR_INPUT when none of them has one. */
bool cmd_given_check(const struct input_vectors *vectors, const char *path,
                     const struct learn_given *given, const struct str *ids, size_t count,
                     struct err *err) MUST_USE;

/* A line that says what was read, how many posts have no vector, and the first of them.
 */
void cmd_given_tell(const struct input_vectors *vectors, const char *path,
                    const struct learn_given *given, const struct str *ids, size_t count,
                    struct buf *out);

#endif
