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

/* Posts to classify that have no vector, as they come. */
struct cmd_given_missing {
    size_t count, all;
    struct buf first; /* the first of them, by commas */
};

void cmd_given_miss(struct cmd_given_missing *missing, const struct learn_given *given,
                    const struct str *ids, size_t count);

/* Says on standard error how many posts of the file `of` have none; gives up what was
 * gathered. */
void cmd_given_tell_missing(struct cmd_given_missing *missing, const char *path,
                            const char *of);

#endif
