/* 300 simulated studies: do 95% intervals hold the truth of the set in about 95% of the
 * cases? A post is a point in the plane near the centre of its class; the classifier
 * knows the exact densities, but was trained where all classes are equally frequent, so
 * that its count is wrong while its probabilities can be put right. Seeds are fixed: the
 * same numbers come out every time. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "learn/quantify.h"
#include "tests/tap.h"

enum { STUDIES = 300, CLASSES = 3, ITEMS_MAX = 2000 };

struct plan {
    double shares[CLASSES];
    double apart; /* of the centres: how easy it is */
    size_t items, labelled;
    double sure;      /* 1: probabilities are right; more: they are too sure */
    size_t chosen;    /* further labels, of posts that look most like the last class */
    bool as_if_drawn; /* and these are taken for a random sample */
    bool several;     /* classes are independent of each other */
    size_t resamples;
};

struct set {
    uint8_t role[ITEMS_MAX], truth[ITEMS_MAX * CLASSES], said[ITEMS_MAX * CLASSES];
    double probabilities[ITEMS_MAX * CLASSES];
};

/* How often each method's interval held the truth, and how wide it was, over studies and
 * the classes asked for. */
struct found {
    double held[QUANTIFY_METHODS], width[QUANTIFY_METHODS], cases;
};

static void make_single(const struct plan *plan, struct rng *rng, struct set *set,
                        size_t item)
{
    static const double centres[CLASSES][2] = {{0, 0}, {1, 0}, {0.5, 0.866}};
    size_t truth = rng_weighted(rng, plan->shares, CLASSES), best = 0;
    double x = plan->apart * centres[truth][0] + rng_normal(rng), sum = 0;
    double y = plan->apart * centres[truth][1] + rng_normal(rng);
    double *p = set->probabilities + item * CLASSES;

    for (size_t k = 0; k < CLASSES; k++) {
        double dx = x - plan->apart * centres[k][0], dy = y - plan->apart * centres[k][1];
        sum += p[k] = exp(-plan->sure * (dx * dx + dy * dy) / 2);
    }
    for (size_t k = 0; k < CLASSES; k++) {
        p[k] /= sum;
        best = p[k] > p[best] ? k : best;
    }
    set->truth[item * CLASSES + truth] = 1;
    set->said[item * CLASSES + best] = 1;
}

static void make_several(const struct plan *plan, struct rng *rng, struct set *set,
                         size_t item)
{
    for (size_t k = 0; k < CLASSES; k++) {
        bool is = rng_unit(rng) < plan->shares[k];
        double x = (is ? plan->apart : 0) + rng_normal(rng);
        double odds = exp(plan->sure * plan->apart * (x - plan->apart / 2));
        set->truth[item * CLASSES + k] = is;
        set->probabilities[item * CLASSES + k] = odds / (1 + odds);
        set->said[item * CLASSES + k] = odds > 1;
    }
}

/* Labels the posts that look most like the last class. */
static void choose(const struct plan *plan, struct set *set)
{
    for (size_t c = 0; c < plan->chosen; c++) {
        size_t best = plan->items;
        for (size_t i = 0; i < plan->items; i++)
            if (set->role[i] == QUANTIFY_UNLABELLED &&
                (best == plan->items || set->probabilities[i * CLASSES + 2] >
                                            set->probabilities[best * CLASSES + 2]))
                best = i;
        set->role[best] = plan->as_if_drawn ? QUANTIFY_DRAWN : QUANTIFY_CHOSEN;
    }
}

static void simulate(const struct plan *plan, uint64_t seed, struct set *set)
{
    struct rng rng = rng_seeded(seed);
    static uint64_t drawn[ITEMS_MAX];

    memset(set, 0, sizeof *set);
    for (size_t i = 0; i < plan->items; i++)
        (plan->several ? make_several : make_single)(plan, &rng, set, i);
    rng_draw(&rng, plan->items, plan->labelled, drawn);
    for (size_t i = 0; i < plan->labelled; i++)
        set->role[drawn[i]] = QUANTIFY_DRAWN;
    choose(plan, set);
}

static double true_share(const struct plan *plan, const struct set *set, size_t class)
{
    double count = 0;

    for (size_t i = 0; i < plan->items; i++)
        count += set->truth[i * CLASSES + class];
    return count / (double)plan->items;
}

/* Only the class asked for, or all. */
static struct found study(const struct plan *plan, size_t studies, size_t class,
                          struct arena *arena)
{
    const double prior[CLASSES] = {1.0 / 3, 1.0 / 3, 1.0 / 3}, half[] = {0.5, 0.5, 0.5};
    struct set *set = arena_array(arena, struct set, 1);
    struct found found = {0};

