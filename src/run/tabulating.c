/* A table comes from the frame, from a classifier's predictions, from another table, or
 * from a csv that another step has left. */
#include "run/tabulating.h"

#include <stddef.h>

#include "base/file.h"
#include "measure/behind.h"
#include "measure/ends.h"
#include "measure/table_file.h"
#include "measure/units.h"
#include "result/result_file.h"
#include "result/table_text.h"
#include "run/correlating.h"
#include "run/labelling.h"
#include "run/needs.h"
#include "run/output.h"
#include "run/shares.h"
#include "run/strata.h"

/* Units in place of items. */
struct counting {
    struct run_needs *needs;
    struct measure_units units;
    struct arena *arena;
};

static bool find_units_of_set(void *context, struct str name, struct measure_bits *out,
                              struct err *err)
{
    struct counting *counting = context;

    if (!run_needs_set(counting->needs, name, out, err))
        return false;
    *out = measure_units_lift(&counting->units, *out, counting->arena);
    return true;
}

/* The labels of a group that tell units; NULL: it is of items. */
static const struct measure_labels *labels_of_units(const struct run_needs *needs,
                                                    size_t group)
{
    const struct study_group *it = &needs->study->groups[group];

    return it->grouping == STUDY_GROUPING_LABELS &&
                   needs->study->labels[it->labels].unit.len > 0
               ? &needs->labels[it->labels]
               : NULL;
}

/* The step's groups are there, and with them their labels. */
static void count_units(struct counting *counting, const struct run_step *step,
                        struct measure_table_inputs *inputs)
{
    struct run_needs *needs = counting->needs;
    const struct measure_labels **labels = arena_array(
        counting->arena, const struct measure_labels *, step->group_count + 1);
    struct measure_groups *groups = arena_array(counting->arena, struct measure_groups,
                                                needs->study->group_count + 1);
    size_t count = 0;

    for (size_t g = 0; g < step->group_count; g++)
        if (labels_of_units(needs, step->groups[g]) != NULL)
            labels[count++] = labels_of_units(needs, step->groups[g]);
    measure_units_make(&needs->frame, labels, count, counting->arena, &counting->units);
    for (size_t g = 0; g < step->group_count; g++) {
        size_t group = step->groups[g];
        groups[group] = measure_units_group(
            &counting->units, &needs->study->groups[group], &needs->groups[group],
            labels_of_units(needs, group), counting->arena);
    }
    inputs->frame = &counting->units.frame;
    inputs->find_set = find_units_of_set;
    inputs->context = counting;
    inputs->groups = groups;
}

/* With the items behind its numbers. */
static bool compute_table(struct run_needs *needs, const struct run_step *step,
                          struct run_output *output, struct result_table *out,
                          struct result_table *unfinished, struct err *err)
{
    const struct study_table *table = &needs->study->tables[step->index];
    struct measure_table made;
    struct measure_ends ends;

    if (!run_needs_frame(needs, err) || !run_needs_groups(needs, step, err))
        return false;
    struct measure_table_inputs inputs = {.study = needs->study,
                                          .frame = &needs->frame,
                                          .find_set = run_needs_set,
                                          .context = needs,
                                          .groups = needs->groups};
    struct counting counting = {.needs = needs, .arena = &output->arena};
    if (table->count_units)
        count_units(&counting, step, &inputs);
    if (!measure_table_make(table, &inputs, &output->arena, &made, err) ||
        !measure_ends_of_spaces(needs->study, needs->corpus, &output->arena, &ends, err))
        return false;
    measure_ends_tell(&made, &ends, &output->arena, unfinished);
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
        if (!run_needs_set(needs, names[i], &sets[i].bits, err))
            return err_at(err, "tables.%.*s: ", STR_ARG(table->name));
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

