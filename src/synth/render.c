/* Posts with their comments, votes and links, whole or damaged. */
#include "synth/render.h"

#include <string.h>

#include "base/date.h"
#include "synth/render_damage.h"
#include "synth/render_row.h"
#include "synth/render_truth.h"

enum {
    STREAM_TEXT = 2,
    STREAM_ORDER = 4,
};

enum { RELICENSED_ONE_IN = 8 }; /* of edited posts, by id */

/* Ids that no simulated dump reaches. */
#define NOWHERE (INT64_C(1) << 36)

void render_free(struct render *rows)
{
    for (int i = 0; i < SYNTH_FILES; i++)
        buf_free(&rows->tables[i]);
    buf_free(&rows->scratch);
    arena_free(&rows->arena);
}

const char *render_newline(enum synth_layout layout)
{
    return layout == SYNTH_2025_COMMENT ? "\n" : "\r\n";
}

struct maker {
    const struct render_context *context;
    struct render *rows;
    struct plan_block block;
    struct rng rng;
    struct text_writer writer;
    struct render_damage damage;
};

/* A third of the posts has been edited, mostly by their owners. The last activity
 * follows, and rarely the post has been given to the community; *owned_ms is when, or 0.
 * *licensed_ms is the day whose licence the post has: mostly that of its creation, but of
 * some edited posts, as in real dumps, a later one. */
static void add_activity(struct maker *maker, const struct plan_question *question,
                         const struct plan_post *post, int64_t active_ms,
                         int64_t *owned_ms, int64_t *licensed_ms)
{
    struct buf *out = maker->writer.out;
    struct rng *rng = &maker->rng;
    bool edited = rng_below(rng, 100) < (post->answer == 0 ? 35 : 25);
    int64_t edited_ms = active_ms;

    *licensed_ms = post->created_ms;
    if (edited)
        edited_ms = post->created_ms + 2 * DATE_MINUTE_MS +
                    (int64_t)(rng_log_normal(rng, 1.5, 2.5) * (double)DATE_HOUR_MS);
    if (edited && edited_ms < maker->context->plan->model->until_ms) {
        int64_t editor = rng_below(rng, 10) < 6
                             ? post->owner
                             : plan_any_user(maker->context->plan, question->share, rng);
        render_row_user(out, " LastEditorUserId=\"", " LastEditorDisplayName=\"", editor,
                        post->id);
        render_row_date(out, " LastEditDate=\"", edited_ms);
        if (edited_ms > active_ms)
            active_ms = edited_ms;
        if (post->id % RELICENSED_ONE_IN == 0)
            *licensed_ms = maker->context->plan->model->until_ms;
    }
    *owned_ms = rng_below(rng, 400) == 0 ? active_ms : 0;
    render_row_date(out, " LastActivityDate=\"", active_ms);
}

static void add_question(struct maker *maker, const struct plan_question *question,
                         const struct plan_post *post, enum synth_damage damage,
                         struct str *verb)
{
    struct text_writer *writer = &maker->writer;
    const struct synth_options *options = maker->context->options;
    struct buf *out = writer->out;
    const struct model_truth *truth = &question->truth;
    bool lacks = damage == SYNTH_MISSING_ATTRIBUTES;
    int64_t owned_ms, licensed_ms;

