/* What figures show, in words. */
#include <math.h>

#include "chart/chart.h"
#include "tests/tap.h"

static const struct str names[] = {STR_INIT("TensorFlow"), STR_INIT("Keras")};
static const double shares[] = {0.31, 0.2}, low[] = {0.25, NAN}, high[] = {0.4, NAN};
static const double years[] = {2015, 2016, 2017}, counts[] = {4, 45, 16};
static const double many[30] = {[3] = 7, [20] = -2};
static struct str many_names[30];
static const double waits[] = {1, 5, 9}, left[] = {0.9, 0.5, 0.2}, risk[] = {1200, 9, 3};
static const double flat[] = {0.9, 0.8, 0.75};
static const double rows[2][2] = {{1, 2}, {9, 3}};

static const struct chart_series of_shares = {.y = shares, .count = 2};
static const struct chart_series with_intervals = {
    .y = shares, .low = low, .high = high, .count = 2};
static const struct chart_series line = {
    .name = STR_INIT("asked"), .x = years, .y = counts, .count = 3};
static const struct chart_series of_many = {.y = many, .count = 30};
static const struct chart_series one_value = {.x = waits, .count = 1};
static const struct chart_series values = {.x = waits, .count = 3};
#define ZEROS3 "x (0, 0), x (0, 0), x (0, 0), "
#define LINE(n) \
    { \
        .name = STR_INIT(n), .x = years, .y = counts, .count = 1 \
    }
static const struct chart_series nine_lines[] = {LINE("a"), LINE("b"), LINE("c"),
                                                 LINE("d"), LINE("e"), LINE("f"),
                                                 LINE("g"), LINE("h"), LINE("i")};
static const struct chart_series many_points = {
    .x = many, .y = many, .labels = many_names, .count = 30};
static const struct chart_series curves[] = {
    {.name = STR_INIT("a"), .x = waits, .y = left, .at_risk = risk, .count = 3},
    {.name = STR_INIT("b"), .x = waits, .y = flat, .count = 3}};
static const struct chart_series matrix[] = {
    {.name = STR_INIT("r"), .y = rows[0], .count = 2},
    {.name = STR_INIT("s"), .y = rows[1], .count = 2}};
static const struct chart_series points = {
    .x = shares, .y = rows[1], .labels = names, .count = 2};
static const struct chart_box boxes[] = {{.name = STR_INIT("open"),
                                          .n = 1604,
                                          .low = 1,
                                          .first = 27.1,
                                          .median = 137,
                                          .third = 706,
                                          .high = 900},
                                         {.name = STR_INIT("empty")}};
static const struct chart_node nodes[] = {{STR_INIT("Model"), 0, 0.75},
                                          {STR_INIT("Layer"), 1, NAN}};

static const struct {
    const char *name;
    struct chart chart;
    const char *words;
} cases[] = {
    {"bars of shares",
     {.kind = CHART_BARS,
      .y_title = STR_INIT("share without accepted"),
      .y_number = CHART_PERCENT,
      .categories = names,
      .category_count = 2,
      .series = &of_shares,
      .series_count = 1},
     "Bar chart of share without accepted, 2 categories. TensorFlow 31.0%, Keras 20.0%."},
    {"intervals where there are some",
     {.kind = CHART_FOREST,
      .y_number = CHART_PERCENT,
      .categories = names,
      .category_count = 2,
      .series = &with_intervals,
      .series_count = 1},
     "Estimates with intervals, 2 categories. TensorFlow 31.0% [25.0% to 40.0%], Keras "
     "20.0%."},
    {"of many values the range",
     {.kind = CHART_BARS,
      .categories = many_names,
      .category_count = 30,
      .series = &of_many,
      .series_count = 1},
     "Bar chart, 30 categories. Values go from \xE2\x88\x92"
     "2 to 7."},
    {"lines: both ends and the top",
     {.kind = CHART_LINES, .x_scale = CHART_YEARS, .series = &line, .series_count = 1},
     "Line chart, 1 line. asked: 4 at 2015, at most 45 at 2016, 16 at 2017."},
    {"boxes on a log scale",
     {.kind = CHART_BOXES,
      .y_title = STR_INIT("minutes"),
      .y_scale = CHART_LOG,
      .boxes = boxes,
      .box_count = 2},
     "Box plot of minutes on a logarithmic scale. open: median 137, quartiles 27.1 and "
     "706, n = 1,604; empty: n = 0."},
    {"one value",
     {.kind = CHART_HISTOGRAM, .series = &one_value, .series_count = 1},
     "Histogram. 1 value from 1 to 1."},
    {"a distribution over its axis",
     {.kind = CHART_ECDF,
      .x_title = STR_INIT("hours"),
      .y_title = STR_INIT("share of items"),
      .series = &values,
      .series_count = 1},
     "Cumulative distribution of share of items over hours. 3 values from 1 to 9."},
    {"survival: when half are left (of 5 to 9 the middle), or how many at the end",
     {.kind = CHART_SURVIVAL, .series = curves, .series_count = 2},
     "Kaplan-Meier curves. a: n = 1,200, half are left at 7; b: 75.0% are left at the "
     "end."},
    {"a matrix: its range and its largest cell",
     {.kind = CHART_HEAT,
      .categories = names,
      .category_count = 2,
      .series = matrix,
      .series_count = 2},
     "Heat map, 2 rows by 2 columns. Values go from 1 to 9, the largest at s, "
     "TensorFlow."},
    {"a tree",
     {.kind = CHART_TREE, .nodes = nodes, .node_count = 2},
     "Tree, 2 nodes. Model 75.0%, Layer."},
    {"points with their names",
     {.kind = CHART_SCATTER,
      .x_number = CHART_PERCENT,
      .series = &points,
      .series_count = 1},
     "Scatter plot, 2 points. TensorFlow (31.0%, 9), Keras (20.0%, 3)."},
    {"every line is described, however many",
     {.kind = CHART_LINES,
      .x_scale = CHART_YEARS,
      .series = nine_lines,
      .series_count = 9},
     "Line chart, 9 lines. a: 4 at 2015; b: 4 at 2015; c: 4 at 2015; d: 4 at 2015; e: 4 "
     "at 2015; f: 4 at 2015; g: 4 at 2015; h: 4 at 2015; i: 4 at 2015."},
    {"of many points the first ones, and how many more",
     {.kind = CHART_SCATTER, .series = &many_points, .series_count = 1},
     "Scatter plot, 30 points. " ZEROS3 "x (7, 7), " ZEROS3 ZEROS3 ZEROS3 ZEROS3 ZEROS3
     "x (0, 0), x (\xE2\x88\x92"
     "2, \xE2\x88\x92"
     "2), "
     "x (0, 0), x (0, 0), x (0, 0) and 6 more."},
    {"no data", {.kind = CHART_LINES}, "Line chart, no data."},
};

int main(void)
{
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(many_names); i++)
        many_names[i] = STR("x");
    for (size_t i = 0; i < ROWS(cases); i++) {
        tap_case("describe: %s", cases[i].name);
        chart_describe(&cases[i].chart, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, cases[i].words);
        buf_clear(&out);
    }
    buf_free(&out);
    return tap_done();
}
