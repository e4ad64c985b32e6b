/* Measures, tests and reproduction: each sentence is there when it is true, and only
 * then. */
#include "tests/unit/drafted.h"

#define COLUMN(measure) "tables: {t: {of: x, columns: [" measure "]}}\n"
#define GROUPS          "groups: {year: created by year}\n"
#define KRUSKAL(rest) \
    GROUPS "tests: {h: {test: kruskal-wallis, of: x, by: year, on: views" rest "}}\n"
#define PEARSON "{test: pearson, of: x, on: views, with: score"

static const struct drafted_row rows[] = {
    {"measures are named once", COLUMN("count, median views"), COLUMN("count"), NULL,
     "1 table was computed from the corpus. The measures are `count` and `median views`"},
    {"tables of files are not computed", COLUMN("count"), "tables: {t: {from: t.csv}}\n",
     NULL, "computed from the corpus"},
    {"shares", COLUMN("share with accepted"), COLUMN("count"), NULL, "Wilson"},
    {"medians", COLUMN("median views"), COLUMN("mean views"), NULL,
     "mean of the middle two"},
    {"quantiles", COLUMN("third quartile views"), COLUMN("median views"), NULL,
     "Hyndman and Fan"},
    {"waiting times", COLUMN("median hours to accepted"), COLUMN("median views"), NULL,
     "Waiting times run"},
    {"censoring", COLUMN("kaplan-meier median hours to accepted"),
     COLUMN("median hours to accepted"), NULL, "censored"},
    {"the whole site", COLUMN("share of census"), COLUMN("share"), NULL,
     "compare with all questions of the source"},
    {"rounding first", COLUMN("{measure: median views, round-first: 2}"),
     COLUMN("median views"), NULL, "rounded before"},
    {"a test with its pairs", KRUSKAL(""), "tests: {k: " PEARSON "}}\n", NULL,
     "1 test was carried out, with 2 p values in all"},
    {"a correlation", "tests: {k: " PEARSON "}}\n", KRUSKAL(""), NULL,
     "- `k`: Pearson's correlation on `views` and `score`; effect size: r; level 0.05."},
    {"a ranking has no level",
     GROUPS "tests: {k: {test: scott-knott, of: x, by: year, on: views}}\n", KRUSKAL(""),
     NULL, "(Tantithamthavorn et al., IEEE TSE 43(1), 2017), on `views`.\n"},
    {"Yates",
     "tests: {k: {test: proportion, compare: [x, y], on: share with accepted}}\n",
     "tests: {k: {test: proportion, compare: [x, y], on: share with accepted, yates: "
     "no}}\n",
     NULL, "Yates' correction"},
    {"a family",
     "tests: {h: " PEARSON ", family: f}, k: " PEARSON ", family: f, level: 0.01}}\n",
     "tests: {h: " PEARSON "}, k: " PEARSON "}}\n", NULL,
     "The p values of `h` and `k` are one family (`f`) and were also corrected by Holm "
     "together."},
    {"several p values", "tests: {h: " PEARSON ", correct: none}}\n",
     "tests: {k: " PEARSON "}}\n", NULL, "; its 2 p values were not corrected;"},
    {"seeds", "samples: {p: {of: x, size: 10, seed: 7}}\n", "", NULL,
     "since random numbers begin at the seeds named"},
    {"expectations", "expect: {sets.x: 3}\n", "", NULL,
     "1 published or expected number is compared"},
    {"version", "", NULL, NULL, "computed by assay 9.9."},
};

int main(void)
{
    drafted_check(rows, ROWS(rows), "analysis");
    return tap_done();
}
