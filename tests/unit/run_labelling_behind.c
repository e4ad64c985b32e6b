/* The items behind agreement, from five items that three raters labelled; worked out by
 * hand. */
#include "run/labelling_behind.h"

#include <math.h>
#include <stdio.h>

#include "tests/unit/filed.h"

enum { A, B, SUB }; /* SUB is below B */

static const size_t codes[] = {A, B, SUB};

/* Item 11: A and A; 12: A and B; 13: SUB by one; 14: B, SUB and A; 15: A and SUB. */
static const struct agree_label labels[] = {
    {0, 0, &codes[A], 1, NAN},   {1, 0, &codes[A], 1, NAN},   {1, 1, &codes[B], 1, NAN},
    {0, 1, &codes[A], 1, NAN},   {2, 0, &codes[SUB], 1, NAN}, {3, 0, &codes[B], 1, NAN},
    {3, 1, &codes[SUB], 1, NAN}, {3, 2, &codes[A], 1, NAN},   {4, 0, &codes[A], 1, NAN},
    {4, 1, &codes[SUB], 1, NAN},
};

static bool holds(const struct output *output, const char *file, const char *part)
{
    char path[100];

    snprintf(path, sizeof path, "out/labelling/t/behind/%s.csv", file);
    return filed_holds(output, filed_find(output, path), part);
}

static void check_parts(const struct output *output)
{
    tap_case("a checkpoint has the items that were done by then");
    CHECK(holds(output, "checkpoints",
                "\n0,,items that two raters or more have labelled,,12 11\n"));
    tap_case("why alpha has no interval there");
    CHECK(holds(output, "checkpoints", "\n0,4,,\"that of alpha comes from resampling"));
    tap_case("a code: whoever called an item so or by a code below it");
    CHECK(holds(output, "codes", "\n1,0,items that a rater called 'bee',,12 13 14 15\n"));
    CHECK(holds(output, "codes", "\n2,0,items that a rater called 'sub',,13 14 15\n"));
    tap_case("a pair of raters: what both have labelled");
    CHECK(holds(output, "raters",
                "\n0,,items that both raters have labelled,,11 12 14 15\n"));
    CHECK(holds(output, "raters", "\n1,,items that both raters have labelled,,14\n"));
    tap_case("confusion: both ways, each item once");
    CHECK(holds(output, "confusion", "\n0,0,items that both raters called 'a',,11\n"));
    CHECK(holds(output, "confusion",
                "\n0,1,items that one rater called 'a' and the other 'bee',,12 14\n"));
    CHECK(holds(output, "confusion",
                "\n1,0,items that one rater called 'a' and the other 'bee',,12 14\n"));
    CHECK(holds(output, "confusion",
                "\n2,0,items that one rater called 'a' and the other 'sub',,14 15\n"));
}

static void check_states(struct labelling_behind *it)
{
    struct label_final finals[] = {
        {.item = 5, .state = LABEL_UNANIMOUS, .dimension = STR("d")},
        {.item = 4, .state = LABEL_UNANIMOUS, .dimension = STR("e")},
        {.item = 3, .state = LABEL_UNRESOLVED, .dimension = STR("d")}};

    it->suffix = STR("d");
    labelling_behind_states(it, finals, 3);
    tap_case("states of one dimension");
    CHECK(holds(it->output, "states.d", "\n0,,items whose label is unanimous,,5\n"));
    CHECK(holds(it->output, "states.d", ",,items whose label is unresolved,,3\n"));
}

int main(void)
{
    static const struct str items[] = {STR_INIT("11"), STR_INIT("12"), STR_INIT("13"),
                                       STR_INIT("14"), STR_INIT("15")};
    static const struct str raters[] = {STR_INIT("x"), STR_INIT("y"), STR_INIT("z")};
    static const struct agree_code tree[] = {
        {STR_INIT("a"), STR_INIT("a"), AGREE_NONE, 1},
        {STR_INIT("b"), STR_INIT("bee"), AGREE_NONE, 1},
        {STR_INIT("b/s"), STR_INIT("sub"), B, 2}};
    static const double half = 0.5;
    struct arena arena = {0};
    struct output output = {0};
    struct agree_data data = {.items = items,
                              .raters = raters,
                              .item_count = ROWS(items),
                              .rater_count = ROWS(raters),
                              .codes = tree,
                              .code_count = ROWS(tree),
                              .labels = labels,
                              .label_count = ROWS(labels)};
    struct agree_report report =
        agree_report(&data,
                     &(struct agree_options){
                         .checkpoints = &half, .checkpoint_count = 1, .level = 0.95},
                     &arena);
    struct labelling_behind it = {
        .output = &output, .task = STR("t"), .report = &report, .arena = &arena};

    labelling_behind_whole(&it, 0, labelling_behind_file(&it, "agreement"));
    tap_case("all: items with two labels, in the order of their last ones");
    CHECK(holds(&output, "agreement",
                "\n0,,items that two raters or more have labelled,,12 11 14 15\n"));
    labelling_behind_parts(&it);
    check_parts(&output);
    check_states(&it);
    output_free(&output);
    arena_free(&arena);
    return tap_done();
}
