/* A classifier's items, read back. */
#include "run/shares_items.h"

#include "tests/unit/studied.h"

#define COLUMN(type, name, across) \
    "column\t" type "\t0\t" name "\t" across "\t" name "\t\t\t\t\n"
#define CLASS(name) \
    COLUMN("count", name, "truly") \
    COLUMN("count", name, "said") COLUMN("share", name, "probability")
#define BEGIN "assay result 1\nstep\tclassifiers.c\ntable\titems\t\t\t\n"
#define ITEMS COLUMN("item", "id", "") COLUMN("text", "role", "")
#define HEAD  BEGIN ITEMS COLUMN("count", "stratum", "") CLASS("crash") CLASS("slow")
#define ROW   "row\t0\t\t\t\t\t"

static const struct {
    const char *name, *text, *error;
} wrong[] = {
    {"too few columns", BEGIN ITEMS "end\n",
     ":6: expected the columns of a classifier's items"},
    {"a column of another type", BEGIN ITEMS COLUMN("text", "stratum", "") "end\n",
     ":7: expected the columns of a classifier's items"},
    {"an item that is not in the frame",
     HEAD ROW "1\t\\-\t\\-\t\\-\t1\t1\t\\-\t0\t0\n" ROW
              "9\t\\-\t\\-\t\\-\t1\t1\t\\-\t0\t0\nend\n",
     ":14: no item as a classifier leaves it"},
    {"a class neither had nor not", HEAD ROW "1\tdrawn\t0\t2\t1\t1\t0\t0\t0\nend\n",
     ":13: no item as a classifier leaves it"},
    {"a stratum below 0", HEAD ROW "1\tdrawn\t-1\t1\t1\t1\t0\t0\t0\nend\n",
     ":13: no item as a classifier leaves it"},
    {"more strata than items", HEAD ROW "1\tdrawn\t4\t1\t1\t1\t0\t0\t0\nend\n",
     ":13: no item as a classifier leaves it"},
    {"a probability that is no number",
     HEAD ROW "1\tdrawn\t0\t1\t1\tmuch\t0\t0\t0\nend\n",
     ":13: found 'much', expected a number"},
};

int main(void)
{
    static const int64_t ids[] = {1, 2, 3};
    struct studied test;
    struct run_shares_items items;

    if (!studied_begin(&test))
        return tap_done();
    struct measure_frame frame = {
        .arena = &test.arena, .count = 3, .ids = (int64_t *)(uintptr_t)ids};
    const char *made, *file = "out/results/classifiers.c.result";
    CHECK(file_make_folder(studied_path(&test, "out/results"), &test.arena, &made,
                           &test.err));

    tap_case("items with their place, role, classes, stratum and probabilities");
    studied_write(&test, file,
                  HEAD ROW "3\tdrawn\t2\t0\t1\t0.25\t1\t1\t0.75\n" ROW
                           "1\tchosen\t0\t1\t1\t1\t0\t0\t0\n" ROW
                           "2\t\\-\t\\-\t\\-\t0\t0\t\\-\t1\t1\nend\n");
    if (CHECK(run_shares_items_read(test.folder, STR("c"), &frame, &test.arena, &items,
                                    &test.err))) {
        const struct learn_quantify_items *known = &items.known;
        CHECK(known->count == 3 && known->classes == 2 && known->several);
        CHECK(str_eq(items.classes[1], STR("slow")));
        CHECK(items.places[0] == 2 && items.places[1] == 0 && items.places[2] == 1);
        CHECK(known->role[0] == LEARN_QUANTIFY_DRAWN &&
              known->role[1] == LEARN_QUANTIFY_CHOSEN &&
              known->role[2] == LEARN_QUANTIFY_UNLABELLED);
        CHECK(memcmp(known->truth, (uint8_t[]){0, 1, 1, 0, 0, 0}, 6) == 0);
        CHECK(memcmp(known->said, (uint8_t[]){1, 1, 1, 0, 0, 1}, 6) == 0);
        CHECK(known->strata == 3 && known->stratum[0] == 2 && known->stratum[2] == 0);
        CHECK(known->probabilities[1] == 0.75);
    }
    tap_case("a classifier that waits for labels: nothing");
    studied_write(&test, file, BEGIN ITEMS COLUMN("count", "stratum", "") "end\n");
    CHECK(run_shares_items_read(test.folder, STR("c"), &frame, &test.arena, &items,
                                &test.err));
    CHECK(items.known.count == 0 && items.known.classes == 0);
    for (size_t i = 0; i < ROWS(wrong); i++) {
        tap_case("%s", wrong[i].name);
        studied_write(&test, file, wrong[i].text);
        CHECK(!run_shares_items_read(test.folder, STR("c"), &frame, &test.arena, &items,
                                     &test.err));
        const char *place = strstr(test.err.text, ".result");
        CHECK_TEXT(place != NULL ? place + strlen(".result") : "", wrong[i].error);
    }
    studied_end(&test);
    return tap_done();
}
