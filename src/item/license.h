/* A licence that no row names follows from the date of its post, and says so:
 * "CC BY-SA 3.0 (by its date)". Corpora of older assays did not say so: where a licence of
 * theirs is that of the date nobody knows any more whether its row named it. */
#ifndef ITEM_LICENSE_H
#define ITEM_LICENSE_H

#include "base/str.h"

#define ITEM_LICENSE_BY_DATE   " (by its date)"
#define ITEM_LICENSE_BY_EITHER " (by its row or its date)"

struct str item_license_name(struct str license); /* without the mark */
struct str item_license_mark(struct str license); /* empty: its row names it */
struct str item_license_from(struct str license); /* "row", "date", "row or date", "" */

/* Where one of Creative Commons stands, in out; empty: it is another. */
enum { ITEM_LICENSE_LINK_MAX = 64 };
struct str item_license_link(struct str license, char out[static ITEM_LICENSE_LINK_MAX]);

#endif
