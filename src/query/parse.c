/* Reads a query: what joins conditions. Single conditions are read in condition.c.
 *
 *     query      = [ any ] ;                        nothing selects everything
 *     any        = all { "or" all } ;
 *     all        = one { [ "and" ] one } ;          side by side means and
 *     one        = ( "not" | "-" ) one | "(" any ")" | condition ;
 *     condition  = "*" | "[" tag "]" | text
 *                | field ":" ( value | "(" any ")" )
 *                | ( "answer" | "comment" ) ":" ( text | "(" any ")" )
 *                | field comparison value ;         score>5
 *     field      = "title" | "prose" | ... ;        the table in field.c, and fields
 *                                                   that sources bring
 *     comparison = ">" | ">=" | "<" | "<=" | "=" ;
 *     value      = text | tag | range | "yes" | "no" | type | set | source
 *                | source ":" range | hash          after id:
 *                | step [ "/" code ] ;              after label:, predicted:, hasunit:
 *     text       = word [ "*" ] | phrase [ "*" ]
 *                | "~" ( word | phrase ) | "/" regex "/" [ "i" ]
 *                | pattern ;                        with * and ?, of own fields
 *     phrase     = '"' characters '"' ;             \" and \\ stand for " and \
 *     tag        = characters, * and ? ; "~" ( word | phrase ) after tag:
 *     range      = point | point ".." | ".." point | point ".." point
 *                | comparison point ;
 *     point      = number | YYYY | YYYY-MM | YYYY-MM-DD  decimals in own fields
 *                | digits ( "d" | "w" | "m" | "y" ) ; back from the newest post
 *
 * Inside field:( ) a condition without a field is a value of that field; elsewhere, and
 * inside answer:( ) and comment:( ), it is a text in prose. Words and, or, not and names
 * of fields may be in any case. "-" must touch what it negates. */
#include "query/internal.h"

#include <string.h>

#include "base/near.h"

static void skip_blanks(struct query_parser *p)
{
    while (p->at < p->text.len && query_blank(p->text.ptr[p->at]))
        p->at++;
}

/* The word at this place: up to a blank, bracket or quote. */
struct str query_parser_word(const struct query_parser *p)
{
    size_t end = p->at;

    while (end < p->text.len && !query_blank(p->text.ptr[end]) &&
           strchr("()[]\"", p->text.ptr[end]) == NULL)
        end++;
    return str_slice(p->text, p->at, end);
}

/* What stands at this place, for a message. */
static const char *found_here(const struct query_parser *p)
{
    struct buf out = {0};
    struct str word = query_parser_word(p);
    uint32_t character;
    size_t shown = 0, characters = 0;

    if (p->at == p->text.len)
        return "the end of the query";
    if (word.len == 0)
        word = str_slice(p->text, p->at, p->at + 1);
    for (; shown < word.len && characters < 30; characters++)
        shown += query_decode(str_slice(word, shown, word.len), &character);
    buf_add_format(&out, "'%.*s%s'", (int)shown, word.ptr, shown < word.len ? "..." : "");
    const char *result = arena_c_string(p->arena, buf_str(&out));
    buf_free(&out);
    return result;
}

bool query_parser_expected(struct query_parser *p, const char *what)
{
    if (p->after.len > 0)
        return query_fail(p->text, p->at, p->err, "expected %s after '%.*s', found %s",
                          what, STR_ARG(p->after), found_here(p));
    return query_fail(p->text, p->at, p->err, "expected %s, found %s", what,
                      found_here(p));
}

struct query_node *query_parser_node(struct query_parser *p, enum query_kind kind,
                                     size_t at)
{
    struct query_node *node = arena_array(p->arena, struct query_node, 1);

    node->kind = kind;
    node->at = at;
    return node;
}

static bool is_keyword(struct str word)
{
    return query_same_name(word, STR("and")) || query_same_name(word, STR("or")) ||
           query_same_name(word, STR("not"));
}

static bool take_keyword(struct query_parser *p, struct str keyword)
{
    skip_blanks(p);
    struct str word = query_parser_word(p);
    if (!query_same_name(word, keyword))
        return false;
    p->at += word.len;
    p->after = word;
    return true;
}

