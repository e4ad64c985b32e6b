/* Lines and steps with bands around them, and their names at the right end. */
#include "chart/internal.h"

#include <math.h>

#include "base/list.h"

/* Where the curve goes, points of a step included; runs end at values that are missing;
 * what is not complete is at the end of one.
 * A curve of a hundred thousand values has no more points than can be seen. */
struct curve_run {
    LIST(struct chart_point) points;
    struct chart_point skipped; /* too near to the one before */
    bool skips;
};

static const double near = 0.08;

static void run_put(struct curve_run *run, struct chart_point to, bool steps)
{
    if (steps && run->points.count > 0) {
        struct chart_point corner = {to.x, run->points.at[run->points.count - 1].y};
        list_add(&run->points, corner);
    }
    list_add(&run->points, to);
    run->skips = false;
}

static void run_add(struct curve_run *run, struct chart_point to, bool steps)
{
    size_t count = run->points.count;
    const struct chart_point *last = count > 0 ? &run->points.at[count - 1] : NULL;

    if (last != NULL && fabs(to.x - last->x) < near && fabs(to.y - last->y) < near) {
        run->skipped = to;
        run->skips = true;
        return;
    }
    run_put(run, to, steps);
}

/* The end of a run is never left out. */
static void run_end(struct curve_run *run, bool steps)
{
    if (run->skips)
        run_put(run, run->skipped, steps);
}

static bool shows(const struct chart_frame *frame, const struct chart_curve *curve,
                  const double *values, size_t i)
{
    return isfinite(curve->x[i]) && isfinite(values[i]) &&
           (frame->across.axis.scale != CHART_LOG || curve->x[i] > 0) &&
           (frame->up.axis.scale != CHART_LOG || values[i] > 0) &&
           chart_axis_reaches(&frame->up.axis, values[i]);
}

static struct chart_point place(const struct chart_frame *frame,
                                const struct chart_curve *curve, const double *values,
                                size_t i)
{
    return (struct chart_point){chart_axis_at(&frame->across.axis, curve->x[i]),
                                chart_axis_at(&frame->up.axis, values[i])};
}

/* One piece of the band: up along the high ends, back along the low ones. */
static void draw_band(struct chart_sheet *sheet, const struct chart_frame *frame,
                      const struct chart_curve *curve, size_t first, size_t end,
                      size_t series)
{
    struct curve_run top = {0}, low = {0};
    struct chart_ink ink = {.fill = chart_theme_colour(sheet->chart, series)};

    ink.fill.alpha = 0.18;
    for (size_t i = first; i < end; i++) {
        run_add(&top, place(frame, curve, curve->high, i), curve->steps);
        run_add(&low, place(frame, curve, curve->low, i), curve->steps);
    }
    run_end(&top, curve->steps);
    run_end(&low, curve->steps);
    while (low.points.count > 0)
        list_add(&top.points, low.points.at[--low.points.count]);
    chart_sheet_path(sheet, (struct chart_tag){CHART_ROLE_INTERVAL, series, first},
                     list_copy(&top.points, sheet->arena), top.points.count, true, ink);
    list_free(&top.points);
    list_free(&low.points);
}

/* A band that leaves the limits is cut there. */
static bool shows_band(const struct chart_frame *frame, const struct chart_curve *curve,
                       size_t i)
{
    struct chart_frame whole = *frame;

    whole.up.axis.limited = false;
    return shows(frame, curve, curve->y, i) && shows(&whole, curve, curve->low, i) &&
           shows(&whole, curve, curve->high, i);
}

static void draw_bands(struct chart_sheet *sheet, const struct chart_frame *frame,
                       const struct chart_curve *curve, size_t series)
{
    size_t end;

    for (size_t i = 0; i<curve->count; i = end> i ? end : i + 1) {
        end = i;
        while (end < curve->count && shows_band(frame, curve, end))
            end++;
        if (end - i > 1)
            draw_band(sheet, frame, curve, i, end, series);
    }
}

static bool is_partial(const struct chart_curve *curve, size_t i)
{
    return curve->partial != NULL && curve->partial[i];
}

/* A value alone between missing ones, or with an interval but no neighbour. */
static void draw_dot(struct chart_sheet *sheet, const struct chart_frame *frame,
                     const struct chart_curve *curve, size_t i, size_t series)
{
    struct chart_tag tag = {CHART_ROLE_MARK, series, i};
    struct chart_ink ink = {.fill = chart_theme_colour(sheet->chart, series),
                            .stroke = CHART_THEME_WHITE,
                            .line = 0.5};
    struct chart_point at = place(frame, curve, curve->y, i);

    if (is_partial(curve, i)) /* an open one */
        ink = (struct chart_ink){.fill = CHART_THEME_WHITE,
                                 .stroke = chart_theme_colour(sheet->chart, series),
                                 .line = 1};
    if (curve->count == 1 && curve->low != NULL && shows_band(frame, curve, i)) {
        tag.role = CHART_ROLE_INTERVAL;
        chart_sheet_line(sheet, tag, place(frame, curve, curve->low, i),
                         place(frame, curve, curve->high, i),
                         chart_theme_rule(chart_theme_colour(sheet->chart, series), 0.8));
        tag.role = CHART_ROLE_MARK;
    }
    chart_sheet_dot(sheet, tag, at, 1.9, chart_theme_shape(series), ink);
}

