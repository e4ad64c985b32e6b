/* What people said of the items, what was taken from files, and what a machine learned
 * from it. */
#include <math.h>

#include "report/methods.h"

static void add_codebook(const struct report_methods_labelling *labelling,
                         struct report_prose *prose)
{
    const struct study_codebook *codebook = labelling->codebook;

    report_prose_add(prose, " The codebook has ");
    for (size_t d = 0; d < codebook->count; d++) {
        const struct study_codebook_dimension *dimension = &codebook->dimensions[d];
        report_prose_add(prose, "%s{=%zu|code|codes}",
                         report_prose_between(d, codebook->count), dimension->count);
        if (codebook->count > 1) {
            report_prose_add(prose, " for ");
            report_prose_text(prose, dimension->name);
        }
        report_prose_add(prose, "%s",
                         dimension->several ? " (several may be given)" : "");
    }
    report_prose_add(prose, ".");
    if (labelling->versions > 1)
        report_prose_add(
            prose,
            " It changed while it was used: labels were made under {=%zu} versions, "
            "and carried over by the changes that it lists.",
            labelling->versions);
    if (labelling->accepted_codes > 0)
        report_prose_add(prose,
                         " {=%zu|code was|codes were} proposed while labelling and "
                         "accepted.",
                         labelling->accepted_codes);
}

static void add_design(const struct report_methods_labelling *labelling,
                       struct report_prose *prose)
{
    const struct study_labelling *settings = labelling->settings;
    size_t raters = settings->rater_count, each = (size_t)settings->raters_per_item;
    size_t own = 0;

    for (size_t i = 0; i < labelling->round_count; i++)
        own += labelling->rounds[i].source.len == 0;
    if (each == 0 || each > raters)
        each = raters;
    report_prose_add(prose, "Labelling `%.*s`: {=%zu|item|items} for {=%zu|rater|raters}",
                     STR_ARG(settings->name), labelling->items, raters);
    if (raters > 1 && settings->overlap > 0 && settings->overlap < 1)
        report_prose_add(prose,
                         ", %.4g%% of them for {=%zu} raters each and the others for one",
                         settings->overlap * 100, each);
    else if (raters > 1 && each < raters)
        report_prose_add(prose, ", each for {=%zu} of them", each);
    else if (raters > 1)
        report_prose_add(prose, ", each for %s of them", raters == 2 ? "both" : "all");
    if (own > 0 && raters > 1)
        report_prose_add(prose,
                         "; nobody saw what others said before a round was closed");
    report_prose_add(prose, ".");
}

static void add_round(const struct report_methods_round *round, size_t number,
                      struct report_prose *prose)
{
    if (round->source.len > 0) {
        report_prose_add(prose, " Round %zu was imported from ", number);
        report_prose_code(prose, round->source);
        report_prose_add(prose, ".");
        return;
    }
    report_prose_add(prose, " Round %zu (%s, {=%zu|item|items}) was opened on ", number,
                     round->kind, round->items);
    report_prose_day(prose, round->opened_ms);
    if (round->closed_ms == 0)
        report_prose_add(prose, " and is still open, with {=%zu} of {=%zu|label|labels}",
                         round->done, round->assigned);
    else {
        report_prose_add(prose, " and closed on ");
        report_prose_day(prose, round->closed_ms);
    }
    report_prose_add(prose, ".");
}

static void add_agreement(const struct report_methods_agreement *agreement,
                          struct report_prose *prose)
{
    const struct stats_agreement *value = &agreement->value;

    if (agreement->items == 0) {
        report_prose_add(prose,
                         " no item has labels of two raters, so it cannot be measured.");
        return;
    }
    report_prose_add(prose,
                     " over the {=%zu|item|items} with labels of two raters or more, ",
                     agreement->items);
    report_prose_add(prose, "%.3g%% of the pairs of labels were equal",
                     agreement->observed * 100);
    if (value->undefined != NULL) {
        report_prose_add(prose, "; %s is undefined: %s.", agreement->coefficient,
                         value->undefined);
        return;
    }
    report_prose_add(prose, " and %s was %.2f", agreement->coefficient, value->value);
    if (value->interval_undefined == NULL)
        report_prose_add(prose, " (95%% interval %.2f to %.2f)", value->low, value->high);
    report_prose_add(prose, ", %s by the words of Landis and Koch.",
                     stats_agree_word(value->value));
}

