/* What could be wrong with the study's conclusions: each threat looks whether it applies,
 * and says so with the study's numbers. */
#include <math.h>

#include "report/methods.h"

/* Construct validity: is it what we mean? */

static void tags(const struct report_methods_facts *facts, struct report_prose *prose)
{
    if (report_methods_asks(facts->study, QUERY_TAG, false))
        report_prose_add(prose,
                         "Questions were selected by tags, which their askers choose: "
                         "relevant questions without the tag are missed, and questions "
                         "that bear it for another reason are taken. ");
    if (report_methods_asks(facts->study, QUERY_TAG, true))
        report_prose_add(prose,
                         "Some queries look for a part of a tag, which also finds tags "
                         "that merely contain it. ");
}

static void words(const struct report_methods_facts *facts, struct report_prose *prose)
{
    if (report_methods_asks(facts->study, QUERY_TEXT, false))
        report_prose_add(prose,
                         "Questions were also selected by words in their text, which may "
                         "stand there for another reason, and need not stand there at "
                         "all. ");
    if (report_methods_asks(facts->study, QUERY_TEXT, true))
        report_prose_add(prose,
                         "Some of these are looked for inside of other words as well. ");
}

static void accepted(const struct report_methods_facts *facts, struct report_prose *prose)
{
    if (!report_methods_measures(facts->study, report_methods_is_accepted))
        return;
    report_prose_add(prose,
                     "Accepted answers stand in for answers that solve the problem; "
                     "whether an asker accepts one also depends on the asker");
    if (report_prose_value(prose, "census.questions") > 0)
        report_prose_add(prose, " (in the source {census.accepted} of "
                                "{census.questions|question has|questions have} one)");
    report_prose_add(prose, ". ");
}

static bool is_popularity(const struct study_measure *measure)
{
    return measure->kind != STUDY_MEASURE_COUNT && !report_methods_is_share(measure) &&
           !study_measure_is_time(measure) && measure->kind != STUDY_MEASURE_DISTINCT &&
           measure->kind != STUDY_MEASURE_RANK &&
           measure->quantity == STUDY_MEASURE_NUMBER &&
           (measure->field == ITEM_FIELD_VIEWS || measure->field == ITEM_FIELD_SCORE ||
            measure->field == ITEM_FIELD_FAVORITES);
}

static void popularity(const struct report_methods_facts *facts,
                       struct report_prose *prose)
{
    if (report_methods_measures(facts->study, is_popularity))
        report_prose_add(prose,
                         "Views and scores grow with the age of a question and with "
                         "what search engines show; they are no direct measure of "
                         "interest. ");
}

static void groups(const struct report_methods_facts *facts, struct report_prose *prose)
{
    for (size_t i = 0; i < facts->study->group_count; i++) {
        const struct study_group *group = &facts->study->groups[i];
        if (group->grouping == STUDY_GROUPING_FIRST_OF)
            report_prose_add(
                prose,
                "What would fit several values of `%.*s` counts for the first that "
                "fits. ",
                STR_ARG(group->name));
        if (group->grouping == STUDY_GROUPING_ALL_OF)
            report_prose_add(
                prose,
                "What fits several values of `%.*s` counts for each of them, so "
                "that these groups overlap. ",
                STR_ARG(group->name));
    }
}

static void unknown_raters(const struct report_methods_facts *facts,
                           struct report_prose *prose)
{
    size_t unknown = 0, said = 0;

    for (size_t i = 0; i < facts->study->label_count; i++)
        unknown += report_methods_of_file(facts, i) == NULL;
    for (size_t i = 0; i < facts->study->label_count; i++)
        if (report_methods_of_file(facts, i) == NULL) {
            report_prose_add(prose, "%s%s`%.*s`", said == 0 ? "The labels " : "",
                             report_prose_between(said, unknown),
                             STR_ARG(facts->study->labels[i].name));
            said++;
        }
    if (said > 0)
        report_prose_add(prose,
                         " come without raters: how reliable they are cannot be told "
                         "from the study. ");
}

/* Internal validity: could it have come about otherwise? */

static void time_travellers(const struct report_methods_facts *facts,
                            struct report_prose *prose)
{
    double negative = result_health_sum(&facts->health, "stored: negative waits");

    if (negative > 0 && report_methods_measures(facts->study, report_methods_is_wait))
        report_prose_add(
            prose,
            "{=%.0f|answer is|answers are} older than the question, as happens "
            "when questions are merged or migrated, and %s a negative waiting "
            "time. ",
            negative, negative == 1 ? "gives" : "give");
}

