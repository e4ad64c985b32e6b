/* Every test of a study, from items and from cells of a table, against R 4 (prop.test,
 * chisq.test, fisher.test, t.test, wilcox.test, kruskal.test, friedman.test, cor.test,
 * p.adjust); log-rank and Dunn's z computed by their formulas. */
#include "measure/testing.h"

#include <math.h>
#include <string.h>

#include "tests/unit/measured.h"

/* Items: three sets with views, score and, where it is not 0, the minute at which an
 * answer was accepted; the corpus ends after two hours. */

enum { END_MINUTES = 120 };

static const struct {
    const char *set;
    int64_t views, score, accepted;
} items[] = {
    {"a", 10, 1, 5},  {"a", 12, 0, 9},   {"a", 15, 2, 0},  {"a", 18, 3, 20},
    {"a", 20, 5, 31}, {"a", 22, 4, 0},   {"a", 30, 7, 44}, {"a", 41, 6, 50},
    {"b", 14, 2, 12}, {"b", 25, 3, 30},  {"b", 33, 1, 0},  {"b", 35, 5, 0},
    {"b", 40, 8, 60}, {"b", 44, 6, 0},   {"b", 52, 9, 0},  {"b", 60, 7, 90},
    {"c", 11, 0, 7},  {"c", 13, 1, 0},   {"c", 16, 2, 0},  {"c", 55, 9, 25},
    {"c", 58, 8, 0},  {"c", 70, 10, 80},
};

/* In the study file's words; what is not given is NAN and not looked at. */
static const struct {
    const char *name, *test;
    size_t result;
    double statistic, df, p, effect;
} of_items[] = {
    {"proportion", "{test: proportion, compare: [a, b], on: share without accepted}", 0,
     0.266666666667, 1, 0.605576616335, (2.0 * 4) / (6 * 4)},
    {"chi-square of three",
     "{test: chi-square, compare: [a, b, c], on: share without accepted}", 0,
     1.316239316239, 2, 0.517824105987, NAN},
    {"fisher of two", "{test: fisher, compare: [a, b], on: share without accepted}", 0,
     NAN, NAN, 0.608391608392, NAN},
    {"fisher of three", "{test: fisher, compare: [a, b, c], on: share without accepted}",
     0, NAN, NAN, 0.637489445539, NAN},
    {"student", "{test: student, compare: [a, b], on: views}", 0, -2.6748223199654, 14,
     0.0181281785367, NAN},
    {"welch", "{test: welch, compare: [a, b], on: views}", 0, -2.6748223199654,
     12.51119184929, 0.0196205380149, NAN},
    {"mann-whitney", "{test: mann-whitney, compare: [a, b], on: views}", 0, 11, NAN,
     0.0281274281274, 2.0 * 11 / 64 - 1},
    {"kruskal-wallis", "{test: kruskal-wallis, compare: [a, b, c], on: views}", 0,
     3.694664031621, 2, 0.157657232703, NAN},
    {"dunn after it", "{test: kruskal-wallis, compare: [a, b, c], on: views}", 1,
     -1.8864767335971, NAN, 0.0592307408084, NAN},
    {"dunn, last pair", "{test: kruskal-wallis, compare: [a, b, c], on: views}", 3,
     0.546535725, NAN, 0.584697737558, NAN},
    {"log-rank", "{test: log-rank, compare: [a, b], on: minutes to accepted}", 0,
     1.7165984045919, 1, 0.190131494446, NAN},
    {"log-rank of three", "{test: log-rank, compare: [a, b, c], on: minutes to accepted}",
     0, 2.0519468143771, 2, 0.358447380276, NAN},
    {"pearson", "{test: pearson, of: a, on: views, with: score}", 0, 4.0674460840998, NAN,
     0.00659480773947, 0.85665348065013},
    {"spearman", "{test: spearman, of: a, on: views, with: score}", 0, 6, NAN,
     0.00223214285714, 0.92857142857143},
    {"kendall", "{test: kendall, of: a, on: views, with: score}", 0, 25, NAN,
     0.00550595238095, 0.78571428571429},
    {"scott-knott, first group", "{test: scott-knott, compare: [a, d], on: views}", 0, 2,
     NAN, NAN, NAN},
    {"scott-knott, the one ahead", "{test: scott-knott, compare: [a, d], on: views}", 1,
     1, NAN, NAN, NAN},
};

static void check_near_if_given(double got, double want)
{
    if (!isnan(want))
        CHECK_NEAR(got, want, 1e-9 + 1e-9 * fabs(want));
}

/* The study of one test, its corpus, and the groups that it compares. */
static bool open_items(const char *text, const struct measured_post *posts, size_t count,
                       struct measured *test)
{
    char study[600];

