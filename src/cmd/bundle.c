/* "PATH BYTES" lines, each with a file behind it. */
#include "cmd/bundle.h"

bool cmd_bundle_next(struct str *bundle, struct str *path, struct str *text)
{
    struct str line;
    int64_t len;

    if (bundle->len == 0)
        return false;
    str_cut(bundle, '\n', &line);
    str_cut(&line, ' ', path);
    if (!str_to_int(line, &len))
        return false;
    *text = str_slice(*bundle, 0, (size_t)len);
    *bundle = str_slice(*bundle, (size_t)len, bundle->len);
    return true;
}
