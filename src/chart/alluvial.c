/* Alluvial diagram: how much of each kind at the left goes to each kind at the right. */
#include <math.h>

#include "chart/internal.h"

enum { EDGE_POINTS = 32 }; /* of a ribbon's edge */

static const double bar_width = 7, bar_gap = 4, leader = 9, name_gap = 2;

/* One of the two columns of bars. */
struct alluvial_column {
    size_t count;
    struct str *names; /* with their shares */
    double *sums;
    double *tops; /* of the bars */
    double x;     /* left edge of the bars */
};

struct alluvial {
    struct chart_sheet *sheet;
    struct alluvial_column left, right;
    double all, top, height, scale;
};

static double flow(const struct alluvial *alluvial, size_t from, size_t to)
{
    double value = alluvial->sheet->chart->series[from].y[to];

    return isfinite(value) ? value : 0;
}

/* The share comes first: what is too long loses its end. */
static struct str named(struct str name, double share, struct arena *arena)
{
    struct str percent = chart_number_percent(share, arena);

    return arena_format(arena, "%.*s %.*s", STR_ARG(percent), STR_ARG(name));
}

static struct alluvial_column column_of(struct arena *arena, size_t count)
{
    return (struct alluvial_column){
        .count = count,
        .names = arena_array(arena, struct str, count),
        .sums = arena_array(arena, double, count),
        .tops = arena_array(arena, double, count),
    };
}

static void find_sums(struct alluvial *alluvial)
{
    const struct chart *chart = alluvial->sheet->chart;
    struct arena *arena = alluvial->sheet->arena;
    double all = 0;

    alluvial->left = column_of(arena, chart->series_count);
    alluvial->right = column_of(arena, chart->category_count);
    for (size_t l = 0; l < chart->series_count; l++)
        for (size_t r = 0; r < chart->category_count; r++) {
            alluvial->left.sums[l] += flow(alluvial, l, r);
            alluvial->right.sums[r] += flow(alluvial, l, r);
            all += flow(alluvial, l, r);
        }
    alluvial->all = all > 0 ? all : 1;
    for (size_t l = 0; l < chart->series_count; l++)
        alluvial->left.names[l] =
            named(chart->series[l].name, alluvial->left.sums[l] / alluvial->all, arena);
    for (size_t r = 0; r < chart->category_count; r++)
        alluvial->right.names[r] =
            named(chart->categories[r], alluvial->right.sums[r] / alluvial->all, arena);
}

static struct chart_style name_style(const struct alluvial *alluvial)
{
    struct chart_style style = STYLE_TICK;

    style.width_max = 0.29 * chart_sheet_inner(alluvial->sheet);
    style.lines_max = 3;
    return style;
}

/* The height that all names of a column need; *width grows to that of the widest. */
static double names_height(struct alluvial *alluvial,
                           const struct alluvial_column *column, double *width)
{
    struct chart_style style = name_style(alluvial);
    double height = 0;

    for (size_t i = 0; i < column->count; i++) {
        struct chart_extent extent =
            chart_sheet_measure(alluvial->sheet, column->names[i], &style);
        height += extent.height + name_gap;
        *width = fmax(*width, extent.width);
    }
    return height;
}

static void place_bars(const struct alluvial *alluvial, struct alluvial_column *column)
{
    double gaps = bar_gap * (double)(column->count - 1);
    double y =
        alluvial->top + (alluvial->height - gaps - alluvial->scale * alluvial->all) / 2;

    for (size_t i = 0; i < column->count; i++) {
        column->tops[i] = y;
        y += alluvial->scale * column->sums[i] + bar_gap;
    }
}

static void place(struct alluvial *alluvial)
{
    struct chart_sheet *sheet = alluvial->sheet;
    double left_width = 0, right_width = 0, gaps, height;
    size_t most = alluvial->left.count > alluvial->right.count ? alluvial->left.count
                                                               : alluvial->right.count;

    height = fmax(names_height(alluvial, &alluvial->left, &left_width),
                  names_height(alluvial, &alluvial->right, &right_width));
    gaps = bar_gap * (double)(most - 1);
    alluvial->height = fmax(fmin(0.7 * sheet->width, 260), gaps + 60);
    if (sheet->chart->height_cm > 0)
        alluvial->height =
            sheet->chart->height_cm / 2.54 * 72 - alluvial->top - CHART_SHEET_MARGIN;
    alluvial->height = fmax(fmax(alluvial->height, height), gaps + 40);
    alluvial->scale = (alluvial->height - gaps) / alluvial->all;
    alluvial->left.x = CHART_SHEET_MARGIN + left_width + leader;
    alluvial->right.x =
        sheet->width - CHART_SHEET_MARGIN - right_width - leader - bar_width;
    place_bars(alluvial, &alluvial->left);
    place_bars(alluvial, &alluvial->right);
}

/* A smooth step from 0 to 1 with level ends. */
static double ease(double t)
{
    return t * t * (3 - 2 * t);
}

