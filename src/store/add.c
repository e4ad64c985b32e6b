/* Entering rows: one prepared statement a table. */
#include <sqlite3.h>

#include "base/date.h"
#include "store/internal.h"
#include "text/markup.h"

static const char *const statements[STORE_STATEMENTS] = {
    [STORE_POST] = "INSERT OR IGNORE INTO post (id, type, parent, accepted, accepted_ms, "
                   "created_ms, closed_ms, score, views, answers, comments, favorites, "
                   "owner, tags, title, body, prose, code, code_blocks, license) VALUES "
                   "(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,"
                   "?20)",
    [STORE_TAG] = "INSERT OR IGNORE INTO tag (post, name) VALUES (?1,?2)",
    [STORE_COMMENT] = "INSERT OR IGNORE INTO comment (id, post, created_ms, score, user, "
                      "text) VALUES (?1,?2,?3,?4,?5,?6)",
    [STORE_USER] = "INSERT OR IGNORE INTO user (id, created_ms, reputation, name) VALUES "
                   "(?1,?2,?3,?4)",
    [STORE_LINK] = "INSERT OR IGNORE INTO link (id, post, related, type, created_ms) "
                   "VALUES (?1,?2,?3,?4,?5)",
    [STORE_VOTE] = "INSERT OR IGNORE INTO vote (id, post, type, created_ms) VALUES "
                   "(?1,?2,?3,?4)",
    [STORE_HISTORY] = "INSERT OR IGNORE INTO history (id, post, type, created_ms, user) "
                      "VALUES (?1,?2,?3,?4,?5)",
    [STORE_BADGE] = "INSERT OR IGNORE INTO badge (id, user, created_ms, name) VALUES "
                    "(?1,?2,?3,?4)",
    [STORE_SOURCE] = "INSERT OR REPLACE INTO source (number, name, kind, settings) "
                     "VALUES (?1,?2,?3,?4)",
    [STORE_FILE] = "INSERT OR REPLACE INTO source_file (source, number, path, hash) "
                   "VALUES (?1,?2,?3,?4)",
    [STORE_ORIGIN] = "INSERT OR IGNORE INTO origin (post, source) VALUES (?1,?2)",
    [STORE_FIELD] = "INSERT OR IGNORE INTO field (post, name, value) VALUES (?1,?2,?3)",
    [STORE_CENSUS] =
        "INSERT INTO census (year, tag, questions, accepted, answered, closed, views, "
        "score) VALUES (?1,?2,?3,?4,?5,?6,?7,?8) ON CONFLICT DO UPDATE SET "
        "questions = questions + ?3, accepted = accepted + ?4, answered = answered + ?5, "
        "closed = closed + ?6, views = views + ?7, score = score + ?8",
    [STORE_HEALTH] = "INSERT OR REPLACE INTO health (finding, value) VALUES (?1,?2)",
    [STORE_SET_STATE] = "INSERT OR REPLACE INTO state (name, value) VALUES (?1,?2)",
    [STORE_GET_STATE] = "SELECT value FROM state WHERE name = ?1",
};

/* A prepared statement, ready to be bound; NULL with err. */
static sqlite3_stmt *ready(struct corpus *corpus, enum store_statement which,
                           struct err *err)
{
    sqlite3_stmt **statement = &corpus->statements[which];

    if (*statement == NULL &&
        sqlite3_prepare_v3(corpus->db, statements[which], -1, SQLITE_PREPARE_PERSISTENT,
                           statement, NULL) != SQLITE_OK) {
        store_failed(corpus, err);
        return NULL;
    }
    sqlite3_reset(*statement);
    return *statement;
}

static void bind_number(sqlite3_stmt *statement, int place, int64_t value)
{
    if (value == CORPUS_NONE)
        sqlite3_bind_null(statement, place);
    else
        sqlite3_bind_int64(statement, place, value);
}

static void bind_text(sqlite3_stmt *statement, int place, struct str text)
{
    sqlite3_bind_text64(statement, place, text.len > 0 ? text.ptr : "", text.len,
                        SQLITE_STATIC, SQLITE_UTF8);
}

static bool finish(struct corpus *corpus, sqlite3_stmt *statement, struct err *err)
{
    int code = sqlite3_step(statement);

    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return code == SQLITE_DONE || store_failed(corpus, err);
}

static bool add_tags(struct corpus *corpus, const struct corpus_post *post,
                     struct err *err)
{
    struct str rest = post->tags, tag;
    struct arena scratch = {0};
    bool ok = true;

