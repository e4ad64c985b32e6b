/* Posts of a block are ordered by time and numbered in that order, questions and answers
 * together, with gaps where posts were deleted, as on the real site. An answer that comes
 * long after its question keeps a number of the question's block. */
#include "synth/internal.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "base/date.h"

enum { POSTS_PER_BLOCK = 2048, ANSWERS_MAX = 12, STREAM_PLAN = 1 };

struct synth_plan synth_plan_make(const struct synth_model *model, uint64_t seed,
                                  int64_t questions, int64_t background)
{
    int64_t posts = 2 * questions + background;

    return (struct synth_plan){.model = model,
                               .seed = seed,
                               .questions = questions,
                               .background = background,
                               .users = 10 + questions / 2 + background / 4,
                               .blocks = (size_t)(posts / POSTS_PER_BLOCK + 1)};
}

/* The part of `all` that comes before block number `block`. */
static int64_t before(const struct synth_plan *plan, int64_t all, size_t block)
{
    __extension__ typedef __int128 wide;

    return (int64_t)((wide)all * (wide)block / (wide)plan->blocks);
}

int64_t synth_plan_user_created(const struct synth_plan *plan, int64_t user)
{
    double share = (double)(user - 1) / (double)plan->users;

    /* A week early, so that nobody writes before he came. */
    return synth_model_moment(plan->model, share) - 7 * DATE_DAY_MS;
}

/* How busy the site is: by hour (UTC), and less at the weekend. */
static double busyness(int hour_of_week)
{
    static const double hours[24] = {.6,  .5,  .5,  .5,  .5, .6,  .7,  .8,
                                     .9,  1,   1.1, 1.1, 1,  1.1, 1.2, 1.2,
                                     1.2, 1.1, 1,   1,   1,  .9,  .8,  .7};

    return hours[hour_of_week % 24] * (hour_of_week >= 5 * 24 ? 0.55 : 1);
}

int64_t synth_plan_busy_moment(const struct synth_model *model, int64_t ms)
{
    enum { HOURS = 7 * 24 };
    const int64_t week_ms = HOURS * DATE_HOUR_MS;
    int64_t monday = date_from_civil((struct date){1970, 1, 5});
    int64_t into_ms = ((ms - monday) % week_ms + week_ms) % week_ms;
    double sum = 0, left;
    int hour = 0;

    for (int i = 0; i < HOURS; i++)
        sum += busyness(i);
    left = (double)into_ms / (double)week_ms * sum;
    while (hour + 1 < HOURS && left >= busyness(hour))
        left -= busyness(hour++);
    int64_t within_ms = (int64_t)(left / busyness(hour) * (double)DATE_HOUR_MS);
    int64_t moved = ms - into_ms + hour * DATE_HOUR_MS + within_ms;
    bool kept = moved >= model->begin_ms && moved < model->until_ms &&
                date_year(moved) == date_year(ms);
    return kept ? moved : ms;
}

/* Askers are mostly newcomers, answerers mostly old hands. 0 is a deleted user. */
static int64_t draw_user(const struct synth_plan *plan, double share, bool asks,
                         struct rng *rng)
{
    double come = share * (double)plan->users, u = rng_unit(rng);

    if (rng_below(rng, 64) == 0)
        return 0;
    int64_t user = 1 + (int64_t)(come * (asks ? 1 - u * u : u * u * u * u));
    return user <= plan->users ? user : plan->users;
}

int64_t synth_plan_any_user(const struct synth_plan *plan, double share, struct rng *rng)
{
    return 1 + (int64_t)(share * (double)plan->users * rng_unit(rng));
}

static int draw_comments(struct rng *rng)
{
    int count = 0;

    while (count < 20 && rng_below(rng, 100) < 45)
        count++;
    return count;
}

static int draw_down_votes(int64_t score, struct rng *rng)
{
    int64_t down = score < 0 ? -score : 0;

    while (down < 50 && rng_below(rng, 100) < 12)
        down++;
    return (int)down;
}

struct plan_builder {
    const struct synth_plan *plan;
    struct synth_plan_block *block;
    struct rng rng;
};

static void add_post(struct plan_builder *builder, size_t question, int answer,
                     int64_t created_ms, int64_t owner, int64_t score)
{
    struct synth_plan_post *post = &builder->block->posts[builder->block->post_count++];

    *post = (struct synth_plan_post){.created_ms = created_ms,
                                     .question = question,
                                     .answer = answer,
                                     .owner = owner,
                                     .score = score,
                                     .down_votes = draw_down_votes(score, &builder->rng),
                                     .comments = draw_comments(&builder->rng)};
}

