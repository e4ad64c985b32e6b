/* One process at a time: a lock that ends with the process, however it ends. */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include "base/err.h"

struct lock {
    int descriptor; /* -1: not held */
};

/* Takes the lock file at path, which is made if need be, for `what` ("assay ingest").
 * ERR_SYSTEM, naming who holds it, when another process does. */
bool lock_take(const char *path, const char *what, struct lock *lock,
               struct err *err) MUST_USE;
void lock_release(struct lock *lock); /* not held is fine */

#endif
