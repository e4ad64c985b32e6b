/* The supplement on sampling. */
#include <math.h>

#include "report/checklist.h"

static enum report_checklist_verdict strategy(const struct report_methods_facts *facts,
                                              struct report_prose *prose)
{
    for (size_t i = 0; i < facts->study->sample_count; i++)
        report_prose_add(prose, "%s`%.*s` from `%.*s`", i > 0 ? ", " : "",
                         STR_ARG(facts->study->samples[i].name),
                         STR_ARG(facts->study->samples[i].of));
    report_prose_add(prose, ", drawn as Sampling says above");
    return REPORT_CHECKLIST_RECORDED;
}

static enum report_checklist_verdict sizes(const struct report_methods_facts *facts,
                                           struct report_prose *prose)
{
    for (size_t i = 0; i < facts->study->sample_count; i++) {
        struct str name = facts->study->samples[i].name;
        report_prose_add(prose, "%s`%.*s` {samples.%.*s.count}", i > 0 ? ", " : "",
                         STR_ARG(name), STR_ARG(name));
    }
    return REPORT_CHECKLIST_RECORDED;
}

static enum report_checklist_verdict algorithm(const struct report_methods_facts *facts,
                                               struct report_prose *prose)
{
    for (size_t i = 0; i < facts->study->sample_count; i++)
        report_prose_add(prose, "%sseed %llu for `%.*s`", i > 0 ? ", " : "",
                         (unsigned long long)facts->study->samples[i].seed,
                         STR_ARG(facts->study->samples[i].name));
    report_prose_add(prose, "; the same study file draws the same items");
    return REPORT_CHECKLIST_RECORDED;
}

static enum report_checklist_verdict represents(const struct report_methods_facts *facts,
                                                struct report_prose *prose)
{
    bool any = false;

    for (size_t i = 0; i < facts->study->sample_count; i++) {
        const struct report_methods_sample *drawn = &facts->samples[i];
        if (isnan(drawn->margin))
            continue;
        report_prose_add(prose, "%s`%.*s` ", any ? ", " : "",
                         STR_ARG(facts->study->samples[i].name));
        if (drawn->margin == 0)
            report_prose_add(prose, "has all items");
        else
            report_prose_add(prose, "%.3g percentage points at a confidence of %.4g%%",
                             drawn->margin * 100, drawn->confidence * 100);
        any = true;
    }
    if (any)
        return REPORT_CHECKLIST_RECORDED;
    return report_checklist_say(
        prose, REPORT_CHECKLIST_MISSING,
        "no sample has a margin; give it a `size` such as 95% +- 5%");
}

static enum report_checklist_verdict frames(const struct report_methods_facts *facts,
                                            struct report_prose *prose)
{
    for (size_t i = 0; i < facts->study->sample_count; i++) {
        struct str name = facts->study->samples[i].name;
        report_prose_add(prose, "%sframe of `%.*s` {samples.%.*s.frame}",
                         i > 0 ? ", " : "", STR_ARG(name), STR_ARG(name));
    }
    return REPORT_CHECKLIST_RECORDED;
}

static enum report_checklist_verdict stratified(const struct report_methods_facts *facts,
                                                struct report_prose *prose)
{
    size_t strata = 0;

    for (size_t i = 0; i < facts->study->sample_count; i++)
        strata += facts->study->samples[i].by != STUDY_NONE;
    if (strata == 0)
        return report_checklist_say(
            prose, REPORT_CHECKLIST_MISSING,
            "no sample has strata; where groups matter, add `by`");
    report_prose_add(prose, "{=%zu|sample has|samples have} strata", strata);
    return REPORT_CHECKLIST_RECORDED;
}

static bool applies(const struct report_methods_facts *facts, struct report_prose *prose)
{
    if (facts->study->sample_count == 0)
        report_prose_add(prose,
                         "Does not apply: no sample was drawn, the study looks at all "
                         "items of its sets.");
    return facts->study->sample_count > 0;
}

static const struct report_checklist_attribute attributes[] = {
    {REPORT_CHECKLIST_ESSENTIAL, "goal of sampling",
     "say whether the sample is to represent the whole, or to show unusual cases", NULL},
    {REPORT_CHECKLIST_ESSENTIAL, "strategy", NULL, strategy},
    {REPORT_CHECKLIST_ESSENTIAL, "why the strategy is reasonable",
     "say why it suits that goal", NULL},
    {REPORT_CHECKLIST_ESSENTIAL, "reasons for the objects of study",
     "say why these items and no others", NULL},
    {REPORT_CHECKLIST_ESSENTIAL, "size", NULL, sizes},
    {REPORT_CHECKLIST_ESSENTIAL, "theoretical population (if it is to represent)",
     "say to whom you would like to generalise; the frames are known, see below", NULL},
    {REPORT_CHECKLIST_ESSENTIAL,
     "a way for others to draw the same sample (if it is to represent)", NULL, algorithm},
    {REPORT_CHECKLIST_ESSENTIAL,
     "argument for representativeness (if it is to represent)", NULL, represents},
    {REPORT_CHECKLIST_ESSENTIAL,
     "how the steps could bias the sample (if it is to represent)",
     "say what the queries before the sample leave out; the threats above are a "
     "beginning",
     NULL},
    {REPORT_CHECKLIST_DESIRABLE, "sizes of populations and frames", NULL, frames},
    {REPORT_CHECKLIST_DESIRABLE, "sample, frame and scripts are provided",
     "they are out/samples, out/sets and the study file; `assay pack` puts them into a "
     "package: say where it is",
     NULL},
    {REPORT_CHECKLIST_DESIRABLE, "a strategy beyond the simplest, such as strata", NULL,
     stratified},
};

const struct report_checklist_standard checklist_sampling = {
    .name = "Sampling",
    .version = "docs/supplements/Sampling.md, commit 7758f89",
    .applies = applies,
    .attributes = attributes,
    .count = ROWS_OF(attributes),
};
