/* A labelling task within a run: nothing yet, then labels, of which tables are made. */
#include "run/labelling.h"

#include "run/output.h"
#include "tests/unit/labelled.h"
#include "tests/unit/listed.h"

#define TABLES \
    "groups: {c: {labels: bugs}, top: {labels: bugs, level: 1}}\n" \
    "tables:\n  kinds: {of: all, by: c}\n  tops: {of: all, by: top}\n" \
    "  agreement: {labelling: bugs, show: agreement}\n" \
    "  confusion: {labelling: bugs, show: confusion}\n" \
    "  states: {labelling: bugs, show: states}\n" \
    "  saturation: {labelling: bugs, show: saturation}\n" \
    "figures: {s: {draw: lines, table: saturation}}\n"

static void write_study(struct studied *test)
{
    struct buf posts = {0};

    buf_add(&posts, STR("Id,PostTypeId,Tags,CreationDate\n"));
    for (int i = 1; i <= 12; i++)
        buf_add_format(&posts, "%d,1,<x>,2019-01-%02d\n", i, i);
    buf_add_char(&posts, '\0');
    studied_write(test, "p.csv", posts.ptr);
    studied_write(test, "k.yaml", LABELLED_CODEBOOK);
    studied_write(test, "study.yaml", LABELLED_STUDY TABLES);
    buf_free(&posts);
}

static const struct {
    const char *name, *group, *problem;
} dimensions[] = {
    {"none of two", "{labels: bugs}",
     "the codebook of 'bugs' has several dimensions: expected `dimension`, one of a, b; "
     "found ''"},
    {"one that is not there", "{labels: bugs, dimension: c}", "one of a, b; found 'c'"},
    {"one of them", "{labels: bugs, dimension: b}", ""},
};

static void check_dimensions(void)
{
    struct studied test;

    if (!studied_begin(&test))
        return;
    studied_write(
        &test, "k.yaml",
        "codebook: bugs\ndimensions: {a: {codes: {x: X}}, b: {codes: {y: Y}}}\n");
    for (size_t i = 0; i < ROWS(dimensions); i++) {
        struct buf text = {0}, problems = {0};
        struct study_options options = {0};
        struct study study;
        struct err err = {0};
        tap_case("a dimension of the codebook: %s", dimensions[i].name);
        buf_add_format(&text, "%sgroups: {g: %s}\n", LABELLED_STUDY, dimensions[i].group);
        buf_add_char(&text, '\0');
        studied_write(&test, "study.yaml", text.ptr);
        bool ok = study_load(test.folder, &options, &test.arena, &study, &problems, &err);
        buf_add_char(&problems, '\0');
        CHECK(ok == (dimensions[i].problem[0] == '\0'));
        CHECK(strstr(problems.ptr, dimensions[i].problem) != NULL);
        buf_free(&text);
        buf_free(&problems);
    }
    studied_end(&test);
}

/* Raters go on while the study runs: when the labelling has been made, the arbiter
 * settles all disputes and the lead accepts a new code. */
static void save_meanwhile(void *context, struct str step, const char *what,
                           struct str text)
{
    struct labelled *test = context;
    struct label_proposal proposal = {
        .rater = STR("ann"), .dimension = STR("bugs"), .code = STR("late"), .item = 11};
    struct label_dispute *disputes;
    struct str path = STR("late");
    size_t count;

    (void)text;
    if (!str_eq(step, STR("labelling.bugs")) || strcmp(what, "made") != 0)
        return;
    CHECK(labelled_open(test));
    CHECK(label_propose(test->label, &proposal, &test->in.err));
    CHECK(label_judge_proposal(test->label, proposal.id, true, STR("eve"), STR(""),
                               &test->in.err));
    CHECK(label_disputes(test->label, &test->in.arena, &disputes, &count, &test->in.err));
    CHECK(count == 3);
    for (size_t i = 0; i < count; i++) {
        struct label_decision decision = {.item = disputes[i].item,
                                          .dimension = disputes[i].dimension,
                                          .by = STR("eve"),
                                          .codes = &path,
                                          .code_count = 1,
                                          .reason = LABEL_GAP};
        CHECK(label_decide(test->label, &decision, &test->in.err));
    }
    labelled_close(test);
}

