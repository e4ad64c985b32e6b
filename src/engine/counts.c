/* What the engine counts itself, and posts by blocks: the questions that are put to it.
 * Types of columns differ from table to table, so that values are compared as numbers
 * and texts of ours, never as what they happen to be. */
#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

#include "base/date.h"
#include "engine/internal.h"
#include "text/utf8.h"

#define PLANTED "(1000000001, 1000000010)" /* by the makers of the dumps of 2025 */

struct numbers_asked {
    int64_t *at;
    size_t count;
};

static bool read_number(struct str text, int64_t *out, struct err *err)
{
    return str_to_int(text, out) ||
           err_set(err, ERR_SYSTEM, "the server answered '%.*s', expected a whole number",
                   STR_ARG(text));
}

static bool take_numbers(void *context, const struct str *fields, struct err *err)
{
    struct numbers_asked *asked = context;
    bool ok = true;

    for (size_t i = 0; i < asked->count && ok; i++)
        ok = read_number(fields[i], &asked->at[i], err);
    return ok;
}

bool engine_ask_numbers(struct engine *engine, struct str table,
                        const char *const *expressions, size_t count, struct str where,
                        int64_t *out, struct err *err)
{
    struct numbers_asked asked = {out, count};
    struct buf rest = {0};

    memset(out, 0, count * sizeof *out);
    buf_add_format(&rest, "FROM %.*s%s%.*s", STR_ARG(table),
                   where.len > 0 ? " WHERE " : "", STR_ARG(where));
    bool ok =
        engine_ask(engine, expressions, count, buf_str(&rest), take_numbers, &asked, err);
    buf_free(&rest);
    return ok;
}

/* Of all posts that meet a condition. */
static bool ask_numbers(struct engine_posts *posts, const char *const *expressions,
                        size_t count, struct str where, int64_t *out, struct err *err)
{
    return engine_ask_numbers(posts->engine, posts->table, expressions, count, where, out,
                              err);
}

/* --- expressions --- */

static const char *name_of(const struct engine_posts *posts, enum engine_column column)
{
    return posts->columns[column].name;
}

/* Whether a post has it; `0` without the column. */
static const char *has(const struct engine_posts *posts, enum engine_column column)
{
    struct buf text = {0};

    if (name_of(posts, column) == NULL)
        return "0";
    engine_add_has(&posts->columns[column], &text);
    return buf_keep(&text, posts->arena).ptr;
}

/* A number, 0 where there is none. */
static const char *number(const struct engine_posts *posts, enum engine_column column)
{
    return engine_number(&posts->columns[column], posts->arena);
}

/* Milliseconds, 0 where there are none. What reads a text as a moment leaves its fraction
 * of a second out. */
static const char *moment(const struct engine_posts *posts, enum engine_column column)
{
    const char *name = name_of(posts, column);

    if (name == NULL)
        return "toInt64(0)";
    if (posts->columns[column].ms)
        return engine_number(&posts->columns[column], posts->arena);
    return arena_format(posts->arena,
                        "if(%s, toInt64(toUnixTimestamp(parseDateTimeBestEffortOrZero("
                        "ifNull(toString(%s), ''), 'UTC'))) * 1000 + "
                        "toInt64(toInt16OrZero(substring(concat(extract(ifNull(toString("
                        "%s), ''), ':[0-9]+[.]([0-9]+)'), '00'), 1, 3))), toInt64(0))",
                        has(posts, column), name, name)
        .ptr;
}

static const char *is_kind(const struct engine_posts *posts, enum item_kind kind)
{
    return arena_format(posts->arena, "toInt16(%s) = %d", name_of(posts, ENGINE_TYPE),
                        (int)kind)
        .ptr;
}