    while (ok && taglist_next(&rest, &tag)) {
        sqlite3_stmt *statement = ready(corpus, STORE_TAG, err);
        ok = statement != NULL;
        if (!ok)
            break;
        char *folded = arena_c_string(&scratch, tag);
        query_fold(tag, folded);
        bind_number(statement, 1, post->id);
        bind_text(statement, 2, (struct str){folded, tag.len});
        ok = finish(corpus, statement, err);
    }
    arena_free(&scratch);
    return ok;
}

/* Stack Exchange's licence changed twice. What is no post of theirs has none. */
static struct str license_of(const struct corpus_post *post)
{
    if (post->license.len > 0)
        return post->license;
    if (post->type == CORPUS_ROW || post->created_ms == CORPUS_NONE)
        return STR("");
    if (post->created_ms < date_from_civil((struct date){2011, 4, 8}))
        return STR("CC BY-SA 2.5");
    if (post->created_ms < date_from_civil((struct date){2018, 5, 2}))
        return STR("CC BY-SA 3.0");
    return STR("CC BY-SA 4.0");
}

/* A statement with its first numbers bound; NULL with err. */
static sqlite3_stmt *ready_with(struct corpus *corpus, enum store_statement which,
                                const int64_t *numbers, size_t count, struct err *err)
{
    sqlite3_stmt *statement = ready(corpus, which, err);

    for (size_t i = 0; i < count && statement != NULL; i++)
        bind_number(statement, (int)i + 1, numbers[i]);
    return statement;
}

/* A row of numbers and, when texts are given, these behind them. */
static bool add_row(struct corpus *corpus, enum store_statement which,
                    const int64_t *numbers, size_t count, const struct str *texts,
                    size_t text_count, struct err *err)
{
    sqlite3_stmt *statement = ready_with(corpus, which, numbers, count, err);

    if (statement == NULL)
        return false;
    for (size_t i = 0; i < text_count; i++)
        bind_text(statement, (int)(count + i) + 1, texts[i]);
    return finish(corpus, statement, err);
}

bool corpus_add_post(struct corpus *corpus, const struct corpus_post *post, bool *added,
                     struct err *err)
{
    const int64_t numbers[] = {post->id,        post->type,        post->parent,
                               post->accepted,  post->accepted_ms, post->created_ms,
                               post->closed_ms, post->score,       post->views,
                               post->answers,   post->comments,    post->favorites,
                               post->owner};
    struct str rest = post->tags, tag;
    sqlite3_stmt *statement =
        ready_with(corpus, STORE_POST, numbers, ROWS_OF(numbers), err);
    struct buf tags = {0};

    if (statement == NULL)
        return false;
    while (taglist_next(&rest, &tag))
        buf_add_format(&tags, "<%.*s>", STR_ARG(tag));
    if (tags.len > 0)
        bind_text(statement, 14, buf_str(&tags));
    if (post->title.len > 0)
        bind_text(statement, 15, post->title);
    bind_text(statement, 16, post->body);
    bind_text(statement, 17, post->prose);
    bind_text(statement, 18, post->code);
    bind_number(statement, 19, post->code_blocks);
    bind_text(statement, 20, license_of(post));
    bool ok = finish(corpus, statement, err);
    buf_free(&tags);
    *added = ok && sqlite3_changes(corpus->db) > 0;
    return ok && (!*added || add_tags(corpus, post, err));
}

bool corpus_add_comment(struct corpus *corpus, const struct corpus_comment *comment,
                        struct err *err)
{
    const int64_t numbers[] = {comment->id, comment->post, comment->created_ms,
                               comment->score, comment->user};

    return add_row(corpus, STORE_COMMENT, numbers, ROWS_OF(numbers), &comment->text, 1,
                   err);
}

bool corpus_add_user(struct corpus *corpus, const struct corpus_user *user,
                     struct err *err)
{
    const int64_t numbers[] = {user->id, user->created_ms, user->reputation};

    return add_row(corpus, STORE_USER, numbers, ROWS_OF(numbers), &user->name, 1, err);
}

bool corpus_add_link(struct corpus *corpus, const struct corpus_link *link,
                     struct err *err)
{
    const int64_t numbers[] = {link->id, link->post, link->related, link->type,
                               link->created_ms};

    return add_row(corpus, STORE_LINK, numbers, ROWS_OF(numbers), NULL, 0, err);
}

