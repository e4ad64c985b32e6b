/* What the sources of a corpus were like: findings, each with a type of its own, that are
 * asked for by their ids. Markdown is an export of them. */
#ifndef RESULT_HEALTH_H
#define RESULT_HEALTH_H

#include "result/result.h"

struct health_finding {
    struct str name; /* with several sources the source's name stands before the id */
    struct str id;   /* such as "answers without question" */
    enum result_type type; /* count, moment or text */
    double value;          /* of a count or moment; NAN: none */
    struct str text;       /* as people read it */
};

struct health {
    struct health_finding *at;
    size_t count, room;
};

/* The type is that of the id. */
void health_add(struct health *health, struct str name, struct str text,
                struct arena *arena);

/* A count over all sources; 0: there is none. */
double health_sum(const struct health *health, const char *id);

/* The first moment of all sources, or the last; false: there is none. */
bool health_moment(const struct health *health, const char *id, bool last, int64_t *ms);

void health_markdown(const struct health *health, struct buf *out);

#endif
