/* What is planted, and the chances of each label. */
#include "synth/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "synth/internal.h"
#include "tests/tap.h"

/* Draws follow the weights, and labels go with each other as they should. */

enum { DRAWS = 40000, YEAR = 2018 };

static struct synth_model model;
static struct synth_model_truth truths[DRAWS];

static double share(bool (*holds)(const struct synth_model_truth *),
                    bool (*among)(const struct synth_model_truth *))
{
    double all = 0, yes = 0;

    for (int i = 0; i < DRAWS; i++)
        if (among == NULL || among(&truths[i])) {
            all++;
            yes += holds(&truths[i]);
        }
    return yes / all;
}

static bool is_called(const struct synth_model_truth *truth, const char *name)
{
    return str_eq(
        synth_model_name(synth_model_challenges(truth->platform), truth->challenge),
        str_from(name));
}

#define IS(name, condition) \
    static bool name(const struct synth_model_truth *truth) \
    { \
        return condition; \
    }
IS(is_crash, truth->kind == SYNTH_MODEL_CRASH)
IS(is_migration, truth->kind == SYNTH_MODEL_MIGRATION)
IS(is_performance, truth->kind == SYNTH_MODEL_PERFORMANCE)
IS(is_plain_comprehension, truth->kind == SYNTH_MODEL_COMPREHENSION)
IS(is_accepted, truth->accepted)
IS(is_server, truth->platform == SYNTH_MODEL_SERVER)
IS(has_second, truth->second_kind >= 0)
IS(is_negative, truth->score < 0)
IS(is_zero, truth->score == 0)
IS(is_second_migration, truth->second_kind == SYNTH_MODEL_MIGRATION)
IS(is_second_of_anomaly, truth->second_kind >= 0 && truth->kind == SYNTH_MODEL_ANOMALY)
IS(is_deployment, synth_model_is_deployment(truth))
IS(is_other_browser,
   truth->platform == SYNTH_MODEL_BROWSER && is_called(truth, "not-deployment"))
IS(is_unclear, truth->platform >= 0 && is_called(truth, "unclear"))
IS(is_implementation, truth->kind == SYNTH_MODEL_IMPLEMENTATION)
IS(is_howto, truth->howto)
IS(has_bug, truth->bug_type >= 0)
IS(is_inefficient,
   strcmp(synth_model_name(SYNTH_MODEL_BUG_CAUSES, truth->bug_cause).ptr, "si") == 0)

static const struct {
    const char *name;
    bool (*holds)(const struct synth_model_truth *);
    bool (*among)(const struct synth_model_truth *);
    double share, tolerance; /* four standard errors and a little */
} rows[] = {
    {"crash 28% in 2018 (Zhang)", is_crash, NULL, .28, .009},
    {"migration 22% in 2018 (Zhang)", is_migration, NULL, .22, .009},
    {"a second kind for one in four (Zhang)", has_second, NULL, .25, .009},
    {"accepted: performance 25% (Zhang)", is_accepted, is_performance, .25, .036},
    {"accepted: comprehension 41% (Zhang)", is_accepted, is_plain_comprehension, .41,
     .041},
    {"server 2.0% in 2018 (Chen)", is_server, NULL, .020, .003},
    {"accepted: deployment 29.3% (Chen)", is_accepted, is_deployment, .2931, .06},
    {"accepted: browser, but not deployment: as migration", is_accepted, is_other_browser,
     .34, .14},
    {"accepted: unclear ones are not (Chen)", is_accepted, is_unclear, 0, 0},
    {"scores below 0: 3%", is_negative, NULL, .03, .004},
    {"scores of 0: about half", is_zero, NULL, .49, .02},
    {"second kind of anomaly: migration 22 of 89", is_second_migration,
     is_second_of_anomaly, 22.0 / 89, .05},
    {"how-to among implementation", is_howto, is_implementation, .6, .026},
    {"inefficient structure 19% of bugs (Islam)", is_inefficient, has_bug, .19, .03},
};

