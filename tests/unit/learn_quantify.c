/* Shares of classes, plain and prediction-powered. */
#include "learn/quantify.h"

#include <math.h>
#include <string.h>

#include "learn/internal.h"
#include "tests/tap.h"
#include "tests/vectors/read.h"

/* Who counts for which share: subsets, labels that were not drawn at random, several
 * labels. The methods by themselves have tests of their own. */

enum { ITEMS = 400, CLASSES = 3 };

struct data {
    uint8_t role[ITEMS], truth[ITEMS * CLASSES], said[ITEMS * CLASSES], in[ITEMS];
    double probabilities[ITEMS * CLASSES];
};

static const double level = 0.95;

/* Classes 0, 1, 2 in turn; every fifth prediction is the next class. Every fourth item is
 * labelled. */
static struct learn_quantify_items fill(struct data *data, bool several)
{
    memset(data, 0, sizeof *data);
    for (size_t i = 0; i < ITEMS; i++) {
        size_t truth = i % 3, said = i % 5 == 0 ? (truth + 1) % 3 : truth;
        data->role[i] = i % 4 == 0 ? LEARN_QUANTIFY_DRAWN : LEARN_QUANTIFY_UNLABELLED;
        data->truth[i * CLASSES + truth] = 1;
        data->said[i * CLASSES + said] = 1;
        if (several && i % 9 == 0) /* a third of class 0 has class 2 as well */
            data->truth[i * CLASSES + 2] = data->said[i * CLASSES + 2] = 1;
        for (size_t k = 0; k < CLASSES; k++)
            data->probabilities[i * CLASSES + k] =
                data->said[i * CLASSES + k] ? 0.8 : 0.1;
    }
    return (struct learn_quantify_items){
        ITEMS, CLASSES, several, data->role, data->truth, data->said, data->probabilities,
        NULL,  0,       NULL};
}

static double sum(const struct learn_quantify_share *shares)
{
    return shares[0].estimate + shares[1].estimate + shares[2].estimate;
}

static void check_whole(struct data *data, struct arena *arena)
{
    struct learn_quantify_items items = fill(data, false);
    struct learn_quantify got = learn_quantify_shares(&items, NULL, level, arena);

    tap_case("a whole set");
    CHECK(got.items == ITEMS && got.labelled == 100 && !got.few);
    tap_case("every method has a share, and an interval, near a third");
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        for (size_t k = 0; k < CLASSES; k++) {
            CHECK_NEAR(got.of[m][k].estimate, 1.0 / 3, 0.02);
            CHECK(got.of[m][k].low <= got.of[m][k].estimate &&
                  got.of[m][k].estimate <= got.of[m][k].high);
        }
    tap_case("shares add up to 1");
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        CHECK_NEAR(sum(got.of[m]), 1, 1e-6);
    tap_case("labels alone: 34 of 100, Wilson for a finite set");
    struct stats_interval wilson = stats_interval_wilson_finite(34, 100, ITEMS, 0.95);
    CHECK_NEAR(got.of[LEARN_QUANTIFY_LABELLED][0].estimate, 0.34, 1e-12);
    CHECK_NEAR(got.of[LEARN_QUANTIFY_LABELLED][0].low, wilson.low, 1e-12);
    tap_case("predictions make the interval narrower");
    CHECK(got.of[LEARN_QUANTIFY_POWERED][0].high - got.of[LEARN_QUANTIFY_POWERED][0].low <
          0.8 * (wilson.high - wilson.low));
    tap_case("all labelled: the truth, and no interval around it");
    for (size_t i = 0; i < ITEMS; i++)
        data->role[i] = LEARN_QUANTIFY_DRAWN;
    got = learn_quantify_shares(&items, NULL, level, arena);
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        for (size_t k = 0; k < CLASSES && m != LEARN_QUANTIFY_PLAIN; k++) {
            const struct learn_quantify_share *share = got.of[m] + k;
            CHECK_NEAR(share->estimate, k == 0 ? 134.0 / ITEMS : 133.0 / ITEMS, 1e-12);
            CHECK(share->low == share->estimate && share->high == share->estimate);
        }
    tap_case("all but one labelled, probabilities of nothing and a bad classifier: near");
    data->role[1] = LEARN_QUANTIFY_UNLABELLED;
    for (size_t i = 0; i < ITEMS * CLASSES; i++)
        data->probabilities[i] = i % 7 == 0 ? 0.9 : data->said[i] && i % 2 ? 0.4 : 0;
    got = learn_quantify_shares(&items, NULL, level, arena);
    for (size_t k = 0; k < CLASSES; k++) {
        CHECK_NEAR(got.of[LEARN_QUANTIFY_PROBABLE][k].estimate, 1.0 / 3, 0.01);
        CHECK_NEAR(got.of[LEARN_QUANTIFY_EM][k].estimate, 1.0 / 3, 0.01);
    }
}