static int64_t answer_score(const struct synth_model_truth *truth, int answer,
                            struct rng *rng)
{
    int64_t score = truth->score > 0 ? truth->score : 0;

    if (answer == 1 && truth->accepted)
        return score + (int64_t)rng_below(rng, 4);
    return score / 2 - (int64_t)(rng_below(rng, 8) == 0) + (int64_t)rng_below(rng, 3);
}

/* Answers that would come after the end of the corpus are not there yet. */
static void add_answers(struct plan_builder *builder, size_t number, int room)
{
    struct synth_plan_question *question = &builder->block->questions[number];
    struct synth_model_truth *truth = &question->truth;
    int wanted = truth->answers < room ? truth->answers : room;
    int64_t last_ms = question->created_ms;

    truth->answers = 0;
    truth->endorsed =
        truth->endorsed && question->asker != 0; /* who else should say it */
    question->first_wait_ms = -1;
    for (int answer = 1; answer <= wanted; answer++) {
        int64_t wait_ms = truth->wait_ms;
        if (answer > 1 || !truth->accepted)
            wait_ms =
                (int64_t)((double)wait_ms * rng_log_normal(&builder->rng, 1.5, 1.0)) +
                DATE_MINUTE_MS;
        int64_t created_ms = question->created_ms + wait_ms;
        if (created_ms >= builder->plan->model->until_ms) {
            truth->accepted = truth->accepted && answer > 1;
            continue;
        }
        int64_t owner = draw_user(builder->plan, question->share, false, &builder->rng);
        if (owner == question->asker && owner != 0)
            owner--; /* somebody who came before, or a deleted user */
        if (!truth->endorsed && rng_below(&builder->rng, 20) == 0)
            owner = question->asker; /* who found it out himself */
        add_post(builder, number, answer, created_ms, owner,
                 answer_score(truth, answer, &builder->rng));
        truth->answers++;
        if (question->first_wait_ms < 0 || wait_ms < question->first_wait_ms)
            question->first_wait_ms = wait_ms;
        if (created_ms > last_ms)
            last_ms = created_ms;
        if (truth->endorsed && truth->answers == 1) {
            struct synth_plan_post *post =
                &builder->block->posts[builder->block->post_count - 1];
            post->endorsed = true;
            post->comments++;
        }
    }
    if (truth->answers == 0)
        truth->accepted = truth->endorsed = false;
    question->active_ms = last_ms;
}

static void close_question(struct plan_builder *builder,
                           struct synth_plan_question *question)
{
    int64_t closed_ms =
        question->created_ms + 10 * DATE_MINUTE_MS +
        (int64_t)(rng_log_normal(&builder->rng, 5, 1.5) * (double)DATE_HOUR_MS);

    if (closed_ms < builder->plan->model->until_ms)
        question->closed_ms = closed_ms;
    else
        question->truth.closed = false;
}

static struct synth_plan_question *begin_question(struct plan_builder *builder,
                                                  double share)
{
    struct synth_plan_question *question =
        &builder->block->questions[builder->block->question_count++];

    question->share = share;
    question->created_ms = synth_plan_busy_moment(
        builder->plan->model, synth_model_moment(builder->plan->model, share));
    question->year = date_year(question->created_ms);
    question->asker = draw_user(builder->plan, share, true, &builder->rng);
    return question;
}

/* Adds the question and its answers, at most `room` posts; how many it took. */
static int end_question(struct plan_builder *builder,
                        struct synth_plan_question *question, int room)
{
    size_t number = (size_t)(question - builder->block->questions);
    size_t posts = builder->block->post_count;

    add_post(builder, number, 0, question->created_ms, question->asker,
             question->truth.score);
    add_answers(builder, number, room - 1);
    if (question->truth.closed)
        close_question(builder, question);
    if (question->truth.score > 3)
        question->favorites = question->truth.score / 3;
    if (question->truth.accepted && rng_below(&builder->rng, 80) == 0)
        question->bounty = 50 * (1 + (int)rng_below(&builder->rng, 4));
    return (int)(builder->block->post_count - posts);
}

