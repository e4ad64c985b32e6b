/* Coefficients of the whole, with both intervals, against R's irrCAC and scikit-learn. */
#include "label/agree_whole.h"

#include <math.h>

#include "tests/tap.h"

/* Four raters, twelve items, the example of irrCAC and of Krippendorff 2011: '-' is
 * nothing, and 6 no label of the order. */
static const char *const krippendorff[] = {"11-1", "2232", "3333", "3333",
                                           "2222", "1234", "4444", "1121",
                                           "2222", "-555", "--11", "--3-"};
/* Two raters. */
static const char *const pairs[] = {"11", "12", "22", "23", "33", "13", "44", "43",
                                    "22", "11", "34", "44", "21", "33", "22", "66"};
static const char *const same[] = {"11", "11"};

struct labelling {
    struct label_agree_code codes[6];
    struct label_agree_label labels[60];
    struct str raters[4], items[20];
    struct label_agree_data data;
};

static void fill(struct labelling *all, const char *const *items, size_t count,
                 const char *order, struct arena *arena)
{
    static const size_t numbers[] = {0, 1, 2, 3, 4, 5};
    static const char *const names[] = {"1", "2", "3", "4", "5", "x"};
    struct err err = {0};

    *all = (struct labelling){0};
    for (size_t c = 0; c < 6; c++)
        all->codes[c] = (struct label_agree_code){str_from(names[c]), str_from(names[c]),
                                                  LABEL_AGREE_NONE, 1};
    all->data = (struct label_agree_data){.items = all->items,
                                          .raters = all->raters,
                                          .item_count = count,
                                          .codes = all->codes,
                                          .code_count = 6,
                                          .labels = all->labels};
    for (size_t i = 0; i < count; i++)
        for (size_t r = 0; items[i][r] != '\0'; r++) {
            if (r + 1 > all->data.rater_count)
                all->data.rater_count = r + 1;
            if (items[i][r] != '-')
                all->labels[all->data.label_count++] =
                    (struct label_agree_label){i, r, &numbers[items[i][r] - '1'], 1, NAN};
        }
    CHECK(label_agree_set_order(&all->data, str_from(order), arena, &err));
}

static const struct {
    const char *name;
    const char *const *items;
    size_t count;
    const char *order;
    enum label_agree_coefficient which;
    double value, error; /* of the formula; NAN: it has none */
    double within;       /* the digits that the source gives */
} rows[] = {
    /* irrCAC 1.0, its documentation; five categories */
    {"Fleiss", krippendorff, 12, "1,2,3,4,5", LABEL_AGREE_FLEISS, 0.76117, 0.15302, 5e-6},
    {"AC1", krippendorff, 12, "1,2,3,4,5", LABEL_AGREE_AC1, 0.77544, 0.14295, 5e-6},
    {"Brennan-Prediger", krippendorff, 12, "1,2,3,4,5", LABEL_AGREE_BRENNAN_PREDIGER,
     0.77273, 0.14472, 5e-6},
    /* Krippendorff, "Computing Krippendorff's alpha-reliability", 2011 */
    {"alpha, nominal", krippendorff, 12, "1,2,3,4,5", LABEL_AGREE_ALPHA, 0.743, NAN,
     5e-4},
    {"alpha, ordinal", krippendorff, 12, "1,2,3,4,5", LABEL_AGREE_ALPHA_ORDINAL, 0.815,
     NAN, 5e-4},
    {"alpha, interval", krippendorff, 12, "1,2,3,4,5", LABEL_AGREE_ALPHA_INTERVAL, 0.849,
     NAN, 5e-4},
    /* by the formulas of Gwet 2014, tests/vectors/make_stats.py */
    {"AC2, linear", krippendorff, 12, "1,2,3,4,5", LABEL_AGREE_AC2_LINEAR, 0.85874,
     0.11733, 5e-6},
    {"AC2, quadratic", krippendorff, 12, "1,2,3,4,5", LABEL_AGREE_AC2_QUADRATIC, 0.91400,
     0.10396, 5e-6},
    {"Brennan-Prediger, linear", krippendorff, 12, "1,2,3,4,5",
     LABEL_AGREE_BRENNAN_PREDIGER_LINEAR, 0.84848, 0.12336, 5e-6},
    {"Brennan-Prediger, quadratic", krippendorff, 12, "1,2,3,4,5",
     LABEL_AGREE_BRENNAN_PREDIGER_QUADRATIC, 0.90152, 0.11089, 5e-6},
    /* scikit-learn 1.2 and statsmodels 0.13; a label outside of the order does not count
     */
    {"Cohen, linear", pairs, 16, "1,2,3,4", LABEL_AGREE_COHEN_LINEAR, 0.606742, 0.137466,
     5e-6},
    {"Cohen, quadratic", pairs, 16, "1,2,3,4", LABEL_AGREE_COHEN_QUADRATIC, 0.732673,
     0.124905, 5e-6},
};

