/* Reads single conditions: texts, tags, ranges, yes and no, types, sets, sources, labels,
 * values of fields that sources bring, and what an answer or a comment says. */
#include "query/internal.h"

#include <string.h>

#include "base/near.h"

static char next_char(const struct query_parser *p)
{
    return p->at < p->text.len ? p->text.ptr[p->at] : '\0';
}

/* From quote to quote, without them, \" and \\ replaced. */
static bool take_quoted(struct query_parser *p, struct str *out)
{
    size_t opened = p->at, len = 0, i;
    char *text = arena_array(p->arena, char, p->text.len - p->at);

    for (i = opened + 1; i < p->text.len && p->text.ptr[i] != '"'; i++) {
        bool escape = p->text.ptr[i] == '\\' && i + 1 < p->text.len &&
                      strchr("\"\\", p->text.ptr[i + 1]) != NULL;
        i += escape;
        text[len++] = p->text.ptr[i];
    }
    if (i >= p->text.len)
        return query_fail(p->text, opened, p->err,
                          "no '\"' ends the text that begins here");
    p->at = i + 1;
    *out = (struct str){text, len};
    return true;
}

static bool check_len(struct query_parser *p, size_t at, struct str text)
{
    if (text.len > QUERY_TEXT_MAX)
        return query_fail(p->text, at, p->err,
                          "found %zu bytes of text, expected at most %d", text.len,
                          QUERY_TEXT_MAX);
    return true;
}

/* The words of a phrase with one blank between them. */
static struct str squeeze(struct str phrase, struct arena *arena)
{
    char *text = arena_array(arena, char, phrase.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < phrase.len; i++) {
        bool blank = query_blank(phrase.ptr[i]);
        if (!blank || (len > 0 && text[len - 1] != ' '))
            text[len++] = blank ? ' ' : phrase.ptr[i];
    }
    len -= len > 0 && text[len - 1] == ' ';
    return (struct str){text, len};
}

/* A slice in a table: STR() is not a constant. */
#define NAME(text) \
    { \
        text, sizeof(text) - 1 \
    }

/* What people write who expect another language: a message instead of no matches. */
static const struct {
    struct str begins; /* the whole word when `whole` */
    bool whole;
    const char *hint;
} strangers[] = {
    {NAME("&&"), true, "found '&&', expected 'and'"},
    {NAME("&"), true, "found '&', expected 'and'"},
    {NAME("||"), true, "found '||', expected 'or'"},
    {NAME("|"), true, "found '|', expected 'or'"},
    {NAME("!"), false, "found '!', expected 'not' or '-'"},
    {NAME("'"), false, "found a single quote, expected a double one: \"...\""},
    {NAME("\xE2\x80\x9C"), false,
     "found a curly quote, expected a straight one: \"...\""},
    {NAME("\xE2\x80\x9D"), false,
     "found a curly quote, expected a straight one: \"...\""},
};

/* A bare word that is searched for as it is. */
static bool check_word(struct query_parser *p, struct str word)
{
    for (size_t i = 0; i < ROWS_OF(strangers); i++)
        if (strangers[i].whole ? str_eq(word, strangers[i].begins)
                               : str_starts(word, strangers[i].begins))
            return query_fail(p->text, p->at, p->err, "%s", strangers[i].hint);
    for (size_t i = 0; i < word.len; i++) {
        if (word.ptr[i] == ',' || word.ptr[i] == ';')
            return query_fail(p->text, p->at + i, p->err,
                              "found '%c'; put text with '%c' in it in double quotes",
                              word.ptr[i], word.ptr[i]);
        if (word.ptr[i] == '*' && i + 1 < word.len)
            return query_fail(
                p->text, p->at + i, p->err,
                "a '*' may stand only at the end of a word; ~ finds parts of "
                "words, as in ~\"net\"");
    }
    return true;
}

/* A word or a quoted text, as `expected` says if neither is there; *star when a * ends
 * it. */
static bool take_text(struct query_parser *p, const char *expected, struct str *out,
                      bool *star)
{
    if (next_char(p) == '"') {
        if (!take_quoted(p, out))
            return false;
        *star = next_char(p) == '*';
        p->at += *star;
        return true;
    }
    struct str word = query_parser_word(p);
    *star = word.len > 1 && word.ptr[word.len - 1] == '*';
    *out = str_slice(word, 0, word.len - *star);
    if (word.len == 0 || str_eq(word, STR("*")))
        return query_parser_expected(p, expected);
    if (!check_word(p, word))
        return false;
    p->at += word.len;
    return true;
}

