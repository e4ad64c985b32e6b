/* Posts with labels from a csv file or json lines: what classify and keywords learn
 * from. */
#ifndef CMD_LABELLED_H
#define CMD_LABELLED_H

#include "base/err.h"
#include "base/map.h"
#include "learn/examples.h"
#include "learn/features.h"

struct cmd_labelled_options {
    const char *path;
    const char *text;      /* columns by commas */
    const char *label;     /* a column; NULL: there are no labels */
    const char *id;        /* a column; NULL: every row is a post of its own */
    const char *separator; /* between several labels in one field; NULL: one label */
};

enum { CMD_LABELLED_TEXT_MAX = 32, CMD_LABELLED_BODY = LEARN_PARTS_COUNT };

/* Which columns a file must have, and what each is. */
struct cmd_labelled_columns {
    struct str names[CMD_LABELLED_TEXT_MAX + 2]; /* of text, then label and id */
    size_t count, text_count;
    int role[CMD_LABELLED_TEXT_MAX]; /* enum learn_parts_name, or CMD_LABELLED_BODY */
    size_t label, id;                /* places in names; SIZE_MAX: none */
};

/* ERR_USAGE for too many columns, one that is there twice, or the label among the text.
 * label and id may be NULL. */
bool cmd_labelled_columns(const char *text, const char *label, const char *id,
                          struct cmd_labelled_columns *out, struct err *err) MUST_USE;

/* The parts of a row that have columns of their own, and into body the text of all
 * others, which is still to be split. */
void cmd_labelled_post(const struct cmd_labelled_columns *columns,
                       const struct str *values, struct buf *body,
                       struct learn_parts *parts);

/* Class names in the order of the alphabet. */
struct cmd_labelled_classes {
    struct str *names;
    size_t count;
};

struct cmd_labelled {
    size_t count;
    struct learn_parts *posts;
    struct str *ids; /* the id column, or the row's number from 1 */
    struct cmd_labelled_classes classes;
    struct learn_membership truth;
    int64_t rows, without_label, without_text; /* rows read; those left out; kept */
    bool repaired; /* bytes that are no text were replaced by U+FFFD */
};

/* Reads files[0 .. count-1], whose classes are numbered together. A column "title" is the
 * title, "tags" the tags, "code" code; everything else is body, in which code is found.
 * Rows without a label are left out and counted; rows of the same id are one post.
 * ERR_INPUT for an unknown column, no rows, or labels that differ only in case or
 * blanks. */
bool cmd_labelled_read(const struct cmd_labelled_options *files, size_t count,
                       struct arena *arena, struct cmd_labelled *out,
                       struct err *err) MUST_USE;

#endif
