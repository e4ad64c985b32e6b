/* Tests of hypotheses, on items or on the numbers of a table, and families of them, whose
 * p values are corrected together. */
#include <stddef.h>

#include "measure/behind.h"
#include "measure/family.h"
#include "measure/testing.h"
#include "run/needs.h"
#include "run/output.h"

/* out/tests/NAME.csv, .md, .tex and .html; out/tests/NAME/: the items of its sides. */
static void write_test(struct run_output *output, const struct measure_testing *testing)
{
    struct str name = testing->test->name;
    struct result_table table = measure_testing_table(testing, &output->arena);
    struct result_table sides = measure_testing_sides(testing, &output->arena);

    run_output_shorten(output, "tests", &sides, MEASURE_BEHIND_LINES);
    sides.name = STR("sides");
    measure_testing_csv(testing, run_output_add_named(output, "tests", name, ".csv"));
    measure_testing_markdown(testing, run_output_add_named(output, "tests", name, ".md"));
    measure_testing_latex(testing, run_output_add_named(output, "tests", name, ".tex"));
    measure_testing_html(testing, &sides,
                         run_output_add_named(output, "tests", name, ".html"));
    run_output_result(output, &table);
    run_output_result(output, &sides);
    if (testing->count == 1 && testing->results[0].undefined != NULL)
        buf_add_format(&output->says, "undefined: %s", testing->results[0].undefined);
    else if (testing->count == 1) {
        buf_add(&output->says, STR("p "));
        result_numbers_add_p(testing->results[0].p, &output->says);
    } else
        buf_add_format(&output->says, "%zu results", testing->count);
}

/* out/tests/family-NAME.csv, .md and .html. */
static void write_family(struct run_output *output, const struct measure_family *family)
{
    struct result_table table = measure_family_table(family, &output->arena);
    struct buf name = {0};

    buf_add_format(&name, "family-%.*s", STR_ARG(family->study->name));
    measure_family_csv(family,
                       run_output_add_named(output, "tests", buf_str(&name), ".csv"));
    measure_family_markdown(family,
                            run_output_add_named(output, "tests", buf_str(&name), ".md"));
    measure_family_html(family,
                        run_output_add_named(output, "tests", buf_str(&name), ".html"));
    run_output_result(output, &table);
    buf_add_format(&output->says, "%zu p values", family->count);
    buf_free(&name);
}

/* Whether rows are periods; of a trend those without rows below. */
static bool has_periods(const struct study *study, const struct study_test *test)
{
    const struct study_table *table = &study->tables[test->table];
    struct study_table rows = *table;

    rows.across_count = 0;
    if (test->kind == STUDY_MANN_KENDALL && table->by_count > 0) {
        rows.by = &table->by[table->by_count - 1];
        rows.by_count = 1;
    }
    return run_needs_periods(study, &rows);
}

static void list_test(struct run_listing *listing, struct run_step *step)
{
    const struct study *study = listing->study;
    const struct study_test *test = &study->tests[step->index];

    if (test->table != STUDY_NONE) {
        run_steps_need(listing, step, &run_kind_table, test->table);
        step->corpus = has_periods(study, test);
    } else {
        step->corpus = true;
        step->whole = test->compare_count + test->of.len == 0 ||
                      (test->kind == STUDY_LOG_RANK && run_steps_open_end(study));
        for (size_t i = 0; i < test->compare_count; i++)
            run_steps_need_source(listing, step, test->compare[i]);
        if (test->of.len > 0)
            run_steps_need_source(listing, step, test->of);
        if (test->by != STUDY_NONE)
            run_steps_need_group(listing, step, test->by);
        run_steps_need_measure(listing, step, &test->on);
        run_steps_need_measure(listing, step, &test->with);
    }
    run_steps_name(listing, step, test->name, test->node);
}

