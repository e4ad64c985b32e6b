/* The items behind scores, from six items and three classes worked out by hand. */
#include "run/classifying_behind.h"

#include "tests/unit/listed.h"

int main(void)
{
    /* Items 11 to 16 are a a b b c c, and were taken for a b b b a b. */
    static const int64_t ids[] = {11, 12, 13, 14, 15, 16};
    static const size_t truly[] = {0, 0, 1, 1, 2, 2}, taken[] = {0, 1, 1, 1, 0, 1};
    static const struct str names[] = {STR_INIT("a"), STR_INIT("b"), STR_INIT("c, d")};
    struct arena arena = {0};
    struct learn_membership truth = learn_membership_new(6, 3, false, &arena);
    struct learn_membership said = learn_membership_new(6, 3, false, &arena);
    struct run_classifying_behind it = {ids, &truth, &said, names, &arena};
    struct result_table scores = listed_table(5, 3, &arena),
                        overall = listed_table(1, 2, &arena),
                        confusion = listed_table(3, 3, &arena);

    for (size_t i = 0; i < 6; i++) {
        truth.is[i * 3 + truly[i]] = 1;
        said.is[i * 3 + taken[i]] = 1;
    }
    run_classifying_behind_scores(&it, &scores);
    tap_case("scores: those of the class, those taken for it, and both together");
    listed_expect(&scores, 0, 0, "items that are truly 'a': 11 12");
    listed_expect(&scores, 0, 1, "items that were taken for 'a': 11 15");
    listed_expect(&scores, 0, 4, "items that are or were taken for 'a': 11 12 15");
    listed_expect(&scores, 2, 1, "");
    tap_case("overall: all that were held out");
    run_classifying_behind_overall(&it, &overall);
    listed_expect(&overall, 1, 0, "labelled items that were held out: 11 12 13 14 15 16");
    tap_case("confusion: a cell each, and none without items");
    run_classifying_behind_confusion(&it, &confusion);
    listed_expect(&confusion, 0, 1,
                  "items that are truly 'a' and were taken for 'b': 12");
    listed_expect(&confusion, 2, 2, "");
    arena_free(&arena);
    return tap_done();
}
