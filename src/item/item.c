/* The tables behind the model. */
#include "item/item.h"

#include "base/date.h"

static const struct {
    struct str name;
    bool studied;
} kinds[ITEM_KINDS] = {
    [ITEM_QUESTION] = {STR_INIT("question"), .studied = true},
    [ITEM_ANSWER] = {STR_INIT("answer"), .studied = false},
    [ITEM_ORPHANED_WIKI] = {STR_INIT("wiki"), .studied = false},
    [ITEM_EXCERPT] = {STR_INIT("excerpt"), .studied = false},
    [ITEM_TAG_WIKI] = {STR_INIT("tagwiki"), .studied = false},
    [ITEM_NOMINATION] = {STR_INIT("nomination"), .studied = false},
    [ITEM_WIKI_PLACEHOLDER] = {STR_INIT("wiki placeholder"), .studied = false},
    [ITEM_PRIVILEGE_WIKI] = {STR_INIT("privilege wiki"), .studied = false},
    [ITEM_ROW] = {STR_INIT("row"), .studied = true},
    [ITEM_COMMIT] = {STR_INIT("commit"), .studied = true},
    [ITEM_ISSUE] = {STR_INIT("issue"), .studied = true},
    [ITEM_PULL_REQUEST] = {STR_INIT("pull request"), .studied = true},
    [ITEM_DISCUSSION] = {STR_INIT("discussion"), .studied = true},
    [ITEM_TOPIC] = {STR_INIT("topic"), .studied = true},
    [ITEM_COMMENT] = {STR_INIT("comment"), .studied = false},
};

struct str item_kind_name(enum item_kind kind)
{
    return kinds[kind].name;
}

bool item_kind_is_studied(int64_t kind)
{
    return kind > 0 && kind < ITEM_KINDS && kinds[kind].studied;
}

unsigned item_studied_kinds(void)
{
    unsigned mask = 0;

    for (unsigned kind = 1; kind < ITEM_KINDS; kind++)
        mask |= (unsigned)kinds[kind].studied << kind;
    return mask;
}

#define ALL_KINDS ((1u << ITEM_KINDS) - 2)
#define THREADS \
    (1u << ITEM_QUESTION | 1u << ITEM_ROW | 1u << ITEM_ISSUE | 1u << ITEM_PULL_REQUEST | \
     1u << ITEM_DISCUSSION | 1u << ITEM_TOPIC)

