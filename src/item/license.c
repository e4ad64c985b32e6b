/* The mark of a licence stands behind it, so that nobody shows the one without the other.
 */
#include "item/license.h"

bool item_license_by_date(struct str license)
{
    return str_ends(license, STR(ITEM_LICENSE_BY_DATE));
}

struct str item_license_name(struct str license)
{
    size_t mark = item_license_by_date(license) ? STR(ITEM_LICENSE_BY_DATE).len : 0;

    return str_slice(license, 0, license.len - mark);
}

struct str item_license_from(struct str license)
{
    if (license.len == 0)
        return STR("");
    return item_license_by_date(license) ? STR("date") : STR("row");
}
