/* One byte decides what comes next; only strings are long, and of those sixteen or
 * thirty-two bytes are looked at together. The loop over values is in json_walk.h. */
#include "input/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "text/utf8.h"

#ifdef __SSE2__
#include <immintrin.h>
#define WIDE __attribute__((target("avx2,bmi")))
#endif

enum {
    SHOWN_MAX = 40,
    MEMBERS_A_VALUE = sizeof(struct input_json) / sizeof(uint32_t),
    MANY = 64,            /* members: names are compared when all of them are there */
    PATTERN_BYTES = 64,   /* of a name with what is around it: see INPUT_JSON_PADDING */
    LEARNED_MAX = 8192,   /* names of shapes, */
    LEARNED_ROOT = 512,   /* and of these in objects at one place */
    LEARNED_TABLES = 200, /* shapes whose members are found by the address of a name */
    TABLE_BITS = 8,       /* of how many there are, and */
    ASKED_MAX = 160,      /* the most names in it */
};

/* A name that was asked for, and which member it is; -1: there is none. */
struct json_asked {
    const char *name;
    int member;
};

/* What a tree has learned. Objects in one place, which is a member of another shape,
 * begin with the same root, which stands for no name yet. */
struct input_json_learned {
    struct arena arena; /* holds this struct too */
    struct input_json_shape *outermost, *elsewhere;
    int shapes, tables;
};

struct input_json_shape {
    struct input_json_shape *likely; /* the name that came behind it last */
    struct input_json_shape *inner;  /* root of objects in its value */
    uint32_t hash, len;
    /* What stood between the last value and its own, the last time, and where in it the
     * name begins; empty: it was too long. */
    uint32_t pattern_len, name_at;
    char pattern[PATTERN_BYTES];
    uint64_t mask;                         /* a bit for each byte of it */
    uint64_t names;                        /* a bit for the hash of each name */
    struct input_json_shape *first, *next; /* what has come behind it; the next of such */
    struct input_json_shape *before, *root;
    struct input_json_learned *learned;
    struct json_asked *asked; /* 1 << TABLE_BITS; NULL: none yet */
    int asked_count;
    int count; /* names up to this one; of a root: shapes behind it */
    char text[PATTERN_BYTES];
};

/* An object or array whose end has not come. */
struct json_open {
    struct input_json *object;       /* or array; moves with the values of the tree */
    struct input_json_shape *shape;  /* so far */
    struct input_json_shape **inner; /* root of objects that are its items */
    size_t members;                  /* of the tree: its first one */
    bool is_object;
};

struct json_reader {
    const char *p;
    struct input_json *to, *to_last; /* below the latter there is room for two more */
    uint32_t *member, *member_end;   /* behind the last of an open object */
    struct json_open *top;           /* of those that are open */
    struct input_json_tree *tree;
    const char *begin, *end;
    int depth;
    struct json_open open[1 + INPUT_JSON_DEPTH_MAX]; /* the first is not used */
};

