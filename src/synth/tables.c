/* The published marginals, corrected where a paper contradicts its own data; where a
 * study gives none, a value of ours that keeps its stated order. Sources: Zhang 2019
 * (kinds, acceptance, waiting), Liu 2023 (years, objects, phases' waiting), Chen 2020
 * (platforms, challenges), Islam 2019 (bugs). */
#include "base/compiler.h"
#include "synth/internal.h"

static const struct synth_model_setting frameworks[] = {
    {.name = "tensorflow",
     .points = {{2014, 0},
                {2015, 40},
                {2016, 62},
                {2017, 62},
                {2018, 55},
                {2019, 51},
                {2020, 46},
                {2021, 38}}},
    {.name = "keras",
     .points = {{2014, 0},
                {2015, 12},
                {2016, 13},
                {2017, 21},
                {2018, 25},
                {2019, 26},
                {2020, 26},
                {2021, 23}}},
    {.name = "pytorch",
     .points = {{2016, 0}, {2017, 6}, {2018, 13}, {2019, 19}, {2020, 26}, {2021, 38}}},
    {.name = "theano",
     .points = {{2014, 55}, {2015, 24}, {2016, 10}, {2017, 2}, {2018, 0.5}, {2021, 0.3}}},
    {.name = "caffe",
     .points = {{2014, 30},
                {2015, 14},
                {2016, 8},
                {2017, 5},
                {2018, 2},
                {2019, 1},
                {2021, 0.3}}},
    {.name = "torch",
     .points = {{2014, 13}, {2015, 8}, {2016, 6}, {2017, 3}, {2018, 1}, {2021, 0.2}}},
    {.name = "deeplearning4j",
     .points = {{2014, 2}, {2015, 2}, {2016, 1.5}, {2017, 1}, {2018, 0.6}, {2021, 0.2}}},
};

static const struct synth_model_setting kinds[] = {
    {.name = "implementation", .points = {{2015, 19}, {2018, 16}}},
    {.name = "crash", .points = {{2015, 25}, {2018, 28}}},
    {.name = "anomaly", .points = {{2015, 11}, {2018, 11}}},
    {.name = "migration", .points = {{2015, 14}, {2018, 22}}},
    {.name = "performance", .points = {{2015, 5}, {2018, 6}}},
    {.name = "comprehension", .points = {{2015, 6}, {2018, 6}}},
    {.name = "installation", .points = {{2015, 20}, {2018, 11}}},
};

static const struct synth_model_setting platforms[] = {
    {.name = "server",
     .points =
         {{2014, 0}, {2015, 0.1}, {2016, 1.2}, {2017, 1.7}, {2018, 2.0}, {2019, 2.4}}},
    {.name = "mobile",
     .points =
         {{2014, 0}, {2015, 0.5}, {2016, 0.8}, {2017, 1.5}, {2018, 2.4}, {2019, 3.3}}},
    {.name = "browser", .points = {{2017, 0}, {2018, 0.9}, {2019, 1.3}}},
};

/* The last two of each: 58 false positives and 130 unclear ones among 769 of the sample,
 * scaled to the labels of the platform. */
static const struct synth_model_setting server_challenges[] = {
    {.name = "sc.general", .points = {{0, 37}}},
    {.name = "sc.export", .points = {{0, 34}}},
    {.name = "sc.data", .points = {{0, 45}}},
    {.name = "sc.update", .points = {{0, 6}}},
    {.name = "sc.env", .points = {{0, 44}}},
    {.name = "sc.request", .points = {{0, 31}}},
    {.name = "sc.serving", .points = {{0, 30}}},
    {.name = "false-positive", .points = {{0, 22}}},
    {.name = "unclear", .points = {{0, 50}}},
};

