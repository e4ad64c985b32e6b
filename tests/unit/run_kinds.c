/* Each kind of step, made again from the same study: the same files with the same bytes
 * as the whole run has left. */
#include "tests/unit/needed.h"

static const char study[] = STUDIED_HEAD STUDIED_SETS STUDIED_GROUPS STUDIED_LABELS
    "samples:\n  p: {of: x, size: 2, seed: 1}\n  q: {of: x, by: g, size: 1, seed: 1}\n"
    "tables:\n  t: {of: x, by: g}\n"
    "tests:\n  h: {compare: [x, z], on: score, test: mann-whitney, family: both}\n"
    "  i: {table: t, first: count, test: mann-kendall, family: both}\n"
    "handbook: {of: x, by: g}\n"
    "figures:\n  b: {draw: box, of: [x, z], on: score}\n"
    "  d: {draw: bars, table: t}\n  e: {draw: funnel, set: y}\n";

static void check_step(struct needed *test, const struct run_step *step)
{
    struct run_output output = {.step = step->name};

    tap_case("%.*s", STR_ARG(step->name));
    CHECK(step->kind->make(&test->needs, step, &output, &test->studied.err));
    CHECK_TEXT(test->studied.err.text, "");
    run_output_end(&output);
    CHECK(output.count > 0 && buf_str(&output.says).len > 0);
    for (size_t i = 0; i < output.count; i++) {
        struct arena *arena = &test->studied.arena;
        const char *path = arena_c_string(arena, run_output_path(&output, i));
        struct str there;
        if (CHECK(file_read(studied_path(&test->studied, path), arena, &there,
                            &test->studied.err)))
            CHECK(str_eq(run_output_text(&output, i), there));
    }
    run_output_free(&output);
}

static bool is_listed(const struct run_steps *steps, const struct run_kind *kind)
{
    return run_steps_find(steps, kind, 0) != STUDY_NONE;
}

/* Kinds with tests of their own. */
static bool has_tests(const struct run_kind *kind)
{
    const struct run_kind *const kinds[] = {
        &run_kind_tagset,     &run_kind_accepted,   &run_kind_labelling,
        &run_kind_classifier, &run_kind_topics,     &run_kind_phrases,
        &run_kind_extract,    &run_kind_regression, &run_kind_vectors,
    };

    for (size_t i = 0; i < ROWS(kinds); i++)
        if (kind == kinds[i])
            return true;
    return false;
}

int main(void)
{
    struct needed test;

    if (!needed_begin(&test, study, false))
        return tap_done();
    for (size_t i = 0; i < test.steps.count; i++)
        check_step(&test, &test.steps.at[i]);
    tap_case("no kind is left out but those with tests of their own");
    for (size_t k = 0; run_kinds[k] != NULL; k++)
        CHECK(is_listed(&test.steps, run_kinds[k]) || has_tests(run_kinds[k]));
    needed_end(&test);
    return tap_done();
}
