/* Replies of servers that are no JSON as they came: sent piece by piece as events
 * although nobody asked for that, with a mark of byte order, with bytes or escapes that
 * are no character. */
#ifndef MODEL_MEND_H
#define MODEL_MEND_H

#include "base/buf.h"

/* The body as one JSON text, as far as it can be: what is no character is U+FFFD, and
 * pieces of a chat completion are put together. Pieces whose end is not there stay as
 * they are. Lives in arena. */
struct str model_mend(struct str body, struct arena *arena);

#endif