    snprintf(study, sizeof study,
             "sets: {a: '[a]', b: '[b]', c: '[c]', d: 'views:50..'}\ntests: {t: %s}\n",
             text);
    struct measured_inputs inputs = {
        .posts = posts, .post_count = count, .study = study, .until = "2018-01-01T02:00"};
    return measured_open(test, &inputs);
}

static bool test_items(struct measured *test, struct testing *out)
{
    const struct study_test *one = &test->study.tests[0];
    struct testing_inputs inputs = {.frame = &test->frame,
                                    .count = one->compare_count,
                                    .find_set = measured_find_set,
                                    .context = test};
    struct testing_group groups[4];

    memset(groups, 0, sizeof groups);
    for (size_t i = 0; i < one->compare_count; i++) {
        groups[i].name = one->compare[i];
        measured_find_set(test, one->compare[i], &groups[i].bits);
    }
    if (one->of.len > 0) {
        inputs.count = 1;
        measured_find_set(test, one->of, &groups[0].bits);
    }
    inputs.groups = groups;
    return testing_items(one, &inputs, &test->arena, out, &test->err);
}

static size_t make_posts(struct measured_post *posts)
{
    static const char *const tags[] = {"<a>", "<b>", "<c>"};
    size_t count = 0;

    for (size_t i = 0; i < ROWS(items); i++) {
        int64_t id = 10 * (int64_t)(i + 1);
        posts[count++] = (struct measured_post){
            .id = id,
            .type = CORPUS_QUESTION,
            .accepted = items[i].accepted > 0 ? id + 1 : 0,
            .views = items[i].views,
            .score = items[i].score,
            .tags = tags[items[i].set[0] - 'a'],
        };
        if (items[i].accepted > 0)
            posts[count++] = (struct measured_post){.id = id + 1,
                                                    .type = CORPUS_ANSWER,
                                                    .parent = id,
                                                    .created = items[i].accepted};
    }
    return count;
}

static void check_items(void)
{
    struct measured_post posts[2 * ROWS(items)];
    size_t count = make_posts(posts);

    for (size_t i = 0; i < ROWS(of_items); i++) {
        struct measured test;
        struct testing got;
        tap_case("items: %s", of_items[i].name);
        if (open_items(of_items[i].test, posts, count, &test) &&
            CHECK(test_items(&test, &got)) && CHECK(of_items[i].result < got.count)) {
            const struct testing_result *result = &got.results[of_items[i].result];
            CHECK(result->undefined == NULL);
            check_near_if_given(result->statistic, of_items[i].statistic);
            check_near_if_given(result->df, of_items[i].df);
            check_near_if_given(result->p, of_items[i].p);
            check_near_if_given(result->effect, of_items[i].effect);
        }
        measured_close(&test);
    }
}

/* What the tables of numbers call the results. */
static void check_names(void)
{
    struct measured_post posts[2 * ROWS(items)];
    size_t count = make_posts(posts);
    struct measured test;
    struct testing got;
    struct buf text = {0};

    tap_case("pairs have an address of their own");
    if (open_items("{test: kruskal-wallis, compare: [a, b, c], on: views}", posts, count,
                   &test) &&
        CHECK(test_items(&test, &got))) {
        testing_numbers(&got, &text);
        buf_add_char(&text, '\0');
        CHECK(strstr(text.ptr, "\na-v-b,statistic,-1.886") != NULL);
        CHECK(strncmp(text.ptr, ",statistic,3.69466", 18) == 0);
    }
    tap_case("the pairs' p are adjusted, that of the whole test is not");
    CHECK_NEAR(got.results[0].adjusted, got.results[0].p, 0);
    CHECK_NEAR(got.results[1].adjusted, 3 * got.results[1].p, 1e-12); /* Holm */
    buf_free(&text);
    measured_close(&test);
}

static void check_item_errors(void)
{
    struct measured_post posts[2 * ROWS(items)];
    size_t count = make_posts(posts);
    struct measured test;
    struct testing got;

    tap_case("a test of two with three");
    if (open_items("{test: welch, compare: [a, b, c], on: views}", posts, count, &test)) {
        CHECK(!test_items(&test, &got));
        CHECK_TEXT(test.err.text,
                   "test t: it compares two groups, but there are 3; kruskal-wallis or "
                   "chi-square compare more");
    }
    measured_close(&test);
}

/* Cells: six rows of three columns. */

static const double cells[6][3] = {{12, 10, 8}, {7, 9, 6}, {9, 5, 7},
                                   {15, 11, 9}, {4, 3, 5}, {11, 4, 2}};
static const char *const years[6] = {"2014", "2015", "2016", "2018", "2019", "2021"};
static const char *const words[6] = {"2014", "2015", "2016", "2018", "2019", "rest"};

