/* The draft as a whole, and what its parts ask the facts. */
#include "tests/unit/drafted.h"

static void check_nouns(void)
{
    static const struct {
        const char *name;
        double questions, rows;
        const char *noun;
    } rows[] = {{"questions", 2, 0, "questions"},
                {"rows of tables", 0, 2, "rows"},
                {"both", 2, 2, "items"},
                {"nothing", 0, 0, "items"}};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct result_number corpus[] = {DRAFTED_NUMBER("questions", rows[i].questions),
                                         DRAFTED_NUMBER("rows", rows[i].rows)};
        struct result_numbers numbers = {STR("corpus"), corpus, 2};
        struct report_prose prose = {.numbers = &numbers, .number_count = 1};
        tap_case("a corpus of %s", rows[i].name);
        CHECK_TEXT(report_methods_nouns(&prose), rows[i].noun);
    }
}

static void check_whole(void)
{
    struct buf again = {0}, again_latex = {0};
    struct drafted test;

    drafted_begin(&test, "title: A_b\n");
    report_methods_write(&test.facts, &test.markdown, &test.latex);
    report_methods_write(&test.facts, &again, &again_latex);
    tap_case("the same facts give the same bytes");
    CHECK(str_eq(buf_str(&test.markdown), buf_str(&again)));
    CHECK(str_eq(buf_str(&test.latex), buf_str(&again_latex)));
    tap_case("each ends with one line break");
    CHECK(str_ends(buf_str(&again), STR(".\n")) &&
          !str_ends(buf_str(&again), STR("\n\n")));
    CHECK(!str_ends(buf_str(&again_latex), STR("\n\n")));
    buf_add_char(&again, '\0');
    buf_add_char(&again_latex, '\0');
    tap_case("Markdown has the title and the checklist, LaTeX has the paragraphs alone");
    CHECK(strstr(again.ptr, "Study `s`: A\\_b\n\n") != NULL);
    CHECK(strstr(again.ptr, "## Checklist\n") != NULL);
    CHECK(strstr(again_latex.ptr, "\\subsection{Threats to validity}\n") != NULL);
    CHECK(strstr(again_latex.ptr, "Checklist") == NULL);
    buf_free(&again);
    buf_free(&again_latex);
    drafted_end(&test);
}

int main(void)
{
    check_nouns();
    check_whole();
    return tap_done();
}
