/* [tagset:NAME]: a condition on tags that a study has gathered under a name. */
#include "query/internal.h"

#include <string.h>

/* The name that the condition asks for; empty: it is another one. */
static struct str name_of(const struct query_node *node)
{
    struct str mark = STR("tagset:");
    bool asks = node->kind == QUERY_TAG && node->match == QUERY_EXACT &&
                node->text.len > mark.len &&
                query_same_name(str_slice(node->text, 0, mark.len), mark);

    return asks ? str_trim(str_slice(node->text, mark.len, node->text.len))
                : (struct str){0};
}

struct str query_tagset(const struct query_node *node)
{
    struct str name = name_of(node);

    for (const struct query_node *child = node->first; child != NULL && name.len == 0;
         child = child->next)
        name = query_tagset(child);
    return name;
}

/* Its tags as one condition; NULL: the name is not known. */
static struct query_node *widen(const struct query_node *node, struct str name,
                                const struct query_tagset *sets, size_t count,
                                struct arena *arena)
{
    size_t at = 0;

    while (at < count && !str_eq(sets[at].name, name))
        at++;
    if (at == count)
        return NULL;
    struct query_node *any = arena_array(arena, struct query_node, 1);
    struct query_node **tail = &any->first;
    *any = (struct query_node){.kind = QUERY_OR, .at = node->at};
    for (size_t i = 0; i < sets[at].count; i++) {
        struct str tag = sets[at].tags[i];
        *tail = arena_array(arena, struct query_node, 1);
        **tail = *node;
        (*tail)->next = NULL;
        (*tail)->text = tag;
        if (tag.len > 0 && memchr(tag.ptr, '*', tag.len) != NULL)
            (*tail)->match = QUERY_GLOB;
        tail = &(*tail)->next;
    }
    return sets[at].count == 1 ? any->first : any;
}

struct query_node *query_with_tagsets(const struct query_node *node,
                                      const struct query_tagset *sets, size_t count,
                                      struct arena *arena)
{
    struct query_node *copy = arena_array(arena, struct query_node, 1);
    struct query_node **tail = &copy->first;
    struct str name = name_of(node);
    struct query_node *made = name.len > 0 ? widen(node, name, sets, count, arena) : NULL;

    if (made != NULL)
        return made;
    *copy = *node;
    copy->first = copy->next = NULL;
    for (const struct query_node *child = node->first; child; child = child->next) {
        made = query_with_tagsets(child, sets, count, arena);
        *tail = node->kind == QUERY_OR && made->kind == QUERY_OR ? made->first : made;
        while (*tail != NULL)
            tail = &(*tail)->next;
    }
    return copy;
}
