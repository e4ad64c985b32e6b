/* Classes that are paths: a level for each part of a path, and what is said of the lowest
 * level summed up for those above. */
#include "learn/hierarchy.h"

#include "base/map.h"
#include "learn/fit.h"

static size_t parts_of(struct str path)
{
    struct str part;
    size_t count = 1;

    while (str_cut(&path, '/', &part))
        count++;
    return count;
}

/* The first `count` parts, or all. */
static struct str prefix_of(struct str path, size_t count)
{
    size_t at = 0;

    for (; at < path.len; at++)
        if (path.ptr[at] == '/' && --count == 0)
            break;
    return str_trim(str_slice(path, 0, at));
}

static struct learn_hierarchy_level level_of(const struct str *names, size_t classes,
                                             size_t parts,
                                             const struct learn_hierarchy_level *above,
                                             struct arena *arena)
{
    struct learn_hierarchy_level level = {0, arena_array(arena, struct str, classes + 1),
                                          arena_array(arena, size_t, classes + 1),
                                          arena_array(arena, size_t, classes + 1)};
    struct map numbers = {.arena = arena};

    for (size_t k = 0; k < classes; k++) {
        struct str name = prefix_of(names[k], parts);
        int64_t *number = map_put(&numbers, name);
        if (*number == 0) {
            level.names[level.count] = name;
            level.parent[level.count] = above != NULL ? above->node_of[k] : 0;
            *number = (int64_t)++level.count;
        }
        level.node_of[k] = (size_t)*number - 1;
    }
    return level;
}

struct learn_hierarchy learn_hierarchy_make(const struct str *names, size_t classes,
                                            struct arena *arena)
{
    struct learn_hierarchy tree = {.classes = classes, .depth = 1};

    for (size_t k = 0; k < classes; k++)
        if (parts_of(names[k]) > tree.depth)
            tree.depth = parts_of(names[k]);
    tree.levels = arena_array(arena, struct learn_hierarchy_level, tree.depth);
    for (size_t l = 0; l < tree.depth; l++)
        tree.levels[l] =
            level_of(names, classes, l + 1, l > 0 ? tree.levels + l - 1 : NULL, arena);
    return tree;
}

struct learn_membership learn_hierarchy_membership(const struct learn_hierarchy *tree,
                                                   size_t level,
                                                   const struct learn_membership *truth,
                                                   struct arena *arena)
{
    const struct learn_hierarchy_level *at = tree->levels + level;
    struct learn_membership out =
        learn_membership_new(truth->items, at->count, truth->several, arena);

    for (size_t i = 0; i < truth->items; i++)
        for (size_t k = 0; k < tree->classes; k++)
            if (learn_membership_has(truth, i, k))
                out.is[i * at->count + at->node_of[k]] = 1;
    return out;
}

void learn_hierarchy_probabilities(const struct learn_hierarchy *tree, size_t level,
                                   bool several, const double *probabilities, double *out)
{
    const struct learn_hierarchy_level *at = tree->levels + level;

    for (size_t node = 0; node < at->count; node++)
        out[node] = 0;
    for (size_t k = 0; k < tree->classes; k++) {
        double *sum = out + at->node_of[k];
        if (!several)
            *sum += probabilities[k];
        else if (probabilities[k] > *sum)
            *sum = probabilities[k];
    }
}

size_t learn_hierarchy_decide(const struct learn_hierarchy *tree, size_t level,
                              enum learn_hierarchy_rule rule, const double *probabilities,
                              double *room)
{
    size_t node = 0;

    if (rule == LEARN_HIERARCHY_FLAT)
        return tree->levels[level]
            .node_of[learn_scorer_best(probabilities, tree->classes)];
    for (size_t l = 0; l <= level; l++) {
        const struct learn_hierarchy_level *at = tree->levels + l;
        size_t best = SIZE_MAX;
        learn_hierarchy_probabilities(tree, l, false, probabilities, room);
        for (size_t below = 0; below < at->count; below++)
            if ((l == 0 || at->parent[below] == node) &&
                (best == SIZE_MAX || room[below] > room[best]))
                best = below;
        node = best;
    }
    return node;
}
