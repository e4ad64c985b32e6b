/* Agreement of raters, against R, NLTK and published values. */
#include "stats/agreement.h"

#include <string.h>

#include "base/rng.h"
#include "tests/unit/rated.h"
#include "tests/vectors/read.h"

/* Kappa, Fleiss and AC1 against statsmodels, published values, and where they are
 * undefined.
 */

static void check_cohen(struct vectors_file *vectors)
{
    struct stats_agreement got = stats_agree_cohen(
        vectors_ints(vectors, "table"), (size_t)vectors_number(vectors, "categories"),
        (enum stats_agree_weights)vectors_number(vectors, "weights"), 0.95,
        &vectors->arena);
    double error = vectors_number(vectors, "error");

    CHECK(got.undefined == NULL);
    CHECK_NEAR(got.value, vectors_number(vectors, "kappa"), 1e-14);
    CHECK_NEAR(got.std_error, error, 1e-8 * (error == 0) + 1e-12 * error);
    CHECK_NEAR(got.low, fmax(-1, got.value - 1.959963984540054 * error), 1e-7);
    CHECK_NEAR(got.high, fmin(1, got.value + 1.959963984540054 * error), 1e-7);
}

/* Every way that chance may choose, with every weight. */
static void check_many(struct vectors_file *vectors, struct stats_agree_ratings ratings)
{
    static const char *const chances[] = {"fleiss", "gwet", "brennan_prediger"};
    static const char *const weights[] = {"nominal", "linear", "quadratic"};

    for (size_t c = 0; c < ROWS(chances); c++)
        for (size_t w = 0; w < ROWS(weights); w++) {
            struct stats_agreement got =
                stats_agree_many(ratings, (enum stats_agree_chance)c,
                                 (enum stats_agree_weights)w, 0.95, &vectors->arena);
            char name[60], error[70];
            snprintf(name, sizeof name, "%s_%s", chances[c], weights[w]);
            snprintf(error, sizeof error, "%s_error", name);
            CHECK(got.undefined == NULL);
            CHECK_NEAR(got.value, vectors_number(vectors, name), 1e-13);
            CHECK_CLOSE(got.std_error, vectors_number(vectors, error), 1e-12);
        }
}

static void check_ratings(struct vectors_file *vectors)
{
    struct stats_values labels = vectors_values(vectors, "labels"),
                        statsmodels = vectors_values(vectors, "fleiss_statsmodels");
    int32_t *at = arena_array(&vectors->arena, int32_t, labels.count);
    struct stats_agree_ratings ratings =
        rated_dense(at, 0, (size_t)vectors_number(vectors, "raters"),
                    (size_t)vectors_number(vectors, "categories"));
    struct stats_agreement got;

    ratings.items = labels.count / ratings.raters;
    for (size_t i = 0; i < labels.count; i++)
        at[i] = (int32_t)labels.at[i];
    got = stats_agree_fleiss(ratings, 0.95, &vectors->arena);
    CHECK(got.undefined == NULL);
    if (statsmodels.count > 0)
        CHECK_NEAR(got.value, statsmodels.at[0], 1e-13);
    CHECK_NEAR(got.value, vectors_number(vectors, "fleiss"), 1e-13);
    CHECK_CLOSE(got.std_error, vectors_number(vectors, "fleiss_error"), 1e-12);
    got = stats_agree_ac1(ratings, 0.95, &vectors->arena);
    CHECK(got.undefined == NULL);
    CHECK_NEAR(got.value, vectors_number(vectors, "ac1"), 1e-13);
    CHECK_CLOSE(got.std_error, vectors_number(vectors, "ac1_error"), 1e-12);
    CHECK(got.low < got.value && got.value < got.high && got.high <= 1);
    check_many(vectors, ratings);
}

/* The example of four raters and five categories in the documentation of R's irrCAC 1.0.
 */
