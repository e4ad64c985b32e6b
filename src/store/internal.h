/* What the files of the store share: the open database. */
#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

#include <sqlite3.h>

#include "store/corpus.h"

enum store_statement {
    STORE_POST,
    STORE_TAG,
    STORE_COMMENT,
    STORE_USER,
    STORE_LINK,
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

#endif