static void draw_ribbon(const struct alluvial *alluvial, struct chart_tag tag,
                        double from, double to, double height)
{
    struct chart_point *points = chart_sheet_points(alluvial->sheet, 2 * EDGE_POINTS);
    double start = alluvial->left.x + bar_width, end = alluvial->right.x;
    struct chart_ink ink = chart_theme_fill(alluvial->sheet->chart, tag.series);

    ink.fill.alpha = 0.42;
    ink.pattern = CHART_PATTERN_NONE;
    for (int i = 0; i < EDGE_POINTS; i++) {
        double t = (double)i / (EDGE_POINTS - 1), y = from + ease(t) * (to - from);
        double x = start + t * (end - start);
        points[i] = (struct chart_point){x, y};
        points[2 * EDGE_POINTS - 1 - i] = (struct chart_point){x, y + height};
    }
    chart_sheet_path(alluvial->sheet, tag, points, 2 * EDGE_POINTS, true, ink);
}

static void draw_ribbons(const struct alluvial *alluvial)
{
    const struct chart *chart = alluvial->sheet->chart;
    double *next = arena_array(alluvial->sheet->arena, double, chart->category_count);

    for (size_t r = 0; r < chart->category_count; r++)
        next[r] = alluvial->right.tops[r];
    for (size_t l = 0; l < chart->series_count; l++) {
        double from = alluvial->left.tops[l];
        for (size_t r = 0; r < chart->category_count; r++) {
            double height = alluvial->scale * flow(alluvial, l, r);
            if (height > 0)
                draw_ribbon(alluvial, (struct chart_tag){CHART_ROLE_MARK, l, r}, from,
                            next[r], height);
            from += height;
            next[r] += height;
        }
    }
}

/* Names stand beside their bars, moved apart where bars are thinner than names. */
static void draw_names(const struct alluvial *alluvial,
                       const struct alluvial_column *column, bool at_left)
{
    struct chart_sheet *sheet = alluvial->sheet;
    struct chart_style style = name_style(alluvial);
    double *centres = arena_array(sheet->arena, double, column->count);
    double *heights = arena_array(sheet->arena, double, column->count);
    double bar_x = at_left ? column->x : column->x + bar_width;
    double name_x = at_left ? bar_x - leader : bar_x + leader;

    style.align = at_left ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT;
    for (size_t i = 0; i < column->count; i++) {
        centres[i] = column->tops[i] + alluvial->scale * column->sums[i] / 2;
        heights[i] =
            chart_sheet_measure(sheet, column->names[i], &style).height + name_gap;
    }
    chart_sheet_spread(centres, heights, column->count, alluvial->top,
                       alluvial->top + alluvial->height, sheet->arena);
    for (size_t i = 0; i < column->count; i++) {
        double middle = column->tops[i] + alluvial->scale * column->sums[i] / 2;
        double step = at_left ? -1 : 1;
        chart_sheet_text(sheet, (struct chart_tag){CHART_ROLE_LABEL, at_left ? 0 : 1, i},
                         column->names[i], &style,
                         (struct chart_point){name_x, centres[i]},
                         (struct chart_grip){at_left ? 1 : 0, 0.5});
        chart_sheet_line(sheet, (struct chart_tag){CHART_ROLE_GRID, 0, i},
                         (struct chart_point){bar_x + step, middle},
                         (struct chart_point){name_x - step, centres[i]},
                         chart_theme_rule(THEME_AXIS, 0.4));
    }
}

static void draw_bars(const struct alluvial *alluvial,
                      const struct alluvial_column *column, bool at_left)
{
    for (size_t i = 0; i < column->count; i++) {
        struct chart_ink ink = chart_theme_fill(alluvial->sheet->chart, i);
        if (!at_left)
            ink = (struct chart_ink){.fill = THEME_AXIS};
        chart_sheet_box(alluvial->sheet,
                        (struct chart_tag){CHART_ROLE_INTERVAL, at_left ? 0 : 1, i},
                        (struct chart_area){column->x, column->tops[i], bar_width,
                                            alluvial->scale * column->sums[i]},
                        ink);
    }
}

static void draw_heads(struct alluvial *alluvial)
{
    struct chart_sheet *sheet = alluvial->sheet;
    struct chart_style style = STYLE_AXIS;
    struct chart_tag tag = {CHART_ROLE_AXIS, 0, 0};
    struct chart_point left = {CHART_SHEET_MARGIN, sheet->top};
    struct chart_point right = {sheet->width - CHART_SHEET_MARGIN, sheet->top};
    struct chart_area from, to;

    style.bold = true;
    style.width_max = 0.48 * chart_sheet_inner(sheet);
    from = chart_sheet_text(sheet, tag, sheet->chart->y_title, &style, left,
                            (struct chart_grip){0, 0});
    to = chart_sheet_text(sheet, tag, sheet->chart->x_title, &style, right,
                          (struct chart_grip){1, 0});
    if (from.height > 0 || to.height > 0)
        sheet->top += fmax(from.height, to.height) + CHART_SHEET_GAP;
    alluvial->top = sheet->top;
}

void chart_alluvial_draw(struct chart_sheet *sheet)
{
    struct alluvial alluvial = {.sheet = sheet};

    chart_sheet_title(sheet);
    draw_heads(&alluvial);
    find_sums(&alluvial);
    place(&alluvial);
    draw_ribbons(&alluvial);
    draw_bars(&alluvial, &alluvial.left, true);
    draw_bars(&alluvial, &alluvial.right, false);
    draw_names(&alluvial, &alluvial.left, true);
    draw_names(&alluvial, &alluvial.right, false);
    chart_sheet_finish(sheet, alluvial.top + alluvial.height);
}
