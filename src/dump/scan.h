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
struct scan_part {
    int64_t rows;   /* given to the worker, without those it rejected */
    int64_t broken; /* rows skipped */
    int64_t bytes;  /* behind these everything has been merged: a place to go on from */
    int64_t line;   /* of that place, from 1; 0 when it is not known */
};

enum scan_next { SCAN_GO_ON, SCAN_ENOUGH, SCAN_FAIL };

struct scan_job {
    int threads; /* 1: everything on the calling thread */
    bool skip_broken;
    bool hash;          /* find the hash of the file as well */
    int64_t start;      /* leave out so many bytes: scan_part.bytes of an earlier scan */
    int64_t start_line; /* scan_part.line of it */
    struct progress *progress; /* NULL: none is shown */

    void *context;
    void **slots; /* scan_slots(threads) of them: where a part's outcome is kept */
    /* Before each part: the slot is to forget what it held. NULL: nothing to do. */
    void (*clear)(void *context, void *slot);
    /* Some rows of the part: take them by rows_next(), reject by rows_reject(). Called
     * once or more for a part. What rows_next() gives does not outlive the call. */
    void (*work)(void *context, void *slot, struct rows *rows);
    /* The part is done. SCAN_ENOUGH ends the scan well, SCAN_FAIL with err. */
    enum scan_next (*merge)(void *context, void *slot, const struct scan_part *part,
                            struct err *err);
};

struct scan_result {
    int64_t rows, broken, bytes;
    struct rows_problem first_broken; /* offset -1: there was none */
    int64_t first_broken_line;        /* 0: not known */
    uint64_t hash[2];
    bool enough; /* the merge callback ended it before the end of the table */
};

size_t scan_slots(int threads);

/* *result is counted on in while it is read; with job->start it must hold what the
 * earlier scan came to. ERR_INPUT: "PLACE:LINE: byte N: found ...; expected ..." for a
 * broken row, and whatever input.h says of broken files. */
bool scan_table(struct input *input, size_t member, const struct scan_job *job,
                struct scan_result *result, struct err *err) MUST_USE;

/* The eight tables of a dump. */
enum scan_table {
    SCAN_POSTS,
    SCAN_COMMENTS,
    SCAN_USERS,
    SCAN_VOTES,
    SCAN_BADGES,
    SCAN_POST_LINKS,
    SCAN_TAGS,
    SCAN_POST_HISTORY,
    SCAN_TABLES
};

const char *scan_table_name(enum scan_table table); /* "Posts" */

/* The member that holds the table: named "Posts.xml" in any case and with any suffix of a
 * packer, or "SITE-Posts.xml"; or the only member there is, when Posts are asked for.
 * False, with a message that lists what there is, when there is none or several. */
bool scan_find(const struct input *input, enum scan_table table, size_t *member,
               struct err *err) MUST_USE;

/* The same without a message, for tables that need not be there. */
bool scan_has(const struct input *input, enum scan_table table, size_t *member);

#endif