/* Of arrays, and of objects whose shape is not known: nothing is like it. */
static struct input_json_shape unknown = {.likely = &unknown};

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline const char *skip_space(const char *p)
{
    while (is_space(*p))
        p++;
    return p;
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

/* Room for so many more values, and one more member. */
static void make_room(struct json_reader *reader, size_t more)
{
    struct input_json_tree *tree = reader->tree;
    struct input_json *before = tree->values.at;

    tree->values.count = (size_t)(reader->to - tree->values.at);
    tree->members.count = (size_t)(reader->member - tree->members.at);
    list_reserve(&tree->values, more);
    list_reserve(&tree->members, 1);
    for (int i = 1; i <= reader->depth; i++)
        reader->open[i].object = tree->values.at + (reader->open[i].object - before);
    reader->to = tree->values.at + tree->values.count;
    reader->to_last = tree->values.at + tree->values.room - 1;
    reader->member = tree->members.at + tree->members.count;
    reader->member_end = tree->members.at + tree->members.room;
}

/* The next value. */
static inline struct input_json *add(struct json_reader *reader,
                                     enum input_json_kind kind)
{
    if (reader->to >= reader->to_last)
        make_room(reader, 2);
    *reader->to = (struct input_json){.at = reader->p, .kind = kind, .span = 1};
    return reader->to++;
}

/* --- strings --- */

/* The next byte that is not plain: a quote, a backslash, below 0x20, above 0x7E. */
static inline const char *skip_plain(const char *p)
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

#ifdef WIDE
WIDE static inline const char *skip_plain_wide(const char *p)
{
    const __m256i quote = _mm256_set1_epi8('"'), slash = _mm256_set1_epi8('\\'),
                  space = _mm256_set1_epi8(0x20);
    for (;; p += 32) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)p);
        __m256i stops = _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi8(bytes, quote),
                                                        _mm256_cmpeq_epi8(bytes, slash)),
                                        _mm256_cmpgt_epi8(space, bytes));
        unsigned mask = (unsigned)_mm256_movemask_epi8(stops);
        if (mask != 0)
            return p + _tzcnt_u32(mask);
    }
}
#endif

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

static uint32_t join_halves(uint32_t high, uint32_t low)
{
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

/* Behind "\u". */
static enum input_json_end check_code(struct json_reader *reader)
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
    }
    return code != 0 ? INPUT_JSON_DONE
                     : refuse(reader, reader->p - 6, "found \\u0000, expected text");
}

/* What a letter behind a backslash means; 0: it is not one of these. */
static const char meant[256] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};

static enum input_json_end check_escape(struct json_reader *reader)
{
    char c = reader->p[1];

    reader->p += 2;
    if (meant[(unsigned char)c] != '\0')
        return INPUT_JSON_DONE;
    if (c == 'u')
        return check_code(reader);
    return refuse(reader, reader->p - 1 < reader->end ? reader->p - 2 : reader->end,
                  "found a backslash, expected one of \"\\/bfnrtu behind it");
}

/* Goes on within a string up to its closing quote; *rough when it has escapes. */
static enum input_json_end check_string(struct json_reader *reader, bool *rough)
{
    uint32_t code;

    for (;; reader->p = skip_plain(reader->p)) {
        unsigned char c = (unsigned char)*reader->p;
        if (c == '"')
            return INPUT_JSON_DONE;
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
        *rough = true;
        enum input_json_end end = check_escape(reader);
        if (end != INPUT_JSON_DONE)
            return end;
    }
}

/* Undone, a string is no longer than it was, so that each has its room at the same
 * distance from the beginning as in the text. */
static void set_rough(const struct json_reader *reader, struct input_json *value)
{
    value->rough = true;
    value->text = reader->tree->undone.ptr + (value->at - reader->begin);
}

/* The string at reader->p; the tree's last value is it. */
static enum input_json_end read_string(struct json_reader *reader)
{
    struct input_json *value = add(reader, INPUT_JSON_STRING);
    const char *begin = reader->p + 1;
    bool rough = false;

    reader->p = skip_plain(begin);
    enum input_json_end end = check_string(reader, &rough);
    value->text = begin;
    value->len = (uint32_t)(reader->p++ - begin);
    if (end == INPUT_JSON_DONE && rough)
        set_rough(reader, value);
    return end;
}

/* Nothing is wrong with it: that has been checked. */
struct str input_json_undo(const struct input_json *value)
{
    struct input_json *own = (struct input_json *)value; /* as the tree made it */
    const char *p = value->at + 1, *end = p + value->len;
    char *begin = (char *)value->text, *out = begin;

