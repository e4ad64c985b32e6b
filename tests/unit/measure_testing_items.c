/* Every test of a study on items against R 4 (prop.test, chisq.test, fisher.test, t.test,
 * wilcox.test, kruskal.test, cor.test, p.adjust); log-rank and Dunn's z computed by their
 * formulas. */
#include "measure/testing.h"

#include <math.h>
#include <string.h>

#include "tests/unit/tested.h"

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
     1.7165984045919, 1, 0.190131494446, 2.306373221824}, /* coxph */
    {"log-rank of three", "{test: log-rank, compare: [a, b, c], on: minutes to accepted}",
     0, 2.0519468143771, 2, 0.358447380276, NAN},
    {"log-rank of three, the first pair",
     "{test: log-rank, compare: [a, b, c], on: minutes to accepted}", 1, 1.7165984045919,
     1, 0.190131494446, 2.306373221824},
    {"log-rank of three, the last pair",
     "{test: log-rank, compare: [a, b, c], on: minutes to accepted}", 3, 0.02086262618308,
     1, 0.8851538181376, 0.8954432253465},
    {"pearson", "{test: pearson, of: a, on: views, with: score}", 0, 4.0674460840998, 6,
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

/* The study of one test, its corpus, and the groups that it compares. */
static bool open_items(const char *text, const struct measured_post *posts, size_t count,
                       struct measured *test)
{
    char study[600];

    snprintf(study, sizeof study,
             "sets: {a: '[a]', b: '[b]', c: '[c]', d: 'views:50..', e: "
             "'views:999..', f: 'views:9999..'}\ntests: {t: %s}\n",
             text);
    struct measured_inputs inputs = {
        .posts = posts, .post_count = count, .study = study, .until = "2018-01-01T02:00"};
    return measured_open(test, &inputs);
}

static bool test_items(struct measured *test, struct measure_testing *out)
{
    const struct study_test *one = &test->study.tests[0];
    struct measure_testing_inputs inputs = {.frame = &test->frame,
                                            .count = one->compare_count,
                                            .find_set = measured_find_set,
                                            .context = test};
    struct measure_testing_group groups[4];

    memset(groups, 0, sizeof groups);
    for (size_t i = 0; i < one->compare_count; i++) {
        groups[i].name = one->compare[i];
        CHECK(measured_find_set(test, one->compare[i], &groups[i].bits, &test->err));
    }
    if (one->of.len > 0) {
        inputs.count = 1;
        CHECK(measured_find_set(test, one->of, &groups[0].bits, &test->err));
    }
    inputs.groups = groups;
    return measure_testing_items(one, &inputs, &test->arena, out, &test->err);
}

static size_t make_posts(struct measured_post *posts)
{
    static const char *const tags[] = {"<a>", "<b>", "<c>"};
    size_t count = 0;

    for (size_t i = 0; i < ROWS(items); i++) {
        int64_t id = 10 * (int64_t)(i + 1);
        posts[count++] = (struct measured_post){
            .id = id,
            .kind = ITEM_QUESTION,
            .accepted = items[i].accepted > 0 ? id + 1 : 0,
            .views = items[i].views,
            .score = items[i].score,
            .tags = tags[items[i].set[0] - 'a'],
        };
        if (items[i].accepted > 0)
            posts[count++] = (struct measured_post){.id = id + 1,
                                                    .kind = ITEM_ANSWER,
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
        struct measure_testing got;
        tap_case("items: %s", of_items[i].name);
        if (open_items(of_items[i].test, posts, count, &test) &&
            CHECK(test_items(&test, &got)) && CHECK(of_items[i].result < got.count)) {
            const struct measure_testing_result *result =
                &got.results[of_items[i].result];
            CHECK(result->undefined == NULL);
            tested_near(result->statistic, of_items[i].statistic);
            tested_near(result->df, of_items[i].df);
            tested_near(result->p, of_items[i].p);
            tested_near(result->effect, of_items[i].effect);
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
    struct measure_testing got;

    tap_case("pairs have an address of their own");
    if (open_items("{test: kruskal-wallis, compare: [a, b, c], on: views}", posts, count,
                   &test) &&
        CHECK(test_items(&test, &got))) {
        struct result_table table = measure_testing_table(&got, &test.arena);
        CHECK(table.rows[0].slug.len == 0 && str_eq(table.rows[1].slug, STR("a-v-b")));
        CHECK_NEAR(table.cells[0].value, 3.69466, 1e-5);
        CHECK_NEAR(table.cells[table.column_count].value, -1.886, 1e-3);
    }
    tap_case("the pairs' p are adjusted, that of the whole test is not");
    CHECK_NEAR(got.results[0].adjusted, got.results[0].p, 0);
    CHECK_NEAR(got.results[1].adjusted, 3 * got.results[1].p, 1e-12); /* Holm */
    measured_close(&test);
}

/* Groups without items change nothing but the warning; c and d overlap. */
static const struct {
    const char *name, *test;
    double statistic; /* NAN: undefined */
    const char *sides, *warning;
} empty_groups[] = {
    {"of values", "{test: kruskal-wallis, compare: [a, e, b], on: views}", 4.86397058824,
     "a: median 19.00 (n = 8) v b: median 37.50 (n = 8)",
     "No item that counts, and left out: e."},
    {"of shares", "{test: chi-square, compare: [e, a, b], on: share without accepted}",
     0.266666666667, "a 25.00% (2 of 8) v b 50.00% (4 of 8)",
     "No item that counts, and left out: e."},
    {"of waits", "{test: log-rank, compare: [a, b, e], on: minutes to accepted}",
     1.7165984045919, "a (8) v b (8)", "No item that counts, and left out: e."},
    {"and shared items", "{test: kruskal-wallis, compare: [c, d, e], on: views}",
     1.427803379416, "c: median 35.50 (n = 6) v d: median 58.00 (n = 5)",
     "The groups share items; the test takes them for independent. No item that counts, "
     "and left out: e."},
    {"all but one", "{test: welch, compare: [a, e], on: views}", NAN, "",
     "No item that counts, and left out: e."},
    {"without the value", "{test: chi-square, compare: [e, f], on: share closed}", NAN,
     "", "No item that counts, and left out: e, f."},
};

static void check_empty_groups(void)
{
    struct measured_post posts[2 * ROWS(items)];
    size_t count = make_posts(posts);

    for (size_t i = 0; i < ROWS(empty_groups); i++) {
        struct measured test;
        struct measure_testing got;
        tap_case("empty groups: %s", empty_groups[i].name);
        if (open_items(empty_groups[i].test, posts, count, &test) &&
            CHECK(test_items(&test, &got))) {
            tested_near(got.results[0].statistic, empty_groups[i].statistic);
            CHECK(isnan(empty_groups[i].statistic)
                      ? got.count == 1 &&
                            strcmp(got.results[0].undefined,
                                   "fewer than two groups have items that count") == 0
                      : got.results[0].undefined == NULL);
            CHECK(str_eq(got.results[0].sides, str_from(empty_groups[i].sides)));
            CHECK(str_eq(got.warning, str_from(empty_groups[i].warning)));
        }
        measured_close(&test);
    }
}

static void check_item_errors(void)
{
    struct measured_post posts[2 * ROWS(items)];
    size_t count = make_posts(posts);
    struct measured test;
    struct measure_testing got;

    tap_case("a test of two with three");
    struct str three[] = {STR("a"), STR("b"), STR("c")};
    if (open_items("{test: welch, compare: [a, b], on: views}", posts, count, &test)) {
        test.study.tests[0].compare = three; /* as a group may have it */
        test.study.tests[0].compare_count = 3;
        CHECK(!test_items(&test, &got));
        CHECK_TEXT(test.err.text,
                   "it compares two groups, but there are 3; kruskal-wallis or "
                   "chi-square compare more");
    }
    measured_close(&test);
}

int main(void)
{
    check_items();
    check_names();
    check_empty_groups();
    check_item_errors();
    return tap_done();
}
