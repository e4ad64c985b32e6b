/* A pack and its index around entries that a test makes up: everything that says where
 * they are and that they belong together is right, whatever the entries themselves hold.
 * The hash of entry i is 20 bytes of 8 * i. */
#ifndef TESTS_MADE_PACK_H
#define TESTS_MADE_PACK_H

#include "git/packed.h"

static inline void made_pack_number(struct buf *out, uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_add_char(out, (char)(number >> shift));
}

static inline struct git_history_hash made_pack_hash(size_t entry)
{
    struct git_history_hash hash;

    memset(hash.bytes, (int)(8 * entry), sizeof hash.bytes);
    return hash;
}

/* places: where each entry begins in `entries`; at most 32 of them. */
static inline void made_pack(struct str entries, const size_t *places, size_t count,
                             struct buf *index, struct buf *pack)
{
    static const char end[] = "the end of the pack.";

    buf_add(pack, STR("PACK\0\0\0\2"));
    made_pack_number(pack, (uint32_t)count);
    size_t head = pack->len;
    buf_add(pack, entries);
    buf_add(pack, (struct str){end, GIT_HISTORY_HASH_BYTES});
    buf_add(index, STR("\377tOc\0\0\0\2"));
    for (size_t first = 0; first < 256; first++)
        made_pack_number(index,
                         (uint32_t)(first / 8 + 1 < count ? first / 8 + 1 : count));
    for (size_t i = 0; i < count; i++) {
        struct git_history_hash hash = made_pack_hash(i);
        buf_add(index, (struct str){(const char *)hash.bytes, sizeof hash.bytes});
    }
    for (size_t i = 0; i < count; i++)
        made_pack_number(index, 0); /* checksums, which are not looked at */
    for (size_t i = 0; i < count; i++)
        made_pack_number(index, (uint32_t)(head + places[i]));
    buf_add(index, (struct str){end, GIT_HISTORY_HASH_BYTES});
    buf_add(index, (struct str){end, GIT_HISTORY_HASH_BYTES});
}

#endif