    for (uint64_t s = 0; s < studies; s++) {
        struct arena_mark mark = arena_mark(arena);
        simulate(plan, s, set);
        struct quantify_items items = {
            plan->items, CLASSES,   plan->several,      set->role,
            set->truth,  set->said, set->probabilities, plan->several ? half : prior};
        struct quantify got = quantify_shares(
            &items, NULL, (struct quantify_options){0.95, plan->resamples, s}, arena);
        for (size_t k = 0; k < CLASSES; k++) {
            double truth = true_share(plan, set, k);
            if (class < CLASSES && k != class)
                continue;
            found.cases++;
            for (int m = 0; m < QUANTIFY_METHODS; m++) {
                const struct quantify_share *share = got.of[m] + k;
                found.held[m] += share->low <= truth && truth <= share->high;
                found.width[m] += share->high - share->low;
            }
        }
        arena_rewind(arena, mark);
    }
    for (int m = 0; m < QUANTIFY_METHODS; m++) {
        found.held[m] /= found.cases;
        found.width[m] /= found.cases;
    }
    return found;
}

static bool about_95(double share)
{
    return 0.93 <= share && share <= 0.97;
}

int main(void)
{
    static const struct plan usual = {.shares = {0.6, 0.3, 0.1},
                                      .apart = 2,
                                      .items = 1500,
                                      .labelled = 200,
                                      .sure = 1,
                                      .resamples = 100};
    struct arena arena = {0};
    struct plan plan = usual;
    struct found found = study(&plan, STUDIES, CLASSES, &arena);

    for (int m = 0; m < QUANTIFY_METHODS; m++)
        if (m != QUANTIFY_PLAIN) {
            tap_case("300 studies, %s: holds %.1f%%, mean width %.3f", quantify_names[m],
                     100 * found.held[m], found.width[m]);
            CHECK(about_95(found.held[m]));
        }
    tap_case("300 studies, plain count: holds only %.1f%%",
             100 * found.held[QUANTIFY_PLAIN]);
    CHECK(found.held[QUANTIFY_PLAIN] < 0.4);
    tap_case("prediction-powered is narrower than labels alone");
    CHECK(found.width[QUANTIFY_POWERED] < 0.8 * found.width[QUANTIFY_LABELLED]);

    plan.resamples = 0;
    plan.several = true;
    found = study(&plan, STUDIES, CLASSES, &arena);
    tap_case("several labels: holds %.1f%%", 100 * found.held[QUANTIFY_POWERED]);
    CHECK(about_95(found.held[QUANTIFY_POWERED]));

    plan = usual;
    plan.resamples = 0;
    plan.sure = 4;
    found = study(&plan, STUDIES, CLASSES, &arena);
    tap_case("probabilities that are far too sure: holds %.1f%%",
             100 * found.held[QUANTIFY_POWERED]);
    CHECK(about_95(found.held[QUANTIFY_POWERED]));

    plan.apart = 0;
    plan.sure = 1;
    found = study(&plan, STUDIES, CLASSES, &arena);
    tap_case("a classifier that knows nothing: holds %.1f%%, as wide as labels alone",
             100 * found.held[QUANTIFY_POWERED]);
    CHECK(about_95(found.held[QUANTIFY_POWERED]));
    CHECK_NEAR(found.width[QUANTIFY_POWERED], found.width[QUANTIFY_LABELLED], 0.004);

    plan = usual;
    plan.resamples = 0;
    plan.items = 500;
    plan.labelled = 300;
    found = study(&plan, STUDIES, CLASSES, &arena);
    tap_case("most of the set is labelled: holds %.1f%%",
             100 * found.held[QUANTIFY_POWERED]);
    CHECK(about_95(found.held[QUANTIFY_POWERED]));

    plan = (struct plan){.shares = {0.68, 0.3, 0.02},
                         .apart = 3,
                         .items = 2000,
                         .labelled = 300,
                         .sure = 1};
    found = study(&plan, 2 * STUDIES, 2, &arena);
    tap_case("a class of 2%%: holds %.1f%%, width %.4f beside %.4f",
             100 * found.held[QUANTIFY_POWERED], found.width[QUANTIFY_POWERED],
             found.width[QUANTIFY_LABELLED]);
    CHECK(0.93 <= found.held[QUANTIFY_POWERED]);
    CHECK(found.width[QUANTIFY_POWERED] < found.width[QUANTIFY_LABELLED]);

    plan = usual;
    plan.resamples = 0;
    plan.chosen = 100;
    found = study(&plan, STUDIES, CLASSES, &arena);
    tap_case("labels chosen by the classifier are kept apart: holds %.1f%%",
             100 * found.held[QUANTIFY_POWERED]);
    CHECK(about_95(found.held[QUANTIFY_POWERED]));
    plan.as_if_drawn = true;
    found = study(&plan, STUDIES, CLASSES, &arena);
    tap_case("taken for a random sample they break it: labels alone hold %.1f%%",
             100 * found.held[QUANTIFY_LABELLED]);
    CHECK(found.held[QUANTIFY_LABELLED] < 0.85);
    arena_free(&arena);
    return tap_done();
}
