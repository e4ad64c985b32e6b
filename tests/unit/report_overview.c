/* The page over several studies: each has its section, figures and link; texts are
 * escaped. */
#include "report/overview.h"

#include <string.h>

#include "tests/tap.h"

int main(void)
{
    struct study_figure figures[] = {{.name = STR("growth"), .title = STR("More & more")},
                                     {.name = STR("plain")}};
    struct study studies[] = {
        {.title = STR("A <b> study"), .figures = figures, .figure_count = 2},
        {.title = STR("Another"), .table_count = 3}};
    struct verify checked = {.count = 5,
                             .counts = {[VERIFY_AS_PUBLISHED] = 4, [VERIFY_KNOWN] = 1}};
    struct verify none = {0};
    struct report_overview_study shown[] = {{&studies[0], &checked, "one"},
                                            {&studies[1], &none, "two"}};
    struct report_overview overview = {STR("Two studies"), STR("On a corpus."), shown, 2};
    struct buf out = {0};

    report_overview_page(&overview, &out);
    buf_add_char(&out, '\0');
    tap_case("titles and captions are escaped");
    CHECK(strstr(out.ptr, "A &lt;b&gt; study") != NULL);
    CHECK(strstr(out.ptr, "<figcaption>More &amp; more</figcaption>") != NULL);
    CHECK(strstr(out.ptr, "<b>") == NULL);
    tap_case("a figure leads to its place in the study's report");
    CHECK(strstr(out.ptr, "href=\"one/out/report/index.html#figure-growth\"") != NULL);
    CHECK(strstr(out.ptr, "src=\"one/out/figures/plain.svg\" alt=\"plain\"") != NULL);
    tap_case("what was checked is told, where something was");
    CHECK(strstr(out.ptr, "Of 5 numbers that are known beforehand 4 are as expected") !=
          NULL);
    CHECK(strstr(strstr(out.ptr, "<section id=\"two\">"), "known beforehand") == NULL);
    buf_free(&out);
    return tap_done();
}
