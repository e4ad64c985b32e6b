/* Literals by Hyperscan, or by Vectorscan, which has the same interface. Defining
 * QUERY_HYPERSCAN as 0 leaves it out; by default it is in where its header is. */
#include "query/internal.h"

#ifndef QUERY_HYPERSCAN
#ifdef __has_include
#if __has_include(<hs/hs.h>)
#define QUERY_HYPERSCAN 1
#endif
#endif
#endif
#ifndef QUERY_HYPERSCAN
#define QUERY_HYPERSCAN 0
#endif

#if QUERY_HYPERSCAN

#include <assert.h>
#include <hs/hs.h>

/* A scan takes a 32-bit length; longer texts are scanned in blocks that overlap by more
 * than a literal. */
enum { BLOCK_MAX = 1 << 30, OVERLAP = 64 };

struct query_hyperscan {
    hs_database_t *database;
    size_t block_max;
};

struct query_hyperscan_room {
    hs_scratch_t *scratch;
};

/* What a callback has to know. */
struct hyperscan_scan {
    struct query_found *found;
    size_t block; /* where the block begins in the text */
};

static const char *to_pattern(struct str literal, struct arena *arena)
{
    struct buf out = {0};

    for (size_t i = 0; i < literal.len; i++)
        buf_add_format(&out, "\\x%02x", (unsigned)(unsigned char)literal.ptr[i]);
    const char *pattern = arena_c_string(arena, buf_str(&out));
    buf_free(&out);
    return pattern;
}

struct query_hyperscan *query_hyperscan_open(const struct query_finder *finder,
                                             struct arena *arena)
{
    size_t count = finder->literal_count;
    struct arena local = {0};
    const char **patterns = arena_array(&local, const char *, count);
    unsigned *flags = arena_array(&local, unsigned, count);
    unsigned *ids = arena_array(&local, unsigned, count);
    hs_database_t *database = NULL;
    hs_compile_error_t *error = NULL;

    for (size_t i = 0; i < count; i++) {
        patterns[i] = to_pattern(finder->literals[i].text, &local);
        flags[i] = HS_FLAG_CASELESS; /* of ASCII, as long as UTF-8 is not asked for */
        ids[i] = (unsigned)i;
    }
    if (hs_valid_platform() == HS_SUCCESS &&
        hs_compile_multi(patterns, flags, ids, (unsigned)count, HS_MODE_BLOCK, NULL,
                         &database, &error) != HS_SUCCESS)
        database = NULL;
    hs_free_compile_error(error);
    arena_free(&local);
    if (database == NULL)
        return NULL;
    struct query_hyperscan *engine = arena_array(arena, struct query_hyperscan, 1);
    engine->database = database;
    engine->block_max = finder->block_max > OVERLAP ? finder->block_max : BLOCK_MAX;
    return engine;
}

void query_hyperscan_close(struct query_hyperscan *engine)
{
    if (engine != NULL)
        hs_free_database(engine->database);
}

static int on_match(unsigned id, unsigned long long from, unsigned long long to,
                    unsigned flags, void *context)
{
    const struct hyperscan_scan *scan = context;
    size_t end = scan->block + (size_t)to;

    (void)from; /* not asked for: it follows from the length */
    (void)flags;
    return !query_finder_hit(scan->found, id,
                             end - scan->found->finder->literals[id].text.len);
}

void query_hyperscan_run(const struct query_hyperscan *engine, struct query_found *found,
                         struct query_hyperscan_room *room)
{
    struct str text = found->text;
    size_t most = engine->block_max;

    for (size_t begin = 0; begin < text.len; begin += most - OVERLAP) {
        size_t len = text.len - begin < most ? text.len - begin : most;
        struct hyperscan_scan scan = {found, begin};
        hs_error_t result = hs_scan(engine->database, text.ptr + begin, (unsigned)len, 0,
                                    room->scratch, on_match, &scan);
        assert(result == HS_SUCCESS || result == HS_SCAN_TERMINATED);
        if (result != HS_SUCCESS || begin + len == text.len)
            return;
    }
}

struct query_hyperscan_room *query_hyperscan_room_open(struct arena *arena)
{
    return arena_array(arena, struct query_hyperscan_room, 1);
}

void query_hyperscan_room_add(struct query_hyperscan_room *room,
                              const struct query_hyperscan *engine)
{
    if (engine != NULL &&
        hs_alloc_scratch(engine->database, &room->scratch) != HS_SUCCESS)
        arena_exhausted();
}

void query_hyperscan_room_close(struct query_hyperscan_room *room)
{
    if (room->scratch != NULL) /* else nothing is asked of the library, and it is not loaded */
        hs_free_scratch(room->scratch);
}

#else

struct query_hyperscan_room {
    char unused;
};

struct query_hyperscan *query_hyperscan_open(const struct query_finder *finder,
                                             struct arena *arena)
{
    (void)finder;
    (void)arena;
    return NULL;
}

void query_hyperscan_close(struct query_hyperscan *engine)
{
    (void)engine;
}

void query_hyperscan_run(const struct query_hyperscan *engine, struct query_found *found,
                         struct query_hyperscan_room *room)
{
    (void)engine;
    (void)found;
    (void)room;
}

struct query_hyperscan_room *query_hyperscan_room_open(struct arena *arena)
{
    return arena_array(arena, struct query_hyperscan_room, 1);
}

void query_hyperscan_room_add(struct query_hyperscan_room *room,
                              const struct query_hyperscan *engine)
{
    (void)room;
    (void)engine;
}

void query_hyperscan_room_close(struct query_hyperscan_room *room)
{
    (void)room;
}

#endif
