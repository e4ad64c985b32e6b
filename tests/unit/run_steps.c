/* Steps: their order, which need which; which change makes which step run again, and for
 * what reason. Each row changes one file of a study that is up to date; the plan must say
 * so, the run make no more. */
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
    CHECK(run_steps_find(&steps, &run_kind_sample, 0) == 5);
    buf_free(&problems);
    buf_free(&out);
    arena_free(&arena);
}

static const struct {
    const char *name;
    const char *file, *text; /* what is written; text NULL: it is taken away */
    const char *plan, *made;
} rows[] = {
    {"nothing", "study.yaml", STUDIED_STUDY, "", ""},
    {"comments, order and formatting", "study.yaml",
     "# a comment\n" STUDIED_TABLES STUDIED_SAMPLES STUDIED_LABELS STUDIED_GROUPS
     "sets: {z: \"[z]\", y: 'in:x   and (score:1..)', x: '[x]'}\n"
     "source:\n  posts: p.csv\nstudy: s\n",
     "", ""},
    {"a set that nobody names", "study.yaml",
     STUDIED_HEAD
     "sets:\n  x: '[x]'\n  y: 'in:x and score:1..'\n  z: '[z] or [y]'\n" STUDIED_GROUPS
         STUDIED_LABELS STUDIED_SAMPLES STUDIED_TABLES,
     "runs sets.z: its section of the study file has changed\n", "made sets.z\n"},
    {"a set that others rest on", "study.yaml",
     STUDIED_HEAD
     "sets:\n  x: '[x] or [z]'\n  y: 'in:x and score:1..'\n  z: '[z]'\n" STUDIED_GROUPS
         STUDIED_LABELS STUDIED_SAMPLES STUDIED_TABLES,
     "runs sets.x: its section of the study file has changed\n"
     "may sets.y: sets.x is made before it\n"
     "may samples.p: sets.x is made before it\n"
     "may tables.t: sets.x is made before it\n"
     "may tables.u: samples.p is made before it\n"
     "may tables.w: sets.x is made before it\n",
     "made sets.x\nmade sets.y\nmade samples.p\nmade tables.t\nmade tables.u\n"
     "made tables.w\n"},
    {"a group", "study.yaml",
     STUDIED_HEAD STUDIED_SETS
     "groups:\n  g: {first-of: {B: '[b]', A: '[a]'}}\n  c: {labels: l}\n" STUDIED_LABELS
         STUDIED_SAMPLES STUDIED_TABLES,
     "runs tables.t: groups.g has changed in the study file\n", "made tables.t\n"},
    {"a seed", "study.yaml",
     STUDIED_HEAD STUDIED_SETS STUDIED_GROUPS STUDIED_LABELS
     "samples:\n  p: {of: x, size: 2, seed: 2}\n" STUDIED_TABLES,
     "runs samples.p: its section of the study file has changed\n"
     "may tables.u: samples.p is made before it\n",
     "made samples.p\nmade tables.u\n"},
    {"labels", "l.csv", "item,code\n1,one\n2,one\n",
     "runs labels.l: l.csv has changed\nmay tables.w: labels.l is made before it\n",
     "made labels.l\nmade tables.w\n"},
    {"labels in another order come out the same: what rests on them is not made", "l.csv",
     "item,code\n2,two\n1,one\n",
     "runs labels.l: l.csv has changed\nmay tables.w: labels.l is made before it\n",
     "made labels.l\n"},
    {"a comment in the codebook", "k.yaml", "# why\n" STUDIED_CODEBOOK,
     "runs labels.l: k.yaml has changed\nmay tables.w: labels.l is made before it\n",
     "made labels.l\n"},
    {"a code that nobody gave is a row all the same", "k.yaml",
     "codebook: k\ncodes: {one: One, two: Two, three: Three}\n",
     "runs labels.l: k.yaml has changed\nmay tables.w: labels.l is made before it\n",
     "made labels.l\nmade tables.w\n"},
    {"a result taken away", "out/tables/t.csv", NULL,
     "runs tables.t: out/tables/t.csv is not there\n", "made tables.t\n"},
    {"a result edited", "out/tables/t.md", "mine",
     "runs tables.t: out/tables/t.md was changed by hand\n", "made tables.t\n"},
    {"a result that others rest on, taken away: they stay", "out/sets/x.csv", NULL,
     "runs sets.x: out/sets/x.csv is not there\n"
     "may sets.y: sets.x is made before it\n"
     "may samples.p: sets.x is made before it\n"
     "may tables.t: sets.x is made before it\n"
     "may tables.u: samples.p is made before it\n"
     "may tables.w: sets.x is made before it\n",
     "made sets.x\n"},
    {"a table that is no more", "study.yaml",
     STUDIED_HEAD STUDIED_SETS STUDIED_GROUPS STUDIED_LABELS STUDIED_SAMPLES
     "tables:\n  t: {of: x, by: g}\n  u: {of: p}\n  w: {of: x, by: c}\n",
     "", ""},
    {"a table that is new", "study.yaml", STUDIED_STUDY "  new: {of: z}\n",
     "runs tables.new: it has not been made yet\n", "made tables.new\n"},
    {"the lock taken away", "assay.lock", NULL,
     "runs sets.x: it has not been made yet\nruns sets.y: it has not been made yet\n"
     "runs sets.z: it has not been made yet\nruns labels.l: it has not been made yet\n"
     "runs samples.p: it has not been made yet\nruns tables.t: it has not been made yet\n"
     "runs tables.u: it has not been made yet\nruns tables.v: it has not been made yet\n"
     "runs tables.w: it has not been made yet\n",
     "made sets.x\nmade sets.y\nmade sets.z\nmade labels.l\nmade samples.p\nmade "
     "tables.t\n"
     "made tables.u\nmade tables.v\nmade tables.w\n"},
};

