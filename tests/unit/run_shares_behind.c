/* The items behind estimated shares, from five items and two classes. */
#include "run/shares_behind.h"

#include <math.h>
#include <string.h>

#include "tests/unit/listed.h"

/* Items 11 to 15: the first two are labelled 0 and 1, the third was chosen and is 0; all
 * but the last are in the subset. They were taken for 0 0 1 0 0. */
static uint8_t role[] = {LEARN_QUANTIFY_DRAWN, LEARN_QUANTIFY_DRAWN,
                         LEARN_QUANTIFY_CHOSEN, LEARN_QUANTIFY_UNLABELLED,
                         LEARN_QUANTIFY_UNLABELLED};
static uint8_t truth[] = {1, 0, 0, 1, 1, 0, 0, 0, 0, 0};
static uint8_t said[] = {1, 0, 1, 0, 0, 1, 1, 0, 1, 0};
static const uint8_t in[] = {1, 1, 1, 1, 0};
static int64_t ids[] = {11, 12, 13, 14, 15};
static size_t places[] = {0, 1, 2, 3, 4};

int main(void)
{
    struct arena arena = {0};
    struct measure_bits truly[] = {measure_bits_make(5, &arena),
                                   measure_bits_make(5, &arena)};
    struct run_shares_items read = {
        .known = {.count = 5, .classes = 2, .role = role, .truth = truth, .said = said},
        .places = places};
    struct measure_frame frame = {.count = 5, .ids = ids};
    struct result_table table = listed_table(2 + LEARN_QUANTIFY_METHODS, 4, &arena);
    struct run_shares_behind it = {
        .read = &read, .frame = &frame, .truly = truly, .out = &table, .arena = &arena};

    measure_bits_set(truly[0], 3);
    measure_bits_set(truly[0], 4);
    run_shares_behind_add(&it, 3, 0, in);
    tap_case("all labelled ones of the subset, and those with the code");
    listed_expect(&table, 3, 1, "labelled items that were drawn: 11 12");
    listed_expect(&table, 3, 0, "labelled items that were drawn and have the code: 11");
    listed_expect(&table, 2, 0, "");
    tap_case("a plain count has those that were taken for it");
    listed_expect(&table, 3, 1 + LEARN_QUANTIFY_PLAIN,
                  "items that the classifier takes for it: 11 12 14");
    tap_case("the truth has those that it was planted in");
    listed_expect(&table, 3, 1 + LEARN_QUANTIFY_METHODS,
                  "items that it was planted in: 14");
    tap_case("what rests on more than the items listed says so");
    CHECK(run_shares_behind_rests(LEARN_QUANTIFY_LABELLED) == NULL &&
          run_shares_behind_rests(LEARN_QUANTIFY_PLAIN) == NULL);
    CHECK_TEXT(run_shares_behind_rests(LEARN_QUANTIFY_POWERED),
               "it rests on these labels, and on predictions for the whole set");
    CHECK(strstr(run_shares_behind_rests(LEARN_QUANTIFY_EM),
                 "all others that were drawn") != NULL);
    tap_case("an estimate without an interval says why; what is undefined does not");
    struct result_cell cells[] = {{.value = 0.5, .low = NAN, .high = 1},
                                  {.value = 0.5, .low = 0, .high = 1},
                                  {.undefined = "too few", .low = NAN, .high = NAN}};
    for (size_t i = 0; i < ROWS(cells); i++)
        run_shares_behind_interval(&cells[i]);
    CHECK(cells[0].no_interval != NULL && cells[1].no_interval == NULL &&
          cells[2].no_interval == NULL);
    arena_free(&arena);
    return tap_done();
}
