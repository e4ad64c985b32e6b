/* A block of the plan as rows: posts with their comments, votes and links, whole or
 * damaged; the truth about them; and the tables that come from no block. */
#include "synth/internal.h"

#include <string.h>

#include "base/date.h"

void synth_render_row_clear(const struct synth_render_context *context,
                            struct synth_render *rows)
{
    for (int i = 0; i < SYNTH_FILES; i++) {
        buf_clear(&rows->tables[i]);
        rows->counts_of[i] = 0;
    }
    rows->counts = (struct synth_counts){0};
    buf_clear(&rows->planted);
    rows->used = (struct synth_plan_ids){0};
    rows->row_end =
        context->options->layout == SYNTH_2025_COMMENT ? STR(" />\n") : STR(" />\r\n");
    arena_free(&rows->arena);
}

void synth_render_row_number(struct buf *out, const char *before, int64_t value)
{
    buf_add(out, str_from(before));
    buf_add_int(out, value);
    buf_add_char(out, '"');
}

static void render_row_date(struct buf *out, const char *before, int64_t ms)
{
    buf_add(out, str_from(before));
    date_add(out, ms);
    buf_add_char(out, '"');
}

void synth_render_row_license(struct buf *out, const struct synth_options *options,
                              int64_t ms)
{
    int64_t to_3 = date_from_civil((struct date){2011, 4, 8});
    int64_t to_4 = date_from_civil((struct date){2018, 5, 2});

    if (options->layout == SYNTH_CLASSIC)
        return;
    buf_add(out, ms < to_3   ? STR(" ContentLicense=\"CC BY-SA 2.5\"")
                 : ms < to_4 ? STR(" ContentLicense=\"CC BY-SA 3.0\"")
                             : STR(" ContentLicense=\"CC BY-SA 4.0\""));
}

void synth_render_row_tags(struct buf *out, const struct synth_options *options,
                           const struct synth_tags *tags)
{
    bool pipe = options->layout == SYNTH_2024_PIPE;

    buf_add(out, pipe ? STR(" Tags=\"|") : STR(" Tags=\""));
    for (int i = 0; i < tags->count; i++) {
        if (!pipe)
            buf_add(out, STR("&lt;"));
        buf_add(out, synth_tags_name(tags->at[i]));
        buf_add(out, pipe ? STR("|") : STR("&gt;"));
    }
    buf_add_char(out, '"');
}

void synth_render_row_end(struct synth_render *rows, enum synth_file file)
{
    buf_add(&rows->tables[file], rows->row_end);
    rows->counts_of[file]++;
}

void synth_render_row_user(struct buf *out, const char *id_name, const char *display_name,
                           int64_t user, int64_t trace)
{
    if (user != 0) {
        synth_render_row_number(out, id_name, user);
    } else {
        buf_add(out, str_from(display_name));
        synth_render_row_number(out, "user", trace % 9000000 + 1000000);
    }
}

/* One row in fifty, and always the dump's first that can be damaged; a huge body once. */

enum { DAMAGED_ONE_IN = 50, HUGE_BYTES = 16 * 1024 * 1024 };

/* Whether this damage can change this row: an answer has no tags to lose, a question no
 * parent to miss. */
static bool can_suffer(enum synth_damage damage,
                       const struct synth_plan_question *question,
                       const struct synth_plan_post *post)
{
    switch (damage) {
    case SYNTH_WHOLE:
    case SYNTH_CUT_FILE: /* done at the end of the file */
        return false;
    case SYNTH_ORPHAN_ANSWERS:
    case SYNTH_NEGATIVE_WAIT:
        return post->answer > 0;
    case SYNTH_MISSING_ACCEPTED:
        return post->answer == 0 && question->accepted_id != 0;
    case SYNTH_HUGE_BODY:
        return post->answer == 0;
    default:
        return true;
    }
}

struct render_damage {
    bool *posts;     /* of each post of the block: its row is */
    bool *questions; /* of each question: its row or that of its accepted answer is */
};

/* `first`: it is the dump's first block. */
static struct render_damage render_damage_choose(enum synth_damage damage, bool first,
                                                 const struct synth_plan_block *block,
                                                 struct arena *arena)
{
    struct render_damage chosen = {arena_array(arena, bool, block->post_count + 1),
                                   arena_array(arena, bool, block->question_count + 1)};

