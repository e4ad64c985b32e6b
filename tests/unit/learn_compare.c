/* McNemar against scipy's binomtest(3, 15); the corrected t test against its formula
 * computed in numpy. */
#include "learn/compare.h"

#include <math.h>

#include "tests/unit/learn_toy.h"

/* Of 20 items: 12 only the first has right, 3 only the second, 5 both. */
static void check_mcnemar(struct arena *arena)
{
    size_t truth_of[20] = {0}, first_of[20] = {0}, second_of[20] = {0};

    for (size_t i = 0; i < 15; i++)
        *(i < 12 ? second_of + i : first_of + i) = 1;
    struct membership truth = toy_membership(truth_of, 20, 2, arena);
    struct membership first = toy_membership(first_of, 20, 2, arena);
    struct membership second = toy_membership(second_of, 20, 2, arena);
    struct compare_mcnemar test = compare_mcnemar(&truth, &first, &second);
    tap_case("McNemar, 12 against 3");
    CHECK(test.only_first == 12 && test.only_second == 3);
    CHECK_NEAR(test.p, 0.03515625, 1e-12);
    tap_case("McNemar, no difference");
    CHECK_NEAR(compare_mcnemar(&truth, &first, &first).p, 1, 0);
}

int main(void)
{
    struct arena arena = {0};
    const double a[] = {.8, .75, .9, .85, .7}, b[] = {.7, .77, .8, .8, .72};
    struct compare_t t =
        compare_resampled_t((struct values){a, 5}, (struct values){b, 5}, 0.25);

    check_mcnemar(&arena);
    tap_case("corrected resampled t");
    CHECK_NEAR(t.difference, 0.042, 1e-12);
    CHECK_NEAR(t.t, 1.0406118047460324, 1e-10);
    CHECK_NEAR(t.p, 0.3568173512767619, 1e-10);
    tap_case("the same scores: undefined");
    t = compare_resampled_t((struct values){a, 5}, (struct values){a, 5}, 0.25);
    CHECK(t.undefined != NULL && isnan(t.p) && t.difference == 0);
    tap_case("one fold: undefined");
    t = compare_resampled_t((struct values){a, 1}, (struct values){b, 1}, 0.25);
    CHECK(t.undefined != NULL && isnan(t.p));
    arena_free(&arena);
    return tap_done();
}
