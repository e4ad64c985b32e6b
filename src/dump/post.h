/* One post, whatever file it came from: a row of a dump, of a csv export, of json. */
#ifndef DUMP_POST_H
#define DUMP_POST_H

#include "base/str.h"

#define POST_NONE INT64_MIN /* a number or moment that the post does not have */

enum {
    POST_QUESTION = 1,
    POST_ANSWER = 2,
    POST_ROW = 100 /* of a table: an item of its own */
};

struct post {
    int64_t id,
        type; /* type as in dumps: 1 question, 2 answer, 3 .. 8 wikis and the like */
    int64_t parent; /* of an answer: its question */
    int64_t
        accepted; /* of a question: its accepted answer; 0: it has one, unknown which */
    int64_t accepted_ms; /* when that was written, where a table says it */
    int64_t owner;
    int64_t created_ms, closed_ms;
    int64_t score, views, answers, comments, favorites;
    struct str tags;         /* decoded: "<a><b>" or "|a|b|" */
    struct str title;        /* plain text */
    struct str body;         /* html */
    struct str license;      /* "CC BY-SA 4.0" */
    bool escaped;            /* title and body still stand as in XML attributes */
    const struct str *extra; /* of a table: the further columns asked for; NULL: none */
};

/* A post without anything, to be filled. */
struct post post_empty(void);

#endif
