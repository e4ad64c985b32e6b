/* Groups are dealt out one by one, large ones first, to the fold that is furthest behind
 * in the group's class. Groups of about a size, less than twice as large, come in random
 * order: by size alone every repetition would deal out the same folds. */
#include "learn/folds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/order.h"

struct learn_fold_items learn_fold_all(size_t count, struct arena *arena)
{
    size_t *at = arena_array(arena, size_t, count + 1);

    for (size_t i = 0; i < count; i++)
        at[i] = i;
    return (struct learn_fold_items){at, count};
}

/* Items of one group: order[begin .. begin + size - 1]. */
struct unit {
    size_t begin, size, class;
    int scale;     /* of its size: 0 is 1, 1 is 2 and 3, 2 is 4 .. 7 */
    uint64_t draw; /* random: the order within a scale */
};

struct keyed {
    size_t group, place; /* place in the list */
};

static int by_group(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;

    return order_then(ORDER_BY(a->group, b->group), ORDER_BY(a->place, b->place));
}

static int by_scale(const void *left, const void *right)
{
    const struct unit *a = left, *b = right;

    return order_then(
        order_then(ORDER_BY(b->scale, a->scale), ORDER_BY(a->draw, b->draw)),
        ORDER_BY(a->begin, b->begin));
}

/* The list as units in dealing order; *members are the places that units refer to. */
static size_t make_units(const struct learn_membership *truth, const size_t *groups,
                         struct learn_fold_items items, struct rng *rng,
                         struct arena *arena, struct unit **units_out,
                         struct keyed **members)
{
    struct keyed *keyed = arena_array(arena, struct keyed, items.count + 1);
    struct unit *units = arena_array(arena, struct unit, items.count + 1);
    size_t count = 0;

    for (size_t i = 0; i < items.count; i++)
        keyed[i] = (struct keyed){groups != NULL ? groups[items.at[i]] : i, i};
    qsort(keyed, items.count, sizeof *keyed, by_group);
    for (size_t i = 0; i < items.count; i++) {
        if (i == 0 || keyed[i].group != keyed[i - 1].group)
            units[count++] = (struct unit){
                .begin = i,
                .class = learn_membership_class(truth, items.at[keyed[i].place]),
                .draw = rng_next(rng)};
        units[count - 1].size++;
    }
    for (size_t u = 0; u < count; u++)
        units[u].scale = ilogb((double)units[u].size);
    qsort(units, count, sizeof *units, by_scale);
    *units_out = units;
    *members = keyed;
    return count;
}

/* Least of the class relative to its share, then least of all, then the first. */
static size_t neediest(const double *of_class, const double *all, const double *shares,
                       size_t folds)
{
    size_t best = 0;

    for (size_t f = 1; f < folds; f++) {
        double mine = of_class[f] / shares[f], theirs = of_class[best] / shares[best];
        if (mine < theirs ||
            (mine == theirs && all[f] / shares[f] < all[best] / shares[best]))
            best = f;
    }
    return best;
}

static const size_t *deal(const struct learn_membership *truth, const size_t *groups,
                          struct learn_fold_items items, const double *shares,
                          size_t folds, struct rng *rng, struct arena *arena)
{
    size_t *fold_of = arena_array(arena, size_t, items.count + 1);
    double *by_class = arena_array(arena, double, (truth->classes + 1) * folds);
    double *all = arena_array(arena, double, folds);
    struct unit *units;
    struct keyed *members;
    size_t count = make_units(truth, groups, items, rng, arena, &units, &members);

    for (size_t u = 0; u < count; u++) {
        double *of_class = by_class + units[u].class * folds;
        size_t fold = neediest(of_class, all, shares, folds);
        of_class[fold] += (double)units[u].size;
        all[fold] += (double)units[u].size;
        for (size_t i = 0; i < units[u].size; i++)
            fold_of[members[units[u].begin + i].place] = fold;
    }
    return fold_of;
}

const size_t *learn_fold_make(const struct learn_membership *truth, const size_t *groups,
                              struct learn_fold_items items, size_t folds,
                              struct rng *rng, struct arena *arena)
{
    double *shares = arena_array(arena, double, folds);

    for (size_t f = 0; f < folds; f++)
        shares[f] = 1;
    return deal(truth, groups, items, shares, folds, rng, arena);
}

struct learn_fold_items learn_fold_take(struct learn_fold_items items,
                                        const size_t *fold_of, size_t fold, bool in,
                                        struct arena *arena)
{
    size_t *at = arena_array(arena, size_t, items.count + 1), count = 0;

    for (size_t i = 0; i < items.count; i++)
        if ((fold_of[i] == fold) == in)
            at[count++] = items.at[i];
    return (struct learn_fold_items){at, count};
}

void learn_fold_hold_out(const struct learn_membership *truth, const size_t *groups,
                         struct learn_fold_items items, double share, struct rng *rng,
                         struct arena *arena, struct learn_fold_items *taken,
                         struct learn_fold_items *left)
{
    double shares[2] = {1 - share, share};
    const size_t *fold_of = deal(truth, groups, items, shares, 2, rng, arena);

    *taken = learn_fold_take(items, fold_of, 1, true, arena);
    *left = learn_fold_take(items, fold_of, 0, true, arena);
}

/* A map from the bytes of a set to its number. */

static struct str key_of(const struct learn_membership *truth, size_t item)
{
    return (struct str){(const char *)truth->is + item * truth->classes, truth->classes};
}

struct learn_powerset learn_powerset_make(const struct learn_membership *truth,
                                          struct learn_fold_items items,
                                          struct arena *arena)
{
    struct learn_powerset sets = {.classes = truth->classes};
    struct map numbers = {.arena = arena};

    sets.has = arena_array(arena, uint8_t, items.count * truth->classes + 1);
    for (size_t i = 0; i < items.count; i++) {
        struct str key = key_of(truth, items.at[i]);
        int64_t *number = map_put(&numbers, key);
        if (*number > 0)
            continue;
        memcpy(sets.has + sets.count * sets.classes, key.ptr, key.len);
        *number = (int64_t)++sets.count;
    }
    return sets;
}

struct learn_membership learn_powerset_truth(const struct learn_powerset *powerset,
                                             const struct learn_membership *truth,
                                             struct arena *arena)
{
    struct learn_membership out =
        learn_membership_new(truth->items, powerset->count, false, arena);
    struct map numbers = {.arena = arena};

    for (size_t s = 0; s < powerset->count; s++)
        *map_put(&numbers, (struct str){(const char *)powerset->has + s * truth->classes,
                                        truth->classes}) = (int64_t)s + 1;
    for (size_t i = 0; i < truth->items; i++) {
        const int64_t *set = map_get(&numbers, key_of(truth, i));
        if (set != NULL)
            out.is[i * out.classes + (size_t)*set - 1] = 1;
    }
    return out;
}

void learn_powerset_classes(const struct learn_powerset *powerset, const double *of_sets,
                            double *probabilities)
{
    size_t classes = powerset->classes;

    memset(probabilities, 0, classes * sizeof *probabilities);
    for (size_t s = 0; s < powerset->count; s++)
        for (size_t k = 0; k < classes; k++)
            if (powerset->has[s * classes + k])
                probabilities[k] += of_sets[s];
}
