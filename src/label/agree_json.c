/* A report for programs: every number of it, undefined ones as null with the reason. */
#include <math.h>

#include "label/agree.h"

static void json_text(struct buf *out, struct str text)
{
    buf_add_char(out, '"');
    buf_add_json(out, text);
    buf_add_char(out, '"');
}

static void json_number(struct buf *out, const char *key, double value)
{
    buf_add_format(out, "\"%s\":", key);
    if (isnan(value))
        buf_add(out, STR("null"));
    else
        buf_add_format(out, "%.12g", value);
}

static void json_interval(struct buf *out, double error, double low, double high)
{
    json_number(out, "error", error);
    buf_add_char(out, ',');
    json_number(out, "low", low);
    buf_add_char(out, ',');
    json_number(out, "high", high);
}

static void json_coefficient(struct buf *out, const char *key,
                             const struct stats_agreement *agreement)
{
    buf_add_format(out, ",\"%s\":{", key);
    json_number(out, "value", agreement->value);
    if (agreement->undefined != NULL) {
        buf_add(out, STR(",\"undefined\":"));
        json_text(out, str_from(agreement->undefined));
    } else {
        buf_add(out, STR(",\"word\":"));
        json_text(out, str_from(stats_agree_word(agreement->value)));
    }
    if (agreement->interval_undefined == NULL) {
        buf_add_char(out, ',');
        json_interval(out, agreement->std_error, agreement->low, agreement->high);
    }
    buf_add_char(out, '}');
}

/* How many labels have no place in the order, by code; "" are several codes at once. */
static void json_outside(const struct label_agree_data *data, struct buf *out)
{
    bool any = false;

    buf_add(out, STR(",\"outside\":{"));
    for (size_t i = 0; i <= data->code_count; i++) {
        size_t count = label_agree_outside(data, i);
        if (count == 0)
            continue;
        buf_add(out, any ? STR(",") : STR(""));
        json_text(out, i < data->code_count ? data->codes[i].path : STR(""));
        buf_add_format(out, ":%zu", count);
        any = true;
    }
    buf_add_char(out, '}');
}

/* Of the whole: what resampling gives, and what needs an order. */
static void json_estimates(const struct label_agree_report *report, struct buf *out)
{
    const struct label_agree_order *order = &report->data->order;

    if (order->count > 0) {
        buf_add(out, STR(",\"order\":["));
        for (size_t i = 0; i < order->count; i++) {
            if (i > 0)
                buf_add_char(out, ',');
            json_text(out, order->names[i]);
        }
        buf_add_char(out, ']');
        json_outside(report->data, out);
    }
    for (int i = LABEL_AGREE_ORDERED; order->count > 0 && i < LABEL_AGREE_COEFFICIENTS;
         i++)
        json_coefficient(out, label_agree_key((enum label_agree_coefficient)i),
                         &report->estimates[i].agreement);
    buf_add(out, STR(",\"resampled\":{"));
    for (int i = 0, added = 0; i < LABEL_AGREE_COEFFICIENTS; i++) {
        const struct label_agree_estimate *estimate = &report->estimates[i];
        if (estimate->undefined != NULL)
            continue;
        buf_add_format(out, "%s\"%s\":{", added++ > 0 ? "," : "",
                       label_agree_key((enum label_agree_coefficient)i));
        json_interval(out, estimate->std_error, estimate->low, estimate->high);
        buf_add_char(out, '}');
    }
    buf_add_char(out, '}');
    if (report->chosen)
        buf_add_format(out, ",\"chosen\":\"%s\"", label_agree_key(report->choice));
}

/* The members of an object that is open. */
static void json_measures(struct buf *out, const struct label_agree_measures *measures)
{
    buf_add_format(out, "\"items\":%zu,\"labels\":%zu,\"raters\":%zu,", measures->items,
                   measures->labels, measures->raters);
    json_number(out, "observed", measures->observed);
    json_coefficient(out, "cohen", &measures->cohen);
    json_coefficient(out, "fleiss", &measures->fleiss);
    json_coefficient(out, measures->sets ? "alpha-masi" : "alpha", &measures->alpha);
    json_coefficient(out, "ac1", &measures->ac1);
    json_coefficient(out, "brennan-prediger", &measures->brennan_prediger);
    if (measures->warning != NULL) {
        buf_add(out, STR(",\"note\":"));
        json_text(out, str_from(measures->warning));
    }
}

static void json_begin(struct buf *out, const char *key, size_t i)
{
    if (i == 0)
        buf_add_format(out, ",\"%s\":[", key);
    else
        buf_add_char(out, ',');
    buf_add_char(out, '{');
}

static void json_end(struct buf *out, const char *key, size_t count)
{
    if (count == 0)
        buf_add_format(out, ",\"%s\":[", key);
    buf_add_char(out, ']');
}

