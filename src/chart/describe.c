/* What a figure shows, in words, for those who do not see it. Every line, curve and box
 * is named; a few values one by one, of many the range or how many more there are. */
#include <math.h>
#include <stdarg.h>

#include "chart/internal.h"

enum { VALUES_MAX = 24 };

struct writer {
    const struct chart *chart;
    struct arena arena;
    struct buf *out;
};

/* Values, which are doubles, stand where the format has a %. */
static void say(struct writer *writer, enum chart_number number, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    for (; *format != '\0'; format++)
        if (*format == '%')
            buf_add(writer->out,
                    chart_number_short(va_arg(values, double), number, &writer->arena));
        else
            buf_add_char(writer->out, *format);
    va_end(values);
}

/* "12 at 2015". */
static void add_point(struct writer *writer, const struct chart_series *series, size_t i)
{
    double x = series->x[i];

    say(writer, writer->chart->y_number, "% at ", series->y[i]);
    if (writer->chart->x_scale == CHART_YEARS)
        buf_add(writer->out, chart_year_name(x, writer->chart->x_parts, &writer->arena));
    else
        say(writer, writer->chart->x_number, "%", series->x[i]);
}

static void add_counted(struct writer *writer, size_t count, const char *one,
                        const char *many)
{
    buf_add_format(writer->out, "%zu %s", count, count == 1 ? one : many);
}

static void add_name(struct writer *writer, struct str name)
{
    if (name.len > 0)
        buf_add_format(writer->out, "%.*s: ", STR_ARG(name));
}

static void add_interval(struct writer *writer, const struct chart_series *series,
                         size_t i)
{
    if (series->low != NULL && series->high != NULL && !isnan(series->low[i]) &&
        !isnan(series->high[i]))
        say(writer, writer->chart->y_number, " [% to %]", series->low[i],
            series->high[i]);
}

/* The least and the greatest of all series. */
static void add_range(struct writer *writer)
{
    const struct chart *chart = writer->chart;
    double low = INFINITY, high = -INFINITY;

    for (size_t s = 0; s < chart->series_count; s++)
        for (size_t i = 0; i < chart->series[s].count; i++) {
            low = fmin(low, chart->series[s].y[i]);
            high = fmax(high, chart->series[s].y[i]);
        }
    if (low <= high)
        say(writer, chart->y_number, ". Values go from % to %", low, high);
}

/* "Caffe 2015": a category of a panel is nothing without it. */
static void add_panel(struct writer *writer, size_t category)
{
    const struct chart *chart = writer->chart;

    for (size_t p = 0; p < chart->panel_count; p++)
        if (category - chart->panels[p].first < chart->panels[p].count)
            buf_add_format(writer->out, "%.*s ", STR_ARG(chart->panels[p].name));
}

/* "A: x 3, y 4; B: x 5, y 6", or the range of many. */
static void add_categories(struct writer *writer)
{
    const struct chart *chart = writer->chart;

    if (chart->category_count * chart->series_count > VALUES_MAX) {
        add_range(writer);
        return;
    }
    for (size_t s = 0; s < chart->series_count; s++) {
        const struct chart_series *series = &chart->series[s];
        buf_add(writer->out, s > 0 ? STR("; ") : STR(". "));
        add_name(writer, series->name);
        for (size_t i = 0; i < chart->category_count; i++) {
            buf_add(writer->out, i > 0 ? STR(", ") : (struct str){0});
            add_panel(writer, i);
            buf_add_format(writer->out, "%.*s ", STR_ARG(chart->categories[i]));
            say(writer, chart->y_number, "%", series->y[i]);
            add_interval(writer, series, i);
        }
    }
}

static void describe_bars(struct writer *writer)
{
    const struct chart *chart = writer->chart;

    buf_add(writer->out, STR(", "));
    add_counted(writer, chart->category_count, "category", "categories");
    if (chart->series_count > 1) {
        buf_add(writer->out, STR(" by "));
        add_counted(writer, chart->series_count, "series", "series");
    }
    add_categories(writer);
}

