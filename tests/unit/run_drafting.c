/* The draft of a study that has run: its numbers, its labels, files that appear. */
#include "run/drafting.h"

#include "tests/unit/labelled.h"

static bool draft(struct studied *test)
{
    struct study study;

    test->err = (struct err){0};
    return CHECK(studied_load(test, &study)) &&
           run_drafting_make(&study, "9.9", &test->err);
}

static bool says(struct studied *test, const char *text)
{
    return strstr(studied_read(test, "out/methods.md"), text) != NULL;
}

/* Two raters of a file; the codebook knows two spellings. */
static void check_file(void)
{
    struct studied test;

    if (!studied_begin(&test))
        return;
    studied_fill(&test);
    studied_write(&test, "study.yaml",
                  STUDIED_HEAD STUDIED_SETS STUDIED_SAMPLES
                  "codebooks: {k: k.yaml}\nlabels:\n"
                  "  l: {from: l.csv, codebook: k, rater: who}\n");
    studied_write(
        &test, "l.csv",
        "item,who,code\n1,a,one\n1,b,One\n2,a,two\n2,b,two\n3,a,one\n3,b,two\n");
    tap_case("a study that has not run has no draft");
    CHECK(!draft(&test) && test.err.kind == ERR_SYSTEM);
    CHECK_TEXT(studied_read(&test, "out/methods.md"), "");
    CHECK(studied_run(&test));
    tap_case("a file with raters: two spellings of a code are no disagreement");
    CHECK(draft(&test));
    CHECK_TEXT(test.err.text, "");
    CHECK(says(&test, "The file names 2 raters"));
    CHECK(says(&test, "over the 3 items with labels of two raters or more, 66.7% of the "
                      "pairs of labels were equal and Cohen's kappa was 0.40"));
    CHECK(says(&test, "2 codes of items (1 item without majority)"));
    tap_case("the margin of a sample of 2 among 3");
    CHECK(says(&test,
               "Sample `p`: from the 3 questions of `x`, 2 were drawn at random and "
               "without replacement (seed 1). A share found in it lies within 49 "
               "points of the whole's"));
    tap_case("LaTeX goes with it");
    CHECK(strstr(studied_read(&test, "out/methods.tex"), "\\assay{samples.p.frame}") !=
          NULL);
    tap_case("nothing is out of date for it");
    CHECK(studied_plan(&test));
    studied_told(&test, "");
    studied_end(&test);
}

static void check_labelling(void)
{
    struct labelled test;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    tap_case("a task in which somebody works");
    studied_write(
        &test.in, "p.csv",
        "Id,PostTypeId,Tags,CreationDate\n2,1,<x>,2019-01-01\n3,1,<x>,2019-01-01\n"
        "5,1,<x>,2019-01-01\n7,1,<x>,2019-01-01\n9,1,<x>,2019-01-01\n"
        "11,1,<x>,2019-01-01\n20,1,<x>,2019-01-01\n21,1,<x>,2019-01-01\n"
        "25,1,<x>,2019-01-01\n32,1,<x>,2019-01-01\n34,1,<x>,2019-01-01\n"
        "38,1,<x>,2019-01-01\n");
    int64_t round = labelled_fill(&test);
    labelled_close(&test);
    CHECK(studied_run(&test.in) && draft(&test.in));
    CHECK_TEXT(test.in.err.text, "");
    CHECK(says(&test.in,
               "Labelling `bugs`: 12 items for 2 raters, each for both of them; "
               "nobody saw"));
    CHECK(says(&test.in, " and is still open, with 24 of 24 labels."));
    CHECK(says(&test.in, "A round of the labelling `bugs` is still open"));
    tap_case("one that is closed");
    CHECK(labelled_open(&test) && labelled_end_round(&test, round));
    labelled_close(&test);
    CHECK(studied_run(&test.in) && draft(&test.in));
    CHECK(says(&test.in, " and closed on ") && !says(&test.in, "still open"));
    CHECK(says(&test.in,
               "Agreement on bugs: over the 12 items with labels of two raters or "
               "more, 75% of the pairs of labels were equal and Cohen's kappa "
               "was "));
    CHECK(says(&test.in, "Of 12 items, 9 were unanimous and 3 are unresolved."));
    labelled_end(&test);
}

/* Two who unify: both accept one merge, differ on another; an arbiter there is not. */
static void check_phrases(void)
{
    struct studied test;

    if (!studied_begin(&test))
        return;
    studied_write(&test, "p.csv",
                  "id,title\n1,How to load a model\n2,How to restore a model\n"
                  "3,How to compute the mean\n4,How to calculate the mean\n"
                  "5,Segmentation fault\n");
    studied_write(&test, "study.yaml",
                  STUDIED_HEAD "sets: {all: '*'}\n"
                               "phrases: {verbs: {of: all, decisions: d.csv}}\n");
    studied_write(&test, "d.csv", "when,who,level,from,with,item,into,verdict,why\n");
    tap_case("phrases on which nobody has decided");
    CHECK(studied_run(&test) && draft(&test));
    CHECK_TEXT(test.err.text, "");
    CHECK(says(&test, "taken from the titles of 5 items of `all` by rules over words and "
                      "their lemmas (WordNet); 4 have a verb and 4 of them an object"));
    CHECK(says(&test, "Nobody has said yet which of them mean the same. That makes 4 "
                      "actions on 2 objects."));
    tap_case("two people, as far as they agree");
    studied_write(&test, "d.csv",
                  "when,who,level,from,with,item,into,verdict,why\n"
                  "2023-05-01,zelda,action,compute,,,calculate,accept,\n"
                  "2023-05-01,zelda,action,load,,,restore,accept,\n"
                  "2023-05-02,bob,action,compute,,,calculate,accept,\n"
                  "2023-05-02,bob,action,load,,,restore,refuse,\n");
    CHECK(studied_run(&test) && draft(&test));
    CHECK_TEXT(test.err.text, "");
    CHECK(says(&test, "2 people said which of them mean the same"));
    CHECK(says(&test, "4 decisions were written down"));
    CHECK(says(&test, "by which 1 merge counts; 0 refuse one. 2 decisions are disputed"));
    CHECK(says(&test, "The two people gave the same verdict on 50% of the 2 merges that "
                      "both decided on"));
    CHECK(says(&test, "the same action to 75% of the items"));
    CHECK(says(&test, "That makes 3 actions on 2 objects."));
    CHECK(!says(&test, "zelda") && !says(&test, "without seeing"));
    tap_case("an arbiter alone");
    studied_write(&test, "study.yaml",
                  STUDIED_HEAD "sets: {all: '*'}\n"
                               "phrases: {verbs: {of: all, decisions: d.csv, unifiers: "
                               "[bob, eve], arbiter: zelda}}\n");
    studied_write(&test, "d.csv",
                  "when,who,level,from,with,item,into,verdict,why\n"
                  "2023-05-01,zelda,action,compute,,,calculate,accept,\n");
    CHECK(studied_run(&test) && draft(&test));
    CHECK_TEXT(test.err.text, "");
    CHECK(says(&test, "The arbiter alone said which of them mean the same"));
    CHECK(!says(&test, "Where people differed"));
    studied_end(&test);
}

int main(void)
{
    check_phrases();
    check_file();
    check_labelling();
    return tap_done();
}
