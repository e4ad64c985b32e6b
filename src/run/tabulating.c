/* A table comes from the frame, from a classifier's predictions, from another table, or
 * from a csv that another step has left. */
#include "run/tabulating.h"

#include "measure/behind.h"
#include "run/correlating.h"
#include "run/shares.h"
#include "run/showing.h"
#include "run/strata.h"

/* With the items behind its numbers. */
static bool compute_table(struct run_needs *needs, const struct study_table *table,
                          struct run_output *output, struct result_table *out,
                          struct err *err)
{
    struct measure_table made;

    if (!run_needs_frame(needs, err) || !run_needs_groups(needs, table, err))
        return false;
    struct measure_table_inputs inputs = {.study = needs->study,
                                          .frame = &needs->frame,
                                          .find_set = run_needs_set,
                                          .context = needs,
                                          .groups = needs->groups};
    if (!measure_table_make(table, &inputs, &output->arena, &made, err))
        return false;
    run_output_behind(output, "items", &made, MEASURE_BEHIND_LINES);
    *out = made.shown;
    return true;
}

/* The sets that shares are asked for: without `of` those that were classified. */
static bool find_shares_sets(struct run_needs *needs, const struct study_table *table,
                             const struct study_classifier *classifier,
                             struct arena *arena, struct run_shares_inputs *inputs,
                             struct err *err)
{
    const struct str *names = table->of_count > 0 ? table->of : classifier->predict;

    inputs->set_count = table->of_count > 0 ? table->of_count : classifier->predict_count;
    struct run_shares_set *sets =
        arena_array(arena, struct run_shares_set, inputs->set_count);
    for (size_t i = 0; i < inputs->set_count; i++) {
        sets[i].name = names[i];
        if (!run_needs_set(needs, names[i], &sets[i].bits))
            return err_set(err, ERR_INPUT, "tables.%.*s: there is no set '%.*s'",
                           STR_ARG(table->name), STR_ARG(names[i]));
    }
    inputs->sets = sets;
    return true;
}

/* Of items that raters of this study labelled. */
static bool count_labelled(struct run_needs *needs, size_t labels,
                           struct run_shares_inputs *inputs, struct err *err)
{
    struct run_labelling_final *finals;
    struct measure_bits taken;
    size_t count;

    if (!run_needs_finals(needs, labels, &finals, &count, err) ||
        !run_strata_taken(needs, labels, &taken, err))
        return false;
    inputs->asked = count;
    for (size_t i = 0; i < count; i++) {
        size_t item = measure_frame_find(&needs->frame, finals[i].item);
        inputs->unresolved += !finals[i].coded;
        inputs->taken +=
            finals[i].coded && item < needs->frame.count && measure_bits_has(taken, item);
    }
    return true;
}

static bool compute_shares(struct run_needs *needs, const struct study_table *table,
                           struct arena *arena, struct result_table *out, struct err *err)
{
    const struct study_classifier *classifier =
        &needs->study->classifiers[table->made_by];
    struct run_shares_inputs inputs = {.table = table,
                                       .folder = needs->study->home,
                                       .classifier = classifier->name,
                                       .seed = classifier->seed,
                                       .frame = &needs->frame,
                                       .level = classifier->level};

    if (!run_needs_frame(needs, err) || !run_needs_groups(needs, table, err) ||
        !run_needs_labels(needs, classifier->train, err) ||
        (table->truth != STUDY_NONE && !run_needs_labels(needs, table->truth, err)) ||
        !find_shares_sets(needs, table, classifier, arena, &inputs, err))
        return false;
    if (!count_labelled(needs, classifier->train, &inputs, err))
        return false;
    inputs.labels = &needs->labels[classifier->train];
    inputs.truth = table->truth != STUDY_NONE ? &needs->labels[table->truth] : NULL;
    inputs.groups = table->by_count > 0 ? &needs->groups[table->by[0]] : NULL;
    return run_shares_table(&inputs, arena, out, err);
}

static bool compute_correlations(struct run_needs *needs, const struct study_table *table,
                                 struct arena *arena, struct result_table *out,
                                 struct err *err)
{
    struct result_numbers numbers;

    if (!run_needs_numbers(needs, RUN_STEPS_TABLE, table->made_by, arena, &numbers, err))
        return false;
    run_correlating_table(table, &numbers, arena, out);
    return true;
}

bool run_tabulating_make(struct run_needs *needs, const struct run_step *step,
                         struct run_output *output, struct err *err)
{
    const struct study_table *table = &needs->study->tables[step->index];
    struct arena *arena = &output->arena;
    struct result_table made;
    bool ok = table->maker == STUDY_BY_TABLE
                  ? compute_correlations(needs, table, arena, &made, err)
              : study_shows_shares(table)
                  ? compute_shares(needs, table, arena, &made, err)
              : table->from != NULL ? run_showing_table(table, arena, &made, err)
                                    : compute_table(needs, table, output, &made, err);

    if (!ok)
        return false;
    if (table->from != NULL)
        run_output_shorten(output, "items", &made, MEASURE_BEHIND_LINES);
    run_output_table(output, &made);
    return true;
}
