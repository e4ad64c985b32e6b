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
    [CATEGORY] = {STR_INIT("category"), ITEM_TEXT,
                  .meaning =
                      "the number of the category, or its name where the page gives one"},
    [SOLVED] = {STR_INIT("solved"), ITEM_YES_NO,
                .meaning = "whether it has an accepted answer, where the forum has such"},
    [REPLIES] = {STR_INIT("replies"), ITEM_NUMBER,
                 .meaning = "posts that reply to another"},
    [LIKES] = {STR_INIT("likes"), ITEM_NUMBER,
               .meaning = "of all its posts; the score is the same"},
    [POSTS] = {STR_INIT("posts"), ITEM_NUMBER, .meaning = "posts, the first of them too"},
    [PARTICIPANTS] = {STR_INIT("participants"), ITEM_NUMBER,
                      .meaning = "people who wrote in it"},
    [LAST_POST] = {STR_INIT("last-post"), ITEM_MOMENT,
                   .meaning = "when the last post was written"},
    [CLOSED_TOPIC] = {STR_INIT("locked"), ITEM_YES_NO,
                      .meaning = "whether no more may be written"},
    [PINNED] = {STR_INIT("pinned"), ITEM_YES_NO,
                .meaning = "whether it stays on top of lists"},
    [SLUG] = {STR_INIT("slug"), ITEM_TEXT, .meaning = "its name in addresses"},
};

enum {
    DEPTH_MAX = 4, /* of what objects are wrapped in */
    REGULAR = 1,   /* post_type: others are what moderators and the system did */
};

static bool is_id(const struct input_json *value)
{
    return input_json_is(value, INPUT_JSON_INTEGER) && input_json_integer(value) > 0 &&
           input_json_integer(value) < ITEM_NUMBER_MAX;
}

static const struct input_json *posts_of(const struct input_json *object)
{
    return input_json_fixed(input_json_fixed(object, "post_stream"), "posts");
}

static bool is_topic(const struct input_json *object)
{
    return is_id(input_json_fixed(object, "id")) &&
           input_json_fixed(object, "title") != NULL &&
           (input_json_is(input_json_fixed(object, "posts_count"), INPUT_JSON_INTEGER) ||
            input_json_is(posts_of(object), INPUT_JSON_ARRAY));
}

static bool is_post(const struct input_json *object)
{
    return is_id(input_json_fixed(object, "id")) &&
           is_id(input_json_fixed(object, "topic_id")) &&
           input_json_is(input_json_fixed(object, "post_number"), INPUT_JSON_INTEGER) &&
           SOURCE_SAVED_GET(object, "cooked", "raw") != NULL;
}

/* --- posts --- */

/* Behind the numbers of topics, which count by themselves. */
static int64_t post_id(const struct input_json *post)
{
    const struct input_json *id = input_json_fixed(post, "id");

    return is_id(id) ? ITEM_NUMBER_MAX + input_json_integer(id) : ITEM_NONE;
}

/* "40/2": its topic and its number in that. */
static struct str post_key(struct source_saved *saved, int64_t topic,
                           const struct input_json *post)
{
    return arena_format(
        &saved->row, "%lld/%lld", (long long)topic,
        (long long)input_json_integer(input_json_fixed(post, "post_number")));
}

static bool is_first(const struct input_json *post)
{
    return input_json_integer(input_json_fixed(post, "post_number")) == 1;
}

static bool is_accepted(const struct input_json *post, int64_t accepted_number)
{
    const struct input_json *number = input_json_fixed(post, "post_number");

    return input_json_is(input_json_fixed(post, "accepted_answer"), INPUT_JSON_TRUE) ||
           (input_json_is(number, INPUT_JSON_INTEGER) &&
            input_json_integer(number) == accepted_number);
}

/* The system and its helpers have numbers below 0. */
static int64_t author_of(struct source_saved *saved, const struct input_json *post,
                         bool *bot)
{
    const struct input_json *id = SOURCE_SAVED_GET(post, "user_id");

    *bot = input_json_is(id, INPUT_JSON_INTEGER) && input_json_integer(id) < 0;
    return source_saved_person(
        saved, source_saved_text(saved, SOURCE_SAVED_GET(post, "username"), "username"),
        id != NULL ? source_saved_number(saved, id, "user_id") : ITEM_NONE);
}

/* Of all reactions that a post counts, likes have number 2. */
static int64_t likes_of(struct source_saved *saved, const struct input_json *post)
{
    const struct input_json *count =
        SOURCE_SAVED_GET(post, "like_count", "reaction_users_count");
    const struct input_json *actions = input_json_fixed(post, "actions_summary");

    if (count != NULL)
        return source_saved_number(saved, count, "like_count");
    INPUT_JSON_EACH(action, actions)
    {
        const struct input_json *likes = input_json_fixed(action, "count");
        if (input_json_integer(input_json_fixed(action, "id")) == 2 && likes != NULL)
            return source_saved_number(saved, likes, "actions_summary");
    }
    return input_json_is(actions, INPUT_JSON_ARRAY) ? 0 : ITEM_NONE;
}

