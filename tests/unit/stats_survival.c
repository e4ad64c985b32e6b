/* Kaplan-Meier curves, the log-rank test and ratios of hazards, against R. */
#include "stats/survival.h"

#include "stats/regression.h"

#include "base/rng.h"
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
    struct stats_survival_case early[] = {{1, false}, {2, false}},
                               late[] = {{3, true}, {4, true}}, wrong[] = {{-1, true}};
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

/* The ratio of hazards. Of 42 patients: Freireich et al., Blood 21, 1963, in remission
 * without (first) and with 6-mercaptopurine; coxph(Surv(time, happened) ~ without) of R
 * 4.2.2, survival 3.5. */

static struct stats_survival_case without[] = {
    {1, true},  {1, true},  {2, true},  {2, true},  {3, true},  {4, true},  {4, true},
    {5, true},  {5, true},  {8, true},  {8, true},  {8, true},  {8, true},  {11, true},
    {11, true}, {12, true}, {12, true}, {15, true}, {17, true}, {22, true}, {23, true}};
static struct stats_survival_case with[] = {
    {6, true},   {6, true},   {6, true},   {6, false}, {7, true},   {9, false},
    {10, true},  {10, false}, {11, false}, {13, true}, {16, true},  {17, false},
    {19, false}, {20, false}, {22, true},  {23, true}, {25, false}, {32, false},
    {32, false}, {34, false}, {35, false}};

/* Cox's regression on the group gives the same, as far as it climbs. */
static void check_regression(const struct stats_survival_group groups[2],
                             struct arena *arena)
{
    size_t count = groups[0].count + groups[1].count, n = 0;
    double *first = arena_array(arena, double, count),
           *times = arena_array(arena, double, count);
    bool *happened = arena_array(arena, bool, count);
    struct stats_survival_ratio got = stats_survival_ratio(groups, 0.95, arena);

    for (size_t g = 0; g < 2; g++)
        for (size_t i = 0; i < groups[g].count; i++, n++) {
            first[n] = g == 0;
            times[n] = groups[g].cases[i].time;
            happened[n] = groups[g].cases[i].happened;
        }
    struct stats_regression found =
        stats_regression(&(struct stats_regression_data){.kind = STATS_COX,
                                                         .count = count,
                                                         .width = 1,
                                                         .x = first,
                                                         .y = times,
                                                         .happened = happened,
                                                         .level = 0.95},
                         arena);
    CHECK((got.undefined != NULL) == isnan(got.ratio));
    CHECK((got.undefined != NULL) == (found.undefined != NULL));
    if (got.undefined == NULL && found.undefined == NULL) {
        CHECK_CLOSE(got.ratio, exp(found.terms[0].estimate), 1e-7);
        CHECK_CLOSE(got.low, exp(found.terms[0].low), 1e-7);
        CHECK_CLOSE(got.high, exp(found.terms[0].high), 1e-7);
    }
}

static void test_random_ratios(struct arena *arena)
{
    struct rng rng = rng_seeded(1972);

    for (int round = 0; round < 400; round++) {
        struct arena_mark mark = arena_mark(arena);
        struct stats_survival_group groups[2];
        uint64_t moments = 2 + rng_below(&rng, 40); /* few of them: ties */
        for (size_t g = 0; g < 2; g++) {
            groups[g].count = 2 + rng_below(&rng, 30);
            groups[g].cases =
                arena_array(arena, struct stats_survival_case, groups[g].count);
            for (size_t i = 0; i < groups[g].count; i++)
                groups[g].cases[i] = (struct stats_survival_case){
                    (double)rng_below(&rng, moments), rng_below(&rng, 3) > g};
        }
        check_regression(groups, arena);
        arena_rewind(arena, mark);
    }
}

/* Of very many, where the rounding of sums counts: the hazard is the same at any time, so
 * that the ratio is known. */
static void test_many(struct arena *arena)
{
    enum { MANY = 300000 };
    struct rng rng = rng_seeded(7);
    struct stats_survival_group groups[2];

    for (size_t g = 0; g < 2; g++) {
        groups[g].count = MANY;
        groups[g].cases = arena_array(arena, struct stats_survival_case, MANY);
        for (size_t i = 0; i < MANY; i++) {
            double time = -log(1 - rng_unit(&rng)) / (g == 0 ? 2 : 1);
            groups[g].cases[i] = (struct stats_survival_case){fmin(time, 1), time < 1};
        }
    }
    struct stats_survival_ratio got = stats_survival_ratio(groups, 0.999, arena);
    CHECK(got.undefined == NULL && got.low < 2 && got.high > 2);
    CHECK(got.high - got.low < 0.1);
}

static void test_ratio(void)
{
    struct stats_survival_group patients[] = {{without, ROWS(without)},
                                              {with, ROWS(with)}};
    struct stats_survival_case alone[] = {{1, true}, {2, true}},
                               waiting[] = {{3, true}, {9, false}},
                               never[] = {{1, false}, {3, false}};
    struct stats_survival_group apart[] = {{alone, 2}, {waiting, 2}},
                                nothing[] = {{alone, 2}, {never, 2}},
                                empty[] = {{alone, 2}, {waiting, 0}};
    struct arena arena = {0};

    tap_case("hazard ratio: Freireich's patients");
    struct stats_survival_ratio got = stats_survival_ratio(patients, 0.95, &arena);
    CHECK_CLOSE(got.ratio, 4.81687389827939, 1e-13);
    CHECK_CLOSE(got.low, 2.14650821272546, 1e-13);
    CHECK_CLOSE(got.high, 10.809310681586, 1e-13);
    tap_case("hazard ratio: as Cox's regression, with ties and without");
    check_regression(patients, &arena);
    test_random_ratios(&arena);
    tap_case("hazard ratio: of 600,000");
    test_many(&arena);
    tap_case("hazard ratio: undefined where it happens in one group alone");
    CHECK_TEXT(stats_survival_ratio(apart, 0.95, &arena).undefined,
               "while both groups were watched it happened in one alone");
    CHECK_TEXT(stats_survival_ratio(nothing, 0.95, &arena).undefined,
               "while both groups were watched it happened in one alone");
    CHECK_TEXT(stats_survival_ratio(empty, 0.95, &arena).undefined, "the group is empty");
    arena_free(&arena);
}

int main(void)
{
    test_survival();
    test_logrank();
    test_ratio();
    return tap_done();
}
