/* Kaplan-Meier curves: the share still without the event, with bands, and below the plot
 * how many are at risk at each tick. */
#include <math.h>

#include "chart/internal.h"

enum { TICKS_OF_CENSORED_MAX = 100 }; /* more would hide the curve */

static const double row_height = 9;

static bool has_table(const struct chart *chart)
{
    for (size_t i = 0; i < chart->series_count; i++)
        if (chart->series[i].at_risk != NULL)
            return true;
    return false;
}

/* How many are at risk at time t: those before the first time that is not earlier. */
static double at_risk(const struct chart_series *series, double t)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->x[i] >= t)
            return round(series->at_risk[i]);
    return 0;
}

static struct chart_style name_style(const struct chart_sheet *sheet, size_t series)
{
    struct chart_style style = STYLE_TICK;

    style.width_max = 0.3 * chart_sheet_inner(sheet);
    style.colour = chart_theme_text(sheet->chart, series);
    return style;
}

static double number_width(struct chart_sheet *sheet, double count)
{
    struct str text = chart_number_short(count, CHART_PLAIN, sheet->arena);

    return chart_sheet_measure(sheet, text, &STYLE_VALUE).width;
}

/* Numbers are centred below ticks: half of the widest sticks out at both ends of the
 * axis. In full a number has its most letters just below a million. */
static double half_number(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    double most = 0;

    for (size_t i = 0; i < chart->series_count; i++)
        for (size_t j = 0; chart->series[i].at_risk != NULL && j < chart->series[i].count;
             j++)
            most = fmax(most, chart->series[i].at_risk[j]);
    return fmax(number_width(sheet, most), number_width(sheet, fmin(most, 999999))) / 2;
}

/* The row's name stands left of the first number. */
static double table_left(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    double names = 0;

    for (size_t i = 0; i < chart->series_count; i++) {
        struct chart_style style = name_style(sheet, i);
        if (chart->series[i].at_risk != NULL)
            names = fmax(names,
                         chart_sheet_measure(sheet, chart->series[i].name, &style).width);
    }
    return CHART_SHEET_MARGIN + names + half_number(sheet) + CHART_SHEET_GAP;
}

/* The curve from the beginning, where all are still there: time 0 or, on a log scale, the
 * end of the axis, which then also stands for the time 0 of an event. */
static struct chart_curve curve_of(const struct chart_axis *axis,
                                   const struct chart_series *series, struct arena *arena)
{
    size_t count = series->count + 1;
    double *x = arena_array(arena, double, count);
    double *y = arena_array(arena, double, count);
    double *low = arena_array(arena, double, count);
    double *high = arena_array(arena, double, count);
    bool bands = series->low != NULL && series->high != NULL;

    x[0] = axis->low;
    y[0] = low[0] = high[0] = 1;
    for (size_t i = 1; i < count; i++) {
        if (!chart_axis_reaches(axis, fmax(series->x[i - 1], axis->low))) {
            /* It goes on beyond the limit: to the end as it was before. */
            x[i] = axis->high;
            y[i] = y[i - 1];
            low[i] = low[i - 1];
            high[i] = high[i - 1];
            count = i + 1;
            break;
        }
        x[i] = fmax(series->x[i - 1], axis->low);
        y[i] = series->y[i - 1];
        low[i] = bands ? series->low[i - 1] : NAN;
        high[i] = bands ? series->high[i - 1] : NAN;
    }
    return (struct chart_curve){
        .x = x,
        .y = y,
        .low = bands ? low : NULL,
        .high = bands ? high : NULL,
        .count = count,
        .steps = true,
    };
}

/* A time at which the curve does not fall is one of censoring alone, unless it is where
 * the axis ends. */
static bool is_censored(const struct chart_frame *frame, const struct chart_curve *curve,
                        size_t i)
{
    return curve->y[i] == curve->y[i - 1] &&
           !(frame->across.axis.limited && curve->x[i] >= frame->across.axis.high);
}

static void draw_censored(struct chart_sheet *sheet, const struct chart_frame *frame,
                          const struct chart_curve *curve, size_t series)
{
    struct chart_ink ink =
        chart_theme_rule(chart_theme_colour(sheet->chart, series), 0.7);
    size_t count = 0;

    for (size_t i = 1; i < curve->count; i++)
        count += is_censored(frame, curve, i);
    for (size_t i = 1; i < curve->count && count <= TICKS_OF_CENSORED_MAX; i++) {
        struct chart_point at = {chart_axis_at(&frame->across.axis, curve->x[i]),
                                 chart_axis_at(&frame->up.axis, curve->y[i])};
        if (is_censored(frame, curve, i))
            chart_sheet_line(sheet, (struct chart_tag){CHART_ROLE_LABEL, series, i},
                             (struct chart_point){at.x, at.y - 1.8},
                             (struct chart_point){at.x, at.y + 1.8}, ink);
    }
}

