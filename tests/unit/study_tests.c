/* Tests and expectations of the study file: what is read, and what is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/study.h"
#include "tests/tap.h"

static const char before[] = "study: s\n"
                             "source: {posts: p.csv}\n"
                             "sets: {a: '[a]', b: '[b]'}\n"
                             "groups: {year: created by year}\n"
                             "tables: {t: {of: a, by: year, columns: [count]}}\n";

static bool parse(const char *section, const char *text, struct arena *arena,
                  struct study *out, struct buf *problems)
{
    struct buf whole = {0};
    struct err err = {0};

    buf_add_format(&whole, "%s%s: {%s}\n", before, section, text);
    bool ok = study_parse(arena_copy(arena, buf_str(&whole)), "s.yaml",
                          &(struct study_options){0}, arena, out, problems, &err);
    buf_add_char(problems, '\0');
    buf_free(&whole);
    return ok;
}

/* Without the place at the beginning. */
static const struct {
    const char *name, *test, *problem;
} refused[] = {
    {"items without `on`", "{test: welch, compare: [a, b]}",
     "the key 'on' is missing: what is compared"},
    {"one set", "{test: welch, compare: [a], on: views}",
     "expected `compare` with two sets or more, or `by` with a group"},
    {"a quantity for a test of shares", "{test: proportion, compare: [a, b], on: views}",
     "'proportion' compares shares: `on` must be such as 'share without accepted'"},
    {"a share for a test of values",
     "{test: welch, compare: [a, b], on: share without accepted}",
     "'welch' compares the items' values: `on` must be such as 'minutes to accepted', "
     "without median or share"},
    {"a correlation with nothing", "{test: pearson, of: a, on: views}",
     "a correlation needs `with`: the second quantity"},
    {"a test of cells on items", "{test: friedman, compare: [a, b], on: views}",
     "'friedman' compares the cells of a table: give `table` and `first`"},
    {"a table without columns", "{test: welch, table: t}",
     "a test on a table needs `first`: the columns of one side"},
    {"a table with one side", "{test: welch, table: t, first: [count]}",
     "this test on a table needs `second`: the columns of the other side"},
    {"rows with one side", "{test: chi-square, table: t, first: [count], each: row}",
     "`each: row` needs `second`: a row's counts on both sides are compared with those "
     "of "
     "all other rows"},
    {"one group", "{test: friedman, table: t, first: [count]}",
     "'friedman' on a table needs two columns or more in `first`"},
    {"a test of items on a table",
     "{test: log-rank, table: t, first: [count], second: [count]}",
     "'log-rank' compares items, not the cells of a table"},
    {"a log-rank test of what is no time", "{test: log-rank, compare: [a, b], on: score}",
     "'log-rank' compares waiting times such as 'days to accepted', not 'score'"},
    {"three sets for a test of two",
     "{test: mann-whitney, compare: [a, b, a], on: score}",
     "'mann-whitney' compares two groups, but there are 3; kruskal-wallis or chi-square "
     "compare more"},
    {"a column that the table has not",
     "{test: chi-square, table: t, first: [count, Share x]}",
     "table 't' has no column 'Share-x'; it has count"},
    {"an unknown test", "{test: welsh, compare: [a, b], on: views}",
     "did you mean 'welch'?"},
    {"an unknown set", "{test: welch, compare: [a, c], on: views}", "'c'"},
};

static void check_refused(void)
{
    for (size_t i = 0; i < ROWS(refused); i++) {
        struct arena arena = {0};
        struct buf problems = {0};
        struct study study;
        char text[300];
        tap_case("refused: %s", refused[i].name);
        snprintf(text, sizeof text, "x: %s", refused[i].test);
        CHECK(!parse("tests", text, &arena, &study, &problems));
        if (!CHECK(strstr(problems.ptr, refused[i].problem) != NULL))
            CHECK_TEXT(problems.ptr, refused[i].problem);
        CHECK(strncmp(problems.ptr, "s.yaml:6:", 9) == 0);
        buf_free(&problems);
        arena_free(&arena);
    }
}

/* What is said of a test that is none is that alone. */
static void check_unknown(struct arena *arena)
{
    struct buf problems = {0};
    struct study study;

    tap_case("an unknown test has no further problems");
    CHECK(!parse("tests", "x: {test: chisquare, of: a, by: year, on: views}", arena,
                 &study, &problems));
    CHECK_TEXT(problems.ptr,
               "s.yaml:6:19: unknown value 'chisquare'; did you mean 'chi-square'?\n");
    buf_free(&problems);
}

static void check_read(struct arena *arena)
{
    struct buf problems = {0};
    struct study study;

    tap_case("tests are read, with what they have when nothing is said");
    if (CHECK(parse(
            "tests",
            "x: {test: kruskal-wallis, of: a, by: year, on: views, level: 0.01, "
            "correct: bonferroni, yates: no, seed: 7, round-first: 2}, "
            "y: {test: fisher, table: t, first: [count], second: [count], each: row}",
            arena, &study, &problems))) {
        const struct study_test *x = &study.tests[0], *y = &study.tests[1];
        CHECK(study.test_count == 2 && str_eq(x->name, STR("x")));
        CHECK(x->kind == STUDY_KRUSKAL_WALLIS && str_eq(x->of, STR("a")) && x->by == 0);
        CHECK(x->level == 0.01 && x->correct == STUDY_BONFERRONI && !x->yates);
        CHECK(x->seed == 7 && x->round_first == 2 && x->table == STUDY_NONE);
        CHECK(y->kind == STUDY_FISHER && y->table == 0 && y->each == STUDY_EACH_ROW);
        CHECK(y->first_count == 1 && y->second_count == 1 && y->by == STUDY_NONE);
        CHECK(y->level == 0.05 && y->correct == STUDY_HOLM && y->yates);
        CHECK(y->round_first == -1);
    }
    CHECK_TEXT(problems.ptr, "");
    buf_free(&problems);
}

static void check_expectations(struct arena *arena)
{
    struct buf problems = {0};
    struct study study;

    tap_case("expectations: short, and with all that can be said");
    if (CHECK(
            parse("expect",
                  "sets.a: 12, 'sets.a #2': {value: 13, source: Table 1, known: a slip, "
                  "right: 12, tolerance: 0.5}, tables.t.*: {value: 1%, needs: dump}",
                  arena, &study, &problems))) {
        const struct study_expectation *at = study.expectations;
        CHECK(study.expectation_count == 3 && at[0].line == 6);
        CHECK(str_eq(at[0].expression, STR("sets.a")) && str_eq(at[0].value, STR("12")));
        CHECK(isnan(at[0].tolerance) && at[0].source.len == 0);
        CHECK(str_eq(at[1].expression, STR("sets.a")) && str_eq(at[1].value, STR("13")));
        CHECK(str_eq(at[1].known, STR("a slip")) && str_eq(at[1].right, STR("12")));
        CHECK(at[1].tolerance == 0.5 && str_eq(at[1].source, STR("Table 1")));
        CHECK(str_eq(at[2].needs, STR("dump")));
    }
    CHECK_TEXT(problems.ptr, "");
    tap_case("refused: what is right without why");
    buf_clear(&problems);
    CHECK(!parse("expect", "sets.a: {value: 13, right: 12}", arena, &study, &problems));
    CHECK(strstr(problems.ptr,
                 "`right` needs `known`: why the published value is wrong") != NULL);
    buf_free(&problems);
}

int main(void)
{
    struct arena arena = {0};

    check_refused();
    check_unknown(&arena);
    check_read(&arena);
    check_expectations(&arena);
    arena_free(&arena);
    return tap_done();
}
