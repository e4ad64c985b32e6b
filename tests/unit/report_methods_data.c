/* Sources, sets and samples: each sentence is there when it is true, and only then. */
#include "tests/unit/drafted.h"

#define HEALTH(finding, value) finding "=" value "\n"
#define SAMPLE(rest)           "samples: {p: {of: x, seed: 7, " rest "}}\n"
#define UNTIL                  "study: s\nsource: {posts: p.csv, until: 2020-02-29}\n"
#define DUMP                   "study: s\nsource: {stackexchange: d"
#define STRATA                 "groups: {g: {first-of: {A: '[a]'}}}\n"

static const struct drafted_row rows[] = {
    {"a dump whose site nobody named", DUMP "}\n", DUMP ", site: a.org}\n", NULL,
     "We read the Stack Exchange data dump `d`."},
    {"a dump with its site", DUMP ", site: ai.stackexchange.com}\n", DUMP "}\n", NULL,
     "We read the data dump of ai.stackexchange.com `d`."},
    {"posts", "", DUMP "}\n", NULL, "We read the posts of `p.csv`."},
    {"no source", "study: s\ntables: {t: {from: t.csv}}\n", "", NULL,
     "its tables were read from files"},
    {"two sources", "study: s\nsources: {a: {posts: a.csv}, b: {stackexchange: d}}\n", "",
     NULL, "We read the posts of `a.csv`; the Stack Exchange data dump `d`."},
    {"the last day", UNTIL, "", NULL, ", up to 29 February 2020."},
    {"how many posts", "", NULL, HEALTH("questions", "1500") "answers=1\n",
     "The source holds 1,500 questions and 1 answer."},
    {"no answers", "", NULL, HEALTH("questions", "1") "answers=0\n",
     "The source holds 1 question and no answers."},
    {"of two sources", "study: s\nsources: {a: {posts: a.csv}, b: {posts: b.csv}}\n",
     NULL, HEALTH("a: questions", "2") "b: questions=3\nstored: questions=9\n",
     "Together they hold 5 questions"},
    {"from when to when", "", NULL,
     HEALTH("questions", "2") "first post=2014-01-01T00:00:00.000\n"
                              "last post=2021-09-05T23:30:21.578\n",
     ", written from 1 January 2014 to 5 September 2021."},
    {"a row that could not be read", "", NULL, HEALTH("broken rows skipped", "1"),
     " 1 row could not be read and was skipped."},
    {"planted posts", "", NULL, HEALTH("planted posts dropped", "2"),
     " 2 posts that are planted in dumps as a mark were dropped."},
    {"late posts", "", NULL, HEALTH("posts after the end of the study", "12"),
     " 12 posts were written later and left out."},
    {"all questions are taken", "", NULL, HEALTH("questions", "1200"),
     " All questions are in the corpus of the study."},
    {"some are", "", NULL, HEALTH("questions", "1201"),
     "holds 1,200 questions of them and what was answered to them: 1 answer."},
    {"comments and users",
     "study: s\nsource: {stackexchange: d, also: [comments, users]}\n", "", NULL,
     " Taken along: comments and users."},
    {"a set, its query and what each condition left", "",
     "study: s\nsource: {posts: p.csv}\n", NULL,
     "- `x`, 1 question: `[x]`. Left after each condition: 400 after `[x]`; 1 after "
     "`score:5..`."},
    {"a random sample", SAMPLE("size: 10"), "", NULL,
     "Sample `p`: from the 1 question of `x`, 10 were drawn at random and without "
     "replacement (seed 7). A share found in it lies within 4.99 points"},
    {"strata", STRATA SAMPLE("size: 10, by: g, allocate: equal"), SAMPLE("size: 10"),
     NULL, "Strata are the groups of `g`, which share the size in equal parts"},
    {"a systematic one", SAMPLE("size: 10, method: systematic"), SAMPLE("size: 10"), NULL,
     "every k-th by id"},
    {"the top", SAMPLE("size: top 5 by views"), SAMPLE("size: 10"), NULL,
     "the top 5 by views were taken, which is no random sample"},
    {"the margin is kept", SAMPLE("size: 95% +- 5%"), SAMPLE("size: 10"), NULL,
     "a margin of 5 percentage points in a finite population, rounded up. A share"},
    {"the margin is missed", SAMPLE("size: 95% +- 4.98%, round: down"),
     SAMPLE("size: 95% +- 5%"), NULL,
     "rounded down. Rounding misses that margin: it is 4.99 points."},
};

int main(void)
{
    struct drafted test;

    drafted_check(rows, ROWS(rows), "data");
    tap_case("numbers with an address are macros");
    drafted_begin(&test, SAMPLE("size: 10"));
    drafted_write(&test, "data");
    CHECK(strstr(test.latex.ptr, "\\assay{sets.x.funnel.2} after \\texttt{score:5..}") !=
          NULL);
    CHECK(strstr(test.latex.ptr, "from the \\assay{samples.p.frame} question of") !=
          NULL);
    drafted_end(&test);
    return tap_done();
}
