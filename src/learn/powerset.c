/* A map from the bytes of a set to its number. */
#include "learn/powerset.h"

#include <string.h>

#include "base/map.h"

static struct str key_of(const struct membership *truth, size_t item)
{
    return (struct str){(const char *)truth->is + item * truth->classes, truth->classes};
}

struct powerset powerset_make(const struct membership *truth, struct folds_items items,
                              struct arena *arena)
{
    struct powerset sets = {.classes = truth->classes};
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

struct membership powerset_truth(const struct powerset *powerset,
                                 const struct membership *truth, struct arena *arena)
{
    struct membership out = membership_new(truth->items, powerset->count, false, arena);
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

void powerset_classes(const struct powerset *powerset, const double *of_sets,
                      double *probabilities)
{
    size_t classes = powerset->classes;

    memset(probabilities, 0, classes * sizeof *probabilities);
    for (size_t s = 0; s < powerset->count; s++)
        for (size_t k = 0; k < classes; k++)
            if (powerset->has[s * classes + k])
                probabilities[k] += of_sets[s];
}
