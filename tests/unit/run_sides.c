/* Sides of a comparison: sets, the groups of a set, everything. */
#include "run/sides.h"

#include "tests/unit/needed.h"

static const struct str sets[] = {{"x", 1}, {"z", 1}, {"q", 1}};

static const struct {
    const char *name;
    size_t first, count; /* of sets */
    bool by;
    size_t want;
    const char *names[2];
    int64_t items[2];
} rows[] = {
    {"two sets", 0, 2, false, 2, {"x", "z"}, {3, 1}},
    {"the groups of a set", 0, 1, true, 2, {"A", "B"}, {2, 1}},
    {"the groups of another", 1, 1, true, 2, {"A", "B"}, {0, 0}},
    {"the groups of everything", 0, 0, true, 2, {"A", "B"}, {2, 1}},
    {"everything", 0, 0, false, 1, {"all"}, {4}},
};

int main(void)
{
    struct needed test;

    if (!needed_begin(&test, STUDIED_STUDY, false))
        return tap_done();
    struct run_needs *needs = &test.needs;
    struct err *err = &test.studied.err;
    struct measure_testing_group *got;
    size_t count;
    CHECK(run_needs_frame(needs, err));
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct run_sides sides = {STR("harder"), sets + rows[i].first, rows[i].count,
                                  rows[i].by ? needs->study->tables[0].by[0]
                                             : STUDY_NONE};
        tap_case("%s", rows[i].name);
        if (!CHECK(run_sides_find(needs, &sides, needs->arena, &got, &count, err)) ||
            !CHECK(count == rows[i].want))
            continue;
        for (size_t s = 0; s < count; s++) {
            CHECK(str_eq(got[s].name, str_from(rows[i].names[s])));
            CHECK(measure_bits_count(got[s].bits) == rows[i].items[s]);
        }
    }
    tap_case("a set that is not there");
    struct run_sides sides = {STR("harder"), sets + 2, 1, STUDY_NONE};
    CHECK(!run_sides_find(needs, &sides, needs->arena, &got, &count, err));
    CHECK_TEXT(err->text, "harder: there is no set 'q'");
    needed_end(&test);
    return tap_done();
}
