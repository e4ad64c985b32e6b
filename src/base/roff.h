/* Text for manual pages, in the language of man(7). */
#ifndef BASE_ROFF_H
#define BASE_ROFF_H

#include "base/buf.h"

/* Text that shows as it stands: none of it is taken for a request or an escape. */
void roff_add(struct str text, struct buf *out);

#endif
