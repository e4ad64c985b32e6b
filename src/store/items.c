/* Columns are read when they are needed: a pass over the numbers never touches a text. */
#include "store/items.h"

#include "base/date.h"
#include "store/internal.h"

/* The columns of items_each(): numbers in the order of struct items_row. */
enum {
    NUMBERS = offsetof(struct items_row, tags) / sizeof(int64_t),
    TAGS = NUMBERS,
    CODE_BLOCKS
};

struct pass {
    struct corpus *corpus;
    items_take *take;
    void *context;
    sqlite3_stmt *row;   /* the item */
    sqlite3_stmt *texts; /* its texts, in the order of enum query_text, by id */
    int64_t id;
    bool fetched; /* texts stands at this item */
    bool failed;  /* it could not be read */
    struct html_parts parts;
};

static struct str text_of(void *context, enum query_text which)
{
    struct pass *pass = context;

    if (!pass->fetched) {
        sqlite3_reset(pass->texts);
        sqlite3_bind_int64(pass->texts, 1, pass->id);
        pass->fetched = sqlite3_step(pass->texts) == SQLITE_ROW;
        pass->failed |= !pass->fetched;
        if (!pass->fetched)
            return (struct str){0};
    }
    return store_text(which, store_column(pass->texts, (int)which), &pass->parts);
}

static bool has_code(void *context)
{
    const struct pass *pass = context;

    return sqlite3_column_int64(pass->row, CODE_BLOCKS) > 0;
}

static bool take_item(void *context, sqlite3_stmt *row, struct err *err)
{
    struct pass *pass = context;
    int64_t n[NUMBERS];

    for (int i = 0; i < NUMBERS; i++)
        n[i] = store_number(row, i);
    struct items_row numbers = {
        n[0], n[1], n[2], n[3],  n[4],  n[5],  n[6],
        n[7], n[8], n[9], n[10], n[11], n[12], store_column(row, TAGS)};
    struct query_item item = {.id = numbers.id,
                              .type = numbers.type,
                              .parent = numbers.parent,
                              .accepted = numbers.accepted,
                              .owner = numbers.owner,
                              .created_ms = numbers.created_ms,
                              .closed_ms = numbers.closed_ms,
                              .score = numbers.score,
                              .views = numbers.views,
                              .answers = numbers.answers,
                              .comments = numbers.comments,
                              .favorites = numbers.favorites,
                              .tags = numbers.tags,
                              .context = pass,
                              .text = text_of,
                              .has_code = has_code};
    pass->row = row;
    pass->id = numbers.id;
    pass->fetched = false;
    return pass->take(pass->context, &item, &numbers, err) &&
           (!pass->failed || store_failed(pass->corpus, err));
}

bool items_each(struct corpus *corpus, items_take *take, void *context, struct err *err)
{
    struct pass pass = {.corpus = corpus, .take = take, .context = context};

    pass.texts =
        store_prepare(corpus, "SELECT title, prose, code, body FROM post WHERE id = ?1");
    bool ok = (pass.texts != NULL || store_failed(corpus, err)) &&
              store_each(corpus,
                         store_prepare(corpus,
                                       "SELECT id, type, parent, accepted, accepted_ms, "
                                       "created_ms, closed_ms, score, views, answers, "
                                       "comments, favorites, owner, tags, code_blocks "
                                       "FROM post WHERE type IN (1, 100) ORDER BY id"),
                         take_item, &pass, err);
    sqlite3_finalize(pass.texts);
    html_parts_free(&pass.parts);
    return ok;
}

/* What is called for each row of the other passes. */
struct taking {
    items_take_answer *answer;
    items_take_text *text;
    items_take_census *census;
    items_take_post *post;
    items_take_file *file;
    items_take_comment *comment;
    items_take_field *field;
    void *context;
};

static bool take_answer(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct taking *taking = context;
    struct items_answer answer = {store_number(row, 0), store_number(row, 1),
                                  store_number(row, 2), store_number(row, 3),
                                  store_number(row, 4)};

    return taking->answer(taking->context, &answer, err);
}

