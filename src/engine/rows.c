/* Tables beside the posts: comments, users and what else a dump has. Their rows come as
 * texts, such as the dump would have them. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/date.h"
#include "engine/internal.h"

/* The name of the posts with another word instead: dl_posts, dl_comments; the posts are
 * the table that was named, whatever its name. */
static struct str beside(const struct engine *engine, const char *word,
                         struct arena *arena)
{
    struct str table = engine_table(engine), posts = STR("posts");
    size_t first = engine_database(engine).len + 1, at = table.len - posts.len;

    if (str_eq(str_from(word), posts))
        return table;
    for (; at > first; at--)
        if (strncasecmp(table.ptr + at, posts.ptr, posts.len) == 0)
            return arena_format(arena, "%.*s%s%.*s", (int)at, table.ptr, word,
                                STR_ARG(str_slice(table, at + posts.len, table.len)));
    return arena_format(arena, "%.*s.`%s`", STR_ARG(engine_database(engine)), word);
}

/* What conditions on comments and answers are asked of, by the columns of posts. */
static void see_as_posts(struct engine_rows *rows)
{
    static const struct {
        struct str name;
        enum engine_column column;
    } same[] = {
        {STR_INIT("id"), ENGINE_ID},
        {STR_INIT("score"), ENGINE_SCORE},
        {STR_INIT("creationdate"), ENGINE_CREATED},
        {STR_INIT("owneruserid"), ENGINE_OWNER},
        {STR_INIT("userid"), ENGINE_OWNER},
        {STR_INIT("commentcount"), ENGINE_COMMENTS},
        {STR_INIT("lastactivitydate"), ENGINE_LASTACTIVE},
        {STR_INIT("communityowneddate"), ENGINE_WIKI},
        {STR_INIT("body"), ENGINE_BODY},
        {STR_INIT("text"), ENGINE_BODY},
    };

    for (size_t i = 0; i < rows->count; i++)
        for (size_t s = 0; s < ROWS_OF(same); s++)
            if (str_eq(rows->wanted[i].name, same[s].name))
                rows->posts.columns[same[s].column] = rows->columns[i];
}

bool engine_rows_open(struct engine *engine, const char *table,
                      const struct engine_wanted *wanted, size_t count,
                      struct arena *arena, struct engine_rows *out, struct err *err)
{
    struct str name = beside(engine, table, arena);
    bool posts = strcmp(table, "posts") == 0;
    struct engine_columns found;

    if (!engine_columns_find(engine, name, !posts, wanted, count, arena, &found, err))
        return false;
    *out = (struct engine_rows){.posts = {.engine = engine,
                                          .table = found.table,
                                          .kind = posts ? ITEM_ANSWER : ITEM_COMMENT,
                                          .arena = arena},
                                .wanted = wanted,
                                .count = count,
                                .columns = found.at};
    out->there = found.table.len > 0;
    if (!out->there) {
        out->posts.table = name;
        return true;
    }
    for (size_t i = 0; i < count; i++)
        if (found.at[i].name == NULL && wanted[i].is == ENGINE_IS_KEY)
            return err_set(err, ERR_INPUT,
                           "the table %.*s has the columns %.*s; expected one called "
                           "%.*s, whatever its case",
                           STR_ARG(found.table), STR_ARG(found.names),
                           STR_ARG(wanted[i].name));
    see_as_posts(out);
    return true;
}

/* A whole number of a row, 0 where there is none. */
static const char *number(const struct engine_rows *rows, size_t column)
{
    return engine_number(&rows->columns[column], rows->posts.arena);
}

bool engine_rows_state(struct engine_rows *rows, int64_t out[ENGINE_ROWS_STATE],
                       struct err *err)
{
    struct buf sum = {0};

    for (size_t i = 0; i < rows->count; i++)
        if (rows->columns[i].name != NULL && (rows->wanted[i].is == ENGINE_IS_WHOLE ||
                                              rows->wanted[i].is == ENGINE_IS_KEY))
            buf_add_format(&sum, "%s%s", sum.len > 0 ? " + " : "", number(rows, i));
    const char *const expressions[ENGINE_ROWS_STATE] = {
        "toInt64(count())",
        arena_format(rows->posts.arena, "max(%s)", number(rows, 0)).ptr,
        arena_format(rows->posts.arena, "sum(%.*s)", STR_ARG(buf_str(&sum))).ptr,
    };

    buf_free(&sum);
    return engine_ask_numbers(rows->posts.engine, rows->posts.table, expressions,
                              ENGINE_ROWS_STATE, (struct str){0}, out, err);
}

