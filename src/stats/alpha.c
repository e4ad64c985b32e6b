/* Krippendorff's alpha and its distances. */
#include <assert.h>
#include <math.h>

#include "stats/agreement.h"

/* Sum of distances over ordered pairs of labels of the item, by its labels less one, and
 * how often each category is in a pair. Returns the number of labels. */
static double add_item(struct agreement_ratings ratings, size_t item,
                       const double *distance, double *used, double *disagreement)
{
    struct agreement_span span = agreement_labels(ratings, item);
    const int32_t *labels = ratings.at + span.begin;
    double given = 0, sum = 0;

    for (size_t r = 0; r < span.count; r++)
        given += labels[r] != AGREEMENT_MISSING;
    if (given < 2)
        return 0;
    for (size_t r = 0; r < span.count; r++) {
        if (labels[r] == AGREEMENT_MISSING)
            continue;
        assert(labels[r] >= 0 && (size_t)labels[r] < ratings.categories);
        used[labels[r]]++;
        for (size_t s = 0; distance != NULL && s < span.count; s++)
            if (s != r && labels[s] != AGREEMENT_MISSING)
                sum +=
                    distance[(size_t)labels[r] * ratings.categories + (size_t)labels[s]];
    }
    *disagreement += sum / (given - 1);
    return given;
}

struct agreement agreement_alpha(struct agreement_ratings ratings, const double *distance,
                                 struct arena *arena)
{
    struct agreement result = {
        NAN, NAN, NAN, NAN, NAN, NAN, 0, NULL, "resample the items for an interval"};
    struct arena_mark mark = arena_mark(arena);
    double *used = arena_array(arena, double, ratings.categories), observed = 0,
           expected = 0, labels = 0;

    for (size_t item = 0; item < ratings.items; item++) {
        double given = add_item(ratings, item, distance, used, &observed);
        labels += given;
        result.items += given > 0;
    }
    for (size_t a = 0; a < ratings.categories; a++)
        for (size_t b = 0; b < ratings.categories; b++)
            expected += used[a] * used[b] * distance[a * ratings.categories + b];
    arena_rewind(arena, mark);
    if (result.items == 0) {
        result.undefined = "no item has two labels";
    } else {
        result.observed = 1 - observed / labels;
        result.expected = 1 - expected / (labels * (labels - 1));
        if (expected == 0)
            result.undefined = "only one category was used";
        else
            result.value = 1 - (labels - 1) * observed / expected;
    }
    if (result.undefined != NULL)
        result.interval_undefined = result.undefined;
    return result;
}

double *agreement_nominal(size_t categories, struct arena *arena)
{
    double *distance = arena_array(arena, double, categories *categories);

    for (size_t i = 0; i < categories * categories; i++)
        distance[i] = i / categories != i % categories;
    return distance;
}

double *agreement_ordinal(struct agreement_ratings ratings, struct arena *arena)
{
    size_t k = ratings.categories;
    double *distance = arena_array(arena, double, k *k), none = 0;
    struct arena_mark mark = arena_mark(arena);
    double *used = arena_array(arena, double, k);

    for (size_t item = 0; item < ratings.items; item++)
        add_item(ratings, item, NULL, used, &none);
    for (size_t a = 0; a < k; a++) {
        double between = used[a] / 2;
        for (size_t b = a + 1; b < k; b++) {
            double apart = between + used[b] / 2;
            distance[a * k + b] = distance[b * k + a] = apart * apart;
            between += used[b];
        }
    }
    arena_rewind(arena, mark);
    return distance;
}

double *agreement_interval(struct values numbers, struct arena *arena)
{
    size_t k = numbers.count;
    double *distance = arena_array(arena, double, k *k);

    for (size_t i = 0; i < k * k; i++) {
        double apart = numbers.at[i / k] - numbers.at[i % k];
        distance[i] = apart * apart;
    }
    return distance;
}

/* Sizes of what two sets share, of what either has, and of each. */
struct overlap {
    int both, either, first, second;
};

static int bits_in(uint64_t word)
{
    int bits = 0;

    for (; word != 0; word &= word - 1)
        bits++;
    return bits;
}

static struct overlap overlap_of(struct agreement_sets sets, size_t a, size_t b)
{
    struct overlap result = {0};

    for (size_t w = 0; w < sets.words; w++) {
        uint64_t x = sets.at[a * sets.words + w], y = sets.at[b * sets.words + w];
        result.both += bits_in(x & y);
        result.either += bits_in(x | y);
        result.first += bits_in(x);
        result.second += bits_in(y);
    }
    return result;
}

static double jaccard(struct overlap overlap)
{
    return overlap.either == 0 ? 1 : (double)overlap.both / overlap.either;
}

/* 1 for equal sets, 2/3 when one is part of the other, 1/3 when each has something of its
 * own, 0 when they share nothing. */
static double monotonicity(struct overlap overlap)
{
    if (overlap.both == overlap.either)
        return 1;
    if (overlap.both == 0)
        return 0;
    return overlap.both == overlap.first || overlap.both == overlap.second ? 2.0 / 3
                                                                           : 1.0 / 3;
}

static double *set_distance(struct agreement_sets sets, bool masi, struct arena *arena)
{
    double *distance = arena_array(arena, double, sets.count *sets.count);

    for (size_t i = 0; i < sets.count * sets.count; i++) {
        struct overlap overlap = overlap_of(sets, i / sets.count, i % sets.count);
        distance[i] = 1 - jaccard(overlap) * (masi ? monotonicity(overlap) : 1);
    }
    return distance;
}

double *agreement_jaccard(struct agreement_sets sets, struct arena *arena)
{
    return set_distance(sets, false, arena);
}

double *agreement_masi(struct agreement_sets sets, struct arena *arena)
{
    return set_distance(sets, true, arena);
}
