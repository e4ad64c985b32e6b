/* The folder that a simulated dump goes to: whether it may, and one run at a time. */
#ifndef SYNTH_WRITE_FOLDER_H
#define SYNTH_WRITE_FOLDER_H

#include "base/arena.h"
#include "base/err.h"
#include "base/lock.h"

#define WRITE_FOLDER_MARGINALS "truth.json" /* says that all others are whole */

/* A real dump must not be overwritten by a simulated one. truth.json.part is left by a
 * run that was killed while it gave the files their names. */
bool write_folder_check(const char *folder, struct arena *arena,
                        struct err *err) MUST_USE;

/* Whether the folder holds a dump that synth_write() made. */
bool write_folder_is_simulated(const char *folder, struct arena *arena, bool *simulated,
                               struct err *err) MUST_USE;

/* `path` is that of the lock file, which goes with its holder; what another process
 * opened just before that is no lock any more. */
bool write_folder_lock(const char *path, struct lock *lock, struct err *err) MUST_USE;

#endif
