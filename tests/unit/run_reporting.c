/* The report of a small study: which files it has, and that a page shows its items. */
#include "tests/unit/studied.h"

int main(void)
{
    struct studied test;

    if (!studied_begin(&test))
        return tap_done();
    studied_fill(&test);
    tap_case("a run ends with a report");
    CHECK(studied_run(&test));
    CHECK(strstr(studied_read(&test, "out/report/index.html"), "<h2 id=\"tables\">") !=
          NULL);
    CHECK(strlen(studied_read(&test, "out/report/report.css")) > 100);
    CHECK(strlen(studied_read(&test, "out/report/report.js")) > 100);
    CHECK(strstr(studied_read(&test, "out/numbers.tex"),
                 "\\assaydefine{tables.t.A.count}{2}") != NULL);
    tap_case("a number's page lists its items");
    const char *page = studied_read(&test, "out/report/rows/t/0.html");
    CHECK(strstr(page, "<tr id=\"c0\">") != NULL &&
          strstr(page, "/q/1\">1</a>") != NULL && strstr(page, "/q/3\">3</a>") != NULL &&
          strstr(page, "/q/2\"") == NULL);
    tap_case("a group without items has no page");
    studied_write(&test, "p.csv",
                  "Id,PostTypeId,Tags,CreationDate,Score,ViewCount\n"
                  "1,1,<x><a>,2019-01-01,0,10\n2,1,<x>,2019-02-01,2,20\n"
                  "3,1,<x><a>,2020-01-01,5,30\n4,1,<z>,2020-02-01,1,40\n");
    CHECK(studied_run(&test));
    CHECK_TEXT(studied_read(&test, "out/report/rows/t/1.html"), "");
    tap_case("a changed title makes the report again");
    studied_write(&test, "study.yaml", "title: Another\n" STUDIED_STUDY);
    CHECK(studied_run(&test));
    CHECK(strstr(studied_read(&test, "out/report/index.html"), "<h1>Another</h1>") !=
          NULL);
    studied_end(&test);
    return tap_done();
}
