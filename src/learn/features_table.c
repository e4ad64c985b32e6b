/* Open addressing with linear steps, half full at the most. */
#include "learn/features_table.h"

#include <assert.h>

void features_table_free(struct features_table *table)
{
    buf_free(&table->entries);
    buf_free(&table->names);
    buf_free(&table->slots);
    table->count = 0;
}

const struct features_entry *features_entry(const struct features_table *table,
                                            size_t feature)
{
    return (const struct features_entry *)(const void *)table->entries.ptr + feature;
}

struct str features_name(const struct features_table *table, size_t feature)
{
    const struct features_entry *entry = features_entry(table, feature);

    return (struct str){table->names.ptr + entry->name, entry->name_len};
}

static void grow_slots(struct features_table *table)
{
    size_t old = features_table_capacity(table), capacity = old == 0 ? 1024 : 2 * old;
    size_t bytes = capacity * sizeof(struct features_slot);

    buf_clear(&table->slots);
    memset(buf_reserve(&table->slots, bytes), 0, bytes);
    table->slots.len = bytes;
    for (size_t i = 0; i < table->count; i++) {
        uint64_t hash = features_entry(table, i)->hash;
        *features_table_find(features_table_slots(table), capacity - 1, hash) =
            (struct features_slot){hash, i + 1};
    }
}

size_t features_table_enter(struct features_table *table, struct features_entry entry,
                            struct str name, bool *fresh)
{
    if (2 * (table->count + 1) > features_table_capacity(table))
        grow_slots(table);
    struct features_slot *slot = features_table_find(
        features_table_slots(table), features_table_capacity(table) - 1, entry.hash);
    *fresh = slot->next == 0;
    if (slot->next != 0)
        return slot->next - 1;
    *slot = (struct features_slot){entry.hash, table->count + 1};
    entry.name = table->names.len;
    entry.name_len = (uint32_t)name.len;
    buf_add(&table->names, name);
    buf_add(&table->entries, (struct str){(const char *)&entry, sizeof entry});
    return table->count++;
}

/* The same as the reader finds: a run's from those of its words. */
static uint64_t base_of_feature(enum features_kind kind, struct str name)
{
    char padded[FEATURES_NAME_MAX + FEATURES_TABLE_PAD] = {0};
    uint64_t base = 0;
    size_t begin = 0;

    memcpy(padded, name.ptr, name.len);
    if (kind != FEATURES_RUN)
        return features_table_base(padded, name.len);
    for (size_t at = 0; at <= name.len; at++)
        if (at == name.len || padded[at] == ' ') {
            uint64_t word =
                at > begin ? features_table_base(padded + begin, at - begin) : 0;
            base = begin == 0 ? word : features_table_joined(base, word);
            begin = at + 1;
        }
    return base;
}

size_t features_put(struct features_table *table, enum parts_name part,
                    enum features_kind kind, struct str name, bool *fresh)
{
    struct features_entry entry = {.part = (uint8_t)part, .kind = (uint8_t)kind};
    bool ignored;

    assert(name.len > 0 && name.len <= FEATURES_NAME_MAX);
    entry.hash = features_table_hash(base_of_feature(kind, name), part, kind);
    return features_table_enter(table, entry, name, fresh != NULL ? fresh : &ignored);
}

size_t features_look_up(const struct features_table *table, enum parts_name part,
                        enum features_kind kind, struct str name)
{
    uint64_t hash = features_table_hash(base_of_feature(kind, name), part, kind);

    if (table->count == 0)
        return SIZE_MAX;
    return features_table_find(features_table_slots(table),
                               features_table_capacity(table) - 1, hash)
               ->next -
           1;
}