/* Numbers may be wider than the names of ticks: then only every so many are given. */
static size_t every_tick(struct chart_sheet *sheet, const struct chart_frame *frame)
{
    const struct chart_axis *axis = &frame->across.axis;
    double widest = 0, pitch;

    if (axis->tick_count < 2)
        return 1;
    pitch = chart_axis_at(axis, axis->ticks[1]) - chart_axis_at(axis, axis->ticks[0]);
    for (size_t i = 0; i < sheet->chart->series_count; i++) {
        const struct chart_series *series = &sheet->chart->series[i];
        for (size_t t = 0; series->at_risk != NULL && t < axis->tick_count; t++) {
            double count = at_risk(series, axis->ticks[t]);
            widest = fmax(widest, number_width(sheet, count));
        }
    }
    return (size_t)fmax(1, ceil((widest + 3) / pitch));
}

static void draw_table(struct chart_sheet *sheet, const struct chart_frame *frame)
{
    const struct chart_axis *axis = &frame->across.axis;
    size_t every = every_tick(sheet, frame);
    double y = frame->bottom + CHART_SHEET_GAP + row_height / 2;

    chart_sheet_text(sheet, (struct chart_tag){CHART_ROLE_NOTE, 0, 0},
                     STR("Number at risk"), &STYLE_NOTE,
                     (struct chart_point){CHART_SHEET_MARGIN, y},
                     (struct chart_grip){0, 0.5});
    for (size_t i = 0; i < sheet->chart->series_count; i++) {
        const struct chart_series *series = &sheet->chart->series[i];
        struct chart_style style = name_style(sheet, i);
        if (series->at_risk == NULL)
            continue;
        y += row_height;
        chart_sheet_text(sheet, (struct chart_tag){CHART_ROLE_TICK, i, 0}, series->name,
                         &style, (struct chart_point){CHART_SHEET_MARGIN, y},
                         (struct chart_grip){0, 0.5});
        for (size_t t = 0; t < axis->tick_count; t += every)
            chart_sheet_text(sheet, (struct chart_tag){CHART_ROLE_LABEL, i, t},
                             chart_number_short(at_risk(series, axis->ticks[t]),
                                                CHART_PLAIN, sheet->arena),
                             &STYLE_VALUE,
                             (struct chart_point){chart_axis_at(axis, axis->ticks[t]), y},
                             (struct chart_grip){0.5, 0.5});
    }
}

void chart_survival_draw(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    bool table = has_table(chart);
    struct chart_frame frame = {
        .across = {.title = chart->x_title,
                   .axis = {.scale = chart->x_scale, .number = chart->x_number},
                   .no_grid = true},
        .up = {.title = chart->y_title,
               .axis = {.number = CHART_PERCENT},
               .low = 0,
               .high = 1},
        .plot_height = fmin(0.5 * sheet->width, 190),
        .left_min = table ? table_left(sheet) : 0,
        .right = table ? half_number(sheet) : 0,
        .foot =
            table ? CHART_SHEET_GAP + row_height * (double)(chart->series_count + 1) : 0,
    };

    chart_sheet_title(sheet);
    chart_legend_draw(sheet, CHART_KEY_LINE);
    chart_side_begin_x(&frame.across, chart);
    chart_side_settle(&frame.across, true);
    chart_side_limit(&frame.across, chart);
    chart_frame_draw(sheet, &frame);
    for (size_t i = 0; i < chart->series_count; i++) {
        if (chart->series[i].count == 0)
            continue;            /* nobody was there at the beginning either */
        struct arena work = {0}; /* of a million items it is large */
        struct chart_curve curve = curve_of(&frame.across.axis, &chart->series[i], &work);
        chart_curve_draw(sheet, &frame, &curve, i);
        draw_censored(sheet, &frame, &curve, i);
        arena_free(&work);
    }
    if (table)
        draw_table(sheet, &frame);
    chart_sheet_finish(sheet, frame.bottom + frame.foot);
}
