/* Points with names that overlap neither each other nor points. */
#include <math.h>

#include "chart/internal.h"

static const double radius = 2.2;

/* Where a name may stand: directions by preference, then farther away with a leader. */
static const struct grip directions[] = {
    {1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1},
};
static const double distances[] = {3.9, 9, 16, 25};

static struct area try_place(struct extent extent, struct point at, struct grip way,
                             double distance)
{
    struct grip grip = {(1 - way.x) / 2, (1 - way.y) / 2};
    double shorter = way.x != 0 && way.y != 0 ? sqrt(0.5) : 1;
    struct point to = {at.x + way.x * shorter * distance,
                       at.y + way.y * shorter * distance};

    return sheet_held(extent, to, grip);
}

static bool inside(struct area area, struct area frame)
{
    return area.left >= frame.left && area.top >= frame.top &&
           area_right(area) <= area_right(frame) &&
           area_bottom(area) <= area_bottom(frame);
}

/* Names side by side need more than a hair between them. */
static struct area with_air(struct area area)
{
    return (struct area){area.left - 1.5, area.top, area.width + 3, area.height};
}

/* The end of the leader: the nearest point of the name's box. */
static struct point nearest(struct area area, struct point at)
{
    return (struct point){fmax(area.left, fmin(at.x, area_right(area))),
                          fmax(area.top, fmin(at.y, area_bottom(area)))};
}

static bool crosses_text(const struct sheet *sheet, struct point from, struct point to)
{
    for (size_t i = 0; i < sheet->count; i++)
        if (sheet->items[i].kind == ITEM_TEXT &&
            area_crossed(sheet->items[i].area, from, to))
            return true;
    return false;
}

/* A name for which no place is free is left away: a point without name is better than
 * two names that nobody can read. */
static void draw_name(struct sheet *sheet, const struct frame *frame, struct tag tag,
                      struct str name, struct point at)
{
    struct style style = STYLE_VALUE;
    struct extent extent;
    struct area room = frame->plot;

    room.left += 1;
    room.width = sheet->width - SHEET_MARGIN - room.left;
    style.width_max = fmax(20, 0.4 * frame->plot.width);
    extent = sheet_measure(sheet, name, &style);
    for (size_t d = 0; d < ROWS_OF(distances); d++)
        for (size_t w = 0; w < ROWS_OF(directions); w++) {
            struct area area = try_place(extent, at, directions[w], distances[d]);
            if (!inside(area, room) || !sheet_is_free(sheet, with_air(area)) ||
                (d > 0 && crosses_text(sheet, at, nearest(area, at))))
                continue;
            if (d > 0)
                sheet_line(sheet, tag, at, nearest(area, at),
                           theme_rule(THEME_AXIS, 0.35));
            sheet_text(sheet, tag, name, &style, (struct point){area.left, area.top},
                       (struct grip){0, 0});
            return;
        }
}

static bool place_of(const struct frame *frame, const struct chart_series *series,
                     size_t i, struct point *at)
{
    const struct axis *x = &frame->across.axis, *y = &frame->up.axis;

    if (!isfinite(series->x[i]) || !isfinite(series->y[i]) ||
        (x->scale == CHART_LOG && series->x[i] <= 0) ||
        (y->scale == CHART_LOG && series->y[i] <= 0))
        return false;
    *at = (struct point){axis_at(x, series->x[i]), axis_at(y, series->y[i])};
    return true;
}

/* Of a hundred thousand points most fall onto others: one for each cell of half a point
 * is enough. True when the cell is new. */
static bool take_cell(const struct area plot, bool *taken, struct point at)
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

static void draw_dots(struct sheet *sheet, const struct frame *frame, size_t index)
{
    const struct chart_series *series = &sheet->chart->series[index];
    struct ink ink = {.fill = theme_colour(index), .stroke = THEME_WHITE, .line = 0.4};
    size_t columns = (size_t)(2 * frame->plot.width) + 2;
    size_t rows = (size_t)(2 * frame->plot.height) + 2;
    bool *taken = arena_array(sheet->arena, bool, columns *rows);
    struct point at;

    ink.fill.alpha = 0.85;
    for (size_t i = 0; i < series->count; i++) {
        if (place_of(frame, series, i, &at)) {
            if (take_cell(frame->plot, taken, at))
                sheet_dot(sheet, (struct tag){ROLE_MARK, index, i}, at, radius,
                          theme_shape(index), ink);
        } else if (frame_shows(sheet, &frame->across.axis, series->x[i]))
            (void)frame_shows(sheet, &frame->up.axis, series->y[i]);
    }
}

static void draw_names(struct sheet *sheet, const struct frame *frame, size_t index)
{
    const struct chart_series *series = &sheet->chart->series[index];
    struct point at;

    for (size_t i = 0; series->labels != NULL && i < series->count; i++)
        if (series->labels[i].len > 0 && place_of(frame, series, i, &at))
            draw_name(sheet, frame, (struct tag){ROLE_LABEL, index, i}, series->labels[i],
                      at);
}

void scatter_draw(struct sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    struct frame frame = {
        .across = {.title = chart->x_title,
                   .axis = {.scale = chart->x_scale, .number = chart->x_number}},
        .up = {.title = chart->y_title,
               .axis = {.scale = chart->y_scale, .number = chart->y_number}},
        .plot_height = fmin(0.65 * sheet->width, 260),
    };

    sheet_title(sheet);
    if (chart->series_count > 1)
        legend_draw(sheet, KEY_DOT);
    side_begin(&frame.across);
    side_begin(&frame.up);
    for (size_t i = 0; i < chart->series_count; i++) {
        side_include(&frame.across, chart->series[i].x, chart->series[i].count);
        side_include(&frame.up, chart->series[i].y, chart->series[i].count);
    }
    side_settle(&frame.across, false);
    side_settle(&frame.up, false);
    frame_draw(sheet, &frame);
    for (size_t i = 0; i < chart->series_count; i++)
        draw_dots(sheet, &frame, i);
    for (size_t i = 0; i < chart->series_count; i++)
        draw_names(sheet, &frame, i);
    sheet_finish(sheet, frame.bottom);
}
