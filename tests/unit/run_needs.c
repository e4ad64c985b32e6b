/* What steps rest on: made once, read back where it is up to date, and the same both
 * ways. */
#include "run/needs.h"

#include "run/labelling.h"
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
    struct err err = {0};

    return run_needs_set(needs, str_from(set), &bits, &err) ? measure_bits_count(bits)
                                                            : -1;
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
    const void *ids = needs->frame.ids.blocks;
    CHECK(run_needs_frame(needs, &test->studied.err) && needs->frame.ids.blocks == ids);
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
    CHECK(run_labelling_finals(needs->study, 0, needs->arena, &finals, &count, err) &&
          count == 0);
}

static void check_queries(struct needed *test)
{
    struct run_needs *needs = &test->needs;
    const struct study_table *table = &needs->study->tables[0];
    size_t step = run_steps_find(&test->steps, &run_kind_table, 0);

    tap_case("groups by queries, for the tables that name them");
    CHECK(table->by_count == 1 &&
          run_needs_groups(needs, &test->steps.at[step], &test->studied.err));
    const struct measure_groups *groups = &needs->groups[table->by[0]];
    CHECK(groups->count == 2 && str_eq(groups->values[0].name, STR("A")));
    CHECK(measure_bits_count(groups->values[0].bits) == 2);
}

/* Sides of a comparison: sets, the groups of a set, everything. */
static const struct str sets[] = {{"x", 1}, {"z", 1}, {"q", 1}};

static const struct {
    const char *name;
    size_t first, count; /* of sets */
    bool by;
    size_t want;
    const char *names[2];
    int64_t items[2];
} sides[] = {
    {"two sets", 0, 2, false, 2, {"x", "z"}, {3, 1}},
    {"the groups of a set", 0, 1, true, 2, {"A", "B"}, {2, 1}},
    {"the groups of another", 1, 1, true, 2, {"A", "B"}, {0, 0}},
    {"the groups of everything", 0, 0, true, 2, {"A", "B"}, {2, 1}},
    {"everything", 0, 0, false, 1, {"all"}, {4}},
};

static void check_sides(struct needed *test)
{
    struct run_needs *needs = &test->needs;
    struct err *err = &test->studied.err;
    struct measure_testing_group *got;
    size_t count;
    for (size_t i = 0; i < ROWS(sides); i++) {
        struct run_needs_sides wanted = {
            STR("harder"), sets + sides[i].first, sides[i].count,
            sides[i].by ? needs->study->tables[0].by[0] : STUDY_NONE};
        tap_case("%s", sides[i].name);
        if (!CHECK(run_needs_sides(needs, &wanted, needs->arena, &got, &count, err)) ||
            !CHECK(count == sides[i].want))
            continue;
        for (size_t s = 0; s < count; s++) {
            CHECK(str_eq(got[s].name, str_from(sides[i].names[s])));
            CHECK(measure_bits_count(got[s].bits) == sides[i].items[s]);
        }
    }
    tap_case("a set that is not there");
    struct run_needs_sides wanted = {STR("harder"), sets + 2, 1, STUDY_NONE};
    CHECK(!run_needs_sides(needs, &wanted, needs->arena, &got, &count, err));
    CHECK_TEXT(err->text, "harder: there is no set 'q'");
}

static void check_numbers(struct needed *test, const char *name)
{
    struct run_needs *needs = &test->needs;
    struct err *err = &test->studied.err;
    struct result_numbers numbers;
    struct item commit = {.id = 900, .kind = ITEM_COMMIT};
    struct query_node some = {.kind = QUERY_TAG};
    int64_t all, known_ms;
    bool mixed, added;

    tap_case("%s: numbers of a step, questions of the sources", name);
    CHECK(run_needs_numbers(needs, &run_kind_table, 0, needs->arena, &numbers, err));
    CHECK(numbers.count == 2 && numbers.at[0].value == 2);
    CHECK(run_needs_all(needs, &all, &mixed, err) && all == 4 && !mixed);
    tap_case("%s: a commit is drawn from as well, and is no question", name);
    CHECK(store_begin(needs->corpus, err) &&
          store_append(needs->corpus, &commit, 0, &added, &known_ms, err) &&
          store_commit(needs->corpus, err));
    needs->counted = false;
    CHECK(run_needs_all(needs, &all, &mixed, err) && all == 5 && mixed);
    tap_case("%s: commits that no set needs are not in the corpus", name);
    struct study part = *needs->study;
    const struct study *whole = needs->study;
    part.take = &some;
    needs->study = &part;
    CHECK(run_needs_all(needs, &all, &mixed, err) && all == 0 && mixed);
    needs->study = whole;
    CHECK_TEXT(err->text, "");
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct needed test;
        if (!needed_begin(&test, STUDIED_STUDY, rows[i].up_to_date))
            break;
        check_sets(&test, rows[i].name);
        check_labels(&test, rows[i].name);
        check_numbers(&test, rows[i].name);
        if (!rows[i].up_to_date) {
            check_queries(&test);
            check_sides(&test);
        }
        needed_end(&test);
    }
    return tap_done();
}