static void missing_answers(const struct report_methods_facts *facts,
                            struct report_prose *prose)
{
    double missing =
        result_health_sum(&facts->health, "stored: accepted answers missing");

    if (missing > 0 && report_methods_measures(facts->study, report_methods_is_accepted))
        report_prose_add(
            prose,
            "{=%.0f|accepted answer is|accepted answers are} not in the corpus, so "
            "that %s moment is unknown. ",
            missing, missing == 1 ? "its" : "their");
}

static void censoring(const struct report_methods_facts *facts,
                      struct report_prose *prose)
{
    int64_t last = 0;

    if (!report_methods_measures(facts->study, report_methods_is_wait))
        return;
    report_prose_add(prose, "Questions asked shortly before the end of the data");
    if (result_health_moment(&facts->health, "last post", true, &last)) {
        report_prose_add(prose, " (");
        report_prose_day(prose, last);
        report_prose_add(prose, ")");
    }
    report_prose_add(
        prose, " had less time to be answered%s. ",
        report_methods_measures(facts->study, report_methods_is_survival)
            ? "; Kaplan-Meier medians account for that, other numbers do not"
            : ", and those that still wait have no waiting time: waiting times come "
              "out too short");
}

static void unreadable(const struct report_methods_facts *facts,
                       struct report_prose *prose)
{
    double broken = result_health_sum(&facts->health, "broken rows skipped");

    if (broken > 0)
        report_prose_add(prose,
                         "{=%.0f|row|rows} of the sources could not be read; what "
                         "%s is unknown. ",
                         broken, broken == 1 ? "it held" : "they held");
}

static void labelling(const struct report_methods_facts *facts,
                      struct report_prose *prose)
{
    for (size_t i = 0; i < facts->study->labelling_count; i++) {
        const struct report_methods_labelling *one = &facts->labellings[i];
        struct str name = one->settings->name;
        size_t open = 0, imported = 0, chosen = 0;
        for (size_t r = 0; r < one->round_count; r++) {
            open += one->rounds[r].closed_ms == 0;
            imported += one->rounds[r].source.len > 0;
            chosen += one->rounds[r].chosen;
        }
        if (open > 0)
            report_prose_add(prose,
                             "A round of the labelling `%.*s` is still open: its labels "
                             "may change. ",
                             STR_ARG(name));
        if (imported > 0)
            report_prose_add(
                prose,
                "Labels of `%.*s` were imported: whether they were made before "
                "raters talked is known to those who made them alone. ",
                STR_ARG(name));
        if (chosen > 0)
            report_prose_add(
                prose,
                "Some items of `%.*s` were chosen and not drawn: their labels say "
                "nothing of the whole. ",
                STR_ARG(name));
        if (one->versions > 1)
            report_prose_add(prose,
                             "The codebook of `%.*s` changed {=%zu|time|times} while it "
                             "was used, so early and late labels may mean different "
                             "things. ",
                             STR_ARG(name), one->versions - 1);
        if (one->round_count > 0 && one->settings->rater_count == 1)
            report_prose_add(prose, "A single rater made the labels of `%.*s`. ",
                             STR_ARG(name));
    }
}

static void undecided(const struct report_methods_facts *facts,
                      struct report_prose *prose)
{
    for (size_t i = 0; i < facts->agreement_count; i++) {
        const struct report_methods_agreement *one = &facts->agreements[i];
        if (report_methods_outcome(prose, one, "unresolved") > 0) {
            report_prose_add(prose, "On ");
            report_prose_text(prose, one->name);
            report_prose_add(prose,
                             " raters differ over {%.*s.unresolved|item|items} that "
                             "nobody has decided. ",
                             STR_ARG(one->address));
        }
        if (report_methods_outcome(prose, one, "single") > 0 && one->raters > 1) {
            report_prose_add(prose, "On ");
            report_prose_text(prose, one->name);
            report_prose_add(prose,
                             " {%.*s.single|item was|items were} labelled by one rater "
                             "alone. ",
                             STR_ARG(one->address));
        }
    }
}

/* External validity: does it hold elsewhere? */

static void one_source(const struct report_methods_facts *facts,
                       struct report_prose *prose)
{
    int64_t first = 0, last = 0;

    if (facts->study->source_count == 0 ||
        report_prose_value(prose, "corpus.questions") +
                report_prose_value(prose, "corpus.rows") ==
            0)
        return;
    if (facts->study->source_count == 1)
        report_prose_add(prose, "All data come from one source");
    else
        report_prose_add(prose, "The data come from {=%zu} sources",
                         facts->study->source_count);
    if (result_health_moment(&facts->health, "first post", false, &first) &&
        result_health_moment(&facts->health, "last post", true, &last)) {
        report_prose_add(prose, ", from ");
        report_prose_day(prose, first);
        report_prose_add(prose, " to ");
        report_prose_day(prose, last);
    }
    report_prose_add(prose,
                     ": what holds for them need not hold for other sites, other times "
                     "or questions that nobody asks in public. Posts that were deleted "
                     "before are not in them. ");
}

