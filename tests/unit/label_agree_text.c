/* A report for people: the numbers that it holds, undefined ones with their reason. */
#include <math.h>

#include "tests/unit/agreed.h"

int main(void)
{
    static const char *const wanted[] = {
        "labels 4, raters 2, items 2; 2 of the items have two labels or more\n",
        "observed agreement        0.5000\n",
        "confused: an \"a\" said, b said, items\n  y, x, 1\n",
        "  1/1 2/2\n",
        "most disputed items: share of pairs that differ\n  2 1.0000\n",
        "slowest items: seconds, mean of the raters\n  1 4.0\n  2 1.0\n",
        "note: fewer than 30 items",
    };
    struct arena arena = {0};
    struct label_agree_data data = agreed_data();
    struct label_agree_options how = {.level = 0.95, .top = 5};
    const char *text = agreed_told(&data, &how, label_agree_text, &arena);

    for (size_t i = 0; i < ROWS(wanted); i++) {
        tap_case("text %zu", i);
        if (!CHECK(strstr(text, wanted[i]) != NULL))
            CHECK_TEXT(text, wanted[i]);
    }

    tap_case("with an order, and one coefficient chosen");
    struct err err = {0};
    CHECK(label_agree_set_order(&data, STR("y,x"), &arena, &err));
    how.chosen = true;
    how.choice = LABEL_AGREE_AC2_LINEAR;
    text = agreed_told(&data, &how, label_agree_text, &arena);
    const char *first = strstr(text, "AC2, linear");
    CHECK(first != NULL && first < strstr(text, "Cohen's kappa"));
    CHECK(strstr(text, "can be chosen for its\nvalue") != NULL);
    CHECK(strstr(text, "\nif the labels are ordered: y < x\nCohen, linear") != NULL);
    CHECK(strstr(text, "alpha, interval        undefined: the labels are no numbers") !=
          NULL);

    tap_case("a row's kappa: Cohen's for two raters, defined or not; else Fleiss'");
    struct label_agree_measures measures = {
        .raters = 2,
        .items = 3,
        .cohen = {.value = NAN, .undefined = "one label"},
        .fleiss = {.value = 1}};
    struct buf row = {0};
    label_agree_row(&measures, &row);
    CHECK(str_starts(buf_str(&row), STR("         3    0.0000         -")));
    buf_clear(&row);
    measures.raters = 3;
    label_agree_row(&measures, &row);
    CHECK(str_starts(buf_str(&row), STR("         3    0.0000    1.0000")));
    buf_clear(&row);
    measures.fleiss.value = -0.00004;
    label_agree_row(&measures, &row);
    CHECK(str_starts(buf_str(&row), STR("         3    0.0000    0.0000")));
    buf_free(&row);

    tap_case("undefined says why");
    data.label_count = 1;
    text = agreed_told(&data, &how, label_agree_text, &arena);
    CHECK(strstr(text, "undefined: no item has two labels") != NULL);

    tap_case("what has labels is called a unit where items have units");
    static const size_t whole_of[] = {0, 0};
    static const struct str wholes[] = {STR_INIT("7")};
    data = agreed_data();
    data.whole_of = whole_of;
    data.wholes = wholes;
    data.whole_count = 1;
    text = agreed_told(&data, &how, label_agree_text, &arena);
    CHECK(strstr(text, "labels 4, raters 2, items 1, units 2; 2 of the units") != NULL);
    CHECK(strstr(text, "note: fewer than 30 units") != NULL);
    CHECK(strstr(text, "\ncheckpoint                         units  observed") != NULL);
    CHECK(strstr(text, "\ncode                               units  observed") != NULL);
    CHECK(strstr(text, "b said, units\n  y, x, 1\n") != NULL);
    CHECK(strstr(text, "saturation: codes used after so many units\n") != NULL);
    CHECK(strstr(text, "most disputed units: share") != NULL);
    CHECK(strstr(text, "slowest units: seconds") != NULL);
    data.label_count = 1;
    text = agreed_told(&data, &how, label_agree_text, &arena);
    CHECK(strstr(text, "undefined: no unit has two labels") != NULL);
    arena_free(&arena);
    return tap_done();
}