static void check_subset(struct data *data, struct arena *arena)
{
    struct learn_quantify_items items = fill(data, false);
    struct learn_quantify got;

    for (size_t i = 0; i < ITEMS; i++)
        data->in[i] = i % 3 < 2 && i < 200; /* without class 2 */
    tap_case("a subset: only its own labels say what its shares are");
    got = learn_quantify_shares(&items, data->in, level, arena);
    CHECK(got.items == 134 && got.labelled == 34 && !got.few);
    CHECK_NEAR(got.of[LEARN_QUANTIFY_LABELLED][2].estimate, 0, 1e-12);
    CHECK_NEAR(got.of[LEARN_QUANTIFY_POWERED][2].estimate, 0, 0.02);
    CHECK_NEAR(got.of[LEARN_QUANTIFY_POWERED][0].estimate, 0.5, 0.03);
    tap_case("errors are known from all labels: 2 of 5 predicted 2 are not");
    CHECK(got.of[LEARN_QUANTIFY_PLAIN][2].estimate > 0.09);
    CHECK(got.of[LEARN_QUANTIFY_ADJUSTED][2].estimate < 0.02);
    tap_case("fewer than 30 labels are flagged, 30 are not");
    for (size_t i = 0; i < ITEMS; i++)
        data->in[i] = i < 120;
    CHECK(!learn_quantify_shares(&items, data->in, level, arena).few);
    data->in[0] = 0;
    got = learn_quantify_shares(&items, data->in, level, arena);
    CHECK(got.few && got.labelled == 29);
    tap_case("a subset without labels");
    for (size_t i = 0; i < ITEMS; i++)
        data->in[i] = i % 4 == 1;
    got = learn_quantify_shares(&items, data->in, level, arena);
    CHECK(got.few && got.labelled == 0 && got.items == 100);
    CHECK(isnan(got.of[LEARN_QUANTIFY_POWERED][0].estimate) &&
          isnan(got.of[LEARN_QUANTIFY_LABELLED][0].low));
    CHECK(!isnan(got.of[LEARN_QUANTIFY_ADJUSTED][0].estimate));
    tap_case("an empty subset: everything is undefined");
    memset(data->in, 0, sizeof data->in);
    got = learn_quantify_shares(&items, data->in, level, arena);
    CHECK(got.items == 0);
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        CHECK(isnan(got.of[m][0].estimate));
}

static void check_chosen(struct data *data, struct arena *arena)
{
    struct learn_quantify_items items = fill(data, false);
    struct learn_quantify with, without;

    for (size_t i = 1; i < ITEMS; i += 4) /* all of these are said to be of class 0 */
        for (size_t k = 0; k < CLASSES; k++)
            data->truth[i * CLASSES + k] = k == 0;
    without = learn_quantify_shares(&items, NULL, level, arena);
    for (size_t i = 1; i < ITEMS; i += 4)
        data->role[i] = LEARN_QUANTIFY_CHOSEN;
    with = learn_quantify_shares(&items, NULL, level, arena);
    tap_case("labels that were chosen change no share");
    CHECK(with.labelled == 100);
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        CHECK(memcmp(with.of[m], without.of[m], CLASSES * sizeof **with.of) == 0);
    tap_case("taken for drawn ones they would");
    for (size_t i = 1; i < ITEMS; i += 4)
        data->role[i] = LEARN_QUANTIFY_DRAWN;
    with = learn_quantify_shares(&items, NULL, level, arena);
    CHECK(with.of[LEARN_QUANTIFY_POWERED][0].estimate >
          without.of[LEARN_QUANTIFY_POWERED][0].estimate + 0.1);
}