    for (size_t i = 0; i < block->post_count; i++) {
        const struct synth_plan_post *post = &block->posts[i];
        const struct synth_plan_question *question = &block->questions[post->question];
        bool hit = first || (post->id % DAMAGED_ONE_IN == 7 && damage != SYNTH_HUGE_BODY);
        if (!hit || !can_suffer(damage, question, post))
            continue;
        first = false;
        chosen.posts[i] = true;
        if (post->answer == 0 || post->id == question->accepted_id)
            chosen.questions[post->question] = true;
    }
    return chosen;
}

void synth_render_damage_body(struct buf *out, enum synth_damage damage)
{
    size_t begun = out->len;

    if (damage == SYNTH_BAD_ENTITY)
        buf_add(out, STR(" &bogus; "));
    if (damage == SYNTH_CONTROL_CHARACTERS)
        buf_add(out, STR(" \x01\x0b "));
    while (damage == SYNTH_HUGE_BODY && out->len - begun < HUGE_BYTES)
        buf_add(out, STR("&lt;p&gt;All of my log, because I do not know which part "
                         "matters.&lt;/p&gt;&#xA;"));
}

/* truth.csv has a row for each question; truth.json rests on the counts. */

void synth_render_truth_add(struct synth_render *rows,
                            const struct synth_plan_question *question, struct str verb,
                            struct str damage)
{
    const struct synth_model_truth *truth = &question->truth;
    struct buf *out = &rows->tables[SYNTH_TRUTH];

    buf_add_int(out, question->id);
    buf_add_char(out, ',');
    date_add(out, question->created_ms);
    buf_add_format(out, ",%d,", question->year);
    const struct str labels[] = {
        synth_model_name(SYNTH_MODEL_FRAMEWORKS, truth->framework),
        synth_model_name(SYNTH_MODEL_KINDS, truth->kind),
        synth_model_name(SYNTH_MODEL_KINDS, truth->second_kind),
        synth_model_name(SYNTH_MODEL_ROOT_CAUSES, truth->root_cause),
        truth->howto ? STR("yes") : STR("no"),
        truth->object < 0
            ? STR("")
            : str_slice(synth_model_name(SYNTH_MODEL_OBJECTS, truth->object), 0, 1),
        synth_model_object_name(truth->object),
        verb,
        synth_model_name(SYNTH_MODEL_PLATFORMS, truth->platform),
        truth->platform < 0
            ? STR("")
            : synth_model_name(synth_model_challenges(truth->platform), truth->challenge),
        synth_model_name(SYNTH_MODEL_BUG_TYPES, truth->bug_type),
        synth_model_name(SYNTH_MODEL_BUG_CAUSES, truth->bug_cause),
        synth_model_name(SYNTH_MODEL_BUG_EFFECTS, truth->bug_effect),
        synth_model_name(SYNTH_MODEL_BUG_STAGES, truth->bug_stage),
        truth->code ? STR("yes") : STR("no"),
        truth->endorsed ? STR("yes") : STR("no"),
        truth->closed ? STR("yes") : STR("no"),
    };
    for (size_t i = 0; i < ROWS_OF(labels); i++) {
        buf_add_csv(out, labels[i]);
        buf_add_char(out, ',');
    }
    buf_add_int(out, truth->answers);
    buf_add_char(out, ',');
    if (question->accepted_id != 0)
        buf_add_int(out, question->accepted_id);
    buf_add_char(out, ',');
    if (question->accepted_id != 0)
        buf_add_int(out, truth->wait_ms);
    buf_add_char(out, ',');
    if (question->first_wait_ms >= 0)
        buf_add_int(out, question->first_wait_ms);
    buf_add_char(out, ',');
    buf_add_int(out, truth->views);
    buf_add_char(out, ',');
    buf_add_int(out, truth->score);
    buf_add_char(out, ',');
    if (question->asker != 0)
        buf_add_int(out, question->asker);
    buf_add_char(out, ',');
    buf_add(out, damage);
    buf_add_char(out, '\n');
    rows->counts_of[SYNTH_TRUTH]++;
}

static void count_label(struct synth_counts *counts, enum synth_model_section section,
                        int label)
{
    if (label >= 0)
        counts->labels[section][label]++;
}

