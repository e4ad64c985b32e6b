/* Sorting of plain numbers: equal ones keep their order, and what is undefined is last.
 */
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
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

/* Random records against qsort(), which is told the place of equal ones. */

enum { RECORDS_MAX = 3000 };

struct wide {
    size_t place;
    double value;
    char more[24];
};

static int compare_wide(const void *left, const void *right)
{
    const struct wide *a = left, *b = right;

    return order_then(order_then(ORDER_BY(isnan(a->value) != 0, isnan(b->value) != 0),
                                 ORDER_BY(a->value, b->value)),
                      ORDER_BY(a->place, b->place));
}

static int compare_ints(const void *left, const void *right)
{
    return ORDER_BY(*(const int64_t *)left, *(const int64_t *)right);
}

static double draw_real(struct rng *rng, uint64_t spread)
{
    static const double odd[] = {0, -0.0, NAN, INFINITY, -INFINITY, 5e-324, -1e308};
    uint64_t bits = rng_next(rng);
    double value;

    switch (spread) {
    case 0: /* any bits, some of them NAN */
        memcpy(&value, &bits, sizeof value);
        return value;
    case 1:
        return odd[bits % ROWS(odd)];
    case 2:
        return (double)(int64_t)(bits % 7) - 3;
    default:
        return (double)(bits >> 40) / 3600;
    }
}

static void check_records(struct rng *rng, size_t count, uint64_t spread)
{
    static struct wide wide[RECORDS_MAX], expected[RECORDS_MAX];
    static double reals[RECORDS_MAX];
    static int64_t ints[RECORDS_MAX], sorted[RECORDS_MAX];
    static struct {
        double value;
        size_t place;
    } pairs[RECORDS_MAX];
    bool same = true;

    for (size_t i = 0; i < count; i++) {
        wide[i] = (struct wide){i, draw_real(rng, spread), {(char)i, 'x'}};
        expected[i] = wide[i];
        reals[i] = pairs[i].value = wide[i].value;
        pairs[i].place = i;
        memcpy(&ints[i], &reals[i], sizeof ints[i]);
        sorted[i] = ints[i];
    }
    qsort(expected, count, sizeof *expected, compare_wide);
    qsort(sorted, count, sizeof *sorted, compare_ints);
    order_records(wide, count, sizeof *wide, offsetof(struct wide, value));
    order_records(pairs, count, sizeof *pairs, 0);
    order_reals(reals, count);
    order_ints(ints, count);
    for (size_t i = 0; i < count; i++)
        same = same && wide[i].place == expected[i].place &&
               memcmp(wide[i].more, expected[i].more, sizeof wide[i].more) == 0 &&
               pairs[i].place == expected[i].place && ints[i] == sorted[i] &&
               memcmp(&reals[i], &expected[i].value, sizeof reals[i]) == 0;
    CHECK(same);
}

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
    tap_case("as qsort() has them");
    struct rng rng = rng_seeded(20);
    for (int turn = 0; turn < 400; turn++)
        check_records(&rng, rng_below(&rng, turn % 2 == 0 ? 60 : RECORDS_MAX),
                      (uint64_t)turn / 2 % 4);
    tap_case("what tells two apart");
    CHECK(order_then(0, -1) == -1 && order_then(1, -1) == 1 && ORDER_BY(2, 3) == -1);
    arena_free(&arena);
    return tap_done();
}
