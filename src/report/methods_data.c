/* Where the posts come from, how they were selected and which were drawn. */
#include <math.h>

#include "report/methods.h"

/* The study file's word on the site; a default is nobody's word. */
static bool site_is_written(const struct study *study, const struct study_source *source)
{
    const struct yaml_node *node = yaml_get(&study->root, STR("source"));

    if (source->name.len > 0)
        node = yaml_get(yaml_get(&study->root, STR("sources")), source->name);
    return node != NULL && node->type == YAML_MAPPING &&
           yaml_get(node, STR("site")) != NULL;
}

static void add_source(const struct report_methods_facts *facts,
                       const struct study_source *source, struct report_prose *prose)
{
    if (source->kind->census && site_is_written(facts->study, source)) {
        report_prose_add(prose, "the data dump of ");
        report_prose_text(prose, source->site);
    } else
        report_prose_add(prose, "%s", source->kind->in_prose);
    for (size_t i = 0; i < source->path_count; i++) {
        report_prose_add(prose, "%s ", i > 0 ? "," : "");
        report_prose_code(prose, str_from(source->names[i]));
    }
    if (source->until_ms != INT64_MAX) {
        report_prose_add(prose, ", up to ");
        report_prose_day(prose, source->until_ms - 1);
    }
}

/* " and 3 answers", " and no answers". */
static void add_answers(double count, struct report_prose *prose)
{
    if (count > 0)
        report_prose_add(prose, " and {=%.0f|answer|answers}", count);
    else
        report_prose_add(prose, " and no answers");
}

static void add_contents(const struct report_methods_facts *facts,
                         struct report_prose *prose)
{
    double questions = result_health_sum(&facts->health, "questions");
    double answers = result_health_sum(&facts->health, "answers");
    int64_t first = 0, last = 0;

    if (questions + answers == 0)
        return;
    report_prose_add(prose, " %s {=%.0f|question|questions}",
                     facts->study->source_count > 1 ? "Together they hold"
                                                    : "The source holds",
                     questions);
    if (study_sources_overlap(facts->study))
        report_prose_add(prose, " (what several of them hold counts for each)");
    add_answers(answers, prose);
    if (result_health_moment(&facts->health, "first post", false, &first) &&
        result_health_moment(&facts->health, "last post", true, &last)) {
        report_prose_add(prose, ", written from ");
        report_prose_day(prose, first);
        report_prose_add(prose, " to ");
        report_prose_day(prose, last);
    }
    report_prose_add(prose, ".");
}

/* What was wrong with the sources, or left out of them. */
static void add_findings(const struct report_methods_facts *facts,
                         struct report_prose *prose)
{
    static const struct {
        const char *finding, *one, *many;
    } findings[] = {
        {"posts after the end of the study", "post was written later and left out",
         "posts were written later and left out"},
        {"planted posts dropped", "post that is planted in dumps as a mark was dropped",
         "posts that are planted in dumps as a mark were dropped"},
        {"broken rows skipped", "row could not be read and was skipped",
         "rows could not be read and were skipped"},
        {"repeated ids", "post came with an id that was there already and was left out",
         "posts came with an id that was there already and were left out"},
        {"posts without a date", "post has no date", "posts have no date"},
        {"answers without question", "answer has no question in the source",
         "answers have no question in the source"},
        {"accepted answers missing", "accepted answer is not in the source",
         "accepted answers are not in the source"},
    };

    for (size_t i = 0; i < ROWS_OF(findings); i++) {
        double count = result_health_sum(&facts->health, findings[i].finding);
        if (count > 0)
            report_prose_add(prose, " {=%.0f|%s|%s}.", count, findings[i].one,
                             findings[i].many);
    }
}

static void add_taken(const struct report_methods_facts *facts,
                      struct report_prose *prose)
{
    const struct study *study = facts->study;
    const struct {
        bool there;
        const char *name;
    } also[] = {{study->also >> ITEM_ALSO_COMMENTS & 1, "comments"},
                {study->also >> ITEM_ALSO_USERS & 1, "users"},
                {study->also >> ITEM_ALSO_LINKS & 1, "links"},
                {study->also >> ITEM_ALSO_VOTES & 1, "votes"},
                {study->also >> ITEM_ALSO_HISTORY & 1, "histories"},
                {study->also >> ITEM_ALSO_BADGES & 1, "badges"}};
    size_t count = 0, said = 0;

    double questions = report_prose_value(prose, "corpus.questions");