static void check_published(struct arena *arena)
{
    static const int32_t labels[] = {
        0, 0, -1, 0, 1, 1, 2, 1, 2, 2, 2, 2, 2,  2, 2, 2, 1,  1,  1, 1, 0,  1,  2, 3,
        3, 3, 3,  3, 0, 0, 1, 0, 1, 1, 1, 1, -1, 4, 4, 4, -1, -1, 0, 0, -1, -1, 2, -1};
    static const struct {
        const char *name;
        enum stats_agree_chance chance;
        double expected, value, error;
    } rows[] = {
        {"Fleiss", STATS_AGREE_FLEISS, 0.2387153, 0.76117, 0.15302},
        {"AC1", STATS_AGREE_GWET, 0.1903212, 0.77544, 0.14295},
        {"Brennan-Prediger", STATS_AGREE_BRENNAN_PREDIGER, 0.2, 0.77273, 0.14472},
    };
    struct stats_agree_ratings ratings = rated_dense(labels, 12, 4, 5);

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct stats_agreement got =
            stats_agree_many(ratings, rows[i].chance, STATS_AGREE_NOMINAL, 0.95, arena);
        tap_case("published: %s", rows[i].name);
        CHECK_NEAR(got.observed, 0.8181818, 5e-8);
        CHECK_NEAR(got.expected, rows[i].expected, 5e-8);
        CHECK_NEAR(got.value, rows[i].value, 5e-6);
        CHECK_NEAR(got.std_error, rows[i].error, 5e-6);
    }
}

static const struct {
    const char *name;
    int64_t table[4]; /* both yes, first only, second only, both no */
    double kappa;
    const char *undefined;
} tables[] = {
    {"same agreement, skewed one way", {45, 15, 25, 15}, 6.0 / 46, NULL},
    {"same agreement, skewed the other way", {25, 35, 5, 35}, 14.0 / 54, NULL},
    {"chance level", {25, 25, 25, 25}, 0, NULL},
    {"one of many differs", {99999, 1, 0, 0}, 0, NULL},
    {"one category only", {9, 0, 0, 0}, NAN, "only one category was used"},
    {"no items", {0, 0, 0, 0}, NAN, "no item has two labels"},
    /* Liu et al. 2023: 174 of 3,842 disputed, marginals near 2,401 to 1,441. */
    {"174 of 3,842", {2314, 87, 87, 1354}, 0.9034, NULL},
};

static const struct {
    double value;
    const char *word;
} words[] = {
    {-0.01, "poor"},       {0, "slight"},
    {0.20, "slight"},      {0.21, "fair"},
    {0.53, "moderate"},    {0.60, "moderate"},
    {0.61, "substantial"}, {0.816, "almost perfect"},
    {1, "almost perfect"},
};

