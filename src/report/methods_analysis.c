/* What was measured and tested, and how somebody else would get the same. */
#include <math.h>
#include <string.h>

#include "report/methods.h"

static bool is_median(const struct study_measure *measure)
{
    return measure->kind == STUDY_MEASURE_MEDIAN;
}

static bool is_quantile(const struct study_measure *measure)
{
    return measure->kind == STUDY_MEASURE_QUANTILE;
}

static bool is_census(const struct study_measure *measure)
{
    return measure->kind == STUDY_MEASURE_SHARE &&
           measure->whole == STUDY_MEASURE_OF_CENSUS;
}

static bool is_several(const struct study_measure *measure)
{
    return measure->kind == STUDY_MEASURE_SHARE &&
           measure->whole == STUDY_MEASURE_OF_COLUMN;
}

/* The columns of computed tables, each once. */
static void add_measures(const struct study *study, struct report_prose *prose)
{
    struct str said[64];
    size_t count = 0;

    for (size_t t = 0; t < study->table_count; t++)
        for (size_t c = 0; c < study->tables[t].column_count; c++) {
            struct str text = study->tables[t].columns[c].text;
            size_t known = 0;
            while (known < count && !str_eq(said[known], text))
                known++;
            if (study->tables[t].from == NULL && known == count && count < ROWS_OF(said))
                said[count++] = text;
        }
    for (size_t i = 0; i < count; i++) {
        report_prose_add(prose, "%s",
                         i == 0 ? " The measures are " : report_prose_between(i, count));
        report_prose_code(prose, said[i]);
    }
    if (count > 0)
        report_prose_add(prose, " (defined in assay-measure(7)).");
}

static void add_conventions(const struct study *study, struct report_prose *prose)
{
    const struct {
        bool (*is)(const struct study_measure *);
        const char *text;
    } conventions[] = {
        {report_methods_is_share, " Shares have Wilson score intervals."},
        {is_census, " Shares of the site compare with all questions of the source, not "
                    "with the selected ones alone."},
        {is_several, " Shares of a column's sum count codes rather than items."},
        {is_median, " The median of an even number of values is the mean of the middle "
                    "two."},
        {is_quantile, " Quantiles are linear between order statistics (type 7 of Hyndman "
                      "and Fan)."},
        {report_methods_is_wait, " Waiting times run from the question to the answer; a "
                                 "question without that answer has none."},
        {report_methods_is_survival,
         " Kaplan-Meier medians count questions that still wait as "
         "censored at the end of the data."},
    };

    for (size_t i = 0; i < ROWS_OF(conventions); i++)
        if (report_methods_measures(study, conventions[i].is))
            report_prose_add(prose, "%s", conventions[i].text);
    for (size_t t = 0; t < study->table_count; t++)
        for (size_t c = 0; c < study->tables[t].column_count; c++)
            if (study->tables[t].columns[c].round_first >= 0) {
                report_prose_add(prose,
                                 " Values of some columns were rounded before they were "
                                 "summed up, as the study file says.");
                return;
            }
}

static void add_tables(const struct report_methods_facts *facts,
                       struct report_prose *prose)
{
    const struct study *study = facts->study;
    size_t computed = 0;

    for (size_t i = 0; i < study->table_count; i++)
        computed += study->tables[i].from == NULL;
    if (computed == 0)
        return;
    report_prose_title(prose, 3, "Measures");
    report_prose_add(prose, "{=%zu|table was|tables were} computed from the corpus.",
                     computed);
    add_measures(study, prose);
    add_conventions(study, prose);
    report_prose_end(prose);
}

/* Tests. */

static const struct {
    const char *name, *effect; /* NULL: none */
} kinds[] = {
    [STUDY_PROPORTION] = {"a chi-square test of equal proportions", "the odds ratio"},
    [STUDY_CHI_SQUARE] = {"Pearson's chi-square test", "the odds ratio or Cramer's V"},
    [STUDY_FISHER] = {"Fisher's exact test", "the odds ratio or Cramer's V"},
    [STUDY_STUDENT] = {"Student's t test", "Hedges' g"},
    [STUDY_WELCH] = {"Welch's t test", "Hedges' g"},
    [STUDY_PAIRED] = {"a paired t test", "Hedges' g"},
    [STUDY_MANN_WHITNEY] = {"the Mann-Whitney U test", "Cliff's delta"},
    [STUDY_WILCOXON] = {"Wilcoxon's signed-rank test", "the rank-biserial correlation"},
    [STUDY_KRUSKAL_WALLIS] = {"the Kruskal-Wallis test, then Dunn's test of each pair",
                              "Cliff's delta of each pair"},
    [STUDY_FRIEDMAN] = {"Friedman's test", NULL},
    [STUDY_LOG_RANK] = {"the log-rank test", NULL},
    [STUDY_MANN_KENDALL] = {"the Mann-Kendall test of a trend", "Sen's slope"},
    [STUDY_SCOTT_KNOTT] = {"Scott-Knott ESD ranking, which splits groups by their means "
                           "until those of a rank differ by less than Cohen's d = 0.2 "
                           "and has no level of significance (Tantithamthavorn et al., "
                           "IEEE TSE 43(1), 2017),",
                           NULL},
    [STUDY_PEARSON] = {"Pearson's correlation", "r"},
    [STUDY_SPEARMAN] = {"Spearman's rank correlation", "rho"},
    [STUDY_KENDALL] = {"Kendall's rank correlation", "tau-b"},
};

