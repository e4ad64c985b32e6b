/* The published marginals, corrected where a paper contradicts its own data; where a
 * study gives none, a value of ours that keeps its stated order. Sources: Zhang 2019
 * (kinds, acceptance, waiting), Liu 2023 (years, objects, phases' waiting), Chen 2020
 * (platforms, challenges), Islam 2019 (bugs). */
#include "base/compiler.h"
#include "synth/internal.h"

static const struct model_setting frameworks[] = {
    {"tensorflow",
     {{2014, 0},
      {2015, 40},
      {2016, 62},
      {2017, 62},
      {2018, 55},
      {2019, 51},
      {2020, 46},
      {2021, 38}},
     NULL},
    {"keras",
     {{2014, 0},
      {2015, 12},
      {2016, 13},
      {2017, 21},
      {2018, 25},
      {2019, 26},
      {2020, 26},
      {2021, 23}},
     NULL},
    {"pytorch",
     {{2016, 0}, {2017, 6}, {2018, 13}, {2019, 19}, {2020, 26}, {2021, 38}},
     NULL},
    {"theano",
     {{2014, 55}, {2015, 24}, {2016, 10}, {2017, 2}, {2018, 0.5}, {2021, 0.3}},
     NULL},
    {"caffe",
     {{2014, 30}, {2015, 14}, {2016, 8}, {2017, 5}, {2018, 2}, {2019, 1}, {2021, 0.3}},
     NULL},
    {"torch",
     {{2014, 13}, {2015, 8}, {2016, 6}, {2017, 3}, {2018, 1}, {2021, 0.2}},
     NULL},
    {"deeplearning4j",
     {{2014, 2}, {2015, 2}, {2016, 1.5}, {2017, 1}, {2018, 0.6}, {2021, 0.2}},
     NULL},
};

static const struct model_setting kinds[] = {
    {"implementation", {{2015, 19}, {2018, 16}}, NULL},
    {"crash", {{2015, 25}, {2018, 28}}, NULL},
    {"anomaly", {{2015, 11}, {2018, 11}}, NULL},
    {"migration", {{2015, 14}, {2018, 22}}, NULL},
    {"performance", {{2015, 5}, {2018, 6}}, NULL},
    {"comprehension", {{2015, 6}, {2018, 6}}, NULL},
    {"installation", {{2015, 20}, {2018, 11}}, NULL},
};

static const struct model_setting platforms[] = {
    {"server",
     {{2014, 0}, {2015, 0.1}, {2016, 1.2}, {2017, 1.7}, {2018, 2.0}, {2019, 2.4}},
     NULL},
    {"mobile",
     {{2014, 0}, {2015, 0.5}, {2016, 0.8}, {2017, 1.5}, {2018, 2.4}, {2019, 3.3}},
     NULL},
    {"browser", {{2017, 0}, {2018, 0.9}, {2019, 1.3}}, NULL},
};

/* The last two of each: 58 false positives and 130 unclear ones among 769 of the sample,
 * scaled to the labels of the platform. */
static const struct model_setting server_challenges[] = {
    {"sc.general", {{0, 37}}, NULL}, {"sc.export", {{0, 34}}, NULL},
    {"sc.data", {{0, 45}}, NULL},    {"sc.update", {{0, 6}}, NULL},
    {"sc.env", {{0, 44}}, NULL},     {"sc.request", {{0, 31}}, NULL},
    {"sc.serving", {{0, 30}}, NULL}, {"false-positive", {{0, 22}}, NULL},
    {"unclear", {{0, 50}}, NULL},
};

static const struct model_setting mobile_challenges[] = {
    {"mo.general", {{0, 43}}, NULL},     {"mo.conversion", {{0, 61}}, NULL},
    {"mo.data", {{0, 39}}, NULL},        {"mo.update", {{0, 7}}, NULL},
    {"mo.security", {{0, 1}}, NULL},     {"mo.extraction", {{0, 4}}, NULL},
    {"mo.speed", {{0, 9}}, NULL},        {"mo.compile", {{0, 18}}, NULL},
    {"mo.integration", {{0, 49}}, NULL}, {"false-positive", {{0, 23}}, NULL},
    {"unclear", {{0, 51}}, NULL},
};

