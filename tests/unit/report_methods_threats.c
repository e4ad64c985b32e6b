/* Threats: each looks whether it applies to the study. */
#include "tests/unit/drafted.h"

#define HEALTH(finding, value) finding "=" value "\n"
#define SETS(query)            "study: s\nsource: {posts: p.csv}\nsets: {x: '" query "'}\n"
#define COLUMN(measure)        "tables: {t: {of: x, columns: [" measure "]}}\n"
#define SAMPLE(size)           "samples: {p: {of: x, seed: 7, size: " size "}}\n"
#define GROUP(kind)            "groups: {g: {" kind ": {A: '[a]'}}}\n"
#define PEARSON                "{test: pearson, of: x, on: views, with: score"
#define LABELLING \
    "codebooks: {k: k.yaml}\nlabelling: {k: {sample: x, codebook: k, raters: [a, b]}}\n"

static const struct drafted_row rows[] = {
    {"tags", SETS("[x]"), SETS("score:5.."), NULL, "Tags, by which questions"},
    {"tags within a group of conditions", SETS("score:5.. and not ([x] or [y])"),
     SETS("score:5.."), NULL, "Tags, by which questions"},
    {"parts of tags", SETS("tag:~x"), SETS("[x]"), NULL, "a part of a tag"},
    {"words", SETS("title:error"), SETS("[x]"), NULL, "Words in their text"},
    {"parts of words", SETS("title:~err"), SETS("title:error"), NULL,
     "inside of other words"},
    {"accepted answers", COLUMN("share with accepted"), COLUMN("count"), NULL,
     "(in the source 2,000 of 5,000 questions have one)"},
    {"waiting for accepted answers", COLUMN("median hours to accepted"),
     COLUMN("median hours to first answer"), NULL, "Accepted answers stand in"},
    {"popularity", COLUMN("median views"), COLUMN("share"), NULL, "Views and scores"},
    {"the first that fits", GROUP("first-of"), GROUP("all-of"), NULL,
     "several values of `g` counts for the first"},
    {"all that fit", GROUP("all-of"), GROUP("first-of"), NULL, "these groups overlap"},
    {"labels without raters", "labels: {l: {from: l.csv}}\n", "", NULL,
     "The labels `l` come without raters"},
    {"answers before their question", COLUMN("median hours to accepted"), NULL,
     HEALTH("stored: negative waits", "1"),
     "1 accepted answer is older than the question"},
    {"which do not matter without waiting times", COLUMN("median hours to accepted"),
     COLUMN("count"), HEALTH("stored: negative waits", "2"),
     "2 accepted answers are older than the question"},
    {"accepted answers that are missing", COLUMN("share with accepted"), NULL,
     HEALTH("stored: accepted answers missing", "3"), "3 accepted answers are not in"},
    {"censored waits", COLUMN("median hours to accepted"), COLUMN("median views"), NULL,
     "come out too short"},
    {"until when", COLUMN("median hours to accepted"), NULL,
     HEALTH("last post", "2021-09-05T00:00:00.000"),
     "before the end of the data (5 September 2021) had less time"},
    {"until when, of all sources", COLUMN("median hours to accepted"), NULL,
     HEALTH("a: last post", "2021-09-05T00:00:00.000")
         HEALTH("b: last item", "2022-01-02T00:00:00.000"),
     "before the end of the data (2 January 2022) had less time"},
    {"from when to when, of all sources", "", NULL,
     HEALTH("a: first post", "2014-01-01T00:00:00.000")
         HEALTH("a: last post", "2021-09-05T00:00:00.000")
             HEALTH("b: first item", "2012-03-04T00:00:00.000")
                 HEALTH("b: last item", "2020-01-02T00:00:00.000"),
     ", from 4 March 2012 to 5 September 2021: what holds"},
    {"which Kaplan-Meier accounts for", COLUMN("kaplan-meier median hours to accepted"),
     COLUMN("median hours to accepted"), NULL, "Kaplan-Meier medians account for that"},
    {"which others account for, too",
     COLUMN("median hours to accepted") "regressions: {r: {of: x, model: cox, on: days "
                                        "to accepted, with: score}}\n"
                                        "figures: {f: {draw: survival, of: x, on: days "
                                        "to accepted}}\n",
     COLUMN("median hours to accepted"), NULL,
     "survival curves and Cox regressions account for that, other numbers do not"},
    {"rows that could not be read", "", NULL, HEALTH("broken rows skipped", "2"),
     "2 rows of the sources could not be read; what they held is unknown."},
    {"one source", "", "study: s\nsources: {a: {posts: a.csv}, b: {posts: b.csv}}\n",
     NULL, "All data come from one source:"},
    {"a sample and its whole", SAMPLE("10"), "", NULL,
     "What was found in `p` can be carried over to `x` and no further."},
    {"the margin of a sample", SAMPLE("10"), "", NULL,
     "Shares in `p` are known to 4.99 percentage points;"},
    {"a margin that is missed", SAMPLE("95% +- 4%"), SAMPLE("95% +- 5%"), NULL,
     "worse than planned"},
    {"small cells; counts are none", COLUMN("count, share"), COLUMN("count"), NULL,
     "In table `t` 1 of 3 cells rests on fewer than 5 items."},
    {"what counts as small", COLUMN("count, share"),
     "tables: {t: {of: x, columns: [count, share], small: 3}}\n", NULL, "on fewer than"},
    {"intervals that overlap", COLUMN("share"), COLUMN("count"), NULL,
     "In table `t`, `share`, the intervals of 1 of the 2 pairs of rows that are "
     "neighbours by size overlap"},
    {"tests in no family", "tests: {h: " PEARSON "}, k: " PEARSON "}}\n",
     "tests: {h: " PEARSON ", family: f}, k: " PEARSON ", family: f}}\n", NULL,
     "3 p values were computed in 2 tests; 2 of the tests are in no family"},
    {"one test needs none", "tests: {h: " PEARSON "}, k: " PEARSON "}}\n",
     "tests: {h: " PEARSON "}}\n", NULL, "in no family"},
    {"p values that nobody corrected", "tests: {h: " PEARSON ", correct: none}}\n",
     "tests: {h: " PEARSON "}}\n", NULL, "The p values of 1 test are not corrected"},
};

