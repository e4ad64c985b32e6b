/* Who asks and answers what and when, and with which tags. */
#include "synth/internal.h"

#include <math.h>
#include <string.h>

#include "base/date.h"
#include "synth/synth.h"
#include "tests/tap.h"

/* Blocks fit together: ids ascend and are used once, answers belong to their questions.
 */

struct totals {
    int64_t questions, background, posts, answers;
};

/* Links lead to a question about the same framework or topic. */
static void check_link(const struct synth_plan_block *block,
                       const struct synth_plan_question *question)
{
    for (size_t i = 0; question->link_to != 0 && i < block->question_count; i++) {
        const struct synth_plan_question *other = &block->questions[i];
        if (other->id == question->link_to)
            CHECK(other->background == question->background &&
                  other->topic == question->topic &&
                  other->truth.framework == question->truth.framework);
    }
}

/* An endorsed question has one answer that the asker comments on. */
static void check_endorsed(const struct synth_plan_block *block)
{
    for (size_t i = 0; i < block->question_count; i++) {
        int endorsed = 0;
        if (!block->questions[i].truth.endorsed)
            continue;
        for (size_t p = 0; p < block->post_count; p++)
            if (block->posts[p].question == i && block->posts[p].endorsed)
                endorsed += block->posts[p].answer > 0 && block->posts[p].comments > 0;
        CHECK(endorsed == 1);
    }
}

static void check_block(const struct synth_plan *plan,
                        const struct synth_plan_block *block, struct totals *totals)
{
    int64_t last_id = block->first.posts - 1, last_ms = INT64_MIN;

    for (size_t i = 0; i < block->post_count; i++) {
        const struct synth_plan_post *post = &block->posts[i];
        const struct synth_plan_question *question = &block->questions[post->question];
        CHECK(post->id > last_id && post->created_ms >= last_ms);
        CHECK(post->created_ms >= question->created_ms);
        CHECK(post->created_ms < plan->model->until_ms);
        CHECK(post->owner >= 0 && post->owner <= plan->users);
        CHECK(post->owner == 0 ||
              synth_plan_user_created(plan, post->owner) < post->created_ms);
        CHECK(synth_plan_up_votes(post) >= 0);
        if (post->answer == 0) {
            CHECK(post->id == question->id && post->score == question->truth.score);
            CHECK(question->link_to < post->id);
            check_link(block, question);
            totals->questions += !question->background;
            totals->background += question->background;
        } else {
            CHECK(post->id > question->id);
            totals->answers++;
        }
        if (post->id == question->accepted_id)
            CHECK(post->answer == 1 &&
                  post->created_ms - question->created_ms == question->truth.wait_ms);
        last_id = post->id;
        last_ms = post->created_ms;
    }
    for (size_t i = 0; i < block->question_count; i++) {
        const struct synth_plan_question *question = &block->questions[i];
        CHECK(question->truth.accepted == (question->accepted_id != 0));
        CHECK((question->truth.answers > 0) == (question->first_wait_ms >= 0));
        CHECK(question->truth.closed == (question->closed_ms != 0));
        CHECK(!question->truth.endorsed || question->asker != 0);
        CHECK(question->bounty == 0 || question->accepted_id != 0);
    }
    check_endorsed(block);
    CHECK(last_id < block->first.posts + block->used.posts);
    totals->posts += (int64_t)block->post_count;
}

/* Over many blocks: what is true of few rows in each. */
static void check_shares(const struct synth_model *model)
{
    struct synth_plan plan = synth_plan_make(model, 6, 20000, 200000);
    int64_t answers = 0, own = 0, last = 0, last_accepted = 0, weekend = 0, night = 0,
            all = 0;

    for (size_t b = 0; b < plan.blocks; b++) {
        struct arena arena = {0};
        struct synth_plan_block block =
            synth_plan_block(&plan, b, (struct synth_plan_ids){0}, &arena);
        for (size_t p = 0; p < block.post_count; p++) {
            const struct synth_plan_question *question =
                &block.questions[block.posts[p].question];
            answers += block.posts[p].answer > 0 && question->asker != 0;
            own += block.posts[p].answer > 0 && question->asker != 0 &&
                   block.posts[p].owner == question->asker;
        }
        for (size_t i = 0; i < block.question_count; i++) {
            int64_t ms = block.questions[i].created_ms;
            all++;
            weekend += (ms / DATE_DAY_MS + 3) % 7 >= 5; /* day 0 was a Thursday */
            night += ms % DATE_DAY_MS < 6 * DATE_HOUR_MS;
        }
        if (block.questions[block.question_count - 1].background) {
            last++;
            last_accepted += block.questions[block.question_count - 1].truth.accepted;
        }
        arena_free(&arena);
    }
    tap_case("one answer in twenty is the asker's own");
    CHECK_NEAR((double)own / (double)answers, 0.05, 0.01);
    tap_case("the last background question of a block is like the others");
    CHECK(last > 90);
    CHECK_NEAR((double)last_accepted / (double)last, 0.52, 0.19);
    tap_case("fewer questions at the weekend and at night");
    CHECK_NEAR((double)weekend / (double)all, 1.1 / 6.1, 0.02);
    CHECK((double)night / (double)all < 0.2);
}

