/* Posts as lines of text: JSON and CSV. */
#ifndef DUMP_FORMAT_H
#define DUMP_FORMAT_H

#include "base/buf.h"
#include "item/item.h"

/* {"id":1,"type":1,...,"tags":["a","b"],"title":"...","body":"html"} and a line end. What
 * the post does not have is left out. Texts must be decoded. */
void dump_format_json(const struct item *post, struct buf *out);

void dump_format_csv_head(struct buf *out);
void dump_format_csv(const struct item *post, struct buf *out);

#endif
