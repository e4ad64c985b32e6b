/* Trees of queries: printing, comparing, asking what they need. */
#include "query/query.h"

#include "base/map.h"
#include "query/internal.h"
#include "text/html.h"

static bool is_plain_word(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        bool joint = i > 0 && (text.ptr[i] == '-' || text.ptr[i] == '.');
        if (!joint && !query_word_byte(text.ptr[i]))
            return false;
    }
    /* Quotes that a word may not begin with are made of word bytes too. */
    return !str_starts(text, STR("\xE2\x80\x9C")) &&
           !str_starts(text, STR("\xE2\x80\x9D")) && !query_same_name(text, STR("and")) &&
           !query_same_name(text, STR("or")) && !query_same_name(text, STR("not"));
}

static void add_quoted(struct buf *out, struct str text)
{
    buf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"' || text.ptr[i] == '\\')
            buf_add_char(out, '\\');
        buf_add_char(out, text.ptr[i]);
    }
    buf_add_char(out, '"');
}

static void add_word(struct buf *out, struct str text)
{
    if (is_plain_word(text))
        buf_add(out, text);
    else
        add_quoted(out, text);
}

static void add_text(struct buf *out, const struct query_node *node)
{
    if (node->match == QUERY_REGEX) {
        buf_add_format(out, "/%.*s/%s", STR_ARG(node->text), node->any_case ? "i" : "");
    } else if (node->match == QUERY_SUBSTRING) {
        buf_add_char(out, '~');
        add_quoted(out, node->text);
    } else if (node->match == QUERY_GLOB) {
        buf_add(out, node->text);
    } else {
        /* A word that would be a number where both may stand needs quotes. */
        if (node->kind == QUERY_OWN_TEXT && query_looks_like_number(node->text))
            add_quoted(out, node->text);
        else
            add_word(out, node->text);
        if (node->match == QUERY_PREFIX)
            buf_add_char(out, '*');
    }
}

static void add_range(struct buf *out, const struct query_node *node)
{
    if (node->field == QUERY_FIELD_CREATED || node->field == QUERY_FIELD_CLOSED ||
        node->field == QUERY_FIELD_LASTACTIVE) {
        query_add_dates(out, node);
        return;
    }
    if (node->min != INT64_MIN)
        buf_add_int(out, node->min);
    if (node->min == node->max)
        return;
    buf_add(out, STR(".."));
    if (node->max != INT64_MAX)
        buf_add_int(out, node->max);
}

/* Parts between slashes need quotes only where one of them does. */
static void add_label(struct buf *out, struct str text)
{
    struct str rest = text, part;
    bool plain = true, more = true;

    while (more && plain) {
        more = str_cut(&rest, '/', &part);
        plain = part.len > 0 && is_plain_word(part);
    }
    if (plain)
        buf_add(out, text);
    else
        add_quoted(out, text);
}

static void add_below(struct buf *out, const struct query_node *node)
{
    buf_add_char(out, '(');
    query_print(node->first, out);
    buf_add_char(out, ')');
}

static void add_condition(struct buf *out, const struct query_node *node)
{
    if (node->kind == QUERY_ALL) {
        buf_add_char(out, '*');
        return;
    }
    if (node->kind == QUERY_TAG && node->match != QUERY_SUBSTRING) {
        buf_add_format(out, "[%.*s]", STR_ARG(node->text));
        return;
    }
    buf_add(out,
            node->field == QUERY_FIELD_OWN ? node->own : query_field_name(node->field));
    buf_add_char(out, ':');
    if (node->kind == QUERY_TEXT || node->kind == QUERY_TAG ||
        node->kind == QUERY_OWN_TEXT)
        add_text(out, node);
    else if (node->kind == QUERY_OWN_RANGE)
        query_add_reals(out, node);
    else if (node->kind == QUERY_OWN_DATES)
        query_add_dates(out, node);
    else if (node->kind == QUERY_RANGE)
        add_range(out, node);
    else if (node->kind == QUERY_FLAG)
        buf_add(out, node->yes ? STR("yes") : STR("no"));
    else if (node->kind == QUERY_BELOW)
        add_below(out, node);
    else if (node->kind == QUERY_LABEL)
        add_label(out, node->text);
    else
        add_word(out, node->text);
}

