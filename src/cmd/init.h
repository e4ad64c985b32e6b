/* Making a study's folder from a template; the published studies are built in. */
#ifndef CMD_INIT_H
#define CMD_INIT_H

#include "base/map.h"
#include "cmd/cmd.h"
#include "source/source.h"

/* What stands for {{name}} in a template; a line with one whose value is NULL is left
 * out. */
struct cmd_init_blank {
    const char *name, *value;
};

struct cmd_init_template {
    const char *name;   /* of its folder in studies/ */
    const char *study;  /* the file in there that becomes study.yaml */
    const char *folder; /* to write */
    const char *source; /* for source.stackexchange; NULL: as the template says */
    const char *called; /* in place of "my-study"; NULL: that */
    const struct cmd_init_blank *blanks; /* ends without a name; NULL: there are none */
};

/* Writes study.yaml and the codebooks. What is there already is replaced. */
bool cmd_init_write(struct cmd_session *session, const struct cmd_init_template *template,
                    struct err *err) MUST_USE;

/* What a source holds. */
struct cmd_init_look {
    const struct source_kind *kind;
    struct str site; /* of Stack Exchange, as its links tell; empty: they do not */
    int64_t items;   /* that are studied: without answers and comments */
    int64_t first_ms, last_ms;    /* ITEM_NONE: there is no date */
    const struct map_entry *tags; /* with so many items each, the most used first */
    size_t tag_count;
    struct str lacking; /* columns that a server's table lacks, in words */
    struct str broken;  /* rows that cannot be read, in words; empty: there are none */
};

bool cmd_init_look(const char *path, struct arena *arena, struct cmd_init_look *out,
                   struct err *err) MUST_USE;

#endif
