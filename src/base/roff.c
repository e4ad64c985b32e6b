/* roff would read a leading dot or quote as a request, and a backslash as an escape. */
#include "base/roff.h"

void roff_add(struct str text, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        bool line_start = out->len == 0 || out->ptr[out->len - 1] == '\n';
        if (line_start && (text.ptr[i] == '.' || text.ptr[i] == '\''))
            buf_add(out, STR("\\&"));
        if (text.ptr[i] == '\\')
            buf_add(out, STR("\\e"));
        else if (text.ptr[i] == '-')
            buf_add(out, STR("\\-"));
        else
            buf_add_char(out, text.ptr[i]);
    }
}
