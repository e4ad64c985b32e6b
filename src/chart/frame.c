/* A plot's surroundings: axes with ticks and names, titles, grid. The room that
 * texts need is measured first; the plot gets the rest. */
#include "chart/internal.h"

#include <math.h>

void side_begin(struct side *side)
{
    side->low = INFINITY;
    side->high = -INFINITY;
}

void side_include(struct side *side, const double *values, size_t count)
{
    for (size_t i = 0; values != NULL && i < count; i++) {
        if (!isfinite(values[i]) || (side->axis.scale == CHART_LOG && values[i] <= 0))
            continue;
        side->low = fmin(side->low, values[i]);
        side->high = fmax(side->high, values[i]);
    }
}

void side_settle(struct side *side, bool from_zero)
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

/* Names of series with their colours, in rows below the title. */

static void draw_key(struct sheet *sheet, size_t series, enum key key, struct point at)
{
    const struct tag tag = {ROLE_LEGEND, series, 0};
    bool patterns = sheet->chart->patterns;

    if (key == KEY_LINE)
        sheet_line(sheet, tag, (struct point){at.x, at.y},
                   (struct point){at.x + 12, at.y}, theme_line(series, patterns));
    else if (key == KEY_DOT)
        sheet_dot(sheet, tag, (struct point){at.x + 3.5, at.y}, 2.5, theme_shape(series),
                  (struct ink){.fill = theme_colour(series)});
    else
        sheet_box(sheet, tag, (struct area){at.x, at.y - 3.5, 7, 7},
                  theme_fill(series, patterns));
}

void legend_draw(struct sheet *sheet, enum key key)
{
    const struct chart *chart = sheet->chart;
    const double indent = key == KEY_LINE ? 15 : 10, gap = 10;
    struct style style = STYLE_TICK;
    double x = SHEET_MARGIN, end = sheet->width - SHEET_MARGIN, row = 0;

    style.width_max = sheet_inner(sheet) - indent;
    for (size_t i = 0; i < chart->series_count; i++) {
        struct extent extent = sheet_measure(sheet, chart->series[i].name, &style);
        if (x > SHEET_MARGIN && x + indent + extent.width > end) {
            x = SHEET_MARGIN;
            sheet->top += row + 1;
            row = 0;
        }
        row = fmax(row, extent.height);
        draw_key(sheet, i, key, (struct point){x, sheet->top + extent.height / 2});
        sheet_text(sheet, (struct tag){ROLE_LEGEND, i, 0}, chart->series[i].name, &style,
                   (struct point){x + indent, sheet->top}, (struct grip){0, 0});
        x += indent + extent.width + gap;
    }
    sheet->top += row + SHEET_GAP;
}

static const double tick_length = 2.5, tick_gap = 2;
static const double title_gap = 3;
static const struct tag axis_tag = {ROLE_AXIS, 0, 0};
static const struct tag grid_tag = {ROLE_GRID, 0, 0};

static bool all_fit(struct sheet *sheet, const struct str *names, size_t count,
                    const struct style *style)
{
    for (size_t i = 0; i < count; i++)
        if (sheet_measure(sheet, names[i], style).cut)
            return false;
    return true;
}

