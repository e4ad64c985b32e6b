/* Simulated studies: do 95% intervals hold the truth of the set in about 95% of the
 * cases? A post is a point in the plane near the centre of its class; the classifier
 * knows the exact densities, but was trained where all classes are equally frequent, so
 * that its count is wrong while its probabilities can be put right. Seeds are fixed: the
 * same numbers come out every time. ASSAY_LONG=1 takes three times as many and is
 * stricter. With a number as its argument it writes a table instead: of so many studies
 * of rare classes, how often there was an interval and how often it held (docs/quality.md;
 * tools/coverage rare). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "learn/quantify.h"
#include "tests/tap.h"

enum { CLASSES = 3, CLASSES_MAX = 7, ITEMS_MAX = 2000 };

static size_t classes = CLASSES; /* but for rare ones of more, or of two */

static uint64_t studies = 100;
static double slack =
    0.035; /* of the share of intervals that hold: some 2.5 errors of it */

struct plan {
    double shares[CLASSES_MAX];
    double apart; /* of the centres: how easy it is */
    size_t items, labelled;
    double sure;         /* 1: probabilities are right; more: they are too sure */
    bool informed;       /* the classifier learned where shares are those of the set */
    size_t chosen;       /* further labels, of posts that look most like the last class */
    bool as_if_drawn;    /* and these are taken for a random sample */
    bool several;        /* classes are independent of each other */
    const double *other; /* shares in a second stratum, every fifth post, where posts look
                            different; half of the labels are from it. NULL: none */
    bool unaware;        /* of the strata */
    bool silent; /* nothing is predicted for a tenth of the first class, a fifth of
                    the second, three tenths of the last */
    uint64_t first_seed;
    bool elsewhere; /* the second stratum is no part of the set, all labels are from
                       it, and posts of a class look alike */
};

struct set {
    size_t stratum[ITEMS_MAX];
    uint8_t in[ITEMS_MAX], role[ITEMS_MAX], truth[ITEMS_MAX * CLASSES_MAX],
        said[ITEMS_MAX * CLASSES_MAX], silent[ITEMS_MAX];
    double probabilities[ITEMS_MAX * CLASSES_MAX];
};

/* How often each method's interval held the truth, and how wide it was, over studies and
 * the classes asked for; told: in so many cases there was one. */
struct found {
    double held[LEARN_QUANTIFY_METHODS], width[LEARN_QUANTIFY_METHODS];
    double told[LEARN_QUANTIFY_METHODS];
};

/* Of three classes each is as far from the others in the plane; of any other number along
 * an axis of its own. */
static double centre(const struct plan *plan, size_t class, size_t axis)
{
    static const double centres[CLASSES][2] = {{0, 0}, {1, 0}, {0.5, 0.866}};

    if (classes == CLASSES)
        return plan->apart * centres[class][axis];
    return class == axis ? plan->apart / sqrt(2) : 0;
}

static void make_single(const struct plan *plan, struct rng *rng, struct set *set,
                        size_t item)
{
    bool other = set->stratum[item] == 1;
    size_t truth = rng_weighted(rng, other ? plan->other : plan->shares, classes);
    size_t best = 0, axes = classes == CLASSES ? 2 : classes;
    double at[CLASSES_MAX], sum = 0, *p = set->probabilities + item * classes;

    for (size_t a = 0; a < axes; a++)
        at[a] = centre(plan, truth, a) + rng_normal(rng) +
                (a == 0 && other && !plan->elsewhere ? 0.7 : 0);
    for (size_t k = 0; k < classes; k++) {
        double squares = 0;
        for (size_t a = 0; a < axes; a++)
            squares += pow(at[a] - centre(plan, k, a), 2);
        sum += p[k] =
            exp(-plan->sure * squares / 2) * (plan->informed ? plan->shares[k] : 1);
    }
    for (size_t k = 0; k < classes; k++) {
        p[k] /= sum;
        best = p[k] > p[best] ? k : best;
    }
    set->truth[item * classes + truth] = 1;
    set->said[item * classes + best] = 1;
}

