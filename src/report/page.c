/* HTML by hand: a head, sections in the order in which a reader asks, a foot. Whatever
 * comes from the study or from posts is escaped. */
#include "report/page.h"

#include <math.h>

#include "report/internal.h"

/* The study's numbers for LaTeX. */
static void add_macro(struct str step, const struct result_number *number,
                      const char *part, double value, struct buf *out)
{
    if (isnan(value))
        return;
    buf_add(out, STR("\\assaydefine{"));
    result_numbers_address(step, number, out);
    buf_add_format(out, "%s}{", part);
    buf_add_number(out, value);
    buf_add(out, STR("}\n"));
}

void report_page_macros(const struct result_numbers *numbers, size_t count,
                        struct buf *out)
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
            const struct result_number *number = &numbers[n].at[i];
            bool share = number->value >= 0 && number->value <= 1;
            add_macro(numbers[n].step, number, "", number->value, out);
            add_macro(numbers[n].step, number, ".low", number->low, out);
            add_macro(numbers[n].step, number, ".high", number->high, out);
            if (share)
                add_macro(numbers[n].step, number, ".percent",
                          round(number->value * 10000) / 100, out);
        }
}

/* The report's second part: tables, figures and tests. */
static void add_tables(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    if (study->table_count > 0)
        buf_add(out, STR("<h2 id=\"tables\">Tables</h2>\n<p class=\"lead\">Numbers that "
                         "were counted lead to the posts behind them.</p>\n"));
    for (size_t i = 0; i < study->table_count; i++) {
        const struct study_table *table = &study->tables[i];
        buf_add_html(out, "<section id=\"table-%\">\n<h3>%</h3>\n<div class=\"scroll\">",
                     table->name, table->title.len > 0 ? table->title : table->name);
        buf_add(out, inputs->tables[i]);
        buf_add_html(out,
                     "</div>\n<p class=\"note\">As <a href=\"../tables/%.csv\">csv</a>, "
                     "<a href=\"../tables/%.json\">json</a>, "
                     "<a href=\"../tables/%.tex\">LaTeX</a>.</p>\n",
                     table->name, table->name, table->name);
        report_page_add_made_by("tables", table->name, table->node, out);
        buf_add(out, STR("</section>\n"));
    }
}

static void add_figures(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    if (study->figure_count > 0)
        buf_add(out, STR("<h2 id=\"figures\">Figures</h2>\n<div class=\"figures\">\n"));
    for (size_t i = 0; i < study->figure_count; i++) {
        const struct study_figure *figure = &study->figures[i];
        struct str title = figure->title.len > 0 ? figure->title : figure->name;
        buf_add_format(
            out, "<figure id=\"figure-%.*s\"%s><img src=\"../figures/%.*s.svg\" alt=\"",
            STR_ARG(figure->name), figure->two_columns ? " class=\"wide\"" : "",
            STR_ARG(figure->name));
        buf_add_html(out,
                     "%\">\n<figcaption>% <span class=\"note\">"
                     "(<a href=\"../figures/%.pdf\">pdf</a>, "
                     "<a href=\"../figures/%.png\">png</a>)</span></figcaption>\n",
                     str_trim(inputs->figures[i]), title, figure->name, figure->name);
        report_page_add_made_by("figures", figure->name, figure->node, out);
        buf_add(out, STR("</figure>\n"));
    }
    if (study->figure_count > 0)
        buf_add(out, STR("</div>\n"));
}

static void add_tests(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    if (study->test_count > 0)
        buf_add(out, STR("<h2 id=\"tests\">Tests</h2>\n"));
    for (size_t i = 0; i < study->test_count; i++) {
        const struct study_test *test = &study->tests[i];
        const struct yaml_node *kind = yaml_get(test->node, STR("test"));
        buf_add_html(out, "<section id=\"test-%\">\n<h3>%", test->name, test->name);
        if (kind != NULL)
            buf_add_html(out, ": %", kind->text);
        buf_add(out, STR("</h3>\n"));
        if (test->table != STUDY_NONE)
            buf_add_html(out, "<p>On the numbers of <a href=\"#table-%\">%</a>.</p>\n",
                         study->tables[test->table].name,
                         study->tables[test->table].name);
        report_page_add_scroll("results of the test", out);
        buf_add(out, inputs->tests[i]);
        buf_add(out, STR("</div>\n"));
        report_page_add_made_by("tests", test->name, test->node, out);
        buf_add(out, STR("</section>\n"));
    }
}

static void add_families(const struct report_page_inputs *inputs, struct buf *out)
{
    for (size_t i = 0; i < inputs->study->family_count; i++) {
        buf_add_html(out,
                     "<section>\n<h3>Family %: p values adjusted for each other</h3>\n",
                     inputs->study->families[i].name);
        report_page_add_scroll("results of the family", out);
        buf_add(out, inputs->families[i]);
        buf_add(out, STR("</div></section>\n"));
    }
}

void report_page_add_results(const struct report_page_inputs *inputs, struct buf *out)
{
    add_tables(inputs, out);
    add_figures(inputs, out);
    add_tests(inputs, out);
    add_families(inputs, out);
}

/* A section of the study file as it is shown in the report: YAML on few lines. */
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

void report_page_section(const struct yaml_node *node, struct buf *out)
{
    struct buf text = {0};

    add_node(node, 0, &text);
    buf_add(out, str_trim(buf_str(&text)));
    buf_free(&text);
}