static size_t coded_of(struct labelled *test)
{
    struct run_labelling_final *finals;
    size_t count, coded = 0;

    CHECK(run_labelling_finals(&test->study, test->study.groups[0].labels,
                               &test->in.arena, &finals, &count, &test->in.err));
    CHECK(count == 12);
    for (size_t i = 0; i < count; i++)
        coded += finals[i].coded;
    return coded;
}

static void check_meanwhile(void)
{
    struct labelled test = {0};
    int64_t made;

    if (!studied_begin(&test.in))
        return;
    write_study(&test.in);
    CHECK(studied_run(&test.in));
    CHECK(labelled_open(&test));
    CHECK(labelled_end_round(&test, labelled_fill(&test)));
    labelled_close(&test);
    tap_case("labels that are saved while the study runs count in the next run");
    struct run_options options = studied_options(&test.in);
    options.tell = save_meanwhile;
    options.context = &test;
    CHECK(studied_load(&test.in, &test.study) &&
          run_study(&test.study, &options, &made, &test.in.err));
    const char *kinds = studied_read(&test.in, "out/tables/kinds.csv");
    CHECK(strstr(kinds, "Model,3\n") != NULL && strstr(kinds, "late") == NULL);
    CHECK(coded_of(&test) == 9);
    CHECK(studied_plan(&test.in));
    buf_add_char(&test.in.told, '\0');
    CHECK(strstr(test.in.told.ptr, "runs labelling.bugs: labels.db has changed\n") !=
          NULL);
    CHECK(studied_run(&test.in));
    CHECK(strstr(studied_read(&test.in, "out/tables/kinds.csv"), "late,3\n") != NULL);
    CHECK(coded_of(&test) == 12);
    CHECK_TEXT(studied_read(&test.in, "out/labelling/bugs/codebook.csv"),
               "dimension,code,name,special\nbugs,data,data,\nbugs,data/parse,Parsing,\n"
               "bugs,data/load,Loading,\nbugs,model,Model,\nbugs,unclear,Unclear,yes\n"
               "bugs,late,late,\n");
    labelled_end(&test);
}

/* All that a study may make of labels, and what is made of that. */
#define SPOILT_STUDY \
    LABELLED_STUDY \
    "classifiers: {m: {train: bugs, method: complement-bayes, seed: 1, predict: x}}\n" \
    "topics: {t: {of: x, topics: 2, iterations: 20, seed: 1}}\n" \
    "groups: {c: {labels: bugs}, said: {predicted: m}, about: {topics: t}}\n" \
    "tables:\n  kinds: {of: all, by: c}\n  said: {of: x, by: said}\n" \
    "  about: {of: x, by: about}\n  states: {labelling: bugs, show: states}\n" \
    "  scores: {classifier: m, show: scores}\n"

static int spoil_file(const char *path, const struct stat *status, int type,
                      struct FTW *walk)
{
    static const struct str ends[] = {STR_INIT(".csv"), STR_INIT(".json"),
                                      STR_INIT(".md"), STR_INIT(".tex"),
                                      STR_INIT(".html")};
    struct err err = {0};

    (void)status, (void)walk;
    for (size_t i = 0; i < ROWS(ends) && type == FTW_F; i++)
        if (str_ends(str_from(path), ends[i]))
            CHECK(file_write(path, STR("id,code\n1,model\n"), &err));
    return 0;
}

/* Whatever is for people and other programs is spoilt as soon as it is written. */
static void spoil(void *context, struct str step, const char *what, struct str text)
{
    (void)step, (void)text;
    if (strcmp(what, "made") == 0)
        nftw(studied_path(context, "out"), spoil_file, 8, FTW_PHYS);
}

static void label_all(struct labelled *test)
{
    struct buf posts = {0};

    buf_add(&posts, STR("Id,PostTypeId,Tags,CreationDate,Title,Body\n"));
    for (int i = 1; i <= 24; i++)
        buf_add_format(&posts, "%d,1,<x>,2019-01-%02d,%s number,%s of it %d\n", i, i,
                       i % 2 == 0 ? "Crash" : "Slow", i % 3 == 0 ? "loading" : "shape",
                       i);
    buf_add_char(&posts, '\0');
    studied_write(&test->in, "p.csv", posts.ptr);
    buf_free(&posts);
    studied_write(&test->in, "k.yaml", LABELLED_CODEBOOK);
    studied_write(&test->in, "study.yaml", LABELLED_STUDY);
    CHECK(studied_run(&test->in) && labelled_open(test));
    CHECK(labelled_end_round(test, labelled_fill(test)));
    labelled_close(test);
    studied_write(&test->in, "study.yaml", SPOILT_STUDY);
}

