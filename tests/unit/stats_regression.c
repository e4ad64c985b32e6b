/* Regressions against R (glm, MASS, survival, sandwich, lme4), and what must not be
 * estimated. */
#include "stats/regression.h"

#include "base/rng.h"
#include "stats/distribution.h"
#include "stats/internal.h"
#include "tests/vectors/read.h"

static struct stats_regression_data data_of(struct vectors_file *vectors)
{
    struct stats_values y = vectors_values(vectors, "y");
    struct stats_values cluster = vectors_values(vectors, "cluster");
    size_t *clusters = arena_array(&vectors->arena, size_t, y.count);
    struct stats_regression_data data = {.count = y.count,
                                         .width =
                                             (size_t)vectors_number(vectors, "width"),
                                         .x = vectors_values(vectors, "x").at,
                                         .y = y.at,
                                         .cluster = clusters,
                                         .level = 0.95};

    for (size_t i = 0; i < y.count; i++) {
        clusters[i] = (size_t)cluster.at[i] - 1;
        if (clusters[i] >= data.cluster_count)
            data.cluster_count = clusters[i] + 1;
    }
    if (vectors_is(vectors, "cox") || vectors_is(vectors, "frailty") ||
        vectors_is(vectors, "grouped_cox")) {
        struct stats_values happened = vectors_values(vectors, "happened");
        bool *flags = arena_array(&vectors->arena, bool, y.count);
        for (size_t i = 0; i < y.count; i++)
            flags[i] = happened.at[i] != 0;
        data.kind = STATS_COX;
        data.happened = flags;
    } else if (vectors_is(vectors, "counts") || vectors_is(vectors, "grouped_counts")) {
        data.kind = STATS_COUNTS;
    }
    return data;
}

/* To seven digits; R's own glm.nb stops there. */
static void check_errors(struct vectors_file *vectors, struct stats_regression_data data,
                         enum stats_regression_errors errors, const char *field)
{
    struct stats_values want = vectors_values(vectors, field);
    struct stats_values estimate = vectors_values(vectors, "estimate");

    data.errors = errors;
    struct stats_regression found = stats_regression(&data, &vectors->arena);
    CHECK(found.undefined == NULL && found.term_count == estimate.count);
    for (size_t j = 0; j < estimate.count && found.undefined == NULL; j++) {
        const struct stats_regression_term *term = &found.terms[j];
        CHECK_CLOSE(term->estimate, estimate.at[j], 1e-7);
        CHECK_CLOSE(term->std_error, want.at[j], 1e-7);
        CHECK_CLOSE(term->z, term->estimate / term->std_error, 1e-12);
        CHECK_CLOSE(term->high - term->low, 2 * 1.959963984540054 * term->std_error,
                    1e-9);
    }
}

static void check_model(struct vectors_file *vectors)
{
    struct stats_regression_data data = data_of(vectors);
    struct stats_regression found = stats_regression(&data, &vectors->arena);
    struct stats_values vif = vectors_values(vectors, "vif");

    check_errors(vectors, data, STATS_ERRORS_PLAIN, "plain");
    check_errors(vectors, data, STATS_ERRORS_ROBUST, "robust");
    check_errors(vectors, data, STATS_ERRORS_CLUSTERED, "clustered");
    for (size_t j = 0; j < data.width; j++)
        CHECK_CLOSE(found.terms[j].vif, vif.at[j], 1e-9);
    CHECK_CLOSE(found.log_likelihood, vectors_number(vectors, "log_likelihood"), 1e-9);
    CHECK_CLOSE(found.null_log_likelihood, vectors_number(vectors, "null"), 1e-9);
    if (data.kind == STATS_COX) {
        struct stats_values hazards = vectors_values(vectors, "hazards");
        for (size_t j = 0; j < data.width; j++)
            CHECK_CLOSE(found.terms[j].ph_p, hazards.at[j], 1e-6);
        CHECK_CLOSE(found.ph_p, vectors_number(vectors, "hazards_all"), 1e-6);
        return;
    }
    CHECK_CLOSE(found.aic, vectors_number(vectors, "aic"), 1e-9);
    CHECK_CLOSE(found.dispersion, vectors_number(vectors, "dispersion"), 1e-6);
    if (data.kind == STATS_LOGISTIC)
        CHECK_CLOSE(found.concordance, vectors_number(vectors, "area"), 1e-12);
    else if (isinf(vectors_number(vectors, "theta")))
        CHECK(isinf(found.theta));
    else
        CHECK_CLOSE(found.theta, vectors_number(vectors, "theta"), 1e-6);
}

