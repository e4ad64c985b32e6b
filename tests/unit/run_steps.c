/* Steps: their order, and which need which. */
#include "run/steps.h"

#include "tests/unit/studied.h"

/* Sets in any order: those that are named come first. */
static void check_order(void)
{
    struct arena arena = {0};
    struct study_options options = {0};
    struct buf problems = {0}, out = {0};
    struct err err = {0};
    struct study study;
    struct run_steps steps;

    tap_case("what is named comes before what names it");
    CHECK(study_parse(
        STR("study: s\nsource: {posts: p}\n"
            "sets: {a: 'in:b', b: 'in:c or in:d', c: '[c]', d: 'in:c'}\n"
            "samples: {q: {of: p, size: 1, seed: 1}, p: {of: a, size: 2, seed: "
            "1}}\n"),
        "s.yaml", &options, &arena, &study, &problems, &err));
    run_steps_list(&study, &arena, &steps);
    for (size_t i = 0; i < steps.count; i++) {
        if (studied_shows(steps.at[i].name))
            buf_add_format(&out, "%.*s ", STR_ARG(steps.at[i].name));
        for (size_t n = 0; n < steps.at[i].need_count; n++)
            CHECK(steps.at[i].needs[n] < i);
    }
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, "sets.c sets.d sets.b sets.a samples.p samples.q ");
    CHECK(run_steps_find(&steps, RUN_STEPS_SAMPLE, 0) == 5);
    buf_free(&problems);
    buf_free(&out);
    arena_free(&arena);
}

int main(void)
{
    check_order();
    return tap_done();
}
