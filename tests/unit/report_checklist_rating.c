/* The supplement on agreement: what a study recorded of each attribute. */
#include "tests/unit/drafted.h"

#define LABELLING \
    "codebooks: {k: k.yaml}\nlabelling: {k: {sample: x, codebook: k, raters: [a, b]}}\n"

static void none(struct drafted *test)
{
    (void)test;
}

static void one_rater(struct drafted *test)
{
    test->agreements[0].raters = 1;
}

static void four_raters(struct drafted *test)
{
    test->agreements[0].raters = 4;
}

static void imported(struct drafted *test)
{
    test->rounds[0].source = STR("l.csv");
}

static void no_disputes(struct drafted *test)
{
    test->agreements[0].address = STR("nothing");
}

static void undefined(struct drafted *test)
{
    test->agreements[0].value.undefined = "why";
}

static void paradox(struct drafted *test)
{
    test->agreements[0].observed = 0.95;
    test->agreements[0].value.value = 0.3;
}

static void two_rounds(struct drafted *test)
{
    test->rounds[1] = test->rounds[0];
    test->labellings[0].round_count = 2;
}

static const struct {
    const char *name;
    void (*change)(struct drafted *test), (*back)(struct drafted *test);
    const char *says;
} changes[] = {
    {"a single rater", one_rater, none, "write it yourself: why one rater is enough"},
    {"several", none, one_rater, "does not apply: there are several raters"},
    {"raters were alone", none, imported, "recorded: in 1 round nobody saw the labels"},
    {"raters of a file", imported, none, "say whether raters worked each alone"},
    {"disputes are left", none, no_disputes,
     "not recorded: an arbiter decided 3 of 5 disputes; 2 disputes are undecided; decide "
     "them"},
    {"no disputes", no_disputes, none, "recorded: there was no dispute"},
    {"a coefficient", none, undefined,
     "recorded: Cohen's kappa 0.71 for Kind\\_of (25 items)."},
    {"none", undefined, none, "not recorded: no coefficient is defined;"},
    {"its word", none, undefined,
     "recorded: substantial for Kind\\_of, in the words of Landis"},
    {"high agreement, low kappa", paradox, none,
     "write it yourself: high agreement and a low coefficient for Kind\\_of: discuss it"},
    {"more than three raters", four_raters, none,
     "[x] **more than three raters** — recorded: 4 raters"},
    {"cycles", two_rounds, none, "updating the scheme** — recorded: 2 rounds;"},
    {"one cycle", none, two_rounds, "updating the scheme** — not recorded: 1 round;"},
};

static bool says(void (*change)(struct drafted *test), const char *text)
{
    struct drafted test;

    drafted_begin(&test, LABELLING);
    drafted_label(&test);
    change(&test);
    drafted_write(&test, "checklist");
    bool found = drafted_says(&test, text);
    drafted_end(&test);
    return found;
}

int main(void)
{
    for (size_t i = 0; i < ROWS(changes); i++) {
        tap_case("%s", changes[i].name);
        CHECK(says(changes[i].change, changes[i].says));
        CHECK(!says(changes[i].back, changes[i].says));
    }
    return tap_done();
}
