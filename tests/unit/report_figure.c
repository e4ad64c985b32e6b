/* From a table's numbers to what a chart is given. */
#include "report/figure.h"

#include <math.h>

#include "tests/tap.h"

#define CELL(r, c, v, l, h) \
    { \
        .row = STR_INIT(r), .column = STR_INIT(c), .value = v, .low = NAN, .high = NAN, \
        .n = 1, .label = STR_INIT(l), .heading = STR_INIT(h) \
    }

static struct result_number years[] = {CELL("2015", "a.count", 1, "2015", "A: count"),
                                       CELL("2015", "b.count", 2, "2015", "B: count"),
                                       CELL("2016", "a.count", 3, "2016", "A: count"),
                                       CELL("2016", "b.count", 4, "2016", "B: count"),
                                       CELL("total", "a.count", 4, "total", "A: count")};

static struct result_number tree[] = {
    CELL("x", "share", 0.75, "X", "share"), CELL("x/y", "share", 0.5, "Y", "share"),
    CELL("x/z", "share", 0.25, "Z", "share"), CELL("w", "share", 0.25, "W", "share")};

static struct result_number funnel[] = {CELL("", "count", 3, "", ""),
                                        CELL("", "funnel.1", 9, "", "[x]"),
                                        CELL("", "funnel.2", 3, "", "score:5..")};

/* Totals of rows and of columns, as `totals: both` gives them. */
static struct result_number totals[] = {
    CELL("2015", "a.count", 1, "2015", "A: count"),
    CELL("2015", "b.count", 2, "2015", "B: count"),
    CELL("2015", "total.count", 3, "2015", "total: count"),
    CELL("2016", "a.count", 3, "2016", "A: count"),
    CELL("2016", "b.count", 4, "2016", "B: count"),
    CELL("2016", "total.count", 7, "2016", "total: count"),
    CELL("total", "a.count", 4, "total", "A: count"),
    CELL("total", "b.count", 6, "total", "B: count"),
    CELL("total", "total.count", 10, "total", "total: count")};

/* What the columns of the tables above measure. */
static struct study_column columns[] = {
    {.slug = STR_INIT("count"),
     .name = STR_INIT("number of questions"),
     .measure = {.kind = STUDY_MEASURE_COUNT}},
    {.slug = STR_INIT("share"), .measure = {.kind = STUDY_MEASURE_SHARE}}};
static const struct study_table table = {.columns = columns, .column_count = 2};

static bool make(struct study_figure figure, struct result_number *cells, size_t count,
                 struct arena *arena, struct chart *out, struct err *err)
{
    struct result_numbers numbers = {STR("tables.t"), cells, count};
    struct report_figure_inputs inputs = {
        .numbers = &numbers, .table = &table, .all = 100};

    return report_figure_chart(&figure, &inputs, arena, out, err);
}

static void check_tables(struct arena *arena)
{
    struct chart chart;
    struct err err = {0};
    struct str wanted[] = {STR("b"), STR("a")}, absent[] = {STR("c")};

    years[4].total_row = true;
    tap_case("bars: rows are categories, columns series, totals are left out");
    CHECK(make((struct study_figure){.kind = STUDY_BARS}, years, ROWS(years), arena,
               &chart, &err));
    CHECK(chart.kind == CHART_BARS && chart.category_count == 2 &&
          chart.series_count == 2);
    CHECK(str_eq(chart.categories[1], STR("2016")) && chart.series[1].y[1] == 4);
    tap_case("headings that measure the same are shown as groups");
    CHECK(str_eq(chart.series[0].name, STR("A")) &&
          str_eq(chart.series[1].name, STR("B")));
    tap_case("and the axis says what all of them measure");
    CHECK(str_eq(chart.y_title, STR("number of questions")));
    tap_case("lines: years are years");
    CHECK(make((struct study_figure){.kind = STUDY_LINES}, years, ROWS(years), arena,
               &chart, &err));
    CHECK(chart.x_scale == CHART_YEARS && chart.series[0].x[1] == 2016);
    tap_case("heat: rows are series");
    CHECK(make((struct study_figure){.kind = STUDY_HEAT}, years, ROWS(years), arena,
               &chart, &err));
    CHECK(chart.series_count == 2 && str_eq(chart.series[1].name, STR("2016")) &&
          chart.series[1].y[0] == 3);
    tap_case("scatter: the first column that is named is the horizontal one");
    CHECK(make((struct study_figure){.kind = STUDY_SCATTER,
                                     .columns = wanted,
                                     .column_count = 2},
               years, ROWS(years), arena, &chart, &err));
    CHECK(chart.series[0].x[0] == 2 && chart.series[0].y[0] == 1);
    tap_case("a column that is not there");
    CHECK(!make(
        (struct study_figure){.kind = STUDY_BARS, .columns = absent, .column_count = 1},
        years, ROWS(years), arena, &chart, &err));
    CHECK(err.kind == ERR_INPUT);
}

