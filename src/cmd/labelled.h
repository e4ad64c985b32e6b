/* Posts with labels from a csv file or json lines: what classify and keywords learn
 * from. */
#ifndef CMD_LABELLED_H
#define CMD_LABELLED_H

#include "base/err.h"
#include "base/map.h"
#include "learn/examples.h"
#include "learn/features.h"

struct labelled_options {
    const char *path;
    const char *text;      /* columns by commas */
    const char *label;     /* a column; NULL: there are no labels */
    const char *id;        /* a column; NULL: every row is a post of its own */
    const char *separator; /* between several labels in one field; NULL: one label */
};

enum { LABELLED_TEXT_MAX = 32, LABELLED_BODY = PARTS_COUNT };

/* Which columns a file must have, and what each is. */
struct labelled_columns {
    struct str names[LABELLED_TEXT_MAX + 2]; /* of text, then label and id */
    size_t count, text_count;
    int role[LABELLED_TEXT_MAX]; /* enum parts_name, or LABELLED_BODY */
    size_t label, id;            /* places in names; SIZE_MAX: none */
};

/* ERR_USAGE for too many columns, one that is there twice, or the label among the text.
 * label and id may be NULL. */
bool labelled_columns(const char *text, const char *label, const char *id,
                      struct labelled_columns *out, struct err *err) MUST_USE;

/* The parts of a row that have columns of their own, and into body the text of all
 * others, which is still to be split. */
void labelled_post(const struct labelled_columns *columns, const struct str *values,
                   struct buf *body, struct parts *parts);

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
