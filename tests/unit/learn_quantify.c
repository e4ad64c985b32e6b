/* Who counts for which share: subsets, labels that were not drawn at random, several
 * labels. The methods by themselves have tests of their own. */
#include "learn/quantify.h"

#include <math.h>
#include <string.h>

#include "tests/tap.h"

enum { ITEMS = 400, CLASSES = 3 };

struct data {
    uint8_t role[ITEMS], truth[ITEMS * CLASSES], said[ITEMS * CLASSES], in[ITEMS];
    double probabilities[ITEMS * CLASSES];
};

static const struct quantify_options options = {0.95, 20, 1};

/* Classes 0, 1, 2 in turn; every fifth prediction is the next class. Every fourth item is
 * labelled. */
static struct quantify_items fill(struct data *data, bool several)
{
    memset(data, 0, sizeof *data);
    for (size_t i = 0; i < ITEMS; i++) {
        size_t truth = i % 3, said = i % 5 == 0 ? (truth + 1) % 3 : truth;
        data->role[i] = i % 4 == 0 ? QUANTIFY_DRAWN : QUANTIFY_UNLABELLED;
        data->truth[i * CLASSES + truth] = 1;
        data->said[i * CLASSES + said] = 1;
        if (several && i % 9 == 0) /* a third of class 0 has class 2 as well */
            data->truth[i * CLASSES + 2] = data->said[i * CLASSES + 2] = 1;
        for (size_t k = 0; k < CLASSES; k++)
            data->probabilities[i * CLASSES + k] =
                data->said[i * CLASSES + k] ? 0.8 : 0.1;
    }
    return (struct quantify_items){
        ITEMS, CLASSES, several, data->role, data->truth, data->said, data->probabilities,
        NULL,  0};
}

static double sum(const struct quantify_share *shares)
{
    return shares[0].estimate + shares[1].estimate + shares[2].estimate;
}

static void check_whole(struct data *data, struct arena *arena)
{
    struct quantify_items items = fill(data, false);
    struct quantify got = quantify_shares(&items, NULL, options, arena);

    tap_case("a whole set");
    CHECK(got.items == ITEMS && got.labelled == 100 && !got.few);
    tap_case("every method has a share, and an interval, near a third");
    for (int m = 0; m < QUANTIFY_METHODS; m++)
        for (size_t k = 0; k < CLASSES; k++) {
            CHECK_NEAR(got.of[m][k].estimate, 1.0 / 3, 0.02);
            CHECK(got.of[m][k].low <= got.of[m][k].estimate &&
                  got.of[m][k].estimate <= got.of[m][k].high);
        }
    tap_case("shares add up to 1");
    for (int m = 0; m < QUANTIFY_METHODS; m++)
        CHECK_NEAR(sum(got.of[m]), 1, 1e-6);
    tap_case("labels alone: 34 of 100, Wilson for a finite set");
    struct interval wilson = interval_wilson_finite(34, 100, ITEMS, 0.95);
    CHECK_NEAR(got.of[QUANTIFY_LABELLED][0].estimate, 0.34, 1e-12);
    CHECK_NEAR(got.of[QUANTIFY_LABELLED][0].low, wilson.low, 1e-12);
    tap_case("predictions make the interval narrower");
    CHECK(got.of[QUANTIFY_POWERED][0].high - got.of[QUANTIFY_POWERED][0].low <
          0.8 * (wilson.high - wilson.low));
    tap_case("all labelled: the truth, and no interval around it");
    for (size_t i = 0; i < ITEMS; i++)
        data->role[i] = QUANTIFY_DRAWN;
    got = quantify_shares(&items, NULL, options, arena);
    for (size_t k = 0; k < CLASSES; k++) {
        const struct quantify_share *share = got.of[QUANTIFY_POWERED] + k;
        CHECK_NEAR(share->estimate, k == 0 ? 134.0 / ITEMS : 133.0 / ITEMS, 1e-12);
        CHECK(share->low == share->estimate && share->high == share->estimate);
    }
}

