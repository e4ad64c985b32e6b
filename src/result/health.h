/* What the sources of a corpus were like: findings, each with a type of its own, that are
 * asked for by their ids. Markdown is an export of them. */
#ifndef RESULT_HEALTH_H
#define RESULT_HEALTH_H

#include "result/result.h"

struct result_health_finding {
    struct str name; /* with several sources the source's name stands before the id */
    struct str id;   /* such as "answers without question" */
    enum result_type type; /* count, moment or text */
    double value;          /* of a count or moment; NAN: none */
    struct str text;       /* as people read it */
};

struct result_health {
    struct result_health_finding *at;
    size_t count, room;
};

/* The type is that of the id. */
void result_health_add(struct result_health *health, struct str name, struct str text,
                       struct arena *arena);

/* A count over all sources; 0: there is none. */
double result_health_sum(const struct result_health *health, const char *id);

/* The first moment of all sources, or the last; false: there is none. */
bool result_health_moment(const struct result_health *health, const char *id, bool last,
                          int64_t *ms);

/* What was left out or had to be guessed at, over all sources: "2 broken rows skipped, 41
 * values unreadable"; nothing where all is well. */
void result_health_troubles(const struct result_health *health, struct buf *out);

void result_health_markdown(const struct result_health *health, struct buf *out);

#endif
