/* Which questions a study needs: the union of what its sets' funnels count, without
 * conditions that others make superfluous. Fewer conditions make a faster reading, and a
 * set that is changed within another one does not make the dump be read again. */
#include "study/study.h"

#include <stdlib.h>

#include "study/internal.h"

/* The query's alternatives: children of an OR, else the query itself. */
static const struct query_node *first_alternative(const struct query_node *query)
{
    return query->kind == QUERY_OR ? query->first : query;
}

static const struct query_node *next_alternative(const struct query_node *query,
                                                 const struct query_node *alternative)
{
    return query->kind == QUERY_OR ? alternative->next : NULL;
}

/* A condition that a small part of a dump meets: it names a tag, words, a user, an id. */
static bool is_selective(const struct query_node *query)
{
    switch (query->kind) {
    case QUERY_TAG:
    case QUERY_TEXT:
    case QUERY_LABEL: /* of what other sets bring: see without_labels() */
        return true;
    case QUERY_RANGE:
        return query->field == QUERY_FIELD_ID || query->field == QUERY_FIELD_USER;
    case QUERY_AND:
        for (const struct query_node *child = query->first; child != NULL;
             child = child->next)
            if (is_selective(child))
                return true;
        return false;
    case QUERY_OR:
        for (const struct query_node *child = query->first; child != NULL;
             child = child->next)
            if (!is_selective(child))
                return false;
        return true;
    default:
        return false;
    }
}

/* An AND up to and with its first selective condition; anything else as it is. */
static const struct query_node *widened(const struct query_node *query,
                                        struct arena *arena)
{
    if (query->kind != QUERY_AND || !is_selective(query))
        return query;
    if (is_selective(query->first))
        return query->first;
    struct query_node *joined = arena_array(arena, struct query_node, 1);
    struct query_node **tail = &joined->first;
    joined->kind = QUERY_AND;
    for (const struct query_node *child = query->first; child != NULL;
         child = child->next) {
        *tail = arena_array(arena, struct query_node, 1);
        **tail = *child;
        (*tail)->next = NULL;
        tail = &(*tail)->next;
        if (is_selective(child))
            break;
    }
    return joined;
}

/* Where several sources share their items, one of them does not tell where else an item
 * stands, nor which fields it gets there. */
static bool shares_items(const struct study *study, size_t number)
{
    for (size_t i = 0; i < study->source_count; i++)
        if (i != number && study->spaces.at[i].space == study->spaces.at[number].space)
            return true;
    return false;
}

static bool brings(const struct study_source *source, struct str field)
{
    for (size_t i = 0; i < source->field_count; i++)
        if (str_eq(source->fields[i].key, field))
            return true;
    return false;
}

/* A condition on what is around an item, or on a date that counts back from the newest.
 */
static bool is_around(const struct query_node *node)
{
    return node->kind == QUERY_BELOW || node->field == QUERY_FIELD_REPUTATION ||
           node->field == QUERY_FIELD_DUPLICATE ||
           node->field == QUERY_FIELD_HASENDORSED || query_needs(node).newest;
}

/* A condition that cannot be tested while a single source is being read: one on what
 * stands in another one, or in another file of the same. */
static bool is_open(const struct study *study, const struct query_node *node)
{
    for (size_t i = 0; i < study->source_count && is_around(node); i++)
        if (!study->sources[i].kind->all &&
            (shares_items(study, i) ||
             (study->sources[i].kind->each && study->sources[i].path_count > 1)))
            return true;
    for (size_t i = 0; i < study->source_count; i++) {
        const struct study_source *source = &study->sources[i];
        bool asked = node->kind == QUERY_SOURCE
                         ? str_eq(source->name, node->text)
                         : node->field == QUERY_FIELD_OWN && brings(source, node->own);
        if (asked && shares_items(study, i))
            return true;
    }
    return false;
}

static bool is_joined(const struct query_node *node)
{
    return node->kind == QUERY_AND || node->kind == QUERY_OR || node->kind == QUERY_NOT;
}

bool study_asks_elsewhere(const struct study *study, const struct query_node *node)
{
    if (!is_joined(node))
        return (node->kind == QUERY_SOURCE || node->field == QUERY_FIELD_OWN ||
                is_around(node)) &&
               is_open(study, node);
    for (const struct query_node *child = node->first; child != NULL; child = child->next)
        if (study_asks_elsewhere(study, child))
            return true;
    return false;
}

/* The query without its open conditions: what meets it as it is, meets this too. Below a
 * `not` an open condition must hold for nothing, above for everything. */
static struct query_node *without_open(const struct study *study,
                                       const struct query_node *node, bool negated,
                                       struct arena *arena)
{
    struct query_node *copy = arena_array(arena, struct query_node, 1);
    struct query_node **tail = &copy->first;

    *copy = *node;
    copy->next = NULL;
    if (!is_joined(node) && study_asks_elsewhere(study, node)) {
        *copy = (struct query_node){.kind = negated ? QUERY_NOT : QUERY_ALL};
        if (negated)
            copy->first = arena_array(arena, struct query_node, 1); /* QUERY_ALL */
        return copy;
    }
    if (!is_joined(node))
        return copy;
    copy->first = NULL;
    for (const struct query_node *child = node->first; child != NULL;
         child = child->next) {
        *tail = without_open(study, child, negated != (node->kind == QUERY_NOT), arena);
        if (node->kind == QUERY_OR && (*tail)->kind == QUERY_ALL)
            return *tail;
        if (node->kind != QUERY_AND || (*tail)->kind != QUERY_ALL)
            tail = &(*tail)->next;
    }
    *tail = NULL;
    if (node->kind == QUERY_AND && copy->first == NULL)
        *copy = (struct query_node){.kind = QUERY_ALL};
    if (node->kind == QUERY_AND && copy->first != NULL && copy->first->next == NULL)
        return copy->first;
    return copy;
}

