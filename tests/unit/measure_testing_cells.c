/* Every test of a study on cells of a table against R 4 (chisq.test, fisher.test, t.test,
 * wilcox.test, kruskal.test, friedman.test, cor.test, p.adjust). */
#include "measure/testing.h"

#include <math.h>
#include <string.h>

#include "tests/unit/tested.h"

/* Cells: six rows of three columns. */

static const double cells[6][3] = {{12, 10, 8}, {7, 9, 6}, {9, 5, 7},
                                   {15, 11, 9}, {4, 3, 5}, {11, 4, 2}};
static const char *const years[6] = {"2014", "2015", "2016", "2018", "2019", "2021"};
static const char *const words[6] = {"2014", "2015", "2016", "2018", "2019", "rest"};

static struct str x_column[] = {STR_INIT("x")}, y_column[] = {STR_INIT("y")};
static struct str all_columns[] = {STR_INIT("x"), STR_INIT("y"), STR_INIT("z")};
static struct str absent[] = {STR_INIT("x"), STR_INIT("absent")};

static struct result_numbers make_table(const char *const rows[6], struct arena *arena)
{
    static const char *const columns[] = {"x.count", "y.count", "z.count"};
    struct result_numbers numbers = {
        STR("tables.t"), arena_array(arena, struct result_number, ROWS(cells) * 3 + 3),
        0};

    for (size_t r = 0; r < ROWS(cells); r++)
        for (size_t c = 0; c < 3; c++)
            numbers.at[numbers.count++] =
                (struct result_number){.row = str_from(rows[r]),
                                       .column = str_from(columns[c]),
                                       .value = cells[r][c],
                                       .low = NAN,
                                       .high = NAN,
                                       .n = -1};
    for (size_t c = 0; c < 3; c++)
        numbers.at[numbers.count++] =
            (struct result_number){.row = STR("total"),
                                   .column = str_from(columns[c]),
                                   .value = 100,
                                   .total_row = true};
    return numbers;
}

static const struct {
    const char *name;
    struct study_test test;
    double statistic, df, p, effect;
} of_cells[] = {
    {"paired",
     {.kind = STUDY_PAIRED, .first = x_column, .second = y_column},
     2.1229795697371,
     5,
     0.0871758546258,
     NAN},
    {"wilcoxon",
     {.kind = STUDY_WILCOXON, .first = x_column, .second = y_column},
     18.5,
     NAN,
     0.113846298007,
     NAN},
    {"welch",
     {.kind = STUDY_WELCH, .first = x_column, .second = y_column},
     1.26491106407,
     9.83380863408,
     0.23505583526,
     NAN},
    {"chi-square",
     {.kind = STUDY_CHI_SQUARE, .first = x_column, .second = y_column},
     3.119441450722,
     5,
     0.681577467023,
     NAN},
    {"chi-square of three columns",
     {.kind = STUDY_CHI_SQUARE, .first = all_columns, .first_count = 3},
     7.16757815075,
     10,
     0.709535508518,
     NAN},
    {"pearson",
     {.kind = STUDY_PEARSON, .first = x_column, .second = y_column},
     1.713047713653,
     NAN,
     0.161862037327,
     0.650520319432},
    {"friedman",
     {.kind = STUDY_FRIEDMAN, .first = all_columns, .first_count = 3},
     4.333333333333,
     2,
     0.114558843993,
     4.333333333333 / 12},
    {"kruskal-wallis",
     {.kind = STUDY_KRUSKAL_WALLIS, .first = all_columns, .first_count = 3},
     2.921782865071,
     2,
     0.232029344005,
     2.921782865071 / 17},
    {"mann-kendall",
     {.kind = STUDY_MANN_KENDALL, .first = x_column},
     -1,
     NAN,
     1,
     -0.142857142857},
};

static struct study_test whole(struct study_test test)
{
    test.table = 0;
    test.by = STUDY_NONE;
    test.round_first = -1;
    test.level = 0.05;
    test.yates = true;
    test.first_count += test.first_count == 0;
    test.second_count = test.second != NULL;
    return test;
}

static void check_cells(struct arena *arena)
{
    struct result_numbers table = make_table(years, arena);
    struct err err = {0};

    for (size_t i = 0; i < ROWS(of_cells); i++) {
        struct study_test test = whole(of_cells[i].test);
        struct measure_testing got;
        tap_case("cells: %s", of_cells[i].name);
        if (!CHECK(measure_testing_cells(&test, &table, arena, &got, &err)) ||
            !CHECK(got.count == 1))
            continue;
        CHECK_TEXT(got.results[0].undefined != NULL ? got.results[0].undefined : "", "");
        tested_near(got.results[0].statistic, of_cells[i].statistic);
        tested_near(got.results[0].df, of_cells[i].df);
        tested_near(got.results[0].p, of_cells[i].p);
        tested_near(got.results[0].effect, of_cells[i].effect);
    }
}

