/* The kinds of sources that there are. */
#include "source/source.h"

#include <stdio.h>
#include <string.h>

#include "base/roff.h"
#include "query/query.h"

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

static bool brings(const struct source_kind *kind, struct str field)
{
    for (size_t i = 0; i < kind->field_count; i++)
        if (str_eq(kind->fields[i].name, field))
            return true;
    return false;
}

bool source_explain(struct str text, struct arena *arena, struct err *err)
{
    const struct query_own any = {.any = true};
    struct query_node *query;
    struct err ignored = {0};
    size_t count = 0, len = strlen(err->text);

    if (!query_parse_with(text, &any, arena, &query, &ignored))
        return false;
    const struct str *fields = query_own_fields(query, arena, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; source_kinds[k] != NULL; k++)
            if (brings(source_kinds[k], fields[i]) && len < sizeof err->text) {
                len += (size_t)snprintf(err->text + len, sizeof err->text - len,
                                        "\n%.*s is a field of %s; see assay-source(7)",
                                        STR_ARG(fields[i]), source_kinds[k]->key);
            }
    return false;
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