    render_row_number(out, "  <row Id=\"", post->id);
    buf_add(out, STR(" PostTypeId=\"1\""));
    if (question->accepted_id != 0)
        render_row_number(out, " AcceptedAnswerId=\"",
                          damage == SYNTH_MISSING_ACCEPTED
                              ? question->accepted_id + NOWHERE
                              : question->accepted_id);
    if (!lacks)
        render_row_date(out, " CreationDate=\"", post->created_ms);
    if (!lacks)
        render_row_number(out, " Score=\"", truth->score);
    render_row_number(out, " ViewCount=\"", truth->views);
    buf_add(out, STR(" Body=\""));
    text_body(writer, question);
    render_damage_body(out, damage);
    buf_add_char(out, '"');
    if (!lacks)
        render_row_user(out, " OwnerUserId=\"", " OwnerDisplayName=\"", post->owner,
                        post->id);
    add_activity(maker, question, post, question->active_ms, &owned_ms, &licensed_ms);
    buf_add(out, STR(" Title=\""));
    size_t verb_from = out->len;
    text_title(writer, question, verb);
    size_t offset = verb->len > 0 ? (size_t)(verb->ptr - out->ptr) : verb_from;
    buf_add_char(out, '"');
    if (!lacks)
        render_row_tags(out, options, &question->tags);
    render_row_number(out, " AnswerCount=\"", truth->answers);
    render_row_number(out, " CommentCount=\"", post->comments);
    if (question->favorites > 0 && options->layout == SYNTH_CLASSIC)
        render_row_number(out, " FavoriteCount=\"", question->favorites);
    if (truth->closed)
        render_row_date(out, " ClosedDate=\"", question->closed_ms);
    if (owned_ms != 0)
        render_row_date(out, " CommunityOwnedDate=\"", owned_ms);
    render_row_license(out, options, licensed_ms);
    *verb = (struct str){out->ptr + offset, verb->len}; /* out may have moved */
}

static void add_answer(struct maker *maker, const struct plan_question *question,
                       const struct plan_post *post, enum synth_damage damage)
{
    struct buf *out = maker->writer.out;
    int64_t created_ms = post->created_ms, parent = question->id, owned_ms, licensed_ms;

    if (damage == SYNTH_NEGATIVE_WAIT)
        created_ms = question->created_ms - DATE_HOUR_MS;
    if (damage == SYNTH_ORPHAN_ANSWERS)
        parent += NOWHERE;
    render_row_number(out, "  <row Id=\"", post->id);
    buf_add(out, STR(" PostTypeId=\"2\""));
    render_row_number(out, " ParentId=\"", parent);
    if (damage != SYNTH_MISSING_ATTRIBUTES) {
        render_row_date(out, " CreationDate=\"", created_ms);
        render_row_number(out, " Score=\"", post->score);
    }
    buf_add(out, STR(" Body=\""));
    text_answer(&maker->writer, question, post->answer);
    render_damage_body(out, damage);
    buf_add_char(out, '"');
    if (damage != SYNTH_MISSING_ATTRIBUTES)
        render_row_user(out, " OwnerUserId=\"", " OwnerDisplayName=\"", post->owner,
                        post->id);
    add_activity(maker, question, post, created_ms, &owned_ms, &licensed_ms);
    render_row_number(out, " CommentCount=\"", post->comments);
    if (owned_ms != 0)
        render_row_date(out, " CommunityOwnedDate=\"", owned_ms);
    render_row_license(out, maker->context->options, licensed_ms);
}

static void add_comments(struct maker *maker, const struct plan_question *question,
                         const struct plan_post *post)
{
    struct render *rows = maker->rows;
    struct buf *out = &rows->tables[SYNTH_COMMENTS];
    struct text_writer writer = maker->writer;

    writer.out = out;
    for (int i = 0; i < post->comments; i++) {
        bool endorses = post->endorsed && i == 0;
        int64_t later_ms =
            (int64_t)(rng_log_normal(&maker->rng, 3, 2) * (double)DATE_HOUR_MS);
        int64_t created_ms = post->created_ms + DATE_MINUTE_MS + later_ms;
        int64_t left_ms = maker->context->plan->model->until_ms - post->created_ms;
        if (created_ms >= maker->context->plan->model->until_ms)
            created_ms =
                post->created_ms + (int64_t)(rng_unit(&maker->rng) * (double)left_ms);
        render_row_number(out, "  <row Id=\"",
                          maker->block.first.comments + rows->used.comments++);
        render_row_number(out, " PostId=\"", post->id);
        render_row_number(out, " Score=\"", (int64_t)(rng_below(&maker->rng, 6) == 0));
        buf_add(out, STR(" Text=\""));
        text_comment(&writer, question, post->answer, endorses);
        buf_add_char(out, '"');
        render_row_date(out, " CreationDate=\"", created_ms);
        int64_t author =
            endorses ? question->asker
            : rng_below(&maker->rng, 64) == 0
                ? 0
                : plan_any_user(maker->context->plan, question->share, &maker->rng);
        if (author == 0)
            render_row_number(out, " UserDisplayName=\"user",
                              post->id % 9000000 + 1000000);
        else
            render_row_number(out, " UserId=\"", author);
        render_row_license(out, maker->context->options, created_ms);
        render_row_end(rows, SYNTH_COMMENTS);
    }
}