/* "-", unless it begins a number in a group such as score:(-5 or 5). */
static bool take_minus(struct query_parser *p)
{
    struct str rest = str_slice(p->text, p->at, p->text.len);
    bool number =
        rest.len > 1 && rest.ptr[1] >= '0' && rest.ptr[1] <= '9' && p->group != NULL &&
        (p->group->value == QUERY_VALUE_NUMBER || p->group->value == QUERY_VALUE_OWN);

    if (rest.len == 0 || rest.ptr[0] != '-' || number)
        return false;
    p->after = str_slice(rest, 0, 1);
    p->at++;
    return true;
}

static bool enter(struct query_parser *p, size_t at)
{
    if (++p->depth > QUERY_DEPTH_MAX)
        return query_fail(p->text, at, p->err,
                          "the query is nested more than %d levels deep",
                          QUERY_DEPTH_MAX);
    return true;
}

static bool parse_any(struct query_parser *p, struct query_node **out);

/* From "(" to ")"; group is the field that stands before, or NULL for none of its own. */
static bool parse_group(struct query_parser *p, const struct query_field_row *group,
                        struct query_node **out)
{
    const struct query_field_row *outer = p->group, *above = p->below;
    size_t opened = p->at;

    if (!enter(p, opened))
        return false;
    p->after = str_slice(p->text, p->at, p->at + 1);
    p->at++;
    if (group != NULL && group->value == QUERY_VALUE_BELOW) {
        *out = query_parser_node(p, QUERY_BELOW, opened);
        (*out)->field = group->field;
        out = &(*out)->first;
        p->below = group;
        p->group = NULL;
    } else {
        p->group = group != NULL ? group : outer;
    }
    if (!parse_any(p, out))
        return false;
    skip_blanks(p);
    if (p->at == p->text.len)
        return query_fail(p->text, opened, p->err, "expected ')' for this '(', found %s",
                          found_here(p));
    p->at++; /* parse_any() stops at the end and at ')' only */
    p->after = (struct str){0};
    p->group = outer;
    p->below = above;
    p->depth--;
    return true;
}

/* The spelling that was given counts first, then any case. */
static const struct query_field_row *find_field(const struct query_parser *p,
                                                struct str name)
{
    const struct query_field_row *row = query_field_find(name);
    const struct query_own *own = p->own;
    struct query_field_row *made;
    size_t found = SIZE_MAX;

    /* What a source calls label, say, is what that source means by it. */
    bool yields = row != NULL && row->value == QUERY_VALUE_LABEL;
    if ((row != NULL && !yields) || own == NULL || name.len == 0)
        return row;
    for (size_t i = own->field_count; i-- > 0;)
        if (query_same_name(own->fields[i], name))
            found = found != SIZE_MAX && str_eq(own->fields[found], name) ? found : i;
    if (found == SIZE_MAX && (yields || !own->any))
        return row;
    made = arena_array(p->arena, struct query_field_row, 1);
    *made = query_field_own(
        arena_copy(p->arena, found != SIZE_MAX ? own->fields[found] : name),
        found != SIZE_MAX && own->types != NULL ? own->types[found] : ITEM_ANY,
        found != SIZE_MAX && own->costly != NULL && own->costly[found]);
    return made;
}

/* The name that ends at ':' or a comparison; empty when no field begins here. Blanks may
 * stand before a comparison. */
static struct str field_here(const struct query_parser *p)
{
    struct str word = query_parser_word(p);
    size_t len = 0, sign;

    while (len < word.len && strchr(":<>=", word.ptr[len]) == NULL)
        len++;
    for (sign = p->at + len; sign < p->text.len && query_blank(p->text.ptr[sign]);)
        sign++;
    bool compared = sign < p->text.len && strchr("<>=", p->text.ptr[sign]) != NULL &&
                    find_field(p, str_slice(word, 0, len)) != NULL;
    return str_slice(word, 0, len < word.len || compared ? len : 0);
}