/* Posts that count. */
static const char *counts(const struct engine_posts *posts)
{
    struct buf where = {0};

    buf_add_format(&where, "%s NOT IN " PLANTED, name_of(posts, ENGINE_ID));
    if (posts->until_ms != INT64_MAX)
        buf_add_format(&where, " AND %s < %" PRId64, moment(posts, ENGINE_CREATED),
                       posts->until_ms);
    return buf_keep(&where, posts->arena).ptr;
}

/* --- posts --- */

struct posts_asking {
    struct engine_posts *posts;
    engine_take_post *take;
    void *context;
    struct buf mended; /* texts of the post at hand */
};

/* A server keeps whatever bytes it was given. What points into the texts stays: each byte
 * becomes three at most. */
static void mend_texts(struct posts_asking *asking, struct item *post)
{
    struct str *const texts[] = {&post->tags, &post->title, &post->license, &post->body};
    size_t len = 0;

    for (size_t i = 0; i < ROWS_OF(texts); i++)
        len += text_utf8_valid(*texts[i]) ? 0 : 3 * texts[i]->len;
    buf_clear(&asking->mended);
    buf_reserve(&asking->mended, len);
    for (size_t i = 0; i < ROWS_OF(texts) && len > 0; i++) {
        if (text_utf8_valid(*texts[i]))
            continue;
        size_t begin = asking->mended.len;
        asking->posts->replaced += text_utf8_repair(*texts[i], &asking->mended);
        *texts[i] = str_slice(buf_str(&asking->mended), begin, asking->mended.len);
    }
}

static bool take_post(void *context, const struct str *fields, struct err *err)
{
    struct posts_asking *asking = context;
    struct item post;

    engine_posts_read(asking->posts, fields, &post);
    mend_texts(asking, &post);
    return asking->take(asking->context, &post, err);
}

static bool ask_posts(struct posts_asking *asking,
                      const struct engine_rows_wanted *wanted, struct err *err)
{
    struct engine_posts *posts = asking->posts;
    const char *values[ENGINE_COLUMNS];
    struct buf rest = {0};

    for (size_t i = 0; i < ENGINE_COLUMNS; i++)
        values[i] = posts->columns[i].name != NULL && !(posts->brief && i == ENGINE_BODY)
                        ? posts->columns[i].value
                        : "''";
    bool ok = engine_add_from(posts, wanted, false, &rest, err);
    if (posts->ascending)
        buf_add_format(&rest, " ORDER BY %s", name_of(posts, ENGINE_ID));
    ok = ok && engine_ask(posts->engine, values, ENGINE_COLUMNS, buf_str(&rest),
                          take_post, asking, err);
    buf_free(&asking->mended);
    buf_free(&rest);
    return ok;
}

static struct str in_block(const struct engine_posts *posts, enum item_kind kind,
                           struct engine_block block)
{
    const char *id = name_of(posts, ENGINE_ID);
    struct buf range = {0};

    buf_add_format(&range,
                   "%s >= %" PRId64 " AND %s < %" PRId64 " AND %s NOT IN " PLANTED, id,
                   block.from, id, block.to, id);
    if (kind != 0)
        buf_add_format(&range, " AND %s", is_kind(posts, kind));
    return buf_keep(&range, posts->arena);
}

bool engine_posts_block(struct engine_posts *posts, enum item_kind kind,
                        const struct query_node *query, struct engine_block block,
                        engine_take_post *take, void *context, struct err *err)
{
    struct posts_asking asking = {.posts = posts, .take = take, .context = context};
    struct arena_mark mark = arena_mark(posts->arena);
    struct engine_rows_wanted wanted = {in_block(posts, kind, block), &query,
                                        query != NULL};
    bool ok = ask_posts(&asking, &wanted, err);

    arena_rewind(posts->arena, mark);
    return ok;
}

bool engine_posts_blocks(struct engine_posts *posts, enum item_kind kind,
                         const struct query_node *query, int64_t from, int64_t most,
                         struct engine_blocks *out, struct err *err)
{
    struct arena_mark mark = arena_mark(posts->arena);
    struct engine_block all = {.from = from, .to = INT64_MAX};
    struct engine_rows_wanted wanted = {in_block(posts, kind, all), &query,
                                        query != NULL};
    bool ok = engine_find_blocks(posts, name_of(posts, ENGINE_ID), &wanted, most, out, err);

