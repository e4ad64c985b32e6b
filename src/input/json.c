/* One byte decides what comes next; only strings are long, and of those sixteen bytes are
 * looked at together. Text that has no escapes stays where it is. */
#include "input/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "text/utf8.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    SEEN_WORDS = 4,
    SHOWN_MAX = 40,
    MANY = 64, /* members: names are compared when all of them are there */
};

/* An object or array whose end has not come. */
struct json_open {
    size_t value;              /* of the tree */
    uint64_t seen[SEEN_WORDS]; /* of an object: a bit for the hash of each name */
};

struct json_reader {
    struct input_json_tree *tree;
    const char *p, *end;
    struct json_open open[INPUT_JSON_DEPTH_MAX];
    int depth;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Nothing but zeros lies behind the end, so that what is cut there is always wrong too.
 */
static enum input_json_end refuse(struct json_reader *reader, const char *at,
                                  const char *format, ...) PRINTF_LIKE(3, 4);

static enum input_json_end refuse(struct json_reader *reader, const char *at,
                                  const char *format, ...)
{
    va_list arguments;

    if (at >= reader->end)
        return INPUT_JSON_CUT;
    va_start(arguments, format);
    vsnprintf(reader->tree->why, sizeof reader->tree->why, format, arguments);
    va_end(arguments);
    reader->tree->wrong = at;
    return INPUT_JSON_WRONG;
}

static enum input_json_end expected(struct json_reader *reader, const char *what)
{
    unsigned char c = (unsigned char)*reader->p;

    if (c > 0x20 && c < 0x7F)
        return refuse(reader, reader->p, "found '%c', expected %s", c, what);
    return refuse(reader, reader->p, "found byte 0x%02X, expected %s", c, what);
}

static inline struct input_json *add(struct json_reader *reader,
                                     enum input_json_kind kind)
{
    struct input_json_tree *tree = reader->tree;

    list_add(&tree->values,
             ((struct input_json){.at = reader->p, .kind = kind, .span = 1}));
    return &tree->values.at[tree->values.count - 1];
}

/* --- strings --- */

/* The next byte that is not plain: a quote, a backslash, below 0x20, above 0x7E. */
static const char *skip_plain(const char *p)
{
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'),
                  space = _mm_set1_epi8(0x20);
    for (;; p += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
        /* Compared as signed numbers, those above 0x7F are below 0x20 as well. */
        __m128i stops = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, slash)),
            _mm_cmplt_epi8(bytes, space));
        int mask = _mm_movemask_epi8(stops);
        if (mask != 0)
            return p + __builtin_ctz((unsigned)mask);
    }
#else
    while (*p != '"' && *p != '\\' && (signed char)*p >= 0x20)
        p++;
    return p;
#endif
}

/* Four digits; otherwise where there is none, and NULL when all is well. */
static const char *read_hex(const char *p, uint32_t *code)
{
    *code = 0;
    for (const char *end = p + 4; p < end; p++) {
        int digit = is_digit(*p)             ? *p - '0'
                    : *p >= 'a' && *p <= 'f' ? *p - 'a' + 10
                    : *p >= 'A' && *p <= 'F' ? *p - 'A' + 10
                                             : -1;
        if (digit < 0)
            return p;
        *code = *code << 4 | (uint32_t)digit;
    }
    return NULL;
}

/* The second half of a character beyond 16 bits, the same way. */
static const char *read_low(const char *p, uint32_t *low)
{
    if (p[0] != '\\' || p[1] != 'u')
        return p[0] != '\\' ? p : p + 1;
    const char *bad = read_hex(p + 2, low);
    return bad != NULL ? bad : *low >= 0xDC00 && *low < 0xE000 ? NULL : p;
}

/* Behind "\u". */
static enum input_json_end read_code(struct json_reader *reader, struct buf *out)
{
    uint32_t code, low = 0;
    const char *bad = read_hex(reader->p, &code);

    if (bad != NULL)
        return refuse(reader, bad,
                      "found '\\u', expected four hexadecimal digits behind it");
    reader->p += 4;
    if (code >= 0xD800 && code < 0xE000) {
        bad = code < 0xDC00 ? read_low(reader->p, &low) : reader->p - 6;
        if (bad != NULL)
            return refuse(reader, bad, "found half of a character, '\\u%04X'", code);
        reader->p += 6;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code == 0)
        return refuse(reader, reader->p - 6, "found \\u0000, expected text");
    out->len += text_utf8_write(code, out->ptr + out->len);
    return INPUT_JSON_DONE;
}

