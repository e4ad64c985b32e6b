/* Scores against scikit-learn, and classifiers compared. */
#include "learn/score.h"

#include <math.h>
#include <string.h>

#include "tests/unit/learn_toy.h"

/* Scores against scikit-learn 1.2.1 (classification_report, matthews_corrcoef); Brier and
 * bins by hand. */

enum { ITEMS = 10 };

static const size_t score_truth_of[ITEMS] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 2};
static const size_t said_of[ITEMS] = {0, 0, 1, 2, 1, 1, 0, 2, 2, 2};

static void check_single(struct arena *arena)
{
    const double want[LEARN_SCORE_OVERALL] = {0.6944444444, 0.7222222222, 0.6984126984,
                                              0.7,          0.6857142857, 0.7,
                                              0.5606060606, 0.5522388060};
    struct learn_membership truth = toy_membership(score_truth_of, ITEMS, 3, arena);
    struct learn_membership said = toy_membership(said_of, ITEMS, 3, arena);
    struct learn_score score = learn_score_of(&truth, &said, arena);

    for (size_t i = 0; i < LEARN_SCORE_OVERALL; i++) {
        tap_case("one label: %s", learn_score_names[i]);
        CHECK_NEAR(score.overall[i], want[i], 1e-9);
    }
    tap_case("one label: a class");
    CHECK_NEAR(score.of[0].precision, 2.0 / 3, 1e-12);
    CHECK_NEAR(score.of[0].recall, 0.5, 1e-12);
    CHECK_NEAR(score.of[2].f1, 6.0 / 7, 1e-12);
    tap_case("every error counts in the confusion matrix");
    CHECK(score.confusion[0] == 2 && score.confusion[1] == 1 && score.confusion[2] == 1 &&
          score.confusion[3] == 1 && score.confusion[8] == 3);

    struct learn_score_intervals intervals = learn_score_intervals(
        &truth, &said,
        (struct stats_bootstrap_options){.level = 0.95, .resamples = 1000, .seed = 1},
        arena);
    tap_case("intervals hold their estimates");
    CHECK_NEAR(intervals.overall[LEARN_SCORE_MACRO_F1].estimate, 0.6984126984, 1e-9);
    CHECK(intervals.overall[LEARN_SCORE_ACCURACY].low < 0.7 &&
          intervals.overall[LEARN_SCORE_ACCURACY].high > 0.7);
    CHECK(intervals.overall[LEARN_SCORE_ACCURACY].low >= 0.2 &&
          intervals.overall[LEARN_SCORE_ACCURACY].high <= 0.9);
}

/* Its roots round: the two of a perfect prediction may give less than what they are of. */
static void check_limits(struct arena *arena)
{
    size_t of[60];

    tap_case("MCC of a perfect prediction is never more than 1");
    for (size_t a = 1; a < 20; a++)
        for (size_t b = 1; b < 20; b++) {
            for (size_t i = 0; i < a + b + 9; i++)
                of[i] = i < a ? 0 : i < a + b ? 1 : 2;
            struct learn_membership truth = toy_membership(of, a + b + 9, 3, arena);
            struct learn_score score = learn_score_of(&truth, &truth, arena);
            CHECK(score.overall[LEARN_SCORE_MCC] <= 1 &&
                  score.overall[LEARN_SCORE_MCC] > 1 - 1e-12);
        }
}

static void check_undefined(struct arena *arena)
{
    const size_t never[ITEMS] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    struct learn_membership truth = toy_membership(score_truth_of, ITEMS, 4, arena);
    struct learn_membership said = toy_membership(never, ITEMS, 4, arena);
    struct learn_score score = learn_score_of(&truth, &said, arena);

    tap_case("a class never predicted has no precision, but an F1 of 0");
    CHECK(isnan(score.of[1].precision) && score.of[1].f1 == 0);
    tap_case("a class neither there nor predicted does not count");
    CHECK(isnan(score.of[3].f1) && isnan(score.of[3].recall));
    CHECK_NEAR(score.overall[LEARN_SCORE_MACRO_F1], (2 * 4 / 14.0) / 3, 1e-12);
    tap_case("MCC of a constant is undefined");
    CHECK(isnan(score.overall[LEARN_SCORE_MCC]));
}

static void check_several(struct arena *arena)
{
    const uint8_t truth_is[] = {1, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0, 1};
    const uint8_t said_is[] = {1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1};
    const double want[LEARN_SCORE_OVERALL] = {0.7222222222, 0.8333333333, 0.7666666667,
                                              0.7692307692, 0.7666666667, 0.25,
                                              0.5070925528, 0.5};
    struct learn_membership truth = learn_membership_new(4, 3, true, arena);
    struct learn_membership said = learn_membership_new(4, 3, true, arena);

    for (size_t i = 0; i < 12; i++) {
        truth.is[i] = truth_is[i];
        said.is[i] = said_is[i];
    }
    struct learn_score score = learn_score_of(&truth, &said, arena);
    for (size_t i = 0; i < LEARN_SCORE_OVERALL; i++) {
        tap_case("several labels: %s", learn_score_names[i]);
        CHECK_NEAR(score.overall[i], want[i], 1e-9);
    }
    CHECK(score.confusion == NULL);
}

