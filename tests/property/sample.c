/* What must hold for every size, allocation and draw: shares of inclusion, no item twice,
 * no matter in which order the frame comes, growth that keeps what was drawn. The seeds
 * are fixed, so that the outcome is, too; chi-square bounds leave 1e-5 on either side. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "sample/draw.h"
#include "tests/tap.h"

enum { ITEMS = 50, TAKEN = 10, DRAWS = 20000, TRIALS = 400, STRATA = 4 };

static const struct sample_draw_earlier none = {NULL, 0};

static struct sample_draw drawn(const struct sample_draw_frame *frame,
                                const struct sample_draw_rule *rule,
                                struct sample_draw_earlier earlier, struct arena *arena)
{
    struct err err = {0};
    struct sample_draw out = {0};

    CHECK(sample_draw(frame, rule, earlier, arena, &out, &err));
    return out;
}

/* Pearson's statistic for counts that should all be the same. */
static double chi_square(const int64_t *counts, size_t cells)
{
    double expected = 0, sum = 0;

    for (size_t i = 0; i < cells; i++)
        expected += (double)counts[i] / (double)cells;
    for (size_t i = 0; i < cells; i++)
        sum += pow((double)counts[i] - expected, 2) / expected;
    return sum;
}

static bool within(double x, double low, double high)
{
    return x >= low && x <= high;
}

/* Ids in a row, as dumps have them: the hardest case for numbers made from ids. */
static void number_ids(int64_t *ids, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ids[i] = (int64_t)(i + 1);
}

static void check_shares(void)
{
    struct arena arena = {0};
    int64_t ids[ITEMS], size = TAKEN, included[ITEMS] = {0}, first[ITEMS] = {0};
    struct sample_draw_frame frame = {ITEMS, ids, NULL, NULL};

    number_ids(ids, ITEMS);
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        struct arena_mark mark = arena_mark(&arena);
        struct sample_draw_rule rule = {SAMPLE_DRAW_SIMPLE, seed, 0, 1, &size};
        struct sample_draw draw = drawn(&frame, &rule, none, &arena);
        for (size_t i = 0; i < draw.count; i++)
            included[draw.items[i].id - 1]++;
        first[draw.items[0].id - 1]++;
        arena_rewind(&arena, mark);
    }
    tap_case("simple: each item is included with probability n / N");
    /* Without replacement the counts vary less, by 1 - n/N, and depend on each other. */
    double inclusion = chi_square(included, ITEMS) / (1 - (double)TAKEN / ITEMS);
    CHECK(within(inclusion * (ITEMS - 1) / ITEMS, 17.57, 103.12));
    tap_case("simple: each item comes first equally often");
    CHECK(within(chi_square(first, ITEMS), 17.57, 103.12));
    arena_free(&arena);
}

static void check_subsets(void)
{
    struct arena arena = {0};
    int64_t ids[6], size = 3, subsets[64] = {0}, counts[20];
    struct sample_draw_frame frame = {6, ids, NULL, NULL};
    size_t cells = 0;

    tap_case("simple: every subset is equally likely");
    number_ids(ids, 6);
    for (uint64_t stream = 0; stream < DRAWS; stream++) {
        struct arena_mark mark = arena_mark(&arena);
        struct sample_draw_rule rule = {SAMPLE_DRAW_SIMPLE, 42, stream, 1, &size};
        struct sample_draw draw = drawn(&frame, &rule, none, &arena);
        int subset = 0;
        for (size_t i = 0; i < draw.count; i++)
            subset |= 1 << (draw.items[i].id - 1);
        subsets[subset]++;
        arena_rewind(&arena, mark);
    }
    for (size_t i = 0; i < ROWS(subsets); i++)
        if (subsets[i] > 0 && CHECK(cells < ROWS(counts)))
            counts[cells++] = subsets[i];
    CHECK(cells == 20 && within(chi_square(counts, 20), 2.97, 57.38));
    arena_free(&arena);
}

static void check_strata(void)
{
    struct arena arena = {0};
    int64_t ids[8], sizes[2] = {1, 1}, pairs[16] = {0};
    size_t strata[] = {0, 1, 0, 1, 0, 1, 0, 1};
    struct sample_draw_frame frame = {8, ids, strata, NULL};

    tap_case("stratified: equal shares in each stratum, independent of each other");
    number_ids(ids, 8);
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        struct arena_mark mark = arena_mark(&arena);
        struct sample_draw_rule rule = {SAMPLE_DRAW_SIMPLE, seed, 3, 2, sizes};
        struct sample_draw draw = drawn(&frame, &rule, none, &arena);
        size_t odd = (size_t)(draw.items[0].id - 1) / 2;
        size_t even = (size_t)(draw.items[1].id - 1) / 2;
        CHECK(draw.count == 2 && draw.items[0].stratum == 0 &&
              draw.items[1].stratum == 1);
        pairs[4 * odd + even]++;
        arena_rewind(&arena, mark);
    }
    CHECK(within(chi_square(pairs, 16), 1.70, 50.50));
    arena_free(&arena);
}

