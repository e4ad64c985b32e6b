/* Kaplan-Meier curves begin at 1, fall at events, and say who is still at risk. */
#include "chart/internal.h"

#include "tests/unit/chart_laid.h"

static const double times[] = {10, 20, 30, 40};
static const double share[] = {0.75, 0.75, 0.375, 0};
static const double low[] = {0.5, 0.5, 0.2, 0}, high[] = {0.9, 0.9, 0.6, 0.2};
static const double at_risk[] = {400, 300, 200, 100};

static struct chart_series series[] = {
    {.name = STR_INIT("deployment"),
     .x = times,
     .y = share,
     .low = low,
     .high = high,
     .at_risk = at_risk,
     .count = 4},
    {.name = STR_INIT("the rest of all questions"),
     .x = times,
     .y = share,
     .at_risk = at_risk,
     .count = 4},
};

static struct chart chart = {
    .kind = CHART_SURVIVAL,
    .x_title = STR_INIT("Days"),
    .y_title = STR_INIT("Without accepted answer"),
    .series = series,
    .series_count = 2,
};

static void check_curve(const struct laid *laid)
{
    const struct chart_item *path =
        laid_find(laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_MARK, 0, 0});
    double top = path->points[0].y, height = path->area.height;

    tap_case("curve: begins with all at time 0");
    CHECK(height > 50);
    CHECK_NEAR(path->points[0].y, path->area.top, 1e-9);
    CHECK_NEAR(path->points[0].x, path->area.left, 1e-9);
    tap_case("curve: falls at the first event");
    CHECK_NEAR(path->points[1].y, top, 1e-9);
    CHECK_NEAR(path->points[1].x, path->area.left + path->area.width / 4, 1e-6);
    CHECK_NEAR(path->points[2].y, top + height / 4, 1e-6);
    tap_case("curve: a time of censoring has a tick");
    CHECK_NEAR(
        laid_find(laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_LABEL, 0, 2})
            ->area.left,
        path->area.left + path->area.width / 2, 1e-6);
    CHECK(laid_count(laid, CHART_ITEM_PATH, CHART_ROLE_LABEL) == 2);
    tap_case("curve: a band around it");
    CHECK(laid_count(laid, CHART_ITEM_PATH, CHART_ROLE_INTERVAL) == 1);
}

/* The table's number at this tick, by what it says. */
static const char *at_tick(struct laid *laid, size_t tick)
{
    struct chart_tag tag = {CHART_ROLE_LABEL, 0, tick};

    return arena_c_string(&laid->arena, laid_find(laid, CHART_ITEM_TEXT, tag)->text);
}

static double middle(const struct chart_item *item)
{
    return item->area.left + item->area.width / 2;
}

int main(void)
{
    struct laid laid;

    lay(&laid, &chart);
    check_curve(&laid);
    tap_case("table: all at 0, fewer later");
    CHECK_TEXT(at_tick(&laid, 0), "400"); /* a tick every 5 days */
    CHECK_TEXT(at_tick(&laid, 2), "400"); /* just before the event */
    CHECK_TEXT(at_tick(&laid, 3), "300");
    CHECK_TEXT(at_tick(&laid, 8), "100");
    tap_case("table: below the ticks that it belongs to");
    CHECK_NEAR(middle(laid_find(&laid, CHART_ITEM_TEXT,
                                (struct chart_tag){CHART_ROLE_LABEL, 0, 4})),
               middle(laid_text(&laid, "20")), 1e-6);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);

    tap_case("a group without items has its row in the table and no curve");
    series[1].count = 0;
    lay(&laid, &chart);
    CHECK(laid_count(&laid, CHART_ITEM_DOT, CHART_ROLE_MARK) == 0 &&
          laid_count(&laid, CHART_ITEM_PATH, CHART_ROLE_MARK) == 1 &&
          laid_text(&laid, "0") != NULL && laid_faults(&laid) == 0);
    series[1].count = 4;
    laid_free(&laid);

    tap_case("no table without numbers");
    series[0].at_risk = series[1].at_risk = NULL;
    lay(&laid, &chart);
    CHECK(laid_text(&laid, "Number at risk") == NULL && laid_faults(&laid) == 0);
    laid_free(&laid);

    tap_case("a log scale of time");
    chart.x_scale = CHART_LOG;
    lay(&laid, &chart);
    CHECK(laid_faults(&laid) == 0 && laid.sheet.left_out == 0);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_PATH, 0, 0).left,
               middle(laid_text(&laid, "10")), 1e-6);
    laid_free(&laid);
    return tap_done();
}