static void check_several(struct data *data, struct arena *arena)
{
    struct learn_quantify_items items = fill(data, true);
    struct learn_quantify got = learn_quantify_shares(&items, NULL, level, arena);

    tap_case("several labels: shares need not add up to 1");
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        if (m != LEARN_QUANTIFY_EM)
            CHECK(sum(got.of[m]) > 1.05);
    tap_case("each class is a question of its own");
    CHECK_NEAR(got.of[LEARN_QUANTIFY_LABELLED][2].estimate, 0.45, 1e-12);
    CHECK_NEAR(got.of[LEARN_QUANTIFY_POWERED][2].estimate, 0.4475, 0.02);
    CHECK_NEAR(got.of[LEARN_QUANTIFY_ADJUSTED][2].estimate, 0.4475, 0.02);
    CHECK_NEAR(got.of[LEARN_QUANTIFY_PROBABLE][2].estimate, 0.4475, 0.02);
    CHECK_NEAR(got.of[LEARN_QUANTIFY_LABELLED][1].estimate, 0.33, 1e-12);
}

/* The first 200 items are labelled, the others are the set, half of which is class 0.
 * Half of class 0 and a quarter of class 1 have no prediction; the rest is predicted
 * right, with a probability of 0.9 for class 0 and 0.6 for others, and nothing for the
 * rest. */
static void check_silent(struct data *data, struct arena *arena)
{
    static uint8_t silent[ITEMS];
    struct learn_quantify_items items = fill(data, false);
    const double shares[CLASSES] = {0.5, 0.3, 0.2};
    struct learn_quantify got;

    memset(data, 0, sizeof *data);
    for (size_t i = 0; i < ITEMS; i++) {
        static const size_t ends[2][2] = {{80, 160}, {300, 360}};
        const size_t *end = ends[i >= 200];
        size_t truth = i < end[0] ? 0 : i < end[1] ? 1 : 2;
        data->in[i] = i >= 200;
        data->role[i] = i < 200 ? LEARN_QUANTIFY_DRAWN : LEARN_QUANTIFY_UNLABELLED;
        data->truth[i * CLASSES + truth] = 1;
        silent[i] = truth < 2 && i % (2 + 2 * truth) == 0;
        data->said[i * CLASSES + truth] = !silent[i];
        data->probabilities[i * CLASSES + truth] = silent[i] ? 0 : truth == 0 ? 0.9 : 0.6;
    }
    items.silent = silent;
    got = learn_quantify_shares(&items, data->in, level, arena);
    tap_case("without a prediction: counted, and in no plain count");
    CHECK(got.items == 200 && got.silent == 65 && got.silent_labelled == 0);
    CHECK_NEAR(got.of[LEARN_QUANTIFY_PLAIN][0].estimate, 50.0 / 135, 1e-12);
    CHECK_NEAR(sum(got.of[LEARN_QUANTIFY_PLAIN]), 1, 1e-12);
    tap_case("a prediction of their own for corrections, which are right");
    for (size_t k = 0; k < CLASSES; k++) {
        CHECK_NEAR(got.of[LEARN_QUANTIFY_ADJUSTED][k].estimate, shares[k], 1e-6);
        CHECK_NEAR(got.of[LEARN_QUANTIFY_PROBABLE][k].estimate, shares[k], 1e-6);
        CHECK_NEAR(got.of[LEARN_QUANTIFY_EM][k].estimate, shares[k], 0.01);
        CHECK(got.of[LEARN_QUANTIFY_EM][k].low < shares[k] &&
              shares[k] < got.of[LEARN_QUANTIFY_EM][k].high);
    }
    tap_case("all have none: the plain count is undefined");
    memset(silent, 1, sizeof silent);
    memset(data->said, 0, sizeof data->said);
    memset(data->probabilities, 0, sizeof data->probabilities);
    got = learn_quantify_shares(&items, NULL, level, arena);
    CHECK(isnan(got.of[LEARN_QUANTIFY_PLAIN][0].estimate) &&
          isnan(got.of[LEARN_QUANTIFY_ADJUSTED][0].estimate));
    CHECK_NEAR(got.of[LEARN_QUANTIFY_POWERED][0].estimate, 0.4, 1e-12);
}

