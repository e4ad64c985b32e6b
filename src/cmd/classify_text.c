/* What assay classify shows. */
#include "cmd/classify.h"

#include <math.h>

#include "learn/score.h"

static void add_number(struct buf *out, double value)
{
    if (isnan(value))
        buf_add(out, STR("     -"));
    else
        buf_add_format(out, "%6.3f", value);
}

static void add_interval(struct buf *out, const struct stats_bootstrap *interval)
{
    buf_add(out, STR("  "));
    add_number(out, interval->estimate);
    if (interval->undefined == NULL)
        buf_add_format(out, " [%.3f, %.3f]", interval->low, interval->high);
    else
        buf_add(out, STR("               "));
}

void cmd_classify_end_line(struct buf *out)
{
    while (out->len > 0 && out->ptr[out->len - 1] == ' ')
        out->len--;
    buf_add_char(out, '\n');
}

int cmd_classify_name_width(const struct cmd_labelled_classes *classes)
{
    size_t width = 15;

    for (size_t k = 0; k < classes->count; k++)
        width = classes->names[k].len > width ? classes->names[k].len : width;
    return (int)(width < 40 ? width : 40);
}

void cmd_classify_add_name(struct buf *out, struct str name, int width)
{
    struct str shown = str_slice(name, 0, (size_t)width);

    buf_add_format(out, "%-*.*s", width, STR_ARG(shown));
}

static void add_scores(struct cmd_classify_work *work,
                       const struct cmd_classify_trial *trial)
{
    const struct cmd_labelled_classes *classes = &work->learned.classes;
    struct buf *out = &work->out;
    int width = cmd_classify_name_width(classes);

    buf_add_format(out, "%-*s  posts  %-22s  %-22s  %s\n", width, "class", "precision",
                   "recall", "F1");
    for (size_t k = 0; k < classes->count; k++) {
        cmd_classify_add_name(out, classes->names[k], width);
        buf_add_format(out, "  %5.0f", trial->score.of[k].items);
        add_interval(out, trial->intervals.precision + k);
        add_interval(out, trial->intervals.recall + k);
        add_interval(out, trial->intervals.f1 + k);
        cmd_classify_end_line(out);
    }
    buf_add_char(out, '\n');
    for (size_t i = 0; i < LEARN_SCORE_OVERALL; i++) {
        buf_add_format(out, "%-*s", width, learn_score_names[i]);
        add_interval(out, trial->intervals.overall + i);
        cmd_classify_end_line(out);
    }
}

static void add_calibration(struct cmd_classify_work *work,
                            const struct cmd_classify_trial *trial)
{
    struct learn_score_calibration calibration =
        learn_score_calibration(&trial->judged.truth, trial->judged.probabilities);

    buf_add_format(&work->out, "%-*s  %6.3f\n%-*s  %6.3f\n\n",
                   cmd_classify_name_width(&work->learned.classes), "Brier score",
                   calibration.brier, cmd_classify_name_width(&work->learned.classes),
                   "calibration off", calibration.expected_error);
    buf_add(&work->out, STR("how sure      posts  sure   right\n"));
    for (int b = 0; b < LEARN_SCORE_BINS; b++) {
        const struct learn_score_bin *bin = calibration.bins + b;
        if (bin->items == 0)
            continue;
        buf_add_format(&work->out, "%.1f .. %.1f   %6.0f", b / 10.0, (b + 1) / 10.0,
                       bin->items);
        add_number(&work->out, bin->sure);
        buf_add(&work->out, STR("  "));
        add_number(&work->out, bin->right);
        buf_add_char(&work->out, '\n');
    }
}

static void add_confusion(struct cmd_classify_work *work, const struct learn_score *score)
{
    const struct cmd_labelled_classes *classes = &work->learned.classes;
    int width = cmd_classify_name_width(classes);

    if (score->confusion == NULL)
        return;
    buf_add_format(&work->out, "\n%-*s  said\n%-*s", width, "true", width, "");
    for (size_t k = 0; k < classes->count; k++)
        buf_add_format(&work->out, " %5zu", k + 1);
    buf_add_char(&work->out, '\n');
    for (size_t k = 0; k < classes->count; k++) {
        cmd_classify_add_name(&work->out, classes->names[k], width);
        for (size_t said = 0; said < classes->count; said++)
            buf_add_format(&work->out, " %5.0f",
                           score->confusion[k * classes->count + said]);
        buf_add_format(&work->out, "  %zu\n", k + 1);
    }
}

