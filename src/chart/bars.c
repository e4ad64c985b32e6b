/* Bars: beside each other, stacked, stacked to 100%; standing or lying; in panels. */
#include <math.h>

#include "chart/internal.h"

/* Everything is computed along two directions, of values and of categories, and turned
 * into places on the page at the end. */
struct bars {
    struct chart_sheet *sheet;
    struct chart_frame frame;
    bool values; /* a number at the end of each bar */
    bool inside; /* a number inside of each part of a stack where it fits */
    double *totals;
    /* Bands are categories and one that is empty between panels; where bars lie there is
     * one above each panel, for its name. */
    struct str *names;
    size_t band_count;
    size_t *bands; /* of categories */
};

static double value_of(const struct bars *bars, size_t series, size_t category)
{
    const struct chart *chart = bars->sheet->chart;
    double value = chart->series[series].y[category];

    if (chart->kind == CHART_BARS_FULL && bars->totals[category] > 0)
        value /= bars->totals[category];
    return isfinite(value) ? value : 0;
}

static bool stacked(const struct chart *chart)
{
    return chart->kind != CHART_BARS;
}

static void find_totals(struct bars *bars)
{
    const struct chart *chart = bars->sheet->chart;

    bars->totals = arena_array(bars->sheet->arena, double, chart->category_count);
    for (size_t c = 0; c < chart->category_count; c++)
        for (size_t s = 0; s < chart->series_count; s++)
            if (isfinite(chart->series[s].y[c]))
                bars->totals[c] += chart->series[s].y[c];
}

static bool all_whole(const struct chart *chart)
{
    for (size_t s = 0; s < chart->series_count; s++)
        for (size_t c = 0; c < chart->category_count; c++) {
            double value = chart->series[s].y[c];
            if (isfinite(value) && value != floor(value))
                return false;
        }
    return chart->kind != CHART_BARS_FULL && chart->y_number == CHART_PLAIN;
}

static bool panel_names_fit(struct chart_sheet *sheet, double band)
{
    const struct chart *chart = sheet->chart;

    for (size_t i = 0; i < chart->panel_count; i++)
        if (chart_sheet_measure(sheet, chart->panels[i].name, &STYLE_AXIS).width >
            band * (double)chart->panels[i].count - 2)
            return false;
    return true;
}

static bool lies(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    size_t gaps = chart->panel_count > 0 ? chart->panel_count - 1 : 0;
    double band =
        (chart_sheet_inner(sheet) - 36) / (double)(chart->category_count + gaps);
    double bars = stacked(chart) ? 1 : (double)chart->series_count;

    if (chart->direction != CHART_AUTO)
        return chart->direction == CHART_LYING;
    return band < 5 * bars || band < 9 || !panel_names_fit(sheet, band) ||
           !chart_frame_names_fit(sheet, chart->categories, chart->category_count, band,
                                  NULL);
}

static void set_bands(struct bars *bars)
{
    const struct chart *chart = bars->sheet->chart;
    struct arena *arena = bars->sheet->arena;
    size_t panel = 0;

    bars->names =
        arena_array(arena, struct str, chart->category_count + chart->panel_count);
    bars->bands = arena_array(arena, size_t, chart->category_count);
    for (size_t c = 0; c < chart->category_count; c++) {
        bool begins = panel < chart->panel_count && chart->panels[panel].first == c;
        if (begins && (bars->frame.lying || c > 0))
            bars->names[bars->band_count++] = (struct str){0};
        panel += begins;
        bars->bands[c] = bars->band_count;
        bars->names[bars->band_count++] = chart->categories[c];
    }
}

static double centre_of(const struct bars *bars, size_t category)
{
    return chart_frame_band(&bars->frame, bars->frame.lying, bars->bands[category]);
}

static void find_range(struct bars *bars, struct chart_side *side)
{
    const struct chart *chart = bars->sheet->chart;

    if (chart->kind == CHART_BARS_FULL) {
        side->low = 0;
        side->high = 1;
        side->axis.number = CHART_PERCENT;
    } else if (chart->kind == CHART_BARS_STACKED) {
        chart_side_begin(side);
        chart_side_include(side, bars->totals, chart->category_count);
    } else {
        chart_side_begin_y(side, chart);
    }
    chart_side_settle(side, true);
    if (chart->kind != CHART_BARS_FULL)
        chart_side_limit(side, chart);
}