static void check_spoilt(void)
{
    static const char *const files[] = {"results/sets.x.result",
                                        "results/samples.all.result",
                                        "results/labelling.bugs.result",
                                        "results/classifiers.m.result",
                                        "results/topics.t.result",
                                        "results/tables.kinds.result",
                                        "results/tables.said.result",
                                        "results/tables.about.result",
                                        "results/tables.states.result",
                                        "results/tables.scores.result",
                                        "tables/said.csv",
                                        "labelling/bugs/final.csv",
                                        "classifiers/m/predicted.csv",
                                        "topics/t/main.csv",
                                        "sets/x.csv",
                                        "samples/all.csv",
                                        "labelling/bugs/codebook.csv",
                                        "report/index.html"};
    const size_t results = 10;
    struct labelled plain = {0}, spoilt = {0};
    int64_t made;

    if (!studied_begin(&plain.in) || !studied_begin(&spoilt.in))
        return;
    label_all(&plain);
    label_all(&spoilt);
    tap_case("exports that are spoilt in the middle of a run change no result");
    CHECK(studied_run(&plain.in));
    struct run_options options = studied_options(&spoilt.in);
    options.tell = spoil;
    CHECK(studied_load(&spoilt.in, &spoilt.study) &&
          run_study(&spoilt.study, &options, &made, &spoilt.in.err));
    for (size_t i = 0; i < ROWS(files); i++) {
        const char *path = arena_format(&plain.in.arena, "out/%s", files[i]).ptr;
        const char *want = studied_read(&plain.in, path);
        const char *got = studied_read(&spoilt.in, path);
        CHECK(want[0] != '\0' && (strcmp(got, want) == 0) == (i < results));
    }
    tap_case("they are made again by the next run, and so are those that are gone");
    file_remove(studied_path(&spoilt.in, "out/topics/t/main.csv"));
    file_remove(studied_path(&spoilt.in, "out/samples/all.csv"));
    CHECK(labelled_open(&spoilt)); /* the items of a task are no export either */
    labelled_close(&spoilt);
    CHECK(studied_run(&spoilt.in));
    for (size_t i = 0; i < ROWS(files); i++) {
        const char *path = arena_format(&plain.in.arena, "out/%s", files[i]).ptr;
        CHECK_TEXT(studied_read(&spoilt.in, path), studied_read(&plain.in, path));
    }
    labelled_end(&plain);
    labelled_end(&spoilt);
}

/* Item 11: a and a; 12: a and b; 13: sub by one; 14: b, sub and a; 15: a and sub. */
#define THREE \
    "item,rater,dimension,code\n11,x,d,a\n12,x,d,a\n12,y,d,b\n11,y,d,a\n13,x,d,b/s\n" \
    "14,x,d,b\n14,y,d,b/s\n14,z,d,a\n15,x,d,a\n15,y,d,b/s\n11,x,e,u\n11,y,e,v\n"

static const struct {
    const char *table, *row, *column, *want;
} lists[] = {
    {"agreement", "d", "items",
     "items that two raters or more have labelled: 12 11 14 15"},
    {"checkpoints.d", "50%", "items",
     "items that two raters or more have labelled: 12 11"},
    {"codes.d", "bee", "labels", "items that a rater called 'bee': 12 13 14 15"},
    {"codes.d", "sub", "labels", "items that a rater called 'sub': 13 14 15"},
    {"codes.d", "sub", "items",
     "items that two raters or more have labelled: 12 11 14 15"},
    {"raters.d", "x and y", "items", "items that both raters have labelled: 11 12 14 15"},
    {"raters.d", "y and z", "items", "items that both raters have labelled: 14"},
    {"confusion.d", "ay", "ay", "items that both raters called 'ay': 11"},
    {"confusion.d", "ay", "bee",
     "items that one rater called 'ay' and the other 'bee': 12 14"},
    {"confusion.d", "bee", "ay",
     "items that one rater called 'ay' and the other 'bee': 12 14"},
    {"confusion.d", "sub", "ay",
     "items that one rater called 'ay' and the other 'sub': 14 15"},
    /* In draw order. */
    {"states.d", "unanimous", "items", "items whose label is unanimous: 11"},
    {"states.d", "unresolved", "items", "items whose label is unresolved: 12 15 14"},
    {"states.e", "unresolved", "items", "items whose label is unresolved: 11"},
    {"states.e", "unanimous", "items", ""},
};

