/* Numbers of items, one behind the other: written once in their order, then read
 * anywhere. A block of them takes as many bytes a number as its range asks for, so that a
 * corpus of millions of items fits into memory. */
#ifndef MEASURE_COLUMN_H
#define MEASURE_COLUMN_H

#include <string.h>

#include "base/list.h"
#include "item/item.h"

enum { MEASURE_COLUMN_BLOCK = 1024 }; /* numbers */

/* Number i is base plus the i-th code, modulo 2^64; the code `none` stands for ITEM_NONE.
 */
struct measure_column_block {
    uint64_t base, mask, none;
    const unsigned char *codes; /* with 7 bytes behind the last */
    size_t width;               /* bytes a code, 0 to 8 */
};

struct measure_column {
    const struct measure_column_block *blocks;
    size_t count; /* numbers */
};

static inline int64_t measure_column_at(struct measure_column column, size_t i)
{
    const struct measure_column_block *block = &column.blocks[i / MEASURE_COLUMN_BLOCK];
    uint64_t code;

    memcpy(&code, block->codes + i % MEASURE_COLUMN_BLOCK * block->width, sizeof code);
    code &= block->mask;
    return code == block->none ? ITEM_NONE : (int64_t)(block->base + code);
}

/* A column while it is written. A zeroed one is ready. */
struct measure_column_maker {
    LIST(struct measure_column_block) blocks;
    int64_t waiting[MEASURE_COLUMN_BLOCK]; /* of the block that is not full yet */
    size_t count;
};

/* The codes stand in the arena. */
void measure_column_add(struct measure_column_maker *maker, int64_t number,
                        struct arena *arena);

/* All of it, which lasts as long as the arena; the maker is then empty. One that is not
 * wanted is freed instead. */
struct measure_column measure_column_end(struct measure_column_maker *maker,
                                         struct arena *arena);
void measure_column_free(struct measure_column_maker *maker);

/* Of numbers that are there already. */
struct measure_column measure_column_of(const int64_t *numbers, size_t count,
                                        struct arena *arena);

#endif
