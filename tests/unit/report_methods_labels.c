/* Labelling, labels of files, classifiers and topics: each sentence is there when it is
 * true, and only then. */
#include "tests/unit/drafted.h"

#define LABELLING(rest) \
    "samples: {p: {of: x, size: 10, seed: 7}}\ncodebooks: {k: k.yaml}\n" \
    "labelling: {k: {sample: p, codebook: k, raters: [a, b, c]" rest "}}\n"
#define LABELS(rest) "labels: {l: {from: l.csv" rest "}}\n"
#define LEARN        LABELS("") "classifiers: {l-all: {train: l, predict: x, seed: 3}}\n"

static const struct drafted_row rows[] = {
    {"nobody has begun", LABELLING(""), LABELS(""), NULL,
     "Labelling `k` is declared, and nobody has begun"},
    {"a file", LABELS(", code: kind"), "", NULL,
     "Labels `l` were made elsewhere and taken from `l.csv`, column `kind`: 7 codes of "
     "items."},
    {"a classifier without labels", LEARN, LABELS(""), NULL,
     "Classifier `l-all` is declared, and has nothing to learn from yet."},
};

/* What is changed before the sentence is looked for. */
static void three_raters(struct drafted *test)
{
    (void)test;
}

static void overlap(struct drafted *test)
{
    test->study.labellings[0].overlap = 0.25;
    test->study.labellings[0].raters_per_item = 2;
}

static void two_each(struct drafted *test)
{
    test->study.labellings[0].raters_per_item = 2;
}

static void imported(struct drafted *test)
{
    test->rounds[0].source = STR("l.csv");
}

static void still_open(struct drafted *test)
{
    test->rounds[0].closed_ms = 0;
    test->rounds[0].done = 1;
}

static void second_version(struct drafted *test)
{
    test->labellings[0].versions = 2;
}

static void proposed(struct drafted *test)
{
    test->labellings[0].accepted_codes = 1;
}

static void to_review(struct drafted *test)
{
    test->labellings[0].reviews = 3;
}

static void several(struct drafted *test)
{
    test->dimension.several = true;
}

static void no_interval(struct drafted *test)
{
    test->agreements[0].value.interval_undefined = "why";
}

static void undefined(struct drafted *test)
{
    test->agreements[0].value.undefined = "one code only";
}

static void nothing_shared(struct drafted *test)
{
    test->agreements[0].items = 0;
}

static const struct {
    const char *name;
    void (*change)(struct drafted *test);
    const char *says, *not ;
} changes[] = {
    {"three raters", three_raters,
     "26 items for 3 raters, each for all of them; nobody saw what others said", NULL},
    {"two raters an item", two_each, ", each for 2 of them;", "for all"},
    {"overlap", overlap, ", 25% of them for 2 raters each and the others for one", NULL},
    {"the codebook", three_raters, "The codebook has 4 codes.", "several"},
    {"several codes", several, "The codebook has 4 codes (several may be given).", NULL},
    {"a closed round", three_raters,
     " Round 1 (main, 26 items) was opened on 1 January 1970 and closed on 2 January "
     "1970.",
     "still open"},
    {"an open one", still_open, " and is still open, with 1 of 52 labels.", "closed on"},
    {"an imported one: nobody knows who saw what", imported,
     " Round 1 was imported from `l.csv`.", "nobody saw"},
    {"another version of the codebook", second_version,
     "labels were made under 2 versions", NULL},
    {"one version", three_raters, "Labelling", "versions"},
    {"a code that was proposed", proposed, " 1 code was proposed while labelling", NULL},
    {"agreement", three_raters,
     "Agreement on Kind\\_of: over the 25 items with labels of two raters or more, 80% "
     "of "
     "the pairs of labels were equal and Cohen's kappa was 0.71 (95% interval 0.50 to "
     "0.90), substantial by the words of Landis and Koch.",
     NULL},
    {"without interval", no_interval, "was 0.71, substantial", "95% interval"},
    {"undefined", undefined, "; Cohen's kappa is undefined: one code only.", "was 0.71"},
    {"no item in common", nothing_shared, "no item has labels of two raters", "80%"},
    {"what became of disputes; what did not happen is not named", three_raters,
     ", 20 were unanimous, 1 came from one rater alone, 3 were decided by the arbiter "
     "and "
     "2 are unresolved.",
     "complete"},
    {"reviews", to_review, "3 labels were made under an older version", NULL},
    {"no reviews", three_raters, "Labelling", "older version"},
};

static void check_file(void)
{
    struct drafted test;

    tap_case("raters of a file, and what the run said of it");
    drafted_begin(&test, LABELS(", rater: who"));
    test.says[0] = STR("8 labels given, 7 codes of items, 1 item without majority");
    drafted_label(&test);
    test.agreements[0].labelling = STUDY_NONE;
    test.agreements[0].labels = 0;
    test.agreements[0].address = STR("");
    drafted_write(&test, "labels");
    CHECK(drafted_says(&test,
                       "7 codes of items (1 item without majority). The file names "
                       "2 raters; a code counts when more than half of an item's "
                       "raters gave it. Agreement: over the 25 items"));
    CHECK(!drafted_says(&test, "final label"));
    drafted_end(&test);
}

static void check_models(void)
{
    static struct result_number learned[] = {DRAFTED_NUMBER("labelled", 50),
                                             DRAFTED_NUMBER("held-out", 20)};
    static const struct result_numbers numbers[] = {
        DRAFTED_STEP("classifiers.l-all", learned)};
    struct drafted test;

    tap_case("a classifier that has learned");
    drafted_begin(&test, LEARN);
    test.facts.numbers = numbers;
    test.facts.number_count = 1;
    drafted_write(&test, "labels");
    CHECK(drafted_says(&test,
                       "was trained on the labels `l` of 50 items, judged on the 20 "
                       "of them that were held out, and by 5-fold cross-validation "
                       "(seed 3); it was applied to `x`."));
    CHECK(!drafted_says(&test, "nothing to learn"));
    drafted_end(&test);
}

int main(void)
{
    drafted_check(rows, ROWS(rows), "labels");
    for (size_t i = 0; i < ROWS(changes); i++) {
        struct drafted test;
        tap_case("labelled: %s", changes[i].name);
        drafted_begin(&test, LABELLING(""));
        drafted_label(&test);
        changes[i].change(&test);
        drafted_write(&test, "labels");
        if (!drafted_says(&test, changes[i].says))
            CHECK_TEXT(test.markdown.ptr, changes[i].says);
        if (changes[i].not != NULL)
            CHECK(!drafted_says(&test, changes[i].not ));
        drafted_end(&test);
    }
    check_file();
    check_models();
    return tap_done();
}
