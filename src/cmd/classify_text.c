/* What assay classify shows. */
#include "cmd/classify.h"

#include <math.h>
#include <string.h>

#include "result/table_text.h"

static void add_number(struct buf *out, double value)
{
    if (isnan(value))
        buf_add(out, STR("     -"));
    else
        buf_add_format(out, "%6.3f", value);
}

void cmd_classify_add_table(struct result_table *table, struct str of,
                            struct arena *arena, struct buf *out)
{
    table->title = arena_format(arena, "%.*s%s%.*s", STR_ARG(of), of.len > 0 ? ", " : "",
                                STR_ARG(table->name));
    result_mark(table, arena);
    buf_add_char(out, '\n');
    result_table_text_markdown(table, out);
}

static void add_scores(struct cmd_classify_work *work,
                       const struct cmd_classify_trial *trial)
{
    struct arena *arena = work->arena;
    struct str method = str_from(trial->name);
    struct result_table tables[] = {run_classifying_scores(&trial->scored, arena),
                                    run_classifying_overall(&trial->scored, arena),
                                    run_classifying_confusion(&trial->scored, arena),
                                    run_classifying_calibration(&trial->scored, arena)};

    for (size_t i = 0; i < ROWS_OF(tables); i++)
        if (tables[i].row_count > 0)
            cmd_classify_add_table(&tables[i], method, arena, &work->out);
}

/* The names of those classes, of many the first. */
static void add_class_list(struct cmd_classify_work *work, const bool *which)
{
    enum { LISTED = 10 };
    size_t listed = 0;

    for (size_t k = 0; k < work->learned.classes.count; k++)
        if (which[k] && listed++ < LISTED)
            buf_add_format(&work->out, "%s%.*s", listed > 1 ? ", " : "",
                           STR_ARG(work->learned.classes.names[k]));
    buf_add_format(&work->out, "%s\n", listed > LISTED ? ", ..." : "");
}

/* Classes that nothing is or can be learned of. */
static void add_class_notes(struct cmd_classify_work *work)
{
    size_t classes = work->learned.classes.count, single = 0, unseen = 0;
    bool *is_single = arena_array(work->arena, bool, classes + 1);
    bool *is_unseen = arena_array(work->arena, bool, classes + 1);

    for (size_t k = 0; k < classes; k++) {
        size_t learned = 0, tested = 0;
        for (size_t i = 0; i < work->train.count; i++)
            learned += learn_membership_has(&work->truth, work->train.at[i], k);
        for (size_t i = 0; i < work->test.count; i++)
            tested += learn_membership_has(&work->truth, work->test.at[i], k);
        single += is_single[k] = learned == 1;
        unseen += is_unseen[k] = learned == 0 && tested > 0;
    }
    if (single > 0) {
        buf_add_format(&work->out, "%zu class%s a single post%s: ", single,
                       single == 1 ? " has" : "es have",
                       work->test.count == 0 ? ", which no model has seen that judges it"
                                             : "");
        add_class_list(work, is_single);
    }
    if (unseen > 0) {
        buf_add_format(
            &work->out,
            "%zu class%s of test posts %s in no post learned from and cannot be "
            "predicted: ",
            unseen, unseen == 1 ? "" : "es", unseen == 1 ? "is" : "are");
        add_class_list(work, is_unseen);
    }
}

/* Near duplicates with other labels than the first of their kind. */
static void add_contradictions(struct cmd_classify_work *work, const size_t *groups)
{
    const struct learn_membership *truth = &work->learned.truth;
    size_t count = 0, one = 0, other = 0;

    for (size_t i = 0; i < truth->items; i++)
        if (groups[i] != i &&
            memcmp(truth->is + i * truth->classes, truth->is + groups[i] * truth->classes,
                   truth->classes) != 0) {
            if (count++ == 0)
                one = groups[i], other = i;
        }
    if (count > 0)
        buf_add_format(
            &work->out,
            "%zu near duplicate%s other labels than what %s like, such as %.*s "
            "and %.*s\n",
            count, count == 1 ? " has" : "s have", count == 1 ? "it is" : "they are",
            STR_ARG(work->learned.ids[one]), STR_ARG(work->learned.ids[other]));
}

static size_t judged_folds(const struct cmd_classify_work *work)
{
    return work->args->fold != NULL ? work->learned.strata : (size_t)work->args->folds;
}