static const struct synth_model_setting mobile_challenges[] = {
    {.name = "mo.general", .points = {{0, 43}}},
    {.name = "mo.conversion", .points = {{0, 61}}},
    {.name = "mo.data", .points = {{0, 39}}},
    {.name = "mo.update", .points = {{0, 7}}},
    {.name = "mo.security", .points = {{0, 1}}},
    {.name = "mo.extraction", .points = {{0, 4}}},
    {.name = "mo.speed", .points = {{0, 9}}},
    {.name = "mo.compile", .points = {{0, 18}}},
    {.name = "mo.integration", .points = {{0, 49}}},
    {.name = "false-positive", .points = {{0, 23}}},
    {.name = "unclear", .points = {{0, 51}}},
};

/* Of 576 questions 411 were judged not to be about deployment. */
static const struct synth_model_setting browser_challenges[] = {
    {.name = "br.general", .points = {{0, 7}}},
    {.name = "br.conversion", .points = {{0, 23}}},
    {.name = "br.data", .points = {{0, 23}}},
    {.name = "br.update", .points = {{0, 2}}},
    {.name = "br.security", .points = {{0, 3}}},
    {.name = "br.extraction", .points = {{0, 4}}},
    {.name = "br.speed", .points = {{0, 9}}},
    {.name = "br.env", .points = {{0, 24}}},
    {.name = "br.loading", .points = {{0, 30}}},
    {.name = "false-positive", .points = {{0, 12}}},
    {.name = "unclear", .points = {{0, 28}}},
    {.name = "not-deployment", .points = {{0, 411}}},
};

static const struct synth_model_setting objects[] = {
    {.name = "d1", .points = {{0, 426}}, .title = "Data"},
    {.name = "d2", .points = {{0, 387}}, .title = "Tensor"},
    {.name = "d3", .points = {{0, 105}}, .title = "Image"},
    {.name = "d4", .points = {{0, 73}}, .title = "Variable"},
    {.name = "d5", .points = {{0, 43}}, .title = "Matrix"},
    {.name = "d6", .points = {{0, 30}}, .title = "Dataset"},
    {.name = "d7", .points = {{0, 28}}, .title = "Batch"},
    {.name = "d8", .points = {{0, 17}}, .title = "Vector"},
    {.name = "d9", .points = {{0, 15}}, .title = "Placeholder"},
    {.name = "d10", .points = {{0, 1}}, .title = "Label"},
    {.name = "m1", .points = {{0, 305}}, .title = "Layer"},
    {.name = "m2", .points = {{0, 161}}, .title = "Model"},
    {.name = "m3", .points = {{0, 55}}, .title = "Weight"},
    {.name = "m4", .points = {{0, 53}}, .title = "Trained model"},
    {.name = "m5", .points = {{0, 25}}, .title = "Model graph"},
    {.name = "m6", .points = {{0, 13}}, .title = "Activation"},
    {.name = "m7", .points = {{0, 11}}, .title = "Saved model file"},
    {.name = "m8", .points = {{0, 6}}, .title = "Trained weight"},
    {.name = "m9", .points = {{0, 5}}, .title = "Filter"},
    {.name = "m10", .points = {{0, 5}}, .title = "Operation"},
    {.name = "m11", .points = {{0, 4}}, .title = "Summary"},
    {.name = "t1", .points = {{0, 81}}, .title = "Loss"},
    {.name = "t2", .points = {{0, 59}}, .title = "Model"},
    {.name = "t3", .points = {{0, 46}}, .title = "Gradient"},
    {.name = "t4", .points = {{0, 17}}, .title = "Trained model"},
    {.name = "t5", .points = {{0, 16}}, .title = "Weight"},
    {.name = "t6", .points = {{0, 13}}, .title = "Variable"},
    {.name = "t7", .points = {{0, 12}}, .title = "Checkpoint"},
    {.name = "t8", .points = {{0, 11}}, .title = "Learning rate"},
    {.name = "t9", .points = {{0, 11}}, .title = "Statement"},
    {.name = "t10", .points = {{0, 7}}, .title = "Batch"},
    {.name = "t11", .points = {{0, 7}}, .title = "Training progress"},
    {.name = "t12", .points = {{0, 6}}, .title = "Layer"},
    {.name = "t13", .points = {{0, 5}}, .title = "Training data"},
    {.name = "t14", .points = {{0, 4}}, .title = "Training step"},
    {.name = "t15", .points = {{0, 4}}, .title = "Optimizer"},
    {.name = "t16", .points = {{0, 3}}, .title = "Session"},
    {.name = "t17", .points = {{0, 2}}, .title = "Training history"},
    {.name = "t18", .points = {{0, 2}}, .title = "Derivative"},
    {.name = "p1", .points = {{0, 79}}, .title = "Model"},
    {.name = "p2", .points = {{0, 37}}, .title = "Prediction result"},
    {.name = "p3", .points = {{0, 8}}, .title = "Layer"},
    {.name = "p4", .points = {{0, 3}}, .title = "Weight"},
    {.name = "p5", .points = {{0, 1}}, .title = "Threshold"},
    {.name = "e1", .points = {{0, 16}}, .title = "Accuracy"},
    {.name = "e2", .points = {{0, 16}}, .title = "Other metrics"},
    {.name = "e3", .points = {{0, 11}}, .title = "Result"},
    {.name = "e4", .points = {{0, 5}}, .title = "Time"},
    {.name = "e5", .points = {{0, 4}}, .title = "Evaluation method"},
    {.name = "e6", .points = {{0, 1}}, .title = "Training"},
    {.name = "r1", .points = {{0, 17}}, .title = "GPU"},
    {.name = "r2", .points = {{0, 9}}, .title = "GPU memory"},
    {.name = "r3", .points = {{0, 4}}, .title = "GPU/CPU"},
    {.name = "r4", .points = {{0, 2}}, .title = "TPU"},
    {.name = "r5", .points = {{0, 2}}, .title = "CPU"},
    {.name = "r6", .points = {{0, 1}}, .title = "RAM"},
    {.name = "v1", .points = {{0, 40}}, .title = "Data"},
    {.name = "v2", .points = {{0, 31}}, .title = "Model"},
    {.name = "v3", .points = {{0, 13}}, .title = "Evaluation"},
    {.name = "v4", .points = {{0, 8}}, .title = "Layer"},
    {.name = "v5", .points = {{0, 8}}, .title = "Progress"},
    {.name = "v6", .points = {{0, 7}}, .title = "Result"},
    {.name = "v7", .points = {{0, 4}}, .title = "Tensorboard"},
};

