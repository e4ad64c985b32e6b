/* Box plots: quartiles, whiskers, outliers, notches, and how many values each rests on.
 */
#include <math.h>

#include "chart/internal.h"

static struct str count_text(const struct chart_box *box, struct arena *arena)
{
    struct str count = number_fixed((double)box->n, 0, arena);

    return arena_format(arena, "n = %.*s", STR_ARG(count));
}

static double widest_count(struct sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    double width = 0;

    for (size_t i = 0; i < chart->box_count; i++) {
        struct str text = count_text(&chart->boxes[i], sheet->arena);
        width = fmax(width, sheet_measure(sheet, text, &STYLE_NOTE).width);
    }
    return width;
}

static const struct str *names_of(struct sheet *sheet)
{
    const struct chart *chart = sheet->chart;
    struct str *names = arena_array(sheet->arena, struct str, chart->box_count);

    for (size_t i = 0; i < chart->box_count; i++)
        names[i] = chart->boxes[i].name;
    return names;
}

static struct side values_side(const struct chart *chart)
{
    struct side side = {
        .title = chart->y_title,
        .axis = {.scale = chart->y_scale, .number = chart->y_number},
    };

    side_begin(&side);
    for (size_t i = 0; i < chart->box_count; i++) {
        const struct chart_box *box = &chart->boxes[i];
        double ends[] = {box->low, box->first, box->median, box->third, box->high};
        side_include(&side, ends, ROWS_OF(ends));
        side_include(&side, box->outliers, box->outlier_count);
    }
    side_settle(&side, false);
    return side;
}

static void set_frame(struct sheet *sheet, struct frame *frame)
{
    const struct chart *chart = sheet->chart;
    double band = (sheet_inner(sheet) - 40) / (double)chart->box_count;
    double counts = widest_count(sheet);
    struct side values = values_side(chart);
    struct side categories = {
        .title = chart->x_title,
        .names = names_of(sheet),
        .count = chart->box_count,
    };

    frame->lying = chart->direction == CHART_LYING;
    if (chart->direction == CHART_AUTO)
        frame->lying =
            counts > band - 2 ||
            !frame_names_fit(sheet, categories.names, categories.count, band, NULL);
    frame_lay(frame, &categories, &values);
    if (frame->lying) {
        frame->right = counts + SHEET_GAP;
        frame->row_min = 11;
        frame->plot_height = (double)chart->box_count * 18;
    } else {
        frame->below = counts > band - 2 ? 0 : 1.2 * STYLE_NOTE.size;
        frame->plot_height = fmin(0.6 * sheet->width, 200);
    }
}

/* The box as a path; with a notch it narrows at the median. */
static void draw_body(struct sheet *sheet, const struct frame *frame, struct tag tag,
                      double centre, double half)
{
    const struct chart_box *box = &sheet->chart->boxes[tag.index];
    bool notched = box->notch_low < box->notch_high;
    double waist = notched ? half / 2 : half;
    double first = frame_value(frame, box->first), third = frame_value(frame, box->third);
    double low = frame_value(frame, notched ? box->notch_low : box->median);
    double high = frame_value(frame, notched ? box->notch_high : box->median);
    double median = frame_value(frame, box->median);
    struct {
        double along, across;
    } corners[] = {
        {first, -half}, {low, -half}, {median, -waist}, {high, -half}, {third, -half},
        {third, half},  {high, half}, {median, waist},  {low, half},   {first, half},
    };
    struct point *points = sheet_points(sheet, ROWS_OF(corners));
    struct ink ink = theme_rule(theme_colour(0), 0.8);

    ink.fill = theme_mix(theme_colour(0), 0.25);
    for (size_t i = 0; i < ROWS_OF(corners); i++)
        points[i] = frame_turned(frame, corners[i].along, centre + corners[i].across);
    sheet_path(sheet, tag, points, ROWS_OF(corners), true, ink);
    sheet_line(sheet, tag, frame_turned(frame, median, centre - waist),
               frame_turned(frame, median, centre + waist), theme_rule(THEME_TEXT, 1.3));
}

/* Thousands of outliers fall onto few places: one ring for each half point is enough. */
static void draw_outliers(struct sheet *sheet, const struct frame *frame, struct tag tag,
                          double centre)
{
    const struct chart_box *box = &sheet->chart->boxes[tag.index];
    const struct axis *axis = frame->lying ? &frame->across.axis : &frame->up.axis;
    double start = fmin(axis->from, axis->to), length = fabs(axis->to - axis->from);
    bool *taken = arena_array(sheet->arena, bool, (size_t)(2 * length) + 2);
    struct ink ink = theme_rule(theme_colour(0), 0.5);

    for (size_t i = 0; i < box->outlier_count; i++) {
        double at = frame_value(frame, box->outliers[i]);
        size_t place = (size_t)(2 * (at - start));
        if (!frame_shows(sheet, axis, box->outliers[i]) || taken[place])
            continue;
        taken[place] = true;
        sheet_dot(sheet, tag, frame_turned(frame, at, centre), 1.2, SHAPE_CIRCLE, ink);
    }
}

static void draw_whisker(struct sheet *sheet, const struct frame *frame, struct tag tag,
                         double from, double to, double centre, double half)
{
    struct ink ink = theme_rule(theme_colour(0), 0.8);
    double start = frame_value(frame, from), end = frame_value(frame, to);

    sheet_line(sheet, tag, frame_turned(frame, start, centre),
               frame_turned(frame, end, centre), ink);
    sheet_line(sheet, tag, frame_turned(frame, end, centre - half),
               frame_turned(frame, end, centre + half), ink);
}

static void draw_box(struct sheet *sheet, const struct frame *frame, size_t index)
{
    const struct chart_box *box = &sheet->chart->boxes[index];
    const struct axis *axis = frame->lying ? &frame->across.axis : &frame->up.axis;
    double centre = frame_band(frame, frame->lying, index);
    double half = fmin(0.3 * frame_band_width(frame), 14);
    struct tag mark = {ROLE_MARK, 0, index}, whisker = {ROLE_INTERVAL, 0, index};

    if (isfinite(box->median)) {
        /* A box that reaches to 0 is drawn down to the end of a log scale. */
        (void)frame_shows(sheet, axis, box->low);
        draw_whisker(sheet, frame, whisker, box->first, box->low, centre, half / 2);
        draw_whisker(sheet, frame, whisker, box->third, box->high, centre, half / 2);
        draw_body(sheet, frame, mark, centre, half);
        draw_outliers(sheet, frame, (struct tag){ROLE_MARK, 1, index}, centre);
    }
}

static void draw_count(struct sheet *sheet, const struct frame *frame, size_t index)
{
    struct tag tag = {ROLE_LABEL, 0, index};
    struct str text = count_text(&sheet->chart->boxes[index], sheet->arena);
    double centre = frame_band(frame, frame->lying, index);

    if (frame->lying)
        sheet_text(sheet, tag, text, &STYLE_NOTE,
                   (struct point){sheet->width - SHEET_MARGIN, centre},
                   (struct grip){1, 0.5});
    else if (frame->below > 0)
        sheet_text(sheet, tag, text, &STYLE_NOTE,
                   (struct point){centre, frame->below_top}, (struct grip){0.5, 0});
}

void boxes_draw(struct sheet *sheet)
{
    struct frame frame = {0};

    sheet_title(sheet);
    set_frame(sheet, &frame);
    frame_draw(sheet, &frame);
    for (size_t i = 0; i < sheet->chart->box_count; i++) {
        draw_box(sheet, &frame, i);
        draw_count(sheet, &frame, i);
    }
    sheet_finish(sheet, frame.bottom);
}
