/* Every tag has one number, and questions carry what their truth asks for. */
#include "synth/tags.h"

#include <math.h>
#include <string.h>

#include "synth/synth.h"
#include "tests/tap.h"

static bool seen[SYNTH_TAGS_MAX];

static bool carries(const struct tags *tags, const char *name)
{
    for (int i = 0; i < tags->count; i++)
        if (str_eq(tags_name(tags->at[i]), str_from(name)))
            return true;
    return false;
}

static bool by_platform_tag(const struct tags *tags, int platform)
{
    static const char *const names[MODEL_PLATFORM_COUNT][4] = {
        {"tensorflow-serving", "google-cloud-ml", "amazon-sagemaker", ""},
        {"tensorflow-lite", "coreml", "", ""},
        {"tensorflow.js", "", "", ""}};

    for (int i = 0; i < 4; i++)
        if (carries(tags, names[platform][i]))
            return true;
    return false;
}

static void check_platforms(const struct model *model, struct rng *rng)
{
    bool by_words;

    tap_case("a platform shows in a tag or has to show in the text");
    for (int i = 0; i < 60000; i++) {
        struct model_truth truth = model_draw(model, 2019, rng);
        int framework = truth.framework;
        struct tags tags = tags_draw(&truth, 2019, rng, &by_words);
        CHECK(tags.count >= 1 && tags.count <= TAGS_PER_QUESTION);
        for (int t = 0; t < tags.count; t++)
            seen[tags.at[t]] = true;
        if (truth.platform < 0) {
            CHECK(!by_words && truth.framework == framework && tags.at[0] == framework);
            CHECK(!by_platform_tag(&tags, 0) && !by_platform_tag(&tags, 1) &&
                  !by_platform_tag(&tags, 2));
            continue;
        }
        bool alone = by_platform_tag(&tags, truth.platform) &&
                     !carries(&tags, "google-cloud-ml") &&
                     !carries(&tags, "amazon-sagemaker");
        CHECK(by_words == !alone);
        CHECK(!by_words || truth.framework >= 0 ||
              by_platform_tag(&tags, truth.platform));
        if (truth.framework < 0)
            for (int t = 0; t < tags.count; t++)
                CHECK(tags.at[t] >= MODEL_FRAMEWORK_COUNT);
    }
}

/* The chances of frameworks are those that questions come out with. */
static void check_frameworks(const struct model *model, struct rng *rng)
{
    double chances[MODEL_FRAMEWORK_COUNT] = {0}, one[MODEL_LABELS_MAX];
    double counts[MODEL_FRAMEWORK_COUNT] = {0};
    bool by_words;

    tap_case("chances of frameworks for questions with a platform");
    for (int i = 0; i < 200000; i++) {
        struct model_truth truth = model_draw(model, 2016, rng);
        if (truth.platform < 0)
            continue;
        CHECK(model_chances(model, MODEL_FRAMEWORKS, 2016, &truth, one));
        tags_frameworks(truth.platform, one);
        for (int f = 0; f < MODEL_FRAMEWORK_COUNT; f++)
            chances[f] += one[f];
        tags_draw(&truth, 2016, rng, &by_words);
        if (truth.framework >= 0)
            counts[truth.framework]++;
    }
    for (int f = 0; f < MODEL_FRAMEWORK_COUNT; f++)
        CHECK_NEAR(counts[f], chances[f], 4.5 * sqrt(chances[f]) + 1);
    CHECK(chances[MODEL_TENSORFLOW] > 1000);
}

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct model model;
    struct rng rng = rng_seeded(3);

    CHECK(model_load(NULL, &arena, &model, &err));
    tap_case("there is room to count all tags");
    CHECK(tags_count() <= SYNTH_TAGS_MAX);
    tap_case("background questions carry one to five tags");
    for (int round = 0; round < 3000; round++) {
        struct tags tags = tags_draw_background(round % TAGS_TOPICS, &rng);
        CHECK(tags.count >= 1 && tags.count <= TAGS_PER_QUESTION);
        for (int t = 0; t < tags.count; t++)
            seen[tags.at[t]] = true;
    }
    check_platforms(&model, &rng);
    check_frameworks(&model, &rng);
    tap_case("every number that was drawn has a name of its own");
    for (int a = 0; a < tags_count(); a++)
        for (int b = 0; b < a; b++)
            CHECK(!seen[a] || !seen[b] || !str_eq(tags_name(a), tags_name(b)));
    arena_free(&arena);
    return tap_done();
}
