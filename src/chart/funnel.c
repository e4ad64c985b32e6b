/* Funnel: how many each step of a selection let through, and how many it left out. */
#include <math.h>

#include "chart/internal.h"

static const double bar_height = 12, gap_height = 11;

struct funnel_funnel {
    struct chart_sheet *sheet;
    const double *counts;
    size_t steps;
    double left;  /* where bars begin */
    double scale; /* points for one counted thing */
};

/* All shares are of where the selection begins, so that what is left and what was left
 * out add up. */
static struct str with_share(const struct funnel_funnel *funnel, double count)
{
    struct arena *arena = funnel->sheet->arena;
    double all = funnel->counts[0];
    struct str number = chart_number_fixed(count, 0, arena), share;

    if (!(all > 0))
        return number;
    share = chart_number_percent(fabs(count) / all, arena);
    return arena_format(arena, "%.*s (%.*s)", STR_ARG(number), STR_ARG(share));
}

static struct chart_style name_style(const struct chart_sheet *sheet)
{
    struct chart_style style = STYLE_TICK;

    style.width_max = 0.4 * chart_sheet_inner(sheet);
    style.lines_max = 3;
    style.align = PANGO_ALIGN_RIGHT;
    return style;
}

static struct str label_of(const struct funnel_funnel *funnel, size_t step)
{
    if (!isfinite(funnel->counts[step]))
        return chart_number_short(NAN, CHART_PLAIN, funnel->sheet->arena);
    return with_share(funnel, funnel->counts[step]);
}

/* Bars are as long as the widest pair of bar and number allows. */
static void find_scale(struct funnel_funnel *funnel)
{
    struct chart_sheet *sheet = funnel->sheet;
    struct chart_style style = name_style(sheet);
    double names = 0, room;

    for (size_t i = 0; i < funnel->steps; i++)
        names = fmax(
            names, chart_sheet_measure(sheet, sheet->chart->categories[i], &style).width);
    funnel->left = CHART_SHEET_MARGIN + names + CHART_SHEET_GAP;
    room = sheet->width - CHART_SHEET_MARGIN - funnel->left - 3;
    funnel->scale = INFINITY;
    for (size_t i = 0; i < funnel->steps; i++) {
        double label =
            chart_sheet_measure(sheet, label_of(funnel, i), &STYLE_VALUE).width;
        if (funnel->counts[i] > 0)
            funnel->scale = fmin(funnel->scale, (room - label) / funnel->counts[i]);
    }
    if (!isfinite(funnel->scale))
        funnel->scale = 0;
}

static double length_of(const struct funnel_funnel *funnel, size_t step)
{
    double count = funnel->counts[step];

    return isfinite(count) ? funnel->scale * count : 0;
}

static void draw_step(const struct funnel_funnel *funnel, size_t step, double middle)
{
    struct chart_sheet *sheet = funnel->sheet;
    struct chart_style style = name_style(sheet);
    double length = length_of(funnel, step);

    chart_sheet_text(sheet, (struct chart_tag){CHART_ROLE_TICK, 0, step},
                     sheet->chart->categories[step], &style,
                     (struct chart_point){funnel->left - CHART_SHEET_GAP, middle},
                     (struct chart_grip){1, 0.5});
    chart_sheet_box(
        sheet, (struct chart_tag){CHART_ROLE_MARK, 0, step},
        (struct chart_area){funnel->left, middle - bar_height / 2, length, bar_height},
        chart_theme_fill(sheet->chart, 0));
    chart_sheet_line(sheet, (struct chart_tag){CHART_ROLE_AXIS, 0, step},
                     (struct chart_point){funnel->left, middle - bar_height / 2},
                     (struct chart_point){funnel->left, middle + bar_height / 2},
                     chart_theme_rule(chart_theme_colour(sheet->chart, 0), 0.8));
    chart_sheet_text(sheet, (struct chart_tag){CHART_ROLE_LABEL, 0, step},
                     label_of(funnel, step), &STYLE_VALUE,
                     (struct chart_point){funnel->left + length + 3, middle},
                     (struct chart_grip){0, 0.5});
}

/* Between two bars: the narrowing, and what was left out. */
static void draw_loss(const struct funnel_funnel *funnel, size_t step, double top,
                      double bottom)
{
    struct chart_sheet *sheet = funnel->sheet;
    double change = funnel->counts[step + 1] - funnel->counts[step];
    struct chart_point *corners = chart_sheet_points(sheet, 4);
    struct str loss;

    if (!isfinite(change))
        return;
    corners[0] = (struct chart_point){funnel->left, top};
    corners[1] = (struct chart_point){funnel->left + length_of(funnel, step), top};
    corners[2] = (struct chart_point){funnel->left + length_of(funnel, step + 1), bottom};
    corners[3] = (struct chart_point){funnel->left, bottom};
    chart_sheet_path(sheet, (struct chart_tag){CHART_ROLE_GRID, 0, step}, corners, 4,
                     true,
                     (struct chart_ink){.fill = chart_theme_mix(
                                            chart_theme_colour(sheet->chart, 0), 0.12)});
    loss = with_share(funnel, change);
    chart_sheet_text(
        sheet, (struct chart_tag){CHART_ROLE_NOTE, 0, step},
        arena_format(sheet->arena, "%s%.*s", change > 0 ? "+" : "", STR_ARG(loss)),
        &STYLE_NOTE, (struct chart_point){funnel->left + 3, (top + bottom) / 2},
        (struct chart_grip){0, 0.5});
}

void chart_funnel_draw(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    struct funnel_funnel funnel = {
        .sheet = sheet, .counts = chart->series[0].y, .steps = chart->category_count};
    struct chart_style style = name_style(sheet);
    double top, end = 0;

    chart_sheet_title(sheet);
    find_scale(&funnel);
    top = sheet->top;
    for (size_t i = 0; i < funnel.steps; i++) {
        double name = chart_sheet_measure(sheet, chart->categories[i], &style).height;
        double height = fmax(bar_height, name), middle = top + height / 2;
        if (i > 0)
            draw_loss(&funnel, i - 1, end, middle - bar_height / 2);
        draw_step(&funnel, i, middle);
        end = middle + bar_height / 2;
        top += height + gap_height;
    }
    chart_sheet_finish(sheet, top - gap_height);
}