    if (out->at.count > 0 && out->at.at[0].from < from)
        out->at.at[0].from = from;
    arena_rewind(posts->arena, mark);
    return ok;
}

int64_t engine_add_ids(const struct idset *ids, int64_t from, int64_t highest,
                       int64_t most, int64_t *end, struct buf *sql)
{
    int64_t count = 0;

    for (*end = from; *end <= highest && count < most; ++*end)
        if (idset_has(ids, *end))
            buf_add_format(sql, "%s%" PRId64, count++ > 0 ? "," : "", *end);
    return count;
}

bool engine_posts_answers(struct engine_posts *posts, const struct idset *questions,
                          int64_t from, int64_t highest, int64_t most, int64_t *end,
                          engine_take_post *take, void *context, struct err *err)
{
    struct posts_asking asking = {.posts = posts, .take = take, .context = context};
    struct arena_mark mark = arena_mark(posts->arena);
    struct buf where = {0};

    buf_add_format(&where, "%s AND %s NOT IN " PLANTED " AND %s IN (",
                   is_kind(posts, ITEM_ANSWER), name_of(posts, ENGINE_ID),
                   number(posts, ENGINE_PARENT));
    int64_t count = engine_add_ids(questions, from, highest, most, end, &where);
    buf_add_char(&where, ')');
    struct engine_rows_wanted wanted = {.range = buf_str(&where)};
    bool ok = count == 0 || ask_posts(&asking, &wanted, err);
    buf_free(&where);
    arena_rewind(posts->arena, mark);
    return ok;
}

/* --- counts --- */

struct census_asking {
    engine_take_census *take;
    void *context;
};

static bool take_census(void *context, const struct str *fields, struct err *err)
{
    const struct census_asking *asking = context;
    struct engine_census census = {0};
    int64_t *const numbers[] = {&census.year,     &census.questions, &census.accepted,
                                &census.answered, &census.closed,    &census.views,
                                &census.score};
    struct buf tag = {0};
    bool ok = true;

    for (size_t i = 0; i < ROWS_OF(numbers) && ok; i++)
        ok = read_number(fields[i + 1], numbers[i], err);
    text_utf8_repair(fields[0], &tag);
    census.tag = buf_str(&tag);
    ok = ok && asking->take(asking->context, &census, err);
    buf_free(&tag);
    return ok;
}

/* The tags of a post, one after the other; folded: letters of ASCII are small. */
static const char *each_tag(const struct engine_posts *posts, bool folded)
{
    return arena_format(posts->arena,
                        "arrayFilter(x -> x != '', splitByChar('|', "
                        "replaceAll(replaceAll(%s(%s), '<', '|'), '>', '|')))",
                        folded ? "lower" : "", engine_posts_tags(posts))
        .ptr;
}

/* Grouped where the rows are: each shard of a table sends its sums alone. */
bool engine_posts_census(struct engine_posts *posts, engine_take_census *take,
                         void *context, struct err *err)
{
    struct arena *arena = posts->arena;
    const char *created = moment(posts, ENGINE_CREATED);
    const char *const columns[] = {
        arena_format(arena, "arrayJoin(arrayConcat([''], %s)) AS census_tag",
                     each_tag(posts, false))
            .ptr,
        arena_format(arena,
                     "if(%s = 0, 0, toYear(toDateTime(intDiv(%s, 1000)), 'UTC')) AS "
                     "census_year",
                     created, created)
            .ptr,
        "count()",
        arena_format(arena, "sum(toInt64(%s))", has(posts, ENGINE_ACCEPTED)).ptr,
        arena_format(arena, "sum(toInt64(%s > 0))", number(posts, ENGINE_ANSWERS)).ptr,
        arena_format(arena, "sum(toInt64(%s))", has(posts, ENGINE_CLOSED)).ptr,
        arena_format(arena, "sum(%s)", number(posts, ENGINE_VIEWS)).ptr,
        arena_format(arena, "sum(%s)", number(posts, ENGINE_SCORE)).ptr,
    };
    struct census_asking asking = {take, context};
    struct buf rest = {0};

    buf_add_format(&rest,
                   "FROM %.*s WHERE %s AND %s GROUP BY census_year, census_tag ORDER BY "
                   "census_year, census_tag",
                   STR_ARG(posts->table), is_kind(posts, ITEM_QUESTION), counts(posts));
    bool ok = engine_ask(posts->engine, columns, ROWS_OF(columns), buf_str(&rest),
                         take_census, &asking, err);
    buf_free(&rest);
    return ok;
}

