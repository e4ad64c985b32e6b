/* Looking settings up, and drawing one question's truth from them. */
#include "synth/internal.h"

#include <math.h>
#include <string.h>

#include "base/date.h"
#include "base/real.h"

static const double *model_values_of(const struct synth_model *model,
                                     enum synth_model_section section, int year);

enum { EFFECT_CRASH = 1, CAUSE_SI = 7 };

static bool model_is_crash(int bug_effect)
{
    return bug_effect == EFFECT_CRASH;
}

/* A question about a crash crashes; the others do anything else. */
static void weigh_effects(const struct synth_model_truth *truth, double *weights)
{
    bool other = false;

    for (int i = 0; i < SYNTH_MODEL_BUG_EFFECT_COUNT; i++)
        other = other || (i != EFFECT_CRASH && weights[i] > 0);
    if (truth->kind == SYNTH_MODEL_CRASH || !other) {
        memset(weights, 0, SYNTH_MODEL_BUG_EFFECT_COUNT * sizeof *weights);
        weights[EFFECT_CRASH] = 1;
    } else {
        weights[EFFECT_CRASH] = 0;
    }
}

static void weigh_types(const struct synth_model *model,
                        const struct synth_model_truth *truth, double *weights)
{
    static const int library[SYNTH_MODEL_FRAMEWORK_COUNT] = {
        [SYNTH_MODEL_TENSORFLOW] = 2,      [SYNTH_MODEL_KERAS] = 1,
        [SYNTH_MODEL_PYTORCH] = -1,        [SYNTH_MODEL_THEANO] = 3,
        [SYNTH_MODEL_CAFFE] = 0,           [SYNTH_MODEL_TORCH] = 4,
        [SYNTH_MODEL_DEEPLEARNING4J] = -1,
    };

    if (!model->types_given && library[truth->framework] >= 0)
        memcpy(weights, synth_model_types_by_library[library[truth->framework]],
               SYNTH_MODEL_BUG_TYPE_COUNT * sizeof *weights);
}

/* A structure that is only inefficient does not crash: its share goes to the other
 * effects, so that the causes' overall shares stay as published. */
static void weigh_causes(const struct synth_model *model,
                         const struct synth_model_truth *truth, double *weights)
{
    const double crash_share = 273.0 / 415;
    double sum = 0;

    if (!model->causes_given)
        memcpy(weights, synth_model_causes_by_type[truth->bug_type],
               SYNTH_MODEL_BUG_CAUSE_COUNT * sizeof *weights);
    for (int i = 0; i < SYNTH_MODEL_BUG_CAUSE_COUNT; i++)
        sum += weights[i];
    double others = sum - weights[CAUSE_SI];
    if (others <= 0)
        return;
    double inefficient = weights[CAUSE_SI] / sum / (1 - crash_share);
    if (inefficient > 0.95)
        inefficient = 0.95;
    if (model_is_crash(truth->bug_effect))
        inefficient = 0;
    for (int i = 0; i < SYNTH_MODEL_BUG_CAUSE_COUNT; i++)
        weights[i] =
            i == CAUSE_SI ? inefficient : (1 - inefficient) * weights[i] / others;
}

static void model_weigh(const struct synth_model *model, enum synth_model_section section,
                        int year, const struct synth_model_truth *truth, double *weights)
{
    memcpy(weights, model_values_of(model, section, year),
           synth_model_tables[section].count * sizeof *weights);
    if (section == SYNTH_MODEL_BUG_EFFECTS)
        weigh_effects(truth, weights);
    if (section == SYNTH_MODEL_BUG_TYPES)
        weigh_types(model, truth, weights);
    if (section == SYNTH_MODEL_BUG_CAUSES)
        weigh_causes(model, truth, weights);
}

static bool has_label(enum synth_model_section section,
                      const struct synth_model_truth *truth)
{
    switch (section) {
    case SYNTH_MODEL_SERVER_CHALLENGES:
    case SYNTH_MODEL_MOBILE_CHALLENGES:
    case SYNTH_MODEL_BROWSER_CHALLENGES:
        return truth->platform >= 0 && synth_model_challenges(truth->platform) == section;
    case SYNTH_MODEL_OBJECTS:
        return truth->object >= 0;
    case SYNTH_MODEL_BUG_TYPES:
    case SYNTH_MODEL_BUG_CAUSES:
    case SYNTH_MODEL_BUG_EFFECTS:
    case SYNTH_MODEL_BUG_STAGES:
        return truth->bug_type >= 0;
    default:
        return true;
    }
}

