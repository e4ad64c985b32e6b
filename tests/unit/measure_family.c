/* Families of tests. Adjusted values are those of R 4: p.adjust(c(.01, .04, .03, NA),
 * ...). */
#include "measure/family.h"

#include <math.h>
#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    enum study_correct correct;
    double adjusted[3];
} rows[] = {
    {"none", STUDY_NO_CORRECTION, {0.01, 0.04, 0.03}},
    {"bonferroni", STUDY_BONFERRONI, {0.03, 0.12, 0.09}},
    {"holm", STUDY_HOLM, {0.03, 0.06, 0.06}},
    {"benjamini-hochberg", STUDY_BENJAMINI, {0.03, 0.04, 0.04}},
};

int main(void)
{
    struct result_number one[] = {{.column = STR("statistic"), .value = 5},
                                  {.column = STR("p"), .value = 0.01}};
    struct result_number many[] = {{.row = STR("x"), .column = STR("p"), .value = 0.04},
                                   {.row = STR("y"), .column = STR("p"), .value = 0.03},
                                   {.row = STR("z"), .column = STR("p"), .value = NAN}};
    struct result_numbers tests[] = {{STR("tests.a"), one, 2}, {STR("tests.b"), many, 3}};
    struct arena arena = {0};
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct study_family study = {
            .name = STR("f"), .count = 2, .correct = rows[i].correct, .level = 0.05};
        struct measure_family family = measure_family_make(&study, tests, &arena);
        tap_case("family: %s", rows[i].name);
        CHECK(family.count == 4);
        for (size_t m = 0; m < 3; m++)
            CHECK_NEAR(family.members[m].adjusted, rows[i].adjusted[m], 1e-15);
        CHECK(isnan(family.members[3].adjusted));
    }
    struct study_family study = {
        .name = STR("f"), .count = 2, .correct = STUDY_HOLM, .level = 0.05};
    struct measure_family family = measure_family_make(&study, tests, &arena);
    tap_case("family: csv");
    measure_family_csv(&family, &out);
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr,
               "test,p,adjusted\na,0.01,0.03\nb/x,0.04,0.06\nb/y,0.03,0.06\nb/z,,\n");
    buf_clear(&out);
    tap_case("family: markdown and html say what is significant");
    measure_family_markdown(&family, &out);
    measure_family_html(&family, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr, "| a | 0.0100 | 0.0300 | significant |") != NULL);
    CHECK(strstr(out.ptr, "| b/x | 0.0400 | 0.0600 | not significant |") != NULL);
    CHECK(strstr(out.ptr, "<th scope=\"row\">b/z</th><td>–</td>") != NULL);
    buf_clear(&out);
    tap_case("family: numbers");
    struct result_table table = measure_family_table(&family, &arena);
    CHECK(table.numbers && table.row_count == 4 && table.column_count == 1);
    CHECK(str_eq(table.rows[1].slug, STR("b/x")) && table.cells[0].value == 0.03);
    CHECK(table.cells[3].undefined != NULL);
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