bool items_answers(struct corpus *corpus, items_take_answer *take, void *context,
                   struct err *err)
{
    struct taking taking = {.answer = take, .context = context};

    return store_each(
        corpus,
        store_prepare(corpus, "SELECT parent, id, created_ms, owner, score FROM post "
                              "WHERE parent NOT NULL ORDER BY parent, created_ms, id"),
        take_answer, &taking, err);
}

static bool take_text(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct taking *taking = context;

    return taking->text(taking->context, store_number(row, 0), store_column(row, 1), err);
}

bool items_origins(struct corpus *corpus, items_take_text *take, void *context,
                   struct err *err)
{
    struct taking taking = {.text = take, .context = context};

    return store_each(
        corpus,
        store_prepare(corpus, "SELECT origin.post, source.name FROM origin CROSS JOIN "
                              "source ON source.number = origin.source ORDER BY "
                              "origin.post, origin.source"),
        take_text, &taking, err);
}

bool items_fields(struct corpus *corpus, struct str name, items_take_text *take,
                  void *context, struct err *err)
{
    struct taking taking = {.text = take, .context = context};
    sqlite3_stmt *statement = store_prepare(
        corpus, "SELECT post, value FROM field WHERE name = ?1 ORDER BY post");

    if (statement != NULL)
        sqlite3_bind_text64(statement, 1, name.len > 0 ? name.ptr : "", name.len,
                            SQLITE_STATIC, SQLITE_UTF8);
    return store_each(corpus, statement, take_text, &taking, err);
}

/* The rows of a statement with an id for ?1, for one id after the other. */
static bool each_id(struct corpus *corpus, const char *sql, const int64_t *ids,
                    size_t count,
                    bool (*take)(void *context, sqlite3_stmt *row, struct err *err),
                    void *context, struct err *err)
{
    sqlite3_stmt *statement = store_prepare(corpus, sql);
    bool ok = statement != NULL || store_failed(corpus, err);

    for (size_t i = 0; i < count && ok; i++) {
        sqlite3_reset(statement);
        sqlite3_bind_int64(statement, 1, ids[i]);
        int code = sqlite3_step(statement);
        if (code == SQLITE_ROW)
            ok = take(context, statement, err);
        else if (code != SQLITE_DONE)
            ok = store_failed(corpus, err);
    }
    sqlite3_finalize(statement);
    return ok;
}

/* In the order in which take_post() reads them. */
#define POST_COLUMNS \
    "id, type, parent, accepted, accepted_ms, created_ms, closed_ms, score, views, " \
    "answers, comments, favorites, owner, tags, title, body, prose, code, code_blocks, " \
    "license"

static bool take_post(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct taking *taking = context;
    struct corpus_post post = {
        .id = store_number(row, 0),
        .type = store_number(row, 1),
        .parent = store_number(row, 2),
        .accepted = store_number(row, 3),
        .accepted_ms = store_number(row, 4),
        .created_ms = store_number(row, 5),
        .closed_ms = store_number(row, 6),
        .score = store_number(row, 7),
        .views = store_number(row, 8),
        .answers = store_number(row, 9),
        .comments = store_number(row, 10),
        .favorites = store_number(row, 11),
        .owner = store_number(row, 12),
        .tags = store_column(row, 13),
        .title = store_column(row, 14),
        .body = store_column(row, 15),
        .prose = store_column(row, 16),
        .code = store_column(row, 17),
        .code_blocks = store_number(row, 18),
        .license = store_column(row, 19),
    };

    return taking->post(taking->context, &post, err);
}

bool items_posts(struct corpus *corpus, const int64_t *ids, size_t count,
                 items_take_post *take, void *context, struct err *err)
{
    struct taking taking = {.post = take, .context = context};

    return each_id(corpus, "SELECT " POST_COLUMNS " FROM post WHERE id = ?1", ids, count,
                   take_post, &taking, err);
}

/* A statement with the id for ?1. */
static sqlite3_stmt *prepare_with(struct corpus *corpus, const char *sql, int64_t id)
{
    sqlite3_stmt *statement = store_prepare(corpus, sql);

    if (statement != NULL)
        sqlite3_bind_int64(statement, 1, id);
    return statement;
}

