/* A table of posts as ClickHouse's own documentation lays it out: the columns of a Stack
 * Exchange dump, by whatever types. Most tables have no NULL: there 0, an empty text and
 * the first moment of 1970 stand for what a post does not have. */
#include <string.h>

#include "base/date.h"
#include "engine/internal.h"
#include "item/key.h"

static const struct engine_wanted wanted[ENGINE_COLUMNS] = {
    [ENGINE_ID] = {.name = STR_INIT("id"), .is = ENGINE_IS_WHOLE, .zero = true},
    [ENGINE_TYPE] = {.name = STR_INIT("posttypeid"), .is = ENGINE_IS_KIND},
    [ENGINE_PARENT] = {.name = STR_INIT("parentid"), .is = ENGINE_IS_WHOLE},
    [ENGINE_ACCEPTED] = {.name = STR_INIT("acceptedanswerid"), .is = ENGINE_IS_WHOLE},
    [ENGINE_CREATED] = {.name = STR_INIT("creationdate"), .is = ENGINE_IS_MOMENT},
    [ENGINE_CLOSED] = {.name = STR_INIT("closeddate"), .is = ENGINE_IS_MOMENT},
    [ENGINE_SCORE] = {.name = STR_INIT("score"), .is = ENGINE_IS_WHOLE, .zero = true},
    [ENGINE_VIEWS] = {.name = STR_INIT("viewcount"), .is = ENGINE_IS_WHOLE, .zero = true},
    [ENGINE_ANSWERS] = {.name = STR_INIT("answercount"),
                        .is = ENGINE_IS_WHOLE,
                        .zero = true},
    [ENGINE_COMMENTS] = {.name = STR_INIT("commentcount"),
                         .is = ENGINE_IS_WHOLE,
                         .zero = true},
    [ENGINE_FAVORITES] = {.name = STR_INIT("favoritecount"), .is = ENGINE_IS_WHOLE},
    [ENGINE_OWNER] = {.name = STR_INIT("owneruserid"), .is = ENGINE_IS_WHOLE},
    [ENGINE_WIKI] = {.name = STR_INIT("communityowneddate"), .is = ENGINE_IS_MOMENT},
    [ENGINE_LASTACTIVE] = {.name = STR_INIT("lastactivitydate"), .is = ENGINE_IS_MOMENT},
    [ENGINE_TAGS] = {.name = STR_INIT("tags"), .is = ENGINE_IS_LIST},
    [ENGINE_TITLE] = {.name = STR_INIT("title"), .is = ENGINE_IS_TEXT},
    [ENGINE_LICENSE] = {.name = STR_INIT("contentlicense"), .is = ENGINE_IS_TEXT},
    [ENGINE_BODY] = {.name = STR_INIT("body"), .is = ENGINE_IS_TEXT},
};

/* What a dump calls its columns, and the fields of queries that look at them. */
#define ASKS(field) (1u << QUERY_FIELD_##field)

static const struct {
    const char *name;
    unsigned fields;
} called[ENGINE_COLUMNS] = {
    [ENGINE_ID] = {"Id", ASKS(ID)},
    [ENGINE_TYPE] = {"PostTypeId", ASKS(IS)},
    [ENGINE_PARENT] = {"ParentId", ASKS(PARENT)},
    [ENGINE_ACCEPTED] = {"AcceptedAnswerId", ASKS(HASACCEPTED)},
    [ENGINE_CREATED] = {"CreationDate", ASKS(CREATED)},
    [ENGINE_CLOSED] = {"ClosedDate", ASKS(CLOSED)},
    [ENGINE_SCORE] = {"Score", ASKS(SCORE)},
    [ENGINE_VIEWS] = {"ViewCount", ASKS(VIEWS)},
    [ENGINE_ANSWERS] = {"AnswerCount", ASKS(ANSWERS)},
    [ENGINE_COMMENTS] = {"CommentCount", ASKS(COMMENTS)},
    [ENGINE_FAVORITES] = {"FavoriteCount", ASKS(FAVORITES)},
    [ENGINE_OWNER] = {"OwnerUserId", ASKS(USER)},
    [ENGINE_WIKI] = {"CommunityOwnedDate", ASKS(WIKI)},
    [ENGINE_LASTACTIVE] = {"LastActivityDate", ASKS(LASTACTIVE)},
    [ENGINE_TAGS] = {"Tags", ASKS(TAG)},
    [ENGINE_TITLE] = {"Title", ASKS(TITLE) | ASKS(PROSE)},
    [ENGINE_LICENSE] = {"ContentLicense", 0},
    [ENGINE_BODY] = {"Body", ASKS(PROSE) | ASKS(CODE) | ASKS(BODY) | ASKS(HASCODE)},
};