static void check_row(size_t i)
{
    struct studied test;

    if (!studied_begin(&test))
        return;
    studied_fill(&test);
    CHECK(studied_run(&test));
    if (rows[i].text != NULL)
        studied_write(&test, rows[i].file, rows[i].text);
    else
        file_remove(studied_path(&test, rows[i].file));
    CHECK(studied_plan(&test));
    studied_told(&test, rows[i].plan);
    CHECK(studied_run(&test));
    studied_told(&test, rows[i].made);
    CHECK(studied_run(&test));
    studied_told(&test, "");
    studied_end(&test);
}

/* Why the report would be made, which other tests leave out. */
static const struct {
    const char *name, *text, *reason;
} reports[] = {
    {"a title", "title: T\n" STUDIED_STUDY, "title is new in the study file"},
    {"a group",
     STUDIED_HEAD STUDIED_SETS
     "groups:\n  g: {first-of: {B: '[b]', A: '[a]'}}\n  c: {labels: l}\n" STUDIED_LABELS
         STUDIED_SAMPLES STUDIED_TABLES,
     "groups.g has changed in the study file"},
    {"a table that is no more",
     STUDIED_HEAD STUDIED_SETS STUDIED_GROUPS STUDIED_LABELS STUDIED_SAMPLES
     "tables:\n  t: {of: x, by: g}\n  u: {of: p}\n  w: {of: x, by: c}\n",
     "tables.v is gone from the study file"},
};

static void check_report(size_t i)
{
    struct studied test;
    struct study study;
    struct run_steps steps;
    struct str corpus;

    if (!studied_begin(&test))
        return;
    studied_fill(&test);
    CHECK(studied_run(&test));
    studied_write(&test, "study.yaml", reports[i].text);
    struct run_options options = studied_options(&test);
    if (CHECK(studied_load(&test, &study)) &&
        CHECK(run_plan(&study, &options, &test.arena, &steps, &corpus, &test.err)))
        CHECK(str_eq(steps.at[steps.count - 1].reason, str_from(reports[i].reason)));
    studied_end(&test);
}

/* A group that names a set rests on what the set is, not on its name alone. */
static void check_group_of_set(void)
{
    static const char *const text =
        "study: s\nsource: {posts: p.csv}\nsets: {a: '[a]', b: '[b]', x: '[x]'}\n"
        "groups: {g: {first-of: {A: 'in:a'}}}\ntables: {t: {of: x, by: g}}\n";
    struct studied test;
    struct buf changed = {0};

    if (!studied_begin(&test))
        return;
    studied_fill(&test);
    studied_write(&test, "study.yaml", text);
    CHECK(studied_run(&test));
    buf_add(&changed, str_from(text));
    buf_add_char(&changed, '\0');
    memcpy(strstr(changed.ptr, "[a]"), "[c]", 3);
    studied_write(&test, "study.yaml", changed.ptr);
    tap_case("a set that a group names: the group is told from what it selects");
    CHECK(studied_plan(&test));
    buf_add_char(&test.told, '\0');
    CHECK(strstr(test.told.ptr, "runs tables.t: what groups.g selects has changed in the "
                                "study file\n") != NULL);
    buf_free(&changed);
    studied_end(&test);
}

static void check_absent(void)
{
    struct studied test;

    if (!studied_begin(&test))
        return;
    studied_fill(&test);
    file_remove(studied_path(&test, "l.csv"));
    tap_case("labels that are not there: the key that names them");
    CHECK(!studied_run(&test) && test.err.kind == ERR_INPUT);
    CHECK(strstr(test.err.text, "study.yaml:") != NULL &&
          strstr(test.err.text, "there is no file '") != NULL &&
          strstr(test.err.text, "l.csv'; expected a csv of labels") != NULL);
    studied_end(&test);
}

int main(void)
{
    check_order();
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("changed: %s", rows[i].name);
        check_row(i);
    }
    for (size_t i = 0; i < ROWS(reports); i++) {
        tap_case("the report: %s", reports[i].name);
        check_report(i);
    }
    check_group_of_set();
    check_absent();
    return tap_done();
}
