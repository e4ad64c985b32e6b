/* Blocks are packed as they fill. Codes are read as eight bytes in the order of the
 * machine, lowest first. */
#include "measure/column.h"

#include <assert.h>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "codes are cut from below");

/* The least whole number of bytes in which 0 to most can be written. */
static size_t bytes_for(uint64_t most)
{
    return most == 0 ? 0 : (size_t)(64 - __builtin_clzll(most) + 7) / 8;
}

/* What the numbers need; a code more than their range where some are missing. */
static struct measure_column_block plan(const int64_t *numbers, size_t count)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
    bool missing = false, any = false;

    for (size_t i = 0; i < count; i++) {
        bool none = numbers[i] == ITEM_NONE;
        missing |= none;
        any |= !none;
        if (!none) {
            least = numbers[i] < least ? numbers[i] : least;
            most = numbers[i] > most ? numbers[i] : most;
        }
    }
    if (!any)
        return (struct measure_column_block){0};
    uint64_t range = (uint64_t)most - (uint64_t)least;
    size_t width = range < UINT64_MAX ? bytes_for(range + missing) : sizeof range;
    struct measure_column_block block = {
        .base = (uint64_t)least,
        .mask = width == 0 ? 0 : UINT64_MAX >> (64 - 8 * width),
        .width = width};
    /* Of eight bytes no code may be left: there the numbers stand as they are. */
    if (width == sizeof range)
        block.base = 0;
    block.none = width == sizeof range ? (uint64_t)ITEM_NONE
                 : missing             ? block.mask
                                       : UINT64_MAX;
    return block;
}

static void pack(struct measure_column_maker *maker, size_t count, struct arena *arena)
{
    struct measure_column_block block = plan(maker->waiting, count);
    unsigned char *codes =
        arena_array(arena, unsigned char, count *block.width + sizeof block.mask);

    for (size_t i = 0; i < count; i++) {
        uint64_t code = maker->waiting[i] == ITEM_NONE
                            ? block.none
                            : (uint64_t)maker->waiting[i] - block.base;
        memcpy(codes + i * block.width, &code, block.width);
    }
    block.codes = codes;
    list_add(&maker->blocks, block);
}

void measure_column_add(struct measure_column_maker *maker, int64_t number,
                        struct arena *arena)
{
    maker->waiting[maker->count++ % MEASURE_COLUMN_BLOCK] = number;
    if (maker->count % MEASURE_COLUMN_BLOCK == 0)
        pack(maker, MEASURE_COLUMN_BLOCK, arena);
}

struct measure_column measure_column_end(struct measure_column_maker *maker,
                                         struct arena *arena)
{
    struct measure_column column = {.count = maker->count};

    if (maker->count % MEASURE_COLUMN_BLOCK > 0)
        pack(maker, maker->count % MEASURE_COLUMN_BLOCK, arena);
    column.blocks = list_copy(&maker->blocks, arena);
    measure_column_free(maker);
    return column;
}

void measure_column_free(struct measure_column_maker *maker)
{
    list_free(&maker->blocks);
    maker->count = 0;
}

struct measure_column measure_column_of(const int64_t *numbers, size_t count,
                                        struct arena *arena)
{
    struct measure_column_maker maker = {0};

    for (size_t i = 0; i < count; i++)
        measure_column_add(&maker, numbers[i], arena);
    return measure_column_end(&maker, arena);
}