static void check_looks(struct arena *arena)
{
    struct study_pair labels[] = {{STR("2015"), STR("first")},
                                  {STR("b.count"), STR("Bees")},
                                  {STR("y"), STR("many")}};
    struct study_pair unknown[] = {{STR("2051"), STR("first")}};
    struct str last[] = {STR("2016"), STR("B")}, absent[] = {STR("2017")},
               down[] = {STR("w"), STR("x/z")};
    struct chart_colour colour = {1, 0, 0, 1};
    struct chart chart;
    struct err err = {0};

    tap_case("labels: of rows, of columns by address, of an axis");
    CHECK(make(
        (struct study_figure){.kind = STUDY_BARS, .labels = labels, .label_count = 3},
        years, ROWS(years), arena, &chart, &err));
    CHECK(str_eq(chart.categories[0], STR("first")) &&
          str_eq(chart.categories[1], STR("2016")) &&
          str_eq(chart.series[1].name, STR("Bees")) &&
          str_eq(chart.y_title, STR("many")));
    tap_case("labels: rows keep their place on the axis of time");
    CHECK(make(
        (struct study_figure){.kind = STUDY_LINES, .labels = labels, .label_count = 3},
        years, ROWS(years), arena, &chart, &err));
    CHECK(chart.x_scale == CHART_YEARS && chart.series[0].x[0] == 2015);
    tap_case("labels: of nothing that is shown");
    CHECK(!make(
        (struct study_figure){.kind = STUDY_BARS, .labels = unknown, .label_count = 1},
        years, ROWS(years), arena, &chart, &err));
    CHECK_TEXT(err.text,
               "figure : `labels` names '2051', which it does not show; did you "
               "mean '2015'?");
    tap_case("order: the largest first");
    CHECK(make((struct study_figure){.kind = STUDY_BARS, .order = STUDY_ORDER_LARGEST},
               years, ROWS(years), arena, &chart, &err));
    CHECK(str_eq(chart.categories[0], STR("2016")) && chart.series[0].y[0] == 3 &&
          chart.series[1].y[1] == 2);
    tap_case("order: a list, of rows and columns");
    CHECK(make((struct study_figure){.kind = STUDY_BARS,
                                     .order = STUDY_ORDER_LIST,
                                     .first = last,
                                     .first_count = 2},
               years, ROWS(years), arena, &chart, &err));
    CHECK(str_eq(chart.categories[0], STR("2016")) &&
          str_eq(chart.series[0].name, STR("B")) && chart.series[0].y[0] == 4);
    tap_case("order: a name that is not there");
    CHECK(!make((struct study_figure){.kind = STUDY_BARS,
                                      .order = STUDY_ORDER_LIST,
                                      .first = absent,
                                      .first_count = 1},
                years, ROWS(years), arena, &chart, &err));
    CHECK_TEXT(err.text, "figure : `order` names '2017', which it does not show; did you "
                         "mean '2015'?");
    tap_case("order: nodes take along what is below them");
    CHECK(make((struct study_figure){.kind = STUDY_TREE,
                                     .order = STUDY_ORDER_LIST,
                                     .first = down,
                                     .first_count = 2},
               tree, ROWS(tree), arena, &chart, &err));
    CHECK(str_eq(chart.nodes[0].name, STR("W")) &&
          str_eq(chart.nodes[1].name, STR("X")) &&
          str_eq(chart.nodes[2].name, STR("Z")) && str_eq(chart.nodes[3].name, STR("Y")));
    tap_case("height, limits, palette and bins are the chart's");
    CHECK(make((struct study_figure){.kind = STUDY_BARS,
                                     .height_cm = 4,
                                     .limited = true,
                                     .high = 9,
                                     .bins = 3,
                                     .palette = &colour,
                                     .palette_count = 1},
               years, ROWS(years), arena, &chart, &err));
    CHECK(chart.height_cm == 4 && chart.limited && chart.limit_high == 9 &&
          chart.bins == 3 && chart.palette_count == 1);
}

/* Periods that go across a table are an axis of time all the same. */
static void check_across(struct arena *arena)
{
    struct result_number cells[] = {CELL("a", "2015-q1.count", 1, "A", "2015-Q1: count"),
                                    CELL("a", "2015-q2.count", 2, "A", "2015-Q2: count"),
                                    CELL("b", "2015-q1.count", 3, "B", "2015-Q1: count"),
                                    CELL("b", "2015-q2.count", 4, "B", "2015-Q2: count")};
    struct chart chart;
    struct err err = {0};

    tap_case("lines: periods across are the axis, each row is a line");
    CHECK(make((struct study_figure){.kind = STUDY_LINES}, cells, ROWS(cells), arena,
               &chart, &err));
    CHECK(chart.series_count == 2 && chart.x_scale == CHART_YEARS && chart.x_parts == 4);
    CHECK(str_eq(chart.series[1].name, STR("B")) && chart.series[1].count == 2 &&
          chart.series[1].x[1] == 2015.25 && chart.series[1].y[0] == 3);
}