static void check_missing(struct arena *arena)
{
    const int32_t labels[] = {0, 0, -1, 1, -1, 1, 0, 1, 0, -1, -1, -1};
    struct stats_agree_ratings ratings = rated_dense(labels, 4, 3, 2),
                               single = rated_dense(labels + 9, 1, 3, 2),
                               same = rated_dense(labels, 1, 2, 2),
                               sole = rated_dense(labels, 1, 2, 1);
    int64_t *table;
    struct stats_agreement got;

    tap_case("missing labels: pairs of raters share different items");
    table = stats_agree_table(ratings, 0, 1, arena);
    CHECK(table[0] == 1 && table[1] == 1 && table[2] == 0 && table[3] == 0);
    table = stats_agree_table(ratings, 0, 2, arena);
    CHECK(table[0] == 1 && table[1] == 0 && table[2] == 0 && table[3] == 1);
    got = stats_agree_fleiss(ratings, 0.95, arena);
    CHECK(got.items == 3);
    CHECK_NEAR(got.observed, (1 + 1 + 1.0 / 3) / 3, 1e-15);
    tap_case("items with one label: Fleiss' kappa may be below -1, within its interval");
    /* Gwet 2014, 2.5, computed apart in Python: pe 0.66, error 0.294532071147805, and at
     * the lower end what no agreement at all gives. */
    const int32_t few[] = {0, 1, 0, 2, 0, -1, 0, -1, 0, -1};
    got = stats_agree_fleiss(rated_dense(few, 5, 2, 3), 0.95, arena);
    CHECK_NEAR(got.value, -0.66 / 0.34, 1e-12);
    CHECK_NEAR(got.std_error, 0.294532071147805, 1e-12);
    CHECK_NEAR(got.high, -1.123424343326144, 1e-10);
    CHECK_NEAR(got.low, -0.66 / 0.34, 1e-12);
    CHECK(got.low <= got.value && got.value <= got.high);
    tap_case("no category in common: Cohen's kappa is 0, and its formula has no error");
    table = stats_agree_table(rated_dense(few, 5, 2, 3), 0, 1, arena);
    got = stats_agree_cohen(table, 3, STATS_AGREE_NOMINAL, 0.95, arena);
    CHECK(got.value == 0 && got.undefined == NULL && isnan(got.low) && isnan(got.high));
    CHECK_TEXT(got.interval_undefined, "the two used no category in common");
    tap_case("no label at all: undefined");
    got = stats_agree_fleiss(single, 0.95, arena);
    CHECK_TEXT(got.undefined, "no item has two labels");
    CHECK(isnan(got.value) && isnan(got.observed) && isnan(got.std_error));
    CHECK_TEXT(stats_agree_ac1(single, 0.95, arena).undefined, "no item has two labels");
    tap_case("one category throughout: Fleiss is undefined, AC1 is 1");
    got = stats_agree_fleiss(same, 0.95, arena);
    CHECK_TEXT(got.undefined, "only one category was used");
    CHECK(isnan(got.value) && got.observed == 1);
    got = stats_agree_ac1(same, 0.95, arena);
    CHECK(got.value == 1 && got.undefined == NULL);
    CHECK_TEXT(got.interval_undefined, "there is only one item");
    tap_case("a codebook of one category: AC1 is undefined");
    got = stats_agree_ac1(sole, 0.95, arena);
    CHECK_TEXT(got.undefined, "there is only one category");
    CHECK(isnan(got.value) && isnan(got.std_error) && isnan(got.low));
    got = stats_agree_many(sole, STATS_AGREE_BRENNAN_PREDIGER, STATS_AGREE_NOMINAL, 0.95,
                           arena);
    CHECK_TEXT(got.undefined, "there is only one category");
}

/* The same labels without room for those that are missing. */
static void check_spans(struct arena *arena)
{
    enum { ITEMS = 40, RATERS = 6, CATEGORIES = 5 };
    static int32_t labels[ITEMS * RATERS], at[ITEMS * RATERS];
    static size_t who[ITEMS * RATERS];
    static struct stats_agree_span spans[ITEMS];
    struct stats_agree_ratings dense = rated_dense(labels, ITEMS, RATERS, CATEGORIES),
                               sparse = {at, ITEMS, RATERS, CATEGORIES, spans, who};
    struct rng rng = rng_seeded(7);
    size_t filled = 0;

    for (size_t i = 0; i < ITEMS * RATERS; i++) {
        struct stats_agree_span *span = &spans[i / RATERS];
        labels[i] = rng_below(&rng, 2) == 0 ? STATS_AGREE_MISSING
                                            : (int32_t)rng_below(&rng, CATEGORIES);
        if (i % RATERS == 0)
            span->begin = filled;
        if (labels[i] == STATS_AGREE_MISSING)
            continue;
        span->count++;
        who[filled] = i % RATERS;
        at[filled++] = labels[i];
    }
    tap_case("labels without room for missing ones give the same to the last digit");
    for (int chance = 0; chance <= STATS_AGREE_BRENNAN_PREDIGER; chance++)
        for (int weights = 0; weights <= STATS_AGREE_QUADRATIC; weights++) {
            struct stats_agreement a = stats_agree_many(
                                       dense, (enum stats_agree_chance)chance,
                                       (enum stats_agree_weights)weights, 0.95, arena),
                                   b = stats_agree_many(
                                       sparse, (enum stats_agree_chance)chance,
                                       (enum stats_agree_weights)weights, 0.95, arena);
            CHECK(a.value == b.value && a.low == b.low && a.high == b.high);
        }
    CHECK(stats_agree_alpha(dense, stats_agree_ordinal(dense, arena), arena).value ==
          stats_agree_alpha(sparse, stats_agree_ordinal(sparse, arena), arena).value);
    CHECK(memcmp(stats_agree_table(dense, 1, 4, arena),
                 stats_agree_table(sparse, 1, 4, arena),
                 CATEGORIES * CATEGORIES * sizeof(int64_t)) == 0);
}