static const struct synth_model_setting root_causes[] = {
    {.name = "api-misuse", .points = {{0, 35}}},
    {.name = "hyperparameter", .points = {{0, 20}}},
    {.name = "gpu", .points = {{0, 15}}},
    {.name = "static-graph", .points = {{0, 18}}},
    {.name = "debug-profile", .points = {{0, 12}}},
};

static const struct synth_model_setting bug_types[] = {
    {.name = "api", .points = {{0, 44}}},
    {.name = "data", .points = {{0, 110}}},
    {.name = "sb.control", .points = {{0, 15}}},
    {.name = "sb.dataflow", .points = {{0, 48}}},
    {.name = "sb.init", .points = {{0, 15}}},
    {.name = "sb.logic", .points = {{0, 100}}},
    {.name = "sb.processing", .points = {{0, 31}}},
    {.name = "nmsb.control", .points = {{0, 1}}},
    {.name = "nmsb.init", .points = {{0, 3}}},
    {.name = "nmsb.logic", .points = {{0, 47}}},
    {.name = "nmsb.processing", .points = {{0, 1}}},
};

static const struct synth_model_setting bug_causes[] = {
    {.name = "inter-api", .points = {{0, 4}}},
    {.name = "type-check", .points = {{0, 49}}},
    {.name = "api-change", .points = {{0, 30}}},
    {.name = "api-misuse", .points = {{0, 57}}},
    {.name = "ccm", .points = {{0, 35}}},
    {.name = "ips", .points = {{0, 98}}},
    {.name = "others", .points = {{0, 4}}},
    {.name = "si", .points = {{0, 80}}},
    {.name = "ut", .points = {{0, 57}}},
};