/* Room at the end of the bars for their numbers. */
static void keep_room(struct bars *bars)
{
    const struct chart *chart = bars->sheet->chart;
    double band = (chart_sheet_inner(bars->sheet) - 36) / (double)bars->band_count;
    double width = 0;

    bars->values = chart->kind == CHART_BARS && chart->series_count == 1;
    for (size_t c = 0; c < chart->category_count && bars->values; c++) {
        struct str text = chart_number_short(chart->series[0].y[c], chart->y_number,
                                             bars->sheet->arena);
        width = fmax(width, chart_sheet_measure(bars->sheet, text, &STYLE_VALUE).width);
    }
    if (!bars->frame.lying && width > band - 2)
        bars->values = false;
    if (bars->values && bars->frame.lying)
        bars->frame.right = width + 3;
    else if (bars->values)
        bars->frame.above = 1.2 * STYLE_VALUE.size;
    if (chart->panel_count > 0 && !bars->frame.lying)
        bars->frame.above += 1.4 * STYLE_AXIS.size;
}

static struct str few_text(const struct bars *bars, size_t category)
{
    const struct chart *chart = bars->sheet->chart;

    if (chart->kind != CHART_BARS_FULL || chart->few == NULL ||
        !isfinite(chart->few[category]))
        return (struct str){0};
    return arena_format(bars->sheet->arena, "n = %.0f", chart->few[category]);
}

/* And for what shares rest on: beyond 100%, on two lines where bars stand. */
static void keep_room_for_few(struct bars *bars)
{
    const struct chart *chart = bars->sheet->chart;
    double width = 0;

    for (size_t c = 0; c < chart->category_count; c++)
        width =
            fmax(width,
                 chart_sheet_measure(bars->sheet, few_text(bars, c), &STYLE_NOTE).width);
    if (width > 0 && bars->frame.lying)
        bars->frame.right = width + 5;
    else if (width > 0)
        bars->frame.above += 2.6 * STYLE_NOTE.size;
}

static void set_frame(struct bars *bars)
{
    const struct chart *chart = bars->sheet->chart;
    struct chart_side categories = {
        .title = chart->x_title,
        .names = bars->names,
        .count = bars->band_count,
    };
    struct chart_side values = {
        .title = chart->y_title,
        .axis = {.number = chart->y_number, .whole = all_whole(chart)},
    };
    double parts = stacked(chart) ? 1 : (double)chart->series_count;

    find_range(bars, &values);
    chart_frame_lay(&bars->frame, &categories, &values);
    if (bars->frame.lying) {
        bars->frame.row_min = parts > 1 ? 4 * parts + 4 : 7;
        bars->frame.plot_height =
            (double)bars->band_count *
            fmax(parts > 1 ? 7 * parts + 5 : 13, bars->band_count > 30 ? 9 : 13);
        bars->frame.plot_height =
            fmin(bars->frame.plot_height, CHART_SHEET_HEIGHT_MAX - bars->sheet->top - 40);
    } else {
        bars->frame.plot_height = fmin(0.5 * bars->sheet->width, 180);
    }
    keep_room(bars);
    keep_room_for_few(bars);
}

/* From value `from` to value `to`, `side` .. side + width across them. */
static struct chart_area bar_area(const struct bars *bars, double from, double to,
                                  double side, double width)
{
    double start = chart_frame_value(&bars->frame, from),
           end = chart_frame_value(&bars->frame, to);

    return bars->frame.lying ? (struct chart_area){start, side, end - start, width}
                             : (struct chart_area){side, start, width, end - start};
}

static void draw_interval(const struct bars *bars, struct chart_tag tag, double centre)
{
    const struct chart_series *series = &bars->sheet->chart->series[tag.series];

    tag.role = CHART_ROLE_INTERVAL;
    if (series->low != NULL && series->high != NULL)
        chart_frame_whisker(bars->sheet, &bars->frame, tag, series->low[tag.index],
                            series->high[tag.index], centre);
}

/* Beyond the bar's end and its interval; that of a bar below 0 is at the baseline. */
static void draw_value(const struct bars *bars, size_t category, double centre)
{
    const struct chart_series *series = &bars->sheet->chart->series[0];
    double value = series->y[category], end = value;
    struct str text =
        chart_number_short(value, bars->sheet->chart->y_number, bars->sheet->arena);
    struct chart_tag tag = {CHART_ROLE_LABEL, 0, category};

    if (!isfinite(value))
        end = 0;
    else if (series->high != NULL && isfinite(series->high[category]))
        end = fmax(end, series->high[category]);
    end = chart_frame_value(&bars->frame, fmax(end, 0));
    if (bars->frame.lying)
        chart_sheet_text(bars->sheet, tag, text, &STYLE_VALUE,
                         (struct chart_point){end + 2, centre},
                         (struct chart_grip){0, 0.5});
    else
        chart_sheet_text(bars->sheet, tag, text, &STYLE_VALUE,
                         (struct chart_point){centre, end - 1},
                         (struct chart_grip){0.5, 1});
}