static void add_outcome(const struct report_methods_agreement *agreement,
                        struct report_prose *prose)
{
    static const struct {
        const char *state, *one, *many;
    } outcomes[] = {
        {"unanimous", "was unanimous", "were unanimous"},
        {"single", "came from one rater alone", "came from one rater alone"},
        {"adjudicated", "was decided by the arbiter", "were decided by the arbiter"},
        {"unresolved", "is unresolved", "are unresolved"},
        {"pending", "is not complete yet", "are not complete yet"},
    };
    size_t parts = 0, said = 0;

    for (size_t i = 0; i < ROWS_OF(outcomes); i++)
        parts += report_methods_outcome(prose, agreement, outcomes[i].state) > 0;
    if (parts > 0)
        report_prose_add(prose, " Of {%.*s.items|item|items}, ",
                         STR_ARG(agreement->address));
    for (size_t i = 0; i < ROWS_OF(outcomes); i++)
        if (report_methods_outcome(prose, agreement, outcomes[i].state) > 0) {
            report_prose_add(prose, "%s{%.*s.%s|%s|%s}",
                             report_prose_between(said, parts),
                             STR_ARG(agreement->address), outcomes[i].state,
                             outcomes[i].one, outcomes[i].many);
            said++;
        }
    if (said > 0)
        report_prose_add(prose, ".");
    if (report_methods_outcome(prose, agreement, "outside") > 0)
        report_prose_add(prose,
                         " {%.*s.outside|labelled item is|labelled items are} no longer "
                         "in the sample and left out.",
                         STR_ARG(agreement->address));
}

static void add_agreements(const struct report_methods_facts *facts, size_t labelling,
                           struct report_prose *prose)
{
    for (size_t i = 0; i < facts->agreement_count; i++) {
        const struct report_methods_agreement *agreement = &facts->agreements[i];
        if (agreement->labelling != labelling)
            continue;
        report_prose_add(prose, "Agreement on ");
        report_prose_text(prose, agreement->name);
        report_prose_add(prose, ":");
        add_agreement(agreement, prose);
        add_outcome(agreement, prose);
        report_prose_end(prose);
    }
}

static void add_labelling(const struct report_methods_facts *facts, size_t number,
                          struct report_prose *prose)
{
    const struct report_methods_labelling *labelling = &facts->labellings[number];

    if (labelling->round_count == 0) {
        report_prose_add(
            prose,
            "Labelling `%.*s` is declared, and nobody has begun: nothing can be "
            "said of it yet.",
            STR_ARG(labelling->settings->name));
        report_prose_end(prose);
        return;
    }
    add_design(labelling, prose);
    add_codebook(labelling, prose);
    for (size_t i = 0; i < labelling->round_count; i++)
        add_round(&labelling->rounds[i], i + 1, prose);
    report_prose_end(prose);
    add_agreements(facts, number, prose);
    if (labelling->reviews > 0) {
        report_prose_add(
            prose,
            "{=%zu|label was|labels were} made under an older version of the "
            "codebook and must still be looked at again.",
            labelling->reviews);
        report_prose_end(prose);
    }
}

/* Labels made elsewhere. */

/* What follows a part of a text; empty when it does not have it. */
static struct str after(struct str text, struct str part)
{
    for (; text.len > 0; text = str_slice(text, 1, text.len))
        if (str_starts(text, part))
            return str_slice(text, part.len, text.len);
    return text;
}

static void add_elsewhere(const struct report_methods_facts *facts, size_t number,
                          struct report_prose *prose)
{
    const struct study_labels *labels = &facts->study->labels[number];
    const struct report_methods_agreement *agreement =
        report_methods_of_file(facts, number);