static bool same(const struct learn_quantify *a, const struct learn_quantify *b)
{
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        if (memcmp(a->of[m], b->of[m], CLASSES * sizeof **a->of) != 0)
            return false;
    return true;
}

/* The first 100 items are a stratum; of these every second is labelled, of the others
 * every fourth. */
static void check_strata(struct data *data, struct arena *arena)
{
    static size_t stratum[ITEMS];
    struct learn_quantify_items items = fill(data, false);
    struct learn_quantify plain = learn_quantify_shares(&items, NULL, level, arena), got;

    items.stratum = stratum;
    items.strata = 3;
    tap_case("a single stratum, or strata at the same rate: as without them");
    got = learn_quantify_shares(&items, NULL, level, arena);
    CHECK(got.strata == 1 && same(&got, &plain));
    for (size_t i = 0; i < ITEMS; i++)
        stratum[i] = i < 100 ? 0 : 1;
    got = learn_quantify_shares(&items, NULL, level, arena);
    CHECK(got.strata == 1 && same(&got, &plain));
    tap_case("at different rates: each stratum's share by its posts");
    for (size_t i = 2; i < 100; i += 4)
        data->role[i] = LEARN_QUANTIFY_DRAWN;
    got = learn_quantify_shares(&items, NULL, level, arena);
    CHECK(got.strata == 2 && got.labelled == 125 && got.joined == 0 && got.unknown == 0);
    /* 17 of 50 and 25 of 75 labels are of class 0. */
    CHECK_NEAR(got.of[LEARN_QUANTIFY_LABELLED][0].estimate,
               0.25 * 17 / 50 + 0.75 * 25 / 75, 1e-12);
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++) {
        CHECK_NEAR(sum(got.of[m]), 1, 1e-6);
        CHECK_NEAR(got.of[m][0].estimate, 1.0 / 3, 0.03);
    }
    tap_case("a group within one stratum: as if there were no other");
    for (size_t i = 0; i < ITEMS; i++)
        data->in[i] = i >= 100;
    got = learn_quantify_shares(&items, data->in, level, arena);
    items.stratum = NULL;
    plain = learn_quantify_shares(&items, data->in, level, arena);
    CHECK(got.strata == 1);
    for (int m = LEARN_QUANTIFY_POWERED; m <= LEARN_QUANTIFY_PLAIN; m++)
        CHECK(memcmp(got.of[m], plain.of[m], CLASSES * sizeof **got.of) == 0);
    tap_case("a stratum without labels: labels do not tell its share");
    items.stratum = stratum;
    for (size_t i = 300; i < ITEMS; i++) {
        stratum[i] = 2;
        data->role[i] = LEARN_QUANTIFY_UNLABELLED;
    }
    got = learn_quantify_shares(&items, NULL, level, arena);
    CHECK(got.unknown == 100);
    CHECK(isnan(got.of[LEARN_QUANTIFY_POWERED][0].estimate) &&
          isnan(got.of[LEARN_QUANTIFY_LABELLED][0].low));
    CHECK(!isnan(got.of[LEARN_QUANTIFY_ADJUSTED][0].estimate) &&
          !isnan(got.of[LEARN_QUANTIFY_PLAIN][0].estimate));
    tap_case("a small one is taken with the largest");
    for (size_t i = 300; i < ITEMS; i++) {
        stratum[i] = i < 304 ? 2 : 1;
        data->role[i] =
            i >= 304 && i % 4 == 0 ? LEARN_QUANTIFY_DRAWN : LEARN_QUANTIFY_UNLABELLED;
    }
    got = learn_quantify_shares(&items, NULL, level, arena);
    CHECK(got.unknown == 0 && got.joined == 4 && got.strata == 2);
    CHECK(!isnan(got.of[LEARN_QUANTIFY_POWERED][0].estimate));
}

