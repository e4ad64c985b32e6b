/* How values are spread: histogram and empirical distribution function. */
#include <math.h>

#include "base/order.h"
#include "chart/internal.h"

struct values {
    double *at; /* ascending */
    size_t count;
};

static struct values sorted(const struct chart_series *series, struct arena *arena)
{
    struct values values = {arena_array(arena, double, series->count + 1), 0};

    for (size_t i = 0; i < series->count; i++)
        if (isfinite(series->x[i]))
            values.at[values.count++] = series->x[i];
    order_reals(values.at, values.count);
    return values;
}

static bool all_whole(const struct values *values)
{
    for (size_t i = 0; i < values->count; i++)
        if (values->at[i] != floor(values->at[i]))
            return false;
    return true;
}

/* Freedman and Diaconis (1981): bins as wide as twice the distance of the quartiles over
 * the cube root of n. Log-scaled values are taken by their logarithm. */
static size_t suitable_bins(const struct values *values, bool log_scale)
{
    size_t n = values->count;
    double first = values->at[n / 4], third = values->at[3 * n / 4 < n ? 3 * n / 4 : 0];
    double low = values->at[0], high = values->at[n - 1], width;

    if (log_scale) {
        first = log(first);
        third = log(third);
        low = log(low);
        high = log(high);
    }
    width = 2 * (third - first) / cbrt((double)n);
    if (width <= 0)
        return 10;
    return (size_t)fmax(5, fmin(40, (high - low) / width));
}

/* The edges of bins are ticks of an axis; on a log scale, equal shares of a decade. */
static struct chart_axis choose_edges(const struct chart *chart,
                                      const struct values *values, struct arena *arena)
{
    bool log_scale = chart->x_scale == CHART_LOG;
    struct chart_axis edges = {.whole = all_whole(values)};
    size_t bins = chart->bins > 0 ? chart->bins : suitable_bins(values, log_scale);
    double low = chart->limited ? chart->limit_low : values->at[0];
    double high = chart->limited ? chart->limit_high : values->at[values->count - 1];
    size_t count;

    if (!log_scale) {
        chart_axis_choose(&edges, low, high, bins + 1, arena);
        return edges;
    }
    low = log10(low);
    high = log10(high);
    /* A tenth, a fifth, a half or a whole decade each. */
    for (double step = 0.1; step < 100; step *= step == 0.2 ? 2.5 : 2) {
        edges.low = floor(low / step + 1e-9) * step;
        count = (size_t)fmax(1, ceil((high - edges.low) / step - 1e-9));
        if (count > bins && step < 1)
            continue;
        edges.ticks = arena_array(arena, double, count + 1);
        edges.tick_count = count + 1;
        for (size_t i = 0; i <= count; i++)
            edges.ticks[i] = pow(10, edges.low + (double)i * step);
        break;
    }
    edges.low = edges.ticks[0];
    edges.high = edges.ticks[edges.tick_count - 1];
    return edges;
}

static double *count_bins(const struct chart_axis *edges, const struct values *values,
                          struct arena *arena)
{
    size_t bins = edges->tick_count - 1, bin = 0;
    double *counts = arena_array(arena, double, bins);

    for (size_t i = 0; i < values->count; i++) {
        while (bin + 1 < bins && values->at[i] >= edges->ticks[bin + 1])
            bin++;
        counts[bin]++;
    }
    return counts;
}

/* A log scale shows what is above 0 only, limits what is between them; the rest is
 * counted. */
static struct values shown(struct chart_sheet *sheet, struct values values)
{
    const struct chart *chart = sheet->chart;

    while (sheet->chart->x_scale == CHART_LOG && values.count > 0 && values.at[0] <= 0) {
        values.at++;
        values.count--;
        sheet->left_out++;
    }
    while (chart->limited && values.count > 0 && values.at[0] < chart->limit_low) {
        values.at++;
        values.count--;
        sheet->beyond++;
    }
    while (chart->limited && values.count > 0 &&
           values.at[values.count - 1] > chart->limit_high) {
        values.count--;
        sheet->beyond++;
    }
    return values;
}

