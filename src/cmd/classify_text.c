/* What assay classify shows. */
#include "cmd/classify.h"

#include <math.h>

#include "learn/compare.h"

static void add_number(struct buf *out, double value)
{
    if (isnan(value))
        buf_add(out, STR("     -"));
    else
        buf_add_format(out, "%6.3f", value);
}

static void add_interval(struct buf *out, const struct bootstrap *interval)
{
    buf_add(out, STR("  "));
    add_number(out, interval->estimate);
    if (interval->undefined == NULL)
        buf_add_format(out, " [%.3f, %.3f]", interval->low, interval->high);
    else
        buf_add(out, STR("               "));
}

/* Without the blanks that fill up an empty last column. */
static void end_line(struct buf *out)
{
    while (out->len > 0 && out->ptr[out->len - 1] == ' ')
        out->len--;
    buf_add_char(out, '\n');
}

static int name_width(const struct labelled_classes *classes)
{
    size_t width = 15;

    for (size_t k = 0; k < classes->count; k++)
        width = classes->names[k].len > width ? classes->names[k].len : width;
    return (int)(width < 40 ? width : 40);
}

static void add_name(struct buf *out, struct str name, int width)
{
    struct str shown = str_slice(name, 0, (size_t)width);

    buf_add_format(out, "%-*.*s", width, STR_ARG(shown));
}

static void add_scores(struct classify_work *work, const struct classify_trial *trial)
{
    const struct labelled_classes *classes = &work->learned.classes;
    struct buf *out = &work->out;
    int width = name_width(classes);

    buf_add_format(out, "%-*s  posts  %-22s  %-22s  %s\n", width, "class", "precision",
                   "recall", "F1");
    for (size_t k = 0; k < classes->count; k++) {
        add_name(out, classes->names[k], width);
        buf_add_format(out, "  %5.0f", trial->score.of[k].items);
        add_interval(out, trial->intervals.precision + k);
        add_interval(out, trial->intervals.recall + k);
        add_interval(out, trial->intervals.f1 + k);
        end_line(out);
    }
    buf_add_char(out, '\n');
    for (size_t i = 0; i < SCORE_OVERALL; i++) {
        buf_add_format(out, "%-*s", width, score_names[i]);
        add_interval(out, trial->intervals.overall + i);
        end_line(out);
    }
}

