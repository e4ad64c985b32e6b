/* A function for each kind of step: it gathers what the step rests on, has it made, and
 * fills the step's files. */
#include "run/making.h"

#include "measure/family.h"
#include "measure/testing.h"
#include "report/figure.h"
#include "run/classifying.h"
#include "run/discovering.h"
#include "run/labelling.h"
#include "run/reporting.h"
#include "run/sampling.h"
#include "run/sides.h"
#include "run/strata.h"
#include "run/tabulating.h"

static bool make_set(struct run_needs *needs, const struct run_step *step,
                     struct run_output *output, struct err *err)
{
    const struct study_set *set = &needs->study->sets[step->index];
    size_t before = study_first_set(needs->study, set);
    struct arena arena = {0};
    struct run_output_funnel from = {.together = study_together(needs->study, set)};
    struct result_numbers numbers;
    bool ok = run_needs_frame(needs, err) && run_needs_census(needs, &from.all, err);

    if (ok && before != STUDY_NONE) {
        ok = run_needs_numbers(needs, RUN_STEPS_SET, before, &arena, &numbers, err);
        from.before = &numbers;
    }
    if (ok)
        run_output_set(output, set, &needs->slots[needs->set_slot[step->index]],
                       &needs->frame, from);
    arena_free(&arena);
    return ok;
}

static bool make_labels(struct run_needs *needs, const struct run_step *step,
                        struct run_output *output, struct err *err)
{
    if (!run_needs_frame(needs, err) || !run_needs_labels(needs, step->index, err))
        return false;
    run_output_labels(output, &needs->study->labels[step->index],
                      &needs->labels[step->index], &needs->frame);
    return true;
}

static bool make_sample(struct run_needs *needs, const struct run_step *step,
                        struct run_output *output, struct err *err)
{
    const struct study_sample *sample = &needs->study->samples[step->index];
    struct run_sampling_inputs inputs = {.sample = sample, .frame = &needs->frame};

    if (!run_needs_frame(needs, err))
        return false;
    struct run_sampling *drawn = &needs->samples[step->index];
    if (!run_needs_set(needs, sample->of, &inputs.of))
        return err_set(err, ERR_INPUT, "sample %.*s: there is no set '%.*s'",
                       STR_ARG(sample->name), STR_ARG(sample->of));
    if (sample->by != STUDY_NONE) {
        if (!run_needs_group(needs, sample->by, err))
            return false;
        inputs.strata = &needs->groups[sample->by];
    }
    if (sample->keep != STUDY_NONE) {
        struct str kept = needs->study->samples[sample->keep].name;
        struct measure_bits ignored;
        if (!run_needs_set(needs, kept, &ignored))
            return err_set(err, ERR_INPUT,
                           "sample %.*s: the sample '%.*s' cannot be read",
                           STR_ARG(sample->name), STR_ARG(kept));
        inputs.keep = needs->samples[sample->keep];
    }
    if (!run_sampling_draw(&inputs, needs->arena, drawn, err))
        return false;
    run_output_sample(output, sample, drawn);
    return true;
}

static bool make_labelling(struct run_needs *needs, const struct run_step *step,
                           struct run_output *output, struct err *err)
{
    return run_labelling_make(needs->study, &needs->study->labellings[step->index],
                              output, err);
}

/* Labelled items that were chosen, not drawn: by a classifier, or as the top of a set. */
static bool find_chosen(struct run_needs *needs, size_t labels, struct measure_bits *out,
                        struct err *err)
{
    struct run_labelling_final *finals;
    size_t count;

    if (!run_strata_taken(needs, labels, out, err) ||
        !run_needs_finals(needs, labels, &finals, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t item = measure_frame_find(&needs->frame, finals[i].item);
        if (finals[i].chosen && item < needs->frame.count)
            measure_bits_set(*out, item);
    }
    return true;
}

static bool make_classifier(struct run_needs *needs, const struct run_step *step,
                            struct run_output *output, struct err *err)
{
    const struct study_classifier *classifier = &needs->study->classifiers[step->index];
    struct run_classifying_inputs inputs = {.classifier = classifier,
                                            .frame = &needs->frame,
                                            .threads = needs->options->threads};
    struct run_strata strata;

    if (!run_needs_frame(needs, err) ||
        !run_needs_labels(needs, classifier->train, err) ||
        !find_chosen(needs, classifier->train, &inputs.chosen, err) ||
        !run_strata_find(needs, classifier->train, &strata, err))
        return false;
    inputs.stratum = strata.of;
    inputs.labels = &needs->labels[classifier->train];
    inputs.predict = measure_bits_make(needs->frame.count, needs->arena);
    for (size_t i = 0; i < classifier->predict_count; i++) {
        struct measure_bits set;
        if (!run_needs_set(needs, classifier->predict[i], &set))
            return err_set(err, ERR_INPUT, "classifiers.%.*s: there is no set '%.*s'",
                           STR_ARG(classifier->name), STR_ARG(classifier->predict[i]));
        measure_bits_add(inputs.predict, set);
    }
    return run_classifying_make(&inputs, output, err);
}

static bool make_topics(struct run_needs *needs, const struct run_step *step,
                        struct run_output *output, struct err *err)
{
    const struct study_topics *topics = &needs->study->topics[step->index];
    struct run_discovering_inputs inputs = {.topics = topics,
                                            .frame = &needs->frame,
                                            .threads = needs->options->threads,
                                            .descriptor = needs->options->descriptor,
                                            .quiet = needs->options->quiet};

