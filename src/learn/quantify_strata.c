/* Which strata of a set count by themselves. A mean over strata needs each one's own
 * labels, two at least to show how much they vary. */
#include "learn/quantify_strata.h"

enum { ENOUGH = 2, SMALL = 20 /* one of so many posts at most */ };

struct finding {
    size_t *items, *drawn; /* of each stratum as given */
    size_t all_items, all_drawn;
    struct quantify_strata out;
};

static void count_items(const struct quantify_items *items, const size_t *at,
                        size_t count, struct finding *finding)
{
    for (size_t i = 0; i < count; i++) {
        size_t stratum = items->stratum != NULL ? items->stratum[at[i]] : 0;
        finding->items[stratum]++;
        finding->drawn[stratum] += items->role[at[i]] == QUANTIFY_DRAWN;
        finding->all_drawn += items->role[at[i]] == QUANTIFY_DRAWN;
    }
    finding->all_items = count;
}

static void put(struct finding *finding, size_t stratum, size_t place)
{
    struct quantify_strata *out = &finding->out;

    if (place == out->count)
        out->count++;
    out->of[stratum] = place;
    out->items[place] += finding->items[stratum];
    out->drawn[place] += finding->drawn[stratum];
}

/* The place of strata drawn at the same rate, or a new one. */
static size_t same_rate(const struct finding *finding, size_t stratum)
{
    const struct quantify_strata *out = &finding->out;
    size_t place = 0;

    while (place < out->count && out->drawn[place] * finding->items[stratum] !=
                                     finding->drawn[stratum] * out->items[place])
        place++;
    return place;
}

/* At most 5% of the posts: where their share of a class is 20 points off, that of the
 * whole is one point off. How much of the others is labelled plays no part, else more
 * labels there could make a share undefined. Without any label nothing can be told
 * apart. */
static bool is_small(const struct finding *finding, size_t items)
{
    return items * SMALL <= finding->all_items || finding->all_drawn == 0;
}

static size_t largest(const struct quantify_strata *strata)
{
    size_t best = 0;

    for (size_t h = 1; h < strata->count; h++)
        if (strata->items[h] > strata->items[best])
            best = h;
    return best;
}

/* Small strata with too few labels are one. Where they are too few even so, they are a
 * part of the largest if they are small together, and else not known. */
static void put_small(struct finding *finding, size_t strata)
{
    size_t drawn = 0, items = 0, place = finding->out.count;

    for (size_t h = 0; h < strata; h++)
        if (finding->items[h] > 0 && finding->out.of[h] == SIZE_MAX) {
            drawn += finding->drawn[h];
            items += finding->items[h];
        }
    bool known = drawn >= ENOUGH || is_small(finding, items);
    if (known && drawn < ENOUGH)
        place = largest(&finding->out);
    *(known ? &finding->out.joined : &finding->out.unknown) += items;
    for (size_t h = 0; h < strata; h++)
        if (finding->items[h] > 0 && finding->out.of[h] == SIZE_MAX)
            put(finding, h, place);
}

struct quantify_strata quantify_strata_find(const struct quantify_items *items,
                                            const size_t *at, size_t count,
                                            struct arena *arena)
{
    size_t strata = items->stratum != NULL ? items->strata : 1, used = 0;
    struct finding finding = {.items = arena_array(arena, size_t, strata + 1),
                              .drawn = arena_array(arena, size_t, strata + 1),
                              .out = {.of = arena_array(arena, size_t, strata + 1),
                                      .items = arena_array(arena, size_t, strata + 1),
                                      .drawn = arena_array(arena, size_t, strata + 1)}};

    count_items(items, at, count, &finding);
    for (size_t h = 0; h < strata; h++) {
        finding.out.of[h] = SIZE_MAX;
        used += finding.items[h] > 0;
    }
    for (size_t h = 0; h < strata; h++) {
        if (finding.items[h] == 0)
            continue;
        if (finding.drawn[h] >= ENOUGH || used == 1) {
            put(&finding, h, same_rate(&finding, h));
        } else if (!is_small(&finding, finding.items[h])) {
            finding.out.unknown += finding.items[h];
            put(&finding, h, finding.out.count);
        }
    }
    put_small(&finding, strata);
    return finding.out;
}
