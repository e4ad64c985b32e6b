/* Scores are constants plus products; the first of the highest wins. */
#include "learn/scorer.h"

#include "tests/unit/learn_toy.h"

int main(void)
{
    struct arena arena = {0};
    struct rows_builder builder = {0};
    struct rows rows = toy_rows(&builder);
    struct scorer scorer = scorer_new(TOY_COLUMNS, 2, &arena);
    double scores[TOY_ROWS * 2];
    const double ties[] = {1, 3, 3, 2};

    for (size_t c = 0; c < TOY_COLUMNS; c++) {
        scorer.weights[2 * c] = 1;
        scorer.weights[2 * c + 1] = (double)c;
    }
    scorer.constants[1] = 0.5;
    scorer_score_rows(&scorer, &rows, scores);
    tap_case("sums of a row");
    CHECK_NEAR(scores[2 * 2], 4, 0);
    CHECK_NEAR(scores[2 * 2 + 1], 3 * 1 + 1 * 3 + 0.5, 0);
    tap_case("the first of the highest");
    CHECK(scorer_best(ties, 4) == 1 && scorer_best(ties, 1) == 0);
    rows_builder_free(&builder);
    arena_free(&arena);
    return tap_done();
}
