/* The mark of a licence stands behind it, so that nobody shows the one without the other.
 */
#include "item/license.h"

#include <stdio.h>

struct str item_license_mark(struct str license)
{
    if (str_ends(license, STR(ITEM_LICENSE_BY_DATE)))
        return STR(ITEM_LICENSE_BY_DATE);
    return str_ends(license, STR(ITEM_LICENSE_BY_EITHER)) ? STR(ITEM_LICENSE_BY_EITHER)
                                                          : STR("");
}

struct str item_license_name(struct str license)
{
    return str_slice(license, 0, license.len - item_license_mark(license).len);
}

struct str item_license_from(struct str license)
{
    if (license.len == 0)
        return STR("");
    if (str_ends(license, STR(ITEM_LICENSE_BY_EITHER)))
        return STR("row or date");
    return str_ends(license, STR(ITEM_LICENSE_BY_DATE)) ? STR("date") : STR("row");
}

struct str item_license_link(struct str license, char out[static ITEM_LICENSE_LINK_MAX])
{
    static const struct str prefix = STR_INIT("CC BY-SA ");
    struct str name = item_license_name(license),
               version = str_slice(name, prefix.len, name.len);

    if (!str_starts(name, prefix) || version.len != 3 || version.ptr[1] != '.' ||
        version.ptr[0] < '1' || version.ptr[0] > '9' || version.ptr[2] < '0' ||
        version.ptr[2] > '9')
        return (struct str){0};
    int len =
        snprintf(out, ITEM_LICENSE_LINK_MAX,
                 "https://creativecommons.org/licenses/by-sa/%.*s/", STR_ARG(version));
    return (struct str){out, (size_t)len};
}
