/* One text in two forms: numbers by their address, nouns that suit them, and nothing that
 * a text holds is taken for markup. */
#include "report/internal.h"

#include <math.h>

#include "tests/tap.h"

static struct result_number numbers_at[] = {
    {.column = STR_INIT("count"), .value = 1234},
    {.row = STR_INIT("a/b"), .column = STR_INIT("share"), .value = 0.25},
    {.row = STR_INIT("one"), .column = STR_INIT("count"), .value = 1}};
static const struct result_numbers numbers[] = {
    {STR_INIT("sets.B"), numbers_at, 1}, {STR_INIT("tables.t"), numbers_at + 1, 2}};

static const struct {
    const char *name, *text, *markdown, *latex;
} rows[] = {
    {"plain words", "Two words.", "Two words.", "Two words."},
    {"what either form would take for its own", "a_b 5% <c> [d] *e*",
     "a\\_b 5% \\<c> \\[d\\] \\*e\\*", "a\\_b 5\\% \\textless{}c\\textgreater{} [d] *e*"},
    {"a name", "`a_b`", "`a_b`", "\\texttt{a\\_b}"},
    {"a number with an address", "{sets.B.count}", "1,234", "\\assay{sets.B.count}"},
    {"of a row of a table", "{tables.t.a.b.share}", "0.25",
     "\\assay{tables.t.a.b.share}"},
    {"with a noun", "{sets.B.count|question|questions}", "1,234 questions",
     "\\assay{sets.B.count} questions"},
    {"with the noun of one", "{tables.t.one.count|row|rows}", "1 row",
     "\\assay{tables.t.one.count} row"},
    {"without an address", "{=2500|item|items}, {=1|item|items}, {=0|item|items}",
     "2,500 items, 1 item, 0 items", "2,500 items, 1 item, 0 items"},
    {"a number that is not there", "{sets.C.count}", "–", "\\assay{sets.C.count}"},
};

static struct report_prose prose_of(struct buf *markdown, struct buf *latex)
{
    return (struct report_prose){markdown, latex, numbers, ROWS(numbers)};
}

static void check_both(struct buf *markdown, struct buf *latex, const char *want,
                       const char *want_latex)
{
    buf_add_char(markdown, '\0');
    buf_add_char(latex, '\0');
    CHECK_TEXT(markdown->ptr, want);
    CHECK_TEXT(latex->ptr, want_latex);
    buf_free(markdown);
    buf_free(latex);
    *markdown = *latex = (struct buf){0};
}

int main(void)
{
    struct buf markdown = {0}, latex = {0};
    struct report_prose prose = prose_of(&markdown, &latex);

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("markup: %s", rows[i].name);
        report_prose_add(&prose, "%s", rows[i].text);
        check_both(&markdown, &latex, rows[i].markdown, rows[i].latex);
    }
    tap_case("texts and code hold what they like");
    report_prose_text(&prose, STR("{x} `y`\n"));
    report_prose_code(&prose, STR("a`{b}"));
    check_both(&markdown, &latex, "{x} \\`y\\` `` a`{b} ``",
               "\\{x\\} `y`\n\\texttt{a`\\{b\\}}");
    tap_case("a day");
    report_prose_day(&prose, INT64_C(1630800000000));
    check_both(&markdown, &latex, "5 September 2021", "5 September 2021");
    tap_case("titles, paragraphs and lists");
    report_prose_title(&prose, 2, "Data");
    report_prose_add(&prose, "We");
    report_prose_end(&prose);
    report_prose_list(&prose);
    report_prose_point(&prose);
    report_prose_add(&prose, "a");
    report_prose_point(&prose);
    report_prose_add(&prose, "b");
    report_prose_list_end(&prose);
    check_both(&markdown, &latex, "## Data\n\nWe\n\n- a\n- b\n\n",
               "\\subsection{Data}\nWe\n\n\\begin{itemize}\n\\item a\n\\item b\n"
               "\\end{itemize}\n\n");
    tap_case("Markdown alone");
    prose.latex = NULL;
    report_prose_title(&prose, 3, "Data");
    report_prose_add(&prose, "{=1|item|items} `x`");
    check_both(&markdown, &latex, "### Data\n\n1 item `x`", "");
    tap_case("values");
    CHECK_NEAR(report_prose_value(&prose, "tables.%s.a.b.share", "t"), 0.25, 0);
    CHECK_NEAR(report_prose_value(&prose, "tables.t.c.share"), NAN, 0);
    tap_case("what stands between the parts of an enumeration");
    CHECK_TEXT(report_prose_between(0, 3), "");
    CHECK_TEXT(report_prose_between(1, 3), ", ");
    CHECK_TEXT(report_prose_between(2, 3), " and ");
    return tap_done();
}