static void add_ends(struct writer *writer, const struct chart_series *series)
{
    size_t first = 0, last = series->count, peak;

    while (first < series->count && isnan(series->y[first]))
        first++;
    while (last > first && isnan(series->y[last - 1]))
        last--;
    if (first == last) {
        buf_add(writer->out, STR("no values"));
        return;
    }
    peak = first;
    for (size_t i = first; i < last; i++)
        if (series->y[i] > series->y[peak])
            peak = i;
    add_point(writer, series, first);
    if (peak != first && peak + 1 != last) {
        buf_add(writer->out, STR(", at most "));
        add_point(writer, series, peak);
    }
    if (last - first > 1) {
        buf_add(writer->out, STR(", "));
        add_point(writer, series, last - 1);
    }
}

static void describe_lines(struct writer *writer)
{
    const struct chart *chart = writer->chart;

    buf_add(writer->out, STR(", "));
    add_counted(writer, chart->series_count, "line", "lines");
    for (size_t s = 0; s < chart->series_count; s++) {
        buf_add(writer->out, s > 0 ? STR("; ") : STR(". "));
        add_name(writer, chart->series[s].name);
        add_ends(writer, &chart->series[s]);
    }
}

static void describe_boxes(struct writer *writer)
{
    const struct chart *chart = writer->chart;

    for (size_t i = 0; i < chart->box_count; i++) {
        const struct chart_box *box = &chart->boxes[i];
        buf_add(writer->out, i > 0 ? STR("; ") : STR(". "));
        add_name(writer, box->name);
        if (box->n > 0)
            say(writer, chart->y_number, "median %, quartiles % and %, ", box->median,
                box->first, box->third);
        say(writer, CHART_PLAIN, "n = %", (double)box->n);
    }
}

static void describe_distribution(struct writer *writer)
{
    const struct chart *chart = writer->chart;

    for (size_t s = 0; s < chart->series_count; s++) {
        const struct chart_series *series = &chart->series[s];
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < series->count; i++) {
            low = fmin(low, series->x[i]);
            high = fmax(high, series->x[i]);
        }
        buf_add(writer->out, s > 0 ? STR("; ") : STR(". "));
        add_name(writer, series->name);
        add_counted(writer, series->count, "value", "values");
        if (low <= high)
            say(writer, chart->x_number, " from % to %", low, high);
    }
}

/* When half are left, or NAN. Where exactly half are left for a while it is the middle of
 * that, as in stats/survival.h. */
static double half_left(const struct chart_series *series)
{
    const double near = 1.5e-8;
    size_t half = 0;

    while (half < series->count && !(series->y[half] < 0.5 + near))
        half++;
    if (half == series->count)
        return NAN;
    for (size_t i = half; series->y[half] > 0.5 - near && i < series->count; i++)
        if (series->y[i] < series->y[half])
            return (series->x[half] + series->x[i]) / 2;
    return series->x[half];
}

static void describe_survival(struct writer *writer)
{
    const struct chart *chart = writer->chart;

    for (size_t s = 0; s < chart->series_count; s++) {
        const struct chart_series *series = &chart->series[s];
        double half = half_left(series);
        buf_add(writer->out, s > 0 ? STR("; ") : STR(". "));
        add_name(writer, series->name);
        if (series->at_risk != NULL && series->count > 0)
            say(writer, CHART_PLAIN, "n = %, ", series->at_risk[0]);
        if (!isnan(half))
            say(writer, chart->x_number, "half are left at %", half);
        else if (series->count > 0)
            say(writer, CHART_PERCENT, "% are left at the end",
                series->y[series->count - 1]);
        else
            buf_add(writer->out, STR("no values"));
    }
}

/* Rows are series; the largest value is where to look. */
static void describe_matrix(struct writer *writer)
{
    const struct chart *chart = writer->chart;
    size_t row = 0, column = 0;

    buf_add(writer->out, STR(", "));
    add_counted(writer, chart->series_count, "row", "rows");
    buf_add(writer->out, STR(" by "));
    add_counted(writer, chart->category_count, "column", "columns");
    add_range(writer);
    for (size_t s = 0; s < chart->series_count; s++)
        for (size_t c = 0; c < chart->category_count; c++)
            if (chart->series[s].y[c] > chart->series[row].y[column] ||
                isnan(chart->series[row].y[column])) {
                row = s;
                column = c;
            }
    if (chart->series_count > 0 && chart->category_count > 0)
        buf_add_format(writer->out, ", the largest at %.*s, %.*s",
                       STR_ARG(chart->series[row].name),
                       STR_ARG(chart->categories[column]));
}

