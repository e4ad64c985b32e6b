/* From the tree to what is tested: conditions in order of their cost, terms gathered for
 * one pass over each text, exact tags in one table, regexes compiled. */
#include "query/internal.h"

#include <assert.h>
#include <string.h>

/* What a condition costs, as classes: within `and` and `or` the cheap ones come first. */
enum cost {
    COST_NUMBER,
    COST_TAG,
    COST_TAG_PATTERN,
    COST_SET,
    COST_OWN,
    COST_HAS_CODE,
    COST_TITLE,
    COST_TEXT,
    COST_REGEX_TITLE,
    COST_REGEX,
    COST_COSTLY,
    COSTS,
};

static int cost_of(const struct query_node *node)
{
    bool title = node->field == QUERY_FIELD_TITLE;

    if (node->costly)
        return COST_COSTLY;
    if (query_is_relation(node))
        return COST_SET;
    switch (node->kind) {
    case QUERY_TAG:
        return node->match == QUERY_EXACT ? COST_TAG : COST_TAG_PATTERN;
    case QUERY_TEXT:
        if (node->match == QUERY_REGEX)
            return title ? COST_REGEX_TITLE : COST_REGEX;
        return title ? COST_TITLE : COST_TEXT;
    case QUERY_SET:
    case QUERY_SOURCE:
        return COST_SET;
    case QUERY_OWN_TEXT:
        return node->match == QUERY_REGEX ? COST_REGEX_TITLE : COST_OWN;
    case QUERY_OWN_RANGE:
    case QUERY_OWN_DATES:
        return COST_OWN;
    case QUERY_FLAG:
        return node->field == QUERY_FIELD_HASCODE ? COST_HAS_CODE : COST_NUMBER;
    default:
        return COST_NUMBER;
    }
}

static struct str fold(struct str text, struct arena *arena)
{
    char *folded = arena_array(arena, char, text.len + 1);

    query_fold(text, folded);
    return (struct str){folded, text.len};
}

static size_t add_tag(struct query_compiled *compiled, struct str tag)
{
    size_t known = compiled->tags.count;
    int64_t *number = map_put(&compiled->tags, tag);

    if (compiled->tags.count > known)
        *number = (int64_t)known;
    return (size_t)*number;
}

static bool add_regex(struct query_compiled *compiled, const struct query_node *node,
                      size_t *number, struct err *err)
{
    struct query_regex_error error;
    struct query_regex *regex;

    if (!query_regex_compile(node->text, node->any_case, &regex, &compiled->arena,
                             &error))
        return err_set(err, ERR_INPUT, "in the regex /%.*s/: %s",
                       (int)(node->text.len < 200 ? node->text.len : 200), node->text.ptr,
                       error.text);
    struct buf text = {0};
    query_print(node, &text);
    *number = compiled->regex_count;
    compiled->regex_texts[*number] = arena_copy(&compiled->arena, buf_str(&text));
    compiled->regexes[compiled->regex_count++] = regex;
    buf_free(&text);
    return true;
}

static bool is_text(const struct query_node *node)
{
    return node->kind == QUERY_TEXT || node->kind == QUERY_OWN_TEXT;
}

/* Which text or own field the condition looks into. */
static size_t place_of(const struct query_compiled *compiled,
                       const struct query_node *node)
{
    size_t place = QUERY_TEXTS;

    if (node->field != QUERY_FIELD_OWN)
        return node->field;
    while (!str_eq(compiled->own[place - QUERY_TEXTS], node->own))
        place++;
    return place;
}

/* Conditions that look for words in one text and are joined by `or` are one condition for
 * the search: `targets` are theirs, by place; elsewhere it is NULL. */
static void add_term(struct query_compiled *compiled, const struct query_node *node,
                     size_t *targets, struct query_step *step)
{
    size_t target = targets != NULL ? targets[step->place] : QUERY_NEW_TARGET;

    step->number =
        query_finder_add(&compiled->finders[step->place], node->match,
                         fold(node->text, &compiled->arena), target, &compiled->arena);
    if (targets != NULL)
        targets[step->place] = step->number;
}

/* What a single condition needs beyond its values. */
static bool prepare(struct query_compiled *compiled, const struct query_node *node,
                    size_t *targets, struct query_step *step, struct err *err)
{
    struct arena *arena = &compiled->arena;

    if (query_is_relation(node)) {
        assert(compiled->relations != NULL);
        step->relation = true;
        step->number = query_relation_find(compiled->relations, node);
        return true;
    }
    if (is_text(node) || node->field == QUERY_FIELD_OWN)
        step->place = place_of(compiled, node);
    if (is_text(node) && node->match == QUERY_REGEX)
        return add_regex(compiled, node, &step->number, err);
    if (is_text(node) && node->match == QUERY_GLOB)
        step->text = fold(node->text, arena);
    else if (is_text(node))
        add_term(compiled, node, targets, step);
    if (node->kind == QUERY_TAG)
        step->text = fold(node->text, arena);
    if (node->kind == QUERY_TAG && node->match == QUERY_EXACT)
        step->number = add_tag(compiled, step->text);
    if (node->kind == QUERY_SET || node->kind == QUERY_SOURCE)
        step->text = arena_copy(arena, node->text);
    return true;
}

/* Stable, so that equal costs stay as written. */
static void sort_by_cost(struct query_step **steps, size_t count, struct arena *arena)
{
    struct query_step **sorted = arena_array(arena, struct query_step *, count);
    size_t taken = 0;

    for (int cost = 0; cost < COSTS; cost++)
        for (size_t i = 0; i < count; i++)
            if (steps[i]->cost == cost)
                sorted[taken++] = steps[i];
    assert(taken == count);
    memcpy(steps, sorted, count * sizeof *steps);
}

