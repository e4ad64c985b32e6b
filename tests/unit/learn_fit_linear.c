/* Linear classifiers against LIBLINEAR as scikit-learn 1.2.1 calls it: LinearSVC and
 * LogisticRegression (dual) run to a tolerance of 1e-10. */
#include <math.h>
#include <string.h>

#include "learn/fit.h"
#include "tests/unit/learn_toy.h"

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

static void check(const char *name, const struct scorer *scorer,
                  const double want[TOY_CLASSES][TOY_COLUMNS + 1])
{
    for (size_t k = 0; k < TOY_CLASSES; k++) {
        tap_case("%s: class %zu", name, k);
        for (size_t c = 0; c < TOY_COLUMNS; c++)
            CHECK_NEAR(scorer->weights[c * TOY_CLASSES + k], want[k][c], 1e-5);
        CHECK_NEAR(scorer->constants[k], want[k][TOY_COLUMNS], 1e-5);
    }
}

int main(void)
{
    struct arena arena = {0};
    struct rows_builder builder = {0};
    struct rows rows = toy_rows(&builder);
    struct membership truth = toy_truth(&arena);
    struct fit_linear options = {.strength = 1, .tolerance = 1e-8, .seed = 1};

    struct scorer svm = fit_linear(&rows, &truth, options, &arena);
    check("squared hinge", &svm, hinge);
    struct scorer loss = fit_linear(
        &rows, &truth,
        (struct fit_linear){.strength = 2, .tolerance = 1e-9, .logistic = true}, &arena);
    check("logistic", &loss, logistic);

    tap_case("the same seed gives the same bits");
    struct scorer again = fit_linear(&rows, &truth, options, &arena);
    CHECK(memcmp(svm.weights, again.weights,
                 TOY_COLUMNS * TOY_CLASSES * sizeof(double)) == 0);

    const size_t uneven[TOY_ROWS] = {0, 0, 0, 1, 1, 2};
    truth = toy_membership(uneven, TOY_ROWS, TOY_CLASSES, &arena);
    options.balanced = true;
    options.strength = 0.5;
    struct scorer balanced = fit_linear(&rows, &truth, options, &arena);
    check("balanced", &balanced, balanced_hinge);

    double alpha[TOY_ROWS * TOY_CLASSES] = {0};
    options.alpha = alpha;
    options.strength = 4;
    fit_linear(&rows, &truth, options, &arena);
    options.strength = 0.5;
    struct scorer warm = fit_linear(&rows, &truth, options, &arena);
    check("balanced, from where another strength ended", &warm, balanced_hinge);
    options.alpha = NULL;

    tap_case("one class only");
    const size_t same[TOY_ROWS] = {0, 0, 0, 0, 0, 0};
    truth = toy_membership(same, TOY_ROWS, 2, &arena);
    struct scorer one = fit_linear(&rows, &truth, options, &arena);
    CHECK(one.constants[0] == 1 && one.constants[1] == -1 && one.weights[0] == 0);
    rows_builder_free(&builder);
    arena_free(&arena);
    return tap_done();
}
