/* Words and their numbers, which count from 0 in the order of their first appearance. A
 * zeroed table is empty. */
#ifndef TOPIC_TOKENS_TABLE_H
#define TOPIC_TOKENS_TABLE_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/arena.h"
#include "base/buf.h"

struct tokens_table {
    size_t count;
    struct arena arena;
    struct buf names; /* struct str */
    struct buf slots; /* struct tokens_slot; a power of two, half full at the most */
};

struct tokens_slot {
    uint64_t key;    /* see tokens_table_key() */
    uint32_t number; /* from 1; 0: the slot is free */
    uint32_t len;
};

static inline struct str tokens_table_name(const struct tokens_table *table,
                                           size_t number)
{
    return ((const struct str *)(const void *)table->names.ptr)[number];
}

enum { TOKENS_TABLE_PAD = 16 }; /* bytes behind a word that may be read for its key */

/* What a word is looked up by: the word itself up to 8 bytes, else its hash. Up to 16
 * bytes there is no branch that lengths, which nobody foretells, could go either way. */
static inline uint64_t tokens_table_key(struct str word)
{
    static const unsigned char masks[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                            255, 255, 255, 255, 255, 255, 255, 255};
    uint64_t low, high, low_mask, high_mask;

    if (word.len > 16)
        return XXH3_64bits(word.ptr, word.len);
    memcpy(&low, word.ptr, 8);
    memcpy(&high, word.ptr + 8, 8);
    memcpy(&low_mask, masks + 16 - word.len, 8);
    memcpy(&high_mask, masks + 24 - word.len, 8);
    high = (high & high_mask) * UINT64_C(0xC2B2AE3D27D4EB4F); /* 0 of a short word */
    return (low & low_mask) ^ high ^ high >> 32;
}

/* Where the search for a word begins. The table has slots. */
static inline size_t tokens_table_place(const struct tokens_table *table, uint64_t key,
                                        size_t len)
{
    uint64_t hash = (key ^ len) * UINT64_C(0x9E3779B97F4A7C15);

    return (hash ^ hash >> 32) & (table->slots.len / sizeof(struct tokens_slot) - 1);
}

/* Asks the processor for what tokens_table_put() will read. */
static inline void tokens_table_fetch(const struct tokens_table *table, uint64_t key,
                                      size_t len)
{
    if (table->slots.len > 0)
        __builtin_prefetch((const struct tokens_slot *)(const void *)table->slots.ptr +
                           tokens_table_place(table, key, len));
}

/* The number of the word, which is entered if it is new. */
uint32_t tokens_table_enter(struct tokens_table *table, struct str word, uint64_t key);

/* The same; a short word is nearly always found where it is looked for first. */
static inline uint32_t tokens_table_put(struct tokens_table *table, struct str word,
                                        uint64_t key)
{
    const struct tokens_slot *slots =
        (const struct tokens_slot *)(const void *)table->slots.ptr;

    if (word.len <= 8 && slots != NULL) {
        const struct tokens_slot *slot = slots + tokens_table_place(table, key, word.len);
        if (slot->number > 0 && slot->key == key && slot->len == word.len)
            return slot->number - 1;
    }
    return tokens_table_enter(table, word, key);
}

uint32_t tokens_table_number(struct tokens_table *table, struct str word); /* any word */

void tokens_table_free(struct tokens_table *table);

#endif
