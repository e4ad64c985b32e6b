/* What each method learns, against scikit-learn and by hand. */
#include "learn/fit.h"

#include <math.h>
#include <string.h>

#include "tests/unit/learn_toy.h"

/* Naive Bayes of both kinds against scikit-learn 1.2.1 (MultinomialNB, ComplementNB with
 * alpha 0.5); majority and centroid against values computed by hand. */

static const double bayes[TOY_CLASSES][TOY_COLUMNS] = {
    {-0.6931471806, -1.5404450409, -1.5404450409, -2.6390573296},
    {-2.8903717579, -0.6931471806, -1.2809338455, -1.7917594692},
    {-1.7917594692, -2.8903717579, -1.7917594692, -0.4924764851}};
static const double complement[TOY_CLASSES][TOY_COLUMNS] = {
    {2.3671236141, 1.2685113255, 1.5198257537, 0.9007865453},
    {1.1349799328, 2.2335922215, 1.7227665977, 0.9343092374},
    {1.3862943611, 0.9343092374, 1.3862943611, 2.2335922215}};

static void check(const char *name, const struct learn_scorer *scorer,
                  const double want[TOY_CLASSES][TOY_COLUMNS])
{
    for (size_t k = 0; k < TOY_CLASSES; k++) {
        tap_case("%s: class %zu", name, k);
        for (size_t c = 0; c < TOY_COLUMNS; c++)
            CHECK_NEAR(scorer->weights[c * TOY_CLASSES + k], want[k][c], 1e-9);
    }
}

static void test_fit(void)
{
    struct arena arena = {0};
    struct learn_rows_builder builder = {0};
    struct learn_rows rows = toy_rows(&builder);
    struct learn_membership truth = toy_truth(&arena);

    struct learn_scorer scorer = learn_fit_bayes(&rows, &truth, 0.5, &arena);
    check("naive Bayes", &scorer, bayes);
    CHECK_NEAR(scorer.constants[1], log(1.0 / 3), 1e-12);
    scorer = learn_fit_complement(&rows, &truth, 0.5, &arena);
    check("complement Bayes", &scorer, complement);

    tap_case("centroid: direction of the mean row");
    scorer = learn_fit_centroid(&rows, &truth, &arena);
    CHECK_NEAR(scorer.weights[0], 3 / sqrt(11), 1e-12); /* class 0: (3, 1, 1, 0) */
    CHECK_NEAR(scorer.weights[TOY_CLASSES], 1 / sqrt(11), 1e-12);

    tap_case("majority: shares alone");
    const size_t skewed[TOY_ROWS] = {0, 1, 1, 1, 1, 2};
    truth = toy_membership(skewed, TOY_ROWS, TOY_CLASSES, &arena);
    scorer = learn_fit_majority(&rows, &truth, &arena);
    CHECK_NEAR(scorer.constants[1], log(4.0 / 6), 1e-12);
    CHECK(learn_scorer_best(scorer.constants, TOY_CLASSES) == 1 &&
          scorer.weights[5] == 0);
    tap_case("majority of several labels: each class by itself, four rows of six");
    truth.several = true;
    scorer = learn_fit_majority(&rows, &truth, &arena);
    CHECK_NEAR(scorer.constants[1], log(4.5 / 2.5), 1e-12);
    CHECK_NEAR(scorer.constants[0], log(1.5 / 5.5), 1e-12);
    learn_rows_builder_free(&builder);
    arena_free(&arena);
}

/* Scores are constants plus products; the first of the highest wins. */

static void test_scorer(void)
{
    struct arena arena = {0};
    struct learn_rows_builder builder = {0};
    struct learn_rows rows = toy_rows(&builder);
    struct learn_scorer scorer = learn_scorer_new(TOY_COLUMNS, 2, &arena);
    double scores[2];
    const double ties[] = {1, 3, 3, 2};

    for (size_t c = 0; c < TOY_COLUMNS; c++) {
        scorer.weights[2 * c] = 1;
        scorer.weights[2 * c + 1] = (double)c;
    }
    scorer.constants[1] = 0.5;
    learn_scorer_score(&scorer, learn_rows_at(&rows, 2), scores);
    tap_case("sums of a row");
    CHECK_NEAR(scores[0], 4, 0);
    CHECK_NEAR(scores[1], 3 * 1 + 1 * 3 + 0.5, 0);
    tap_case("the first of the highest");
    CHECK(learn_scorer_best(ties, 4) == 1 && learn_scorer_best(ties, 1) == 0);
    learn_rows_builder_free(&builder);
    arena_free(&arena);
}

/* The keyword-weight classifier with each of its open points, against values computed by
 * hand. Class 0 has the counts 3, 1, 1, 0 in its posts. */

/* Column 3, which class 0 does not have, and column 1 are picked for class 0. */
static const uint8_t picked[TOY_COLUMNS * TOY_CLASSES] = {0, 0, 0, 1, 0, 0,
                                                          0, 0, 0, 1, 0, 0};

