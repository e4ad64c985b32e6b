/* The report's second part: tables, figures and tests. */
#include "report/internal.h"

static void add_tables(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    if (study->table_count > 0)
        buf_add(out, STR("<h2 id=\"tables\">Tables</h2>\n<p class=\"lead\">Numbers that "
                         "were counted lead to the posts behind them.</p>\n"));
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
        buf_add_xml(out, str_trim(inputs->figures[i]));
        buf_add(out, STR("\">\n<figcaption>"));
        buf_add_xml(out, title);
        buf_add_format(out,
                       " <span class=\"note\">(<a href=\"../figures/%.*s.pdf\">pdf</a>, "
                       "<a href=\"../figures/%.*s.png\">png</a>)</span></figcaption>\n",
                       STR_ARG(figure->name), STR_ARG(figure->name));
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
        buf_add(out, STR("<section id=\"test-"));
        buf_add_xml(out, test->name);
        buf_add(out, STR("\">\n<h3>"));
        buf_add_xml(out, test->name);
        buf_add(out, STR("</h3>\n"));
        if (test->table != STUDY_NONE) {
            struct str name = study->tables[test->table].name;
            buf_add_format(out,
                           "<p>On the numbers of <a href=\"#table-%.*s\">%.*s</a>.</p>\n",
                           STR_ARG(name), STR_ARG(name));
        }
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
        buf_add(out, STR("<section>\n<h3>Family "));
        buf_add_xml(out, inputs->study->families[i].name);
        buf_add(out, STR(": p values adjusted for each other</h3>\n"));
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