/* Html as it is shown; else Markdown as it was written. */
static struct str body_of(struct source_saved *saved, const struct input_json *post,
                          enum item_form *form)
{
    const struct input_json *cooked = SOURCE_SAVED_GET(post, "cooked");

    *form = cooked != NULL ? ITEM_HTML : ITEM_MARKDOWN;
    return cooked != NULL
               ? source_saved_text(saved, cooked, "cooked")
               : source_saved_text(saved, SOURCE_SAVED_GET(post, "raw"), "raw");
}

static bool read_post(struct source_saved *saved, const struct input_json *post,
                      int64_t topic, int64_t accepted_number, struct err *err)
{
    const struct input_json *type = input_json_fixed(post, "post_type");
    struct item item = item_empty();
    bool bot;

    if (is_first(post) ||
        (input_json_is(type, INPUT_JSON_INTEGER) && input_json_integer(type) != REGULAR))
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

static int64_t topic_author(struct source_saved *saved, const struct input_json *topic)
{
    const struct input_json *posts = posts_of(topic),
                            *posters = input_json_fixed(topic, "posters");
    const struct input_json *creator =
        input_json_fixed(input_json_fixed(topic, "details"), "created_by");
    bool ignored;

    INPUT_JSON_EACH(post, posts)
    if (is_first(post))
        return author_of(saved, post, &ignored);
    if (creator != NULL)
        return source_saved_person(
            saved, input_json_text(input_json_fixed(creator, "username")),
            is_id(input_json_fixed(creator, "id"))
                ? input_json_integer(input_json_fixed(creator, "id"))
                : ITEM_NONE);
    if (SOURCE_SAVED_GET(topic, "user_id") != NULL)
        return source_saved_number(saved, SOURCE_SAVED_GET(topic, "user_id"), "user_id");
    /* A list names those who wrote in it, whoever began first. */
    const struct input_json *first =
        input_json_fixed(input_json_first(posters), "user_id");
    return is_id(first) ? input_json_integer(first) : ITEM_NONE;
}

/* Which post was accepted: its number in the topic, or ITEM_NONE. */
static int64_t accepted_number(const struct input_json *topic)
{
    const struct input_json *number =
        input_json_fixed(input_json_fixed(topic, "accepted_answer"), "post_number");

    return input_json_is(number, INPUT_JSON_INTEGER) ? input_json_integer(number)
                                                     : ITEM_NONE;
}

static void find_accepted(struct source_saved *saved, const struct input_json *topic,
                          struct item *item)
{
    const struct input_json *posts = posts_of(topic);

    if (input_json_is(input_json_fixed(topic, "has_accepted_answer"), INPUT_JSON_TRUE) ||
        input_json_is(input_json_fixed(topic, "accepted_answer"), INPUT_JSON_OBJECT))
        item->accepted = 0; /* unknown which */
    INPUT_JSON_EACH(post, posts)
    if (is_accepted(post, accepted_number(topic))) {
        item->accepted = post_id(post);
        item->accepted_key = post_key(saved, item->id, post);
    }
}

static bool is_closing(const struct input_json *post)
{
    struct str action = input_json_text(input_json_fixed(post, "action_code"));

    return str_eq(action, STR("closed.enabled")) ||
           str_eq(action, STR("autoclosed.enabled"));
}

/* A topic says that it is closed; when, only the post by which it was. Where that is not
 * at hand it is not earlier than the last post. */
static int64_t closed_at(struct source_saved *saved, const struct input_json *topic,
                         const struct item *item)
{
    const struct input_json *posts = posts_of(topic), *closing = NULL;

    if (!input_json_is(input_json_fixed(topic, "closed"), INPUT_JSON_TRUE))
        return ITEM_NONE;
    INPUT_JSON_EACH(post, posts)
    if (is_closing(post))
        closing = SOURCE_SAVED_GET(post, "created_at");
    if (closing != NULL)
        return source_saved_moment(saved, closing, "created_at");
    return item->lastactive_ms != ITEM_NONE ? item->lastactive_ms : item->created_ms;
}

static struct str *fields_of(struct source_saved *saved, const struct input_json *topic,
                             const struct item *item)
{
    struct str *values = arena_array(&saved->row, struct str, FIELDS);
    const struct input_json *category =
        SOURCE_SAVED_GET(topic, "category_name", "category_id");
    const struct input_json *solved = SOURCE_SAVED_GET(topic, "has_accepted_answer");
    const struct {
        enum discourse_field field;
        const char *name;
    } numbers[] = {
        {REPLIES, "reply_count"},
        {LIKES, "like_count"},
        {POSTS, "posts_count"},
        {PARTICIPANTS, "participant_count"},
    };

    values[CATEGORY] = input_json_is(category, INPUT_JSON_INTEGER)
                           ? source_saved_digits(saved, input_json_integer(category))
                           : source_saved_text(saved, category, "category");
    values[SOLVED] =
        item->accepted != ITEM_NONE ? STR("yes") : source_saved_yes_no(solved);
    for (size_t i = 0; i < ROWS_OF(numbers); i++) {
        const struct input_json *value = input_json_fixed(topic, numbers[i].name);
        if (value != NULL && !input_json_is(value, INPUT_JSON_NULL))
            values[numbers[i].field] = source_saved_digits(
                saved, source_saved_number(saved, value, numbers[i].name));
    }
    values[LAST_POST] = source_saved_dated(saved, item->lastactive_ms);
    values[CLOSED_TOPIC] = source_saved_yes_no(input_json_fixed(topic, "closed"));
    values[PINNED] = source_saved_yes_no(input_json_fixed(topic, "pinned"));
    values[SLUG] = source_saved_text(saved, SOURCE_SAVED_GET(topic, "slug"), "slug");
    return values;
}

static bool read_topic(struct source_saved *saved, const struct input_json *topic,
                       struct err *err)
{
    const struct input_json *posts = posts_of(topic),
                            *title = SOURCE_SAVED_GET(topic, "title");
    const struct input_json *views = SOURCE_SAVED_GET(topic, "views");
    const struct input_json *likes = SOURCE_SAVED_GET(topic, "like_count");
    const struct input_json *count = SOURCE_SAVED_GET(topic, "posts_count");
    struct item item = item_empty();

    item.id = input_json_integer(input_json_fixed(topic, "id"));
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
    if (input_json_is(count, INPUT_JSON_INTEGER) && input_json_integer(count) > 0)
        item.answers = input_json_integer(count) - 1;
    item.lastactive_ms = source_saved_moment(
        saved, SOURCE_SAVED_GET(topic, "last_posted_at"), "last_posted_at");
    item.closed_ms = closed_at(saved, topic, &item);
    INPUT_JSON_EACH(post, posts)
    {
        if (!is_first(post))
            continue;
        item.body = body_of(saved, post, &item.form);
        if (input_json_is(input_json_fixed(post, "wiki"), INPUT_JSON_TRUE))
            item.wiki_ms = 0; /* unknown since when */
    }
    find_accepted(saved, topic, &item);
    if (!saved->no_own)
        item.extra = fields_of(saved, topic, &item);
    if (!source_saved_give(saved, &item, err))
        return false;
    INPUT_JSON_EACH(post, posts)
    if (!read_post(saved, post, item.id, accepted_number(topic), err))
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
static int rank_of(const struct source_saved *saved, const struct input_json *topic)
{
    const struct input_json *posts = posts_of(topic);

    INPUT_JSON_EACH(post, posts)
    if (is_first(post))
        return 0;
    return input_json_is(posts, INPUT_JSON_ARRAY) || saved->cut == 0 ? 1 : 2;
}

static bool read_ranked(struct source_saved *saved, const struct input_json *topic,
                        struct err *err)
{
    int rank = rank_of(saved, topic);
    bool silent = saved->silent;

    if (saved->reading == 0)
        saved->cut += rank > 0 && input_json_is(posts_of(topic), INPUT_JSON_ARRAY);
    if (saved->reading < rank) {
        saved->later++;
        return true;
    }
    saved->silent = saved->reading > rank; /* here it is read for the first time */
    bool ok = read_topic(saved, topic, err);
    saved->silent = silent;
    return ok;
}

static bool read_object(struct source_saved *saved, const struct input_json *object,
                        const struct source_saved_place *place, bool *known,
                        struct err *err)
{
    (void)place;
    *known = is_topic(object) || is_post(object);
    if (is_topic(object))
        return read_ranked(saved, object, err);
    return !*known || read_post(saved, object,
                                input_json_integer(input_json_fixed(object, "topic_id")),
                                ITEM_NONE, err);
}

static bool read_discourse(struct source_saved *saved, const struct input_json *value,
                           struct err *err)
{
    static const struct source_saved_walk walk = {
        .wrappings = wrappings, .depth_max = DEPTH_MAX, .read = read_object};

    return source_saved_walk(saved, value, &walk, (struct source_saved_place){0}, err);
}

static bool knows_object(const struct input_json *object)
{
    return is_topic(object) || is_post(object);
}

/* A list of topics may be empty. */
static bool knows_discourse(const struct input_json *value)
{
    return input_json_is(
               input_json_fixed(input_json_fixed(value, "topic_list"), "topics"),
               INPUT_JSON_ARRAY) ||
           source_saved_holds(value, wrappings, DEPTH_MAX, knows_object);
}

const char source_discourse_help[] =
    "Topics of a Discourse forum, with their posts, as json that somebody saved: a "
    "file, an archive, a folder of files, or a list of them; see assay-source(7). "
    "`site` says where links lead.";

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
