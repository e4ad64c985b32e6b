/* Reads one table of a source with several threads. Rows go to a worker callback, part by
 * part and on any thread; what it made of a part is then merged on the calling thread, in
 * the order of the file: the outcome is the same for every number of threads. */
#ifndef DUMP_SCAN_H
#define DUMP_SCAN_H

#include "base/progress.h"
#include "dump/rows.h"
#include "input/input.h"

/* What the merge callback is told about a part. Bytes count from the beginning of the
 * table's XML. */
struct dump_scan_part {
    int64_t rows;   /* given to the worker, without those it rejected */
    int64_t broken; /* rows skipped */
    int64_t bytes;  /* behind these everything has been merged: a place to go on from */
    int64_t line;   /* of that place, from 1; 0 when it is not known */
};

enum dump_scan_next { DUMP_SCAN_GO_ON, DUMP_SCAN_ENOUGH, DUMP_SCAN_FAIL };

struct dump_scan_job {
    int threads; /* 1: everything on the calling thread */
    bool skip_broken;
    bool hash;     /* find the hash of the file as well */
    bool map;      /* rows may stand where the system keeps the file. That spares a copy
                      of everything, but whoever writes to the file changes them: what
                      is read twice, as by a decoder, has to be copied before */
    int64_t start; /* leave out so many bytes: scan_part.bytes of an earlier scan */
    int64_t start_line;        /* scan_part.line of it */
    struct progress *progress; /* NULL: none is shown */

    void *context;
    void **slots; /* dump_scan_slots(threads) of them: where a part's outcome is kept */
    /* Before each part: the slot is to forget what it held. NULL: nothing to do. */
    void (*clear)(void *context, void *slot);
    /* Some rows of the part: take them by dump_rows_next(), reject by dump_rows_reject().
     * Called once or more for a part. What dump_rows_next() gives does not outlive the
     * call. */
    void (*work)(void *context, void *slot, struct dump_rows *rows);
    /* The part is done. DUMP_SCAN_ENOUGH ends the scan well, DUMP_SCAN_FAIL with err. */
    enum dump_scan_next (*merge)(void *context, void *slot,
                                 const struct dump_scan_part *part, struct err *err);
};

struct dump_scan_result {
    int64_t rows, broken, bytes;
    struct dump_rows_problem first_broken; /* offset -1: there was none */
    int64_t first_broken_line;             /* 0: not known */
    uint64_t hash[2];
    struct input_hashed hashed; /* with job->hash: how far it has come */
    bool enough; /* the merge callback ended it before the end of the table */
};

size_t dump_scan_slots(int threads);

/* *result is counted on in while it is read; with job->start it must hold what the
 * earlier scan came to. ERR_INPUT: "PLACE:LINE: byte N: found ...; expected ..." for a
 * broken row, and whatever input.h says of broken files. */
bool dump_scan_table(struct input *input, size_t member, const struct dump_scan_job *job,
                     struct dump_scan_result *result, struct err *err) MUST_USE;

/* The eight tables of a dump. */
enum dump_scan_table {
    DUMP_SCAN_POSTS,
    DUMP_SCAN_COMMENTS,
    DUMP_SCAN_USERS,
    DUMP_SCAN_VOTES,
    DUMP_SCAN_BADGES,
    DUMP_SCAN_POST_LINKS,
    DUMP_SCAN_TAGS,
    DUMP_SCAN_POST_HISTORY,
    DUMP_SCAN_TABLES
};

const char *dump_scan_table_name(enum dump_scan_table table); /* "Posts" */

/* The member that holds the table: named "Posts.xml" in any case and with any suffix of a
 * packer, or "SITE-Posts.xml"; or the only member there is, when Posts are asked for.
 * Of several the one that is not packed. False, with a message that lists what there is,
 * when there is none or still several. */
bool dump_scan_find(const struct input *input, enum dump_scan_table table, size_t *member,
                    struct err *err) MUST_USE;

/* Places of further members of that name, which the found one was preferred to, being
 * unpacked already; nothing when there are none. */
void dump_scan_left_aside(const struct input *input, enum dump_scan_table table,
                          size_t member, struct buf *out);

/* The same as dump_scan_find() without a message, for tables that need not be there. */
bool dump_scan_has(const struct input *input, enum dump_scan_table table, size_t *member);

#endif