void engine_posts_lacks(const struct engine_posts *posts, unsigned fields,
                        struct buf *names)
{
    for (size_t i = 0; i < ENGINE_COLUMNS; i++)
        if (posts->columns[i].name == NULL &&
            (fields == ~0u || (fields & called[i].fields)))
            buf_add_format(names, "%s%s", names->len > 0 ? ", " : "", called[i].name);
}

static bool has_column(struct str names, struct str name)
{
    struct str one;

    while (str_cut(&names, ',', &one))
        if (str_eq(str_trim(one), name))
            return true;
    return str_eq(str_trim(one), name);
}

static bool check_columns(const struct engine *engine, const struct engine_posts *posts,
                          struct str names, struct err *err)
{
    static const enum engine_column needed[] = {ENGINE_ID, ENGINE_TYPE, ENGINE_PARENT};

    if (names.len == 0)
        return err_set(err, ERR_INPUT, "there is no table %.*s",
                       STR_ARG(engine_table(engine)));
    for (size_t i = 0; i < ROWS_OF(needed); i++)
        if (posts->columns[needed[i]].name == NULL &&
            has_column(names, STR("event_type")) && has_column(names, STR("repo_name")))
            return err_set(err, ERR_INPUT,
                           "the table %.*s has events of GitHub; expected posts: issues, "
                           "pull requests and discussions are made of GH Archive's own "
                           "files (source: {github: ...}), and may be kept on a server "
                           "(store: clickhouse://HOST:8123/DATABASE)",
                           STR_ARG(engine_table(engine)));
        else if (posts->columns[needed[i]].name == NULL)
            return err_set(err, ERR_INPUT,
                           "the table %.*s has the columns %.*s; expected those of a "
                           "dump's posts, of which Id, PostTypeId and ParentId must be "
                           "there: there is no %s",
                           STR_ARG(engine_table(engine)), STR_ARG(names),
                           called[needed[i]].name);
    return true;
}

bool engine_posts_open(struct engine *engine, int64_t until_ms, struct arena *arena,
                       struct engine_posts *out, struct err *err)
{
    struct engine_columns found;

    *out = (struct engine_posts){.engine = engine,
                                 .table = engine_table(engine),
                                 .kind = ITEM_QUESTION,
                                 .until_ms = until_ms,
                                 .arena = arena};
    if (!engine_columns_find(engine, out->table, false, wanted, ENGINE_COLUMNS, arena,
                             &found, err))
        return false;
    memcpy(out->columns, found.at, sizeof out->columns);
    struct engine_found *id = &out->columns[ENGINE_ID];
    if (id->text) { /* numbers are compared with it */
        id->name = id->number =
            arena_format(arena, "toInt64OrZero(toString(%s))", id->name).ptr;
        id->text = false;
    }
    return check_columns(engine, out, found.names, err);
}

bool engine_is_moment(enum engine_column column)
{
    return wanted[column].is == ENGINE_IS_MOMENT;
}

/* --- rows --- */

static int64_t number_of(struct engine_posts *posts, enum engine_column column,
                         const struct str *fields)
{
    struct str text = fields[column];
    int64_t value = ITEM_NONE;

    if (engine_is_missing(&posts->columns[column], &wanted[column], text))
        return ITEM_NONE;
    bool ok = wanted[column].is == ENGINE_IS_MOMENT && !posts->columns[column].ms
                  ? date_parse(text, &value)
                  : str_to_int(text, &value);
    if (ok && wanted[column].is == ENGINE_IS_WHOLE &&
        (value >= ITEM_NUMBER_MAX || value <= -ITEM_NUMBER_MAX)) {
        ok = false;
        value = ITEM_NONE;
    }
    posts->unreadable += !ok;
    return value;
}

static struct str text_of(const struct str *fields, enum engine_column column)
{
    return str_eq(fields[column], STR("\\N")) ? (struct str){0} : fields[column];
}

