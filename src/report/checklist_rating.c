/* The supplement on inter-rater reliability and agreement. */
#include "report/checklist.h"

enum report_checklist_verdict
report_checklist_no_raters(const struct report_methods_facts *facts,
                           struct report_prose *prose)
{
    if (facts->study->label_count > 0)
        return report_checklist_say(
            prose, REPORT_CHECKLIST_MISSING,
            "labels come from files that name no raters; add a column "
            "with the rater, and `rater` to the labels of the study "
            "file");
    if (facts->study->labelling_count > 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_MISSING,
                                    "nobody has labelled yet; begin with `assay label`");
    return report_checklist_say(prose, REPORT_CHECKLIST_NOT_HERE, "nothing was labelled");
}

static enum report_checklist_verdict properties(const struct report_methods_facts *facts,
                                                struct report_prose *prose)
{
    for (size_t i = 0; i < facts->agreement_count; i++) {
        report_prose_add(prose, "%s", report_prose_between(i, facts->agreement_count));
        report_prose_text(prose, facts->agreements[i].name);
    }
    return REPORT_CHECKLIST_RECORDED;
}

enum report_checklist_verdict
report_checklist_raters(const struct report_methods_facts *facts,
                        struct report_prose *prose)
{
    if (facts->agreement_count == 0)
        return report_checklist_no_raters(facts, prose);
    for (size_t i = 0; i < facts->agreement_count; i++) {
        report_prose_add(prose, "%s{=%zu|rater|raters} for ",
                         report_prose_between(i, facts->agreement_count),
                         facts->agreements[i].raters);
        report_prose_text(prose, facts->agreements[i].name);
    }
    return REPORT_CHECKLIST_RECORDED;
}

enum report_checklist_verdict
report_checklist_reliability(const struct report_methods_facts *facts,
                             struct report_prose *prose)
{
    bool any = false;

    if (facts->agreement_count == 0)
        return report_checklist_no_raters(facts, prose);
    for (size_t i = 0; i < facts->agreement_count; i++) {
        const struct report_methods_agreement *one = &facts->agreements[i];
        if (!report_methods_agreed(one))
            continue;
        report_prose_add(prose, "%s%s %.2f for ", any ? ", " : "", one->coefficient,
                         one->value.value);
        report_prose_text(prose, one->name);
        report_prose_add(prose, " ({=%zu|item|items})", one->items);
        any = true;
    }
    if (any)
        return REPORT_CHECKLIST_RECORDED;
    return report_checklist_say(
        prose, REPORT_CHECKLIST_MISSING,
        "no coefficient is defined; let two raters label the same items "
        "(`overlap` of the labelling)");
}

static size_t most_raters(const struct report_methods_facts *facts)
{
    size_t most = 0;

    for (size_t i = 0; i < facts->agreement_count; i++)
        if (facts->agreements[i].raters > most)
            most = facts->agreements[i].raters;
    return most;
}

static enum report_checklist_verdict alone(const struct report_methods_facts *facts,
                                           struct report_prose *prose)
{
    if (most_raters(facts) == 1)
        return report_checklist_say(prose, REPORT_CHECKLIST_YOURS,
                                    "why one rater is enough here");
    return report_checklist_say(prose, REPORT_CHECKLIST_NOT_HERE,
                                "there are several raters");
}

static enum report_checklist_verdict independent(const struct report_methods_facts *facts,
                                                 struct report_prose *prose)
{
    size_t own = 0, imported = 0;

    for (size_t i = 0; i < facts->study->labelling_count; i++)
        for (size_t r = 0; r < facts->labellings[i].round_count; r++) {
            imported += facts->labellings[i].rounds[r].source.len > 0;
            own += facts->labellings[i].rounds[r].source.len == 0;
        }
    if (own == 0)
        return report_checklist_say(
            prose, REPORT_CHECKLIST_YOURS,
            "labels were made elsewhere: say whether raters worked "
            "each alone");
    report_prose_add(prose,
                     "in {=%zu|round|rounds} nobody saw the labels of others before the "
                     "round was closed",
                     own);
    if (imported > 0)
        report_prose_add(prose,
                         "; of {=%zu|imported round|imported rounds} it is yours to say",
                         imported);
    return REPORT_CHECKLIST_RECORDED;
}

