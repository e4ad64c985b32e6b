/* How features are hashed and looked up: what reading a post shares with the table. Two
 * features whose 64-bit hashes are the same would be taken for one: with a million
 * features the chance is below 1e-7. */
#ifndef LEARN_FEATURES_TABLE_H
#define LEARN_FEATURES_TABLE_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "learn/features.h"

enum { FEATURES_TABLE_PAD = 16 }; /* bytes behind a name that may be read */

static inline uint64_t features_table_mix(uint64_t x)
{
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

/* Both factors times each other, upper half on lower half: the step of wyhash
 * (https://github.com/wangyi-fudan/wyhash, public domain). */
static inline uint64_t features_table_fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* What a name comes to before its part and kind. Up to 16 bytes there is no branch that
 * lengths, which nobody foretells, could go either way. No factor becomes 0, since no
 * text has the bytes of the constants. */
static inline uint64_t features_table_base(const char *name, size_t len)
{
    static const unsigned char masks[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                            255, 255, 255, 255, 255, 255, 255, 255};
    uint64_t low, high, low_mask, high_mask;

    if (len > 16)
        return XXH3_64bits(name, len);
    memcpy(&low, name, 8);
    memcpy(&high, name + 8, 8);
    memcpy(&low_mask, masks + 16 - len, 8);
    memcpy(&high_mask, masks + 24 - len, 8);
    return features_table_fold((low & low_mask) ^ UINT64_C(0xA0761D6478BD642F),
                               (high & high_mask) ^ UINT64_C(0xE7037ED1A0B428DB));
}

/* Of a run of words from those of its words. */
static inline uint64_t features_table_joined(uint64_t before, uint64_t word)
{
    return features_table_mix(before * UINT64_C(0x9E3779B97F4A7C15)) ^ word;
}

static inline uint64_t features_table_hash(uint64_t base, unsigned part, unsigned kind)
{
    return base + (part * FEATURES_KINDS + kind + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

static inline struct features_slot *
features_table_slots(const struct features_table *table)
{
    return (struct features_slot *)(void *)table->slots.ptr;
}

static inline size_t features_table_capacity(const struct features_table *table)
{
    return table->slots.len / sizeof(struct features_slot);
}

/* The slot of the hash, or the free one where it belongs. The mask is the number of slots
 * less 1; a table that is empty has none. */
static inline struct features_slot *features_table_find(struct features_slot *slots,
                                                        size_t mask, uint64_t hash)
{
    for (size_t i = hash & mask;; i = (i + 1) & mask)
        if (slots[i].hash == hash || slots[i].next == 0)
            return slots + i;
}

/* The number of the feature with this entry's hash, which is entered if it is new. The
 * entry's name is set here. */
size_t features_table_enter(struct features_table *table, struct features_entry entry,
                            struct str name, bool *fresh);

#endif
