/* Looking settings up, and drawing one question's truth from them. */
#include "synth/model.h"

#include <math.h>
#include <string.h>

#include "base/date.h"
#include "base/real.h"
#include "synth/internal.h"

size_t model_count(enum model_section section)
{
    return model_tables[section].count;
}

struct str model_name(enum model_section section, int index)
{
    return index < 0 ? STR("") : str_from(model_tables[section].settings[index].name);
}

struct str model_section_name(enum model_section section)
{
    return str_from(model_tables[section].name);
}

enum model_section model_challenges(int platform)
{
    return (enum model_section)(MODEL_SERVER_CHALLENGES + platform);
}

char model_phase(int object)
{
    return model_tables[MODEL_OBJECTS].settings[object].name[0];
}

struct str model_object_name(int object)
{
    return object < 0 ? STR("")
                      : str_from(model_tables[MODEL_OBJECTS].settings[object].title);
}

size_t model_first_value(enum model_section section)
{
    size_t first = 0;

    for (int i = 0; i < (int)section; i++)
        first += model_tables[i].count;
    return first;
}

size_t model_values_in_all(void)
{
    return model_first_value(MODEL_SECTIONS);
}

const double *model_values_of(const struct model *model, enum model_section section,
                              int year)
{
    int row = year - model->first_year;

    row = row < 0 ? 0 : row < model->years ? row : model->years - 1;
    return model->values + (size_t)row * model_values_in_all() +
           model_first_value(section);
}

double model_value(const struct model *model, enum model_section section, int index,
                   int year)
{
    return model_values_of(model, section, year)[index];
}

double model_at_year(const struct model_point *points, size_t count, int year)
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

int64_t model_moment(const struct model *model, double share)
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

static int draw(const struct model *model, enum model_section section, int year,
                struct rng *rng)
{
    return (int)rng_weighted(rng, model_values_of(model, section, year),
                             model_tables[section].count);
}

static double share_of(const struct model *model, enum model_share share, int year)
{
    return model_value(model, MODEL_SHARES, (int)share, year);
}

static double shape_of(const struct model *model, enum model_shape shape, int year)
{
    return model_value(model, MODEL_SHAPES, (int)shape, year);
}

/* Platforms are given as shares of all questions, but only migration questions have one.
 */
static void draw_platform(const struct model *model, int year, struct rng *rng,
                          struct model_truth *truth)
{
    const double *weights = model_values_of(model, MODEL_KINDS, year);
    double all = 0, left = rng_unit(rng);

    for (int i = 0; i < MODEL_KIND_COUNT; i++)
        all += weights[i];
    for (int i = 0; i < MODEL_PLATFORM_COUNT && truth->platform < 0; i++) {
        left -= model_value(model, MODEL_PLATFORMS, i, year) / 100 * all /
                weights[MODEL_MIGRATION];
        if (left < 0)
            truth->platform = i;
    }
    if (truth->platform >= 0)
        truth->challenge = draw(model, model_challenges(truth->platform), year, rng);
}

enum { EFFECT_CRASH = 1, EFFECT_MEMORY = 5, CAUSE_SI = 7 };

static int draw_effect(const struct model *model, int year, struct rng *rng, int kind)
{
    double weights[MODEL_BUG_EFFECT_COUNT];

    if (kind == MODEL_CRASH)
        return EFFECT_CRASH;
    memcpy(weights, model_values_of(model, MODEL_BUG_EFFECTS, year), sizeof weights);
    weights[EFFECT_CRASH] = 0;
    for (size_t i = 0; i < ROWS_OF(weights); i++)
        if (weights[i] > 0)
            return (int)rng_weighted(rng, weights, ROWS_OF(weights));
    return EFFECT_CRASH;
}

static int draw_type(const struct model *model, int year, struct rng *rng, int framework)
{
    static const int library[MODEL_FRAMEWORK_COUNT] = {
        [MODEL_TENSORFLOW] = 2,      [MODEL_KERAS] = 1, [MODEL_PYTORCH] = -1,
        [MODEL_THEANO] = 3,          [MODEL_CAFFE] = 0, [MODEL_TORCH] = 4,
        [MODEL_DEEPLEARNING4J] = -1,
    };

    if (model->types_given || library[framework] < 0)
        return draw(model, MODEL_BUG_TYPES, year, rng);
    return (int)rng_weighted(rng, model_types_by_library[library[framework]],
                             MODEL_BUG_TYPE_COUNT);
}

/* A structure that is only inefficient does not crash: its share goes to the other
 * effects, so that the causes' overall shares stay as published. */
static int draw_cause(const struct model *model, int year, struct rng *rng, int type,
                      bool crash)
{
    const double *published = model->causes_given
                                  ? model_values_of(model, MODEL_BUG_CAUSES, year)
                                  : model_causes_by_type[type];
    const double crash_share = 273.0 / 415;
    double weights[MODEL_BUG_CAUSE_COUNT], sum = 0, others = 0;

    for (size_t i = 0; i < ROWS_OF(weights); i++)
        sum += published[i];
    others = sum - published[CAUSE_SI];
    if (others <= 0)
        return CAUSE_SI;
    double inefficient = crash ? 0 : published[CAUSE_SI] / sum / (1 - crash_share);
    if (inefficient > 0.95)
        inefficient = 0.95;
    for (size_t i = 0; i < ROWS_OF(weights); i++)
        weights[i] =
            i == CAUSE_SI ? inefficient : (1 - inefficient) * published[i] / others;
    return (int)rng_weighted(rng, weights, ROWS_OF(weights));
}

