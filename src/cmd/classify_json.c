/* What assay classify shows with --json: an object a method, on a line of its own. */
#include "cmd/classify.h"

#include <math.h>

#include "learn/score.h"

static void add_number(struct buf *out, double value)
{
    if (isnan(value))
        buf_add(out, STR("null"));
    else
        buf_add_format(out, "%.6f", value);
}

/* [estimate, low, high] */
static void add_three(struct buf *out, const char *name, double estimate, double low,
                      double high)
{
    const double values[] = {estimate, low, high};

    buf_add_format(out, "\"%s\":[", name);
    for (size_t i = 0; i < ROWS_OF(values); i++) {
        if (i > 0)
            buf_add_char(out, ',');
        add_number(out, values[i]);
    }
    buf_add_char(out, ']');
}

static void add_interval(struct buf *out, const char *name,
                         const struct stats_bootstrap *interval)
{
    add_three(out, name, interval->estimate, interval->low, interval->high);
}

static void add_text(struct buf *out, const char *name, struct str text)
{
    buf_add_format(out, "\"%s\":\"", name);
    buf_add_json(out, text);
    buf_add_char(out, '"');
}

static void add_classes(struct cmd_classify_work *work,
                        const struct cmd_classify_trial *trial)
{
    struct buf *out = &work->out;

    buf_add(out, STR("\"classes\":["));
    for (size_t k = 0; k < trial->scored.score.classes; k++) {
        buf_add(out, k > 0 ? STR(",{") : STR("{"));
        add_text(out, "class", work->learned.classes.names[k]);
        buf_add_format(out, ",\"posts\":%.0f,", trial->scored.score.of[k].items);
        add_interval(out, "precision", trial->scored.intervals.precision + k);
        buf_add_char(out, ',');
        add_interval(out, "recall", trial->scored.intervals.recall + k);
        buf_add_char(out, ',');
        add_interval(out, "f1", trial->scored.intervals.f1 + k);
        struct learn_score_areas areas =
            learn_score_areas(&trial->judged.truth, trial->judged.probabilities,
                              trial->judged.repeats, k, 0.95, work->arena, NULL, NULL);
        buf_add_char(out, ',');
        add_three(out, "roc_area", areas.roc, areas.roc_low, areas.roc_high);
        buf_add(out, STR(",\"average_precision\":"));
        add_number(out, areas.pr);
        buf_add_char(out, '}');
    }
    buf_add(out, STR("],"));
}

static void add_confusion(struct buf *out, const struct learn_score *score)
{
    buf_add(out, STR("\"confusion\":"));
    if (score->confusion == NULL) {
        buf_add(out, STR("null"));
        return;
    }
    for (size_t k = 0; k < score->classes; k++)
        for (size_t said = 0; said < score->classes; said++)
            buf_add_format(out, "%s%.0f",
                           said > 0 ? ","
                           : k > 0  ? "],["
                                    : "[[",
                           score->confusion[k * score->classes + said]);
    buf_add(out, STR("]]"));
}

/* Against the first method. */
static void add_comparison(struct cmd_classify_work *work,
                           const struct cmd_classify_trial *trial)
{
    const struct cmd_classify_trial *first = work->trials;
    struct learn_compare_mcnemar test = learn_compare_mcnemar(
        &first->judged.truth, &first->judged.predicted, &trial->judged.predicted);
    struct learn_compare_t t = learn_compare_resampled_t(
        (struct stats_values){first->judged.macro_f1, first->judged.rounds},
        (struct stats_values){trial->judged.macro_f1, trial->judged.rounds},
        first->judged.test_share);
    struct buf *out = &work->out;

    buf_add(out, STR(",\"comparison\":{"));
    add_text(out, "with", str_from(first->name));
    buf_add_format(out, ",\"only_it_right\":%lld,\"only_this_right\":%lld,\"mcnemar_p\":",
                   (long long)test.only_first, (long long)test.only_second);
    add_number(out, test.p);
    buf_add(out, STR(",\"corrected_t_p\":"));
    add_number(out, t.p);
    buf_add_char(out, '}');
}

static void add_curve(struct cmd_classify_work *work)
{
    const struct learn_curve_forecast *forecast = &work->forecast;
    struct buf *out = &work->out;

    buf_add(out, STR(",\"curve\":["));
    for (size_t s = 0; s < LEARN_JUDGE_STEPS; s++) {
        buf_add_format(out, "%s{\"labels\":%.0f,\"macro_f1\":", s > 0 ? "," : "",
                       work->steps[s].items);
        add_number(out, work->steps[s].macro_f1);
        buf_add(out, STR(",\"deviation\":"));
        add_number(out, work->steps[s].deviation);
        buf_add_char(out, '}');
    }
    buf_add_format(out, "],\"forecast\":{\"more\":%d,", CMD_CLASSIFY_MORE);
    if (forecast->refused != NULL) {
        add_text(out, "refused", str_from(forecast->refused));
    } else {
        buf_add(out, STR("\"now\":"));
        add_number(out, forecast->now);
        buf_add_char(out, ',');
        add_three(out, "macro_f1", forecast->score, forecast->low, forecast->high);
        buf_add(out, STR(",\"gain\":"));
        add_number(out, forecast->gain);
        buf_add(out, STR(",\"limit\":"));
        add_number(out, forecast->highest);
    }
    buf_add_char(out, '}');
}

