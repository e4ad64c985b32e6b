/* Confusion between raters as a heat map. */
#include "base/file.h"
#include "chart/chart.h"
#include "cmd/agree.h"

struct drawing {
    const struct label_agree_report *report;
    struct arena *arena;
    double *counts; /* [a * code_count + b] */
    size_t *codes;  /* those that somebody used, where they can be compared */
    size_t count;
};

static void add_pairs(struct drawing *drawing)
{
    const struct label_agree_report *report = drawing->report;
    size_t k = report->data->code_count;
    bool two = report->pair_count == 1;

    for (size_t p = 0; p < report->pair_count; p++)
        for (size_t i = 0; report->pairs[p].table != NULL && i < k * k; i++) {
            double items = (double)report->pairs[p].table[i];
            drawing->counts[i] += items;
            if (!two)
                drawing->counts[i % k * k + i / k] += items;
        }
}

static void find_codes(struct drawing *drawing)
{
    size_t k = drawing->report->data->code_count;

    for (size_t a = 0; a < k; a++) {
        bool used = false;
        for (size_t b = 0; b < k; b++)
            used =
                used || drawing->counts[a * k + b] > 0 || drawing->counts[b * k + a] > 0;
        if (used)
            drawing->codes[drawing->count++] = a;
    }
}

static bool draw(const struct drawing *drawing, enum chart_format format, struct buf *out,
                 struct err *err)
{
    const struct label_agree_data *data = drawing->report->data;
    bool two = drawing->report->pair_count == 1;
    struct str *names = arena_array(drawing->arena, struct str, drawing->count + 1);
    struct chart_series *rows =
        arena_array(drawing->arena, struct chart_series, drawing->count + 1);

    for (size_t a = 0; a < drawing->count; a++) {
        double *y = arena_array(drawing->arena, double, drawing->count);
        names[a] = data->codes[drawing->codes[a]].path;
        for (size_t b = 0; b < drawing->count; b++)
            y[b] =
                drawing->counts[drawing->codes[a] * data->code_count + drawing->codes[b]];
        rows[a] =
            (struct chart_series){.name = names[a], .y = y, .count = drawing->count};
    }
    struct chart chart = {.kind = CHART_HEAT,
                          .x_title = two ? data->raters[drawing->report->pairs[0].second]
                                         : STR("another rater"),
                          .y_title = two ? data->raters[drawing->report->pairs[0].first]
                                         : STR("a rater"),
                          .width_cm = drawing->count > 8 ? CHART_TWO_COLUMNS_CM : 0,
                          .categories = names,
                          .category_count = drawing->count,
                          .series = rows,
                          .series_count = drawing->count};
    return chart_draw(&chart, format, out, err);
}

static bool find_format(const char *path, enum chart_format *out, struct err *err)
{
    static const struct {
        const char *end;
        enum chart_format format;
    } formats[] = {{".svg", CHART_SVG}, {".pdf", CHART_PDF}, {".png", CHART_PNG}};

    for (size_t i = 0; i < ROWS_OF(formats); i++)
        if (str_ends(str_from(path), str_from(formats[i].end))) {
            *out = formats[i].format;
            return true;
        }
    return err_set(err, ERR_USAGE,
                   "expected a name ending in .svg, .pdf or .png for --heat, found '%s'",
                   path);
}

static bool refuse_codes(size_t count, struct err *err)
{
    return err_set(err, ERR_INPUT, "a heat map shows up to %d codes; here are %zu",
                   (int)CHART_SERIES_MAX, count);
}

bool cmd_agree_draw(const struct label_agree_report *report, const char *path,
                    struct arena *arena, struct err *err)
{
    size_t k = report->data->code_count;
    struct drawing drawing = {.report = report, .arena = arena};
    enum chart_format format;
    struct buf out = {0};

    if (!find_format(path, &format, err))
        return false;
    if (report->pair_count > 0 && report->pairs[0].table == NULL)
        return refuse_codes(k, err);
    drawing.counts = arena_array(arena, double, report->pair_count > 0 ? k * k : 1);
    drawing.codes = arena_array(arena, size_t, k + 1);
    add_pairs(&drawing);
    if (report->pair_count > 0)
        find_codes(&drawing);
    if (drawing.count == 0)
        return err_set(
            err, ERR_INPUT,
            "there is nothing to draw: no item has two labels of one code each");
    if (drawing.count > CHART_SERIES_MAX)
        return refuse_codes(drawing.count, err);
    bool ok = draw(&drawing, format, &out, err) && file_write(path, buf_str(&out), err);
    buf_free(&out);
    return ok;
}