bool corpus_add_vote(struct corpus *corpus, const struct corpus_vote *vote,
                     struct err *err)
{
    const int64_t numbers[] = {vote->id, vote->post, vote->type, vote->created_ms};

    return add_row(corpus, STORE_VOTE, numbers, ROWS_OF(numbers), NULL, 0, err);
}

bool corpus_add_history(struct corpus *corpus, const struct corpus_history *history,
                        struct err *err)
{
    const int64_t numbers[] = {history->id, history->post, history->type,
                               history->created_ms, history->user};

    return add_row(corpus, STORE_HISTORY, numbers, ROWS_OF(numbers), NULL, 0, err);
}

bool corpus_add_badge(struct corpus *corpus, const struct corpus_badge *badge,
                      struct err *err)
{
    const int64_t numbers[] = {badge->id, badge->user, badge->created_ms};

    return add_row(corpus, STORE_BADGE, numbers, ROWS_OF(numbers), &badge->name, 1, err);
}

bool corpus_add_source(struct corpus *corpus, const struct corpus_source *source,
                       struct err *err)
{
    const struct str texts[] = {source->name, source->kind, source->settings};

    return add_row(corpus, STORE_SOURCE, &source->number, 1, texts, ROWS_OF(texts), err);
}

bool corpus_add_file(struct corpus *corpus, const struct corpus_file *file,
                     struct err *err)
{
    const int64_t numbers[] = {file->source, file->number};
    const struct str texts[] = {file->path, file->hash};

    return add_row(corpus, STORE_FILE, numbers, ROWS_OF(numbers), texts, ROWS_OF(texts),
                   err);
}

bool corpus_add_origin(struct corpus *corpus, int64_t post, int64_t source,
                       struct err *err)
{
    const int64_t numbers[] = {post, source};

    return add_row(corpus, STORE_ORIGIN, numbers, ROWS_OF(numbers), NULL, 0, err);
}

bool corpus_add_field(struct corpus *corpus, int64_t post, struct str name,
                      struct str value, struct err *err)
{
    const struct str texts[] = {name, value};

    return value.len == 0 ||
           add_row(corpus, STORE_FIELD, &post, 1, texts, ROWS_OF(texts), err);
}

bool corpus_add_census(struct corpus *corpus, const struct corpus_census *census,
                       struct err *err)
{
    const int64_t numbers[] = {census->questions, census->accepted, census->answered,
                               census->closed,    census->views,    census->score};
    sqlite3_stmt *statement = ready_with(corpus, STORE_CENSUS, &census->year, 1, err);

    if (statement == NULL)
        return false;
    bind_text(statement, 2, census->tag);
    for (size_t i = 0; i < ROWS_OF(numbers); i++)
        bind_number(statement, (int)i + 3, numbers[i]);
    return finish(corpus, statement, err);
}

static bool set_pair(struct corpus *corpus, enum store_statement which, struct str name,
                     struct str value, bool blob, struct err *err)
{
    sqlite3_stmt *statement = ready(corpus, which, err);

    if (statement == NULL)
        return false;
    bind_text(statement, 1, name);
    if (blob)
        sqlite3_bind_blob64(statement, 2, value.len > 0 ? value.ptr : "", value.len,
                            SQLITE_STATIC);
    else
        bind_text(statement, 2, value);
    return finish(corpus, statement, err);
}

bool corpus_set_health(struct corpus *corpus, struct str finding, struct str value,
                       struct err *err)
{
    return set_pair(corpus, STORE_HEALTH, finding, value, false, err);
}

bool corpus_set_state(struct corpus *corpus, struct str name, struct str value,
                      struct err *err)
{
    return set_pair(corpus, STORE_SET_STATE, name, value, true, err);
}

bool corpus_get_state(struct corpus *corpus, struct str name, struct arena *arena,
                      struct str *value, struct err *err)
{
    sqlite3_stmt *statement = ready(corpus, STORE_GET_STATE, err);

    *value = (struct str){0};
    if (statement == NULL)
        return false;
    bind_text(statement, 1, name);
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *value =
            arena_copy(arena, (struct str){sqlite3_column_blob(statement, 0),
                                           (size_t)sqlite3_column_bytes(statement, 0)});
    bool ok = code == SQLITE_ROW || code == SQLITE_DONE || store_failed(corpus, err);
    sqlite3_reset(statement);
    return ok;
}
