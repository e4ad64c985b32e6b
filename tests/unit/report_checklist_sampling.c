/* The supplement on sampling: what a study recorded of each attribute. */
#include "tests/unit/drafted.h"

#define SAMPLE(rest) "samples: {p: {of: x, seed: 7, " rest "}}\n"

static const struct drafted_row rows[] = {
    {"strategy", SAMPLE("size: 10"), "", NULL, "recorded: `p` from `x`, drawn as"},
    {"size", SAMPLE("size: 10"), "", NULL, "**size** — recorded: `p` 10."},
    {"seed", SAMPLE("size: 10"), "", NULL, "recorded: seed 7 for `p`;"},
    {"margin", SAMPLE("size: 10"), "", NULL,
     "recorded: `p` 4.99 percentage points at a confidence of 95%."},
    {"frame", SAMPLE("size: 10"), "", NULL, "recorded: frame of `p` 1."},
    {"no strata", SAMPLE("size: 10"),
     "groups: {g: {first-of: {A: '[a]'}}}\n" SAMPLE("size: 10, by: g"), NULL,
     "not recorded: no sample has strata"},
};

static const struct {
    const char *name;
    double margin;
    const char *says;
} margins[] = {
    {"no margin", NAN, "not recorded: no sample has a margin"},
    {"everything was drawn", 0, "recorded: `p` has all items."},
};

int main(void)
{
    drafted_check(rows, ROWS(rows), "checklist");
    for (size_t i = 0; i < ROWS(margins); i++) {
        struct drafted test;
        tap_case("%s", margins[i].name);
        drafted_begin(&test, SAMPLE("size: 10"));
        test.samples[0].margin = margins[i].margin;
        drafted_write(&test, "checklist");
        CHECK(drafted_says(&test, margins[i].says));
        CHECK(!drafted_says(&test, "percentage points at"));
        drafted_end(&test);
    }
    return tap_done();
}