/* An endorsed answer after the end of the corpus passes its comment on to the next. */
static void check_late_endorsement(struct arena *arena)
{
    struct synth_model model;
    struct err err = {0};
    int endorsed = 0;

    tap_case("endorsed questions have their comment although answers are lost");
    CHECK(synth_model_parse(STR("years: {2019: 1}\nshares: {answered: 1, endorsed: 1}\n"
                                "accepted: {implementation: 0, crash: 0, anomaly: 0,\n"
                                " migration: 0, performance: 0, comprehension: 0,\n"
                                " installation: 0, deployment: 0}\n"
                                "wait-hours: {crash: 2000, implementation: 2000}\n"),
                            "f", arena, &model, &err));
    struct synth_plan plan = synth_plan_make(&model, 5, 3000, 0);
    for (size_t b = 0; b < plan.blocks; b++) {
        struct synth_plan_block block =
            synth_plan_block(&plan, b, (struct synth_plan_ids){0}, arena);
        check_endorsed(&block);
        for (size_t i = 0; i < block.question_count; i++)
            endorsed += block.questions[i].truth.endorsed;
    }
    CHECK(endorsed > 1500);
}

static void check_busy_moments(const struct synth_model *model)
{
    int64_t last = INT64_MIN;

    tap_case("busy moments keep the order, the year and the ends");
    for (int64_t ms = date_from_civil((struct date){2018, 1, 14});
         ms < date_from_civil((struct date){2018, 12, 15}); ms += DATE_HOUR_MS / 2) {
        int64_t moved = synth_plan_busy_moment(model, ms);
        CHECK(moved >= last && moved - ms < 7 * DATE_DAY_MS &&
              ms - moved < 7 * DATE_DAY_MS);
        last = moved;
    }
    for (int64_t ms = model->begin_ms; ms < model->until_ms; ms += 3 * DATE_HOUR_MS) {
        int64_t moved = synth_plan_busy_moment(model, ms);
        CHECK(date_year(moved) == date_year(ms) && moved >= model->begin_ms &&
              moved < model->until_ms);
    }
}

static const struct {
    const char *name;
    int64_t questions, background;
} rows[] = {
    {"one question", 1, 0},
    {"one question among others", 1, 5000},
    {"several blocks", 5000, 0},
    {"several blocks, mixed", 3000, 9001},
};

static void test_plan(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct synth_model model;

    CHECK(synth_model_load(NULL, &arena, &model, &err));
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct synth_plan plan =
            synth_plan_make(&model, 5, rows[i].questions, rows[i].background);
        struct synth_plan_ids next = {1, 1, 1, 1};
        struct totals totals = {0};
        tap_case("%s", rows[i].name);
        for (size_t b = 0; b < plan.blocks; b++) {
            struct synth_plan_block block = synth_plan_block(&plan, b, next, &arena);
            struct synth_plan_block again =
                synth_plan_block(&plan, b, (struct synth_plan_ids){0}, &arena);
            check_block(&plan, &block, &totals);
            CHECK(again.used.posts == block.used.posts &&
                  again.used.votes == block.used.votes);
            next.posts += block.used.posts;
        }
        CHECK(totals.questions == rows[i].questions);
        CHECK(totals.posts - totals.questions >= rows[i].background);
        CHECK(rows[i].questions > 1 || rows[i].background == 0 ||
              totals.background > rows[i].background / 4);
    }
    tap_case("background posts are counted exactly");
    struct synth_plan plan = synth_plan_make(&model, 5, 1, 7777);
    int64_t posts = 0;
    for (size_t b = 0; b < plan.blocks; b++) {
        struct synth_plan_block block =
            synth_plan_block(&plan, b, (struct synth_plan_ids){0}, &arena);
        for (size_t p = 0; p < block.post_count; p++)
            posts += block.questions[block.posts[p].question].background;
    }
    CHECK(posts == 7777);
    check_shares(&model);
    check_late_endorsement(&arena);
    check_busy_moments(&model);
    arena_free(&arena);
}

