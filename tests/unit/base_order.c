/* Sorting of plain numbers: equal ones keep their order, and what is undefined is last.
 */
#include "base/order.h"

#include <math.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    double values[5];
    bool largest_first;
    size_t places[5];
} rows[] = {
    {"ascending", {3, 1, 2, -1, 5}, false, {3, 1, 2, 0, 4}},
    {"descending", {3, 1, 2, -1, 5}, true, {4, 0, 2, 1, 3}},
    {"equal ones", {1, 2, 1, 2, 1}, false, {0, 2, 4, 1, 3}},
    {"equal ones, descending", {1, 2, 1, 2, 1}, true, {1, 3, 0, 2, 4}},
    {"undefined ones", {NAN, 2, NAN, 1, -INFINITY}, false, {4, 3, 1, 0, 2}},
    {"undefined ones, descending", {NAN, 2, NAN, 1, INFINITY}, true, {4, 1, 3, 0, 2}},
};

int main(void)
{
    struct arena arena = {0};
    double reals[] = {2.5, -1, 2.5, 0};
    int64_t ints[] = {INT64_MAX, 3, INT64_MIN, 3};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("places: %s", rows[i].name);
        size_t *places = order_places(rows[i].values, 5, rows[i].largest_first, &arena);
        for (size_t k = 0; k < 5; k++)
            CHECK(places[k] == rows[i].places[k]);
    }
    tap_case("none");
    order_places(NULL, 0, false, &arena);
    order_reals(NULL, 0);
    order_ints(NULL, 0);
    tap_case("numbers");
    order_reals(reals, ROWS(reals));
    CHECK(reals[0] == -1 && reals[1] == 0 && reals[2] == 2.5 && reals[3] == 2.5);
    order_ints(ints, ROWS(ints));
    CHECK(ints[0] == INT64_MIN && ints[1] == 3 && ints[2] == 3 && ints[3] == INT64_MAX);
    tap_case("what tells two apart");
    CHECK(order_then(0, -1) == -1 && order_then(1, -1) == 1 && ORDER_BY(2, 3) == -1);
    arena_free(&arena);
    return tap_done();
}