static void add_questions(struct plan_builder *builder, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++) {
        double share =
            ((double)i + rng_unit(&builder->rng)) / (double)builder->plan->questions;
        struct synth_plan_question *question = begin_question(builder, share);
        question->truth =
            synth_model_draw(builder->plan->model, question->year, &builder->rng);
        question->tags = synth_tags_draw(&question->truth, question->year, &builder->rng,
                                         &question->by_words);
        end_question(builder, question, ANSWERS_MAX + 1);
    }
}

static void add_background(struct plan_builder *builder, int64_t from, int64_t to)
{
    while (from < to) {
        double share =
            ((double)from + rng_unit(&builder->rng)) / (double)builder->plan->background;
        struct synth_plan_question *question = begin_question(builder, share);
        int room = to - from < ANSWERS_MAX + 1 ? (int)(to - from) : ANSWERS_MAX + 1;
        question->background = true;
        question->topic = (int)rng_below(&builder->rng, SYNTH_TAGS_TOPICS);
        question->truth = synth_model_draw_background(builder->plan->model,
                                                      question->year, &builder->rng);
        question->tags = synth_tags_draw_background(question->topic, &builder->rng);
        /* One post left would be a question that cannot be answered. */
        if (to - from == question->truth.answers + 2 &&
            question->truth.answers < ANSWERS_MAX)
            question->truth.answers++;
        from += end_question(builder, question, room);
    }
}

static int by_time(const void *a, const void *b)
{
    const struct synth_plan_post *x = a, *y = b;

    if (x->created_ms != y->created_ms)
        return x->created_ms < y->created_ms ? -1 : 1;
    if (x->question != y->question)
        return x->question < y->question ? -1 : 1;
    return x->answer - y->answer;
}

static bool same_subject(const struct synth_plan_question *a,
                         const struct synth_plan_question *b)
{
    return a->background == b->background &&
           (a->background ? a->topic == b->topic
                          : a->truth.framework == b->truth.framework);
}

/* One link in thirty, and more for closed questions, to an earlier one of the block and
 * the same subject: the next before or after a random place. */
static void link_question(struct plan_builder *builder,
                          struct synth_plan_question *question,
                          const struct synth_plan_question **earlier, size_t count)
{
    bool duplicate = question->truth.closed && rng_below(&builder->rng, 5) < 2;

    if (count == 0 || (!duplicate && rng_below(&builder->rng, 30) != 0))
        return;
    size_t place = rng_below(&builder->rng, count);
    for (size_t i = 0; i < count; i++) {
        const struct synth_plan_question *other = earlier[(place + i) % count];
        if (!same_subject(question, other))
            continue;
        question->link_to = other->id;
        question->duplicate = duplicate;
        return;
    }
}

int64_t synth_plan_up_votes(const struct synth_plan_post *post)
{
    return post->score + post->down_votes;
}

static void number_posts(struct plan_builder *builder, struct arena *arena)
{
    struct synth_plan_block *block = builder->block;
    const struct synth_plan_question **earlier =
        arena_array(arena, const struct synth_plan_question *, block->question_count + 1);
    size_t count = 0;

    qsort(block->posts, block->post_count, sizeof *block->posts, by_time);
    for (size_t i = 0; i < block->post_count; i++) {
        struct synth_plan_post *post = &block->posts[i];
        struct synth_plan_question *question = &block->questions[post->question];
        if (rng_below(&builder->rng, 6) == 0)
            block->used.posts += 1 + (int64_t)rng_below(&builder->rng, 3);
        post->id = block->first.posts + block->used.posts++;
        block->used.comments += post->comments;
        block->used.votes += synth_plan_up_votes(post) + post->down_votes;
        if (post->answer == 0) {
            question->id = post->id;
            link_question(builder, question, earlier, count);
            block->used.links += question->link_to != 0;
            block->used.votes += question->favorites + (question->bounty > 0);
            earlier[count++] = question;
        } else if (post->answer == 1 && question->truth.accepted) {
            question->accepted_id = post->id;
            /* The asker's tick is a vote, too, and so is the end of a bounty. */
            block->used.votes += 1 + (question->bounty > 0);
        }
    }
}

struct synth_plan_block synth_plan_block(const struct synth_plan *plan, size_t block,
                                         struct synth_plan_ids first, struct arena *arena)
{
    struct synth_plan_block result = {.first = first};
    struct plan_builder builder = {.plan = plan, .block = &result};
    int64_t from = before(plan, plan->questions, block);
    int64_t to = before(plan, plan->questions, block + 1);
    int64_t other_from = before(plan, plan->background, block);
    int64_t other_to = before(plan, plan->background, block + 1);
    size_t questions = (size_t)(to - from), others = (size_t)(other_to - other_from);

