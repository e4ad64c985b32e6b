/* Growing arrays of one type: LIST(size_t) ends; list_add(&ends, 5); ends.at[0] is 5. A
 * zeroed list is empty; list_free() gives its memory back. Growing never fails (see
 * arena.h) and may move what is in the list. A list that is passed on is the member of a
 * struct, since every LIST() is a type of its own. */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include "base/arena.h"

#define LIST(type) \
    struct { \
        type *at; \
        size_t count, room; \
    }

#define list_add(list, value) \
    (list_reserve((list), 1), (void)((list)->at[(list)->count++] = (value)))

/* Room for `more` further ones behind the last. */
#define list_reserve(list, more) \
    ((list)->room - (list)->count < (more) \
         ? (void)((list)->at = list_grown((list)->at, (list)->count + (more), \
                                          sizeof *(list)->at, &(list)->room)) \
         : (void)0)

#define list_clear(list) ((void)((list)->count = 0))

/* The list is then empty, and can be used again. */
#define list_free(list) \
    (list_release((list)->at), (void)((list)->at = NULL), \
     (void)((list)->count = (list)->room = 0))

/* Its items as an array in the arena, with room for one more. */
#define list_copy(list, arena) \
    list_copied((list)->at, (list)->count, sizeof *(list)->at, (arena))

/* What the macros stand on: memory for at least `needed` items, with what was there. */
void *list_grown(void *at, size_t needed, size_t size, size_t *room);
void *list_copied(const void *at, size_t count, size_t size, struct arena *arena);
void list_release(void *at);

#endif
