/* Rows are read by the loop in walk.h; here is what stands around them, and every way to
 * go wrong. A '<' never stands in a value, so it always begins markup, and "<row" begins
 * a row wherever it is not in a comment: that is what lets a walk start in the middle. */
#include "dump/rows.h"

#include <stdio.h>
#include <string.h>

#include "dump/internal.h"
#include "dump/value.h"

/* Patterns: the attributes, then the two usual ends of a tag. */
enum {
    PATTERN_START = ROWS_ATTRIBUTES, /* as a predecessor: the tag's name */
    PATTERN_END = ROWS_ATTRIBUTES,   /* as a successor: " />" */
    PATTERN_END_TIGHT,               /* "/>" */
    PATTERNS,
    PATTERN_BYTES = 24,
};

#define NOINLINE __attribute__((noinline)) /* so that the loop keeps its registers */

_Static_assert(ROWS_ATTRIBUTES <= 64, "one bit each");

static const char pattern[PATTERNS][PATTERN_BYTES + 1] = {
#define PATTERN_TEXT(constant, name) " " #name "=\"",
    ROWS_ATTRIBUTE_LIST(PATTERN_TEXT)
#undef PATTERN_TEXT
        " />",
    "/>",
};

static const uint8_t pattern_len[PATTERNS] = {
#define PATTERN_LEN(constant, name) sizeof " " #name "=\"" - 1,
    ROWS_ATTRIBUTE_LIST(PATTERN_LEN)
#undef PATTERN_LEN
        3,
    2,
};

struct str rows_attribute_name(enum rows_attribute attribute)
{
    return (struct str){pattern[attribute] + 1, pattern_len[attribute] - 3U};
}

/* With these multipliers no two names fall together; more names may, and then stand one
 * behind the other. */
static uint8_t name_hash(struct str name)
{
    unsigned first = (unsigned char)name.ptr[0],
             last = (unsigned char)name.ptr[name.len - 1];
    unsigned middle = (unsigned char)name.ptr[name.len / 2];

    return (uint8_t)(first * 206 + middle * 64 + (unsigned)name.len * 252 + last * 109);
}

/* How long a value mostly is, where that can be told. */
static uint32_t usual_len(enum rows_attribute attribute)
{
    return str_ends(rows_attribute_name(attribute), STR("Date"))
               ? sizeof "2014-01-01T01:09:04.571" - 1
               : 1;
}

static void make_ready(struct rows *rows)
{
    for (size_t a = 0; a < ROWS_ATTRIBUTES; a++) {
        uint8_t hash = name_hash(rows_attribute_name((enum rows_attribute)a));
        while (rows->by_hash[hash] != 0)
            hash++;
        rows->by_hash[hash] = (uint8_t)(a + 1);
    }
    rows->avx2 = !rows->portable && stops_have_avx2();
    for (size_t k = 0; k < PATTERNS; k++) {
        memcpy(rows->patterns[k].text, pattern[k], PATTERN_BYTES);
        memset(rows->patterns[k].mask, 0xFF, pattern_len[k]);
        rows->patterns[k].len = pattern_len[k];
        rows->patterns[k].usual =
            k < ROWS_ATTRIBUTES ? usual_len((enum rows_attribute)k) : 0;
    }
    rows->problem.offset = rows->root_end = -1;
    rows->ready = true;
}

static size_t find_name(const struct rows *rows, struct str name)
{
    for (uint8_t hash = name_hash(name); rows->by_hash[hash] != 0; hash++) {
        size_t a = rows->by_hash[hash] - 1U;
        if (name.len + 3U == pattern_len[a] &&
            memcmp(name.ptr, pattern[a] + 1, name.len) == 0)
            return a;
    }
    return ROWS_ATTRIBUTES;
}

static enum step refuse_twice(struct cursor *cursor, const char *at)
{
    cursor->at = at;
    cursor->expected = "each attribute once in a row";
    return STEP_WRONG;
}

static enum step add_unknown(struct rows *rows, struct rows_row *row,
                             struct cursor *cursor, struct rows_pair pair)
{
    const struct rows_pair *list =
        (const struct rows_pair *)(const void *)rows->unknown.ptr;

    for (size_t i = 0; i < row->unknown_count; i++)
        if (str_eq(list[i].name, pair.name))
            return refuse_twice(cursor, pair.name.ptr);
    buf_add(&rows->unknown, (struct str){(const char *)&pair, sizeof pair});
    row->unknown_count++;
    return STEP_DONE;
}

