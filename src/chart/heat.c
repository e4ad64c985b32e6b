/* Heat map: a matrix of numbers, each in a cell of a colour for it. */
#include <math.h>

#include "chart/internal.h"

static const double sizes[] = {6.5, 5.5, 5}; /* of the numbers in cells, best first */

struct heat {
    struct chart_sheet *sheet;
    struct chart_frame frame;
    double low, high; /* of the colours */
    double size;      /* of numbers; 0: cells are too small for them */
};

static double value_of(const struct heat *heat, size_t row, size_t column)
{
    return heat->sheet->chart->series[row].y[column];
}

static struct str text_of(const struct heat *heat, double value)
{
    const struct chart *chart = heat->sheet->chart;

    if (isfinite(value) && chart->y_number == CHART_PERCENT)
        return chart_number_percent(value, heat->sheet->arena);
    if (isfinite(value) && chart->diverging)
        return chart_number_fixed(value, 2, heat->sheet->arena);
    return chart_number_short(value, CHART_PLAIN, heat->sheet->arena);
}

/* White is 0, or the lowest where some are below 0 without being called diverging. */
static void find_colours(struct heat *heat)
{
    const struct chart *chart = heat->sheet->chart;
    struct chart_side range = {0};

    chart_side_begin(&range);
    for (size_t r = 0; r < chart->series_count; r++)
        chart_side_include(&range, chart->series[r].y, chart->category_count);
    heat->low = chart->diverging ? -1 : fmin(0, range.low);
    heat->high = chart->diverging ? 1 : fmax(range.high, heat->low + 1e-300);
    if (chart->limited) {
        heat->low = chart->limit_low;
        heat->high = chart->limit_high;
    }
}

static struct chart_colour colour_of(const struct heat *heat, double value)
{
    bool diverging = heat->sheet->chart->diverging;

    if (!isfinite(value))
        return THEME_PALE;
    if (diverging)
        return chart_theme_ramp(heat->sheet->chart, value, true);
    /* Even nothing has a tint, so that the cell can be seen. */
    value = fmax(heat->low, fmin(value, heat->high));
    return chart_theme_ramp(heat->sheet->chart,
                            0.04 + 0.91 * (value - heat->low) / (heat->high - heat->low),
                            false);
}

static bool all_fit(const struct heat *heat, double size, double width, double height)
{
    const struct chart *chart = heat->sheet->chart;
    struct chart_style style = STYLE_VALUE;

    style.size = size;
    for (size_t r = 0; r < chart->series_count; r++)
        for (size_t c = 0; c < chart->category_count; c++) {
            struct chart_extent extent = chart_sheet_measure(
                heat->sheet, text_of(heat, value_of(heat, r, c)), &style);
            if (extent.width + 1 > width || extent.height > height)
                return false;
        }
    return true;
}

static double fitting_size(const struct heat *heat, double width, double height)
{
    for (size_t i = 0; i < ROWS_OF(sizes); i++)
        if (all_fit(heat, sizes[i], width, height))
            return sizes[i];
    return 0;
}

static void draw_cell(const struct heat *heat, size_t row, size_t column)
{
    const struct chart_area plot = heat->frame.plot;
    double width = plot.width / (double)heat->frame.across.count;
    double height = plot.height / (double)heat->frame.up.count;
    double value = value_of(heat, row, column);
    struct chart_ink ink = {
        .fill = colour_of(heat, value), .stroke = CHART_THEME_WHITE, .line = 0.6};
    struct chart_area area = {plot.left + (double)column * width,
                              plot.top + (double)row * height, width, height};
    struct chart_style style = STYLE_VALUE;

    chart_sheet_box(heat->sheet, (struct chart_tag){CHART_ROLE_MARK, row, column}, area,
                    ink);
    style.size = heat->size;
    style.colour = chart_theme_on(ink.fill);
    if (heat->size > 0)
        chart_sheet_text(
            heat->sheet, (struct chart_tag){CHART_ROLE_LABEL, row, column},
            text_of(heat, value), &style,
            (struct chart_point){area.left + width / 2, area.top + height / 2},
            (struct chart_grip){0.5, 0.5});
}

/* What colours mean, for cells without numbers: a bar from low to high. */
static void draw_key(struct heat *heat)
{
    const double height = 6;
    const int parts = 40;
    struct chart_sheet *sheet = heat->sheet;
    double most =
        chart_sheet_measure(sheet, text_of(heat, heat->high), &STYLE_VALUE).width;
    struct chart_tag tag = {CHART_ROLE_LEGEND, 0, 0};
    struct chart_area low = chart_sheet_text(
        sheet, tag, text_of(heat, heat->low), &STYLE_VALUE,
        (struct chart_point){CHART_SHEET_MARGIN, sheet->top}, (struct chart_grip){0, 0});
    double left = chart_area_right(low) + 3, top = low.top + (low.height - height) / 2;
    double length = fmin(80, sheet->width - CHART_SHEET_MARGIN - left - 3 - most);

    for (int i = 0; i < parts; i++) {
        double share = (i + 0.5) / parts;
        double value = heat->low + share * (heat->high - heat->low);
        struct chart_area area = {left + i * length / parts, top, length / parts, height};
        chart_sheet_box(sheet, tag, area,
                        (struct chart_ink){.fill = colour_of(heat, value)});
    }
    chart_sheet_text(sheet, tag, text_of(heat, heat->high), &STYLE_VALUE,
                     (struct chart_point){left + length + 3, sheet->top},
                     (struct chart_grip){0, 0});
    sheet->top = chart_area_bottom(low) + CHART_SHEET_GAP;
}

void chart_heat_draw(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    struct str *rows = arena_array(sheet->arena, struct str, chart->series_count);
    double width = 0.72 * chart_sheet_inner(sheet) / (double)chart->category_count;
    double height = fmax(11, fmin(0.75 * width, 30));
    struct heat heat = {
        .sheet = sheet,
        .frame = {.across = {.title = chart->x_title,
                             .names = chart->categories,
                             .count = chart->category_count},
                  .up = {.title = chart->y_title,
                         .names = rows,
                         .count = chart->series_count},
                  .plot_height = height * (double)chart->series_count},
    };

    for (size_t i = 0; i < chart->series_count; i++)
        rows[i] = chart->series[i].name;
    chart_sheet_title(sheet);
    find_colours(&heat);
    /* Whether a key is needed must be known before the plot has its place. Names at the
     * left take at most 0.4 of the width, a title and gaps at most 28, and no row is
     * lower than a line: numbers that fit here will fit there. */
    width = (0.6 * chart_sheet_inner(sheet) - 28) / (double)chart->category_count;
    if (fitting_size(&heat, width, 9) == 0)
        draw_key(&heat);
    chart_frame_draw(sheet, &heat.frame);
    heat.size = fitting_size(&heat, chart_frame_band_width(&heat.frame),
                             heat.frame.plot.height / (double)heat.frame.up.count);
    for (size_t r = 0; r < chart->series_count; r++)
        for (size_t c = 0; c < chart->category_count; c++)
            draw_cell(&heat, r, c);
    chart_sheet_finish(sheet, heat.frame.bottom);
}