static void check_systematic(void)
{
    struct arena arena = {0};
    int64_t ids[ITEMS], size = 7, included[ITEMS] = {0};
    struct sample_draw_frame frame = {ITEMS, ids, NULL, NULL};
    double share = 7.0 / ITEMS, error = sqrt(DRAWS * share * (1 - share));

    tap_case("systematic: steps of 50 / 7, rounded either way");
    number_ids(ids, ITEMS);
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        struct arena_mark mark = arena_mark(&arena);
        struct sample_draw_rule rule = {SAMPLE_DRAW_SYSTEMATIC, seed, 0, 1, &size};
        struct sample_draw draw = drawn(&frame, &rule, none, &arena);
        CHECK(draw.count == 7);
        for (size_t i = 0; i < draw.count; i++)
            included[draw.ascending[i] - 1]++;
        for (size_t i = 1; i < draw.count; i++)
            CHECK(within((double)(draw.ascending[i] - draw.ascending[i - 1]), 7, 8));
        arena_rewind(&arena, mark);
    }
    tap_case("systematic: each item is included with probability n / N");
    for (size_t i = 0; i < ITEMS; i++) /* five standard errors */
        CHECK_NEAR((double)included[i], DRAWS * share, 5 * error);
    arena_free(&arena);
}

/* A random frame, and room for a shuffled copy. */
struct trial {
    size_t count;
    int64_t ids[300], keys[300], sizes[STRATA];
    size_t strata[300];
};

static void make_trial(struct rng *rng, struct trial *trial)
{
    int64_t id = (int64_t)rng_below(rng, 10) - 5;

    trial->count = (size_t)rng_below(rng, ROWS(trial->ids));
    for (size_t i = 0; i < trial->count; i++) {
        id += 1 + (int64_t)rng_below(rng, rng_below(rng, 2) == 0 ? 2 : 100000);
        trial->ids[i] = id;
        trial->keys[i] = (int64_t)rng_below(rng, 20) - 10;
        trial->strata[i] = (size_t)rng_below(rng, STRATA);
    }
    for (size_t s = 0; s < STRATA; s++)
        trial->sizes[s] = (int64_t)rng_below(rng, 100);
}

static void shuffle_trial(struct rng *rng, struct trial *trial)
{
    struct trial old = *trial;
    size_t order[ROWS(old.ids)];

    for (size_t i = 0; i < old.count; i++)
        order[i] = i;
    rng_shuffle(rng, order, old.count, sizeof *order);
    for (size_t i = 0; i < old.count; i++) {
        trial->ids[i] = old.ids[order[i]];
        trial->keys[i] = old.keys[order[i]];
        trial->strata[i] = old.strata[order[i]];
    }
}

static struct sample_draw_frame frame_of(const struct trial *trial)
{
    return (struct sample_draw_frame){trial->count, trial->ids, trial->strata,
                                      trial->keys};
}

static bool same_draw(const struct sample_draw *a, const struct sample_draw *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->items[i].id != b->items[i].id ||
            a->items[i].stratum != b->items[i].stratum)
            return false;
    return true;
}

static int64_t in_stratum(const struct trial *trial, size_t stratum)
{
    int64_t count = 0;

    for (size_t i = 0; i < trial->count; i++)
        count += trial->strata[i] == stratum;
    return count;
}

/* The item is in the frame, in that stratum. */
static bool in_frame(const struct trial *trial, struct sample_draw_item item)
{
    for (size_t i = 0; i < trial->count; i++)
        if (trial->ids[i] == item.id)
            return trial->strata[i] == item.stratum;
    return false;
}

/* Any front part of the list holds each stratum in proportion, to one item. */
static void check_list(const struct trial *trial, const struct sample_draw *draw)
{
    int64_t listed[STRATA] = {0}, wanted[STRATA];
    bool even = true, ascending = true, known = true;

    for (size_t s = 0; s < STRATA; s++) {
        int64_t all = in_stratum(trial, s);
        wanted[s] = trial->sizes[s] < all ? trial->sizes[s] : all;
    }
    for (size_t i = 0; i < draw->count; i++) {
        known = known && in_frame(trial, draw->items[i]);
        ascending = ascending && (i == 0 || draw->ascending[i - 1] < draw->ascending[i]);
        listed[draw->items[i].stratum]++;
        double part = (double)(i + 1) / (double)draw->count;
        for (size_t s = 0; s < STRATA; s++)
            even =
                even && fabs((double)listed[s] - part * (double)wanted[s]) < STRATA / 2.0;
    }
    CHECK(known);
    CHECK(ascending); /* so no item stands twice */
    CHECK(even);
    CHECK(memcmp(listed, wanted, sizeof listed) == 0);
}