/* How many values of a column, of posts of a kind that count, are the number of no post.
 */
static bool count_lost(struct engine_posts *posts, enum item_kind kind,
                       enum engine_column column, int64_t *out, struct err *err)
{
    static const char *const count[] = {"toInt64(count())"};

    *out = 0;
    return name_of(posts, column) == NULL ||
           ask_numbers(
               posts, count, 1,
               arena_format(posts->arena,
                            "%s AND %s AND %s AND %s GLOBAL NOT IN (SELECT toInt64(%s) "
                            "FROM %.*s)",
                            is_kind(posts, kind), counts(posts), has(posts, column),
                            number(posts, column), name_of(posts, ENGINE_ID),
                            STR_ARG(posts->table)),
               out, err);
}

/* Posts that count, by what they are. */
static bool count_posts(struct engine_posts *posts, struct engine_counts *out,
                        struct err *err)
{
    struct arena *arena = posts->arena;
    const char *question = is_kind(posts, ITEM_QUESTION),
               *created = moment(posts, ENGINE_CREATED), *tags = engine_posts_tags(posts);
    int64_t all, *const numbers[] = {&all,
                                     &out->questions,
                                     &out->answers,
                                     &out->no_date,
                                     &out->accepted,
                                     &out->tags_missing,
                                     &out->tags_in_angles,
                                     &out->tags_in_bars,
                                     &out->first_ms,
                                     &out->last_ms};
    const char *const expressions[ROWS_OF(numbers)] = {
        "toInt64(count())",
        arena_format(arena, "toInt64(countIf(%s))", question).ptr,
        arena_format(arena, "toInt64(countIf(%s))", is_kind(posts, ITEM_ANSWER)).ptr,
        arena_format(arena, "toInt64(countIf(%s = 0))", created).ptr,
        arena_format(arena, "toInt64(countIf(%s AND %s))", question,
                     has(posts, ENGINE_ACCEPTED))
            .ptr,
        arena_format(arena, "toInt64(countIf(%s AND empty(%s)))", question, tags).ptr,
        arena_format(arena, "toInt64(countIf(%s AND position(%s, '<') > 0))", question,
                     tags)
            .ptr,
        arena_format(arena, "toInt64(countIf(%s AND position(%s, '|') > 0))", question,
                     tags)
            .ptr,
        arena_format(arena, "minIf(%s, %s != 0)", created, created).ptr,
        arena_format(arena, "max(%s)", created).ptr,
    };
    int64_t found[ROWS_OF(numbers)];

    if (!ask_numbers(posts, expressions, ROWS_OF(expressions), str_from(counts(posts)),
                     found, err))
        return false;
    for (size_t i = 0; i < ROWS_OF(numbers); i++)
        *numbers[i] = found[i];
    out->others = all - out->questions - out->answers;
    out->late = out->rows - out->planted - all;
    if (out->last_ms == 0)
        out->first_ms = out->last_ms = ITEM_NONE;
    return true;
}