/* What the question's labels could have been, for truth.json's planted shares. */
static void count_chances(struct synth_counts *counts, const struct synth_model *model,
                          const struct synth_plan_question *question)
{
    double chances[SYNTH_MODEL_LABELS_MAX];

    for (int s = 0; s < SYNTH_MODEL_ACCEPTED; s++) {
        if (!synth_model_chances(model, (enum synth_model_section)s, question->year,
                                 &question->truth, chances))
            continue;
        if (s == SYNTH_MODEL_FRAMEWORKS)
            synth_tags_frameworks(question->truth.platform, chances);
        for (size_t i = 0; i < synth_model_count((enum synth_model_section)s); i++)
            counts->chances[s][i] += (int64_t)(chances[i] * (double)SYNTH_ONE + 0.5);
    }
}

void synth_render_truth_count(struct synth_counts *counts,
                              const struct synth_model *model,
                              const struct synth_plan_question *question)
{
    const struct synth_model_truth *truth = &question->truth;
    int row = question->year - model->first_year;

    counts->accepted += truth->accepted && !question->background;
    for (int i = 0; i < question->tags.count; i++)
        counts->tags[question->tags.at[i]]++;
    if (question->background) {
        counts->background_questions++;
        return;
    }
    counts->questions++;
    count_chances(counts, model, question);
    counts->closed += truth->closed;
    counts->endorsed += truth->endorsed;
    counts->with_code += truth->code;
    counts->how_to += truth->howto;
    count_label(counts, SYNTH_MODEL_FRAMEWORKS, truth->framework);
    count_label(counts, SYNTH_MODEL_KINDS, truth->kind);
    count_label(counts, SYNTH_MODEL_PLATFORMS, truth->platform);
    if (truth->platform >= 0)
        count_label(counts, synth_model_challenges(truth->platform), truth->challenge);
    count_label(counts, SYNTH_MODEL_OBJECTS, truth->object);
    count_label(counts, SYNTH_MODEL_ROOT_CAUSES, truth->root_cause);
    count_label(counts, SYNTH_MODEL_BUG_TYPES, truth->bug_type);
    count_label(counts, SYNTH_MODEL_BUG_CAUSES, truth->bug_cause);
    count_label(counts, SYNTH_MODEL_BUG_EFFECTS, truth->bug_effect);
    count_label(counts, SYNTH_MODEL_BUG_STAGES, truth->bug_stage);
    counts->accepted_by_kind[truth->kind] += truth->accepted;
    if (truth->second_kind >= 0)
        counts->second_kind[truth->second_kind]++;
    counts->by_year[row]++;
    counts->kind_by_year[row][truth->kind]++;
    if (truth->framework >= 0)
        counts->framework_by_year[row][truth->framework]++;
    if (truth->platform >= 0)
        counts->platform_by_year[row][truth->platform]++;
}

/* Posts with their comments, votes and links, whole or damaged. */

enum {
    STREAM_TEXT = 2,
    STREAM_ORDER = 4,
    STREAM_DOUBTS = 5,
};

enum { RELICENSED_ONE_IN = 8 }; /* of edited posts, by id */
enum { DOUBTS_ONE_IN = 12 };    /* of comments on answers */

/* Ids that no simulated dump reaches. */
#define NOWHERE (INT64_C(1) << 36)

void synth_render_free(struct synth_render *rows)
{
    for (int i = 0; i < SYNTH_FILES; i++)
        buf_free(&rows->tables[i]);
    buf_free(&rows->scratch);
    buf_free(&rows->planted);
    arena_free(&rows->arena);
}

const char *synth_render_newline(enum synth_layout layout)
{
    return layout == SYNTH_2025_COMMENT ? "\n" : "\r\n";
}

struct render_maker {
    const struct synth_render_context *context;
    struct synth_render *rows;
    struct synth_plan_block block;
    struct rng rng;
    struct rng
        doubts; /* of comments that take nothing from rng: posts stay as they are */
    struct synth_text_writer writer;
    struct render_damage damage;
    struct synth_planted *planted; /* of each question */
};

/* A third of the posts has been edited, mostly by their owners. The last activity
 * follows, and rarely the post has been given to the community; *owned_ms is when, or 0.
 * *licensed_ms is the day whose licence the post has: mostly that of its creation, but of
 * some edited posts, as in real dumps, a later one. */