/* ~word or ~"text" after the ~ */
static bool take_part(struct query_parser *p, struct str *out)
{
    size_t at = p->at;
    bool star;

    p->after = STR("~");
    if (!take_text(p, "a word or \"a text\"", out, &star))
        return false;
    if (star)
        return query_fail(p->text, p->at - 1, p->err,
                          "a text after '~' is found anywhere and takes no '*'");
    if (out->len == 0)
        return query_fail(p->text, at, p->err, "found an empty text");
    *out = arena_copy(p->arena, *out);
    return check_len(p, at, *out);
}

/* /regex/ and /regex/i */
static bool parse_regex(struct query_parser *p, struct query_node *node)
{
    struct query_regex_error error;
    size_t opened = p->at, end = opened + 1;

    while (end < p->text.len && p->text.ptr[end] != '/')
        end += p->text.ptr[end] == '\\' ? 2 : 1;
    if (end >= p->text.len)
        return query_fail(p->text, opened, p->err,
                          "no '/' ends the regex that begins here; put text that begins "
                          "with '/' in double quotes");
    p->at = end + 1;
    struct str flags = query_parser_word(p);
    if (flags.len > 0 && !str_eq(flags, STR("i")))
        return query_fail(
            p->text, p->at, p->err,
            "after a regex expected 'i' or a blank, found '%.*s'; within it a "
            "slash is written \\/",
            (int)(flags.len < 30 ? flags.len : 30), flags.ptr);
    p->at += flags.len;
    node->match = QUERY_REGEX;
    node->any_case = flags.len > 0;
    node->text = arena_copy(p->arena, str_slice(p->text, opened + 1, end));
    if (node->text.len == 0)
        return query_fail(p->text, opened, p->err, "found an empty regex");
    if (!query_regex_compile(node->text, node->any_case, NULL, NULL, &error))
        return query_fail(p->text, opened + 1 + error.at, p->err, "in the regex: %s",
                          error.text);
    return true;
}

static bool parse_text(struct query_parser *p, const struct query_field_row *row,
                       struct query_node *node)
{
    size_t at = p->at;
    struct str text;
    bool star;

    if (next_char(p) == '/')
        return parse_regex(p, node);
    if (next_char(p) == '~') {
        p->at++;
        node->match = QUERY_SUBSTRING;
        return take_part(p, &node->text);
    }
    if (!take_text(p, row->expected, &text, &star))
        return false;
    node->match = star ? QUERY_PREFIX : QUERY_WORDS;
    node->text = squeeze(text, p->arena);
    if (node->text.len == 0)
        return query_fail(p->text, at, p->err, "found an empty text");
    return check_len(p, at, node->text);
}

static bool make_tag(struct query_parser *p, size_t at, struct str tag,
                     struct query_node *node)
{
    bool glob = false;

    if (tag.len == 0)
        return query_fail(p->text, at, p->err, "found an empty tag");
    for (size_t i = 0; i < tag.len; i++) {
        char c = tag.ptr[i];
        glob = glob || c == '*' || c == '?';
        if (query_blank(c))
            return query_fail(
                p->text, at + i, p->err,
                "found a blank in a tag; write [a] or [b] for several tags");
        if (strchr("[]<>|,;\"()", c) != NULL)
            return query_fail(p->text, at + i, p->err, "found '%c' in a tag", c);
    }
    node->match = glob ? QUERY_GLOB : QUERY_EXACT;
    node->text = arena_copy(p->arena, tag);
    return check_len(p, at, tag);
}

bool query_parser_tag(struct query_parser *p, struct query_node **out)
{
    if (p->below != NULL)
        return query_fail(p->text, p->at, p->err, "%.*ss have no tags",
                          STR_ARG(p->below->name));
    struct str rest = str_slice(p->text, p->at + 1, p->text.len), tag;
    size_t opened = p->at, blanks = 0;

    if (!str_cut(&rest, ']', &tag))
        return query_fail(p->text, opened, p->err,
                          "no ']' ends the tag that begins here");
    while (blanks < tag.len && query_blank(tag.ptr[blanks]))
        blanks++;
    *out = query_parser_node(p, QUERY_TAG, opened);
    (*out)->field = QUERY_FIELD_TAG;
    p->at = opened + tag.len + 2;
    return make_tag(p, opened + 1 + blanks, str_trim(tag), *out);
}

