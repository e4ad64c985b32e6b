/* What the files of engine/ share with each other. */
#ifndef ENGINE_INTERNAL_H
#define ENGINE_INTERNAL_H

#include "base/list.h"
#include "engine/engine.h"
#include "engine/items.h"
#include "net/net.h"

/* Gets the fields of a row, as text; they last only during the call. False, with err,
 * ends the asking. */
typedef bool engine_take_fields(void *context, const struct str *fields, struct err *err);

/* Asks for `columns` expressions and what follows them: "SELECT <expressions> <rest>".
 * Values that are missing come as "\N". A question whose answer did not begin is asked
 * again a few times; one that broke off is an error. */
bool engine_ask(struct engine *engine, const char *const *expressions, size_t columns,
                struct str rest, engine_take_fields *take, void *context,
                struct err *err) MUST_USE;

/* Has something done that gives no rows: once, for it may have been done although no
 * answer came. */
bool engine_do(struct engine *engine, struct str sql, struct err *err) MUST_USE;

/* What is to be sent by several at once, and what its answer says where it is no success;
 * is false. */
struct net_request engine_request(const struct engine *engine, struct str sql);
bool engine_refused(const struct engine *engine, struct buf *said, const char *why,
                    struct err *err);
const char *engine_shown(const struct engine *engine); /* its address, for messages */

/* Where the server's own words begin in what is no whole row: it may tell of a failure
 * behind the part of a row that it had sent. What is left of a row is nothing to show. */
struct str engine_own_words(struct str torn);

/* The fields of a line of an answer, unescaped into text; false when it is no whole row.
 */
bool engine_read_row(struct str line, size_t columns, struct buf *text,
                     struct str *fields);

/* A string of SQL, quoted. */
void engine_add_text(struct buf *sql, struct str text);

/* `database`.`table`, quoted for SQL. */
struct str engine_table(const struct engine *engine);
struct str engine_database(const struct engine *engine); /* `database` */

/* Adds the first `most` numbers of the set from `from` to `highest`, with commas, and
 * gives how many; *end is the number behind the last of them. */
int64_t engine_add_ids(const struct idset *ids, int64_t from, int64_t highest,
                       int64_t most, int64_t *end, struct buf *sql);

/* One row of whole numbers of a table; where is empty: of all its rows. */
bool engine_ask_numbers(struct engine *engine, struct str table,
                        const char *const *expressions, size_t count, struct str where,
                        int64_t *out, struct err *err) MUST_USE;

bool engine_is_moment(enum engine_column column);

/* ---- columns.c */

struct engine_columns {
    struct str table; /* quoted for SQL; empty: there is no such table */
    struct str names; /* of all its columns, for messages */
    struct engine_found *at;
};

/* Looks which of the wanted columns a table has, named as engine_table() does; loosely:
 * whatever its letters' case and underscores. What is found lives in arena. */
bool engine_columns_find(struct engine *engine, struct str table, bool loosely,
                         const struct engine_wanted *wanted, size_t count,
                         struct arena *arena, struct engine_columns *out,
                         struct err *err) MUST_USE;

/* A whole number, or milliseconds of a moment that is one; 0 where a row has none. */
const char *engine_number(const struct engine_found *column, struct arena *arena);

/* "a row has it", also of a table without NULL; the column must be there. */
void engine_add_has(const struct engine_found *column, struct buf *sql);
bool engine_is_missing(const struct engine_found *column,
                       const struct engine_wanted *wanted, struct str text);

/* ---- blocks.c */

/* How many rows there are whose numbers are the same but for their last bits, and in
 * which batches. */
enum { ENGINE_RUN_BITS = 13, ENGINE_RUN_COLUMNS = 4 };
struct engine_run {
    int64_t number, rows, first, last;
};
struct engine_runs {
    LIST(struct engine_run) at;
};

/* Takes a run from as many columns; context: struct engine_runs. Several may be of the
 * same number. */