static void check_any_frame(void)
{
    static const enum sample_draw_method methods[] = {
        SAMPLE_DRAW_SIMPLE, SAMPLE_DRAW_SYSTEMATIC, SAMPLE_DRAW_TOP};
    struct arena arena = {0};
    struct rng rng = rng_seeded(11);

    for (size_t m = 0; m < ROWS(methods); m++) {
        tap_case("method %zu: right items, evenly listed, whatever the frame's order", m);
        for (uint64_t t = 0; t < TRIALS; t++) {
            struct trial trial;
            make_trial(&rng, &trial);
            struct sample_draw_rule rule = {methods[m], t, 0, STRATA, trial.sizes};
            struct sample_draw_frame frame = frame_of(&trial);
            struct sample_draw draw = drawn(&frame, &rule, none, &arena);
            uint64_t hash = sample_draw_frame_hash(&frame, &arena);
            check_list(&trial, &draw);
            shuffle_trial(&rng, &trial);
            struct sample_draw again = drawn(&frame, &rule, none, &arena);
            CHECK(same_draw(&draw, &again));
            CHECK(hash == sample_draw_frame_hash(&frame, &arena));
            arena_free(&arena);
        }
    }
}

static struct sample_draw_earlier as_earlier(const struct sample_draw *draw,
                                             struct arena *arena)
{
    int64_t *ids = arena_array(arena, int64_t, draw->count + 1);

    for (size_t i = 0; i < draw->count; i++)
        ids[i] = draw->items[i].id;
    return (struct sample_draw_earlier){ids, draw->count};
}

static void check_growth(void)
{
    struct arena arena = {0};
    struct rng rng = rng_seeded(12);

    tap_case("a sample topped up is the larger sample, which begins with it");
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct trial trial;
        make_trial(&rng, &trial);
        int64_t small = (int64_t)rng_below(&rng, 50);
        int64_t large = small + (int64_t)rng_below(&rng, 50);
        enum sample_draw_method method =
            t % 2 == 0 ? SAMPLE_DRAW_SIMPLE : SAMPLE_DRAW_TOP;
        struct sample_draw_frame frame = {trial.count, trial.ids, NULL, trial.keys};
        struct sample_draw_rule few = {method, t, 0, 1, &small},
                                many = {method, t, 0, 1, &large};
        struct sample_draw before = drawn(&frame, &few, none, &arena);
        struct sample_draw at_once = drawn(&frame, &many, none, &arena);
        struct sample_draw topped =
            drawn(&frame, &many, as_earlier(&before, &arena), &arena);
        CHECK(same_draw(&at_once, &topped));
        CHECK(topped.kept == before.count && topped.gone_count == 0);
        for (size_t i = 0; i < before.count; i++)
            CHECK(before.items[i].id == at_once.items[i].id);
        arena_free(&arena);
    }
}

static void check_growth_in_strata(void)
{
    struct arena arena = {0};
    struct rng rng = rng_seeded(13);

    tap_case("with strata, a sample topped up has the larger sample's items");
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct trial trial;
        make_trial(&rng, &trial);
        int64_t small[STRATA];
        for (size_t s = 0; s < STRATA; s++)
            small[s] = (int64_t)rng_below(&rng, (uint64_t)trial.sizes[s] + 1);
        struct sample_draw_frame frame = frame_of(&trial);
        struct sample_draw_rule few = {SAMPLE_DRAW_SIMPLE, t, 0, STRATA, small},
                                many = few;
        many.sizes = trial.sizes;
        struct sample_draw before = drawn(&frame, &few, none, &arena);
        struct sample_draw at_once = drawn(&frame, &many, none, &arena);
        struct sample_draw_earlier earlier = as_earlier(&before, &arena);
        struct sample_draw topped = drawn(&frame, &many, earlier, &arena);
        CHECK(topped.count == at_once.count);
        CHECK(memcmp(topped.ascending, at_once.ascending,
                     topped.count * sizeof *topped.ascending) == 0);
        for (size_t i = 0; i < earlier.count; i++)
            CHECK(topped.items[i].id == earlier.ids[i]);
        arena_free(&arena);
    }
}

