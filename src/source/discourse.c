/* Topics of a Discourse forum and their posts, as its json pages give them: lists of
 * topics, pages of a topic with its posts, posts alone, in any mixture, plain or in
 * Perceval's envelope. assay-source(7) says what of them becomes what. */
#include <string.h>

#include "item/key.h"
#include "source/intake.h"
#include "source/saved.h"

enum discourse_field {
    CATEGORY,
    SOLVED,
    REPLIES,
    LIKES,
    POSTS,
    PARTICIPANTS,
    LAST_POST,
    CLOSED_TOPIC,
    PINNED,
    SLUG,
    FIELDS,
};

static const struct item_own fields[FIELDS] = {
    [CATEGORY] = {.name = STR_INIT("category"),
                  .type = ITEM_TEXT,
                  .meaning =
                      "the number of the category, or its name where the page gives one"},
    [SOLVED] = {.name = STR_INIT("solved"),
                .type = ITEM_YES_NO,
                .meaning = "whether it has an accepted answer, where the forum has such"},
    [REPLIES] = {.name = STR_INIT("replies"),
                 .type = ITEM_NUMBER,
                 .meaning = "posts that reply to another"},
    [LIKES] = {.name = STR_INIT("likes"),
               .type = ITEM_NUMBER,
               .meaning = "of all its posts; the score is the same"},
    [POSTS] = {.name = STR_INIT("posts"),
               .type = ITEM_NUMBER,
               .meaning = "posts, the first of them too"},
    [PARTICIPANTS] = {.name = STR_INIT("participants"),
                      .type = ITEM_NUMBER,
                      .meaning = "people who wrote in it"},
    [LAST_POST] = {.name = STR_INIT("last-post"),
                   .type = ITEM_MOMENT,
                   .meaning = "when the last post was written"},
    [CLOSED_TOPIC] = {.name = STR_INIT("locked"),
                      .type = ITEM_YES_NO,
                      .meaning = "whether no more may be written"},
    [PINNED] = {.name = STR_INIT("pinned"),
                .type = ITEM_YES_NO,
                .meaning = "whether it stays on top of lists"},
    [SLUG] = {.name = STR_INIT("slug"),
              .type = ITEM_TEXT,
              .meaning = "its name in addresses"},
};

enum {
    DEPTH_MAX = 4, /* of what objects are wrapped in */
    REGULAR = 1,   /* post_type: others are what moderators and the system did */
};

static bool is_id(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) > 0 &&
           json_integer_value(value) < ITEM_NUMBER_MAX;
}

static const json_t *posts_of(const json_t *object)
{
    return json_object_get(json_object_get(object, "post_stream"), "posts");
}

static bool is_topic(const json_t *object)
{
    return is_id(json_object_get(object, "id")) &&
           json_object_get(object, "title") != NULL &&
           (json_is_integer(json_object_get(object, "posts_count")) ||
            json_is_array(posts_of(object)));
}

static bool is_post(const json_t *object)
{
    return is_id(json_object_get(object, "id")) &&
           is_id(json_object_get(object, "topic_id")) &&
           json_is_integer(json_object_get(object, "post_number")) &&
           SOURCE_SAVED_GET(object, "cooked", "raw") != NULL;
}

/* --- posts --- */

/* Behind the numbers of topics, which count by themselves. */
static int64_t post_id(const json_t *post)
{
    const json_t *id = json_object_get(post, "id");

    return is_id(id) ? ITEM_NUMBER_MAX + json_integer_value(id) : ITEM_NONE;
}

/* "40/2": its topic and its number in that. */
static struct str post_key(struct source_saved *saved, int64_t topic, const json_t *post)
{
    return arena_format(
        &saved->row, "%lld/%lld", (long long)topic,
        (long long)json_integer_value(json_object_get(post, "post_number")));
}

static bool is_first(const json_t *post)
{
    return json_integer_value(json_object_get(post, "post_number")) == 1;
}

