/* What an item is called. Inside the program it is a number of ours; people see its key,
 * as its source calls it: `12345`, or `ai:12345` where a study has several sources.
 *
 * A source has a space of its own; sources of one site share the space of the first of
 * them, for there the same key is the same item. An id is the space's number in the upper
 * bits and the source's own number in the lower ones. So the id of an answer's question
 * is known before that question has been read, the same row always gets the same id, and
 * ids ascend by source and then by number. A key that is not a number, or too large a
 * one, is numbered by its place in the source and kept as text; a commit's is its hash,
 * of which a beginning of 7 digits or more will do where it is the only one. */
#ifndef ITEM_KEY_H
#define ITEM_KEY_H

#include "item/item.h"

enum { ITEM_SPACE_BITS = 40 };

#define ITEM_NUMBER_MAX   (INT64_C(1) << (ITEM_SPACE_BITS - 2)) /* of a key that counts */
#define ITEM_NUMBER_LIMIT (INT64_C(1) << (ITEM_SPACE_BITS - 1))

/* The id of a source's number; ITEM_NONE stays so. number is below ITEM_NUMBER_LIMIT. */
static inline int64_t item_id(size_t space, int64_t number)
{
    return number == ITEM_NONE
               ? ITEM_NONE
               : (int64_t)space * (INT64_C(1) << ITEM_SPACE_BITS) + number;
}

static inline int64_t item_number(int64_t id)
{
    int64_t low = id & ((INT64_C(1) << ITEM_SPACE_BITS) - 1);

    return id == ITEM_NONE           ? ITEM_NONE
           : low < ITEM_NUMBER_LIMIT ? low
                                     : low - (INT64_C(1) << ITEM_SPACE_BITS);
}

static inline size_t item_space(int64_t id)
{
    return (size_t)((id - item_number(id)) >> ITEM_SPACE_BITS);
}

/* A key that is text: which one, and of which item. */
struct item_name {
    int64_t id;
    struct str text; /* without the source's name */
};

/* The sources of a study, by number, as far as keys and links need them. */
struct item_space {
    struct str name; /* of the source: what stands before a key */
    struct str site; /* where links lead; empty: nowhere */
    size_t
        space; /* its items are in the space of that source: itself or an earlier one */
    const char *way; /* of links, from the site to a number: "/q/"; NULL: that */
};

struct item_spaces {
    const struct item_space *at;
    size_t count;
    bool several;                    /* keys need the name of their source */
    bool texts;                      /* keys may be text */
    const struct item_name *names;   /* ascending by id; of keys that are text */
    const struct item_name *by_text; /* the same, ascending by text and then id */
    size_t name_count;
};

/* Where spaces are NULL below, items are called by plain numbers.
 *
 * "12345", or "ai:12345" where there are several spaces. */
void item_key_add(struct buf *out, const struct item_spaces *spaces, int64_t id);

/* The same as a field of csv. */
void item_key_add_csv(struct buf *out, const struct item_spaces *spaces, int64_t id);

/* The same for a message, cut when it is long. */
enum { ITEM_KEY_SHOWN_MAX = 100 };
const char *item_key_show(const struct item_spaces *spaces, int64_t id,
                          char out[ITEM_KEY_SHOWN_MAX]);

/* The same as a value of JSON: a number where keys are plain numbers, else a string. */
void item_key_add_json(struct buf *out, const struct item_spaces *spaces, int64_t id);

/* The same as text that lives in arena. */
struct str item_key(const struct item_spaces *spaces, int64_t id, struct arena *arena);

/* Sorts names, which ascend by id, by their text, into arena. */
const struct item_name *item_names_by_text(const struct item_name *names, size_t count,
                                           struct arena *arena);

/* Which item a key or a link means. ERR_INPUT, without a place, says what was found and
 * what was expected. */
bool item_key_read(const struct item_spaces *spaces, struct str text, int64_t *id,
                   struct err *err) MUST_USE;

/* Whether an item that is not there may be called so: where keys are text, which they are
 * can only be told of those that are there. */
bool item_key_possible(const struct item_spaces *spaces, struct str text);

/* The id of the same item in another study: what has its key in the source of the same
 * site or, without one, of the same name; in the only space where both have but one and
 * no two sites are named.
 * ITEM_NONE: that study knows of none. */
int64_t item_key_elsewhere(const struct item_spaces *spaces, int64_t id,
                           const struct item_spaces *other);

/* A link to the item, which may be what its source calls it; nothing where there is none.
 * Not escaped. */
void item_link_add(struct buf *out, const struct item_spaces *spaces, int64_t id);

/* A link to who wrote a post, on the sites that have such pages; nothing on others. */
void item_author_link_add(struct buf *out, const struct item_spaces *spaces, int64_t post,
                          int64_t user);

#endif