enum {
    VOTE_TICK = 1,
    VOTE_UP = 2,
    VOTE_DOWN = 3,
    VOTE_FAVORITE = 5,
    VOTE_BOUNTY = 8,
    VOTE_BOUNTY_END = 9,
};

/* Votes carry the day only. Who voted is told of favorites and offered bounties. */
static void add_vote(struct maker *maker, const struct plan_question *question,
                     const struct plan_post *post, int type)
{
    struct buf *out = &maker->rows->tables[SYNTH_VOTES];
    int64_t age_ms = maker->context->plan->model->until_ms - 1 - post->created_ms;
    double u = rng_unit(&maker->rng);
    int64_t created_ms = post->created_ms + (int64_t)(u * u * u * (double)age_ms);

    render_row_number(out, "  <row Id=\"",
                      maker->block.first.votes + maker->rows->used.votes++);
    render_row_number(out, " PostId=\"", post->id);
    render_row_number(out, " VoteTypeId=\"", type);
    if (type == VOTE_FAVORITE || type == VOTE_BOUNTY)
        render_row_number(
            out, " UserId=\"",
            plan_any_user(maker->context->plan, question->share, &maker->rng));
    render_row_date(out, " CreationDate=\"", created_ms - created_ms % DATE_DAY_MS);
    if (type == VOTE_BOUNTY || type == VOTE_BOUNTY_END)
        render_row_number(out, " BountyAmount=\"", question->bounty);
    render_row_end(maker->rows, SYNTH_VOTES);
}

static void add_votes(struct maker *maker, const struct plan_question *question,
                      const struct plan_post *post)
{
    bool accepted = post->id == question->accepted_id;

    if (accepted)
        add_vote(maker, question, post, VOTE_TICK);
    if (accepted && question->bounty > 0)
        add_vote(maker, question, post, VOTE_BOUNTY_END);
    for (int64_t i = plan_up_votes(post); i > 0; i--)
        add_vote(maker, question, post, VOTE_UP);
    for (int i = 0; i < post->down_votes; i++)
        add_vote(maker, question, post, VOTE_DOWN);
    for (int64_t i = 0; i < question->favorites && post->answer == 0; i++)
        add_vote(maker, question, post, VOTE_FAVORITE);
    if (question->bounty > 0 && post->answer == 0)
        add_vote(maker, question, post, VOTE_BOUNTY);
}

static void add_link(struct maker *maker, const struct plan_question *question)
{
    struct buf *out = &maker->rows->tables[SYNTH_POST_LINKS];

    render_row_number(out, "  <row Id=\"",
                      maker->block.first.links + maker->rows->used.links++);
    render_row_date(out, " CreationDate=\"",
                    question->closed_ms != 0 ? question->closed_ms
                                             : question->created_ms);
    render_row_number(out, " PostId=\"", question->id);
    render_row_number(out, " RelatedPostId=\"", question->link_to);
    render_row_number(out, " LinkTypeId=\"", question->duplicate ? 3 : 1);
    render_row_end(maker->rows, SYNTH_POST_LINKS);
}

static double confusion_of(const struct render_context *context, int year)
{
    return context->options->confusion >= 0
               ? context->options->confusion
               : model_value(context->plan->model, MODEL_SHARES, MODEL_CONFUSION, year);
}

