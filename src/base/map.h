/* From a name to a number: a hash table that only grows. Keys are copied into the arena
 * that the map was made with; a zeroed map with its arena set is empty and ready. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/arena.h"

struct map {
    struct arena *arena;
    struct map_entry *entries; /* a power of two, at most three quarters full */
    size_t capacity;
    size_t count;
};

struct map_entry {
    struct str key; /* ptr NULL: free */
    uint64_t hash;
    int64_t value;
};

/* The place of the key's value, or NULL when the key is not there. It moves with the next
 * map_put(). */
int64_t *map_get(const struct map *map, struct str key);

/* The same, entering the key with value 0 when it is new. */
int64_t *map_put(struct map *map, struct str key);

/* Of a map whose values are set by nothing else: the number of the key, from 0 in the
 * order in which keys came. */
size_t map_number(struct map *map, struct str key);

/* Its `count` entries in the order of their keys' bytes. */
const struct map_entry *map_sorted(const struct map *map, struct arena *arena);

#endif