static const struct {
    const char *name;
    const char *const *items;
    size_t count;
    const char *order;
    enum label_agree_coefficient which;
    const char *why;
} undefined[] = {
    {"Cohen of four", krippendorff, 12, "1,2", LABEL_AGREE_COHEN, "it is for two raters"},
    {"no order", pairs, 16, "", LABEL_AGREE_COHEN_LINEAR, "the labels have no order"},
    {"no numbers", pairs, 16, "1,2,3,4,x", LABEL_AGREE_ALPHA_INTERVAL,
     "the labels are no numbers"},
    {"one category", same, 2, "1,2", LABEL_AGREE_COHEN_QUADRATIC,
     "only one category was used"},
    {"nobody is in the order", same, 2, "2,3", LABEL_AGREE_AC2_LINEAR,
     "no item has two labels in that order"},
    {"nothing", pairs, 0, "1,2", LABEL_AGREE_FLEISS, "no item has two labels"},
};

int main(void)
{
    struct label_agree_options how = {.level = 0.95, .resamples = 1000, .seed = 1};
    static struct labelling all;
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        fill(&all, rows[i].items, rows[i].count, rows[i].order, &arena);
        struct label_agree_table_view view = label_agree_table_whole(&all.data, &arena);
        struct label_agree_estimate got =
            label_agree_whole_estimate(&view, rows[i].which, &how, &arena);
        tap_case("whole: %s", rows[i].name);
        CHECK(got.agreement.undefined == NULL);
        CHECK_NEAR(got.agreement.value, rows[i].value, rows[i].within);
        CHECK((got.agreement.interval_undefined != NULL) == isnan(rows[i].error));
        if (!isnan(rows[i].error))
            CHECK_NEAR(got.agreement.std_error, rows[i].error, rows[i].within);
        CHECK(got.undefined != NULL ||
              (got.low <= got.agreement.value && got.agreement.value <= got.high));
        tap_case("whole: %s, without resamples", rows[i].name);
        how.resamples = 0;
        got = label_agree_whole_estimate(&view, rows[i].which, &how, &arena);
        CHECK_NEAR(got.agreement.value, rows[i].value, rows[i].within);
        CHECK(got.undefined != NULL && isnan(got.low) && isnan(got.std_error));
        how.resamples = 1000;
    }
    for (size_t i = 0; i < ROWS(undefined); i++) {
        tap_case("undefined: %s", undefined[i].name);
        fill(&all, undefined[i].items, undefined[i].count, undefined[i].order, &arena);
        struct label_agree_table_view view = label_agree_table_whole(&all.data, &arena);
        struct label_agree_estimate got =
            label_agree_whole_estimate(&view, undefined[i].which, &how, &arena);
        CHECK_TEXT(got.agreement.undefined, undefined[i].why);
        CHECK_TEXT(got.undefined, undefined[i].why);
        CHECK(isnan(got.agreement.value) && isnan(got.low));
    }
    tap_case("every coefficient has a name, and is found by its key");
    for (int i = 0; i < LABEL_AGREE_COEFFICIENTS; i++) {
        enum label_agree_coefficient which = LABEL_AGREE_COEFFICIENTS;
        CHECK(label_agree_find(str_from(label_agree_key((enum label_agree_coefficient)i)),
                               &which) &&
              (int)which == i && label_agree_name(which)[0] != '\0');
    }
    arena_free(&arena);
    return tap_done();
}