static void test_agreement(void)
{
    struct vectors_file vectors = vectors_open("agreement");

    while (vectors_next(&vectors, "cohen ratings")) {
        if (vectors_is(&vectors, "cohen"))
            check_cohen(&vectors);
        else
            check_ratings(&vectors);
    }
    for (size_t i = 0; i < ROWS(tables); i++) {
        struct stats_agreement got = stats_agree_cohen(
            tables[i].table, 2, STATS_AGREE_NOMINAL, 0.95, &vectors.arena);
        tap_case("cohen: %s", tables[i].name);
        CHECK_NEAR(got.value, tables[i].kappa, 0.00005);
        CHECK((got.undefined == NULL) == (tables[i].undefined == NULL));
        if (tables[i].undefined != NULL) {
            CHECK_TEXT(got.undefined, tables[i].undefined);
            CHECK(isnan(got.std_error) && isnan(got.low));
        }
    }
    /* 100,000 items, each in a category of its own but the last two, which are exchanged:
     * 99,998 of them agree, and chance does in one of 100,000. */
    enum { WIDE = 100 * 1000 };
    struct stats_agree_cell *wide =
        arena_array(&vectors.arena, struct stats_agree_cell, WIDE);
    for (size_t i = 0; i < WIDE; i++)
        wide[i] = (struct stats_agree_cell){
            i, i < WIDE - 2 ? i : (size_t)2 * WIDE - 3 - i, 1};
    tap_case("cohen: far more categories than a square has room for");
    struct stats_agreement far = stats_agree_cohen_cells(
        wide, WIDE, WIDE, STATS_AGREE_NOMINAL, 0.95, &vectors.arena);
    CHECK_NEAR(far.value, (0.99998 - 1e-5) / (1 - 1e-5), 1e-10); /* rounded sums */
    CHECK(far.items == WIDE);
    tap_case("all in one category has an observed agreement, but no kappa");
    CHECK(stats_agree_cohen(tables[4].table, 2, STATS_AGREE_LINEAR, 0.95, &vectors.arena)
              .observed == 1);
    for (size_t i = 0; i < ROWS(words); i++) {
        tap_case("%g is %s", words[i].value, words[i].word);
        CHECK_TEXT(stats_agree_word(words[i].value), words[i].word);
    }
    check_missing(&vectors.arena);
    check_published(&vectors.arena);
    check_spans(&vectors.arena);
    vectors_close(&vectors);
}

/* Krippendorff's alpha against NLTK and published values, and where it is undefined. */

static const char *const scales[] = {"nominal", "ordinal", "interval", "masi"};

static void check_distances(struct vectors_file *vectors)
{
    struct stats_values labels = vectors_values(vectors, "labels");
    size_t categories = (size_t)vectors_number(vectors, "categories");
    int32_t *at = arena_array(&vectors->arena, int32_t, labels.count);
    double *numbers = arena_array(&vectors->arena, double, categories);
    uint64_t *bits = arena_array(&vectors->arena, uint64_t, categories);
    struct stats_agree_sets sets = {bits, categories, 1};
    struct stats_agree_ratings ratings =
        rated_dense(at, 0, (size_t)vectors_number(vectors, "raters"), categories);
    struct arena *arena = &vectors->arena;
    const double *distances[ROWS(scales)];

    ratings.items = labels.count / ratings.raters;
    for (size_t i = 0; i < labels.count; i++)
        at[i] = (int32_t)labels.at[i];
    for (size_t c = 0; c < categories; c++) {
        numbers[c] = (double)c;
        bits[c] = c + 1; /* as in make_stats.py */
    }
    distances[0] = stats_agree_nominal(categories, arena);
    distances[1] = stats_agree_ordinal(ratings, arena);
    distances[2] =
        stats_agree_interval((struct stats_values){numbers, categories}, arena);
    distances[3] = stats_agree_masi(sets, arena);
    for (size_t s = 0; s < ROWS(scales); s++) {
        struct stats_agreement got = stats_agree_alpha(ratings, distances[s], arena);
        CHECK(got.undefined == NULL && got.interval_undefined != NULL);
        CHECK_NEAR(got.value, vectors_number(vectors, scales[s]), 1e-13);
        CHECK_NEAR(got.value, 1 - (1 - got.observed) / (1 - got.expected), 1e-12);
    }
}

