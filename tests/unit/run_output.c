/* The files of steps: paths, and contents that need quoting. */
#include <math.h>

#include "tests/unit/outputs.h"

static const struct {
    double value;
    const char *number, *share;
} cells[] = {
    {0.25, ",0.25", ",25%"}, {1, ",1.0", ",100%"}, {0, ",0.0", ",0%"}, {NAN, ",", ","}};

static void check_cells(struct studied *test)
{
    struct output output = {0};

    tap_case(
        "cells of a step's csv: a whole number keeps its point, nothing is undefined");
    for (size_t i = 0; i < ROWS(cells); i++) {
        struct buf text = {0};
        output_number(cells[i].value, &text);
        CHECK(str_eq(buf_str(&text), str_from(cells[i].number)));
        buf_clear(&text);
        output_share(cells[i].value, &text);
        CHECK(str_eq(buf_str(&text), str_from(cells[i].share)));
        buf_free(&text);
    }
    tap_case("a file in the folder of what made it");
    buf_add(output_add_below(&output, "topics", STR("t"), "main.csv"), STR("id\n"));
    CHECK_TEXT(outputs_text(test, &output, "out/topics/t/main.csv"), "id\n");
    output_free(&output);
}

static void check_labels(struct studied *test)
{
    int64_t ids[] = {3, 7};
    struct frame frame = {.ids = ids, .count = 2};
    struct labels_code codes[] = {
        {.name = STR("Data, all"), .id = STR("data"), .parent = STUDY_NONE, .level = 1},
        {.name = STR("Loading"), .id = STR("data/load"), .level = 2, .leaf = true},
        {.name = STR("Odd"), .id = STR("odd"), .level = 1, .special = true}};
    struct labels_entry entries[] = {{0, 1}, {1, 1}};
    struct labels labels = {.codes = codes,
                            .code_count = 3,
                            .entries = entries,
                            .count = 2,
                            .given = 5,
                            .unknown = 1,
                            .undecided = 2};
    struct study_labels from = {.name = STR("l")};
    struct output output = {0};

    tap_case("labels: codes of items, and all codes");
    output_labels(&output, &from, &labels, &frame);
    CHECK_TEXT(outputs_text(test, &output, "out/labels/l.csv"),
               "id,code,name\n3,data/load,Loading\n7,data/load,Loading\n");
    CHECK_TEXT(outputs_text(test, &output, "out/codes/l.csv"),
               "code,level,special,name\ndata,1,,\"Data, all\"\ndata/load,2,,Loading\n"
               "odd,1,yes,Odd\n");
    CHECK(str_eq(
        output_says(&output),
        STR("5 labels given, 2 codes of items, 1 of unknown items skipped, 2 items "
            "without majority")));
    output_free(&output);
}

int main(void)
{
    struct studied test;

    if (studied_begin(&test)) {
        check_cells(&test);
        check_labels(&test);
        studied_end(&test);
    }
    return tap_done();
}
