/* Repository Mining: what the study recorded of each attribute. */
#include "report/checklist.h"

static enum report_checklist_verdict unit(const struct report_methods_facts *facts,
                                          struct report_prose *prose)
{
    if (facts->study->source_count == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_MISSING,
                                    "the study has no source; add it as `source`");
    report_prose_add(prose, "the unit is the %s; sets and tables count them",
                     report_methods_noun(prose));
    return REPORT_CHECKLIST_RECORDED;
}

static enum report_checklist_verdict sources(const struct report_methods_facts *facts,
                                             struct report_prose *prose)
{
    const struct study *study = facts->study;
    bool until = true;

    if (study->source_count == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_MISSING,
                                    "the study has no source; add it as `source`");
    for (size_t i = 0; i < study->source_count; i++)
        until = until && study->sources[i].until_ms != INT64_MAX;
    report_prose_add(
        prose,
        "{=%zu|source|sources} with counts, dates and hashes in "
        "out/health.md%s; why this source suits the question is yours to say",
        study->source_count,
        until ? "" : " (no last day was fixed: add `until` to the source)");
    return REPORT_CHECKLIST_RECORDED;
}

static enum report_checklist_verdict selection(const struct report_methods_facts *facts,
                                               struct report_prose *prose)
{
    if (facts->study->set_count == 0)
        return report_checklist_say(
            prose, REPORT_CHECKLIST_MISSING,
            "the study selects nothing by query; add `sets`, or say that "
            "everything was taken");
    report_prose_add(prose,
                     "{=%zu|query|queries} in `sets`, with what each condition left in "
                     "out/funnels; why these conditions is yours to say",
                     facts->study->set_count);
    return REPORT_CHECKLIST_RECORDED;
}

static enum report_checklist_verdict validated(const struct report_methods_facts *facts,
                                               struct report_prose *prose)
{
    if (facts->study->set_count == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_NOT_HERE,
                                    "nothing was selected by a query");
    if (facts->agreement_count > 0)
        return report_checklist_say(
            prose, REPORT_CHECKLIST_YOURS,
            "raters have read items of the study; say how many of them did not "
            "belong into their set");
    return report_checklist_say(
        prose, REPORT_CHECKLIST_MISSING,
        "nobody looked whether the queries find what they should; add a sample of "
        "each set under `samples` and a `labelling` that asks whether an item "
        "belongs");
}

static enum report_checklist_verdict selected(const struct report_methods_facts *facts,
                                              struct report_prose *prose)
{
    if (facts->study->table_count == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_MISSING,
                                    "no table describes the sets; add one to `tables`");
    report_prose_add(prose,
                     "sizes of {=%zu|set|sets} and {=%zu|table|tables} in out/tables and "
                     "in the report",
                     facts->study->set_count, facts->study->table_count);
    return REPORT_CHECKLIST_RECORDED;
}

static enum report_checklist_verdict acquisition(const struct report_methods_facts *facts,
                                                 struct report_prose *prose)
{
    if (facts->study->source_count == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_NOT_HERE,
                                    "the study has no source");
    return report_checklist_say(
        prose, REPORT_CHECKLIST_YOURS,
        "where and when the files were obtained, and their version; their hashes "
        "are in out/health.md");
}

static enum report_checklist_verdict too_large(const struct report_methods_facts *facts,
                                               struct report_prose *prose)
{
    if (facts->study->sample_count == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_NOT_HERE,
                                    "no sample was drawn: all items were processed");
    report_prose_add(prose,
                     "{=%zu|sample|samples}, see Sampling below; why not everything was "
                     "processed is yours to say",
                     facts->study->sample_count);
    return REPORT_CHECKLIST_RECORDED;
}

static enum report_checklist_verdict
characteristics(const struct report_methods_facts *facts, struct report_prose *prose)
{
    if (facts->study->source_count == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_NOT_HERE,
                                    "the study has no source");
    if (report_prose_value(prose, "corpus.questions") > 0)
        report_prose_add(prose, "{corpus.questions|question|questions} and "
                                "{corpus.answers|answer|answers} in the corpus");
    else
        report_prose_add(prose, "{corpus.rows|row|rows} in the corpus");
    report_prose_add(prose, "; further characteristics in out/tables");
    return REPORT_CHECKLIST_RECORDED;
}

