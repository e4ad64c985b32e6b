/* Box plots: quartiles, whiskers, outliers, notches, and how many values each rests on.
 */
#include <math.h>

#include "chart/internal.h"

/* One for all, unless a palette is given. */
static struct chart_colour colour_of(const struct chart_sheet *sheet, size_t box)
{
    return chart_theme_colour(sheet->chart, sheet->chart->palette_count > 0 ? box : 0);
}

static struct str count_text(const struct chart_box *box, struct arena *arena)
{
    struct str count = chart_number_fixed((double)box->n, 0, arena);

    return arena_format(arena, "n = %.*s", STR_ARG(count));
}

static double widest_count(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    double width = 0;

    for (size_t i = 0; i < chart->box_count; i++) {
        struct str text = count_text(&chart->boxes[i], sheet->arena);
        width = fmax(width, chart_sheet_measure(sheet, text, &STYLE_NOTE).width);
    }
    return width;
}

static const struct str *names_of(struct chart_sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    struct str *names = arena_array(sheet->arena, struct str, chart->box_count);

    for (size_t i = 0; i < chart->box_count; i++)
        names[i] = chart->boxes[i].name;
    return names;
}

static struct chart_side values_side(const struct chart *chart)
{
    struct chart_side side = {
        .title = chart->y_title,
        .axis = {.scale = chart->y_scale, .number = chart->y_number},
    };

    chart_side_begin(&side);
    for (size_t i = 0; i < chart->box_count; i++) {
        const struct chart_box *box = &chart->boxes[i];
        double ends[] = {box->low, box->first, box->median, box->third, box->high};
        chart_side_include(&side, ends, ROWS_OF(ends));
        chart_side_include(&side, box->outliers, box->outlier_count);
    }
    chart_side_settle(&side, false);
    chart_side_limit(&side, chart);
    return side;
}

static void set_frame(struct chart_sheet *sheet, struct chart_frame *frame)
{
    const struct chart *chart = sheet->chart;
    double band = (chart_sheet_inner(sheet) - 40) / (double)chart->box_count;
    double counts = widest_count(sheet);
    struct chart_side values = values_side(chart);
    struct chart_side categories = {
        .title = chart->x_title,
        .names = names_of(sheet),
        .count = chart->box_count,
    };

    frame->lying = chart->direction == CHART_LYING;
    if (chart->direction == CHART_AUTO)
        frame->lying =
            counts > band - 2 ||
            !chart_frame_names_fit(sheet, categories.names, categories.count, band, NULL);
    chart_frame_lay(frame, &categories, &values);
    if (frame->lying) {
        frame->right = counts + CHART_SHEET_GAP;
        frame->row_min = 11;
        frame->plot_height = (double)chart->box_count * 18;
    } else {
        frame->below = counts > band - 2 ? 0 : 1.2 * STYLE_NOTE.size;
        frame->plot_height = fmin(0.6 * sheet->width, 200);
    }
}

/* The box as a path; with a notch it narrows at the median. */
static void draw_body(struct chart_sheet *sheet, const struct chart_frame *frame,
                      struct chart_tag tag, double centre, double half)
{
    const struct chart_box *box = &sheet->chart->boxes[tag.index];
    bool notched = box->notch_low < box->notch_high;
    double waist = notched ? half / 2 : half;
    double first = chart_frame_value(frame, box->first),
           third = chart_frame_value(frame, box->third);
    double low = chart_frame_value(frame, notched ? box->notch_low : box->median);
    double high = chart_frame_value(frame, notched ? box->notch_high : box->median);
    double median = chart_frame_value(frame, box->median);
    struct {
        double along, across;
    } corners[] = {
        {first, -half}, {low, -half}, {median, -waist}, {high, -half}, {third, -half},
        {third, half},  {high, half}, {median, waist},  {low, half},   {first, half},
    };
    struct chart_point *points = chart_sheet_points(sheet, ROWS_OF(corners));
    struct chart_ink ink = chart_theme_rule(colour_of(sheet, tag.index), 0.8);

    ink.fill = chart_theme_mix(colour_of(sheet, tag.index), 0.25);
    for (size_t i = 0; i < ROWS_OF(corners); i++)
        points[i] =
            chart_frame_turned(frame, corners[i].along, centre + corners[i].across);
    chart_sheet_path(sheet, tag, points, ROWS_OF(corners), true, ink);
    chart_sheet_line(sheet, tag, chart_frame_turned(frame, median, centre - waist),
                     chart_frame_turned(frame, median, centre + waist),
                     chart_theme_rule(THEME_TEXT, 1.3));
}

