/* Forest plot: an estimate and its interval in each row, and the same as numbers. */
#include <math.h>

#include "chart/internal.h"

/* Numbers of all rows have the same decimals, those with which the narrowest interval has
 * two digits, of ratios two or three; -1: they are shares or large, and as short as can
 * be. */
static int decimals_of(const struct chart *chart)
{
    const struct chart_series *series = &chart->series[0];
    double narrowest = INFINITY, largest = 0;

    for (size_t i = 0; i < chart->category_count; i++) {
        double wide = series->low != NULL ? series->high[i] - series->low[i] : NAN;
        if (wide > 0 && isfinite(wide)) {
            narrowest = fmin(narrowest, wide);
            largest = fmax(largest, fmax(fabs(series->low[i]), fabs(series->high[i])));
        }
    }
    if (chart->y_number != CHART_PLAIN || isinf(narrowest) || largest >= 1e6)
        return -1;
    int decimals = 1 - (int)floor(log10(narrowest)), least = chart->neutral > 0 ? 2 : 0;
    int most = chart->neutral > 0 ? 3 : 6;
    return decimals < least ? least : decimals > most ? most : decimals;
}

static struct str number_text(const struct chart *chart, double value, int decimals,
                              struct arena *arena)
{
    return decimals < 0 || !isfinite(value)
               ? chart_number_short(value, chart->y_number, arena)
               : chart_number_fixed(value, decimals, arena);
}

static struct str bound(const struct chart *chart, double value, int decimals,
                        struct arena *arena)
{
    struct str text = number_text(chart, value, decimals, arena);

    /* The unit is said once, by the estimate. */
    if (chart->y_number == CHART_PERCENT && text.len > 0 && text.ptr[text.len - 1] == '%')
        text.len--;
    return text;
}

/* "12.3% [10.1, 14.8]" */
static struct str row_text(const struct chart *chart, size_t row, struct arena *arena)
{
    const struct chart_series *series = &chart->series[0];
    int decimals = decimals_of(chart);
    struct str estimate = number_text(chart, series->y[row], decimals, arena), low, high;

    if (!isfinite(series->y[row]) || series->low == NULL || series->high == NULL ||
        !isfinite(series->low[row]) || !isfinite(series->high[row]))
        return estimate;
    low = bound(chart, series->low[row], decimals, arena);
    high = bound(chart, series->high[row], decimals, arena);
    return arena_format(arena, "%.*s [%.*s, %.*s]", STR_ARG(estimate), STR_ARG(low),
                        STR_ARG(high));
}

static double widest_text(struct chart_sheet *sheet)
{
    double width = 0;

    for (size_t i = 0; i < sheet->chart->category_count; i++)
        width =
            fmax(width, chart_sheet_measure(
                            sheet, row_text(sheet->chart, i, sheet->arena), &STYLE_VALUE)
                            .width);
    return width;
}

static void set_frame(struct chart_sheet *sheet, struct chart_frame *frame)
{
    const struct chart *chart = sheet->chart;
    double parts = (double)chart->series_count;
    struct chart_side categories = {
        .title = chart->x_title,
        .names = chart->categories,
        .count = chart->category_count,
    };
    struct chart_side values = {
        .title = chart->y_title,
        .axis = {.scale = chart->y_scale, .number = chart->y_number},
    };

    chart_side_begin_y(&values, chart);
    if (chart->neutral > 0)
        chart_side_include(&values, &chart->neutral, 1);
    chart_side_settle(&values, false);
    chart_side_limit(&values, chart);
    chart_frame_lay(frame, &categories, &values);
    frame->row_min = parts > 1 ? 5 * parts + 3 : 8;
    frame->plot_height = (double)chart->category_count * (parts > 1 ? 7 * parts + 4 : 12);
    /* Not where numbers would leave too little of a narrow figure. */
    if (chart->series_count == 1 && widest_text(sheet) < 0.32 * chart_sheet_inner(sheet))
        frame->right = widest_text(sheet) + 2 * CHART_SHEET_GAP;
}

static void draw_row(struct chart_sheet *sheet, const struct chart_frame *frame,
                     size_t row)
{
    const struct chart *chart = sheet->chart;
    double part = 0.8 * chart_frame_band_width(frame) / (double)chart->series_count;
    double y =
        chart_frame_band(frame, true, row) - part * ((double)chart->series_count - 1) / 2;

    for (size_t s = 0; s < chart->series_count; s++, y += part) {
        const struct chart_series *series = &chart->series[s];
        struct chart_ink ink = {.fill = chart_theme_colour(chart, s)};
        if (!chart_frame_shows(sheet, &frame->across.axis, series->y[row]))
            continue;
        if (series->low != NULL && series->high != NULL)
            chart_frame_whisker(sheet, frame,
                                (struct chart_tag){CHART_ROLE_INTERVAL, s, row},
                                series->low[row], series->high[row], y);
        chart_sheet_dot(sheet, (struct chart_tag){CHART_ROLE_MARK, s, row},
                        (struct chart_point){chart_frame_value(frame, series->y[row]), y},
                        2.2, chart_theme_shape(s), ink);
    }
    if (frame->right > 0)
        chart_sheet_text(sheet, (struct chart_tag){CHART_ROLE_LABEL, 0, row},
                         row_text(chart, row, sheet->arena), &STYLE_VALUE,
                         (struct chart_point){sheet->width - CHART_SHEET_MARGIN,
                                              chart_frame_band(frame, true, row)},
                         (struct chart_grip){1, 0.5});
}

/* Whose interval crosses it may have no effect. */
static void draw_neutral(struct chart_sheet *sheet, const struct chart_frame *frame)
{
    struct chart_ink ink = chart_theme_rule(THEME_AXIS, 0.6);
    double at = sheet->chart->neutral, x = chart_frame_value(frame, at);

    if (at <= 0 || !chart_frame_shows(sheet, &frame->across.axis, at))
        return;
    ink.dash = CHART_DASH_LONG;
    chart_sheet_line(sheet, (struct chart_tag){CHART_ROLE_GRID, 0, 0},
                     (struct chart_point){x, frame->plot.top},
                     (struct chart_point){x, chart_area_bottom(frame->plot)}, ink);
}

void chart_forest_draw(struct chart_sheet *sheet)
{
    struct chart_frame frame = {.lying = true};

    chart_sheet_title(sheet);
    chart_legend_draw(sheet, CHART_KEY_DOT);
    set_frame(sheet, &frame);
    chart_frame_draw(sheet, &frame);
    draw_neutral(sheet, &frame);
    for (size_t i = 0; i < sheet->chart->category_count; i++)
        draw_row(sheet, &frame, i);
    chart_sheet_finish(sheet, frame.bottom);
}
