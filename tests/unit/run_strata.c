/* Strata behind labels: sets, groups, samples of samples, samples that were enlarged. The
 * items 1 and 3 are [x][a], 2 is [x][b], 4 is [z]. */
#include "run/strata.h"

#include "tests/unit/needed.h"

#define STUDY \
    STUDIED_HEAD STUDIED_SETS \
        "groups:\n  g: {first-of: {A: '[a]', B: '[b]'}}\n" \
        "codebooks: {k: k.yaml}\nlabels:\n  l: {from: l.csv, codebook: k}\n" \
        "samples:\n  plain: {of: x, size: 2, seed: 1}\n" \
        "  each: {of: x, size: 1, by: g, allocate: each, seed: 1}\n" \
        "  within: {of: each, size: 1, seed: 1}\n" \
        "  more: {of: x, size: 3, keep: each, seed: 1}\n" \
        "  rest: {of: z, size: 1, seed: 1}\n" \
        "  top: {of: x, size: 'top 2 by views', seed: 1}\n" \
        "  of-top: {of: top, size: 1, seed: 1}\n" \
        "  all: {of: x, size: 3, seed: 1}\n" \
        "  kept: {of: x, size: 3, keep: top, seed: 1}\n" \
        "labelling:\n  k: {sample: %s, raters: [ann]}\n" \
        "classifiers: {c: {train: k, method: linear, seed: 1, predict: x}}\n"

static const struct {
    const char *name, *sample;
    size_t of[4], count;
    int64_t taken; /* items that are from no random sample */
} rows[] = {
    {"a sample of a set: that, and all others", "plain", {0, 0, 0, 1}, 2, 0},
    {"a whole set", "x", {0, 0, 0, 1}, 2, 0},
    {"by group", "each", {0, 1, 0, 2}, 3, 0},
    {"a sample of a sample", "within", {0, 1, 0, 2}, 3, 0},
    {"enlarged", "more", {0, 1, 0, 2}, 3, 0},
    {"two samples", "[each, rest]", {0, 1, 0, 2}, 3, 0},
    {"a sample twice, and what is behind it",
     "[more, within, each, more]",
     {0, 1, 0, 2},
     3,
     0},
    {"the top of a set", "top", {0, 0, 0, 1}, 2, 2},
    {"a random sample of the top", "of-top", {0, 0, 0, 1}, 2, 1},
    {"the top, all of it also drawn at random", "[top, all]", {0, 0, 0, 1}, 2, 0},
    {"the top, enlarged at random", "kept", {0, 0, 0, 1}, 2, 2},
};

static void check_row(size_t row)
{
    struct needed test;
    struct run_strata strata;
    char text[2000];

    snprintf(text, sizeof text, STUDY, rows[row].sample);
    if (!needed_begin(&test, text, false))
        return;
    struct run_needs *needs = &test.needs;
    size_t labels = needs->study->classifiers[0].train;
    tap_case("%s", rows[row].name);
    if (CHECK(run_needs_frame(needs, &test.studied.err)) &&
        CHECK(run_strata_find(needs, labels, &strata, &test.studied.err))) {
        CHECK(needs->frame.count == 4 && strata.count == rows[row].count);
        for (size_t i = 0; i < 4; i++)
            CHECK(strata.of[i] == rows[row].of[i]);
        struct measure_bits taken;
        CHECK(run_strata_taken(needs, labels, &taken, &test.studied.err) &&
              measure_bits_count(taken) == rows[row].taken);
    }
    tap_case("%s: of labels from elsewhere nothing is known", rows[row].name);
    struct measure_bits none;
    CHECK(run_strata_find(needs, 0, &strata, &test.studied.err) && strata.of == NULL);
    CHECK(run_strata_taken(needs, 0, &none, &test.studied.err) &&
          measure_bits_count(none) == 0);
    needed_end(&test);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++)
        check_row(i);
    return tap_done();
}