/* Of 576 questions 411 were judged not to be about deployment. */
static const struct model_setting browser_challenges[] = {
    {"br.general", {{0, 7}}, NULL},  {"br.conversion", {{0, 23}}, NULL},
    {"br.data", {{0, 23}}, NULL},    {"br.update", {{0, 2}}, NULL},
    {"br.security", {{0, 3}}, NULL}, {"br.extraction", {{0, 4}}, NULL},
    {"br.speed", {{0, 9}}, NULL},    {"br.env", {{0, 24}}, NULL},
    {"br.loading", {{0, 30}}, NULL}, {"false-positive", {{0, 12}}, NULL},
    {"unclear", {{0, 28}}, NULL},    {"not-deployment", {{0, 411}}, NULL},
};

static const struct model_setting objects[] = {
    {"d1", {{0, 426}}, "Data"},
    {"d2", {{0, 387}}, "Tensor"},
    {"d3", {{0, 105}}, "Image"},
    {"d4", {{0, 73}}, "Variable"},
    {"d5", {{0, 43}}, "Matrix"},
    {"d6", {{0, 30}}, "Dataset"},
    {"d7", {{0, 28}}, "Batch"},
    {"d8", {{0, 17}}, "Vector"},
    {"d9", {{0, 15}}, "Placeholder"},
    {"d10", {{0, 1}}, "Label"},
    {"m1", {{0, 305}}, "Layer"},
    {"m2", {{0, 161}}, "Model"},
    {"m3", {{0, 55}}, "Weight"},
    {"m4", {{0, 53}}, "Trained model"},
    {"m5", {{0, 25}}, "Model graph"},
    {"m6", {{0, 13}}, "Activation"},
    {"m7", {{0, 11}}, "Saved model file"},
    {"m8", {{0, 6}}, "Trained weight"},
    {"m9", {{0, 5}}, "Filter"},
    {"m10", {{0, 5}}, "Operation"},
    {"m11", {{0, 4}}, "Summary"},
    {"t1", {{0, 81}}, "Loss"},
    {"t2", {{0, 59}}, "Model"},
    {"t3", {{0, 46}}, "Gradient"},
    {"t4", {{0, 17}}, "Trained model"},
    {"t5", {{0, 16}}, "Weight"},
    {"t6", {{0, 13}}, "Variable"},
    {"t7", {{0, 12}}, "Checkpoint"},
    {"t8", {{0, 11}}, "Learning rate"},
    {"t9", {{0, 11}}, "Statement"},
    {"t10", {{0, 7}}, "Batch"},
    {"t11", {{0, 7}}, "Training progress"},
    {"t12", {{0, 6}}, "Layer"},
    {"t13", {{0, 5}}, "Training data"},
    {"t14", {{0, 4}}, "Training step"},
    {"t15", {{0, 4}}, "Optimizer"},
    {"t16", {{0, 3}}, "Session"},
    {"t17", {{0, 2}}, "Training history"},
    {"t18", {{0, 2}}, "Derivative"},
    {"p1", {{0, 79}}, "Model"},
    {"p2", {{0, 37}}, "Prediction result"},
    {"p3", {{0, 8}}, "Layer"},
    {"p4", {{0, 3}}, "Weight"},
    {"p5", {{0, 1}}, "Threshold"},
    {"e1", {{0, 16}}, "Accuracy"},
    {"e2", {{0, 16}}, "Other metrics"},
    {"e3", {{0, 11}}, "Result"},
    {"e4", {{0, 5}}, "Time"},
    {"e5", {{0, 4}}, "Evaluation method"},
    {"e6", {{0, 1}}, "Training"},
    {"r1", {{0, 17}}, "GPU"},
    {"r2", {{0, 9}}, "GPU memory"},
    {"r3", {{0, 4}}, "GPU/CPU"},
    {"r4", {{0, 2}}, "TPU"},
    {"r5", {{0, 2}}, "CPU"},
    {"r6", {{0, 1}}, "RAM"},
    {"v1", {{0, 40}}, "Data"},
    {"v2", {{0, 31}}, "Model"},
    {"v3", {{0, 13}}, "Evaluation"},
    {"v4", {{0, 8}}, "Layer"},
    {"v5", {{0, 8}}, "Progress"},
    {"v6", {{0, 7}}, "Result"},
    {"v7", {{0, 4}}, "Tensorboard"},
};