    builder.rng = rng_stream(plan->seed, STREAM_PLAN, block);
    result.questions =
        arena_array(arena, struct synth_plan_question, questions + others + 1);
    result.posts = arena_array(arena, struct synth_plan_post,
                               questions * (ANSWERS_MAX + 1) + others + 1);
    add_questions(&builder, from, to);
    add_background(&builder, other_from, other_to);
    number_posts(&builder, arena);
    return result;
}

/* Popularity and company are ours, shaped like the real site: one tag says the framework,
 * python comes with most, the rest by kind and a long tail. */

/* Which questions a tag goes with: bits of frameworks and kinds; ANY for all. */
#define ANY  0xFFu
#define F(x) (1u << SYNTH_MODEL_##x)

struct tag {
    const char *name;
    double share; /* of the questions it goes with */
    unsigned frameworks, kinds;
    int from_year;
    enum { ITSELF, SAME_AS_TENSORFLOW, SAME_AS_KERAS, SAME_AS_JAVA } number;
};

/* The framework tags come first, in the order of SYNTH_MODEL_FRAMEWORKS; then the
 * platforms'; then the company. */
static const struct tag tags[] = {
    {.name = "tensorflow"},
    {.name = "keras"},
    {.name = "pytorch"},
    {.name = "theano"},
    {.name = "caffe"},
    {.name = "torch"},
    {.name = "deeplearning4j"},
    {.name = "tensorflow-serving"},
    {.name = "google-cloud-ml"},
    {.name = "amazon-sagemaker"},
    {.name = "tensorflow-lite"},
    {.name = "coreml"},
    {.name = "tensorflow.js"},
    {"python", .62, ANY ^ F(TORCH) ^ F(DEEPLEARNING4J), ANY, 0, ITSELF},
    {"tensorflow", .45, F(KERAS), ANY, 2015, SAME_AS_TENSORFLOW},
    {"keras", .12, F(TENSORFLOW), ANY, 2016, SAME_AS_KERAS},
    {"deep-learning", .24, ANY, ANY, 0, ITSELF},
    {"machine-learning", .19, ANY, ANY, 0, ITSELF},
    {"neural-network", .13, ANY, ANY, 0, ITSELF},
    {"conv-neural-network", .11, ANY, ANY, 2016, ITSELF},
    {"python-3.x", .09, ANY ^ F(TORCH) ^ F(DEEPLEARNING4J), ANY, 2015, ITSELF},
    {"numpy", .07, ANY ^ F(TORCH) ^ F(DEEPLEARNING4J), ANY, 0, ITSELF},
    {"lstm", .06, ANY, ANY, 2015, ITSELF},
    {"computer-vision", .05, ANY, ANY, 0, ITSELF},
    {"tensorflow2.0", .16, F(TENSORFLOW) | F(KERAS), ANY, 2019, ITSELF},
    {"tf.keras", .06, F(TENSORFLOW) | F(KERAS), ANY, 2018, ITSELF},
    {"tensorboard", .03, F(TENSORFLOW) | F(KERAS), ANY, 2016, ITSELF},
    {"tensorflow-datasets", .03, F(TENSORFLOW), ANY, 2018, ITSELF},
    {"object-detection", .05, F(TENSORFLOW) | F(CAFFE), ANY, 2017, ITSELF},
    {"keras-layer", .05, F(KERAS), ANY, 2017, ITSELF},
    {"torchvision", .06, F(PYTORCH), ANY, 2018, ITSELF},
    {"autograd", .03, F(PYTORCH), ANY, 2017, ITSELF},
    {"gpytorch", .004, F(PYTORCH), ANY, 2018, ITSELF},
    {"tensorflowsharp", .003, F(TENSORFLOW), ANY, 2017, ITSELF},
    {"lasagne", .08, F(THEANO), ANY, 0, ITSELF},
    {"pycaffe", .12, F(CAFFE), ANY, 0, ITSELF},
    {"matcaffe", .05, F(CAFFE), ANY, 0, ITSELF},
    {"lua", .55, F(TORCH), ANY, 0, ITSELF},
    {"java", .80, F(DEEPLEARNING4J), ANY, 0, SAME_AS_JAVA},
    {"nd4j", .25, F(DEEPLEARNING4J), ANY, 0, ITSELF},
    {"pip", .11, ANY, F(INSTALLATION), 0, ITSELF},
    {"anaconda", .10, ANY, F(INSTALLATION), 0, ITSELF},
    {"ubuntu", .07, ANY, F(INSTALLATION), 0, ITSELF},
    {"windows", .05, ANY, F(INSTALLATION), 0, ITSELF},
    {"cuda", .12, ANY, F(INSTALLATION) | F(PERFORMANCE), 0, ITSELF},
    {"cudnn", .05, ANY, F(INSTALLATION), 0, ITSELF},
    {"gpu", .14, ANY, F(PERFORMANCE) | F(INSTALLATION) | F(CRASH), 0, ITSELF},
    {"multi-gpu", .05, ANY, F(PERFORMANCE) | F(IMPLEMENTATION), 0, ITSELF},
    {"distributed-computing", .03, ANY, F(PERFORMANCE) | F(IMPLEMENTATION), 0, ITSELF},
    {"loss-function", .07, ANY, F(ANOMALY) | F(COMPREHENSION) | F(IMPLEMENTATION), 0,
     ITSELF},
    {"gradient-descent", .05, ANY, F(ANOMALY) | F(COMPREHENSION), 0, ITSELF},
    {"overfitting-underfitting", .03, ANY, F(ANOMALY), 0, ITSELF},
    {"onnx", .05, F(PYTORCH) | F(KERAS) | F(TENSORFLOW), F(MIGRATION), 2018, ITSELF},
    {"transfer-learning", .04, ANY, F(MIGRATION) | F(IMPLEMENTATION), 2017, ITSELF},
    {"exception", .02, ANY, F(CRASH), 0, ITSELF},
    {"tensor", .04, ANY, F(CRASH) | F(IMPLEMENTATION), 0, ITSELF},
    {"image-processing", .05, ANY, ANY, 0, ITSELF},
    {"nlp", .05, ANY, ANY, 0, ITSELF},
    {"recurrent-neural-network", .04, ANY, ANY, 0, ITSELF},
    {"reinforcement-learning", .02, ANY, ANY, 2016, ITSELF},
    {"time-series", .015, ANY, ANY, 0, ITSELF},
    {"jupyter-notebook", .02, ANY, ANY, 2016, ITSELF},
    {"google-colaboratory", .04, ANY, ANY, 2019, ITSELF},
};