static const struct item_field_row fields[ITEM_FIELDS] = {
    [ITEM_FIELD_ID] = {.name = STR_INIT("id"),
                       .column = "id",
                       .attribute = "Id",
                       .type = ITEM_LINK,
                       .role = ITEM_IDENTITY,
                       .kinds = ALL_KINDS,
                       .shown = true,
                       .meaning = "the item itself, as its source calls it",
                       .spellings = {"id", "postid"}},
    [ITEM_FIELD_KIND] = {.name = STR_INIT("type"),
                         .column = "kind",
                         .attribute = "PostTypeId",
                         .type = ITEM_KIND,
                         .role = ITEM_IDENTITY,
                         .kinds = ALL_KINDS,
                         .shown = true,
                         .meaning = "what it is: question, answer, row of a table ...",
                         .spellings = {"posttypeid", "posttype", "type"}},
    [ITEM_FIELD_PARENT] = {.name = STR_INIT("parent"),
                           .column = "parent",
                           .attribute = "ParentId",
                           .type = ITEM_LINK,
                           .role = ITEM_RELATION,
                           .kinds = 1u << ITEM_ANSWER | 1u << ITEM_COMMENT,
                           .shown = true,
                           .meaning = "the question of an answer",
                           .spellings = {"parentid", "parent"}},
    [ITEM_FIELD_ACCEPTED] = {.name = STR_INIT("accepted"),
                             .column = "accepted",
                             .attribute = "AcceptedAnswerId",
                             .type = ITEM_LINK,
                             .role = ITEM_RELATION,
                             .kinds = 1u << ITEM_QUESTION | 1u << ITEM_ROW |
                                      1u << ITEM_DISCUSSION | 1u << ITEM_TOPIC,
                             .shown = true,
                             .meaning = "the accepted answer of a question",
                             .spellings = {"acceptedanswerid", "acceptedid", "accepted"}},
    [ITEM_FIELD_CREATED] = {.name = STR_INIT("created"),
                            .column = "created_ms",
                            .attribute = "CreationDate",
                            .type = ITEM_MOMENT,
                            .role = ITEM_WHEN,
                            .kinds = ALL_KINDS,
                            .shown = true,
                            .meaning = "when it was written",
                            .spellings = {"creationdate", "created", "createdat",
                                          "createddate"}},
    [ITEM_FIELD_CLOSED] = {.name = STR_INIT("closed"),
                           .column = "closed_ms",
                           .attribute = "ClosedDate",
                           .type = ITEM_MOMENT,
                           .role = ITEM_WHEN,
                           .kinds = THREADS,
                           .shown = true,
                           .meaning = "when it was closed",
                           .spellings = {"closeddate", "closedat", "closed"}},
    [ITEM_FIELD_SCORE] = {.name = STR_INIT("score"),
                          .column = "score",
                          .attribute = "Score",
                          .type = ITEM_NUMBER,
                          .role = ITEM_MEASURED,
                          .kinds = ALL_KINDS,
                          .shown = true,
                          .meaning = "up votes minus down votes",
                          .spellings = {"score"}},
    [ITEM_FIELD_VIEWS] = {.name = STR_INIT("views"),
                          .column = "views",
                          .attribute = "ViewCount",
                          .type = ITEM_NUMBER,
                          .role = ITEM_MEASURED,
                          .kinds = THREADS,
                          .shown = true,
                          .meaning = "how often it was looked at",
                          .spellings = {"viewcount", "views"}},
    [ITEM_FIELD_ANSWERS] = {.name = STR_INIT("answers"),
                            .column = "answers",
                            .attribute = "AnswerCount",
                            .type = ITEM_NUMBER,
                            .role = ITEM_MEASURED,
                            .kinds = THREADS,
                            .shown = true,
                            .meaning = "how many answers its source counts",
                            .spellings = {"answercount", "answers"}},
    [ITEM_FIELD_COMMENTS] = {.name = STR_INIT("comments"),
                             .column = "comments",
                             .attribute = "CommentCount",
                             .type = ITEM_NUMBER,
                             .role = ITEM_MEASURED,
                             .kinds = ALL_KINDS,
                             .shown = true,
                             .meaning = "how many comments its source counts",
                             .spellings = {"commentcount", "comments"}},
    [ITEM_FIELD_FAVORITES] = {.name = STR_INIT("favorites"),
                              .column = "favorites",
                              .attribute = "FavoriteCount",
                              .type = ITEM_NUMBER,
                              .role = ITEM_MEASURED,
                              .kinds = THREADS,
                              .shown = true,
                              .meaning = "how many users marked it",
                              .spellings = {"favoritecount", "favouritecount",
                                            "favorites", "favourites"}},
    [ITEM_FIELD_OWNER] = {.name = STR_INIT("owner"),
                          .column = "owner",
                          .attribute = "OwnerUserId",
                          .type = ITEM_LINK,
                          .role = ITEM_WHO,
                          .kinds = ALL_KINDS,
                          .shown = true,
                          .meaning = "who wrote it, as a number",
                          .spellings = {"owneruserid", "ownerid", "owner"}},
    [ITEM_FIELD_ACCEPTED_AT] = {.name = STR_INIT("accepted-at"),
                                .column = "accepted_ms",
                                .type = ITEM_MOMENT,
                                .role = ITEM_WHEN,
                                .kinds = 1u << ITEM_QUESTION | 1u << ITEM_ROW,
                                .meaning = "when its accepted answer was written, of a "
                                           "table that says this and not which answer",
                                .spellings = {"acceptedat"}},
    [ITEM_FIELD_TAGS] = {.name = STR_INIT("tags"),
                         .column = "tags",
                         .attribute = "Tags",
                         .type = ITEM_LIST,
                         .role = ITEM_ABOUT,
                         .kinds = ALL_KINDS,
                         .shown = true,
                         .meaning = "its tags or labels",
                         .spellings = {"tags", "tag"}},
    [ITEM_FIELD_TITLE] = {.name = STR_INIT("title"),
                          .column = "title",
                          .attribute = "Title",
                          .type = ITEM_TEXT,
                          .role = ITEM_ABOUT,
                          .kinds = ALL_KINDS,
                          .shown = true,
                          .meaning = "its title, plain text",
                          .spellings = {"title"}},
    [ITEM_FIELD_LICENSE] = {.name = STR_INIT("license"),
                            .column = "license",
                            .attribute = "ContentLicense",
                            .type = ITEM_TEXT,
                            .role = ITEM_IDENTITY,
                            .kinds = ALL_KINDS,
                            .shown = true,
                            .meaning = "the licence that its text stands under",
                            .spellings = {"contentlicense", "license", "licence"}},
    [ITEM_FIELD_BODY] = {.name = STR_INIT("body"),
                         .column = "body",
                         .attribute = "Body",
                         .type = ITEM_TEXT,
                         .role = ITEM_ABOUT,
                         .kinds = ALL_KINDS,
                         .shown = true,
                         .meaning = "its text as it was written",
                         .spellings = {"body"}},
};