static enum report_checklist_verdict resolved(const struct report_methods_facts *facts,
                                              struct report_prose *prose)
{
    size_t decided = 0, left = 0;

    for (size_t i = 0; i < facts->agreement_count; i++) {
        decided += report_methods_outcome(prose, &facts->agreements[i], "adjudicated");
        left += report_methods_outcome(prose, &facts->agreements[i], "unresolved");
    }
    if (most_raters(facts) == 1)
        return report_checklist_say(prose, REPORT_CHECKLIST_NOT_HERE,
                                    "there is one rater");
    if (facts->study->labelling_count == 0)
        return report_checklist_say(
            prose, REPORT_CHECKLIST_RECORDED,
            "a code counts when more than half of an item's raters gave "
            "it");
    if (decided + left == 0)
        return report_checklist_say(prose, REPORT_CHECKLIST_RECORDED,
                                    "there was no dispute");
    if (decided > 0)
        report_prose_add(prose, "an arbiter decided {=%zu} of {=%zu|dispute|disputes}%s",
                         decided, decided + left, left > 0 ? "; " : "");
    if (left > 0)
        report_prose_add(
            prose,
            "{=%zu|dispute is|disputes are} undecided; decide %s with `assay label`",
            left, left == 1 ? "it" : "them");
    return left > 0 ? REPORT_CHECKLIST_MISSING : REPORT_CHECKLIST_RECORDED;
}

static enum report_checklist_verdict type(const struct report_methods_facts *facts,
                                          struct report_prose *prose)
{
    (void)facts;
    return report_checklist_say(
        prose, REPORT_CHECKLIST_RECORDED,
        "codes are nominal; where several may be given, sets of codes");
}

static enum report_checklist_verdict
coefficients(const struct report_methods_facts *facts, struct report_prose *prose)
{
    (void)facts;
    return report_checklist_say(
        prose, REPORT_CHECKLIST_RECORDED,
        "the design decides: Cohen's kappa for two raters with one code "
        "each, else Krippendorff's alpha; `assay agree` prints all of "
        "them");
}

static enum report_checklist_verdict thresholds(const struct report_methods_facts *facts,
                                                struct report_prose *prose)
{
    bool any = false;

    for (size_t i = 0; i < facts->agreement_count; i++) {
        const struct report_methods_agreement *one = &facts->agreements[i];
        if (!report_methods_agreed(one))
            continue;
        report_prose_add(prose, "%s%s for ", any ? ", " : "",
                         stats_agree_word(one->value.value));
        report_prose_text(prose, one->name);
        any = true;
    }
    return any ? report_checklist_say(prose, REPORT_CHECKLIST_RECORDED,
                                      ", in the words of Landis and "
                                      "Koch")
               : report_checklist_say(prose, REPORT_CHECKLIST_NOT_HERE,
                                      "no coefficient is defined");
}

/* Feinstein and Cicchetti, "High agreement but low kappa", 1990. */
static enum report_checklist_verdict anomalies(const struct report_methods_facts *facts,
                                               struct report_prose *prose)
{
    const double high = 0.8, low = 0.6;
    bool any = false;

    for (size_t i = 0; i < facts->agreement_count; i++) {
        const struct report_methods_agreement *one = &facts->agreements[i];
        if (!report_methods_agreed(one) || one->observed < high ||
            one->value.value >= low)
            continue;
        report_prose_add(prose, "%s",
                         any ? ", " : "high agreement and a low coefficient for ");
        report_prose_text(prose, one->name);
        any = true;
    }
    if (!any)
        return report_checklist_say(prose, REPORT_CHECKLIST_RECORDED,
                                    "there is no high agreement with a low coefficient");
    report_prose_add(prose, ": discuss it; `assay agree` also prints Gwet's AC1");
    return REPORT_CHECKLIST_YOURS;
}