static const char *correction(enum study_correct correct)
{
    static const char *const names[] = {[STUDY_NO_CORRECTION] = "not corrected",
                                        [STUDY_BONFERRONI] = "corrected by Bonferroni",
                                        [STUDY_HOLM] = "corrected by Holm",
                                        [STUDY_BENJAMINI] =
                                            "corrected by Benjamini and Hochberg"};

    return names[correct];
}

static void add_test(const struct report_methods_facts *facts,
                     const struct study_test *test, struct report_prose *prose)
{
    size_t count = report_methods_p_values(facts, test);
    const struct yaml_node *with = yaml_get(test->node, STR("with"));
    bool two_by_two = test->kind == STUDY_PROPORTION || test->kind == STUDY_CHI_SQUARE;

    report_prose_add(prose, "`%.*s`: %s", STR_ARG(test->name), kinds[test->kind].name);
    if (test->table != STUDY_NONE)
        report_prose_add(prose, " on cells of table `%.*s`",
                         STR_ARG(facts->study->tables[test->table].name));
    else if (test->on_text.len > 0) {
        report_prose_add(prose, " on ");
        report_prose_code(prose, test->on_text);
        if (with != NULL) {
            report_prose_add(prose, " and ");
            report_prose_code(prose, with->text);
        }
    }
    if (two_by_two && test->yates)
        report_prose_add(prose, ", with Yates' correction for two by two tables");
    if (kinds[test->kind].effect != NULL)
        report_prose_add(prose, "; effect size: %s", kinds[test->kind].effect);
    /* That of all groups together stands apart from those of pairs. */
    size_t pairs = test->kind == STUDY_KRUSKAL_WALLIS && count > 0 ? count - 1 : 0;
    if (pairs > 1)
        report_prose_add(prose, "; the p values of the {=%zu} pairs were %s", pairs,
                         correction(test->correct));
    else if (pairs == 0 && count > 1)
        report_prose_add(prose, "; its {=%zu} p values were %s", count,
                         correction(test->correct));
    if (test->kind == STUDY_SCOTT_KNOTT)
        report_prose_add(prose, ".");
    else
        report_prose_add(prose, "; level %.4g.", test->level);
}

static void add_family(const struct study *study, const struct study_family *family,
                       struct report_prose *prose)
{
    report_prose_add(prose, "The p values of ");
    for (size_t i = 0; i < family->count; i++)
        report_prose_add(prose, "%s`%.*s`", report_prose_between(i, family->count),
                         STR_ARG(study->tests[family->tests[i]].name));
    report_prose_add(prose, " are one family (`%.*s`) and were also %s together.",
                     STR_ARG(family->name), correction(family->correct));
    report_prose_end(prose);
}

static void add_tests(const struct report_methods_facts *facts,
                      struct report_prose *prose)
{
    const struct study *study = facts->study;

    if (study->test_count == 0)
        return;
    report_prose_title(prose, 3, "Tests");
    report_prose_add(
        prose,
        "{=%zu|test was|tests were} carried out, with {=%zu|p value|p values} "
        "in all; a test that has sides is two-sided.",
        study->test_count, report_methods_all_p_values(facts));
    report_prose_end(prose);
    report_prose_list(prose);
    for (size_t i = 0; i < study->test_count; i++) {
        report_prose_point(prose);
        add_test(facts, &study->tests[i], prose);
    }
    report_prose_list_end(prose);
    for (size_t i = 0; i < study->family_count; i++)
        add_family(study, &study->families[i], prose);
}

static void add_rerun(const struct report_methods_facts *facts,
                      struct report_prose *prose)
{
    const struct study *study = facts->study;

    report_prose_title(prose, 3, "Reproduction");
    report_prose_add(
        prose,
        "Everything above was declared in one study file and computed by assay %s. "
        "The same study file and sources give the same bytes on any machine and "
        "with any number of threads%s; `assay.lock` records a hash of each input "
        "and result.",
        facts->version,
        study->sample_count > 0 ? ", since random numbers begin at the seeds named" : "");
    if (study->expectation_count > 0)
        report_prose_add(
            prose,
            study->simulated
                ? " {=%zu|planted number is|planted numbers are} compared with ours "
                  "by `assay verify`."
                : " {=%zu|published or expected number is|published or expected "
                  "numbers are} compared with ours by `assay verify`.",
            study->expectation_count);
    report_prose_end(prose);
}

void report_methods_analysis(const struct report_methods_facts *facts,
                             struct report_prose *prose)
{
    add_tables(facts, prose);
    add_tests(facts, prose);
    add_rerun(facts, prose);
}
