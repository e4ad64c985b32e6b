/* Figures that show the values of items: boxes, distributions, waiting times. */
#include <math.h>

#include "measure/quantity.h"
#include "report/internal.h"
#include "stats/survival.h"
#include "stats/values.h"

enum { OUTLIERS_MAX = 200 };

static bool open_quantity(struct report_figure_maker *maker, struct measure_quantity *out)
{
    return measure_quantity_open(maker->inputs->frame, &maker->figure->on, -1, out,
                                 maker->err);
}

/* The quantity, and a series for each side. */
static bool open_series(struct report_figure_maker *maker,
                        struct measure_quantity *quantity, struct chart_series **out)
{
    size_t count = maker->inputs->side_count;

    *out = arena_array(maker->arena, struct chart_series, count + 1);
    maker->out->series = *out;
    maker->out->series_count = count;
    maker->out->x_title = maker->figure->on_text;
    maker->out->x_scale = maker->figure->log_scale ? CHART_LOG : CHART_LINEAR;
    return open_quantity(maker, quantity);
}

static struct stats_values side_values(struct report_figure_maker *maker,
                                       const struct measure_quantity *quantity,
                                       size_t side)
{
    int64_t negative = 0;

    return measure_quantity_values(quantity, maker->inputs->sides[side].bits,
                                   maker->arena, &negative);
}

/* The interval of the median that two notches can be compared by: McGill, Tukey and
 * Larsen, The American Statistician 32, 1978. On a log scale of the logarithms. */
static void set_notch(struct chart_box *box, bool log_scale)
{
    double width = 1.57 / sqrt((double)box->n);

    if (log_scale && box->first > 0) {
        double factor = exp(width * log(box->third / box->first));
        box->notch_low = box->median / factor;
        box->notch_high = box->median * factor;
        return;
    }
    box->notch_low = box->median - width * (box->third - box->first);
    box->notch_high = box->median + width * (box->third - box->first);
}

static struct chart_box box_of(struct report_figure_maker *maker, struct str name,
                               struct stats_values values)
{
    struct stats_values sorted = stats_values_sorted(values, maker->arena);
    struct stats_describe all = stats_describe(values, maker->arena);
    struct chart_box box = {.name = name, .n = (int64_t)values.count};
    double reach = 1.5 * (all.q3 - all.q1);
    double *outliers = arena_array(maker->arena, double, OUTLIERS_MAX + 1);

    if (all.undefined != NULL)
        return box;
    box.first = all.q1;
    box.median = all.median;
    box.third = all.q3;
    box.low = all.q1;
    box.high = all.q3;
    for (size_t i = 0; i < sorted.count; i++) {
        double value = sorted.at[i];
        bool inside = value >= all.q1 - reach && value <= all.q3 + reach;
        if (inside && value < box.low)
            box.low = value;
        if (inside && value > box.high)
            box.high = value;
        /* Of very many the outermost are shown. */
        size_t from_end = sorted.count - 1 - i;
        if (!inside && box.outlier_count < OUTLIERS_MAX &&
            (i < OUTLIERS_MAX / 2 || from_end < OUTLIERS_MAX / 2))
            outliers[box.outlier_count++] = value;
    }
    set_notch(&box, maker->figure->log_scale);
    box.outliers = outliers;
    return box;
}

bool report_figure_boxes(struct report_figure_maker *maker)
{
    struct measure_quantity quantity;
    size_t count = maker->inputs->side_count;
    struct chart_box *boxes = arena_array(maker->arena, struct chart_box, count + 1);

    if (!open_quantity(maker, &quantity))
        return false;
    for (size_t i = 0; i < count; i++)
        boxes[i] =
            box_of(maker, maker->inputs->sides[i].name, side_values(maker, &quantity, i));
    maker->out->boxes = boxes;
    maker->out->box_count = count;
    maker->out->y_title = maker->figure->on_text;
    maker->out->y_scale = maker->figure->log_scale ? CHART_LOG : CHART_LINEAR;
    return true;
}

bool report_figure_distribution(struct report_figure_maker *maker)
{
    bool histogram = maker->figure->kind == STUDY_HISTOGRAM;
    size_t count = maker->inputs->side_count;
    struct chart_series *series;
    struct measure_quantity quantity;

    if (!open_series(maker, &quantity, &series))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct stats_values values = side_values(maker, &quantity, i);
        series[i] = (struct chart_series){.name = count > 1 ? maker->inputs->sides[i].name
                                                            : (struct str){0},
                                          .x = values.at,
                                          .count = values.count};
    }
    maker->out->series_count = histogram && count > 0 ? 1 : count;
    maker->out->y_title = histogram ? STR("items") : STR("share of items");
    return true;
}

static struct chart_series curve_of(struct report_figure_maker *maker,
                                    const struct report_figure_side *side,
                                    const struct measure_quantity *quantity)
{
    size_t count;
    struct stats_survival_case *cases =
        measure_quantity_waits(quantity, side->bits, maker->arena, &count);
    struct stats_survival curve = stats_survival_curve(cases, count, 0.95, maker->arena);
    double *numbers[5];

    for (size_t n = 0; n < ROWS_OF(numbers); n++)
        numbers[n] = arena_array(maker->arena, double, curve.count + 1);
    for (size_t i = 0; i < curve.count; i++) {
        numbers[0][i] = curve.steps[i].time;
        numbers[1][i] = curve.steps[i].left;
        numbers[2][i] = curve.steps[i].low;
        numbers[3][i] = curve.steps[i].high;
        numbers[4][i] = (double)curve.steps[i].at_risk;
    }
    return (struct chart_series){.name = side->name,
                                 .x = numbers[0],
                                 .y = numbers[1],
                                 .low = numbers[2],
                                 .high = numbers[3],
                                 .at_risk = numbers[4],
                                 .count = curve.count};
}

bool report_figure_survival(struct report_figure_maker *maker)
{
    struct chart_series *series;
    struct measure_quantity quantity;

    if (!open_series(maker, &quantity, &series))
        return false;
    for (size_t i = 0; i < maker->inputs->side_count; i++)
        series[i] = curve_of(maker, &maker->inputs->sides[i], &quantity);
    maker->out->y_title = STR("still waiting");
    maker->out->y_number = CHART_PERCENT;
    return true;
}