/* Every kind of figure of a table, with totals in its rows, its columns, both. */
static void check_totals(struct arena *arena)
{
    static const enum study_figure_kind kinds[] = {
        STUDY_BARS, STUDY_STACKED,  STUDY_SHARES, STUDY_LINES,
        STUDY_HEAT, STUDY_ALLUVIAL, STUDY_FOREST,
    };
    struct str measure[] = {STR("count")}, total[] = {STR("total")},
               one[] = {STR("total.count")}, beside[] = {STR("a"), STR("total.count")};
    struct chart chart;
    struct err err = {0};

    for (size_t i = 0; i < ROWS(totals); i++) {
        totals[i].total_row = i >= 6;
        totals[i].total_column = i % 3 == 2;
    }
    for (size_t k = 0; k < ROWS(kinds); k++)
        for (size_t named = 0; named < 2; named++) {
            struct study_figure figure = {
                .kind = kinds[k], .columns = measure, .column_count = named};
            tap_case("kind %d: totals are neither rows nor columns%s", (int)kinds[k],
                     named ? ", also where the measure is named" : "");
            CHECK(make(figure, totals, ROWS(totals), arena, &chart, &err));
            CHECK(chart.series_count == 2);
            for (size_t s = 0; s < chart.series_count; s++)
                CHECK(chart.series[s].count == 2 && chart.series[s].y[0] < 4 &&
                      chart.series[s].y[1] < 5);
        }
    tap_case("a tree of one level is refused");
    CHECK(!make((struct study_figure){.name = STR("f"), .kind = STUDY_TREE}, totals,
                ROWS(totals), arena, &chart, &err));
    CHECK(strstr(err.text, "figure f: a tree needs a table by several groups") != NULL);
    err = (struct err){0};
    tap_case("a column of totals is shown when it is named as such");
    CHECK(make((struct study_figure){.columns = total, .column_count = 1}, totals,
               ROWS(totals), arena, &chart, &err));
    CHECK(chart.series_count == 1 && chart.series[0].y[1] == 7);
    CHECK(make(
        (struct study_figure){.kind = STUDY_LINES, .columns = beside, .column_count = 2},
        totals, ROWS(totals), arena, &chart, &err));
    CHECK(chart.series_count == 2 && str_eq(chart.series[1].name, STR("total")));
    tap_case("alone also as a stack");
    CHECK(make(
        (struct study_figure){.kind = STUDY_STACKED, .columns = one, .column_count = 1},
        totals, ROWS(totals), arena, &chart, &err));
    CHECK(chart.series_count == 1 && chart.series[0].y[0] == 3);
    tap_case("but is no part of a stack");
    CHECK(!make((struct study_figure){.name = STR("f"),
                                      .kind = STUDY_STACKED,
                                      .columns = beside,
                                      .column_count = 2},
                totals, ROWS(totals), arena, &chart, &err));
    CHECK_TEXT(err.text, "figure f: the column 'total.count' is the total of others and "
                         "cannot be put together with them; choose with `columns:`");
}

static void check_levels(struct arena *arena)
{
    struct chart chart;
    struct err err = {0};

    tap_case("tree: rows with their levels and shares");
    CHECK(make((struct study_figure){.kind = STUDY_TREE}, tree, ROWS(tree), arena, &chart,
               &err));
    CHECK(chart.node_count == 4 && chart.nodes[1].level == 1 &&
          chart.nodes[1].share == 0.5 && chart.nodes[3].level == 0);
    tap_case("tree: a group that is all of the one above it is drawn once");
    struct result_number alone[] = {
        CELL("x", "share", 0.6, "X", "share"), CELL("x/x", "share", 0.6, "X", "share"),
        CELL("w", "share", 0.4, "W", "share"), CELL("w/w", "share", 0.3, "W", "share"),
        CELL("w/v", "share", 0.1, "V", "share")};
    CHECK(make((struct study_figure){.kind = STUDY_TREE}, alone, ROWS(alone), arena,
               &chart, &err));
    CHECK(chart.node_count == 4 && chart.nodes[1].level == 0 &&
          chart.nodes[2].level == 1);
    tap_case("bars of nested rows show the lowest ones, as percentages");
    for (size_t i = 0; i < ROWS(tree); i++)
        tree[i].unit = STR("%");
    CHECK(make((struct study_figure){.kind = STUDY_BARS}, tree, ROWS(tree), arena, &chart,
               &err));
    CHECK(chart.category_count == 3 && str_eq(chart.categories[0], STR("Y (n = 1)")) &&
          str_eq(chart.categories[2], STR("W (n = 1)")) &&
          chart.y_number == CHART_PERCENT);
    tap_case("funnel: all questions, then what each condition left");
    CHECK(make((struct study_figure){.kind = STUDY_FUNNEL, .table = STUDY_NONE}, funnel,
               ROWS(funnel), arena, &chart, &err));
    CHECK(chart.category_count == 3 && chart.series[0].y[0] == 100 &&
          chart.series[0].y[2] == 3 && str_eq(chart.categories[2], STR("score:5..")));
}