void report_page_add_made_by(const char *section, struct str name,
                             const struct yaml_node *node, struct buf *out)
{
    struct buf text = {0};

    report_page_section(node, &text);
    buf_add_html(out,
                 "<details><summary>made by <code>%.%</code></summary>"
                 "<pre>%</pre></details>\n",
                 str_from(section), name, buf_str(&text));
    buf_free(&text);
}

extern const unsigned char report_style[], report_script[];
extern const size_t report_style_len, report_script_len;

struct str report_page_style(void)
{
    return (struct str){(const char *)report_style, report_style_len};
}

struct str report_page_script(void)
{
    return (struct str){(const char *)report_script, report_script_len};
}

void report_page_add_head(struct str title, const char *root, struct buf *out)
{
    buf_add_html(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>%</title>\n<link rel=\"stylesheet\" href=\"%report.css\">\n"
        "<script defer src=\"%report.js\"></script>\n</head>\n<body>\n",
        title, str_from(root), str_from(root));
}

void report_page_add_foot(struct buf *out)
{
    buf_add(out, STR("</body>\n</html>\n"));
}

void report_page_add_scroll(const char *label, struct buf *out)
{
    buf_add_format(
        out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">",
        label);
}

static const char *expected_title(const struct report_page_inputs *inputs)
{
    return inputs->study->simulated ? "Planted numbers" : "Published numbers";
}

static void add_verification(const struct report_page_inputs *inputs, struct buf *out)
{
    static const char *const classes[VERIFY_VERDICTS] = {
        [VERIFY_AS_PUBLISHED] = "good", [VERIFY_KNOWN] = "known",
        [VERIFY_UNPROVEN] = "known",    [VERIFY_DIFFERS] = "bad",
        [VERIFY_CANNOT] = "soft",       [VERIFY_ELSEWHERE] = "soft",
        [VERIFY_FAILED] = "bad",
    };
    const struct verify *verify = inputs->verify;

    if (verify->count == 0)
        return;
    buf_add_format(out, "<h2 id=\"verification\">%s</h2>\n<p>", expected_title(inputs));
    verify_add_counts(verify, study_expected_word(inputs->study), out);
    buf_add(out, STR(".</p>\n"));
    report_page_add_scroll("expected numbers", out);
    buf_add(out, STR("<table><thead><tr><th scope=\"col\">number</th><th scope=\"col\">"
                     "verdict</th><th scope=\"col\">where</th></tr></thead><tbody>\n"));
    for (size_t i = 0; i < verify->count; i++) {
        const struct verify_line *line = &verify->lines[i];
        buf_add_html(out,
                     "<tr><td><code>%</code></td><td class=\"verdict-%\">%</td>"
                     "<td>%</td></tr>\n",
                     line->expectation->expression, str_from(classes[line->verdict]),
                     line->text, line->expectation->source);
    }
    buf_add(out, STR("</tbody></table></div>\n"));
}

static void add_contents(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct {
        bool there;
        const char *id, *name;
    } parts[] = {
        {true, "studied", "What was studied"},
        {inputs->study->table_count > 0, "tables", "Tables"},
        {inputs->study->figure_count > 0, "figures", "Figures"},
        {inputs->study->test_count > 0, "tests", "Tests"},
        {inputs->verify->count > 0, "verification", expected_title(inputs)},
        {true, "rerun", "How to rerun"},
    };

    buf_add(out, STR("<nav aria-label=\"contents\"><ul>\n"));
    for (size_t i = 0; i < ROWS_OF(parts); i++)
        if (parts[i].there)
            buf_add_format(out, "<li><a href=\"#%s\">%s</a></li>\n", parts[i].id,
                           parts[i].name);
    buf_add(out, STR("</ul></nav>\n"));
}

static void add_rerun(const struct report_page_inputs *inputs, struct buf *out)
{
    buf_add(out,
            STR("<h2 id=\"rerun\">How to rerun</h2>\n<p>With the study's folder and its "
                "sources:</p>\n<pre>assay run"));
    if (inputs->verify->count > 0)
        buf_add(out, STR("\nassay verify"));
    buf_add_html(out,
                 "</pre>\n<p>The same study gives the same bytes; <a "
                 "href=\"../../assay.lock\">assay.lock</a> says what every result "
                 "rests on. Made by assay %.</p>\n",
                 str_from(inputs->version));
    bool posts = false;
    for (size_t i = 0; i < inputs->study->source_count; i++)
        posts |= inputs->study->sources[i].kind->site;
    if (posts && !inputs->study->simulated)
        buf_add(out,
                STR("<p class=\"note\">Posts are content of the Stack Exchange network "
                    "under CC BY-SA 2.5, 3.0 or 4.0 by their date; quotes carry licence "
                    "and link.</p>\n"));
}

void report_page_add_simulated(struct buf *out)
{
    buf_add(out, STR("<p>The posts are simulated: nothing here says anything about real "
                     "ones.</p>\n"));
}

void report_page_index(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;
    struct str title = study->title.len > 0 ? study->title : study->name;

    report_page_add_head(title, "", out);
    buf_add_html(out, "<header><h1>%</h1>\n<p class=\"lead\">Study <code>%</code></p>\n",
                 title, study->name);
    if (study->simulated)
        report_page_add_simulated(out);
    add_contents(inputs, out);
    buf_add(out, STR("</header>\n<main>\n"));
    report_page_add_studied(inputs, out);
    report_page_add_results(inputs, out);
    add_verification(inputs, out);
    add_rerun(inputs, out);
    buf_add(out, STR("</main>\n"));
    report_page_add_foot(out);
}