/* tag:name, tag:name*, tag:~part, also in a group */
static bool parse_tag_value(struct query_parser *p, const struct query_field_row *row,
                            struct query_node *node)
{
    size_t at = p->at;
    struct str tag;

    if (next_char(p) == '~') {
        p->at++;
        node->match = QUERY_SUBSTRING;
        return take_part(p, &node->text);
    }
    if (next_char(p) == '"') {
        if (!take_quoted(p, &tag))
            return false;
        return make_tag(p, at + 1, tag, node);
    }
    tag = query_parser_word(p);
    if (tag.len == 0)
        return query_parser_expected(p, row->expected);
    p->at += tag.len;
    return make_tag(p, at, tag, node);
}

static bool read_range(struct str s, const struct query_field_row *row,
                       struct query_node *node, const char **wrong)
{
    if (row->value == QUERY_VALUE_OWN && row->type != ITEM_MOMENT)
        return query_read_real(s, node, wrong);
    return row->value == QUERY_VALUE_NUMBER
               ? query_read_number(s, &node->min, &node->max, wrong)
               : query_read_date(s, node, wrong);
}

/* A number alone is exactly that number; Stack Overflow's search reads `or more`. There
 * views:0 and answers:0 say the same as here. */
static bool is_or_more(const struct query_field_row *row, const struct query_node *node,
                       struct str value)
{
    bool known =
        row->field == QUERY_FIELD_SCORE ||
        ((row->field == QUERY_FIELD_VIEWS || row->field == QUERY_FIELD_ANSWERS) &&
         node->min > 0);

    return known && node->min == node->max && value.ptr[0] != '=' &&
           memchr(value.ptr, '.', value.len) == NULL;
}

static bool parse_range(struct query_parser *p, const struct query_field_row *row,
                        struct query_node *node)
{
    size_t begun = p->at, value = p->at;
    const char *wrong;

    /* Blanks may follow a comparison. */
    while (value < p->text.len && strchr("<>=", p->text.ptr[value]) != NULL)
        value++;
    if (value > begun) {
        bool touches =
            p->after.len > 0 && p->after.ptr + p->after.len == p->text.ptr + begun;
        p->after = str_slice(p->text, begun - (touches ? p->after.len : 0), value);
    }
    while (value > begun && value < p->text.len && query_blank(p->text.ptr[value]))
        value++;
    p->at = value;
    size_t end = value + query_parser_word(p).len;
    if (read_range(str_slice(p->text, begun, end), row, node, &wrong)) {
        p->at = end;
        node->bare = is_or_more(row, node, str_slice(p->text, begun, end));
        return true;
    }
    if (wrong == NULL)
        return query_parser_expected(p, row->expected);
    return query_fail(p->text, value, p->err, "%s: '%.*s'", wrong,
                      (int)(end - value < 60 ? end - value : 60), p->text.ptr + value);
}

static bool parse_flag(struct query_parser *p, const struct query_field_row *row,
                       struct query_node *node)
{
    struct str word = query_parser_word(p);

    node->yes = query_same_name(word, STR("yes"));
    if (!node->yes && !query_same_name(word, STR("no")))
        return query_parser_expected(p, row->expected);
    p->at += word.len;
    return true;
}

static bool parse_type(struct query_parser *p, const struct query_field_row *row,
                       struct query_node *node)
{
    struct str word = query_parser_word(p), near = query_type_nearest(word);

    node->types = query_type_find(word, &node->text);
    if (node->types == 0 && near.len > 0)
        return query_fail(p->text, p->at, p->err,
                          "unknown kind of post '%.*s'; did you mean '%.*s'?",
                          STR_ARG(word), STR_ARG(near));
    if (node->types == 0)
        return query_parser_expected(p, row->expected);
    p->at += word.len;
    return true;
}

/* The name of a set, a source, or a step with a code of it. */
static bool parse_name(struct query_parser *p, const struct query_field_row *row,
                       struct query_node *node)
{
    size_t at = p->at;

    if (next_char(p) == '"') {
        if (!take_quoted(p, &node->text))
            return false;
    } else {
        node->text = arena_copy(p->arena, query_parser_word(p));
        if (node->text.len == 0)
            return query_parser_expected(p, row->expected);
        p->at += node->text.len;
    }
    if (node->text.len == 0)
        return query_fail(p->text, at, p->err, "found nothing, expected %s",
                          row->expected);
    return check_len(p, at, node->text);
}

