/* Blocks fit together: ids ascend and are used once, answers belong to their questions.
 */
#include "synth/plan.h"

#include "base/date.h"
#include "tests/tap.h"

struct totals {
    int64_t questions, background, posts, answers;
};

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
    }
    CHECK(last_id < block->first.posts + block->used.posts);
    totals->posts += (int64_t)block->post_count;
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
    arena_free(&arena);
    return tap_done();
}
