/* Posts as lines of text: JSON and CSV. */
#ifndef DUMP_FORMAT_H
#define DUMP_FORMAT_H

#include "base/buf.h"
#include "item/item.h"

/* Fields that the source brings of its own. */
struct dump_format_own {
    const struct item_own *at;
    size_t count;
};

/* {"id":1,"type":1,...,"tags":["a","b"],"title":"...","body":"html"} and a line end. What
 * the post does not have is left out. Texts must be decoded. The id is the post's key,
 * where it has one; own fields stand before the body. */
void dump_format_json(const struct item *post, struct dump_format_own own,
                      struct buf *out);

void dump_format_csv_head(struct dump_format_own own, struct buf *out);
void dump_format_csv(const struct item *post, struct dump_format_own own,
                     struct buf *out);

#endif