static void check_subset(struct data *data, struct arena *arena)
{
    struct quantify_items items = fill(data, false);
    struct quantify got;

    for (size_t i = 0; i < ITEMS; i++)
        data->in[i] = i % 3 < 2 && i < 200; /* without class 2 */
    tap_case("a subset: only its own labels say what its shares are");
    got = quantify_shares(&items, data->in, options, arena);
    CHECK(got.items == 134 && got.labelled == 34 && !got.few);
    CHECK_NEAR(got.of[QUANTIFY_LABELLED][2].estimate, 0, 1e-12);
    CHECK_NEAR(got.of[QUANTIFY_POWERED][2].estimate, 0, 0.02);
    CHECK_NEAR(got.of[QUANTIFY_POWERED][0].estimate, 0.5, 0.03);
    tap_case("errors are known from all labels: 2 of 5 predicted 2 are not");
    CHECK(got.of[QUANTIFY_PLAIN][2].estimate > 0.09);
    CHECK(got.of[QUANTIFY_ADJUSTED][2].estimate < 0.02);
    tap_case("fewer than 30 labels are flagged, 30 are not");
    for (size_t i = 0; i < ITEMS; i++)
        data->in[i] = i < 120;
    CHECK(!quantify_shares(&items, data->in, options, arena).few);
    data->in[0] = 0;
    got = quantify_shares(&items, data->in, options, arena);
    CHECK(got.few && got.labelled == 29);
    tap_case("a subset without labels");
    for (size_t i = 0; i < ITEMS; i++)
        data->in[i] = i % 4 == 1;
    got = quantify_shares(&items, data->in, options, arena);
    CHECK(got.few && got.labelled == 0 && got.items == 100);
    CHECK(isnan(got.of[QUANTIFY_POWERED][0].estimate) &&
          isnan(got.of[QUANTIFY_LABELLED][0].low));
    CHECK(!isnan(got.of[QUANTIFY_ADJUSTED][0].estimate));
    tap_case("an empty subset: everything is undefined");
    memset(data->in, 0, sizeof data->in);
    got = quantify_shares(&items, data->in, options, arena);
    CHECK(got.items == 0);
    for (int m = 0; m < QUANTIFY_METHODS; m++)
        CHECK(isnan(got.of[m][0].estimate));
}

static void check_chosen(struct data *data, struct arena *arena)
{
    struct quantify_items items = fill(data, false);
    struct quantify with, without;

    for (size_t i = 1; i < ITEMS; i += 4) /* all of these are said to be of class 0 */
        for (size_t k = 0; k < CLASSES; k++)
            data->truth[i * CLASSES + k] = k == 0;
    without = quantify_shares(&items, NULL, options, arena);
    for (size_t i = 1; i < ITEMS; i += 4)
        data->role[i] = QUANTIFY_CHOSEN;
    with = quantify_shares(&items, NULL, options, arena);
    tap_case("labels that were chosen change no share");
    CHECK(with.labelled == 100);
    for (int m = 0; m < QUANTIFY_METHODS; m++)
        CHECK(memcmp(with.of[m], without.of[m], CLASSES * sizeof **with.of) == 0);
    tap_case("taken for drawn ones they would");
    for (size_t i = 1; i < ITEMS; i += 4)
        data->role[i] = QUANTIFY_DRAWN;
    with = quantify_shares(&items, NULL, options, arena);
    CHECK(with.of[QUANTIFY_POWERED][0].estimate >
          without.of[QUANTIFY_POWERED][0].estimate + 0.1);
}

static void check_several(struct data *data, struct arena *arena)
{
    struct quantify_items items = fill(data, true);
    struct quantify got = quantify_shares(&items, NULL, options, arena);

    tap_case("several labels: shares need not add up to 1");
    for (int m = 0; m < QUANTIFY_METHODS; m++)
        if (m != QUANTIFY_EM)
            CHECK(sum(got.of[m]) > 1.05);
    tap_case("each class is a question of its own");
    CHECK_NEAR(got.of[QUANTIFY_LABELLED][2].estimate, 0.45, 1e-12);
    CHECK_NEAR(got.of[QUANTIFY_POWERED][2].estimate, 0.4475, 0.02);
    CHECK_NEAR(got.of[QUANTIFY_ADJUSTED][2].estimate, 0.4475, 0.02);
    CHECK_NEAR(got.of[QUANTIFY_PROBABLE][2].estimate, 0.4475, 0.02);
    CHECK_NEAR(got.of[QUANTIFY_LABELLED][1].estimate, 0.33, 1e-12);
}