static bool is_accepted(const json_t *post, int64_t accepted_number)
{
    const json_t *number = json_object_get(post, "post_number");

    return json_is_true(json_object_get(post, "accepted_answer")) ||
           (json_is_integer(number) && json_integer_value(number) == accepted_number);
}

/* The system and its helpers have numbers below 0. */
static int64_t author_of(struct source_saved *saved, const json_t *post, bool *bot)
{
    const json_t *id = SOURCE_SAVED_GET(post, "user_id");

    *bot = json_is_integer(id) && json_integer_value(id) < 0;
    return source_saved_person(
        saved, source_saved_text(saved, SOURCE_SAVED_GET(post, "username"), "username"),
        id != NULL ? source_saved_number(saved, id, "user_id") : ITEM_NONE);
}

/* Of all reactions that a post counts, likes have number 2. */
static int64_t likes_of(struct source_saved *saved, const json_t *post)
{
    const json_t *count = SOURCE_SAVED_GET(post, "like_count", "reaction_users_count");
    const json_t *actions = json_object_get(post, "actions_summary");

    if (count != NULL)
        return source_saved_number(saved, count, "like_count");
    for (size_t i = 0; i < json_array_size(actions); i++) {
        const json_t *action = json_array_get(actions, i);
        const json_t *likes = json_object_get(action, "count");
        if (json_integer_value(json_object_get(action, "id")) == 2 && likes != NULL)
            return source_saved_number(saved, likes, "actions_summary");
    }
    return json_is_array(actions) ? 0 : ITEM_NONE;
}

/* Html as it is shown; else Markdown as it was written. */
static struct str body_of(struct source_saved *saved, const json_t *post,
                          enum item_form *form)
{
    const json_t *cooked = SOURCE_SAVED_GET(post, "cooked");

    *form = cooked != NULL ? ITEM_HTML : ITEM_MARKDOWN;
    return cooked != NULL
               ? source_saved_text(saved, cooked, "cooked")
               : source_saved_text(saved, SOURCE_SAVED_GET(post, "raw"), "raw");
}

static bool read_post(struct source_saved *saved, const json_t *post, int64_t topic,
                      int64_t accepted_number, struct err *err)
{
    const json_t *type = json_object_get(post, "post_type");
    struct item item = item_empty();
    bool bot;

    if (is_first(post) || (json_is_integer(type) && json_integer_value(type) != REGULAR))
        return true;
    item.id = post_id(post);
    if (item.id == ITEM_NONE) {
        source_saved_strange(saved, post);
        return true;
    }
    item.key = post_key(saved, topic, post);
    item.parent = topic;
    item.owner = author_of(saved, post, &bot);
    item.created_ms =
        source_saved_moment(saved, SOURCE_SAVED_GET(post, "created_at"), "created_at");
    item.score = likes_of(saved, post);
    item.body = body_of(saved, post, &item.form);
    return source_saved_give_below(saved, &item, bot, is_accepted(post, accepted_number),
                                   err);
}

/* --- topics --- */

static int64_t topic_author(struct source_saved *saved, const json_t *topic)
{
    const json_t *posts = posts_of(topic), *posters = json_object_get(topic, "posters");
    const json_t *creator =
        json_object_get(json_object_get(topic, "details"), "created_by");
    bool ignored;

    for (size_t i = 0; i < json_array_size(posts); i++)
        if (is_first(json_array_get(posts, i)))
            return author_of(saved, json_array_get(posts, i), &ignored);
    if (creator != NULL)
        return source_saved_person(
            saved, input_document_text(json_object_get(creator, "username")),
            is_id(json_object_get(creator, "id"))
                ? json_integer_value(json_object_get(creator, "id"))
                : ITEM_NONE);
    if (SOURCE_SAVED_GET(topic, "user_id") != NULL)
        return source_saved_number(saved, SOURCE_SAVED_GET(topic, "user_id"), "user_id");
    /* A list names those who wrote in it, whoever began first. */
    const json_t *first = json_object_get(json_array_get(posters, 0), "user_id");
    return is_id(first) ? json_integer_value(first) : ITEM_NONE;
}

