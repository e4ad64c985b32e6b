/* Merging the parts of a table in their order, on the calling thread: the true walk over
 * it, of which the threads made most. */
#ifndef DUMP_SCAN_SEAM_H
#define DUMP_SCAN_SEAM_H

#include "dump/scan_slot.h"

struct dump_scan_seam {
    const struct dump_scan_reading *reading;
    struct dump_scan_result *result;
    struct input *input;
    size_t member;
    const char *place;
    void *user; /* the user's slot for what lies between parts */

    struct dump_rows rows; /* the true walk */
    struct buf carry;      /* what it has not yet dealt with */
    int64_t carry_at, carry_line;
    int64_t problem_line; /* of the walk's first problem; -1: there is none */
    int64_t at, line;     /* where the next part begins */
    struct input_reader *reader;
};

/* The next part, and the seam before it. result->enough says that the user wants no more.
 */
bool dump_scan_seam_merge(struct dump_scan_seam *seam, struct dump_scan_slot *slot,
                          struct err *err) MUST_USE;

/* All parts are merged: the table must end here. */
bool dump_scan_seam_finish(struct dump_scan_seam *seam, struct err *err) MUST_USE;

#endif