static enum input_json_end read_escape(struct json_reader *reader, struct buf *out)
{
    static const char meant[256] = {
        ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
        ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
    char c = reader->p[1], plain = meant[(unsigned char)c];

    reader->p += 2;
    if (plain != '\0') {
        out->ptr[out->len++] = plain;
        return INPUT_JSON_DONE;
    }
    if (c == 'u')
        return read_code(reader, out);
    return refuse(reader, reader->p - 1 < reader->end ? reader->p - 2 : reader->end,
                  "found a backslash, expected one of \"\\/bfnrtu behind it");
}

/* A string that is not all plain. What was undone before stays where it is: there is room
 * for as many bytes as the text has. */
static enum input_json_end read_rough(struct json_reader *reader, const char *begin,
                                      struct str *text)
{
    struct buf *out = &reader->tree->undone;
    size_t undone = out->len;
    const char *run = begin; /* what has not been copied */
    bool copied = false;
    uint32_t code;

    for (;; reader->p = skip_plain(reader->p)) {
        unsigned char c = (unsigned char)*reader->p;
        if (c >= 0x80) {
            struct str rest = {reader->p, (size_t)(reader->end - reader->p)};
            size_t len = text_utf8_read(rest, 0, &code);
            if (code == TEXT_UTF8_REPLACEMENT &&
                memcmp(reader->p, "\xEF\xBF\xBD", 3) != 0)
                return refuse(reader, len < rest.len ? reader->p : reader->end,
                              "found a byte that is not UTF-8");
            reader->p += len;
            continue;
        }
        if (c < 0x20)
            return refuse(reader, reader->p,
                          "found byte 0x%02X in a string, expected it escaped", c);
        if (copied || c == '\\')
            buf_add(out, (struct str){run, (size_t)(reader->p - run)});
        copied = copied || c == '\\';
        if (c == '"')
            break;
        enum input_json_end end = read_escape(reader, out);
        if (end != INPUT_JSON_DONE)
            return end;
        run = reader->p;
    }
    *text = copied ? (struct str){out->ptr + undone, out->len - undone}
                   : (struct str){begin, (size_t)(reader->p - begin)};
    return INPUT_JSON_DONE;
}

static enum input_json_end read_string(struct json_reader *reader)
{
    struct input_json *value = add(reader, INPUT_JSON_STRING);
    const char *begin = reader->p + 1;

    reader->p = skip_plain(begin);
    if (*reader->p == '"') {
        value->text = begin;
        value->len = (uint32_t)(reader->p++ - begin);
        return INPUT_JSON_DONE;
    }
    struct str text = {0};
    enum input_json_end end = read_rough(reader, begin, &text);
    if (end != INPUT_JSON_DONE)
        return end;
    value->text = text.ptr;
    value->len = (uint32_t)text.len;
    reader->p++;
    return INPUT_JSON_DONE;
}

/* --- other scalars --- */

static enum input_json_end need_digits(struct json_reader *reader)
{
    if (!is_digit(*reader->p))
        return expected(reader, "a digit");
    while (is_digit(*reader->p))
        reader->p++;
    return INPUT_JSON_DONE;
}

static enum input_json_end read_number(struct json_reader *reader)
{
    struct input_json *value = add(reader, INPUT_JSON_INTEGER);
    const char *begin = reader->p;
    enum input_json_end end = INPUT_JSON_DONE;
    int64_t whole;

    reader->p += *reader->p == '-';
    if (reader->p[0] == '0' && is_digit(reader->p[1]))
        return refuse(reader, begin, "found a number that begins with 0");
    end = need_digits(reader);
    if (end == INPUT_JSON_DONE && *reader->p == '.') {
        value->kind = INPUT_JSON_REAL;
        reader->p++;
        end = need_digits(reader);
    }
    if (end == INPUT_JSON_DONE && (*reader->p == 'e' || *reader->p == 'E')) {
        value->kind = INPUT_JSON_REAL;
        reader->p++;
        reader->p += *reader->p == '+' || *reader->p == '-';
        end = need_digits(reader);
    }
    if (end != INPUT_JSON_DONE)
        return end;
    if (reader->p >= reader->end)
        return INPUT_JSON_CUT; /* more digits may follow */
    value->text = begin;
    value->len = (uint32_t)(reader->p - begin);
    if (value->kind == INPUT_JSON_INTEGER
            ? value->len > 18 && !str_to_int((struct str){begin, value->len}, &whole)
            : !isfinite(strtod(begin, NULL)))
        return refuse(reader, begin, "found a number that is too large");
    return INPUT_JSON_DONE;
}

static enum input_json_end read_word(struct json_reader *reader,
                                     enum input_json_kind kind, const char *word)
{
    size_t len = strlen(word), same = 0;