static void test_quantify(void)
{
    struct arena arena = {0};
    struct data *data = arena_array(&arena, struct data, 1);

    tap_case("every method says what it assumes");
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        CHECK(learn_quantify_names[m] != NULL &&
              strlen(learn_quantify_assumptions[m]) > 30);
    check_whole(data, &arena);
    check_subset(data, &arena);
    check_chosen(data, &arena);
    check_several(data, &arena);
    check_strata(data, &arena);
    check_silent(data, &arena);
    arena_free(&arena);
}

/* Which strata count by themselves, which are taken together, and what is not known. */

enum { STRATA = 4, ITEMS_MAX = 3000 };

static const struct {
    const char *name;
    size_t items[STRATA], drawn[STRATA];
    size_t count, joined, unknown;
    size_t of[STRATA]; /* 9: it has no item */
} rows[] = {
    {"one", {100}, {10}, 1, 0, 0, {0, 9, 9, 9}},
    {"one without labels", {100}, {0}, 1, 0, 0, {0, 9, 9, 9}},
    {"different rates", {100, 50}, {10, 10}, 2, 0, 0, {0, 1, 9, 9}},
    {"the same rate", {100, 50}, {10, 5}, 1, 0, 0, {0, 0, 9, 9}},
    {"two of three at the same rate",
     {100, 50, 200},
     {10, 10, 20},
     2,
     0,
     0,
     {0, 1, 0, 9}},
    {"a stratum of other sets", {100, 0, 50}, {10, 0, 10}, 2, 0, 0, {0, 9, 1, 9}},
    {"not sampled", {100, 50}, {10, 0}, 2, 0, 50, {0, 1, 9, 9}},
    {"a single label of many", {100, 50}, {10, 1}, 2, 0, 50, {0, 1, 9, 9}},
    {"small: with the largest", {140, 10, 50}, {10, 0, 10}, 2, 10, 0, {0, 0, 1, 9}},
    {"not small: more than 5%", {139, 10, 50}, {10, 0, 10}, 3, 0, 10, {0, 1, 2, 9}},
    {"small, and another is labelled throughout",
     {140, 10, 50},
     {10, 1, 50},
     2,
     10,
     0,
     {0, 0, 1, 9}},
    {"small each, but not together",
     {140, 8, 50, 8},
     {10, 0, 10, 1},
     3,
     0,
     16,
     {0, 2, 1, 2}},
    {"small ones that have two labels",
     {140, 10, 50, 10},
     {10, 1, 10, 1},
     3,
     20,
     0,
     {0, 2, 1, 2}},
    {"nothing is labelled", {100, 50}, {0, 0}, 1, 150, 0, {0, 0, 9, 9}},
    {"no items", {0}, {0}, 0, 0, 0, {9, 9, 9, 9}},
};