static const char *const topic_names[SYNTH_TAGS_TOPICS] = {
    "web", "java", "sql", "css", "c", "phone", "git", "regex", "excel", "linux"};

/* The first is on nearly every question of the topic, the others ever more rarely. */
static const char *const topic_tags[SYNTH_TAGS_TOPICS][6] = {
    {"javascript", "html", "jquery", "reactjs", "node.js", "ajax"},
    {"java", "spring", "maven", "hibernate", "junit", "swing"},
    {"sql", "mysql", "postgresql", "sql-server", "join", "oracle"},
    {"css", "html5", "twitter-bootstrap", "flexbox", "sass", "svg"},
    {"c", "pointers", "arrays", "gcc", "memory-management", "struct"},
    {"android", "kotlin", "android-studio", "android-layout", "gradle", "firebase"},
    {"git", "github", "merge", "rebase", "version-control", "gitlab"},
    {"regex", "string", "perl", "replace", "grep", "parsing"},
    {"excel", "vba", "excel-formula", "pivot-table", "csv", "charts"},
    {"linux", "bash", "shell", "debian", "awk", "ssh"},
};

enum {
    FIRST_PLATFORM_TAG = SYNTH_MODEL_FRAMEWORK_COUNT,
    PLATFORM_TAGS = 6,
    FIRST_COMPANY = FIRST_PLATFORM_TAG + PLATFORM_TAGS,
    TOPIC_TAG_COUNT = 6,
    ALONE_OF_TEN = 4, /* platform tags without a framework's */
};

/* A name that stands in two places has the number of one of them. */
static int number_of(int place)
{
    switch (tags[place].number) {
    case SAME_AS_TENSORFLOW:
        return SYNTH_MODEL_TENSORFLOW;
    case SAME_AS_KERAS:
        return SYNTH_MODEL_KERAS;
    case SAME_AS_JAVA: /* first tag of the second topic */
        return (int)ROWS_OF(tags) + TOPIC_TAG_COUNT;
    case ITSELF:
        break;
    }
    return place;
}

int synth_tags_count(void)
{
    return (int)ROWS_OF(tags) + SYNTH_TAGS_TOPICS * TOPIC_TAG_COUNT;
}

struct str synth_tags_name(int tag)
{
    int topic = tag - (int)ROWS_OF(tags);