static bool check_source(struct query_parser *p, size_t at, struct str name)
{
    const struct query_own *own = p->own;
    int shown = (int)(name.len < 40 ? name.len : 40);

    if (own == NULL || own->any)
        return true;
    for (size_t i = 0; i < own->source_count; i++)
        if (str_eq(own->sources[i], name))
            return true;
    if (own->source_count == 0)
        return query_fail(p->text, at, p->err,
                          "there is no source '%.*s': the only one has no name (a source "
                          "gets one under 'sources:')",
                          shown, name.ptr);
    size_t near = near_find(name, own->sources, own->source_count);
    if (near < own->source_count)
        return query_fail(p->text, at, p->err,
                          "unknown source '%.*s'; did you mean '%.*s'?", shown, name.ptr,
                          STR_ARG(own->sources[near]));
    struct buf list = {0};
    for (size_t i = 0; i < own->source_count; i++)
        buf_add_format(&list, "%s%.*s", i > 0 ? ", " : "", STR_ARG(own->sources[i]));
    query_fail(p->text, at, p->err, "unknown source '%.*s'; sources are %.*s", shown,
               name.ptr, STR_ARG(buf_str(&list)));
    buf_free(&list);
    return false;
}

static bool parse_source(struct query_parser *p, const struct query_field_row *row,
                         struct query_node *node)
{
    size_t at = p->at;

    return parse_name(p, row, node) && check_source(p, at, node->text);
}

/* id:ai:12345 is source:ai and id:12345. */
static bool parse_key(struct query_parser *p, const struct query_field_row *row,
                      struct str name, struct query_node *node)
{
    struct query_node *source = query_parser_node(p, QUERY_SOURCE, node->at);
    struct query_node *number = query_parser_node(p, QUERY_RANGE, node->at);

    node->kind = QUERY_AND;
    node->field = (enum query_field)0;
    node->first = source;
    source->next = number;
    source->field = QUERY_FIELD_SOURCE;
    source->text = arena_copy(p->arena, name);
    number->field = QUERY_FIELD_ID;
    if (!check_source(p, p->at, name))
        return false;
    p->after = str_slice(p->text, p->at, p->at + name.len + 1);
    p->at += name.len + 1;
    return parse_range(p, row, number);
}

/* A pattern for a whole member of a list, such as *.py or src/?/main*: what could not be
 * the beginning of a word; * alone is any member. */
static bool is_pattern(struct str word)
{
    const char *star = word.len > 0 ? memchr(word.ptr, '*', word.len) : NULL;

    return star != NULL && strchr("~/", word.ptr[0]) == NULL &&
           (word.len == 1 || star + 1 < word.ptr + word.len ||
            memchr(word.ptr, '/', word.len) != NULL);
}

/* id:1f3e5a7 is hash:1f3e5a7*, where some source has commits. A number of digits alone is
 * one of an item. */
static bool is_hash(const struct query_parser *p, struct str word)
{
    static const size_t len_min = 7, len_max = 40;
    bool letters = false, known = false;

    for (size_t i = 0; i < word.len; i++) {
        bool letter = query_lower(word.ptr[i]) >= 'a' && query_lower(word.ptr[i]) <= 'f';
        if (!letter && (word.ptr[i] < '0' || word.ptr[i] > '9'))
            return false;
        letters |= letter;
    }
    for (size_t i = 0; p->own != NULL && i < p->own->field_count; i++)
        known |= str_eq(p->own->fields[i], STR("hash"));
    return known && word.len >= len_min && word.len <= len_max &&
           (letters || word.len > 18);
}

static bool parse_own_flag(struct query_parser *p, const struct query_field_row *row,
                           struct query_node *node)
{
    if (!parse_flag(p, row, node))
        return false;
    node->match = QUERY_WORDS;
    node->text = node->yes ? STR("yes") : STR("no");
    node->yes = false;
    return true;
}

/* As its type says. Where that is not known: a number, a range or a comparison; anything
 * else is text, as is a number in quotes. */
static bool parse_own(struct query_parser *p, const struct query_field_row *row,
                      struct query_node *node)
{
    struct str word = query_parser_word(p);
    bool compared = word.len > 0 && strchr("<>=", word.ptr[0]) != NULL;
    bool ranged = row->type == ITEM_ANY
                      ? compared || query_looks_like_number(word)
                      : row->type == ITEM_NUMBER || row->type == ITEM_MOMENT;

