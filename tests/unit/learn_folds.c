/* Folds, and sets of labels as classes. */
#include "learn/folds.h"

#include <string.h>

#include "tests/tap.h"
#include "tests/unit/learn_toy.h"

/* Folds: groups stay whole, classes are spread, and every item is in one of them. */

enum { ITEMS = 103, FOLDS = 5 };

static void check_folds(struct arena *arena)
{
    size_t classes_of[ITEMS], groups[ITEMS], counts[3][FOLDS] = {{0}};
    bool whole = true, spread = true;

    for (size_t i = 0; i < ITEMS; i++) {
        classes_of[i] = i % 10 == 0 ? 2 : i % 2;
        groups[i] = i < 90 ? i : 90; /* the last 13 belong together */
    }
    struct learn_membership truth = toy_membership(classes_of, ITEMS, 3, arena);
    struct learn_fold_items all = learn_fold_all(ITEMS, arena);
    struct rng rng = rng_seeded(7), same = rng_seeded(7), other = rng_seeded(8);
    const size_t *fold_of = learn_fold_make(&truth, groups, all, FOLDS, &rng, arena);
    for (size_t i = 0; i < ITEMS; i++) {
        whole = whole && (i < 90 || fold_of[i] == fold_of[90]);
        if (i < 90)
            counts[classes_of[i]][fold_of[i]]++;
    }
    tap_case("a group is never parted");
    CHECK(whole);
    for (size_t f = 0; f < FOLDS; f++)
        if (f != fold_of[90])
            for (size_t k = 0; k < 3; k++)
                spread = spread && counts[k][f] >= 1 && counts[k][f] <= 13;
    tap_case("every fold has some of each class");
    CHECK(spread);
    tap_case("the same seed gives the same folds, another one others");
    CHECK(memcmp(fold_of, learn_fold_make(&truth, groups, all, FOLDS, &same, arena),
                 ITEMS * sizeof *fold_of) == 0);
    CHECK(memcmp(fold_of, learn_fold_make(&truth, groups, all, FOLDS, &other, arena),
                 ITEMS * sizeof *fold_of) != 0);

    tap_case("in and out of a fold are all items");
    struct learn_fold_items in = learn_fold_take(all, fold_of, 2, true, arena);
    struct learn_fold_items out = learn_fold_take(all, fold_of, 2, false, arena);
    CHECK(in.count > 0 && in.count + out.count == ITEMS);
    for (size_t i = 0; i < in.count; i++)
        CHECK(fold_of[in.at[i]] == 2);
}

static void check_balance(struct arena *arena)
{
    size_t classes_of[ITEMS], low = ITEMS, high = 0;

    for (size_t i = 0; i < ITEMS; i++)
        classes_of[i] = i % 3;
    struct learn_membership truth = toy_membership(classes_of, ITEMS, 3, arena);
    struct learn_fold_items all = learn_fold_all(ITEMS, arena), taken, left;
    struct rng rng = rng_seeded(1);
    const size_t *fold_of = learn_fold_make(&truth, NULL, all, FOLDS, &rng, arena);
    for (size_t f = 0; f < FOLDS; f++) {
        size_t count = learn_fold_take(all, fold_of, f, true, arena).count;
        low = count < low ? count : low;
        high = count > high ? count : high;
    }
    tap_case("folds without groups differ by one item at most");
    CHECK(high - low <= 1);

    tap_case("40%% held out, of each class");
    size_t counts[3] = {0};
    learn_fold_hold_out(&truth, NULL, all, 0.4, &rng, arena, &taken, &left);
    for (size_t i = 0; i < taken.count; i++)
        counts[learn_membership_class(&truth, taken.at[i])]++;
    CHECK(taken.count + left.count == ITEMS);
    for (size_t k = 0; k < 3; k++)
        CHECK(counts[k] >= 13 && counts[k] <= 15);
}

/* Groups of 8 .. 15 items, no two of the same size. */
static void check_groups(struct arena *arena)
{
    enum { MEMBERS = 92 };
    size_t groups[MEMBERS], count = 0;
    struct learn_membership truth = learn_membership_new(MEMBERS, 1, false, arena);
    struct learn_fold_items all = learn_fold_all(MEMBERS, arena);

    for (size_t g = 0; g < 8; g++)
        for (size_t i = 0; i < 8 + g; i++)
            groups[count++] = g;
    memset(truth.is, 1, MEMBERS);
    struct rng rng = rng_seeded(1);
    const size_t *first = learn_fold_make(&truth, groups, all, 2, &rng, arena);
    const size_t *second = learn_fold_make(&truth, groups, all, 2, &rng, arena);
    size_t same = 0;
    for (size_t i = 0; i < MEMBERS; i++)
        same += first[i] == second[i];
    tap_case("another draw deals groups of different sizes otherwise");
    CHECK(same > 0 && same < MEMBERS);
    size_t held = learn_fold_take(all, first, 0, true, arena).count;
    CHECK(held >= MEMBERS / 2 - 8 && held <= MEMBERS / 2 + 8);
}

static void test_folds(void)
{
    struct arena arena = {0};

    check_folds(&arena);
    check_groups(&arena);
    check_balance(&arena);
    arena_free(&arena);
}

/* Sets of labels as classes. */

enum { POWERSET_ITEMS = 5, CLASSES = 3 };

static const uint8_t labels[POWERSET_ITEMS][CLASSES] = {
    {1, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 1}};

static void test_powerset(void)
{
    struct arena arena = {0};
    struct learn_membership truth =
        learn_membership_new(POWERSET_ITEMS, CLASSES, true, &arena);
    struct learn_fold_items first = {learn_fold_all(POWERSET_ITEMS, &arena).at, 4};
    double probabilities[CLASSES];

    memcpy(truth.is, labels, sizeof labels);
    struct learn_powerset sets = learn_powerset_make(&truth, first, &arena);
    tap_case("each set once, in the order of items");
    CHECK(sets.count == 3 && sets.classes == CLASSES);
    CHECK(memcmp(sets.has, labels[0], CLASSES) == 0);
    CHECK(memcmp(sets.has + CLASSES, labels[1], CLASSES) == 0);
    CHECK(memcmp(sets.has + 2 * CLASSES, labels[3], CLASSES) == 0);

    struct learn_membership by_set = learn_powerset_truth(&sets, &truth, &arena);
    tap_case("items have one set");
    CHECK(by_set.items == POWERSET_ITEMS && by_set.classes == 3 && !by_set.several);
    CHECK(learn_membership_class(&by_set, 0) == 0 &&
          learn_membership_class(&by_set, 1) == 1 &&
          learn_membership_class(&by_set, 2) == 0 &&
          learn_membership_class(&by_set, 3) == 2);
    tap_case("a set that was not learned is none");
    CHECK(learn_membership_class(&by_set, 4) == by_set.classes);

    learn_powerset_classes(&sets, (double[]){.5, .3, .2}, probabilities);
    tap_case("a class has the sum of its sets");
    CHECK_NEAR(probabilities[0], .8, 1e-15);
    CHECK_NEAR(probabilities[1], .3, 1e-15);
    CHECK_NEAR(probabilities[2], .2, 1e-15);
    arena_free(&arena);
}

int main(void)
{
    test_folds();
    test_powerset();
    return tap_done();
}
