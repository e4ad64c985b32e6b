/* The items behind a funnel, from five items and three conditions. */
#include "run/funnelling.h"

#include "tests/unit/filed.h"

/* So many conditions items 1 to 5 met. */
static int64_t ids[] = {1, 2, 3, 4, 5};
static const uint8_t passed[] = {3, 2, 1, 3, 0};
static const struct str conditions[] = {STR_INIT("[a]"), STR_INIT("score:1.."),
                                        STR_INIT("views:9..")};

static void make(struct run_funnelling from, struct run_output *output)
{
    struct query_funnel_row rows[3] = {{.together = 0}};
    struct measure_frame_slot slot = {.passed = passed,
                                      .funnel = {.rows = rows, .count = 3}};
    struct measure_frame frame = {.count = 5, .ids = ids};

    from.set = STR("s");
    from.slot = &slot;
    from.frame = &frame;
    from.conditions = conditions;
    *output = (struct run_output){0};
    run_funnelling_make(&from, output);
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

static const char *text(struct run_output *output, const char *path)
{
    size_t file = filed_find(output, path);

    return file < output->count
               ? arena_c_string(&output->arena, run_output_text(output, file))
               : "";
}

int main(void)
{
    struct run_output output;

    tap_case("each condition leaves some and takes some out; the last leaves the set");
    make((struct run_funnelling){.count = 3, .begun = 1}, &output);
    CHECK_TEXT(cells_of(&output), "[a] left 4\nscore:1.. left 3\n"
                                  "score:1.. taken out 1\nviews:9.. taken out 1\n");
    CHECK_TEXT(text(&output, "out/funnels/s/0.csv"), "id\n1\n2\n3\n4\n");
    CHECK_TEXT(text(&output, "out/funnels/s/1.csv"), "id\n1\n2\n4\n");
    CHECK_TEXT(text(&output, "out/funnels/s/2.csv"), "id\n3\n");
    CHECK_TEXT(text(&output, "out/funnels/s/3.csv"), "id\n2\n");
    run_output_free(&output);
    tap_case("conditions that are counted together are one row");
    make((struct run_funnelling){.count = 2, .begun = 2}, &output);
    CHECK_TEXT(text(&output, "out/funnels/s/0.csv"), "id\n1\n2\n4\n");
    CHECK_TEXT(text(&output, "out/funnels/s/1.csv"), "id\n2\n");
    run_output_free(&output);
    tap_case("the first rows are another set's, which has their items");
    make((struct run_funnelling){.count = 3, .begun = 1, .before = 1}, &output);
    CHECK(strncmp(cells_of(&output), "score:1.. left 3\n", 17) == 0);
    CHECK_TEXT(text(&output, "out/funnels/s/1.csv"), "id\n3\n");
    run_output_free(&output);
    return tap_done();
}