static void json_parts(const struct label_agree_report *report, struct buf *out)
{
    for (size_t i = 0; i < report->checkpoint_count; i++) {
        json_begin(out, "checkpoints", i);
        json_number(out, "share", report->checkpoints[i].share);
        buf_add_char(out, ',');
        json_measures(out, &report->checkpoints[i].measures);
        buf_add_char(out, '}');
    }
    json_end(out, "checkpoints", report->checkpoint_count);
    for (size_t i = 0; i < report->level_count; i++) {
        json_begin(out, "levels", i);
        buf_add_format(out, "\"level\":%d,", report->levels[i].level);
        json_measures(out, &report->levels[i].measures);
        buf_add_char(out, '}');
    }
    json_end(out, "levels", report->level_count);
    for (size_t i = 0; i < report->code_count; i++) {
        const struct label_agree_code *code = &report->data->codes[report->codes[i].code];
        json_begin(out, "codes", i);
        buf_add(out, STR("\"code\":"));
        json_text(out, code->path);
        buf_add(out, STR(",\"name\":"));
        json_text(out, code->name);
        buf_add_format(out, ",\"given\":%lld,", (long long)report->codes[i].given);
        json_measures(out, &report->codes[i].measures);
        buf_add_char(out, '}');
    }
    json_end(out, "codes", report->code_count);
}

/* Only cells that are not empty, as [first's code, second's code, items]. */
static void json_table(const struct label_agree_data *data, const int64_t *table,
                       struct buf *out)
{
    bool first = true;

    buf_add(out, STR(",\"table\":["));
    for (size_t i = 0; table != NULL && i < data->code_count * data->code_count; i++) {
        if (table[i] == 0)
            continue;
        buf_add_format(out, "%s[", first ? "" : ",");
        first = false;
        json_text(out, data->codes[i / data->code_count].path);
        buf_add_char(out, ',');
        json_text(out, data->codes[i % data->code_count].path);
        buf_add_format(out, ",%lld]", (long long)table[i]);
    }
    buf_add_char(out, ']');
}

static void json_pairs(const struct label_agree_report *report, struct buf *out)
{
    for (size_t i = 0; i < report->pair_count; i++) {
        const struct label_agree_pair *pair = &report->pairs[i];
        json_begin(out, "pairs", i);
        buf_add(out, STR("\"first\":"));
        json_text(out, report->data->raters[pair->first]);
        buf_add(out, STR(",\"second\":"));
        json_text(out, report->data->raters[pair->second]);
        buf_add_char(out, ',');
        json_measures(out, &pair->measures);
        json_table(report->data, pair->table, out);
        buf_add_char(out, '}');
    }
    json_end(out, "pairs", report->pair_count);
}

static void json_items(const struct label_agree_report *report, const char *key,
                       const struct label_agree_item *items, size_t count,
                       struct buf *out)
{
    for (size_t i = 0; i < count; i++) {
        json_begin(out, key, i);
        buf_add(out, STR("\"item\":"));
        json_text(out, report->data->items[items[i].item]);
        buf_add_char(out, ',');
        json_number(out, "seconds", items[i].seconds);
        buf_add_char(out, ',');
        json_number(out, "disagreement", items[i].disagreement);
        buf_add_char(out, '}');
    }
    json_end(out, key, count);
}

static void json_rater(const struct label_agree_report *report, const char *key,
                       size_t rater, struct buf *out)
{
    buf_add_format(out, "\"%s\":", key);
    json_text(out, report->data->raters[rater]);
    buf_add_char(out, ',');
}

/* All pairs together come last, without raters. */
static void json_units(const struct label_agree_report *report, struct buf *out)
{
    for (size_t i = 0; i < report->unit_count; i++) {
        const struct label_agree_units *units = &report->units[i];
        json_begin(out, "units", i);
        if (units->first != LABEL_AGREE_NONE) {
            json_rater(report, "first", units->first, out);
            json_rater(report, "second", units->second, out);
        }
        buf_add_format(out,
                       "\"items\":%lld,\"first_units\":%lld,\"second_units\":%lld,"
                       "\"matched\":%lld,",
                       (long long)units->items, (long long)units->first_units,
                       (long long)units->second_units, (long long)units->matched);
        json_number(out, "f1", units->f1);
        buf_add_char(out, '}');
    }
    if (report->unit_count > 0)
        json_end(out, "units", report->unit_count);
}

static void json_among(const struct label_agree_report *report, struct buf *out)
{
    for (size_t i = 0; i < report->among_count; i++) {
        json_begin(out, "parts", i);
        buf_add(out, STR("\"part\":"));
        json_text(out, report->among[i].name);
        buf_add_char(out, ',');
        json_measures(out, &report->among[i].measures);
        buf_add_char(out, '}');
    }
    if (report->among_count > 0)
        json_end(out, "parts", report->among_count);
}

void label_agree_json(const struct label_agree_report *report, struct buf *out)
{
    buf_add_char(out, '{');
    json_measures(out, &report->all);
    json_estimates(report, out);
    json_parts(report, out);
    json_pairs(report, out);
    json_units(report, out);
    json_among(report, out);
    for (size_t i = 0; i < report->saturation_count; i++) {
        json_begin(out, "saturation", i);
        buf_add_format(out, "\"items\":%zu,\"codes\":%zu}", report->saturation[i].items,
                       report->saturation[i].codes);
    }
    json_end(out, "saturation", report->saturation_count);
    json_items(report, "slowest", report->slowest, report->slowest_count, out);
    json_items(report, "disputed", report->disputed, report->disputed_count, out);
    buf_add_char(out, '}');
}
