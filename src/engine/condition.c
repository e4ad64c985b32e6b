/* Queries as conditions of SQL. Each is met by every item that meets the query, and
 * perhaps by others: what the engine cannot say exactly is let through, and whoever reads
 * the answer tests it. A negation therefore needs the opposite, a condition that is met
 * by no item but those that meet what is negated. */
#include <ctype.h>
#include <string.h>

#include "engine/internal.h"

enum { RUN_MAX = 24 }; /* letters of a word that are looked for */

static void add_known(struct buf *sql, bool holds)
{
    buf_add_char(sql, holds ? '1' : '0');
}

/* A tag of letters that the engine compares as we do. */
static bool is_ascii(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] >= 128)
            return false;
    return text.len > 0;
}

/* Letters of both cases and signs stand in classes: older servers take a letter, and what
 * follows an escape by number, for one that must be there as it is, (?i) or not. False:
 * it has a sign that cannot be said so. */
static bool add_tag_regex(const struct query_node *node, struct buf *sql)
{
    struct buf regex = {0};
    bool ok = true;

    buf_add(&regex, STR("[<|]"));
    for (size_t i = 0; i < node->text.len; i++) {
        char c = node->text.ptr[i];
        if (node->match == QUERY_GLOB && (c == '*' || c == '?'))
            buf_add(&regex, c == '*' ? STR("[^<>|]*") : STR("[^<>|]"));
        else if (isalpha((unsigned char)c))
            buf_add_format(&regex, "[%c%c]", tolower((unsigned char)c),
                           toupper((unsigned char)c));
        else
            buf_add_format(&regex, "[%c]", c);
        ok = ok && strchr("\\[]^<>|\t\n\r", c) == NULL;
    }
    buf_add(&regex, STR("[>|]"));
    if (ok)
        engine_add_text(sql, buf_str(&regex));
    buf_free(&regex);
    return ok;
}

/* What stands around a tag is spelled in several ways; the text within one is not. */
static void add_part_of_tags(const char *tags, struct str text, struct buf *sql)
{
    size_t from = 0, to;

    while (from < text.len && strchr("<>|", text.ptr[from]) != NULL)
        from++;
    for (to = from; to < text.len && strchr("<>|", text.ptr[to]) == NULL;)
        to++;
    if (from == to) {
        add_known(sql, true);
        return;
    }
    buf_add_format(sql, "positionCaseInsensitive(%s, ", tags);
    engine_add_text(sql, str_slice(text, from, to));
    buf_add(sql, STR(") > 0"));
}

/* The negation must leave out no question without the tag: so it goes by the two
 * spellings that are surely it, in the case that is given. */
static void add_tag(const struct engine_posts *posts, const struct query_node *node,
                    bool no, struct buf *sql)
{
    const char *tags = engine_posts_tags(posts); /* of none, too: NOT NULL is NULL */

    if (posts->columns[ENGINE_TAGS].name == NULL || !is_ascii(node->text) ||
        (no && node->match != QUERY_EXACT)) {
        add_known(sql, true);
        return;
    }
    size_t begin = sql->len;
    if (node->match == QUERY_SUBSTRING) {
        add_part_of_tags(tags, node->text, sql);
        return;
    }
    buf_add_format(sql, "%smatch(concat('|', %s, '|'), ", no ? "NOT " : "", tags);
    if (add_tag_regex(node, sql)) {
        buf_add_char(sql, ')');
    } else {
        sql->len = begin;
        add_known(sql, true);
    }
}

/* Where the letters of a word may stand with markup between them. What our reader of html
 * may see otherwise than this (characters by number, stray brackets, brackets in
 * attributes) is let through. */
static void add_run(struct str run, struct buf *sql)
{
    struct buf regex = {0};

    buf_add(&regex, STR("(?is)&#|&fjlig|<[^a-zA-Z/]|=\\s*\"[^\">]*>|=\\s*'[^'>]*>|"));
    for (size_t i = 0; i < run.len && i < RUN_MAX; i++)
        buf_add_format(&regex, "%s%c", i > 0 ? "(?:<[^>]*>)*" : "", run.ptr[i]);
    engine_add_text(sql, buf_str(&regex));
    buf_free(&regex);
}

static bool next_run(struct str *text, struct str *run)
{
    size_t from = 0, to;

    while (from < text->len && !isalnum((unsigned char)text->ptr[from]))
        from++;
    for (to = from; to < text->len && isalnum((unsigned char)text->ptr[to]);)
        to++;
    *run = str_slice(*text, from, to);
    *text = str_slice(*text, to, text->len);
    return run->len > 0;
}

static void add_text(const struct engine_posts *posts, const struct query_node *node,
                     struct buf *sql)
{
    const char *title = posts->columns[ENGINE_TITLE].name,
               *body = posts->columns[ENGINE_BODY].name;
    bool in_title = node->field == QUERY_FIELD_TITLE ||
                    (node->field == QUERY_FIELD_PROSE && posts->kind <= ITEM_QUESTION),
         in_body = node->field != QUERY_FIELD_TITLE;
    struct str rest = node->text, run;

    if (node->match == QUERY_REGEX || (in_title && title == NULL) ||
        (in_body && body == NULL)) {
        add_known(sql, true);
        return;
    }
    add_known(sql, true);
    while (next_run(&rest, &run)) {
        buf_add(sql, STR(" AND ("));
        if (in_title) {
            buf_add_format(sql, "match(%s, ", title);
            add_run(run, sql);
            buf_add(sql, in_body ? STR(") OR ") : STR(")"));
        }
        if (in_body) {
            buf_add_format(sql, "match(%s, ", body);
            add_run(run, sql);
            buf_add_char(sql, ')');
        }
        buf_add_char(sql, ')');
    }
}