static void check_calibration(struct arena *arena)
{
    const size_t classes[] = {0, 1, 0};
    const double probabilities[] = {0.8, 0.2, 0.8, 0.2, 1.0, 0.0};
    struct learn_membership truth = toy_membership(classes, 3, 2, arena);
    struct learn_score_calibration found =
        learn_score_calibration(&truth, probabilities, 1, NULL);

    tap_case("Brier: (0.08 + 1.28 + 0) / 3");
    CHECK_NEAR(found.brier, 1.36 / 3, 1e-12);
    tap_case("bins: half of those said to be 0.8 sure are right");
    CHECK(found.bins[8].items == 2 && found.bins[9].items == 1);
    CHECK_NEAR(found.bins[8].right, 0.5, 1e-12);
    CHECK_NEAR(found.expected_error, 0.2, 1e-12);
    CHECK(isnan(found.bins[0].sure));

    const bool untold[] = {true, false, false};
    found = learn_score_calibration(&truth, probabilities, 1, untold);
    tap_case("what no probability was said of is in no bin");
    CHECK(found.bins[8].items == 1 && found.bins[9].items == 1 && found.bins[8].right == 0);
    CHECK_NEAR(found.brier, 1.28 / 2, 1e-12);
    CHECK_NEAR(found.expected_error, 0.4, 1e-12);
}

/* scikit-learn's matthews_corrcoef and cohen_kappa_score, with the items that nothing was
 * said of predicted as a class of their own. */
static void check_silent(struct arena *arena)
{
    const size_t classes[] = {0, 0, 0, 1, 1, 2, 2, 2};
    const size_t guesses[] = {0, 0, 1, 1, 3, 2, 3, 2}; /* 3: nothing */
    struct learn_membership truth = toy_membership(classes, 8, 3, arena);
    struct learn_membership said = learn_membership_new(8, 3, false, arena);

    for (size_t i = 0; i < 8; i++)
        if (guesses[i] < 3)
            said.is[i * 3 + guesses[i]] = 1;
    struct learn_score score = learn_score_of(&truth, &said, arena);
    tap_case("items that nothing was said of are a class of their own for MCC and kappa");
    CHECK_NEAR(score.overall[LEARN_SCORE_MCC], 0.5345224838248488, 1e-12);
    CHECK_NEAR(score.overall[LEARN_SCORE_KAPPA], 0.5, 1e-12);
}

/* Class 2 has one item, which a third of all resamples lack: it keeps its scores there,
 * so that all predictions right is 1 in every one of them. */
static void check_rare(struct arena *arena)
{
    enum { RARE_ITEMS = 20 };
    struct learn_membership truth = learn_membership_new(RARE_ITEMS, 3, false, arena);

    for (size_t i = 0; i < RARE_ITEMS; i++)
        truth.is[3 * i + (i == 0 ? 2 : i % 2)] = 1;
    struct learn_score_intervals all = learn_score_intervals(
        &truth, &truth,
        (struct stats_bootstrap_options){.level = 0.95, .resamples = 200, .seed = 1},
        arena);
    tap_case("a class that resamples lack");
    CHECK_NEAR(all.overall[LEARN_SCORE_MACRO_RECALL].estimate, 1, 0);
    tap_case("exactly 1: Wilson's interval of 1 / 1 and 20 / 20, and of the mean");
    CHECK_NEAR(all.recall[2].low, 0.2065493, 1e-6);
    CHECK_NEAR(all.overall[LEARN_SCORE_ACCURACY].low, 0.8388748, 1e-6);
    CHECK_NEAR(all.overall[LEARN_SCORE_MACRO_RECALL].low,
               1 - sqrt(pow(1 - all.recall[0].low, 2) + pow(1 - all.recall[1].low, 2) +
                        pow(1 - all.recall[2].low, 2)) /
                       3,
               1e-12);
    CHECK(all.overall[LEARN_SCORE_MACRO_F1].low < 1 &&
          all.overall[LEARN_SCORE_MACRO_F1].high == 1);
    tap_case("exactly 1: with one class an item micro F1 is as accuracy");
    CHECK_NEAR(all.overall[LEARN_SCORE_MICRO_F1].low, 0.8388748, 1e-6);
    CHECK_NEAR(all.overall[LEARN_SCORE_MICRO_F1].high, 1, 0);
    tap_case("exactly 1: weighted F1 loses a small class, and a half where that goes");
    CHECK_NEAR(all.overall[LEARN_SCORE_WEIGHTED_F1].low, 0.7583122629, 1e-9);
    CHECK_NEAR(all.overall[LEARN_SCORE_WEIGHTED_F1].high, 1, 0);
    tap_case("exactly 1: kappa of 1 - 0.1611252 with what it leaves to chance");
    for (size_t n = LEARN_SCORE_MCC; n <= LEARN_SCORE_KAPPA; n++) {
        CHECK_NEAR(all.overall[n].low, 0.6589898124, 1e-9);
        CHECK_NEAR(all.overall[n].high, 1, 0);
        CHECK(all.overall[n].undefined == NULL);
    }
}