static void test_quantify_strata(void)
{
    static uint8_t role[ITEMS_MAX];
    static size_t stratum[ITEMS_MAX], at[ITEMS_MAX];
    struct arena arena = {0};

    for (size_t r = 0; r < ROWS(rows); r++) {
        struct learn_quantify_items items = {
            .role = role, .stratum = stratum, .strata = STRATA};
        tap_case("%s", rows[r].name);
        for (size_t h = 0; h < STRATA; h++)
            for (size_t i = 0; i < rows[r].items[h]; i++) {
                at[items.count] = items.count;
                stratum[items.count] = h;
                role[items.count++] = i < rows[r].drawn[h] ? LEARN_QUANTIFY_DRAWN
                                                           : LEARN_QUANTIFY_UNLABELLED;
            }
        struct learn_quantify_strata got =
            learn_quantify_strata_find(&items, at, items.count, &arena);
        CHECK(got.count == rows[r].count);
        CHECK(got.joined == rows[r].joined && got.unknown == rows[r].unknown);
        size_t sums[STRATA] = {0};
        for (size_t h = 0; h < STRATA; h++) {
            CHECK(got.of[h] == (rows[r].of[h] == 9 ? SIZE_MAX : rows[r].of[h]));
            if (got.of[h] != SIZE_MAX)
                sums[got.of[h]] += rows[r].items[h];
        }
        for (size_t h = 0; h < got.count; h++)
            CHECK(got.items[h] == sums[h]);
    }
    tap_case("without strata all items are one");
    struct learn_quantify_items plain = {.count = 3, .role = role};
    struct learn_quantify_strata got = learn_quantify_strata_find(&plain, at, 3, &arena);
    CHECK(got.count == 1 && got.items[0] == 3);
    arena_free(&arena);
}

/* Prediction-powered means against numpy (tests/vectors/make_quantify.py), and what must
 * hold at the edges. */

static void check_vectors(void)
{
    struct vectors_file vectors = vectors_open_file("tests/vectors/learn_quantify.csv");
    double z = stats_interval_z(0.95);

    while (vectors_next(&vectors, "ppi")) {
        struct stats_values truth = vectors_values(&vectors, "truth"),
                            predicted = vectors_values(&vectors, "predicted"),
                            unlabelled = vectors_values(&vectors, "unlabelled");
        struct learn_quantify_powered got =
            learn_quantify_powered(truth, predicted, unlabelled, 0.95);
        CHECK_NEAR(got.estimate, vectors_number(&vectors, "estimate"), 1e-13);
        CHECK_NEAR(got.lambda, vectors_number(&vectors, "lam"), 1e-13);
        CHECK_NEAR(got.error_beyond, vectors_number(&vectors, "error"), 1e-13);
        CHECK_NEAR(got.estimate - z * got.error_beyond, vectors_number(&vectors, "low"),
                   1e-13);
        CHECK_NEAR(got.estimate + z * got.error_beyond, vectors_number(&vectors, "high"),
                   1e-13);
        CHECK_NEAR(got.low, vectors_number(&vectors, "set_low"), 1e-12);
        CHECK_NEAR(got.high, vectors_number(&vectors, "set_high"), 1e-12);
        CHECK(got.low < got.estimate && got.estimate < got.high);
    }
    vectors_close(&vectors);
}

/* The mean over strata from labels alone, and with predictions. */
static void powered_check_strata(void)
{
    struct vectors_file vectors = vectors_open_file("tests/vectors/learn_quantify.csv");

    while (vectors_next(&vectors, "strata")) {
        struct stats_values sizes = vectors_values(&vectors, "sizes"),
                            labelled = vectors_values(&vectors, "labelled");
        const double *truth = vectors_values(&vectors, "truth").at;
        const double *predicted = vectors_values(&vectors, "predicted").at;
        const double *unlabelled = vectors_values(&vectors, "unlabelled").at;
        struct learn_quantify_stratum strata[3];
        double all = 0, drawn = 0;
        for (size_t h = 0; h < sizes.count; h++) {
            size_t n = (size_t)labelled.at[h], m = (size_t)sizes.at[h] - n;
            strata[h] = (struct learn_quantify_stratum){
                {truth, n}, {predicted, n}, {unlabelled, m}};
            truth += n;
            predicted += n;
            unlabelled += m;
            all += sizes.at[h];
            drawn += labelled.at[h];
        }
        struct learn_quantify_powered alone =
            learn_quantify_powered_strata(strata, sizes.count, false, 0.95);
        CHECK_NEAR(alone.estimate, vectors_number(&vectors, "alone"), 1e-13);
        CHECK_NEAR(alone.error, vectors_number(&vectors, "alone_error"), 1e-13);
        struct learn_quantify_powered powered =
            learn_quantify_powered_strata(strata, sizes.count, true, 0.95);
        CHECK_NEAR(powered.estimate, vectors_number(&vectors, "powered"), 1e-13);
        CHECK_NEAR(powered.lambda * all / (all - drawn),
                   vectors_number(&vectors, "slope"), 1e-13);
        CHECK_NEAR(powered.error, vectors_number(&vectors, "powered_error"), 1e-13);
        CHECK_NEAR(powered.low, vectors_number(&vectors, "low"), 1e-12);
        CHECK_NEAR(powered.high, vectors_number(&vectors, "high"), 1e-12);
        CHECK(powered.high - powered.low < alone.high - alone.low);
        CHECK(powered.low < powered.estimate && powered.estimate < powered.high);
    }
    vectors_close(&vectors);
}