static struct chart_ink ink_of(const struct bars *bars, size_t series, size_t category)
{
    const struct chart *chart = bars->sheet->chart;
    const bool *partial = chart->series[series].partial;
    struct chart_ink ink = chart_theme_fill(chart, series);

    return partial != NULL && partial[category] ? chart_theme_partial(ink) : ink;
}

static const struct chart_axis *axis_of(const struct bars *bars)
{
    return bars->frame.lying ? &bars->frame.across.axis : &bars->frame.up.axis;
}

static void draw_group(const struct bars *bars, size_t category)
{
    const struct chart *chart = bars->sheet->chart;
    double widest = (bars->frame.lying ? 16 : 44) * (double)chart->series_count;
    double group = fmin(0.76 * chart_frame_band_width(&bars->frame), widest);
    double side = centre_of(bars, category) - group / 2;
    double width = group / (double)chart->series_count;

    for (size_t s = 0; s < chart->series_count; s++) {
        struct chart_tag tag = {CHART_ROLE_MARK, s, category};
        (void)chart_frame_shows(bars->sheet, axis_of(bars), value_of(bars, s, category));
        double gap = chart->series_count > 1 ? fmin(0.5, width / 8) : 0;
        chart_sheet_box(bars->sheet, tag,
                        bar_area(bars, 0, value_of(bars, s, category),
                                 side + (double)s * width, width - gap),
                        ink_of(bars, s, category));
        draw_interval(bars, tag, side + ((double)s + 0.5) * width);
    }
    if (bars->values)
        draw_value(bars, category, side + group / 2);
}

static struct str part_text(const struct bars *bars, double value)
{
    const struct chart *chart = bars->sheet->chart;

    return chart->kind == CHART_BARS_FULL
               ? chart_number_percent(value, bars->sheet->arena)
               : chart_number_short(value, chart->y_number, bars->sheet->arena);
}

static double stack_width(const struct bars *bars)
{
    return fmin(0.8 * chart_frame_band_width(&bars->frame), 40);
}

/* Where bars that stand are narrow only numbers of one digit would fit, and the small
 * parts alone would have theirs: then none has. 100% needs no number. */
static bool numbers_fit(const struct bars *bars)
{
    const struct chart *chart = bars->sheet->chart;

    for (size_t s = 0; !bars->frame.lying && s < chart->series_count; s++)
        for (size_t c = 0; c < chart->category_count; c++) {
            double value = value_of(bars, s, c);
            bool whole = chart->kind == CHART_BARS_FULL && value > 0.995;
            if (value > 0 && !whole &&
                chart_sheet_measure(bars->sheet, part_text(bars, value), &STYLE_VALUE)
                            .width +
                        2 >
                    stack_width(bars))
                return false;
        }
    return true;
}

/* A part's number stands inside it when it fits. */
static void draw_inside(const struct bars *bars, struct chart_tag tag,
                        struct chart_area area, struct chart_ink ink)
{
    struct chart_style style = STYLE_VALUE;
    struct str text = part_text(bars, value_of(bars, tag.series, tag.index));
    struct chart_extent extent = chart_sheet_measure(bars->sheet, text, &style);
    struct chart_point middle = {area.left + area.width / 2, area.top + area.height / 2};

    if (extent.width + 2 > fabs(area.width) || extent.height > fabs(area.height))
        return;
    tag.role = CHART_ROLE_LABEL;
    if (ink.pattern == CHART_PATTERN_NONE)
        style.colour = chart_theme_on(ink.fill);
    else /* hatching would run through the digits */
        chart_sheet_box(bars->sheet, tag,
                        chart_sheet_held(extent, middle, (struct chart_grip){0.5, 0.5}),
                        (struct chart_ink){.fill = CHART_THEME_WHITE});
    chart_sheet_text(bars->sheet, tag, text, &style, middle,
                     (struct chart_grip){0.5, 0.5});
}

static void draw_few(const struct bars *bars, size_t category)
{
    struct chart_tag tag = {CHART_ROLE_LABEL, 0, category};
    struct str text = few_text(bars, category);
    struct chart_style style = STYLE_NOTE;
    double end = chart_frame_value(&bars->frame, 1), centre = centre_of(bars, category);

    if (bars->frame.lying) {
        chart_sheet_text(bars->sheet, tag, text, &style,
                         (struct chart_point){end + 3, centre},
                         (struct chart_grip){0, 0.5});
        return;
    }
    style.width_max = chart_frame_band_width(&bars->frame);
    style.lines_max = 2;
    style.align = PANGO_ALIGN_CENTER;
    if (!chart_sheet_measure(bars->sheet, text, &style).cut)
        chart_sheet_text(bars->sheet, tag, text, &style,
                         (struct chart_point){centre, end - 1},
                         (struct chart_grip){0.5, 1});
}

