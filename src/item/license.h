/* A licence that no row names follows from the date of its post, and says so:
 * "CC BY-SA 3.0 (by its date)". */
#ifndef ITEM_LICENSE_H
#define ITEM_LICENSE_H

#include "base/str.h"

#define ITEM_LICENSE_BY_DATE " (by its date)"

struct str item_license_name(struct str license); /* without the mark */
bool item_license_by_date(struct str license);    /* whether it has one */
struct str item_license_from(struct str license); /* "row", "date", "" of none */

/* Where one of Creative Commons stands, in out; empty: it is another. */
enum { ITEM_LICENSE_LINK_MAX = 64 };
struct str item_license_link(struct str license, char out[static ITEM_LICENSE_LINK_MAX]);

#endif
