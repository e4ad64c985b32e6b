/* A report for people. */
#include <math.h>

#include "label/agree.h"

/* What four digits cannot tell from 0 is 0, and neither -0.0000 nor poor. */
static double shown(double value)
{
    return fabs(value) < 0.00005 ? 0 : value;
}

static void add_number(struct buf *out, double value)
{
    if (isnan(value))
        buf_add_format(out, " %9s", "-");
    else
        buf_add_format(out, " %9.4f", shown(value));
}

static void add_interval(struct buf *out, const char *undefined, double low, double high)
{
    struct buf text = {0};

    if (undefined == NULL)
        buf_add_format(&text, "[%.4f, %.4f]", shown(low), shown(high));
    buf_add_format(out, "  %-18.*s", STR_ARG(buf_str(&text)));
    buf_free(&text);
}

static void add_coefficient(struct buf *out, const char *name,
                            const struct label_agree_estimate *estimate)
{
    const struct stats_agreement *agreement = &estimate->agreement;

    buf_add_format(out, "%-22s", name);
    if (agreement->undefined != NULL) {
        buf_add_format(out, " undefined: %s\n", agreement->undefined);
        return;
    }
    add_number(out, agreement->value);
    add_interval(out, agreement->interval_undefined, agreement->low, agreement->high);
    add_interval(out, estimate->undefined, estimate->low, estimate->high);
    buf_add_format(out, "  %s\n", stats_agree_word(shown(agreement->value)));
}

/* Alpha's distance is another one between sets of codes. */
static const char *name_of(const struct label_agree_report *report,
                           enum label_agree_coefficient which)
{
    return which == LABEL_AGREE_ALPHA && report->all.sets ? "Krippendorff's a. MASI"
                                                          : label_agree_name(which);
}

/* Why some have no interval; by resampling once, since it is most often the same. */
static void add_missing_interval(const struct label_agree_report *report, struct buf *out)
{
    const struct stats_agreement *cohen = &report->estimates[LABEL_AGREE_COHEN].agreement;

    if (cohen->undefined == NULL && cohen->interval_undefined != NULL)
        buf_add_format(out, "note: Cohen's kappa has no interval: %s\n",
                       cohen->interval_undefined);
    for (int i = 0; i < LABEL_AGREE_COEFFICIENTS; i++) {
        const struct label_agree_estimate *estimate = &report->estimates[i];
        if (estimate->agreement.undefined == NULL && estimate->undefined != NULL) {
            buf_add_format(out, "note: some have no interval by resampling: %s\n",
                           estimate->undefined);
            return;
        }
    }
}

static void add_coefficients(const struct label_agree_report *report, int from, int to,
                             struct buf *out)
{
    for (int i = from; i < to; i++)
        add_coefficient(out, name_of(report, (enum label_agree_coefficient)i),
                        &report->estimates[i]);
}

static void add_chosen(const struct label_agree_report *report, struct buf *out)
{
    if (!report->chosen)
        return;
    add_coefficient(out, name_of(report, report->choice),
                    &report->estimates[report->choice]);
    buf_add(out, STR("note: a coefficient that is chosen when the labels are known can "
                     "be chosen for its\nvalue; say when it was, and look at all of "
                     "them:\n\n"));
}

/* Labels that have no place in the order, by code: they do not count. */
static void add_outside(const struct label_agree_data *data, struct buf *out)
{
    size_t outside = label_agree_outside(data, LABEL_AGREE_NONE), told = 0;

    if (outside == 0)
        return;
    buf_add_format(out,
                   "note: %zu label%s outside of that order do%s not count: ", outside,
                   outside == 1 ? "" : "s", outside == 1 ? "es" : "");
    for (size_t i = 0; i < data->code_count; i++) {
        size_t count = label_agree_outside(data, i);
        if (count > 0)
            buf_add_format(out, "%s%.*s (%zu)", told++ > 0 ? ", " : "",
                           STR_ARG(data->codes[i].path), count);
    }
    size_t several = label_agree_outside(data, data->code_count);
    if (several > 0)
        buf_add_format(out, "%sseveral codes at once (%zu)", told > 0 ? ", " : "",
                       several);
    buf_add_char(out, '\n');
}