static void not_random(const struct report_methods_facts *facts,
                       struct report_prose *prose)
{
    for (size_t i = 0; i < facts->study->sample_count; i++) {
        const struct study_sample *sample = &facts->study->samples[i];
        if (sample->size.kind == SAMPLE_SIZE_TOP) {
            report_prose_add(prose, "`%.*s` holds the ", STR_ARG(sample->name));
            report_methods_size(sample, prose);
            report_prose_add(
                prose, ", not a random sample: its shares are not those of `%.*s`. ",
                STR_ARG(sample->of));
        } else if (!study_sample_is_even(sample))
            report_prose_add(
                prose,
                "The strata of `%.*s` were drawn at different rates: what is "
                "found over all of it is not what holds for `%.*s` unless "
                "it is weighed by stratum. ",
                STR_ARG(sample->name), STR_ARG(sample->of));
        else if (facts->samples[i].margin > 0)
            report_prose_add(prose,
                             "What was found in `%.*s` can be carried over to `%.*s` and "
                             "no further. ",
                             STR_ARG(sample->name), STR_ARG(sample->of));
    }
}

/* Conclusion validity: could it be chance? */

static void margins(const struct report_methods_facts *facts, struct report_prose *prose)
{
    for (size_t i = 0; i < facts->study->sample_count; i++) {
        const struct study_sample *sample = &facts->study->samples[i];
        const struct report_methods_sample *drawn = &facts->samples[i];
        if (!(drawn->margin > 0))
            continue;
        report_prose_add(prose,
                         "Shares in `%.*s` are known to %.3g percentage points%s; those "
                         "of a part of it are known less well. ",
                         STR_ARG(sample->name), drawn->margin * 100,
                         sample->size.kind == SAMPLE_SIZE_BY_RULE &&
                                 drawn->margin > sample->size.rule.margin
                             ? ", worse than planned"
                             : "");
    }
}

static bool is_cell(const struct study_column *column, const struct result_number *number)
{
    return column->measure.kind != STUDY_MEASURE_COUNT &&
           column->measure.kind != STUDY_MEASURE_DISTINCT && !isnan(number->value) &&
           result_numbers_column_is(number->column, column->slug);
}

static void small_cells(const struct report_methods_facts *facts,
                        struct report_prose *prose)
{
    for (size_t t = 0; t < facts->study->table_count; t++) {
        const struct study_table *table = &facts->study->tables[t];
        const struct result_numbers *numbers =
            report_methods_step(facts, "tables", table->name);
        size_t cells = 0, small = 0;
        for (size_t i = 0; numbers != NULL && i < numbers->count; i++)
            for (size_t c = 0; table->from == NULL && c < table->column_count; c++)
                if (is_cell(&table->columns[c], &numbers->at[i])) {
                    cells++;
                    small += numbers->at[i].n >= 0 && numbers->at[i].n < table->small;
                    break;
                }
        if (small > 0)
            report_prose_add(prose,
                             "In table `%.*s` {=%zu} of {=%zu|cell|cells} %s on fewer "
                             "than {=%lld} items. ",
                             STR_ARG(table->name), small, cells,
                             small == 1 ? "rests" : "rest", (long long)table->small);
    }
}

static struct str parent_of(struct str row)
{
    size_t end = row.len;

    while (end > 0 && row.ptr[end - 1] != '/')
        end--;
    return str_slice(row, 0, end);
}

/* The row of the same block that comes next by size: larger, or equal and later. */
static const struct result_number *next_larger(const struct result_numbers *numbers,
                                               const struct study_column *column,
                                               size_t from)
{
    const struct result_number *one = &numbers->at[from], *next = NULL;

    for (size_t i = 0; i < numbers->count; i++) {
        const struct result_number *other = &numbers->at[i];
        if (i == from || other->total_row || isnan(other->low) ||
            !is_cell(column, other) ||
            !str_eq(parent_of(other->row), parent_of(one->row)))
            continue;
        bool above =
            other->value > one->value || (other->value == one->value && i > from);
        if (above && (next == NULL || other->value < next->value))
            next = other;
    }
    return next;
}