static void draw_histogram(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    struct values values = shown(sheet, sorted(&chart->series[0], sheet->arena));
    struct chart_frame frame = {
        .across = {.title = chart->x_title,
                   .axis = {.scale = chart->x_scale, .number = chart->x_number},
                   .no_grid = true},
        .up = {.title = chart->y_title.len > 0 ? chart->y_title : STR("Count"),
               .axis = {.whole = true}},
        .plot_height = fmin(0.5 * sheet->width, 180),
    };
    struct chart_axis edges = {0};
    double *counts = NULL;

    chart_side_begin(&frame.across);
    chart_side_begin(&frame.up);
    if (values.count > 0) {
        edges = choose_edges(chart, &values, sheet->arena);
        counts = count_bins(&edges, &values, sheet->arena);
        chart_side_include(&frame.across, edges.ticks, edges.tick_count);
        chart_side_include(&frame.up, counts, edges.tick_count - 1);
    }
    chart_side_settle(&frame.across, false);
    chart_side_limit(&frame.across, chart);
    chart_side_settle(&frame.up, true);
    chart_frame_draw(sheet, &frame);
    for (size_t i = 0; i + 1 < edges.tick_count; i++) {
        double left = chart_axis_at(&frame.across.axis, edges.ticks[i]);
        double right = chart_axis_at(&frame.across.axis, edges.ticks[i + 1]);
        double top = chart_axis_at(&frame.up.axis, counts[i]);
        struct chart_ink ink = chart_theme_fill(chart, 0);
        ink.stroke = CHART_THEME_WHITE;
        ink.line = 0.4;
        if (counts[i] > 0)
            chart_sheet_box(sheet, (struct chart_tag){CHART_ROLE_MARK, 0, i},
                            (struct chart_area){left, top, right - left,
                                                chart_area_bottom(frame.plot) - top},
                            ink);
    }
    /* Over the white edges of the bars. */
    chart_sheet_line(
        sheet, (struct chart_tag){CHART_ROLE_AXIS, 0, 0},
        (struct chart_point){frame.plot.left, chart_area_bottom(frame.plot)},
        (struct chart_point){chart_area_right(frame.plot), chart_area_bottom(frame.plot)},
        chart_theme_rule(THEME_AXIS, 0.6));
    chart_sheet_finish(sheet, frame.bottom);
}

/* From 0 at the left end to 1 at the right, one step for each different value. */
static void draw_function(struct chart_sheet *sheet, const struct chart_frame *frame,
                          size_t series)
{
    struct values values = sorted(&sheet->chart->series[series], sheet->arena);
    double *x = arena_array(sheet->arena, double, values.count + 2);
    double *y = arena_array(sheet->arena, double, values.count + 2);
    struct chart_curve curve = {.x = x, .y = y, .count = 1, .steps = true};

    if (values.count == 0)
        return;
    x[0] = frame->across.axis.low;
    for (size_t i = 0; i < values.count; i++) {
        double place = fmax(values.at[i], x[0]);
        if (!chart_axis_reaches(&frame->across.axis, place))
            break;
        if (place > x[curve.count - 1])
            x[curve.count++] = place;
        y[curve.count - 1] = (double)(i + 1) / (double)values.count;
    }
    x[curve.count] = frame->across.axis.high;
    y[curve.count] = y[curve.count - 1];
    curve.count++;
    chart_curve_draw(sheet, frame, &curve, series);
}

static void draw_ecdf(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    struct chart_frame frame = {
        .across = {.title = chart->x_title,
                   .axis = {.scale = chart->x_scale, .number = chart->x_number},
                   .no_grid = true},
        .up = {.title =
                   chart->y_title.len > 0 ? chart->y_title : STR("Share at or below x"),
               .axis = {.number = CHART_PERCENT},
               .low = 0,
               .high = 1},
        .plot_height = fmin(0.5 * sheet->width, 190),
    };

    chart_legend_draw(sheet, CHART_KEY_LINE);
    chart_side_begin_x(&frame.across, chart);
    chart_side_settle(&frame.across, false);
    chart_side_limit(&frame.across, chart);
    chart_frame_draw(sheet, &frame);
    for (size_t i = 0; i < chart->series_count; i++)
        draw_function(sheet, &frame, i);
    chart_sheet_finish(sheet, frame.bottom);
}

void chart_distribution_draw(struct chart_sheet *sheet)
{
    chart_sheet_title(sheet);
    if (sheet->chart->kind == CHART_HISTOGRAM)
        draw_histogram(sheet);
    else
        draw_ecdf(sheet);
}
