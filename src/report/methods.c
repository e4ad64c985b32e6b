/* The whole draft, and what its parts have in common. */
#include "report/methods.h"

#include <math.h>

#include "report/checklist.h"

static const char *noun_of(const struct report_prose *prose, bool plural)
{
    bool questions = report_prose_value(prose, "corpus.questions") > 0;
    bool rows = report_prose_value(prose, "corpus.rows") > 0;

    if (questions && !rows)
        return plural ? "questions" : "question";
    if (rows && !questions)
        return plural ? "rows" : "row";
    return plural ? "items" : "item";
}

const char *report_methods_noun(const struct report_prose *prose)
{
    return noun_of(prose, false);
}

const char *report_methods_nouns(const struct report_prose *prose)
{
    return noun_of(prose, true);
}

void report_methods_size(const struct study_sample *sample, struct report_prose *prose)
{
    struct buf size = {0};

    sample_size_add(&size, &sample->size);
    report_prose_text(prose, buf_str(&size));
    buf_free(&size);
}

const struct result_numbers *report_methods_step(const struct report_methods_facts *facts,
                                                 const char *kind, struct str name)
{
    struct buf step = {0};
    const struct result_numbers *found = NULL;

    buf_add_format(&step, "%s.%.*s", kind, STR_ARG(name));
    for (size_t i = 0; i < facts->number_count; i++)
        if (str_eq(facts->numbers[i].step, buf_str(&step)))
            found = &facts->numbers[i];
    buf_free(&step);
    return found;
}

size_t report_methods_p_values(const struct report_methods_facts *facts,
                               const struct study_test *test)
{
    const struct result_numbers *numbers =
        report_methods_step(facts, "tests", test->name);
    size_t count = 0;

    for (size_t i = 0; numbers != NULL && i < numbers->count; i++)
        count += str_eq(numbers->at[i].column, STR("p")) && !isnan(numbers->at[i].value);
    return count;
}

size_t report_methods_all_p_values(const struct report_methods_facts *facts)
{
    size_t count = 0;

    for (size_t i = 0; i < facts->study->test_count; i++)
        count += report_methods_p_values(facts, &facts->study->tests[i]);
    return count;
}

bool report_methods_measures(const struct study *study,
                             bool (*is)(const struct study_measure *))
{
    for (size_t t = 0; t < study->table_count; t++)
        for (size_t c = 0; c < study->tables[t].column_count; c++)
            if (study->tables[t].from == NULL && is(&study->tables[t].columns[c].measure))
                return true;
    for (size_t t = 0; t < study->test_count; t++)
        if (study->tests[t].table == STUDY_NONE &&
            (is(&study->tests[t].on) || is(&study->tests[t].with)))
            return true;
    for (size_t f = 0; f < study->figure_count; f++)
        if (study->figures[f].on_text.len > 0 && is(&study->figures[f].on))
            return true;
    return false;
}

bool report_methods_is_share(const struct study_measure *measure)
{
    return measure->kind == STUDY_MEASURE_SHARE || measure->kind == STUDY_MEASURE_PART;
}

bool report_methods_is_wait(const struct study_measure *measure)
{
    return study_measure_is_time(measure);
}

bool report_methods_is_survival(const struct study_measure *measure)
{
    return measure->kind == STUDY_MEASURE_SURVIVAL;
}

bool report_methods_is_accepted(const struct study_measure *measure)
{
    return (study_measure_is_time(measure) &&
            measure->quantity == STUDY_MEASURE_TO_ACCEPTED) ||
           measure->condition == STUDY_MEASURE_ACCEPTED;
}

size_t report_methods_outcome(const struct report_prose *prose,
                              const struct report_methods_agreement *agreement,
                              const char *state)
{
    double count =
        report_prose_value(prose, "%.*s.%s", STR_ARG(agreement->address), state);

    return isnan(count) ? 0 : (size_t)count;
}

bool report_methods_agreed(const struct report_methods_agreement *agreement)
{
    return agreement->items > 0 && agreement->value.undefined == NULL;
}

const struct report_methods_agreement *
report_methods_of_file(const struct report_methods_facts *facts, size_t labels)
{
    for (size_t i = 0; i < facts->agreement_count; i++)
        if (facts->agreements[i].labels == labels)
            return &facts->agreements[i];
    return NULL;
}

static bool node_asks(const struct query_node *node, enum query_kind kind, bool substring)
{
    if (node == NULL)
        return false;
    if (node->kind == kind && (!substring || node->match == QUERY_SUBSTRING))
        return true;
    for (const struct query_node *child = node->first; child != NULL; child = child->next)
        if (node_asks(child, kind, substring))
            return true;
    return false;
}

bool report_methods_asks(const struct study *study, enum query_kind kind, bool substring)
{
    for (size_t i = 0; i < study->set_count; i++)
        if (node_asks(study->sets[i].query, kind, substring))
            return true;
    return false;
}

void report_methods_write(const struct report_methods_facts *facts, struct buf *markdown,
                          struct buf *latex)
{
    struct report_prose both = {markdown, latex, facts->numbers, facts->number_count};
    struct report_prose alone = {markdown, NULL, facts->numbers, facts->number_count};

    buf_add(markdown, STR("# Methods of the study: a draft\n\n"));
    report_prose_add(&alone, "Study `%.*s`", STR_ARG(facts->study->name));
    if (facts->study->title.len > 0) {
        report_prose_add(&alone, ": ");
        report_prose_text(&alone, facts->study->title);
    }
    report_prose_end(&alone);
    buf_add_format(markdown,
                   "Written by assay %s from what the study recorded. Each sentence is "
                   "there because it is true of this study; which of them a reader "
                   "needs, and why you did what you did, is yours to say. Edit it. The "
                   "paragraphs also stand in methods.tex, where numbers are macros of "
                   "numbers.tex.\n\n",
                   facts->version);
    buf_add_format(latex,
                   "%% A draft by assay %s from what the study recorded: edit it.\n"
                   "%% \\input{out/numbers.tex} in the preamble, then "
                   "\\input{out/methods.tex}.\n",
                   facts->version);
    report_prose_title(&both, 2, "Method");
    report_methods_data(facts, &both);
    report_methods_labels(facts, &both);
    report_methods_analysis(facts, &both);
    report_prose_title(&both, 2, "Threats to validity");
    report_methods_threats(facts, &both);
    report_checklist_write(facts, &alone);
    while (str_ends(buf_str(markdown), STR("\n\n")))
        markdown->len--;
    while (str_ends(buf_str(latex), STR("\n\n")))
        latex->len--;
}
