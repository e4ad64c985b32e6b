/* Words of the study file stand in place of the step's. */
#include "run/showing.h"

#include "base/file.h"
#include "measure/table_file.h"
#include "result/result_file.h"

static bool show_part(const struct study_table *table, struct arena *arena,
                      struct result_table *out, struct err *err)
{
    struct result result;
    struct str text;

    if (!file_read(table->from, arena, &text, err) ||
        !result_file_read(text, table->from, arena, &result, err))
        return false;
    const struct result_table *found = result_find(&result, table->part);
    if (found == NULL)
        return err_set(err, ERR_INPUT, "%s: there is no table '%.*s'", table->from,
                       STR_ARG(table->part));
    *out = *found;
    out->name = table->name;
    out->title = table->title;
    out->numbers = out->apart = true;
    for (size_t c = 0; c < out->column_count; c++)
        out->columns[c].measures = out->columns[c].name;
    for (size_t i = 0; i < out->row_count * out->column_count; i++)
        if (out->cells[i].undefined != NULL && out->cells[i].undefined[0] == '\0')
            out->cells[i].undefined = "the table has no number there";
    return true;
}

bool run_showing_table(const struct study_table *table, struct arena *arena,
                       struct result_table *out, struct err *err)
{
    return table->part.len > 0 ? show_part(table, arena, out, err)
                               : measure_table_file_read(table, arena, out, err);
}
