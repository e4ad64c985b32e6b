/* A plot's surroundings: axes with ticks and names, titles, grid. The room that
 * texts need is measured first; the plot gets the rest. */
#include "chart/internal.h"

#include <math.h>

void chart_side_begin(struct chart_side *side)
{
    side->low = INFINITY;
    side->high = -INFINITY;
}

void chart_side_include(struct chart_side *side, const double *values, size_t count)
{
    for (size_t i = 0; values != NULL && i < count; i++) {
        if (!isfinite(values[i]) || (side->axis.scale == CHART_LOG && values[i] <= 0))
            continue;
        side->low = fmin(side->low, values[i]);
        side->high = fmax(side->high, values[i]);
    }
}

void chart_side_begin_x(struct chart_side *side, const struct chart *chart)
{
    chart_side_begin(side);
    for (size_t i = 0; i < chart->series_count; i++)
        chart_side_include(side, chart->series[i].x, chart->series[i].count);
}

void chart_side_begin_y(struct chart_side *side, const struct chart *chart)
{
    chart_side_begin(side);
    for (size_t i = 0; i < chart->series_count; i++) {
        chart_side_include(side, chart->series[i].y, chart->series[i].count);
        chart_side_include(side, chart->series[i].low, chart->series[i].count);
        chart_side_include(side, chart->series[i].high, chart->series[i].count);
    }
}

void chart_side_settle(struct chart_side *side, bool from_zero)
{
    bool log = side->axis.scale == CHART_LOG;

    if (side->low > side->high) {
        side->low = log ? 1 : 0;
        side->high = log ? 10 : 1;
    }
    if (log || side->axis.scale == CHART_YEARS)
        return;
    if (from_zero || (side->low > 0 && side->low < 0.6 * side->high))
        side->low = fmin(0, side->low);
    if (from_zero)
        side->high = fmax(0, side->high);
}

void chart_side_limit(struct chart_side *side, const struct chart *chart)
{
    if (!chart->limited)
        return;
    side->low = chart->limit_low;
    side->high = chart->limit_high;
    side->axis.limited = side->axis.tight = true;
}

/* Names of series with their colours, in rows below the title. */

static void draw_key(struct chart_sheet *sheet, size_t series, enum chart_key key,
                     struct chart_point at)
{
    const struct chart_tag tag = {CHART_ROLE_LEGEND, series, 0};

    if (key == CHART_KEY_LINE)
        chart_sheet_line(sheet, tag, (struct chart_point){at.x, at.y},
                         (struct chart_point){at.x + 12, at.y},
                         chart_theme_line(sheet->chart, series));
    else if (key == CHART_KEY_DOT)
        chart_sheet_dot(
            sheet, tag, (struct chart_point){at.x + 3.5, at.y}, 2.5,
            chart_theme_shape(series),
            (struct chart_ink){.fill = chart_theme_colour(sheet->chart, series)});
    else
        chart_sheet_box(sheet, tag, (struct chart_area){at.x, at.y - 3.5, 7, 7},
                        chart_theme_fill(sheet->chart, series));
}

void chart_legend_draw(struct chart_sheet *sheet, enum chart_key key)
{
    const struct chart *chart = sheet->chart;
    const double indent = key == CHART_KEY_LINE ? 15 : 10, gap = 10;
    struct chart_style style = STYLE_TICK;
    double x = CHART_SHEET_MARGIN, end = sheet->width - CHART_SHEET_MARGIN, row = 0;

    if (chart->series_count < 2)
        return;
    style.width_max = chart_sheet_inner(sheet) - indent;
    for (size_t i = 0; i < chart->series_count; i++) {
        struct chart_extent extent =
            chart_sheet_measure(sheet, chart->series[i].name, &style);
        if (x > CHART_SHEET_MARGIN && x + indent + extent.width > end) {
            x = CHART_SHEET_MARGIN;
            sheet->top += row + 1;
            row = 0;
        }
        row = fmax(row, extent.height);
        draw_key(sheet, i, key, (struct chart_point){x, sheet->top + extent.height / 2});
        chart_sheet_text(sheet, (struct chart_tag){CHART_ROLE_LEGEND, i, 0},
                         chart->series[i].name, &style,
                         (struct chart_point){x + indent, sheet->top},
                         (struct chart_grip){0, 0});
        x += indent + extent.width + gap;
    }
    sheet->top += row + CHART_SHEET_GAP;
}

