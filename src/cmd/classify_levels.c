/* Classes that are paths: how well each level is classified. */
#include "cmd/classify.h"

#include <string.h>

#include "learn/hierarchy.h"

enum learn_hierarchy_rule cmd_classify_rule(const struct cmd_classify_args *args)
{
    return args->hierarchy != NULL && strcmp(args->hierarchy, "top-down") == 0
               ? LEARN_HIERARCHY_TOP_DOWN
               : LEARN_HIERARCHY_FLAT;
}

bool cmd_classify_check_levels(const struct learn_hierarchy *tree, bool several,
                               const struct cmd_classify_args *args, struct err *err)
{
    if (args->hierarchy != NULL && tree->depth == 1)
        return err_set(err, ERR_INPUT,
                       "--hierarchy needs classes that are paths, such as "
                       "'data/parsing'; here no class has a '/'");
    if ((size_t)args->level > tree->depth)
        return err_set(err, ERR_INPUT,
                       "--level is %lld, but the classes have %zu level%s",
                       (long long)args->level, tree->depth, tree->depth == 1 ? "" : "s");
    if (several && cmd_classify_rule(args) == LEARN_HIERARCHY_TOP_DOWN)
        return err_set(err, ERR_INPUT,
                       "--hierarchy top-down is for posts with one label each; here some "
                       "have several");
    return true;
}

static struct learn_score score_level(const struct learn_hierarchy *tree, size_t level,
                                      enum learn_hierarchy_rule rule,
                                      const struct learn_judged *judged,
                                      struct arena *arena)
{
    size_t count = tree->levels[level].count;
    struct learn_membership truth =
        learn_hierarchy_membership(tree, level, &judged->truth, arena);
    struct learn_membership said =
        learn_hierarchy_membership(tree, level, &judged->predicted, arena);
    double *room = arena_array(arena, double, tree->classes + 1);

    for (size_t i = 0; i < truth.items && rule == LEARN_HIERARCHY_TOP_DOWN; i++) {
        memset(said.is + i * count, 0, count);
        said.is[i * count + learn_hierarchy_decide(
                                tree, level, rule,
                                judged->probabilities + i * tree->classes, room)] = 1;
    }
    return learn_score_of(&truth, &said, arena);
}

static void add_trial(struct cmd_classify_work *work,
                      const struct cmd_classify_trial *trial)
{
    const struct learn_hierarchy *tree = &work->tree;
    enum learn_hierarchy_rule rule = cmd_classify_rule(work->args);

    buf_add_format(&work->out, "\n%s, %s\nlevel  classes  macro F1  micro F1\n",
                   learn_model_methods[trial->settings.method],
                   rule == LEARN_HIERARCHY_FLAT
                       ? "flat: the most probable class, and what is above it"
                       : "top-down: the most probable at the top, then below it");
    for (size_t l = 0; l < tree->depth; l++) {
        struct learn_score score =
            score_level(tree, l, rule, &trial->judged, work->arena);
        buf_add_format(&work->out, "%5zu  %7zu    %6.3f    %6.3f\n", l + 1,
                       tree->levels[l].count, score.overall[LEARN_SCORE_MACRO_F1],
                       score.overall[LEARN_SCORE_MICRO_F1]);
    }
}

void cmd_classify_add_levels(struct cmd_classify_work *work)
{
    if (work->args->hierarchy == NULL || work->args->json)
        return;
    for (size_t i = 0; i < work->trial_count; i++)
        add_trial(work, work->trials + i);
}
