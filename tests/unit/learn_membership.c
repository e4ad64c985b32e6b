/* Which classes items have. */
#include "learn/membership.h"

#include "tests/unit/learn_toy.h"

int main(void)
{
    struct arena arena = {0};
    struct membership truth = toy_truth(&arena);
    const size_t some[] = {5, 0, 2};
    size_t counts[TOY_CLASSES];

    tap_case("the class of each item");
    for (size_t i = 0; i < TOY_ROWS; i++)
        CHECK(membership_class(&truth, i) == toy_classes[i]);

    tap_case("items of a list, in its order");
    struct membership part = membership_of(&truth, some, ROWS(some), &arena);
    CHECK(part.items == 3 && membership_class(&part, 0) == 2 &&
          membership_class(&part, 1) == 0 && membership_class(&part, 2) == 1);

    tap_case("counts of a list");
    truth.is[0 * TOY_CLASSES + 2] = 1; /* item 0 has two classes now */
    membership_count(&truth, some, ROWS(some), counts);
    CHECK(counts[0] == 1 && counts[1] == 1 && counts[2] == 2);

    tap_case("an item without a class");
    struct membership none = membership_new(1, 3, true, &arena);
    CHECK(membership_class(&none, 0) == 3);
    arena_free(&arena);
    return tap_done();
}
