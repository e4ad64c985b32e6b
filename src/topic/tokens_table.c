/* Open addressing with linear steps. Short words, which are most, are their own keys: to
 * find one, no name is looked at. */
#include "topic/tokens_table.h"

enum { SLOTS_FIRST = 1024 };

static struct tokens_slot *slots_of(const struct tokens_table *table)
{
    return (struct tokens_slot *)(void *)table->slots.ptr;
}

static bool is_at(const struct tokens_table *table, const struct tokens_slot *slot,
                  struct str word, uint64_t key)
{
    return slot->key == key && slot->len == word.len &&
           (word.len <= sizeof key ||
            str_eq(tokens_table_name(table, slot->number - 1), word));
}

/* The slot of the word, or the free one where it belongs. The table has slots. */
static struct tokens_slot *find_slot(const struct tokens_table *table, struct str word,
                                     uint64_t key)
{
    struct tokens_slot *slots = slots_of(table);
    size_t mask = table->slots.len / sizeof *slots - 1;

    for (size_t i = tokens_table_place(table, key, word.len);; i = (i + 1) & mask)
        if (slots[i].number == 0 || is_at(table, slots + i, word, key))
            return slots + i;
}

static void grow_slots(struct tokens_table *table)
{
    struct buf old = table->slots;
    size_t bytes = old.len > 0 ? 2 * old.len : SLOTS_FIRST * sizeof(struct tokens_slot);

    table->slots = (struct buf){0};
    memset(buf_reserve(&table->slots, bytes), 0, bytes);
    table->slots.len = bytes;
    for (size_t i = 0; i < old.len; i += sizeof(struct tokens_slot)) {
        const struct tokens_slot *slot = (struct tokens_slot *)(void *)(old.ptr + i);
        if (slot->number > 0)
            *find_slot(table, tokens_table_name(table, slot->number - 1), slot->key) =
                *slot;
    }
    buf_free(&old);
}

uint32_t tokens_table_enter(struct tokens_table *table, struct str word, uint64_t key)
{
    if (2 * (table->count + 1) * sizeof(struct tokens_slot) > table->slots.len)
        grow_slots(table);
    struct tokens_slot *slot = find_slot(table, word, key);
    if (slot->number == 0) {
        struct str name = arena_copy(&table->arena, word);
        *slot = (struct tokens_slot){key, (uint32_t)++table->count, (uint32_t)word.len};
        buf_add(&table->names, (struct str){(const char *)&name, sizeof name});
    }
    return slot->number - 1;
}

uint32_t tokens_table_number(struct tokens_table *table, struct str word)
{
    char padded[TOKENS_TABLE_PAD] = {0};
    struct str copy = {padded, word.len};

    if (word.len > sizeof padded)
        return tokens_table_put(table, word, tokens_table_key(word));
    if (word.len > 0)
        memcpy(padded, word.ptr, word.len);
    return tokens_table_put(table, copy, tokens_table_key(copy));
}

void tokens_table_free(struct tokens_table *table)
{
    arena_free(&table->arena);
    buf_free(&table->names);
    buf_free(&table->slots);
    table->count = 0;
}
