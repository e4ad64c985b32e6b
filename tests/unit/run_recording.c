/* The lock during a run: what stays recorded, and which files are taken away. That whole
 * runs go on after a failure is in run_run. */
#include "run/recording.h"

#include "tests/unit/studied.h"

/* A step of this name has just made one file. */
static void make(struct studied *test, struct run_recording *recording,
                 struct run_step *step, const char *path)
{
    struct run_output output = {0};
    struct run_ledger_step made = {0};

    buf_add(run_output_add(&output, path), STR("text"));
    CHECK(run_output_write(&output, recording->home, &test->err));
    step->reason = STR("it has not been made yet");
    CHECK(run_recording_add(recording, step, made, &output, &test->err));
    CHECK(step->reason.len == 0);
    run_output_free(&output);
}

static bool is_recorded(struct studied *test, const char *step)
{
    struct run_ledger ledger;

    CHECK(run_ledger_load(studied_path(test, "assay.lock"), &test->arena, &ledger,
                          &test->err));
    return run_ledger_find(&ledger, str_from(step)) != NULL;
}

/* What a step that is no more has left, and what somebody has put beside it. */
static void write_old(struct studied *test)
{
    struct run_output output = {0};

    buf_add(run_output_add(&output, "out/old/deep/c.csv"), STR("old"));
    buf_add(run_output_add(&output, "out/old/mine.csv"), STR("mine"));
    CHECK(run_output_write(&output, test->folder, &test->err));
    run_output_free(&output);
}

int main(void)
{
    struct studied test;
    struct run_ledger_pair gone = {STR("out/old/deep/c.csv"), 1};
    struct run_ledger_pair kept = {STR("out/tables/b.csv"), 2};
    struct run_ledger_step were[] = {
        {.name = STR("tables.b"), .files = &kept, .file_count = 1},
        {.name = STR("tables.c"), .files = &gone, .file_count = 1},
    };
    struct run_ledger before = {were, ROWS(were)};
    struct run_step at[] = {{.kind = &run_kind_table, .name = STR("tables.a")},
                            {.kind = &run_kind_table, .name = STR("tables.b")}};
    struct run_steps steps = {.at = at, .count = ROWS(at)};

    if (!studied_begin(&test))
        return tap_done();
    struct run_recording recording = {
        .home = test.folder, .before = &before, .steps = &steps, .arena = &test.arena};
    write_old(&test);
    tap_case("a step is recorded at once; what is not made again stays as it was");
    make(&test, &recording, &at[0], "out/tables/a.csv");
    CHECK(is_recorded(&test, "tables.a") && is_recorded(&test, "tables.b"));
    CHECK(is_recorded(&test, "tables.c"));
    tap_case("files of a step that is no more are taken away, with empty folders");
    make(&test, &recording, &at[1], "out/tables/b.csv");
    CHECK(run_recording_remove_orphans(&recording, &test.err));
    CHECK(!is_recorded(&test, "tables.c"));
    CHECK(!file_exists(studied_path(&test, "out/old/deep")));
    CHECK_TEXT(studied_read(&test, "out/old/mine.csv"), "mine");
    CHECK_TEXT(studied_read(&test, "out/tables/b.csv"), "text");
    studied_end(&test);
    return tap_done();
}