static bool unknown_field(struct query_parser *p, struct str name)
{
    const struct query_field_row *near = query_field_nearest(name);
    struct str meant[2] = {near != NULL ? near->name : (struct str){0}};
    size_t own = p->own != NULL ? p->own->field_count : 0;
    int shown = (int)(name.len < 40 ? name.len : 40);

    size_t found = own > 0 ? near_find(name, p->own->fields, own) : own;
    meant[1] = found < own ? p->own->fields[found] : meant[0];
    if (near == NULL || near_distance(name, meant[1]) < near_distance(name, meant[0]))
        meant[0] = meant[1];
    if (meant[0].len > 0)
        return query_fail(p->text, p->at, p->err,
                          "unknown field '%.*s'; did you mean '%.*s'?", shown, name.ptr,
                          STR_ARG(meant[0]));
    return query_fail(
        p->text, p->at, p->err,
        "unknown field '%.*s'; fields are %s; put text with ':', '<', '>' or "
        "'=' in it in double quotes",
        shown, name.ptr, query_field_list());
}

static unsigned below_of(const struct query_field_row *row)
{
    return row->field == QUERY_FIELD_ANSWER ? QUERY_OF_ANSWERS : QUERY_OF_COMMENTS;
}

static bool may_be_asked(const struct query_field_row *below,
                         const struct query_field_row *row)
{
    return (row->below & below_of(below)) != 0;
}

static bool not_below(struct query_parser *p, const struct query_field_row *row)
{
    struct buf list = {0};

    query_field_list_below(below_of(p->below), &list);
    query_fail(p->text, p->at, p->err,
               "'%.*s' cannot be asked of %.*ss; what can be is %.*s", STR_ARG(row->name),
               STR_ARG(p->below->name), STR_ARG(buf_str(&list)));
    buf_free(&list);
    return false;
}

/* field:value, field:( ), field>value */
static bool parse_field(struct query_parser *p, struct str name, struct query_node **out)
{
    const struct query_field_row *row = find_field(p, name);
    size_t begun = p->at;

    if (row == NULL)
        return unknown_field(p, name);
    if (p->below != NULL && !may_be_asked(p->below, row))
        return not_below(p, row);
    p->at += name.len;
    skip_blanks(p);
    if (p->text.ptr[p->at] == ':') {
        p->after = str_slice(p->text, begun, p->at + 1);
        p->at++;
        skip_blanks(p);
        if (p->at < p->text.len && p->text.ptr[p->at] == '(')
            return parse_group(p, row, out);
        if (is_keyword(query_parser_word(p)))
            return query_parser_expected(p, row->expected);
    } else if (row->value != QUERY_VALUE_NUMBER && row->value != QUERY_VALUE_DATE &&
               row->value != QUERY_VALUE_CLOSED && row->value != QUERY_VALUE_OWN) {
        return query_fail(p->text, p->at, p->err,
                          "'%.*s' cannot be compared; write %.*s: and %s",
                          STR_ARG(row->name), STR_ARG(row->name), row->expected);
    } else {
        p->after =
            str_slice(p->text, begun, p->at); /* the sign is added with the value */
    }
    return query_parser_value(p, row, begun, out);
}

static bool parse_condition(struct query_parser *p, struct query_node **out)
{
    struct str word = query_parser_word(p), name = field_here(p);

    if (p->at == p->text.len || p->text.ptr[p->at] == ')' || is_keyword(word))
        return query_parser_expected(p, "a condition");
    if (p->text.ptr[p->at] == ']')
        return query_fail(p->text, p->at, p->err, "found ']' without '['");
    if (p->text.ptr[p->at] == '[')
        return query_parser_tag(p, out);
    /* id:(a:1 or b:2): before the colon stands a source. */
    bool source = p->group != NULL && p->group->field == QUERY_FIELD_ID &&
                  find_field(p, name) == NULL;
    if (name.len > 0 && strchr("~/", p->text.ptr[p->at]) == NULL && !source)
        return parse_field(p, name, out);
    bool texts = p->group == NULL || p->group->value == QUERY_VALUE_TEXT;
    if (texts && word.len > 0 && strchr(":<>=", word.ptr[0]) != NULL)
        return query_parser_expected(p,
                                     "a condition (put text that begins with ':', '<', "
                                     "'>' or '=' in double quotes)");
    if (p->group != NULL)
        return query_parser_value(p, p->group, p->at, out);
    if (str_eq(word, STR("*"))) {
        *out = query_parser_node(p, QUERY_ALL, p->at++);
        return true;
    }
    return query_parser_value(p, query_field_find(STR("prose")), p->at, out);
}