/* lme4 finds its maximum without slopes, to some six digits. */
static void check_random(struct vectors_file *vectors, bool counts)
{
    struct stats_regression_data data = data_of(vectors);
    struct stats_values estimate = vectors_values(vectors, "estimate"),
                        error = vectors_values(vectors, "error");

    data.random = true;
    data.kind = counts ? STATS_COUNTS : data.kind;
    struct stats_regression found = stats_regression(&data, &vectors->arena);
    CHECK(found.undefined == NULL);
    if (counts) {
        /* An approximation, so that this only says that the model is the same. */
        struct stats_values laplace = vectors_values(vectors, "laplace");
        double theta = vectors_number(vectors, "theta");
        CHECK(isinf(theta) ? isinf(found.theta) : fabs(found.theta / theta - 1) < 1e-5);
        for (size_t j = 0; j < laplace.count; j++)
            CHECK_NEAR(found.terms[j].estimate, laplace.at[j],
                       0.3 * found.terms[j].std_error);
    }
    for (size_t j = 0; j < estimate.count && found.undefined == NULL; j++) {
        CHECK_CLOSE(found.terms[j].estimate, estimate.at[j], 2e-6);
        CHECK_CLOSE(found.terms[j].std_error, error.at[j], 1e-5);
    }
    CHECK_CLOSE(found.deviation, vectors_number(vectors, "deviation"), 2e-6);
    CHECK(isnan(found.dispersion) && isnan(found.concordance));
    CHECK_CLOSE(found.log_likelihood, vectors_number(vectors, "log_likelihood"), 1e-9);
    data.random = false;
    double ratio = 2 * (found.log_likelihood -
                        stats_regression(&data, &vectors->arena).log_likelihood);
    CHECK_CLOSE(found.random_chi_square, ratio, 1e-9);
    CHECK_CLOSE(found.random_p, stats_chi_square_upper(ratio, 1) / 2, 1e-9);
}

static void check_frailty(struct vectors_file *vectors)
{
    struct stats_regression_data data = data_of(vectors);
    struct stats_values estimate = vectors_values(vectors, "estimate"),
                        error = vectors_values(vectors, "error");

    data.random = true;
    struct stats_regression found = stats_regression(&data, &vectors->arena);
    CHECK(found.undefined == NULL);
    for (size_t j = 0; j < estimate.count && found.undefined == NULL; j++) {
        CHECK_CLOSE(found.terms[j].estimate, estimate.at[j], 1e-7);
        CHECK_CLOSE(found.terms[j].std_error, error.at[j], 1e-7);
        CHECK(isnan(found.terms[j].ph_p));
    }
    CHECK_CLOSE(found.frailty, vectors_number(vectors, "variance"), 1e-7);
    CHECK_CLOSE(found.log_likelihood, vectors_number(vectors, "log_likelihood"), 1e-10);
    CHECK_CLOSE(found.random_p, vectors_number(vectors, "p"), 1e-6);
    CHECK(isnan(found.deviation) && isnan(found.ph_p) && isnan(found.chi_square));
}

static size_t *groups_of(struct vectors_file *vectors)
{
    struct stats_values group = vectors_values(vectors, "group");
    size_t *groups = arena_array(&vectors->arena, size_t, group.count);

    for (size_t j = 0; j < group.count; j++)
        groups[j] = (size_t)group.at[j];
    return groups;
}

