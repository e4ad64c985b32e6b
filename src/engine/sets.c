/* Queries as numbers that servers compute: how many of its conditions an item meets, one
 * after the other. What the engine can say exactly as query_test() means it is settled
 * there; at the first condition that it cannot, the item is left open. Whether sets of
 * numbers, dates, tags, kinds and other sets, and their negations, are the same as here
 * is what tests compare. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "engine/internal.h"
#include "item/key.h"

struct sets_making {
    const struct engine_tells *tells;
    struct engine_set *sets;
    size_t made;
    struct arena *arena;
};

static bool add_exact(const struct sets_making *making, const struct query_node *node,
                      struct buf *sql);

/* Letters of ASCII in both cases, and nothing that folds to them: no letter of several
 * bytes does in query_fold(). False: it has signs that cannot be said. */
static bool add_letters(struct str text, struct buf *regex)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c >= 128 || c < ' ' || strchr("\\[]^<>|*?", c) != NULL)
            return false;
        if (isalpha(c))
            buf_add_format(regex, "[%c%c]", tolower(c), toupper(c));
        else
            buf_add_format(regex, "[%c]", c);
    }
    return text.len > 0;
}

/* A whole tag, or one that begins or ends so: stars elsewhere are left open. */
static bool add_tag(const struct sets_making *making, const struct query_node *node,
                    struct buf *sql)
{
    struct str text = node->text;
    bool before = node->match == QUERY_SUBSTRING, behind = before;
    struct buf regex = {0};

    if (node->match == QUERY_GLOB) {
        before = text.len > 0 && text.ptr[0] == '*';
        behind = text.len > 1 && text.ptr[text.len - 1] == '*';
        text = str_slice(text, before, text.len - behind);
    }
    buf_add(&regex, before ? STR("") : STR("[<>|]"));
    bool ok = add_letters(text, &regex);
    buf_add(&regex, behind ? STR("") : STR("[<>|]"));
    buf_add_format(sql, "match(concat('<', %s, '>'), ", making->tells->tags);
    engine_add_text(sql, buf_str(&regex));
    buf_add_char(sql, ')');
    buf_free(&regex);
    return ok;
}

/* The number that a field means, or NULL. */
static const char *number_of(const struct sets_making *making, enum query_field field)
{
    static const struct {
        enum query_field field;
        enum item_field number;
    } numbers[] = {
        {QUERY_FIELD_SCORE, ITEM_FIELD_SCORE},
        {QUERY_FIELD_VIEWS, ITEM_FIELD_VIEWS},
        {QUERY_FIELD_ANSWERS, ITEM_FIELD_ANSWERS},
        {QUERY_FIELD_COMMENTS, ITEM_FIELD_COMMENTS},
        {QUERY_FIELD_FAVORITES, ITEM_FIELD_FAVORITES},
        {QUERY_FIELD_CREATED, ITEM_FIELD_CREATED},
        {QUERY_FIELD_CLOSED, ITEM_FIELD_CLOSED},
        {QUERY_FIELD_LASTACTIVE, ITEM_FIELD_LASTACTIVE},
        {QUERY_FIELD_HASACCEPTED, ITEM_FIELD_ACCEPTED},
        {QUERY_FIELD_WIKI, ITEM_FIELD_WIKI},
        {QUERY_FIELD_ID, ITEM_FIELD_ID},
        {QUERY_FIELD_USER, ITEM_FIELD_OWNER},
        {QUERY_FIELD_PARENT, ITEM_FIELD_PARENT},
    };

    for (size_t i = 0; i < ROWS_OF(numbers); i++)
        if (numbers[i].field == field)
            return making->tells->numbers[numbers[i].number];
    return NULL;
}

static bool add_range(const struct sets_making *making, const struct query_node *node,
                      struct buf *sql)
{
    const char *column = number_of(making, node->field);

    if (column == NULL || node->from.unit != 0 || node->to.unit != 0)
        return false;
    /* A bound is one that a literal can be: INT64_MIN and INT64_MAX are open ends. */
    buf_add_format(sql, "ifNull(%s >= %" PRId64 " AND %s <= %" PRId64 ", 0)", column,
                   node->min == INT64_MIN ? -INT64_MAX : node->min, column, node->max);
    return true;
}

static bool add_flag(const struct sets_making *making, const struct query_node *node,
                     struct buf *sql)
{
    const char *column = number_of(making, node->field);

    const char *code = making->tells->code_blocks;

    if (node->field == QUERY_FIELD_HASCODE && code != NULL)
        buf_add_format(sql, "%s %s 0", code, node->yes ? ">" : "<=");
    else if (column != NULL)
        buf_add_format(sql, "%s(%s)", node->yes ? "isNotNull" : "isNull", column);
    return column != NULL || (node->field == QUERY_FIELD_HASCODE && code != NULL);
}

static bool add_types(const struct sets_making *making, const struct query_node *node,
                      struct buf *sql)
{
    const char *kind = making->tells->numbers[ITEM_FIELD_KIND];

    if (kind == NULL)
        return false;
    buf_add(sql, STR("ifNull("));
    engine_add_kinds(sql, kind, node->types);
    buf_add(sql, STR(", 0)"));
    return true;
}

