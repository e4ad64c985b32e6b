/* Rows come from csv.c; here is what all tables with heads have in common. */
#include "input/csv_rows.h"

#include "base/near.h"

static bool read_rows(struct csv *csv, const struct csv_rows *to, struct err *err)
{
    struct csv_row row;
    bool head = true;

    while (csv_next(csv, &row, err)) {
        if (!(head ? to->head : to->row)(to->context, &row, err))
            return err_at(err, "%s:%lld: ", csv->path, (long long)row.line);
        head = false;
    }
    if (head && !csv->failed)
        return err_set(err, ERR_INPUT, "%s:1: the file is empty; expected a row of heads",
                       csv->path);
    return !csv->failed;
}

bool csv_rows_read(struct str text, const char *path, const struct csv_rows *to,
                   struct err *err)
{
    struct csv csv = {.path = path};

    csv_push(&csv, text, true);
    bool ok = read_rows(&csv, to, err);
    csv_free(&csv);
    return ok;
}

size_t csv_rows_find(const struct csv_row *head, struct str name)
{
    size_t column = 0;

    while (column < head->count && !str_eq(str_trim(head->fields[column]), name))
        column++;
    return column;
}

bool csv_rows_need(const struct csv_row *head, struct str name, size_t *column,
                   struct err *err)
{
    *column = csv_rows_find(head, name);
    if (*column < head->count)
        return true;
    size_t near = near_find(name, head->fields, head->count);
    if (near < head->count)
        return err_set(err, ERR_INPUT, "there is no column '%.*s'; did you mean '%.*s'?",
                       STR_ARG(name), STR_ARG(head->fields[near]));
    return err_set(err, ERR_INPUT, "there is no column '%.*s'", STR_ARG(name));
}
