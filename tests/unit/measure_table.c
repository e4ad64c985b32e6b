/* Tables from end to end: of what, only of what, and what cannot be. Their parts have
 * tests of their own. */
#include "measure/table.h"

#include "tests/unit/tabled.h"

static const struct tabled_row rows[] = {
    {"all items", "{columns: count}", "group1,count\nall,6\n", ""},
    {"a set", "{of: a, columns: [count, share]}", "group1,count,share\na,3,1\n",
     "* rests on fewer than 5 items."},
    {"only what belongs to a group", "{where: {kind: x, tag: A}, columns: count}",
     "group1,count\nall,1\n", ""},
};

static void check_refusals(void)
{
    struct measured test;
    struct measure_table table;

    tap_case("a group's value that is not there");
    if (tabled_open(&test, "{where: {kind: zz}, columns: count}"))
        CHECK(tabled_make(&test, &table) == NULL);
    CHECK_TEXT(test.err.text, "table t: the group kind has no value 'zz'");
    measured_close(&test);
}

int main(void)
{
    tabled_check(rows, ROWS(rows));
    check_refusals();
    return tap_done();
}
