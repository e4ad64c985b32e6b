/* Heat maps: a cell for each number, darker for more, the number inside if it fits. */
#include "chart/internal.h"

#include <math.h>
#include <stdio.h>

#include "tests/unit/chart_laid.h"

enum { MANY = 40 };

static const struct str names[] = {STR_INIT("Caffe"), STR_INIT("Keras"),
                                   STR_INIT("TensorFlow")};
static const double numbers[][3] = {{1, -0.5, 0.25}, {-0.5, 1, NAN}, {0.25, 0, 1}};
static const double counts[][3] = {{1234, 0, 3}, {10, 617, 5}, {0, 1, 40}};
static struct chart_series rows[MANY];

static struct chart_colour fill(const struct laid *laid, size_t row, size_t column)
{
    return laid_find(laid, CHART_ITEM_BOX,
                     (struct chart_tag){CHART_ROLE_MARK, row, column})
        ->ink.fill;
}

static struct chart chart_of(const double values[][3])
{
    for (size_t i = 0; i < 3; i++)
        rows[i] = (struct chart_series){.name = names[i], .y = values[i], .count = 3};
    return (struct chart){
        .kind = CHART_HEAT,
        .categories = names,
        .category_count = 3,
        .series = rows,
        .series_count = 3,
    };
}

static void check_correlation(void)
{
    struct chart chart = chart_of(numbers);
    struct laid laid;

    chart.diverging = true;
    lay(&laid, &chart);
    tap_case("diverging: cells in rows and columns");
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 1, 0).left,
               laid_mark(&laid, CHART_ITEM_BOX, 0, 0).left, 1e-9);
    CHECK_NEAR(chart_area_bottom(laid_mark(&laid, CHART_ITEM_BOX, 0, 1)),
               laid_mark(&laid, CHART_ITEM_BOX, 1, 1).top, 1e-9);
    tap_case("diverging: above 0 is reddish, below bluish, 0 white");
    CHECK(fill(&laid, 0, 2).red > fill(&laid, 0, 2).blue);
    CHECK(fill(&laid, 0, 1).red < fill(&laid, 0, 1).blue);
    CHECK_NEAR(fill(&laid, 2, 1).red + fill(&laid, 2, 1).blue, 2, 1e-9);
    tap_case("diverging: two decimals, a dash for what is missing");
    CHECK(laid_text(&laid, "1.00") != NULL);
    CHECK(laid_text(&laid, "\xE2\x88\x92"
                           "0.50") != NULL);
    CHECK(laid_text(&laid, "\xE2\x80\x93") != NULL);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void check_confusion(void)
{
    struct chart chart = chart_of(counts);
    struct laid laid;

    lay(&laid, &chart);
    tap_case("counts: more is darker");
    CHECK(fill(&laid, 0, 0).red < fill(&laid, 1, 1).red);
    CHECK(fill(&laid, 1, 1).red < fill(&laid, 2, 2).red);
    tap_case("counts: in full");
    CHECK(laid_text(&laid, "1,234") != NULL && laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void check_many(void)
{
    static double values[MANY][MANY];
    static char texts[MANY][24];
    struct str columns[MANY];
    struct chart chart = {
        .kind = CHART_HEAT,
        .categories = columns,
        .category_count = MANY,
        .series = rows,
        .series_count = MANY,
    };
    struct laid laid;

    for (size_t i = 0; i < MANY; i++) {
        snprintf(texts[i], sizeof texts[i], "category %zu", i);
        columns[i] = str_from(texts[i]);
        rows[i] =
            (struct chart_series){.name = columns[i], .y = values[i], .count = MANY};
        for (size_t j = 0; j < MANY; j++)
            values[i][j] = 1000.0 * (double)i * (double)j;
    }
    lay(&laid, &chart);
    tap_case("many: a key instead of numbers");
    CHECK(laid_count(&laid, CHART_ITEM_TEXT, CHART_ROLE_LABEL) == 0);
    CHECK(laid_count(&laid, CHART_ITEM_BOX, CHART_ROLE_LEGEND) > 10);
    CHECK(laid_count(&laid, CHART_ITEM_BOX, CHART_ROLE_MARK) == (size_t)MANY * MANY);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void check_same(void)
{
    static const double nothing[][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    struct chart chart = chart_of(nothing);
    struct laid laid;

    tap_case("all 0: cells are there and pale");
    lay(&laid, &chart);
    CHECK(fill(&laid, 0, 0).red > 0.9 && fill(&laid, 0, 0).red < 1);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

int main(void)
{
    check_correlation();
    check_confusion();
    check_many();
    check_same();
    return tap_done();
}