static void describe_tree(struct writer *writer)
{
    const struct chart *chart = writer->chart;
    size_t named = 0;

    buf_add(writer->out, STR(", "));
    add_counted(writer, chart->node_count, "node", "nodes");
    for (size_t i = 0; i < chart->node_count && named < VALUES_MAX; i++) {
        if (chart->nodes[i].level > 0 && chart->node_count > VALUES_MAX)
            continue;
        buf_add_format(writer->out, "%s%.*s", named++ == 0 ? ". " : ", ",
                       STR_ARG(chart->nodes[i].name));
        if (!isnan(chart->nodes[i].share))
            say(writer, CHART_PERCENT, " %", chart->nodes[i].share);
    }
    if (named < chart->node_count)
        buf_add_format(writer->out, " and %zu more", chart->node_count - named);
}

static void describe_scatter(struct writer *writer)
{
    const struct chart *chart = writer->chart;
    size_t count = 0, named = 0;

    for (size_t s = 0; s < chart->series_count; s++)
        count += chart->series[s].count;
    buf_add(writer->out, STR(", "));
    add_counted(writer, count, "point", "points");
    if (chart->equal)
        buf_add(writer->out, STR(", and a line where both are equal"));
    for (size_t s = 0; s < chart->series_count; s++)
        for (size_t i = 0; i < chart->series[s].count && named < VALUES_MAX; i++) {
            if (chart->series[s].labels == NULL)
                continue;
            buf_add_format(writer->out, "%s%.*s (", named++ == 0 ? ". " : ", ",
                           STR_ARG(chart->series[s].labels[i]));
            say(writer, chart->x_number, "%, ", chart->series[s].x[i]);
            say(writer, chart->y_number, "%)", chart->series[s].y[i]);
        }
    if (named > 0 && named < count)
        buf_add_format(writer->out, " and %zu more", count - named);
}

/* "Box plot of minutes to accepted". */
static void add_axes(struct writer *writer)
{
    const struct chart *chart = writer->chart;
    struct str y = chart->y_title, x = chart->x_title;
    bool log = chart->x_scale == CHART_LOG || chart->y_scale == CHART_LOG;

    if (y.len > 0)
        buf_add_format(writer->out, " of %.*s", STR_ARG(y));
    if (x.len > 0)
        buf_add_format(writer->out, "%s%.*s", y.len > 0 ? " over " : " of ", STR_ARG(x));
    if (log)
        buf_add(writer->out, STR(" on a logarithmic scale"));
}

void chart_describe(const struct chart *chart, struct buf *out)
{
    static const struct {
        const char *name;
        void (*describe)(struct writer *writer);
    } kinds[] = {
        [CHART_BARS] = {"Bar chart", describe_bars},
        [CHART_BARS_STACKED] = {"Stacked bar chart", describe_bars},
        [CHART_BARS_FULL] = {"Bar chart of parts of 100%", describe_bars},
        [CHART_LINES] = {"Line chart", describe_lines},
        [CHART_BOXES] = {"Box plot", describe_boxes},
        [CHART_HISTOGRAM] = {"Histogram", describe_distribution},
        [CHART_ECDF] = {"Cumulative distribution", describe_distribution},
        [CHART_SURVIVAL] = {"Kaplan-Meier curves", describe_survival},
        [CHART_HEAT] = {"Heat map", describe_matrix},
        [CHART_FUNNEL] = {"Funnel", describe_bars},
        [CHART_TREE] = {"Tree", describe_tree},
        [CHART_ALLUVIAL] = {"Flow diagram", describe_matrix},
        [CHART_SCATTER] = {"Scatter plot", describe_scatter},
        [CHART_FOREST] = {"Estimates with intervals", describe_bars},
    };
    struct writer writer = {.chart = chart, .out = out};
    struct err ignored = {0};
    bool empty;

    buf_add_format(out, "%s", kinds[chart->kind].name);
    add_axes(&writer);
    if (!chart_check_chart(chart, &empty, &ignored) || empty)
        buf_add(out, STR(", no data"));
    else
        kinds[chart->kind].describe(&writer);
    buf_add_char(out, '.');
    if (chart->note.len > 0)
        buf_add_format(out, " %.*s", STR_ARG(chart->note));
    arena_free(&writer.arena);
}