static const struct model_setting root_causes[] = {
    {"api-misuse", {{0, 35}}, NULL},    {"hyperparameter", {{0, 20}}, NULL},
    {"gpu", {{0, 15}}, NULL},           {"static-graph", {{0, 18}}, NULL},
    {"debug-profile", {{0, 12}}, NULL},
};

static const struct model_setting bug_types[] = {
    {"api", {{0, 44}}, NULL},
    {"data", {{0, 110}}, NULL},
    {"sb.control", {{0, 15}}, NULL},
    {"sb.dataflow", {{0, 48}}, NULL},
    {"sb.init", {{0, 15}}, NULL},
    {"sb.logic", {{0, 100}}, NULL},
    {"sb.processing", {{0, 31}}, NULL},
    {"nmsb.control", {{0, 1}}, NULL},
    {"nmsb.init", {{0, 3}}, NULL},
    {"nmsb.logic", {{0, 47}}, NULL},
    {"nmsb.processing", {{0, 1}}, NULL},
};

static const struct model_setting bug_causes[] = {
    {"inter-api", {{0, 4}}, NULL},   {"type-check", {{0, 49}}, NULL},
    {"api-change", {{0, 30}}, NULL}, {"api-misuse", {{0, 57}}, NULL},
    {"ccm", {{0, 35}}, NULL},        {"ips", {{0, 98}}, NULL},
    {"others", {{0, 4}}, NULL},      {"si", {{0, 80}}, NULL},
    {"ut", {{0, 57}}, NULL},
};

static const struct model_setting bug_effects[] = {
    {"bad-performance", {{0, 55}}, NULL},
    {"crash", {{0, 273}}, NULL},
    {"data-corruption", {{0, 22}}, NULL},
    {"hang", {{0, 1}}, NULL},
    {"incorrect-functionality", {{0, 48}}, NULL},
    {"memory", {{0, 8}}, NULL},
    {"unknown", {{0, 7}}, NULL},
};

static const struct model_setting bug_stages[] = {
    {"data-preparation", {{0, 82}}, NULL},
    {"choice-of-model", {{0, 59}}, NULL},
    {"training", {{0, 69}}, NULL},
    {"evaluation", {{0, 4}}, NULL},
    {"tuning", {{0, 1}}, NULL},
    {"prediction", {{0, 18}}, NULL},
};

/* Counts on Stack Overflow by library (rows: caffe, keras, tensorflow, theano, torch) and
 * type, in the order of bug_types. */
const double model_types_by_library[MODEL_LIBRARIES][MODEL_BUG_TYPE_COUNT] = {
    {2, 3, 2, 1, 0, 15, 8, 0, 0, 4, 0},      {18, 39, 4, 21, 2, 43, 13, 0, 1, 21, 0},
    {18, 49, 6, 25, 13, 32, 7, 0, 2, 13, 1}, {2, 10, 1, 0, 0, 5, 2, 1, 0, 6, 0},
    {4, 9, 2, 1, 0, 5, 1, 0, 0, 3, 0},
};

