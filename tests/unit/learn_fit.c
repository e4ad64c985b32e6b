/* Naive Bayes of both kinds against scikit-learn 1.2.1 (MultinomialNB, ComplementNB with
 * alpha 0.5); majority and centroid against values computed by hand. */
#include "learn/fit.h"

#include <math.h>

#include "tests/unit/learn_toy.h"

static const double bayes[TOY_CLASSES][TOY_COLUMNS] = {
    {-0.6931471806, -1.5404450409, -1.5404450409, -2.6390573296},
    {-2.8903717579, -0.6931471806, -1.2809338455, -1.7917594692},
    {-1.7917594692, -2.8903717579, -1.7917594692, -0.4924764851}};
static const double complement[TOY_CLASSES][TOY_COLUMNS] = {
    {2.3671236141, 1.2685113255, 1.5198257537, 0.9007865453},
    {1.1349799328, 2.2335922215, 1.7227665977, 0.9343092374},
    {1.3862943611, 0.9343092374, 1.3862943611, 2.2335922215}};

static void check(const char *name, const struct scorer *scorer,
                  const double want[TOY_CLASSES][TOY_COLUMNS])
{
    for (size_t k = 0; k < TOY_CLASSES; k++) {
        tap_case("%s: class %zu", name, k);
        for (size_t c = 0; c < TOY_COLUMNS; c++)
            CHECK_NEAR(scorer->weights[c * TOY_CLASSES + k], want[k][c], 1e-9);
    }
}

int main(void)
{
    struct arena arena = {0};
    struct rows_builder builder = {0};
    struct rows rows = toy_rows(&builder);
    struct membership truth = toy_truth(&arena);

    struct scorer scorer = fit_bayes(&rows, &truth, 0.5, &arena);
    check("naive Bayes", &scorer, bayes);
    CHECK_NEAR(scorer.constants[1], log(1.0 / 3), 1e-12);
    scorer = fit_complement(&rows, &truth, 0.5, &arena);
    check("complement Bayes", &scorer, complement);

    tap_case("centroid: direction of the mean row");
    scorer = fit_centroid(&rows, &truth, &arena);
    CHECK_NEAR(scorer.weights[0], 3 / sqrt(11), 1e-12); /* class 0: (3, 1, 1, 0) */
    CHECK_NEAR(scorer.weights[TOY_CLASSES], 1 / sqrt(11), 1e-12);

    tap_case("majority: shares alone");
    const size_t skewed[TOY_ROWS] = {0, 1, 1, 1, 1, 2};
    truth = toy_membership(skewed, TOY_ROWS, TOY_CLASSES, &arena);
    scorer = fit_majority(&rows, &truth, &arena);
    CHECK_NEAR(scorer.constants[1], log(4.0 / 6), 1e-12);
    CHECK(scorer_best(scorer.constants, TOY_CLASSES) == 1 && scorer.weights[5] == 0);
    tap_case("majority of several labels: each class by itself, four rows of six");
    truth.several = true;
    scorer = fit_majority(&rows, &truth, &arena);
    CHECK_NEAR(scorer.constants[1], log(4.5 / 2.5), 1e-12);
    CHECK_NEAR(scorer.constants[0], log(1.5 / 5.5), 1e-12);
    rows_builder_free(&builder);
    arena_free(&arena);
    return tap_done();
}