bool engine_posts_extent(struct engine_posts *posts, struct engine_counts *out,
                         struct err *err)
{
    const char *id = name_of(posts, ENGINE_ID);
    const char *const expressions[] = {
        "toInt64(count())",
        arena_format(posts->arena, "toInt64(uniqExact(%s))", id).ptr,
        arena_format(posts->arena, "toInt64(maxIf(%s, %s NOT IN " PLANTED "))", id, id)
            .ptr,
        arena_format(posts->arena, "toInt64(countIf(%s IN " PLANTED "))", id).ptr,
    };
    int64_t found[ROWS_OF(expressions)];

    *out = (struct engine_counts){0};
    if (!ask_numbers(posts, expressions, ROWS_OF(expressions), (struct str){0}, found,
                     err))
        return false;
    out->rows = found[0];
    out->ids = found[1];
    out->highest = found[2];
    out->planted = found[3];
    return true;
}

bool engine_posts_check(const struct engine_posts *posts,
                        const struct engine_counts *counts, struct err *err)
{
    if (counts->rows == 0)
        return err_set(err, ERR_INPUT, "the table %.*s has no posts",
                       STR_ARG(posts->table));
    if (counts->rows != counts->ids)
        return err_set(
            err, ERR_INPUT,
            "the table %.*s has %lld rows for %lld posts; expected one of each: "
            "name a view or table without the older ones",
            STR_ARG(posts->table), (long long)counts->rows, (long long)counts->ids);
    return true;
}

bool engine_posts_counts(struct engine_posts *posts, struct engine_counts *out,
                         struct err *err)
{
    return engine_posts_extent(posts, out, err) && count_posts(posts, out, err) &&
           count_lost(posts, ITEM_ANSWER, ENGINE_PARENT, &out->orphans, err) &&
           count_lost(posts, ITEM_QUESTION, ENGINE_ACCEPTED, &out->accepted_missing, err);
}

/* --- how many meet a query --- */

struct tally_asking {
    engine_take_tally *take;
    void *context;
};

static bool take_tally(void *context, const struct str *fields, struct err *err)
{
    const struct tally_asking *asking = context;
    struct buf key = {0};
    int64_t count = 0;

    text_utf8_repair(fields[0], &key);
    bool ok = read_number(fields[1], &count, err) &&
              asking->take(asking->context, buf_str(&key), count, err);
    buf_free(&key);
    return ok;
}

/* What posts are counted by; NULL: it cannot be said. */
static const char *tally_key(const struct engine_posts *posts,
                             const struct engine_tells *tells, struct engine_by by)
{
    const char *number = tells->numbers[by.field];

    switch (by.is) {
    case ENGINE_BY_ALL:
        return "''";
    case ENGINE_BY_TAG:
        return arena_format(posts->arena, "arrayJoin(%s)", each_tag(posts, false)).ptr;
    case ENGINE_BY_DAY: /* the one before, where a moment is before 1970 */
        return number == NULL
                   ? NULL
                   : arena_format(posts->arena,
                                  "intDiv(%s - if(%s < 0, %" PRId64 ", 0), %" PRId64 ")",
                                  number, number, DATE_DAY_MS - 1, DATE_DAY_MS)
                         .ptr;
    default:
        return number;
    }
}

bool engine_posts_tally(struct engine_posts *posts, const struct query_node *query,
                        struct engine_by by, bool *said, engine_take_tally *take,
                        void *context, struct err *err)
{
    struct tally_asking asking = {take, context};
    struct engine_tells tells = engine_posts_tell(posts);
    const char *key = tally_key(posts, &tells, by);
    const char *const columns[] = {
        arena_format(posts->arena, "%s AS tally_key", key != NULL ? key : "").ptr,
        "toInt64(count())"};
    struct buf rest = {0};
    bool ok = true;

    buf_add_format(&rest, "FROM %.*s WHERE %s NOT IN " PLANTED " AND ",
                   STR_ARG(posts->table), name_of(posts, ENGINE_ID));
    *said = key != NULL && engine_add_exact(&tells, query, posts->arena, &rest);
    if (by.is != ENGINE_BY_ALL)
        buf_add(&rest, STR(" GROUP BY tally_key"));
    if (*said)
        ok = engine_ask(posts->engine, columns, ROWS_OF(columns), buf_str(&rest),
                        take_tally, &asking, err);
    buf_free(&rest);
    return ok;
}