static const double tick_length = 2.5, tick_gap = 2;
static const double title_gap = 3;
static const struct chart_tag axis_tag = {CHART_ROLE_AXIS, 0, 0};
static const struct chart_tag grid_tag = {CHART_ROLE_GRID, 0, 0};

static bool all_fit(struct chart_sheet *sheet, const struct str *names, size_t count,
                    const struct chart_style *style)
{
    for (size_t i = 0; i < count; i++)
        if (chart_sheet_measure(sheet, names[i], style).cut)
            return false;
    return true;
}

bool chart_frame_names_fit(struct chart_sheet *sheet, const struct str *names,
                           size_t count, double band, struct chart_style *how)
{
    static const double sizes[] = {7, 6};
    struct chart_style style = STYLE_TICK;

    style.width_max = band - 4;
    style.lines_max = 2;
    style.align = PANGO_ALIGN_CENTER;
    for (size_t i = 0; style.width_max >= 8 && i < ROWS_OF(sizes); i++) {
        style.size = sizes[i];
        if (!all_fit(sheet, names, count, &style))
            continue;
        if (how != NULL)
            *how = style;
        return true;
    }
    return false;
}

bool chart_frame_shows(struct chart_sheet *sheet, const struct chart_axis *axis,
                       double value)
{
    if (!isfinite(value))
        return false;
    if (axis->scale == CHART_LOG && value <= 0) {
        sheet->left_out++;
        return false;
    }
    if (!chart_axis_reaches(axis, value)) {
        sheet->beyond++;
        return false;
    }
    return true;
}

double chart_frame_band(const struct chart_frame *frame, bool up, size_t band)
{
    double middle = (double)band + 0.5;

    if (up)
        return frame->plot.top + middle * frame->plot.height / (double)frame->up.count;
    return frame->plot.left + middle * frame->plot.width / (double)frame->across.count;
}

void chart_frame_lay(struct chart_frame *frame, const struct chart_side *categories,
                     const struct chart_side *values)
{
    frame->across = frame->lying ? *values : *categories;
    frame->up = frame->lying ? *categories : *values;
}

double chart_frame_value(const struct chart_frame *frame, double value)
{
    return chart_axis_at(frame->lying ? &frame->across.axis : &frame->up.axis, value);
}

struct chart_point chart_frame_turned(const struct chart_frame *frame, double along,
                                      double across)
{
    return frame->lying ? (struct chart_point){along, across}
                        : (struct chart_point){across, along};
}

double chart_frame_band_width(const struct chart_frame *frame)
{
    return frame->lying ? frame->plot.height / (double)frame->up.count
                        : frame->plot.width / (double)frame->across.count;
}

void chart_frame_whisker(struct chart_sheet *sheet, const struct chart_frame *frame,
                         struct chart_tag tag, double low, double high, double centre)
{
    struct chart_ink ink = chart_theme_rule(THEME_TEXT, 0.7);
    double ends[] = {chart_frame_value(frame, low), chart_frame_value(frame, high)};

    if (!isfinite(low) || !isfinite(high))
        return;
    chart_sheet_line(sheet, tag, chart_frame_turned(frame, ends[0], centre),
                     chart_frame_turned(frame, ends[1], centre), ink);
    for (size_t i = 0; i < ROWS_OF(ends); i++)
        chart_sheet_line(sheet, tag, chart_frame_turned(frame, ends[i], centre - 1.5),
                         chart_frame_turned(frame, ends[i], centre + 1.5), ink);
}

/* Names at the left: long ones are wrapped, many are set smaller. */
static struct chart_style up_style(const struct chart_sheet *sheet,
                                   const struct chart_frame *frame)
{
    struct chart_style style = STYLE_TICK;

    if (frame->up.names != NULL) {
        style.size = frame->up.count > 45 ? 6 : 7;
        style.width_max = 0.4 * chart_sheet_inner(sheet);
        style.lines_max = 3;
        style.align = PANGO_ALIGN_RIGHT;
    }
    return style;
}

static struct str up_name(const struct chart_sheet *sheet, const struct chart_side *up,
                          size_t i)
{
    return up->names != NULL
               ? up->names[i]
               : chart_axis_name(&up->axis, up->axis.ticks[i], sheet->arena);
}