/* Sets of two words, to cross the border between them. */
static const struct {
    const char *name;
    uint64_t a[2], b[2];
    double masi;
} sets[] = {
    {"equal", {5, 1}, {5, 1}, 0},
    {"both empty", {0, 0}, {0, 0}, 0},
    {"one is empty", {0, 0}, {1, 0}, 1},
    {"nothing shared", {1, 0}, {0, 1}, 1},
    {"part of the other", {1, 0}, {1, 1}, 1 - 0.5 * 2 / 3},
    {"each has its own", {3, 0}, {1, 1}, 1 - 1.0 / 9},
};

/* "Computing Krippendorff's alpha-reliability", section C: four observers, twelve units.
 * Without a distance: ordinal. */
static struct stats_agreement published(struct arena *arena, const double *distance)
{
    static const int32_t labels[] = {
        0, 0, -1, 0, 1, 1, 2, 1, 2, 2, 2, 2, 2,  2, 2, 2, 1,  1,  1, 1, 0,  1, 2,  3,
        3, 3, 3,  3, 0, 0, 1, 0, 1, 1, 1, 1, -1, 4, 4, 4, -1, -1, 0, 0, -1, 2, -1, -1};
    struct stats_agree_ratings ratings = rated_dense(labels, 12, 4, 5);

    return stats_agree_alpha(
        ratings, distance != NULL ? distance : stats_agree_ordinal(ratings, arena),
        arena);
}

static void test_alpha(void)
{
    struct vectors_file vectors = vectors_open("agreement");
    struct arena *arena = &vectors.arena;
    const int32_t same[] = {1, 1, 1, 1}, single[] = {0, -1, -1, 1};
    const double numbers[] = {1, 2, 3, 4, 5}, *nominal = stats_agree_nominal(2, arena);
    struct stats_agreement got;

    while (vectors_next(&vectors, "ratings"))
        check_distances(&vectors);
    for (size_t i = 0; i < ROWS(sets); i++) {
        const uint64_t bits[] = {sets[i].a[0], sets[i].a[1], sets[i].b[0], sets[i].b[1]};
        struct stats_agree_sets pair = {bits, 2, 2};
        tap_case("sets: %s", sets[i].name);
        CHECK_NEAR(stats_agree_masi(pair, arena)[1], sets[i].masi, 1e-15);
        CHECK_NEAR(stats_agree_masi(pair, arena)[2], sets[i].masi, 1e-15);
        CHECK(stats_agree_masi(pair, arena)[0] == 0 &&
              stats_agree_masi(pair, arena)[3] == 0);
    }
    tap_case("published: Krippendorff 2011, nominal .743, ordinal .815, interval .849");
    got = published(arena, stats_agree_nominal(5, arena));
    CHECK_NEAR(got.value, 0.743, 0.0005);
    got = published(arena, NULL);
    CHECK_NEAR(got.value, 0.815, 0.0005);
    got =
        published(arena, stats_agree_interval((struct stats_values){numbers, 5}, arena));
    CHECK_NEAR(got.value, 0.849, 0.0005);
    CHECK(got.items == 11);
    tap_case("undefined: one category throughout");
    got = stats_agree_alpha(rated_dense(same, 2, 2, 2), nominal, arena);
    CHECK_TEXT(got.undefined, "only one category was used");
    CHECK(isnan(got.value) && got.observed == 1);
    tap_case("undefined: no item has two labels");
    got = stats_agree_alpha(rated_dense(single, 2, 2, 2), nominal, arena);
    CHECK_TEXT(got.undefined, "no item has two labels");
    CHECK(isnan(got.value) && isnan(got.observed) && got.items == 0);
    vectors_close(&vectors);
}

int main(void)
{
    test_agreement();
    test_alpha();
    return tap_done();
}