/* Which post was accepted: its number in the topic, or ITEM_NONE. */
static int64_t accepted_number(const json_t *topic)
{
    const json_t *number =
        json_object_get(json_object_get(topic, "accepted_answer"), "post_number");

    return json_is_integer(number) ? json_integer_value(number) : ITEM_NONE;
}

static void find_accepted(struct source_saved *saved, const json_t *topic,
                          struct item *item)
{
    const json_t *posts = posts_of(topic);

    if (json_is_true(json_object_get(topic, "has_accepted_answer")) ||
        json_is_object(json_object_get(topic, "accepted_answer")))
        item->accepted = 0; /* unknown which */
    for (size_t i = 0; i < json_array_size(posts); i++)
        if (is_accepted(json_array_get(posts, i), accepted_number(topic))) {
            item->accepted = post_id(json_array_get(posts, i));
            item->accepted_key = post_key(saved, item->id, json_array_get(posts, i));
        }
}

static struct str *fields_of(struct source_saved *saved, const json_t *topic,
                             const struct item *item)
{
    struct str *values = arena_array(&saved->row, struct str, FIELDS);
    const json_t *category = SOURCE_SAVED_GET(topic, "category_name", "category_id");
    const json_t *solved = SOURCE_SAVED_GET(topic, "has_accepted_answer");
    const struct {
        enum discourse_field field;
        const char *name;
    } numbers[] = {
        {REPLIES, "reply_count"},
        {LIKES, "like_count"},
        {POSTS, "posts_count"},
        {PARTICIPANTS, "participant_count"},
    };

    values[CATEGORY] = json_is_integer(category)
                           ? source_saved_digits(saved, json_integer_value(category))
                           : source_saved_text(saved, category, "category");
    values[SOLVED] =
        item->accepted != ITEM_NONE ? STR("yes") : source_saved_yes_no(solved);
    for (size_t i = 0; i < ROWS_OF(numbers); i++) {
        const json_t *value = json_object_get(topic, numbers[i].name);
        if (value != NULL && !json_is_null(value))
            values[numbers[i].field] = source_saved_digits(
                saved, source_saved_number(saved, value, numbers[i].name));
    }
    values[LAST_POST] = source_saved_dated(saved, item->lastactive_ms);
    values[CLOSED_TOPIC] = source_saved_yes_no(json_object_get(topic, "closed"));
    values[PINNED] = source_saved_yes_no(json_object_get(topic, "pinned"));
    values[SLUG] = source_saved_text(saved, SOURCE_SAVED_GET(topic, "slug"), "slug");
    return values;
}

static bool read_topic(struct source_saved *saved, const json_t *topic, struct err *err)
{
    const json_t *posts = posts_of(topic), *title = SOURCE_SAVED_GET(topic, "title");
    const json_t *views = SOURCE_SAVED_GET(topic, "views");
    const json_t *likes = SOURCE_SAVED_GET(topic, "like_count");
    const json_t *count = SOURCE_SAVED_GET(topic, "posts_count");
    struct item item = item_empty();

    item.id = json_integer_value(json_object_get(topic, "id"));
    item.kind = ITEM_TOPIC;
    item.owner = topic_author(saved, topic);
    item.created_ms =
        source_saved_moment(saved, SOURCE_SAVED_GET(topic, "created_at"), "created_at");
    item.title = source_saved_text(saved, title, "title");
    item.tags = source_saved_tags(saved, SOURCE_SAVED_GET(topic, "tags"), "tags");
    if (views != NULL)
        item.views = source_saved_number(saved, views, "views");
    if (likes != NULL)
        item.score = source_saved_number(saved, likes, "like_count");
    if (json_is_integer(count) && json_integer_value(count) > 0)
        item.answers = json_integer_value(count) - 1;
    item.lastactive_ms = source_saved_moment(
        saved, SOURCE_SAVED_GET(topic, "last_posted_at"), "last_posted_at");
    for (size_t i = 0; i < json_array_size(posts); i++) {
        const json_t *post = json_array_get(posts, i);
        if (!is_first(post))
            continue;
        item.body = body_of(saved, post, &item.form);
        if (json_is_true(json_object_get(post, "wiki")))
            item.wiki_ms = 0; /* unknown since when */
    }
    find_accepted(saved, topic, &item);
    item.extra = fields_of(saved, topic, &item);
    if (!source_saved_give(saved, &item, err))
        return false;
    for (size_t i = 0; i < json_array_size(posts); i++)
        if (!read_post(saved, json_array_get(posts, i), item.id, accepted_number(topic),
                       err))
            return false;
    return true;
}