static const struct synth_model_setting bug_effects[] = {
    {.name = "bad-performance", .points = {{0, 55}}},
    {.name = "crash", .points = {{0, 273}}},
    {.name = "data-corruption", .points = {{0, 22}}},
    {.name = "hang", .points = {{0, 1}}},
    {.name = "incorrect-functionality", .points = {{0, 48}}},
    {.name = "memory", .points = {{0, 8}}},
    {.name = "unknown", .points = {{0, 7}}},
};

static const struct synth_model_setting bug_stages[] = {
    {.name = "data-preparation", .points = {{0, 82}}},
    {.name = "choice-of-model", .points = {{0, 59}}},
    {.name = "training", .points = {{0, 69}}},
    {.name = "evaluation", .points = {{0, 4}}},
    {.name = "tuning", .points = {{0, 1}}},
    {.name = "prediction", .points = {{0, 18}}},
};

/* Counts on Stack Overflow by library (rows: caffe, keras, tensorflow, theano, torch) and
 * type, in the order of bug_types. */
const double
    synth_model_types_by_library[SYNTH_MODEL_LIBRARIES][SYNTH_MODEL_BUG_TYPE_COUNT] = {
        {2, 3, 2, 1, 0, 15, 8, 0, 0, 4, 0},      {18, 39, 4, 21, 2, 43, 13, 0, 1, 21, 0},
        {18, 49, 6, 25, 13, 32, 7, 0, 2, 13, 1}, {2, 10, 1, 0, 0, 5, 2, 1, 0, 6, 0},
        {4, 9, 2, 1, 0, 5, 1, 0, 0, 3, 0},
};

/* Counts by type (rows, in the order of bug_types) and cause (in that of bug_causes). */
const double
    synth_model_causes_by_type[SYNTH_MODEL_BUG_TYPE_COUNT][SYNTH_MODEL_BUG_CAUSE_COUNT] =
        {
            {3, 0, 29, 9, 0, 1, 2, 0, 0}, {0, 36, 1, 5, 4, 6, 2, 11, 45},
            {0, 0, 0, 0, 0, 10, 0, 4, 1}, {0, 6, 0, 3, 2, 23, 0, 6, 8},
            {0, 1, 0, 2, 2, 6, 0, 3, 1},  {1, 4, 0, 7, 15, 35, 0, 37, 1},
            {0, 0, 0, 1, 4, 9, 0, 16, 0}, {0, 0, 0, 0, 1, 0, 0, 0, 0},
            {0, 0, 0, 3, 0, 0, 0, 0, 0},  {0, 2, 0, 26, 7, 8, 0, 3, 1},
            {0, 0, 0, 1, 0, 0, 0, 0, 0},
};

static const struct synth_model_setting accepted[] = {
    {.name = "implementation", .points = {{0, 0.34}}},
    {.name = "crash", .points = {{0, 0.34}}},
    {.name = "anomaly", .points = {{0, 0.34}}},
    {.name = "migration", .points = {{0, 0.34}}},
    {.name = "performance", .points = {{0, 0.25}}},
    {.name = "comprehension", .points = {{0, 0.41}}},
    {.name = "installation", .points = {{0, 0.34}}},
    {.name = "deployment", .points = {{0, 0.2931}}},
    {.name = "background", .points = {{0, 0.5233}}},
};

/* Deployment: 1,301 minutes is the corrected median; the paper prints 404.9. */
static const struct synth_model_setting wait_hours[] = {
    {.name = "implementation", .points = {{0, 2.5}}},
    {.name = "crash", .points = {{0, 1.7}}},
    {.name = "anomaly", .points = {{0, 2.5}}},
    {.name = "migration", .points = {{0, 2.5}}},
    {.name = "performance", .points = {{0, 4.3}}},
    {.name = "comprehension", .points = {{0, 2.5}}},
    {.name = "installation", .points = {{0, 2.5}}},
    {.name = "deployment", .points = {{0, 21.684}}},
    {.name = "background", .points = {{0, 0.6}}},
    {.name = "phase-d", .points = {{0, 1.92}}},
    {.name = "phase-m", .points = {{0, 3.6}}},
    {.name = "phase-t", .points = {{0, 2.64}}},
    {.name = "phase-p", .points = {{0, 2.4}}},
    {.name = "phase-e", .points = {{0, 1.2}}},
    {.name = "phase-r", .points = {{0, 7.92}}},
    {.name = "phase-v", .points = {{0, 3.36}}},
};