    if (!run_needs_frame(needs, err))
        return false;
    if (!run_needs_set(needs, topics->of, &inputs.of))
        return err_set(err, ERR_INPUT, "topics.%.*s: there is no set '%.*s'",
                       STR_ARG(topics->name), STR_ARG(topics->of));
    return run_discovering_make(&inputs, output, err);
}

static bool test_items(struct run_needs *needs, const struct study_test *test,
                       struct arena *arena, struct measure_testing *out, struct err *err)
{
    struct measure_testing_inputs inputs = {
        .frame = &needs->frame, .find_set = run_needs_set, .context = needs};
    struct run_sides sides = {test->name, test->compare, test->compare_count, test->by};
    struct measure_testing_group *groups;

    if (test->compare_count == 0 && test->of.len > 0) {
        sides.of = &test->of;
        sides.of_count = 1;
    }
    if (!run_needs_frame(needs, err) ||
        !run_sides_find(needs, &sides, arena, &groups, &inputs.count, err))
        return false;
    inputs.groups = groups;
    return measure_testing_items(test, &inputs, arena, out, err);
}

static bool gives_shares(const struct study_table *table)
{
    for (size_t c = 0; c < table->column_count; c++)
        if (table->columns[c].measure.kind == STUDY_MEASURE_SHARE ||
            table->columns[c].measure.kind == STUDY_MEASURE_PART)
            return true;
    return false;
}

static bool test_table(struct run_needs *needs, const struct study_test *test,
                       struct arena *arena, struct measure_testing *out, struct err *err)
{
    const struct study_table *table = &needs->study->tables[test->table];
    struct result_numbers numbers;

    return run_needs_numbers(needs, RUN_STEPS_TABLE, test->table, arena, &numbers, err) &&
           measure_testing_cells(test, &numbers, gives_shares(table), arena, out, err);
}

static bool make_test(struct run_needs *needs, const struct run_step *step,
                      struct run_output *output, struct err *err)
{
    const struct study_test *test = &needs->study->tests[step->index];
    struct arena arena = {0};
    struct measure_testing made;
    bool ok = test->table != STUDY_NONE ? test_table(needs, test, &arena, &made, err)
                                        : test_items(needs, test, &arena, &made, err);

    if (ok)
        run_output_test(output, &made);
    arena_free(&arena);
    return ok;
}

static bool make_family(struct run_needs *needs, const struct run_step *step,
                        struct run_output *output, struct err *err)
{
    const struct study_family *family = &needs->study->families[step->index];
    struct arena arena = {0};
    struct result_numbers *tests =
        arena_array(&arena, struct result_numbers, family->count + 1);
    bool ok = true;

    for (size_t i = 0; i < family->count && ok; i++)
        ok = run_needs_numbers(needs, RUN_STEPS_TEST, family->tests[i], &arena, &tests[i],
                               err);
    if (ok) {
        struct measure_family made = measure_family_make(family, tests, &arena);
        run_output_family(output, &made);
    }
    arena_free(&arena);
    return ok;
}

/* What the figure shows: a table's numbers, a set's funnel, or items. */
static bool figure_inputs(struct run_needs *needs, const struct study_figure *figure,
                          struct arena *arena, struct result_numbers *numbers,
                          struct report_figure_inputs *out, struct err *err)
{
    struct run_sides sides = {figure->name, figure->of, figure->of_count, figure->by};
    struct measure_testing_group *groups;

    *out = (struct report_figure_inputs){.numbers = numbers, .frame = &needs->frame};
    if (figure->table != STUDY_NONE) {
        out->table = &needs->study->tables[figure->table];
        return run_needs_numbers(needs, RUN_STEPS_TABLE, figure->table, arena, numbers,
                                 err);
    }
    if (figure->kind == STUDY_FUNNEL)
        return run_needs_census(needs, &out->all, err) &&
               run_needs_numbers(needs, RUN_STEPS_SET, figure->set, arena, numbers, err);
    if (!run_needs_frame(needs, err) ||
        !run_sides_find(needs, &sides, arena, &groups, &out->side_count, err))
        return false;
    struct report_figure_side *shown =
        arena_array(arena, struct report_figure_side, out->side_count + 1);
    for (size_t i = 0; i < out->side_count; i++)
        shown[i] = (struct report_figure_side){groups[i].name, groups[i].bits};
    out->sides = shown;
    return true;
}

static bool make_figure(struct run_needs *needs, const struct run_step *step,
                        struct run_output *output, struct err *err)
{
    const struct study_figure *figure = &needs->study->figures[step->index];
    struct arena arena = {0};
    struct result_numbers numbers;
    struct report_figure_inputs inputs;
    struct chart chart;
    bool ok = figure_inputs(needs, figure, &arena, &numbers, &inputs, err) &&
              report_figure_chart(figure, &inputs, &arena, &chart, err) &&
              run_output_figure(output, figure->name, &chart, err);

    arena_free(&arena);
    return ok;
}

static bool make_report(struct run_needs *needs, const struct run_step *step,
                        struct run_output *output, struct err *err)
{
    (void)step;
    return run_reporting_make(needs->study, needs->corpus, needs->options->version,
                              output, err);
}

bool run_making_step(struct run_needs *needs, const struct run_step *step,
                     struct run_output *output, struct err *err)
{
    bool (*const make[RUN_STEPS_KINDS])(struct run_needs *, const struct run_step *,
                                        struct run_output *, struct err *) = {
        make_set,        make_labels, make_sample,         make_labelling,
        make_classifier, make_topics, run_tabulating_make, make_test,
        make_family,     make_figure, make_report};

    output->step = step->name;
    if (!make[step->kind](needs, step, output, err))
        return false;
    run_output_end(output);
    return true;
}
