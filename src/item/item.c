/* The tables behind the model. */
#include "item/item.h"

#include "base/date.h"
#include "item/license.h"

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

static const struct item_field_row fields[ITEM_FIELDS] = {
    [ITEM_FIELD_ID] = {.name = STR_INIT("id"),
                       .column = "id",
                       .type = ITEM_LINK,
                       .shown = true,
                       .spellings = {"id", "postid"}},
    [ITEM_FIELD_KIND] = {.name = STR_INIT("type"),
                         .column = "kind",
                         .type = ITEM_KIND,
                         .shown = true,
                         .spellings = {"posttypeid", "posttype", "type"}},
    [ITEM_FIELD_PARENT] = {.name = STR_INIT("parent"),
                           .column = "parent",
                           .type = ITEM_LINK,
                           .shown = true,
                           .spellings = {"parentid", "parent"}},
    [ITEM_FIELD_ACCEPTED] = {.name = STR_INIT("accepted"),
                             .column = "accepted",
                             .type = ITEM_LINK,
                             .shown = true,
                             .spellings = {"acceptedanswerid", "acceptedid", "accepted"}},
    [ITEM_FIELD_CREATED] = {.name = STR_INIT("created"),
                            .column = "created_ms",
                            .type = ITEM_MOMENT,
                            .shown = true,
                            .spellings = {"creationdate", "created", "createdat",
                                          "createddate"}},
    [ITEM_FIELD_CLOSED] = {.name = STR_INIT("closed"),
                           .column = "closed_ms",
                           .type = ITEM_MOMENT,
                           .shown = true,
                           .spellings = {"closeddate", "closedat", "closed"}},
    [ITEM_FIELD_SCORE] = {.name = STR_INIT("score"),
                          .column = "score",
                          .type = ITEM_NUMBER,
                          .shown = true,
                          .spellings = {"score"}},
    [ITEM_FIELD_VIEWS] = {.name = STR_INIT("views"),
                          .column = "views",
                          .type = ITEM_NUMBER,
                          .shown = true,
                          .spellings = {"viewcount", "views"}},
    [ITEM_FIELD_ANSWERS] = {.name = STR_INIT("answers"),
                            .column = "answers",
                            .type = ITEM_NUMBER,
                            .shown = true,
                            .spellings = {"answercount", "answers"}},
    [ITEM_FIELD_COMMENTS] = {.name = STR_INIT("comments"),
                             .column = "comments",
                             .type = ITEM_NUMBER,
                             .shown = true,
                             .spellings = {"commentcount", "comments"}},
    [ITEM_FIELD_FAVORITES] = {.name = STR_INIT("favorites"),
                              .column = "favorites",
                              .type = ITEM_NUMBER,
                              .shown = true,
                              .spellings = {"favoritecount", "favouritecount",
                                            "favorites", "favourites"}},
    [ITEM_FIELD_OWNER] = {.name = STR_INIT("owner"),
                          .column = "owner",
                          .type = ITEM_LINK,
                          .shown = true,
                          .spellings = {"owneruserid", "ownerid", "owner"}},
    [ITEM_FIELD_ACCEPTED_AT] = {.name = STR_INIT("accepted-at"),
                                .column = "accepted_ms",
                                .type = ITEM_MOMENT,
                                .spellings = {"acceptedat"}},
    [ITEM_FIELD_WIKI] = {.name = STR_INIT("wiki-since"),
                         .column = "wiki_ms",
                         .type = ITEM_MOMENT,
                         .spellings = {"communityowneddate", "wikisince"}},
    [ITEM_FIELD_LASTACTIVE] = {.name = STR_INIT("lastactive"),
                               .column = "lastactive_ms",
                               .type = ITEM_MOMENT,
                               .spellings = {"lastactivitydate", "lastactive"}},
    [ITEM_FIELD_TAGS] = {.name = STR_INIT("tags"),
                         .column = "tags",
                         .type = ITEM_LIST,
                         .shown = true,
                         .spellings = {"tags", "tag"}},
    [ITEM_FIELD_TITLE] = {.name = STR_INIT("title"),
                          .column = "title",
                          .type = ITEM_TEXT,
                          .shown = true,
                          .spellings = {"title"}},
    [ITEM_FIELD_LICENSE] = {.name = STR_INIT("license"),
                            .column = "license",
                            .type = ITEM_TEXT,
                            .shown = true,
                            .spellings = {"contentlicense", "license", "licence"}},
    [ITEM_FIELD_BODY] = {.name = STR_INIT("body"),
                         .column = "body",
                         .type = ITEM_TEXT,
                         .shown = true,
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

static const struct post_license {
    struct date until; /* posts have it */
    struct str name, by_date, by_either;
} licenses[] = {
    {{2011, 4, 8},
     STR_INIT("CC BY-SA 2.5"),
     STR_INIT("CC BY-SA 2.5" ITEM_LICENSE_BY_DATE),
     STR_INIT("CC BY-SA 2.5" ITEM_LICENSE_BY_EITHER)},
    {{2018, 5, 2},
     STR_INIT("CC BY-SA 3.0"),
     STR_INIT("CC BY-SA 3.0" ITEM_LICENSE_BY_DATE),
     STR_INIT("CC BY-SA 3.0" ITEM_LICENSE_BY_EITHER)},
    {{9999, 12, 31},
     STR_INIT("CC BY-SA 4.0"),
     STR_INIT("CC BY-SA 4.0" ITEM_LICENSE_BY_DATE),
     STR_INIT("CC BY-SA 4.0" ITEM_LICENSE_BY_EITHER)},
};

/* NULL: it is no post of Stack Exchange, or has no date. */
static const struct post_license *license_of_date(const struct item *item)
{
    const struct post_license *license = licenses;

    if (item->kind < ITEM_QUESTION || item->kind > ITEM_PRIVILEGE_WIKI ||
        item->created_ms == ITEM_NONE)
        return NULL;
    while (license + 1 < licenses + ROWS_OF(licenses) &&
           item->created_ms >= date_from_civil(license->until))
        license++;
    return license;
}

struct str item_license(const struct item *item)
{
    const struct post_license *license =
        item->license.len > 0 ? NULL : license_of_date(item);

    return license != NULL ? license->by_date : item->license;
}

struct str item_license_unmarked(const struct item *item)
{
    const struct post_license *license = license_of_date(item);

    return license != NULL && str_eq(item->license, license->name) ? license->by_either
                                                                   : item->license;
}