static const struct synth_model_setting shares[] = {
    [SYNTH_MODEL_SECOND_KIND] = {.name = "second-kind",
                                 .points = {{0, 0.25}}}, /* 894 labels on 715 */
    [SYNTH_MODEL_HOWTO_IMPLEMENTATION] = {.name = "how-to-implementation",
                                          .points = {{0, 0.6}}},
    [SYNTH_MODEL_HOWTO_OTHER] = {.name = "how-to-other", .points = {{0, 0.072}}},
    [SYNTH_MODEL_CODE] = {.name = "code", .points = {{0, 0.78}}},
    [SYNTH_MODEL_CLOSED] = {.name = "closed", .points = {{0, 0.06}}},
    [SYNTH_MODEL_ENDORSED] = {.name = "endorsed", .points = {{0, 0.15}}},
    [SYNTH_MODEL_ANSWERED] = {.name = "answered", .points = {{0, 0.5}}},
    [SYNTH_MODEL_CONFUSION] = {.name = "confusion", .points = {{0, 0.3}}},
    [SYNTH_MODEL_NEGATIVE] = {.name = "negative-score", .points = {{0, 0.03}}},
};

static const struct synth_model_setting shapes[] = {
    [SYNTH_MODEL_WAIT_SIGMA] = {.name = "wait-sigma", .points = {{0, 2.4}}},
    [SYNTH_MODEL_VIEWS_MEDIAN] = {.name = "views-median", .points = {{0, 158}}},
    [SYNTH_MODEL_VIEWS_SIGMA] = {.name = "views-sigma", .points = {{0, 1.6}}},
    [SYNTH_MODEL_SCORE_MEDIAN] = {.name = "score-median", .points = {{0, 0.95}}},
    [SYNTH_MODEL_SCORE_SIGMA] = {.name = "score-sigma", .points = {{0, 1.25}}},
    [SYNTH_MODEL_SCORE_VIEWS] = {.name = "score-views-correlation",
                                 .points = {{0, 0.75}}},
};

/* Beyond these nothing is like a site any more. */
static const double shape_limits[] = {
    [SYNTH_MODEL_WAIT_SIGMA] = 5,  [SYNTH_MODEL_VIEWS_MEDIAN] = 1e6,
    [SYNTH_MODEL_VIEWS_SIGMA] = 5, [SYNTH_MODEL_SCORE_MEDIAN] = 1e4,
    [SYNTH_MODEL_SCORE_SIGMA] = 5, [SYNTH_MODEL_SCORE_VIEWS] = 1,
};

/* Published how-to posts by year, 2014 to 2021 (Liu, Table 1). */
const double synth_model_default_years[SYNTH_MODEL_DEFAULT_YEARS] = {5,   23,  188, 342,
                                                                     380, 564, 598, 301};