    if (questions > 0 && questions == result_health_sum(&facts->health, "questions"))
        report_prose_add(prose, " All questions are in the corpus of the study.");
    else if (questions > 0 && questions < result_health_sum(&facts->health, "questions"))
        report_prose_add(prose,
                         " The corpus of the study holds "
                         "{corpus.questions|question|questions} of them and what was "
                         "answered to them: {corpus.answers|answer|answers}.");
    if (report_prose_value(prose, "corpus.rows") > 0)
        report_prose_add(prose, " The corpus holds {corpus.rows|row|rows}.");
    for (size_t i = 0; i < ROWS_OF(also); i++)
        count += also[i].there;
    for (size_t i = 0; i < ROWS_OF(also); i++)
        if (also[i].there) {
            report_prose_add(prose, "%s%s", said == 0 ? " Taken along: " : "",
                             report_prose_between(said, count));
            report_prose_add(prose, "%s", also[i].name);
            said++;
        }
    if (said > 0)
        report_prose_add(prose, ".");
}

static void add_sources(const struct report_methods_facts *facts,
                        struct report_prose *prose)
{
    const struct study *study = facts->study;

    report_prose_title(prose, 3, "Data");
    if (study->source_count == 0) {
        report_prose_add(prose,
                         "The study has no corpus of its own: its tables were read from "
                         "files.");
        report_prose_end(prose);
        return;
    }
    report_prose_add(prose, "We read ");
    for (size_t i = 0; i < study->source_count; i++) {
        report_prose_add(prose, "%s", i > 0 ? "; " : "");
        add_source(facts, &study->sources[i], prose);
    }
    report_prose_add(prose, ".");
    add_contents(facts, prose);
    add_findings(facts, prose);
    add_taken(facts, prose);
    report_prose_end(prose);
}

/* "Left after each condition: 4,817 [a], 53 [b]". */
static void add_funnel(const struct result_numbers *numbers, struct report_prose *prose)
{
    size_t steps = 0, said = 0;

    for (size_t i = 0; numbers != NULL && i < numbers->count; i++)
        steps += str_starts(numbers->at[i].column, STR("funnel."));
    if (steps < 2)
        return;
    report_prose_add(prose, ". Left after each condition: ");
    for (size_t i = 0; i < numbers->count; i++) {
        const struct result_number *number = &numbers->at[i];
        if (!str_starts(number->column, STR("funnel.")))
            continue;
        report_prose_add(prose, "%s{%.*s.%.*s} after ", said++ > 0 ? "; " : "",
                         STR_ARG(numbers->step), STR_ARG(number->column));
        report_prose_code(prose, number->heading);
    }
}

static void add_sets(const struct report_methods_facts *facts, struct report_prose *prose)
{
    const struct study *study = facts->study;

    if (study->set_count == 0)
        return;
    report_prose_title(prose, 3, "Selection");
    report_prose_add(prose, "{=%zu|set was|sets were} selected by %s", study->set_count,
                     study->set_count == 1 ? "a query" : "queries");
    if (report_prose_value(prose, "census.questions") > 0)
        report_prose_add(prose,
                         " from the {census.questions|question|questions} of the %s",
                         study->source_count > 1 ? "sources" : "source");
    report_prose_add(prose,
                     " (the language is described in assay-query(7); `in:` names another "
                     "set):");
    report_prose_end(prose);
    report_prose_list(prose);
    for (size_t i = 0; i < study->set_count; i++) {
        const struct study_set *set = &study->sets[i];
        report_prose_point(prose);
        report_prose_add(prose, "`%.*s`, {sets.%.*s.count|%s|%s}: ", STR_ARG(set->name),
                         STR_ARG(set->name), report_methods_noun(prose),
                         report_methods_nouns(prose));
        report_prose_code(prose, set->text);
        add_funnel(report_methods_step(facts, "sets", set->name), prose);
        report_prose_add(prose, ".");
    }
    report_prose_list_end(prose);
}

/* Samples. */

static bool is_whole(const struct study_sample *sample, struct report_prose *prose)
{
    return report_prose_value(prose, "samples.%.*s.count", STR_ARG(sample->name)) ==
           report_prose_value(prose, "samples.%.*s.frame", STR_ARG(sample->name));
}

