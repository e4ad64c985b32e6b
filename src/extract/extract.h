/* What developers name, lack, mix up and set, found in the texts and code of posts. */
#ifndef EXTRACT_EXTRACT_H
#define EXTRACT_EXTRACT_H

#include "base/err.h"
#include "base/str.h"

/* In the order of extract_kinds. */
enum extract_what {
    EXTRACT_APIS,
    EXTRACT_ERRORS,
    EXTRACT_VERSIONS,
    EXTRACT_MISFITS,
    EXTRACT_SETTINGS,
    EXTRACT_HARDWARE,
    EXTRACT_SYSTEMS,
    EXTRACT_DEMAND,
    EXTRACT_CONFUSED,
    EXTRACT_CHANGES,
    EXTRACT_RULES,
    EXTRACT_WHATS,
};

struct extract_kind {
    const char *name; /* in the study file */
    const char *help; /* what its names are */
    bool answers;     /* accepted answers are read as well */
};

extern const struct extract_kind extract_kinds[EXTRACT_WHATS];

struct extract_text {
    struct str title, prose, code;
    struct str tags; /* parted by blanks or < and >; may be empty */
};

/* Whether a name of what is missing says only that something is. */
bool extract_nameless(struct str name);

/* One thread's patterns, compiled. */
struct extract_reader;
struct extract_reader *extract_open(void);
void extract_close(struct extract_reader *reader); /* NULL is fine */

/* Names that have versions besides those that are known: tags of the corpus, as they are
 * written in extract_text. */
void extract_know(struct extract_reader *reader, struct str tags);

/* Told of each name once; it lasts during the call. Of rules in a question `asked` is
 * set: there they speak against the rule. */
typedef void extract_take(void *context, struct str name, bool asked);

/* answer: the accepted one, or NULL. */
void extract_find(struct extract_reader *reader, enum extract_what what,
                  const struct extract_text *question, const struct extract_text *answer,
                  extract_take *take, void *context);

#endif