    while (p < end) {
        const char *slash = memchr(p, '\\', (size_t)(end - p));
        size_t run = (size_t)((slash != NULL ? slash : end) - p);
        uint32_t code, low;
        memcpy(out, p, run);
        out += run;
        p += run;
        if (slash == NULL)
            break;
        p += 2;
        if (p[-1] != 'u') {
            *out++ = meant[(unsigned char)p[-1]];
            continue;
        }
        (void)read_hex(p, &code);
        p += 4;
        if (code >= 0xD800 && code < 0xDC00) {
            (void)read_low(p, &low);
            code = join_halves(code, low);
            p += 6;
        }
        out += text_utf8_write(code, out);
    }
    own->len = (uint32_t)(out - begin);
    own->rough = false;
    return (struct str){begin, own->len};
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

/* One of the three words that are values. */
static enum input_json_end read_word(struct json_reader *reader)
{
    static const struct {
        const char *word;
        uint8_t len, kind;
    } words[] = {{"null", 4, INPUT_JSON_NULL},
                 {"true", 4, INPUT_JSON_TRUE},
                 {"false", 5, INPUT_JSON_FALSE}};
    size_t w = *reader->p == 'n' ? 0 : *reader->p == 't' ? 1 : 2, same = 0;

    if (memcmp(reader->p, words[w].word, words[w].len) != 0) {
        while (reader->p[same] == words[w].word[same])
            same++;
        return reader->p + same >= reader->end ? INPUT_JSON_CUT
                                               : expected(reader, "a value");
    }
    add(reader, words[w].kind);
    reader->p += words[w].len;
    return INPUT_JSON_DONE;
}

static enum input_json_end read_scalar(struct json_reader *reader)
{
    const char *p = reader->p;

    if (is_digit(*p)) { /* mostly it is a short whole number */
        do
            p++;
        while (is_digit(*p));
        if (p - reader->p <= 18 && (*reader->p != '0' || p - reader->p == 1) &&
            (*p == ',' || *p == '}' || *p == ']')) {
            struct input_json *value = add(reader, INPUT_JSON_INTEGER);
            value->text = reader->p;
            value->len = (uint32_t)(p - reader->p);
            reader->p = p;
            return INPUT_JSON_DONE;
        }
        return read_number(reader);
    }
    return *p == 'n' || *p == 't' || *p == 'f' ? read_word(reader)
           : *p == '-'                         ? read_number(reader)
                                               : expected(reader, "a value");
}

/* --- shapes --- */

static uint32_t hash_of(struct str name)
{
    const unsigned char *at = (const unsigned char *)name.ptr;

    return name.len == 0 ? 0
                         : ((uint32_t)name.len * 37 + at[0] * 5U +
                            at[name.len / 2] * 11U + at[name.len - 1] * 3U) %
                               (1 << 28);
}

static struct input_json_shape *add_shape(struct input_json_learned *learned)
{
    struct input_json_shape *shape =
        arena_array(&learned->arena, struct input_json_shape, 1);

    learned->shapes++;
    shape->learned = learned;
    shape->likely = &unknown;
    return shape;
}

/* The root that stands there, made if need be. */
static struct input_json_shape *root_at(struct json_reader *reader,
                                        struct input_json_shape **place)
{
    struct input_json_learned *learned = reader->tree->learned;