    return topic < 0
               ? str_from(tags[tag].name)
               : str_from(topic_tags[topic / TOPIC_TAG_COUNT][topic % TOPIC_TAG_COUNT]);
}

struct str synth_tags_topic(int topic)
{
    return str_from(topic_names[topic]);
}

static void add(struct synth_tags *to, int tag)
{
    for (int i = 0; i < to->count; i++)
        if (to->at[i] == tag)
            return;
    if (to->count < SYNTH_TAGS_PER_QUESTION)
        to->at[to->count++] = tag;
}

/* Shares of Chen's selection: the platform's own tags, then only words. */
static const double platform_chances[SYNTH_MODEL_PLATFORM_COUNT][4] = {
    {.74, .04, .04, .18}, /* serving, cloud-ml, sagemaker, words */
    {.45, .25, .30, 0},   /* lite, coreml, words */
    {.90, .10, 0, 0},     /* js, words */
};
static const int platform_tags[SYNTH_MODEL_PLATFORM_COUNT] = {3, 2, 1};

/* The platform's own tag, or -1 when only words tell it. */
static int platform_tag(int platform, struct rng *rng)
{
    static const int first[SYNTH_MODEL_PLATFORM_COUNT] = {0, 3, 5};
    int chosen = (int)rng_weighted(rng, platform_chances[platform], 4);

    return chosen < platform_tags[platform]
               ? FIRST_PLATFORM_TAG + first[platform] + chosen
               : -1;
}

void synth_tags_frameworks(int platform, double *chances)
{
    if (platform < 0)
        return;
    double words = platform_chances[platform][platform_tags[platform]];
    for (int i = 0; i < SYNTH_MODEL_FRAMEWORK_COUNT; i++) {
        bool moved = i == SYNTH_MODEL_TORCH || i == SYNTH_MODEL_DEEPLEARNING4J;
        if (moved)
            chances[SYNTH_MODEL_TENSORFLOW] += words * chances[i];
        chances[i] *= (1 - words) * (1 - ALONE_OF_TEN / 10.0) + (moved ? 0 : words);
    }
}

struct synth_tags synth_tags_draw(struct synth_model_truth *truth, int year,
                                  struct rng *rng, bool *by_words)
{
    struct synth_tags result = {0};
    int platform = truth->platform >= 0 ? platform_tag(truth->platform, rng) : -1;

    *by_words = truth->platform >= 0 && platform < 0;
    /* Words are looked for among the five frameworks of Chen's study only. */
    if (*by_words && (truth->framework == SYNTH_MODEL_TORCH ||
                      truth->framework == SYNTH_MODEL_DEEPLEARNING4J))
        truth->framework = SYNTH_MODEL_TENSORFLOW;
    unsigned framework_bit = 1u << truth->framework, kind_bits = 1u << truth->kind;
    if (truth->second_kind >= 0)
        kind_bits |= 1u << truth->second_kind;
    if (platform >= 0 && rng_below(rng, 10) < ALONE_OF_TEN)
        truth->framework = SYNTH_MODEL_NONE;
    if (truth->framework >= 0)
        add(&result, truth->framework);
    if (platform >= 0)
        add(&result, platform);
    /* These two are taken only with a word that begins with "deploy". */
    if (platform == FIRST_PLATFORM_TAG + 1 || platform == FIRST_PLATFORM_TAG + 2)
        *by_words = true;
    for (int i = FIRST_COMPANY; i < (int)ROWS_OF(tags); i++) {
        const struct tag *tag = &tags[i];
        if ((tag->frameworks & framework_bit) == 0 || (tag->kinds & kind_bits) == 0 ||
            year < tag->from_year || rng_unit(rng) >= tag->share)
            continue;
        int number = number_of(i);
        if (number >= SYNTH_MODEL_FRAMEWORK_COUNT || truth->framework >= 0)
            add(&result, number);
    }
    return result;
}

struct synth_tags synth_tags_draw_background(int topic, struct rng *rng)
{
    static const double chances[TOPIC_TAG_COUNT] = {.92, .30, .15, .10, .08, .06};
    struct synth_tags result = {0};
    int first = (int)ROWS_OF(tags) + topic * TOPIC_TAG_COUNT;

    for (int i = 0; i < TOPIC_TAG_COUNT; i++)
        if (rng_unit(rng) < chances[i])
            add(&result, first + i);
    if (result.count == 0)
        add(&result, first);
    return result;
}