static enum report_checklist_verdict many_raters(const struct report_methods_facts *facts,
                                                 struct report_prose *prose)
{
    size_t most = most_raters(facts);

    report_prose_add(prose, "{=%zu|rater|raters}", most);
    return most > 3 ? REPORT_CHECKLIST_RECORDED : REPORT_CHECKLIST_MISSING;
}

static enum report_checklist_verdict cycles(const struct report_methods_facts *facts,
                                            struct report_prose *prose)
{
    size_t rounds = 0;

    for (size_t i = 0; i < facts->study->labelling_count; i++)
        rounds += facts->labellings[i].round_count;
    if (rounds == 0)
        return report_checklist_say(
            prose, REPORT_CHECKLIST_YOURS,
            "the labels were made elsewhere: say in how many cycles");
    report_prose_add(
        prose, "{=%zu|round|rounds}; `assay agree` has the agreement of each", rounds);
    return rounds > 1 ? REPORT_CHECKLIST_RECORDED : REPORT_CHECKLIST_MISSING;
}

static bool applies(const struct report_methods_facts *facts, struct report_prose *prose)
{
    if (facts->agreement_count > 0)
        return true;
    report_prose_add(prose, "Nothing can be filled in: ");
    report_checklist_no_raters(facts, prose);
    report_prose_add(prose, ".");
    return false;
}

static const struct report_checklist_attribute attributes[] = {
    {REPORT_CHECKLIST_ESSENTIAL, "which properties were rated", NULL, properties},
    {REPORT_CHECKLIST_ESSENTIAL, "how many rated each", NULL, report_checklist_raters},
    {REPORT_CHECKLIST_ESSENTIAL, "a reason for a single rater (either)", NULL, alone},
    {REPORT_CHECKLIST_ESSENTIAL, "raters worked independently (or)", NULL, independent},
    {REPORT_CHECKLIST_ESSENTIAL, "how disagreements were resolved (or)", NULL, resolved},
    {REPORT_CHECKLIST_ESSENTIAL, "type of the ratings (or)", NULL, type},
    {REPORT_CHECKLIST_ESSENTIAL, "a suitable coefficient (or)", NULL,
     report_checklist_reliability},
    {REPORT_CHECKLIST_DESIRABLE, "rating scheme, rules and examples are provided",
     "codebooks and labels are in the study; `assay pack` puts them into a package, "
     "`assay agree` prints agreement by code and round: say where they are",
     NULL},
    {REPORT_CHECKLIST_DESIRABLE, "the coefficient is justified", NULL, coefficients},
    {REPORT_CHECKLIST_DESIRABLE, "thresholds or interpretations are given", NULL,
     thresholds},
    {REPORT_CHECKLIST_DESIRABLE, "anomalies are discussed", NULL, anomalies},
    {REPORT_CHECKLIST_DESIRABLE, "training and experience of the raters",
     "say it; training rounds are listed above where there were any", NULL},
    {REPORT_CHECKLIST_DESIRABLE,
     "disagreements are resolved by discussion rather than by vote",
     "say whether the arbiter talked with the raters", NULL},
    {REPORT_CHECKLIST_EXTRAORDINARY, "more than three raters", NULL, many_raters},
    {REPORT_CHECKLIST_EXTRAORDINARY,
     "cycles of rating, resolving and updating the scheme", NULL, cycles},
    {REPORT_CHECKLIST_EXTRAORDINARY, "agreement used to improve the rating itself",
     "say what you changed after seeing it", NULL},
};

const struct report_checklist_standard checklist_rating = {
    .name = "Inter-Rater Reliability and Agreement",
    .version = "docs/supplements/InterRaterReliabilityAndAgreement.md, commit 1286d54",
    .applies = applies,
    .attributes = attributes,
    .count = ROWS_OF(attributes),
};