/* Wald's tests of the first three columns, which are a group, and of all five. */
static void check_grouped(struct vectors_file *vectors)
{
    static const char *const errors[] = {[STATS_ERRORS_PLAIN] = "plain",
                                         [STATS_ERRORS_ROBUST] = "robust",
                                         [STATS_ERRORS_CLUSTERED] = "clustered"};
    struct stats_regression_data data = data_of(vectors);

    data.group = groups_of(vectors);
    for (size_t e = 0; e < ROWS(errors); e++) {
        const double *want = vectors_values(vectors, errors[e]).at;
        data.errors = (enum stats_regression_errors)e;
        struct stats_regression found = stats_regression(&data, &vectors->arena);
        for (size_t j = 0; j < 3; j++) {
            CHECK_CLOSE(found.terms[j].group_chi_square, want[0], 1e-6);
            CHECK_CLOSE(found.terms[j].group_p, want[1], 1e-6);
        }
        CHECK_CLOSE(found.wald, want[2], 1e-6);
        CHECK_CLOSE(found.wald_p, want[3], 1e-6);
        CHECK_CLOSE(found.terms[3].group_p, found.terms[3].p, 1e-9);
        CHECK(data.kind == STATS_COX || isnan(found.terms[5].group_p));
    }
}

static void check_generalised(struct vectors_file *vectors)
{
    struct stats_regression_data data = data_of(vectors);
    struct stats_values vif = vectors_values(vectors, "vif"),
                        df = vectors_values(vectors, "df");

    data.group = groups_of(vectors);
    struct stats_regression found = stats_regression(&data, &vectors->arena);
    CHECK(found.undefined == NULL && data.width == vif.count);
    for (size_t j = 0; j < data.width; j++) {
        CHECK_CLOSE(found.terms[j].vif, vif.at[j], 1e-9);
        CHECK((double)found.terms[j].vif_df == df.at[j]);
    }
}

/* What is said instead of a number. */

enum { N = 12 };