bool synth_model_chances(const struct synth_model *model,
                         enum synth_model_section section, int year,
                         const struct synth_model_truth *truth, double *chances)
{
    double sum = 0;

    if (!has_label(section, truth))
        return false;
    model_weigh(model, section, year, truth, chances);
    for (size_t i = 0; i < synth_model_tables[section].count; i++)
        sum += chances[i];
    if (section == SYNTH_MODEL_PLATFORMS) /* percent of all questions; most have none */
        sum = 100;
    for (size_t i = 0; i < synth_model_tables[section].count; i++)
        chances[i] /= sum;
    return true;
}

/* Looking settings up, and drawing one question's truth from them. */

/* What no simulated question has more of, whatever the settings: a vote is a row. */
#define VIEWS_MAX   INT64_C(2000000000)
#define SCORE_MAX   INT64_C(30000)
#define WAIT_MS_MAX (20 * 365 * DATE_DAY_MS)

size_t synth_model_count(enum synth_model_section section)
{
    return synth_model_tables[section].count;
}

struct str synth_model_name(enum synth_model_section section, int index)
{
    return index < 0 ? STR("")
                     : str_from(synth_model_tables[section].settings[index].name);
}

struct str synth_model_section_name(enum synth_model_section section)
{
    return str_from(synth_model_tables[section].name);
}

enum synth_model_section synth_model_challenges(int platform)
{
    return (enum synth_model_section)(SYNTH_MODEL_SERVER_CHALLENGES + platform);
}

char synth_model_phase(int object)
{
    return synth_model_tables[SYNTH_MODEL_OBJECTS].settings[object].name[0];
}

struct str synth_model_object_name(int object)
{
    return object < 0
               ? STR("")
               : str_from(synth_model_tables[SYNTH_MODEL_OBJECTS].settings[object].title);
}

size_t synth_model_first_value(enum synth_model_section section)
{
    size_t first = 0;

    for (int i = 0; i < (int)section; i++)
        first += synth_model_tables[i].count;
    return first;
}

size_t synth_model_values_in_all(void)
{
    return synth_model_first_value(SYNTH_MODEL_SECTIONS);
}

static const double *model_values_of(const struct synth_model *model,
                                     enum synth_model_section section, int year)
{
    int row = year - model->first_year;

    row = row < 0 ? 0 : row < model->years ? row : model->years - 1;
    return model->values + (size_t)row * synth_model_values_in_all() +
           synth_model_first_value(section);
}

double synth_model_value(const struct synth_model *model,
                         enum synth_model_section section, int index, int year)
{
    return model_values_of(model, section, year)[index];
}

double synth_model_at_year(const struct synth_model_point *points, size_t count, int year)
{
    if (year <= points[0].year || count == 1)
        return points[0].value;
    for (size_t i = 1; i < count; i++)
        if (year <= points[i].year) {
            double way = (double)(year - points[i - 1].year) /
                         (double)(points[i].year - points[i - 1].year);
            return points[i - 1].value + way * (points[i].value - points[i - 1].value);
        }
    return points[count - 1].value;
}

int64_t synth_model_moment(const struct synth_model *model, double share)
{
    double sum = 0;

    for (int i = 0; i < model->years; i++)
        sum += model->year_weight[i];
    double left = share * sum;
    int row = 0;
    while (row + 1 < model->years && left >= model->year_weight[row])
        left -= model->year_weight[row++];
    int64_t begin = date_from_civil((struct date){model->first_year + row, 1, 1});
    int64_t end = date_from_civil((struct date){model->first_year + row + 1, 1, 1});
    if (end > model->until_ms)
        end = model->until_ms;
    double way = model->year_weight[row] > 0 ? left / model->year_weight[row] : 0;
    int64_t moment = begin + (int64_t)((double)(end - begin) * way);
    return moment < end ? moment : end - 1;
}

static bool happens(struct rng *rng, double probability)
{
    return rng_unit(rng) < probability;
}

static int draw(const struct synth_model *model, enum synth_model_section section,
                int year, const struct synth_model_truth *truth, struct rng *rng)
{
    double weights[SYNTH_MODEL_LABELS_MAX];

    model_weigh(model, section, year, truth, weights);
    return (int)rng_weighted(rng, weights, synth_model_tables[section].count);
}

static double share_of(const struct synth_model *model, enum synth_model_share share,
                       int year)
{
    return synth_model_value(model, SYNTH_MODEL_SHARES, (int)share, year);
}

static double shape_of(const struct synth_model *model, enum synth_model_shape shape,
                       int year)
{
    return synth_model_value(model, SYNTH_MODEL_SHAPES, (int)shape, year);
}

/* Platforms are given as shares of all questions, but only migration questions have one.
 */
static void draw_platform(const struct synth_model *model, int year, struct rng *rng,
                          struct synth_model_truth *truth)
{
    const double *weights = model_values_of(model, SYNTH_MODEL_KINDS, year);
    double all = 0, left = rng_unit(rng);