    if (!run_labelling_finals(needs->study, labels, needs->arena, &finals, &count, err) ||
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

bool run_tabulating_shares(struct run_needs *needs, const struct study_table *table,
                           struct arena *arena, struct result_table *out, struct err *err)
{
    const struct study_classifier *classifier =
        &needs->study->classifiers[table->made_by];
    struct run_shares_inputs inputs = {.table = table,
                                       .folder = needs->study->home,
                                       .classifier = classifier->name,
                                       .frame = &needs->frame,
                                       .level = classifier->level};

    if (!run_needs_labels(needs, classifier->train, err) ||
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

static bool compute_shares(struct run_needs *needs, const struct run_step *step,
                           struct arena *arena, struct result_table *out, struct err *err)
{
    return run_needs_frame(needs, err) && run_needs_groups(needs, step, err) &&
           run_tabulating_shares(needs, &needs->study->tables[step->index], arena, out,
                                 err);
}

static bool compute_correlations(struct run_needs *needs, const struct study_table *table,
                                 struct arena *arena, struct result_table *out,
                                 struct err *err)
{
    struct result_numbers numbers;

    if (!run_needs_numbers(needs, &run_kind_table, table->made_by, arena, &numbers, err))
        return false;
    run_correlating_table(table, &numbers, arena, out);
    return true;
}

/* Words of the study file stand in place of the step's. */
static bool show_part(const struct study_table *table, struct arena *arena,
                      struct result_table *out, struct err *err)
{
    struct result result;
    struct str text;

    if (!file_read(table->from, arena, &text, err) ||
        !result_file_read(text, table->from, arena, &result, err))
        return false;
    const struct result_table *found = result_find(&result, table->part);
    if (found == NULL)
        return err_set(err, ERR_INPUT, "%s: there is no table '%.*s'", table->from,
                       STR_ARG(table->part));
    *out = *found;
    out->name = table->name;
    out->title = table->title;
    out->numbers = out->apart = true;
    for (size_t c = 0; c < out->column_count; c++)
        out->columns[c].measures = out->columns[c].name;
    for (size_t i = 0; i < out->row_count * out->column_count; i++)
        if (out->cells[i].undefined != NULL && out->cells[i].undefined[0] == '\0')
            out->cells[i].undefined = "the table has no number there";
    return true;
}

bool run_tabulating_show(const struct study_table *table, struct arena *arena,
                         struct result_table *out, struct err *err)
{
    return table->part.len > 0 ? show_part(table, arena, out, err)
                               : measure_table_file_read(table, arena, out, err);
}

/* Marks numbers without an interval. */
static void write_table(struct run_output *output, struct result_table *table)
{
    result_mark(table, &output->arena);
    result_table_text_csv(table,
                          run_output_add_named(output, "tables", table->name, ".csv"));
    result_table_text_json(table,
                           run_output_add_named(output, "tables", table->name, ".json"));
    result_table_text_markdown(
        table, run_output_add_named(output, "tables", table->name, ".md"));
    result_table_text_latex(table,
                            run_output_add_named(output, "tables", table->name, ".tex"));
    result_table_text_html(table,
                           run_output_add_named(output, "tables", table->name, ".html"));
    run_output_result(output, table);
    buf_add_format(&output->says, "%zu row%s, %zu column%s", table->row_count,
                   table->row_count == 1 ? "" : "s", table->column_count,
                   table->column_count == 1 ? "" : "s");
}

static void list_table(struct run_listing *listing, struct run_step *step)
{
    static const struct run_kind *const makers[] = {
        [STUDY_BY_LABELLING] = &run_kind_labelling,
        [STUDY_BY_CLASSIFIER] = &run_kind_classifier,
        [STUDY_BY_TOPICS] = &run_kind_topics,
        [STUDY_BY_PHRASES] = &run_kind_phrases,
        [STUDY_BY_EXTRACT] = &run_kind_extract,
        [STUDY_BY_TAGSET] = &run_kind_tagset,
        [STUDY_BY_REGRESSION] = &run_kind_regression,
        [STUDY_BY_VECTORS] = &run_kind_vectors,
        [STUDY_BY_TABLE] = &run_kind_table};
    const struct study_table *table = &listing->study->tables[step->index];

    step->corpus =
        table->maker != STUDY_NO_MAKER ? study_shows_shares(table) : table->from == NULL;
    if (table->maker != STUDY_NO_MAKER)
        run_steps_need(listing, step,
                       study_shows_verdicts(table) ? &run_kind_accepted
                                                   : makers[table->maker],
                       table->made_by);
    else if (table->from != NULL)
        run_steps_add_file(listing, step, table->from);
    if (table->truth != STUDY_NONE)
        run_steps_need_labels(listing, step, table->truth);
    for (size_t i = 0; i < table->of_count; i++)
        run_steps_need_source(listing, step, table->of[i]);
    for (size_t i = 0; i < table->by_count; i++)
        run_steps_need_group(listing, step, table->by[i]);
    for (size_t i = 0; i < table->across_count; i++)
        run_steps_need_group(listing, step, table->across[i]);
    for (size_t i = 0; i < table->where_count; i++)
        run_steps_need_group(listing, step, table->where[i].group);
    step->whole = table->of_count == 0 && step->corpus;
    for (size_t i = 0; i < table->column_count; i++) {
        run_steps_need_measure(listing, step, &table->columns[i].measure);
        if (table->columns[i].minimum_age_days > 0 && run_steps_open_end(listing->study))
            step->whole = true;
    }
    run_steps_name(listing, step, table->name, table->node);
}

static bool make_table(struct run_needs *needs, const struct run_step *step,
                       struct run_output *output, struct err *err)
{
    const struct study_table *table = &needs->study->tables[step->index];
    struct arena *arena = &output->arena;
    struct result_table made, unfinished = {.row_count = 0};
    bool ok = table->maker == STUDY_BY_TABLE
                  ? compute_correlations(needs, table, arena, &made, err)
              : study_shows_shares(table) ? compute_shares(needs, step, arena, &made, err)
              : table->from != NULL
                  ? run_tabulating_show(table, arena, &made, err)
                  : compute_table(needs, step, output, &made, &unfinished, err);

    if (!ok)
        return false;
    if (table->from != NULL)
        run_output_shorten(output, "items", &made, MEASURE_BEHIND_LINES);
    if (table->maker == STUDY_BY_REGRESSION) /* its step has told of it */
        made.confidence = 1 - needs->study->regressions[table->made_by].level;
    else if (table->maker == STUDY_NO_MAKER || table->maker == STUDY_BY_TABLE ||
             study_shows_shares(table))
        result_set_confidence(&made, table->confidence, arena);
    write_table(output, &made);
    if (unfinished.column_count > 0)
        run_output_result(output, &unfinished);
    return true;
}

const struct run_kind run_kind_table = {
    .name = "tables",
    .counted = offsetof(struct study, table_count),
    .engine = 22,
    .list = list_table,
    .make = make_table,
};
