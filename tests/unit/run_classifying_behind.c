/* The items behind scores, from six items and three classes worked out by hand. */
#include "run/classifying_behind.h"

#include "tests/unit/filed.h"

int main(void)
{
    /* Items 11 to 16 are a a b b c c, and were taken for a b b b a b. */
    static const int64_t ids[] = {11, 12, 13, 14, 15, 16};
    static const size_t truly[] = {0, 0, 1, 1, 2, 2}, taken[] = {0, 1, 1, 1, 0, 1};
    static const struct str names[] = {STR_INIT("a"), STR_INIT("b"), STR_INIT("c, d")};
    struct arena arena = {0};
    struct output output = {0};
    struct membership truth = membership_new(6, 3, false, &arena);
    struct membership said = membership_new(6, 3, false, &arena);
    struct bootstrap *some = arena_array(&arena, struct bootstrap, 3);
    struct bootstrap *none = arena_array(&arena, struct bootstrap, 3);
    struct score_intervals intervals = {.precision = some, .recall = none, .f1 = none};
    struct classifying_behind it = {&output, STR("k"), ids,       &truth,
                                    &said,   names,    &intervals};

    some[2].undefined = "too few";
    for (size_t i = 0; i < 6; i++) {
        truth.is[i * 3 + truly[i]] = 1;
        said.is[i * 3 + taken[i]] = 1;
    }
    classifying_behind_make(&it);
    tap_case("scores: those of the class, those taken for it, and both together");
    filed_path(&output, 0, "out/classifiers/k/behind/scores.csv");
    CHECK(filed_holds(&output, 0, "\n0,0,items that are truly 'a',,11 12\n"));
    CHECK(filed_holds(&output, 0, "\n0,1,items that were taken for 'a',,11 15\n"));
    CHECK(filed_holds(&output, 0,
                      "\n0,4,items that are or were taken for 'a',,11 12 15\n"));
    CHECK(filed_holds(&output, 0, "\n2,1,\"items that were taken for 'c, d'\",,\n"));
    tap_case("why a score has no interval");
    CHECK(filed_holds(&output, 0, "\n2,2,,too few,\n"));
    tap_case("overall: all that were held out");
    filed_path(&output, 1, "out/classifiers/k/behind/overall.csv");
    CHECK(filed_holds(&output, 1,
                      "\n,,labelled items that were held out,,11 12 13 14 15 "
                      "16\n"));
    tap_case("confusion: a cell each, and none without items");
    filed_path(&output, 2, "out/classifiers/k/behind/confusion.csv");
    CHECK(filed_holds(&output, 2,
                      "\n0,1,items that are truly 'a' and were taken for 'b',,"
                      "12\n"));
    CHECK(!filed_holds(&output, 2, "\n2,2,"));
    tap_case("before there are scores, the files are there and empty");
    classifying_behind_nothing(&output, STR("n"));
    CHECK(output.count == 6);
    CHECK(str_eq(output_text(&output, 5), STR("row,column,what,no interval,ids\n")));
    output_free(&output);
    arena_free(&arena);
    return tap_done();
}