static const struct {
    const char *name;
    struct learn_fit_keyword options;
    double want[TOY_COLUMNS];
} keyword_rows[] = {
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

static void test_fit_keyword(void)
{
    struct arena arena = {0};
    struct learn_rows_builder builder = {0};
    struct learn_rows counts = toy_rows(&builder);
    struct learn_membership truth = toy_truth(&arena);

    for (size_t i = 0; i < ROWS(keyword_rows); i++) {
        struct learn_scorer scorer =
            learn_fit_keyword(&counts, &truth, keyword_rows[i].options, &arena);
        tap_case("%s", keyword_rows[i].name);
        for (size_t c = 0; c < TOY_COLUMNS; c++)
            CHECK_NEAR(scorer.weights[c * TOY_CLASSES], keyword_rows[i].want[c], 1e-12);
    }
    tap_case("a post's score is the sum of weight times count");
    struct learn_scorer scorer =
        learn_fit_keyword(&counts, &truth, keyword_rows[0].options, &arena);
    double scores[TOY_CLASSES];
    learn_scorer_score(&scorer, learn_rows_at(&counts, 0), scores);
    CHECK_NEAR(scores[0], 2 * 0.6 + 1 * 0.2, 1e-12);
    learn_rows_builder_free(&builder);
    arena_free(&arena);
}

/* Linear classifiers against LIBLINEAR as scikit-learn 1.2.1 calls it: LinearSVC and
 * LogisticRegression (dual) run to a tolerance of 1e-10. */

static const double hinge[TOY_CLASSES][TOY_COLUMNS + 1] = {
    {0.6726609964, -0.445200486, -0.1735115431, -0.7688942892, 0.0573511543},
    {-0.65765309, 0.5209847333, 0.2413385161, -0.3111937356, -0.2548588812},
    {-0.1543750693, -0.4360652102, -0.4114450482, 0.6004214262, -0.2284573583}};
static const double logistic[TOY_CLASSES][TOY_COLUMNS + 1] = {
    {0.9995779812, -0.4981844754, -0.3167808226, -1.1319367056, -0.0285181826},
    {-1.1661102281, 0.963940834, 0.2753638376, -0.6528997696, -0.3532792042},
    {-0.4134793352, -0.964014723, -0.5498506923, 1.105370417, -0.3996752526}};
/* Classes of three, two and one rows: each class against the rest with sample_weight
 * rows / (classes * rows of the row's class). */
static const double balanced_hinge[TOY_CLASSES][TOY_COLUMNS + 1] = {
    {0.3106312292, 0.3305647841, -0.4119601329, -0.4850498339, 0.0498338870},
    {-0.1011527204, -0.1701185337, 0.1107744599, -0.2180298179, 0.0428386277},
    {-0.6715951095, -0.3193062269, 0.0005686665, 0.3690645436, -0.3949388683}};

static void linear_check(const char *name, const struct learn_scorer *scorer,
                         const double want[TOY_CLASSES][TOY_COLUMNS + 1])
{
    for (size_t k = 0; k < TOY_CLASSES; k++) {
        tap_case("%s: class %zu", name, k);
        for (size_t c = 0; c < TOY_COLUMNS; c++)
            CHECK_NEAR(scorer->weights[c * TOY_CLASSES + k], want[k][c], 1e-5);
        CHECK_NEAR(scorer->constants[k], want[k][TOY_COLUMNS], 1e-5);
    }
}

static void test_fit_linear(void)
{
    struct arena arena = {0};
    struct learn_rows_builder builder = {0};
    struct learn_rows rows = toy_rows(&builder);
    struct learn_membership truth = toy_truth(&arena);
    struct learn_fit_linear options = {.strength = 1, .tolerance = 1e-8, .seed = 1};

    struct learn_scorer svm = learn_fit_linear(&rows, &truth, options, &arena);
    linear_check("squared hinge", &svm, hinge);
    struct learn_scorer loss = learn_fit_linear(
        &rows, &truth,
        (struct learn_fit_linear){.strength = 2, .tolerance = 1e-9, .logistic = true},
        &arena);
    linear_check("logistic", &loss, logistic);

    tap_case("the same seed gives the same bits");
    struct learn_scorer again = learn_fit_linear(&rows, &truth, options, &arena);
    CHECK(memcmp(svm.weights, again.weights,
                 TOY_COLUMNS * TOY_CLASSES * sizeof(double)) == 0);

    const size_t uneven[TOY_ROWS] = {0, 0, 0, 1, 1, 2};
    truth = toy_membership(uneven, TOY_ROWS, TOY_CLASSES, &arena);
    options.balanced = true;
    options.strength = 0.5;
    struct learn_scorer balanced = learn_fit_linear(&rows, &truth, options, &arena);
    linear_check("balanced", &balanced, balanced_hinge);

    double alpha[TOY_ROWS * TOY_CLASSES] = {0};
    options.alpha = alpha;
    options.strength = 4;
    learn_fit_linear(&rows, &truth, options, &arena);
    options.strength = 0.5;
    struct learn_scorer warm = learn_fit_linear(&rows, &truth, options, &arena);
    linear_check("balanced, from where another strength ended", &warm, balanced_hinge);
    options.alpha = NULL;

    tap_case("one class only");
    const size_t same[TOY_ROWS] = {0, 0, 0, 0, 0, 0};
    truth = toy_membership(same, TOY_ROWS, 2, &arena);
    struct learn_scorer one = learn_fit_linear(&rows, &truth, options, &arena);
    CHECK(one.constants[0] == 1 && one.constants[1] == -1 && one.weights[0] == 0);
    learn_rows_builder_free(&builder);
    arena_free(&arena);
}

int main(void)
{
    test_fit();
    test_scorer();
    test_fit_keyword();
    test_fit_linear();
    return tap_done();
}