static size_t row_of(const struct result_table *table, const char *name)
{
    size_t row = 0;

    while (row < table->row_count && !str_eq(table->rows[row].name, str_from(name)))
        row++;
    CHECK(row < table->row_count);
    return row;
}

static void check_lists(const struct result *result)
{
    for (size_t i = 0; i < ROWS(lists); i++) {
        const struct result_table *table = result_find(result, str_from(lists[i].table));
        size_t column = 0;
        tap_case("the items behind %s, %s, %s", lists[i].table, lists[i].row,
                 lists[i].column);
        if (!CHECK(table != NULL))
            continue;
        while (column < table->column_count &&
               !str_eq(table->columns[column].name, str_from(lists[i].column)))
            column++;
        if (CHECK(column < table->column_count))
            listed_expect(table, row_of(table, lists[i].row), column, lists[i].want);
    }
}

/* Worked out by hand. */
static void check_behind(void)
{
    struct labelled test = {0};
    struct result result;
    int64_t count;

    if (!studied_begin(&test.in))
        return;
    studied_write(&test.in, "p.csv",
                  "Id,PostTypeId,Tags,CreationDate\n11,1,<x>,2019-01-01\n"
                  "12,1,<x>,2019-01-01\n13,1,<x>,2019-01-01\n14,1,<x>,2019-01-01\n"
                  "15,1,<x>,2019-01-01\n");
    studied_write(&test.in, "k.yaml",
                  "codebook: bugs\ndimensions:\n"
                  "  d: {codes: {a: ay, b: {name: bee, codes: {s: sub}}}}\n"
                  "  e: {codes: {u: you, v: vee}}\n");
    studied_write(
        &test.in, "study.yaml",
        LABELLED_HEAD
        "labelling: {bugs: {sample: all, raters: [x, y, z], checkpoints: [50%], "
        "seed: 5}}\n");
    CHECK(studied_run(&test.in));
    CHECK(labelled_open(&test));
    CHECK(labelled_import(&test, THREE, (struct label_import_options){0}, &count));
    CHECK_TEXT(test.in.err.text, "");
    labelled_close(&test);
    if (CHECK(studied_run(&test.in)) &&
        CHECK(run_output_read(test.in.folder, "labelling", STR("bugs"), &test.in.arena,
                              &result, &test.in.err)))
        check_lists(&result);
    CHECK_TEXT(test.in.err.text, "");
    labelled_end(&test);
}

