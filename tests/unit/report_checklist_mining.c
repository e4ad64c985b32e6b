/* Repository mining: what a study recorded of each attribute. */
#include "tests/unit/drafted.h"

#define SAMPLE(size) "samples: {p: {of: x, seed: 7, size: " size "}}\n"
#define TABLE        "tables: {t: {of: x, columns: [count]}}\n"
#define NO_SOURCE    "study: s\ntables: {t: {from: t.csv}}\n"
#define TEST         "tests: {h: {test: pearson, of: x, on: views, with: score}}\n"

static const struct drafted_row rows[] = {
    {"unit", "", NO_SOURCE, NULL,
     "[x] **unit of analysis** — recorded: the unit is the question;"},
    {"no source", NO_SOURCE, "", NULL, "not recorded: the study has no source"},
    {"no last day", "", "study: s\nsource: {posts: p.csv, until: 2020-01-01}\n", NULL,
     "add `until` to the source"},
    {"selection", "", NO_SOURCE, NULL, "recorded: 2 queries in `sets`"},
    {"nobody looked", "", NO_SOURCE, NULL, "nobody looked whether the queries find"},
    {"tables", TABLE, "", NULL, "recorded: sizes of 2 sets and 1 table in out/tables"},
    {"samples", SAMPLE("10"), "", NULL, "recorded: 1 sample, see Sampling below"},
    {"no samples", "", SAMPLE("10"), NULL,
     "no sample was drawn: all items were processed"},
    {"characteristics", "", NO_SOURCE, NULL, "recorded: 1,200 questions and 1 answer in"},
    {"labels without raters", "labels: {l: {from: l.csv}}\n", "", NULL,
     "not recorded: labels come from files that name no raters"},
    {"nobody has labelled",
     "codebooks: {k: k.yaml}\nlabelling: {k: {sample: x, codebook: k, raters: [a]}}\n",
     "", NULL, "not recorded: nobody has labelled yet"},
    {"nothing was labelled", "", "labels: {l: {from: l.csv}}\n", NULL,
     "**reliability of annotation** — does not apply"},
    {"measures", TABLE, "", NULL, "recorded: the columns of `tables`"},
    {"random samples", SAMPLE("10"), SAMPLE("top 5 by views"), NULL,
     "recorded: all samples are random ones"},
    {"others", SAMPLE("top 5 by views"), SAMPLE("10"), NULL, "a sample takes the first"},
    {"several sources", "study: s\nsources: {a: {posts: a.csv}, b: {posts: b.csv}}\n", "",
     NULL, "recorded: 2 sources"},
    {"rows that could not be read", "", NULL, "broken rows skipped=1\n",
     "1 row could not be read (out/health.md); where queries"},
    {"tests", TEST, "", NULL, "recorded: 1 test with 2 p values in out/tests"},
    {"no tests", "", TEST, NULL, "not recorded: no test is declared"},
    {"no classifier", "",
     "labels: {l: {from: l.csv}}\nclassifiers: {c: {train: l, predict: x, seed: 1}}\n",
     NULL, "does not apply: the study declares no classifier"},
};

int main(void)
{
    struct drafted test;

    drafted_check(rows, ROWS(rows), "checklist");
    tap_case("raters have looked");
    drafted_begin(&test, "codebooks: {k: k.yaml}\n"
                         "labelling: {k: {sample: x, codebook: k, raters: [a, b]}}\n");
    drafted_label(&test);
    drafted_write(&test, "checklist");
    CHECK(drafted_says(&test, "raters have read items of the study"));
    CHECK(drafted_says(&test, "recorded: 2 raters for Kind\\_of."));
    CHECK(drafted_says(&test, "recorded: 1 round with 4 codes of the codebook"));
    CHECK(!drafted_says(&test, "nobody looked"));
    drafted_end(&test);
    return tap_done();
}
