/* assay.lock: what is written is read back; what assay did not write is refused with the
 * place; nothing outside of out/ is ever named. */
#include "run/ledger.h"

#include <string.h>

#include "tests/tap.h"

#define HASH "'00000000000000ff'"
#define STEP(inputs, files) \
    "lock: 1\nsteps:\n  sets.a:\n    section: " HASH "\n    engine: 1\n" inputs files \
    "    says: '2 items'\n"

static const struct {
    const char *name, *text;
    bool ok;
} rows[] = {
    {"no steps", "lock: 1\n", true},
    {"a step", STEP("", ""), true},
    {"a step with all",
     STEP("    inputs: {corpus: " HASH "}\n", "    files: {out/a.csv: " HASH "}\n"),
     true},
    {"another format", "lock: 2\n", false},
    {"no format", "steps: {}\n", false},
    {"nothing", "", false},
    {"a list", "- lock\n", false},
    {"steps that are none", "lock: 1\nsteps: [a]\n", false},
    {"a step that is text", "lock: 1\nsteps: {a: b}\n", false},
    {"a hash too short", "lock: 1\nsteps: {a: {section: 'ff', engine: 1, says: x}}\n",
     false},
    {"a hash with other letters",
     "lock: 1\nsteps: {a: {section: '00000000000000fG', engine: 1, says: x}}\n", false},
    {"no engine", "lock: 1\nsteps: {a: {section: " HASH ", says: x}}\n", false},
    {"an engine that is no number",
     "lock: 1\nsteps: {a: {section: " HASH ", engine: x, says: x}}\n", false},
    {"files that are text", STEP("", "    files: out\n"), false},
    {"a file above the study", STEP("", "    files: {../x: " HASH "}\n"), false},
    {"a file above out/", STEP("", "    files: {out/../study.yaml: " HASH "}\n"), false},
    {"a file beside out/", STEP("", "    files: {study.yaml: " HASH "}\n"), false},
    {"a file anywhere", STEP("", "    files: {/etc/passwd: " HASH "}\n"), false},
    {"cut off in the middle", "lock: 1\nsteps:\n  sets.a:\n    section: '0000", false},
};

static void check_row(size_t i)
{
    struct arena arena = {0};
    struct run_ledger ledger;
    struct err err = {0};

    CHECK(run_ledger_parse(str_from(rows[i].text), "assay.lock", &arena, &ledger, &err) ==
          rows[i].ok);
    CHECK(err.kind == (rows[i].ok ? ERR_NONE : ERR_INPUT));
    if (!rows[i].ok)
        CHECK(strncmp(err.text, "assay.lock:", 11) == 0);
    arena_free(&arena);
}

static void check_round_trip(void)
{
    struct run_ledger_pair inputs[] = {{STR("it's.csv"), 1}, {STR("sets.b"), UINT64_MAX}};
    struct run_ledger_pair files[] = {{STR("out/sets/a.csv"), 0}};
    struct run_ledger_step steps[] = {
        {STR("sets.a"), 0x123456789abcdef0, 3, inputs, files, 2, 1, STR("2 items")},
        {STR("tables.t"), 0, 1, NULL, NULL, 0, 0, STR("of 'a': ''")}};
    struct run_ledger ledger = {steps, 2}, again;
    struct arena arena = {0};
    struct buf first = {0}, second = {0};
    struct err err = {0};

    tap_case("what is written is read back");
    run_ledger_print(&ledger, &first);
    if (CHECK(run_ledger_parse(buf_str(&first), "l", &arena, &again, &err))) {
        run_ledger_print(&again, &second);
        CHECK(str_eq(buf_str(&first), buf_str(&second)));
        const struct run_ledger_step *step = run_ledger_find(&again, STR("sets.a"));
        CHECK(step != NULL && step->section == 0x123456789abcdef0 && step->engine == 3);
        CHECK(step->input_count == 2 && step->inputs[1].hash == UINT64_MAX);
        CHECK(str_eq(step->files[0].name, STR("out/sets/a.csv")));
        CHECK(run_ledger_find(&again, STR("sets")) == NULL);
        CHECK(str_eq(step->inputs[0].name, STR("it's.csv")));
        CHECK(str_eq(again.steps[1].says, STR("of 'a': ''")));
    }
    tap_case("what later steps rest on: names and contents of files, not the words");
    uint64_t before = run_ledger_output(&steps[0]);
    steps[0].says = STR("other");
    CHECK(run_ledger_output(&steps[0]) == before);
    files[0].hash = 1;
    CHECK(run_ledger_output(&steps[0]) != before);
    files[0] = (struct run_ledger_pair){STR("out/sets/b.csv"), 0};
    CHECK(run_ledger_output(&steps[0]) != before);
    tap_case("no file: an empty ledger");
    CHECK(run_ledger_load("/nowhere/assay.lock", &arena, &again, &err) &&
          again.count == 0);
    buf_free(&first);
    buf_free(&second);
    arena_free(&arena);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("lock: %s", rows[i].name);
        check_row(i);
    }
    check_round_trip();
    return tap_done();
}