/* What the numbers do not allow is an error, and yet a result to the steps after it. */
static bool refuse(struct run_needs *needs, const struct study_test *test,
                   const char *key, struct arena *arena, struct measure_testing *out,
                   struct err *err)
{
    *out = measure_testing_undefined(test, err->text, arena);
    err_locate(err, "test %.*s: ", STR_ARG(test->name));
    return run_needs_at(needs, test->node, key, err);
}

static bool test_items(struct run_needs *needs, const struct study_test *test,
                       struct arena *arena, struct measure_testing *out, struct err *err)
{
    struct measure_testing_inputs inputs = {
        .frame = &needs->frame, .find_set = run_needs_set, .context = needs};
    struct run_needs_sides sides = {test->name, test->compare, test->compare_count,
                                    test->by};
    struct measure_testing_group *groups;

    if (test->compare_count == 0 && test->of.len > 0) {
        sides.of = &test->of;
        sides.of_count = 1;
    }
    if (!run_needs_frame(needs, err) ||
        !run_needs_sides(needs, &sides, arena, &groups, &inputs.count, err))
        return false;
    inputs.groups = groups;
    return measure_testing_items(test, &inputs, arena, out, err) ||
           refuse(needs, test, "by", arena, out, err);
}

static bool is_tested(const struct study_test *test, struct str column)
{
    for (size_t i = 0; i < test->first_count; i++)
        if (result_numbers_column_is(column, test->first[i]))
            return true;
    for (size_t i = 0; i < test->second_count; i++)
        if (result_numbers_column_is(column, test->second[i]))
            return true;
    return false;
}

/* What is lacking in the rows that were left out. */
static struct str name_left_out(const struct study_test *test,
                                const struct result_numbers *numbers,
                                const struct measure_unfinished *unfinished,
                                const bool *left, struct arena *arena)
{
    struct buf rows = {0}, shown = {0}, ends = {0}, out = {0};
    size_t count = 0;

    for (size_t i = 0; i < numbers->count; i++) {
        if (!left[i] || !is_tested(test, numbers->at[i].column))
            continue;
        struct str name = test->kind == STUDY_MANN_KENDALL
                              ? str_last(numbers->at[i].row, '/')
                              : numbers->at[i].row;
        measure_ends_gather(unfinished, i, &ends);
        if (str_has_part(buf_str(&rows), ';', name))
            continue;
        buf_add_format(&rows, ";%.*s", STR_ARG(name));
        buf_add_format(&shown, "%s%.*s", count++ > 0 ? ", " : "", STR_ARG(name));
    }
    if (count > 0 && unfinished->last.len > 0)
        buf_add_format(&out,
                       "%.*s is left out: it was not over when the sources ended, on "
                       "%.*s.",
                       STR_ARG(unfinished->last), STR_ARG(unfinished->ended));
    else if (count > 0)
        buf_add_format(&out, "%.*s %s left out, as not complete: the data have %.*s.",
                       STR_ARG(buf_str(&shown)), count == 1 ? "is" : "are",
                       STR_ARG(measure_ends_show(buf_str(&ends), arena)));
    struct str said = buf_keep(&out, arena);
    buf_free(&rows);
    buf_free(&shown);
    buf_free(&ends);
    return said;
}

/* A trend does not end with periods that were not over: their values are too small. Nor
 * does another test take what is not there, for a source had ended, for 0. */
static bool leave_unfinished(struct run_needs *needs, const struct study_test *test,
                             struct arena *arena, struct result_numbers *numbers,
                             struct str *warning, struct err *err)
{
    enum measure_ends_state last =
        test->kind == STUDY_MANN_KENDALL ? MEASURE_ENDS_WHOLE : MEASURE_ENDS_CUT;
    bool *left = arena_array(arena, bool, numbers->count + 1);
    struct result_number *kept =
        arena_array(arena, struct result_number, numbers->count + 1);
    struct measure_unfinished unfinished;
    size_t count = 0;