static void make_several(const struct plan *plan, struct rng *rng, struct set *set,
                         size_t item)
{
    for (size_t k = 0; k < classes; k++) {
        bool is = rng_unit(rng) < plan->shares[k];
        double x = (is ? plan->apart : 0) + rng_normal(rng);
        double odds = exp(plan->sure * plan->apart * (x - plan->apart / 2));
        set->truth[item * classes + k] = is;
        set->probabilities[item * classes + k] = odds / (1 + odds);
        set->said[item * classes + k] = odds > 1;
    }
}

static void take_back(struct rng *rng, struct set *set, size_t item)
{
    size_t truth = set->truth[item * classes]       ? 0
                   : set->truth[item * classes + 1] ? 1
                                                    : 2;

    set->silent[item] = rng_unit(rng) < 0.1 * (double)(truth + 1);
    for (size_t k = 0; k < classes && set->silent[item]; k++)
        set->probabilities[item * classes + k] = set->said[item * classes + k] = 0;
}

/* Labels the posts that look most like the last class. */
static void choose(const struct plan *plan, struct set *set)
{
    for (size_t c = 0; c < plan->chosen; c++) {
        size_t best = plan->items;
        for (size_t i = 0; i < plan->items; i++)
            if (set->role[i] == LEARN_QUANTIFY_UNLABELLED &&
                (best == plan->items || set->probabilities[i * classes + 2] >
                                            set->probabilities[best * classes + 2]))
                best = i;
        set->role[best] =
            plan->as_if_drawn ? LEARN_QUANTIFY_DRAWN : LEARN_QUANTIFY_CHOSEN;
    }
}

/* Every fifth post is of the second stratum, if there is one. */
static void label_strata(const struct plan *plan, struct rng *rng, struct set *set)
{
    static uint64_t drawn[ITEMS_MAX];
    size_t fifth = plan->items / 5, first = plan->elsewhere ? 0 : plan->labelled / 2;

    rng_draw(rng, plan->items - fifth, first, drawn);
    for (size_t i = 0; i < first; i++)
        set->role[drawn[i] / 4 * 5 + drawn[i] % 4 + 1] = LEARN_QUANTIFY_DRAWN;
    rng_draw(rng, fifth, plan->labelled - first, drawn);
    for (size_t i = 0; i < plan->labelled - first; i++)
        set->role[drawn[i] * 5] = LEARN_QUANTIFY_DRAWN;
}

static void label_at_random(const struct plan *plan, struct rng *rng, struct set *set)
{
    static uint64_t drawn[ITEMS_MAX];

    rng_draw(rng, plan->items, plan->labelled, drawn);
    for (size_t i = 0; i < plan->labelled; i++)
        set->role[drawn[i]] = LEARN_QUANTIFY_DRAWN;
}

static void simulate(const struct plan *plan, uint64_t seed, struct set *set)
{
    struct rng rng = rng_seeded(seed);

    memset(set, 0, sizeof *set);
    for (size_t i = 0; i < plan->items; i++) {
        set->stratum[i] = plan->other != NULL && i % 5 == 0;
        set->in[i] = !plan->elsewhere || set->stratum[i] == 0;
        (plan->several ? make_several : make_single)(plan, &rng, set, i);
        if (plan->silent)
            take_back(&rng, set, i);
    }
    (plan->other != NULL ? label_strata : label_at_random)(plan, &rng, set);
    choose(plan, set);
}

static double true_share(const struct plan *plan, const struct set *set, size_t class)
{
    double count = 0, all = 0;

    for (size_t i = 0; i < plan->items; i++) {
        count += set->in[i] && set->truth[i * classes + class];
        all += set->in[i];
    }
    return count / all;
}

/* Sums of each class. */
static void study_each(const struct plan *plan, uint64_t count, struct arena *arena,
                       struct found found[CLASSES_MAX])
{
    struct set *set = arena_array(arena, struct set, 1);

    memset(found, 0, CLASSES_MAX * sizeof *found);

