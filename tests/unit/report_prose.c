/* One text in two forms: what is filled in, said on a condition and repeated, and nothing
 * that a fact holds is taken for markup. */
#include "report/internal.h"

#include <math.h>

#include "tests/tap.h"

static struct result_number numbers_at[] = {
    {.column = STR_INIT("count"), .value = 1234},
    {.row = STR_INIT("a/b"),
     .column = STR_INIT("share"),
     .type = RESULT_SHARE,
     .digits = 1,
     .value = 0.25},
    {.row = STR_INIT("one"), .column = STR_INIT("count"), .value = 1},
    {.column = STR_INIT("count"), .value = 77}};
static const struct result_numbers numbers[] = {
    {STR_INIT("sets.B"), numbers_at, 1},
    {STR_INIT("tables.t"), numbers_at + 1, 2},
    {STR_INIT("sets.B2"), numbers_at + 3, 1}};

static const struct {
    const char *name, *text, *markdown, *latex;
} rows[] = {
    {"plain words", "Two words.", "Two words.", "Two words."},
    {"what either form would take for its own", "a_b 5% <c> [d]",
     "a\\_b 5% \\<c> \\[d\\]", "a\\_b 5\\% \\textless{}c\\textgreater{} [d]"},
    {"blanks and line breaks are one blank", " a\n  b  c\n", "a b c", "a b c"},
    {"a name", "`a_b`", "`a_b`", "\\texttt{a\\_b}"},
    {"a name that is filled in", "`x {odd}`", "`` x {x} `y`_ ``",
     "\\texttt{x \\{x\\} `y`\\_}"},
    {"a text holds what it likes", "{odd}", "{x} \\`y\\`\\_", "\\{x\\} `y`\\_"},
    {"a number with an address", "{count}", "1,234", "\\assay{sets.B.count}"},
    {"of a row of a table", "{share}", "25.0%", "\\assay{tables.t.a.b.share}"},
    {"with a noun", "{count|question|questions}", "1,234 questions",
     "\\assay{sets.B.count} questions"},
    {"with the noun of one", "{one|row|rows}", "1 row",
     "\\assay{tables.t.one.count} row"},
    {"without an address", "{many|item|items}, {none|item|items}", "2,500 items, 0 items",
     "2,500 items, 0 items"},
    {"nouns are filled in, too", "{many|{odd}|{name}}", "2,500 Ann", "2,500 Ann"},
    {"the word alone", "{many:is|are} {one:is|are}", "are is", "are is"},
    {"a number that is not there", "{absent}", "–", "\\assay{sets.C.count}"},
    {"a day", "{day}", "5 September 2021", "5 September 2021"},
    {"what holds",
     "{if name}a{end}{if empty}b{end}{if many}c{end}{if none}d{end}{if count}e{end}"
     "{if absent}f{end}{if list}g{end}{if nobody}h{end}",
     "aceg", "aceg"},
    {"what does not", "{if not name}a{else if not empty}b{else}c{end}", "b", "b"},
    {"otherwise", "{if empty}a{else if none}b{else}c{end}", "c", "c"},
    {"comparisons",
     "{if many > 2499}a{end}{if many > 2500}b{end}{if one = 1}c{end}{if one < 1}d{end}"
     "{if name = Ann}e{end}{if name = Bob}f{end}{if list > 2}g{end}",
     "aceg", "aceg"},
    {"a condition inside another that does not hold",
     "{if empty}{if name}a{else}b{end}c{else}{each list}{name}{end}{end}", "ABC", "ABC"},
    {"an enumeration", "{each list}{and}{name}{end}.", "A, B and C.", "A, B and C."},
    {"one with something between", "{each list}\n{name}{between};{end}.", "A; B; C.",
     "A; B; C."},
    {"an empty one", "a{each nobody} {name}{between}; {end}.", "a.", "a."},
    {"names of a list are its own, those outside are known",
     "{each list}{name}{many}{end}{name}", "A2,500B2,500C2,500Ann",
     "A2,500B2,500C2,500Ann"},
    {"how many a list has", "{list|item|items}", "3 items", "3 items"},
    {"no blank before what ends a piece", "{if name}\na\n{else}\nb\n{end}.", "a.", "a."},
    {"titles, paragraphs and lists", "\n## Data\n\nWe\n\n- a\n  b\n- c\n\n\nd\n",
     "## Data\n\nWe\n\n- a b\n- c\n\nd",
     "\\subsection{Data}\nWe\n\n\\begin{itemize}\n\\item a b\n\\item c\n"
     "\\end{itemize}\n\nd"},
    {"points of a list that is filled in", "\n{each list}\n- {name}\n{end}\n\nd",
     "- A\n- B\n- C\n\nd",
     "\\begin{itemize}\n\\item A\n\\item B\n\\item C\n\\end{itemize}\n\nd"},
    {"a title with nothing under it", "\n### A\n\n{if empty}a{end}\n\n### B\n\nb",
     "### B\n\nb", "\\paragraph{B}\nb"},
    {"a paragraph with nothing in it", "\na\n\n{if empty}b{end}\n\nc", "a\n\nc",
     "a\n\nc"},
    {"what is for whoever reads the file", "\n// a\nb\n// c\nd", "b d", "b d"},
    {"boxes", "\n- [ ] **a** {recorded}\n- [ ] **b**",
     "- [x] **a** recorded\n- [ ] **b**",
     "\\begin{itemize}\n\\item a recorded\n\\item b"},
};