/* The query without its conditions on labels; NULL: nothing is left. They bring no item
 * of their own: what is labelled is in a set that is read, or predicted. Below a `not`
 * they hold for nothing. */
static struct query_node *without_labels(const struct query_node *node, bool negated,
                                         struct arena *arena)
{
    struct query_node *copy = arena_array(arena, struct query_node, 1);
    struct query_node **tail = &copy->first;

    *copy = *node;
    copy->next = NULL;
    if (node->kind == QUERY_LABEL)
        return NULL;
    if (!is_joined(node))
        return copy;
    copy->first = NULL;
    for (const struct query_node *child = node->first; child != NULL;
         child = child->next) {
        *tail = without_labels(child, negated != (node->kind == QUERY_NOT), arena);
        if (*tail != NULL)
            tail = &(*tail)->next;
        else if (negated && node->kind != QUERY_OR)
            return NULL;
    }
    if (copy->first == NULL && node->kind == QUERY_NOT)
        *copy = (struct query_node){.kind = QUERY_ALL};
    else if (copy->first == NULL)
        return NULL;
    return node->kind != QUERY_NOT && copy->first->next == NULL ? copy->first : copy;
}

struct alternatives {
    const struct query_node **list;
    size_t count;
};

/* Whether what meets the condition meets one of the alternatives other than `except`. */
static bool is_covered(const struct query_node *condition,
                       const struct alternatives *alternatives, size_t except)
{
    for (size_t i = 0; i < alternatives->count; i++)
        if (i != except && alternatives->list[i] != NULL &&
            (alternatives->list[i]->kind == QUERY_ALL ||
             query_same(alternatives->list[i], condition)))
            return true;
    if (condition->kind == QUERY_AND) {
        for (const struct query_node *child = condition->first; child != NULL;
             child = child->next)
            if (is_covered(child, alternatives, except))
                return true;
    }
    if (condition->kind != QUERY_OR)
        return false;
    for (const struct query_node *child = condition->first; child != NULL;
         child = child->next)
        if (!is_covered(child, alternatives, except))
            return false;
    return true;
}

static int compare_queries(const void *a, const void *b)
{
    struct buf one = {0}, two = {0};

    query_print(*(const struct query_node *const *)a, &one);
    query_print(*(const struct query_node *const *)b, &two);
    int order = str_compare(buf_str(&one), buf_str(&two));
    buf_free(&one);
    buf_free(&two);
    return order;
}

/* In an order of their own: that of the sets in the file must not matter, or the dump
 * would be read again when it changes. */
static struct alternatives alternatives_of(const struct study *study, struct arena *arena)
{
    const struct query_node **queries =
        arena_array(arena, const struct query_node *, study->set_count + 1);
    struct alternatives all = {0};
    size_t asking = 0;

    for (size_t i = 0; i < study->set_count; i++) {
        const struct query_node *written = study->sets[i].written;
        if (query_needs(written).labels)
            written = without_labels(written, false, arena);
        if (written == NULL)
            continue;
        if (study_asks_elsewhere(study, written))
            written = without_open(study, written, false, arena);
        queries[asking++] = widened(written, arena);
    }
    for (size_t i = 0; i < asking; i++)
        for (const struct query_node *child = first_alternative(queries[i]);
             child != NULL; child = next_alternative(queries[i], child))
            all.count++;
    all.list = arena_array(arena, const struct query_node *, all.count + 1);
    all.count = 0;
    for (size_t i = 0; i < asking; i++)
        for (const struct query_node *child = first_alternative(queries[i]);
             child != NULL; child = next_alternative(queries[i], child))
            all.list[all.count++] = child;
    if (all.count > 0)
        qsort(all.list, all.count, sizeof *all.list, compare_queries);
    return all;
}

/* Tables of posts are small and deliberate: all of them are taken. */
static bool has_dump(const struct study *study)
{
    for (size_t i = 0; i < study->source_count; i++)
        if (!study->sources[i].kind->all)
            return true;
    return false;
}

size_t study_first_set(const struct study *study, const struct study_set *set)
{
    const struct query_node *query = set->query;
    const struct query_node *first = query->kind == QUERY_AND ? query->first : query;

    return first->kind == QUERY_SET ? study_find_set(study, first->text) : STUDY_NONE;
}

size_t study_together(const struct study *study, const struct study_set *set)
{
    size_t count = 0;

    if (study->take != NULL || !has_dump(study) || set->query->kind != QUERY_AND)
        return 1;
    for (const struct query_node *child = set->written->first; child != NULL;
         child = child->next) {
        count++;
        if (is_selective(child))
            break;
    }
    return count;
}

struct query_node *study_needed(const struct study *study, struct arena *arena)
{
    struct query_node *any = arena_array(arena, struct query_node, 1);
    struct query_node **tail = &any->first;

    if (study->take != NULL)
        return study->take;
    if (!has_dump(study))
        return any;
    struct alternatives all = alternatives_of(study, arena);
    size_t left = all.count;
    for (size_t i = all.count; i-- > 0;)
        if (is_covered(all.list[i], &all, i)) {
            all.list[i] = NULL;
            left--;
        }
    any->kind = left > 1 ? QUERY_OR : QUERY_ALL;
    for (size_t i = 0; i < all.count; i++) {
        if (all.list[i] == NULL)
            continue;
        struct query_node *copy = arena_array(arena, struct query_node, 1);
        *copy = *all.list[i];
        copy->next = NULL;
        if (left == 1)
            return copy;
        *tail = copy;
        tail = &copy->next;
    }
    return any;
}