static bool make_step(struct query_compiled *compiled, const struct query_node *node,
                      size_t *targets, struct query_step **out, struct err *err);

/* Children with the target of an earlier one are left out: they ask the same. */
static bool make_children(struct query_compiled *compiled, const struct query_node *node,
                          struct query_step *step, struct err *err)
{
    size_t *targets = arena_array(&compiled->arena, size_t, compiled->place_count);
    size_t count = 0;

    for (size_t place = 0; place < compiled->place_count; place++)
        targets[place] = QUERY_NEW_TARGET;
    for (const struct query_node *child = node->first; child; child = child->next)
        count++;
    step->children = arena_array(&compiled->arena, struct query_step *, count);
    for (const struct query_node *child = node->first; child; child = child->next) {
        bool term =
            is_text(child) && child->match != QUERY_REGEX && child->match != QUERY_GLOB;
        bool known = term && targets[place_of(compiled, child)] != QUERY_NEW_TARGET;
        struct query_step **made = &step->children[step->count];
        if (!make_step(compiled, child, node->kind == QUERY_OR ? targets : NULL, made,
                       err))
            return false;
        if ((*made)->cost > step->cost)
            step->cost = (*made)->cost;
        step->count += !known;
    }
    return true;
}

static bool make_step(struct query_compiled *compiled, const struct query_node *node,
                      size_t *targets, struct query_step **out, struct err *err)
{
    struct query_step *step = arena_array(&compiled->arena, struct query_step, 1);

    *step = (struct query_step){
        .kind = node->kind,
        .field = node->field,
        .match = node->match,
        .yes = node->yes,
        .types = node->types,
        .min = node->min,
        .max = node->max,
        .from = node->from,
        .to = node->to,
        .low = node->low,
        .high = node->high,
        .above = node->above,
        .below = node->below,
        .cost = cost_of(node),
    };
    *out = step;
    if (node->first != NULL && node->kind != QUERY_BELOW)
        return make_children(compiled, node, step, err);
    return prepare(compiled, node, targets, step, err);
}

static void sort_all(struct query_step *step, struct arena *arena)
{
    for (size_t i = 0; i < step->count; i++)
        sort_all(step->children[i], arena);
    if (step->count > 1)
        sort_by_cost(step->children, step->count, arena);
}

/* The conditions that the funnel counts, while the steps are still in written order. */
static void note_conditions(struct query_compiled *compiled,
                            const struct query_node *node)
{
    bool joined = node->kind == QUERY_AND;
    const struct query_node *child = joined ? node->first : node;
    size_t count = joined ? compiled->root->count : 1;
    struct buf text = {0};

    compiled->conditions = arena_array(&compiled->arena, struct query_step *, count);
    compiled->condition_texts = arena_array(&compiled->arena, struct str, count);
    compiled->condition_count = count;
    for (size_t i = 0; i < count; i++, child = child->next) {
        compiled->conditions[i] = joined ? compiled->root->children[i] : compiled->root;
        buf_clear(&text);
        query_print(child, &text);
        compiled->condition_texts[i] = arena_copy(&compiled->arena, buf_str(&text));
    }
    buf_free(&text);
}

static size_t count_regexes(const struct query_node *node)
{
    size_t count = is_text(node) && node->match == QUERY_REGEX;

    if (node->kind == QUERY_BELOW) /* compiled by itself */
        return 0;
    for (const struct query_node *child = node->first; child; child = child->next)
        count += count_regexes(child);
    return count;
}

bool query_compile(const struct query_node *node, struct query_options options,
                   struct query_compiled **out, struct err *err)
{
    struct arena arena = {0};
    struct query_compiled *compiled = arena_array(&arena, struct query_compiled, 1);

    compiled->arena = arena;
    compiled->tags.arena = &compiled->arena;
    compiled->relations = options.relations;
    struct str *own = query_own_fields(node, &compiled->arena, &compiled->place_count);
    compiled->own = arena_array(&compiled->arena, struct str, compiled->place_count);
    for (size_t i = 0; i < compiled->place_count; i++)
        compiled->own[i] = arena_copy(&compiled->arena, own[i]);
    compiled->place_count += QUERY_TEXTS;
    compiled->finders =
        arena_array(&compiled->arena, struct query_finder, compiled->place_count);
    size_t regexes = count_regexes(node);
    compiled->regexes = arena_array(&compiled->arena, struct query_regex *, regexes);
    compiled->regex_texts = arena_array(&compiled->arena, struct str, regexes);
    if (!make_step(compiled, node, NULL, &compiled->root, err)) {
        query_free(compiled);
        return false;
    }
    note_conditions(compiled, node);
    sort_all(compiled->root, &compiled->arena);
    /* Values of own fields are short: what Hyperscan would save is less than it costs. */
    for (size_t place = 0; place < compiled->place_count; place++)
        query_finder_build(&compiled->finders[place],
                           options.portable || place >= QUERY_TEXTS, &compiled->arena);
    *out = compiled;
    return true;
}

void query_free(struct query_compiled *compiled)
{
    if (compiled == NULL)
        return;
    for (size_t place = 0; place < compiled->place_count; place++)
        query_finder_free(&compiled->finders[place]);
    for (size_t i = 0; i < compiled->regex_count; i++)
        query_regex_free(compiled->regexes[i]);
    struct arena arena = compiled->arena;
    arena_free(&arena);
}