static void check_strata_edges(void)
{
    const double ones[6] = {1, 1, 1, 1, 1, 1}, zeros[94] = {0};
    struct learn_quantify_stratum strata[2] = {{{zeros, 6}, {zeros, 6}, {zeros, 94}},
                                               {{zeros, 6}, {zeros, 6}, {zeros, 4}}};
    struct learn_quantify_powered got =
        learn_quantify_powered_strata(strata, 2, true, 0.95);

    tap_case("no stratum has the class: an interval as wide as its labels allow");
    CHECK(got.estimate == 0 && got.low == 0);
    CHECK(got.high > stats_interval_wilson(0, 12, 0.95).high);
    tap_case("a stratum all of it, another none: not as sure as it looks");
    strata[1].truth.at = ones;
    got = learn_quantify_powered_strata(strata, 2, false, 0.95);
    CHECK_NEAR(got.estimate, 10.0 / 110, 1e-12);
    CHECK(got.error == 0 && got.high > 0.4);
    tap_case("predictions without an error: the truth, whichever posts were drawn");
    for (size_t first = 5; first <= 8; first++) {
        double is[2][40] = {{0}};
        for (size_t i = 0; i < 8; i++)
            is[0][i < first ? i : 32 + i] = is[1][i] = is[1][39 - i] = 1;
        for (size_t h = 0; h < 2; h++)
            strata[h] = (struct learn_quantify_stratum){{is[h], 12 + 8 * h},
                                                        {is[h], 12 + 8 * h},
                                                        {is[h] + 12 + 8 * h, 28 - 8 * h}};
        got = learn_quantify_powered_strata(strata, 2, true, 0.95);
        CHECK_NEAR(got.estimate, 24.0 / 80, 1e-14);
        CHECK_NEAR(got.error, 0, 1e-7);
        CHECK(got.low < got.estimate && got.estimate < got.high);
    }
    tap_case("all are labelled: the count, without an error");
    strata[0] = (struct learn_quantify_stratum){{zeros, 6}, {zeros, 6}, {zeros, 94}};
    strata[1] = (struct learn_quantify_stratum){{ones, 6}, {zeros, 6}, {zeros, 4}};
    strata[0].unlabelled.count = strata[1].unlabelled.count = 0;
    got = learn_quantify_powered_strata(strata, 2, true, 0.95);
    CHECK(got.estimate == 0.5 && got.low == 0.5 && got.high == 0.5);
}

/* Sixteen labels, half of them 1; predictions are as given, others are all `other`. */
static struct learn_quantify_powered powered_of(const double *predicted, double other,
                                                size_t others, double *truth)
{
    static double unlabelled[48];

    for (size_t i = 0; i < 16; i++)
        truth[i] = i % 2 == 0;
    for (size_t i = 0; i < others; i++)
        unlabelled[i] = i % 2 == 0 ? other : 1 - other;
    return learn_quantify_powered((struct stats_values){truth, 16},
                                  (struct stats_values){predicted, 16},
                                  (struct stats_values){unlabelled, others}, 0.95);
}

