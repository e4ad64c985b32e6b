/* The files of steps: paths, contents that need quoting, and reading ids back. */
#include "run/output.h"

#include <math.h>

#include "tests/unit/studied.h"

/* The text of the output's file at that path, "" when there is none. */
static const char *text_of(struct studied *test, const struct output *output,
                           const char *path)
{
    for (size_t i = 0; i < output->count; i++)
        if (str_eq(output_path(output, i), str_from(path)))
            return arena_c_string(&test->arena, output_text(output, i));
    return "";
}

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
    CHECK_TEXT(text_of(test, &output, "out/topics/t/main.csv"), "id\n");
    output_free(&output);
}

static void check_set(struct studied *test)
{
    int64_t ids[] = {3, 7, 20}, *again;
    struct frame frame = {.ids = ids, .count = 3};
    struct query_funnel_row rows[] = {{STR("[a|b]"), 0, 3}, {STR("\"x, y\""), 0, 2}};
    struct study_set set = {.name = STR("s")};
    struct frame_slot slot = {.bits = bits_make(3, &test->arena),
                              .funnel = {.rows = rows, .count = 2}};
    struct output output = {0};
    size_t count = 0;

    tap_case("a set: ids and funnel");
    bits_set(slot.bits, 0);
    bits_set(slot.bits, 2);
    output_set(&output, &set, &slot, &frame, (struct output_funnel){9, NULL, 1});
    CHECK_TEXT(text_of(test, &output, "out/sets/s.csv"), "id\n3\n20\n");
    CHECK_TEXT(text_of(test, &output, "out/funnels/s.csv"),
               "condition,questions\nall questions of the sources,9\n[a|b],3\n"
               "\"\"\"x, y\"\"\",2\n");
    CHECK_TEXT(text_of(test, &output, "out/funnels/s.md"),
               "# Funnel of s\n\n| condition | questions left |\n|---|---:|\n"
               "| all questions of the sources | 9 |\n| `[a\\|b]` | 3 |\n"
               "| `\"x, y\"` | 2 |\n");
    CHECK(str_eq(output_says(&output), STR("2 items")));
    tap_case("written, and the ids read back");
    CHECK(output_write(&output, test->folder, &test->err));
    CHECK(output_read_ids(test->folder, "sets", STR("s"), &test->arena, &again, &count,
                          &test->err));
    CHECK(count == 2 && again[0] == 3 && again[1] == 20);
    output_free(&output);
}

static const struct {
    const char *name, *csv, *error; /* error NULL: two ids, 5 and -1 */
} files[] = {
    {"ids alone", "id\n5\n-1\n", NULL},
    {"with further columns", "id,stratum\n5,a\n-1,b\n", NULL},
    {"no line end at the end", "id\n5\n-1", NULL},
    {"what is no id", "id\n5\nx\n", ":3: found 'x', expected an id"},
};

static void check_reading(struct studied *test)
{
    for (size_t i = 0; i < ROWS(files); i++) {
        int64_t *ids = NULL;
        size_t count = 0;
        tap_case("read: %s", files[i].name);
        studied_write(test, "out/sets/f.csv", files[i].csv);
        bool ok = output_read_ids(test->folder, "sets", STR("f"), &test->arena, &ids,
                                  &count, &test->err);
        CHECK(ok == (files[i].error == NULL));
        CHECK(ok ? count == 2 && ids[0] == 5 && ids[1] == -1
                 : strstr(test->err.text, files[i].error) != NULL);
    }
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
    CHECK_TEXT(text_of(test, &output, "out/labels/l.csv"),
               "id,code,name\n3,data/load,Loading\n7,data/load,Loading\n");
    CHECK_TEXT(text_of(test, &output, "out/codes/l.csv"),
               "code,level,special,name\ndata,1,,\"Data, all\"\ndata/load,2,,Loading\n"
               "odd,1,yes,Odd\n");
    CHECK(str_eq(
        output_says(&output),
        STR("5 labels given, 2 codes of items, 1 of unknown items skipped, 2 items "
            "without majority")));
    output_free(&output);
}

static void check_sample(struct studied *test)
{
    int64_t ids[] = {9, 4}, frames[] = {10, 5}, sizes[] = {1, 1};
    size_t strata[] = {1, 0};
    struct str names[] = {STR("A"), STR("B, \"b\"")};
    struct sampling drawn = {.ids = ids,
                             .count = 2,
                             .strata = strata,
                             .stratum_names = names,
                             .stratum_count = 2,
                             .frames = frames,
                             .sizes = sizes,
                             .frame = 15,
                             .kept = 1};
    struct study_sample sample = {.name = STR("p"),
                                  .of = STR("s"),
                                  .size = {.kind = SIZE_BY_COUNT, .count = 2},
                                  .seed = 7,
                                  .by = 0,
                                  .keep = STUDY_NONE};
    struct output output = {0};

    tap_case("a sample: in draw order with its strata, and how it was drawn");
    output_sample(&output, &sample, &drawn);
    CHECK_TEXT(text_of(test, &output, "out/samples/p.csv"),
               "id,stratum\n9,\"B, \"\"b\"\"\"\n4,A\n");
    const char *json = text_of(test, &output, "out/samples/p.json");
    CHECK(strstr(json, "\"seed\":7,") != NULL && strstr(json, "\"frame\":15,") != NULL);
    CHECK(strstr(json, "{\"name\":\"B, \\\"b\\\"\",\"frame\":5,\"size\":1}") != NULL);
    CHECK(str_eq(output_says(&output), STR("2 of 15 items, 1 of them kept")));
    output_free(&output);
}

int main(void)
{
    struct studied test;

    if (studied_begin(&test)) {
        check_cells(&test);
        check_set(&test);
        check_reading(&test);
        check_labels(&test);
        check_sample(&test);
        studied_end(&test);
    }
    return tap_done();
}
