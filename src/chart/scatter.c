/* Points with names that overlap neither each other nor points. */
#include <math.h>
#include <string.h>

#include "chart/internal.h"

static const double radius = 2.2;

enum { UNNAMED_MAX = 12, ROUNDS_MAX = 12 }; /* points in a note; tries to place names */

/* Where a name may stand: beside its point, by preference; else, with a leader, in a
 * column beside it, where the names of points that lie together stand above each other,
 * and then farther away. */
static const struct chart_grip directions[] = {
    {1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1},
};
static const double distances[] = {3.9, 9, 16, 25, 36, 50};

enum { COLUMN_LINES = 7, COLUMN_PLACES = 4 * COLUMN_LINES };

/* A line of the columns: right and left of the point, above and below. */
static struct chart_area column_place(struct chart_extent extent, struct chart_point at,
                                      size_t place, double distance)
{
    double side = place % 2 == 0 ? 1 : -1, up = place % 4 < 2 ? -1 : 1;

    at.x += side * distance;
    at.y += up * (double)(place / 4) * extent.height;
    return chart_sheet_held(extent, at, (struct chart_grip){(1 - side) / 2, 0.5});
}

static struct chart_area try_place(struct chart_extent extent, struct chart_point at,
                                   size_t place, double distance)
{
    bool in_column = distance > distances[0] && place < COLUMN_PLACES;

    if (in_column)
        return column_place(extent, at, place, distance);
    struct chart_grip way = directions[place % ROWS_OF(directions)];
    double shorter = way.x != 0 && way.y != 0 ? sqrt(0.5) : 1;
    at.x += way.x * shorter * distance;
    at.y += way.y * shorter * distance;
    return chart_sheet_held(extent, at,
                            (struct chart_grip){(1 - way.x) / 2, (1 - way.y) / 2});
}

