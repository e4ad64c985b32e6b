/* Tables with heads: who gets which row, and where errors are told to be. */
#include "input/csv_rows.h"

#include "tests/tap.h"

struct seen {
    struct buf text;
    size_t column;
};

static bool take_head(void *context, const struct csv_row *head, struct err *err)
{
    struct seen *seen = context;

    return csv_rows_need(head, STR("code"), &seen->column, err);
}

static bool take_row(void *context, const struct csv_row *row, struct err *err)
{
    struct seen *seen = context;
    struct str code = row->fields[seen->column];

    buf_add_format(&seen->text, "%lld:%.*s ", (long long)row->line, STR_ARG(code));
    return !str_eq(code, STR("bad")) || err_set(err, ERR_INPUT, "found 'bad'");
}

static const struct {
    const char *name, *text, *rows, *error;
} rows[] = {
    {"heads and rows", "item,code\n1,a\n2,b\n", "2:a 3:b ", ""},
    {"blanks around a head", "item, code \n1,a\n", "2:a ", ""},
    {"a row over two lines", "item,code\n1,\"a\nb\"\n2,c\n", "2:a\nb 4:c ", ""},
    {"heads alone", "item,code\n", "", ""},
    {"nothing", "", "", "t.csv:1: the file is empty; expected a row of heads"},
    {"no such column", "item,label\n1,a\n", "", "t.csv:1: there is no column 'code'"},
    {"a column much like it", "item,codes\n1,a\n", "",
     "t.csv:1: there is no column 'code'; did you mean 'codes'?"},
    {"the one who takes the row complains", "item,code\n1,a\n2,bad\n3,c\n", "2:a 3:bad ",
     "t.csv:3: found 'bad'"},
    {"a row that is no row", "item,code\n1,a\n2\n", "2:a ",
     "t.csv:3:1: found 1 field, expected 2 as in the header"},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct seen seen = {0};
        struct csv_rows to = {take_head, take_row, &seen};
        struct err err = {0};
        tap_case("%s", rows[i].name);
        CHECK(csv_rows_read(str_from(rows[i].text), "t.csv", &to, &err) ==
              (rows[i].error[0] == '\0'));
        CHECK_TEXT(err.text, rows[i].error);
        buf_add_char(&seen.text, '\0');
        CHECK_TEXT(seen.text.ptr, rows[i].rows);
        buf_free(&seen.text);
    }
    return tap_done();
}
