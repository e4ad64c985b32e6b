/* A table of posts as ClickHouse's own documentation lays it out: the columns of a Stack
 * Exchange dump, by whatever types. Most tables have no NULL: there 0, an empty text and
 * the first moment of 1970 stand for what a post does not have. */
#include <ctype.h>
#include <string.h>

#include "base/date.h"
#include "engine/internal.h"
#include "item/key.h"

/* What a column holds, and whether a question may have 0 of it. */
static const struct {
    struct str name; /* in small letters without '_' */
    enum { WHOLE, KIND, MOMENT, LIST, TEXT } is;
    bool zero; /* is a value of its own, not a missing one */
} wanted[ENGINE_COLUMNS] = {
    [ENGINE_ID] = {.name = STR_INIT("id"), .is = WHOLE, .zero = true},
    [ENGINE_TYPE] = {.name = STR_INIT("posttypeid"), .is = KIND},
    [ENGINE_PARENT] = {.name = STR_INIT("parentid"), .is = WHOLE},
    [ENGINE_ACCEPTED] = {.name = STR_INIT("acceptedanswerid"), .is = WHOLE},
    [ENGINE_CREATED] = {.name = STR_INIT("creationdate"), .is = MOMENT},
    [ENGINE_CLOSED] = {.name = STR_INIT("closeddate"), .is = MOMENT},
    [ENGINE_SCORE] = {.name = STR_INIT("score"), .is = WHOLE, .zero = true},
    [ENGINE_VIEWS] = {.name = STR_INIT("viewcount"), .is = WHOLE, .zero = true},
    [ENGINE_ANSWERS] = {.name = STR_INIT("answercount"), .is = WHOLE, .zero = true},
    [ENGINE_COMMENTS] = {.name = STR_INIT("commentcount"), .is = WHOLE, .zero = true},
    [ENGINE_FAVORITES] = {.name = STR_INIT("favoritecount"), .is = WHOLE},
    [ENGINE_OWNER] = {.name = STR_INIT("owneruserid"), .is = WHOLE},
    [ENGINE_WIKI] = {.name = STR_INIT("communityowneddate"), .is = MOMENT},
    [ENGINE_LASTACTIVE] = {.name = STR_INIT("lastactivitydate"), .is = MOMENT},
    [ENGINE_TAGS] = {.name = STR_INIT("tags"), .is = LIST},
    [ENGINE_TITLE] = {.name = STR_INIT("title"), .is = TEXT},
    [ENGINE_LICENSE] = {.name = STR_INIT("contentlicense"), .is = TEXT},
    [ENGINE_BODY] = {.name = STR_INIT("body"), .is = TEXT},
};

/* --- columns --- */

struct columns_reading {
    struct engine_posts *posts;
    struct arena *arena;
    struct buf names;
};

static bool is_called(struct str column, struct str name)
{
    size_t at = 0;

    for (size_t i = 0; i < column.len; i++) {
        if (column.ptr[i] == '_')
            continue;
        if (at == name.len || tolower((unsigned char)column.ptr[i]) != name.ptr[at])
            return false;
        at++;
    }
    return at == name.len;
}

/* "Nullable(T)" and "LowCardinality(T)" are T to us. */
static struct str inner_type(struct str type, bool *nullable)
{
    static const struct str around[] = {STR_INIT("Nullable("),
                                        STR_INIT("LowCardinality(")};

    for (size_t i = 0; i < ROWS_OF(around);)
        if (str_starts(type, around[i]) && type.len > around[i].len) {
            *nullable = *nullable || i == 0;
            type = str_slice(type, around[i].len, type.len - 1);
            i = 0;
        } else {
            i++;
        }
    return type;
}

/* How its value is asked for: numbers and milliseconds as text. */
static const char *value_of(const char *name, struct str type, struct arena *arena)
{
    static const struct {
        struct str type; /* begins with it */
        const char *value;
    } forms[] = {
        {STR_INIT("Enum"), "toString(toInt16(%s))"},
        {STR_INIT("DateTime64"), "toString(toUnixTimestamp64Milli(toDateTime64(%s, 3)))"},
        {STR_INIT("DateTime"), "toString(toInt64(toUnixTimestamp(%s)) * 1000)"},
        {STR_INIT("Date"), "toString(toInt64(toUnixTimestamp(toDateTime(%s, 'UTC'))) * "
                           "1000)"},
        {STR_INIT("Float"), "toString(toInt64(%s))"},
        {STR_INIT("Array("), "if(empty(%s), '', concat('|', arrayStringConcat(%s, '|'), "
                             "'|'))"},
    };

    for (size_t i = 0; i < ROWS_OF(forms); i++)
        if (str_starts(type, forms[i].type)) {
            struct buf text = {0};
            for (const char *at = forms[i].value; *at != '\0'; at++)
                if (at[0] == '%' && at[1] == 's') {
                    buf_add(&text, str_from(name));
                    at++;
                } else {
                    buf_add_char(&text, *at);
                }
            return buf_keep(&text, arena).ptr;
        }
    return arena_format(arena, "toString(%s)", name).ptr;
}