static void add_post(struct maker *maker, size_t number)
{
    struct render *rows = maker->rows;
    const struct plan_post *post = &maker->block.posts[number];
    const struct plan_question *question = &maker->block.questions[post->question];
    struct buf *out = &rows->tables[SYNTH_POSTS];
    enum synth_damage damage =
        maker->damage.posts[number] ? maker->context->options->damage : SYNTH_WHOLE;
    size_t row_begin = out->len;
    struct str verb = STR("");

    maker->writer.confusion = confusion_of(maker->context, question->year);
    if (post->answer == 0)
        add_question(maker, question, post, damage, &verb);
    else
        add_answer(maker, question, post, damage);
    if (post->answer == 0) {
        render_truth_add(rows, question, verb,
                         maker->damage.questions[post->question]
                             ? synth_damage_name(maker->context->options->damage)
                             : STR(""));
        render_truth_count(&rows->counts, maker->context->plan->model, question);
        if (question->link_to != 0)
            add_link(maker, question);
    } else {
        rows->counts.answers++;
    }
    render_row_end(rows, SYNTH_POSTS);
    rows->counts.damaged += damage != SYNTH_WHOLE;
    if (damage == SYNTH_DUPLICATE_IDS) {
        size_t len = out->len - row_begin;
        buf_reserve(out, len);
        buf_add(out, str_slice(buf_str(out), row_begin, row_begin + len));
        rows->counts_of[SYNTH_POSTS]++;
    }
    add_comments(maker, question, post);
    add_votes(maker, question, post);
}

/* Rows of the block in random order: ids ascend no more, answers precede questions. */
static void disorder(struct maker *maker, size_t block)
{
    struct render *rows = maker->rows;
    struct buf *posts = &rows->tables[SYNTH_POSTS];
    struct rng rng = rng_stream(maker->context->options->seed, STREAM_ORDER, block);
    struct str rest = buf_str(posts), line;
    struct str *lines =
        arena_array(&rows->arena, struct str, (size_t)rows->counts_of[SYNTH_POSTS] + 1);
    size_t count = 0;

    while (str_cut(&rest, '\n', &line))
        lines[count++] = (struct str){line.ptr, line.len + 1};
    rng_shuffle(&rng, lines, count, sizeof *lines);
    buf_clear(&rows->scratch);
    for (size_t i = 0; i < count; i++)
        buf_add(&rows->scratch, lines[i]);
    struct buf kept = *posts;
    *posts = rows->scratch;
    rows->scratch = kept;
}

void render_count(const struct render_context *context, size_t block, struct render *rows)
{
    render_row_clear(context, rows);
    rows->used =
        plan_block(context->plan, block, (struct plan_ids){0}, &rows->arena).used;
}

void render_make(const struct render_context *context, size_t block, struct render *rows)
{
    struct maker maker = {.context = context, .rows = rows};

    render_row_clear(context, rows);
    maker.block = plan_block(context->plan, block, context->first[block], &rows->arena);
    maker.rng = rng_stream(context->options->seed, STREAM_TEXT, block);
    maker.writer = (struct text_writer){
        .text = context->text, .rng = &maker.rng, .out = &rows->tables[SYNTH_POSTS]};
    maker.damage = render_damage_choose(context->options->damage, block == 0,
                                        &maker.block, &rows->arena);
    for (size_t i = 0; i < maker.block.post_count; i++)
        add_post(&maker, i);
    if (context->options->layout == SYNTH_2025_COMMENT)
        disorder(&maker, block);
}

void render_cut(struct render *rows)
{
    struct buf *posts = &rows->tables[SYNTH_POSTS];
    static const char mark[] = "  <row ";
    size_t at = posts->len - sizeof mark;

    while (at > 0 && memcmp(posts->ptr + at, mark, sizeof mark - 1) != 0)
        at--;
    posts->len = at + (posts->len - at) / 2;
    rows->counts_of[SYNTH_POSTS]--;
    rows->counts.damaged = 1;
    if (rows->counts.planted > 0)
        rows->counts.planted--;
    else
        rows->counts.wikis--;
}
