/* The keyword-weight classifier with each of its open points, against values computed by
 * hand. Class 0 has the counts 3, 1, 1, 0 in its posts. */
#include <math.h>

#include "learn/fit.h"
#include "tests/unit/learn_toy.h"

/* Column 3, which class 0 does not have, and column 1 are picked for class 0. */
static const uint8_t picked[TOY_COLUMNS * TOY_CLASSES] = {0, 0, 0, 1, 0, 0,
                                                          0, 0, 0, 1, 0, 0};

static const struct {
    const char *name;
    struct fit_keyword options;
    double want[TOY_COLUMNS];
} rows[] = {
    {"the paper's formula", {0}, {0.6, 0.2, 0.2, 0}},
    {"length instead of sum",
     {.length = true},
     {0.904534033733291, 0.301511344577764, 0.301511344577764, 0}},
    {"only the top words", {.top = 2}, {0.75, 0.25, 0, 0}},
    {"picked words", {.alpha = 0.18, .picked = picked}, {0.6, 0.38, 0.2, 0.18}},
    {"picked words among the top only",
     {.alpha = 0.18, .picked = picked, .top = 2, .only_top = true},
     {0.75, 0.43, 0, 0}},
    {"alpha without a picked word", {.alpha = 0.5}, {0.6, 0.2, 0.2, 0}},
};

int main(void)
{
    struct arena arena = {0};
    struct rows_builder builder = {0};
    struct rows counts = toy_rows(&builder);
    struct membership truth = toy_truth(&arena);

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct scorer scorer = fit_keyword(&counts, &truth, rows[i].options, &arena);
        tap_case("%s", rows[i].name);
        for (size_t c = 0; c < TOY_COLUMNS; c++)
            CHECK_NEAR(scorer.weights[c * TOY_CLASSES], rows[i].want[c], 1e-12);
    }
    tap_case("a post's score is the sum of weight times count");
    struct scorer scorer = fit_keyword(&counts, &truth, rows[0].options, &arena);
    double scores[TOY_CLASSES];
    scorer_score(&scorer, rows_at(&counts, 0), scores);
    CHECK_NEAR(scores[0], 2 * 0.6 + 1 * 0.2, 1e-12);
    rows_builder_free(&builder);
    arena_free(&arena);
    return tap_done();
}