/* At an edge of the plot a name moves inwards. */
static struct chart_area pushed_inside(struct chart_area area, struct chart_area frame)
{
    area.left = fmin(area.left, chart_area_right(frame) - area.width);
    area.left = fmax(area.left, frame.left);
    area.top = fmin(area.top, chart_area_bottom(frame) - area.height);
    area.top = fmax(area.top, frame.top);
    return area;
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

/* On which side of the line through from and to the point is. */
static double turn(struct chart_point from, struct chart_point to, struct chart_point at)
{
    return (to.x - from.x) * (at.y - from.y) - (to.y - from.y) * (at.x - from.x);
}

static bool cross(const struct chart_point *a, struct chart_point from,
                  struct chart_point to)
{
    return turn(a[0], a[1], from) * turn(a[0], a[1], to) < 0 &&
           turn(from, to, a[0]) * turn(from, to, a[1]) < 0;
}

/* A leader through a name or another leader would lead astray. */
static bool is_crossed(const struct chart_sheet *sheet, struct chart_point from,
                       struct chart_point to)
{
    for (size_t i = 0; i < sheet->count; i++) {
        const struct chart_item *item = &sheet->items[i];
        if ((item->kind == CHART_ITEM_TEXT && chart_area_crossed(item->area, from, to)) ||
            (item->kind == CHART_ITEM_PATH && item->tag.role == CHART_ROLE_LABEL &&
             cross(item->points, from, to)))
            return true;
    }
    return false;
}

/* From where both axes are 0 to where both are 1. */
static void find_diagonal(const struct chart_frame *frame, struct chart_point ends[2])
{
    for (int i = 0; i < 2; i++)
        ends[i] = (struct chart_point){chart_axis_at(&frame->across.axis, i),
                                       chart_axis_at(&frame->up.axis, i)};
}

static void draw_diagonal(struct chart_sheet *sheet, const struct chart_frame *frame)
{
    struct chart_ink ink = chart_theme_rule(THEME_AXIS, 0.6);
    struct chart_point ends[2];

    find_diagonal(frame, ends);
    ink.dash = CHART_DASH_LONG;
    chart_sheet_line(sheet, (struct chart_tag){CHART_ROLE_GRID, 0, 0}, ends[0], ends[1],
                     ink);
}

/* No name stands on that line, which has no room of its own. */
static bool is_on_diagonal(const struct chart_sheet *sheet,
                           const struct chart_frame *frame, struct chart_area area)
{
    struct chart_point ends[2];

    if (!sheet->chart->equal)
        return false;
    find_diagonal(frame, ends);
    return chart_area_crossed(area, ends[0], ends[1]);
}

/* A point with a name; `lost`: there was no room for it. */
struct scatter_name {
    struct chart_tag tag;
    struct str name;
    struct chart_point at;
    bool lost;
};

/* A name for which no place is free is left away: a point without name is better than
 * two names that nobody can read. False then. */
static bool draw_name(struct chart_sheet *sheet, const struct chart_frame *frame,
                      const struct scatter_name *name)
{
    struct chart_style style = STYLE_VALUE;
    struct chart_extent extent;
    struct chart_area room = frame->plot;

    room.left += 1;
    room.width = sheet->width - CHART_SHEET_MARGIN - room.left;
    style.width_max = fmax(20, 0.4 * frame->plot.width);
    extent = chart_sheet_measure(sheet, name->name, &style);
    for (size_t d = 0; d < ROWS_OF(distances); d++)
        for (size_t p = 0; p < ROWS_OF(directions) + (d > 0 ? COLUMN_PLACES : 0); p++) {
            struct chart_area area =
                pushed_inside(try_place(extent, name->at, p, distances[d]), room);
            if (!chart_sheet_is_free(sheet, with_air(area)) ||
                is_on_diagonal(sheet, frame, area) ||
                (d > 0 && is_crossed(sheet, name->at, nearest(area, name->at))))
                continue;
            if (d > 0)
                chart_sheet_line(sheet, name->tag, name->at, nearest(area, name->at),
                                 chart_theme_rule(THEME_AXIS, 0.35));
            chart_sheet_text(sheet, name->tag, name->name, &style,
                             (struct chart_point){area.left, area.top},
                             (struct chart_grip){0, 0});
            return true;
        }
    return false;
}

static bool place_of(const struct chart_frame *frame, const struct chart_series *series,
                     size_t i, struct chart_point *at)
{
    const struct chart_axis *x = &frame->across.axis, *y = &frame->up.axis;

    if (!isfinite(series->x[i]) || !isfinite(series->y[i]) ||
        (x->scale == CHART_LOG && series->x[i] <= 0) ||
        (y->scale == CHART_LOG && series->y[i] <= 0) ||
        !chart_axis_reaches(y, series->y[i]))
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
    struct chart_ink ink = {.fill = chart_theme_colour(sheet->chart, index),
                            .stroke = CHART_THEME_WHITE,
                            .line = 0.4};
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

static size_t find_names(struct chart_sheet *sheet, const struct chart_frame *frame,
                         struct scatter_name **out)
{
    const struct chart *chart = sheet->chart;
    size_t room = 1, count = 0;

    for (size_t s = 0; s < chart->series_count; s++)
        room += chart->series[s].count;
    *out = arena_array(sheet->arena, struct scatter_name, room);
    for (size_t s = 0; s < chart->series_count; s++) {
        const struct chart_series *series = &chart->series[s];
        for (size_t i = 0; series->labels != NULL && i < series->count; i++) {
            struct scatter_name name = {.tag = {CHART_ROLE_LABEL, s, i},
                                        .name = series->labels[i]};
            if (name.name.len > 0 && place_of(frame, series, i, &name.at))
                (*out)[count++] = name;
        }
    }
    return count;
}

static size_t try_names(struct chart_sheet *sheet, const struct chart_frame *frame,
                        struct scatter_name *names, size_t count)
{
    size_t lost = 0;

    for (size_t i = 0; i < count; i++) {
        names[i].lost = !draw_name(sheet, frame, &names[i]);
        lost += names[i].lost;
    }
    return lost;
}

/* Those that were lost come first, each part in the order that it had. */
static void move_lost(struct scatter_name *names, size_t count)
{
    for (size_t i = 0, end = 0; i < count; i++)
        if (names[i].lost) {
            struct scatter_name name = names[i];
            memmove(names + end + 1, names + end, (i - end) * sizeof *names);
            names[end++] = name;
        }
}

/* Who comes first takes the best place, so those that found none come first in the next
 * round; the best round is kept. */
static size_t draw_names(struct chart_sheet *sheet, const struct chart_frame *frame,
                         struct scatter_name *names, size_t count)
{
    struct scatter_name *best = arena_array(sheet->arena, struct scatter_name, count + 1);
    size_t before = sheet->count, fewest = count + 1, lost = count;

    for (int round = 0; round < ROUNDS_MAX && lost > 0; round++) {
        sheet->count = before;
        move_lost(names, count);
        lost = try_names(sheet, frame, names, count);
        if (lost < fewest)
            memcpy(best, names, count * sizeof *names);
        fewest = lost < fewest ? lost : fewest;
    }
    if (lost == 0 || count == 0)
        return 0;
    sheet->count = before;
    memcpy(names, best, count * sizeof *names);
    return try_names(sheet, frame, names, count);
}

/* The names, and a note about those for which there is no room; where that ends. */
static double add_names(struct chart_sheet *sheet, const struct chart_frame *frame)
{
    struct scatter_name *names;
    size_t count = find_names(sheet, frame, &names), listed = 0;
    size_t lost = draw_names(sheet, frame, names, count);
    struct buf text = {0};
    double bottom = frame->bottom;

    for (size_t i = 0; i < count && listed < UNNAMED_MAX; i++)
        if (names[i].lost)
            buf_add_format(&text, "%s%.*s", listed++ > 0 ? ", " : "",
                           STR_ARG(names[i].name));
    if (lost > listed)
        buf_add_format(&text, " and %zu more", lost - listed);
    if (lost > 0)
        bottom = chart_sheet_note(
            sheet,
            arena_format(sheet->arena, "No room for the name%s of: %.*s.",
                         lost == 1 ? "" : "s", STR_ARG(buf_str(&text))),
            bottom);
    buf_free(&text);
    return bottom;
}

/* Both sides from 0 to 1, whatever the points. */
static void make_equal(struct chart_frame *frame)
{
    frame->across.low = frame->up.low = 0;
    frame->across.high = frame->up.high = 1;
    frame->across.axis.tight = frame->up.axis.tight = true;
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
    chart_legend_draw(sheet, CHART_KEY_DOT);
    chart_side_begin_x(&frame.across, chart);
    chart_side_begin_y(&frame.up, chart);
    chart_side_settle(&frame.across, false);
    chart_side_settle(&frame.up, false);
    chart_side_limit(&frame.up, chart);
    if (chart->equal)
        make_equal(&frame);
    chart_frame_draw(sheet, &frame);
    if (chart->equal)
        draw_diagonal(sheet, &frame);
    for (size_t i = 0; i < chart->series_count; i++)
        draw_dots(sheet, &frame, i);
    chart_sheet_finish(sheet, add_names(sheet, &frame));
}