    while (same < len && reader->p[same] == word[same])
        same++;
    if (same < len)
        return reader->p + same >= reader->end ? INPUT_JSON_CUT
                                               : expected(reader, "a value");
    add(reader, kind);
    reader->p += len;
    return INPUT_JSON_DONE;
}

/* --- what holds others --- */

static void skip_space(struct json_reader *reader)
{
    while (is_space(*reader->p))
        reader->p++;
}

static enum input_json_end begin_nested(struct json_reader *reader,
                                        enum input_json_kind kind)
{
    if (reader->depth == INPUT_JSON_DEPTH_MAX)
        return refuse(reader, reader->p, "found more than %d brackets in each other",
                      INPUT_JSON_DEPTH_MAX);
    reader->open[reader->depth++] =
        (struct json_open){.value = reader->tree->values.count};
    add(reader, kind);
    reader->p++;
    skip_space(reader);
    return INPUT_JSON_DONE;
}

static uint32_t hash_of(struct str name)
{
    const unsigned char *at = (const unsigned char *)name.ptr;

    return name.len == 0 ? 0
                         : ((uint32_t)name.len * 37 + at[0] * 5U +
                            at[name.len / 2] * 11U + at[name.len - 1] * 3U) %
                               (1 << 29);
}

/* The object at hand has the name already. Few bits are the same by chance. */
static bool is_repeated(struct input_json *object, struct json_open *open,
                        struct str name, uint32_t hash)
{
    uint64_t *word = &open->seen[hash / 64 % SEEN_WORDS], bit = UINT64_C(1) << hash % 64;