/* Thousands of outliers fall onto few places: one ring for each half point is enough. */
static void draw_outliers(struct chart_sheet *sheet, const struct chart_frame *frame,
                          struct chart_tag tag, double centre)
{
    const struct chart_box *box = &sheet->chart->boxes[tag.index];
    const struct chart_axis *axis = frame->lying ? &frame->across.axis : &frame->up.axis;
    double start = fmin(axis->from, axis->to), length = fabs(axis->to - axis->from);
    bool *taken = arena_array(sheet->arena, bool, (size_t)(2 * length) + 2);
    struct chart_ink ink = chart_theme_rule(colour_of(sheet, tag.index), 0.5);

    for (size_t i = 0; i < box->outlier_count; i++) {
        double at = chart_frame_value(frame, box->outliers[i]);
        size_t place = (size_t)(2 * (at - start));
        if (!chart_frame_shows(sheet, axis, box->outliers[i]) || taken[place])
            continue;
        taken[place] = true;
        chart_sheet_dot(sheet, tag, chart_frame_turned(frame, at, centre), 1.2,
                        CHART_SHAPE_CIRCLE, ink);
    }
}

static void draw_whisker(struct chart_sheet *sheet, const struct chart_frame *frame,
                         struct chart_tag tag, double from, double to, double centre,
                         double half)
{
    struct chart_ink ink = chart_theme_rule(colour_of(sheet, tag.index), 0.8);
    double start = chart_frame_value(frame, from), end = chart_frame_value(frame, to);

    chart_sheet_line(sheet, tag, chart_frame_turned(frame, start, centre),
                     chart_frame_turned(frame, end, centre), ink);
    chart_sheet_line(sheet, tag, chart_frame_turned(frame, end, centre - half),
                     chart_frame_turned(frame, end, centre + half), ink);
}

static void draw_box(struct chart_sheet *sheet, const struct chart_frame *frame,
                     size_t index)
{
    const struct chart_box *box = &sheet->chart->boxes[index];
    const struct chart_axis *axis = frame->lying ? &frame->across.axis : &frame->up.axis;
    double centre = chart_frame_band(frame, frame->lying, index);
    double half = fmin(0.3 * chart_frame_band_width(frame), 14);
    struct chart_tag mark = {CHART_ROLE_MARK, 0, index},
                     whisker = {CHART_ROLE_INTERVAL, 0, index};

    if (isfinite(box->median)) {
        /* A box that reaches to 0 is drawn down to the end of a log scale. */
        if (axis->scale != CHART_LOG || box->low > 0)
            (void)chart_frame_shows(sheet, axis, box->low);
        sheet->left_out += box->hidden;
        draw_whisker(sheet, frame, whisker, box->first, box->low, centre, half / 2);
        draw_whisker(sheet, frame, whisker, box->third, box->high, centre, half / 2);
        draw_body(sheet, frame, mark, centre, half);
        draw_outliers(sheet, frame, (struct chart_tag){CHART_ROLE_MARK, 1, index},
                      centre);
    }
}

static void draw_count(struct chart_sheet *sheet, const struct chart_frame *frame,
                       size_t index)
{
    struct chart_tag tag = {CHART_ROLE_LABEL, 0, index};
    struct str text = count_text(&sheet->chart->boxes[index], sheet->arena);
    double centre = chart_frame_band(frame, frame->lying, index);

    if (frame->lying)
        chart_sheet_text(sheet, tag, text, &STYLE_NOTE,
                         (struct chart_point){sheet->width - CHART_SHEET_MARGIN, centre},
                         (struct chart_grip){1, 0.5});
    else if (frame->below > 0)
        chart_sheet_text(sheet, tag, text, &STYLE_NOTE,
                         (struct chart_point){centre, frame->below_top},
                         (struct chart_grip){0.5, 0});
}

void chart_boxes_draw(struct chart_sheet *sheet)
{
    struct chart_frame frame = {0};

    chart_sheet_title(sheet);
    set_frame(sheet, &frame);
    chart_frame_draw(sheet, &frame);
    for (size_t i = 0; i < sheet->chart->box_count; i++) {
        draw_box(sheet, &frame, i);
        draw_count(sheet, &frame, i);
    }
    chart_sheet_finish(sheet, frame.bottom);
}
