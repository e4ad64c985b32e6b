/* Conditions on what is around an item: each is a set of ids that was found before. */
#include "query/internal.h"

bool query_is_relation(const struct query_node *node)
{
    return node->kind == QUERY_BELOW ||
           (node->kind == QUERY_RANGE && node->field == QUERY_FIELD_REPUTATION) ||
           (node->kind == QUERY_FLAG && (node->field == QUERY_FIELD_DUPLICATE ||
                                         node->field == QUERY_FIELD_HASENDORSED));
}

bool query_relation_holds(const struct query_relation *relation, const struct item *item)
{
    return idset_has(&relation->ids,
                     relation->field == QUERY_FIELD_REPUTATION ? item->owner : item->id);
}

void query_relation_add(struct query_relation *relation, int64_t id)
{
    idset_add(&relation->ids, id);
}

void query_relations_forget(struct query_relations *relations)
{
    for (size_t i = 0; i < relations->count; i++)
        idset_free(&relations->at[i].ids);
}

bool query_relations_ask(const struct query_relations *relations, enum query_field field)
{
    for (size_t i = 0; i < relations->count; i++)
        if (relations->at[i].field == field)
            return true;
    return false;
}

/* --- finding them in queries --- */

struct relations_gathered {
    struct query_relations relations; /* first: what is handed out */
    struct arena arena;               /* holds this struct too */
    const struct query_node **nodes;  /* of each relation */
    struct map known;                 /* by text */
};

/* duplicate:no asks for the same set as duplicate:yes. */
static struct str text_of(const struct query_node *node, struct arena *arena)
{
    struct query_node asked = *node;
    struct buf text = {0};

    asked.yes = true;
    query_print(&asked, &text);
    return buf_keep(&text, arena);
}

size_t query_relation_find(const struct query_relations *relations,
                           const struct query_node *node)
{
    struct arena arena = {0};
    struct str text = text_of(node, &arena);
    size_t i = 0;

    while (!str_eq(relations->at[i].text, text))
        i++;
    arena_free(&arena);
    return i;
}

static size_t count_relations(const struct query_node *node)
{
    size_t count = query_is_relation(node);

    for (const struct query_node *child = node->first; child; child = child->next)
        count += count_relations(child);
    return count;
}

static void gather(struct relations_gathered *gathered, const struct query_node *node,
                   enum query_field field)
{
    size_t known = gathered->known.count;

    for (const struct query_node *child = node->first; child; child = child->next)
        gather(gathered, child, field);
    if (!query_is_relation(node) || node->field != field)
        return;
    struct str text = text_of(node, &gathered->arena);
    map_put(&gathered->known, text);
    if (gathered->known.count == known)
        return;
    gathered->nodes[gathered->relations.count] = node;
    gathered->relations.at[gathered->relations.count++] = (struct query_relation){
        .field = field, .min = node->min, .max = node->max, .text = text};
}

static bool compile_asked(struct relations_gathered *gathered, struct err *err)
{
    for (size_t i = 0; i < gathered->relations.count; i++) {
        struct query_relation *relation = &gathered->relations.at[i];
        const struct query_node *asked = gathered->nodes[i]->first;
        struct query_options options = {.relations = &gathered->relations};
        if (asked == NULL)
            continue;
        relation->node = asked;
        relation->needs = query_needs(asked);
        if (!query_compile(asked, options, &relation->asked, err))
            return false;
    }
    return true;
}

bool query_relations_open(const struct query_node *const *queries, size_t count,
                          struct query_relations **out, struct err *err)
{
    static const enum query_field order[] = {
        QUERY_FIELD_REPUTATION, QUERY_FIELD_DUPLICATE, QUERY_FIELD_HASENDORSED,
        QUERY_FIELD_COMMENT, QUERY_FIELD_ANSWER};
    struct arena arena = {0};
    struct relations_gathered *gathered =
        arena_array(&arena, struct relations_gathered, 1);
    size_t room = 0;

    gathered->arena = arena;
    gathered->known.arena = &gathered->arena;
    for (size_t i = 0; i < count; i++)
        room += count_relations(queries[i]);
    gathered->relations.at = arena_array(&gathered->arena, struct query_relation, room);
    gathered->nodes = arena_array(&gathered->arena, const struct query_node *, room);
    for (size_t f = 0; f < ROWS_OF(order); f++)
        for (size_t i = 0; i < count; i++)
            gather(gathered, queries[i], order[f]);
    *out = &gathered->relations;
    if (compile_asked(gathered, err))
        return true;
    query_relations_close(*out);
    return false;
}

void query_relations_close(struct query_relations *relations)
{
    struct relations_gathered *gathered = (struct relations_gathered *)(void *)relations;

    if (relations == NULL)
        return;
    query_relations_forget(relations);
    for (size_t i = 0; i < relations->count; i++)
        query_free(relations->at[i].asked);
    struct arena arena = gathered->arena;
    arena_free(&arena);
}