static enum engine_column column_of(enum query_field field)
{
    static const struct {
        enum query_field field;
        enum engine_column column;
    } columns[] = {
        {QUERY_FIELD_SCORE, ENGINE_SCORE},
        {QUERY_FIELD_VIEWS, ENGINE_VIEWS},
        {QUERY_FIELD_ANSWERS, ENGINE_ANSWERS},
        {QUERY_FIELD_COMMENTS, ENGINE_COMMENTS},
        {QUERY_FIELD_FAVORITES, ENGINE_FAVORITES},
        {QUERY_FIELD_CREATED, ENGINE_CREATED},
        {QUERY_FIELD_CLOSED, ENGINE_CLOSED},
        {QUERY_FIELD_LASTACTIVE, ENGINE_LASTACTIVE},
        {QUERY_FIELD_HASACCEPTED, ENGINE_ACCEPTED},
        {QUERY_FIELD_WIKI, ENGINE_WIKI},
        {QUERY_FIELD_USER, ENGINE_OWNER},
        {QUERY_FIELD_ID, ENGINE_ID},
    };

    for (size_t i = 0; i < ROWS_OF(columns); i++)
        if (columns[i].field == field)
            return columns[i].column;
    return ENGINE_COLUMNS;
}

/* A bound in the column's own terms; dates by whole seconds, one wider than they are. */
static void add_bound(const struct engine_posts *posts, enum engine_column column,
                      bool upper, int64_t bound, struct buf *sql)
{
    const char *name = posts->columns[column].name;

    if (engine_is_moment(column)) {
        int64_t second = bound / 1000 + (upper ? 1 : -1);
        second = second < 0 ? 0 : second > UINT32_MAX ? UINT32_MAX : second;
        buf_add_format(sql, "%s %s toDateTime(%lld)", name,
                       upper ? "<=" : ">=", (long long)second);
    } else {
        buf_add_format(sql, posts->columns[column].text ? "toInt64OrZero(%s)" : "%s",
                       name);
        buf_add_format(sql, " %s %lld", upper ? "<=" : ">=", (long long)bound);
    }
}

static void add_range(const struct engine_posts *posts, const struct query_node *node,
                      bool no, struct buf *sql)
{
    enum engine_column column = column_of(node->field);
    bool relative = node->from.unit != 0 || node->to.unit != 0;

    /* What is not in a range may also be without a value: that is left to the reader. */
    if (column == ENGINE_COLUMNS || posts->columns[column].name == NULL || relative ||
        no || (engine_is_moment(column) && !posts->columns[column].dated)) {
        add_known(sql, true);
        return;
    }
    add_known(sql, true);
    if (node->min != INT64_MIN) {
        buf_add(sql, STR(" AND "));
        add_bound(posts, column, false, node->min, sql);
    }
    if (node->max != INT64_MAX) {
        buf_add(sql, STR(" AND "));
        add_bound(posts, column, true, node->max, sql);
    }
}

static void add_flag(const struct engine_posts *posts, const struct query_node *node,
                     bool no, struct buf *sql)
{
    enum engine_column column = column_of(node->field);

    if (column == ENGINE_COLUMNS || posts->columns[column].name == NULL) {
        add_known(sql, true);
        return;
    }
    if (node->yes == no)
        buf_add(sql, STR("NOT "));
    buf_add_char(sql, '(');
    engine_add_has(&posts->columns[column], sql);
    buf_add_char(sql, ')');
}

/* "It does not meet this", of what the engine can say exactly. */
static bool add_opposite(const struct engine_posts *posts, const struct query_node *node,
                         struct buf *sql)
{
    struct engine_tells tells = engine_posts_tell(posts);
    size_t begin = sql->len;

    buf_add(sql, STR("NOT "));
    if (engine_add_exact(&tells, node, posts->arena, sql))
        return true;
    sql->len = begin;
    return false;
}

static void add_condition(const struct engine_posts *posts, const struct query_node *node,
                          bool no, struct buf *sql)
{
    if (no && (node->kind == QUERY_TAG || node->kind == QUERY_RANGE) &&
        add_opposite(posts, node, sql))
        return;
    buf_add_char(sql, '(');
    switch (node->kind) {
    case QUERY_AND:
    case QUERY_OR:
        for (const struct query_node *child = node->first; child != NULL;
             child = child->next) {
            if (child != node->first)
                buf_add(sql,
                        (node->kind == QUERY_AND) != no ? STR(" AND ") : STR(" OR "));
            add_condition(posts, child, no, sql);
        }
        break;
    case QUERY_NOT:
        add_condition(posts, node->first, !no, sql);
        break;
    case QUERY_ALL:
        add_known(sql, !no);
        break;
    case QUERY_TYPE:
        add_known(sql, posts->kind == 0 || (node->types >> posts->kind & 1) != no);
        break;
    case QUERY_TAG:
        add_tag(posts, node, no, sql);
        break;
    case QUERY_TEXT:
        if (no)
            add_known(sql, true);
        else
            add_text(posts, node, sql);
        break;
    case QUERY_RANGE:
        add_range(posts, node, no, sql);
        break;
    case QUERY_FLAG:
        add_flag(posts, node, no, sql);
        break;
    default:
        add_known(sql, true);
    }
    buf_add_char(sql, ')');
}

void engine_add_condition(const struct engine_posts *posts,
                          const struct query_node *query, struct buf *sql)
{
    add_condition(posts, query, false, sql);
}
