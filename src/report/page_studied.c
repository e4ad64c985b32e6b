/* The report's first part: sources, sets, samples, health. */
#include <math.h>

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

    if (numbers == NULL)
        buf_add(out, STR("waits for labels"));
    else if (count > 0)
        buf_add_html(out, "<a href=\"%/%.html\">$</a>", str_from(folder), name, count);
    else
        buf_add_number(out, count);
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
        if (numbers != NULL)
            buf_add_html(out, " of $ items of %", number_in(numbers, "frame"),
                         sample->of);
        buf_add_format(out, ", seed %llu</li>\n", (unsigned long long)sample->seed);
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
