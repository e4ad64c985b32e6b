/* A list of chunks, newest first; only the newest has room. */
#include "base/arena.h"

#include <assert.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/late.h"

enum { CHUNK_BYTES = 64 * 1024, STALE_BYTE = 0xDD };

struct arena_chunk {
    struct arena_chunk *older;
    size_t used;
    size_t capacity;
    _Alignas(max_align_t) char bytes[];
};

static _Atomic(void (*)(void)) clean_up;

void arena_at_exhaustion(void (*clean)(void))
{
    atomic_store(&clean_up, clean);
}

void late_give_up(const char *message)
{
    void (*clean)(void) = atomic_exchange(&clean_up, NULL);

    if (clean != NULL)
        clean();
    fputs(message, stderr);
    exit(3);
}

void arena_exhausted(void)
{
    late_give_up("assay: out of memory\n");
}

static struct arena_chunk *add_chunk(struct arena *arena, size_t bytes)
{
    size_t capacity = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    struct arena_chunk *chunk = malloc(sizeof *chunk + capacity);

    if (chunk == NULL)
        arena_exhausted();
    *chunk = (struct arena_chunk){.older = arena->newest, .capacity = capacity};
    arena->newest = chunk;
    return chunk;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
    const size_t alignment = _Alignof(max_align_t);
    struct arena_chunk *chunk = arena->newest;

    if (size > 0 && count > SIZE_MAX / 2 / size)
        arena_exhausted();
    size_t bytes = (count * size + alignment - 1) / alignment * alignment;
    if (chunk == NULL || bytes > chunk->capacity - chunk->used)
        chunk = add_chunk(arena, bytes);
    void *result = chunk->bytes + chunk->used;
    chunk->used += bytes;
    return memset(result, 0, bytes);
}

struct str arena_copy(struct arena *arena, struct str s)
{
    return (struct str){arena_c_string(arena, s), s.len};
}

char *arena_c_string(struct arena *arena, struct str s)
{
    char *copy = arena_array(arena, char, s.len + 1);

    if (s.len > 0)
        memcpy(copy, s.ptr, s.len);
    return copy;
}

struct str arena_format_arguments(struct arena *arena, const char *format,
                                  va_list arguments)
{
    va_list again;
    char *text;
    int len;

    va_copy(again, arguments);
    len = vsnprintf(NULL, 0, format, arguments);
    assert(len >= 0);
    text = arena_array(arena, char, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    return (struct str){text, (size_t)len};
}

struct str arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    struct str text;

    va_start(arguments, format);
    text = arena_format_arguments(arena, format, arguments);
    va_end(arguments);
    return text;
}

void arena_free(struct arena *arena)
{
    arena_rewind(arena, (struct arena_mark){0});
}

void arena_give_back(void)
{
    enum { LARGE = 1024 * 1024 };

    mallopt(M_MMAP_THRESHOLD, LARGE);
}

struct arena_mark arena_mark(const struct arena *arena)
{
    struct arena_chunk *chunk = arena->newest;

    return (struct arena_mark){chunk, chunk != NULL ? chunk->used : 0};
}

void arena_rewind(struct arena *arena, struct arena_mark mark)
{
    while (arena->newest != mark.chunk) {
        struct arena_chunk *older = arena->newest->older;
        free(arena->newest);
        arena->newest = older;
    }
    if (mark.chunk != NULL) {
        /* Stale slices show up as garbage in tests instead of seeming to work. */
        memset(mark.chunk->bytes + mark.used, STALE_BYTE, mark.chunk->used - mark.used);
        mark.chunk->used = mark.used;
    }
}
