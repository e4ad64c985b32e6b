/* A classifier's items, read back. */
#include "run/shares_items.h"

#include "tests/unit/studied.h"

#define HEAD "id,role,truth,said,stratum,crash,slow\n"

static const struct {
    const char *name, *text;
    int line; /* that is wrong */
} wrong[] = {
    {"too few columns", "id,role,truth,said\n", 1},
    {"an item that is not in the frame", HEAD "1,,,0,,1,0\n9,,,0,,1,0\n", 3},
    {"an id that is no number", HEAD "one,,,0,,1,0\n", 2},
    {"a class that is not there", HEAD "1,drawn,2,0,,1,0\n", 2},
    {"a stratum that is no number", HEAD "1,,,0,a,1,0\n", 2},
    {"a stratum below 0", HEAD "1,,,0,-1,1,0\n", 2},
    {"more strata than items", HEAD "1,,,0,4,1,0\n", 2},
    {"a probability that is no number", HEAD "1,,,0,,1,much\n", 2},
};

int main(void)
{
    static const int64_t ids[] = {1, 2, 3};
    struct studied test;
    struct shares_items items;

    if (!studied_begin(&test))
        return tap_done();
    struct frame frame = {
        .arena = &test.arena, .count = 3, .ids = (int64_t *)(uintptr_t)ids};
    const char *path = studied_path(&test, "items.csv");

    tap_case("items with their place, role, classes, stratum and probabilities");
    studied_write(&test, "items.csv",
                  HEAD "3,drawn,1,0 1,2,0.25,0.75\n1,chosen,0,0,0,1,0\n2,,,1,,0,1\n");
    if (CHECK(shares_items_read(path, &frame, &test.arena, &items, &test.err))) {
        const struct quantify_items *known = &items.known;
        CHECK(known->count == 3 && known->classes == 2 && known->several);
        CHECK(str_eq(items.classes[1], STR("slow")));
        CHECK(items.places[0] == 2 && items.places[1] == 0 && items.places[2] == 1);
        CHECK(known->role[0] == QUANTIFY_DRAWN && known->role[1] == QUANTIFY_CHOSEN &&
              known->role[2] == QUANTIFY_UNLABELLED);
        CHECK(memcmp(known->truth, (uint8_t[]){0, 1, 1, 0, 0, 0}, 6) == 0);
        CHECK(memcmp(known->said, (uint8_t[]){1, 1, 1, 0, 0, 1}, 6) == 0);
        CHECK(known->strata == 3 && known->stratum[0] == 2 && known->stratum[2] == 0);
        CHECK(known->probabilities[1] == 0.75);
    }
    tap_case("a classifier that waits for labels: nothing");
    studied_write(&test, "items.csv", "id,role,truth,said,stratum\n");
    CHECK(shares_items_read(path, &frame, &test.arena, &items, &test.err));
    CHECK(items.known.count == 0 && items.known.classes == 0);
    for (size_t i = 0; i < ROWS(wrong); i++) {
        struct buf place = {0};
        tap_case("%s", wrong[i].name);
        studied_write(&test, "items.csv", wrong[i].text);
        buf_add_format(&place, "items.csv:%d: not as assay writes it%c", wrong[i].line,
                       0);
        CHECK(!shares_items_read(path, &frame, &test.arena, &items, &test.err));
        CHECK(strstr(test.err.text, place.ptr) != NULL);
        buf_free(&place);
    }
    studied_end(&test);
    return tap_done();
}