static size_t side_count(const struct chart_side *side)
{
    return side->names != NULL ? side->count : side->axis.tick_count;
}

/* The width of the names at the left; rows grow with the highest of them. */
static double measure_up(struct chart_sheet *sheet, struct chart_frame *frame,
                         double height)
{
    struct chart_style style = up_style(sheet, frame);
    double width = 0;

    if (frame->up.names == NULL) {
        size_t ticks_max = (size_t)fmax(3, fmin(8, height / 17));
        chart_axis_choose(&frame->up.axis, frame->up.low, frame->up.high, ticks_max,
                          sheet->arena);
    }
    for (size_t i = 0; i < side_count(&frame->up); i++) {
        struct chart_extent extent =
            chart_sheet_measure(sheet, up_name(sheet, &frame->up, i), &style);
        width = fmax(width, extent.width);
        frame->row_min = fmax(frame->row_min, extent.height + (extent.lines > 1 ? 3 : 1));
    }
    return width;
}

/* Whether the names of the ticks leave a gap between each other. */
static bool ticks_fit(struct chart_sheet *sheet, const struct chart_axis *axis)
{
    double free_from = -INFINITY;

    for (size_t i = 0; i < axis->tick_count; i++) {
        struct str name = chart_axis_name(axis, axis->ticks[i], sheet->arena);
        double half = chart_sheet_measure(sheet, name, &STYLE_TICK).width / 2;
        double at = chart_axis_at(axis, axis->ticks[i]);
        if (at - half < free_from)
            return false;
        free_from = at + half + 6;
    }
    return true;
}

/* Half the width of a tick's name, 0 without ticks. */
static double half_name(struct chart_sheet *sheet, const struct chart_axis *axis,
                        size_t tick)
{
    struct str name;

    if (axis->tick_count == 0)
        return 0;
    name = chart_axis_name(axis, axis->ticks[tick], sheet->arena);
    return chart_sheet_measure(sheet, name, &STYLE_TICK).width / 2;
}

/* As many ticks as have room; the first and the last name may stick out of the plot, but
 * not of the page. */
static void choose_across(struct chart_sheet *sheet, struct chart_frame *frame)
{
    struct chart_axis *axis = &frame->across.axis;
    double left = frame->plot.left, end = sheet->width - CHART_SHEET_MARGIN;

    for (size_t ticks_max = 9; ticks_max >= 3; ticks_max--) {
        chart_axis_choose(axis, frame->across.low, frame->across.high, ticks_max,
                          sheet->arena);
        frame->plot.left = fmax(left, CHART_SHEET_MARGIN + half_name(sheet, axis, 0));
        frame->plot.width =
            end - frame->plot.left -
            fmax(frame->right, half_name(sheet, axis, axis->tick_count - 1));
        axis->from = frame->plot.left;
        axis->to = chart_area_right(frame->plot);
        if (ticks_fit(sheet, axis))
            return;
    }
}

/* How names of bands stand below a plot: wrapped, or turned where that is too narrow;
 * and only every so many where even lines would overlap. */
struct across_names {
    struct chart_style style;
    size_t every;
    double height;
};

static struct across_names arrange_across(struct chart_sheet *sheet,
                                          const struct chart_frame *frame)
{
    struct across_names names = {.style = STYLE_TICK, .every = 1};
    double band = frame->plot.width / (double)frame->across.count;
    double line = 1.2 * STYLE_TICK.size;

    if (!chart_frame_names_fit(sheet, frame->across.names, frame->across.count, band,
                               &names.style)) {
        names.style.upright = true;
        names.style.width_max = 90;
        names.style.lines_max = (int)fmax(1, fmin(3, floor(band / line)));
        names.style.align = PANGO_ALIGN_RIGHT;
        names.every = (size_t)ceil(line / band);
    }
    for (size_t i = 0; i < frame->across.count; i += names.every)
        names.height =
            fmax(names.height,
                 chart_sheet_measure(sheet, frame->across.names[i], &names.style).height);
    return names;
}