bool items_answers_to(struct corpus *corpus, int64_t question, items_take_post *take,
                      void *context, struct err *err)
{
    struct taking taking = {.post = take, .context = context};

    return store_each(corpus,
                      prepare_with(corpus,
                                   "SELECT " POST_COLUMNS " FROM post WHERE parent = ?1 "
                                   "ORDER BY score DESC, id",
                                   question),
                      take_post, &taking, err);
}

static bool take_comment(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct taking *taking = context;
    struct corpus_comment comment = {store_number(row, 0), store_number(row, 1),
                                     store_number(row, 2), store_number(row, 3),
                                     store_number(row, 4), store_column(row, 5)};

    return taking->comment(taking->context, &comment, err);
}

bool items_comments_on(struct corpus *corpus, int64_t post, items_take_comment *take,
                       void *context, struct err *err)
{
    struct taking taking = {.comment = take, .context = context};

    return store_each(corpus,
                      prepare_with(corpus,
                                   "SELECT id, post, created_ms, score, user, text FROM "
                                   "comment WHERE post = ?1 ORDER BY created_ms, id",
                                   post),
                      take_comment, &taking, err);
}

static bool take_field(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct taking *taking = context;

    return taking->field(taking->context, store_column(row, 0), store_column(row, 1),
                         err);
}

bool items_fields_of(struct corpus *corpus, int64_t post, items_take_field *take,
                     void *context, struct err *err)
{
    struct taking taking = {.field = take, .context = context};

    return store_each(
        corpus,
        prepare_with(corpus,
                     "SELECT name, value FROM field WHERE post = ?1 ORDER BY name", post),
        take_field, &taking, err);
}

static bool take_file(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct taking *taking = context;
    struct corpus_file file = {store_number(row, 0), store_number(row, 1),
                               store_column(row, 2), store_column(row, 3)};

    return taking->file(taking->context, &file, err);
}

bool items_files(struct corpus *corpus, items_take_file *take, void *context,
                 struct err *err)
{
    struct taking taking = {.file = take, .context = context};

    return store_each(corpus,
                      store_prepare(corpus, "SELECT source, number, path, hash FROM "
                                            "source_file ORDER BY source, number"),
                      take_file, &taking, err);
}

static bool take_census(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct taking *taking = context;
    struct corpus_census census = {
        .year = store_number(row, 0),
        .tag = store_column(row, 1),
        .questions = store_number(row, 2),
        .accepted = store_number(row, 3),
        .answered = store_number(row, 4),
        .closed = store_number(row, 5),
        .views = store_number(row, 6),
        .score = store_number(row, 7),
    };

    return taking->census(taking->context, &census, err);
}

bool items_census(struct corpus *corpus, items_take_census *take, void *context,
                  struct err *err)
{
    struct taking taking = {.census = take, .context = context};

    return store_each(
        corpus,
        store_prepare(corpus, "SELECT year, tag, questions, accepted, answered, "
                              "closed, views, score FROM census ORDER BY year, tag"),
        take_census, &taking, err);
}

static bool take_newer(void *context, sqlite3_stmt *row, struct err *err)
{
    int64_t *newest = context, ms;

    (void)err;
    if (date_parse(store_column(row, 0), &ms) && ms > *newest) /* "none": no dates */
        *newest = ms;
    return true;
}

bool items_last_post(struct corpus *corpus, struct str source, int64_t *out,
                     struct err *err)
{
    sqlite3_stmt *statement =
        store_prepare(corpus, "SELECT value FROM health WHERE (finding = 'last post' OR "
                              "finding LIKE '%: last post') AND (?1 = '' OR "
                              "substr(finding, 1, length(?1) + 2) = ?1 || ': ')");

    *out = CORPUS_NONE;
    if (statement != NULL)
        sqlite3_bind_text(statement, 1, source.len > 0 ? source.ptr : "", (int)source.len,
                          SQLITE_STATIC);
    return store_each(corpus, statement, take_newer, out, err);
}
