/* Funnels: each step's bar as long as what it let through, and what it left out. */
#include "chart/internal.h"

#include <math.h>

#include "tests/unit/chart_laid.h"

static const struct str steps[] = {
    STR_INIT("all questions"),
    STR_INIT("[tensorflow] or [keras] or [pytorch] or [theano] or [caffe]"),
    STR_INIT("score above 0"),
    STR_INIT("accepted"),
};
static double counts[] = {10000, 4000, 1000, 0};

static struct chart_series series[] = {{.name = STR_INIT("n"), .y = counts, .count = 4}};
static struct chart chart = {
    .kind = CHART_FUNNEL,
    .categories = steps,
    .category_count = 4,
    .series = series,
    .series_count = 1,
};

int main(void)
{
    struct laid laid;

    lay(&laid, &chart);
    tap_case("bars are as long as counts");
    CHECK(laid_mark(&laid, CHART_ITEM_BOX, 0, 0).width > 40);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, 1).width,
               0.4 * laid_mark(&laid, CHART_ITEM_BOX, 0, 0).width, 1e-6);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, 3).width, 0, 1e-9);
    tap_case("in and out are said, as shares of all");
    CHECK(laid_text(&laid, "10,000 (100%)") != NULL);
    CHECK(laid_text(&laid, "4,000 (40%)") != NULL);
    CHECK(laid_text(&laid, "\xE2\x88\x92"
                           "6,000 (60%)") != NULL);
    CHECK(laid_text(&laid, "\xE2\x88\x92"
                           "1,000 (10%)") != NULL);
    CHECK(laid_text(&laid, "\xE2\x88\x92"
                           "3,000 (30%)") != NULL);
    tap_case("nothing overlaps");
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);

    tap_case("a step that adds");
    counts[2] = 5000;
    lay(&laid, &chart);
    CHECK(laid_text(&laid, "+1,000 (10%)") != NULL && laid_faults(&laid) == 0);
    laid_free(&laid);

    tap_case("nothing at all");
    counts[0] = counts[1] = counts[2] = 0;
    lay(&laid, &chart);
    CHECK(laid.ok && laid_faults(&laid) == 0);
    laid_free(&laid);

    tap_case("a count that is missing");
    counts[1] = NAN;
    lay(&laid, &chart);
    CHECK(laid_text(&laid, "\xE2\x80\x93") != NULL && laid_faults(&laid) == 0);
    laid_free(&laid);
    return tap_done();
}