/* --- how questions are tagged --- */

/* "['a','b']" */
static void add_texts(struct buf *sql, const struct query_synonym *pairs, bool of,
                      size_t count)
{
    buf_add_char(sql, '[');
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            buf_add_char(sql, ',');
        engine_add_text(sql, of ? pairs[i].of : pairs[i].tag);
    }
    buf_add_char(sql, ']');
}

/* "x is one of these"; by a table that is made once, whatever their number. */
static void add_among(struct buf *sql, const struct str *tags, size_t count)
{
    buf_add(sql, STR("transform(x, ["));
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            buf_add_char(sql, ',');
        engine_add_text(sql, tags[i]);
    }
    buf_add(sql, STR("], ["));
    for (size_t i = 0; i < count; i++)
        buf_add(sql, i > 0 ? STR(",1") : STR("1"));
    buf_add(sql, STR("], 0) = 1"));
}

/* Whether a question has a seed tag. */
static const char *seeded(const struct engine_posts *posts,
                          const struct engine_tagging *tagging)
{
    struct str *whole = arena_array(posts->arena, struct str, tagging->seed_count + 1);
    struct buf sql = {0};
    size_t count = 0;

    buf_add(&sql, STR("arrayExists(x -> 0"));
    for (size_t i = 0; i < tagging->seed_count; i++) {
        struct str seed = tagging->seeds[i];
        if (!str_ends(seed, STR("*"))) {
            whole[count++] = seed;
            continue;
        }
        seed.len--;
        buf_add_format(&sql, " OR substring(x, 1, %zu) = ", seed.len);
        engine_add_text(&sql, seed);
    }
    if (count > 0) {
        buf_add(&sql, STR(" OR "));
        add_among(&sql, whole, count);
    }
    buf_add_format(&sql, ", %s)", each_tag(posts, true));
    return buf_keep(&sql, posts->arena).ptr;
}

/* The tags of a question, each once and synonyms as what they are of. */
static const char *meant(const struct engine_posts *posts,
                         const struct engine_tagging *tagging)
{
    size_t count;
    const struct query_synonym *all = query_synonyms_all(tagging->synonyms, &count);
    const char *tags = each_tag(posts, true);
    struct buf sql = {0};

    if (count == 0)
        return arena_format(posts->arena, "arrayDistinct(%s)", tags).ptr;
    buf_add(&sql, STR("arrayDistinct(arrayMap(x -> transform(x, "));
    add_texts(&sql, all, false, count);
    buf_add(&sql, STR(", "));
    add_texts(&sql, all, true, count);
    buf_add_format(&sql, ", x), %s))", tags);
    return buf_keep(&sql, posts->arena).ptr;
}

/* "FROM table WHERE it is a question that meets the query"; false: that cannot be said.
 */
static bool add_questions(const struct engine_posts *posts,
                          const struct query_node *query, struct buf *sql)
{
    struct engine_tells tells = engine_posts_tell(posts);

    buf_add_format(sql, "FROM %.*s WHERE %s AND %s AND ", STR_ARG(posts->table),
                   is_kind(posts, ITEM_QUESTION), counts(posts));
    return engine_add_exact(&tells, query, posts->arena, sql);
}

struct tags_asking {
    engine_take_tag *take;
    void *context;
};

static bool take_tag(void *context, const struct str *fields, struct err *err)
{
    const struct tags_asking *asking = context;
    int64_t questions, with_seed;

    return read_number(fields[1], &questions, err) &&
           read_number(fields[2], &with_seed, err) &&
           asking->take(asking->context, fields[0], questions, with_seed, err);
}