static void add_how(const struct study_sample *sample, struct report_prose *prose)
{
    const struct sample_size_spec *size = &sample->size;
    const char *random = sample->systematic ? "every k-th by id from a random start"
                         : sample->by == STUDY_NONE ? "at random"
                                                    : "at random within strata";

    if (is_whole(sample, prose))
        report_prose_add(prose, ", all were taken");
    else if (size->kind == SAMPLE_SIZE_TOP) {
        report_prose_add(prose, ", the ");
        report_methods_size(sample, prose);
        report_prose_add(prose, " were taken, which is no random sample");
    } else
        report_prose_add(
            prose,
            ", {samples.%.*s.count} were drawn %s and without replacement (seed "
            "%llu)",
            STR_ARG(sample->name), random, (unsigned long long)sample->seed);
}

static void add_rule(const struct study_sample *sample,
                     const struct report_methods_sample *drawn,
                     struct report_prose *prose)
{
    static const char *const rounded[] = {[SAMPLE_SIZE_UP] = "up",
                                          [SAMPLE_SIZE_DOWN] = "down",
                                          [SAMPLE_SIZE_NEAREST] =
                                              "to the nearest number"};
    const struct sample_size_rule *rule = &sample->size.rule;
    bool random = sample->size.kind != SAMPLE_SIZE_TOP && !is_whole(sample, prose);

    if (sample->size.kind == SAMPLE_SIZE_BY_RULE)
        report_prose_add(
            prose,
            " The size is that for a confidence of %.4g%% and a margin of %.4g "
            "percentage points in a finite population%s, rounded %s.",
            rule->confidence * 100, rule->margin * 100,
            rule->categories > 2 ? ", for all categories at once" : "",
            rounded[rule->round]);
    if (!random || isnan(drawn->margin))
        return;
    if (sample->size.kind == SAMPLE_SIZE_BY_RULE && drawn->margin > rule->margin)
        report_prose_add(prose, " Rounding misses that margin: it is %.4g points.",
                         drawn->margin * 100);
    else
        report_prose_add(
            prose,
            " A share found in it lies within %.3g points of the whole's with a "
            "confidence of %.4g%%.",
            drawn->margin * 100, drawn->confidence * 100);
}

static void add_strata(const struct report_methods_facts *facts,
                       const struct study_sample *sample, struct report_prose *prose)
{
    static const char *const shared[] = {
        [STUDY_PROPORTIONAL] = "in proportion to their sizes",
        [STUDY_EQUAL] = "in equal parts",
        [STUDY_EACH] = "each by the same rule on its own"};
    double outside =
        report_prose_value(prose, "sets.%.*s.count", STR_ARG(sample->of)) -
        report_prose_value(prose, "samples.%.*s.frame", STR_ARG(sample->name));

    if (sample->by != STUDY_NONE)
        report_prose_add(
            prose,
            " Strata are the groups of `%.*s`, which share the size %s; their "
            "sizes are in out/samples/%.*s.json.",
            STR_ARG(facts->study->groups[sample->by].name), shared[sample->allocate],
            STR_ARG(sample->name));
    if (sample->by != STUDY_NONE && outside > 0)
        report_prose_add(prose,
                         " {=%.0f|%s belongs|%s belong} to no stratum and could not be "
                         "drawn.",
                         outside, report_methods_noun(prose),
                         report_methods_nouns(prose));
    if (sample->keep != STUDY_NONE)
        report_prose_add(prose, " It enlarges the sample `%.*s`.",
                         STR_ARG(facts->study->samples[sample->keep].name));
}

static void add_samples(const struct report_methods_facts *facts,
                        struct report_prose *prose)
{
    const struct study *study = facts->study;

    if (study->sample_count == 0)
        return;
    report_prose_title(prose, 3, "Sampling");
    for (size_t i = 0; i < study->sample_count; i++) {
        const struct study_sample *sample = &study->samples[i];
        report_prose_add(
            prose, "Sample `%.*s`: from the {samples.%.*s.frame|%s|%s} of `%.*s`",
            STR_ARG(sample->name), STR_ARG(sample->name), report_methods_noun(prose),
            report_methods_nouns(prose), STR_ARG(sample->of));
        add_how(sample, prose);
        report_prose_add(prose, ".");
        add_rule(sample, &facts->samples[i], prose);
        add_strata(facts, sample, prose);
        report_prose_end(prose);
    }
}

void report_methods_data(const struct report_methods_facts *facts,
                         struct report_prose *prose)
{
    add_sources(facts, prose);
    add_sets(facts, prose);
    add_samples(facts, prose);
}
