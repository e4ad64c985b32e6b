/* Posts of a csv file or of json lines, row after row, as a study reads rows: a file of
 * any size, plain or packed, takes little memory. */
#ifndef CMD_POSTS_H
#define CMD_POSTS_H

#include "base/buf.h"
#include "item/item.h"
#include "learn/features.h"

/* Columns that say something of a post beside its text. */
enum cmd_posts_column {
    CMD_POSTS_ID,
    CMD_POSTS_LABEL,
    CMD_POSTS_CHOSEN,
    CMD_POSTS_STRATUM,
    CMD_POSTS_COLUMNS
};

/* What it has lasts during the call. */
struct cmd_posts_row {
    struct learn_parts parts; /* title, tags and code that have columns of their own, */
    struct str body;          /* and the text of all others, which is still to be split */
    struct str values[CMD_POSTS_COLUMNS]; /* without blanks around; the id of a table
                                           * without one is the row's number, from 1 */
    const struct item *item; /* what --columns and usual names tell; its id is the number
                              * of the row */
};

struct cmd_posts {
    const char *path;                       /* "-" is standard input */
    const char *text;                       /* columns by commas */
    const char *columns[CMD_POSTS_COLUMNS]; /* NULL: there is none */
    const char *mapping;                    /* as in dump/columns.h; NULL: none */
    unsigned usual;                         /* fields by their usual names, a bit each */
    /* False with err ends the reading. */
    bool (*take)(void *context, const struct cmd_posts_row *row, struct err *err);
    void *context;
    /* Set by reading: */
    int64_t rows;
    bool repaired; /* bytes that are no text were replaced by U+FFFD */
};

/* Reads all rows. A column "title" is the title, "tags" the tags, "code" code; everything
 * else is body. In json a key that an object lacks, or null, is an empty value; a list of
 * strings is one string, parted by blanks. ERR_USAGE for too many columns of text, one
 * that is there twice, or the label among them; ERR_INPUT with the place for a column
 * that the file does not have and for anything that is no csv or json. */
bool cmd_posts_read(struct cmd_posts *posts, struct err *err) MUST_USE;

#endif