static const struct {
    enum engine_column column;
    enum item_field field;
    unsigned kinds; /* bit 1u << kind: others have none of it, whatever is there */
} numbers[] = {
    {ENGINE_ID, ITEM_FIELD_ID, ~0u},
    {ENGINE_TYPE, ITEM_FIELD_KIND, ~0u},
    {ENGINE_PARENT, ITEM_FIELD_PARENT, 1u << ITEM_ANSWER},
    {ENGINE_ACCEPTED, ITEM_FIELD_ACCEPTED, 1u << ITEM_QUESTION},
    {ENGINE_CREATED, ITEM_FIELD_CREATED, ~0u},
    {ENGINE_CLOSED, ITEM_FIELD_CLOSED, 1u << ITEM_QUESTION},
    {ENGINE_SCORE, ITEM_FIELD_SCORE, ~0u},
    {ENGINE_VIEWS, ITEM_FIELD_VIEWS, 1u << ITEM_QUESTION},
    {ENGINE_ANSWERS, ITEM_FIELD_ANSWERS, 1u << ITEM_QUESTION},
    {ENGINE_COMMENTS, ITEM_FIELD_COMMENTS, ~0u},
    {ENGINE_FAVORITES, ITEM_FIELD_FAVORITES, 1u << ITEM_QUESTION},
    {ENGINE_OWNER, ITEM_FIELD_OWNER, ~0u},
    {ENGINE_WIKI, ITEM_FIELD_WIKI, ~0u},
    {ENGINE_LASTACTIVE, ITEM_FIELD_LASTACTIVE, ~0u},
};

void engine_posts_read(struct engine_posts *posts, const struct str *fields,
                       struct item *post)
{
    *post = item_empty();
    for (size_t i = 0; i < ROWS_OF(numbers); i++) {
        int64_t kind = post->kind > 0 && post->kind < ITEM_ROW ? post->kind : 0;
        if (i <= 1 || numbers[i].kinds >> kind & 1)
            post->numbers[numbers[i].field] = number_of(posts, numbers[i].column, fields);
    }
    post->tags = text_of(fields, ENGINE_TAGS);
    post->title = text_of(fields, ENGINE_TITLE);
    post->license = text_of(fields, ENGINE_LICENSE);
    post->body = text_of(fields, ENGINE_BODY);
}

/* --- the same as the engine would say it --- */

#define NO_NUMBER "CAST(NULL AS Nullable(Int64))"

/* What number_of() reads. */
static const char *told_number(const struct engine_posts *posts,
                               enum engine_column column)
{
    const struct engine_found *found = &posts->columns[column];
    struct arena *arena = posts->arena;

    if (found->name == NULL)
        return NO_NUMBER;
    if (found->number == NULL)
        return NULL;
    const char *number = found->number;
    if (!found->nullable && !wanted[column].zero)
        number = arena_format(arena, "nullIf(%s, 0)", number).ptr;
    if (wanted[column].is == ENGINE_IS_WHOLE)
        number = arena_format(arena, "if(%s > -%lld AND %s < %lld, %s, NULL)", number,
                              (long long)ITEM_NUMBER_MAX, number,
                              (long long)ITEM_NUMBER_MAX, number)
                     .ptr;
    return number;
}

const char *engine_posts_tags(const struct engine_posts *posts)
{
    return posts->columns[ENGINE_TAGS].name == NULL
               ? "''"
               : arena_format(posts->arena, "ifNull(%s, '')",
                              posts->columns[ENGINE_TAGS].value)
                     .ptr;
}

struct engine_tells engine_posts_tell(const struct engine_posts *posts)
{
    struct engine_tells tells = {.tags = engine_posts_tags(posts)};
    const char *kind = told_number(posts, ENGINE_TYPE);

    tells.numbers[ITEM_FIELD_ACCEPTED_AT] = NO_NUMBER;
    for (size_t i = 0; i < ROWS_OF(numbers); i++) {
        const char *number = told_number(posts, numbers[i].column);
        if (number != NULL && kind != NULL && numbers[i].kinds != ~0u) {
            struct buf only = {0};
            buf_add(&only, STR("if("));
            engine_add_kinds(&only, kind, numbers[i].kinds);
            buf_add_format(&only, ", %s, NULL)", number);
            number = buf_keep(&only, posts->arena).ptr;
        }
        if (kind != NULL || numbers[i].kinds == ~0u)
            tells.numbers[numbers[i].field] = number;
    }
    return tells;
}