static void add_head(struct cmd_classify_work *work)
{
    const struct cmd_labelled *learned = &work->learned;
    const size_t *groups = work->duplicates;
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
        buf_add_format(
            out,
            "; judged on %zu other posts; everything tuned on the %zu learned from\n",
            work->test.count, work->train.count);
    else
        buf_add_format(out,
                       "; %lld-fold cross-validation, %lld time%s; everything tuned "
                       "inside the folds learned from\n",
                       (long long)judged_folds(work), (long long)work->args->repeats,
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
        buf_add_format(out, "%lld post%s no text, and so no class\n",
                       (long long)learned->without_text,
                       learned->without_text == 1 ? " has" : "s have");
    if (work->given.count > 0)
        cmd_given_tell(&work->given, work->args->vectors, &work->given_of, work->ids,
                       work->truth.items, out);
    add_class_notes(work);
    add_contradictions(work, groups);
    if (learned->repaired || work->tested.repaired)
        buf_add(out, STR("bytes that are no text were replaced\n"));
}

static void add_vectors(struct cmd_classify_work *work,
                        const struct cmd_classify_trial *trial)
{
    if (!learn_model_uses_vectors(trial->settings.method))
        return;
    if (trial->examples.vectors.vectors != NULL)
        buf_add_format(&work->out, "; word vectors used in %zu of %zu",
                       learn_judge_rounds_with_vectors(&trial->judged),
                       trial->judged.rounds);
    if (cmd_classify_uses_given(trial))
        buf_add_format(&work->out, "; --vectors used in %zu of %zu",
                       learn_judge_rounds_with_given(&trial->judged),
                       trial->judged.rounds);
}

static void add_tuned(struct cmd_classify_work *work,
                      const struct cmd_classify_trial *trial)
{
    buf_add_format(&work->out, "\n%s", trial->name);
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
    const char *name = first->name;
    int wide = (int)strlen(work->trials[work->trial_count - 1].name) > 15 ? 24 : 16;
    buf_add_format(&work->out,
                   "\n%-*s  against %s: posts that only %s has right, only "
                   "the method of the row; McNemar p, corrected t test p\n",
                   wide, "macro F1", name, name);
    for (size_t i = 0; i < work->trial_count; i++) {
        const struct cmd_classify_trial *trial = work->trials + i;
        struct learn_compare_mcnemar test = learn_compare_mcnemar(
            &first->judged.truth, &first->judged.predicted, &trial->judged.predicted);
        buf_add_format(&work->out, "%-*s", wide, trial->name);
        add_number(&work->out, trial->scored.score.overall[LEARN_SCORE_MACRO_F1]);
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
    const struct learn_curve_forecast *forecast = &work->forecast;
    struct result_table table = run_classifying_learning(
        work->steps, LEARN_JUDGE_STEPS, (size_t)work->args->folds, work->arena);
    struct buf *out = &work->out;

    cmd_classify_add_table(&table, (struct str){0}, work->arena, out);
    buf_add_char(out, '\n');
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

/* Classes that are paths: how well each level is classified. */
static struct learn_score score_level(const struct learn_hierarchy *tree, size_t level,
                                      enum learn_hierarchy_rule rule,
                                      const struct learn_judged *judged,
                                      struct arena *arena)
{
    size_t count = tree->levels[level].count;
    struct learn_membership truth =
        learn_hierarchy_membership(tree, level, &judged->truth, arena);
    struct learn_membership said =
        learn_hierarchy_membership(tree, level, &judged->predicted, arena);
    double *room = arena_array(arena, double, tree->classes + 1);

    for (size_t i = 0; i < said.items && rule == LEARN_HIERARCHY_TOP_DOWN; i++) {
        memset(said.is + i * count, 0, count);
        said.is[i * count + learn_hierarchy_decide(
                                tree, level, rule,
                                judged->probabilities + i * tree->classes, room)] = 1;
    }
    return learn_score_of(&truth, &said, arena);
}

static void add_levels(struct cmd_classify_work *work,
                       const struct cmd_classify_trial *trial)
{
    const struct learn_hierarchy *tree = &work->tree;
    enum learn_hierarchy_rule rule = cmd_classify_rule(work->args);

    buf_add_format(&work->out, "\n%s, %s\nlevel  classes  macro F1  micro F1\n",
                   trial->name,
                   rule == LEARN_HIERARCHY_FLAT
                       ? "flat: the most probable class, and what is above it"
                       : "top-down: the most probable at the top, then below it");
    for (size_t l = 0; l < tree->depth; l++) {
        struct learn_score score =
            score_level(tree, l, rule, &trial->judged, work->arena);
        buf_add_format(&work->out, "%5zu  %7zu    %6.3f    %6.3f\n", l + 1,
                       tree->levels[l].count, score.overall[LEARN_SCORE_MACRO_F1],
                       score.overall[LEARN_SCORE_MICRO_F1]);
    }
}

void cmd_classify_add_text(struct cmd_classify_work *work)
{
    add_head(work);
    for (size_t i = 0; i < work->trial_count; i++) {
        add_tuned(work, work->trials + i);
        add_scores(work, work->trials + i);
    }
    add_comparison(work);
    if (work->steps != NULL)
        add_curve(work);
    if (work->sets != NULL)
        cmd_classify_add_shares(work);
    for (size_t i = 0; i < work->trial_count && work->args->hierarchy != NULL; i++)
        add_levels(work, work->trials + i);
}
