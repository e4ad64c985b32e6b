/* The report's first part: sources, sets, samples, health. */
#include <math.h>
#include <string.h>

#include "base/date.h"
#include "report/internal.h"

static const struct result_numbers *numbers_of(const struct report_page_inputs *inputs,
                                               const char *section, struct str name)
{
    return result_numbers_of(inputs->numbers, inputs->number_count, section, name);
}

static double number_in(const struct result_numbers *numbers, const char *column)
{
    for (size_t i = 0; numbers != NULL && i < numbers->count; i++)
        if (str_eq(numbers->at[i].column, str_from(column)))
            return numbers->at[i].value;
    return NAN;
}

/* The first screen: what it rests on and what came out, a line each. */

static void add_item_counts(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct result_numbers *corpus = NULL;
    bool any = false;

    for (size_t i = 0; i < inputs->number_count; i++)
        if (str_eq(inputs->numbers[i].step, STR("corpus")))
            corpus = &inputs->numbers[i];
    for (size_t i = 0; corpus != NULL && i < corpus->count; i++) {
        const struct result_number *number = &corpus->at[i];
        struct str name = number->heading.len > 0 ? number->heading : number->column;
        if (number->value > 0) {
            buf_add_html(out, any ? ", $ %" : "<dt>Items</dt><dd>$ %", number->value,
                         name);
            any = true;
        }
    }
    if (any)
        buf_add(out, STR("</dd>\n"));
}

static void add_dates(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct result_health *health = &inputs->health;
    int64_t first[2], last[2], from = INT64_MAX, to = INT64_MIN;
    static const char *const kinds[2][2] = {{"first post", "last post"},
                                            {"first item", "last item"}};

    for (int i = 0; i < 2; i++)
        if (result_health_moment(health, kinds[i][0], false, &first[i]) &&
            result_health_moment(health, kinds[i][1], true, &last[i])) {
            from = first[i] < from ? first[i] : from;
            to = last[i] > to ? last[i] : to;
        }
    if (from > to)
        return;
    buf_add(out, STR("<dt>Dates</dt><dd>"));
    date_add_day(out, from);
    buf_add(out, STR(" to "));
    date_add_day(out, to);
    buf_add(out, STR("</dd>\n"));
}

/* Agreement is that before anything was settled; two raters have Cohen's kappa. */
static void add_raters(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    for (size_t i = 0; i < study->labelling_count; i++) {
        const struct study_labelling *task = &study->labellings[i];
        const struct result_numbers *numbers =
            numbers_of(inputs, "labelling", task->name);
        size_t told = 0;
        double items = number_in(numbers, "items");
        buf_add_html(out, "<dt>Labelled</dt><dd>%: ", task->name);
        if (!isnan(items)) /* of a codebook with several dimensions each has its own */
            buf_add_html(out, "$ items by ", items);
        buf_add_format(out, "%zu rater%s", task->rater_count,
                       str_plural((int64_t)task->rater_count));
        for (size_t n = 0; numbers != NULL && n < numbers->count; n++) {
            const struct result_number *number = &numbers->at[n];
            const char *wanted = task->rater_count == 2 ? "cohen" : "alpha";
            bool dimension =
                str_ends(number->column, str_from(wanted)) &&
                number->column.len > strlen(wanted) &&
                number->column.ptr[number->column.len - strlen(wanted) - 1] == '.';
            if (isnan(number->value) ||
                !(dimension || str_eq(number->column, str_from(wanted))))
                continue;
            buf_add_format(out, "%s %s %.2f", told++ == 0 ? ";" : ",",
                           task->rater_count == 2 ? "kappa" : "alpha", number->value);
            if (dimension)
                buf_add_html(out, " (%)",
                             str_slice(number->column, 0,
                                       number->column.len - strlen(wanted) - 1));
        }
        buf_add(out, STR("</dd>\n"));
    }
}

