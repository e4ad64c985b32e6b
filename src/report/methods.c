/* The whole draft, and what its parts have in common. */
#include "report/methods.h"

#include <math.h>

#include "report/checklist.h"

static const char *noun_of(const struct prose *prose, bool plural)
{
    bool questions = prose_value(prose, "corpus.questions") > 0;
    bool rows = prose_value(prose, "corpus.rows") > 0;

    if (questions && !rows)
        return plural ? "questions" : "question";
    if (rows && !questions)
        return plural ? "rows" : "row";
    return plural ? "items" : "item";
}

const char *methods_noun(const struct prose *prose)
{
    return noun_of(prose, false);
}

const char *methods_nouns(const struct prose *prose)
{
    return noun_of(prose, true);
}

void methods_size(const struct study_sample *sample, struct prose *prose)
{
    struct buf size = {0};

    size_add(&size, &sample->size);
    prose_text(prose, buf_str(&size));
    buf_free(&size);
}

const struct numbers *methods_step(const struct methods_facts *facts, const char *kind,
                                   struct str name)
{
    struct buf step = {0};
    const struct numbers *found = NULL;

    buf_add_format(&step, "%s.%.*s", kind, STR_ARG(name));
    for (size_t i = 0; i < facts->number_count; i++)
        if (str_eq(facts->numbers[i].step, buf_str(&step)))
            found = &facts->numbers[i];
    buf_free(&step);
    return found;
}

size_t methods_p_values(const struct methods_facts *facts, const struct study_test *test)
{
    const struct numbers *numbers = methods_step(facts, "tests", test->name);
    size_t count = 0;

    for (size_t i = 0; numbers != NULL && i < numbers->count; i++)
        count += str_eq(numbers->at[i].column, STR("p")) && !isnan(numbers->at[i].value);
    return count;
}

size_t methods_all_p_values(const struct methods_facts *facts)
{
    size_t count = 0;

    for (size_t i = 0; i < facts->study->test_count; i++)
        count += methods_p_values(facts, &facts->study->tests[i]);
    return count;
}

bool methods_measures(const struct study *study, bool (*is)(const struct measure *))
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

bool methods_is_share(const struct measure *measure)
{
    return measure->kind == MEASURE_SHARE || measure->kind == MEASURE_PART;
}

bool methods_is_wait(const struct measure *measure)
{
    return measure_is_time(measure);
}

bool methods_is_survival(const struct measure *measure)
{
    return measure->kind == MEASURE_SURVIVAL;
}

bool methods_is_accepted(const struct measure *measure)
{
    return (measure_is_time(measure) && measure->quantity == MEASURE_TO_ACCEPTED) ||
           measure->condition == MEASURE_ACCEPTED;
}

size_t methods_outcome(const struct prose *prose,
                       const struct methods_agreement *agreement, const char *state)
{
    double count = prose_value(prose, "%.*s.%s", STR_ARG(agreement->address), state);

    return isnan(count) ? 0 : (size_t)count;
}

bool methods_agreed(const struct methods_agreement *agreement)
{
    return agreement->items > 0 && agreement->value.undefined == NULL;
}

const struct methods_agreement *methods_of_file(const struct methods_facts *facts,
                                                size_t labels)
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

bool methods_asks(const struct study *study, enum query_kind kind, bool substring)
{
    for (size_t i = 0; i < study->set_count; i++)
        if (node_asks(study->sets[i].query, kind, substring))
            return true;
    return false;
}

void methods_write(const struct methods_facts *facts, struct buf *markdown,
                   struct buf *latex)
{
    struct prose both = {markdown, latex, facts->numbers, facts->number_count};
    struct prose alone = {markdown, NULL, facts->numbers, facts->number_count};

    buf_add(markdown, STR("# Methods of the study: a draft\n\n"));
    prose_add(&alone, "Study `%.*s`", STR_ARG(facts->study->name));
    if (facts->study->title.len > 0) {
        prose_add(&alone, ": ");
        prose_text(&alone, facts->study->title);
    }
    prose_end(&alone);
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
    prose_title(&both, 2, "Method");
    methods_data(facts, &both);
    methods_labels(facts, &both);
    methods_analysis(facts, &both);
    prose_title(&both, 2, "Threats to validity");
    methods_threats(facts, &both);
    checklist_write(facts, &alone);
    while (str_ends(buf_str(markdown), STR("\n\n")))
        markdown->len--;
    while (str_ends(buf_str(latex), STR("\n\n")))
        latex->len--;
}
