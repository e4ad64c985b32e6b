/* The report's pages: everything is there, and nothing that posts or names hold gets out
 * of its place. */
#include "report/page.h"

#include <math.h>
#include <string.h>

#include "tests/tap.h"

static bool holds(struct buf *out, const char *part)
{
    buf_add_char(out, '\0');
    out->len--;
    return strstr(out->ptr, part) != NULL;
}

static const char *const study_text =
    "study: s\ntitle: A <b> & B\nsource: {posts: p.csv, until: 2019-12-01}\n"
    "sets: {x: '[x] score:5..'}\nsamples: {p: {of: x, size: 2, seed: 7}}\n"
    "tables: {t: {title: 'T < U', of: x}}\n"
    "tests: {h: {test: pearson, on: views, with: score}}\n"
    "figures: {f: {draw: bars, table: t, title: Fig}}\n"
    "expect: {tables.t.x.count: {value: 3, source: Table 1}, tables.t.x.count#2: 4}\n";

static void check_index(const struct study *study, struct arena *arena, struct buf *out)
{
    struct number set[] = {
        {.column = STR("count"), .value = 1234},
        {.column = STR("funnel.1"), .value = 5000, .heading = STR("[<x>]")}};
    struct number sample[] = {{.column = STR("count"), .value = 2},
                              {.column = STR("frame"), .value = 1234}};
    struct number table[] = {
        {.row = STR("x"), .column = STR("count"), .value = 3, .low = NAN, .high = NAN}};
    struct numbers numbers[] = {{STR("sets.x"), set, 2},
                                {STR("samples.p"), sample, 2},
                                {STR("tables.t"), table, 1}};
    struct str tables[] = {STR("<table>T1</table>")}, tests[] = {STR("<p>H1</p>")};
    struct verify verify;

    verify_study(study, numbers, 3, arena, &verify);
    struct page_inputs inputs = {
        .study = study,
        .version = "9.9",
        .numbers = numbers,
        .number_count = 3,
        .tables = tables,
        .tests = tests,
        .health = STR("# Health\n\n| finding | value |\n|---|---|\n| broken | 3 <x> |\n"),
        .verify = &verify};
    page_index(&inputs, out);
    tap_case("index: title and names are escaped");
    CHECK(holds(out, "<h1>A &lt;b&gt; &amp; B</h1>"));
    CHECK(holds(out, "<code>[&lt;x&gt;]</code></th><td>5,000</td>"));
    CHECK(holds(out, "<h3>T &lt; U</h3>"));
    tap_case("index: sets, samples, health, tables, tests, figures");
    CHECK(holds(out, "<a href=\"../sets/x.csv\">x</a></th><td>1,234</td>"));
    CHECK(holds(out, "2 of 1,234 items of x, seed 7"));
    CHECK(holds(out, "<td>broken</td><td>3 &lt;x&gt;</td>"));
    CHECK(holds(out, "<table>T1</table>") && holds(out, "<p>H1</p>"));
    CHECK(holds(out, "<img src=\"../figures/f.svg\" alt=\"Fig\">"));
    CHECK(holds(out, "until 2019-12-01"));
    tap_case("index: the section that made a table");
    CHECK(
        holds(
            out,
            "made by <code>tables.t</code></summary><pre>title: &apos;T &lt; U&apos;") ||
        holds(out, "made by <code>tables.t</code></summary><pre>title: '"));
    tap_case("index: what is as published, and what is not");
    CHECK(holds(out,
                "Of 2 published numbers 1 are as published, 0 are known slips, 0 cannot "
                "be computed here, 1 are unexplained."));
    CHECK(holds(out, "class=\"verdict-good\">as published: 3"));
    CHECK(holds(out, "class=\"verdict-bad\">DIFFERS: published 4, ours 3"));
    tap_case("index: nothing comes from elsewhere");
    CHECK(!holds(out, "src=\"http") && !holds(out, "href=\"http"));
    buf_clear(out);
}

static void check_rows(const struct study *study, struct buf *out)
{
    struct page_item items[] = {{7, STR("<script>x</script>"), STR("CC BY-SA 4.0")},
                                {8, STR("a row"), STR("")}};
    struct page_rows rows = {
        study, STR("t"), STR("x"), STR("2018"), study->tables[0].node, 200, items, 2};

    page_rows(&rows, out);
    tap_case("rows: titles are escaped, posts have link and licence");
    CHECK(holds(out, "<a href=\"https://stackoverflow.com/q/7\">7</a> &lt;script&gt;x") &&
          !holds(out, "<script>x") && holds(out, "(CC BY-SA 4.0)"));
    tap_case("rows: what is no post has no link");
    CHECK(holds(out, "<li>8 a row</li>"));
    tap_case("rows: how many there are, and where all of them stand");
    CHECK(holds(out, "200 items, of which the first 2 are shown") &&
          holds(out, "../../../items/t.csv"));
    buf_clear(out);
}

static void check_macros(struct buf *out)
{
    struct number table[] = {
        {.row = STR("a/b"),
         .column = STR("share"),
         .value = 0.7069,
         .low = 0.5,
         .high = NAN},
        {.row = STR("c"),
         .column = STR("count"),
         .value = 12345,
         .low = NAN,
         .high = NAN},
        {.row = STR("d"), .column = STR("count"), .value = NAN, .low = NAN, .high = NAN}};
    struct numbers numbers = {STR("tables.t"), table, 3};

    page_macros(&numbers, 1, out);
    tap_case("macros: a name for every number that there is");
    CHECK(holds(out, "\\assaydefine{tables.t.a.b.share}{0.7069}\n"));
    CHECK(holds(out, "\\assaydefine{tables.t.a.b.share.low}{0.5}\n"));
    CHECK(holds(out, "\\assaydefine{tables.t.a.b.share.percent}{70.69}\n"));
    CHECK(holds(out, "\\assaydefine{tables.t.c.count}{12,345}\n"));
    CHECK(!holds(out, "tables.t.d"));
    buf_clear(out);
}

int main(void)
{
    struct arena arena = {0};
    struct buf out = {0}, problems = {0};
    struct study_options options = {0};
    struct study study;
    struct err err = {0};

    tap_case("the study is read");
    bool ok = study_parse(str_from(study_text), "study.yaml", &options, &arena, &study,
                          &problems, &err);
    buf_add_char(&problems, '\0');
    CHECK_TEXT(problems.ptr, "");
    if (CHECK(ok)) {
        check_index(&study, &arena, &out);
        check_rows(&study, &out);
        check_macros(&out);
    }
    tap_case("style and script are there");
    CHECK(page_style().len > 500 && page_script().len > 500);
    buf_free(&problems);
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