bool engine_rows_hash(struct engine_rows *rows, uint64_t *out, struct err *err)
{
    struct buf sum = {0};
    int64_t found;

    for (size_t i = 0; i < rows->count; i++)
        if (rows->columns[i].name != NULL)
            buf_add_format(&sum, "%sifNull(%s, '')", sum.len > 0 ? ", " : "",
                           rows->columns[i].value);
    const char *const expressions[] = {arena_format(rows->posts.arena,
                                                    "toInt64(sum(cityHash64(%.*s)))",
                                                    STR_ARG(buf_str(&sum)))
                                           .ptr};

    buf_free(&sum);
    bool ok = engine_ask_numbers(rows->posts.engine, rows->posts.table, expressions, 1,
                                 (struct str){0}, &found, err);
    *out = (uint64_t)found;
    return ok;
}

/* --- rows --- */

struct rows_asking {
    struct engine_rows *rows;
    engine_take_row *take;
    void *context;
    struct str *values;
    struct buf moments;
};

static bool take_row(void *context, const struct str *fields, struct err *err)
{
    struct rows_asking *asking = context;
    const struct engine_rows *rows = asking->rows;
    int64_t ms;

    buf_clear(&asking->moments);
    buf_reserve(&asking->moments, rows->count * 32); /* what points into it stays */
    for (size_t i = 0; i < rows->count; i++) {
        struct str text = fields[i];
        if (engine_is_missing(&rows->columns[i], &rows->wanted[i], text)) {
            text = (struct str){0};
        } else if (rows->columns[i].ms && str_to_int(text, &ms)) {
            size_t begin = asking->moments.len;
            date_add(&asking->moments, ms);
            text = str_slice(buf_str(&asking->moments), begin, asking->moments.len);
        }
        asking->values[i] = text;
    }
    return asking->take(asking->context, asking->values, err);
}

static bool ask_rows(struct rows_asking *asking, const struct engine_rows_wanted *wanted,
                     struct err *err)
{
    struct engine_rows *rows = asking->rows;
    struct arena arena = {0};
    const char **values = arena_array(&arena, const char *, rows->count);
    struct buf rest = {0};

    asking->values = arena_array(&arena, struct str, rows->count);
    for (size_t i = 0; i < rows->count; i++)
        values[i] = rows->columns[i].name != NULL ? rows->columns[i].value : "''";
    bool ok = engine_add_from(&rows->posts, wanted, false, &rest, err) &&
              engine_ask(rows->posts.engine, values, rows->count, buf_str(&rest),
                         take_row, asking, err);
    buf_free(&rest);
    buf_free(&asking->moments);
    arena_free(&arena);
    return ok;
}

static struct engine_rows_wanted in_block(const struct engine_rows *rows,
                                          const struct engine_filter *filter,
                                          struct engine_block block)
{
    const char *id = number(rows, 0);
    struct buf range = {0};

    buf_add_format(&range, "%s >= %" PRId64 " AND %s < %" PRId64, id, block.from, id,
                   block.to);
    if (filter->column > 0)
        buf_add_format(&range, " AND %s BETWEEN %" PRId64 " AND %" PRId64,
                       number(rows, filter->column), filter->min, filter->max);
    return (struct engine_rows_wanted){buf_keep(&range, rows->posts.arena),
                                       filter->queries, filter->query_count};
}

bool engine_rows_block(struct engine_rows *rows, struct engine_block block,
                       const struct engine_filter *filter, engine_take_row *take,
                       void *context, struct err *err)
{
    struct rows_asking asking = {.rows = rows, .take = take, .context = context};
    struct arena_mark mark = arena_mark(rows->posts.arena);
    struct engine_rows_wanted wanted = in_block(rows, filter, block);
    bool ok = ask_rows(&asking, &wanted, err);

    arena_rewind(rows->posts.arena, mark);
    return ok;
}

bool engine_rows_blocks(struct engine_rows *rows, const struct engine_filter *filter,
                        int64_t most, struct engine_blocks *out, struct err *err)
{
    struct arena_mark mark = arena_mark(rows->posts.arena);
    struct engine_block all = {.to = INT64_MAX};
    struct engine_rows_wanted wanted = in_block(rows, filter, all);
    bool ok =
        engine_find_blocks(&rows->posts, number(rows, 0), &wanted, most, out, err);

    arena_rewind(rows->posts.arena, mark);
    return ok;
}

bool engine_rows_of(struct engine_rows *rows, size_t column, const struct idset *ids,
                    int64_t from, int64_t highest, int64_t most, int64_t *end,
                    engine_take_row *take, void *context, struct err *err)
{
    struct rows_asking asking = {.rows = rows, .take = take, .context = context};
    struct arena_mark mark = arena_mark(rows->posts.arena);
    struct buf where = {0};

    buf_add_format(&where, "%s IN (", number(rows, column));
    int64_t count = engine_add_ids(ids, from, highest, most, end, &where);
    buf_add_char(&where, ')');
    struct engine_rows_wanted wanted = {.range = buf_str(&where)};
    bool ok = count == 0 || ask_rows(&asking, &wanted, err);
    buf_free(&where);
    arena_rewind(rows->posts.arena, mark);
    return ok;
}
