/* Figures: of a table's numbers, of a set's funnel, or of items. */
#include <stddef.h>

#include "report/figure.h"
#include "run/needs.h"
#include "run/output.h"
#include "text/utf8.h"

enum { MISSING_SHOWN = 60 }; /* bytes of letters that no font has */

static void list_figure(struct run_listing *listing, struct run_step *step)
{
    const struct study *study = listing->study;
    const struct study_figure *figure = &study->figures[step->index];

    if (figure->table != STUDY_NONE) {
        run_steps_need(listing, step, &run_kind_table, figure->table);
        step->corpus = run_needs_periods(study, &study->tables[figure->table]);
    } else if (figure->kind == STUDY_FUNNEL) {
        step->corpus = true;
        run_steps_need(listing, step, &run_kind_set, figure->set);
    } else {
        step->corpus = true;
        for (size_t i = 0; i < figure->of_count; i++)
            run_steps_need_source(listing, step, figure->of[i]);
        if (figure->by != STUDY_NONE)
            run_steps_need_group(listing, step, figure->by);
        step->whole = figure->of_count == 0 ||
                      (figure->kind == STUDY_SURVIVAL && run_steps_open_end(study));
    }
    run_steps_name(listing, step, figure->name, figure->node);
    step->section ^= chart_fonts_named();
}

static bool figure_inputs(struct run_needs *needs, const struct study_figure *figure,
                          struct arena *arena, struct result_numbers *numbers,
                          struct report_figure_inputs *out, struct err *err)
{
    struct run_needs_sides sides = {figure->name, figure->of, figure->of_count,
                                    figure->by};
    struct measure_testing_group *groups;

    *out = (struct report_figure_inputs){.numbers = numbers, .frame = &needs->frame};
    if (figure->table != STUDY_NONE) {
        out->table = &needs->study->tables[figure->table];
        return run_needs_numbers(needs, &run_kind_table, figure->table, arena, numbers,
                                 err) &&
               run_needs_unfinished(needs->study, needs->corpus, out->table, numbers,
                                    arena, &out->unfinished, err);
    }
    if (figure->kind == STUDY_FUNNEL)
        return run_needs_all(needs, &out->all, &out->mixed, err) &&
               run_needs_numbers(needs, &run_kind_set, figure->set, arena, numbers, err);
    if (!run_needs_frame(needs, err) ||
        !run_needs_sides(needs, &sides, arena, &groups, &out->side_count, err))
        return false;
    struct report_figure_side *shown =
        arena_array(arena, struct report_figure_side, out->side_count + 1);
    for (size_t i = 0; i < out->side_count; i++)
        shown[i] = (struct report_figure_side){groups[i].name, groups[i].bits};
    out->sides = shown;
    return true;
}

/* What is written in the figure: its words in NAME.txt do not name all. */
static void add_letters(const struct chart *chart, struct buf *out)
{
    buf_add(out, chart->title);
    buf_add(out, chart->x_title);
    buf_add(out, chart->y_title);
    buf_add(out, chart->note);
    for (size_t i = 0; i < chart->category_count; i++)
        buf_add(out, chart->categories[i]);
    for (size_t i = 0; i < chart->panel_count; i++)
        buf_add(out, chart->panels[i].name);
    for (size_t i = 0; i < chart->series_count; i++) {
        buf_add(out, chart->series[i].name);
        for (size_t k = 0; chart->series[i].labels != NULL && k < chart->series[i].count;
             k++)
            buf_add(out, chart->series[i].labels[k]);
    }
    for (size_t i = 0; i < chart->box_count; i++)
        buf_add(out, chart->boxes[i].name);
    for (size_t i = 0; i < chart->node_count; i++)
        buf_add(out, chart->nodes[i].name);
}

/* out/figures/NAME.svg, .pdf and .png; NAME.txt: what it shows, in words. */
static bool write_figure(struct run_output *output, struct str name,
                         const struct chart *chart, struct err *err)
{
    static const struct {
        enum chart_format format;
        const char *ending;
    } formats[] = {{CHART_SVG, ".svg"}, {CHART_PDF, ".pdf"}, {CHART_PNG, ".png"}};

    for (size_t i = 0; i < ROWS_OF(formats); i++)
        if (!chart_draw(chart, formats[i].format,
                        run_output_add_named(output, "figures", name, formats[i].ending),
                        err))
            return err_at(err, "figure %.*s: ", STR_ARG(name));
    struct buf *words = run_output_add_named(output, "figures", name, ".txt");
    struct buf missing = {0}, letters = {0};
    chart_describe(chart, words);
    add_letters(chart, &letters);
    bool ok = chart_missing(buf_str(&letters), &missing, err);
    buf_add_char(words, '\n');
    buf_add(&output->says, STR("drawn"));
    if (missing.len > 0) {
        struct str shown = text_utf8_cut(buf_str(&missing), MISSING_SHOWN);
        buf_add_format(&output->says,
                       "; boxes stand for letters that no font has, %.*s%s: ",
                       STR_ARG(shown), shown.len < missing.len ? "..." : "");
        chart_fonts_advise(buf_str(&missing), &output->says);
        buf_add(&output->says, STR(", and run again"));
    }
    buf_free(&missing);
    buf_free(&letters);
    return ok;
}

static bool make_figure(struct run_needs *needs, const struct run_step *step,
                        struct run_output *output, struct err *err)
{
    const struct study_figure *figure = &needs->study->figures[step->index];
    struct arena arena = {0};
    struct result_numbers numbers;
    struct report_figure_inputs inputs;
    const char *key = "";
    struct chart chart;
    bool ok = figure_inputs(needs, figure, &arena, &numbers, &inputs, err);

    inputs.key = &key;
    ok = ok && ((report_figure_chart(figure, &inputs, &arena, &chart, err) &&
                 write_figure(output, figure->name, &chart, err)) ||
                run_needs_at(needs, figure->node, key, err));

    arena_free(&arena);
    return ok;
}

const struct run_kind run_kind_figure = {
    .name = "figures",
    .counted = offsetof(struct study, figure_count),
    .engine = 20,
    .funnels = true,
    .no_result = true,
    .list = list_figure,
    .make = make_figure,
};
