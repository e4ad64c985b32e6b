/* Posts with labels from a csv file: what classify and keywords learn from. */
#ifndef CMD_LABELLED_H
#define CMD_LABELLED_H

#include "base/err.h"
#include "base/map.h"
#include "learn/membership.h"
#include "learn/parts.h"

struct labelled_options {
    const char *path;
    const char *text;      /* columns by commas */
    const char *label;     /* a column; NULL: there are no labels */
    const char *id;        /* a column; NULL: every row is a post of its own */
    const char *separator; /* between several labels in one field; NULL: one label */
};

/* Class names in the order of the alphabet. */
struct labelled_classes {
    struct str *names;
    size_t count;
};

struct labelled {
    size_t count;
    struct parts *posts;
    struct str *ids; /* the id column, or the row's number from 1 */
    struct labelled_classes classes;
    struct membership truth;
    int64_t rows, without_label, without_text; /* rows read; those left out; kept */
    bool repaired; /* bytes that are no text were replaced by U+FFFD */
};

/* Reads files[0 .. count-1], whose classes are numbered together. A column "title" is the
 * title, "tags" the tags, "code" code; everything else is body, in which code is found.
 * Rows without a label are left out and counted; rows of the same id are one post.
 * ERR_INPUT for an unknown column, no rows, or labels that differ only in case or
 * blanks. */
bool labelled_read(const struct labelled_options *files, size_t count,
                   struct arena *arena, struct labelled *out, struct err *err) MUST_USE;

#endif
