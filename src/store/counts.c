/* How much a corpus holds, and the ids of what it holds. */
#include "store/internal.h"

#define CENSUS(column) "SELECT ifnull(sum(" column "), 0) FROM census WHERE tag = ''"

/* Posts are large, so that all types are counted in one pass over them. */
static bool take_type(void *context, sqlite3_stmt *row, struct err *err)
{
    struct corpus_counts *out = context;
    int64_t count = sqlite3_column_int64(row, 1);

    (void)err;
    switch (sqlite3_column_int64(row, 0)) {
    case CORPUS_QUESTION:
        out->questions = count;
        break;
    case CORPUS_ANSWER:
        out->answers = count;
        break;
    case CORPUS_ROW:
        out->rows = count;
        break;
    default:
        break;
    }
    return true;
}

bool corpus_counts(struct corpus *corpus, struct corpus_counts *out, struct err *err)
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

    for (size_t i = 0; i < ROWS_OF(counts); i++)
        if (!corpus_count(corpus, counts[i].sql, counts[i].value, err))
            return false;
    out->questions = out->answers = out->rows = 0;
    return store_each(corpus,
                      store_prepare(corpus, "SELECT type, count(*) FROM post GROUP BY 1"),
                      take_type, out, err);
}

bool corpus_doubts(struct corpus *corpus, int64_t *too_old, int64_t *missing,
                   struct err *err)
{
    return corpus_count(corpus,
                        "SELECT count(*) FROM post q LEFT JOIN post a ON a.id = "
                        "q.accepted WHERE ifnull(q.accepted_ms, a.created_ms) < "
                        "q.created_ms",
                        too_old, err) &&
           corpus_count(corpus,
                        "SELECT count(*) FROM post q WHERE q.accepted > 0 AND NOT EXISTS "
                        "(SELECT 1 FROM post a WHERE a.id = q.accepted)",
                        missing, err);
}

static bool take_id(void *context, sqlite3_stmt *row, struct err *err)
{
    (void)err;
    idset_add(context, sqlite3_column_int64(row, 0));
    return true;
}

bool corpus_ids(struct corpus *corpus, enum corpus_which which, struct idset *ids,
                struct err *err)
{
    static const char *const sql[] = {
        [CORPUS_QUESTION_IDS] = "SELECT id FROM post WHERE type = 1",
        [CORPUS_POST_IDS] = "SELECT id FROM post WHERE type IN (1, 2)",
        [CORPUS_OWNER_IDS] = "SELECT owner FROM post WHERE owner NOT NULL",
    };

    return store_each(corpus, store_prepare(corpus, sql[which]), take_id, ids, err);
}