void report_page_add_glance(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    buf_add(out, STR("<dl class=\"glance\">\n"));
    for (size_t i = 0; i < study->source_count; i++) {
        const struct study_source *source = &study->sources[i];
        struct str name = source->site.len > 0   ? source->site
                          : source->name.len > 0 ? source->name
                                                 : str_from(source->names[0]);
        buf_add_html(out, i == 0 ? "<dt>Sources</dt><dd>% (%)" : ", % (%)", name,
                     str_from(source->kind->called));
    }
    if (study->source_count > 0)
        buf_add(out, STR("</dd>\n"));
    add_item_counts(inputs, out);
    add_dates(inputs, out);
    add_raters(inputs, out);
    for (size_t q = 0; q < study->question_count; q++) {
        const struct study_question *question = &study->questions[q];
        buf_add_html(out, "<dt><a href=\"#question-%\">%</a></dt><dd>%", question->name,
                     question->name, question->asks);
        if (question->answer.len > 0)
            buf_add(out, STR("<br>"));
        report_page_add_filled(inputs, question->answer, out);
        buf_add(out, STR("</dd>\n"));
    }
    buf_add(out, STR("</dl>\n"));
}

static void add_sources(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    buf_add(out, STR("<h2 id=\"studied\">What was studied</h2>\n<ul>\n"));
    for (size_t i = 0; i < study->source_count; i++) {
        const struct study_source *source = &study->sources[i];
        buf_add(out, STR("<li>"));
        if (source->name.len > 0)
            buf_add_html(out, "%: ", source->name);
        buf_add_format(out, "%s", source->kind->called);
        for (size_t f = 0; f < source->path_count; f++)
            buf_add_html(out, f > 0 ? ", <code>%</code>" : " <code>%</code>",
                         str_from(source->names[f]));
        if (source->until_ms != INT64_MAX) {
            buf_add(out, STR(" until "));
            date_add_day(out, source->until_ms - 1);
        }
        buf_add(out, STR("</li>\n"));
    }
    buf_add(out, STR("</ul>\n"));
}

static bool is_funnel(const struct result_number *number)
{
    return str_starts(number->column, STR("funnel."));
}

static size_t funnel_rows(const struct result_numbers *numbers)
{
    size_t count = 0;

    for (size_t i = 0; numbers != NULL && i < numbers->count; i++)
        count += is_funnel(&numbers->at[i]);
    return count;
}

static const struct result_list *list_behind(const struct result_table *funnel,
                                             size_t row, enum report_page_funnel which)
{
    return row < funnel->row_count && funnel->column_count == REPORT_PAGE_FUNNEL_COLUMNS
               ? funnel->cells[row * REPORT_PAGE_FUNNEL_COLUMNS + which].list
               : NULL;
}

/* Where a number of a funnel leads; nothing: its items are not in the corpus. The first
 * rows may be those of the set that this one begins with, and the last row leaves the set
 * itself. */
static void add_way(const struct report_page_inputs *inputs, size_t set, size_t row,
                    enum report_page_funnel which, struct buf *out)
{
    const struct study *study = inputs->study;

    for (size_t depth = 0; set != STUDY_NONE && depth < study->set_count; depth++) {
        const struct study_set *it = &study->sets[set];
        const struct result_list *list = list_behind(&inputs->funnels[set], row, which);
        size_t rows = funnel_rows(numbers_of(inputs, "sets", it->name));
        if (list != NULL)
            buf_add_format(out, "funnels/%.*s/%zu.html#c%zu", STR_ARG(it->name),
                           list->number, row * REPORT_PAGE_FUNNEL_COLUMNS + which);
        else if (which == REPORT_PAGE_LEFT && row + 1 == rows)
            buf_add_format(out, "sets/%.*s.html", STR_ARG(it->name));
        if (out->len > 0)
            return;
        set = study_first_set(study, it);
    }
}

static void add_led(const struct report_page_inputs *inputs, size_t set, size_t row,
                    enum report_page_funnel which, double value, struct buf *out)
{
    struct buf way = {0};

    if (value > 0)
        add_way(inputs, set, row, which, &way);
    if (way.len > 0)
        buf_add_html(out, "<a href=\"%\">$</a>", buf_str(&way), value);
    else
        buf_add_number(out, value);
    buf_free(&way);
}

static void add_funnel(const struct report_page_inputs *inputs, size_t set,
                       const struct result_numbers *numbers, struct buf *out)
{
    double before = NAN;

    for (size_t i = 0, row = 0; numbers != NULL && i < numbers->count; i++) {
        const struct result_number *number = &numbers->at[i];
        if (!is_funnel(number))
            continue;
        buf_add_html(out,
                     "<tr><th scope=\"row\" class=\"level1\"><code>%</code></th><td>",
                     number->heading);
        add_led(inputs, set, row, REPORT_PAGE_LEFT, number->value, out);
        buf_add(out, STR("</td><td>"));
        if (row > 0)
            add_led(inputs, set, row, REPORT_PAGE_TAKEN_OUT, before - number->value, out);
        buf_add(out, STR("</td></tr>\n"));
        before = number->value;
        row++;
    }
}

