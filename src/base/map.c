/* Open addressing with linear steps; XXH3 spreads the keys. */
#include "base/map.h"

#include <stdlib.h>
#include <xxhash.h>

enum { FIRST_CAPACITY = 16 };

static struct map_entry *find(const struct map *map, struct str key, uint64_t hash)
{
    for (size_t at = hash & (map->capacity - 1);; at = (at + 1) & (map->capacity - 1)) {
        struct map_entry *entry = &map->entries[at];
        if (entry->key.ptr == NULL || (entry->hash == hash && str_eq(entry->key, key)))
            return entry;
    }
}

static uint64_t hash_of(struct str key)
{
    return XXH3_64bits(key.len > 0 ? key.ptr : "", key.len);
}

int64_t *map_get(const struct map *map, struct str key)
{
    if (map->count == 0)
        return NULL;
    struct map_entry *entry = find(map, key, hash_of(key));
    return entry->key.ptr != NULL ? &entry->value : NULL;
}

/* The old table stays in the arena: all of them together are smaller than the new one. */
static void enlarge(struct map *map)
{
    struct map larger = {.arena = map->arena, .count = map->count};

    larger.capacity = map->capacity > 0 ? 2 * map->capacity : FIRST_CAPACITY;
    larger.entries = arena_array(map->arena, struct map_entry, larger.capacity);
    for (size_t i = 0; i < map->capacity; i++)
        if (map->entries[i].key.ptr != NULL)
            *find(&larger, map->entries[i].key, map->entries[i].hash) = map->entries[i];
    *map = larger;
}

int64_t *map_put(struct map *map, struct str key)
{
    uint64_t hash = hash_of(key);

    if (map->count >= map->capacity / 4 * 3)
        enlarge(map);
    struct map_entry *entry = find(map, key, hash);
    if (entry->key.ptr == NULL) {
        *entry = (struct map_entry){.key = arena_copy(map->arena, key), .hash = hash};
        map->count++;
    }
    return &entry->value;
}

size_t map_number(struct map *map, struct str key)
{
    size_t before = map->count;
    int64_t *number = map_put(map, key);

    if (map->count > before)
        *number = (int64_t)before;
    return (size_t)*number;
}

static int compare_keys(const void *a, const void *b)
{
    return str_compare(((const struct map_entry *)a)->key,
                       ((const struct map_entry *)b)->key);
}

const struct map_entry *map_sorted(const struct map *map, struct arena *arena)
{
    struct map_entry *entries = arena_array(arena, struct map_entry, map->count + 1);
    size_t count = 0;

    for (size_t i = 0; i < map->capacity; i++)
        if (map->entries[i].key.ptr != NULL)
            entries[count++] = map->entries[i];
    qsort(entries, count, sizeof *entries, compare_keys);
    return entries;
}