static void add_ordered(const struct label_agree_report *report, struct buf *out)
{
    const struct label_agree_order *order = &report->data->order;

    if (order->count == 0)
        return;
    buf_add(out, STR("\nif the labels are ordered: "));
    for (size_t i = 0; i < order->count; i++)
        buf_add_format(out, "%s%.*s", i > 0 ? " < " : "", STR_ARG(order->names[i]));
    buf_add_char(out, '\n');
    add_coefficients(report, LABEL_AGREE_ORDERED, LABEL_AGREE_COEFFICIENTS, out);
    add_outside(report->data, out);
}

/* How far raters mark the same units comes before what they say of those they share. */
static void add_units(const struct label_agree_report *report, struct buf *out)
{
    if (report->unit_count == 0)
        return;
    buf_add_format(out, "%-30s %9s %9s %9s %9s %9s\n", "same units, by pair of raters",
                   "items", "first's", "second's", "matched", "F1");
    for (size_t i = 0; i < report->unit_count; i++) {
        const struct label_agree_units *units = &report->units[i];
        struct buf name = {0};
        if (units->first == LABEL_AGREE_NONE)
            buf_add(&name, STR("all pairs"));
        else
            buf_add_format(&name, "%.*s, %.*s",
                           STR_ARG(report->data->raters[units->first]),
                           STR_ARG(report->data->raters[units->second]));
        buf_add_format(out, "%-30.*s %9lld %9lld %9lld %9lld", STR_ARG(buf_str(&name)),
                       (long long)units->items, (long long)units->first_units,
                       (long long)units->second_units, (long long)units->matched);
        add_number(out, units->f1);
        buf_add_char(out, '\n');
        buf_free(&name);
    }
    buf_add(out, STR("\nlabels of units that two raters or more have marked:\n"));
}

/* Codes of a codebook are spelt as it has them; in a csv anything may stand. */
static void add_spellings(const struct label_agree_data *data, struct buf *out)
{
    for (size_t i = 0; i < data->code_count; i++)
        for (size_t j = i + 1; j < data->code_count; j++)
            if (str_eq_letters(data->codes[i].path, data->codes[j].path))
                buf_add_format(out,
                               "note: the labels '%.*s' and '%.*s' differ only in case "
                               "and count as two\n",
                               STR_ARG(data->codes[i].path),
                               STR_ARG(data->codes[j].path));
}

static void add_whole(const struct label_agree_report *report, struct buf *out)
{
    const struct label_agree_measures *all = &report->all;

    if (report->data->whole_of != NULL)
        buf_add_format(out,
                       "labels %zu, raters %zu, items %zu, units %zu; %zu of the units "
                       "have two labels or more\n\n",
                       report->data->label_count, report->data->rater_count,
                       report->data->whole_count, report->data->item_count, all->items);
    else
        buf_add_format(out,
                       "labels %zu, raters %zu, items %zu; %zu of the items have two "
                       "labels or more\n\n",
                       report->data->label_count, report->data->rater_count,
                       report->data->item_count, all->items);
    add_units(report, out);
    add_chosen(report, out);
    buf_add_format(out, "%-32s  %-18s  %s\n", "", "by formula", "by resampling");
    buf_add_format(out, "%-22s", "observed agreement");
    add_number(out, all->observed);
    buf_add_char(out, '\n');
    add_coefficients(report, 0, LABEL_AGREE_ORDERED, out);
    add_missing_interval(report, out);
    if (all->warning != NULL)
        buf_add_format(out, "note: %s\n", all->warning);
    if (all->few != NULL && all->few != all->warning)
        buf_add_format(out, "note: %s\n", all->few);
    add_spellings(report->data, out);
    add_ordered(report, out);
}

void label_agree_head(const char *what, bool units, struct buf *out)
{
    buf_add_format(out, "\n%-30s %9s %9s %9s %9s %9s\n", what, label_agree_counted(units),
                   "observed", "kappa", "alpha", "AC1");
}

/* Kappa is Cohen's for two raters, also where it is undefined, else Fleiss'. */
void label_agree_row(const struct label_agree_measures *measures, struct buf *out)
{
    bool two = measures->cohen.undefined == NULL || measures->raters <= 2;

    buf_add_format(out, " %9zu", measures->items);
    add_number(out, measures->observed);
    add_number(out, two ? measures->cohen.value : measures->fleiss.value);
    add_number(out, measures->alpha.value);
    add_number(out, measures->ac1.value);
    buf_add_char(out, '\n');
}