static void add_head(struct cmd_classify_work *work)
{
    const struct cmd_labelled *learned = &work->learned;
    const size_t *groups = work->trials[0].examples.groups;
    struct buf *out = &work->out;
    size_t alike = 0;

    for (size_t i = 0; i < learned->count; i++)
        alike += groups[i] != i;
    buf_add_format(out, "%zu post%s, %zu class%s", learned->count,
                   str_plural((int64_t)learned->count), learned->classes.count,
                   learned->classes.count == 1 ? "" : "es");
    if (learned->truth.several)
        buf_add(out, STR(", several labels a post"));
    if (work->test.count > 0)
        buf_add_format(out,
                       "; judged on %zu other posts; everything tuned on the %zu "
                       "learned from\n",
                       work->test.count, work->train.count);
    else
        buf_add_format(out,
                       "; %lld-fold cross-validation, %lld time%s; everything tuned "
                       "inside the folds learned from\n",
                       (long long)work->args->folds, (long long)work->args->repeats,
                       work->args->repeats == 1 ? "" : "s");
    if (learned->classes.count == 1)
        buf_add(out,
                STR("there is only one class: every score is 1, whatever the text\n"));
    if (alike > 0 && work->test.count == 0)
        buf_add_format(out, "%zu near duplicate%s, kept on one side\n", alike,
                       str_plural((int64_t)alike));
    if (work->left_out > 0)
        buf_add_format(out, "%zu near duplicate%s of test posts left out of learning\n",
                       work->left_out, str_plural((int64_t)work->left_out));
    int64_t without_label = learned->without_label + work->tested.without_label;
    if (without_label > 0)
        buf_add_format(out, "%lld row%s without a label left out\n",
                       (long long)without_label, str_plural(without_label));
    if (learned->without_text > 0)
        buf_add_format(out, "%lld post%s no text\n", (long long)learned->without_text,
                       learned->without_text == 1 ? " has" : "s have");
    if (learned->repaired || work->tested.repaired)
        buf_add(out, STR("bytes that are no text were replaced\n"));
}

static void add_vectors(struct cmd_classify_work *work,
                        const struct cmd_classify_trial *trial)
{
    if (trial->examples.vectors.vectors == NULL ||
        !learn_model_uses_vectors(trial->settings.method))
        return;
    buf_add_format(&work->out, "; word vectors used in %zu of %zu",
                   learn_judge_rounds_with_vectors(&trial->judged), trial->judged.rounds);
}

static void add_tuned(struct cmd_classify_work *work,
                      const struct cmd_classify_trial *trial)
{
    buf_add_format(&work->out, "\n%s", learn_model_methods[trial->settings.method]);
    for (size_t r = 0; r < trial->judged.rounds && r < 10; r++)
        if (!isnan(trial->judged.tuned[r].value))
            buf_add_format(&work->out, "%s%g%s", r == 0 ? "; tuned a fold: " : ", ",
                           trial->judged.tuned[r].value,
                           trial->judged.tuned[r].balanced ? " balanced" : "");
    add_vectors(work, trial);
    buf_add(&work->out, STR("\n"));
}

/* Every method against the first, on the same items. */
static void add_comparison(struct cmd_classify_work *work)
{
    const struct cmd_classify_trial *first = work->trials;

    if (work->trial_count < 2)
        return;
    const char *name = learn_model_methods[first->settings.method];
    buf_add_format(
        &work->out,
        "\nmacro F1          against %s: posts that only %s has right, only the "
        "method of the row; McNemar p, corrected t test p\n",
        name, name);
    for (size_t i = 0; i < work->trial_count; i++) {
        const struct cmd_classify_trial *trial = work->trials + i;
        struct learn_compare_mcnemar test = learn_compare_mcnemar(
            &first->judged.truth, &first->judged.predicted, &trial->judged.predicted);
        buf_add_format(&work->out, "%-16s", learn_model_methods[trial->settings.method]);
        add_number(&work->out, trial->score.overall[LEARN_SCORE_MACRO_F1]);
        if (i > 0) {
            struct learn_compare_t t = learn_compare_resampled_t(
                (struct stats_values){first->judged.macro_f1, first->judged.rounds},
                (struct stats_values){trial->judged.macro_f1, trial->judged.rounds},
                first->judged.test_share);
            buf_add_format(&work->out, "  %6lld %6lld ", (long long)test.only_first,
                           (long long)test.only_second);
            buf_add_format(&work->out, test.p < 0.0001 ? "<0.0001  " : " %.4f  ", test.p);
            add_number(&work->out, t.p);
        }
        buf_add_char(&work->out, '\n');
    }
}

static void add_curve(struct cmd_classify_work *work)
{
    const struct learn_judge_step *steps = work->steps;
    const struct learn_curve_forecast *forecast = &work->forecast;
    struct buf *out = &work->out;

    buf_add(out, STR("\nlearned from  macro F1  deviation over folds\n"));
    for (size_t s = 0; s < LEARN_JUDGE_STEPS; s++) {
        buf_add_format(out, "%6.0f posts ", steps[s].items);
        add_number(out, steps[s].macro_f1);
        buf_add(out, STR("    "));
        add_number(out, steps[s].deviation);
        buf_add_char(out, '\n');
    }
    if (forecast->refused != NULL)
        buf_add_format(out, "no forecast of what %d more would bring: %s\n",
                       CMD_CLASSIFY_MORE, forecast->refused);
    else
        buf_add_format(out,
                       "with all %zu posts about %.3f; with %d more about %.3f [%.3f, "
                       "%.3f], if it goes on as %.3f - %.3g * posts^-%.2f\n",
                       work->learned.count, forecast->now, CMD_CLASSIFY_MORE,
                       forecast->score, forecast->low, forecast->high, forecast->highest,
                       forecast->loss, forecast->rate);
}

void cmd_classify_add_text(struct cmd_classify_work *work)
{
    add_head(work);
    for (size_t i = 0; i < work->trial_count; i++) {
        const struct cmd_classify_trial *trial = work->trials + i;
        add_tuned(work, trial);
        add_scores(work, trial);
        add_calibration(work, trial);
        add_confusion(work, &trial->score);
    }
    add_comparison(work);
    if (work->steps != NULL)
        add_curve(work);
    if (work->sets != NULL)
        cmd_classify_add_shares(work);
}