static bool parse_one(struct query_parser *p, struct query_node **out)
{
    skip_blanks(p);
    size_t at = p->at;
    bool word = take_keyword(p, STR("not"));
    if (word || take_minus(p)) {
        if (!word && p->at < p->text.len && query_blank(p->text.ptr[p->at]))
            return query_fail(p->text, at, p->err,
                              "expected a condition right after '-', found a blank");
        *out = query_parser_node(p, QUERY_NOT, at);
        if (!enter(p, at) || !parse_one(p, &(*out)->first))
            return false;
        p->depth--;
        return true;
    }
    if (p->at < p->text.len && p->text.ptr[p->at] == '(')
        return parse_group(p, NULL, out);
    if (!parse_condition(p, out))
        return false;
    p->after = (struct str){0};
    return true;
}

/* Children of one kind as they come; those of a child of the same kind are taken over. */
struct joined {
    struct query_node *node;
    struct query_node **end;
    size_t count;
};

static void join(struct joined *joined, struct query_node *child)
{
    bool same = child->kind == joined->node->kind;

    *joined->end = same ? child->first : child;
    for (; *joined->end != NULL; joined->count++)
        joined->end = &(*joined->end)->next;
}

static struct joined join_begin(struct query_parser *p, enum query_kind kind)
{
    skip_blanks(p);
    struct query_node *node = query_parser_node(p, kind, p->at);

    return (struct joined){.node = node, .end = &node->first};
}

static struct query_node *join_end(struct joined *joined)
{
    return joined->count == 1 ? joined->node->first : joined->node;
}

/* Whether another condition follows: neither the end, nor ")", nor "or". */
static bool more_follows(struct query_parser *p)
{
    skip_blanks(p);
    return p->at < p->text.len && p->text.ptr[p->at] != ')' &&
           !query_same_name(query_parser_word(p), STR("or"));
}

static bool parse_all(struct query_parser *p, struct query_node **out)
{
    struct joined joined = join_begin(p, QUERY_AND);
    struct query_node *child;

    do {
        if (!parse_one(p, &child))
            return false;
        join(&joined, child);
    } while (take_keyword(p, STR("and")) || more_follows(p));
    *out = join_end(&joined);
    return true;
}

static bool parse_any(struct query_parser *p, struct query_node **out)
{
    struct joined joined = join_begin(p, QUERY_OR);
    struct query_node *child;

    do {
        if (!parse_all(p, &child))
            return false;
        join(&joined, child);
    } while (take_keyword(p, STR("or")));
    *out = join_end(&joined);
    return true;
}

/* Text is UTF-8 without control characters; then no reader has to look for them again. */
static bool check_bytes(struct str text, struct err *err)
{
    uint32_t character;

    if (text.len > QUERY_SIZE_MAX)
        return query_fail(text, 0, err, "the query has %zu bytes; at most %d are read",
                          text.len, QUERY_SIZE_MAX);
    for (size_t i = 0; i < text.len;) {
        size_t len = query_decode(str_slice(text, i, text.len), &character);
        if (len == 0)
            return query_fail(text, i, err, "expected UTF-8, found the byte 0x%02X",
                              (unsigned)(unsigned char)text.ptr[i]);
        if ((character < ' ' && !query_blank((char)character)) || character == 0x7F)
            return query_fail(text, i, err, "found the control character 0x%02X",
                              (unsigned)character);
        i += len;
    }
    return true;
}

bool query_parse(struct str text, struct arena *arena, struct query_node **out,
                 struct err *err)
{
    return query_parse_with(text, NULL, arena, out, err);
}

bool query_parse_with(struct str text, const struct query_own *own, struct arena *arena,
                      struct query_node **out, struct err *err)
{
    struct query_parser parser = {.text = text, .arena = arena, .own = own, .err = err};

    if (!check_bytes(text, err))
        return false;
    skip_blanks(&parser);
    if (parser.at == text.len) {
        *out = query_parser_node(&parser, QUERY_ALL, 0);
        return true;
    }
    if (!parse_any(&parser, out))
        return false;
    if (parser.at < text.len)
        return query_fail(text, parser.at, err, "found ')' without '('");
    return true;
}