/* Counts by type (rows, in the order of bug_types) and cause (in that of bug_causes). */
const double model_causes_by_type[MODEL_BUG_TYPE_COUNT][MODEL_BUG_CAUSE_COUNT] = {
    {3, 0, 29, 9, 0, 1, 2, 0, 0}, {0, 36, 1, 5, 4, 6, 2, 11, 45},
    {0, 0, 0, 0, 0, 10, 0, 4, 1}, {0, 6, 0, 3, 2, 23, 0, 6, 8},
    {0, 1, 0, 2, 2, 6, 0, 3, 1},  {1, 4, 0, 7, 15, 35, 0, 37, 1},
    {0, 0, 0, 1, 4, 9, 0, 16, 0}, {0, 0, 0, 0, 1, 0, 0, 0, 0},
    {0, 0, 0, 3, 0, 0, 0, 0, 0},  {0, 2, 0, 26, 7, 8, 0, 3, 1},
    {0, 0, 0, 1, 0, 0, 0, 0, 0},
};

static const struct model_setting accepted[] = {
    {"implementation", {{0, 0.34}}, NULL}, {"crash", {{0, 0.34}}, NULL},
    {"anomaly", {{0, 0.34}}, NULL},        {"migration", {{0, 0.34}}, NULL},
    {"performance", {{0, 0.25}}, NULL},    {"comprehension", {{0, 0.41}}, NULL},
    {"installation", {{0, 0.34}}, NULL},   {"deployment", {{0, 0.2931}}, NULL},
    {"background", {{0, 0.5233}}, NULL},
};

/* Deployment: 1,301 minutes is the corrected median; the paper prints 404.9. */
static const struct model_setting wait_hours[] = {
    {"implementation", {{0, 2.5}}, NULL}, {"crash", {{0, 1.7}}, NULL},
    {"anomaly", {{0, 2.5}}, NULL},        {"migration", {{0, 2.5}}, NULL},
    {"performance", {{0, 4.3}}, NULL},    {"comprehension", {{0, 2.5}}, NULL},
    {"installation", {{0, 2.5}}, NULL},   {"deployment", {{0, 21.684}}, NULL},
    {"background", {{0, 0.6}}, NULL},     {"phase-d", {{0, 1.92}}, NULL},
    {"phase-m", {{0, 3.6}}, NULL},        {"phase-t", {{0, 2.64}}, NULL},
    {"phase-p", {{0, 2.4}}, NULL},        {"phase-e", {{0, 1.2}}, NULL},
    {"phase-r", {{0, 7.92}}, NULL},       {"phase-v", {{0, 3.36}}, NULL},
};

static const struct model_setting shares[] = {
    [MODEL_SECOND_KIND] = {"second-kind", {{0, 0.25}}, NULL}, /* 894 labels on 715 */
    [MODEL_HOWTO_IMPLEMENTATION] = {"how-to-implementation", {{0, 0.6}}, NULL},
    [MODEL_HOWTO_OTHER] = {"how-to-other", {{0, 0.072}}, NULL},
    [MODEL_CODE] = {"code", {{0, 0.78}}, NULL},
    [MODEL_CLOSED] = {"closed", {{0, 0.06}}, NULL},
    [MODEL_ENDORSED] = {"endorsed", {{0, 0.15}}, NULL},
    [MODEL_ANSWERED] = {"answered", {{0, 0.5}}, NULL},
    [MODEL_CONFUSION] = {"confusion", {{0, 0.3}}, NULL},
    [MODEL_NEGATIVE] = {"negative-score", {{0, 0.03}}, NULL},
};

static const struct model_setting shapes[] = {
    [MODEL_WAIT_SIGMA] = {"wait-sigma", {{0, 2.4}}, NULL},
    [MODEL_VIEWS_MEDIAN] = {"views-median", {{0, 158}}, NULL},
    [MODEL_VIEWS_SIGMA] = {"views-sigma", {{0, 1.6}}, NULL},
    [MODEL_SCORE_MEDIAN] = {"score-median", {{0, 0.95}}, NULL},
    [MODEL_SCORE_SIGMA] = {"score-sigma", {{0, 1.25}}, NULL},
    [MODEL_SCORE_VIEWS] = {"score-views-correlation", {{0, 0.75}}, NULL},
};

