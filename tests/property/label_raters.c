/* Files of labels that real raters gave, through the reader and the report that `assay
 * agree` prints, against values computed elsewhere: raters/ in $ASSAY_DATA and
 * EXPECTED.csv beside them, to their four digits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "input/csv.h"
#include "label/agree.h"
#include "tests/tap.h"

enum { NAME, ITEMS, RATERS, OBSERVED, COHEN, FLEISS, PAIRS };

/* A number of the expectations; nothing is expected of an empty cell. */
static void check_number(struct str cell, double got)
{
    double want;

    if (cell.len > 0 && CHECK(str_to_real(cell, &want)))
        CHECK_NEAR(got, want, 0.00005 + 1e-9);
}

/* "1-2:0.6719 1-3:0.7101 2-3:0.7326", in the order of the report. */
static void check_pairs(struct str cell, const struct label_agree_report *report)
{
    struct str pair, names;

    for (size_t i = 0; cell.len > 0 && CHECK(i < report->pair_count); i++) {
        str_cut(&cell, ' ', &pair);
        str_cut(&pair, ':', &names);
        check_number(pair, report->pairs[i].measures.cohen.value);
    }
}

static void check_file(const char *folder, const struct input_csv_row *row,
                       struct arena *arena)
{
    const struct label_agree_columns columns = {.item = STR("item"),
                                                .rater = STR("rater"),
                                                .label = STR("label"),
                                                .separator = 0};
    struct label_agree_options how = {.level = 0.95, .top = 10};
    struct label_agree_data data;
    struct buf path = {0};
    struct err err = {0};

    tap_case("%.*s", STR_ARG(row->fields[NAME]));
    buf_add_format(&path, "%s/%.*s.csv", folder, STR_ARG(row->fields[NAME]));
    buf_add_char(&path, '\0');
    bool ok = label_agree_read(path.ptr, &columns, arena, &data, &err);
    CHECK_TEXT(err.text, "");
    buf_free(&path);
    if (!ok)
        return;
    struct label_agree_report report = label_agree_report(&data, &how, arena);
    check_number(row->fields[ITEMS], (double)report.all.items);
    check_number(row->fields[RATERS], (double)report.all.raters);
    check_number(row->fields[OBSERVED], report.all.observed);
    check_number(row->fields[COHEN], report.all.cohen.value);
    check_number(row->fields[FLEISS], report.all.fleiss.value);
    check_pairs(row->fields[PAIRS], &report);
    if (CHECK(report.checkpoint_count > 0)) /* the last is the whole */
        CHECK_NEAR(report.checkpoints[report.checkpoint_count - 1].measures.alpha.value,
                   report.all.alpha.value, 0);
}

int main(void)
{
    const char *root = getenv("ASSAY_DATA");
    struct arena arena = {0};
    struct input_csv csv = {.path = "EXPECTED.csv"};
    struct input_csv_row row;
    struct err err = {0};
    struct str text;

    tap_case("files of real raters");
    if (root == NULL || root[0] == '\0') {
        tap_skip("ASSAY_DATA is not set");
        return tap_done();
    }
    const char *folder = file_join(root, "raters", &arena);
    if (CHECK(file_read(file_join(folder, "EXPECTED.csv", &arena), &arena, &text, &err)))
        input_csv_push(&csv, text, true);
    size_t files = 0;
    while (input_csv_next(&csv, &row, &err))
        if (row.line > 1) {
            check_file(folder, &row, &arena);
            files++;
        }
    tap_case("all of them were read");
    CHECK(files >= 16 && !csv.failed);
    input_csv_free(&csv);
    arena_free(&arena);
    return tap_done();
}