static void none(struct drafted *test)
{
    (void)test;
}

static void still_open(struct drafted *test)
{
    test->rounds[0].closed_ms = 0;
}

static void imported(struct drafted *test)
{
    test->rounds[0].source = STR("l.csv");
}

static void chosen(struct drafted *test)
{
    test->rounds[0].chosen = true;
}

static void two_versions(struct drafted *test)
{
    test->labellings[0].versions = 2;
}

static void one_rater(struct drafted *test)
{
    test->study.labellings[0].rater_count = 1;
    test->agreements[0].raters = 1;
}

static void many_items(struct drafted *test)
{
    test->agreements[0].items = 30;
}

static void poor(struct drafted *test)
{
    test->agreements[0].value.value = 0.6664;
}

static void fair(struct drafted *test)
{
    test->agreements[0].value.value = 0.6666; /* 0.667 when rounded */
}

static void decided(struct drafted *test)
{
    test->agreements[0].address = STR("nothing");
}

static void of_units(struct drafted *test)
{
    test->agreements[0].address = STR("labelling.u");
}

static const struct {
    const char *name;
    void (*change)(struct drafted *test), (*back)(struct drafted *test);
    const char *says;
} changes[] = {
    {"an open round", still_open, none, "A round of the labelling `k` is still open"},
    {"imported labels", imported, none, "Labels of `k` were imported"},
    {"chosen items", chosen, none, "were chosen and not drawn"},
    {"a codebook that changed", two_versions, none, "changed 1 time while"},
    {"a single rater", one_rater, none, "A single rater made the labels of `k`."},
    {"disputes", none, decided, "On Kind\\_of raters differ over 2 items that nobody"},
    {"items of one rater", none, one_rater, "1 item was labelled by one rater alone"},
    {"few items", none, many_items, "Agreement on Kind\\_of rests on 25 items only."},
    {"disputed units", of_units, none, "raters differ over 2 units that nobody"},
    {"units of one rater", of_units, none, "1 unit was labelled by one rater alone"},
    {"few units", of_units, none, "Agreement on Kind\\_of rests on 25 units only."},
    {"poor agreement", poor, fair, "Agreement on Kind\\_of (0.666) is below 0.667"},
};

static bool says(void (*change)(struct drafted *test), const char *text)
{
    struct drafted test;

    drafted_begin(&test, LABELLING);
    drafted_label(&test);
    change(&test);
    drafted_write(&test, "threats");
    bool found = drafted_says(&test, text);
    drafted_end(&test);
    return found;
}

int main(void)
{
    struct drafted test;

    drafted_check(rows, ROWS(rows), "threats");
    for (size_t i = 0; i < ROWS(changes); i++) {
        tap_case("labelled: %s", changes[i].name);
        CHECK(says(changes[i].change, changes[i].says));
        CHECK(!says(changes[i].back, changes[i].says));
    }
    tap_case("a kind of threat that has none is not named");
    drafted_begin(&test, SETS("score:5.."));
    drafted_write(&test, "threats");
    CHECK(!drafted_says(&test, "Construct") && !drafted_says(&test, "Conclusion") &&
          drafted_says(&test, "### External validity\n\n"));
    drafted_end(&test);
    return tap_done();
}
