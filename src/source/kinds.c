/* The kinds of sources that there are. */
#include "source/source.h"

#include "base/roff.h"

#define ADDRESS(kind) &source_##kind,

const struct source_kind *const source_kinds[] = {SOURCE_KINDS(ADDRESS) NULL};

void source_add_keys(struct buf *out)
{
    for (size_t i = 0; source_kinds[i] != NULL; i++)
        buf_add_format(out, "%s%s",
                       i == 0                        ? ""
                       : source_kinds[i + 1] == NULL ? " and "
                                                     : ", ",
                       source_kinds[i]->key);
}

static const char *type_name(enum item_type type)
{
    return type == ITEM_NUMBER   ? "number"
           : type == ITEM_MOMENT ? "moment"
           : type == ITEM_YES_NO ? "yes or no"
           : type == ITEM_LIST   ? "list"
                                 : "text";
}

void source_add_manual(struct buf *out)
{
    for (size_t k = 0; source_kinds[k] != NULL; k++) {
        const struct source_kind *kind = source_kinds[k];
        if (kind->field_count > 0)
            buf_add_format(out, ".SS %s\n", kind->key);
        for (size_t i = 0; i < kind->field_count; i++) {
            buf_add(out, STR(".TP\n.B "));
            roff_add(kind->fields[i].name, out);
            buf_add_format(out, "\n(%s) ", type_name(kind->fields[i].type));
            roff_add(str_from(kind->fields[i].meaning), out);
            buf_add_char(out, '\n');
        }
    }
}
