/* Kaplan-Meier curves and the log-rank test, against R. */
#include "stats/survival.h"

#include "tests/vectors/read.h"

/* Kaplan-Meier against R's survfit, and where it is undefined. */

static struct stats_survival_case *cases_of(struct vectors_file *vectors, size_t *count)
{
    struct stats_values times = vectors_values(vectors, "time"),
                        events = vectors_values(vectors, "event");
    struct stats_survival_case *cases =
        arena_array(&vectors->arena, struct stats_survival_case, times.count);

    for (size_t i = 0; i < times.count; i++)
        cases[i] = (struct stats_survival_case){times.at[i], events.at[i] != 0};
    *count = times.count;
    return cases;
}

static void check_curve(struct vectors_file *vectors)
{
    struct stats_values at = vectors_values(vectors, "at"),
                        risk = vectors_values(vectors, "risk"),
                        events = vectors_values(vectors, "events"),
                        censored = vectors_values(vectors, "censored"),
                        left = vectors_values(vectors, "left"),
                        error = vectors_values(vectors, "error"),
                        low = vectors_values(vectors, "low"),
                        high = vectors_values(vectors, "high");
    size_t count;
    struct stats_survival_case *cases = cases_of(vectors, &count);
    struct stats_survival curve =
        stats_survival_curve(cases, count, 0.95, &vectors->arena);
    struct stats_survival_median median = stats_survival_median(&curve);

    CHECK(curve.undefined == NULL && curve.cases == (int64_t)count);
    CHECK(curve.count == at.count);
    for (size_t i = 0; i < at.count && i < curve.count; i++) {
        CHECK(curve.steps[i].time == at.at[i]);
        CHECK((double)curve.steps[i].at_risk == risk.at[i]);
        CHECK((double)curve.steps[i].events == events.at[i]);
        CHECK((double)curve.steps[i].censored == censored.at[i]);
        CHECK_NEAR(curve.steps[i].left, left.at[i], 1e-14);
        CHECK_NEAR(curve.steps[i].std_error, error.at[i], 1e-14);
        CHECK_NEAR(curve.steps[i].low, low.at[i], 1e-13);
        CHECK_NEAR(curve.steps[i].high, high.at[i], 1e-13);
    }
    CHECK_NEAR(median.median, vectors_number(vectors, "median"), 1e-12);
    CHECK_NEAR(median.low, vectors_number(vectors, "median_low"), 1e-12);
    CHECK_NEAR(median.high, vectors_number(vectors, "median_high"), 1e-12);
    CHECK((median.undefined != NULL) == isnan(median.median));
    CHECK((median.low_undefined != NULL) == isnan(median.low));
    CHECK((median.high_undefined != NULL) == isnan(median.high));
}

static const struct {
    const char *name;
    struct stats_survival_case cases[2];
    size_t count;
    const char *why;
} undefined[] = {
    {"nobody was watched", {{0, false}}, 0, "the group is empty"},
    {"a negative time", {{3, true}, {-1, true}}, 2, "a time is negative"},
    {"not a number", {{NAN, true}}, 1, "a time is not a number or too large"},
};

static void test_survival(void)
{
    struct vectors_file vectors = vectors_open("survival");
    const struct stats_survival_case censored[] = {
        {1, false}, {2, true}, {3, false}, {4, false}};
    struct stats_survival_median median;
    struct stats_survival curve;

    while (vectors_next(&vectors, "curve"))
        check_curve(&vectors);
    tap_case("the median is undefined while more than half are left");
    curve = stats_survival_curve(censored, 4, 0.95, &vectors.arena);
    median = stats_survival_median(&curve);
    CHECK_NEAR(curve.steps[3].left, 2.0 / 3, 1e-15);
    CHECK(isnan(median.median) && median.undefined != NULL && isnan(median.high));
    for (size_t i = 0; i < ROWS(undefined); i++) {
        tap_case("undefined: %s", undefined[i].name);
        curve = stats_survival_curve(undefined[i].cases, undefined[i].count, 0.95,
                                     &vectors.arena);
        CHECK_TEXT(curve.undefined, undefined[i].why);
        CHECK(curve.count == 0);
        median = stats_survival_median(&curve);
        CHECK_TEXT(median.undefined, undefined[i].why);
        CHECK(isnan(median.median) && isnan(median.low));
    }
    vectors_close(&vectors);
}

/* The log-rank test against R's survdiff, and where it is undefined. */

static void check_against_r(struct vectors_file *vectors)
{
    struct stats_values times = vectors_values(vectors, "time"),
                        events = vectors_values(vectors, "event"),
                        of = vectors_values(vectors, "of"),
                        observed = vectors_values(vectors, "observed"),
                        expected = vectors_values(vectors, "expected");
    struct stats_survival_group *groups =
        arena_array(&vectors->arena, struct stats_survival_group, observed.count);
    struct stats_survival_logrank got;

    for (size_t g = 0; g < observed.count; g++) {
        struct stats_survival_case *cases =
            arena_array(&vectors->arena, struct stats_survival_case, times.count);
        groups[g].cases = cases;
        for (size_t i = 0; i < times.count; i++)
            if (of.at[i] == (double)(g + 1))
                cases[groups[g].count++] =
                    (struct stats_survival_case){times.at[i], events.at[i] != 0};
    }
    got = stats_survival_logrank(groups, observed.count, &vectors->arena);
    CHECK(got.undefined == NULL);
    CHECK_CLOSE(got.chi_square, vectors_number(vectors, "chi"), 1e-11);
    CHECK(got.df == vectors_number(vectors, "df"));
    CHECK_CLOSE(got.p, vectors_number(vectors, "p"), 1e-10);
    for (size_t g = 0; g < observed.count; g++) {
        CHECK(got.observed[g] == observed.at[g]);
        CHECK_CLOSE(got.expected[g], expected.at[g], 1e-12);
    }
}

static void test_logrank(void)
{
    struct vectors_file vectors = vectors_open("survival");
    const struct stats_survival_case early[] = {{1, false}, {2, false}},
                                     late[] = {{3, true}, {4, true}},
                                     wrong[] = {{-1, true}};
    struct stats_survival_group apart[] = {{early, 2}, {late, 2}},
                                empty[] = {{late, 2}, {late, 0}},
                                negative[] = {{late, 2}, {wrong, 1}};
    struct stats_survival_logrank got;

    while (vectors_next(&vectors, "logrank"))
        check_against_r(&vectors);
    tap_case("undefined: one group was gone before anything happened");
    got = stats_survival_logrank(apart, 2, &vectors.arena);
    CHECK_TEXT(got.undefined, "the groups were not at risk together at any event");
    CHECK(isnan(got.chi_square) && isnan(got.p));
    tap_case("undefined: an empty group, one group, a negative time");
    CHECK_TEXT(stats_survival_logrank(empty, 2, &vectors.arena).undefined,
               "the group is empty");
    CHECK_TEXT(stats_survival_logrank(empty, 1, &vectors.arena).undefined,
               "there are fewer than two groups");
    CHECK_TEXT(stats_survival_logrank(negative, 2, &vectors.arena).undefined,
               "a time is negative, not a number or too large");
    vectors_close(&vectors);
}

int main(void)
{
    test_survival();
    test_logrank();
    return tap_done();
}
