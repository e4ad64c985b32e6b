/* Patches as git writes them: read part by part, shown on pages, written as json. What
 * comes in is not to be trusted, and any bytes will do: what is no patch comes out as
 * plain lines.
 *
 * Every line has a place: PATH:R12 is line 12 of the file as it became, PATH:L12 of the
 * file as it was. An added line has the first, a deleted one the second; a line that
 * stayed has both numbers, and its place is the first. PATH is what the file is called
 * after the change, also where it had another name before. */
#ifndef TEXT_DIFF_H
#define TEXT_DIFF_H

#include "base/buf.h"

enum text_diff_part {
    TEXT_DIFF_END,
    TEXT_DIFF_FILE, /* path to binary */
    TEXT_DIFF_HUNK, /* old, new, text: what stands behind the second @@ */
    TEXT_DIFF_LINE, /* sign, old, new, text */
    TEXT_DIFF_NOTE, /* text: of no file, or that a file ends without a line end */
};

struct text_diff {
    struct str rest;           /* to be read */
    struct buf path, old_path; /* of the file: any bytes but NUL; the same unless it was
                                  renamed */
    const char *status;        /* added, deleted, renamed or changed */
    bool binary;
    char sign;        /* '+', '-' or ' ' */
    int64_t old, new; /* numbers of the line, or of the first of a hunk */
    struct str text;
    int64_t old_left, new_left; /* lines of the hunk still to come */
    int64_t next_old, next_new;
};

/* Starts with {.rest = patch}; the parts stay as they are until the next call. */
enum text_diff_part text_diff_next(struct text_diff *diff);
void text_diff_free(struct text_diff *diff);

struct text_diff_limits {
    size_t files, lines; /* in all */
    size_t file_lines;   /* of each file, so that others have room */
    size_t line_bytes;   /* of each line */
    size_t bytes;        /* of html */
};

/* What is reasonable on a page that people read. */
extern const struct text_diff_limits text_diff_page;

/* Adds the patch as html that can be put anywhere: a block for each file, with the
 * numbers of each line before and after. A line is an element of the class diff-line with
 * its place in data-place. All is escaped; control characters and those that turn the
 * direction of text are shown as what they are. What goes beyond the limits is left out,
 * and a note says how much. */
void text_diff_html(struct str patch, const struct text_diff_limits *limits,
                    struct buf *out);

/* A path as data-place has it, once html is read: what cannot be seen is shown, what is
 * no UTF-8 replaced, and of a long one there is the beginning. */
void text_diff_place(struct str path, struct buf *out);

/* Adds an array with an object for each file: path, old-path where it was renamed,
 * status, binary where it is, hunks: each with old and new, the numbers of its first
 * lines, the text behind @@ as heading, and lines as they stand in the patch. */
void text_diff_json(struct str patch, struct buf *out);

#endif