static void add_parts(const struct label_agree_report *report, struct buf *out)
{
    bool units = report->data->whole_of != NULL;

    if (report->checkpoint_count > 0)
        label_agree_head("checkpoint", units, out);
    for (size_t i = 0; i < report->checkpoint_count; i++) {
        buf_add_format(out, "%29.4g%%", report->checkpoints[i].share * 100);
        label_agree_row(&report->checkpoints[i].measures, out);
    }
    if (report->level_count > 0)
        label_agree_head("level of the tree", units, out);
    for (size_t i = 0; i < report->level_count; i++) {
        buf_add_format(out, "%-30d", report->levels[i].level);
        label_agree_row(&report->levels[i].measures, out);
    }
    if (report->code_count > 0)
        label_agree_head("code", units, out);
    for (size_t i = 0; i < report->code_count; i++) {
        struct str path = report->data->codes[report->codes[i].code].path;
        buf_add_format(out, "%-30.*s", STR_ARG(path));
        label_agree_row(&report->codes[i].measures, out);
    }
    if (report->pair_count > 1)
        label_agree_head("pair of raters", units, out);
    for (size_t i = 0; report->pair_count > 1 && i < report->pair_count; i++) {
        const struct label_agree_pair *pair = &report->pairs[i];
        struct buf name = {0};
        buf_add_format(&name, "%.*s, %.*s", STR_ARG(report->data->raters[pair->first]),
                       STR_ARG(report->data->raters[pair->second]));
        buf_add_format(out, "%-30.*s", STR_ARG(buf_str(&name)));
        label_agree_row(&pair->measures, out);
        buf_free(&name);
    }
}

/* The cells off the diagonal, in the order of the codes. */
static void add_confusions(const struct label_agree_report *report, struct buf *out)
{
    const struct label_agree_data *data = report->data;

    for (size_t p = 0; p < report->pair_count; p++) {
        const struct label_agree_pair *pair = &report->pairs[p];
        bool head = false;
        for (size_t i = 0; pair->table != NULL && i < data->code_count * data->code_count;
             i++) {
            size_t a = i / data->code_count, b = i % data->code_count;
            if (a == b || pair->table[i] == 0)
                continue;
            if (!head)
                buf_add_format(out, "\nconfused: %.*s said, %.*s said, %s\n",
                               STR_ARG(data->raters[pair->first]),
                               STR_ARG(data->raters[pair->second]),
                               label_agree_counted(data->whole_of != NULL));
            head = true;
            buf_add_format(out, "  %.*s, %.*s, %lld\n", STR_ARG(data->codes[a].path),
                           STR_ARG(data->codes[b].path), (long long)pair->table[i]);
        }
    }
}

static void add_items(const struct label_agree_report *report, struct buf *out)
{
    const char *counted = label_agree_counted(report->data->whole_of != NULL);

    if (report->saturation_count > 0) {
        buf_add_format(out, "\nsaturation: codes used after so many %s\n ", counted);
        for (size_t i = 0; i < report->saturation_count; i++)
            buf_add_format(out, " %zu/%zu", report->saturation[i].codes,
                           report->saturation[i].items);
        buf_add_char(out, '\n');
    }
    if (report->disputed_count > 0)
        buf_add_format(out, "\nmost disputed %s: share of pairs that differ\n", counted);
    for (size_t i = 0; i < report->disputed_count; i++)
        buf_add_format(out, "  %.*s %.4f\n",
                       STR_ARG(report->data->items[report->disputed[i].item]),
                       report->disputed[i].disagreement);
    if (report->slowest_count > 0)
        buf_add_format(out, "\nslowest %s: seconds, mean of the raters\n", counted);
    for (size_t i = 0; i < report->slowest_count; i++)
        buf_add_format(out, "  %.*s %.1f\n",
                       STR_ARG(report->data->items[report->slowest[i].item]),
                       report->slowest[i].seconds);
}

static void add_among(const struct label_agree_report *report, struct buf *out)
{
    if (report->among_count > 0)
        label_agree_head("part", report->data->whole_of != NULL, out);
    for (size_t i = 0; i < report->among_count; i++) {
        buf_add_format(out, "%-30.*s", STR_ARG(report->among[i].name));
        label_agree_row(&report->among[i].measures, out);
    }
}

void label_agree_text(const struct label_agree_report *report, struct buf *out)
{
    add_whole(report, out);
    add_among(report, out);
    add_parts(report, out);
    add_confusions(report, out);
    add_items(report, out);
}