/* The same years below two names. */
static struct result_number nested[] = {
    CELL("x", "count", 50, "X", "count"), CELL("x/2015", "count", 10, "2015", "count"),
    CELL("x/2016", "count", 40, "2016", "count"), CELL("y", "count", 9, "Y", "count"),
    CELL("y/2016", "count", 9, "2016", "count")};

#define ENDED_2016 INT64_C(1473033600000) /* 2016-09-05 */

/* One source ended in 2016 and is all that Y has, another goes on. */
static void check_sources(const struct result_numbers *numbers,
                          const struct study_figure *figure, struct arena *arena)
{
    static const enum measure_ends_state states[] = {
        MEASURE_ENDS_WHOLE, MEASURE_ENDS_WHOLE, MEASURE_ENDS_LACKS, MEASURE_ENDS_WHOLE,
        MEASURE_ENDS_NONE};
    static const struct str ends[] = {
        [2] = STR_INIT("a until 2015-09-05"),
        [4] = STR_INIT("a until 2015-09-05;b until 2015-09-05"),
    };
    struct report_figure_inputs inputs = {
        .numbers = numbers, .table = &table, .unfinished = {states, ends, {0}, {0}}};
    struct chart chart;
    struct err err = {0};

    tap_case(
        "after the end of one source a value is doubtful, after that of all there is "
        "none");
    CHECK(report_figure_chart(figure, &inputs, arena, &chart, &err));
    CHECK(chart.series_count == 2 && chart.series[0].y[1] == 40 &&
          chart.series[0].partial[1] && isnan(chart.series[1].y[0]) &&
          !chart.series[1].partial[0]);
    CHECK(str_eq(chart.note, STR("Not complete: a and b until 2015-09-05.")));
}

static void check_doubtful(struct arena *arena)
{
    struct result_numbers numbers = {STR("tables.t"), nested, ROWS(nested)};
    struct report_figure_inputs inputs = {.numbers = &numbers, .table = &table};
    struct study_figure figure = {.kind = STUDY_SHARES};
    struct chart chart;
    struct err err = {0};

    measure_ends_mark(STUDY_GROUPING_YEAR, ENDED_2016, &numbers, arena,
                      &inputs.unfinished);
    tap_case("rows with the same names stand in panels");
    CHECK(report_figure_chart(&figure, &inputs, arena, &chart, &err));
    CHECK(chart.panel_count == 2 && chart.category_count == 3);
    CHECK(str_eq(chart.panels[1].name, STR("Y")) && chart.panels[1].first == 2 &&
          chart.panels[1].count == 1 && str_eq(chart.categories[2], STR("2016")));
    tap_case("a period that was not over is marked, and the figure says until when");
    CHECK(!chart.series[0].partial[0] && chart.series[0].partial[1] &&
          chart.series[0].partial[2]);
    CHECK(
        str_eq(chart.note, STR("2016 is not complete: the sources end on 2016-09-05.")));
    tap_case("shares of few say of how many");
    CHECK(chart.few[0] == 10 && isnan(chart.few[1]) && chart.few[2] == 9);
    tap_case("and without such a period there is no note");
    measure_ends_mark(STUDY_GROUPING_YEAR, ENDED_2016 + INT64_C(365) * 24 * 3600 * 1000,
                      &numbers, arena, &inputs.unfinished);
    CHECK(report_figure_chart(&figure, &inputs, arena, &chart, &err));
    CHECK(chart.note.len == 0 && !chart.series[0].partial[1]);
    tap_case("lines mark it as well");
    measure_ends_mark(STUDY_GROUPING_YEAR, ENDED_2016, &numbers, arena,
                      &inputs.unfinished);
    figure.kind = STUDY_LINES;
    CHECK(report_figure_chart(&figure, &inputs, arena, &chart, &err));
    CHECK(chart.series[0].partial[1] && !chart.series[0].partial[0]);
    check_sources(&numbers, &figure, arena);
}

int main(void)
{
    struct arena arena = {0};

    check_tables(&arena);
    check_looks(&arena);
    check_across(&arena);
    check_totals(&arena);
    check_levels(&arena);
    check_doubtful(&arena);
    arena_free(&arena);
    return tap_done();
}