static int by_wait(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void check_consistency(void)
{
    tap_case("labels go with each other");
    for (int i = 0; i < DRAWS; i++) {
        const struct synth_model_truth *truth = &truths[i];
        CHECK(truth->second_kind != truth->kind);
        CHECK((truth->platform >= 0) == (truth->challenge >= 0));
        CHECK(truth->platform < 0 || truth->kind == SYNTH_MODEL_MIGRATION);
        CHECK(truth->object < 0 ||
              (truth->howto && truth->kind == SYNTH_MODEL_IMPLEMENTATION));
        CHECK((truth->bug_type >= 0) == (truth->bug_effect >= 0));
        CHECK(truth->bug_type < 0 || truth->code);
        CHECK(!truth->accepted || truth->answers > 0);
        CHECK(!truth->endorsed || (truth->answers > 0 && !truth->accepted));
        CHECK(truth->wait_ms >= 20000 && truth->views >= 1);
    }
}

/* A kind without weight is never planted, and no kind comes twice. */
static void check_second_kind(struct arena *arena)
{
    struct synth_model odd;
    struct err err = {0};
    struct rng rng = rng_seeded(12);
    int seconds = 0;

    tap_case("a second kind is one that has a weight");
    CHECK(synth_model_parse(
        STR("kinds: {crash: 3, anomaly: 1, implementation: 0, migration: 0,"
            " performance: 0, comprehension: 0, installation: 0}\n"
            "platforms: {server: 0, mobile: 0, browser: 0}\n"),
        "f", arena, &odd, &err));
    for (int i = 0; i < 2000; i++) {
        struct synth_model_truth truth = synth_model_draw(&odd, YEAR, &rng);
        CHECK(truth.second_kind < 0 ||
              truth.second_kind == SYNTH_MODEL_CRASH + SYNTH_MODEL_ANOMALY - truth.kind);
        seconds += truth.second_kind >= 0;
    }
    CHECK_NEAR(seconds / 2000.0, 0.25, 0.05);
    tap_case("there is none when all are of one kind");
    CHECK(synth_model_parse(
        STR("kinds: {crash: 3, anomaly: 0, implementation: 0, migration: 0,"
            " performance: 0, comprehension: 0, installation: 0}\n"
            "platforms: {server: 0, mobile: 0, browser: 0}\n"),
        "f", arena, &odd, &err));
    for (int i = 0; i < 1000; i++)
        CHECK(synth_model_draw(&odd, YEAR, &rng).second_kind < 0);
}

static void check_extremes(struct arena *arena)
{
    struct synth_model odd;
    struct err err = {0};
    struct rng rng = rng_seeded(13);

    tap_case("the widest shapes stay within what a site has");
    CHECK(synth_model_parse(
        STR("shapes: {wait-sigma: 5, views-median: 1e6, views-sigma: 5,"
            " score-median: 1e4, score-sigma: 5,"
            " score-views-correlation: 100%}\nwait-hours: {crash: 1e6}\n"),
        "f", arena, &odd, &err));
    for (int i = 0; i < DRAWS; i++) {
        struct synth_model_truth truth = synth_model_draw(&odd, YEAR, &rng);
        CHECK(truth.views >= 1 && truth.views <= 2000000001);
        CHECK(truth.score >= -20 && truth.score <= 30000);
        CHECK(truth.wait_ms >= 20000 && truth.wait_ms < INT64_C(1000000000000));
    }
}

static double correlation_of_logs(void)
{
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;

    for (int i = 0; i < DRAWS; i++) {
        if (truths[i].score < 0)
            continue;
        double a = log((double)truths[i].views), b = log((double)truths[i].score + 1);
        n++, x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
    }
    return (n * xy - x * y) / sqrt((n * xx - x * x) * (n * yy - y * y));
}

static void test_model(void)
{
    struct arena arena = {0};
    struct err err = {0};
    static int64_t waits[DRAWS];
    struct rng rng = rng_seeded(11);
    size_t count = 0;

    CHECK(synth_model_load(NULL, &arena, &model, &err));
    for (int i = 0; i < DRAWS; i++)
        truths[i] = synth_model_draw(&model, YEAR, &rng);
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s", rows[i].name);
        CHECK_NEAR(share(rows[i].holds, rows[i].among), rows[i].share, rows[i].tolerance);
    }
    check_consistency();
    tap_case("views and score go together");
    CHECK_NEAR(correlation_of_logs(), 0.62, 0.05); /* 0.75 before scores are rounded */
    check_second_kind(&arena);
    check_extremes(&arena);

    tap_case("crash waits 1.7 hours at the median (Zhang)");
    for (int i = 0; i < DRAWS; i++)
        if (is_crash(&truths[i]))
            waits[count++] = truths[i].wait_ms;
    qsort(waits, count, sizeof *waits, by_wait);
    CHECK_NEAR((double)waits[count / 2] / 3600000, 1.7, 0.15);

    tap_case("moments ascend from the beginning to the end");
    for (double s = 0; s < 0.999; s += 0.001)
        CHECK(synth_model_moment(&model, s) <= synth_model_moment(&model, s + 0.001));
    CHECK(synth_model_moment(&model, 0) == model.begin_ms);
    CHECK(synth_model_moment(&model, 0.999999) < model.until_ms);
    arena_free(&arena);
}

/* The chances that truth.json calls planted are those that labels are drawn with. */

enum { CHANCES_DRAWS = 60000, CHANCES_YEAR = 2018 };