void chart_curve_draw(struct chart_sheet *sheet, const struct chart_frame *frame,
                      const struct chart_curve *curve, size_t series)
{
    struct chart_ink ink = chart_theme_line(sheet->chart, series);
    size_t end;

    if (curve->low != NULL && curve->high != NULL)
        draw_bands(sheet, frame, curve, series);
    for (size_t i = 0; i<curve->count; i = end> i ? end : i + 1) {
        struct curve_run run = {0};
        end = i;
        for (; end < curve->count && shows(frame, curve, curve->y, end); end++)
            if (!is_partial(curve, end))
                run_add(&run, place(frame, curve, curve->y, end), curve->steps);
        run_end(&run, curve->steps);
        if (end == i && chart_frame_shows(sheet, &frame->across.axis, curve->x[i]))
            (void)chart_frame_shows(sheet, &frame->up.axis, curve->y[i]);
        if (run.points.count > 1)
            chart_sheet_path(sheet, (struct chart_tag){CHART_ROLE_MARK, series, i},
                             list_copy(&run.points, sheet->arena), run.points.count,
                             false, ink);
        list_free(&run.points);
        for (size_t j = i + 1; j < end; j++)
            if (is_partial(curve, j))
                chart_sheet_line(sheet, (struct chart_tag){CHART_ROLE_MARK, series, j},
                                 place(frame, curve, curve->y, j - 1),
                                 place(frame, curve, curve->y, j),
                                 chart_theme_partial(ink));
        for (size_t j = i; j < end; j++)
            if (curve->dots || end - i == 1 || is_partial(curve, j))
                draw_dot(sheet, frame, curve, j, series);
    }
}

/* Names at the ends beat a legend while they are few and short. */
double chart_curve_names_width(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    double width = 0;

    if (chart->series_count < 2 || chart->series_count > 8)
        return 0;
    for (size_t i = 0; i < chart->series_count; i++)
        width = fmax(
            width, chart_sheet_measure(sheet, chart->series[i].name, &STYLE_TICK).width);
    return width > 0.3 * chart_sheet_inner(sheet) ? 0 : width + CHART_SHEET_GAP;
}

void chart_curve_names(struct chart_sheet *sheet, const struct chart_frame *frame,
                       const double *ends)
{
    const struct chart *chart = sheet->chart;
    size_t *order = arena_array(sheet->arena, size_t, chart->series_count);
    double *centres = arena_array(sheet->arena, double, chart->series_count);
    double *heights = arena_array(sheet->arena, double, chart->series_count);
    double x = chart_area_right(frame->plot) + CHART_SHEET_GAP;
    size_t count = 0;

    for (size_t i = 0; i < chart->series_count; i++) {
        size_t at = count;
        if (isnan(ends[i]))
            continue;
        for (; at > 0 && centres[at - 1] > ends[i]; at--) {
            centres[at] = centres[at - 1];
            order[at] = order[at - 1];
        }
        centres[at] = ends[i];
        order[at] = i;
        heights[count++] = 1.2 * STYLE_TICK.size;
    }
    chart_sheet_spread(centres, heights, count, frame->plot.top,
                       chart_area_bottom(frame->plot), sheet->arena);
    for (size_t k = 0; k < count; k++) {
        struct chart_style style = STYLE_TICK;
        style.colour = chart_theme_text(chart, order[k]);
        chart_sheet_text(sheet, (struct chart_tag){CHART_ROLE_LABEL, order[k], 0},
                         chart->series[order[k]].name, &style,
                         (struct chart_point){x, centres[k]},
                         (struct chart_grip){0, 0.5});
    }
}

/* Lines over years or other numbers, with intervals as bands. */

enum { DOTS_MAX = 30 }; /* values of a line that still are marked one by one */

/* The place of a series' last value, NAN when it has none. */
static double end_of(const struct chart_frame *frame, const struct chart_series *series)
{
    for (size_t i = series->count; i-- > 0;)
        if (isfinite(series->y[i]) && isfinite(series->x[i]) &&
            chart_axis_reaches(&frame->up.axis, series->y[i]))
            return chart_axis_at(&frame->up.axis, series->y[i]);
    return NAN;
}

void chart_lines_draw(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    double *ends = arena_array(sheet->arena, double, chart->series_count);
    struct chart_frame frame = {
        .across = {.title = chart->x_title,
                   .axis = {.scale = chart->x_scale,
                            .number = chart->x_number,
                            .parts = chart->x_parts},
                   .no_grid = true},
        .up = {.title = chart->y_title,
               .axis = {.scale = chart->y_scale, .number = chart->y_number}},
        .plot_height = fmin(0.5 * sheet->width, 190),
        .right = chart_curve_names_width(sheet),
    };

    chart_sheet_title(sheet);
    chart_side_begin_x(&frame.across, chart);
    chart_side_begin_y(&frame.up, chart);
    chart_side_settle(&frame.across, false);
    chart_side_settle(&frame.up, false);
    chart_side_limit(&frame.up, chart);
    if (frame.right == 0)
        chart_legend_draw(sheet, CHART_KEY_LINE);
    chart_frame_draw(sheet, &frame);
    for (size_t i = 0; i < chart->series_count; i++) {
        const struct chart_series *series = &chart->series[i];
        struct chart_curve curve = {
            .x = series->x,
            .y = series->y,
            .low = series->low,
            .high = series->high,
            .partial = series->partial,
            .count = series->count,
            .steps = chart->steps,
            .dots = series->count <= DOTS_MAX && !chart->steps,
        };
        chart_curve_draw(sheet, &frame, &curve, i);
        ends[i] = end_of(&frame, series);
    }
    if (frame.right > 0)
        chart_curve_names(sheet, &frame, ends);
    chart_sheet_finish(sheet, frame.bottom);
}
