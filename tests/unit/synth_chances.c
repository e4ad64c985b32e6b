/* The chances that truth.json calls planted are those that labels are drawn with. */
#include "synth/internal.h"

#include <math.h>
#include <string.h>

#include "tests/tap.h"

enum { DRAWS = 60000, YEAR = 2018 };

static struct arena arena;
static struct model model;

static int label_of(const struct model_truth *truth, enum model_section section)
{
    switch (section) {
    case MODEL_FRAMEWORKS:
        return truth->framework;
    case MODEL_KINDS:
        return truth->kind;
    case MODEL_PLATFORMS:
        return truth->platform;
    case MODEL_OBJECTS:
        return truth->object;
    case MODEL_ROOT_CAUSES:
        return truth->root_cause;
    case MODEL_BUG_TYPES:
        return truth->bug_type;
    case MODEL_BUG_CAUSES:
        return truth->bug_cause;
    case MODEL_BUG_EFFECTS:
        return truth->bug_effect;
    case MODEL_BUG_STAGES:
        return truth->bug_stage;
    default:
        return truth->platform >= 0 && model_challenges(truth->platform) == section
                   ? truth->challenge
                   : MODEL_NONE;
    }
}

/* Counts and chances of every label, added up over many questions, agree. */
static void check_sections(const char *name)
{
    static double counts[MODEL_SECTIONS][MODEL_LABELS_MAX];
    static double chances[MODEL_SECTIONS][MODEL_LABELS_MAX];
    struct rng rng = rng_seeded(31);
    double one[MODEL_LABELS_MAX];

    memset(counts, 0, sizeof counts);
    memset(chances, 0, sizeof chances);
    for (int i = 0; i < DRAWS; i++) {
        struct model_truth truth = model_draw(&model, YEAR, &rng);
        for (int s = 0; s < MODEL_ACCEPTED; s++) {
            int label = label_of(&truth, (enum model_section)s);
            bool has = model_chances(&model, (enum model_section)s, YEAR, &truth, one);
            double sum = 0;
            CHECK(s == MODEL_PLATFORMS || has == (label >= 0));
            for (size_t n = 0; has && n < model_count((enum model_section)s); n++) {
                chances[s][n] += one[n];
                sum += one[n];
            }
            CHECK(!has || s == MODEL_PLATFORMS || fabs(sum - 1) < 1e-12);
            if (label >= 0)
                counts[s][label]++;
        }
    }
    for (int s = 0; s < MODEL_ACCEPTED; s++) {
        tap_case("%s: %s", name, model_tables[s].name);
        for (size_t n = 0; n < model_count((enum model_section)s); n++)
            CHECK_NEAR(counts[s][n], chances[s][n], 4.5 * sqrt(chances[s][n]) + 1);
    }
}

int main(void)
{
    struct err err = {0};
    double chances[MODEL_LABELS_MAX];

    CHECK(model_load(NULL, &arena, &model, &err));
    check_sections("published");
    CHECK(model_parse(STR("bug-types: {api: 3, data: 1}\nbug-causes: {si: 5, ut: 5}\n"
                          "bug-effects: {hang: 40}\nplatforms: {browser: 9}\n"
                          "bug-stages: {tuning: 70}\n"),
                      "f", &arena, &model, &err));
    check_sections("given");

    tap_case("types depend on the library unless they are given");
    struct model_truth truth = {.framework = MODEL_CAFFE, .bug_type = 0};
    CHECK(model_load(NULL, &arena, &model, &err));
    CHECK(model_chances(&model, MODEL_BUG_TYPES, YEAR, &truth, chances));
    CHECK_NEAR(chances[0], 2.0 / 35, 1e-12);
    tap_case("a crash has the effect crash, nothing else has");
    truth.kind = MODEL_CRASH;
    CHECK(model_chances(&model, MODEL_BUG_EFFECTS, YEAR, &truth, chances));
    CHECK_NEAR(chances[1], 1, 0);
    truth.kind = MODEL_ANOMALY;
    CHECK(model_chances(&model, MODEL_BUG_EFFECTS, YEAR, &truth, chances));
    CHECK_NEAR(chances[1], 0, 0);
    arena_free(&arena);
    return tap_done();
}