    report_prose_add(prose, "Labels `%.*s` were made elsewhere and taken from ",
                     STR_ARG(labels->name));
    if (labels->from != NULL) {
        const struct yaml_node *from = yaml_get(labels->node, STR("from"));
        report_prose_code(prose, from != NULL ? from->text : str_from(labels->from));
        report_prose_add(prose, ", column ");
        report_prose_code(prose, labels->code);
    } else
        for (size_t f = 0; f < labels->field_count; f++) {
            report_prose_add(prose, "%s%s", f == 0 ? "the field " : "",
                             report_prose_between(f, labels->field_count));
            report_prose_code(prose, labels->fields[f]);
        }
    report_prose_add(prose, ": {labels.%.*s.count|code|codes} of items",
                     STR_ARG(labels->name));
    struct str more = after(facts->label_says[number], STR("codes of items, "));
    if (more.len > 0) {
        report_prose_add(prose, " (");
        report_prose_text(prose, more);
        report_prose_add(prose, ")");
    }
    report_prose_add(prose, ".");
    if (agreement != NULL) {
        report_prose_add(prose,
                         " The file names {=%zu|rater|raters}; a code counts when more "
                         "than half of an item's raters gave it. Agreement:",
                         agreement->raters);
        add_agreement(agreement, prose);
    }
    report_prose_end(prose);
}

/* Classifiers and topics. */

static void add_names(const struct str *names, size_t count, struct report_prose *prose)
{
    for (size_t i = 0; i < count; i++) {
        report_prose_add(prose, "%s", report_prose_between(i, count));
        report_prose_code(prose, names[i]);
    }
}

static void add_classifier(const struct study *study, const struct study_classifier *one,
                           struct report_prose *prose)
{
    struct str name = one->name;

    if (!(report_prose_value(prose, "classifiers.%.*s.labelled", STR_ARG(name)) > 0)) {
        report_prose_add(
            prose, "Classifier `%.*s` is declared, and has nothing to learn from yet.",
            STR_ARG(name));
        report_prose_end(prose);
        return;
    }
    report_prose_add(
        prose,
        "Classifier `%.*s` (method %.*s) was trained on the labels `%.*s` of "
        "{classifiers.%.*s.labelled|item|items}, judged on the "
        "{classifiers.%.*s.held-out} of them that were held out, and by "
        "{=%lld}-fold cross-validation (seed %llu)",
        STR_ARG(name), STR_ARG(one->method), STR_ARG(study->labels[one->train].name),
        STR_ARG(name), STR_ARG(name), (long long)one->folds,
        (unsigned long long)one->seed);
    if (one->predict_count > 0) {
        report_prose_add(prose, "; it was applied to ");
        add_names(one->predict, one->predict_count, prose);
    }
    report_prose_add(prose, ".");
    if (report_prose_value(prose, "classifiers.%.*s.folds-with-vectors", STR_ARG(name)) >
        0)
        report_prose_add(
            prose,
            " Word vectors of all texts to be classified (factored pointwise mutual "
            "information) counted besides words where cross-validation inside the "
            "training part preferred them, which was so in "
            "{classifiers.%.*s.folds-with-vectors} of {=%lld} folds.",
            STR_ARG(name), (long long)one->folds);
    report_prose_end(prose);
}

static void add_topics(const struct study_topics *one, struct report_prose *prose)
{
    report_prose_add(prose, "Topics `%.*s` of `%.*s` were modelled with ",
                     STR_ARG(one->name), STR_ARG(one->of));
    if (one->first == one->last)
        report_prose_add(prose, "{=%lld} topics", (long long)one->first);
    else
        report_prose_add(prose, "{=%lld} to {=%lld} topics in steps of {=%lld}",
                         (long long)one->first, (long long)one->last,
                         (long long)one->step);
    report_prose_add(prose, ", {=%lld|run|runs} of {=%lld} iterations each (seed %llu).",
                     (long long)one->runs, (long long)one->iterations,
                     (unsigned long long)one->seed);
    report_prose_end(prose);
}

void report_methods_labels(const struct report_methods_facts *facts,
                           struct report_prose *prose)
{
    const struct study *study = facts->study;

    if (study->labelling_count + study->label_count > 0)
        report_prose_title(prose, 3, "Labelling");
    for (size_t i = 0; i < study->labelling_count; i++)
        add_labelling(facts, i, prose);
    for (size_t i = 0; i < study->label_count; i++)
        add_elsewhere(facts, i, prose);
    if (study->classifier_count + study->topics_count > 0)
        report_prose_title(prose, 3, "Models");
    for (size_t i = 0; i < study->classifier_count; i++)
        add_classifier(study, &study->classifiers[i], prose);
    for (size_t i = 0; i < study->topics_count; i++)
        add_topics(&study->topics[i], prose);
}