static void add_activity(struct render_maker *maker,
                         const struct synth_plan_question *question,
                         const struct synth_plan_post *post, int64_t active_ms,
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
        int64_t editor =
            rng_below(rng, 10) < 6
                ? post->owner
                : synth_plan_any_user(maker->context->plan, question->share, rng);
        synth_render_row_user(out, " LastEditorUserId=\"", " LastEditorDisplayName=\"",
                              editor, post->id);
        render_row_date(out, " LastEditDate=\"", edited_ms);
        if (edited_ms > active_ms)
            active_ms = edited_ms;
        if (post->id % RELICENSED_ONE_IN == 0)
            *licensed_ms = maker->context->plan->model->until_ms;
    }
    *owned_ms = rng_below(rng, 400) == 0 ? active_ms : 0;
    render_row_date(out, " LastActivityDate=\"", active_ms);
}

static void add_question(struct render_maker *maker,
                         const struct synth_plan_question *question,
                         const struct synth_plan_post *post, enum synth_damage damage,
                         struct str *verb)
{
    struct synth_text_writer *writer = &maker->writer;
    const struct synth_options *options = maker->context->options;
    struct buf *out = writer->out;
    const struct synth_model_truth *truth = &question->truth;
    bool lacks = damage == SYNTH_MISSING_ATTRIBUTES;
    int64_t owned_ms, licensed_ms;

    synth_render_row_number(out, "  <row Id=\"", post->id);
    buf_add(out, STR(" PostTypeId=\"1\""));
    if (question->accepted_id != 0)
        synth_render_row_number(out, " AcceptedAnswerId=\"",
                                damage == SYNTH_MISSING_ACCEPTED
                                    ? question->accepted_id + NOWHERE
                                    : question->accepted_id);
    if (!lacks)
        render_row_date(out, " CreationDate=\"", post->created_ms);
    if (!lacks)
        synth_render_row_number(out, " Score=\"", truth->score);
    synth_render_row_number(out, " ViewCount=\"", truth->views);
    buf_add(out, STR(" Body=\""));
    const struct synth_planted *planted = &maker->planted[post->question];
    size_t body = out->len;
    synth_text_body(writer, question);
    synth_planted_body(planted, question, body, out, &maker->rows->planted);
    synth_render_damage_body(out, damage);
    buf_add_char(out, '"');
    if (!lacks)
        synth_render_row_user(out, " OwnerUserId=\"", " OwnerDisplayName=\"", post->owner,
                              post->id);
    add_activity(maker, question, post, question->active_ms, &owned_ms, &licensed_ms);
    buf_add(out, STR(" Title=\""));
    size_t title = out->len;
    synth_text_title(writer, question, verb);
    *verb = arena_copy(&maker->rows->arena, *verb); /* out moves, and may change */
    synth_planted_title(planted, question, title, *verb, out, &maker->rows->planted);
    buf_add_char(out, '"');
    if (!lacks)
        synth_render_row_tags(out, options, &question->tags);
    synth_render_row_number(out, " AnswerCount=\"", truth->answers);
    synth_render_row_number(out, " CommentCount=\"", post->comments);
    if (question->favorites > 0 && options->layout == SYNTH_CLASSIC)
        synth_render_row_number(out, " FavoriteCount=\"", question->favorites);
    if (truth->closed)
        render_row_date(out, " ClosedDate=\"", question->closed_ms);
    if (owned_ms != 0)
        render_row_date(out, " CommunityOwnedDate=\"", owned_ms);
    synth_render_row_license(out, options, licensed_ms);
}

static void add_answer(struct render_maker *maker,
                       const struct synth_plan_question *question,
                       const struct synth_plan_post *post, enum synth_damage damage)
{
    struct buf *out = maker->writer.out;
    int64_t created_ms = post->created_ms, parent = question->id, owned_ms, licensed_ms;

    if (damage == SYNTH_NEGATIVE_WAIT)
        created_ms = question->created_ms - DATE_HOUR_MS;
    if (damage == SYNTH_ORPHAN_ANSWERS)
        parent += NOWHERE;
    synth_render_row_number(out, "  <row Id=\"", post->id);
    buf_add(out, STR(" PostTypeId=\"2\""));
    synth_render_row_number(out, " ParentId=\"", parent);
    if (damage != SYNTH_MISSING_ATTRIBUTES) {
        render_row_date(out, " CreationDate=\"", created_ms);
        synth_render_row_number(out, " Score=\"", post->score);
    }
    buf_add(out, STR(" Body=\""));
    synth_text_answer(&maker->writer, question, post->answer);
    if (post->id == question->accepted_id)
        synth_planted_answer(&maker->planted[post->question], out);
    synth_render_damage_body(out, damage);
    buf_add_char(out, '"');
    if (damage != SYNTH_MISSING_ATTRIBUTES)
        synth_render_row_user(out, " OwnerUserId=\"", " OwnerDisplayName=\"", post->owner,
                              post->id);
    add_activity(maker, question, post, created_ms, &owned_ms, &licensed_ms);
    synth_render_row_number(out, " CommentCount=\"", post->comments);
    if (owned_ms != 0)
        render_row_date(out, " CommunityOwnedDate=\"", owned_ms);
    synth_render_row_license(out, maker->context->options, licensed_ms);
}

