/* Region memory: allocate freely, release all at once. Allocation never fails: the
 * program ends with a message when memory runs out. A zeroed arena is ready to use. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>

#include "base/compiler.h"
#include "base/str.h"

struct arena {
    struct arena_chunk *newest;
};

struct arena_mark {
    struct arena_chunk *chunk;
    size_t used;
};

#define arena_array(arena, type, count) \
    ((type *)arena_alloc((arena), (count), sizeof(type)))

void *arena_alloc(struct arena *arena, size_t count, size_t size); /* zeroed bytes */
struct str arena_copy(struct arena *arena, struct str s);
char *arena_c_string(struct arena *arena, struct str s);

/* What is printed, with a NUL behind it. */
struct str arena_format(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
struct str arena_format_arguments(struct arena *arena, const char *format,
                                  va_list arguments) PRINTF_LIKE(2, 0);

void arena_free(struct arena *arena);

/* Ends the program with a message: the one answer to an allocation that failed. */
_Noreturn void arena_exhausted(void);

/* What must be done before it ends, on whichever thread that happens; may not allocate.
 */
void arena_at_exhaustion(void (*clean)(void));

/* From then on large blocks go back to the system when they are freed. By itself malloc()
 * would come to keep those of up to 32 MB, and a study of millions of items hold twice
 * what it needs. An ingest, which asks for the same buffers again and again, is slower
 * so: a third, where servers hold the items. */
void arena_give_back(void);

/* Everything allocated after the mark is released by rewinding to it. */
struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);

#endif