static void overlaps(const struct report_methods_facts *facts, struct report_prose *prose)
{
    for (size_t t = 0; t < facts->study->table_count; t++) {
        const struct study_table *table = &facts->study->tables[t];
        const struct result_numbers *numbers =
            report_methods_step(facts, "tables", table->name);
        if (numbers == NULL || table->from != NULL || table->across_count > 0)
            continue;
        for (size_t c = 0; c < table->column_count; c++) {
            const struct study_column *column = &table->columns[c];
            size_t pairs = 0, overlapping = 0;
            if (!report_methods_is_share(&column->measure))
                continue;
            for (size_t i = 0; i < numbers->count; i++) {
                const struct result_number *one = &numbers->at[i];
                if (one->total_row || isnan(one->high) || !is_cell(column, one))
                    continue;
                const struct result_number *next = next_larger(numbers, column, i);
                pairs += next != NULL;
                overlapping += next != NULL && next->low <= one->high;
            }
            if (overlapping > 0) {
                report_prose_add(prose, "In table `%.*s`, ", STR_ARG(table->name));
                report_prose_code(prose, column->text);
                if (pairs == 1)
                    report_prose_add(prose, ", the intervals of the two rows overlap");
                else
                    report_prose_add(
                        prose,
                        ", the intervals of {=%zu} of the {=%zu} pairs of rows "
                        "that are neighbours by size overlap",
                        overlapping, pairs);
                report_prose_add(prose, ": their order may be chance. ");
            }
        }
    }
}

static void many_tests(const struct report_methods_facts *facts,
                       struct report_prose *prose)
{
    const struct study *study = facts->study;
    size_t alone = study->test_count, values = report_methods_all_p_values(facts),
           bare = 0;

    for (size_t i = 0; i < study->family_count; i++)
        alone -= study->families[i].count;
    for (size_t i = 0; i < study->test_count; i++)
        bare += study->tests[i].correct == STUDY_NO_CORRECTION &&
                report_methods_p_values(facts, &study->tests[i]) > 1;
    if (bare > 0)
        report_prose_add(prose,
                         "The p values of {=%zu|test are|tests are} not corrected for "
                         "their number. ",
                         bare);
    if (study->test_count > 1 && alone > 0)
        report_prose_add(
            prose,
            "{=%zu} p values were computed in {=%zu} tests; {=%zu} of the "
            "tests %s in no family, so that %s p values are not corrected for the "
            "other tests. ",
            values, study->test_count, alone, alone == 1 ? "is" : "are",
            alone == 1 ? "its" : "their");
}

static void rough_agreement(const struct report_methods_facts *facts,
                            struct report_prose *prose)
{
    enum { FEW = 30 };
    const double tentative = 0.667; /* Krippendorff, "Content Analysis", 12.4.3 */

    for (size_t i = 0; i < facts->agreement_count; i++) {
        const struct report_methods_agreement *one = &facts->agreements[i];
        if (!report_methods_agreed(one))
            continue;
        if (one->items < FEW) {
            report_prose_add(prose, "Agreement on ");
            report_prose_text(prose, one->name);
            report_prose_add(prose, " rests on {=%zu|item|items} only. ", one->items);
        }
        if (round(one->value.value * 1000) < tentative * 1000) {
            report_prose_add(prose, "Agreement on ");
            report_prose_text(prose, one->name);
            report_prose_add(prose,
                             " (%.3f) is below 0.667, under which Krippendorff would not "
                             "draw even tentative conclusions. ",
                             one->value.value);
        }
    }
}

void report_methods_threats(const struct report_methods_facts *facts,
                            struct report_prose *prose)
{
    static const struct {
        const char *title;
        void (*threats[8])(const struct report_methods_facts *facts,
                           struct report_prose *prose);
    } kinds[] = {
        {"Construct validity",
         {tags, words, accepted, popularity, groups, unknown_raters}},
        {"Internal validity",
         {time_travellers, missing_answers, censoring, unreadable, labelling, undecided}},
        {"External validity", {one_source, not_random}},
        {"Conclusion validity",
         {margins, small_cells, overlaps, many_tests, rough_agreement}},
    };

    for (size_t k = 0; k < ROWS_OF(kinds); k++) {
        struct buf markdown = {0}, latex = {0};
        struct report_prose own = {&markdown, &latex, facts->numbers,
                                   facts->number_count};
        for (size_t t = 0; kinds[k].threats[t] != NULL; t++)
            kinds[k].threats[t](facts, &own);
        if (markdown.len > 0) {
            report_prose_title(prose, 3, kinds[k].title);
            buf_add(prose->markdown, str_trim(buf_str(&markdown)));
            if (prose->latex != NULL)
                buf_add(prose->latex, str_trim(buf_str(&latex)));
            report_prose_end(prose);
        }
        buf_free(&markdown);
        buf_free(&latex);
    }
}
