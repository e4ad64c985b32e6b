/* A query as SQL. Numbers, dates, flags and exact tags become conditions on columns;
 * everything that looks into text is a call of leaf(N, ...), which runs the query engine
 * on that one condition. So a stored post is judged exactly as a scanned one. */
#include <sqlite3.h>
#include <string.h>
#include <xxhash.h>

#include "store/internal.h"

/* The conditions that SQL hands back to us. */
struct leaves {
    struct query_compiled **compiled;
    struct query_scratch **scratch;
    size_t count, room;
    struct html_parts parts; /* of the body, when a condition asks for all of its text */
    struct err err;          /* of the condition that could not be tested */
};

/* Arguments of leaf() after its number: the texts in the order of enum query_text. */
enum {
    LEAF_ID = 1,
    LEAF_TAGS,
    LEAF_TEXTS,
    LEAF_ARGUMENTS = LEAF_TEXTS + QUERY_TEXTS,
};

struct row {
    sqlite3_value **values;
    struct leaves *leaves;
};

static struct str text_of(sqlite3_value *value)
{
    const unsigned char *text = sqlite3_value_text(value);

    return (struct str){(const char *)text,
                        text != NULL ? (size_t)sqlite3_value_bytes(value) : 0};
}

struct str store_text(enum query_text which, struct str stored, struct html_parts *parts)
{
    if (which != QUERY_BODY)
        return stored;
    html_split(stored, HTML_BODY, parts);
    return buf_str(&parts->body);
}

static struct str row_text(void *context, enum query_text which)
{
    struct row *row = context;

    return store_text(which, text_of(row->values[LEAF_TEXTS + which]),
                      &row->leaves->parts);
}

static void leaf(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct leaves *leaves = sqlite3_user_data(context);
    int64_t number = sqlite3_value_int64(values[0]);
    struct row row = {values, leaves};
    struct query_item item = query_item_empty();

    (void)count;
    item.id = sqlite3_value_int64(values[LEAF_ID]);
    item.tags = text_of(values[LEAF_TAGS]);
    item.context = &row;
    item.text = row_text;
    bool holds;
    if (query_test(leaves->compiled[number], leaves->scratch[number], &item, &holds,
                   &leaves->err))
        sqlite3_result_int(context, holds);
    else
        sqlite3_result_error(context, leaves->err.text, -1); /* ends the statement */
}

static bool add_leaf(const struct query_node *node, struct leaves *leaves,
                     struct buf *sql, struct err *err)
{
    struct query_node alone = *node;

    alone.next = NULL;
    if (!query_compile(&alone, (struct query_options){0},
                       &leaves->compiled[leaves->count], err))
        return false;
    leaves->scratch[leaves->count] = query_scratch_open(leaves->compiled[leaves->count]);
    buf_add_format(sql, "leaf(%zu, id, tags, title, prose, code, body)", leaves->count++);
    return true;
}

static const char *column_of(enum query_field field)
{
    switch (field) {
    case QUERY_FIELD_SCORE:
        return "score";
    case QUERY_FIELD_VIEWS:
        return "views";
    case QUERY_FIELD_ANSWERS:
        return "answers";
    case QUERY_FIELD_COMMENTS:
        return "comments";
    case QUERY_FIELD_FAVORITES:
        return "favorites";
    case QUERY_FIELD_CREATED:
        return "created_ms";
    case QUERY_FIELD_CLOSED:
        return "closed_ms";
    case QUERY_FIELD_USER:
        return "owner";
    case QUERY_FIELD_PARENT:
        return "parent";
    default:
        return "id";
    }
}

/* Every condition is 0 or 1, never NULL, so that `not` means what it says. */
static void add_range(const struct query_node *node, struct buf *sql)
{
    const char *column = column_of(node->field);

    buf_add_format(sql, "(%s NOT NULL", column);
    if (node->min != INT64_MIN)
        buf_add_format(sql, " AND %s >= %lld", column, (long long)node->min);
    if (node->max != INT64_MAX)
        buf_add_format(sql, " AND %s <= %lld", column, (long long)node->max);
    buf_add_char(sql, ')');
}