static bool add_set(const struct sets_making *making, const struct query_node *node,
                    struct buf *sql)
{
    for (size_t i = 0; i < making->made; i++) {
        const struct engine_set *set = &making->sets[i];
        if (!str_eq(set->name, node->text))
            continue;
        buf_add_format(sql, "s%zu = %zu", i, set->count);
        return set->open == set->count;
    }
    return false;
}

static bool add_children(const struct sets_making *making, const struct query_node *node,
                         struct buf *sql)
{
    bool ok = true;

    for (const struct query_node *child = node->first; child != NULL && ok;
         child = child->next) {
        if (child != node->first)
            buf_add(sql, node->kind == QUERY_AND ? STR(" AND ") : STR(" OR "));
        ok = add_exact(making, child, sql);
    }
    return ok;
}

/* False: it cannot be said, and what was added is of no use. */
static bool add_exact(const struct sets_making *making, const struct query_node *node,
                      struct buf *sql)
{
    bool ok = true;

    buf_add_char(sql, '(');
    switch (node->kind) {
    case QUERY_ALL:
        buf_add_char(sql, '1');
        break;
    case QUERY_AND:
    case QUERY_OR:
        ok = add_children(making, node, sql);
        break;
    case QUERY_NOT:
        buf_add(sql, STR("NOT "));
        ok = add_exact(making, node->first, sql);
        break;
    case QUERY_TYPE:
        ok = add_types(making, node, sql);
        break;
    case QUERY_TAG:
        ok = add_tag(making, node, sql);
        break;
    case QUERY_RANGE:
        ok = add_range(making, node, sql);
        break;
    case QUERY_FLAG:
        ok = add_flag(making, node, sql);
        break;
    case QUERY_SET:
        ok = add_set(making, node, sql);
        break;
    default:
        ok = false;
    }
    buf_add_char(sql, ')');
    return ok;
}

/* Texts of other forms than html are not looked into as the condition expects. */
static const char *may_meet(const struct sets_making *making,
                            const struct query_node *condition)
{
    struct engine_posts posts = engine_items_as_posts(making->arena);
    struct buf sql = {0};

    buf_add_format(&sql, "form != %d OR ", (int)ITEM_HTML);
    engine_add_condition(&posts, condition, &sql);
    return buf_keep(&sql, making->arena).ptr;
}

static void make_set(const struct sets_making *making, const struct engine_asked *asked,
                     struct engine_set *set)
{
    bool joined = asked->query->kind == QUERY_AND;
    const struct query_node *condition = joined ? asked->query->first : asked->query;
    struct buf sql = {0};

    *set = (struct engine_set){.name = asked->name};
    buf_add(&sql, STR("toUInt8(multiIf("));
    for (; condition != NULL; condition = joined ? condition->next : NULL, set->count++) {
        size_t begin = sql.len;
        if (set->may != NULL || set->count + 1 >= ENGINE_OPEN)
            continue;
        buf_add(&sql, STR("NOT "));
        if (add_exact(making, condition, &sql)) {
            buf_add_format(&sql, ", %zu, ", set->count);
            set->open++;
        } else {
            sql.len = begin;
            set->may = may_meet(making, condition);
        }
    }
    if (set->count >= ENGINE_OPEN) /* more than a byte counts */
        *set = (struct engine_set){.name = asked->name, .count = set->count, .may = "1"};
    if (set->open == 0) {
        sql.len = 0;
        buf_add_format(&sql, "toUInt8(%d)", ENGINE_OPEN);
    } else {
        buf_add_format(&sql, "%zu))",
                       set->open == set->count ? set->count : (size_t)ENGINE_OPEN);
    }
    set->passed = buf_keep(&sql, making->arena).ptr;
}

/* Ids have the number of their source in them, which queries do not mean. */
static const char *number_in(const char *id, struct arena *arena)
{
    const char *low = arena_format(arena, "bitAnd(%s, toInt64(%" PRId64 "))", id,
                                   (INT64_C(1) << ITEM_SPACE_BITS) - 1)
                          .ptr;

    return arena_format(arena, "if(%s < %" PRId64 ", %s, %s - toInt64(%" PRId64 "))", low,
                        (int64_t)ITEM_NUMBER_LIMIT, low, low,
                        INT64_C(1) << ITEM_SPACE_BITS)
        .ptr;
}

static struct engine_tells items_tell(struct arena *arena)
{
    struct engine_tells tells = {.tags = "tags", .code_blocks = "code_blocks"};

    for (int i = 0; i < ITEM_NUMBERS; i++) {
        const char *name = item_field((enum item_field)i)->column;
        bool id = i == ITEM_FIELD_ID || i == ITEM_FIELD_OWNER || i == ITEM_FIELD_PARENT;
        tells.numbers[i] = id ? number_in(name, arena) : name;
    }
    return tells;
}

struct engine_set *engine_sets_make(const struct engine_asked *queries, size_t count,
                                    struct arena *arena)
{
    struct engine_tells tells = items_tell(arena);
    struct sets_making making = {.tells = &tells,
                                 .sets = arena_array(arena, struct engine_set, count + 1),
                                 .arena = arena};

    for (; making.made < count; making.made++)
        make_set(&making, &queries[making.made], &making.sets[making.made]);
    return making.sets;
}

bool engine_add_exact(const struct engine_tells *tells, const struct query_node *query,
                      struct arena *arena, struct buf *sql)
{
    struct sets_making making = {.tells = tells, .arena = arena};

    return add_exact(&making, query, sql);
}