static enum report_checklist_verdict
preprocessing(const struct report_methods_facts *facts, struct report_prose *prose)
{
    if (facts->study->source_count == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_NOT_HERE,
                                    "the study has no source");
    return report_checklist_say(
        prose, REPORT_CHECKLIST_RECORDED,
        "what was dropped or could not be read is counted in out/health.md; "
        "posts are divided into prose and code as assay-query(7) says");
}

static enum report_checklist_verdict
describe_raters(const struct report_methods_facts *facts, struct report_prose *prose)
{
    if (facts->agreement_count == 0 && facts->study->label_count == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_NOT_HERE,
                                    "nothing was labelled");
    return report_checklist_say(prose, REPORT_CHECKLIST_YOURS,
                                "their experience, training and relation to the study");
}

static enum report_checklist_verdict procedure(const struct report_methods_facts *facts,
                                               struct report_prose *prose)
{
    size_t rounds = 0, codes = 0;

    if (facts->agreement_count == 0)
        return report_checklist_no_raters(facts, prose);
    for (size_t i = 0; i < facts->study->labelling_count; i++) {
        const struct report_methods_labelling *one = &facts->labellings[i];
        rounds += one->round_count;
        for (size_t d = 0; one->codebook != NULL && d < one->codebook->count; d++)
            codes += one->codebook->dimensions[d].count;
    }
    if (rounds == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_YOURS,
                                    "how the labels of the files came about");
    report_prose_add(prose,
                     "{=%zu|round|rounds} with {=%zu|code|codes} of the codebook, every "
                     "act kept in labels.db",
                     rounds, codes);
    return REPORT_CHECKLIST_RECORDED;
}

static enum report_checklist_verdict measures(const struct report_methods_facts *facts,
                                              struct report_prose *prose)
{
    if (facts->study->table_count + facts->study->test_count == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_MISSING,
                                    "nothing is measured; add `tables`");
    return report_checklist_say(prose, REPORT_CHECKLIST_RECORDED,
                                "the columns of `tables`, defined in assay-measure(7); "
                                "why these is yours to say");
}

static enum report_checklist_verdict predictive(const struct report_methods_facts *facts,
                                                struct report_prose *prose)
{
    if (facts->study->classifier_count == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_NOT_HERE,
                                    "the study declares no classifier");
    report_prose_add(
        prose,
        "{=%zu|classifier|classifiers}: fill in the Data Science standard as "
        "well",
        facts->study->classifier_count);
    return REPORT_CHECKLIST_YOURS;
}

static enum report_checklist_verdict external(const struct report_methods_facts *facts,
                                              struct report_prose *prose)
{
    if (facts->study->source_count == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_YOURS,
                                    "what the results can be carried over to");
    return report_checklist_say(prose, REPORT_CHECKLIST_RECORDED,
                                "drafted above under Threats to validity");
}

static enum report_checklist_verdict
random_sample(const struct report_methods_facts *facts, struct report_prose *prose)
{
    size_t random = 0;

    for (size_t i = 0; i < facts->study->sample_count; i++)
        random += facts->study->samples[i].size.kind != SAMPLE_SIZE_TOP;
    if (facts->study->sample_count == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_NOT_HERE,
                                    "no sample was drawn");
    if (random < facts->study->sample_count)
        return report_checklist_say(prose, REPORT_CHECKLIST_MISSING,
                                    "a sample takes the first by a number; draw it at "
                                    "random by giving it a `size` such as 95% +- 5%");
    return report_checklist_say(prose, REPORT_CHECKLIST_RECORDED,
                                "all samples are random ones");
}

static enum report_checklist_verdict
triangulation(const struct report_methods_facts *facts, struct report_prose *prose)
{
    if (facts->study->source_count < 2)
        return report_checklist_say(
            prose, REPORT_CHECKLIST_MISSING,
            "there is one source; further ones go under `sources`");
    report_prose_add(prose, "{=%zu} sources", facts->study->source_count);
    return REPORT_CHECKLIST_RECORDED;
}

static enum report_checklist_verdict failures(const struct report_methods_facts *facts,
                                              struct report_prose *prose)
{
    double broken = result_health_sum(&facts->health, "broken rows skipped");

    if (broken > 0)
        report_prose_add(prose, "{=%.0f|row|rows} could not be read (out/health.md); ",
                         broken);
    return report_checklist_say(prose, REPORT_CHECKLIST_YOURS,
                                "where queries and measures failed");
}