static void add_flag(const struct query_node *node, struct buf *sql)
{
    const char *condition = node->field == QUERY_FIELD_CLOSED    ? "closed_ms NOT NULL"
                            : node->field == QUERY_FIELD_HASCODE ? "code_blocks > 0"
                                                                 : "accepted NOT NULL";

    buf_add_format(sql, "(%s(%s))", node->yes ? "" : "NOT ", condition);
}

static void add_types(const struct query_node *node, struct buf *sql)
{
    buf_add(sql, STR("(type IN (0"));
    for (int type = 1; type < 32; type++)
        if (node->types >> type & 1)
            buf_add_format(sql, ",%d", type);
    buf_add(sql, STR("))"));
}

/* Tags are stored in lower case as the engine folds it. */
static void add_exact_tag(const struct query_node *node, struct arena *arena,
                          struct buf *sql)
{
    char *folded = arena_c_string(arena, node->text);

    query_fold(node->text, folded);
    buf_add(sql, STR("EXISTS (SELECT 1 FROM tag WHERE tag.post = post.id AND name = '"));
    for (size_t i = 0; i < node->text.len; i++) {
        if (folded[i] == '\'')
            buf_add_char(sql, '\'');
        buf_add_char(sql, folded[i]);
    }
    buf_add(sql, STR("')"));
}

static bool add_node(const struct query_node *node, struct leaves *leaves,
                     struct arena *arena, struct buf *sql, struct err *err)
{
    switch (node->kind) {
    case QUERY_ALL:
        buf_add_char(sql, '1');
        return true;
    case QUERY_AND:
    case QUERY_OR:
        buf_add_char(sql, '(');
        for (const struct query_node *child = node->first; child != NULL;
             child = child->next) {
            if (child != node->first)
                buf_add(sql, node->kind == QUERY_AND ? STR(" AND ") : STR(" OR "));
            if (!add_node(child, leaves, arena, sql, err))
                return false;
        }
        buf_add_char(sql, ')');
        return true;
    case QUERY_NOT:
        buf_add(sql, STR("(NOT "));
        if (!add_node(node->first, leaves, arena, sql, err))
            return false;
        buf_add_char(sql, ')');
        return true;
    case QUERY_TAG:
        if (node->match != QUERY_EXACT)
            return add_leaf(node, leaves, sql, err);
        add_exact_tag(node, arena, sql);
        return true;
    case QUERY_TEXT:
        return add_leaf(node, leaves, sql, err);
    case QUERY_RANGE:
        add_range(node, sql);
        return true;
    case QUERY_FLAG:
        add_flag(node, sql);
        return true;
    case QUERY_TYPE:
        add_types(node, sql);
        return true;
    case QUERY_SET:
        break;
    }
    return err_set(err, ERR_INPUT, "in:%.*s: the set has not been written out",
                   STR_ARG(node->text));
}

static size_t nodes_in(const struct query_node *node)
{
    size_t count = 1;

    for (const struct query_node *child = node->first; child != NULL; child = child->next)
        count += nodes_in(child);
    return count;
}

static void close_leaves(struct leaves *leaves)
{
    for (size_t i = 0; i < leaves->count; i++) {
        query_scratch_close(leaves->scratch[i]);
        query_free(leaves->compiled[i]);
    }
    html_parts_free(&leaves->parts);
}

static bool take_id(void *context, sqlite3_stmt *row, struct err *err)
{
    int64_t id = sqlite3_column_int64(row, 0);

    (void)err;
    buf_add(context, (struct str){(const char *)&id, sizeof id});
    return true;
}

static bool take_ids(struct corpus *corpus, const char *sql, struct arena *arena,
                     int64_t **ids, size_t *count, struct err *err)
{
    struct buf found = {0};
    bool ok = store_each(corpus, store_prepare(corpus, sql), take_id, &found, err);

    *count = found.len / sizeof **ids;
    *ids = arena_array(arena, int64_t, *count + 1);
    if (found.len > 0)
        memcpy(*ids, found.ptr, found.len);
    buf_free(&found);
    return ok;
}

