/* A file that a key names and that is not there is told with the key's place. */
#include "study/study.h"

#include "tests/tap.h"

static const struct {
    const char *path, *text;
} rows[] = {
    {"p", "s.yaml:2:17: there is no file 'p'; expected posts as csv or json"},
    {"l.csv", "s.yaml:4:20: there is no file 'l.csv'; expected a csv of labels, as in "
              "assay-labels(7)"},
    {"w.csv", "s.yaml:5:39: there is no file 'w.csv'; expected a csv with the columns "
              "class and word"},
    {"t.csv",
     "s.yaml:6:20: there is no file 't.csv'; expected a csv with a row of heads"},
};

int main(void)
{
    struct arena arena = {0};
    struct study_options options = {0};
    struct buf problems = {0};
    struct err err = {0};
    struct study study;

    CHECK(study_parse(STR("study: s\nsource: {posts: p}\nsets: {x: '[x]'}\n"
                          "labels: {l: {from: l.csv}}\n"
                          "classifiers: {c: {train: l, keywords: w.csv, method: "
                          "keyword-weight, seed: 1, "
                          "predict: x}}\n"
                          "tables: {t: {from: t.csv}}\n"),
                      "s.yaml", &options, &arena, &study, &problems, &err));
    buf_add_char(&problems, '\0');
    CHECK_TEXT(problems.ptr, "");
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("absent: %s", rows[i].path);
        CHECK(!study_tell_absent(&study, rows[i].path, &err));
        CHECK_TEXT(err.text, rows[i].text);
        CHECK(err.kind == ERR_INPUT);
    }
    tap_case("absent: one of several dumps");
    CHECK(study_parse(STR("study: s\nsources:\n  a: {stackexchange: [d, e]}\n  b: {rows: "
                          "r}\nsets: {x: '[x]'}\n"),
                      "s.yaml", &options, &arena, &study, &problems, &err));
    CHECK(!study_tell_absent(&study, "e", &err));
    CHECK_TEXT(err.text,
               "s.yaml:3:26: there is no file or folder 'e'; expected a dump, as "
               "in assay-scan(1)");
    CHECK(!study_tell_absent(&study, "r", &err));
    CHECK_TEXT(err.text,
               "s.yaml:4:13: there is no file 'r'; expected a csv whose rows are items");
    tap_case("what expected numbers are");
    CHECK_TEXT(study_expected_word(&study), "published");
    study.simulated = true;
    CHECK_TEXT(study_expected_word(&study), "planted");
    buf_free(&problems);
    arena_free(&arena);
    return tap_done();
}