static enum report_checklist_verdict hypotheses(const struct report_methods_facts *facts,
                                                struct report_prose *prose)
{
    if (facts->study->test_count == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_MISSING,
                                    "no test is declared; they go under `tests`");
    report_prose_add(prose,
                     "{=%zu|test|tests} with {=%zu|p value|p values} in out/tests; the "
                     "hypotheses behind them are yours to say",
                     facts->study->test_count, report_methods_all_p_values(facts));
    return REPORT_CHECKLIST_RECORDED;
}

static const struct report_checklist_attribute attributes[] = {
    {REPORT_CHECKLIST_ESSENTIAL, "why mining repositories suits the question",
     "say why questions that developers ask in public tell something about your problem",
     NULL},
    {REPORT_CHECKLIST_ESSENTIAL, "unit of analysis", NULL, unit},
    {REPORT_CHECKLIST_ESSENTIAL, "sources described and justified", NULL, sources},
    {REPORT_CHECKLIST_ESSENTIAL, "how items were selected", NULL, selection},
    {REPORT_CHECKLIST_ESSENTIAL, "selection criteria validated", NULL, validated},
    {REPORT_CHECKLIST_ESSENTIAL, "what was selected", NULL, selected},
    {REPORT_CHECKLIST_ESSENTIAL, "how the data were acquired", NULL, acquisition},
    {REPORT_CHECKLIST_ESSENTIAL, "sampling, where not everything is processed", NULL,
     too_large},
    {REPORT_CHECKLIST_ESSENTIAL, "characteristics of the data", NULL, characteristics},
    {REPORT_CHECKLIST_ESSENTIAL, "preprocessing", NULL, preprocessing},
    {REPORT_CHECKLIST_ESSENTIAL, "several annotators, and how many", NULL,
     report_checklist_raters},
    {REPORT_CHECKLIST_ESSENTIAL, "who the annotators are", NULL, describe_raters},
    {REPORT_CHECKLIST_ESSENTIAL, "how annotation was done", NULL, procedure},
    {REPORT_CHECKLIST_ESSENTIAL, "reliability of annotation", NULL,
     report_checklist_reliability},
    {REPORT_CHECKLIST_ESSENTIAL, "measures described and justified", NULL, measures},
    {REPORT_CHECKLIST_ESSENTIAL, "measures validated",
     "cite studies that validated these measures, or assess whether they measure what "
     "you mean",
     NULL},
    {REPORT_CHECKLIST_ESSENTIAL, "predictive models follow the Data Science standard",
     NULL, predictive},
    {REPORT_CHECKLIST_ESSENTIAL, "threats to external validity", NULL, external},
    {REPORT_CHECKLIST_DESIRABLE, "supplementary material",
     "make a replication package with `assay pack`, and say where it is", NULL},
    {REPORT_CHECKLIST_DESIRABLE, "probability sampling", NULL, random_sample},
    {REPORT_CHECKLIST_DESIRABLE, "future work on the same sample",
     "say what others could do with it", NULL},
    {REPORT_CHECKLIST_DESIRABLE, "several sources, people or methods", NULL,
     triangulation},
    {REPORT_CHECKLIST_DESIRABLE, "annotators reflect on their biases",
     "say what raters expected to find", NULL},
    {REPORT_CHECKLIST_DESIRABLE, "where tools were ineffective", NULL, failures},
    {REPORT_CHECKLIST_DESIRABLE, "tools are tested",
     "assay comes with its tests; say how scripts of your own were checked", NULL},
    {REPORT_CHECKLIST_DESIRABLE, "theory is built or tested", "say which", NULL},
    {REPORT_CHECKLIST_DESIRABLE, "formal hypotheses are tested", NULL, hypotheses},
    {REPORT_CHECKLIST_DESIRABLE, "ethics",
     "posts are public and under CC BY-SA; say how you treat their authors; report and "
     "package of assay carry no user names",
     NULL},
    {REPORT_CHECKLIST_EXTRAORDINARY, "causality is established",
     "say so only if the design allows it", NULL},
};

const struct report_checklist_standard checklist_mining = {
    .name = "Repository Mining",
    .version = "docs/standards/RepositoryMining.md, commit 53c14e1",
    .attributes = attributes,
    .count = ROWS_OF(attributes),
};
