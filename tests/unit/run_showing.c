/* Tables that show a step, with what the step says of their items. */
#include "run/showing.h"

#include "tests/unit/studied.h"

static void make_folder(struct studied *test, const char *name)
{
    const char *made;

    CHECK(file_make_folder(studied_path(test, name), &test->arena, &made, &test->err));
}

int main(void)
{
    struct study study = {0};
    struct studied test;
    struct table table;

    if (!studied_begin(&test))
        return tap_done();
    make_folder(&test, "behind");
    studied_write(&test, "states.csv", "state,items,share\nopen,2,50%\ndone,2,50%\n");
    struct study_table shown = {.name = STR("t"),
                                .from = studied_path(&test, "states.csv"),
                                .maker = STUDY_BY_LABELLING,
                                .show = STR("states")};
    tap_case("without items: the table is there, with a heading for its rows");
    CHECK(showing_table(&study, &shown, &test.arena, &table, &test.err));
    CHECK(table.row_count == 2 && table.evidence != NULL && table.evidence_count == 0);
    CHECK(str_eq(table.corner, STR("state")));

    tap_case("with those that the step has written");
    studied_write(&test, "behind/states.csv",
                  "row,column,what,no interval,ids\n1,,items that are done,,4 5\n");
    CHECK(showing_table(&study, &shown, &test.arena, &table, &test.err));
    CHECK(table.evidence_count == 1 && table.evidence[0].row == 1 &&
          table.evidence[0].head == STUDY_NONE && table.evidence[0].ids[1] == 5);

    tap_case("a table that others made has neither");
    shown.maker = STUDY_NO_MAKER;
    CHECK(showing_table(&study, &shown, &test.arena, &table, &test.err));
    CHECK(table.evidence == NULL && table.corner.len == 0);

    tap_case("topics have the posts that are mainly about them");
    studied_write(&test, "topics.csv", "topic,posts\n\"01 a, b\",2\n02 c,1\n");
    studied_write(&test, "main.csv",
                  "id,code,share\n7,\"01 a, b\",0.5\n8,02 c,0.6\n9,\"01 a, b\",0.7\n");
    shown.maker = STUDY_BY_TOPICS;
    shown.show = STR("topics");
    shown.from = studied_path(&test, "topics.csv");
    CHECK(showing_table(&study, &shown, &test.arena, &table, &test.err));
    CHECK(table.evidence_count == 2 && table.evidence[0].count == 2 &&
          table.evidence[0].ids[0] == 7 && table.evidence[0].ids[1] == 9 &&
          table.evidence[1].count == 1 && table.evidence[1].ids[0] == 8);
    tap_case("what is not as assay writes it is refused");
    studied_write(&test, "main.csv", "id,code\nx,02 c\n");
    CHECK(!showing_table(&study, &shown, &test.arena, &table, &test.err));
    CHECK(strstr(test.err.text, "main.csv:2: not as assay writes it") != NULL);
    studied_end(&test);
    return tap_done();
}
