/* Whether a chart's numbers are what its kind needs. */
#include <math.h>

#include "chart/internal.h"

enum need {
    NEED_CATEGORIES = 1, /* a y for each category */
    NEED_X = 2,
    NEED_Y = 4,
    NEED_ONE_SERIES = 8,
    NEED_NOT_NEGATIVE = 16, /* parts of a whole */
    NEED_LINEAR = 32,       /* lengths stand for values */
    NEED_NO_LIMITS = 64,    /* it has no axis of values */
};

static const struct {
    const char *name;
    unsigned needs;
} kinds[] = {
    [CHART_BARS] = {"bars", NEED_CATEGORIES | NEED_LINEAR},
    [CHART_BARS_STACKED] = {"stacked bars",
                            NEED_CATEGORIES | NEED_NOT_NEGATIVE | NEED_LINEAR},
    [CHART_BARS_FULL] = {"bars of 100%", NEED_CATEGORIES | NEED_NOT_NEGATIVE |
                                             NEED_LINEAR | NEED_NO_LIMITS},
    [CHART_LINES] = {"lines", NEED_X | NEED_Y},
    [CHART_BOXES] = {"boxes", 0},
    [CHART_HISTOGRAM] = {"histogram", NEED_X | NEED_ONE_SERIES},
    [CHART_ECDF] = {"ecdf", NEED_X},
    [CHART_SURVIVAL] = {"survival", NEED_X | NEED_Y | NEED_NOT_NEGATIVE},
    [CHART_HEAT] = {"heat map", NEED_CATEGORIES},
    [CHART_FUNNEL] = {"funnel", NEED_CATEGORIES | NEED_ONE_SERIES | NEED_NOT_NEGATIVE |
                                    NEED_NO_LIMITS},
    [CHART_TREE] = {"tree", NEED_NO_LIMITS},
    [CHART_ALLUVIAL] = {"alluvial", NEED_CATEGORIES | NEED_NOT_NEGATIVE | NEED_NO_LIMITS},
    [CHART_SCATTER] = {"scatter", NEED_X | NEED_Y},
    [CHART_FOREST] = {"forest", NEED_CATEGORIES},
};

static bool any_finite(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]))
            return true;
    return false;
}

static bool check_arrays(const struct chart *chart, const struct chart_series *series,
                         struct err *err)
{
    const char *kind = kinds[chart->kind].name;
    unsigned needs = kinds[chart->kind].needs;

    if ((needs & NEED_CATEGORIES) && series->count != chart->category_count)
        return err_set(err, ERR_INPUT,
                       "%s: series '%.*s' has %zu values for %zu categories", kind,
                       STR_ARG(series->name), series->count, chart->category_count);
    if (series->count > 0 && (needs & NEED_X) && series->x == NULL)
        return err_set(err, ERR_INPUT, "%s: series '%.*s' has no x", kind,
                       STR_ARG(series->name));
    if (series->count > 0 && (needs & (NEED_Y | NEED_CATEGORIES)) && series->y == NULL)
        return err_set(err, ERR_INPUT, "%s: series '%.*s' has no y", kind,
                       STR_ARG(series->name));
    return true;
}

static bool check_series(const struct chart *chart, const struct chart_series *series,
                         struct err *err)
{
    unsigned needs = kinds[chart->kind].needs;

    if (!check_arrays(chart, series, err))
        return false;
    for (size_t i = 0; (needs & NEED_NOT_NEGATIVE) && i < series->count; i++)
        if (series->y[i] < 0)
            return err_set(err, ERR_INPUT,
                           "%s: value %zu of series '%.*s' is %g; a part of a whole "
                           "cannot be negative",
                           kinds[chart->kind].name, i + 1, STR_ARG(series->name),
                           series->y[i]);
    return true;
}

static bool check_box(const struct chart_box *box, struct err *err)
{
    double ends[] = {box->low, box->first, box->median, box->third, box->high};

    for (size_t i = 1; i < ROWS_OF(ends); i++)
        if (ends[i - 1] > ends[i])
            return err_set(err, ERR_INPUT,
                           "boxes: '%.*s' does not ascend from low to high",
                           STR_ARG(box->name));
    if (box->notch_low < box->notch_high &&
        (box->notch_low < box->first || box->notch_high > box->third))
        return err_set(err, ERR_INPUT, "boxes: the notch of '%.*s' leaves the box",
                       STR_ARG(box->name));
    return true;
}

static bool check_panels(const struct chart *chart, struct err *err)
{
    size_t next = 0;

    for (size_t i = 0; i < chart->panel_count; i++) {
        if (chart->panels[i].first != next || chart->panels[i].count == 0)
            return err_set(err, ERR_INPUT, "%s: panel '%.*s' begins at %zu, expected %zu",
                           kinds[chart->kind].name, STR_ARG(chart->panels[i].name),
                           chart->panels[i].first, next);
        next += chart->panels[i].count;
    }
    return chart->panel_count == 0 || next == chart->category_count ||
           err_set(err, ERR_INPUT, "%s: panels have %zu of %zu categories",
                   kinds[chart->kind].name, next, chart->category_count);
}