static bool same(const struct quantify *a, const struct quantify *b)
{
    for (int m = 0; m < QUANTIFY_METHODS; m++)
        if (memcmp(a->of[m], b->of[m], CLASSES * sizeof **a->of) != 0)
            return false;
    return true;
}

/* The first 100 items are a stratum; of these every second is labelled, of the others
 * every fourth. */
static void check_strata(struct data *data, struct arena *arena)
{
    static size_t stratum[ITEMS];
    struct quantify_items items = fill(data, false);
    struct quantify plain = quantify_shares(&items, NULL, options, arena), got;

    items.stratum = stratum;
    items.strata = 3;
    tap_case("a single stratum, or strata at the same rate: as without them");
    got = quantify_shares(&items, NULL, options, arena);
    CHECK(got.strata == 1 && same(&got, &plain));
    for (size_t i = 0; i < ITEMS; i++)
        stratum[i] = i < 100 ? 0 : 1;
    got = quantify_shares(&items, NULL, options, arena);
    CHECK(got.strata == 1 && same(&got, &plain));
    tap_case("at different rates: each stratum's share by its posts");
    for (size_t i = 2; i < 100; i += 4)
        data->role[i] = QUANTIFY_DRAWN;
    got = quantify_shares(&items, NULL, options, arena);
    CHECK(got.strata == 2 && got.labelled == 125 && got.joined == 0 && got.unknown == 0);
    /* 17 of 50 and 25 of 75 labels are of class 0. */
    CHECK_NEAR(got.of[QUANTIFY_LABELLED][0].estimate, 0.25 * 17 / 50 + 0.75 * 25 / 75,
               1e-12);
    for (int m = 0; m < QUANTIFY_METHODS; m++) {
        CHECK_NEAR(sum(got.of[m]), 1, 1e-6);
        CHECK_NEAR(got.of[m][0].estimate, 1.0 / 3, 0.03);
    }
    tap_case("a group within one stratum: as if there were no other");
    for (size_t i = 0; i < ITEMS; i++)
        data->in[i] = i >= 100;
    got = quantify_shares(&items, data->in, options, arena);
    items.stratum = NULL;
    plain = quantify_shares(&items, data->in, options, arena);
    CHECK(got.strata == 1);
    for (int m = QUANTIFY_POWERED; m <= QUANTIFY_PLAIN; m++)
        CHECK(memcmp(got.of[m], plain.of[m], CLASSES * sizeof **got.of) == 0);
    tap_case("a stratum without labels: labels do not tell its share");
    items.stratum = stratum;
    for (size_t i = 300; i < ITEMS; i++) {
        stratum[i] = 2;
        data->role[i] = QUANTIFY_UNLABELLED;
    }
    got = quantify_shares(&items, NULL, options, arena);
    CHECK(got.unknown == 100);
    CHECK(isnan(got.of[QUANTIFY_POWERED][0].estimate) &&
          isnan(got.of[QUANTIFY_LABELLED][0].low));
    CHECK(!isnan(got.of[QUANTIFY_ADJUSTED][0].estimate) &&
          !isnan(got.of[QUANTIFY_PLAIN][0].estimate));
    tap_case("a small one is taken with the largest");
    for (size_t i = 300; i < ITEMS; i++) {
        stratum[i] = i < 304 ? 2 : 1;
        data->role[i] = i >= 304 && i % 4 == 0 ? QUANTIFY_DRAWN : QUANTIFY_UNLABELLED;
    }
    got = quantify_shares(&items, NULL, options, arena);
    CHECK(got.unknown == 0 && got.joined == 4 && got.strata == 2);
    CHECK(!isnan(got.of[QUANTIFY_POWERED][0].estimate));
}

int main(void)
{
    struct arena arena = {0};
    struct data *data = arena_array(&arena, struct data, 1);

    tap_case("every method says what it assumes");
    for (int m = 0; m < QUANTIFY_METHODS; m++)
        CHECK(quantify_names[m] != NULL && strlen(quantify_assumptions[m]) > 30);
    check_whole(data, &arena);
    check_subset(data, &arena);
    check_chosen(data, &arena);
    check_several(data, &arena);
    check_strata(data, &arena);
    arena_free(&arena);
    return tap_done();
}
