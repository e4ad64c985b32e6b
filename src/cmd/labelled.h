/* Posts with labels from a csv file or json lines: what classify and keywords learn
 * from. */
#ifndef CMD_LABELLED_H
#define CMD_LABELLED_H

#include "cmd/posts.h"
#include "learn/examples.h"

struct cmd_labelled_options {
    const char *path;
    const char *text;                       /* columns by commas */
    const char *columns[CMD_POSTS_COLUMNS]; /* without an id every row is a post of its
                                             * own; without labels there are none */
    const char *separator; /* between several labels in one field; NULL: one label */
};

/* Class names in the order of the alphabet. */
struct cmd_labelled_classes {
    struct str *names;
    size_t count;
};

struct cmd_labelled {
    size_t count;
    struct learn_parts *posts;
    struct str *ids; /* the id column, or the row's number from 1 */
    uint8_t *chosen; /* the column says something other than 0, no or false */
    size_t *stratum; /* below strata */
    size_t strata;
    struct cmd_labelled_classes classes;
    struct learn_membership truth;
    int64_t rows, without_label, without_text; /* rows read; those left out; kept */
    bool repaired; /* bytes that are no text were replaced by U+FFFD */
};

/* Reads files[0 .. count-1], whose classes are numbered together. Rows without a label
 * are left out and counted; rows of the same id are one post. ERR_INPUT for no rows, a
 * post of two strata, or labels that differ only in case or blanks; and as
 * cmd_posts_read(). */
bool cmd_labelled_read(const struct cmd_labelled_options *files, size_t count,
                       struct arena *arena, struct cmd_labelled *out,
                       struct err *err) MUST_USE;

#endif