static void add_comments(struct render_maker *maker,
                         const struct synth_plan_question *question,
                         const struct synth_plan_post *post)
{
    struct synth_render *rows = maker->rows;
    struct buf *out = &rows->tables[SYNTH_COMMENTS];
    struct synth_text_writer writer = maker->writer;

    writer.out = out;
    for (int i = 0; i < post->comments; i++) {
        bool endorses = post->endorsed && i == 0;
        bool doubts = !endorses && post->answer > 0 && !question->background &&
                      question->asker != 0 && post->owner != question->asker &&
                      rng_below(&maker->doubts, DOUBTS_ONE_IN) == 0;
        int64_t later_ms =
            (int64_t)(rng_log_normal(&maker->rng, 3, 2) * (double)DATE_HOUR_MS);
        int64_t created_ms = post->created_ms + DATE_MINUTE_MS + later_ms;
        int64_t left_ms = maker->context->plan->model->until_ms - post->created_ms;
        if (created_ms >= maker->context->plan->model->until_ms)
            created_ms =
                post->created_ms + (int64_t)(rng_unit(&maker->rng) * (double)left_ms);
        synth_render_row_number(out, "  <row Id=\"",
                                maker->block.first.comments + rows->used.comments++);
        synth_render_row_number(out, " PostId=\"", post->id);
        synth_render_row_number(out, " Score=\"",
                                (int64_t)(rng_below(&maker->rng, 6) == 0));
        buf_add(out, STR(" Text=\""));
        size_t begin = out->len;
        synth_text_comment(&writer, question, post->answer, endorses);
        if (doubts) {
            out->len = begin;
            synth_text_doubt(&(struct synth_text_writer){.text = writer.text,
                                                         .rng = &maker->doubts,
                                                         .out = out},
                             question);
        }
        buf_add_char(out, '"');
        render_row_date(out, " CreationDate=\"", created_ms);
        int64_t author =
            endorses ? question->asker
            : rng_below(&maker->rng, 64) == 0
                ? 0
                : synth_plan_any_user(maker->context->plan, question->share, &maker->rng);
        if (doubts)
            author = question->asker;
        if (author == 0)
            synth_render_row_number(out, " UserDisplayName=\"user",
                                    post->id % 9000000 + 1000000);
        else
            synth_render_row_number(out, " UserId=\"", author);
        synth_render_row_license(out, maker->context->options, created_ms);
        synth_render_row_end(rows, SYNTH_COMMENTS);
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
static void add_vote(struct render_maker *maker,
                     const struct synth_plan_question *question,
                     const struct synth_plan_post *post, int type)
{
    struct buf *out = &maker->rows->tables[SYNTH_VOTES];
    int64_t age_ms = maker->context->plan->model->until_ms - 1 - post->created_ms;
    double u = rng_unit(&maker->rng);
    int64_t created_ms = post->created_ms + (int64_t)(u * u * u * (double)age_ms);

    synth_render_row_number(out, "  <row Id=\"",
                            maker->block.first.votes + maker->rows->used.votes++);
    synth_render_row_number(out, " PostId=\"", post->id);
    synth_render_row_number(out, " VoteTypeId=\"", type);
    if (type == VOTE_FAVORITE || type == VOTE_BOUNTY)
        synth_render_row_number(
            out, " UserId=\"",
            synth_plan_any_user(maker->context->plan, question->share, &maker->rng));
    render_row_date(out, " CreationDate=\"", created_ms - created_ms % DATE_DAY_MS);
    if (type == VOTE_BOUNTY || type == VOTE_BOUNTY_END)
        synth_render_row_number(out, " BountyAmount=\"", question->bounty);
    synth_render_row_end(maker->rows, SYNTH_VOTES);
}

static void add_votes(struct render_maker *maker,
                      const struct synth_plan_question *question,
                      const struct synth_plan_post *post)
{
    bool accepted = post->id == question->accepted_id;

    if (accepted)
        add_vote(maker, question, post, VOTE_TICK);
    if (accepted && question->bounty > 0)
        add_vote(maker, question, post, VOTE_BOUNTY_END);
    for (int64_t i = synth_plan_up_votes(post); i > 0; i--)
        add_vote(maker, question, post, VOTE_UP);
    for (int i = 0; i < post->down_votes; i++)
        add_vote(maker, question, post, VOTE_DOWN);
    for (int64_t i = 0; i < question->favorites && post->answer == 0; i++)
        add_vote(maker, question, post, VOTE_FAVORITE);
    if (question->bounty > 0 && post->answer == 0)
        add_vote(maker, question, post, VOTE_BOUNTY);
}

static void add_link(struct render_maker *maker,
                     const struct synth_plan_question *question)
{
    struct buf *out = &maker->rows->tables[SYNTH_POST_LINKS];

    synth_render_row_number(out, "  <row Id=\"",
                            maker->block.first.links + maker->rows->used.links++);
    render_row_date(out, " CreationDate=\"",
                    question->closed_ms != 0 ? question->closed_ms
                                             : question->created_ms);
    synth_render_row_number(out, " PostId=\"", question->id);
    synth_render_row_number(out, " RelatedPostId=\"", question->link_to);
    synth_render_row_number(out, " LinkTypeId=\"", question->duplicate ? 3 : 1);
    synth_render_row_end(maker->rows, SYNTH_POST_LINKS);
}

static double confusion_of(const struct synth_render_context *context, int year)
{
    return context->options->confusion >= 0
               ? context->options->confusion
               : synth_model_value(context->plan->model, SYNTH_MODEL_SHARES,
                                   SYNTH_MODEL_CONFUSION, year);
}

static void add_post(struct render_maker *maker, size_t number)
{
    struct synth_render *rows = maker->rows;
    const struct synth_plan_post *post = &maker->block.posts[number];
    const struct synth_plan_question *question = &maker->block.questions[post->question];
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
        synth_render_truth_add(rows, question, verb,
                               maker->damage.questions[post->question]
                                   ? synth_damage_name(maker->context->options->damage)
                                   : STR(""));
        synth_render_truth_count(&rows->counts, maker->context->plan->model, question);
        if (question->link_to != 0)
            add_link(maker, question);
    } else {
        rows->counts.answers++;
    }
    synth_render_row_end(rows, SYNTH_POSTS);
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
static void disorder(struct render_maker *maker, size_t block)
{
    struct synth_render *rows = maker->rows;
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

void synth_render_count(const struct synth_render_context *context, size_t block,
                        struct synth_render *rows)
{
    synth_render_row_clear(context, rows);
    rows->used =
        synth_plan_block(context->plan, block, (struct synth_plan_ids){0}, &rows->arena)
            .used;
}

void synth_render_make(const struct synth_render_context *context, size_t block,
                       struct synth_render *rows)
{
    struct render_maker maker = {.context = context, .rows = rows};

    synth_render_row_clear(context, rows);
    maker.block =
        synth_plan_block(context->plan, block, context->first[block], &rows->arena);
    maker.rng = rng_stream(context->options->seed, STREAM_TEXT, block);
    maker.doubts = rng_stream(context->options->seed, STREAM_DOUBTS, block);
    maker.writer = (struct synth_text_writer){
        .text = context->text, .rng = &maker.rng, .out = &rows->tables[SYNTH_POSTS]};
    maker.damage = render_damage_choose(context->options->damage, block == 0,
                                        &maker.block, &rows->arena);
    maker.planted = synth_planted_choose(context, block, &maker.block, &rows->arena);
    for (size_t i = 0; i < maker.block.post_count; i++)
        add_post(&maker, i);
    if (context->options->layout == SYNTH_2025_COMMENT)
        disorder(&maker, block);
}

void synth_render_cut(struct synth_render *rows)
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

/* Tables that do not come from a block of the plan: users, tags with their wikis, and the
 * posts that Stack Exchange plants. */

enum { STREAM_USERS = 3, WIKI_TAGS = 20 };

static void add_name(struct buf *out, struct rng *rng)
{
    static const char *const syllables[] = {
        "an", "be", "chi", "do", "el", "fa", "gu", "ha", "in", "jo",  "ka", "li",
        "mo", "na", "o",   "pe", "ri", "sa", "te", "um", "va", "wen", "yu", "zo"};
    size_t begin = out->len;

    if (rng_below(rng, 4) == 0) {
        buf_add(out, STR("user"));
        buf_add_int(out, 100000 + (int64_t)rng_below(rng, 9000000));
        return;
    }
    for (uint64_t i = 2 + rng_below(rng, 2); i > 0; i--)
        buf_add(out, str_from(syllables[rng_below(rng, ROWS_OF(syllables))]));
    out->ptr[begin] = (char)(out->ptr[begin] - 'a' + 'A');
}

/* Attributes that only some people fill in, and some layouts have. */
static void add_about(struct buf *out, struct rng *rng)
{
    static const char *const abouts[] = {
        "I like graphs that go down.",
        "Student, coffee drinker, part-time plumber of data.",
        "Been writing software since the floppy disk; still looking for the any key.",
        "Mostly here to learn. Ask me about bees.",
    };

    buf_add_format(out, " AboutMe=\"&lt;p&gt;%s&lt;/p&gt;&#xA;\"",
                   abouts[rng_below(rng, ROWS_OF(abouts))]);
}

static void add_picture(struct buf *out, struct rng *rng)
{
    buf_add(out, STR(" ProfileImageUrl=\"https://i.stack.imgur.com/"));
    synth_text_add_name(out, rng);
    buf_add(out, STR(".jpg?s=256\""));
}

void synth_render_make_users(const struct synth_render_context *context, int64_t first,
                             int64_t end, struct synth_render *rows)
{
    struct buf *out = &rows->tables[SYNTH_USERS];
    struct rng rng = rng_stream(context->options->seed, STREAM_USERS, (uint64_t)first);
    static const char *const places[] = {
        "", " Location=\"Lyon, France\"", " Location=\"Pune\"",
        " Location=\"K\xc3\xb6ln\"", " Location=\"Austin, TX\""};

    synth_render_row_clear(context, rows);
    for (int64_t user = first; user < end; user++) {
        int64_t created_ms = synth_plan_user_created(context->plan, user);
        synth_render_row_number(out, "  <row Id=\"", user);
        synth_render_row_number(out, " Reputation=\"",
                                1 + (int64_t)rng_log_normal(&rng, 40, 2));
        render_row_date(out, " CreationDate=\"", created_ms);
        buf_add(out, STR(" DisplayName=\""));
        add_name(out, &rng);
        buf_add_char(out, '"');
        render_row_date(out, " LastAccessDate=\"",
                        created_ms + (int64_t)(rng_unit(&rng) *
                                               (double)(context->plan->model->until_ms -
                                                        created_ms)));
        if (rng_below(&rng, 8) == 0)
            synth_render_row_number(out, " WebsiteUrl=\"https://example.org/people/",
                                    user);
        buf_add(out, str_from(places[rng_below(&rng, ROWS_OF(places))]));
        if (rng_below(&rng, 6) == 0)
            add_about(out, &rng);
        synth_render_row_number(out, " Views=\"", (int64_t)rng_log_normal(&rng, 8, 1.5));
        synth_render_row_number(out, " UpVotes=\"",
                                (int64_t)rng_log_normal(&rng, 5, 1.8));
        synth_render_row_number(out, " DownVotes=\"", (int64_t)rng_below(&rng, 3));
        if (context->options->layout == SYNTH_CLASSIC && rng_below(&rng, 6) == 0)
            synth_render_row_number(out, " Age=\"", 17 + (int64_t)rng_below(&rng, 45));
        if (context->options->layout != SYNTH_CLASSIC && rng_below(&rng, 3) == 0)
            add_picture(out, &rng);
        synth_render_row_number(out, " AccountId=\"", user + 1000000);
        synth_render_row_end(rows, SYNTH_USERS);
    }
}

static void add_wiki(const struct synth_render_context *context,
                     struct synth_render *rows, int64_t id, int type, struct str tag)
{
    struct buf *out = &rows->tables[SYNTH_POSTS];

    synth_render_row_number(out, "  <row Id=\"", id);
    synth_render_row_number(out, " PostTypeId=\"", type);
    render_row_date(out, " CreationDate=\"", context->plan->model->begin_ms);
    buf_add(out, STR(" Score=\"0\" Body=\""));
    buf_add_format(out,
                   type == 4
                       ? "Use this tag for questions about %.*s."
                       : "&lt;p&gt;Questions about %.*s and its use.&lt;/p&gt;&#xA;",
                   STR_ARG(tag));
    buf_add(out, STR("\" OwnerUserId=\"-1\""));
    render_row_date(out, " LastActivityDate=\"", context->plan->model->begin_ms);
    buf_add(out, STR(" CommentCount=\"0\""));
    synth_render_row_license(out, context->options, context->plan->model->begin_ms);
    synth_render_row_end(rows, SYNTH_POSTS);
    rows->counts.wikis++;
}

void synth_render_make_tags(const struct synth_render_context *context,
                            const struct synth_counts *counts, int64_t *next_post,
                            struct synth_render *rows)
{
    struct buf *out = &rows->tables[SYNTH_TAGS];
    int64_t id = 1;

    synth_render_row_clear(context, rows);
    for (int tag = 0; tag < synth_tags_count(); tag++) {
        if (counts->tags[tag] == 0)
            continue;
        synth_render_row_number(out, "  <row Id=\"", id++);
        buf_add(out, STR(" TagName=\""));
        buf_add(out, synth_tags_name(tag));
        buf_add_char(out, '"');
        synth_render_row_number(out, " Count=\"", counts->tags[tag]);
        if (tag < WIKI_TAGS) {
            synth_render_row_number(out, " ExcerptPostId=\"", *next_post);
            synth_render_row_number(out, " WikiPostId=\"", *next_post + 1);
            add_wiki(context, rows, (*next_post)++, 4, synth_tags_name(tag));
            add_wiki(context, rows, (*next_post)++, 5, synth_tags_name(tag));
        }
        if (context->options->layout != SYNTH_CLASSIC)
            buf_add(out, STR(" IsModeratorOnly=\"False\" IsRequired=\"False\""));
        synth_render_row_end(rows, SYNTH_TAGS);
    }
}

void synth_render_make_planted(const struct synth_render_context *context,
                               struct synth_render *rows)
{
    struct buf *out = &rows->tables[SYNTH_POSTS];
    int64_t created_ms = context->plan->model->until_ms - DATE_DAY_MS;

    synth_render_row_clear(context, rows);
    buf_add(out, STR("  <row Id=\"1000000001\" PostTypeId=\"1\""));
    render_row_date(out, " CreationDate=\"", created_ms);
    buf_add(out,
            STR(" Score=\"0\" ViewCount=\"1\" Body=\"&lt;p&gt;Which gradient tastes of "
                "copper when the tensor is folded twice?&lt;/p&gt;&#xA;\" "
                "OwnerUserId=\"-1\""));
    render_row_date(out, " LastActivityDate=\"", created_ms);
    buf_add(out, STR(" Title=\"Copper taste of a twice folded tensor\""));
    synth_render_row_tags(
        out, context->options,
        &(struct synth_tags){.at = {SYNTH_MODEL_TENSORFLOW}, .count = 1});
    buf_add(out, STR(" AnswerCount=\"1\" CommentCount=\"0\""));
    synth_render_row_license(out, context->options, created_ms);
    synth_render_row_end(rows, SYNTH_POSTS);
    buf_add(out,
            STR("  <row Id=\"1000000010\" PostTypeId=\"2\" ParentId=\"1000000001\""));
    render_row_date(out, " CreationDate=\"", created_ms + DATE_MINUTE_MS);
    buf_add(out,
            STR(" Score=\"0\" Body=\"&lt;p&gt;The ninth one, on Tuesdays.&lt;/p&gt;&#xA;"
                "\" OwnerUserId=\"-1\""));
    render_row_date(out, " LastActivityDate=\"", created_ms + DATE_MINUTE_MS);
    buf_add(out, STR(" CommentCount=\"0\""));
    synth_render_row_license(out, context->options, created_ms);
    synth_render_row_end(rows, SYNTH_POSTS);
    rows->counts.planted = 2;
}