static struct str x_column[] = {STR_INIT("x")}, y_column[] = {STR_INIT("y")};
static struct str all_columns[] = {STR_INIT("x"), STR_INIT("y"), STR_INIT("z")};
static struct str absent[] = {STR_INIT("x"), STR_INIT("absent")};

static struct numbers make_table(const char *const rows[6], struct arena *arena)
{
    static const char *const columns[] = {"x.count", "y.count", "z.count"};
    struct numbers numbers = {STR("tables.t"),
                              arena_array(arena, struct number, ROWS(cells) * 3 + 3), 0};

    for (size_t r = 0; r < ROWS(cells); r++)
        for (size_t c = 0; c < 3; c++)
            numbers.at[numbers.count++] = (struct number){.row = str_from(rows[r]),
                                                          .column = str_from(columns[c]),
                                                          .value = cells[r][c],
                                                          .low = NAN,
                                                          .high = NAN,
                                                          .n = -1};
    for (size_t c = 0; c < 3; c++)
        numbers.at[numbers.count++] = (struct number){.row = STR("total"),
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
     NAN},
    {"kruskal-wallis",
     {.kind = STUDY_KRUSKAL_WALLIS, .first = all_columns, .first_count = 3},
     2.921782865071,
     2,
     0.232029344005,
     NAN},
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
    struct numbers table = make_table(years, arena);
    struct err err = {0};

    for (size_t i = 0; i < ROWS(of_cells); i++) {
        struct study_test test = whole(of_cells[i].test);
        struct testing got;
        tap_case("cells: %s", of_cells[i].name);
        if (!CHECK(testing_cells(&test, &table, false, arena, &got, &err)) ||
            !CHECK(got.count == 1))
            continue;
        CHECK_TEXT(got.results[0].undefined != NULL ? got.results[0].undefined : "", "");
        check_near_if_given(got.results[0].statistic, of_cells[i].statistic);
        check_near_if_given(got.results[0].df, of_cells[i].df);
        check_near_if_given(got.results[0].p, of_cells[i].p);
        check_near_if_given(got.results[0].effect, of_cells[i].effect);
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
    struct numbers table = make_table(years, arena);
    struct testing got;
    struct err err = {0};

    tap_case("each row against the others, Benjamini-Hochberg");
    CHECK(testing_cells(&test, &table, false, arena, &got, &err) && got.count == 6);
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
    struct numbers table = make_table(words, arena);
    struct testing got;
    struct err err = {0};

    tap_case("times: one name that is no number, and all are places");
    CHECK(testing_cells(&test, &table, false, arena, &got, &err));
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
    struct numbers table = make_table(years, arena);
    struct err err = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct study_test test = whole(rows[i].test);
        struct testing got;
        tap_case("unusable: %s", rows[i].name);
        CHECK(testing_cells(&test, &table, false, arena, &got, &err));
        CHECK_TEXT(got.results[0].undefined, rows[i].undefined);
        CHECK(isnan(got.results[0].p));
    }
    struct study_test test = whole(of_cells[3].test);
    struct testing got;
    tap_case("unusable: a cell that is no count");
    table.at[0].value = 12.5;
    CHECK(testing_cells(&test, &table, false, arena, &got, &err));
    CHECK_TEXT(got.results[0].undefined,
               "its cells are not counts, or are not one a column");
}

static void check_warning(struct arena *arena)
{
    struct study_test t = whole(of_cells[2].test), counts = whole(of_cells[3].test);
    struct numbers table = make_table(years, arena);
    struct testing got;
    struct err err = {0};

    tap_case("a t test of percentages warns, a test of counts does not");
    CHECK(testing_cells(&t, &table, true, arena, &got, &err) && got.warning.len > 0);
    CHECK(testing_cells(&t, &table, false, arena, &got, &err) && got.warning.len == 0);
    CHECK(testing_cells(&counts, &table, true, arena, &got, &err) &&
          got.warning.len == 0);
}

static void check_p(void)
{
    static const struct {
        const char *name;
        double p;
        const char *text;
    } rows[] = {{"tiny", 0.00099, "< .001"},
                {"at the border", 0.001, "0.0010"},
                {"usual", 0.02304, "0.0230"},
                {"undefined", NAN, "–"}};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct buf text = {0};
        tap_case("p: %s", rows[i].name);
        testing_add_p(rows[i].p, &text);
        measured_expect(&text, rows[i].text);
        buf_free(&text);
    }
}

int main(void)
{
    struct arena arena = {0};

    check_items();
    check_names();
    check_item_errors();
    check_cells(&arena);
    check_each_row(&arena);
    check_times(&arena);
    check_unusable(&arena);
    check_warning(&arena);
    check_p();
    arena_free(&arena);
    return tap_done();
}
