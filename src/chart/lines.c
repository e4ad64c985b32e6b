/* Lines over years or other numbers, with intervals as bands. */
#include <math.h>

#include "chart/internal.h"

enum { DOTS_MAX = 30 }; /* values of a line that still are marked one by one */

/* The place of a series' last value, NAN when it has none. */
static double end_of(const struct frame *frame, const struct chart_series *series)
{
    for (size_t i = series->count; i-- > 0;)
        if (isfinite(series->y[i]) && isfinite(series->x[i]))
            return axis_at(&frame->up.axis, series->y[i]);
    return NAN;
}

static void find_ranges(const struct chart *chart, struct frame *frame)
{
    side_begin(&frame->across);
    side_begin(&frame->up);
    for (size_t i = 0; i < chart->series_count; i++) {
        const struct chart_series *series = &chart->series[i];
        side_include(&frame->across, series->x, series->count);
        side_include(&frame->up, series->y, series->count);
        side_include(&frame->up, series->low, series->count);
        side_include(&frame->up, series->high, series->count);
    }
    side_settle(&frame->across, false);
    side_settle(&frame->up, false);
}

void lines_draw(struct sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    double *ends = arena_array(sheet->arena, double, chart->series_count);
    struct frame frame = {
        .across = {.title = chart->x_title,
                   .axis = {.scale = chart->x_scale, .number = chart->x_number},
                   .no_grid = true},
        .up = {.title = chart->y_title,
               .axis = {.scale = chart->y_scale, .number = chart->y_number}},
        .plot_height = fmin(0.5 * sheet->width, 190),
        .right = curve_names_width(sheet),
    };

    sheet_title(sheet);
    find_ranges(chart, &frame);
    if (chart->series_count > 1 && frame.right == 0)
        legend_draw(sheet, KEY_LINE);
    frame_draw(sheet, &frame);
    for (size_t i = 0; i < chart->series_count; i++) {
        const struct chart_series *series = &chart->series[i];
        struct curve curve = {
            .x = series->x,
            .y = series->y,
            .low = series->low,
            .high = series->high,
            .count = series->count,
            .steps = chart->steps,
            .dots = series->count <= DOTS_MAX && !chart->steps,
        };
        curve_draw(sheet, &frame, &curve, i);
        ends[i] = end_of(&frame, series);
    }
    if (frame.right > 0)
        curve_names(sheet, &frame, ends);
    sheet_finish(sheet, frame.bottom);
}