bool corpus_select(struct corpus *corpus, const struct query_node *query,
                   struct arena *arena, int64_t **ids, size_t *count, struct err *err)
{
    struct leaves leaves = {.room = nodes_in(query)};
    struct buf sql = {0};
    bool ok = false;

    leaves.compiled = arena_array(arena, struct query_compiled *, leaves.room);
    leaves.scratch = arena_array(arena, struct query_scratch *, leaves.room);
    buf_add(&sql, STR("SELECT id FROM post WHERE "));
    if (!add_node(query, &leaves, arena, &sql, err))
        goto done;
    buf_add(&sql, STR(" ORDER BY id"));
    buf_add_char(&sql, '\0');
    if (sqlite3_create_function(corpus->db, "leaf", LEAF_ARGUMENTS,
                                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
                                &leaves, leaf, NULL, NULL) != SQLITE_OK) {
        store_failed(corpus, err);
        goto done;
    }
    ok = take_ids(corpus, sql.ptr, arena, ids, count, err);
    if (!ok && leaves.err.kind != ERR_NONE)
        *err = leaves.err; /* as the query's, not as the database's */
    sqlite3_create_function(corpus->db, "leaf", LEAF_ARGUMENTS, SQLITE_UTF8, NULL, NULL,
                            NULL, NULL);
done:
    close_leaves(&leaves);
    buf_free(&sql);
    return ok;
}

static bool hash_row(void *context, sqlite3_stmt *row, struct err *err)
{
    (void)err;
    for (int i = 0; i < sqlite3_column_count(row); i++) {
        int64_t head[2] = {sqlite3_column_type(row, i), 0};
        const void *bytes = sqlite3_column_blob(row, i);
        head[1] = sqlite3_column_bytes(row, i);
        XXH3_64bits_update(context, head, sizeof head);
        if (head[1] > 0)
            XXH3_64bits_update(context, bytes, (size_t)head[1]);
    }
    return true;
}

/* What the statements give, behind `before`. */
static bool hash_rows(struct corpus *corpus, struct str before, const char *const *sql,
                      size_t count, uint64_t *hash, struct err *err)
{
    XXH3_state_t *state = XXH3_createState();
    bool ok = true;

    if (state == NULL)
        arena_exhausted();
    XXH3_64bits_reset(state);
    if (before.len > 0)
        XXH3_64bits_update(state, before.ptr, before.len);
    for (size_t i = 0; i < count && ok; i++)
        ok = store_each(corpus, store_prepare(corpus, sql[i]), hash_row, state, err);
    *hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return ok;
}

bool corpus_hash(struct corpus *corpus, uint64_t *hash, struct err *err)
{
    static const char *const tables[] = {
        "SELECT * FROM post ORDER BY id",
        "SELECT * FROM tag ORDER BY post, name",
        "SELECT * FROM comment ORDER BY id",
        "SELECT * FROM user ORDER BY id",
        "SELECT * FROM link ORDER BY id",
        "SELECT * FROM vote ORDER BY id",
        "SELECT * FROM history ORDER BY id",
        "SELECT * FROM badge ORDER BY id",
        "SELECT * FROM origin ORDER BY post, source",
        "SELECT * FROM field ORDER BY post, name",
        "SELECT * FROM source ORDER BY number",
        "SELECT * FROM source_file ORDER BY source, number",
        "SELECT * FROM census ORDER BY year, tag",
        "SELECT * FROM health ORDER BY finding",
    };

    return hash_rows(corpus, STR(""), tables, ROWS_OF(tables), hash, err);
}

bool corpus_sources_hash(struct corpus *corpus, struct str also, uint64_t *hash,
                         struct err *err)
{
    static const char *const tables[] = {
        "SELECT number, name, kind, settings FROM source ORDER BY number",
        "SELECT source, number, hash FROM source_file ORDER BY source, number",
    };

    return hash_rows(corpus, also, tables, ROWS_OF(tables), hash, err);
}