/* How tightly a kind binds: a child that binds less than its parent needs brackets. */
static int binding(enum query_kind kind)
{
    return kind == QUERY_OR ? 0 : kind == QUERY_AND ? 1 : kind == QUERY_NOT ? 2 : 3;
}

static void add_child(struct buf *out, const struct query_node *child, int parent)
{
    bool brackets = binding(child->kind) < parent;

    if (brackets)
        buf_add_char(out, '(');
    query_print(child, out);
    if (brackets)
        buf_add_char(out, ')');
}

void query_print(const struct query_node *node, struct buf *out)
{
    int parent = binding(node->kind);

    if (node->kind == QUERY_NOT) {
        buf_add(out, STR("not "));
        add_child(out, node->first, parent);
    } else if (node->kind == QUERY_AND || node->kind == QUERY_OR) {
        for (const struct query_node *child = node->first; child; child = child->next) {
            if (child != node->first)
                buf_add(out, node->kind == QUERY_AND ? STR(" and ") : STR(" or "));
            add_child(out, child, parent);
        }
    } else {
        add_condition(out, node);
    }
}

bool query_same(const struct query_node *a, const struct query_node *b)
{
    if (a->kind != b->kind || a->field != b->field || a->match != b->match ||
        a->yes != b->yes || a->any_case != b->any_case || a->types != b->types ||
        a->min != b->min || a->max != b->max || !str_eq(a->text, b->text) ||
        !str_eq(a->own, b->own) || a->low != b->low || a->high != b->high ||
        a->above != b->above || a->below != b->below || a->from.count != b->from.count ||
        a->from.unit != b->from.unit || a->to.count != b->to.count ||
        a->to.unit != b->to.unit)
        return false;
    const struct query_node *x = a->first, *y = b->first;
    for (; x != NULL && y != NULL; x = x->next, y = y->next)
        if (!query_same(x, y))
            return false;
    return x == NULL && y == NULL;
}

static void add_needs(const struct query_node *node, struct query_needs *needs)
{
    bool joined =
        node->kind == QUERY_AND || node->kind == QUERY_OR || node->kind == QUERY_NOT;

    if (node->kind == QUERY_BELOW)
        needs->newest |= query_needs(node->first).newest;
    for (const struct query_node *child = node->first; joined && child;
         child = child->next)
        add_needs(child, needs);
    if (joined || node->kind == QUERY_ALL)
        return;
    needs->fields |= 1u << node->field;
    needs->newest |= node->from.unit != 0 || node->to.unit != 0;
    if (query_is_relation(
            node)) /* it is known by the number of whom or what it is about */
        needs->fields |= node->field == QUERY_FIELD_REPUTATION ? 1u << QUERY_FIELD_USER
                                                               : 1u << QUERY_FIELD_ID;
    needs->sets |= node->kind == QUERY_SET;
    needs->sources |= node->kind == QUERY_SOURCE;
    needs->labels |= node->kind == QUERY_LABEL;
    needs->own |= node->field == QUERY_FIELD_OWN;
    needs->has_code |= node->field == QUERY_FIELD_HASCODE;
    if (node->kind == QUERY_TEXT)
        needs->any_text = needs->text[node->field] = true;
}

struct query_needs query_needs(const struct query_node *node)
{
    struct query_needs needs = {0};

    add_needs(node, &needs);
    return needs;
}