static void draw_across_names(struct chart_sheet *sheet, const struct chart_frame *frame,
                              const struct across_names *names)
{
    const struct chart_grip grip = {0.5, 0};
    double top = chart_area_bottom(frame->plot) + tick_length + tick_gap;

    for (size_t i = 0; i < frame->across.count; i += names->every) {
        struct chart_point at = {chart_frame_band(frame, false, i), top};
        struct str name = frame->across.names[i];
        struct chart_area area =
            chart_sheet_held(chart_sheet_measure(sheet, name, &names->style), at, grip);
        /* A line of text is wider than the last of very narrow bands. */
        if (chart_area_right(area) <= sheet->width)
            chart_sheet_text(sheet, (struct chart_tag){CHART_ROLE_TICK, 0, i}, name,
                             &names->style, at, grip);
    }
}

static void draw_across_ticks(struct chart_sheet *sheet, const struct chart_frame *frame)
{
    const struct chart_axis *axis = &frame->across.axis;
    double bottom = chart_area_bottom(frame->plot), free_from = -INFINITY;

    for (size_t i = 0; i < axis->tick_count; i++) {
        struct str name = chart_axis_name(axis, axis->ticks[i], sheet->arena);
        double half = chart_sheet_measure(sheet, name, &STYLE_TICK).width / 2;
        double x = chart_axis_at(axis, axis->ticks[i]);
        if (!frame->across.no_grid)
            chart_sheet_line(sheet, grid_tag, (struct chart_point){x, frame->plot.top},
                             (struct chart_point){x, bottom},
                             chart_theme_rule(THEME_GRID, 0.5));
        chart_sheet_line(sheet, axis_tag, (struct chart_point){x, bottom},
                         (struct chart_point){x, bottom + tick_length},
                         chart_theme_rule(THEME_AXIS, 0.6));
        if (x - half < free_from) /* a very narrow plot: the tick stays without name */
            continue;
        free_from = x + half + 2;
        chart_sheet_text(sheet, (struct chart_tag){CHART_ROLE_TICK, 0, i}, name,
                         &STYLE_TICK,
                         (struct chart_point){x, bottom + tick_length + tick_gap},
                         (struct chart_grip){0.5, 0});
    }
}

static void draw_up(struct chart_sheet *sheet, const struct chart_frame *frame)
{
    struct chart_style style = up_style(sheet, frame);
    const struct chart_area plot = frame->plot;

    for (size_t i = 0; i < side_count(&frame->up); i++) {
        bool bands = frame->up.names != NULL;
        double y = bands ? chart_frame_band(frame, true, i)
                         : chart_axis_at(&frame->up.axis, frame->up.axis.ticks[i]);
        if (!bands && !frame->up.no_grid)
            chart_sheet_line(sheet, grid_tag, (struct chart_point){plot.left, y},
                             (struct chart_point){chart_area_right(plot), y},
                             chart_theme_rule(THEME_GRID, 0.5));
        chart_sheet_text(sheet, (struct chart_tag){CHART_ROLE_TICK, 1, i},
                         up_name(sheet, &frame->up, i), &style,
                         (struct chart_point){plot.left - CHART_SHEET_GAP, y},
                         (struct chart_grip){1, 0.5});
    }
}

static void draw_lines(struct chart_sheet *sheet, const struct chart_frame *frame)
{
    const struct chart_area plot = frame->plot;
    struct chart_point corner = {plot.left, chart_area_bottom(plot)};
    struct chart_ink ink = chart_theme_rule(THEME_AXIS, 0.6);

    if (frame->across.names != NULL && frame->up.names != NULL)
        return;
    /* Bars that hang below 0 bring a line of their own. */
    if (frame->across.names == NULL || frame->up.axis.low >= 0)
        chart_sheet_line(sheet, axis_tag, corner,
                         (struct chart_point){chart_area_right(plot), corner.y}, ink);
    if (frame->across.names == NULL)
        chart_sheet_line(sheet, axis_tag, (struct chart_point){plot.left, plot.top},
                         corner, ink);
}

static struct chart_style across_title_style(const struct chart_sheet *sheet)
{
    struct chart_style style = STYLE_AXIS;

    style.width_max = chart_sheet_inner(sheet);
    style.lines_max = 2;
    style.align = PANGO_ALIGN_CENTER;
    return style;
}

/* Below the middle of the plot, but never beyond the page. */
static void draw_across_title(struct chart_sheet *sheet, struct chart_frame *frame)
{
    struct chart_style style = across_title_style(sheet);
    double half = chart_sheet_measure(sheet, frame->across.title, &style).width / 2;
    double middle = frame->plot.left + frame->plot.width / 2;

    middle = fmax(CHART_SHEET_MARGIN + half,
                  fmin(middle, sheet->width - CHART_SHEET_MARGIN - half));
    chart_sheet_text(sheet, axis_tag, frame->across.title, &style,
                     (struct chart_point){middle, frame->bottom + title_gap},
                     (struct chart_grip){0.5, 0});
}

