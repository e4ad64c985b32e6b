/* Ids in links: https://stackoverflow.com/questions/11/title?tab=votes#12 is 11. */
#include "study/item.h"

bool item_read(struct str text, int64_t *id, struct err *err)
{
    struct str left = str_trim(text), part, rest;

    for (bool more = true; more;) {
        more = str_cut(&left, '/', &rest);
        str_cut(&rest, '#', &part);
        rest = part;
        str_cut(&rest, '?', &part);
        if (str_to_int(part, id))
            return true;
    }
    return err_set(err, ERR_INPUT, "found '%.*s', expected an item's id, or a link to it",
                   STR_ARG(str_slice(text, 0, 100)));
}
