/* Blocks fit together: ids ascend and are used once, answers belong to their questions.
 */
#include "synth/plan.h"

#include "base/date.h"
#include "tests/tap.h"

struct totals {
    int64_t questions, background, posts, answers;
};

/* Links lead to a question about the same framework or topic. */
static void check_link(const struct plan_block *block,
                       const struct plan_question *question)
{
    for (size_t i = 0; question->link_to != 0 && i < block->question_count; i++) {
        const struct plan_question *other = &block->questions[i];
        if (other->id == question->link_to)
            CHECK(other->background == question->background &&
                  other->topic == question->topic &&
                  other->truth.framework == question->truth.framework);
    }
}

/* An endorsed question has one answer that the asker comments on. */
static void check_endorsed(const struct plan_block *block)
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

static void check_block(const struct plan *plan, const struct plan_block *block,
                        struct totals *totals)
{
    int64_t last_id = block->first.posts - 1, last_ms = INT64_MIN;

    for (size_t i = 0; i < block->post_count; i++) {
        const struct plan_post *post = &block->posts[i];
        const struct plan_question *question = &block->questions[post->question];
        CHECK(post->id > last_id && post->created_ms >= last_ms);
        CHECK(post->created_ms >= question->created_ms);
        CHECK(post->created_ms < plan->model->until_ms);
        CHECK(post->owner >= 0 && post->owner <= plan->users);
        CHECK(post->owner == 0 ||
              plan_user_created(plan, post->owner) < post->created_ms);
        CHECK(plan_up_votes(post) >= 0);
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
        const struct plan_question *question = &block->questions[i];
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
static void check_shares(const struct model *model)
{
    struct plan plan = plan_make(model, 6, 20000, 200000);
    int64_t answers = 0, own = 0, last = 0, last_accepted = 0, weekend = 0, night = 0,
            all = 0;

    for (size_t b = 0; b < plan.blocks; b++) {
        struct arena arena = {0};
        struct plan_block block = plan_block(&plan, b, (struct plan_ids){0}, &arena);
        for (size_t p = 0; p < block.post_count; p++) {
            const struct plan_question *question =
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
    struct model model;
    struct err err = {0};
    int endorsed = 0;

    tap_case("endorsed questions have their comment although answers are lost");
    CHECK(model_parse(STR("years: {2019: 1}\nshares: {answered: 1, endorsed: 1}\n"
                          "accepted: {implementation: 0, crash: 0, anomaly: 0,\n"
                          " migration: 0, performance: 0, comprehension: 0,\n"
                          " installation: 0, deployment: 0}\n"
                          "wait-hours: {crash: 2000, implementation: 2000}\n"),
                      "f", arena, &model, &err));
    struct plan plan = plan_make(&model, 5, 3000, 0);
    for (size_t b = 0; b < plan.blocks; b++) {
        struct plan_block block = plan_block(&plan, b, (struct plan_ids){0}, arena);
        check_endorsed(&block);
        for (size_t i = 0; i < block.question_count; i++)
            endorsed += block.questions[i].truth.endorsed;
    }
    CHECK(endorsed > 1500);
}

static void check_busy_moments(const struct model *model)
{
    int64_t last = INT64_MIN;

    tap_case("busy moments keep the order, the year and the ends");
    for (int64_t ms = date_from_civil((struct date){2018, 1, 14});
         ms < date_from_civil((struct date){2018, 12, 15}); ms += DATE_HOUR_MS / 2) {
        int64_t moved = plan_busy_moment(model, ms);
        CHECK(moved >= last && moved - ms < 7 * DATE_DAY_MS &&
              ms - moved < 7 * DATE_DAY_MS);
        last = moved;
    }
    for (int64_t ms = model->begin_ms; ms < model->until_ms; ms += 3 * DATE_HOUR_MS) {
        int64_t moved = plan_busy_moment(model, ms);
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

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct model model;

    CHECK(model_load(NULL, &arena, &model, &err));
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct plan plan = plan_make(&model, 5, rows[i].questions, rows[i].background);
        struct plan_ids next = {1, 1, 1, 1};
        struct totals totals = {0};
        tap_case("%s", rows[i].name);
        for (size_t b = 0; b < plan.blocks; b++) {
            struct plan_block block = plan_block(&plan, b, next, &arena);
            struct plan_block again = plan_block(&plan, b, (struct plan_ids){0}, &arena);
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
    struct plan plan = plan_make(&model, 5, 1, 7777);
    int64_t posts = 0;
    for (size_t b = 0; b < plan.blocks; b++) {
        struct plan_block block = plan_block(&plan, b, (struct plan_ids){0}, &arena);
        for (size_t p = 0; p < block.post_count; p++)
            posts += block.questions[block.posts[p].question].background;
    }
    CHECK(posts == 7777);
    check_shares(&model);
    check_late_endorsement(&arena);
    check_busy_moments(&model);
    arena_free(&arena);
    return tap_done();
}