static struct query_node *copy_or_more(const struct query_node *node, struct arena *arena,
                                       const struct query_node **first)
{
    struct query_node *copy = arena_array(arena, struct query_node, 1);
    struct query_node **tail = &copy->first;

    *copy = *node;
    copy->first = NULL;
    if (node->bare) {
        copy->max = INT64_MAX;
        *first = *first != NULL ? *first : node;
    }
    for (const struct query_node *child = node->first; child; child = child->next) {
        *tail = copy_or_more(child, arena, first);
        tail = &(*tail)->next;
    }
    return copy;
}

struct query_node *query_or_more(const struct query_node *node, struct arena *arena,
                                 const struct query_node **first)
{
    const struct query_node *found = NULL;
    struct query_node *copy = copy_or_more(node, arena, &found);

    if (first != NULL)
        *first = found;
    return found != NULL ? copy : NULL;
}

bool query_asks(const struct query_node *node, enum query_field field)
{
    bool joined =
        node->kind == QUERY_AND || node->kind == QUERY_OR || node->kind == QUERY_NOT;

    for (const struct query_node *child = node->first; child; child = child->next)
        if (query_asks(child, field))
            return true;
    return !joined && node->kind != QUERY_ALL && node->field == field;
}

/* What conditions of some kinds name: the set or source, or the own field. */
struct naming {
    unsigned kinds; /* bit 1u << kind */
    struct map known;
    struct str *names;
};

static size_t count_names(const struct query_node *node, unsigned kinds)
{
    size_t count = kinds >> node->kind & 1;

    for (const struct query_node *child = node->first; child; child = child->next)
        count += count_names(child, kinds);
    return count;
}

static void add_names(const struct query_node *node, struct naming *naming)
{
    size_t before = naming->known.count;

    if (naming->kinds >> node->kind & 1) {
        struct str name = node->field == QUERY_FIELD_OWN ? node->own : node->text;
        map_put(&naming->known, name);
        if (naming->known.count > before)
            naming->names[before] = name;
    }
    for (const struct query_node *child = node->first; child; child = child->next)
        add_names(child, naming);
}

static struct str *names_of(const struct query_node *node, unsigned kinds,
                            struct arena *arena, size_t *count)
{
    struct naming naming = {
        .kinds = kinds,
        .known = {.arena = arena},
        .names = arena_array(arena, struct str, count_names(node, kinds) + 1),
    };

    add_names(node, &naming);
    *count = naming.known.count;
    return naming.names;
}

struct str *query_sets(const struct query_node *node, struct arena *arena, size_t *count)
{
    return names_of(node, 1u << QUERY_SET, arena, count);
}

struct str *query_sources(const struct query_node *node, struct arena *arena,
                          size_t *count)
{
    return names_of(node, 1u << QUERY_SOURCE, arena, count);
}

struct str *query_own_fields(const struct query_node *node, struct arena *arena,
                             size_t *count)
{
    return names_of(node,
                    1u << QUERY_OWN_TEXT | 1u << QUERY_OWN_RANGE | 1u << QUERY_OWN_DATES,
                    arena, count);
}

static void add_labels(const struct query_node *node, const struct query_node **out,
                       size_t *count)
{
    if (node->kind == QUERY_LABEL)
        out[(*count)++] = node;
    for (const struct query_node *child = node->first; child; child = child->next)
        add_labels(child, out, count);
}

const struct query_node **query_labels(const struct query_node *node, struct arena *arena,
                                       size_t *count)
{
    const struct query_node **found = arena_array(
        arena, const struct query_node *, count_names(node, 1u << QUERY_LABEL) + 1);

    *count = 0;
    add_labels(node, found, count);
    return found;
}

unsigned query_parts(const struct query_needs *needs)
{
    return (needs->text[QUERY_PROSE] ? TEXT_HTML_PROSE : 0u) |
           (needs->text[QUERY_CODE] ? TEXT_HTML_CODE : 0u) |
           (needs->text[QUERY_BODY] ? TEXT_HTML_BODY : 0u);
}
