/* Ranks with ties. */
#include "stats/rank.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct place {
    double value;
    size_t index;
};

static int by_value(const void *left, const void *right)
{
    const struct place *a = left, *b = right;

    return (a->value > b->value) - (a->value < b->value);
}

struct rank rank_values(struct values values, struct arena *arena)
{
    struct rank rank = {arena_array(arena, double, values.count), values.count, false, 0};
    struct arena_mark mark = arena_mark(arena);
    struct place *places = arena_array(arena, struct place, values.count);

    for (size_t i = 0; i < values.count; i++)
        places[i] = (struct place){values.at[i], i};
    if (values.count > 0)
        qsort(places, values.count, sizeof *places, by_value);
    for (size_t from = 0, to; from < values.count; from = to) {
        double length;
        for (to = from + 1; to < values.count && places[to].value == places[from].value;)
            to++;
        length = (double)(to - from);
        rank.tied = rank.tied || to - from > 1;
        rank.ties += length * length * length - length;
        for (size_t i = from; i < to; i++)
            rank.at[places[i].index] = (double)(from + 1 + to) / 2;
    }
    arena_rewind(arena, mark);
    return rank;
}

struct rank_pairs rank_pairs(struct values a, struct values b, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    double *sizes = arena_array(arena, double, a.count);
    bool *above = arena_array(arena, bool, a.count);
    struct rank_pairs result = {0};
    struct rank rank;

    assert(a.count == b.count);
    for (size_t i = 0; i < a.count; i++) {
        if (a.at[i] != b.at[i]) {
            above[result.count] = a.at[i] > b.at[i];
            sizes[result.count++] = fabs(a.at[i] - b.at[i]);
        }
    }
    rank = rank_values((struct values){sizes, result.count}, arena);
    result.tied = rank.tied;
    result.ties = rank.ties;
    for (size_t i = 0; i < result.count; i++)
        *(above[i] ? &result.above : &result.below) += rank.at[i];
    arena_rewind(arena, mark);
    return result;
}