    for (uint64_t s = 0; s < count; s++) {
        struct arena_mark mark = arena_mark(arena);
        simulate(plan, plan->first_seed + s, set);
        struct learn_quantify_items items = {
            plan->items,
            classes,
            plan->several,
            set->role,
            set->truth,
            set->said,
            set->probabilities,
            plan->unaware || plan->elsewhere ? NULL : set->stratum,
            2,
            set->silent};
        struct learn_quantify got = learn_quantify_shares(&items, set->in, 0.95, arena);
        for (size_t k = 0; k < classes; k++) {
            double truth = true_share(plan, set, k);
            for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++) {
                const struct learn_quantify_share *share = got.of[m] + k;
                if (isnan(share->low))
                    continue;
                found[k].told[m]++;
                found[k].held[m] += share->low <= truth && truth <= share->high;
                found[k].width[m] += share->high - share->low;
            }
        }
        arena_rewind(arena, mark);
    }
}

/* Only the class asked for, or all. */
static struct found study(const struct plan *plan, uint64_t count, size_t class,
                          struct arena *arena)
{
    struct found each[CLASSES_MAX], found = {0};

    study_each(plan, count, arena, each);
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++) {
        for (size_t k = 0; k < classes; k++)
            if (class == SIZE_MAX || k == class) {
                found.told[m] += each[k].told[m];
                found.held[m] += each[k].held[m];
                found.width[m] += each[k].width[m];
            }
        found.held[m] /= found.told[m];
        found.width[m] /= found.told[m];
    }
    return found;
}

static bool about_95(double share)
{
    return 0.95 - slack <= share && share <= 0.95 + slack;
}

/* Anything: few items, strata without labels, classes without items, probabilities of 0
 * and 1. */
static struct learn_quantify_items make_anything(struct rng *rng, struct set *set)
{
    struct learn_quantify_items items = {.count = rng_below(rng, 40),
                                         .classes = 2 + rng_below(rng, classes - 1),
                                         .several = rng_below(rng, 2) == 0,
                                         .role = set->role,
                                         .truth = set->truth,
                                         .said = set->said,
                                         .probabilities = set->probabilities,
                                         .stratum =
                                             rng_below(rng, 3) > 0 ? set->stratum : NULL,
                                         .strata = 1 + rng_below(rng, 5),
                                         .silent = set->silent};
    uint64_t rate = 1 + rng_below(rng, 4);

    memset(set, 0, sizeof *set);
    for (size_t i = 0; i < items.count; i++) {
        double *p = set->probabilities + i * items.classes;
        set->in[i] = rng_below(rng, 4) > 0;
        set->stratum[i] = rng_below(rng, items.strata);
        set->role[i] = rng_below(rng, rate + set->stratum[i]) == 0
                           ? LEARN_QUANTIFY_DRAWN
                           : (uint8_t)(rng_below(rng, 2) * LEARN_QUANTIFY_CHOSEN);
        set->truth[i * items.classes + rng_below(rng, items.classes)] = 1;
        set->said[i * items.classes + rng_below(rng, items.classes)] = 1;
        p[0] = rng_below(rng, 3) == 0 ? (double)rng_below(rng, 2) : rng_unit(rng);
        p[1] = 1 - p[0];
        set->silent[i] = rng_below(rng, 5) == 0;
        if (set->silent[i]) {
            memset(set->said + i * items.classes, 0, items.classes);
            p[0] = p[1] = 0;
        }
    }
    return items;
}

static void check_anything(struct arena *arena)
{
    struct set *set = arena_array(arena, struct set, 1);

    tap_case("whatever the data: shares of 0 .. 1 within their intervals, or undefined");
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct arena_mark mark = arena_mark(arena);
        struct rng rng = rng_seeded(seed);
        struct learn_quantify_items items = make_anything(&rng, set);
        struct learn_quantify got = learn_quantify_shares(&items, set->in, 0.95, arena);
        for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++)
            for (size_t k = 0; k < items.classes; k++) {
                struct learn_quantify_share it = got.of[m][k];
                CHECK(isnan(it.estimate) || (it.estimate >= 0 && it.estimate <= 1));
                CHECK(isnan(it.low) == isnan(it.high));
                CHECK(isnan(it.low) || (it.low >= 0 && it.low <= it.estimate + 1e-12 &&
                                        it.estimate <= it.high + 1e-12 && it.high <= 1));
            }
        arena_rewind(arena, mark);
    }
}