    for (int i = 0; i < SYNTH_MODEL_KIND_COUNT; i++)
        all += weights[i];
    for (int i = 0; i < SYNTH_MODEL_PLATFORM_COUNT && truth->platform < 0; i++) {
        left -= synth_model_value(model, SYNTH_MODEL_PLATFORMS, i, year) / 100 * all /
                weights[SYNTH_MODEL_MIGRATION];
        if (left < 0)
            truth->platform = i;
    }
    if (truth->platform >= 0)
        truth->challenge =
            draw(model, synth_model_challenges(truth->platform), year, truth, rng);
}

static void draw_bug(const struct synth_model *model, int year, struct rng *rng,
                     struct synth_model_truth *truth)
{
    truth->bug_effect = draw(model, SYNTH_MODEL_BUG_EFFECTS, year, truth, rng);
    truth->bug_type = draw(model, SYNTH_MODEL_BUG_TYPES, year, truth, rng);
    truth->bug_cause = draw(model, SYNTH_MODEL_BUG_CAUSES, year, truth, rng);
    truth->bug_stage = draw(model, SYNTH_MODEL_BUG_STAGES, year, truth, rng);
}

static struct str challenge_of(const struct synth_model_truth *truth)
{
    return truth->platform < 0 ? STR("")
                               : synth_model_name(synth_model_challenges(truth->platform),
                                                  truth->challenge);
}

bool synth_model_is_deployment(const struct synth_model_truth *truth)
{
    struct str name = challenge_of(truth);

    /* Categories have a prefix, sc. mo. br.; the judgements beside them have none. */
    return name.len > 2 && name.ptr[2] == '.';
}

/* Chen's unclear questions are those that no accepted answer made clear. */
static double accepted_share(const struct synth_model *model, int year,
                             const struct synth_model_truth *truth)
{
    int name = synth_model_is_deployment(truth) ? SYNTH_MODEL_DEPLOYMENT : truth->kind;

    return str_eq(challenge_of(truth), STR("unclear"))
               ? 0
               : synth_model_value(model, SYNTH_MODEL_ACCEPTED, name, year);
}

static double wait_median(const struct synth_model *model, int year,
                          const struct synth_model_truth *truth)
{
    static const char phases[] = "dmtperv";
    int name = synth_model_is_deployment(truth) ? SYNTH_MODEL_DEPLOYMENT : truth->kind;

    if (truth->object >= 0)
        name = SYNTH_MODEL_FIRST_PHASE +
               (int)(strchr(phases, synth_model_phase(truth->object)) - phases);
    return synth_model_value(model, SYNTH_MODEL_WAIT_HOURS, name, year);
}

/* Whole, and no more than `most`, which a tail may reach. */
static int64_t cut_off(double value, int64_t most)
{
    return value < (double)most ? (int64_t)value : most;
}

/* Views and score share a factor, so that a question much looked at is also much voted
 * for; both are log-normal, the score such that half of them stand at 0. */
static void draw_numbers(const struct synth_model *model, int year, struct rng *rng,
                         double median_hours, struct synth_model_truth *truth)
{
    double views = rng_normal(rng), other = rng_normal(rng);
    double r = shape_of(model, SYNTH_MODEL_SCORE_VIEWS, year);
    double score = r * views + sqrt(r < 1 ? 1 - r * r : 0) * other;

    truth->views =
        1 + cut_off(shape_of(model, SYNTH_MODEL_VIEWS_MEDIAN, year) *
                        real_exp(views * shape_of(model, SYNTH_MODEL_VIEWS_SIGMA, year)),
                    VIEWS_MAX);
    truth->score =
        cut_off(shape_of(model, SYNTH_MODEL_SCORE_MEDIAN, year) *
                    real_exp(score * shape_of(model, SYNTH_MODEL_SCORE_SIGMA, year)),
                SCORE_MAX);
    if (happens(rng, share_of(model, SYNTH_MODEL_NEGATIVE, year))) {
        truth->score = -1;
        while (truth->score > -20 && happens(rng, 0.35))
            truth->score--;
    }
    double hours =
        rng_log_normal(rng, median_hours, shape_of(model, SYNTH_MODEL_WAIT_SIGMA, year));
    /* Nobody answers within seconds, and a clock has no more than milliseconds. */
    truth->wait_ms =
        20 * DATE_SECOND_MS + cut_off(hours * (double)DATE_HOUR_MS, WAIT_MS_MAX);
    if (truth->accepted || happens(rng, share_of(model, SYNTH_MODEL_ANSWERED, year)))
        truth->answers = 1;
    while (truth->answers > 0 && truth->answers < 12 && happens(rng, 0.28))
        truth->answers++;
    truth->endorsed = truth->answers > 0 && !truth->accepted &&
                      happens(rng, share_of(model, SYNTH_MODEL_ENDORSED, year));
    truth->closed = happens(rng, share_of(model, SYNTH_MODEL_CLOSED, year));
}

