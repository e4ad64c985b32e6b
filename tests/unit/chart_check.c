/* What a kind does not accept is said, with the series and the value. */
#include "chart/internal.h"

#include <math.h>

#include "tests/tap.h"

static const struct str names[CHART_CATEGORIES_MAX + 1] = {STR_INIT("a"), STR_INIT("b")};
static const double two[] = {1, 2}, negative[] = {1, -2}, missing[] = {NAN, NAN};

static const struct chart_series good = {
    .name = STR_INIT("s"), .x = two, .y = two, .count = 2};
static const struct chart_series bad = {
    .name = STR_INIT("s"), .x = two, .y = negative, .count = 2};
static const struct chart_series three = {
    .name = STR_INIT("s"), .x = two, .y = two, .count = 3};
static const struct chart_series no_x = {.name = STR_INIT("s"), .y = two, .count = 2};
static const struct chart_series no_y = {.name = STR_INIT("s"), .x = two, .count = 2};
static const struct chart_series unknown = {
    .name = STR_INIT("s"), .x = missing, .y = missing, .count = 2};
static const struct chart_series many[CHART_SERIES_MAX + 1];
static const struct chart_box box = {
    .name = STR_INIT("b"), .low = 1, .first = 3, .median = 2, .third = 4, .high = 5};
static const struct chart_box notched = {.name = STR_INIT("b"),
                                         .low = 1,
                                         .first = 2,
                                         .median = 3,
                                         .third = 4,
                                         .high = 5,
                                         .notch_low = 2.5,
                                         .notch_high = 4.5};
static const struct chart_panel panels[] = {{STR_INIT("p"), 0, 1}, {STR_INIT("q"), 1, 1}};
static const struct chart_node deep[] = {{STR_INIT("root"), 0, 1},
                                         {STR_INIT("grandchild"), 2, 1}};
static const struct chart_node deepest[] = {{STR_INIT("0"), 0, 1},
                                            {STR_INIT("1"), 1, 1},
                                            {STR_INIT("2"), 2, 1},
                                            {STR_INIT("3"), 3, 1},
                                            {STR_INIT("4"), 4, 1}};

#define SERIES(s) \
    .series = &(s), .series_count = 1, .categories = names, .category_count = 2

#define PANELS(first, count) .panels = panels + (first), .panel_count = (count)

static const struct {
    const char *name;
    struct chart chart;
    const char *text; /* NULL: fine */
    bool empty;
} rows[] = {
    {"bars", {.kind = CHART_BARS, SERIES(good)}, NULL, false},
    {"negative bars", {.kind = CHART_BARS, SERIES(bad)}, NULL, false},
    {"no data", {.kind = CHART_BARS}, NULL, true},
    {"missing values only", {.kind = CHART_BARS, SERIES(unknown)}, NULL, true},
    {"lines of missing values", {.kind = CHART_LINES, SERIES(unknown)}, NULL, true},
    {"no nodes", {.kind = CHART_TREE}, NULL, true},
    {"no boxes", {.kind = CHART_BOXES}, NULL, true},
    {"values and categories differ",
     {.kind = CHART_BARS, SERIES(three)},
     "bars: series 's' has 3 values for 2 categories",
     false},
    {"limits of bars without 0",
     {.kind = CHART_BARS, SERIES(good), .limited = true, .limit_low = 1, .limit_high = 5},
     "bars: begin at 0, which limits from 1 to 5 leave out",
     false},
    {"limits that do not ascend",
     {.kind = CHART_HEAT, SERIES(good), .limited = true, .limit_low = 5, .limit_high = 5},
     "heat map: limits from 5 to 5 do not ascend",
     false},
    {"limits of a log scale",
     {.kind = CHART_FOREST,
      SERIES(good),
      .y_scale = CHART_LOG,
      .limited = true,
      .limit_high = 5},
     "forest: a log scale cannot begin at 0, only above 0",
     false},
    {"limits of a tree",
     {.kind = CHART_TREE, .limited = true, .limit_high = 5},
     "tree: has no axis that could have limits",
     false},
    {"lines without x",
     {.kind = CHART_LINES, SERIES(no_x)},
     "lines: series 's' has no x",
     false},
    {"bars without y",
     {.kind = CHART_BARS, SERIES(no_y)},
     "bars: series 's' has no y",
     false},
    {"a negative part",
     {.kind = CHART_BARS_STACKED, SERIES(bad)},
     "stacked bars: value 2 of series 's' is -2; a part of a whole cannot be negative",
     false},
    {"bars on a log scale",
     {.kind = CHART_BARS, .y_scale = CHART_LOG, SERIES(good)},
     "bars: a log scale has no 0 for bars to begin at; take boxes, lines or a forest",
     false},
    {"lines on a log scale",
     {.kind = CHART_LINES, .y_scale = CHART_LOG, SERIES(good)},
     NULL,
     false},
    {"a funnel of two",
     {.kind = CHART_FUNNEL, .series = many, .series_count = 2},
     "funnel: shows one series, not 2",
     false},
    {"too many categories",
     {.kind = CHART_BARS,
      .categories = names,
      .category_count = CHART_CATEGORIES_MAX + 1},
     "bars: 121 categories do not fit on a page, at most 120 do; put the rare ones "
     "together",
     false},
    {"too many series",
     {.kind = CHART_LINES, .series = many, .series_count = CHART_SERIES_MAX + 1},
     "lines: 41 series cannot be told apart, at most 40 can",
     false},
    {"too narrow",
     {.kind = CHART_LINES, .width_cm = 2, SERIES(good)},
     "lines: a figure of 2 by 0 cm; widths are 5 .. 100 cm",
     false},
    {"a width that is no number",
     {.kind = CHART_LINES, .width_cm = NAN, SERIES(good)},
     "lines: a figure of nan by 0 cm; widths are 5 .. 100 cm",
     false},
    {"a box upside down",
     {.kind = CHART_BOXES, .boxes = &box, .box_count = 1},
     "boxes: 'b' does not ascend from low to high",
     false},
    {"a notch beyond the box",
     {.kind = CHART_BOXES, .boxes = &notched, .box_count = 1},
     "boxes: the notch of 'b' leaves the box",
     false},
    {"panels", {.kind = CHART_BARS, SERIES(good), PANELS(0, 2)}, NULL, false},
    {"a category in no panel",
     {.kind = CHART_BARS, SERIES(good), PANELS(0, 1)},
     "bars: panels have 1 of 2 categories",
     false},
    {"a panel that begins too late",
     {.kind = CHART_BARS, SERIES(good), PANELS(1, 1)},
     "bars: panel 'q' begins at 1, expected 0",
     false},
    {"a grandchild without parent",
     {.kind = CHART_TREE, .nodes = deep, .node_count = 2},
     "tree: 'grandchild' is at level 2, but nothing above it at level 1",
     false},
    {"too narrow for its levels",
     {.kind = CHART_TREE, .width_cm = 5, .nodes = deepest, .node_count = 3},
     "tree: 3 levels need a width of 6.3 cm, not 5",
     false},
    {"too deep",
     {.kind = CHART_TREE, .nodes = deepest, .node_count = 5},
     "tree: '4' is deeper than 4 levels",
     false},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct err err = {0};
        bool empty = false, ok;
        tap_case("%s", rows[i].name);
        ok = chart_check_chart(&rows[i].chart, &empty, &err);
        CHECK(ok == (rows[i].text == NULL));
        if (!ok) {
            CHECK(err.kind == ERR_INPUT);
            CHECK_TEXT(err.text, rows[i].text);
        }
        CHECK(empty == rows[i].empty);
    }
    return tap_done();
}