static void check_each_row(struct arena *arena)
{
    static const double p[] = {0.8988078438067, 0.325241812654, 0.8244019093379, 1, 1,
                               0.30708399233};
    static const double adjusted[] = {1, 0.975725437961, 1, 1, 1, 0.975725437961};
    struct study_test test = whole((struct study_test){.kind = STUDY_CHI_SQUARE,
                                                       .first = x_column,
                                                       .second = y_column,
                                                       .each = STUDY_EACH_ROW,
                                                       .correct = STUDY_BENJAMINI});
    struct result_numbers table = make_table(years, arena);
    struct measure_testing got;
    struct err err = {0};

    tap_case("each row against the others, Benjamini-Hochberg");
    CHECK(measure_testing_cells(&test, &table, arena, &got, &err) && got.count == 6);
    for (size_t i = 0; i < got.count; i++) {
        CHECK(str_eq(got.results[i].name, str_from(years[i])));
        CHECK_NEAR(got.results[i].p, p[i], 1e-9);
        CHECK_NEAR(got.results[i].adjusted, adjusted[i], 1e-9);
    }
}

static void check_times(struct arena *arena)
{
    struct study_test test =
        whole((struct study_test){.kind = STUDY_MANN_KENDALL, .first = x_column});
    struct result_numbers table = make_table(words, arena);
    struct measure_testing got;
    struct err err = {0};

    tap_case("times: one name that is no number, and all are places");
    CHECK(measure_testing_cells(&test, &table, arena, &got, &err));
    CHECK_NEAR(got.results[0].effect, -0.2, 1e-12);
}

static void check_unusable(struct arena *arena)
{
    static const struct {
        const char *name;
        struct study_test test;
        const char *undefined;
    } rows[] = {
        {"friedman with a column that is not there",
         {.kind = STUDY_FRIEDMAN, .first = absent, .first_count = 2},
         "the table has no such columns"},
        {"kruskal-wallis likewise",
         {.kind = STUDY_KRUSKAL_WALLIS, .first = absent, .first_count = 2},
         "the table has no such columns"},
        {"welch likewise",
         {.kind = STUDY_WELCH, .first = x_column, .second = absent + 1},
         "the table has no such columns"},
        {"chi-square likewise",
         {.kind = STUDY_CHI_SQUARE, .first = x_column, .second = absent + 1},
         "its cells are not counts, or are not one a column"},
    };
    struct result_numbers table = make_table(years, arena);
    struct err err = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct study_test test = whole(rows[i].test);
        struct measure_testing got;
        tap_case("unusable: %s", rows[i].name);
        CHECK(measure_testing_cells(&test, &table, arena, &got, &err));
        CHECK_TEXT(got.results[0].undefined, rows[i].undefined);
        CHECK(isnan(got.results[0].p));
    }
    struct study_test test = whole(of_cells[3].test);
    struct measure_testing got;
    tap_case("unusable: a cell that is no count");
    table.at[0].value = 12.5;
    CHECK(measure_testing_cells(&test, &table, arena, &got, &err));
    CHECK_TEXT(got.results[0].undefined,
               "its cells are not counts, or are not one a column");
}

static void check_warning(struct arena *arena)
{
    struct study_test t = whole(of_cells[2].test), counts = whole(of_cells[3].test);
    struct result_numbers table = make_table(years, arena);
    struct measure_testing got;
    struct err err = {0};

    struct study_test other =
        whole((struct study_test){.kind = STUDY_MANN_KENDALL, .first = all_columns + 2});

    tap_case("a t test of percentages warns, a test of counts does not");
    CHECK(measure_testing_cells(&t, &table, arena, &got, &err) && got.warning.len == 0);
    for (size_t i = 0; i < table.count; i++)
        if (str_eq(table.at[i].column, STR("x.count")))
            table.at[i].unit = STR("%");
    CHECK(measure_testing_cells(&t, &table, arena, &got, &err) && got.warning.len > 0);
    CHECK(measure_testing_cells(&counts, &table, arena, &got, &err) &&
          got.warning.len == 0);
    tap_case("nor does a test of other columns of the same table");
    CHECK(measure_testing_cells(&other, &table, arena, &got, &err) &&
          got.warning.len == 0);
}

/* chisq.test of R on the five rows that are left. */
static void check_counts(struct arena *arena)
{
    struct study_test test = whole(of_cells[3].test);
    struct study_test fisher = whole((struct study_test){
        .kind = STUDY_FISHER, .first = all_columns, .first_count = 3, .seed = 1});
    struct result_numbers table = make_table(years, arena);
    struct measure_testing got;
    struct err err = {0};

    tap_case("a row that counts nothing is left out, and told");
    table.at[0].value = table.at[1].value = 0;
    CHECK(measure_testing_cells(&test, &table, arena, &got, &err));
    CHECK_NEAR(got.results[0].statistic, 3.001644992236, 1e-10);
    CHECK_NEAR(got.results[0].p, 0.5575501525825, 1e-10);
    CHECK(str_eq(got.warning, STR("1 row without a count is left out.")));
    tap_case("p of random tables is called so");
    fisher.first_count = 2;
    CHECK(measure_testing_cells(&fisher, &table, arena, &got, &err));
    CHECK(!got.results[0].simulated);
    fisher.first_count = 3;
    for (size_t i = 0; i < table.count; i++)
        table.at[i].value *= 100;
    CHECK(measure_testing_cells(&fisher, &table, arena, &got, &err));
    CHECK(got.results[0].simulated);
}

int main(void)
{
    struct arena arena = {0};

    check_cells(&arena);
    check_each_row(&arena);
    check_times(&arena);
    check_unusable(&arena);
    check_warning(&arena);
    check_counts(&arena);
    arena_free(&arena);
    return tap_done();
}
