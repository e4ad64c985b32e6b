/* What the files of the store share: the open database. */
#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

#include <sqlite3.h>

#include "base/list.h"
#include "engine/items.h"
#include "store/corpus.h"

/* Behind those that enter a row of enum store_beside. */
enum store_statement {
    STORE_ITEM = STORE_BESIDES,
    STORE_TEXT,
    STORE_KNOWN,
    STORE_BODY,
    STORE_KEY,
    STORE_ALIAS,
    STORE_SPAN,
    STORE_ORIGIN,
    STORE_LATE,
    STORE_FIELD,
    STORE_HEALTH,
    STORE_BATCH,
    STORE_ADD_PACK,
    STORE_PACK,
    STORE_SET_STATE,
    STORE_GET_STATE,
    STORE_STATEMENTS,
};

/* Tables whose rows are counted and summed when a corpus is complete. */
enum store_table {
    STORE_TABLE_KEY,
    STORE_TABLE_ALIAS,
    STORE_TABLE_ORIGIN,
    STORE_TABLE_LATE,
    STORE_TABLE_FIELD,
    STORE_TABLE_COMMENT,
    STORE_TABLE_USER,
    STORE_TABLE_LINK,
    STORE_TABLE_SOURCE,
    STORE_TABLE_FILE,
    STORE_TABLE_CENSUS,
    STORE_TABLE_HEALTH,
    STORE_TABLES,
};

/* Rows, and the sum of their sums. */
struct store_total {
    int64_t rows;
    uint64_t sum;
};

/* Packs of texts: the one that is being filled, and some that were read. */
struct store_texts {
    int64_t next;       /* number of the pack that is being filled; 0: not known yet */
    struct buf pending; /* what it holds so far, */
    size_t written;     /* and as much of it is in the database */
    int level;          /* of the compressor */
    struct libdeflate_compressor *compressor;
    struct libdeflate_decompressor *decompressor;
    struct store_texts_held {
        int64_t number;
        struct buf bytes; /* unpacked */
    } held[16];
    struct buf packed, body; /* what is written; what store_row_body() gave */
};

/* A question that is asked of one item after the other: preparing it takes longer than
 * the answer. */
struct store_kept {
    const char *sql; /* NULL: none */
    sqlite3_stmt *statement;
    bool taken;
};

/* When an item was written. */
struct store_moment {
    int64_t id, ms;
};

/* Items that servers hold, instead of the tables item and text. */
struct store_servers {
    struct engine_items *items;        /* NULL: the database holds them */
    struct str addresses;              /* that the study names */
    int64_t batch;                     /* number of the one that is open */
    struct idset known;                /* ids in the corpus that is being made */
    LIST(struct store_moment) moments; /* of those in a range of ids, by id */
    struct engine_block moments_of;
    bool counted; /* they are all there */
    bool hashed;  /* and as they were written: servers may test them themselves */
    const struct query_node *const *expected; /* see store_expect() */
    size_t expected_count;
};

/* A scan under way. */
struct store_scanning {
    struct store *corpus;
    unsigned kinds;
    store_take *take;
    void *context;
    struct store_total total;
    int64_t last;              /* id of the row before */
    struct engine_block block; /* of a server: what is read at once, and its bodies */
    bool all_bodies;
    int64_t bodies_from; /* block.from of them; INT64_MIN: none were asked for */
    const struct engine_item *whole; /* the row at hand with its body; NULL: not known */
    struct arena arena;
    LIST(struct engine_item) bodies;
};

enum { STORE_KEPT_MAX = 12 };

struct store {
    struct arena arena; /* holds the struct itself */
    sqlite3 *db;
    const char *path, *final_path;
    sqlite3_stmt *statements[STORE_STATEMENTS]; /* prepared on first use */
    struct store_kept kept[STORE_KEPT_MAX];
    struct store_total items, bodies; /* of the batch that is open */
    struct store_texts texts;
    struct buf tags;            /* of the item that is appended */
    bool checked[STORE_TABLES]; /* this table is as it was sealed */
    struct store_servers servers;
    bool unmarked; /* older: its licences do not say whether they follow from a date */
};

/* Records what SQLite said, and is false. */
bool store_failed(struct store *corpus, struct err *err);

/* Records that something is not as it was written, and is false. */
bool store_damaged(struct store *corpus, const char *what, struct err *err);

/* The same of items, which servers may hold. */
bool store_damaged_items(struct store *corpus, const char *what, struct err *err);

bool store_run(struct store *corpus, const char *sql, struct err *err) MUST_USE;

/* Runs a statement and hands each of its rows to take(), whose false, with err, ends it.
 * The statement is bound already and is given back here; NULL means that it could not be
 * prepared. */
bool store_each(struct store *corpus, sqlite3_stmt *statement,
                bool (*take)(void *context, sqlite3_stmt *row, struct err *err),
                void *context, struct err *err) MUST_USE;

/* NULL when it cannot be prepared. */
sqlite3_stmt *store_prepare(struct store *corpus, const char *sql);

/* The same, of a statement that is kept for the next time. Either is given back by
 * store_give_back(); NULL is fine there. */
sqlite3_stmt *store_prepare_kept(struct store *corpus, const char *sql);
void store_give_back(struct store *corpus, sqlite3_stmt *statement);

/* One of the statements that are used again and again, ready to be bound; NULL with err.
 */
sqlite3_stmt *store_ready(struct store *corpus, int which, struct err *err);
void store_bind_number(sqlite3_stmt *statement, int place, int64_t value);
void store_bind_text(sqlite3_stmt *statement, int place, struct str text);