static void draw_stack(const struct bars *bars, size_t category)
{
    const struct chart *chart = bars->sheet->chart;
    double width = stack_width(bars), sum = 0;
    double side = centre_of(bars, category) - width / 2;

    for (size_t s = 0; s < chart->series_count; s++) {
        struct chart_tag tag = {CHART_ROLE_MARK, s, category};
        double value = value_of(bars, s, category);
        struct chart_area area = bar_area(bars, sum, sum + value, side, width);
        struct chart_ink ink = ink_of(bars, s, category);
        ink.dash = CHART_DASH_NONE;
        ink.stroke = CHART_THEME_WHITE;
        ink.line = 0.5;
        sum += value;
        if (value == 0)
            continue;
        chart_sheet_box(bars->sheet, tag, area, ink);
        if (bars->inside)
            draw_inside(bars, tag, area, ink);
    }
    (void)chart_frame_shows(bars->sheet, axis_of(bars), sum);
    draw_few(bars, category);
    if (sum == 0 && bars->frame.lying)
        chart_sheet_text(bars->sheet, (struct chart_tag){CHART_ROLE_LABEL, 0, category},
                         STR("none"), &STYLE_NOTE,
                         (struct chart_point){chart_frame_value(&bars->frame, 0) + 3,
                                              side + width / 2},
                         (struct chart_grip){0, 0.5});
}

/* Above their bars: in the middle, or where bars lie at the left. */
static void draw_panel_names(const struct bars *bars)
{
    const struct chart *chart = bars->sheet->chart;
    const struct chart_frame *frame = &bars->frame;
    struct chart_style style = STYLE_TICK;

    style.bold = true;
    for (size_t i = 0; i < chart->panel_count; i++) {
        const struct chart_panel *panel = &chart->panels[i];
        double middle = (centre_of(bars, panel->first) +
                         centre_of(bars, panel->first + panel->count - 1)) /
                        2;
        struct chart_point at = {middle, frame->plot.top - frame->above};
        style.width_max = chart_frame_band_width(frame) * (double)panel->count;
        if (frame->lying) {
            size_t band = bars->bands[panel->first] - 1;
            at = (struct chart_point){frame->plot.left + 2,
                                      chart_frame_band(frame, true, band)};
            style.width_max = frame->plot.width - 4;
        }
        /* Where somebody wants bars to stand that should lie, not even dots may fit. */
        if (chart_sheet_measure(bars->sheet, panel->name, &style).width <=
            style.width_max)
            chart_sheet_text(
                bars->sheet, (struct chart_tag){CHART_ROLE_LABEL, 0, panel->first},
                panel->name, &style, at,
                frame->lying ? (struct chart_grip){0, 0.5} : (struct chart_grip){0.5, 0});
    }
}

/* The line that bars stand on, drawn over them; inside the plot when some hang below. */
static void draw_baseline(const struct bars *bars)
{
    const struct chart_area plot = bars->frame.plot;
    double zero = chart_frame_value(&bars->frame, 0);
    double from = bars->frame.lying ? plot.top : plot.left;
    double to = bars->frame.lying ? chart_area_bottom(plot) : chart_area_right(plot);

    chart_sheet_line(bars->sheet, (struct chart_tag){CHART_ROLE_AXIS, 0, 0},
                     chart_frame_turned(&bars->frame, zero, from),
                     chart_frame_turned(&bars->frame, zero, to),
                     chart_theme_rule(THEME_AXIS, 0.6));
}

void chart_bars_draw(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    struct bars bars = {.sheet = sheet, .frame = {.lying = lies(sheet)}};

    chart_sheet_title(sheet);
    chart_legend_draw(sheet, CHART_KEY_FILL);
    find_totals(&bars);
    set_bands(&bars);
    set_frame(&bars);
    chart_frame_draw(sheet, &bars.frame);
    bars.inside = stacked(chart) && numbers_fit(&bars);
    for (size_t c = 0; c < chart->category_count; c++) {
        if (stacked(chart))
            draw_stack(&bars, c);
        else
            draw_group(&bars, c);
    }
    draw_baseline(&bars);
    draw_panel_names(&bars);
    chart_sheet_finish(sheet, bars.frame.bottom);
}
