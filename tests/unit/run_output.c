/* The files of steps: paths, and contents that need quoting. */
#include "tests/unit/outputs.h"

static void check_files(struct studied *test)
{
    struct run_output output = {.step = STR("topics.t")};
    struct result_table numbers = {.name = STR("numbers")};

    tap_case("a result and its numbers stand under the step's name");
    result_add_number(&numbers, RESULT_COUNT, STR("topics"), STR(""), result_count(3),
                      &output.arena);
    run_output_result(&output, &numbers);
    run_output_end(&output);
    CHECK(strncmp(outputs_text(test, &output, "out/results/topics.t.result"),
                  "assay result 1\nstep\ttopics.t\ntable\tnumbers\t", 43) == 0);
    CHECK_TEXT(outputs_text(test, &output, "out/numbers/topics.t.csv"),
               "row,column,value,low,high,n,undefined,total,label,heading\n"
               ",topics,3,,,,,,,\n");
    tap_case("a file in the folder of what made it");
    buf_add(run_output_add_below(&output, "topics", STR("t"), "main.csv"), STR("id\n"));
    CHECK_TEXT(outputs_text(test, &output, "out/topics/t/main.csv"), "id\n");
    run_output_free(&output);
}

static void check_labels(struct studied *test)
{
    int64_t ids[] = {3, 7};
    struct measure_frame frame = {.ids = ids, .count = 2};
    struct measure_labels_code codes[] = {
        {.name = STR("Data, all"), .id = STR("data"), .parent = STUDY_NONE, .level = 1},
        {.name = STR("Loading"), .id = STR("data/load"), .level = 2, .leaf = true},
        {.name = STR("Odd"), .id = STR("odd"), .level = 1, .special = true}};
    struct measure_labels_entry entries[] = {{0, 1}, {1, 1}};
    struct measure_labels labels = {.codes = codes,
                                    .code_count = 3,
                                    .entries = entries,
                                    .count = 2,
                                    .given = 5,
                                    .unknown = 1,
                                    .undecided = 2};
    struct study_labels from = {.name = STR("l")};
    struct run_output output = {0};

    tap_case("labels: codes of items, and all codes");
    run_output_labels(&output, &from, &labels, &frame);
    CHECK_TEXT(outputs_text(test, &output, "out/labels/l.csv"),
               "id,code,name\n3,data/load,Loading\n7,data/load,Loading\n");
    CHECK_TEXT(outputs_text(test, &output, "out/codes/l.csv"),
               "code,level,special,name\ndata,1,,\"Data, all\"\ndata/load,2,,Loading\n"
               "odd,1,yes,Odd\n");
    CHECK(str_eq(
        run_output_says(&output),
        STR("5 labels given, 2 codes of items, 1 of unknown items skipped, 2 items "
            "without majority")));
    run_output_free(&output);
}

int main(void)
{
    struct studied test;

    if (studied_begin(&test)) {
        check_files(&test);
        check_labels(&test);
        studied_end(&test);
    }
    return tap_done();
}
