/* The report's first page as a whole: escapes, contents, published numbers only where a
 * study has some. */
#include "tests/unit/paged.h"

static const char *const with_expectations =
    PAGED_STUDY "expect: {tables.t.x.count: {value: 3, source: Table 1}, "
                "tables.t.x.count#2: 4}\n";

static void make_index(const struct study *study, struct arena *arena, struct buf *out)
{
    struct result_number table[] = {
        {.row = STR("x"), .column = STR("count"), .value = 3, .low = NAN, .high = NAN}};
    struct result_numbers numbers[] = {{STR("tables.t"), table, 1}};
    struct str tables[] = {STR("<table>T1</table>"), STR("")}, tests[] = {STR("")};
    struct str figures[] = {STR("Bar chart.\n")};
    struct result_table funnels[2] = {0};
    struct verify verify;

    verify_study(study, numbers, 1, arena, &verify);
    struct report_page_inputs inputs = {.study = study,
                                        .version = "9.9",
                                        .numbers = numbers,
                                        .number_count = 1,
                                        .tables = tables,
                                        .tests = tests,
                                        .figures = figures,
                                        .funnels = funnels,
                                        .verify = &verify};
    report_page_index(&inputs, out);
}

static void check_index(struct arena *arena, struct buf *out)
{
    struct study study;

    if (!paged_study(PAGED_STUDY, arena, &study))
        return;
    make_index(&study, arena, out);
    tap_case("the title is escaped, every part is in the contents");
    CHECK(paged_holds(out, "<h1>A &lt;b&gt; &amp; B</h1>"));
    CHECK(paged_holds(out, "<li><a href=\"#figures\">Figures</a></li>"));
    tap_case("nothing comes from elsewhere");
    CHECK(!paged_holds(out, "src=\"http") && !paged_holds(out, "href=\"http"));
    tap_case("a study without expectations does not speak of published numbers");
    CHECK(!paged_holds(out, "ublished") && !paged_holds(out, "slip") &&
          !paged_holds(out, "assay verify"));
    buf_clear(out);
}

static void check_published(struct arena *arena, struct buf *out)
{
    struct study study;

    if (!paged_study(with_expectations, arena, &study))
        return;
    make_index(&study, arena, out);
    tap_case("what is as published, and what is not");
    CHECK(paged_holds(
        out, "2 expectations: 1 as published, 0 known slips, 0 cannot be computed, 1 "
             "unexplained."));
    CHECK(paged_holds(out, "class=\"verdict-good\">as published: 3"));
    CHECK(paged_holds(out, "class=\"verdict-bad\">DIFFERS: published 4, ours 3"));
    CHECK(paged_holds(out, "assay run\nassay verify</pre>"));
    CHECK(!paged_holds(out, "lanted") && !paged_holds(out, "made up"));
    CHECK(paged_holds(out, "CC BY-SA"));
    buf_clear(out);
    tap_case("what was planted in a simulated corpus is not called published");
    study.simulated = true;
    make_index(&study, arena, out);
    CHECK(paged_holds(out, "The posts are simulated"));
    CHECK(!paged_holds(out, "CC BY-SA"));
    CHECK(paged_holds(out, "<li><a href=\"#verification\">Planted numbers</a></li>"));
    CHECK(paged_holds(out, "2 expectations: 1 as planted"));
    CHECK(paged_holds(out, "DIFFERS: planted 4, ours 3") &&
          !paged_holds(out, "ublished"));
    buf_clear(out);
}

int main(void)
{
    struct arena arena = {0};
    struct buf out = {0};

    check_index(&arena, &out);
    check_published(&arena, &out);
    tap_case("style and script are there");
    CHECK(report_page_style().len > 500 && report_page_script().len > 500);
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