static void test_quantify_powered(void)
{
    double truth[16], perfect[16], constant[16];
    struct learn_quantify_powered got;

    check_vectors();
    powered_check_strata();
    check_strata_edges();
    for (size_t i = 0; i < 16; i++) {
        perfect[i] = i % 2 == 0;
        constant[i] = 0.3;
    }
    tap_case("all are labelled: the count, without an error");
    got = powered_of(perfect, 0, 0, truth);
    CHECK(got.estimate == 0.5 && got.error == 0 && got.low == 0.5 && got.high == 0.5);
    tap_case("perfect predictions: no error is left in the set itself");
    got = powered_of(perfect, 1, 48, truth);
    CHECK_NEAR(got.lambda, 0.75, 1e-12); /* 48 of 64 */
    CHECK_NEAR(got.error, 0, 1e-9);
    CHECK(got.error_beyond > 0.06);
    tap_case("and yet the interval is not a point: 16 labels do not show perfection");
    CHECK(got.high - got.low > 0.1);
    tap_case("predictions without information: labels alone, for a finite set");
    got = powered_of(constant, 0.3, 48, truth);
    struct stats_interval alone = stats_interval_wilson_finite(8, 16, 64, 0.95);
    CHECK(got.lambda == 0 && got.estimate == 0.5);
    CHECK_NEAR(got.low, alone.low, 1e-12);
    CHECK_NEAR(got.high, alone.high, 1e-12);
    tap_case("the error is that of a sample without replacement");
    CHECK_NEAR(got.error, sqrt(0.25 * 16 / 14 / 16 * 48 / 64), 1e-12);
    tap_case("fewer than 5 of a label: predictions are not used");
    for (size_t i = 0; i < 16; i++)
        truth[i] = perfect[i] = i < 4;
    got = learn_quantify_powered((struct stats_values){truth, 16},
                                 (struct stats_values){perfect, 16},
                                 (struct stats_values){perfect, 16}, 0.95);
    CHECK(got.lambda == 0 && got.estimate == 0.25);
    truth[4] = perfect[4] = 1;
    got = learn_quantify_powered((struct stats_values){truth, 16},
                                 (struct stats_values){perfect, 16},
                                 (struct stats_values){perfect, 16}, 0.95);
    CHECK(got.lambda > 0);
    tap_case("the estimate stays within 0 .. 1");
    for (size_t i = 0; i < 16; i++) {
        truth[i] = i < 5;
        perfect[i] = i < 5;
        constant[i] = -0.4;
    }
    got = learn_quantify_powered((struct stats_values){truth, 16},
                                 (struct stats_values){perfect, 16},
                                 (struct stats_values){constant, 16}, 0.95);
    CHECK(got.estimate == 0 && got.low == 0 && got.high > 0);
    tap_case("two labels say nothing");
    got = learn_quantify_powered((struct stats_values){truth, 2},
                                 (struct stats_values){perfect, 2},
                                 (struct stats_values){constant, 16}, 0.95);
    CHECK(isnan(got.estimate) && isnan(got.low));
    tap_case("an interval set anew follows its estimate");
    got = (struct learn_quantify_powered){.estimate = 0.2, .size = 40};
    learn_quantify_powered_move(&got, 0.25, 0.95);
    CHECK_NEAR(got.low, stats_interval_wilson(10, 40, 0.95).low, 1e-14);
    CHECK_NEAR(got.high, stats_interval_wilson(10, 40, 0.95).high, 1e-14);
    tap_case("without a size it moves along, within 0 .. 1");
    got = (struct learn_quantify_powered){
        .estimate = 0.2, .low = 0.1, .high = 0.4, .size = NAN};
    learn_quantify_powered_move(&got, 0.05, 0.95);
    CHECK(got.estimate == 0.05 && got.low == 0);
    CHECK_NEAR(got.high, 0.25, 1e-14);
}

int main(void)
{
    test_quantify();
    test_quantify_strata();
    test_quantify_powered();
    return tap_done();
}