/* Wilson's limit of 10 / 10 by hand: 1 / (1 + 1.959964^2 / 10) = 0.7224672; of the F1 of a
 * class with 10 items, 2 * 0.7224672 / 1.7224672 = 0.8388748; of 20 / 20 the same. An
 * error is one of both classes at once: the mean F1 falls by as much as accuracy. */
static void check_two(struct arena *arena)
{
    enum { TWO_ITEMS = 20 };

    for (int several = 0; several < 2; several++) {
        struct learn_membership truth =
            learn_membership_new(TWO_ITEMS, 2, several != 0, arena);
        for (size_t i = 0; i < TWO_ITEMS; i++)
            truth.is[2 * i + i % 2] = 1;
        struct learn_score_intervals all = learn_score_intervals(
            &truth, &truth,
            (struct stats_bootstrap_options){.level = 0.95, .resamples = 200, .seed = 1},
            arena);
        tap_case("exactly 1: two classes that an error has at once, %s",
                 several ? "several an item" : "one an item");
        CHECK_NEAR(all.f1[0].low, 0.8388748, 1e-6);
        CHECK_NEAR(all.overall[LEARN_SCORE_MACRO_F1].low, 0.8388748, 1e-6);
        CHECK_NEAR(all.overall[LEARN_SCORE_MICRO_F1].low, 0.8388748, 1e-6);
        CHECK_NEAR(all.overall[LEARN_SCORE_MACRO_RECALL].low,
                   several ? 0.7224672 : 1 - (1 - 0.7224672) / sqrt(2), 1e-6);
        CHECK_NEAR(all.overall[LEARN_SCORE_WEIGHTED_F1].low, 0.8234009505, 1e-9);
        CHECK_NEAR(all.overall[LEARN_SCORE_KAPPA].low, 0.6777496839, 1e-9);
    }
}

/* Areas against scikit-learn 1.2.1 (roc_auc_score, average_precision_score), with ties;
 * DeLong's limits by hand in numpy. */
static void check_areas(struct arena *arena)
{
    const size_t classes[] = {0, 0, 1, 0, 1, 1, 0, 1, 1, 1};
    const double of_first[] = {0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.3, 0.2, 0.1};
    struct learn_membership truth = toy_membership(classes, 10, 2, arena);
    double probabilities[40];
    struct learn_score_point points[20];
    size_t count;

    for (size_t i = 0; i < 20; i++) {
        probabilities[2 * i] = of_first[i % 10];
        probabilities[2 * i + 1] = 1 - of_first[i % 10];
    }
    tap_case("areas under curves");
    struct learn_score_areas areas =
        learn_score_areas(&truth, probabilities, 1, 0, 0.95, arena, points, &count);
    CHECK_NEAR(areas.roc, 0.8541666667, 1e-9);
    CHECK_NEAR(areas.pr, 0.7470238095, 1e-9);
    CHECK_NEAR(areas.roc_low, 0.4622722470, 1e-9);
    CHECK_NEAR(areas.roc_high, 0.9755536023, 1e-9);
    CHECK(count == 7 && points[0].threshold == 0.9 && points[6].recall == 1);
    CHECK_NEAR(points[1].precision, 2.0 / 3, 1e-12);
    CHECK_NEAR(points[1].false_alarms, 1.0 / 6, 1e-12);
    tap_case("repetitions are no further items");
    struct learn_score_areas twice =
        learn_score_areas(&truth, probabilities, 2, 0, 0.95, arena, NULL, NULL);
    CHECK_NEAR(twice.roc, areas.roc, 1e-12);
    CHECK_NEAR(twice.roc_low, areas.roc_low, 1e-12);
    CHECK_NEAR(twice.roc_high, areas.roc_high, 1e-12);
    tap_case("areas of exactly 1 and 0: Newcombe's limits, by SciPy's brentq");
    for (size_t i = 0; i < 20; i++)
        probabilities[i] = (double)truth.is[i];
    areas = learn_score_areas(&truth, probabilities, 1, 0, 0.95, arena, NULL, NULL);
    CHECK_NEAR(areas.roc_low, 0.6328553494, 1e-9);
    CHECK_NEAR(areas.roc_high, 1, 0);
    for (size_t i = 0; i < 20; i++)
        probabilities[i] = 1 - (double)truth.is[i];
    areas = learn_score_areas(&truth, probabilities, 1, 0, 0.95, arena, NULL, NULL);
    CHECK_NEAR(areas.roc_low, 0, 0);
    CHECK_NEAR(areas.roc_high, 1 - 0.6328553494, 1e-9);
    for (size_t i = 0; i < 10; i++) {
        probabilities[2 * i] = of_first[i];
        probabilities[2 * i + 1] = 1 - of_first[i];
    }
    tap_case("a single item of the class: no limits");
    const size_t alone[] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct learn_membership one = toy_membership(alone, 10, 2, arena);
    probabilities[20] = 0.5; /* the only item of the class, the second time */
    CHECK(isnan(
        learn_score_areas(&one, probabilities, 2, 0, 0.95, arena, NULL, NULL).roc_low));
    tap_case("a class that all or none have: undefined");
    struct learn_membership none = learn_membership_new(10, 2, false, arena);
    CHECK(isnan(
        learn_score_areas(&none, probabilities, 1, 0, 0.95, arena, NULL, NULL).roc));
}