    object->names |= bit;
    if (object->len >= MANY)
        return false;
    if ((*word & bit) == 0) {
        *word |= bit;
        return false;
    }
    const struct input_json *at = object + 1;
    for (uint32_t i = 0; i < object->len; i++, at += 1 + at[1].span)
        if (str_eq(input_json_text(at), name))
            return true;
    return false;
}

static int compare_names(const void *left, const void *right)
{
    const struct input_json *a = *(const struct input_json *const *)left,
                            *b = *(const struct input_json *const *)right;
    int order = a->len != b->len ? (a->len > b->len) - (a->len < b->len)
                                 : memcmp(a->text, b->text, a->len);

    return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

static enum input_json_end refuse_repeated(struct json_reader *reader,
                                           const struct input_json *name)
{
    size_t len = name->len < SHOWN_MAX ? name->len : SHOWN_MAX;

    while (len > 0 && len < name->len && (name->text[len] & 0xC0) == 0x80)
        len--; /* not within a character */
    return refuse(reader, name->at, "found a key for the second time: '%.*s'", (int)len,
                  name->text);
}

/* Of an object with many members: whether each has a name of its own. */
static enum input_json_end check_many(struct json_reader *reader,
                                      const struct input_json *object)
{
    struct input_json_tree *tree = reader->tree;

    list_clear(&tree->many);
    INPUT_JSON_EACH_NAME(name, object)
    list_add(&tree->many, name);
    qsort(tree->many.at, tree->many.count, sizeof *tree->many.at, compare_names);
    for (size_t i = 1; i < tree->many.count; i++)
        if (str_eq(input_json_text(tree->many.at[i - 1]),
                   input_json_text(tree->many.at[i])))
            return refuse_repeated(reader, tree->many.at[i]);
    return INPUT_JSON_DONE;
}

static enum input_json_end end_nested(struct json_reader *reader)
{
    size_t first = reader->open[--reader->depth].value;
    struct input_json *value = &reader->tree->values.at[first];

    value->span = (reader->tree->values.count - first) & 0x1FFFFFFF;
    reader->p++;
    return value->kind == INPUT_JSON_OBJECT && value->len > MANY
               ? check_many(reader, value)
               : INPUT_JSON_DONE;
}

/* A name and the colon behind it. */
static enum input_json_end read_name(struct json_reader *reader)
{
    struct json_open *open = &reader->open[reader->depth - 1];
    const char *begin = reader->p;

    if (*begin != '"')
        return expected(reader, "a key");
    enum input_json_end end = read_string(reader);
    if (end != INPUT_JSON_DONE)
        return end;
    struct input_json *values = reader->tree->values.at, *object = &values[open->value];
    struct input_json *last = &values[reader->tree->values.count - 1];
    struct str name = input_json_text(last);
    last->span = hash_of(name) & 0x1FFFFFFF;
    if (is_repeated(object, open, name, last->span))
        return refuse_repeated(reader, last);
    object->len++;
    skip_space(reader);
    if (*reader->p != ':')
        return expected(reader, "':'");
    reader->p++;
    skip_space(reader);
    return INPUT_JSON_DONE;
}

/* A value, or the beginning of one that holds others: then *inside. */
static enum input_json_end read_value(struct json_reader *reader, bool *inside)
{
    *inside = false;
    switch (*reader->p) {
    case '"':
        return read_string(reader);
    case '{':
        *inside = true;
        return begin_nested(reader, INPUT_JSON_OBJECT);
    case '[':
        *inside = true;
        return begin_nested(reader, INPUT_JSON_ARRAY);
    case 't':
        return read_word(reader, INPUT_JSON_TRUE, "true");
    case 'f':
        return read_word(reader, INPUT_JSON_FALSE, "false");
    case 'n':
        return read_word(reader, INPUT_JSON_NULL, "null");
    default:
        return *reader->p == '-' || is_digit(*reader->p) ? read_number(reader)
                                                         : expected(reader, "a value");
    }
}

static enum input_json_end read_tree(struct json_reader *reader)
{
    enum input_json_end end;
    bool inside;

    for (;;) {
        end = read_value(reader, &inside);
        for (bool fresh = inside; end == INPUT_JSON_DONE && reader->depth > 0;
             fresh = false) {
            struct input_json *open =
                &reader->tree->values.at[reader->open[reader->depth - 1].value];
            bool object = open->kind == INPUT_JSON_OBJECT;
            if (!fresh)
                skip_space(reader);
            if (*reader->p == (object ? '}' : ']')) {
                end = end_nested(reader);
                continue;
            }
            if (!fresh && *reader->p != ',')
                return expected(reader, object ? "',' or '}'" : "',' or ']'");
            if (!fresh) {
                reader->p++;
                skip_space(reader);
            }
            open->len += !object;
            if (object)
                end = read_name(reader);
            break;
        }
        if (end != INPUT_JSON_DONE || reader->depth == 0)
            return end;
    }
}

enum input_json_end input_json_read(struct input_json_tree *tree, const char **at,
                                    const char *end)
{
    struct json_reader reader = {.tree = tree, .p = *at, .end = end};

    tree->wrong = NULL;
    tree->values.count = 0;
    buf_clear(&tree->undone);
    buf_reserve(&tree->undone, (size_t)(end - *at) + 1);
    enum input_json_end got = read_tree(&reader);
    *at = reader.p;
    return got;
}

const struct input_json *input_json_parse(struct input_json_tree *tree, struct str text)
{
    buf_clear(&tree->copy);
    buf_add(&tree->copy, text);
    buf_add_char(&tree->copy, ' '); /* a number ends */
    memset(buf_reserve(&tree->copy, INPUT_JSON_PADDING), 0, INPUT_JSON_PADDING);
    const char *at = tree->copy.ptr, *end = at + tree->copy.len;
    while (is_space(*at))
        at++;
    if (input_json_read(tree, &at, end) != INPUT_JSON_DONE)
        return NULL;
    while (is_space(*at))
        at++;
    return at == end ? tree->values.at : NULL;
}

const struct input_json *input_json_root(const struct input_json_tree *tree)
{
    return tree->values.at;
}

void input_json_free(struct input_json_tree *tree)
{
    list_free(&tree->values);
    list_free(&tree->many);
    buf_free(&tree->undone);
    buf_free(&tree->copy);
    *tree = (struct input_json_tree){0};
}

/* --- values --- */

const char *input_json_called(const struct input_json *value)
{
    static const char *const names[] = {
        [INPUT_JSON_NULL] = "null",      [INPUT_JSON_FALSE] = "false",
        [INPUT_JSON_TRUE] = "true",      [INPUT_JSON_INTEGER] = "a number",
        [INPUT_JSON_REAL] = "a number",  [INPUT_JSON_STRING] = "a string",
        [INPUT_JSON_ARRAY] = "an array", [INPUT_JSON_OBJECT] = "an object",
    };

    return value != NULL ? names[value->kind] : "nothing";
}

int64_t input_json_integer(const struct input_json *value)
{
    int64_t number = 0;

    if (input_json_is(value, INPUT_JSON_INTEGER))
        (void)str_to_int((struct str){value->text, value->len}, &number);
    return number;
}

double input_json_number(const struct input_json *value)
{
    if (input_json_is(value, INPUT_JSON_INTEGER))
        return (double)input_json_integer(value);
    return input_json_is(value, INPUT_JSON_REAL) ? strtod(value->text, NULL) : 0;
}

const struct input_json *input_json_member(const struct input_json *object,
                                           struct str name)
{
    uint32_t hash = hash_of(name);

    if (!input_json_is(object, INPUT_JSON_OBJECT) ||
        (object->names & UINT64_C(1) << hash % 64) == 0)
        return NULL;
    INPUT_JSON_EACH_NAME(at, object)
    if (at->span == hash && str_eq(input_json_text(at), name))
        return at + 1;
    return NULL;
}