/* Beyond these nothing is like a site any more. */
static const double shape_limits[] = {
    [MODEL_WAIT_SIGMA] = 5,     [MODEL_VIEWS_MEDIAN] = 1e6, [MODEL_VIEWS_SIGMA] = 5,
    [MODEL_SCORE_MEDIAN] = 1e4, [MODEL_SCORE_SIGMA] = 5,    [MODEL_SCORE_VIEWS] = 1,
};

/* Published how-to posts by year, 2014 to 2021 (Liu, Table 1). */
const double model_default_years[MODEL_DEFAULT_YEARS] = {5,   23,  188, 342,
                                                         380, 564, 598, 301};

const struct model_table model_tables[MODEL_SECTIONS] = {
    [MODEL_FRAMEWORKS] = {"frameworks", frameworks, ROWS_OF(frameworks), 1e9, NULL},
    [MODEL_KINDS] = {"kinds", kinds, ROWS_OF(kinds), 1e9, NULL},
    [MODEL_PLATFORMS] = {"platforms", platforms, ROWS_OF(platforms), 100, NULL},
    [MODEL_SERVER_CHALLENGES] = {"server-challenges", server_challenges,
                                 ROWS_OF(server_challenges), 1e9, NULL},
    [MODEL_MOBILE_CHALLENGES] = {"mobile-challenges", mobile_challenges,
                                 ROWS_OF(mobile_challenges), 1e9, NULL},
    [MODEL_BROWSER_CHALLENGES] = {"browser-challenges", browser_challenges,
                                  ROWS_OF(browser_challenges), 1e9, NULL},
    [MODEL_OBJECTS] = {"objects", objects, ROWS_OF(objects), 1e9, NULL},
    [MODEL_ROOT_CAUSES] = {"root-causes", root_causes, ROWS_OF(root_causes), 1e9, NULL},
    [MODEL_BUG_TYPES] = {"bug-types", bug_types, ROWS_OF(bug_types), 1e9, NULL},
    [MODEL_BUG_CAUSES] = {"bug-causes", bug_causes, ROWS_OF(bug_causes), 1e9, NULL},
    [MODEL_BUG_EFFECTS] = {"bug-effects", bug_effects, ROWS_OF(bug_effects), 1e9, NULL},
    [MODEL_BUG_STAGES] = {"bug-stages", bug_stages, ROWS_OF(bug_stages), 1e9, NULL},
    [MODEL_ACCEPTED] = {"accepted", accepted, ROWS_OF(accepted), 1, NULL},
    [MODEL_WAIT_HOURS] = {"wait-hours", wait_hours, ROWS_OF(wait_hours), 1e6, NULL},
    [MODEL_SHARES] = {"shares", shares, ROWS_OF(shares), 1, NULL},
    [MODEL_SHAPES] = {"shapes", shapes, ROWS_OF(shapes), 1e6, shape_limits},
};

/* Counts that other files rely on. */
_Static_assert(ROWS_OF(bug_types) == MODEL_BUG_TYPE_COUNT, "a row for each type");
_Static_assert(ROWS_OF(bug_causes) == MODEL_BUG_CAUSE_COUNT, "a column for each cause");
_Static_assert(ROWS_OF(bug_effects) == MODEL_BUG_EFFECT_COUNT, "effects");
_Static_assert(ROWS_OF(frameworks) == MODEL_FRAMEWORK_COUNT, "frameworks");
_Static_assert(ROWS_OF(kinds) == MODEL_KIND_COUNT, "kinds");
_Static_assert(ROWS_OF(objects) <= MODEL_LABELS_MAX, "the longest section");
_Static_assert(ROWS_OF(shape_limits) == ROWS_OF(shapes), "a limit for each shape");
_Static_assert(ROWS_OF(server_challenges) <= MODEL_CHALLENGES_MAX, "challenges");
_Static_assert(ROWS_OF(mobile_challenges) <= MODEL_CHALLENGES_MAX, "challenges");
_Static_assert(ROWS_OF(browser_challenges) <= MODEL_CHALLENGES_MAX, "challenges");
