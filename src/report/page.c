/* HTML by hand: a head, sections in the order in which a reader asks, a foot. Whatever
 * comes from the study or from posts is escaped. */
#include "report/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/date.h"

extern const unsigned char report_style[], report_script[];
extern const size_t report_style_len, report_script_len;

struct str page_style(void)
{
    return (struct str){(const char *)report_style, report_style_len};
}

struct str page_script(void)
{
    return (struct str){(const char *)report_script, report_script_len};
}

static void add_head(struct str title, const char *root, struct buf *out)
{
    buf_add(out,
            STR("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, "
                "initial-scale=1\">\n<title>"));
    buf_add_xml(out, title);
    buf_add_format(out,
                   "</title>\n<link rel=\"stylesheet\" href=\"%sreport.css\">\n"
                   "<script defer src=\"%sreport.js\"></script>\n</head>\n<body>\n",
                   root, root);
}

static void add_foot(struct buf *out)
{
    buf_add(out, STR("</body>\n</html>\n"));
}

/* A scalar as YAML wants it: in quotes where it could be read as something else. */
static void add_scalar(struct str text, struct buf *out)
{
    bool plain = text.len > 0;

    for (size_t i = 0; i < text.len && plain; i++) {
        char c = text.ptr[i];
        plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '/' || c == '$' ||
                c == '%' || c == '+' || (i > 0 && (c == '-' || c == ' '));
    }
    if (plain) {
        buf_add(out, text);
        return;
    }
    buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++)
        buf_add(out, text.ptr[i] == '\'' ? STR("''") : (struct str){text.ptr + i, 1});
    buf_add_char(out, '\'');
}

static void add_node(const struct yaml_node *node, int indent, struct buf *out)
{
    if (node->type == YAML_SCALAR) {
        add_scalar(node->text, out);
        return;
    }
    if (node->type == YAML_SEQUENCE) {
        buf_add_char(out, '[');
        for (size_t i = 0; i < node->count; i++) {
            if (i > 0)
                buf_add(out, STR(", "));
            if (node->items[i].type == YAML_SCALAR) {
                add_scalar(node->items[i].text, out);
                continue;
            }
            buf_add_char(out, '{');
            for (size_t k = 0; k < node->items[i].count; k++) {
                buf_add_format(out, "%s%.*s: ", k > 0 ? ", " : "",
                               STR_ARG(node->items[i].keys[k].text));
                add_node(&node->items[i].items[k], indent, out);
            }
            buf_add_char(out, '}');
        }
        buf_add_char(out, ']');
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        buf_add_format(out, "\n%*s", indent, "");
        add_scalar(node->keys[i].text, out);
        buf_add(out, node->items[i].type == YAML_MAPPING ? STR(":") : STR(": "));
        add_node(&node->items[i], indent + 2, out);
    }
}

void page_section(const struct yaml_node *node, struct buf *out)
{
    struct buf text = {0};

    add_node(node, 0, &text);
    buf_add(out, str_trim(buf_str(&text)));
    buf_free(&text);
}

static void add_made_by(const char *section, struct str name,
                        const struct yaml_node *node, struct buf *out)
{
    struct buf text = {0};

    page_section(node, &text);
    buf_add_format(out, "<details><summary>made by <code>%s.", section);
    buf_add_xml(out, name);
    buf_add(out, STR("</code></summary><pre>"));
    buf_add_xml(out, buf_str(&text));
    buf_add(out, STR("</pre></details>\n"));
    buf_free(&text);
}

static const struct numbers *numbers_of(const struct page_inputs *inputs,
                                        const char *section, struct str name)
{
    struct buf step = {0};
    const struct numbers *found = NULL;

    buf_add_format(&step, "%s.%.*s", section, STR_ARG(name));
    for (size_t i = 0; i < inputs->number_count; i++)
        if (str_eq(inputs->numbers[i].step, buf_str(&step)))
            found = &inputs->numbers[i];
    buf_free(&step);
    return found;
}

static double number_in(const struct numbers *numbers, const char *column)
{
    for (size_t i = 0; numbers != NULL && i < numbers->count; i++)
        if (str_eq(numbers->at[i].column, str_from(column)))
            return numbers->at[i].value;
    return NAN;
}

static void add_whole(double value, struct buf *out)
{
    char digits[40];
    int len;

    if (isnan(value)) {
        buf_add(out, STR("–"));
        return;
    }
    len = snprintf(digits, sizeof digits, "%.0f", value);
    for (int i = 0; i < len; i++) {
        buf_add_char(out, digits[i]);
        if (i + 1 < len && digits[i] != '-' && (len - i - 1) % 3 == 0)
            buf_add_char(out, ',');
    }
}

