/* What the files of the store share: the open database. */
#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

#include <sqlite3.h>

#include "store/corpus.h"
#include "text/html.h"

enum store_statement {
    STORE_POST,
    STORE_TAG,
    STORE_COMMENT,
    STORE_USER,
    STORE_LINK,
    STORE_VOTE,
    STORE_HISTORY,
    STORE_BADGE,
    STORE_SOURCE,
    STORE_FILE,
    STORE_ORIGIN,
    STORE_FIELD,
    STORE_CENSUS,
    STORE_HEALTH,
    STORE_SET_STATE,
    STORE_GET_STATE,
    STORE_STATEMENTS,
};

struct corpus {
    struct arena arena; /* holds the struct itself */
    sqlite3 *db;
    const char *path, *final_path;
    sqlite3_stmt *statements[STORE_STATEMENTS]; /* prepared on first use */
};

/* Records what SQLite said, and is false. */
bool store_failed(struct corpus *corpus, struct err *err);

/* Runs a statement and hands each of its rows to take(), whose false, with err, ends it.
 * The statement is bound already and is finalized here; NULL means that it could not be
 * prepared. */
bool store_each(struct corpus *corpus, sqlite3_stmt *statement,
                bool (*take)(void *context, sqlite3_stmt *row, struct err *err),
                void *context, struct err *err) MUST_USE;

/* NULL when it cannot be prepared. */
sqlite3_stmt *store_prepare(struct corpus *corpus, const char *sql);

/* The value of a row; for texts it lasts until the statement goes on. */
int64_t store_number(sqlite3_stmt *row, int column); /* CORPUS_NONE: NULL */
struct str store_column(sqlite3_stmt *row, int column);

/* The text that a query asks for, from the column that holds it: title, prose and code as
 * they stand, of the body its plain text, which lasts as long as parts do. */
struct str store_text(enum query_text which, struct str stored, struct html_parts *parts);

#endif