/* Rare classes, easy and hard ones, by classifiers that know how rare they are or not.
 * The last class has the share asked for; of the rest each class has 0.7 of the one
 * before it, or 60% where there are three. Seeds are those that no test uses. */
static void tabulate_rare(uint64_t count, struct arena *arena)
{
    static const struct rare_setting {
        size_t classes;
        double share, apart, sure;
        size_t items, labelled;
        bool informed, elsewhere;
    } settings[] = {
        {3, 0.03, 1.5, 1, 1000, 200, false, false},
        {3, 0.03, 2.5, 1, 1000, 200, false, false},
        {3, 0.03, 1.5, 2, 1000, 200, false, false},
        {3, 0.03, 1.5, 1.5, 1000, 200, true, false},
        {3, 0.03, 1.5, 1.5, 1500, 400, true, false},
        {3, 0.03, 2.5, 1, 1500, 400, true, false},
        {3, 0.07, 1.5, 1, 1000, 200, false, false},
        {3, 0.03, 1, 1, 1000, 200, false, false},
        {2, 0.02, 2.5, 1, 2000, 400, false, false},
        {2, 0.04, 1.6, 1, 900, 250, false, false},
        {2, 0.08, 1.4, 2, 1000, 150, true, false},
        {4, 0.03, 2, 1, 1800, 300, false, false},
        {4, 0.05, 1.8, 0.7, 1000, 250, true, false},
        {5, 0.03, 2.6, 1, 1600, 350, true, false},
        {7, 0.06, 2.4, 1.5, 2000, 400, false, false},
        {7, 0.03, 3.2, 1, 1500, 300, true, false},
        {3, 0.05, 1.8, 1, 2000, 250, false, true},
        {5, 0.04, 2.3, 1.5, 2000, 400, true, true},
    };

    printf(
        "| classes | posts, labels | apart | too sure | learned from | share | adjusted "
        "count | probabilistic | EM | prediction-powered "
        "|\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t s = 0; s < ROWS_OF(settings); s++) {
        const struct rare_setting *it = settings + s;
        double other[CLASSES_MAX], rest = 0;
        struct plan plan = {.apart = it->apart,
                            .items = it->items,
                            .labelled = it->labelled,
                            .sure = it->sure,
                            .informed = it->informed,
                            .elsewhere = it->elsewhere,
                            .first_seed = 1000000,
                            .other = it->elsewhere ? other : NULL};
        struct found each[CLASSES_MAX];
        classes = it->classes;
        for (size_t k = 0; k < classes; k++) {
            other[k] = 1 / (double)classes;
            rest += plan.shares[k] = k + 1 < classes ? pow(0.7, (double)k) : 0;
        }
        for (size_t k = 0; k < classes; k++)
            plan.shares[k] *= (1 - it->share) / rest;
        plan.shares[classes - 1] = it->share;
        if (classes == CLASSES) {
            plan.shares[0] = 0.6;
            plan.shares[1] = 0.4 - it->share;
        }
        study_each(&plan, count, arena, each);
        for (size_t k = classes; k-- > 0;) {
            const struct found *found = each + k;
            if (k > 1 && k + 1 < classes)
                continue; /* of many, the rare one and two frequent ones */
            printf("| %zu | %zu, %zu%s | %g | %g | %s shares | %.3g%%", classes,
                   it->items, it->labelled, it->elsewhere ? " elsewhere" : "", it->apart,
                   it->sure, it->informed ? "the set's" : "equal", 100 * plan.shares[k]);
            for (int m = LEARN_QUANTIFY_ADJUSTED; m <= LEARN_QUANTIFY_METHODS; m++) {
                int method = m == LEARN_QUANTIFY_METHODS ? LEARN_QUANTIFY_POWERED : m;
                if (found->told[method] > 0)
                    printf(" | %.1f%% (%.0f%%)",
                           100 * found->held[method] / found->told[method],
                           100 * found->told[method] / (double)count);
                else
                    printf(" | -");
            }
            printf(" |\n");
            fflush(stdout);
        }
    }
    classes = CLASSES;
}