const struct synth_model_table synth_model_tables[SYNTH_MODEL_SECTIONS] = {
    [SYNTH_MODEL_FRAMEWORKS] = {.name = "frameworks",
                                .settings = frameworks,
                                .count = ROWS_OF(frameworks),
                                .highest = 1e9},
    [SYNTH_MODEL_KINDS] = {.name = "kinds",
                           .settings = kinds,
                           .count = ROWS_OF(kinds),
                           .highest = 1e9},
    [SYNTH_MODEL_PLATFORMS] = {.name = "platforms",
                               .settings = platforms,
                               .count = ROWS_OF(platforms),
                               .highest = 100},
    [SYNTH_MODEL_SERVER_CHALLENGES] = {.name = "server-challenges",
                                       .settings = server_challenges,
                                       .count = ROWS_OF(server_challenges),
                                       .highest = 1e9},
    [SYNTH_MODEL_MOBILE_CHALLENGES] = {.name = "mobile-challenges",
                                       .settings = mobile_challenges,
                                       .count = ROWS_OF(mobile_challenges),
                                       .highest = 1e9},
    [SYNTH_MODEL_BROWSER_CHALLENGES] = {.name = "browser-challenges",
                                        .settings = browser_challenges,
                                        .count = ROWS_OF(browser_challenges),
                                        .highest = 1e9},
    [SYNTH_MODEL_OBJECTS] = {.name = "objects",
                             .settings = objects,
                             .count = ROWS_OF(objects),
                             .highest = 1e9},
    [SYNTH_MODEL_ROOT_CAUSES] = {.name = "root-causes",
                                 .settings = root_causes,
                                 .count = ROWS_OF(root_causes),
                                 .highest = 1e9},
    [SYNTH_MODEL_BUG_TYPES] = {.name = "bug-types",
                               .settings = bug_types,
                               .count = ROWS_OF(bug_types),
                               .highest = 1e9},
    [SYNTH_MODEL_BUG_CAUSES] = {.name = "bug-causes",
                                .settings = bug_causes,
                                .count = ROWS_OF(bug_causes),
                                .highest = 1e9},
    [SYNTH_MODEL_BUG_EFFECTS] = {.name = "bug-effects",
                                 .settings = bug_effects,
                                 .count = ROWS_OF(bug_effects),
                                 .highest = 1e9},
    [SYNTH_MODEL_BUG_STAGES] = {.name = "bug-stages",
                                .settings = bug_stages,
                                .count = ROWS_OF(bug_stages),
                                .highest = 1e9},
    [SYNTH_MODEL_ACCEPTED] = {.name = "accepted",
                              .settings = accepted,
                              .count = ROWS_OF(accepted),
                              .highest = 1},
    [SYNTH_MODEL_WAIT_HOURS] = {.name = "wait-hours",
                                .settings = wait_hours,
                                .count = ROWS_OF(wait_hours),
                                .highest = 1e6},
    [SYNTH_MODEL_SHARES] = {.name = "shares",
                            .settings = shares,
                            .count = ROWS_OF(shares),
                            .highest = 1},
    [SYNTH_MODEL_SHAPES] = {.name = "shapes",
                            .settings = shapes,
                            .count = ROWS_OF(shapes),
                            .highest = 1e6,
                            .highest_own = shape_limits},
};

/* Counts that other files rely on. */
_Static_assert(ROWS_OF(bug_types) == SYNTH_MODEL_BUG_TYPE_COUNT, "a row for each type");
_Static_assert(ROWS_OF(bug_causes) == SYNTH_MODEL_BUG_CAUSE_COUNT,
               "a column for each cause");
_Static_assert(ROWS_OF(bug_effects) == SYNTH_MODEL_BUG_EFFECT_COUNT, "effects");
_Static_assert(ROWS_OF(frameworks) == SYNTH_MODEL_FRAMEWORK_COUNT, "frameworks");
_Static_assert(ROWS_OF(kinds) == SYNTH_MODEL_KIND_COUNT, "kinds");
_Static_assert(ROWS_OF(objects) <= SYNTH_MODEL_LABELS_MAX, "the longest section");
_Static_assert(ROWS_OF(shape_limits) == ROWS_OF(shapes), "a limit for each shape");
_Static_assert(ROWS_OF(server_challenges) <= SYNTH_MODEL_CHALLENGES_MAX, "challenges");
_Static_assert(ROWS_OF(mobile_challenges) <= SYNTH_MODEL_CHALLENGES_MAX, "challenges");
_Static_assert(ROWS_OF(browser_challenges) <= SYNTH_MODEL_CHALLENGES_MAX, "challenges");
