/* A thread of its own that follows labels.db and makes a digest whenever something has
 * come, so that nobody waits for it. It has the task open a second time. */
#ifndef SERVE_ASIDE_H
#define SERVE_ASIDE_H

#include "serve/digest.h"

struct serve_aside;

/* The task is that of the label, whose study must outlive the thread. ERR_SYSTEM when the
 * machine has no thread to give. The caller hands *out to serve_aside_close(). */
bool serve_aside_open(const struct label *label, struct serve_aside **out,
                      struct err *err) MUST_USE;
void serve_aside_close(struct serve_aside *aside); /* NULL is fine */

/* The newest digest, until the next call; NULL: none has been made yet. For one thread.
 */
const struct serve_digest *serve_aside_latest(struct serve_aside *aside);

#endif
