/* For tests of the store: a question to be stored, and whether two corpora say the same.
 */
#ifndef TESTS_UNIT_STORED_H
#define TESTS_UNIT_STORED_H

#include <xxhash.h>
#include <zlib.h>

#include "store/internal.h"

static inline struct item stored_post(int64_t id)
{
    struct item item = item_empty();

    item.id = id;
    item.kind = ITEM_QUESTION;
    item.created_ms = 1500000000000 + id;
    item.score = id % 7;
    item.answers = item.comments = 0;
    item.owner = id % 3;
    item.tags = STR("|Python|tensorflow|");
    item.title = STR("a title");
    item.body = STR("<p>body</p>");
    return item;
}

/* Appends an item that is not there yet. */
static inline bool stored_append(struct store *corpus, const struct item *item,
                                 struct err *err)
{
    int64_t known_ms;
    bool added;

    return store_append(corpus, item, 0, &added, &known_ms, err) && added;
}

static inline bool stored_hash_row(void *context, sqlite3_stmt *row, struct err *err)
{
    uint64_t *hash = context;

    (void)err;
    for (int i = 0; i < sqlite3_column_count(row); i++) {
        const void *bytes = sqlite3_column_blob(row, i);
        int64_t head[2] = {sqlite3_column_type(row, i), sqlite3_column_bytes(row, i)};
        *hash = XXH3_64bits_withSeed(head, sizeof head, *hash);
        *hash = XXH3_64bits_withSeed(bytes, (size_t)head[1], *hash);
    }
    return true;
}

/* What the view `post` asks for, as the shell sqlite3 has it: with zlib itself. */
static inline void stored_uncompress(sqlite3_context *context, int count,
                                     sqlite3_value **values)
{
    int packed = sqlite3_value_bytes(values[0]), len = sqlite3_value_int(values[1]);
    uLongf got = (uLongf)len;

    (void)count;
    if (packed == len) {
        sqlite3_result_value(context, values[0]);
        return;
    }
    Bytef *bytes = sqlite3_malloc(len);
    if (bytes != NULL &&
        uncompress(bytes, &got, sqlite3_value_blob(values[0]), (uLong)packed) == Z_OK)
        sqlite3_result_blob(context, bytes, (int)got, sqlite3_free);
    else
        sqlite3_free(bytes);
}

static inline bool stored_open_view(struct store *corpus)
{
    return sqlite3_create_function(corpus->db, "sqlar_uncompress", 2, SQLITE_UTF8, NULL,
                                   stored_uncompress, NULL, NULL) == SQLITE_OK;
}

/* Of everything that the corpus says, the same for the same content however it came
 * about: not of batches, seals and state. 0: it cannot be read. */
static inline uint64_t stored_hash(struct store *corpus)
{
    static const char *const all[] = {
        "SELECT * FROM item ORDER BY id",
        "SELECT id, sum FROM text ORDER BY id", /* packs end with batches */
        "SELECT * FROM key ORDER BY id",
        "SELECT * FROM alias ORDER BY id, text",
        "SELECT * FROM origin ORDER BY item, source",
        "SELECT * FROM late ORDER BY answer",
        "SELECT * FROM field ORDER BY item, name",
        "SELECT * FROM comment ORDER BY id",
        "SELECT * FROM user ORDER BY id",
        "SELECT * FROM link ORDER BY id",
        "SELECT * FROM vote ORDER BY id",
        "SELECT * FROM history ORDER BY id",
        "SELECT * FROM badge ORDER BY id",
        "SELECT * FROM source ORDER BY number",
        "SELECT * FROM source_file ORDER BY source, number",
        "SELECT * FROM census ORDER BY source, year, tag",
        "SELECT * FROM health ORDER BY finding",
    };
    struct err err = {0};
    uint64_t hash = 1;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!store_each(corpus, store_prepare(corpus, all[i]), stored_hash_row, &hash,
                        &err))
            return 0;
    return hash;
}

#endif