static void add_set(struct cmd_classify_work *work, const struct cmd_classify_set *set)
{
    struct buf *out = &work->out;

    buf_add_char(out, '{');
    if (set->name.ptr != NULL) {
        add_text(out, "group", set->name);
        buf_add_char(out, ',');
    }
    buf_add_format(out, "\"posts\":%zu,\"labelled\":%zu,\"too_few\":%s,",
                   set->shares.items, set->shares.labelled,
                   set->shares.few ? "true" : "false");
    if (work->args->strata != NULL)
        buf_add_format(out, "\"strata\":%zu,\"joined\":%zu,\"unknown\":%zu,",
                       set->shares.strata, set->shares.joined, set->shares.unknown);
    buf_add(out, STR("\"classes\":["));
    for (size_t k = 0; k < work->learned.classes.count; k++) {
        buf_add(out, k > 0 ? STR(",{") : STR("{"));
        add_text(out, "class", work->learned.classes.names[k]);
        for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++) {
            const struct learn_quantify_share *share = set->shares.of[m] + k;
            buf_add_char(out, ',');
            add_three(out, learn_quantify_names[m], share->estimate, share->low,
                      share->high);
        }
        buf_add_char(out, '}');
    }
    buf_add(out, STR("]}"));
}

static void add_shares(struct cmd_classify_work *work)
{
    struct buf *out = &work->out;

    buf_add(out, STR(",\"assumptions\":{"));
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++) {
        if (m > 0)
            buf_add_char(out, ',');
        add_text(out, learn_quantify_names[m], str_from(learn_quantify_assumptions[m]));
    }
    buf_add(out, STR("},"));
    if (work->args->id != NULL)
        buf_add_format(out, "\"labelled elsewhere\":%zu,\"repeated rows\":%zu,",
                       work->outside, work->repeated);
    buf_add(out, STR("\"shares\":["));
    for (size_t s = 0; s < work->set_count; s++) {
        if (s > 0)
            buf_add_char(out, ',');
        add_set(work, work->sets + s);
    }
    buf_add_char(out, ']');
}

/* Of single repetitions. */
static void add_spread(struct cmd_classify_work *work,
                       const struct cmd_classify_trial *trial)
{
    struct buf *out = &work->out;

    buf_add_format(out, "\"repetitions\":%zu,\"spread\":{", trial->judged.repeats);
    for (size_t i = 0; i < LEARN_SCORE_OVERALL; i++) {
        struct learn_judge_spread spread =
            learn_judge_spread(&trial->judged, (enum learn_score_overall)i, work->arena);
        buf_add_format(out, "%s\"%s\":{\"deviation\":", i > 0 ? "," : "",
                       learn_score_names[i]);
        add_number(out, spread.deviation);
        buf_add(out, STR(",\"lowest\":"));
        add_number(out, spread.least);
        buf_add(out, STR(",\"highest\":"));
        add_number(out, spread.most);
        buf_add_char(out, '}');
    }
    buf_add(out, STR("},"));
}

static void add_reliability(struct buf *out, const struct learn_score_calibration *it)
{
    buf_add(out, STR("\"reliability\":["));
    for (size_t b = 0; b < LEARN_SCORE_BINS; b++) {
        buf_add_format(out, "%s{\"decisions\":", b > 0 ? "," : "");
        add_number(out, it->bins[b].items);
        buf_add(out, STR(",\"probability\":"));
        add_number(out, it->bins[b].sure);
        buf_add(out, STR(",\"right\":"));
        add_number(out, it->bins[b].right);
        buf_add_char(out, '}');
    }
    buf_add(out, STR("],"));
}

static void add_trial(struct cmd_classify_work *work, size_t number)
{
    const struct cmd_classify_trial *trial = work->trials + number;
    struct buf *out = &work->out;
    struct learn_score_calibration calibration = learn_score_calibration(
        &trial->judged.truth, trial->judged.probabilities, trial->judged.repeats,
        trial->judged.untold);

    buf_add_char(out, '{');
    add_text(out, "method", str_from(trial->name));
    buf_add_format(out, ",\"posts\":%zu,", trial->judged.truth.items);
    if (trial->examples.vectors.vectors != NULL || cmd_classify_uses_given(trial))
        buf_add_format(out, "\"rounds\":%zu,\"rounds with vectors\":%zu,",
                       trial->judged.rounds,
                       learn_judge_rounds_with_vectors(&trial->judged));
    if (cmd_classify_uses_given(trial)) {
        buf_add_format(out, "\"rounds with given vectors\":%zu,",
                       learn_judge_rounds_with_given(&trial->judged));
        add_text(out, "vectors sha256", work->given.hash);
        buf_add_char(out, ',');
    }
    add_classes(work, trial);
    for (size_t i = 0; i < LEARN_SCORE_OVERALL; i++) {
        add_interval(out, learn_score_names[i], trial->scored.intervals.overall + i);
        buf_add_char(out, ',');
    }
    if (trial->judged.repeats > 1)
        add_spread(work, trial);
    buf_add_format(out, "\"brier\":%.6f,\"calibration_error\":%.6f,", calibration.brier,
                   calibration.expected_error);
    add_reliability(out, &calibration);
    add_confusion(out, &trial->scored.score);
    if (number > 0)
        add_comparison(work, trial);
    if (number == 0 && work->steps != NULL)
        add_curve(work);
    if (number == 0 && work->sets != NULL)
        add_shares(work);
    buf_add(out, STR("}\n"));
}

void cmd_classify_add_json(struct cmd_classify_work *work)
{
    for (size_t i = 0; i < work->trial_count; i++)
        add_trial(work, i);
}