static bool take_column(void *context, const struct str *fields, struct err *err)
{
    struct columns_reading *reading = context;
    struct str type = fields[1];
    bool nullable = false;

    (void)err;
    buf_add_format(&reading->names, "%s%.*s", reading->names.len > 0 ? ", " : "",
                   STR_ARG(fields[0]));
    type = inner_type(type, &nullable);
    for (size_t i = 0; i < ENGINE_COLUMNS; i++)
        if (is_called(fields[0], wanted[i].name)) {
            const char *name =
                arena_format(reading->arena, "`%.*s`", STR_ARG(fields[0])).ptr;
            reading->posts->columns[i].name = name;
            reading->posts->columns[i].value = value_of(name, type, reading->arena);
            reading->posts->columns[i].nullable = nullable;
            reading->posts->columns[i].dated = str_starts(type, STR("Date"));
            reading->posts->columns[i].text = str_ends(type, STR("String")) ||
                                              str_starts(type, STR("FixedString"));
        }
    return true;
}

static bool check_columns(const struct engine *engine, const struct engine_posts *posts,
                          struct str names, struct err *err)
{
    static const enum engine_column needed[] = {ENGINE_ID, ENGINE_TYPE, ENGINE_PARENT};

    if (names.len == 0)
        return err_set(err, ERR_INPUT, "there is no table %.*s",
                       STR_ARG(engine_table(engine)));
    for (size_t i = 0; i < ROWS_OF(needed); i++)
        if (posts->columns[needed[i]].name == NULL)
            return err_set(err, ERR_INPUT,
                           "the table %.*s has the columns %.*s; expected those of a "
                           "dump's posts, such as Id, PostTypeId, ParentId",
                           STR_ARG(engine_table(engine)), STR_ARG(names));
    return true;
}

bool engine_posts_open(struct engine *engine, int64_t until_ms, struct arena *arena,
                       struct engine_posts *out, struct err *err)
{
    static const char *const expressions[] = {"name", "type"};
    struct columns_reading reading = {.posts = out, .arena = arena};
    struct buf rest = {0};

    *out = (struct engine_posts){.engine = engine,
                                 .table = engine_table(engine),
                                 .until_ms = until_ms,
                                 .arena = arena};
    buf_add(&rest, STR("FROM system.columns WHERE "
                       "concat('`', database, '`.`', table, '`') = "));
    engine_add_text(&rest, engine_table(engine));
    bool ok = engine_ask(engine, expressions, ROWS_OF(expressions), buf_str(&rest),
                         take_column, &reading, err) &&
              check_columns(engine, out, buf_str(&reading.names), err);
    buf_free(&rest);
    buf_free(&reading.names);
    return ok;
}

bool engine_is_moment(enum engine_column column)
{
    return wanted[column].is == MOMENT;
}

void engine_add_has(const struct engine_posts *posts, enum engine_column column,
                    struct buf *sql)
{
    const char *name = posts->columns[column].name;

    if (posts->columns[column].nullable)
        buf_add_format(sql, "isNotNull(%s)", name);
    else if (posts->columns[column].dated)
        buf_add_format(sql, "toUnixTimestamp(%s) != 0", name);
    else
        buf_add_format(sql, "toString(%s) NOT IN ('', '0')", name);
}

/* --- rows --- */

static bool is_missing(const struct engine_posts *posts, enum engine_column column,
                       struct str text)
{
    return text.len == 0 || str_eq(text, STR("\\N")) ||
           (!posts->columns[column].nullable && !wanted[column].zero &&
            str_eq(text, STR("0")));
}

static int64_t number_of(struct engine_posts *posts, enum engine_column column,
                         const struct str *fields)
{
    struct str text = fields[column];
    int64_t value = ITEM_NONE;

    if (is_missing(posts, column, text))
        return ITEM_NONE;
    bool ok = wanted[column].is == MOMENT && !posts->columns[column].dated
                  ? date_parse(text, &value)
                  : str_to_int(text, &value);
    if (ok && wanted[column].is == WHOLE &&
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

void engine_posts_read(struct engine_posts *posts, const struct str *fields,
                       struct item *post)
{
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