enum other {
    OTHER_KNOWN, /* a known attribute: the cursor stands behind its opening '"' */
    OTHER_TAKEN, /* some attribute, entered into the row */
    OTHER_CLOSE, /* behind '>' */
    OTHER_END,   /* behind "/>" */
};

/* When the guess was wrong: reads what is really there. */
static NOINLINE enum step other(struct rows *rows, struct rows_row *row,
                                struct cursor *cursor, enum other *found,
                                size_t *attribute)
{
    const char *begin = cursor->at;
    enum markup_next next;
    struct rows_pair pair;
    char quote;
    enum step step = markup_next(cursor, &next, &pair.name, &quote);

    if (step != STEP_DONE)
        return step;
    if (next != MARKUP_ATTRIBUTE) {
        *found = next == MARKUP_CLOSE ? OTHER_CLOSE : OTHER_END;
        *attribute = *begin == ' ' ? PATTERN_END : PATTERN_END_TIGHT;
        return STEP_DONE;
    }
    size_t a = find_name(rows, pair.name);
    if (a < ROWS_ATTRIBUTES && quote == '"') {
        *found = OTHER_KNOWN;
        *attribute = a;
        return STEP_DONE;
    }
    *found = OTHER_TAKEN;
    step = markup_value(cursor, quote, &pair.value);
    if (step != STEP_DONE)
        return step;
    if (a == ROWS_ATTRIBUTES)
        return add_unknown(rows, row, cursor, pair);
    if (row->present >> a & 1)
        return refuse_twice(cursor, pair.name.ptr);
    row->present |= UINT64_C(1) << a;
    row->raw[a] = pair.value;
    return STEP_DONE;
}

/* The value of attribute a, which begins at value, is not the first one, or holds '<'. */
static enum step refuse_value(struct cursor *cursor, size_t a, bool twice,
                              const char *value, const char *stop)
{
    if (twice)
        return refuse_twice(cursor, value - (pattern_len[a] - 1));
    cursor->at = stop;
    cursor->expected = "a closing quote before '<'";
    return STEP_WRONG;
}

static inline uint64_t load(const char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof word);
    return word;
}

/* Whether the pattern stands at p; reads PATTERN_BYTES there. */
static inline bool matches(const struct rows_pattern *want, const char *p)
{
    return (((load(p) ^ want->text[0]) & want->mask[0]) |
            ((load(p + 8) ^ want->text[1]) & want->mask[1]) |
            ((load(p + 16) ^ want->text[2]) & want->mask[2])) == 0;
}

/* The attribute whose pattern stands from p up to the quote, or ROWS_ATTRIBUTES. */
static size_t look_up(const struct rows *rows, const char *p, const char *quote)
{
    struct str name = {p + 1, (size_t)(quote - p) - 2};

    if (quote - p < 3 || quote - p >= PATTERN_BYTES)
        return ROWS_ATTRIBUTES;
    size_t k = rows->by_hash[name_hash(name)];
    return k > 0 && matches(&rows->patterns[k - 1], p) ? k - 1 : ROWS_ATTRIBUTES;
}

#define WALK read_tag_portable
#define WALK_TARGET
#define WALK_NEXT(p, end, usual) stops_find_portable(p, end)
#define WALK_FAR                 stops_find_portable
#include "dump/walk.h"

#ifdef STOPS_AVX2
#define WALK        read_tag_avx2
#define WALK_TARGET STOPS_AVX2
#define WALK_NEXT   stops_next_avx2
#define WALK_FAR    stops_find_avx2
#include "dump/walk.h"
#else
#define read_tag_avx2 read_tag_portable
#endif

/* From behind "<row" to behind the '>' that ends the tag. */
static enum step read_tag(struct rows *rows, struct rows_row *row, struct cursor *cursor,
                          bool *empty)
{
    return rows->avx2 ? read_tag_avx2(rows, row, cursor, empty)
                      : read_tag_portable(rows, row, cursor, empty);
}

void rows_show(struct str bytes, char *out, size_t size)
{
    size_t len = 0;
    unsigned char first = bytes.len > 0 ? (unsigned char)bytes.ptr[0] : 0;

    if (bytes.len == 0) {
        snprintf(out, size, "the end of the file");
        return;
    }
    if (first < 0x20 || first >= 0x7F) {
        snprintf(out, size, first == '\n' ? "a line's end" : "byte 0x%02X", first);
        return;
    }
    while (len < bytes.len && len < 30 && bytes.ptr[len] >= 0x20 && bytes.ptr[len] < 0x7F)
        len++;
    snprintf(out, size, "'%.*s%s'", (int)len, bytes.ptr, len < 30 ? "" : "...");
}

