/* Text of manual pages: what has to be escaped, and where. */
#include "base/roff.h"

#include "tests/tap.h"

static const struct {
    const char *name, *before, *text, *want;
} rows[] = {
    {"plain", "", "a word", "a word"},
    {"a backslash", "", "C:\\x", "C:\\ex"},
    {"a dash that can be copied", "", "--json", "\\-\\-json"},
    {"a dot at the start", "", ".TH", "\\&.TH"},
    {"a quote at the start of a line", "x\n", "'s", "x\n\\&'s"},
    {"a dot at the start of a later line", "", "a\n.b", "a\n\\&.b"},
    {"a dot within a line", "x ", ".b", "x .b"},
    {"nothing", "x", "", "x"},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct buf out = {0};
        buf_add(&out, str_from(rows[i].before));
        roff_add(str_from(rows[i].text), &out);
        buf_add_char(&out, '\0');
        tap_case("%s", rows[i].name);
        CHECK_TEXT(out.ptr, rows[i].want);
        buf_free(&out);
    }
    return tap_done();
}
