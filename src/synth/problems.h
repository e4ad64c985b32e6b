/* What is wrong with a settings file. */
#ifndef SYNTH_PROBLEMS_H
#define SYNTH_PROBLEMS_H

#include "base/arena.h"
#include "base/err.h"
#include "yaml/yaml.h"

enum { PROBLEMS_KEPT_MAX = 50 };

struct problems {
    const char *path;
    struct arena *arena;
    struct problems_problem {
        int line, column;
        const char *text;
    } list[PROBLEMS_KEPT_MAX]; /* the first of them */
    int count;                 /* of all */
};

/* These note a problem and are false. */
bool problems_add(struct problems *problems, const struct yaml_node *at,
                  const char *format, ...) PRINTF_LIKE(3, 4);
bool problems_wrong(struct problems *problems, const struct yaml_node *at,
                    const char *what); /* "what, found '...'" */
bool problems_key(struct problems *problems, const struct yaml_node *key,
                  const struct str *names, size_t count); /* none of these */

struct str problems_shown(const struct yaml_node *node); /* in a message */

/* As many of them as a message holds, in the order of the file, and how many more; is
 * false. */
bool problems_tell(struct problems *problems, struct err *err);

#endif