    if (*place == NULL && learned->shapes < LEARNED_MAX) {
        *place = add_shape(learned);
        (*place)->root = *place;
    }
    return *place != NULL ? *place : &unknown;
}

static bool is_named(const struct input_json_shape *shape, struct str name)
{
    return shape->len == name.len && memcmp(shape->text, name.ptr, name.len) == 0;
}

/* The shape with one name more, which has no escapes; NULL: it is not to be learned, or
 * the name has come before. */
static struct input_json_shape *learn(struct input_json_shape *shape, struct str name,
                                      uint32_t hash)
{
    struct input_json_learned *learned = shape->learned;
    int before = shape == shape->root ? 0 : shape->count;

    for (struct input_json_shape *at = shape->first; at != NULL; at = at->next)
        if (is_named(at, name))
            return at;
    if (name.len > PATTERN_BYTES || learned->shapes >= LEARNED_MAX ||
        shape->root->count >= LEARNED_ROOT || before >= MANY)
        return NULL;
    for (const struct input_json_shape *at = shape; at != shape->root; at = at->before)
        if (is_named(at, name))
            return NULL;
    struct input_json_shape *longer = add_shape(learned);
    longer->before = shape;
    longer->root = shape->root;
    longer->next = shape->first;
    shape->first = longer;
    longer->count = before + 1;
    longer->root->count++;
    longer->names = shape->names | UINT64_C(1) << hash % 64;
    longer->hash = hash;
    longer->len = (uint32_t)name.len;
    memcpy(longer->text, name.ptr, name.len);
    return longer;
}

/* The bytes from `begin`, where the last value ended, to `end`, where that of the shape's
 * last name begins, are expected to be the same the next time. */
static void set_pattern(struct input_json_shape *shape, const char *begin,
                        const char *name, const char *end)
{
    size_t len = end - begin <= PATTERN_BYTES ? (size_t)(end - begin) : 0;

    memset(shape->pattern, 0, sizeof shape->pattern);
    memcpy(shape->pattern, begin, len);
    shape->mask = len == PATTERN_BYTES ? UINT64_MAX : (UINT64_C(1) << len) - 1;
    shape->pattern_len = (uint32_t)len;
    shape->name_at = (uint32_t)(name - begin);
}

static inline bool matches(const struct input_json_shape *shape, const char *p)
{
    return shape->pattern_len > 0 && memcmp(p, shape->pattern, shape->pattern_len) == 0;
}

#ifdef WIDE
/* A bit for each of 32 bytes that differs. */
WIDE static inline uint32_t differing(const char *a, const char *b)
{
    __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)a);
    __m256i y = _mm256_loadu_si256((const __m256i *)(const void *)b);

    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, y));
}

WIDE static inline bool matches_wide(const struct input_json_shape *shape, const char *p)
{
    if ((differing(p, shape->pattern) & (uint32_t)shape->mask) != 0)
        return false;
    if (shape->pattern_len <= 32)
        return shape->pattern_len > 0;
    return (differing(p + 32, shape->pattern + 32) & (uint32_t)(shape->mask >> 32)) == 0;
}
#endif

/* --- what holds others --- */

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

/* Whether the object's last name has come before. */
static bool is_repeated(const struct json_reader *reader, const struct input_json *last)
{
    const uint32_t *first = reader->tree->members.at + reader->top->members;

    if (reader->member - first >= MANY)
        return false;
    for (const uint32_t *member = first; member < reader->member; member++) {
        const struct input_json *name = reader->top->object + *member;
        if (name->span == last->span &&
            str_eq(input_json_text(name), input_json_text(last)))
            return true;
    }
    return false;
}

static enum input_json_end read_name(struct json_reader *reader)
{
    struct json_open *open = reader->top;

    if (*reader->p != '"')
        return expected(reader, "a key");
    enum input_json_end end = read_string(reader);
    if (end != INPUT_JSON_DONE)
        return end;
    struct input_json *last = reader->to - 1;
    bool plain = !last->rough;
    struct str name = input_json_text(last);
    last->span = hash_of(name) & 0xFFFFFFF;
    struct input_json_shape *longer =
        open->shape != &unknown && plain ? learn(open->shape, name, last->span) : NULL;
    if (longer == NULL && is_repeated(reader, last))
        return refuse_repeated(reader, last);
    if (longer != NULL)
        open->shape->likely = longer;
    open->shape = longer != NULL ? longer : &unknown;
    if (reader->member == reader->member_end)
        make_room(reader, 2);
    *reader->member++ = (uint32_t)(reader->to - 1 - open->object);
    return INPUT_JSON_DONE;
}

/* A name and the colon behind it, where they are not as expected. `begin` is where the
 * last value ended. */
