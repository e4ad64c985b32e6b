/* The files of sets and labels: ids, a funnel whose conditions need quoting, the items
 * behind it; labels with all codes. */
#include "run/sets.h"

#include "tests/unit/outputs.h"

static void check_set(struct studied *test)
{
    int64_t ids[] = {3, 7, 20}, *again;
    struct measure_frame frame = {.ids = measure_column_of(ids, 3, &test->arena),
                                  .count = 3};
    struct query_funnel_row rows[] = {{STR("[a|b]"), 3}, {STR("\"x, y\""), 2}};
    struct study_set set = {.name = STR("s")};
    static const uint8_t passed[] = {2, 1, 2};
    struct measure_frame_slot slot = {.bits = measure_bits_make(3, &test->arena),
                                      .funnel = {.rows = rows, .count = 2},
                                      .passed = passed};
    struct run_output output = {.step = STR("sets.s")}, mixed = {.step = STR("sets.s")};
    size_t count = 0;

    tap_case("a set: ids and funnel");
    measure_bits_set(slot.bits, 0);
    measure_bits_set(slot.bits, 2);
    run_sets_write(&output, &set, &slot, &frame,
                   (struct run_sets_funnel){.all = 9, .together = 1});
    CHECK_TEXT(outputs_text(&output, "out/sets/s.csv"), "id\n3\n20\n");
    CHECK_TEXT(outputs_text(&output, "out/funnels/s.csv"),
               "condition,questions\nall questions of the sources,9\n[a|b],3\n"
               "\"\"\"x, y\"\"\",2\n");
    CHECK_TEXT(outputs_text(&output, "out/funnels/s.md"),
               "# Funnel of s\n\n| condition | questions left |\n|---|---:|\n"
               "| all questions of the sources | 9 |\n| `[a\\|b]` | 3 |\n"
               "| `\"x, y\"` | 2 |\n");
    CHECK(str_eq(buf_str(&output.says), STR("2 items")));
    tap_case("items of several kinds are not called questions");
    run_sets_write(&mixed, &set, &slot, &frame,
                   (struct run_sets_funnel){.all = 9, .mixed = true, .together = 1});
    CHECK_TEXT(outputs_text(&mixed, "out/funnels/s.csv"),
               "condition,items\nall items of the sources,9\n[a|b],3\n"
               "\"\"\"x, y\"\"\",2\n");
    CHECK_TEXT(outputs_text(&mixed, "out/funnels/s.md"),
               "# Funnel of s\n\n| condition | items left |\n|---|---:|\n"
               "| all items of the sources | 9 |\n| `[a\\|b]` | 3 |\n"
               "| `\"x, y\"` | 2 |\n");
    run_output_free(&mixed);
    tap_case("written, and the ids read back");
    run_output_end(&output);
    CHECK(run_output_write(&output, test->folder, &test->err));
    CHECK(run_output_read_ids(test->folder, "sets", STR("s"), &test->arena, &again,
                              &count, &test->err));
    CHECK(count == 2 && again[0] == 3 && again[1] == 20);
    run_output_free(&output);
}

/* Of items 1 to 5, which have met so many of three conditions. */
static void make(struct run_sets_funnel from, struct run_output *output)
{
    static int64_t ids[] = {1, 2, 3, 4, 5};
    static const uint8_t passed[] = {3, 2, 1, 3, 0};
    struct query_funnel_row rows[] = {
        {STR("[a]"), 4}, {STR("score:1.."), 3}, {STR("views:9.."), 2}};
    struct arena arena = {0};
    struct measure_frame_slot slot = {.bits = measure_bits_make(5, &arena),
                                      .passed = passed,
                                      .funnel = {.rows = rows, .count = 3}};
    struct measure_frame frame = {.count = 5, .ids = measure_column_of(ids, 5, &arena)};
    struct study_set set = {.name = STR("s")};

    *output = (struct run_output){0};
    run_sets_write(output, &set, &slot, &frame, from);
    arena_free(&arena);
}

/* "ROW COLUMN COUNT" of every cell that leads to items, a line each. */
static const char *cells_of(struct run_output *output)
{
    struct buf text = {0};
    struct result result;
    struct err err = {0};

    run_output_end(output);
    CHECK(result_file_read(buf_str(output->result), "r", &output->arena, &result, &err));
    const struct result_table *table = result_find(&result, STR("funnel"));
    for (size_t i = 0; table != NULL && i < table->row_count * table->column_count; i++)
        if (table->cells[i].list != NULL)
            buf_add_format(&text, "%.*s %.*s %.0f\n",
                           STR_ARG(table->rows[i / table->column_count].name),
                           STR_ARG(table->columns[i % table->column_count].name),
                           table->cells[i].value);
    const char *copy = arena_c_string(&output->arena, buf_str(&text));
    buf_free(&text);
    return copy;
}

static void check_funnel(void)
{
    struct result_number first = {
        .column = STR("funnel.1"), .heading = STR("[a]"), .value = 4};
    struct result_numbers before = {.at = &first, .count = 1};
    struct run_output output;

    tap_case("each condition leaves some and takes some out; the last leaves the set");
    make((struct run_sets_funnel){.together = 1}, &output);
    CHECK_TEXT(cells_of(&output), "[a] left 4\nscore:1.. left 3\n"
                                  "score:1.. taken out 1\nviews:9.. taken out 1\n");
    CHECK_TEXT(outputs_text(&output, "out/funnels/s/0.csv"), "id\n1\n2\n3\n4\n");
    CHECK_TEXT(outputs_text(&output, "out/funnels/s/1.csv"), "id\n1\n2\n4\n");
    CHECK_TEXT(outputs_text(&output, "out/funnels/s/2.csv"), "id\n3\n");
    CHECK_TEXT(outputs_text(&output, "out/funnels/s/3.csv"), "id\n2\n");
    run_output_free(&output);
    tap_case("conditions that are counted together are one row");
    make((struct run_sets_funnel){.together = 2}, &output);
    CHECK_TEXT(outputs_text(&output, "out/funnels/s/0.csv"), "id\n1\n2\n4\n");
    CHECK_TEXT(outputs_text(&output, "out/funnels/s/1.csv"), "id\n2\n");
    run_output_free(&output);
    tap_case("the first rows are another set's, which has their items");
    make((struct run_sets_funnel){.before = &before}, &output);
    CHECK(strncmp(cells_of(&output), "score:1.. left 3\n", 17) == 0);
    CHECK_TEXT(outputs_text(&output, "out/funnels/s/1.csv"), "id\n3\n");
    run_output_free(&output);
}

static void check_labels(void)
{
    int64_t ids[] = {3, 7};
    struct arena arena = {0};
    struct measure_frame frame = {.ids = measure_column_of(ids, 2, &arena), .count = 2};
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
    run_sets_write_labels(&output, &from, &labels, &frame);
    CHECK_TEXT(outputs_text(&output, "out/labels/l.csv"),
               "id,code,name\n3,data/load,Loading\n7,data/load,Loading\n");
    CHECK_TEXT(outputs_text(&output, "out/codes/l.csv"),
               "code,level,special,name\ndata,1,,\"Data, all\"\ndata/load,2,,Loading\n"
               "odd,1,yes,Odd\n");
    CHECK(str_eq(
        buf_str(&output.says),
        STR("5 labels given, 2 codes of items, 1 of unknown items skipped, 2 items "
            "without majority")));
    run_output_free(&output);
    arena_free(&arena);
}

int main(void)
{
    struct studied test;

    if (studied_begin(&test)) {
        check_set(&test);
        studied_end(&test);
    }
    check_funnel();
    check_labels();
    return tap_done();
}