const struct item_field_row *item_field(enum item_field field)
{
    return &fields[field];
}

enum item_field item_field_find(struct str name)
{
    size_t field = 0;

    while (field < ITEM_FIELDS && !str_eq(fields[field].name, name))
        field++;
    return (enum item_field)field;
}

struct item item_empty(void)
{
    struct item item = {0};

    for (size_t i = 0; i < ITEM_NUMBERS; i++)
        item.numbers[i] = ITEM_NONE;
    return item;
}

struct str item_relation_name(enum item_relation relation)
{
    static const struct str names[ITEM_RELATIONS] = {
        [ITEM_ANSWER_OF] = STR_INIT("answer of"),
        [ITEM_ACCEPTED_ANSWER_OF] = STR_INIT("accepted answer of"),
        [ITEM_FIRST_RESPONSE_TO] = STR_INIT("first response to"),
        [ITEM_DUPLICATE_OF] = STR_INIT("duplicate of"),
        [ITEM_MENTIONS] = STR_INIT("mentions"),
        [ITEM_FIXES] = STR_INIT("fixes"),
    };

    return names[relation];
}

struct str item_also_name(enum item_also also)
{
    static const struct str names[ITEM_ALSO] = {
        [ITEM_ALSO_COMMENTS] = STR_INIT("comments"),
        [ITEM_ALSO_USERS] = STR_INIT("users"),
        [ITEM_ALSO_LINKS] = STR_INIT("links"),
        [ITEM_ALSO_VOTES] = STR_INIT("votes"),
        [ITEM_ALSO_HISTORY] = STR_INIT("history"),
        [ITEM_ALSO_BADGES] = STR_INIT("badges"),
    };

    return names[also];
}

struct str item_license(const struct item *item)
{
    if (item->license.len > 0)
        return item->license;
    if (item->kind < ITEM_QUESTION || item->kind > ITEM_PRIVILEGE_WIKI ||
        item->created_ms == ITEM_NONE)
        return STR("");
    if (item->created_ms < date_from_civil((struct date){2011, 4, 8}))
        return STR("CC BY-SA 2.5");
    if (item->created_ms < date_from_civil((struct date){2018, 5, 2}))
        return STR("CC BY-SA 3.0");
    return STR("CC BY-SA 4.0");
}
