/* Classes that are paths: how well each level is classified. */
#include "cmd/classify.h"

#include <string.h>

#include "learn/hierarchy.h"

enum hierarchy_rule classify_rule(const struct classify_args *args)
{
    return args->hierarchy != NULL && strcmp(args->hierarchy, "top-down") == 0
               ? HIERARCHY_TOP_DOWN
               : HIERARCHY_FLAT;
}

bool classify_check_levels(const struct hierarchy *tree, bool several,
                           const struct classify_args *args, struct err *err)
{
    if (args->hierarchy != NULL && tree->depth == 1)
        return err_set(err, ERR_INPUT,
                       "--hierarchy needs classes that are paths, such as "
                       "'data/parsing'; here no class has a '/'");
    if ((size_t)args->level > tree->depth)
        return err_set(err, ERR_INPUT,
                       "--level is %lld, but the classes have %zu level%s",
                       (long long)args->level, tree->depth, tree->depth == 1 ? "" : "s");
    if (several && classify_rule(args) == HIERARCHY_TOP_DOWN)
        return err_set(err, ERR_INPUT,
                       "--hierarchy top-down is for posts with one label each; here some "
                       "have several");
    return true;
}

static struct score score_level(const struct hierarchy *tree, size_t level,
                                enum hierarchy_rule rule, const struct judged *judged,
                                struct arena *arena)
{
    size_t count = tree->levels[level].count;
    struct membership truth = hierarchy_membership(tree, level, &judged->truth, arena);
    struct membership said = hierarchy_membership(tree, level, &judged->predicted, arena);
    double *room = arena_array(arena, double, tree->classes + 1);

    for (size_t i = 0; i < truth.items && rule == HIERARCHY_TOP_DOWN; i++) {
        memset(said.is + i * count, 0, count);
        said.is[i * count + hierarchy_decide(tree, level, rule,
                                             judged->probabilities + i * tree->classes,
                                             room)] = 1;
    }
    return score_of(&truth, &said, arena);
}

static void add_trial(struct classify_work *work, const struct classify_trial *trial)
{
    const struct hierarchy *tree = &work->tree;
    enum hierarchy_rule rule = classify_rule(work->args);

    buf_add_format(&work->out, "\n%s, %s\nlevel  classes  macro F1  micro F1\n",
                   model_methods[trial->settings.method],
                   rule == HIERARCHY_FLAT
                       ? "flat: the most probable class, and what is above it"
                       : "top-down: the most probable at the top, then below it");
    for (size_t l = 0; l < tree->depth; l++) {
        struct score score = score_level(tree, l, rule, &trial->judged, work->arena);
        buf_add_format(&work->out, "%5zu  %7zu    %6.3f    %6.3f\n", l + 1,
                       tree->levels[l].count, score.overall[SCORE_MACRO_F1],
                       score.overall[SCORE_MICRO_F1]);
    }
}

void classify_add_levels(struct classify_work *work)
{
    if (work->args->hierarchy == NULL || work->args->json)
        return;
    for (size_t i = 0; i < work->trial_count; i++)
        add_trial(work, work->trials + i);
}
