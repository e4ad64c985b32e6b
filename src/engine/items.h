/* The items of a corpus on one or more servers, each of which holds a part of them in a
 * table of its own. They are appended in numbered batches: what was begun of a batch and
 * not settled is forgotten, so that a batch may be appended again. */
#ifndef ENGINE_ITEMS_H
#define ENGINE_ITEMS_H

#include "base/arena.h"
#include "base/err.h"
#include "engine/engine.h"
#include "item/item.h"
#include "query/query.h"

struct engine_items;

/* An item as it is stored; the sums are the caller's. */
struct engine_item {
    struct item item;
    int64_t code_blocks;
    uint64_t sum, text_sum;
};

/* servers: addresses with blanks between them, such as clickhouse://localhost:8123/assay;
 * name: of the tables. Nothing is asked yet. ERR_INPUT: an address is no such thing. The
 * caller hands *out to engine_items_close(). */
bool engine_items_open(struct str servers, struct str name, struct engine_items **out,
                       struct err *err) MUST_USE;
void engine_items_close(struct engine_items *items); /* NULL is fine */

/* Makes the tables unless they are there; takes them away with all items. */
bool engine_items_create(struct engine_items *items, struct err *err) MUST_USE;
bool engine_items_drop(struct engine_items *items, struct err *err) MUST_USE;

/* Forgets batches of higher numbers than `last`, once nothing of them is on its way into
 * the tables any more. */
bool engine_items_forget(struct engine_items *items, int64_t last,
                         struct err *err) MUST_USE;

/* Items are sent when there are many of them, or all by engine_items_send(), several
 * parts at once; when a batch is settled all of it is there, and has been counted. *hash
 * is one of all its numbers and short texts, to be added to those of other batches. */
bool engine_items_append(struct engine_items *items, int64_t batch,
                         const struct engine_item *item, struct err *err) MUST_USE;
bool engine_items_send(struct engine_items *items, struct err *err) MUST_USE;
bool engine_items_settle(struct engine_items *items, int64_t batch, uint64_t *hash,
                         struct err *err) MUST_USE;

/* Gets an item; its strings last only during the call. */
typedef bool engine_take_item(void *context, const struct engine_item *item,
                              struct err *err);

/* Every item of the kinds (bit 1u << kind), ascending by id, without their bodies. Items
 * come in blocks; *block is that of the one at hand. */
bool engine_items_scan(struct engine_items *items, unsigned kinds,
                       struct engine_block *block, engine_take_item *take, void *context,
                       struct err *err) MUST_USE;

/* Their ids and who wrote them, or when they were written, in any order. */
typedef void engine_take_id(void *context, int64_t id, int64_t beside);
bool engine_items_ids(struct engine_items *items, struct engine_block block,
                      unsigned kinds, engine_take_id *take, void *context,
                      struct err *err) MUST_USE;
bool engine_items_moments(struct engine_items *items, struct engine_block block,
                          engine_take_id *take, void *context, struct err *err) MUST_USE;

/* The bodies of a block, in any order; of items in html only those that may meet a query
 * that asks for texts. No queries: all. Nothing else of the items is set. */
bool engine_items_bodies(struct engine_items *items, struct engine_block block,
                         unsigned kinds, const struct query_node *const *queries,
                         size_t count, engine_take_item *take, void *context,
                         struct err *err) MUST_USE;

/* Whole items: those given, in the order given, heads without their bodies; answers to a
 * question, in any order. */
bool engine_items_fetch(struct engine_items *items, const int64_t *ids, size_t count,
                        bool heads, engine_take_item *take, void *context,
                        struct err *err) MUST_USE;
bool engine_items_answers(struct engine_items *items, int64_t question,
                          engine_take_item *take, void *context,
                          struct err *err) MUST_USE;

/* How many there are of each kind, the sum of all sums, and that of the hashes, which
 * takes longer; NULL: it is not wanted. */
bool engine_items_count(struct engine_items *items, int64_t kinds[ITEM_KINDS],
                        uint64_t *sum, uint64_t *hash, struct err *err) MUST_USE;

/* --- what servers test themselves --- */

/* A query whose conditions (those that it joins by `and`, or itself) servers test one
 * after the other, as far as they can say them exactly. */
struct engine_asked {
    struct str name; /* for in: of later ones; may be empty */
    const struct query_node *query;
};

enum { ENGINE_OPEN = 255 }; /* it has to be tested by whoever asks */

struct engine_asking {
    unsigned kinds;
    unsigned fields; /* bit 1u << field: these numbers are enough; 0: all are wanted */
    const struct engine_asked *queries;
    size_t count;
    bool bodies; /* where it has to be tested the body is wanted too */
};

/* Gets an item and how many conditions of each query it meets, or ENGINE_OPEN. It has its
 * numbers alone, but where something is open all but perhaps the body: `whole`. */
typedef bool engine_take_asked(void *context, const struct engine_item *item, bool whole,
                               const uint8_t *passed, struct err *err);

/* Every item of the kinds, ascending by id. Servers work on the next block while one is
 * taken. */
bool engine_items_ask(struct engine_items *items, const struct engine_asking *asking,
                      engine_take_asked *take, void *context, struct err *err) MUST_USE;

#endif
