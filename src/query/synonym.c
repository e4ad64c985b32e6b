/* Tags that mean the same. Every synonym leads, perhaps over others, to a tag that is
 * none; all that lead to the same one are a class. */
#include "query/internal.h"

#include <stdlib.h>

/* Folded, each of the tag that it leads to in the end; sorted by that, then by tag. */
struct query_synonyms {
    struct query_synonym *at;
    size_t count;
    struct map firsts; /* every tag to the first of its class above */
};

static struct str fold(struct str text, struct arena *arena)
{
    char *folded = arena_array(arena, char, text.len + 1);

    query_fold(text, folded);
    return (struct str){folded, text.len};
}

static int compare(const void *a, const void *b)
{
    const struct query_synonym *one = a, *two = b;
    int order = str_compare(one->of, two->of);

    return order != 0 ? order : str_compare(one->tag, two->tag);
}

/* Where a synonym leads to in the end; false: back to itself. */
static bool follow(const struct map *targets, const struct query_synonym *given,
                   size_t count, struct str tag, struct str *root)
{
    const int64_t *next;
    size_t steps = 0;

    *root = tag;
    while ((next = map_get(targets, *root)) != NULL) {
        *root = given[*next].of;
        if (++steps > count)
            return false;
    }
    return true;
}

bool query_synonyms_make(const struct query_synonym *pairs, size_t count,
                         struct arena *arena, struct query_synonyms **out, size_t *wrong,
                         struct err *err)
{
    struct query_synonyms *synonyms = arena_array(arena, struct query_synonyms, 1);
    struct query_synonym *given = arena_array(arena, struct query_synonym, count + 1);
    struct map targets = {.arena = arena};

    synonyms->at = arena_array(arena, struct query_synonym, count + 1);
    synonyms->firsts.arena = arena;
    for (size_t i = 0; i < count; i++) {
        size_t known = targets.count;
        *wrong = i;
        given[i] =
            (struct query_synonym){fold(pairs[i].tag, arena), fold(pairs[i].of, arena)};
        int64_t *place = map_put(&targets, given[i].tag);
        if (targets.count > known)
            *place = (int64_t)i;
        else if (!str_eq(given[*place].of, given[i].of))
            return err_set(
                err, ERR_INPUT,
                "'%.*s' is a synonym of '%.*s' and of '%.*s'; expected one tag",
                STR_ARG(pairs[i].tag), STR_ARG(pairs[*place].of), STR_ARG(pairs[i].of));
    }
    for (size_t i = 0; i < count; i++) {
        struct query_synonym made = {.tag = given[i].tag};
        *wrong = i;
        if (!follow(&targets, given, count, given[i].tag, &made.of))
            return err_set(err, ERR_INPUT, "'%.*s' leads back to itself as a synonym",
                           STR_ARG(pairs[i].tag));
        if (*map_get(&targets, made.tag) == (int64_t)i) /* not a repeated row */
            synonyms->at[synonyms->count++] = made;
    }
    if (synonyms->count > 0)
        qsort(synonyms->at, synonyms->count, sizeof *synonyms->at, compare);
    for (size_t i = 0, first = 0; i < synonyms->count; i++) {
        if (!str_eq(synonyms->at[i].of, synonyms->at[first].of))
            first = i;
        *map_put(&synonyms->firsts, synonyms->at[i].tag) = (int64_t)first;
        *map_put(&synonyms->firsts, synonyms->at[i].of) = (int64_t)first;
    }
    *out = synonyms;
    return true;
}

const struct query_synonym *query_synonyms_all(const struct query_synonyms *synonyms,
                                               size_t *count)
{
    *count = synonyms != NULL ? synonyms->count : 0;
    return *count > 0 ? synonyms->at : NULL;
}

const struct query_synonym *query_synonyms_of(const struct query_synonyms *synonyms,
                                              struct str tag, size_t *count)
{
    const int64_t *place = synonyms != NULL ? map_get(&synonyms->firsts, tag) : NULL;

    *count = 0;
    if (place == NULL)
        return NULL;
    const struct query_synonym *first = &synonyms->at[*place],
                               *end = synonyms->at + synonyms->count;
    while (first + *count < end && str_eq(first[*count].of, first->of))
        ++*count;
    return first;
}

static struct query_node *tag_node(const struct query_node *like, struct str tag,
                                   struct arena *arena)
{
    struct query_node *node = arena_array(arena, struct query_node, 1);

    *node = *like;
    node->text = tag;
    node->next = NULL;
    return node;
}

/* The tag's class as one condition, the tag that is no synonym first. */
static struct query_node *widen(const struct query_node *node,
                                const struct query_synonyms *synonyms,
                                struct arena *arena)
{
    size_t count;
    const struct query_synonym *same =
        query_synonyms_of(synonyms, fold(node->text, arena), &count);
    struct query_node *any = tag_node(node, (struct str){0}, arena);
    struct query_node **tail = &any->first;

    if (count == 0)
        return tag_node(node, node->text, arena);
    *any = (struct query_node){.kind = QUERY_OR, .at = node->at};
    *tail = tag_node(node, same->of, arena);
    for (size_t i = 0; i < count; i++) {
        tail = &(*tail)->next;
        *tail = tag_node(node, same[i].tag, arena);
    }
    return any;
}

struct query_node *query_with_synonyms(const struct query_node *node,
                                       const struct query_synonyms *synonyms,
                                       struct arena *arena)
{
    struct query_node *copy = arena_array(arena, struct query_node, 1);
    struct query_node **tail = &copy->first;

    if (node->kind == QUERY_TAG && node->match == QUERY_EXACT)
        return widen(node, synonyms, arena);
    *copy = *node;
    copy->first = copy->next = NULL;
    for (const struct query_node *child = node->first; child; child = child->next) {
        struct query_node *made = query_with_synonyms(child, synonyms, arena);
        *tail = node->kind == QUERY_OR && made->kind == QUERY_OR ? made->first : made;
        while (*tail != NULL)
            tail = &(*tail)->next;
    }
    return copy;
}