/* Notes what is wrong at p and decides how it goes on: `from` is where the construct that
 * is wrong begins. */
static void note(struct rows *rows, const char *from, const char *p, const char *expected)
{
    if (rows->broken == 0 || !rows->skip_broken) {
        rows->problem.offset = rows->offset + (p - rows->begin);
        rows_show((struct str){p, (size_t)(rows->end - p)}, rows->problem.found,
                  sizeof rows->problem.found);
        snprintf(rows->problem.expected, sizeof rows->problem.expected, "%s", expected);
    }
    rows->at = from;
    if (!rows->skip_broken) {
        rows->failed = true;
        return;
    }
    rows->broken++;
    rows->skipping = true;
    if (rows->at < rows->end)
        rows->at++; /* the search for the next row begins behind this one's '<' */
}

void rows_reject(struct rows *rows, const struct rows_row *row, struct str value,
                 const char *expected)
{
    const char *resume = rows->at;

    note(rows, row->bytes.ptr, value.ptr, expected);
    rows->count--;
    rows->at = resume; /* the row itself was whole */
    rows->skipping = false;
}

static bool ends_name(char c)
{
    return byte_is_space(c) || c == '/' || c == '>';
}

const char *rows_find(struct str bytes)
{
    const char *p = bytes.ptr, *end = bytes.ptr + bytes.len;

    while (end - p >= 5 && (p = memchr(p, '<', (size_t)(end - p) - 4)) != NULL) {
        if (memcmp(p, "<row", 4) == 0 && ends_name(p[4]))
            return p;
        p++;
    }
    return NULL;
}

/* Leaves a broken row behind. False when its end is not in this block. */
static bool skip(struct rows *rows)
{
    size_t left = (size_t)(rows->end - rows->at);
    const char *row = rows_find((struct str){rows->at, left});

    if (row != NULL) {
        rows->at = row;
        rows->skipping = false;
        rows->where = ROWS_CONTENT;
        return true;
    }
    if (rows->last) {
        rows->at = rows->end;
        return false;
    }
    /* The last four bytes may begin a "<row". */
    if (left > 4)
        rows->at = rows->end - 4;
    rows->incomplete = rows->at < rows->end;
    return false;
}

/* What <row ...> without '/' holds, up to and with </row>: blanks and comments. */
static enum step close_row(struct cursor *cursor)
{
    for (;;) {
        enum step step;
        while (cursor->at < cursor->end && byte_is_space(*cursor->at))
            cursor->at++;
        if (cursor->at == cursor->end)
            return STEP_CUT;
        if ((step = markup_starts(cursor, STR("<!--"))) == STEP_DONE)
            step = markup_comment(cursor);
        else if (step == STEP_WRONG &&
                 (step = markup_starts(cursor, STR("<?"))) == STEP_DONE)
            step = markup_instruction(cursor);
        else if (step == STEP_WRONG)
            break;
        if (step != STEP_DONE)
            return step;
    }
    enum step step = markup_starts(cursor, STR("</row"));
    if (step == STEP_CUT)
        return step;
    if (step == STEP_WRONG) {
        cursor->expected = "'</row>': a row that has attributes, not elements or text";
        return step;
    }
    const char *p = cursor->at + STR("</row").len;
    while (p < cursor->end && byte_is_space(*p))
        p++;
    if (p == cursor->end)
        return STEP_CUT;
    cursor->at = p;
    cursor->expected = "'</row>'";
    if (*p != '>')
        return STEP_WRONG;
    cursor->at++;
    return STEP_DONE;
}

/* Nobody will decode the root's attributes, so they are checked at once. */
static enum step check_value(struct str raw, struct buf *scratch, struct cursor *cursor)
{
    struct value_fault fault;

    if (value_decode(raw, scratch, &fault) == 0)
        return STEP_DONE;
    cursor->at = fault.at.ptr;
    cursor->expected = fault.expected;
    return STEP_WRONG;
}

static enum step check_values(const struct rows *rows, const struct rows_row *attributes,
                              struct cursor *cursor)
{
    const struct rows_pair *unknown = (const void *)rows->unknown.ptr;
    struct buf scratch = {0};
    enum step step = STEP_DONE;