/* Two repetitions: the second has one more item right than the first. */
static void check_repeats(struct arena *arena)
{
    struct learn_membership truth = toy_membership(score_truth_of, ITEMS, 3, arena);
    size_t both[2 * ITEMS];

    memcpy(both, said_of, sizeof said_of);
    memcpy(both + ITEMS, said_of, sizeof said_of);
    both[ITEMS + 2] = 0;
    struct learn_membership said = toy_membership(both, 2 * ITEMS, 3, arena);
    struct learn_score score = learn_score_of(&truth, &said, arena);
    tap_case("each repetition counts for its part");
    CHECK_NEAR(score.overall[LEARN_SCORE_ACCURACY], 0.75, 1e-12);
    CHECK_NEAR(score.of[0].items, 4, 1e-12);
    CHECK_NEAR(score.confusion[0], 2.5, 1e-12);
}

static void test_score(void)
{
    struct arena arena = {0};

    check_single(&arena);
    check_limits(&arena);
    check_undefined(&arena);
    check_several(&arena);
    check_calibration(&arena);
    check_silent(&arena);
    check_two(&arena);
    check_rare(&arena);
    check_areas(&arena);
    check_repeats(&arena);
    arena_free(&arena);
}

/* McNemar against scipy's binomtest(3, 15); the corrected t test against its formula
 * computed in numpy. */

/* Of 20 items: 12 only the first has right, 3 only the second, 5 both. */
static void check_mcnemar(struct arena *arena)
{
    size_t truth_of[20] = {0}, first_of[20] = {0}, second_of[20] = {0};

    for (size_t i = 0; i < 15; i++)
        *(i < 12 ? second_of + i : first_of + i) = 1;
    struct learn_membership truth = toy_membership(truth_of, 20, 2, arena);
    struct learn_membership first = toy_membership(first_of, 20, 2, arena);
    struct learn_membership second = toy_membership(second_of, 20, 2, arena);
    struct learn_compare_mcnemar test = learn_compare_mcnemar(&truth, &first, &second);
    tap_case("McNemar, 12 against 3");
    CHECK(test.only_first == 12 && test.only_second == 3);
    CHECK_NEAR(test.p, 0.03515625, 1e-12);
    tap_case("McNemar, no difference");
    CHECK_NEAR(learn_compare_mcnemar(&truth, &first, &first).p, 1, 0);
}

static void test_compare(void)
{
    struct arena arena = {0};
    const double a[] = {.8, .75, .9, .85, .7}, b[] = {.7, .77, .8, .8, .72};
    struct learn_compare_t t = learn_compare_resampled_t(
        (struct stats_values){a, 5}, (struct stats_values){b, 5}, 0.25);

    check_mcnemar(&arena);
    tap_case("corrected resampled t");
    CHECK_NEAR(t.difference, 0.042, 1e-12);
    CHECK_NEAR(t.t, 1.0406118047460324, 1e-10);
    CHECK_NEAR(t.p, 0.3568173512767619, 1e-10);
    tap_case("the same scores: undefined");
    t = learn_compare_resampled_t((struct stats_values){a, 5},
                                  (struct stats_values){a, 5}, 0.25);
    CHECK(t.undefined != NULL && isnan(t.p) && t.difference == 0);
    tap_case("one fold: undefined");
    t = learn_compare_resampled_t((struct stats_values){a, 1},
                                  (struct stats_values){b, 1}, 0.25);
    CHECK(t.undefined != NULL && isnan(t.p));
    arena_free(&arena);
}

int main(void)
{
    test_score();
    test_compare();
    return tap_done();
}