static void add_sources(const struct page_inputs *inputs, struct buf *out)
{
    static const char *const kinds[] = {"dump of Stack Exchange", "posts", "rows"};
    const struct study *study = inputs->study;

    buf_add(out, STR("<h2 id=\"studied\">What was studied</h2>\n<ul>\n"));
    for (size_t i = 0; i < study->source_count; i++) {
        const struct study_source *source = &study->sources[i];
        buf_add(out, STR("<li>"));
        if (source->name.len > 0) {
            buf_add_xml(out, source->name);
            buf_add(out, STR(": "));
        }
        buf_add_format(out, "%s", kinds[source->kind]);
        for (size_t f = 0; f < source->path_count; f++) {
            buf_add(out, f > 0 ? STR(", <code>") : STR(" <code>"));
            buf_add_xml(out, str_from(source->names[f]));
            buf_add(out, STR("</code>"));
        }
        if (source->until_ms != INT64_MAX) {
            buf_add(out, STR(" until "));
            date_add_day(out, source->until_ms - 1);
        }
        buf_add(out, STR("</li>\n"));
    }
    buf_add(out, STR("</ul>\n"));
}

static void add_funnel(const struct numbers *numbers, struct buf *out)
{
    for (size_t i = 0; numbers != NULL && i < numbers->count; i++) {
        const struct number *number = &numbers->at[i];
        if (!str_starts(number->column, STR("funnel.")))
            continue;
        buf_add(out, STR("<tr><th scope=\"row\" class=\"level1\"><code>"));
        buf_add_xml(out, number->heading);
        buf_add(out, STR("</code></th><td>"));
        add_whole(number->value, out);
        buf_add(out, STR("</td></tr>\n"));
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

static void add_sets(const struct page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    if (study->set_count == 0)
        return;
    buf_add(out, STR("<h3>Sets, and what each condition left</h3>\n<div class=\"scroll\">"
                     "<table class=\"numbers\"><thead><tr><th>set</th><th>items</th></tr>"
                     "</thead><tbody>\n"));
    for (size_t i = 0; i < study->set_count; i++) {
        struct str set = study->sets[by_name(study, i)].name;
        const struct numbers *numbers = numbers_of(inputs, "sets", set);
        buf_add(out, STR("<tr><th scope=\"row\"><a href=\"../sets/"));
        buf_add_xml(out, set);
        buf_add(out, STR(".csv\">"));
        buf_add_xml(out, set);
        buf_add(out, STR("</a></th><td>"));
        add_whole(number_in(numbers, "count"), out);
        buf_add(out, STR("</td></tr>\n"));
        add_funnel(numbers, out);
    }
    buf_add(out, STR("</tbody></table></div>\n"));
}

static void add_samples(const struct page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    if (study->sample_count == 0)
        return;
    buf_add(out, STR("<h3>Samples</h3>\n<ul>\n"));
    for (size_t i = 0; i < study->sample_count; i++) {
        const struct study_sample *sample = &study->samples[i];
        const struct numbers *numbers = numbers_of(inputs, "samples", sample->name);
        buf_add(out, STR("<li><a href=\"../samples/"));
        buf_add_xml(out, sample->name);
        buf_add(out, STR(".csv\">"));
        buf_add_xml(out, sample->name);
        buf_add(out, STR("</a>: "));
        add_whole(number_in(numbers, "count"), out);
        buf_add(out, STR(" of "));
        add_whole(number_in(numbers, "frame"), out);
        buf_add(out, STR(" items of "));
        buf_add_xml(out, sample->of);
        buf_add_format(out, ", seed %llu</li>\n", (unsigned long long)sample->seed);
    }
    buf_add(out, STR("</ul>\n"));
}

/* The health report is a table in Markdown; its rows are shown as they are. */
static void add_health(const struct page_inputs *inputs, struct buf *out)
{
    struct str rest = inputs->health, line, cell;
    int number = 0;

    if (rest.len == 0)
        return;
    buf_add(out,
            STR("<h3>Health of the sources</h3>\n<details><summary>findings</summary>\n"
                "<table><tbody>\n"));
    for (bool more = true; more;) {
        more = str_cut(&rest, '\n', &line);
        if (!str_starts(line, STR("| ")) || number++ == 0)
            continue;
        str_cut(&line, '|', &cell);
        buf_add(out, STR("<tr>"));
        while (line.len > 0) {
            str_cut(&line, '|', &cell);
            buf_add(out, STR("<td>"));
            buf_add_xml(out, str_trim(cell));
            buf_add(out, STR("</td>"));
        }
        buf_add(out, STR("</tr>\n"));
    }
    buf_add(out, STR("</tbody></table></details>\n"));
}

static void add_tables(const struct page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    if (study->table_count > 0)
        buf_add(out,
                STR("<h2 id=\"tables\">Tables</h2>\n<p class=\"lead\">Every number leads "
                    "to the posts behind it.</p>\n"));
    for (size_t i = 0; i < study->table_count; i++) {
        const struct study_table *table = &study->tables[i];
        buf_add(out, STR("<section id=\"table-"));
        buf_add_xml(out, table->name);
        buf_add(out, STR("\">\n<h3>"));
        buf_add_xml(out, table->title.len > 0 ? table->title : table->name);
        buf_add(out, STR("</h3>\n<div class=\"scroll\">"));
        buf_add(out, inputs->tables[i]);
        buf_add(out, STR("</div>\n<p class=\"note\">As <a href=\"../tables/"));
        buf_add_xml(out, table->name);
        buf_add(out, STR(".csv\">csv</a>, <a href=\"../tables/"));
        buf_add_xml(out, table->name);
        buf_add(out, STR(".json\">json</a>, <a href=\"../tables/"));
        buf_add_xml(out, table->name);
        buf_add(out, STR(".tex\">LaTeX</a>.</p>\n"));
        add_made_by("tables", table->name, table->node, out);
        buf_add(out, STR("</section>\n"));
    }
}

static void add_figures(const struct page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    if (study->figure_count > 0)
        buf_add(out, STR("<h2 id=\"figures\">Figures</h2>\n"));
    for (size_t i = 0; i < study->figure_count; i++) {
        const struct study_figure *figure = &study->figures[i];
        struct str title = figure->title.len > 0 ? figure->title : figure->name;
        buf_add(out, STR("<figure id=\"figure-"));
        buf_add_xml(out, figure->name);
        buf_add(out, STR("\"><img src=\"../figures/"));
        buf_add_xml(out, figure->name);
        buf_add(out, STR(".svg\" alt=\""));
        buf_add_xml(out, title);
        buf_add(out, STR("\">\n<figcaption>"));
        buf_add_xml(out, title);
        buf_add(out, STR(" (<a href=\"../figures/"));
        buf_add_xml(out, figure->name);
        buf_add(out, STR(".pdf\">pdf</a>, <a href=\"../figures/"));
        buf_add_xml(out, figure->name);
        buf_add(out, STR(".png\">png</a>)</figcaption></figure>\n"));
        add_made_by("figures", figure->name, figure->node, out);
    }
}

static void add_tests(const struct page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    if (study->test_count > 0)
        buf_add(out, STR("<h2 id=\"tests\">Tests</h2>\n"));
    for (size_t i = 0; i < study->test_count; i++) {
        const struct study_test *test = &study->tests[i];
        buf_add(out, STR("<section id=\"test-"));
        buf_add_xml(out, test->name);
        buf_add(out, STR("\">\n<h3>"));
        buf_add_xml(out, test->name);
        buf_add(out, STR("</h3>\n<div class=\"scroll\">"));
        buf_add(out, inputs->tests[i]);
        buf_add(out, STR("</div>\n"));
        add_made_by("tests", test->name, test->node, out);
        buf_add(out, STR("</section>\n"));
    }
}

static void add_families(const struct page_inputs *inputs, struct buf *out)
{
    for (size_t i = 0; i < inputs->study->family_count; i++) {
        buf_add(out, STR("<section>\n<h3>Family "));
        buf_add_xml(out, inputs->study->families[i].name);
        buf_add(out,
                STR(": p values adjusted for each other</h3>\n<div class=\"scroll\">"));
        buf_add(out, inputs->families[i]);
        buf_add(out, STR("</div></section>\n"));
    }
}

static void add_verification(const struct page_inputs *inputs, struct buf *out)
{
    static const char *const classes[VERIFY_VERDICTS] = {
        [VERIFY_AS_PUBLISHED] = "good", [VERIFY_KNOWN] = "known",
        [VERIFY_DIFFERS] = "bad",       [VERIFY_CANNOT] = "soft",
        [VERIFY_FAILED] = "bad",
    };
    const struct verify *verify = inputs->verify;

    if (verify->count == 0)
        return;
    buf_add_format(
        out,
        "<h2 id=\"verification\">Published numbers</h2>\n<p>Of %zu published "
        "numbers %zu are as published, %zu are known slips, %zu cannot be computed "
        "here, %zu are unexplained.</p>\n<div class=\"scroll\"><table><thead><tr>"
        "<th>number</th><th>verdict</th><th>where</th></tr></thead><tbody>\n",
        verify->count, verify->counts[VERIFY_AS_PUBLISHED], verify->counts[VERIFY_KNOWN],
        verify->counts[VERIFY_CANNOT],
        verify->counts[VERIFY_DIFFERS] + verify->counts[VERIFY_FAILED]);
    for (size_t i = 0; i < verify->count; i++) {
        const struct verify_line *line = &verify->lines[i];
        buf_add(out, STR("<tr><td><code>"));
        buf_add_xml(out, line->expectation->expression);
        buf_add_format(out, "</code></td><td class=\"verdict-%s\">",
                       classes[line->verdict]);
        buf_add_xml(out, line->text);
        buf_add(out, STR("</td><td>"));
        buf_add_xml(out, line->expectation->source);
        buf_add(out, STR("</td></tr>\n"));
    }
    buf_add(out, STR("</tbody></table></div>\n"));
}

static void add_contents(const struct page_inputs *inputs, struct buf *out)
{
    const struct {
        bool there;
        const char *id, *name;
    } parts[] = {
        {true, "studied", "What was studied"},
        {inputs->study->table_count > 0, "tables", "Tables"},
        {inputs->study->figure_count > 0, "figures", "Figures"},
        {inputs->study->test_count > 0, "tests", "Tests"},
        {inputs->verify->count > 0, "verification", "Published numbers"},
        {true, "rerun", "How to rerun"},
    };

    buf_add(out, STR("<nav aria-label=\"contents\"><ul>\n"));
    for (size_t i = 0; i < ROWS_OF(parts); i++)
        if (parts[i].there)
            buf_add_format(out, "<li><a href=\"#%s\">%s</a></li>\n", parts[i].id,
                           parts[i].name);
    buf_add(out, STR("</ul></nav>\n"));
}

static void add_rerun(const struct page_inputs *inputs, struct buf *out)
{
    buf_add(out,
            STR("<h2 id=\"rerun\">How to rerun</h2>\n<p>With the study's folder and its "
                "sources:</p>\n<pre>assay run\nassay verify</pre>\n<p>The same study "
                "gives the same bytes; <a href=\"../../assay.lock\">assay.lock</a> says "
                "what every result rests on. Made by assay "));
    buf_add_xml(out, str_from(inputs->version));
    buf_add(
        out,
        STR(".</p>\n<p class=\"note\">Posts are content of the Stack Exchange network "
            "under CC BY-SA 2.5, 3.0 or 4.0 by their date; quotes carry licence and "
            "link.</p>\n"));
}

void page_index(const struct page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;
    struct str title = study->title.len > 0 ? study->title : study->name;

    add_head(title, "", out);
    buf_add(out, STR("<header><h1>"));
    buf_add_xml(out, title);
    buf_add(out, STR("</h1>\n<p class=\"lead\">Study <code>"));
    buf_add_xml(out, study->name);
    buf_add(out, STR("</code></p>\n"));
    add_contents(inputs, out);
    buf_add(out, STR("</header>\n<main>\n"));
    add_sources(inputs, out);
    add_sets(inputs, out);
    add_samples(inputs, out);
    add_health(inputs, out);
    add_tables(inputs, out);
    add_figures(inputs, out);
    add_tests(inputs, out);
    add_families(inputs, out);
    add_verification(inputs, out);
    add_rerun(inputs, out);
    buf_add(out, STR("</main>\n"));
    add_foot(out);
}

/* Items. */

static struct str site_of(const struct study *study)
{
    return study->source_count > 0 ? study->sources[0].site : STR("stackoverflow.com");
}

/* Rows of tables are no posts and have no link. */
static bool is_post(const struct page_item *item)
{
    return item->license.len > 0;
}

/* The queries of the sets that the table is about. */
static void add_queries(const struct page_rows *rows, struct buf *out)
{
    const struct yaml_node *of = yaml_get(rows->section, STR("of"));
    size_t count = of == NULL ? 0 : of->type == YAML_SEQUENCE ? of->count : 1;

    for (size_t i = 0; i < count; i++) {
        struct str name = of->type == YAML_SEQUENCE ? of->items[i].text : of->text;
        size_t set = study_find_set(rows->study, name);
        if (set == STUDY_NONE)
            continue;
        buf_add(out, STR("<p class=\"note\">"));
        buf_add_xml(out, name);
        buf_add(out, STR(": <code>"));
        buf_add_xml(out, rows->study->sets[set].text);
        buf_add(out, STR("</code></p>\n"));
    }
}

void page_rows(const struct page_rows *rows, struct buf *out)
{
    struct str site = site_of(rows->study);

    add_head(rows->table, "../../", out);
    buf_add(out, STR("<p><a href=\"../../index.html#table-"));
    buf_add_xml(out, rows->table);
    buf_add(out, STR("\">back to the table</a></p>\n<h1>"));
    buf_add_xml(out, rows->table);
    buf_add(out, STR(": "));
    buf_add_xml(out, rows->row);
    if (rows->across.len > 0) {
        buf_add(out, STR(", "));
        buf_add_xml(out, rows->across);
    }
    buf_add(out, STR("</h1>\n<p class=\"lead\">"));
    add_whole((double)rows->all, out);
    buf_add(out, STR(" items"));
    if ((size_t)rows->all > rows->count)
        buf_add_format(out, ", of which the first %zu are shown", rows->count);
    buf_add(out, STR("; all items of the table as <a href=\"../../../items/"));
    buf_add_xml(out, rows->table);
    buf_add(out, STR(".csv\">csv</a>.</p>\n"));
    add_made_by("tables", rows->table, rows->section, out);
    add_queries(rows, out);
    buf_add(out, STR("<ol>\n"));
    for (size_t i = 0; i < rows->count; i++) {
        const struct page_item *item = &rows->items[i];
        buf_add(out, STR("<li>"));
        if (is_post(item))
            buf_add_format(out, "<a href=\"https://%.*s/q/%lld\">%lld</a> ",
                           STR_ARG(site), (long long)item->id, (long long)item->id);
        else
            buf_add_format(out, "%lld ", (long long)item->id);
        buf_add_xml(out, item->title);
        if (is_post(item)) {
            buf_add(out, STR(" <span class=\"soft\">("));
            buf_add_xml(out, item->license);
            buf_add(out, STR(")</span>"));
        }
        buf_add(out, STR("</li>\n"));
    }
    buf_add(out, STR("</ol>\n"));
    add_foot(out);
}

/* LaTeX. */

/* A number as text: whole ones with their thousands apart, others with ten digits at the
 * most. */
static void add_macro_value(double value, struct buf *out)
{
    if (value == floor(value) && fabs(value) < 1e15) {
        add_whole(value, out);
        return;
    }
    buf_add_format(out, "%.10g", value);
}

static void add_macro(struct str step, const struct number *number, const char *part,
                      double value, struct buf *out)
{
    if (isnan(value))
        return;
    buf_add(out, STR("\\assaydefine{"));
    buf_add(out, step);
    if (number->row.len > 0) {
        buf_add_char(out, '.');
        for (size_t i = 0; i < number->row.len; i++)
            buf_add_char(out, number->row.ptr[i] == '/' ? '.' : number->row.ptr[i]);
    }
    buf_add_format(out, ".%.*s%s}{", STR_ARG(number->column), part);
    add_macro_value(value, out);
    buf_add(out, STR("}\n"));
}

void page_macros(const struct numbers *numbers, size_t count, struct buf *out)
{
    buf_add(out, STR("% Every number of the study: \\input{out/numbers.tex}, then\n"
                     "% \\assay{tables.trend.2015.count}; .percent behind a share shows "
                     "0.707 as 70.7.\n"
                     "\\makeatletter\n"
                     "\\newcommand{\\assaydefine}[2]{\\@namedef{assay@#1}{#2}}\n"
                     "\\newcommand{\\assay}[1]{\\@ifundefined{assay@#1}{\\textbf{??}\\@"
                     "latex@warning"
                     "{assay: no number #1}}{\\@nameuse{assay@#1}}}\n"
                     "\\makeatother\n"));
    for (size_t n = 0; n < count; n++)
        for (size_t i = 0; i < numbers[n].count; i++) {
            const struct number *number = &numbers[n].at[i];
            bool share = number->value >= 0 && number->value <= 1;
            add_macro(numbers[n].step, number, "", number->value, out);
            add_macro(numbers[n].step, number, ".low", number->low, out);
            add_macro(numbers[n].step, number, ".high", number->high, out);
            if (share)
                add_macro(numbers[n].step, number, ".percent",
                          round(number->value * 10000) / 100, out);
        }
}