/* The set that is number i in the order of names: the order of sets in the study file
 * means nothing, and must not make another report. */
static size_t by_name(const struct study *study, size_t i)
{
    size_t set = 0;

    for (; set < study->set_count; set++) {
        size_t before = 0;
        for (size_t other = 0; other < study->set_count; other++)
            before += str_compare(study->sets[other].name, study->sets[set].name) < 0;
        if (before == i)
            break;
    }
    return set;
}

/* The number of items of a set or sample, leading to them. */
static void add_linked_count(const char *folder, struct str name,
                             const struct result_numbers *numbers, struct buf *out)
{
    double count = number_in(numbers, "count");

    if (numbers == NULL || numbers->at == NULL)
        buf_add(out, STR("waits for labels"));
    else if (count > 0)
        buf_add_html(out, "<a href=\"%/%.html\">$</a>", str_from(folder), name, count);
    else
        buf_add_number(out, count);
}

/* Why some sets' first row has several conditions. */
static void add_joined_note(const struct study *study, struct buf *out)
{
    for (size_t i = 0; i < study->set_count; i++)
        if (study_first_set(study, &study->sets[i]) == STUDY_NONE &&
            study_together(study, &study->sets[i]) > 1) {
            buf_add(out,
                    STR("<p class=\"note\">Conditions in one row are counted together: "
                        "what meets only some of them is not in the corpus.</p>\n"));
            return;
        }
}

static void add_sets(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    if (study->set_count == 0)
        return;
    buf_add(out, STR("<h3>Sets, and what each condition left</h3>\n<div class=\"scroll\">"
                     "<table class=\"numbers\"><thead><tr><th>set</th><th>items</th>"
                     "<th>taken out</th></tr></thead><tbody>\n"));
    for (size_t i = 0; i < study->set_count; i++) {
        size_t set = by_name(study, i);
        struct str name = study->sets[set].name;
        const struct result_numbers *numbers = numbers_of(inputs, "sets", name);
        buf_add_html(out, "<tr><th scope=\"row\">%</th><td>", name);
        add_linked_count("sets", name, numbers, out);
        buf_add(out, STR("</td><td></td></tr>\n"));
        add_funnel(inputs, set, numbers, out);
    }
    buf_add(out, STR("</tbody></table></div>\n"));
    add_joined_note(study, out);
}

static void add_samples(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    if (study->sample_count == 0)
        return;
    buf_add(out, STR("<h3>Samples</h3>\n<ul>\n"));
    for (size_t i = 0; i < study->sample_count; i++) {
        const struct study_sample *sample = &study->samples[i];
        const struct result_numbers *numbers =
            numbers_of(inputs, "samples", sample->name);
        buf_add_html(out, "<li>%: ", sample->name);
        add_linked_count("samples", sample->name, numbers, out);
        if (numbers != NULL && numbers->at != NULL)
            buf_add_html(out, " of $ items of %", number_in(numbers, "frame"),
                         sample->of);
        if (study_sample_is_random(sample))
            buf_add_format(out, ", seed %llu", (unsigned long long)sample->seed);
        buf_add(out, STR("</li>\n"));
    }
    buf_add(out, STR("</ul>\n"));
}

static void add_health(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct result_health *health = &inputs->health;

    if (health->count == 0)
        return;
    buf_add(out,
            STR("<h3>Health of the sources</h3>\n<details><summary>findings</summary>\n"
                "<table><tbody>\n"));
    for (size_t i = 0; i < health->count; i++)
        buf_add_html(out, "<tr><td>%</td><td>%</td></tr>\n", health->at[i].name,
                     health->at[i].text);
    buf_add(out, STR("</tbody></table></details>\n"));
}

void report_page_add_studied(const struct report_page_inputs *inputs, struct buf *out)
{
    add_sources(inputs, out);
    add_sets(inputs, out);
    add_samples(inputs, out);
    add_health(inputs, out);
}