static void add_calibration(struct classify_work *work,
                            const struct classify_trial *trial)
{
    struct score_calibration calibration =
        score_calibration(&trial->judged.truth, trial->judged.probabilities);

    buf_add_format(&work->out, "%-*s  %6.3f\n%-*s  %6.3f\n\n",
                   name_width(&work->learned.classes), "Brier score", calibration.brier,
                   name_width(&work->learned.classes), "calibration off",
                   calibration.expected_error);
    buf_add(&work->out, STR("how sure      posts  sure   right\n"));
    for (int b = 0; b < SCORE_BINS; b++) {
        const struct score_bin *bin = calibration.bins + b;
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

static void add_confusion(struct classify_work *work, const struct score *score)
{
    const struct labelled_classes *classes = &work->learned.classes;
    int width = name_width(classes);

    if (score->confusion == NULL)
        return;
    buf_add_format(&work->out, "\n%-*s  said\n%-*s", width, "true", width, "");
    for (size_t k = 0; k < classes->count; k++)
        buf_add_format(&work->out, " %5zu", k + 1);
    buf_add_char(&work->out, '\n');
    for (size_t k = 0; k < classes->count; k++) {
        add_name(&work->out, classes->names[k], width);
        for (size_t said = 0; said < classes->count; said++)
            buf_add_format(&work->out, " %5.0f",
                           score->confusion[k * classes->count + said]);
        buf_add_format(&work->out, "  %zu\n", k + 1);
    }
}

static void add_head(struct classify_work *work)
{
    const struct labelled *learned = &work->learned;
    const size_t *groups = work->trials[0].examples.groups;
    struct buf *out = &work->out;
    size_t alike = 0;

    for (size_t i = 0; i < learned->count; i++)
        alike += groups[i] != i;
    buf_add_format(out, "%zu posts, %zu class%s", learned->count, learned->classes.count,
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
        buf_add_format(out, "%zu near duplicates, kept on one side\n", alike);
    if (work->left_out > 0)
        buf_add_format(out, "%zu near duplicates of test posts left out of learning\n",
                       work->left_out);
    if (learned->without_label + work->tested.without_label > 0)
        buf_add_format(out, "%lld rows without a label left out\n",
                       (long long)(learned->without_label + work->tested.without_label));
    if (learned->without_text > 0)
        buf_add_format(out, "%lld posts have no text\n",
                       (long long)learned->without_text);
    if (learned->repaired || work->tested.repaired)
        buf_add(out, STR("bytes that are no text were replaced\n"));
}

static void add_tuned(struct classify_work *work, const struct classify_trial *trial)
{
    buf_add_format(&work->out, "\n%s", model_methods[trial->settings.method]);
    for (size_t r = 0; r < trial->judged.rounds && r < 10; r++)
        if (!isnan(trial->judged.tuned[r].value))
            buf_add_format(&work->out, "%s%g%s", r == 0 ? "; tuned a fold: " : ", ",
                           trial->judged.tuned[r].value,
                           trial->judged.tuned[r].balanced ? " balanced" : "");
    buf_add(&work->out, STR("\n"));
}

/* Every method against the first, on the same items. */
static void add_comparison(struct classify_work *work)
{
    const struct classify_trial *first = work->trials;

    if (work->trial_count < 2)
        return;
    buf_add_format(&work->out,
                   "\nmacro F1          against %s: only it right, only the other right, "
                   "McNemar p, corrected t test p\n",
                   model_methods[first->settings.method]);
    for (size_t i = 0; i < work->trial_count; i++) {
        const struct classify_trial *trial = work->trials + i;
        struct compare_mcnemar test = compare_mcnemar(
            &first->judged.truth, &first->judged.predicted, &trial->judged.predicted);
        buf_add_format(&work->out, "%-16s", model_methods[trial->settings.method]);
        add_number(&work->out, trial->score.overall[SCORE_MACRO_F1]);
        if (i > 0) {
            struct compare_t t = compare_resampled_t(
                (struct values){first->judged.macro_f1, first->judged.rounds},
                (struct values){trial->judged.macro_f1, trial->judged.rounds},
                first->judged.test_share);
            buf_add_format(&work->out, "  %6lld %6lld  %.4f  ",
                           (long long)test.only_first, (long long)test.only_second,
                           test.p);
            add_number(&work->out, t.p);
        }
        buf_add_char(&work->out, '\n');
    }
}

void classify_add_text(struct classify_work *work)
{
    add_head(work);
    for (size_t i = 0; i < work->trial_count; i++) {
        const struct classify_trial *trial = work->trials + i;
        add_tuned(work, trial);
        add_scores(work, trial);
        add_calibration(work, trial);
        add_confusion(work, &trial->score);
    }
    add_comparison(work);
}

void classify_add_curve(struct classify_work *work,
                        const struct judge_step steps[JUDGE_STEPS])
{
    buf_add(&work->out, STR("\nlearned from  macro F1  deviation over folds\n"));
    for (size_t s = 0; s < JUDGE_STEPS; s++) {
        buf_add_format(&work->out, "%6.0f posts ", steps[s].items);
        add_number(&work->out, steps[s].macro_f1);
        buf_add(&work->out, STR("    "));
        add_number(&work->out, steps[s].deviation);
        buf_add_char(&work->out, '\n');
    }
}

static void add_json_interval(struct buf *out, const char *name,
                              const struct bootstrap *interval)
{
    const double values[] = {interval->estimate, interval->low, interval->high};

    buf_add_format(out, "\"%s\":[", name);
    for (size_t i = 0; i < ROWS_OF(values); i++)
        if (isnan(values[i]))
            buf_add_format(out, "%snull", i > 0 ? "," : "");
        else
            buf_add_format(out, "%s%.6f", i > 0 ? "," : "", values[i]);
    buf_add_char(out, ']');
}

static void add_json(struct classify_work *work, const struct classify_trial *trial)
{
    struct buf *out = &work->out;
    struct score_calibration calibration =
        score_calibration(&trial->judged.truth, trial->judged.probabilities);

    buf_add_format(out, "{\"method\":\"%s\",\"posts\":%zu,\"classes\":[",
                   model_methods[trial->settings.method], trial->judged.truth.items);
    for (size_t k = 0; k < trial->score.classes; k++) {
        buf_add(out, k > 0 ? STR(",{\"class\":\"") : STR("{\"class\":\""));
        buf_add_json(out, work->learned.classes.names[k]);
        buf_add_format(out, "\",\"posts\":%.0f,", trial->score.of[k].items);
        add_json_interval(out, "precision", trial->intervals.precision + k);
        buf_add_char(out, ',');
        add_json_interval(out, "recall", trial->intervals.recall + k);
        buf_add_char(out, ',');
        add_json_interval(out, "f1", trial->intervals.f1 + k);
        buf_add_char(out, '}');
    }
    buf_add(out, STR("],"));
    for (size_t i = 0; i < SCORE_OVERALL; i++) {
        add_json_interval(out, score_names[i], trial->intervals.overall + i);
        buf_add_char(out, ',');
    }
    buf_add_format(out, "\"brier\":%.6f,\"confusion\":", calibration.brier);
    if (trial->score.confusion == NULL)
        buf_add(out, STR("null"));
    for (size_t k = 0; k < trial->score.classes && trial->score.confusion; k++)
        for (size_t said = 0; said < trial->score.classes; said++)
            buf_add_format(out, "%s%.0f",
                           said > 0 ? ","
                           : k > 0  ? "],["
                                    : "[[",
                           trial->score.confusion[k * trial->score.classes + said]);
    buf_add(out, trial->score.confusion ? STR("]]}\n") : STR("}\n"));
}

void classify_add_json(struct classify_work *work)
{
    for (size_t i = 0; i < work->trial_count; i++)
        add_json(work, work->trials + i);
}

static void add_share(struct buf *out, const struct quantify_share *share)
{
    if (isnan(share->estimate))
        buf_add_format(out, "  %-24s", "undefined");
    else
        buf_add_format(out, "  %5.1f%% [%5.1f%%, %5.1f%%]", 100 * share->estimate,
                       100 * share->low, 100 * share->high);
}

void classify_add_shares(struct classify_work *work, const struct quantify *shares,
                         size_t posts)
{
    const struct labelled_classes *classes = &work->learned.classes;
    int width = name_width(classes);

    buf_add_format(&work->out,
                   "\nshares in %zu posts of %s, with 95%% intervals; adjusted and EM "
                   "assume that posts of a class look alike here and there\n"
                   "%-*s  %-24s  %-24s  %s\n",
                   posts, work->args->in, width, "class", "plain", "adjusted", "EM");
    for (size_t k = 0; k < classes->count; k++) {
        add_name(&work->out, classes->names[k], width);
        add_share(&work->out, shares->plain + k);
        add_share(&work->out, shares->adjusted + k);
        add_share(&work->out, shares->em + k);
        buf_add_char(&work->out, '\n');
    }
}

void classify_add_predictions(struct classify_work *work, const struct model_file *file,
                              const struct labelled *posts, const uint8_t *said,
                              const double *probabilities)
{
    size_t classes = file->model.classes;

    buf_add(&work->out, STR("id,class,probability\n"));
    for (size_t i = 0; i < posts->count; i++)
        for (size_t k = 0; k < classes; k++) {
            if (!said[i * classes + k])
                continue;
            buf_add_csv(&work->out, posts->ids[i]);
            buf_add_char(&work->out, ',');
            buf_add_csv(&work->out, file->classes[k]);
            buf_add_format(&work->out, ",%.4f\n", probabilities[i * classes + k]);
        }
}
