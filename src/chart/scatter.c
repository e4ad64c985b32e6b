/* Points with names that overlap neither each other nor points. */
#include <math.h>

#include "chart/internal.h"

static const double radius = 2.2;

/* Where a name may stand: directions by preference, then farther away with a leader. */
static const struct chart_grip directions[] = {
    {1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1},
};
static const double distances[] = {3.9, 9, 16, 25};

static struct chart_area try_place(struct chart_extent extent, struct chart_point at,
                                   struct chart_grip way, double distance)
{
    struct chart_grip grip = {(1 - way.x) / 2, (1 - way.y) / 2};
    double shorter = way.x != 0 && way.y != 0 ? sqrt(0.5) : 1;
    struct chart_point to = {at.x + way.x * shorter * distance,
                             at.y + way.y * shorter * distance};

    return chart_sheet_held(extent, to, grip);
}

static bool inside(struct chart_area area, struct chart_area frame)
{
    return area.left >= frame.left && area.top >= frame.top &&
           chart_area_right(area) <= chart_area_right(frame) &&
           chart_area_bottom(area) <= chart_area_bottom(frame);
}

/* Names side by side need more than a hair between them. */
static struct chart_area with_air(struct chart_area area)
{
    return (struct chart_area){area.left - 1.5, area.top, area.width + 3, area.height};
}

/* The end of the leader: the nearest point of the name's box. */
static struct chart_point nearest(struct chart_area area, struct chart_point at)
{
    return (struct chart_point){fmax(area.left, fmin(at.x, chart_area_right(area))),
                                fmax(area.top, fmin(at.y, chart_area_bottom(area)))};
}

static bool crosses_text(const struct chart_sheet *sheet, struct chart_point from,
                         struct chart_point to)
{
    for (size_t i = 0; i < sheet->count; i++)
        if (sheet->items[i].kind == CHART_ITEM_TEXT &&
            chart_area_crossed(sheet->items[i].area, from, to))
            return true;
    return false;
}

/* A name for which no place is free is left away: a point without name is better than
 * two names that nobody can read. */
static void draw_name(struct chart_sheet *sheet, const struct chart_frame *frame,
                      struct chart_tag tag, struct str name, struct chart_point at)
{
    struct chart_style style = STYLE_VALUE;
    struct chart_extent extent;
    struct chart_area room = frame->plot;

    room.left += 1;
    room.width = sheet->width - CHART_SHEET_MARGIN - room.left;
    style.width_max = fmax(20, 0.4 * frame->plot.width);
    extent = chart_sheet_measure(sheet, name, &style);
    for (size_t d = 0; d < ROWS_OF(distances); d++)
        for (size_t w = 0; w < ROWS_OF(directions); w++) {
            struct chart_area area = try_place(extent, at, directions[w], distances[d]);
            if (!inside(area, room) || !chart_sheet_is_free(sheet, with_air(area)) ||
                (d > 0 && crosses_text(sheet, at, nearest(area, at))))
                continue;
            if (d > 0)
                chart_sheet_line(sheet, tag, at, nearest(area, at),
                                 chart_theme_rule(THEME_AXIS, 0.35));
            chart_sheet_text(sheet, tag, name, &style,
                             (struct chart_point){area.left, area.top},
                             (struct chart_grip){0, 0});
            return;
        }
}

static bool place_of(const struct chart_frame *frame, const struct chart_series *series,
                     size_t i, struct chart_point *at)
{
    const struct chart_axis *x = &frame->across.axis, *y = &frame->up.axis;

    if (!isfinite(series->x[i]) || !isfinite(series->y[i]) ||
        (x->scale == CHART_LOG && series->x[i] <= 0) ||
        (y->scale == CHART_LOG && series->y[i] <= 0))
        return false;
    *at = (struct chart_point){chart_axis_at(x, series->x[i]),
                               chart_axis_at(y, series->y[i])};
    return true;
}

/* Of a hundred thousand points most fall onto others: one for each cell of half a point
 * is enough. True when the cell is new. */
static bool take_cell(const struct chart_area plot, bool *taken, struct chart_point at)
{
    size_t columns = (size_t)(2 * plot.width) + 2;
    size_t column = (size_t)(2 * fmax(0, at.x - plot.left));
    size_t row = (size_t)(2 * fmax(0, at.y - plot.top));
    bool *cell = &taken[row * columns + column];

    if (*cell)
        return false;
    *cell = true;
    return true;
}

static void draw_dots(struct chart_sheet *sheet, const struct chart_frame *frame,
                      size_t index)
{
    const struct chart_series *series = &sheet->chart->series[index];
    struct chart_ink ink = {
        .fill = chart_theme_colour(index), .stroke = CHART_THEME_WHITE, .line = 0.4};
    size_t columns = (size_t)(2 * frame->plot.width) + 2;
    size_t rows = (size_t)(2 * frame->plot.height) + 2;
    bool *taken = arena_array(sheet->arena, bool, columns *rows);
    struct chart_point at;

    ink.fill.alpha = 0.85;
    for (size_t i = 0; i < series->count; i++) {
        if (place_of(frame, series, i, &at)) {
            if (take_cell(frame->plot, taken, at))
                chart_sheet_dot(sheet, (struct chart_tag){CHART_ROLE_MARK, index, i}, at,
                                radius, chart_theme_shape(index), ink);
        } else if (chart_frame_shows(sheet, &frame->across.axis, series->x[i]))
            (void)chart_frame_shows(sheet, &frame->up.axis, series->y[i]);
    }
}

static void draw_names(struct chart_sheet *sheet, const struct chart_frame *frame,
                       size_t index)
{
    const struct chart_series *series = &sheet->chart->series[index];
    struct chart_point at;

    for (size_t i = 0; series->labels != NULL && i < series->count; i++)
        if (series->labels[i].len > 0 && place_of(frame, series, i, &at))
            draw_name(sheet, frame, (struct chart_tag){CHART_ROLE_LABEL, index, i},
                      series->labels[i], at);
}

void chart_scatter_draw(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    struct chart_frame frame = {
        .across = {.title = chart->x_title,
                   .axis = {.scale = chart->x_scale, .number = chart->x_number}},
        .up = {.title = chart->y_title,
               .axis = {.scale = chart->y_scale, .number = chart->y_number}},
        .plot_height = fmin(0.65 * sheet->width, 260),
    };

    chart_sheet_title(sheet);
    if (chart->series_count > 1)
        chart_legend_draw(sheet, CHART_KEY_DOT);
    chart_side_begin(&frame.across);
    chart_side_begin(&frame.up);
    for (size_t i = 0; i < chart->series_count; i++) {
        chart_side_include(&frame.across, chart->series[i].x, chart->series[i].count);
        chart_side_include(&frame.up, chart->series[i].y, chart->series[i].count);
    }
    chart_side_settle(&frame.across, false);
    chart_side_settle(&frame.up, false);
    chart_frame_draw(sheet, &frame);
    for (size_t i = 0; i < chart->series_count; i++)
        draw_dots(sheet, &frame, i);
    for (size_t i = 0; i < chart->series_count; i++)
        draw_names(sheet, &frame, i);
    chart_sheet_finish(sheet, frame.bottom);
}