int main(void)
{
    struct labelled test = {0};

    if (!studied_begin(&test.in))
        return tap_done();
    write_study(&test.in);
    tap_case("nothing is labelled yet: tables are empty, and no labels.db is made");
    CHECK(studied_run(&test.in));
    CHECK_TEXT(test.in.err.text, "");
    CHECK_TEXT(studied_read(&test.in, "out/labelling/bugs/final.csv"),
               "id,code,name,state,raters,chosen,outside\n");
    CHECK(!file_exists(studied_path(&test.in, "labels.db")));

    tap_case("what raters say makes the task's step run, and what rests on it");
    CHECK(labelled_open(&test));
    int64_t round = labelled_fill(&test);
    CHECK(labelled_end_round(&test, round));
    labelled_close(&test);
    CHECK(studied_plan(&test.in));
    buf_add_char(&test.in.told, '\0');
    CHECK(strstr(test.in.told.ptr, "runs labelling.bugs: labels.db has changed\n") !=
          NULL);
    CHECK(studied_run(&test.in));
    CHECK_TEXT(test.in.err.text, "");
    buf_add_char(&test.in.told, '\0');
    CHECK(strstr(test.in.told.ptr, "made tables.kinds\n") != NULL);

    tap_case("unanimous labels are final, disputed ones wait for the arbiter");
    /* Of 12 items bob differs on 3; 6 are parse, 3 of the 6 models are agreed on. */
    CHECK(strstr(studied_read(&test.in, "out/tables/kinds.csv"), "Parsing,6\n") != NULL);
    CHECK(strstr(studied_read(&test.in, "out/tables/kinds.csv"), "Model,3\n") != NULL);
    CHECK(strstr(studied_read(&test.in, "out/tables/tops.csv"), "data,6\n") != NULL);
    CHECK_TEXT(studied_read(&test.in, "out/labelling/bugs/states.csv"),
               "state,items,share\nunanimous,9,0.75\nsingle,0,0\nadjudicated,0,0\n"
               "unresolved,3,0.25\npending,0,0\n");

    tap_case("agreement is that of the table, counted by hand");
    /* Observed 9/12; ann 6 and 6, bob 6, 3 and 3: expected (6*6 + 6*3) / 144 = 3/8;
     * kappa (3/4 - 3/8) / (5/8) = 0.6. */
    CHECK(strstr(studied_read(&test.in, "out/labelling/bugs/agreement.csv"),
                 "\nbugs,12,0.75,0.6,") != NULL);
    CHECK(strstr(studied_read(&test.in, "out/tables/agreement.md"), "| 0.600 [") != NULL);
    CHECK_TEXT(studied_read(&test.in, "out/labelling/bugs/confusion.csv"),
               "code,Parsing,Model,Unclear\nParsing,6,0,0\nModel,0,3,3\nUnclear,0,3,0\n");

    tap_case("a decision makes it final; a second run has nothing to do");
    CHECK(labelled_open(&test));
    struct label_dispute *disputes;
    size_t count;
    CHECK(label_disputes(test.label, &test.in.arena, &disputes, &count, &test.in.err));
    CHECK(count == 3);
    for (size_t i = 0; i < count; i++) {
        struct str path = STR("unclear");
        struct label_decision decision = {.item = disputes[i].item,
                                          .dimension = disputes[i].dimension,
                                          .by = STR("eve"),
                                          .codes = &path,
                                          .code_count = 1,
                                          .reason = LABEL_AMBIGUOUS};
        CHECK(label_decide(test.label, &decision, &test.in.err));
    }
    labelled_close(&test);
    CHECK(studied_run(&test.in));
    CHECK(strstr(studied_read(&test.in, "out/tables/kinds.csv"), "Unclear,3\n") != NULL);
    CHECK(strstr(studied_read(&test.in, "out/labelling/bugs/states.csv"),
                 "adjudicated,3,0.25\nunresolved,0,0\n") != NULL);
    CHECK(studied_run(&test.in));
    studied_told(&test.in, "");

    tap_case("a code that was accepted while labelling is one of the tables'");
    CHECK(labelled_open(&test));
    struct label_proposal proposal = {.rater = STR("ann"),
                                      .dimension = STR("bugs"),
                                      .parent = STR("data"),
                                      .code = STR("shape"),
                                      .name = STR("Wrong shape"),
                                      .item = 1};
    CHECK(label_propose(test.label, &proposal, &test.in.err));
    CHECK(label_judge_proposal(test.label, proposal.id, true, STR("eve"), STR("needed"),
                               &test.in.err));
    CHECK(label_disputes(test.label, &test.in.arena, &disputes, &count, &test.in.err));
    struct str path = STR("data/shape");
    struct label_decision decision = {.item = disputes[0].item,
                                      .dimension = disputes[0].dimension,
                                      .by = STR("eve"),
                                      .codes = &path,
                                      .code_count = 1,
                                      .reason = LABEL_GAP};
    CHECK(label_decide(test.label, &decision, &test.in.err));
    labelled_close(&test);
    CHECK(studied_run(&test.in));
    CHECK_TEXT(test.in.err.text, "");
    CHECK(strstr(studied_read(&test.in, "out/tables/kinds.csv"), "Wrong shape,1\n") !=
          NULL);
    studied_end(&test.in);
    check_meanwhile();
    check_spoilt();
    check_dimensions();
    check_behind();
    return tap_done();
}