static double title_height(struct chart_sheet *sheet, struct str title,
                           const struct chart_style *style)
{
    struct chart_extent extent = {0};

    if (title.len > 0)
        extent = chart_sheet_measure(sheet, title, style);
    return title.len == 0 ? 0
                          : title_gap + (style->upright ? extent.width : extent.height);
}

/* The plot's height: what was asked for less what is around it, or the suitable one; and
 * never too little for the names at the left. */
static double plot_height(const struct chart_sheet *sheet,
                          const struct chart_frame *frame, double around)
{
    double height = frame->plot_height;
    double rows = (double)side_count(&frame->up);

    if (sheet->chart->height_cm > 0)
        height = sheet->chart->height_cm / 2.54 * 72 - around;
    return fmax(fmax(height, 40), rows * frame->row_min);
}

/* The room that the names at the left and the title beside them take. */
struct margin {
    struct chart_style title;
    double title_width, names_width;
};

/* What stands at the left depends on the height and the other way round: the width is
 * found for an estimate of the height, which is then as good as any. */
static struct margin measure_margin(struct chart_sheet *sheet, struct chart_frame *frame)
{
    struct margin margin = {.title = STYLE_AXIS};
    double around =
        3.5 * STYLE_TICK.size + sheet->top + frame->above + frame->below + frame->foot;

    margin.title.upright = true;
    margin.title.width_max = plot_height(sheet, frame, around);
    margin.title.lines_max = 2;
    margin.title.align = PANGO_ALIGN_CENTER;
    margin.title.lines_max =
        chart_sheet_measure(sheet, frame->up.title, &margin.title).lines;
    margin.title_width = title_height(sheet, frame->up.title, &margin.title);
    margin.names_width =
        measure_up(sheet, frame, margin.title.width_max) + CHART_SHEET_GAP;
    return margin;
}

/* The plot may have become lower than the estimate: then the title is cut rather than
 * getting another line, for which there is no room. */
static void draw_up_title(struct chart_sheet *sheet, const struct chart_frame *frame,
                          struct margin *margin)
{
    margin->title.width_max = fmin(margin->title.width_max, frame->plot.height);
    chart_sheet_text(
        sheet, axis_tag, frame->up.title, &margin->title,
        (struct chart_point){frame->plot.left - margin->names_width - margin->title_width,
                             frame->plot.top + frame->plot.height / 2},
        (struct chart_grip){0, 0.5});
}

void chart_frame_draw(struct chart_sheet *sheet, struct chart_frame *frame)
{
    struct chart_style across_title = across_title_style(sheet);
    struct across_names names = {.height = 1.15 * STYLE_TICK.size};
    struct margin margin = measure_margin(sheet, frame);
    double across_height, title = title_height(sheet, frame->across.title, &across_title);

    frame->plot.left = fmax(frame->left_min,
                            CHART_SHEET_MARGIN + margin.title_width + margin.names_width);
    frame->plot.top = sheet->top + frame->above + STYLE_TICK.size / 2;
    frame->plot.width =
        sheet->width - CHART_SHEET_MARGIN - frame->right - frame->plot.left;
    if (frame->across.names == NULL)
        choose_across(sheet, frame);
    else
        names = arrange_across(sheet, frame);
    across_height = tick_length + tick_gap + names.height;
    frame->plot.height = plot_height(sheet, frame,
                                     frame->plot.top + across_height + frame->below +
                                         frame->foot + title + CHART_SHEET_MARGIN);
    frame->up.axis.from = chart_area_bottom(frame->plot);
    frame->up.axis.to = frame->plot.top;
    draw_up(sheet, frame);
    if (frame->across.names == NULL)
        draw_across_ticks(sheet, frame);
    else
        draw_across_names(sheet, frame, &names);
    draw_lines(sheet, frame);
    draw_up_title(sheet, frame, &margin);
    frame->below_top = chart_area_bottom(frame->plot) + across_height;
    frame->bottom = frame->below_top + frame->below;
    draw_across_title(sheet, frame);
    frame->bottom += title;
}
