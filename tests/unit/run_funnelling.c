/* The items behind a funnel, from five items and three conditions. */
#include "run/funnelling.h"

#include "tests/unit/filed.h"

/* So many conditions items 1 to 5 met. */
static int64_t ids[] = {1, 2, 3, 4, 5};
static const uint8_t passed[] = {3, 2, 1, 3, 0};
static const struct str conditions[] = {STR_INIT("[a]"), STR_INIT("score:1.."),
                                        STR_INIT("views:9..")};

static void make(struct funnelling from, struct output *output)
{
    struct query_funnel_row rows[3] = {{.together = 0}};
    struct frame_slot slot = {.passed = passed, .funnel = {.rows = rows, .count = 3}};
    struct frame frame = {.count = 5, .ids = ids};

    from.set = STR("s");
    from.slot = &slot;
    from.frame = &frame;
    from.conditions = conditions;
    *output = (struct output){0};
    funnelling_make(&from, output);
}

static const char *text(struct output *output, const char *path)
{
    size_t file = filed_find(output, path);

    return file < output->count
               ? arena_c_string(&output->arena, output_text(output, file))
               : "";
}

int main(void)
{
    struct output output;

    tap_case("each condition leaves some and takes some out; the last leaves the set");
    make((struct funnelling){.count = 3, .begun = 1}, &output);
    CHECK_TEXT(text(&output, "out/funnels/s/cells.csv"),
               "cell,list,whole,heading,number,words,count,of\n"
               "0,0,,[a]: left,4,so many items are listed here,-1,-1\n"
               "2,1,,score:1..: left,3,so many items are listed here,-1,-1\n"
               "3,2,,score:1..: taken out,1,so many items are listed here,-1,-1\n"
               "5,3,,views:9..: taken out,1,so many items are listed here,-1,-1\n");
    CHECK_TEXT(text(&output, "out/funnels/s/0.csv"), "id\n1\n2\n3\n4\n");
    CHECK_TEXT(text(&output, "out/funnels/s/1.csv"), "id\n1\n2\n4\n");
    CHECK_TEXT(text(&output, "out/funnels/s/2.csv"), "id\n3\n");
    CHECK_TEXT(text(&output, "out/funnels/s/3.csv"), "id\n2\n");
    output_free(&output);
    tap_case("conditions that are counted together are one row");
    make((struct funnelling){.count = 2, .begun = 2}, &output);
    CHECK_TEXT(text(&output, "out/funnels/s/0.csv"), "id\n1\n2\n4\n");
    CHECK_TEXT(text(&output, "out/funnels/s/1.csv"), "id\n2\n");
    output_free(&output);
    tap_case("the first rows are another set's, which has their items");
    make((struct funnelling){.count = 3, .begun = 1, .before = 1}, &output);
    CHECK(filed_holds(&output, filed_find(&output, "out/funnels/s/cells.csv"),
                      "of\n2,0,,score:1..: left,3,"));
    CHECK_TEXT(text(&output, "out/funnels/s/1.csv"), "id\n3\n");
    output_free(&output);
    return tap_done();
}
