/* The kinds of sources that there are. */
#include "source/source.h"

const struct source_kind *const source_kinds[] = {
    &source_stackexchange, &source_posts,     &source_rows,
    &source_github,        &source_discourse, NULL,
};

void source_add_keys(struct buf *out)
{
    for (size_t i = 0; source_kinds[i] != NULL; i++)
        buf_add_format(out, "%s%s",
                       i == 0                        ? ""
                       : source_kinds[i + 1] == NULL ? " and "
                                                     : ", ",
                       source_kinds[i]->key);
}
