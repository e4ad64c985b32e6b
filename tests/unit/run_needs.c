/* What steps rest on: made once, read back where it is up to date, and the same both
 * ways. */
#include "run/needs.h"

#include "tests/unit/needed.h"

static const struct {
    const char *name;
    bool up_to_date; /* sets come from their files, not from their queries */
} rows[] = {
    {"to be made", false},
    {"up to date", true},
};

static int64_t count_of(struct run_needs *needs, const char *set)
{
    struct measure_bits bits;

    return run_needs_set(needs, str_from(set), &bits) ? measure_bits_count(bits) : -1;
}

static void check_sets(struct needed *test, const char *name)
{
    struct run_needs *needs = &test->needs;

    tap_case("%s: sets and samples", name);
    CHECK(run_needs_frame(needs, &test->studied.err));
    CHECK(needs->frame.count == 4);
    CHECK(count_of(needs, "x") == 3);
    CHECK(count_of(needs, "y") == 2);
    CHECK(count_of(needs, "p") == 2);
    CHECK(count_of(needs, "nothing") == -1);
    tap_case("%s: the frame is loaded once", name);
    const int64_t *ids = needs->frame.ids;
    CHECK(run_needs_frame(needs, &test->studied.err) && needs->frame.ids == ids);
}

static void check_labels(struct needed *test, const char *name)
{
    struct run_needs *needs = &test->needs;
    struct err *err = &test->studied.err;
    size_t group = needs->study->groups[0].queries == NULL ? 0 : 1;
    struct run_labelling_final *finals;
    size_t count = 7;

    tap_case("%s: a group by labels, and its labels with it", name);
    CHECK(run_needs_group(needs, group, err) && needs->labels_made[0]);
    CHECK(needs->groups[group].count == 2);
    CHECK(str_eq(needs->groups[group].values[1].name, STR("Two")));
    CHECK(measure_bits_count(needs->groups[group].values[1].bits) == 1);
    tap_case("%s: nobody of this study stands behind a csv", name);
    CHECK(run_needs_finals(needs, 0, &finals, &count, err) && count == 0);
}

static void check_queries(struct needed *test)
{
    struct run_needs *needs = &test->needs;
    const struct study_table *table = &needs->study->tables[0];

    tap_case("groups by queries, for the tables that name them");
    CHECK(table->by_count == 1 && run_needs_groups(needs, table, &test->studied.err));
    const struct measure_groups *groups = &needs->groups[table->by[0]];
    CHECK(groups->count == 2 && str_eq(groups->values[0].name, STR("A")));
    CHECK(measure_bits_count(groups->values[0].bits) == 2);
}

static void check_numbers(struct needed *test, const char *name)
{
    struct run_needs *needs = &test->needs;
    struct err *err = &test->studied.err;
    struct result_numbers numbers;
    int64_t all;

    tap_case("%s: numbers of a step, questions of the sources", name);
    CHECK(run_needs_numbers(needs, RUN_STEPS_TABLE, 0, needs->arena, &numbers, err));
    CHECK(numbers.count == 2 && numbers.at[0].value == 2);
    CHECK(run_needs_census(needs, &all, err) && all == 4);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct needed test;
        if (!needed_begin(&test, STUDIED_STUDY, rows[i].up_to_date))
            break;
        check_sets(&test, rows[i].name);
        check_labels(&test, rows[i].name);
        if (!rows[i].up_to_date)
            check_queries(&test);
        check_numbers(&test, rows[i].name);
        needed_end(&test);
    }
    return tap_done();
}