    node->own = row->name;
    node->costly = row->costly;
    if (is_pattern(word)) {
        node->kind = QUERY_OWN_TEXT;
        node->match = QUERY_GLOB;
        node->text = arena_copy(p->arena, word);
        p->at += word.len;
        return check_len(p, p->at - word.len, word);
    }
    node->kind = !ranged                    ? QUERY_OWN_TEXT
                 : row->type == ITEM_MOMENT ? QUERY_OWN_DATES
                                            : QUERY_OWN_RANGE;
    if (ranged)
        return parse_range(p, row, node);
    return row->type == ITEM_YES_NO ? parse_own_flag(p, row, node)
                                    : parse_text(p, row, node);
}

/* answer:word: what could be meant for answers:5 or a yes is asked back. */
static bool parse_below_text(struct query_parser *p, const struct query_field_row *row,
                             struct query_node *node)
{
    const struct query_field_row *outer = p->below;
    struct str word = query_parser_word(p);

    if (word.len == 0 && next_char(p) != '"')
        return query_parser_expected(p, row->expected);
    if (query_looks_like_number(word) || query_same_name(word, STR("yes")) ||
        query_same_name(word, STR("no")))
        return query_fail(p->text, p->at, p->err,
                          "found '%.*s': %.*ss:1.. asks how many there are; to find this "
                          "in what one of them says, put it in double quotes",
                          (int)(word.len < 40 ? word.len : 40), word.ptr,
                          STR_ARG(row->name));
    p->below = row;
    bool ok = query_parser_value(p, query_field_find(STR("prose")), p->at, &node->first);
    p->below = outer;
    return ok;
}

bool query_parser_value(struct query_parser *p, const struct query_field_row *row,
                        size_t begun, struct query_node **out)
{
    static const enum query_kind kinds[] = {
        [QUERY_VALUE_TEXT] = QUERY_TEXT,     [QUERY_VALUE_TAG] = QUERY_TAG,
        [QUERY_VALUE_NUMBER] = QUERY_RANGE,  [QUERY_VALUE_DATE] = QUERY_RANGE,
        [QUERY_VALUE_CLOSED] = QUERY_RANGE,  [QUERY_VALUE_FLAG] = QUERY_FLAG,
        [QUERY_VALUE_TYPE] = QUERY_TYPE,     [QUERY_VALUE_SET] = QUERY_SET,
        [QUERY_VALUE_SOURCE] = QUERY_SOURCE, [QUERY_VALUE_OWN] = QUERY_OWN_RANGE,
        [QUERY_VALUE_BELOW] = QUERY_BELOW,   [QUERY_VALUE_LABEL] = QUERY_LABEL,
    };
    struct query_node *node = query_parser_node(p, kinds[row->value], begun);
    struct str word = query_parser_word(p), rest = word, name;

    *out = node;
    node->field = row->field;
    if (node->kind == QUERY_TEXT)
        return parse_text(p, row, node);
    if (node->kind == QUERY_TAG)
        return next_char(p) == '[' ? query_parser_tag(p, out)
                                   : parse_tag_value(p, row, node);
    if (node->kind == QUERY_TYPE)
        return parse_type(p, row, node);
    if (node->kind == QUERY_SET || node->kind == QUERY_LABEL)
        return parse_name(p, row, node);
    if (node->kind == QUERY_SOURCE)
        return parse_source(p, row, node);
    if (node->kind == QUERY_OWN_RANGE)
        return parse_own(p, row, node);
    if (node->kind == QUERY_BELOW)
        return parse_below_text(p, row, node);
    if (row->field == QUERY_FIELD_ID && p->below == NULL && str_cut(&rest, ':', &name) &&
        name.len > 0)
        return parse_key(p, row, name, node);
    if (row->field == QUERY_FIELD_ID && p->below == NULL && is_hash(p, word)) {
        node->kind = QUERY_OWN_TEXT;
        node->field = QUERY_FIELD_OWN;
        node->match = QUERY_PREFIX;
        node->own = STR("hash");
        node->text = arena_copy(p->arena, word);
        p->at += word.len;
        return true;
    }
    if (row->value == QUERY_VALUE_CLOSED &&
        (query_same_name(word, STR("yes")) || query_same_name(word, STR("no"))))
        node->kind = QUERY_FLAG;
    if (node->kind == QUERY_FLAG)
        return parse_flag(p, row, node);
    return parse_range(p, row, node);
}
