/* Which answers who asked gave thanks for. Comments are shown first, then questions and
 * answers in any order; what is kept is a few numbers for each comment that gives thanks,
 * and for each question of somebody who wrote such a comment anywhere. */
#ifndef QUERY_ENDORSED_H
#define QUERY_ENDORSED_H

#include "base/idset.h"
#include "base/list.h"
#include "query/query.h"

/* Somebody's thanks for a post, a question with who asked it, or an answer with its
 * question; owner is who wrote it. */
struct query_endorsed_note {
    int64_t post, question, owner;
};

/* A zeroed one is ready. */
struct query_endorsed {
    struct idset posts, people;              /* thanked for; who did */
    LIST(struct query_endorsed_note) thanks; /* sorted by query_endorsed_sort() */
    LIST(struct query_endorsed_note) questions, answers;
};

void query_endorsed_free(struct query_endorsed *endorsed);

/* A comment whose text gives thanks (text/thanks.h). */
void query_endorsed_thank(struct query_endorsed *endorsed, int64_t post, int64_t user);
void query_endorsed_sort(struct query_endorsed *endorsed); /* when all were shown */

/* Whether a question or answer matters after the comments that were shown; several
 * threads may ask at once. Then it is entered. */
bool query_endorsed_wants(const struct query_endorsed *endorsed, enum item_kind kind,
                          int64_t post, int64_t owner);
void query_endorsed_post(struct query_endorsed *endorsed, enum item_kind kind,
                         struct query_endorsed_note post);

/* Whether `asker` gave thanks for the answer, which is not his own; after sorting. */
bool query_endorsed_is(const struct query_endorsed *endorsed, int64_t answer,
                       int64_t owner, int64_t asker);

/* Adds the questions with such an answer to every relation that asks for them. */
void query_endorsed_tell(struct query_endorsed *endorsed,
                         struct query_relations *relations);

#endif
