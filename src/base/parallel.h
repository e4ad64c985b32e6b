/* Many pieces of work on several threads, their results taken in order: the outcome never
 * depends on scheduling. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

#include "base/err.h"

struct parallel_job {
    size_t pieces;
    int threads; /* 1: everything on the calling thread */
    void *context;
    /* Each piece in progress has a slot of its own, reused for a later piece: where its
     * result is kept until taken. parallel_slots(threads) of them. */
    void **slots;
    /* On any thread; must not touch anything another piece may touch. */
    void (*make)(void *context, size_t piece, void *slot);
    /* On the calling thread, for piece 0, 1, 2, ...; false with err ends the job. */
    bool (*take)(void *context, size_t piece, void *slot, struct err *err);
};

size_t parallel_slots(int threads);
bool parallel_run(const struct parallel_job *job, struct err *err) MUST_USE;

int parallel_cores(void); /* of this machine, as far as we may use them; at least 1 */

#endif
