/* A part of a table on its way from the file to the merge: what one thread can make of it
 * alone. */
#ifndef DUMP_SCAN_SLOT_H
#define DUMP_SCAN_SLOT_H

#include <stdatomic.h>

#include "dump/scan.h"

enum {
    DUMP_SCAN_SLOT_STEP_BYTES =
        128 * 1024, /* read at once of a long part: stays in the cache */
    DUMP_SCAN_SLOT_ROW_MAX = 64 * 1024 * 1024,
};

/* What all threads of a scan look at. */
struct dump_scan_reading {
    const struct dump_scan_job *job;
    struct input_stream *stream;
    bool count_lines; /* else they are counted when somebody asks */
    atomic_bool stop; /* nothing more is wanted */
};

/* A part on its way. Offsets and lines count from the part's beginning. */
struct dump_scan_slot {
    void *user;
    struct input_part part;
    struct buf bytes; /* from `begin` on: all, or, of a long part, those at hand */
    size_t begin;
    struct buf head; /* before the first row */
    struct buf tail; /* behind the last whole row */
    int64_t len, lines;
    int64_t problem_line;
    bool found; /* a row's beginning */
    /* What the walk over it came to: */
    int64_t count, broken, root_end;
    struct dump_rows_problem problem;
    bool failed, skipping;
    enum dump_rows_where where;
    char root[DUMP_ROWS_ROOT_MAX];
    size_t root_len;

    bool done; /* ready to be merged; under the mutex */
    bool read; /* its bytes could be read, else: */
    struct err err;
};

/* Everything that can be done with slot->part before those before it are merged. */
void dump_scan_slot_work(const struct dump_scan_reading *reading, struct dump_rows *rows,
                         struct input_reader *reader, struct dump_scan_slot *slot);

/* The user's slot is to forget what it held; and some rows for it. */
void dump_scan_slot_clear(const struct dump_scan_reading *reading, void *user);
void dump_scan_slot_rows(const struct dump_scan_reading *reading, void *user,
                         struct dump_rows *rows, struct str block, int64_t offset,
                         bool last);

int64_t dump_scan_slot_lines(struct str bytes); /* line ends in them */

#endif
