/* What a thread makes of a part alone: its rows, and what is left for the seam. */
#include "dump/internal.h"

#include "tests/unit/parted.h"

static const struct {
    const char *name, *text;
    int64_t rows;
    const char *tail;
    bool failed;
} rows[] = {
    {"a table", "<posts>\n<row Id=\"1\" />\n<row Id=\"2\" />\n</posts>\n", 2, "", false},
    {"without rows", "<posts>\n</posts>\n", 0, "", false},
    {"cut in a row", "<posts>\n<row Id=\"1\" />\n<row Id=\"2", 1, "<row Id=\"2", false},
    {"a row that is none", "<posts>\n<row Id=1 />\n</posts>\n", 0, NULL, true},
};

int main(void)
{
    tap_case("lines");
    CHECK(dump_scan_slot_lines(STR("")) == 0 && dump_scan_slot_lines(STR("a\n\nb")) == 2);
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct parted test;
        tap_case("%s", rows[i].name);
        if (!parted_begin(&test, rows[i].text))
            break;
        if (CHECK(parted_next(&test)) && CHECK(test.slot.read)) {
            CHECK(test.counts[0] == rows[i].rows && test.slot.count == rows[i].rows);
            CHECK(test.slot.failed == rows[i].failed && test.slot.head.len == 0);
            CHECK(rows[i].tail == NULL ||
                  str_eq(str_trim(buf_str(&test.slot.tail)), str_from(rows[i].tail)));
            CHECK(test.slot.failed || test.slot.len == (int64_t)strlen(rows[i].text));
        }
        parted_end(&test);
    }
    return tap_done();
}