static void check_changed_frame(void)
{
    struct arena arena = {0};
    struct rng rng = rng_seeded(14);

    tap_case("a changed frame: who is still there stays, who is not is reported");
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct trial trial;
        make_trial(&rng, &trial);
        int64_t size = 40;
        size_t lost = trial.count / 3;
        struct sample_draw_frame old = {trial.count - trial.count / 4, trial.ids, NULL,
                                        NULL};
        struct sample_draw_frame new = {trial.count - lost, trial.ids + lost, NULL, NULL};
        struct sample_draw_rule rule = {SAMPLE_DRAW_SIMPLE, t, 0, 1, &size};
        struct sample_draw before = drawn(&old, &rule, none, &arena);
        struct sample_draw after =
            drawn(&new, &rule, as_earlier(&before, &arena), &arena);
        size_t kept = 0, gone = 0;
        for (size_t i = 0; i < before.count; i++) {
            if (new.count > 0 && before.items[i].id >= new.ids[0])
                CHECK(after.items[kept++].id == before.items[i].id);
            else
                CHECK(after.gone[gone++] == before.items[i].id);
        }
        CHECK(after.kept == kept && after.gone_count == gone);
        CHECK(after.count == (new.count < 40 ? new.count : 40));
        arena_free(&arena);
    }
}

static void check_size_and_margin(void)
{
    struct rng rng = rng_seeded(15);

    tap_case("a size rounded up keeps the margin, and one item less does not");
    for (int t = 0; t < TRIALS; t++) {
        struct sample_size_rule rule = {
            .confidence = 0.5 + 0.499 * rng_unit(&rng),
            .margin = 0.01 + 0.4 * rng_unit(&rng),
            .share = t % 2 == 0 ? 0 : 0.01 + 0.98 * rng_unit(&rng),
            .categories = (int)rng_below(&rng, 9),
        };
        int64_t frame = 2 + (int64_t)rng_below(&rng, 100000);
        int64_t size = sample_size_needed(&rule, frame);
        CHECK(sample_size_margin(&rule, size, frame) <= rule.margin * (1 + 1e-9));
        if (size > 1)
            CHECK(sample_size_margin(&rule, size - 1, frame) > rule.margin);
    }
}

static int64_t total_of(const int64_t *numbers, size_t count)
{
    int64_t total = 0;

    for (size_t i = 0; i < count; i++)
        total += numbers[i];
    return total;
}

static void check_allocation(void)
{
    struct arena arena = {0};
    struct rng rng = rng_seeded(16);

    tap_case("allocations add up, keep to frames and minimums, and are in proportion");
    for (int t = 0; t < 10 * TRIALS; t++) {
        size_t strata = 1 + (size_t)rng_below(&rng, 8);
        int64_t frames[8], sizes[8], floors = 0;
        struct sample_allocate_rule rule = {
            t % 2 == 0 ? SAMPLE_ALLOCATE_PROPORTIONAL : SAMPLE_ALLOCATE_EQUAL,
            {.kind = SAMPLE_SIZE_BY_COUNT, .count = 1 + (int64_t)rng_below(&rng, 300)},
            t % 3 == 0 ? (int64_t)rng_below(&rng, 20) : 0,
        };
        for (size_t s = 0; s < strata; s++) {
            frames[s] = (int64_t)rng_below(&rng, 100);
            floors += frames[s] < rule.minimum ? frames[s] : rule.minimum;
        }
        int64_t all = total_of(frames, strata), total = sample_size_of(&rule.size, all);
        sample_allocate(&rule, frames, strata, &arena, sizes);
        CHECK(total_of(sizes, strata) == (total > floors ? total : floors));
        for (size_t s = 0; s < strata; s++) {
            double quota =
                (double)total * (double)frames[s] / (double)(all > 0 ? all : 1);
            CHECK(sizes[s] <= frames[s]);
            CHECK(sizes[s] >= rule.minimum || sizes[s] == frames[s]);
            if (rule.method == SAMPLE_ALLOCATE_PROPORTIONAL && rule.minimum == 0)
                CHECK(fabs((double)sizes[s] - quota) < 1);
            for (size_t r = 0; r < s && rule.method == SAMPLE_ALLOCATE_EQUAL; r++)
                CHECK(within((double)(sizes[r] - sizes[s]), 0, 1) ||
                      sizes[r] == frames[r] || sizes[s] == frames[s]);
        }
        arena_free(&arena);
    }
}

int main(void)
{
    check_shares();
    check_subsets();
    check_strata();
    check_systematic();
    check_any_frame();
    check_growth();
    check_growth_in_strata();
    check_changed_frame();
    check_size_and_margin();
    check_allocation();
    return tap_done();
}