int main(int argc, char **argv)
{
    static const struct plan usual = {
        .shares = {0.6, 0.3, 0.1}, .apart = 2, .items = 1000, .labelled = 200, .sure = 1};
    struct arena arena = {0};
    struct plan plan = usual;

    if (argc > 1) {
        tabulate_rare(strtoull(argv[1], NULL, 10), &arena);
        arena_free(&arena);
        return 0;
    }
    if (getenv("ASSAY_LONG") != NULL && strcmp(getenv("ASSAY_LONG"), "1") == 0) {
        studies = 300;
        slack = 0.02;
    }
    struct found found = study(&plan, studies, SIZE_MAX, &arena);

    check_anything(&arena);
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        if (m != LEARN_QUANTIFY_PLAIN) {
            tap_case("%s: holds %.1f%%, mean width %.3f", learn_quantify_names[m],
                     100 * found.held[m], found.width[m]);
            CHECK(about_95(found.held[m]));
        }
    tap_case("plain count: holds only %.1f%%", 100 * found.held[LEARN_QUANTIFY_PLAIN]);
    CHECK(found.held[LEARN_QUANTIFY_PLAIN] < 0.4);
    tap_case("prediction-powered is narrower than labels alone");
    CHECK(found.width[LEARN_QUANTIFY_POWERED] <
          0.8 * found.width[LEARN_QUANTIFY_LABELLED]);

    plan.silent = true;
    found = study(&plan, studies, SIZE_MAX, &arena);
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        if (m != LEARN_QUANTIFY_PLAIN) {
            tap_case("items without a prediction, %s: holds %.1f%%, mean width %.3f",
                     learn_quantify_names[m], 100 * found.held[m], found.width[m]);
            CHECK(about_95(found.held[m]));
        }

    plan = usual;
    plan.shares[2] = 0.03;
    plan.apart = 1.5;
    found = study(&plan, 4 * studies, 2, &arena);
    for (int m = LEARN_QUANTIFY_ADJUSTED; m <= LEARN_QUANTIFY_EM; m++) {
        tap_case("a class of 3%%, %s: often refused, told in %.0f, holds %.1f%%",
                 learn_quantify_names[m], found.told[m], 100 * found.held[m]);
        CHECK(found.told[m] > 0 && found.told[m] < 2.5 * (double)studies);
        /* By two and a half errors of what so many should hold. */
        CHECK(found.held[m] > 0.95 - 2.5 * sqrt(0.95 * 0.05 / found.told[m]));
    }
    plan.apart = 2.5;
    found = study(&plan, 4 * studies, 2, &arena);
    for (int m = LEARN_QUANTIFY_ADJUSTED; m <= LEARN_QUANTIFY_PROBABLE; m++) {
        tap_case("one that is easier to tell, %s: told in %.0f, holds %.1f%%",
                 learn_quantify_names[m], found.told[m], 100 * found.held[m]);
        CHECK(found.told[m] > 2 * (double)studies && about_95(found.held[m]));
    }

    plan = usual;
    plan.several = true;
    found = study(&plan, studies, SIZE_MAX, &arena);
    tap_case("several labels: holds %.1f%%", 100 * found.held[LEARN_QUANTIFY_POWERED]);
    CHECK(about_95(found.held[LEARN_QUANTIFY_POWERED]));

    plan = usual;
    plan.sure = 4;
    found = study(&plan, studies, SIZE_MAX, &arena);
    tap_case("probabilities that are far too sure: holds %.1f%%",
             100 * found.held[LEARN_QUANTIFY_POWERED]);
    CHECK(about_95(found.held[LEARN_QUANTIFY_POWERED]));

    plan.apart = 0;
    plan.sure = 1;
    found = study(&plan, studies, SIZE_MAX, &arena);
    tap_case("a classifier that knows nothing: holds %.1f%%, as wide as labels alone",
             100 * found.held[LEARN_QUANTIFY_POWERED]);
    CHECK(about_95(found.held[LEARN_QUANTIFY_POWERED]));
    CHECK_NEAR(found.width[LEARN_QUANTIFY_POWERED], found.width[LEARN_QUANTIFY_LABELLED],
               0.004);

    plan = usual;
    plan.items = 500;
    plan.labelled = 300;
    found = study(&plan, studies, SIZE_MAX, &arena);
    tap_case("most of the set is labelled: holds %.1f%%",
             100 * found.held[LEARN_QUANTIFY_POWERED]);
    CHECK(about_95(found.held[LEARN_QUANTIFY_POWERED]));

    plan = (struct plan){.shares = {0.68, 0.3, 0.02},
                         .apart = 3,
                         .items = 2000,
                         .labelled = 300,
                         .sure = 1};
    found = study(&plan, 2 * studies, 2, &arena);
    tap_case("a class of 2%%: holds %.1f%%, width %.4f beside %.4f",
             100 * found.held[LEARN_QUANTIFY_POWERED],
             found.width[LEARN_QUANTIFY_POWERED], found.width[LEARN_QUANTIFY_LABELLED]);
    CHECK(0.95 - slack <= found.held[LEARN_QUANTIFY_POWERED]);
    CHECK(found.width[LEARN_QUANTIFY_POWERED] < found.width[LEARN_QUANTIFY_LABELLED]);

    plan = usual;
    plan.other = (const double[]){0.15, 0.25, 0.6};
    found = study(&plan, studies, SIZE_MAX, &arena);
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        if (m != LEARN_QUANTIFY_PLAIN) {
            tap_case("strata at rates of 1 and 4, %s: holds %.1f%%, mean width %.3f",
                     learn_quantify_names[m], 100 * found.held[m], found.width[m]);
            /* Resamples of a matrix that is hard to invert vary more than samples do. */
            CHECK(0.95 - slack <= found.held[m] &&
                  found.held[m] <=
                      0.95 + slack + (m == LEARN_QUANTIFY_ADJUSTED ? 0.01 : 0));
        }
    plan.unaware = true;
    found = study(&plan, studies, SIZE_MAX, &arena);
    tap_case("taken for a simple sample: labels alone hold %.1f%%, powered %.1f%%",
             100 * found.held[LEARN_QUANTIFY_LABELLED],
             100 * found.held[LEARN_QUANTIFY_POWERED]);
    CHECK(found.held[LEARN_QUANTIFY_LABELLED] < 0.5 &&
          found.held[LEARN_QUANTIFY_POWERED] < 0.8);
    plan = (struct plan){.shares = {0.92, 0.05, 0.03},
                         .other = (const double[]){0.2, 0.3, 0.5},
                         .apart = 2,
                         .items = 2000,
                         .labelled = 80,
                         .sure = 1};
    found = study(&plan, 2 * studies, 2, &arena);
    tap_case("few labels, rare in one stratum, not in the other: labels alone hold "
             "%.1f%%, powered %.1f%%",
             100 * found.held[LEARN_QUANTIFY_LABELLED],
             100 * found.held[LEARN_QUANTIFY_POWERED]);
    CHECK(0.95 - slack <= found.held[LEARN_QUANTIFY_LABELLED] &&
          0.95 - slack <= found.held[LEARN_QUANTIFY_POWERED]);

    plan = usual;
    plan.other = (const double[]){0.2, 0.3, 0.5};
    plan.elsewhere = true;
    found = study(&plan, studies, SIZE_MAX, &arena);
    for (int m = LEARN_QUANTIFY_ADJUSTED; m <= LEARN_QUANTIFY_EM; m++) {
        tap_case("labels from where shares are others, %s: holds %.1f%%, mean width %.3f",
                 learn_quantify_names[m], 100 * found.held[m], found.width[m]);
        CHECK(0.93 - slack <= found.held[m] && found.held[m] <= 0.96 + slack);
    }

    plan = usual;
    plan.chosen = 100;
    found = study(&plan, studies, SIZE_MAX, &arena);
    tap_case("labels chosen by the classifier are kept apart: holds %.1f%%",
             100 * found.held[LEARN_QUANTIFY_POWERED]);
    CHECK(about_95(found.held[LEARN_QUANTIFY_POWERED]));
    plan.as_if_drawn = true;
    found = study(&plan, studies, SIZE_MAX, &arena);
    tap_case("taken for a random sample they break it: labels alone hold %.1f%%",
             100 * found.held[LEARN_QUANTIFY_LABELLED]);
    CHECK(found.held[LEARN_QUANTIFY_LABELLED] < 0.85);
    arena_free(&arena);
    return tap_done();
}
