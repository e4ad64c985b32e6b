/* Sets of labels as classes. */
#include "learn/powerset.h"

#include <string.h>

#include "tests/tap.h"

enum { ITEMS = 5, CLASSES = 3 };

static const uint8_t labels[ITEMS][CLASSES] = {
    {1, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 1}};

int main(void)
{
    struct arena arena = {0};
    struct membership truth = membership_new(ITEMS, CLASSES, true, &arena);
    struct folds_items first = {folds_all(ITEMS, &arena).at, 4};
    double probabilities[CLASSES];

    memcpy(truth.is, labels, sizeof labels);
    struct powerset sets = powerset_make(&truth, first, &arena);
    tap_case("each set once, in the order of items");
    CHECK(sets.count == 3 && sets.classes == CLASSES);
    CHECK(memcmp(sets.has, labels[0], CLASSES) == 0);
    CHECK(memcmp(sets.has + CLASSES, labels[1], CLASSES) == 0);
    CHECK(memcmp(sets.has + 2 * CLASSES, labels[3], CLASSES) == 0);

    struct membership by_set = powerset_truth(&sets, &truth, &arena);
    tap_case("items have one set");
    CHECK(by_set.items == ITEMS && by_set.classes == 3 && !by_set.several);
    CHECK(membership_class(&by_set, 0) == 0 && membership_class(&by_set, 1) == 1 &&
          membership_class(&by_set, 2) == 0 && membership_class(&by_set, 3) == 2);
    tap_case("a set that was not learned is none");
    CHECK(membership_class(&by_set, 4) == by_set.classes);

    powerset_classes(&sets, (double[]){.5, .3, .2}, probabilities);
    tap_case("a class has the sum of its sets");
    CHECK_NEAR(probabilities[0], .8, 1e-15);
    CHECK_NEAR(probabilities[1], .3, 1e-15);
    CHECK_NEAR(probabilities[2], .2, 1e-15);
    arena_free(&arena);
    return tap_done();
}