/* Every tag has one number, and questions carry what their truth asks for. */

static bool seen[SYNTH_TAGS_MAX];

static bool carries(const struct synth_tags *tags, const char *name)
{
    for (int i = 0; i < tags->count; i++)
        if (str_eq(synth_tags_name(tags->at[i]), str_from(name)))
            return true;
    return false;
}

static bool by_platform_tag(const struct synth_tags *tags, int platform)
{
    static const char *const names[SYNTH_MODEL_PLATFORM_COUNT][4] = {
        {"tensorflow-serving", "google-cloud-ml", "amazon-sagemaker", ""},
        {"tensorflow-lite", "coreml", "", ""},
        {"tensorflow.js", "", "", ""}};

    for (int i = 0; i < 4; i++)
        if (carries(tags, names[platform][i]))
            return true;
    return false;
}

static void check_platforms(const struct synth_model *model, struct rng *rng)
{
    bool by_words;

    tap_case("a platform shows in a tag or has to show in the text");
    for (int i = 0; i < 60000; i++) {
        struct synth_model_truth truth = synth_model_draw(model, 2019, rng);
        int framework = truth.framework;
        struct synth_tags tags = synth_tags_draw(&truth, 2019, rng, &by_words);
        CHECK(tags.count >= 1 && tags.count <= SYNTH_TAGS_PER_QUESTION);
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
                CHECK(tags.at[t] >= SYNTH_MODEL_FRAMEWORK_COUNT);
    }
}

/* The chances of frameworks are those that questions come out with. */
static void check_frameworks(const struct synth_model *model, struct rng *rng)
{
    double chances[SYNTH_MODEL_FRAMEWORK_COUNT] = {0}, one[SYNTH_MODEL_LABELS_MAX];
    double counts[SYNTH_MODEL_FRAMEWORK_COUNT] = {0};
    bool by_words;

    tap_case("chances of frameworks for questions with a platform");
    for (int i = 0; i < 200000; i++) {
        struct synth_model_truth truth = synth_model_draw(model, 2016, rng);
        if (truth.platform < 0)
            continue;
        CHECK(synth_model_chances(model, SYNTH_MODEL_FRAMEWORKS, 2016, &truth, one));
        synth_tags_frameworks(truth.platform, one);
        for (int f = 0; f < SYNTH_MODEL_FRAMEWORK_COUNT; f++)
            chances[f] += one[f];
        synth_tags_draw(&truth, 2016, rng, &by_words);
        if (truth.framework >= 0)
            counts[truth.framework]++;
    }
    for (int f = 0; f < SYNTH_MODEL_FRAMEWORK_COUNT; f++)
        CHECK_NEAR(counts[f], chances[f], 4.5 * sqrt(chances[f]) + 1);
    CHECK(chances[SYNTH_MODEL_TENSORFLOW] > 1000);
}

static void test_tags(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct synth_model model;
    struct rng rng = rng_seeded(3);

    CHECK(synth_model_load(NULL, &arena, &model, &err));
    tap_case("there is room to count all tags");
    CHECK(synth_tags_count() <= SYNTH_TAGS_MAX);
    tap_case("background questions carry one to five tags");
    for (int round = 0; round < 3000; round++) {
        struct synth_tags tags =
            synth_tags_draw_background(round % SYNTH_TAGS_TOPICS, &rng);
        CHECK(tags.count >= 1 && tags.count <= SYNTH_TAGS_PER_QUESTION);
        for (int t = 0; t < tags.count; t++)
            seen[tags.at[t]] = true;
    }
    check_platforms(&model, &rng);
    check_frameworks(&model, &rng);
    tap_case("every number that was drawn has a name of its own");
    for (int a = 0; a < synth_tags_count(); a++)
        for (int b = 0; b < a; b++)
            CHECK(!seen[a] || !seen[b] ||
                  !str_eq(synth_tags_name(a), synth_tags_name(b)));
    arena_free(&arena);
}

int main(void)
{
    test_plan();
    test_tags();
    return tap_done();
}
