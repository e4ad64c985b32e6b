/* Comma-separated values as RFC 4180 has them, and as exports really are. Bytes go in, in
 * pieces of any size, and rows of slices come out.
 *
 * What is read as what:
 * - A line ends with CRLF, LF or CR. The last one needs no end; a byte-order mark before
 *   the first is left out.
 * - A field that begins with '"' ends with the next '"' that is not doubled; separators
 *   and line ends inside belong to it, and behind it only a separator or a line end may
 *   stand. In any other field '"' is a character like others.
 * - A line without anything is left out, unless there is only one column: there it is an
 *   empty value.
 * - The first row says how many fields every row has, and with which of , ; or a tab they
 *   are parted: whichever it has most of.
 * - Text is UTF-8 without NUL; see `latin` for text that is not. */
#ifndef INPUT_CSV_H
#define INPUT_CSV_H

#include "base/buf.h"
#include "base/err.h"

enum {
    INPUT_CSV_ROW_MAX = 64 << 20, /* bytes; a longer row is taken for a missing quote */
    INPUT_CSV_FIELDS_MAX = 10000,
};

/* Its slices last until the next call of input_csv_next() or input_csv_push(). */
struct input_csv_row {
    const struct str *fields; /* without their quotes, doubled ones undoubled */
    size_t count;
    int64_t line; /* where the row begins, from 1 */
};

/* A zeroed struct input_csv with its path set stands before the first byte;
 * input_csv_free() gives its memory back. */
struct input_csv {
    /* Set before the first input_csv_push(): */
    const char *path; /* for messages */
    char separator;   /* 0: to be found out */
    bool portable;    /* without the processor's vectors: the same rows, slower */
    bool latin; /* a field that is not UTF-8 is taken for Windows-1252, which Latin-1
                   is a part of; otherwise it is an error */

    /* To be read at any time: */
    size_t columns;     /* fields of the first row; 0 before it */
    int64_t latin_rows; /* rows with a field that was taken for Windows-1252 ... */
    int64_t latin_line; /* ... and where the first of them is */
    bool failed; /* input_csv_next() has told an error: there will be no further row,
                    unless    input_csv_skip() can go on */

    /* Private. */
    size_t mark_len; /* bytes of the byte-order mark that were there */
    bool begun;      /* the mark is behind us */
    bool guessing;   /* the separator is not known yet */
    struct input_csv_guess {
        size_t counts[3];
        bool quoted, closed, open, any;
    } guess;
    struct buf head;    /* bytes up to the end of the first row */
    struct str waiting; /* what comes behind head */
    bool last;          /* nothing comes behind `waiting` */
    bool finished;      /* the last row is behind us */

    const char *at, *end; /* the piece, from the row in progress on */
    const char *block;    /* 64 bytes of it, a bit each in what follows */
    uint64_t quotes, separators, line_ends, left;
    bool block_odd; /* it has a byte that is not ASCII, or NUL */

    struct buf kept; /* the row in progress, as far as it came in earlier pieces */
    bool given;      /* that row has been given out */
    enum { INPUT_CSV_PLAIN, INPUT_CSV_QUOTED, INPUT_CSV_CLOSED } state;
    uint32_t begin;    /* of the field in progress, in the row */
    uint32_t quote;    /* where the last quoted field begins */
    bool doubled, odd; /* the field has doubled quotes; the row has odd bytes */
    bool foreign;      /* the row is not UTF-8 */
    bool any_quoted, after_cr;
    int64_t line;
    struct buf cells;  /* struct csv_cell of the fields so far */
    struct buf fields; /* struct str */
    struct input_csv_broken {
        enum {
            INPUT_CSV_LOST,
            INPUT_CSV_WHOLE,
            INPUT_CSV_OPEN
        } how;            /* where the wrong row ends: unknown,
                             at `stop`, with the quote's line */
        const char *from; /* where it begins in the piece; NULL: before it */
        const char *stop;
        const char *end; /* of the piece */
        int64_t lines;
    } broken;
    struct buf again;  /* what came in an earlier piece and is read once more */
    bool skipping;     /* what follows belongs to a wrong row, up to the line's end */
    struct buf text;   /* of fields that had doubled quotes */
    struct buf turned; /* of fields that were not UTF-8 */
};

void input_csv_free(struct input_csv *csv);

/* Hands over the next piece, which must stand until input_csv_next() is false; before
 * that no other may be handed over. `last` says that nothing follows. */
void input_csv_push(struct input_csv *csv, struct str piece, bool last);

/* The next whole row. False at the end of the piece, and when something is wrong: then
 * csv->failed is set and err is ERR_INPUT with "path:line:column: ", for a row of another
 * length than the first (the place is where it begins), a quote that is never closed (the
 * place is that quote), text behind a closing quote, bytes that are no text, and a row
 * that is too long. Columns count characters from 1. */
bool input_csv_next(struct input_csv *csv, struct input_csv_row *row,
                    struct err *err) MUST_USE;

/* After such an error: leaves the wrong row out, so that input_csv_next() goes on behind
 * it. A row whose quotes are wrong is taken to end with the line in which the quote
 * opens. False for the first row, and for a row that is too long: then nothing tells
 * where the next one begins. */
bool input_csv_skip(struct input_csv *csv) MUST_USE;

/* A csv whose first row is its heads, read whole: each row goes to whoever knows what is
 * in it, and what that one finds wrong is told with the place. */

struct input_csv_rows {
    /* The first row, then each of the others; false with an error ends the reading. */
    bool (*head)(void *context, const struct input_csv_row *head, struct err *err);
    bool (*row)(void *context, const struct input_csv_row *row, struct err *err);
    void *context;
};

/* ERR_INPUT with "path:line: ", also for a text without a first row. */
bool input_csv_rows_read(struct str text, const char *path,
                         const struct input_csv_rows *to, struct err *err) MUST_USE;

/* The column of that name, but for blanks around it; head->count: there is none. */
size_t input_csv_rows_find(const struct input_csv_row *head, struct str name);

/* ERR_INPUT, with the nearest name or all there are, when there is none. */
bool input_csv_rows_need(const struct input_csv_row *head, struct str name,
                         size_t *column, struct err *err) MUST_USE;

#endif