static struct arena chances_arena;
static struct synth_model chances_model;

static int label_of(const struct synth_model_truth *truth,
                    enum synth_model_section section)
{
    switch (section) {
    case SYNTH_MODEL_FRAMEWORKS:
        return truth->framework;
    case SYNTH_MODEL_KINDS:
        return truth->kind;
    case SYNTH_MODEL_PLATFORMS:
        return truth->platform;
    case SYNTH_MODEL_OBJECTS:
        return truth->object;
    case SYNTH_MODEL_ROOT_CAUSES:
        return truth->root_cause;
    case SYNTH_MODEL_BUG_TYPES:
        return truth->bug_type;
    case SYNTH_MODEL_BUG_CAUSES:
        return truth->bug_cause;
    case SYNTH_MODEL_BUG_EFFECTS:
        return truth->bug_effect;
    case SYNTH_MODEL_BUG_STAGES:
        return truth->bug_stage;
    default:
        return truth->platform >= 0 && synth_model_challenges(truth->platform) == section
                   ? truth->challenge
                   : SYNTH_MODEL_NONE;
    }
}

/* Counts and chances of every label, added up over many questions, agree. */
static void check_sections(const char *name)
{
    static double counts[SYNTH_MODEL_SECTIONS][SYNTH_MODEL_LABELS_MAX];
    static double chances[SYNTH_MODEL_SECTIONS][SYNTH_MODEL_LABELS_MAX];
    struct rng rng = rng_seeded(31);
    double one[SYNTH_MODEL_LABELS_MAX];

    memset(counts, 0, sizeof counts);
    memset(chances, 0, sizeof chances);
    for (int i = 0; i < CHANCES_DRAWS; i++) {
        struct synth_model_truth truth =
            synth_model_draw(&chances_model, CHANCES_YEAR, &rng);
        for (int s = 0; s < SYNTH_MODEL_ACCEPTED; s++) {
            int label = label_of(&truth, (enum synth_model_section)s);
            bool has = synth_model_chances(&chances_model, (enum synth_model_section)s,
                                           CHANCES_YEAR, &truth, one);
            double sum = 0;
            CHECK(s == SYNTH_MODEL_PLATFORMS || has == (label >= 0));
            for (size_t n = 0; has && n < synth_model_count((enum synth_model_section)s);
                 n++) {
                chances[s][n] += one[n];
                sum += one[n];
            }
            CHECK(!has || s == SYNTH_MODEL_PLATFORMS || fabs(sum - 1) < 1e-12);
            if (label >= 0)
                counts[s][label]++;
        }
    }
    for (int s = 0; s < SYNTH_MODEL_ACCEPTED; s++) {
        tap_case("%s: %s", name, synth_model_tables[s].name);
        for (size_t n = 0; n < synth_model_count((enum synth_model_section)s); n++)
            CHECK_NEAR(counts[s][n], chances[s][n], 4.5 * sqrt(chances[s][n]) + 1);
    }
}

static void test_chances(void)
{
    struct err err = {0};
    double chances[SYNTH_MODEL_LABELS_MAX];

    CHECK(synth_model_load(NULL, &chances_arena, &chances_model, &err));
    check_sections("published");
    CHECK(
        synth_model_parse(STR("bug-types: {api: 3, data: 1}\nbug-causes: {si: 5, ut: 5}\n"
                              "bug-effects: {hang: 40}\nplatforms: {browser: 9}\n"
                              "bug-stages: {tuning: 70}\n"),
                          "f", &chances_arena, &chances_model, &err));
    check_sections("given");

    tap_case("types depend on the library unless they are given");
    struct synth_model_truth truth = {.framework = SYNTH_MODEL_CAFFE, .bug_type = 0};
    CHECK(synth_model_load(NULL, &chances_arena, &chances_model, &err));
    CHECK(synth_model_chances(&chances_model, SYNTH_MODEL_BUG_TYPES, CHANCES_YEAR, &truth,
                              chances));
    CHECK_NEAR(chances[0], 2.0 / 35, 1e-12);
    tap_case("a crash has the effect crash, nothing else has");
    truth.kind = SYNTH_MODEL_CRASH;
    CHECK(synth_model_chances(&chances_model, SYNTH_MODEL_BUG_EFFECTS, CHANCES_YEAR,
                              &truth, chances));
    CHECK_NEAR(chances[1], 1, 0);
    truth.kind = SYNTH_MODEL_ANOMALY;
    CHECK(synth_model_chances(&chances_model, SYNTH_MODEL_BUG_EFFECTS, CHANCES_YEAR,
                              &truth, chances));
    CHECK_NEAR(chances[1], 0, 0);
    arena_free(&chances_arena);
}

int main(void)
{
    test_model();
    test_chances();
    return tap_done();
}
