/* What stands beside the items: where they come from, what hangs on them, what the
 * sources are like as a whole. These tables are sealed when the corpus is complete: each
 * is compared with its seal before it is first read. */
#include <stddef.h>
#include <string.h>
#include <xxhash.h>

#include "base/list.h"
#include "store/internal.h"

/* --- writing --- */

/* A row of numbers and, behind them, texts. */
static bool add_row(struct store *corpus, int which, const int64_t *numbers, size_t count,
                    const struct str *texts, size_t text_count, struct err *err)
{
    sqlite3_stmt *statement = store_ready(corpus, which, err);

    if (statement == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        store_bind_number(statement, (int)i + 1, numbers[i]);
    for (size_t i = 0; i < text_count; i++)
        store_bind_text(statement, (int)(count + i) + 1, texts[i]);
    return store_step(corpus, statement, err);
}

bool store_add_key(struct store *corpus, int64_t item, struct str key, struct err *err)
{
    return add_row(corpus, STORE_KEY, &item, 1, &key, 1, err);
}

bool store_add_alias(struct store *corpus, int64_t item, struct str key, struct err *err)
{
    return add_row(corpus, STORE_ALIAS, &item, 1, &key, 1, err);
}

bool store_add_origin(struct store *corpus, int64_t item, int64_t source, struct err *err)
{
    const int64_t numbers[] = {item, source};

    return add_row(corpus, STORE_ORIGIN, numbers, ROWS_OF(numbers), NULL, 0, err);
}

bool store_add_late(struct store *corpus, int64_t answer, int64_t question,
                    struct err *err)
{
    const int64_t numbers[] = {answer, question};

    return add_row(corpus, STORE_LATE, numbers, ROWS_OF(numbers), NULL, 0, err);
}

bool store_add_field(struct store *corpus, int64_t item, struct str name,
                     struct str value, struct err *err)
{
    const struct str texts[] = {name, value};

    return value.len == 0 || add_row(corpus, STORE_FIELD, &item, 1, texts, 2, err);
}

/* Numbers come first in the structs of these rows, then texts, and nothing in between. */
#define LIES(type, member, numbers, texts) \
    _Static_assert(offsetof(struct type, member) == \
                       (numbers) * sizeof(int64_t) + (texts) * sizeof(struct str), \
                   #type " is stored as it lies")
LIES(store_comment, text, 5, 0);
LIES(store_user, name, 3, 0);
LIES(store_link, created_ms, 4, 0);
LIES(store_vote, created_ms, 3, 0);
LIES(store_history, user, 4, 0);
LIES(store_badge, name, 3, 0);
LIES(store_source, settings, 1, 2);
LIES(store_file, hash, 2, 1);
LIES(store_census, tag, 8, 0);

bool store_add(struct store *corpus, enum store_beside which, const void *row,
               struct err *err)
{
    enum { NUMBERS_MAX = 8, TEXTS_MAX = 3 };
    static const struct {
        size_t numbers, texts;
    } have[STORE_BESIDES] = {
        [STORE_COMMENT] = {5, 1}, [STORE_USER] = {3, 1},    [STORE_LINK] = {5, 0},
        [STORE_VOTE] = {4, 0},    [STORE_HISTORY] = {5, 0}, [STORE_BADGE] = {3, 1},
        [STORE_SOURCE] = {1, 3},  [STORE_FILE] = {2, 2},    [STORE_CENSUS] = {8, 1},
    };
    size_t number_count = have[which].numbers, text_count = have[which].texts;
    int64_t numbers[NUMBERS_MAX];
    struct str texts[TEXTS_MAX];

    memcpy(numbers, row, number_count * sizeof *numbers);
    memcpy(texts, (const char *)row + number_count * sizeof *numbers,
           text_count * sizeof *texts);
    return add_row(corpus, (int)which, numbers, number_count, texts, text_count, err);
}

bool store_note_span(struct store *corpus, size_t source, struct store_span span,
                     struct err *err)
{
    const int64_t numbers[] = {(int64_t)source, span.first_ms, span.last_ms};

    return span.last_ms == ITEM_NONE ||
           add_row(corpus, STORE_SPAN, numbers, ROWS_OF(numbers), NULL, 0, err);
}

bool store_set_health(struct store *corpus, struct str finding, struct str value,
                      struct err *err)
{
    const struct str texts[] = {finding, value};

    return add_row(corpus, STORE_HEALTH, NULL, 0, texts, ROWS_OF(texts), err);
}

/* --- seals --- */

/* The statement that gives all rows of a table, in the order of its key. */
static const struct {
    const char *name, *sql;
} tables[STORE_TABLES] = {
    [STORE_TABLE_KEY] = {"key", "SELECT * FROM key ORDER BY id"},
    [STORE_TABLE_ALIAS] = {"alias", "SELECT * FROM alias ORDER BY id, text"},
    [STORE_TABLE_ORIGIN] = {"origin", "SELECT * FROM origin ORDER BY item, source"},
    [STORE_TABLE_LATE] = {"late", "SELECT * FROM late ORDER BY answer"},
    [STORE_TABLE_FIELD] = {"field", "SELECT * FROM field ORDER BY item, name"},
    [STORE_TABLE_COMMENT] = {"comment", "SELECT * FROM comment ORDER BY id"},
    [STORE_TABLE_USER] = {"user", "SELECT * FROM user ORDER BY id"},
    [STORE_TABLE_LINK] = {"link", "SELECT * FROM link ORDER BY id"},
    /* Older corpora do not know when a source begins, and have seals without it. */
    [STORE_TABLE_SOURCE] =
        {"source",
         "SELECT number, name, kind, settings, ms FROM (SELECT number, name, kind, "
         "settings, last_ms AS ms, 0 AS part FROM source UNION ALL SELECT number, '', "
         "'', '', first_ms, 1 FROM source WHERE first_ms IS NOT NULL) ORDER BY part, "
         "number"},
    [STORE_TABLE_FILE] = {"source_file",
                          "SELECT * FROM source_file ORDER BY source, number"},
    [STORE_TABLE_CENSUS] = {"census", "SELECT * FROM census ORDER BY source, year, tag"},
    [STORE_TABLE_HEALTH] = {"health", "SELECT * FROM health ORDER BY finding"},
};

static uint64_t sum_of_row(sqlite3_stmt *row)
{
    uint64_t sum = 0;

    for (int i = 0; i < sqlite3_column_count(row); i++) {
        const void *bytes = sqlite3_column_blob(row, i);
        int64_t head[2] = {sqlite3_column_type(row, i), sqlite3_column_bytes(row, i)};
        sum = XXH3_64bits_withSeed(head, sizeof head, sum);
        if (head[1] > 0)
            sum = XXH3_64bits_withSeed(bytes, (size_t)head[1], sum);
    }
    return sum;
}

/* The order of rows counts as well. */
static bool total_row(void *context, sqlite3_stmt *row, struct err *err)
{
    struct store_total *total = context;
    uint64_t sums[2] = {total->sum, sum_of_row(row)};

    (void)err;
    total->rows++;
    total->sum = XXH3_64bits(sums, sizeof sums);
    return true;
}

static bool total_table(struct store *corpus, enum store_table table,
                        struct store_total *out, struct err *err)
{
    *out = (struct store_total){0};
    return store_each(corpus, store_prepare(corpus, tables[table].sql), total_row, out,
                      err);
}

bool store_seal(struct store *corpus, unsigned which, struct err *err)
{
    for (int i = 0; i < STORE_TABLES; i++) {
        struct store_total total;
        if (!(which >> i & 1))
            continue;
        if (!total_table(corpus, (enum store_table)i, &total, err))
            return false;
        sqlite3_stmt *statement =
            store_prepare(corpus, "INSERT OR REPLACE INTO seal VALUES (?1, ?2, ?3)");
        if (statement == NULL)
            return store_failed(corpus, err);
        store_bind_text(statement, 1, str_from(tables[i].name));
        sqlite3_bind_int64(statement, 2, total.rows);
        sqlite3_bind_int64(statement, 3, (int64_t)total.sum);
        bool ok = store_step(corpus, statement, err);
        sqlite3_finalize(statement);
        if (!ok)
            return false;
    }
    return true;
}

static bool take_seal(void *context, sqlite3_stmt *row, struct err *err)
{
    struct store_total *seal = context;

    (void)err;
    *seal = (struct store_total){sqlite3_column_int64(row, 0),
                                 (uint64_t)sqlite3_column_int64(row, 1)};
    return true;
}

/* The rows of a table against its seal, the first time it is asked for. */
static bool check(struct store *corpus, enum store_table table, struct err *err)
{
    struct store_total total, seal = {.rows = -1};
    char what[80];

    /* A corpus that grows is not sealed yet. */
    if (corpus->checked[table] || corpus->final_path != NULL)
        return true;
    sqlite3_stmt *statement =
        store_prepare(corpus, "SELECT row_count, sum FROM seal WHERE name = ?1");
    if (statement != NULL)
        store_bind_text(statement, 1, str_from(tables[table].name));
    if (!store_each(corpus, statement, take_seal, &seal, err) ||
        !total_table(corpus, table, &total, err))
        return false;
    corpus->checked[table] = seal.rows == total.rows && seal.sum == total.sum;
    sqlite3_snprintf(sizeof what, what, "its table '%s' is not as it was written",
                     tables[table].name);
    return corpus->checked[table] || store_damaged(corpus, what, err);
}

/* --- reading --- */

/* Rows of these sealed tables, a bit each; a statement that has ?1 gets the id for it. */
static bool each(struct store *corpus, unsigned sealed, const char *sql, int64_t id,
                 bool (*take)(void *context, sqlite3_stmt *row, struct err *err),
                 void *context, struct err *err)
{
    for (int i = 0; i < STORE_TABLES; i++)
        if (sealed >> i & 1 && !check(corpus, (enum store_table)i, err))
            return false;
    sqlite3_stmt *statement = store_prepare_kept(corpus, sql);
    if (statement != NULL && sqlite3_bind_parameter_count(statement) > 0)
        sqlite3_bind_int64(statement, 1, id);
    return store_each(corpus, statement, take, context, err);
}

/* What is called for each row. */
struct taking {
    union {
        store_take_text *text;
        store_take_pair *pair;
        store_take_census *census;
        store_take_file *file;
        store_take_comment *comment;
        store_take_field *field;
    };
    void *context;
};

static bool take_text(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct taking *taking = context;

    return taking->text(taking->context, store_number(row, 0), store_column(row, 1), err);
}

bool store_origins(struct store *corpus, store_take_text *take, void *context,
                   struct err *err)
{
    struct taking taking = {.text = take, .context = context};

    return each(corpus, 1u << STORE_TABLE_ORIGIN | 1u << STORE_TABLE_SOURCE,
                "SELECT origin.item, source.name FROM origin CROSS JOIN source ON "
                "source.number = origin.source ORDER BY origin.item, origin.source",
                0, take_text, &taking, err);
}

static bool take_pair(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct taking *taking = context;

    return taking->pair(taking->context, store_number(row, 0), store_number(row, 1), err);
}

bool store_late(struct store *corpus, store_take_pair *take, void *context,
                struct err *err)
{
    struct taking taking = {.pair = take, .context = context};

    return each(corpus, 1u << STORE_TABLE_LATE,
                "SELECT answer, question FROM late ORDER BY answer", 0, take_pair,
                &taking, err);
}

bool store_field(struct store *corpus, struct str name, store_take_text *take,
                 void *context, struct err *err)
{
    struct taking taking = {.text = take, .context = context};

    if (!check(corpus, STORE_TABLE_FIELD, err))
        return false;
    sqlite3_stmt *statement = store_prepare(
        corpus, "SELECT item, value FROM field WHERE name = ?1 ORDER BY item");
    if (statement != NULL)
        store_bind_text(statement, 1, name);
    return store_each(corpus, statement, take_text, &taking, err);
}

struct catalogue_names {
    struct arena *arena;
    LIST(struct item_name) list;
};

static bool take_name(void *context, int64_t id, struct str text, struct err *err)
{
    struct catalogue_names *names = context;

    (void)err;
    list_add(&names->list, ((struct item_name){id, arena_copy(names->arena, text)}));
    return true;
}

bool store_names(struct store *corpus, struct arena *arena, struct item_name **out,
                 size_t *count, struct err *err)
{
    struct catalogue_names names = {.arena = arena};
    struct taking taking = {.text = take_name, .context = &names};
    bool ok = each(corpus, 1u << STORE_TABLE_KEY | 1u << STORE_TABLE_ALIAS,
                   "SELECT id, text FROM (SELECT id, 0 AS place, text FROM key UNION ALL "
                   "SELECT id, 1, text FROM alias) ORDER BY id, place, text",
                   0, take_text, &taking, err);

    *out = list_copy(&names.list, arena);
    *count = names.list.count;
    list_free(&names.list);
    return ok;
}

static bool take_comment(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct taking *taking = context;
    struct store_comment comment = {store_number(row, 0), store_number(row, 1),
                                    store_number(row, 2), store_number(row, 3),
                                    store_number(row, 4), store_column(row, 5)};

    return taking->comment(taking->context, &comment, err);
}

bool store_comments_on(struct store *corpus, int64_t item, store_take_comment *take,
                       void *context, struct err *err)
{
    struct taking taking = {.comment = take, .context = context};

    return each(
        corpus, 1u << STORE_TABLE_COMMENT,
        "SELECT id, item, created_ms, score, user, text FROM comment WHERE item = "
        "?1 ORDER BY created_ms, id",
        item, take_comment, &taking, err);
}

bool store_comments(struct store *corpus, store_take_comment *take, void *context,
                    struct err *err)
{
    struct taking taking = {.comment = take, .context = context};

    return each(corpus, 1u << STORE_TABLE_COMMENT,
                "SELECT id, item, created_ms, score, user, text FROM comment ORDER BY id",
                0, take_comment, &taking, err);
}

bool store_reputations(struct store *corpus, store_take_pair *take, void *context,
                       struct err *err)
{
    struct taking taking = {.pair = take, .context = context};

    return each(corpus, 1u << STORE_TABLE_USER, "SELECT id, reputation FROM user", 0,
                take_pair, &taking, err);
}

bool store_links(struct store *corpus, store_take_pair *take, void *context,
                 struct err *err)
{
    struct taking taking = {.pair = take, .context = context};

    return each(corpus, 1u << STORE_TABLE_LINK, "SELECT item, type FROM link", 0,
                take_pair, &taking, err);
}

static bool take_field(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct taking *taking = context;

    return taking->field(taking->context, store_column(row, 0), store_column(row, 1),
                         err);
}

bool store_fields_of(struct store *corpus, int64_t item, store_take_field *take,
                     void *context, struct err *err)
{
    struct taking taking = {.field = take, .context = context};

    return each(corpus, 1u << STORE_TABLE_FIELD,
                "SELECT name, value FROM field WHERE item = ?1 ORDER BY name", item,
                take_field, &taking, err);
}

static bool take_file(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct taking *taking = context;
    struct store_file file = {store_number(row, 0), store_number(row, 1),
                              store_column(row, 2), store_column(row, 3)};

    return taking->file(taking->context, &file, err);
}

bool store_files(struct store *corpus, store_take_file *take, void *context,
                 struct err *err)
{
    struct taking taking = {.file = take, .context = context};

    return each(corpus, 1u << STORE_TABLE_FILE,
                "SELECT source, number, path, hash FROM source_file ORDER BY source, "
                "number",
                0, take_file, &taking, err);
}

static bool take_span(void *context, sqlite3_stmt *row, struct err *err)
{
    (void)err;
    *(struct store_span *)context =
        (struct store_span){store_number(row, 0), store_number(row, 1)};
    return true;
}

bool store_source_span(struct store *corpus, size_t source, struct store_span *out,
                       struct err *err)
{
    *out = (struct store_span){ITEM_NONE, ITEM_NONE};
    return each(corpus, 1u << STORE_TABLE_SOURCE,
                "SELECT first_ms, last_ms FROM source WHERE number = ?1", (int64_t)source,
                take_span, out, err);
}

static bool take_census(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct taking *taking = context;
    struct store_census census = {.year = store_number(row, 0),
                                  .questions = store_number(row, 1),
                                  .accepted = store_number(row, 2),
                                  .answered = store_number(row, 3),
                                  .closed = store_number(row, 4),
                                  .views = store_number(row, 5),
                                  .score = store_number(row, 6),
                                  .tag = store_column(row, 7)};

    return taking->census(taking->context, &census, err);
}

bool store_census(struct store *corpus, int64_t source, store_take_census *take,
                  void *context, struct err *err)
{
    struct taking taking = {.census = take, .context = context};

    return each(corpus, 1u << STORE_TABLE_CENSUS,
                "SELECT year, sum(questions), sum(accepted), sum(answered), sum(closed), "
                "sum(views), sum(score), tag FROM census WHERE ?1 < 0 OR source = ?1 "
                "GROUP BY year, tag ORDER BY year, tag",
                source, take_census, &taking, err);
}

/* --- the health report --- */

struct findings {
    struct result_health *out;
    struct arena *arena;
};

static bool take_finding(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct findings *findings = context;

    (void)err;
    result_health_add(findings->out, store_column(row, 0), store_column(row, 1),
                      findings->arena);
    return true;
}

bool store_findings(struct store *corpus, struct arena *arena, struct result_health *out,
                    struct err *err)
{
    *out = (struct result_health){0};
    return each(corpus, 1u << STORE_TABLE_HEALTH,
                "SELECT finding, value FROM health ORDER BY finding", 0, take_finding,
                &(struct findings){out, arena}, err);
}

bool store_health(struct store *corpus, struct buf *out, struct err *err)
{
    struct arena arena = {0};
    struct result_health health;
    bool ok = store_findings(corpus, &arena, &health, err);

    result_health_markdown(&health, out);
    arena_free(&arena);
    return ok;
}

/* --- hashes --- */

static bool hash_row(void *context, sqlite3_stmt *row, struct err *err)
{
    uint64_t sum = sum_of_row(row);

    (void)err;
    XXH3_64bits_update(context, &sum, sizeof sum);
    return true;
}

/* What the statements give, behind `before`. */
static bool hash_rows(struct store *corpus, struct str before, const char *const *sql,
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

bool store_sources_hash(struct store *corpus, struct str also, uint64_t *hash,
                        struct err *err)
{
    static const char *const sources[] = {
        "SELECT number, name, kind, settings FROM source ORDER BY number",
        "SELECT source, number, hash FROM source_file ORDER BY source, number",
    };

    return check(corpus, STORE_TABLE_SOURCE, err) &&
           check(corpus, STORE_TABLE_FILE, err) &&
           hash_rows(corpus, also, sources, ROWS_OF(sources), hash, err);
}

/* --- counts --- */

#define CENSUS(column) "SELECT ifnull(sum(" column "), 0) FROM census WHERE tag = ''"

void store_counts_add(const struct store_counts *counts, struct buf *out)
{
    for (int kind = ITEM_ROW + 1; kind < ITEM_KINDS; kind++)
        if (counts->kinds[kind] > 0)
            buf_add_format(out, ", %lld %.*s%s", (long long)counts->kinds[kind],
                           STR_ARG(item_kind_name((enum item_kind)kind)),
                           counts->kinds[kind] == 1 ? "" : "s");
}

static bool take_kind(void *context, sqlite3_stmt *row, struct err *err)
{
    int64_t kind = sqlite3_column_int64(row, 0);

    (void)err;
    if (kind > 0 && kind < ITEM_KINDS)
        ((struct store_counts *)context)->kinds[kind]++;
    return true;
}

bool store_counts(struct store *corpus, struct store_counts *out, struct err *err)
{
    const struct {
        const char *sql;
        int64_t *value;
    } counts[] = {
        {"SELECT count(*) FROM comment", &out->comments},
        {"SELECT count(*) FROM user", &out->users},
        {"SELECT count(*) FROM link", &out->links},
        {"SELECT count(*) FROM vote", &out->votes},
        {"SELECT count(*) FROM history", &out->history},
        {"SELECT count(*) FROM badge", &out->badges},
        {CENSUS("questions"), &out->census_questions},
        {CENSUS("accepted"), &out->census_accepted},
    };

    memset(out->kinds, 0, sizeof out->kinds);
    if (corpus->servers.items != NULL
            ? !store_servers_count(corpus, out->kinds, err)
            : !each(corpus, 0, "SELECT kind FROM item", 0, take_kind, out, err))
        return false;
    out->questions = out->kinds[ITEM_QUESTION];
    out->answers = out->kinds[ITEM_ANSWER];
    out->rows = out->kinds[ITEM_ROW];
    for (size_t i = 0; i < ROWS_OF(counts); i++)
        if (!store_count(corpus, counts[i].sql, counts[i].value, err))
            return false;
    struct store_total written;
    int64_t items = 0;
    for (int kind = 0; kind < ITEM_KINDS; kind++)
        items += out->kinds[kind];
    return check(corpus, STORE_TABLE_CENSUS, err) &&
           store_written(corpus, &written, err) &&
           (written.rows == items || store_damaged(corpus, STORE_ITEMS_MISSING, err));
}

bool store_doubts(struct store *corpus, int64_t *too_old, int64_t *missing,
                  int64_t *several, struct err *err)
{
    if (!store_count(corpus,
                     "SELECT count(*) FROM (SELECT 1 FROM origin GROUP BY item HAVING "
                     "count(*) > 1)",
                     several, err))
        return false;
    if (corpus->servers.items != NULL)
        return store_servers_doubts(corpus, too_old, missing, err);
    return store_count(corpus,
                       "SELECT count(*) FROM item q LEFT JOIN item a ON a.id = "
                       "q.accepted WHERE ifnull(q.accepted_ms, a.created_ms) < "
                       "q.created_ms",
                       too_old, err) &&
           store_count(corpus,
                       "SELECT count(*) FROM item q WHERE q.accepted NOT NULL AND "
                       "q.accepted <> 0 AND NOT EXISTS (SELECT 1 FROM item a WHERE a.id "
                       "= q.accepted) AND NOT EXISTS (SELECT 1 FROM late WHERE "
                       "answer = q.accepted)",
                       missing, err);
}

struct catalogue_ids {
    struct idset *posts, *owners; /* NULL: not wanted */
};

static bool take_ids(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct catalogue_ids *ids = context;

    (void)err;
    idset_add(ids->posts, item_number(sqlite3_column_int64(row, 0)));
    if (ids->owners != NULL)
        idset_add(ids->owners, item_number(store_number(row, 1)));
    return true;
}

/* Ids of a space are one run of the primary key. */
static bool each_in_space(struct store *corpus, const char *sql, size_t space,
                          struct catalogue_ids *ids, struct err *err)
{
    sqlite3_stmt *statement = store_prepare(corpus, sql);

    if (statement != NULL) {
        sqlite3_bind_int64(statement, 1, item_id(space, -ITEM_NUMBER_LIMIT));
        sqlite3_bind_int64(statement, 2, item_id(space, ITEM_NUMBER_LIMIT));
    }
    return store_each(corpus, statement, take_ids, ids, err);
}

bool store_question_ids(struct store *corpus, size_t space, struct idset *ids,
                        struct err *err)
{
    if (corpus->servers.items != NULL)
        return store_servers_ids(corpus, space, 1u << ITEM_QUESTION, ids, NULL, err);
    return each_in_space(corpus,
                         "SELECT id FROM item WHERE id >= ?1 AND id < ?2 AND kind = 1",
                         space, &(struct catalogue_ids){ids, NULL}, err);
}

bool store_post_ids(struct store *corpus, size_t space, struct idset *posts,
                    struct idset *owners, struct err *err)
{
    if (corpus->servers.items != NULL)
        return store_servers_ids(corpus, space, 1u << ITEM_QUESTION | 1u << ITEM_ANSWER,
                                 posts, owners, err);
    return each_in_space(
        corpus,
        "SELECT id, owner FROM item WHERE id >= ?1 AND id < ?2 AND kind IN (1, 2)", space,
        &(struct catalogue_ids){posts, owners}, err);
}