bool frame_names_fit(struct sheet *sheet, const struct str *names, size_t count,
                     double band, struct style *how)
{
    static const double sizes[] = {7, 6};
    struct style style = STYLE_TICK;

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

bool frame_shows(struct sheet *sheet, const struct axis *axis, double value)
{
    if (!isfinite(value))
        return false;
    if (axis->scale != CHART_LOG || value > 0)
        return true;
    sheet->left_out++;
    return false;
}

double frame_band(const struct frame *frame, bool up, size_t band)
{
    double middle = (double)band + 0.5;

    if (up)
        return frame->plot.top + middle * frame->plot.height / (double)frame->up.count;
    return frame->plot.left + middle * frame->plot.width / (double)frame->across.count;
}

void frame_lay(struct frame *frame, const struct side *categories,
               const struct side *values)
{
    frame->across = frame->lying ? *values : *categories;
    frame->up = frame->lying ? *categories : *values;
}

double frame_value(const struct frame *frame, double value)
{
    return axis_at(frame->lying ? &frame->across.axis : &frame->up.axis, value);
}

struct point frame_turned(const struct frame *frame, double along, double across)
{
    return frame->lying ? (struct point){along, across} : (struct point){across, along};
}

double frame_band_width(const struct frame *frame)
{
    return frame->lying ? frame->plot.height / (double)frame->up.count
                        : frame->plot.width / (double)frame->across.count;
}

void frame_whisker(struct sheet *sheet, const struct frame *frame, struct tag tag,
                   double low, double high, double centre)
{
    struct ink ink = theme_rule(THEME_TEXT, 0.7);
    double ends[] = {frame_value(frame, low), frame_value(frame, high)};

    if (!isfinite(low) || !isfinite(high))
        return;
    sheet_line(sheet, tag, frame_turned(frame, ends[0], centre),
               frame_turned(frame, ends[1], centre), ink);
    for (size_t i = 0; i < ROWS_OF(ends); i++)
        sheet_line(sheet, tag, frame_turned(frame, ends[i], centre - 1.5),
                   frame_turned(frame, ends[i], centre + 1.5), ink);
}

/* Names at the left: long ones are wrapped, many are set smaller. */
static struct style up_style(const struct sheet *sheet, const struct frame *frame)
{
    struct style style = STYLE_TICK;

    if (frame->up.names != NULL) {
        style.size = frame->up.count > 45 ? 6 : 7;
        style.width_max = 0.4 * sheet_inner(sheet);
        style.lines_max = 3;
        style.align = PANGO_ALIGN_RIGHT;
    }
    return style;
}

static struct str up_name(const struct sheet *sheet, const struct side *up, size_t i)
{
    return up->names != NULL ? up->names[i]
                             : axis_name(&up->axis, up->axis.ticks[i], sheet->arena);
}

static size_t side_count(const struct side *side)
{
    return side->names != NULL ? side->count : side->axis.tick_count;
}

/* The width of the names at the left; rows grow with the highest of them. */
static double measure_up(struct sheet *sheet, struct frame *frame, double height)
{
    struct style style = up_style(sheet, frame);
    double width = 0;

    if (frame->up.names == NULL) {
        size_t ticks_max = (size_t)fmax(3, fmin(8, height / 17));
        axis_choose(&frame->up.axis, frame->up.low, frame->up.high, ticks_max,
                    sheet->arena);
    }
    for (size_t i = 0; i < side_count(&frame->up); i++) {
        struct extent extent =
            sheet_measure(sheet, up_name(sheet, &frame->up, i), &style);
        width = fmax(width, extent.width);
        frame->row_min = fmax(frame->row_min, extent.height + (extent.lines > 1 ? 3 : 1));
    }
    return width;
}

/* Whether the names of the ticks leave a gap between each other. */
static bool ticks_fit(struct sheet *sheet, const struct axis *axis)
{
    double free_from = -INFINITY;

    for (size_t i = 0; i < axis->tick_count; i++) {
        struct str name = axis_name(axis, axis->ticks[i], sheet->arena);
        double half = sheet_measure(sheet, name, &STYLE_TICK).width / 2;
        double at = axis_at(axis, axis->ticks[i]);
        if (at - half < free_from)
            return false;
        free_from = at + half + 6;
    }
    return true;
}

/* Half the width of a tick's name, 0 without ticks. */
static double half_name(struct sheet *sheet, const struct axis *axis, size_t tick)
{
    struct str name;

    if (axis->tick_count == 0)
        return 0;
    name = axis_name(axis, axis->ticks[tick], sheet->arena);
    return sheet_measure(sheet, name, &STYLE_TICK).width / 2;
}

/* As many ticks as have room; the first and the last name may stick out of the plot, but
 * not of the page. */
static void choose_across(struct sheet *sheet, struct frame *frame)
{
    struct axis *axis = &frame->across.axis;
    double left = frame->plot.left, end = sheet->width - SHEET_MARGIN;

    for (size_t ticks_max = 9; ticks_max >= 3; ticks_max--) {
        axis_choose(axis, frame->across.low, frame->across.high, ticks_max, sheet->arena);
        frame->plot.left = fmax(left, SHEET_MARGIN + half_name(sheet, axis, 0));
        frame->plot.width =
            end - frame->plot.left -
            fmax(frame->right, half_name(sheet, axis, axis->tick_count - 1));
        axis->from = frame->plot.left;
        axis->to = area_right(frame->plot);
        if (ticks_fit(sheet, axis))
            return;
    }
}

/* How names of bands stand below a plot: wrapped, or turned where that is too narrow;
 * and only every so many where even lines would overlap. */
struct across_names {
    struct style style;
    size_t every;
    double height;
};

static struct across_names arrange_across(struct sheet *sheet, const struct frame *frame)
{
    struct across_names names = {.style = STYLE_TICK, .every = 1};
    double band = frame->plot.width / (double)frame->across.count;
    double line = 1.2 * STYLE_TICK.size;

    if (!frame_names_fit(sheet, frame->across.names, frame->across.count, band,
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
                 sheet_measure(sheet, frame->across.names[i], &names.style).height);
    return names;
}

static void draw_across_names(struct sheet *sheet, const struct frame *frame,
                              const struct across_names *names)
{
    const struct grip grip = {0.5, 0};
    double top = area_bottom(frame->plot) + tick_length + tick_gap;

    for (size_t i = 0; i < frame->across.count; i += names->every) {
        struct point at = {frame_band(frame, false, i), top};
        struct str name = frame->across.names[i];
        struct area area =
            sheet_held(sheet_measure(sheet, name, &names->style), at, grip);
        /* A line of text is wider than the last of very narrow bands. */
        if (area_right(area) <= sheet->width)
            sheet_text(sheet, (struct tag){ROLE_TICK, 0, i}, name, &names->style, at,
                       grip);
    }
}

static void draw_across_ticks(struct sheet *sheet, const struct frame *frame)
{
    const struct axis *axis = &frame->across.axis;
    double bottom = area_bottom(frame->plot), free_from = -INFINITY;

    for (size_t i = 0; i < axis->tick_count; i++) {
        struct str name = axis_name(axis, axis->ticks[i], sheet->arena);
        double half = sheet_measure(sheet, name, &STYLE_TICK).width / 2;
        double x = axis_at(axis, axis->ticks[i]);
        if (!frame->across.no_grid)
            sheet_line(sheet, grid_tag, (struct point){x, frame->plot.top},
                       (struct point){x, bottom}, theme_rule(THEME_GRID, 0.5));
        sheet_line(sheet, axis_tag, (struct point){x, bottom},
                   (struct point){x, bottom + tick_length}, theme_rule(THEME_AXIS, 0.6));
        if (x - half < free_from) /* a very narrow plot: the tick stays without name */
            continue;
        free_from = x + half + 2;
        sheet_text(sheet, (struct tag){ROLE_TICK, 0, i}, name, &STYLE_TICK,
                   (struct point){x, bottom + tick_length + tick_gap},
                   (struct grip){0.5, 0});
    }
}

static void draw_up(struct sheet *sheet, const struct frame *frame)
{
    struct style style = up_style(sheet, frame);
    const struct area plot = frame->plot;

    for (size_t i = 0; i < side_count(&frame->up); i++) {
        bool bands = frame->up.names != NULL;
        double y = bands ? frame_band(frame, true, i)
                         : axis_at(&frame->up.axis, frame->up.axis.ticks[i]);
        if (!bands && !frame->up.no_grid)
            sheet_line(sheet, grid_tag, (struct point){plot.left, y},
                       (struct point){area_right(plot), y}, theme_rule(THEME_GRID, 0.5));
        sheet_text(sheet, (struct tag){ROLE_TICK, 1, i}, up_name(sheet, &frame->up, i),
                   &style, (struct point){plot.left - SHEET_GAP, y},
                   (struct grip){1, 0.5});
    }
}

static void draw_lines(struct sheet *sheet, const struct frame *frame)
{
    const struct area plot = frame->plot;
    struct point corner = {plot.left, area_bottom(plot)};
    struct ink ink = theme_rule(THEME_AXIS, 0.6);

    if (frame->across.names != NULL && frame->up.names != NULL)
        return;
    /* Bars that hang below 0 bring a line of their own. */
    if (frame->across.names == NULL || frame->up.axis.low >= 0)
        sheet_line(sheet, axis_tag, corner, (struct point){area_right(plot), corner.y},
                   ink);
    if (frame->across.names == NULL)
        sheet_line(sheet, axis_tag, (struct point){plot.left, plot.top}, corner, ink);
}

static struct style across_title_style(const struct sheet *sheet)
{
    struct style style = STYLE_AXIS;

    style.width_max = sheet_inner(sheet);
    style.lines_max = 2;
    style.align = PANGO_ALIGN_CENTER;
    return style;
}

/* Below the middle of the plot, but never beyond the page. */
static void draw_across_title(struct sheet *sheet, struct frame *frame)
{
    struct style style = across_title_style(sheet);
    double half = sheet_measure(sheet, frame->across.title, &style).width / 2;
    double middle = frame->plot.left + frame->plot.width / 2;

    middle = fmax(SHEET_MARGIN + half, fmin(middle, sheet->width - SHEET_MARGIN - half));
    sheet_text(sheet, axis_tag, frame->across.title, &style,
               (struct point){middle, frame->bottom + title_gap}, (struct grip){0.5, 0});
}

static double title_height(struct sheet *sheet, struct str title,
                           const struct style *style)
{
    struct extent extent = {0};

    if (title.len > 0)
        extent = sheet_measure(sheet, title, style);
    return title.len == 0 ? 0
                          : title_gap + (style->upright ? extent.width : extent.height);
}

/* The plot's height: what was asked for less what is around it, or the suitable one; and
 * never too little for the names at the left. */
static double plot_height(const struct sheet *sheet, const struct frame *frame,
                          double around)
{
    double height = frame->plot_height;
    double rows = (double)side_count(&frame->up);

    if (sheet->chart->height_cm > 0)
        height = sheet->chart->height_cm / 2.54 * 72 - around;
    return fmax(fmax(height, 40), rows * frame->row_min);
}

/* The room that the names at the left and the title beside them take. */
struct margin {
    struct style title;
    double title_width, names_width;
};

/* What stands at the left depends on the height and the other way round: the width is
 * found for an estimate of the height, which is then as good as any. */
static struct margin measure_margin(struct sheet *sheet, struct frame *frame)
{
    struct margin margin = {.title = STYLE_AXIS};
    double around =
        3.5 * STYLE_TICK.size + sheet->top + frame->above + frame->below + frame->foot;

    margin.title.upright = true;
    margin.title.width_max = plot_height(sheet, frame, around);
    margin.title.lines_max = 2;
    margin.title.align = PANGO_ALIGN_CENTER;
    margin.title.lines_max = sheet_measure(sheet, frame->up.title, &margin.title).lines;
    margin.title_width = title_height(sheet, frame->up.title, &margin.title);
    margin.names_width = measure_up(sheet, frame, margin.title.width_max) + SHEET_GAP;
    return margin;
}

/* The plot may have become lower than the estimate: then the title is cut rather than
 * getting another line, for which there is no room. */
static void draw_up_title(struct sheet *sheet, const struct frame *frame,
                          struct margin *margin)
{
    margin->title.width_max = fmin(margin->title.width_max, frame->plot.height);
    sheet_text(
        sheet, axis_tag, frame->up.title, &margin->title,
        (struct point){frame->plot.left - margin->names_width - margin->title_width,
                       frame->plot.top + frame->plot.height / 2},
        (struct grip){0, 0.5});
}

void frame_draw(struct sheet *sheet, struct frame *frame)
{
    struct style across_title = across_title_style(sheet);
    struct across_names names = {.height = 1.15 * STYLE_TICK.size};
    struct margin margin = measure_margin(sheet, frame);
    double across_height, title = title_height(sheet, frame->across.title, &across_title);

    frame->plot.left =
        fmax(frame->left_min, SHEET_MARGIN + margin.title_width + margin.names_width);
    frame->plot.top = sheet->top + frame->above + STYLE_TICK.size / 2;
    frame->plot.width = sheet->width - SHEET_MARGIN - frame->right - frame->plot.left;
    if (frame->across.names == NULL)
        choose_across(sheet, frame);
    else
        names = arrange_across(sheet, frame);
    across_height = tick_length + tick_gap + names.height;
    frame->plot.height = plot_height(sheet, frame,
                                     frame->plot.top + across_height + frame->below +
                                         frame->foot + title + SHEET_MARGIN);
    frame->up.axis.from = area_bottom(frame->plot);
    frame->up.axis.to = frame->plot.top;
    draw_up(sheet, frame);
    if (frame->across.names == NULL)
        draw_across_ticks(sheet, frame);
    else
        draw_across_names(sheet, frame, &names);
    draw_lines(sheet, frame);
    draw_up_title(sheet, frame, &margin);
    frame->below_top = area_bottom(frame->plot) + across_height;
    frame->bottom = frame->below_top + frame->below;
    draw_across_title(sheet, frame);
    frame->bottom += title;
}