static bool check_nodes(const struct chart *chart, struct err *err)
{
    const double column_cm = 2.1; /* a short word and a share */
    double width_cm = chart->width_cm > 0 ? chart->width_cm : CHART_ONE_COLUMN_CM;
    int above = -1, deepest = 0;

    for (size_t i = 0; i < chart->node_count; i++) {
        const struct chart_node *node = &chart->nodes[i];
        if (node->level < 0 || node->level > above + 1)
            return err_set(
                err, ERR_INPUT,
                "tree: '%.*s' is at level %d, but nothing above it at level %d",
                STR_ARG(node->name), node->level, node->level - 1);
        if (node->level >= CHART_LEVELS_MAX)
            return err_set(err, ERR_INPUT, "tree: '%.*s' is deeper than %d levels",
                           STR_ARG(node->name), CHART_LEVELS_MAX);
        above = node->level;
        deepest = above > deepest ? above : deepest;
    }
    if (width_cm < column_cm * (deepest + 1))
        return err_set(err, ERR_INPUT, "tree: %d levels need a width of %g cm, not %g",
                       deepest + 1, column_cm * (deepest + 1), width_cm);
    return true;
}

static bool check_limits(const struct chart *chart, struct err *err)
{
    const char *kind = kinds[chart->kind].name;
    unsigned needs = kinds[chart->kind].needs;
    bool across = chart->kind == CHART_HISTOGRAM || chart->kind == CHART_ECDF ||
                  chart->kind == CHART_SURVIVAL;

    if (!chart->limited)
        return true;
    if (needs & NEED_NO_LIMITS)
        return err_set(err, ERR_INPUT, "%s: has no axis that could have limits", kind);
    if (!(chart->limit_low < chart->limit_high)) /* NAN fails, too */
        return err_set(err, ERR_INPUT, "%s: limits from %g to %g do not ascend", kind,
                       chart->limit_low, chart->limit_high);
    if ((needs & NEED_LINEAR) && (chart->limit_low > 0 || chart->limit_high < 0))
        return err_set(err, ERR_INPUT,
                       "%s: begin at 0, which limits from %g to %g leave out", kind,
                       chart->limit_low, chart->limit_high);
    if ((across ? chart->x_scale : chart->y_scale) == CHART_LOG && chart->limit_low <= 0)
        return err_set(err, ERR_INPUT, "%s: a log scale cannot begin at %g, only above 0",
                       kind, chart->limit_low);
    return true;
}

static bool check_counts(const struct chart *chart, struct err *err)
{
    const char *kind = kinds[chart->kind].name;
    unsigned needs = kinds[chart->kind].needs;
    size_t names = chart->kind == CHART_BOXES ? chart->box_count : chart->category_count;

    if (names > CHART_CATEGORIES_MAX)
        return err_set(err, ERR_INPUT,
                       "%s: %zu categories do not fit on a page, at most %d do; put the "
                       "rare ones together",
                       kind, names, CHART_CATEGORIES_MAX);
    if (chart->series_count > CHART_SERIES_MAX)
        return err_set(err, ERR_INPUT,
                       "%s: %zu series cannot be told apart, at most %d can", kind,
                       chart->series_count, CHART_SERIES_MAX);
    if ((needs & NEED_ONE_SERIES) && chart->series_count > 1)
        return err_set(err, ERR_INPUT, "%s: shows one series, not %zu", kind,
                       chart->series_count);
    if ((needs & NEED_LINEAR) && chart->y_scale == CHART_LOG)
        return err_set(err, ERR_INPUT,
                       "%s: a log scale has no 0 for bars to begin at; take boxes, lines "
                       "or a forest",
                       kind);
    /* Written so that NAN fails. */
    if (!(chart->width_cm == 0 || (chart->width_cm >= 5 && chart->width_cm <= 100)) ||
        !(chart->height_cm >= 0 && chart->height_cm <= 100))
        return err_set(err, ERR_INPUT,
                       "%s: a figure of %g by %g cm; widths are 5 .. 100 cm", kind,
                       chart->width_cm, chart->height_cm);
    return true;
}

static bool is_empty(const struct chart *chart)
{
    if (chart->kind == CHART_TREE)
        return chart->node_count == 0;
    for (size_t i = 0; chart->kind == CHART_BOXES && i < chart->box_count; i++)
        if (isfinite(chart->boxes[i].median))
            return false;
    for (size_t i = 0; chart->kind != CHART_BOXES && i < chart->series_count; i++) {
        const struct chart_series *series = &chart->series[i];
        bool by_x = kinds[chart->kind].needs & NEED_X;
        if (by_x && !any_finite(series->x, series->count))
            continue;
        if (!(kinds[chart->kind].needs & (NEED_Y | NEED_CATEGORIES)) ||
            any_finite(series->y, series->count))
            return false;
    }
    return true;
}

bool chart_check_chart(const struct chart *chart, bool *empty, struct err *err)
{
    if (!check_counts(chart, err) || !check_limits(chart, err))
        return false;
    for (size_t i = 0; i < chart->series_count; i++)
        if (!check_series(chart, &chart->series[i], err))
            return false;
    for (size_t i = 0; i < chart->box_count; i++)
        if (!check_box(&chart->boxes[i], err))
            return false;
    if (!check_panels(chart, err) ||
        (chart->kind == CHART_TREE && !check_nodes(chart, err)))
        return false;
    *empty = is_empty(chart);
    return true;
}