static struct synth_model_truth no_truth(void)
{
    return (struct synth_model_truth){.framework = SYNTH_MODEL_NONE,
                                      .kind = SYNTH_MODEL_NONE,
                                      .second_kind = SYNTH_MODEL_NONE,
                                      .root_cause = SYNTH_MODEL_NONE,
                                      .object = SYNTH_MODEL_NONE,
                                      .platform = SYNTH_MODEL_NONE,
                                      .challenge = SYNTH_MODEL_NONE,
                                      .bug_type = SYNTH_MODEL_NONE,
                                      .bug_cause = SYNTH_MODEL_NONE,
                                      .bug_effect = SYNTH_MODEL_NONE,
                                      .bug_stage = SYNTH_MODEL_NONE};
}

/* Another kind than the first; none when no other has any weight. */
static int draw_second_kind(const struct synth_model *model, int year, int kind,
                            struct rng *rng)
{
    double weights[SYNTH_MODEL_KIND_COUNT], others = 0;

    memcpy(weights, model_values_of(model, SYNTH_MODEL_KINDS, year), sizeof weights);
    weights[kind] = 0;
    for (int i = 0; i < SYNTH_MODEL_KIND_COUNT; i++)
        others += weights[i];
    return others > 0 ? (int)rng_weighted(rng, weights, SYNTH_MODEL_KIND_COUNT)
                      : SYNTH_MODEL_NONE;
}

static bool is_about_faults(int kind)
{
    return kind == SYNTH_MODEL_CRASH || kind == SYNTH_MODEL_ANOMALY ||
           kind == SYNTH_MODEL_PERFORMANCE;
}

struct synth_model_truth synth_model_draw_bug(const struct synth_model *model,
                                              enum synth_model_framework framework,
                                              int year, struct rng *rng)
{
    static const double kinds[SYNTH_MODEL_KIND_COUNT] = {[SYNTH_MODEL_CRASH] = 66,
                                                         [SYNTH_MODEL_ANOMALY] = 20,
                                                         [SYNTH_MODEL_PERFORMANCE] = 14};
    struct synth_model_truth truth = no_truth();

    truth.framework = (int)framework;
    truth.kind = (int)rng_weighted(rng, kinds, SYNTH_MODEL_KIND_COUNT);
    draw_bug(model, year, rng, &truth);
    return truth;
}

struct synth_model_truth synth_model_draw(const struct synth_model *model, int year,
                                          struct rng *rng)
{
    struct synth_model_truth truth = no_truth();

    truth.framework = draw(model, SYNTH_MODEL_FRAMEWORKS, year, &truth, rng);
    truth.kind = draw(model, SYNTH_MODEL_KINDS, year, &truth, rng);
    if (happens(rng, share_of(model, SYNTH_MODEL_SECOND_KIND, year)))
        truth.second_kind = draw_second_kind(model, year, truth.kind, rng);
    truth.root_cause = draw(model, SYNTH_MODEL_ROOT_CAUSES, year, &truth, rng);
    if (truth.kind == SYNTH_MODEL_MIGRATION)
        draw_platform(model, year, rng, &truth);
    truth.howto = truth.platform < 0 &&
                  happens(rng, share_of(model,
                                        truth.kind == SYNTH_MODEL_IMPLEMENTATION
                                            ? SYNTH_MODEL_HOWTO_IMPLEMENTATION
                                            : SYNTH_MODEL_HOWTO_OTHER,
                                        year));
    if (truth.howto && truth.kind == SYNTH_MODEL_IMPLEMENTATION)
        truth.object = draw(model, SYNTH_MODEL_OBJECTS, year, &truth, rng);
    truth.code = happens(rng, share_of(model, SYNTH_MODEL_CODE, year));
    if (truth.code && is_about_faults(truth.kind))
        draw_bug(model, year, rng, &truth);
    truth.accepted = happens(rng, accepted_share(model, year, &truth));
    draw_numbers(model, year, rng, wait_median(model, year, &truth), &truth);
    return truth;
}

struct synth_model_truth synth_model_draw_background(const struct synth_model *model,
                                                     int year, struct rng *rng)
{
    struct synth_model_truth truth = no_truth();

    truth.code = happens(rng, share_of(model, SYNTH_MODEL_CODE, year));
    truth.accepted = happens(rng, synth_model_value(model, SYNTH_MODEL_ACCEPTED,
                                                    SYNTH_MODEL_BACKGROUND, year));
    draw_numbers(
        model, year, rng,
        synth_model_value(model, SYNTH_MODEL_WAIT_HOURS, SYNTH_MODEL_BACKGROUND, year),
        &truth);
    return truth;
}