static enum input_json_end read_member(struct json_reader *reader, const char *begin)
{
    const char *name = reader->p + 1;
    enum input_json_end end = read_name(reader);

    if (end != INPUT_JSON_DONE)
        return end;
    reader->p = skip_space(reader->p);
    if (*reader->p != ':')
        return expected(reader, "':'");
    reader->p = skip_space(reader->p + 1);
    if (reader->top->shape != &unknown)
        set_pattern(reader->top->shape, begin, name, reader->p);
    return INPUT_JSON_DONE;
}

/* An object or array whose bracket stands here, and which is the last value so far. */
static enum input_json_end begin_nested(struct json_reader *reader, bool is_object)
{
    struct json_open *outer = reader->top, *open = outer + 1;
    struct input_json_learned *learned = reader->tree->learned;

    if (reader->depth == INPUT_JSON_DEPTH_MAX)
        return refuse(reader, reader->p, "found more than %d brackets in each other",
                      INPUT_JSON_DEPTH_MAX);
    open->inner = !outer->is_object          ? outer->inner
                  : outer->shape == &unknown ? &learned->elsewhere
                                             : &outer->shape->inner;
    open->object = reader->to - 1;
    open->shape = is_object ? root_at(reader, open->inner) : &unknown;
    open->members = (size_t)(reader->member - reader->tree->members.at);
    open->is_object = is_object;
    reader->top = open;
    reader->depth++;
    return INPUT_JSON_DONE;
}

static enum input_json_end end_nested(struct json_reader *reader)
{
    struct json_open *open = reader->top;

    if (open->is_object) {
        size_t first = open->members;
        size_t count = (size_t)(reader->member - reader->tree->members.at) - first;
        size_t room = (count + MEMBERS_A_VALUE - 1) / MEMBERS_A_VALUE;
        if (reader->to + room >= reader->to_last)
            make_room(reader, room + 2);
        open->object->shape = open->shape;
        open->object->len = (uint32_t)count;
        reader->member -= count;
        if (count > 0)
            memcpy((uint32_t *)(void *)(reader->to + room) - count, reader->member,
                   count * sizeof *reader->member);
        reader->to += room;
    }
    open->object->span = (uint32_t)(reader->to - open->object) & 0xFFFFFFF;
    reader->top--;
    reader->depth--;
    return open->is_object && open->shape == &unknown && open->object->len > MANY
               ? check_many(reader, open->object)
               : INPUT_JSON_DONE;
}

/* Behind a value, or behind a bracket that opens one (`fresh`): brackets that close, and
 * what leads to the next value, if there is one. */
static enum input_json_end read_between(struct json_reader *reader, bool fresh)
{
    for (; reader->depth > 0; fresh = false) {
        struct json_open *open = reader->top;
        const char *begin = reader->p, *p = skip_space(begin);
        reader->p = p;
        if (*p == (open->is_object ? '}' : ']')) {
            reader->p++;
            enum input_json_end end = end_nested(reader);
            if (end != INPUT_JSON_DONE)
                return end;
            continue;
        }
        if (!fresh && *p != ',')
            return expected(reader, open->is_object ? "',' or '}'" : "',' or ']'");
        if (!fresh)
            reader->p = skip_space(p + 1);
        if (open->is_object)
            return read_member(reader, begin);
        open->object->len++;
        break;
    }
    return INPUT_JSON_DONE;
}

#define WALK read_tree
#define WALK_TARGET
#define WALK_PLAIN   skip_plain
#define WALK_MATCHES matches
#include "input/json_walk.h"

#ifdef WIDE
#define WALK         read_tree_wide
#define WALK_TARGET  WIDE
#define WALK_PLAIN   skip_plain_wide
#define WALK_MATCHES matches_wide
#include "input/json_walk.h"

static bool has_wide(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
}
#else
#define read_tree_wide read_tree
static bool has_wide(void)
{
    return false;
}
#endif

