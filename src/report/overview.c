/* Figures are those of the studies' own out/ folders; nothing is copied. */
#include "report/overview.h"

#include "report/internal.h"

static void add_figures(const struct report_overview_study *it, struct buf *out)
{
    for (size_t i = 0; i < it->study->figure_count; i++) {
        const struct study_figure *figure = &it->study->figures[i];
        struct str title = figure->title.len > 0 ? figure->title : figure->name;
        buf_add_format(out, "<figure%s>", figure->two_columns ? " class=\"wide\"" : "");
        buf_add_html(out,
                     "<a href=\"%/out/report/index.html#figure-%\">"
                     "<img loading=\"lazy\" src=\"%/out/figures/%.svg\" alt=\"%\"></a>"
                     "<figcaption>%</figcaption></figure>\n",
                     str_from(it->folder), figure->name, str_from(it->folder),
                     figure->name, title, title);
    }
}

static void add_study(const struct report_overview_study *it, struct buf *out)
{
    const struct verify *verify = it->verify;

    buf_add_html(out, "<section id=\"%\">\n<h2>%</h2>\n<p>", str_from(it->folder),
                 it->study->title);
    size_t tables = it->study->table_count, tests = it->study->test_count,
           figures = it->study->figure_count;
    buf_add_format(
        out,
        "%zu table%s, %zu test%s, %zu figure%s. "
        "<a href=\"%s/out/report/index.html\">The whole report</a>, where every "
        "number leads to the posts behind it.</p>\n",
        tables, str_plural((int64_t)tables), tests, str_plural((int64_t)tests), figures,
        str_plural((int64_t)figures), it->folder);
    if (verify->count > 0)
        buf_add_format(out,
                       "<p>Of %zu numbers that are known beforehand %zu are as expected "
                       "and %zu differ for a reason that is known.</p>\n",
                       verify->count, verify->counts[VERIFY_AS_PUBLISHED],
                       verify->counts[VERIFY_KNOWN]);
    buf_add(out, STR("<div class=\"figures\">\n"));
    add_figures(it, out);
    buf_add(out, STR("</div>\n</section>\n"));
}

void report_overview_page(const struct report_overview *overview, struct buf *out)
{
    report_page_add_head(overview->title, "", out);
    buf_add_html(out,
                 "<main>\n<h1>%</h1>\n<p>%</p>\n<nav aria-label=\"Studies\" "
                 "class=\"whole\"><ul>\n",
                 overview->title, overview->about);
    for (size_t i = 0; i < overview->count; i++)
        buf_add_html(out, "<li><a href=\"#%\">%</a></li>\n",
                     str_from(overview->studies[i].folder),
                     overview->studies[i].study->title);
    buf_add(out, STR("</ul></nav>\n"));
    for (size_t i = 0; i < overview->count; i++)
        add_study(&overview->studies[i], out);
    buf_add(out, STR("</main>\n"));
    report_page_add_foot(out);
}