bool engine_posts_tagged(struct engine_posts *posts, const struct engine_tagging *tagging,
                         bool *said, engine_take_tag *take, void *context,
                         struct err *err)
{
    struct tags_asking asking = {take, context};
    const char *const columns[] = {
        arena_format(posts->arena, "arrayJoin(arrayConcat([''], %s)) AS tagged",
                     meant(posts, tagging))
            .ptr,
        "toInt64(count())",
        arena_format(posts->arena, "toInt64(sum(%s))", seeded(posts, tagging)).ptr};
    struct buf rest = {0};
    bool ok = true;

    *said = add_questions(posts, tagging->query, &rest);
    buf_add(&rest, STR(" GROUP BY tagged ORDER BY tagged"));
    if (*said)
        ok = engine_ask(posts->engine, columns, ROWS_OF(columns), buf_str(&rest),
                        take_tag, &asking, err);
    buf_free(&rest);
    return ok;
}

bool engine_posts_together(struct engine_posts *posts,
                           const struct engine_tagging *tagging, const struct str *tags,
                           size_t tag_count, engine_take_tally *take, void *context,
                           struct err *err)
{
    struct tally_asking asking = {take, context};
    struct buf only = {0}, rest = {0};

    if (tag_count == 0)
        return true;
    buf_add(&only, STR("arrayStringConcat(arraySort(arrayFilter(x -> "));
    add_among(&only, tags, tag_count);
    buf_add_format(&only, ", %s)), '|') AS tagged", meant(posts, tagging));
    const char *const columns[] = {buf_keep(&only, posts->arena).ptr, "toInt64(count())"};
    bool ok = add_questions(posts, tagging->query, &rest);
    buf_add_format(&rest, " AND NOT %s AND tagged != '' GROUP BY tagged ORDER BY tagged",
                   seeded(posts, tagging));
    ok = ok && engine_ask(posts->engine, columns, ROWS_OF(columns), buf_str(&rest),
                          take_tally, &asking, err);
    buf_free(&rest);
    return ok;
}

bool engine_posts_state(struct engine_posts *posts, int64_t out[ENGINE_STATE],
                        struct err *err)
{
    struct arena *arena = posts->arena;
    const char *const expressions[ENGINE_STATE] = {
        "toInt64(count())",
        arena_format(arena, "toInt64(max(%s))", name_of(posts, ENGINE_ID)).ptr,
        arena_format(arena, "max(%s)", moment(posts, ENGINE_CREATED)).ptr,
        arena_format(arena, "max(%s)", moment(posts, ENGINE_LASTACTIVE)).ptr,
        arena_format(arena, "sum(%s)", number(posts, ENGINE_SCORE)).ptr,
        arena_format(arena, "sum(%s)", number(posts, ENGINE_VIEWS)).ptr,
    };

    return ask_numbers(posts, expressions, ENGINE_STATE, (struct str){0}, out, err);
}

bool engine_posts_hash(struct engine_posts *posts, uint64_t hash[2], struct err *err)
{
    int64_t state[ENGINE_STATE];
    struct buf sum = {0};
    int64_t found;

    buf_add(&sum, STR("toInt64(sum(cityHash64("));
    for (size_t i = 0; i < ENGINE_BODY; i++)
        buf_add_format(&sum, "%sifNull(%s, '')", i > 0 ? ", " : "",
                       posts->columns[i].name != NULL ? posts->columns[i].value : "''");
    buf_add(&sum, STR(")))"));
    const char *const expressions[] = {buf_keep(&sum, posts->arena).ptr};
    if (!ask_numbers(posts, expressions, 1, (struct str){0}, &found, err) ||
        !engine_posts_state(posts, state, err))
        return false;
    hash[0] = (uint64_t)found;
    hash[1] = XXH3_64bits(state, sizeof state);
    return true;
}
