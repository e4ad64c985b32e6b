/* Parts put together: counted in their order, and the end of the table. Parts that begin
 * in the middle of something are in dump_scan. */
#include "dump/internal.h"

#include "tests/unit/parted.h"

static const struct {
    const char *name, *text;
    bool skip_broken;
    int64_t rows, broken;
    const char *error; /* behind the path; NULL: none */
} rows[] = {
    {"a table", "<posts>\n<row Id=\"1\" />\n<row Id=\"2\" />\n</posts>\n", false, 2, 0,
     NULL},
    {"without an end", "<posts>\n<row Id=\"1\" />\n", false, 1, 0, "expected"},
    {"cut in a row", "<posts>\n<row Id=\"1\" />\n<row Id=\"2", false, 1, 0, "expected"},
    {"a broken row", "<posts>\n<row Id=\"1\" />\n<row Id=2 />\n</posts>\n", false, 0, 0,
     ":3: byte "},
    {"a broken row that is skipped",
     "<posts>\n<row Id=\"1\" />\n<row Id=2 />\n<row Id=\"3\" />\n</posts>\n", true, 2, 1,
     NULL},
    {"nothing but broken rows", "<posts>\n<row Id=2 />\n</posts>\n", true, 0, 1,
     ":2: no row can be read: "},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct parted test;
        struct dump_scan_result result = {.first_broken = {.offset = -1}};
        tap_case("%s", rows[i].name);
        if (!parted_begin(&test, rows[i].text))
            break;
        test.job.skip_broken = test.rows.skip_broken = rows[i].skip_broken;
        struct dump_scan_seam seam = {.reading = &test.reading,
                                      .result = &result,
                                      .input = test.input,
                                      .place = "t.xml",
                                      .user = test.slots[1],
                                      .rows = {.skip_broken = rows[i].skip_broken},
                                      .line = 1,
                                      .carry_line = 1,
                                      .problem_line = -1};
        dump_rows_restart(&seam.rows, DUMP_ROWS_PROLOG);
        bool ok = true;
        while (ok && parted_next(&test))
            ok = dump_scan_seam_merge(&seam, &test.slot, &test.in.err);
        ok = ok && dump_scan_seam_finish(&seam, &test.in.err);
        CHECK(ok == (rows[i].error == NULL));
        CHECK(ok || strstr(test.in.err.text, rows[i].error) != NULL);
        CHECK(result.rows == rows[i].rows && result.broken == rows[i].broken);
        dump_rows_free(&seam.rows);
        buf_free(&seam.carry);
        input_reader_close(seam.reader);
        parted_end(&test);
    }
    return tap_done();
}
