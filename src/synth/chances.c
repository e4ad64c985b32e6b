/* Most labels are drawn by the weights of their section; those of bugs depend on each
 * other, as they do in the published data. */
#include <string.h>

#include "synth/internal.h"

enum { EFFECT_CRASH = 1, CAUSE_SI = 7 };

bool model_is_crash(int bug_effect)
{
    return bug_effect == EFFECT_CRASH;
}

/* A question about a crash crashes; the others do anything else. */
static void weigh_effects(const struct model_truth *truth, double *weights)
{
    bool other = false;

    for (int i = 0; i < MODEL_BUG_EFFECT_COUNT; i++)
        other = other || (i != EFFECT_CRASH && weights[i] > 0);
    if (truth->kind == MODEL_CRASH || !other) {
        memset(weights, 0, MODEL_BUG_EFFECT_COUNT * sizeof *weights);
        weights[EFFECT_CRASH] = 1;
    } else {
        weights[EFFECT_CRASH] = 0;
    }
}

static void weigh_types(const struct model *model, const struct model_truth *truth,
                        double *weights)
{
    static const int library[MODEL_FRAMEWORK_COUNT] = {
        [MODEL_TENSORFLOW] = 2,      [MODEL_KERAS] = 1, [MODEL_PYTORCH] = -1,
        [MODEL_THEANO] = 3,          [MODEL_CAFFE] = 0, [MODEL_TORCH] = 4,
        [MODEL_DEEPLEARNING4J] = -1,
    };

    if (!model->types_given && library[truth->framework] >= 0)
        memcpy(weights, model_types_by_library[library[truth->framework]],
               MODEL_BUG_TYPE_COUNT * sizeof *weights);
}

/* A structure that is only inefficient does not crash: its share goes to the other
 * effects, so that the causes' overall shares stay as published. */
static void weigh_causes(const struct model *model, const struct model_truth *truth,
                         double *weights)
{
    const double crash_share = 273.0 / 415;
    double sum = 0;

    if (!model->causes_given)
        memcpy(weights, model_causes_by_type[truth->bug_type],
               MODEL_BUG_CAUSE_COUNT * sizeof *weights);
    for (int i = 0; i < MODEL_BUG_CAUSE_COUNT; i++)
        sum += weights[i];
    double others = sum - weights[CAUSE_SI];
    if (others <= 0)
        return;
    double inefficient = weights[CAUSE_SI] / sum / (1 - crash_share);
    if (inefficient > 0.95)
        inefficient = 0.95;
    if (model_is_crash(truth->bug_effect))
        inefficient = 0;
    for (int i = 0; i < MODEL_BUG_CAUSE_COUNT; i++)
        weights[i] =
            i == CAUSE_SI ? inefficient : (1 - inefficient) * weights[i] / others;
}

void model_weigh(const struct model *model, enum model_section section, int year,
                 const struct model_truth *truth, double *weights)
{
    memcpy(weights, model_values_of(model, section, year),
           model_tables[section].count * sizeof *weights);
    if (section == MODEL_BUG_EFFECTS)
        weigh_effects(truth, weights);
    if (section == MODEL_BUG_TYPES)
        weigh_types(model, truth, weights);
    if (section == MODEL_BUG_CAUSES)
        weigh_causes(model, truth, weights);
}

static bool has_label(enum model_section section, const struct model_truth *truth)
{
    switch (section) {
    case MODEL_SERVER_CHALLENGES:
    case MODEL_MOBILE_CHALLENGES:
    case MODEL_BROWSER_CHALLENGES:
        return truth->platform >= 0 && model_challenges(truth->platform) == section;
    case MODEL_OBJECTS:
        return truth->object >= 0;
    case MODEL_BUG_TYPES:
    case MODEL_BUG_CAUSES:
    case MODEL_BUG_EFFECTS:
    case MODEL_BUG_STAGES:
        return truth->bug_type >= 0;
    default:
        return true;
    }
}

bool model_chances(const struct model *model, enum model_section section, int year,
                   const struct model_truth *truth, double *chances)
{
    double sum = 0;

    if (!has_label(section, truth))
        return false;
    model_weigh(model, section, year, truth, chances);
    for (size_t i = 0; i < model_tables[section].count; i++)
        sum += chances[i];
    if (section == MODEL_PLATFORMS) /* percent of all questions; most have none */
        sum = 100;
    for (size_t i = 0; i < model_tables[section].count; i++)
        chances[i] /= sum;
    return true;
}