static void draw_bug(const struct model *model, int year, struct rng *rng,
                     struct model_truth *truth)
{
    truth->bug_effect = draw_effect(model, year, rng, truth->kind);
    truth->bug_type = draw_type(model, year, rng, truth->framework);
    truth->bug_cause =
        draw_cause(model, year, rng, truth->bug_type, truth->bug_effect == EFFECT_CRASH);
    truth->bug_stage = draw(model, MODEL_BUG_STAGES, year, rng);
}

static double wait_median(const struct model *model, int year,
                          const struct model_truth *truth)
{
    static const char phases[] = "dmtperv";
    int name = truth->platform >= 0 ? MODEL_DEPLOYMENT : truth->kind;

    if (truth->object >= 0)
        name = MODEL_FIRST_PHASE +
               (int)(strchr(phases, model_phase(truth->object)) - phases);
    return model_value(model, MODEL_WAIT_HOURS, name, year);
}

/* Views and score share a factor, so that a question much looked at is also much voted
 * for; both are log-normal, the score shifted so that many stand at 0 or below. */
static void draw_numbers(const struct model *model, int year, struct rng *rng,
                         double median_hours, struct model_truth *truth)
{
    double views = rng_normal(rng), other = rng_normal(rng);
    double r = shape_of(model, MODEL_SCORE_VIEWS, year);
    double score = r * views + sqrt(r < 1 ? 1 - r * r : 0) * other;

    truth->views =
        1 + (int64_t)(shape_of(model, MODEL_VIEWS_MEDIAN, year) *
                      real_exp(views * shape_of(model, MODEL_VIEWS_SIGMA, year)));
    truth->score = (int64_t)(shape_of(model, MODEL_SCORE_MEDIAN, year) *
                             real_exp(score * shape_of(model, MODEL_SCORE_SIGMA, year))) -
                   1;
    if (truth->score < 0 && happens(rng, 0.3))
        truth->score -= (int64_t)rng_below(rng, 4);
    double hours =
        rng_log_normal(rng, median_hours, shape_of(model, MODEL_WAIT_SIGMA, year));
    /* Nobody answers within seconds, and a clock has no more than milliseconds. */
    double wait_ms = hours * (double)DATE_HOUR_MS;
    truth->wait_ms =
        wait_ms < 4e11 ? 20 * DATE_SECOND_MS + (int64_t)wait_ms : (int64_t)4e11;
    if (truth->accepted || happens(rng, share_of(model, MODEL_ANSWERED, year)))
        truth->answers = 1;
    while (truth->answers > 0 && truth->answers < 12 && happens(rng, 0.28))
        truth->answers++;
    truth->endorsed = truth->answers > 0 && !truth->accepted &&
                      happens(rng, share_of(model, MODEL_ENDORSED, year));
    truth->closed = happens(rng, share_of(model, MODEL_CLOSED, year));
}

static struct model_truth no_truth(void)
{
    return (struct model_truth){.framework = MODEL_NONE,
                                .kind = MODEL_NONE,
                                .second_kind = MODEL_NONE,
                                .root_cause = MODEL_NONE,
                                .object = MODEL_NONE,
                                .platform = MODEL_NONE,
                                .challenge = MODEL_NONE,
                                .bug_type = MODEL_NONE,
                                .bug_cause = MODEL_NONE,
                                .bug_effect = MODEL_NONE,
                                .bug_stage = MODEL_NONE};
}

static bool is_about_faults(int kind)
{
    return kind == MODEL_CRASH || kind == MODEL_ANOMALY || kind == MODEL_PERFORMANCE;
}

struct model_truth model_draw(const struct model *model, int year, struct rng *rng)
{
    struct model_truth truth = no_truth();

    truth.framework = draw(model, MODEL_FRAMEWORKS, year, rng);
    truth.kind = draw(model, MODEL_KINDS, year, rng);
    if (happens(rng, share_of(model, MODEL_SECOND_KIND, year))) {
        truth.second_kind = draw(model, MODEL_KINDS, year, rng);
        if (truth.second_kind == truth.kind)
            truth.second_kind = (truth.kind + 1) % MODEL_KIND_COUNT;
    }
    truth.root_cause = draw(model, MODEL_ROOT_CAUSES, year, rng);
    if (truth.kind == MODEL_MIGRATION)
        draw_platform(model, year, rng, &truth);
    truth.howto =
        truth.platform < 0 && happens(rng, share_of(model,
                                                    truth.kind == MODEL_IMPLEMENTATION
                                                        ? MODEL_HOWTO_IMPLEMENTATION
                                                        : MODEL_HOWTO_OTHER,
                                                    year));
    if (truth.howto && truth.kind == MODEL_IMPLEMENTATION)
        truth.object = draw(model, MODEL_OBJECTS, year, rng);
    truth.code = happens(rng, share_of(model, MODEL_CODE, year));
    if (truth.code && is_about_faults(truth.kind))
        draw_bug(model, year, rng, &truth);
    int accepted_name = truth.platform >= 0 ? MODEL_DEPLOYMENT : truth.kind;
    truth.accepted =
        happens(rng, model_value(model, MODEL_ACCEPTED, accepted_name, year));
    draw_numbers(model, year, rng, wait_median(model, year, &truth), &truth);
    return truth;
}

struct model_truth model_draw_background(const struct model *model, int year,
                                         struct rng *rng)
{
    struct model_truth truth = no_truth();

    truth.code = happens(rng, share_of(model, MODEL_CODE, year));
    truth.accepted =
        happens(rng, model_value(model, MODEL_ACCEPTED, MODEL_BACKGROUND, year));
    draw_numbers(model, year, rng,
                 model_value(model, MODEL_WAIT_HOURS, MODEL_BACKGROUND, year), &truth);
    return truth;
}