static const struct {
    const char *name;
    enum stats_regression_kind kind;
    double x[N][2], y[N];
    const char *undefined;
    size_t column;
} wrong[] = {
    {"one class",
     STATS_LOGISTIC,
     {{1, 2}, {2, 1}, {3, 5}},
     {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
     "all cases have the same outcome",
     2},
    {"separation",
     STATS_LOGISTIC,
     {{1, 2},
      {2, 1},
      {3, 5},
      {4, 2},
      {5, 1},
      {6, 4},
      {7, 2},
      {8, 9},
      {9, 1},
      {10, 3},
      {11, 2},
      {12, 1}},
     {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1},
     "it tells the outcome apart without exception (separation)",
     0},
    {"separation by a rare column",
     STATS_LOGISTIC,
     {{1, 0},
      {2, 0},
      {3, 0},
      {4, 0},
      {5, 0},
      {6, 0},
      {7, 0},
      {8, 0},
      {9, 0},
      {10, 1},
      {11, 1},
      {4, 1}},
     {0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1},
     "it tells the outcome apart without exception (separation)",
     1},
    {"collinearity",
     STATS_LOGISTIC,
     {{1, 3},
      {2, 5},
      {3, 7},
      {4, 9},
      {5, 11},
      {6, 13},
      {7, 15},
      {8, 17},
      {9, 19},
      {10, 21},
      {11, 23},
      {12, 25}},
     {0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1},
     "it follows from the columns before it",
     1},
    {"a column of one value",
     STATS_COUNTS,
     {{1, 7},
      {2, 7},
      {3, 7},
      {4, 7},
      {5, 7},
      {6, 7},
      {7, 7},
      {8, 7},
      {9, 7},
      {10, 7},
      {11, 7},
      {12, 7}},
     {0, 1, 4, 1, 0, 2, 1, 3, 0, 1, 5, 9},
     "all cases have the same value",
     1},
    {"a column that is not known",
     STATS_COUNTS,
     {{1, 7}, {2, NAN}},
     {0, 1, 4, 1, 0, 2, 1, 3, 0, 1, 5, 9},
     "a value is not a number or too large",
     1},
    {"negative counts",
     STATS_COUNTS,
     {{1, 2}, {2, 1}},
     {0, -1},
     "a count is negative",
     2},
    {"broken counts",
     STATS_COUNTS,
     {{1, 2}, {2, 1}},
     {0, 1.5},
     "a count is not a whole number",
     2},
    {"endless counts",
     STATS_COUNTS,
     {{1, 2}, {2, 1}},
     {0, 1e300},
     "an outcome is not a number or too large",
     2},
    {"no counts", STATS_COUNTS, {{1, 2}, {2, 1}}, {0}, "all counts are 0", 2},
    {"one count",
     STATS_COUNTS,
     {{1, 2}, {2, 1}},
     {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7},
     "all counts are the same",
     2},
    {"nothing happened",
     STATS_COX,
     {{1, 2}, {2, 1}},
     {1, 2, 3},
     "nothing has happened to any case",
     2},
    {"no logical outcome",
     STATS_LOGISTIC,
     {{1, 2}, {2, 1}},
     {0, 2},
     "an outcome is neither 0 nor 1",
     2},
};

static void check_wrong(size_t row, struct arena *arena)
{
    static const bool never[N];
    struct stats_regression_data data = {.kind = wrong[row].kind,
                                         .count = N,
                                         .width = 2,
                                         .x = wrong[row].x[0],
                                         .y = wrong[row].y,
                                         .happened = never,
                                         .level = 0.95};
    struct stats_regression found = stats_regression(&data, arena);

    CHECK_TEXT(found.undefined != NULL ? found.undefined : "", wrong[row].undefined);
    CHECK(found.column == wrong[row].column);
}

/* Whatever the units of columns: ratios of a unit change with it, z and p do not; and the
 * order of cases does not matter. */
static void check_units(struct arena *arena)
{
    enum { CASES = 200 };
    struct rng rng = rng_seeded(5);
    double x[CASES][2], scaled[CASES][2], y[CASES], turned[CASES];
    bool happened[CASES], turned_happened[CASES];

    for (int kind = STATS_LOGISTIC; kind <= STATS_COX; kind++) {
        tap_case("kind %d: units and order do not matter", kind);
        for (size_t i = 0; i < CASES; i++) {
            x[i][0] = rng_unit(&rng);
            x[i][1] = rng_unit(&rng) < 0.3;
            y[i] = kind == STATS_LOGISTIC ? rng_unit(&rng) < 0.3 + 0.4 * x[i][0]
                                          : floor(20 * rng_unit(&rng) * (1 + x[i][0]));
            happened[i] = rng_unit(&rng) < 0.6;
        }
        for (size_t i = 0; i < CASES; i++) {
            size_t from = CASES - 1 - i;
            scaled[i][0] = 1e6 * x[from][0] - 3e6;
            scaled[i][1] = 1 - x[from][1];
            turned[i] = y[from];
            turned_happened[i] = happened[from];
        }
        struct stats_regression_data data = {.kind = (enum stats_regression_kind)kind,
                                             .count = CASES,
                                             .width = 2,
                                             .x = x[0],
                                             .y = y,
                                             .happened = happened,
                                             .errors = STATS_ERRORS_ROBUST,
                                             .level = 0.9};
        struct stats_regression one = stats_regression(&data, arena);
        data.x = scaled[0];
        data.y = turned;
        data.happened = turned_happened;
        struct stats_regression other = stats_regression(&data, arena);
        CHECK(one.undefined == NULL && other.undefined == NULL);
        CHECK_CLOSE(other.terms[0].estimate * 1e6, one.terms[0].estimate, 1e-7);
        CHECK_CLOSE(other.terms[0].p, one.terms[0].p, 1e-6);
        CHECK_CLOSE(other.terms[1].estimate, -one.terms[1].estimate, 1e-7);
        CHECK_CLOSE(other.terms[1].low, -one.terms[1].high, 1e-7);
        CHECK_CLOSE(other.log_likelihood, one.log_likelihood, 1e-10);
    }
}

/* Counts as large as views are: rounding of their likelihood ends no search. */
static void check_views(struct arena *arena)
{
    enum { CASES = 400, TRIES = 20 };
    struct rng rng = rng_seeded(9);
    double x[CASES][1], y[CASES];
    size_t failed = 0;

    for (int try = 0; try < TRIES; try++) {
        for (size_t i = 0; i < CASES; i++) {
            x[i][0] = rng_unit(&rng);
            y[i] = floor(exp(12 + x[i][0]) * -log(1 - rng_unit(&rng)));
        }
        struct stats_regression found =
            stats_regression(&(struct stats_regression_data){.kind = STATS_COUNTS,
                                                             .count = CASES,
                                                             .width = 1,
                                                             .x = x[0],
                                                             .y = y,
                                                             .level = 0.95},
                             arena);
        failed += found.undefined != NULL || fabs(found.theta - 1) > 0.3 ||
                  fabs(found.terms[0].estimate - 1) > 0.6 || isnan(found.p);
    }
    tap_case("counts of hundreds of thousands");
    CHECK(failed == 0);
}

/* A column may be steep, and its coefficient large in its range, without telling all. */
static void check_steep(struct arena *arena)
{
    double x[40], y[40];

    for (size_t i = 0; i < 40; i++) {
        x[i] = i < 30 ? (double)i / 10 : 100 * (double)i;
        y[i] = i >= 30 || i % 30 > 17 || i == 12;
    }
    y[19] = 0;
    struct stats_regression found = stats_regression(
        &(struct stats_regression_data){
            .count = 40, .width = 1, .x = x, .y = y, .level = 0.95},
        arena);
    tap_case("steep, but not apart without exception");
    CHECK(found.undefined == NULL);
    CHECK_CLOSE(found.terms[0].estimate, 4.829200, 1e-6); /* as glm() of R */
}

/* Clusters that are all alike have no deviation, and the model is the plain one. */
static void check_alike(struct arena *arena)
{
    enum { CASES = 160 };
    double x[CASES], y[CASES];
    size_t cluster[CASES];

    for (size_t i = 0; i < CASES; i++) {
        cluster[i] = i / 8;
        x[i] = (double)(i % 4);
        y[i] = i % 8 == 1 || i % 8 == 2 || i % 8 == 3 || i % 8 == 7;
    }
    struct stats_regression_data data = {.count = CASES,
                                         .width = 1,
                                         .x = x,
                                         .y = y,
                                         .cluster = cluster,
                                         .cluster_count = CASES / 8,
                                         .level = 0.95};
    struct stats_regression plain = stats_regression(&data, arena);
    data.random = true;
    struct stats_regression random = stats_regression(&data, arena);
    tap_case("random intercepts of clusters that are alike");
    CHECK(random.undefined == NULL && random.deviation == 0);
    CHECK_CLOSE(random.terms[0].estimate, plain.terms[0].estimate, 1e-12);
    CHECK_CLOSE(random.terms[0].std_error, plain.terms[0].std_error, 1e-12);
    tap_case("clusters that differ wholly have no deviation that fits best");
    for (size_t i = 0; i < CASES; i++)
        y[i] = i / 8 % 2 == 0;
    random = stats_regression(&data, arena);
    CHECK_TEXT(random.undefined,
               "no maximum of the likelihood with random intercepts was found");
    CHECK(isnan(random.deviation) && isnan(random.log_likelihood) && isnan(random.aic) &&
          isnan(random.dispersion) && isnan(random.concordance));
    tap_case("one cluster tells nothing about clusters");
    data.cluster_count = 1;
    memset(cluster, 0, sizeof cluster);
    CHECK_TEXT(stats_regression(&data, arena).undefined, "all cases are in one cluster");
    tap_case("clusters of one case each tell nothing either");
    data.cluster_count = CASES;
    for (size_t i = 0; i < CASES; i++)
        cluster[i] = i;
    CHECK_TEXT(stats_regression(&data, arena).undefined, "every cluster has one case");
}

static double draw_poisson(struct rng *rng, double mean)
{
    double left = exp(-mean), count = -1;

    for (double chance = 1; chance > left || count < 0; count++)
        chance *= rng_unit(rng);
    return count;
}

/* Counts that are spread by clusters alone have a model, whether theta looks finite or
 * not; a column whose counts are all 0 has none. */
static void check_clustered_counts(struct arena *arena)
{
    enum { CASES = 150, CLUSTERS = 15, TRIES = 12 };
    struct rng rng = rng_seeded(11);
    double x[CASES], y[CASES], level[CLUSTERS];
    size_t cluster[CASES], failed = 0, endless = 0;
    struct stats_regression_data data = {.kind = STATS_COUNTS,
                                         .count = CASES,
                                         .width = 1,
                                         .x = x,
                                         .y = y,
                                         .cluster = cluster,
                                         .cluster_count = CLUSTERS,
                                         .random = true,
                                         .level = 0.95};

    for (int try = 0; try < TRIES; try++) {
        for (size_t c = 0; c < CLUSTERS; c++)
            level[c] = 3 * rng_unit(&rng) - 1;
        for (size_t i = 0; i < CASES; i++) {
            cluster[i] = i % CLUSTERS;
            x[i] = i % 4 == 0;
            y[i] = draw_poisson(&rng, exp(level[cluster[i]] + 0.5 * x[i]));
        }
        struct stats_regression found = stats_regression(&data, arena);
        failed += found.undefined != NULL || found.deviation < 0.4 ||
                  fabs(found.terms[0].estimate - 0.5) > 4 * found.terms[0].std_error;
        endless += found.undefined == NULL && isinf(found.theta);
    }
    tap_case("counts that clusters alone spread");
    CHECK(failed == 0);
    CHECK(endless > 0 && endless < TRIES);
    tap_case("random intercepts, and a column whose counts are all 0");
    for (size_t i = 0; i < CASES; i++)
        y[i] = x[i] > 0 ? 0 : y[i];
    CHECK_TEXT(stats_regression(&data, arena).undefined,
               "it tells the outcome apart without exception (separation)");
    tap_case("counts of one cluster tell nothing about clusters");
    data.cluster_count = 1;
    memset(cluster, 0, sizeof cluster);
    CHECK_TEXT(stats_regression(&data, arena).undefined, "all cases are in one cluster");
}

/* Counts that begin hundreds too high: the search for a cluster's mode gives up, and what
 * rests on it ends. */
static void check_far_counts(struct arena *arena)
{
    double x[] = {1, 1, 1, 1}, y[] = {0, 1, 2, 0}, beta[] = {450}, covariance[1] = {0};
    size_t cluster[] = {0, 0, 1, 1};
    struct stats_intercepts found =
        stats_intercepts(&(struct stats_intercepts_data){x, y, cluster, 4, 1, 2, INFINITY,
                                                         beta, covariance},
                         arena);

    tap_case("random intercepts from where no mode is found");
    CHECK_TEXT(found.undefined,
               "no maximum of the likelihood with random intercepts was found");
    CHECK(isnan(found.deviation) && beta[0] == 450);
}

/* Far columns, where the search for theta may not reach its top: what it would then come
 * to with Poisson's regression is worse than no columns at all. */
static void check_lost_spread(struct arena *arena)
{
    static const double x[] = {0, 2,  0,  2,   0, 9, 0, 2,  72, 3, 10, 0, 0, 0,
                               9, 47, 12, 433, 0, 2, 0, 46, 2,  0, 7,  0, 0, 0};
    static const double y[] = {0, 0, 0, 0, 270994, 157819, 0, 0, 0, 12, 0, 0, 3514, 0};

    tap_case("counts: a search for theta that ends nowhere is no Poisson");
    struct stats_regression got =
        stats_regression(&(struct stats_regression_data){.kind = STATS_COUNTS,
                                                         .count = ROWS(y),
                                                         .width = 2,
                                                         .x = x,
                                                         .y = y,
                                                         .level = 0.95},
                         arena);
    CHECK(got.undefined != NULL || (got.chi_square >= 0 && isfinite(got.theta)));
}

/* A column with far values and counts that grow with it up to millions: theta and the
 * coefficients creep along a ridge, for minutes if they are let. Nothing in it tells the
 * outcome apart. */
static void check_ridge(struct arena *arena)
{
    enum { CASES = 60 };
    struct rng rng = rng_seeded(303);
    double x[CASES][3], y[CASES];
    struct stats_regression_data data = {.kind = STATS_COUNTS,
                                         .count = CASES,
                                         .width = 3,
                                         .x = x[0],
                                         .y = y,
                                         .level = 0.95};

    for (size_t i = 0; i < CASES; i++) {
        x[i][0] = exp(2 * rng_normal(&rng)) * (i == 0 ? 100 : 1);
        x[i][1] = rng_normal(&rng);
        y[i] = fmin(5e6, exp(fmin(30, x[i][0] / 2 + x[i][1])));
        y[i] = floor(y[i] * exp(2 * rng_normal(&rng)));
        x[i][2] = i % 5 == 0;
    }
    tap_case("counts: a search that creeps ends");
    struct stats_regression found = stats_regression(&data, arena);
    CHECK_TEXT(found.undefined != NULL ? found.undefined : "",
               "the search for the maximum of the likelihood did not converge");
    CHECK(found.column == 3 && isnan(found.theta));
    tap_case("counts: such a search, and a column that tells zeros");
    for (size_t i = 0; i < CASES; i++)
        x[i][2] = i % 5 == 0 && y[i] == 0;
    found = stats_regression(&data, arena);
    CHECK_TEXT(found.undefined != NULL ? found.undefined : "",
               "it tells the outcome apart without exception (separation)");
    CHECK(found.column == 2);
}

/* Many columns: the factors of each are those of its group. */
static void check_many_columns(struct arena *arena)
{
    enum { CASES = 400, COLUMNS = 120 };
    struct rng rng = rng_seeded(5);
    double *x = arena_array(arena, double, CASES *COLUMNS);
    double *y = arena_array(arena, double, CASES);
    size_t group[COLUMNS], differ = 0;

    for (size_t i = 0; i < CASES; i++) {
        y[i] = (double)rng_below(&rng, 2);
        for (size_t j = 0; j < COLUMNS; j++)
            x[i * COLUMNS + j] = rng_normal(&rng);
    }
    for (size_t j = 0; j < COLUMNS; j++)
        group[j] = j / 2;
    struct stats_regression_data data = {
        .count = CASES, .width = COLUMNS, .x = x, .y = y, .group = group, .level = 0.95};
    struct stats_regression found = stats_regression(&data, arena);
    for (size_t j = 0; j < COLUMNS; j++)
        differ += !(found.terms[j].vif > 1 && found.terms[j].vif_df == 2 &&
                    found.terms[j].vif == found.terms[j / 2 * 2].vif);
    tap_case("columns of a group have the factor of the group");
    CHECK(differ == 0);
}

/* Times of clusters: all alike, each a case, one alone, and some to whom nothing happens.
 */
static void check_frail_clusters(struct arena *arena)
{
    enum { CASES = 120, SIZE = 6 };
    struct rng rng = rng_seeded(3);
    double x[CASES], y[CASES];
    bool happened[CASES];
    size_t cluster[CASES];
    struct stats_regression_data data = {.kind = STATS_COX,
                                         .count = CASES,
                                         .width = 1,
                                         .x = x,
                                         .y = y,
                                         .happened = happened,
                                         .cluster = cluster,
                                         .cluster_count = CASES / SIZE,
                                         .level = 0.95};

    for (size_t i = 0; i < CASES; i++) {
        cluster[i] = i / SIZE;
        x[i] = (double)(i % 3);
        y[i] = (double)(i % SIZE + 1);
        happened[i] = i % 2 == 0;
    }
    struct stats_regression plain = stats_regression(&data, arena);
    data.random = true;
    struct stats_regression found = stats_regression(&data, arena);
    tap_case("frailties of clusters that are alike");
    CHECK(found.undefined == NULL && found.frailty == 0 && found.random_p == 1);
    CHECK_CLOSE(found.terms[0].estimate, plain.terms[0].estimate, 1e-12);
    CHECK_CLOSE(found.terms[0].std_error, plain.terms[0].std_error, 1e-12);
    CHECK_CLOSE(found.ph_p, plain.ph_p, 1e-12);
    CHECK_CLOSE(found.aic, -2 * plain.log_likelihood + 4, 1e-12);
    tap_case("a cluster to which all happens, others to which nothing does");
    for (size_t i = 0; i < CASES; i++) {
        y[i] = 100 * rng_unit(&rng);
        happened[i] = cluster[i] % 3 == 0;
    }
    found = stats_regression(&data, arena);
    CHECK(found.undefined == NULL && found.frailty > 1 && found.random_p < 1e-4);
    CHECK(isfinite(found.terms[0].std_error) && found.log_likelihood > -1e4);
    tap_case("a column that tells times apart is no matter of frailties");
    for (size_t i = 0; i < CASES; i++) {
        x[i] = i % 2 == 0;
        happened[i] = i % 2 == 0;
    }
    CHECK_TEXT(stats_regression(&data, arena).undefined,
               "it tells the outcome apart without exception (separation)");
    tap_case("frailties of one cluster, and of cases each");
    memset(cluster, 0, sizeof cluster);
    data.cluster_count = 1;
    CHECK_TEXT(stats_regression(&data, arena).undefined, "all cases are in one cluster");
    data.cluster_count = CASES;
    for (size_t i = 0; i < CASES; i++)
        cluster[i] = i;
    CHECK_TEXT(stats_regression(&data, arena).undefined, "every cluster has one case");
}

/* Scores that add up to nothing are no proof of an effect. */
static void check_no_error(struct arena *arena)
{
    enum { CASES = 60 };
    struct rng rng = rng_seeded(8);
    double x[CASES * 2], y[CASES];
    size_t cluster[CASES];
    struct stats_regression_data data = {.count = CASES,
                                         .width = 2,
                                         .x = x,
                                         .y = y,
                                         .cluster = cluster,
                                         .cluster_count = 3,
                                         .errors = STATS_ERRORS_CLUSTERED,
                                         .level = 0.95};

    for (size_t i = 0; i < CASES; i++) {
        cluster[i] = i % 3;
        x[2 * i] = i % 3 == 1;
        x[2 * i + 1] = i % 3 == 2;
        y[i] = (double)rng_below(&rng, 2);
    }
    struct stats_regression found = stats_regression(&data, arena);
    tap_case("values that are the clusters have no clustered error");
    CHECK_TEXT(found.undefined != NULL ? found.undefined : "",
               "it has no clustered error, as where its values are the clusters");
    CHECK(found.column == 0 && isnan(found.terms[0].p) && isnan(found.wald_p));
    for (size_t i = 0; i < CASES; i++)
        y[i] = i % 3 == 0 ? 4 : i % 3 == 1 ? 8 : 2;
    data.kind = STATS_COUNTS;
    data.errors = STATS_ERRORS_ROBUST;
    found = stats_regression(&data, arena);
    tap_case("counts that are fitted exactly have no robust error");
    CHECK_TEXT(found.undefined != NULL ? found.undefined : "",
               "the model fits exactly, which leaves no robust error");
}

int main(void)
{
    struct vectors_file vectors = vectors_open("intercepts");

    while (vectors_next(&vectors, "random random_counts frailty generalised"))
        if (vectors_is(&vectors, "frailty"))
            check_frailty(&vectors);
        else if (vectors_is(&vectors, "generalised"))
            check_generalised(&vectors);
        else
            check_random(&vectors, vectors_is(&vectors, "random_counts"));
    vectors_close(&vectors);
    vectors = vectors_open("counts");
    while (vectors_next(&vectors, "counts"))
        check_model(&vectors);
    vectors_close(&vectors);
    vectors = vectors_open("regression");
    while (vectors_next(&vectors, "logistic counts cox random random_counts "
                                  "grouped_logistic grouped_counts grouped_cox"))
        if (vectors_is(&vectors, "grouped_logistic") ||
            vectors_is(&vectors, "grouped_counts") || vectors_is(&vectors, "grouped_cox"))
            check_grouped(&vectors);
        else if (vectors_is(&vectors, "random") || vectors_is(&vectors, "random_counts"))
            check_random(&vectors, vectors_is(&vectors, "random_counts"));
        else
            check_model(&vectors);
    for (size_t i = 0; i < ROWS(wrong); i++) {
        tap_case("undefined: %s", wrong[i].name);
        check_wrong(i, &vectors.arena);
    }
    check_units(&vectors.arena);
    check_no_error(&vectors.arena);
    check_clustered_counts(&vectors.arena);
    check_far_counts(&vectors.arena);
    check_lost_spread(&vectors.arena);
    check_ridge(&vectors.arena);
    check_many_columns(&vectors.arena);
    check_alike(&vectors.arena);
    check_frail_clusters(&vectors.arena);
    check_views(&vectors.arena);
    check_steep(&vectors.arena);
    vectors_close(&vectors);
    return tap_done();
}
