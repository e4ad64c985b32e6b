/* The items behind agreement, from five items that three raters labelled; worked out by
 * hand. */
#include "run/labelling_behind.h"

#include <math.h>

#include "tests/unit/listed.h"

enum { A, B, SUB }; /* SUB is below B */

static const size_t codes[] = {A, B, SUB};

/* Item 11: A and A; 12: A and B; 13: SUB by one; 14: B, SUB and A; 15: A and SUB. */
static const struct label_agree_label labels[] = {
    {0, 0, &codes[A], 1, NAN},   {1, 0, &codes[A], 1, NAN},   {1, 1, &codes[B], 1, NAN},
    {0, 1, &codes[A], 1, NAN},   {2, 0, &codes[SUB], 1, NAN}, {3, 0, &codes[B], 1, NAN},
    {3, 1, &codes[SUB], 1, NAN}, {3, 2, &codes[A], 1, NAN},   {4, 0, &codes[A], 1, NAN},
    {4, 1, &codes[SUB], 1, NAN},
};

static void check_parts(const struct run_labelling_behind *it)
{
    struct result_table codes_of = listed_table(2, 3, it->lists),
                        pairs = listed_table(1, 3, it->lists),
                        confusion = listed_table(3, 3, it->lists);

    tap_case("a code: whoever called an item so or by a code below it");
    run_labelling_behind_codes(it, &codes_of);
    listed_expect(&codes_of, 1, 0, "items that a rater called 'bee': 12 13 14 15");
    listed_expect(&codes_of, 2, 0, "items that a rater called 'sub': 13 14 15");
    listed_expect(&codes_of, 2, 1,
                  "items that two raters or more have labelled: 12 11 14 15");
    tap_case("a pair of raters: what both have labelled");
    run_labelling_behind_raters(it, &pairs);
    listed_expect(&pairs, 0, 0, "items that both raters have labelled: 11 12 14 15");
    listed_expect(&pairs, 1, 0, "items that both raters have labelled: 14");
    tap_case("confusion: both ways, each item once");
    run_labelling_behind_confusion(it, &confusion);
    listed_expect(&confusion, 0, 0, "items that both raters called 'a': 11");
    listed_expect(&confusion, 0, 1,
                  "items that one rater called 'a' and the other 'bee': 12 14");
    listed_expect(&confusion, 1, 0,
                  "items that one rater called 'a' and the other 'bee': 12 14");
    listed_expect(&confusion, 2, 0,
                  "items that one rater called 'a' and the other 'sub': 14 15");
}

static void check_states(struct run_labelling_behind *it)
{
    struct label_final finals[] = {
        {.item = 5, .state = LABEL_UNANIMOUS, .dimension = STR("d")},
        {.item = 4, .state = LABEL_UNANIMOUS, .dimension = STR("e")},
        {.item = 3, .state = LABEL_UNRESOLVED, .dimension = STR("d")}};
    struct result_table states = listed_table(1, LABEL_PENDING + 1, it->lists);

    it->dimension = STR("d");
    run_labelling_behind_states(it, finals, 3, &states);
    tap_case("states of one dimension");
    listed_expect(&states, LABEL_UNANIMOUS, 0, "items whose label is unanimous: 5");
    listed_expect(&states, LABEL_UNRESOLVED, 0, "items whose label is unresolved: 3");
    listed_expect(&states, LABEL_PENDING, 0, "");
}

int main(void)
{
    static const struct str items[] = {STR_INIT("11"), STR_INIT("12"), STR_INIT("13"),
                                       STR_INIT("14"), STR_INIT("15")};
    static const struct str raters[] = {STR_INIT("x"), STR_INIT("y"), STR_INIT("z")};
    static const struct label_agree_code tree[] = {
        {STR_INIT("a"), STR_INIT("a"), LABEL_AGREE_NONE, 1},
        {STR_INIT("b"), STR_INIT("bee"), LABEL_AGREE_NONE, 1},
        {STR_INIT("b/s"), STR_INIT("sub"), B, 2}};
    static const double half = 0.5;
    struct arena arena = {0}, lists = {0};
    struct label_agree_data data = {.items = items,
                                    .raters = raters,
                                    .item_count = ROWS(items),
                                    .rater_count = ROWS(raters),
                                    .codes = tree,
                                    .code_count = ROWS(tree),
                                    .labels = labels,
                                    .label_count = ROWS(labels)};
    struct label_agree_report report = label_agree_report(
        &data,
        &(struct label_agree_options){
            .checkpoints = &half, .checkpoint_count = 1, .level = 0.95},
        &arena);
    struct run_labelling_behind it = {
        .report = &report, .arena = &arena, .lists = &lists};
    struct result_table all = listed_table(1, 2, &lists);

    tap_case("all: items with two labels, in the order of their last ones");
    run_labelling_behind_shared(&it, 0, report.all.items, &all);
    listed_expect(&all, 0, 0, "items that two raters or more have labelled: 12 11 14 15");
    tap_case("a checkpoint has the items that were done by then");
    run_labelling_behind_shared(&it, 1, report.checkpoints[0].measures.items, &all);
    listed_expect(&all, 1, 0, "items that two raters or more have labelled: 12 11");
    check_parts(&it);
    check_states(&it);
    arena_free(&arena);
    arena_free(&lists);
    return tap_done();
}