static void give(struct report_scope *scope)
{
    static const char *const letters[] = {"A", "B", "C"};

    report_text(scope, "name", STR("Ann"));
    report_text(scope, "empty", STR(""));
    report_text(scope, "odd", STR("{x} `y`_"));
    report_number(scope, "many", 2500);
    report_number(scope, "none", 0);
    report_address(scope, "count", "sets.%s.count", "B");
    report_address(scope, "share", "tables.t.a.b.share");
    report_address(scope, "one", "tables.t.one.count");
    report_address(scope, "absent", "sets.C.count");
    report_day(scope, "day", true, INT64_C(1630800000000));
    report_list(scope, "nobody");
    report_list(scope, "list");
    for (size_t i = 0; i < ROWS(letters); i++)
        report_format(report_one(scope, "list"), "name", true, "%s", letters[i]);
}

/* The last paragraph is always ended. */
static void check_text(struct buf *text, const char *end, const char *want)
{
    CHECK(str_ends(buf_str(text), str_from(end)));
    text->len -= strlen(end);
    buf_add_char(text, '\0');
    CHECK_TEXT(text->ptr, want);
    buf_clear(text);
}

int main(void)
{
    struct buf markdown = {0}, latex = {0};
    struct report_prose prose = {&markdown, &latex, numbers, ROWS(numbers)};
    struct arena arena = {0};
    struct report_scope scope = {.arena = &arena, .prose = &prose};

    give(&scope);
    for (size_t i = 0; i < ROWS(rows); i++) {
        bool list = strstr(rows[i].text, "[ ]") != NULL;
        tap_case("markup: %s", rows[i].name);
        report_prose_write(&prose, str_from(rows[i].text), &scope);
        check_text(&markdown, "\n\n", rows[i].markdown);
        check_text(&latex, list ? "\n\\end{itemize}\n\n" : "\n\n", rows[i].latex);
    }
    tap_case("Markdown alone");
    prose.latex = NULL;
    report_prose_write(&prose, STR("\n### Data\n\n{one|item|items} `x`"), &scope);
    check_text(&markdown, "\n\n", "### Data\n\n1 item `x`");
    CHECK(latex.len == 0);
    tap_case("values");
    CHECK_NEAR(report_address(&scope, "v", "tables.%s.a.b.share", "t"), 0.25, 0);
    CHECK_NEAR(report_address(&scope, "v", "tables.t.c.share"), NAN, 0);
    tap_case("a step whose name begins like another's");
    CHECK_NEAR(report_address(&scope, "v", "sets.B2.count"), 77, 0);
    buf_free(&markdown);
    buf_free(&latex);
    arena_free(&arena);
    return tap_done();
}