enum input_json_end input_json_read(struct input_json_tree *tree, const char **at,
                                    const char *end)
{
    struct json_reader reader; /* of which `open` is filled as it is used */

    reader.p = reader.begin = *at;
    reader.end = end;
    reader.to = tree->values.at;
    reader.member = tree->members.at;
    reader.tree = tree;
    reader.depth = 0;
    reader.top = reader.open;
    if (tree->learned == NULL) {
        struct arena arena = {0};
        tree->learned = arena_array(&arena, struct input_json_learned, 1);
        tree->learned->arena = arena;
    }
    tree->wrong = NULL;
    reader.open[0] =
        (struct json_open){.shape = &unknown, .inner = &tree->learned->outermost};
    make_room(&reader, 2);
    buf_clear(&tree->undone);
    buf_reserve(&tree->undone, (size_t)(end - *at) + 1);
    enum input_json_end got =
        !tree->narrow && has_wide() ? read_tree_wide(&reader) : read_tree(&reader);
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
    list_free(&tree->members);
    list_free(&tree->many);
    buf_free(&tree->undone);
    buf_free(&tree->copy);
    if (tree->learned != NULL) {
        struct arena arena = tree->learned->arena; /* it holds *learned itself */
        arena_free(&arena);
    }
    *tree = (struct input_json_tree){0};
}

/* --- values --- */

static const uint32_t *members_of(const struct input_json *object)
{
    return (const uint32_t *)(const void *)(object + object->span) - object->len;
}

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

/* Which member has the name; -1: none. */
static int find_member(const struct input_json *object, struct str name)
{
    const uint32_t *members = members_of(object);
    uint32_t hash = hash_of(name);

    if (object->shape != &unknown &&
        (object->shape->names & UINT64_C(1) << hash % 64) == 0)
        return -1;
    for (uint32_t i = 0; i < object->len; i++) {
        const struct input_json *at = object + members[i];
        if (at->span == hash && str_eq(input_json_text(at), name))
            return (int)i;
    }
    return -1;
}

static const struct input_json *member_at(const struct input_json *object, int member)
{
    return member < 0 ? NULL : object + members_of(object)[member] + 1;
}

const struct input_json *input_json_member(const struct input_json *object,
                                           struct str name)
{
    return input_json_is(object, INPUT_JSON_OBJECT)
               ? member_at(object, find_member(object, name))
               : NULL;
}

static size_t place_of(const char *name)
{
    return (uintptr_t)name * UINT64_C(0x9E3779B97F4A7C15) >> (64 - TABLE_BITS);
}

/* The same for a name that is asked for the first time, or lies behind another one. */
static const struct input_json *find_fixed(const struct input_json *object,
                                           const char *name)
{
    struct input_json_shape *shape = object->shape;

    if (shape != &unknown && shape->asked == NULL &&
        shape->learned->tables < LEARNED_TABLES) {
        shape->asked =
            arena_array(&shape->learned->arena, struct json_asked, 1 << TABLE_BITS);
        shape->learned->tables++;
    }
    struct json_asked *asked = shape->asked;
    if (asked == NULL)
        return input_json_get(object, name);
    size_t at = place_of(name);
    while (asked[at].name != name && asked[at].name != NULL)
        at = (at + 1) % (1 << TABLE_BITS);
    if (asked[at].name == NULL) {
        int member = find_member(object, (struct str){name, strlen(name)});
        if (shape->asked_count == ASKED_MAX)
            return member_at(object, member);
        shape->asked_count++;
        asked[at] = (struct json_asked){name, member};
    }
    return member_at(object, asked[at].member);
}

const struct input_json *input_json_fixed(const struct input_json *object,
                                          const char *name)
{
    if (!input_json_is(object, INPUT_JSON_OBJECT))
        return NULL;
    const struct json_asked *asked = object->shape->asked;
    if (asked == NULL || asked[place_of(name)].name != name)
        return find_fixed(object, name);
    return member_at(object, asked[place_of(name)].member);
}
