/* From items to what a chart is given. */
#include "report/figure.h"

#include <math.h>

#include "tests/tap.h"

static const struct study_figure box_of_views = {
    .kind = STUDY_BOX,
    .table = STUDY_NONE,
    .on = {.kind = STUDY_MEASURE_EACH, .field = ITEM_FIELD_VIEWS}};

static void check_items(struct arena *arena)
{
    int64_t views[] = {1, 2, 3, 4, 100, ITEM_NONE};
    struct measure_frame frame = {
        .arena = arena, .count = 6, .views = measure_column_of(views, 6, arena)};
    struct report_figure_side side = {STR("all"), measure_bits_all(6, arena)};
    struct report_figure_inputs inputs = {
        .frame = &frame, .sides = &side, .side_count = 1};
    struct study_figure figure = box_of_views;
    struct chart chart;
    struct err err = {0};

    tap_case("box: quartiles, whiskers within 1.5 of their distance, what lies beyond");
    CHECK(report_figure_chart(&figure, &inputs, arena, &chart, &err));
    const struct chart_box *box = &chart.boxes[0];
    CHECK(box->n == 5 && box->first == 2 && box->median == 3 && box->third == 4);
    CHECK(box->low == 1 && box->high == 4 && box->outlier_count == 1 &&
          box->outliers[0] == 100);
    tap_case("box: of few values the notch would leave it, and there is none");
    CHECK(box->notch_low == box->notch_high);
    figure.log_scale = true;
    CHECK(report_figure_chart(&figure, &inputs, arena, &chart, &err));
    CHECK(chart.boxes[0].notch_low == chart.boxes[0].notch_high);
    CHECK(chart.boxes[0].low == 1 && chart.boxes[0].hidden == 0);
    tap_case("box: on a log scale whiskers end at values that it has, and 0 is counted");
    views[0] = 0;
    frame.views = measure_column_of(views, frame.count, arena);
    CHECK(report_figure_chart(&figure, &inputs, arena, &chart, &err));
    box = &chart.boxes[0];
    CHECK(box->n == 5 && box->first == 2 && box->low == 2 && box->hidden == 1);
    views[0] = 1;
    frame.views = measure_column_of(views, frame.count, arena);
    tap_case("box: a group without values has none, on either scale");
    side.bits = measure_bits_make(6, arena);
    CHECK(report_figure_chart(&figure, &inputs, arena, &chart, &err));
    box = &chart.boxes[0];
    CHECK(box->n == 0 && isnan(box->low) && isnan(box->first) && isnan(box->median) &&
          isnan(box->third) && isnan(box->high) && box->outlier_count == 0);
    side.bits = measure_bits_all(6, arena);
    tap_case("histogram: the values that there are");
    figure.kind = STUDY_HISTOGRAM;
    CHECK(report_figure_chart(&figure, &inputs, arena, &chart, &err));
    CHECK(chart.series_count == 1 && chart.series[0].count == 5);
}

/* 1 .. 99: quartiles 25.5, 50, 74.5. */
static void check_notch(struct arena *arena)
{
    int64_t views[99];
    struct measure_frame frame = {.arena = arena, .count = 99};
    struct report_figure_side side = {STR("all"), measure_bits_all(99, arena)};
    struct report_figure_inputs inputs = {
        .frame = &frame, .sides = &side, .side_count = 1};
    struct study_figure figure = box_of_views;
    struct chart chart;
    struct err err = {0};

    for (int64_t i = 0; i < 99; i++)
        views[i] = i + 1;
    frame.views = measure_column_of(views, frame.count, arena);
    tap_case("box: the notch is as wide as its interval says, on its scale");
    CHECK(report_figure_chart(&figure, &inputs, arena, &chart, &err));
    CHECK_NEAR(chart.boxes[0].notch_high - 50, 1.57 * 49 / sqrt(99), 1e-12);
    figure.log_scale = true;
    CHECK(report_figure_chart(&figure, &inputs, arena, &chart, &err));
    double factor = exp(1.57 * log(74.5 / 25.5) / sqrt(99));
    CHECK_NEAR(chart.boxes[0].notch_high / 50, factor, 1e-12);
    CHECK_NEAR(50 / chart.boxes[0].notch_low, factor, 1e-12);
}

int main(void)
{
    struct arena arena = {0};

    check_items(&arena);
    check_notch(&arena);
    arena_free(&arena);
    return tap_done();
}
