/* Regressions of a study. */
#include <stddef.h>

#include "measure/regression.h"
#include "run/needs.h"
#include "run/output.h"

static void list_regression(struct run_listing *listing, struct run_step *step)
{
    const struct study_regression *one = &listing->study->regressions[step->index];

    step->corpus = true;
    run_steps_need_source(listing, step, one->of);
    run_steps_need_measure(listing, step, &one->on);
    for (size_t i = 0; i < one->term_count; i++) {
        if (one->terms[i].group != STUDY_NONE)
            run_steps_need_group(listing, step, one->terms[i].group);
        else if (one->terms[i].set.len > 0)
            run_steps_need_source(listing, step, one->terms[i].set);
        else
            run_steps_need_measure(listing, step, &one->terms[i].measure);
    }
    if (one->errors_group != STUDY_NONE)
        run_steps_need_group(listing, step, one->errors_group);
    if (one->random_group != STUDY_NONE)
        run_steps_need_group(listing, step, one->random_group);
    step->whole = one->model == STUDY_COX && run_steps_open_end(listing->study);
    run_steps_name(listing, step, one->name, one->node);
}

/* What other programs need to find the same: a row for each case, as the model has it. */
static void write_cases(const struct measure_regression *made,
                        const struct measure_frame *frame, struct run_output *output)
{
    const struct stats_regression_data *data = &made->data;
    struct buf *csv = run_output_add_own(output, STR("cases"), ".csv");
    bool cox = data->kind == STATS_COX;

    buf_add(csv, cox ? STR("id,time,happened") : STR("id,outcome"));
    for (size_t c = 0; c < data->width; c++) {
        buf_add_char(csv, ',');
        buf_add_csv(csv, made->names[c]);
    }
    buf_add(csv, data->cluster != NULL ? STR(",cluster\n") : STR("\n"));
    for (size_t i = 0; i < data->count; i++) {
        item_key_add_csv(csv, output->spaces,
                         measure_column_at(frame->ids, made->items[i]));
        buf_add_char(csv, ',');
        result_numbers_print(data->y[i], csv);
        if (cox)
            buf_add(csv, data->happened[i] ? STR(",1") : STR(",0"));
        for (size_t c = 0; c < data->width; c++) {
            buf_add_char(csv, ',');
            result_numbers_print(data->x[i * data->width + c], csv);
        }
        if (data->cluster != NULL)
            buf_add_format(csv, ",%zu", data->cluster[i] + 1);
        buf_add_char(csv, '\n');
    }
}

/* out/regressions/NAME/: terms.csv, fit.csv and cases.csv. */
static bool make_regression(struct run_needs *needs, const struct run_step *step,
                            struct run_output *output, struct err *err)
{
    const struct study_regression *one = &needs->study->regressions[step->index];
    struct measure_regression_inputs inputs = {
        .frame = &needs->frame, .find_set = run_needs_set, .context = needs};
    struct measure_regression made;

    if (!run_needs_frame(needs, err) || !run_needs_groups(needs, step, err))
        return false;
    if (!run_needs_set(needs, one->of, &inputs.items, err))
        return err_at(err, "regressions.%.*s: ", STR_ARG(one->name));
    inputs.groups = needs->groups;
    if (!measure_regression(one, &inputs, &output->arena, &made, err)) {
        err_locate(err, "regressions.%.*s: ", STR_ARG(one->name));
        return run_needs_at(needs, one->node, made.wrong, err);
    }
    run_output_shown(output, &made.terms, "term");
    run_output_shown(output, &made.fit, "check");
    write_cases(&made, &needs->frame, output);
    if (made.undefined.len > 0)
        buf_add_format(&output->says, "undefined: %.*s", STR_ARG(made.undefined));
    else
        buf_add_format(&output->says, "%zu term%s, %lld items", made.terms.row_count,
                       str_plural((int64_t)made.terms.row_count), (long long)made.count);
    return true;
}

const struct run_kind run_kind_regression = {
    .name = "regressions",
    .counted = offsetof(struct study, regression_count),
    .engine = 10,
    .list = list_regression,
    .make = make_regression,
};
