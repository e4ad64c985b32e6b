/* A tag is what stands between brackets or bars. */
#include "text/taglist.h"

static bool is_border(char c)
{
    return c == '<' || c == '>' || c == '|';
}

bool taglist_next(struct str *rest, struct str *tag)
{
    size_t begin = 0, end;

    while (begin < rest->len && is_border(rest->ptr[begin]))
        begin++;
    for (end = begin; end < rest->len && !is_border(rest->ptr[end]); end++)
        continue;
    *tag = str_slice(*rest, begin, end);
    *rest = str_slice(*rest, end, rest->len);
    return tag->len > 0;
}