    for (size_t i = 0; i < attributes->unknown_count && step == STEP_DONE; i++)
        step = check_value(unknown[i].value, &scratch, cursor);
    for (size_t a = 0; a < ROWS_ATTRIBUTES && step == STEP_DONE; a++)
        if (rows_has(attributes, (enum rows_attribute)a))
            step = check_value(attributes->raw[a], &scratch, cursor);
    buf_free(&scratch);
    return step;
}

/* The root's start tag. */
static enum step open_root(struct rows *rows, struct cursor *cursor)
{
    struct rows_row attributes;
    struct str name;
    bool empty;
    const char *begin = cursor->at++;
    enum step step = markup_name(cursor, &name);

    if (step == STEP_WRONG)
        cursor->expected = "a root element such as <posts>";
    if (step != STEP_DONE)
        return step;
    if (str_eq(name, STR("row")) || name.len > ROWS_ROOT_MAX) {
        cursor->at = begin;
        cursor->expected = "a root element such as <posts> around the rows";
        return STEP_WRONG;
    }
    step = read_tag(rows, &attributes, cursor, &empty);
    if (step == STEP_DONE)
        step = check_values(rows, &attributes, cursor);
    if (step != STEP_DONE)
        return step;
    memcpy(rows->root, name.ptr, name.len);
    rows->root_len = name.len;
    rows->where = empty ? ROWS_AFTER : ROWS_CONTENT;
    return STEP_DONE;
}

static enum step close_root(struct rows *rows, struct cursor *cursor)
{
    struct str name, root = {rows->root, rows->root_len};
    const char *begin = cursor->at;

    cursor->at += 2; /* "</" */
    enum step step = markup_name(cursor, &name);
    if (step == STEP_CUT)
        return step;
    if (step == STEP_WRONG || name.len > ROWS_ROOT_MAX ||
        (root.len > 0 && !str_eq(name, root))) {
        cursor->at = begin;
        cursor->expected = "<row or the root element's end";
        return STEP_WRONG;
    }
    while (cursor->at < cursor->end && byte_is_space(*cursor->at))
        cursor->at++;
    if (cursor->at == cursor->end)
        return STEP_CUT;
    cursor->expected = "'>'";
    if (*cursor->at != '>')
        return STEP_WRONG;
    cursor->at++;
    memcpy(rows->root, name.ptr, name.len);
    rows->root_len = name.len;
    rows->root_end = rows->offset + (begin - rows->begin);
    rows->where = ROWS_AFTER;
    return STEP_DONE;
}

static const char *const expected_at[] = {
    [ROWS_PROLOG] = "<?xml or a root element such as <posts>, in UTF-8",
    [ROWS_CONTENT] = "<row or the root element's end",
    [ROWS_AFTER] = "nothing behind the root element",
};

/* The document's first bytes: a byte-order mark, the declaration. */
static enum step first_bytes(struct cursor *cursor)
{
    enum step step = markup_starts(cursor, STR("\xEF\xBB\xBF"));

    if (step == STEP_CUT)
        return step;
    if (step == STEP_DONE)
        cursor->at += 3;
    step = markup_starts(cursor, STR("<?xml"));
    if (step == STEP_CUT)
        return step;
    if (step == STEP_DONE) {
        if (cursor->end - cursor->at == 5)
            return STEP_CUT;
        if (byte_is_space(cursor->at[5]))
            return markup_declaration(cursor);
    }
    return STEP_DONE;
}

/* Markup other than a row; the cursor stands at its '<' or at what should be one. */
static enum step other_markup(struct rows *rows, struct cursor *cursor)
{
    enum step step = markup_starts(cursor, STR("<!--"));

    if (step == STEP_DONE)
        return markup_comment(cursor);
    if (step == STEP_CUT)
        return step;
    if ((step = markup_starts(cursor, STR("<?"))) == STEP_DONE)
        return markup_instruction(cursor);
    cursor->expected = expected_at[rows->where];
    if (*cursor->at != '<' || cursor->at[1] == '!')
        return STEP_WRONG;
    if (rows->where == ROWS_PROLOG && cursor->at[1] != '/')
        return open_root(rows, cursor);
    if (rows->where == ROWS_CONTENT && cursor->at[1] == '/')
        return close_root(rows, cursor);
    return STEP_WRONG;
}