/* --- what they stand in --- */

static const struct source_saved_wrapping wrappings[] = {
    {.name = "data"},
    {.name = "topic_list"},
    {.name = "topics"},
    {.name = "latest_posts"},
    {.name = "post_stream"},
    {.name = "posts"},
    {0},
};

/* The page that a topic begins on says most of it, another page less, a list least: what
 * says less is taken only where nothing says more, in a later reading. */
static int rank_of(const struct source_saved *saved, const json_t *topic)
{
    const json_t *posts = posts_of(topic);

    for (size_t i = 0; i < json_array_size(posts); i++)
        if (is_first(json_array_get(posts, i)))
            return 0;
    return json_is_array(posts) || saved->cut == 0 ? 1 : 2;
}

static bool read_ranked(struct source_saved *saved, const json_t *topic, struct err *err)
{
    int rank = rank_of(saved, topic);
    bool silent = saved->silent;

    if (saved->reading == 0)
        saved->cut += rank > 0 && json_is_array(posts_of(topic));
    if (saved->reading < rank) {
        saved->later++;
        return true;
    }
    saved->silent = saved->reading > rank; /* here it is read for the first time */
    bool ok = read_topic(saved, topic, err);
    saved->silent = silent;
    return ok;
}

static bool read_object(struct source_saved *saved, const json_t *object,
                        const struct source_saved_place *place, bool *known,
                        struct err *err)
{
    (void)place;
    *known = is_topic(object) || is_post(object);
    if (is_topic(object))
        return read_ranked(saved, object, err);
    return !*known || read_post(saved, object,
                                json_integer_value(json_object_get(object, "topic_id")),
                                ITEM_NONE, err);
}

static bool read_discourse(struct source_saved *saved, const json_t *value,
                           struct err *err)
{
    static const struct source_saved_walk walk = {
        .wrappings = wrappings, .depth_max = DEPTH_MAX, .read = read_object};

    return source_saved_walk(saved, value, &walk, (struct source_saved_place){0}, err);
}

static bool knows_object(const json_t *object)
{
    return is_topic(object) || is_post(object);
}

/* A list of topics may be empty. */
static bool knows_discourse(const json_t *value)
{
    return json_is_array(
               json_object_get(json_object_get(value, "topic_list"), "topics")) ||
           source_saved_holds(value, wrappings, DEPTH_MAX, knows_object);
}

const struct source_kind source_discourse = {
    .key = "discourse",
    .stored = "discourse",
    .called = "topics of a Discourse forum",
    .in_prose = "the topics of",
    .packaged = "topics of a Discourse forum",
    .path_is = "file or folder",
    .expected = "json of topics or posts",
    .way = "/t/",
    .all = true,
    .fields = fields,
    .field_count = FIELDS,
    .add_members = source_intake_add_members,
    .take = source_saved_intake,
    .knows = knows_discourse,
    .read = read_discourse,
};