/* Steps a statement that gives no rows, and makes it ready for the next time. */
bool store_step(struct store *corpus, sqlite3_stmt *statement, struct err *err) MUST_USE;

/* The value of a row; for texts it lasts until the statement goes on. */
int64_t store_number(sqlite3_stmt *row, int column); /* ITEM_NONE: NULL */
struct str store_column(sqlite3_stmt *row, int column);

/* ---- texts.c */

uint64_t store_text_sum(int64_t id, struct str body);
void store_text_free(struct store_texts *texts);

/* Enters the text of an item; flushing writes what waits to be packed, before a batch
 * ends; settling packs the texts of a corpus that stays small once more, and harder. */
bool store_text_add(struct store *corpus, int64_t id, struct str body, uint64_t sum,
                    struct err *err) MUST_USE;
bool store_text_flush(struct store *corpus, struct err *err) MUST_USE;
bool store_text_settle(struct store *corpus, struct err *err) MUST_USE;

/* The text that a row has from the column on: body, pack, place, len, sum. It stands in
 * the row, or in `copy` where it was packed. *sound: it is as it was written. */
bool store_text_read(struct store *corpus, sqlite3_stmt *row, int column, int64_t id,
                     struct buf *copy, struct str *body, bool *sound,
                     struct err *err) MUST_USE;

/* ---- items.c */

#define STORE_ITEMS_MISSING "items are missing, or there are more than were written"

/* Checks a row against its sum and hands it on if its kind is wanted. */
bool store_take_row(struct store_scanning *scan, const struct item *item,
                    int64_t code_blocks, uint64_t sum, struct err *err) MUST_USE;
bool store_check_item(struct store *corpus, const struct item *item, int64_t code_blocks,
                      uint64_t sum, uint64_t text_sum, struct err *err) MUST_USE;
bool store_sound(const struct item *item, int64_t code_blocks, uint64_t sum);
bool store_damaged_item(struct store *corpus, int64_t id, struct err *err);

/* An item that is as it was written, as readers get it. */
struct item store_handed(const struct store *corpus, const struct item *item);

/* What all batches hold together. */
bool store_written(struct store *corpus, struct store_total *out,
                   struct err *err) MUST_USE;

/* ---- servers.c: the same verbs for items that servers hold */

/* Turns to the servers of these addresses, if the corpus has its items there; of one that
 * is being made it makes the tables, and forgets what was begun after its last batch.
 * Names them, in a transaction; no addresses: there are none. */
bool store_servers_open(struct store *corpus, struct str addresses, bool building,
                        struct err *err) MUST_USE;
void store_servers_close(struct store_servers *servers);
bool store_servers_name(struct store *corpus, struct str addresses,
                        struct err *err) MUST_USE;

/* Whether the corpus has its items there, in tables that were made for this very file. */
bool store_servers_own(struct store *corpus, struct str addresses);

/* Whether such tables, or those of a corpus that was replaced, are noted for this very
 * file, which no other file may then take the place of. */
bool store_servers_bound(struct store *corpus, bool *bound, struct err *err) MUST_USE;

/* Notes the tables of the corpus at path, which this one replaces; takes away those that
 * the corpus at path has noted, as far as they are at these addresses: what cannot be
 * reached stays noted. */
bool store_servers_replace(struct store *corpus, const char *path,
                           struct err *err) MUST_USE;
void store_servers_clear(const char *path, struct str addresses);

/* Takes the tables of the corpus at path away, if they are its own and there. */
void store_servers_drop(const char *path, struct str addresses);

bool store_servers_begin(struct store *corpus, struct err *err) MUST_USE;
bool store_servers_append(struct store *corpus, const struct engine_item *item,
                          bool *added, int64_t *known_ms, struct err *err) MUST_USE;
bool store_servers_settle(struct store *corpus, struct err *err) MUST_USE;
bool store_servers_scan(struct store_scanning *scan, struct err *err) MUST_USE;
/* *asked: they could be, and all rows have been taken. */
bool store_servers_ask(struct store_scanning *scan, const struct store_asking *asking,
                       bool *asked, struct err *err) MUST_USE;
bool store_servers_body(struct store_scanning *scan, int64_t id, struct str *body,
                        struct err *err) MUST_USE;
bool store_servers_fetch(struct store *corpus, const int64_t *ids, size_t count,
                         bool heads, store_take_item *take, void *context,
                         struct err *err) MUST_USE;
bool store_servers_answers(struct store *corpus, int64_t question, store_take_item *take,
                           void *context, struct err *err) MUST_USE;
bool store_servers_count(struct store *corpus, int64_t kinds[ITEM_KINDS],
                         struct err *err) MUST_USE;
bool store_servers_doubts(struct store *corpus, int64_t *too_old, int64_t *missing,
                          struct err *err) MUST_USE;
bool store_servers_ids(struct store *corpus, size_t space, unsigned kinds,
                       struct idset *posts, struct idset *owners,
                       struct err *err) MUST_USE;

bool store_seal(struct store *corpus, unsigned which, struct err *err) MUST_USE;

/* The database as it lies there, whatever its schema. */
bool store_open_file(const char *path, struct store **out, struct err *err) MUST_USE;

/* Until schema 6 licences that follow from the date of a post had no mark: this state,
 * if it is there, says so of a corpus that was made then. */
#define STORE_UNMARKED STR("licenses-unmarked")

/* Brings a corpus of an older schema to this one. */
bool store_migrate(const char *path, struct err *err) MUST_USE;

#endif