/* The block ends inside what begins at p. */
static void cut(struct rows *rows, const char *p)
{
    char expected[sizeof rows->problem.expected];

    rows->at = p;
    if (!rows->last) {
        rows->incomplete = true;
        return;
    }
    snprintf(expected, sizeof expected, "the rest of what begins at byte %lld",
             (long long)(rows->offset + (p - rows->begin)));
    note(rows, p, rows->end, expected);
    rows->at = rows->failed ? p : rows->end;
}

/* All of the block is dealt with. */
static void end_block(struct rows *rows)
{
    rows->at = rows->end;
    if (!rows->last || rows->where == ROWS_AFTER || rows->skipping)
        return;
    note(rows, rows->end, rows->end,
         rows->where == ROWS_PROLOG ? expected_at[ROWS_PROLOG]
                                    : "<row or the root element's end: the file is cut");
}

static enum step read_row(struct rows *rows, struct rows_row *row, struct cursor *cursor)
{
    const char *begin = cursor->at;
    bool empty;

    cursor->at += STR("<row").len;
    enum step step = read_tag(rows, row, cursor, &empty);
    if (step == STEP_DONE && !empty)
        step = close_row(cursor);
    if (step != STEP_DONE)
        return step;
    row->unknown = (const struct rows_pair *)(const void *)rows->unknown.ptr;
    row->bytes = (struct str){begin, (size_t)(cursor->at - begin)};
    row->offset = rows->offset + (begin - rows->begin);
    return STEP_DONE;
}

void rows_restart(struct rows *rows, enum rows_where where)
{
    if (!rows->ready)
        make_ready(rows);
    rows->where = where;
    rows->count = rows->broken = 0;
    rows->failed = rows->skipping = false;
    rows->problem.offset = rows->root_end = -1;
    rows->root_len = 0;
}

void rows_block(struct rows *rows, struct str block, int64_t offset, bool last)
{
    if (!rows->ready)
        make_ready(rows);
    rows->begin = rows->at = block.ptr;
    rows->end = block.ptr + block.len;
    rows->offset = offset;
    rows->last = last;
    rows->incomplete = false;
}

/* One step from rows->at: over markup, or, and then *is_row, over a row. */
static enum step advance(struct rows *rows, struct rows_row *row, struct cursor *cursor,
                         bool *is_row)
{
    if (rows->where == ROWS_CONTENT) {
        if (cursor->end - cursor->at > 4) {
            *is_row = memcmp(cursor->at, "<row", 4) == 0 && ends_name(cursor->at[4]);
            if (*is_row)
                return read_row(rows, row, cursor);
        } else if (memcmp(cursor->at, "<row", (size_t)(cursor->end - cursor->at)) == 0) {
            return STEP_CUT;
        }
    }
    if (rows->where == ROWS_PROLOG && rows->offset == 0 && cursor->at == rows->begin) {
        enum step step = first_bytes(cursor);
        if (step != STEP_DONE || cursor->at > rows->begin)
            return step;
    }
    return other_markup(rows, cursor);
}

/* The first byte behind rows->at that is no blank. Between two rows the same few blanks
 * stand as a rule: up to four of them are skipped by one comparison of eight bytes, of
 * which the rest is "<row". */
static inline const char *skip_gap(struct rows *rows)
{
    const char *p = rows->at;

    if (rows->end - p > 8 && rows->gap_len > 0 && load(p) == rows->gap)
        return p + rows->gap_len;
    while (p < rows->end && byte_is_space(*p))
        p++;
    if (p - rows->at <= 4 && rows->end - rows->at > 8 && memcmp(p, "<row", 4) == 0) {
        rows->gap = load(rows->at);
        rows->gap_len = (size_t)(p - rows->at);
    }
    return p;
}

bool rows_next(struct rows *rows, struct rows_row *row)
{
    while (!rows->failed && !rows->incomplete && !(rows->skipping && !skip(rows))) {
        const char *const end = rows->end, *begin = skip_gap(rows);
        bool is_row = false;
        if (begin == end) {
            end_block(rows);
            return false;
        }
        struct cursor cursor = {begin, end, NULL};
        switch (advance(rows, row, &cursor, &is_row)) {
        case STEP_CUT:
            cut(rows, begin);
            return false;
        case STEP_WRONG:
            note(rows, begin, cursor.at, cursor.expected);
            continue;
        case STEP_DONE:
            rows->at = cursor.at;
        }
        if (is_row) {
            rows->count++;
            return true;
        }
    }
    return false;
}

void rows_free(struct rows *rows)
{
    buf_free(&rows->unknown);
    *rows = (struct rows){0};
}
