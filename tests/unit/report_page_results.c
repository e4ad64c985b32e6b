/* The report's second part: tables, figures, tests, each with what made it. */
#include "report/internal.h"
#include "tests/unit/paged.h"

static void check_results(const struct study *study, struct buf *out)
{
    struct str tables[] = {STR("<table>T1</table>"), STR("<table>T2</table>")};
    struct str tests[] = {STR("<p>H1</p>")};
    struct str figures[] = {STR("Bar chart of \"a\" & b.\n")};
    struct report_page_inputs inputs = {
        .study = study, .tables = tables, .tests = tests, .figures = figures};

    report_page_add_results(&inputs, out);
    tap_case("tables with title and files");
    CHECK(paged_holds(out, "<section id=\"table-t\">\n<h3>T &lt; U</h3>"));
    CHECK(paged_holds(out, "<table>T1</table>") && paged_holds(out, "<table>T2</table>"));
    CHECK(paged_holds(out, "<a href=\"../tables/t.tex\">LaTeX</a>"));
    tap_case("figures say in words what they show, and their title once");
    CHECK(paged_holds(out, "<figure id=\"figure-f\" class=\"wide\"><img "
                           "src=\"../figures/f.svg\" alt=\"Bar chart of &quot;a&quot; "
                           "&amp; b.\">\n<figcaption>Fig <span"));
    tap_case("tests, with what they are");
    CHECK(paged_holds(out, "<section id=\"test-h\">\n<h3>h: pearson</h3>"));
    CHECK(paged_holds(out, "<p>H1</p>"));
    tap_case("the section that made it");
    CHECK(paged_holds(
        out, "made by <code>figures.f</code></summary><pre>draw: bars&#xA;table: t"));
}

int main(void)
{
    struct arena arena = {0};
    struct buf out = {0};
    struct study study;

    if (paged_study(PAGED_STUDY, &arena, &study))
        check_results(&study, &out);
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