bool engine_take_run(void *context, const struct str *fields, struct err *err);

/* Adds blocks of what runs there are, and frees these. */
void engine_blocks_make(struct engine_runs *runs, int64_t most,
                        struct engine_blocks *out);

/* What rows are asked for: a condition that looks at no body; one of the queries, or
 * whatever may meet one. */
struct engine_rows_wanted {
    struct str range;
    const struct query_node *const *queries;
    size_t query_count;
};

/* Adds "FROM table" and the conditions. Where the table can, bodies are read of those
 * rows alone that meet what can be said without; lean: bodies are not looked at. */
bool engine_add_from(struct engine_posts *posts, const struct engine_rows_wanted *wanted,
                     bool lean, struct buf *sql, struct err *err) MUST_USE;

/* Blocks of rows by the number `id`. */
bool engine_find_blocks(struct engine_posts *posts, const char *id,
                        const struct engine_rows_wanted *wanted, int64_t most,
                        struct engine_blocks *out, struct err *err) MUST_USE;

/* ---- posts.c */

/* A post from the fields of a row: all columns in their order. */
void engine_posts_read(struct engine_posts *posts, const struct str *fields,
                       struct item *post);

/* A condition that holds for every item of the kind of the table which meets the query.
 */
void engine_add_condition(const struct engine_posts *posts,
                          const struct query_node *query, struct buf *sql);

/* What a table says of an item, as SQL. */
struct engine_tells {
    const char *numbers[ITEM_NUMBERS]; /* NULL there: it has none. NULL here: this and the
                                          others cannot be said exactly */
    const char *tags;                  /* a text */
    const char *code_blocks;
};
struct engine_tells engine_posts_tell(const struct engine_posts *posts);
const char *engine_posts_tags(const struct engine_posts *posts); /* a text */

/* ---- items.c */

size_t engine_items_servers(const struct engine_items *items);
struct engine *engine_items_server(const struct engine_items *items, size_t server);

bool engine_items_blocks(struct engine_items *items, unsigned kinds, int64_t most,
                         struct engine_blocks *out, struct err *err) MUST_USE;

/* "id >= 0 AND id < 8192" and what else tells where the items of a block are. */
void engine_add_block(struct engine_block block, struct buf *sql);

/* ERR_SYSTEM: servers gave more or fewer items of a block than they had counted. */
bool engine_items_all_there(const struct engine_items *items, size_t found,
                            int64_t expected, struct err *err) MUST_USE;

/* A condition: "<kind> IN (1,2)". */
void engine_add_kinds(struct buf *out, const char *kind, unsigned kinds);

/* Items of all servers that meet a condition, by id; whole: with their bodies. */
struct engine_items_found {
    struct arena arena;
    LIST(struct engine_item) items;
    bool whole;
};
bool engine_items_find(struct engine_items *items, bool whole, const char *where,
                       struct engine_items_found *found, struct err *err) MUST_USE;
void engine_items_found_free(struct engine_items_found *found);

/* The columns that conditions look at, named as those of items. */
struct engine_posts engine_items_as_posts(struct arena *arena);

/* ---- sets.c */

/* A query as its conditions, one after the other. */
struct engine_set {
    struct str name;
    size_t count;       /* of conditions */
    size_t open;        /* the first that the engine cannot say exactly; count: none */
    const char *passed; /* how many were met, ENGINE_OPEN where `open` was reached */
    const char *may; /* every item that meets that one meets this; NULL: none is open */
};

/* Queries whose in: name earlier ones; all lives in arena. */
struct engine_set *engine_sets_make(const struct engine_asked *queries, size_t count,
                                    struct arena *arena);

/* A condition that an item meets if and only if it meets the query; false: it cannot be
 * said, and what was added is of no use. */
bool engine_add_exact(const struct engine_tells *tells, const struct query_node *query,
                      struct arena *arena, struct buf *sql) MUST_USE;

#endif