    if (!has_periods(needs->study, test))
        return true;
    if (!run_needs_unfinished(needs->study, needs->corpus,
                              &needs->study->tables[test->table], numbers, arena,
                              &unfinished, err))
        return false;
    for (size_t i = 0, next; i < numbers->count; i = next) {
        bool lacks = false;
        for (next = i;
             next < numbers->count && str_eq(numbers->at[next].row, numbers->at[i].row);
             next++)
            lacks |= measure_ends_state(&unfinished, next) > last &&
                     is_tested(test, numbers->at[next].column);
        for (size_t k = i; k < next; k++)
            left[k] = lacks;
        for (size_t k = i; k < next && !lacks; k++)
            kept[count++] = numbers->at[k];
    }
    if (count < numbers->count)
        *warning = name_left_out(test, numbers, &unfinished, left, arena);
    numbers->at = kept;
    numbers->count = count;
    return true;
}

static bool test_table(struct run_needs *needs, const struct study_test *test,
                       struct arena *arena, struct measure_testing *out, struct err *err)
{
    struct result_numbers numbers;
    struct str warning = {0};

    if (!run_needs_numbers(needs, &run_kind_table, test->table, arena, &numbers, err) ||
        !leave_unfinished(needs, test, arena, &numbers, &warning, err))
        return false;
    if (!result_numbers_need_columns(&numbers, test->first, test->first_count, err))
        return refuse(needs, test, "first", arena, out, err);
    if (!result_numbers_need_columns(&numbers, test->second, test->second_count, err))
        return refuse(needs, test, "second", arena, out, err);
    if (!measure_testing_cells(test, &numbers, arena, out, err))
        return refuse(needs, test, "first", arena, out, err);
    if (warning.len > 0)
        out->warning = out->warning.len == 0
                           ? warning
                           : arena_format(arena, "%.*s %.*s", STR_ARG(out->warning),
                                          STR_ARG(warning));
    return true;
}

static bool make_test(struct run_needs *needs, const struct run_step *step,
                      struct run_output *output, struct err *err)
{
    const struct study_test *test = &needs->study->tests[step->index];
    struct arena arena = {0};
    struct measure_testing made = {0};
    bool ok = test->table != STUDY_NONE ? test_table(needs, test, &arena, &made, err)
                                        : test_items(needs, test, &arena, &made, err);

    if (made.count > 0)
        write_test(output, &made);
    arena_free(&arena);
    return ok;
}

const struct run_kind run_kind_test = {
    .name = "tests",
    .counted = offsetof(struct study, test_count),
    .engine = 16,
    .list = list_test,
    .make = make_test,
};

static void list_family(struct run_listing *listing, struct run_step *step)
{
    const struct study_family *family = &listing->study->families[step->index];
    struct buf section = {0};

    buf_add_format(&section, "%d %.17g", (int)family->correct, family->level);
    for (size_t i = 0; i < family->count; i++)
        run_steps_need(listing, step, &run_kind_test, family->tests[i]);
    run_steps_name_text(listing, step, family->name, buf_str(&section));
    buf_free(&section);
}

static bool make_family(struct run_needs *needs, const struct run_step *step,
                        struct run_output *output, struct err *err)
{
    const struct study_family *family = &needs->study->families[step->index];
    struct arena arena = {0};
    struct result_numbers *tests =
        arena_array(&arena, struct result_numbers, family->count + 1);
    bool ok = true;

    for (size_t i = 0; i < family->count && ok; i++)
        ok = run_needs_numbers(needs, &run_kind_test, family->tests[i], &arena, &tests[i],
                               err);
    if (ok) {
        struct measure_family made = measure_family_make(family, tests, &arena);
        write_family(output, &made);
    }
    arena_free(&arena);
    return ok;
}

const struct run_kind run_kind_family = {
    .name = "families",
    .counted = offsetof(struct study, family_count),
    .engine = 5,
    .list = list_family,
    .make = make_family,
};
