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
    PATTERN_START = DUMP_ROWS_ATTRIBUTES, /* as a predecessor: the tag's name */
    PATTERN_END = DUMP_ROWS_ATTRIBUTES,   /* as a successor: " />" */
    PATTERN_END_TIGHT,                    /* "/>" */
    PATTERNS,
    PATTERN_BYTES = 24,
};

#define NOINLINE __attribute__((noinline)) /* so that the loop keeps its registers */

_Static_assert(DUMP_ROWS_ATTRIBUTES <= 64, "one bit each");

static const char pattern[PATTERNS][PATTERN_BYTES + 1] = {
#define PATTERN_TEXT(constant, name) " " #name "=\"",
    DUMP_ROWS_ATTRIBUTE_LIST(PATTERN_TEXT)
#undef PATTERN_TEXT
        " />",
    "/>",
};

static const uint8_t pattern_len[PATTERNS] = {
#define PATTERN_LEN(constant, name) sizeof " " #name "=\"" - 1,
    DUMP_ROWS_ATTRIBUTE_LIST(PATTERN_LEN)
#undef PATTERN_LEN
        3,
    2,
};

struct str dump_rows_attribute_name(enum dump_rows_attribute attribute)
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
static uint32_t usual_len(enum dump_rows_attribute attribute)
{
    return str_ends(dump_rows_attribute_name(attribute), STR("Date"))
               ? sizeof "2014-01-01T01:09:04.571" - 1
               : 1;
}

static void make_ready(struct dump_rows *rows)
{
    for (size_t a = 0; a < DUMP_ROWS_ATTRIBUTES; a++) {
        uint8_t hash = name_hash(dump_rows_attribute_name((enum dump_rows_attribute)a));
        while (rows->by_hash[hash] != 0)
            hash++;
        rows->by_hash[hash] = (uint8_t)(a + 1);
    }
    rows->avx2 = !rows->portable && dump_stops_have_avx2();
    for (size_t k = 0; k < PATTERNS; k++) {
        memcpy(rows->patterns[k].text, pattern[k], PATTERN_BYTES);
        memset(rows->patterns[k].mask, 0xFF, pattern_len[k]);
        rows->patterns[k].len = pattern_len[k];
        rows->patterns[k].usual =
            k < DUMP_ROWS_ATTRIBUTES ? usual_len((enum dump_rows_attribute)k) : 0;
    }
    rows->problem.offset = rows->root_end = -1;
    rows->ready = true;
}

static size_t find_name(const struct dump_rows *rows, struct str name)
{
    for (uint8_t hash = name_hash(name); rows->by_hash[hash] != 0; hash++) {
        size_t a = rows->by_hash[hash] - 1U;
        if (name.len + 3U == pattern_len[a] &&
            memcmp(name.ptr, pattern[a] + 1, name.len) == 0)
            return a;
    }
    return DUMP_ROWS_ATTRIBUTES;
}

static enum dump_step refuse_twice(struct dump_cursor *cursor, const char *at)
{
    cursor->at = at;
    cursor->expected = "each attribute once in a row";
    return DUMP_STEP_WRONG;
}

static enum dump_step add_unknown(struct dump_rows *rows, struct dump_rows_row *row,
                                  struct dump_cursor *cursor, struct dump_rows_pair pair)
{
    const struct dump_rows_pair *list =
        (const struct dump_rows_pair *)(const void *)rows->unknown.ptr;

    for (size_t i = 0; i < row->unknown_count; i++)
        if (str_eq(list[i].name, pair.name))
            return refuse_twice(cursor, pair.name.ptr);
    buf_add(&rows->unknown, (struct str){(const char *)&pair, sizeof pair});
    row->unknown_count++;
    return DUMP_STEP_DONE;
}

enum other {
    OTHER_KNOWN, /* a known attribute: the cursor stands behind its opening '"' */
    OTHER_TAKEN, /* some attribute, entered into the row */
    OTHER_CLOSE, /* behind '>' */
    OTHER_END,   /* behind "/>" */
};

/* When the guess was wrong: reads what is really there. */
static NOINLINE enum dump_step other(struct dump_rows *rows, struct dump_rows_row *row,
                                     struct dump_cursor *cursor, enum other *found,
                                     size_t *attribute)
{
    const char *begin = cursor->at;
    enum dump_markup_next next;
    struct dump_rows_pair pair;
    char quote;
    enum dump_step step = dump_markup_next(cursor, &next, &pair.name, &quote);

    if (step != DUMP_STEP_DONE)
        return step;
    if (next != DUMP_MARKUP_ATTRIBUTE) {
        *found = next == DUMP_MARKUP_CLOSE ? OTHER_CLOSE : OTHER_END;
        *attribute = *begin == ' ' ? PATTERN_END : PATTERN_END_TIGHT;
        return DUMP_STEP_DONE;
    }
    size_t a = find_name(rows, pair.name);
    if (a < DUMP_ROWS_ATTRIBUTES && quote == '"') {
        *found = OTHER_KNOWN;
        *attribute = a;
        return DUMP_STEP_DONE;
    }
    *found = OTHER_TAKEN;
    step = dump_markup_value(cursor, quote, &pair.value);
    if (step != DUMP_STEP_DONE)
        return step;
    if (a == DUMP_ROWS_ATTRIBUTES)
        return add_unknown(rows, row, cursor, pair);
    if (row->present >> a & 1)
        return refuse_twice(cursor, pair.name.ptr);
    row->present |= UINT64_C(1) << a;
    row->raw[a] = pair.value;
    return DUMP_STEP_DONE;
}

/* The value of attribute a, which begins at value, is not the first one, or holds '<'. */
static enum dump_step refuse_value(struct dump_cursor *cursor, size_t a, bool twice,
                                   const char *value, const char *stop)
{
    if (twice)
        return refuse_twice(cursor, value - (pattern_len[a] - 1));
    cursor->at = stop;
    cursor->expected = "a closing quote before '<'";
    return DUMP_STEP_WRONG;
}

static inline uint64_t load(const char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof word);
    return word;
}

/* Whether the pattern stands at p; reads PATTERN_BYTES there. */
static inline bool matches(const struct dump_rows_pattern *want, const char *p)
{
    return (((load(p) ^ want->text[0]) & want->mask[0]) |
            ((load(p + 8) ^ want->text[1]) & want->mask[1]) |
            ((load(p + 16) ^ want->text[2]) & want->mask[2])) == 0;
}

/* The attribute whose pattern stands from p up to the quote, or DUMP_ROWS_ATTRIBUTES. */
static size_t look_up(const struct dump_rows *rows, const char *p, const char *quote)
{
    struct str name = {p + 1, (size_t)(quote - p) - 2};

    if (quote - p < 3 || quote - p >= PATTERN_BYTES)
        return DUMP_ROWS_ATTRIBUTES;
    size_t k = rows->by_hash[name_hash(name)];
    return k > 0 && matches(&rows->patterns[k - 1], p) ? k - 1 : DUMP_ROWS_ATTRIBUTES;
}

#define WALK read_tag_portable
#define WALK_TARGET
#define WALK_NEXT(p, end, usual) dump_stops_find_portable(p, end)
#define WALK_FAR                 dump_stops_find_portable
#include "dump/walk.h"

#ifdef DUMP_STOPS_AVX2
#define WALK        read_tag_avx2
#define WALK_TARGET DUMP_STOPS_AVX2
#define WALK_NEXT   stops_next_avx2
#define WALK_FAR    dump_stops_find_avx2
#include "dump/walk.h"
#else
#define read_tag_avx2 read_tag_portable
#endif

/* From behind "<row" to behind the '>' that ends the tag. */
static enum dump_step read_tag(struct dump_rows *rows, struct dump_rows_row *row,
                               struct dump_cursor *cursor, bool *empty)
{
    return rows->avx2 ? read_tag_avx2(rows, row, cursor, empty)
                      : read_tag_portable(rows, row, cursor, empty);
}

void dump_rows_show(struct str bytes, char *out, size_t size)
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
static void note(struct dump_rows *rows, const char *from, const char *p,
                 const char *expected)
{
    if (rows->broken == 0 || !rows->skip_broken) {
        rows->problem.offset = rows->offset + (p - rows->begin);
        dump_rows_show((struct str){p, (size_t)(rows->end - p)}, rows->problem.found,
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

void dump_rows_reject(struct dump_rows *rows, const struct dump_rows_row *row,
                      struct str value, const char *expected)
{
    const char *resume = rows->at;

    note(rows, row->bytes.ptr, value.ptr, expected);
    rows->count--;
    rows->at = resume; /* the row itself was whole */
    rows->skipping = false;
}

static bool ends_name(char c)
{
    return dump_byte_is_space(c) || c == '/' || c == '>';
}

const char *dump_rows_find(struct str bytes)
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
static bool skip(struct dump_rows *rows)
{
    size_t left = (size_t)(rows->end - rows->at);
    const char *row = dump_rows_find((struct str){rows->at, left});

    if (row != NULL) {
        rows->at = row;
        rows->skipping = false;
        rows->where = DUMP_ROWS_CONTENT;
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
static enum dump_step close_row(struct dump_cursor *cursor)
{
    for (;;) {
        enum dump_step step;
        while (cursor->at < cursor->end && dump_byte_is_space(*cursor->at))
            cursor->at++;
        if (cursor->at == cursor->end)
            return DUMP_STEP_CUT;
        if ((step = dump_markup_starts(cursor, STR("<!--"))) == DUMP_STEP_DONE)
            step = dump_markup_comment(cursor);
        else if (step == DUMP_STEP_WRONG &&
                 (step = dump_markup_starts(cursor, STR("<?"))) == DUMP_STEP_DONE)
            step = dump_markup_instruction(cursor);
        else if (step == DUMP_STEP_WRONG)
            break;
        if (step != DUMP_STEP_DONE)
            return step;
    }
    enum dump_step step = dump_markup_starts(cursor, STR("</row"));
    if (step == DUMP_STEP_CUT)
        return step;
    if (step == DUMP_STEP_WRONG) {
        cursor->expected = "'</row>': a row that has attributes, not elements or text";
        return step;
    }
    const char *p = cursor->at + STR("</row").len;
    while (p < cursor->end && dump_byte_is_space(*p))
        p++;
    if (p == cursor->end)
        return DUMP_STEP_CUT;
    cursor->at = p;
    cursor->expected = "'</row>'";
    if (*p != '>')
        return DUMP_STEP_WRONG;
    cursor->at++;
    return DUMP_STEP_DONE;
}

/* Nobody will decode the root's attributes, so they are checked at once. */
static enum dump_step check_value(struct str raw, struct buf *scratch,
                                  struct dump_cursor *cursor)
{
    struct dump_value_fault fault;

    if (dump_value_decode(raw, scratch, &fault) == 0)
        return DUMP_STEP_DONE;
    cursor->at = fault.at.ptr;
    cursor->expected = fault.expected;
    return DUMP_STEP_WRONG;
}

static enum dump_step check_values(const struct dump_rows *rows,
                                   const struct dump_rows_row *attributes,
                                   struct dump_cursor *cursor)
{
    const struct dump_rows_pair *unknown = (const void *)rows->unknown.ptr;
    struct buf scratch = {0};
    enum dump_step step = DUMP_STEP_DONE;

    for (size_t i = 0; i < attributes->unknown_count && step == DUMP_STEP_DONE; i++)
        step = check_value(unknown[i].value, &scratch, cursor);
    for (size_t a = 0; a < DUMP_ROWS_ATTRIBUTES && step == DUMP_STEP_DONE; a++)
        if (dump_rows_has(attributes, (enum dump_rows_attribute)a))
            step = check_value(attributes->raw[a], &scratch, cursor);
    buf_free(&scratch);
    return step;
}

/* The root's start tag. */
static enum dump_step open_root(struct dump_rows *rows, struct dump_cursor *cursor)
{
    struct dump_rows_row attributes;
    struct str name;
    bool empty;
    const char *begin = cursor->at++;
    enum dump_step step = dump_markup_name(cursor, &name);

    if (step == DUMP_STEP_WRONG)
        cursor->expected = "a root element such as <posts>";
    if (step != DUMP_STEP_DONE)
        return step;
    if (str_eq(name, STR("row")) || name.len > DUMP_ROWS_ROOT_MAX) {
        cursor->at = begin;
        cursor->expected = "a root element such as <posts> around the rows";
        return DUMP_STEP_WRONG;
    }
    step = read_tag(rows, &attributes, cursor, &empty);
    if (step == DUMP_STEP_DONE)
        step = check_values(rows, &attributes, cursor);
    if (step != DUMP_STEP_DONE)
        return step;
    memcpy(rows->root, name.ptr, name.len);
    rows->root_len = name.len;
    rows->where = empty ? DUMP_ROWS_AFTER : DUMP_ROWS_CONTENT;
    return DUMP_STEP_DONE;
}

static enum dump_step close_root(struct dump_rows *rows, struct dump_cursor *cursor)
{
    struct str name, root = {rows->root, rows->root_len};
    const char *begin = cursor->at;

    cursor->at += 2; /* "</" */
    enum dump_step step = dump_markup_name(cursor, &name);
    if (step == DUMP_STEP_CUT)
        return step;
    if (step == DUMP_STEP_WRONG || name.len > DUMP_ROWS_ROOT_MAX ||
        (root.len > 0 && !str_eq(name, root))) {
        cursor->at = begin;
        cursor->expected = "<row or the root element's end";
        return DUMP_STEP_WRONG;
    }
    while (cursor->at < cursor->end && dump_byte_is_space(*cursor->at))
        cursor->at++;
    if (cursor->at == cursor->end)
        return DUMP_STEP_CUT;
    cursor->expected = "'>'";
    if (*cursor->at != '>')
        return DUMP_STEP_WRONG;
    cursor->at++;
    memcpy(rows->root, name.ptr, name.len);
    rows->root_len = name.len;
    rows->root_end = rows->offset + (begin - rows->begin);
    rows->where = DUMP_ROWS_AFTER;
    return DUMP_STEP_DONE;
}

static const char *const expected_at[] = {
    [DUMP_ROWS_PROLOG] = "<?xml or a root element such as <posts>, in UTF-8",
    [DUMP_ROWS_CONTENT] = "<row or the root element's end",
    [DUMP_ROWS_AFTER] = "nothing behind the root element",
};

/* The document's first bytes: a byte-order mark, the declaration. */
static enum dump_step first_bytes(struct dump_cursor *cursor)
{
    enum dump_step step = dump_markup_starts(cursor, STR("\xEF\xBB\xBF"));

    if (step == DUMP_STEP_CUT)
        return step;
    if (step == DUMP_STEP_DONE)
        cursor->at += 3;
    step = dump_markup_starts(cursor, STR("<?xml"));
    if (step == DUMP_STEP_CUT)
        return step;
    if (step == DUMP_STEP_DONE) {
        if (cursor->end - cursor->at == 5)
            return DUMP_STEP_CUT;
        if (dump_byte_is_space(cursor->at[5]))
            return dump_markup_declaration(cursor);
    }
    return DUMP_STEP_DONE;
}

/* Markup other than a row; the cursor stands at its '<' or at what should be one. */
static enum dump_step other_markup(struct dump_rows *rows, struct dump_cursor *cursor)
{
    enum dump_step step = dump_markup_starts(cursor, STR("<!--"));

    if (step == DUMP_STEP_DONE)
        return dump_markup_comment(cursor);
    if (step == DUMP_STEP_CUT)
        return step;
    if ((step = dump_markup_starts(cursor, STR("<?"))) == DUMP_STEP_DONE)
        return dump_markup_instruction(cursor);
    cursor->expected = expected_at[rows->where];
    if (*cursor->at != '<' || cursor->at[1] == '!')
        return DUMP_STEP_WRONG;
    if (rows->where == DUMP_ROWS_PROLOG && cursor->at[1] != '/')
        return open_root(rows, cursor);
    if (rows->where == DUMP_ROWS_CONTENT && cursor->at[1] == '/')
        return close_root(rows, cursor);
    return DUMP_STEP_WRONG;
}

/* The block ends inside what begins at p. */
static void cut(struct dump_rows *rows, const char *p)
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
static void end_block(struct dump_rows *rows)
{
    rows->at = rows->end;
    if (!rows->last || rows->where == DUMP_ROWS_AFTER || rows->skipping)
        return;
    note(rows, rows->end, rows->end,
         rows->where == DUMP_ROWS_PROLOG
             ? expected_at[DUMP_ROWS_PROLOG]
             : "<row or the root element's end: the file is cut");
}

static enum dump_step read_row(struct dump_rows *rows, struct dump_rows_row *row,
                               struct dump_cursor *cursor)
{
    const char *begin = cursor->at;
    bool empty;

    cursor->at += STR("<row").len;
    enum dump_step step = read_tag(rows, row, cursor, &empty);
    if (step == DUMP_STEP_DONE && !empty)
        step = close_row(cursor);
    if (step != DUMP_STEP_DONE)
        return step;
    row->unknown = (const struct dump_rows_pair *)(const void *)rows->unknown.ptr;
    row->bytes = (struct str){begin, (size_t)(cursor->at - begin)};
    row->offset = rows->offset + (begin - rows->begin);
    return DUMP_STEP_DONE;
}

void dump_rows_restart(struct dump_rows *rows, enum dump_rows_where where)
{
    if (!rows->ready)
        make_ready(rows);
    rows->where = where;
    rows->count = rows->broken = 0;
    rows->failed = rows->skipping = false;
    rows->problem.offset = rows->root_end = -1;
    rows->root_len = 0;
}

void dump_rows_block(struct dump_rows *rows, struct str block, int64_t offset, bool last)
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
static enum dump_step advance(struct dump_rows *rows, struct dump_rows_row *row,
                              struct dump_cursor *cursor, bool *is_row)
{
    if (rows->where == DUMP_ROWS_CONTENT) {
        if (cursor->end - cursor->at > 4) {
            *is_row = memcmp(cursor->at, "<row", 4) == 0 && ends_name(cursor->at[4]);
            if (*is_row)
                return read_row(rows, row, cursor);
        } else if (memcmp(cursor->at, "<row", (size_t)(cursor->end - cursor->at)) == 0) {
            return DUMP_STEP_CUT;
        }
    }
    if (rows->where == DUMP_ROWS_PROLOG && rows->offset == 0 &&
        cursor->at == rows->begin) {
        enum dump_step step = first_bytes(cursor);
        if (step != DUMP_STEP_DONE || cursor->at > rows->begin)
            return step;
    }
    return other_markup(rows, cursor);
}

/* The first byte behind rows->at that is no blank. Between two rows the same few blanks
 * stand as a rule: up to four of them are skipped by one comparison of eight bytes, of
 * which the rest is "<row". */
static inline const char *skip_gap(struct dump_rows *rows)
{
    const char *p = rows->at;

    if (rows->end - p > 8 && rows->gap_len > 0 && load(p) == rows->gap)
        return p + rows->gap_len;
    while (p < rows->end && dump_byte_is_space(*p))
        p++;
    if (p - rows->at <= 4 && rows->end - rows->at > 8 && memcmp(p, "<row", 4) == 0) {
        rows->gap = load(rows->at);
        rows->gap_len = (size_t)(p - rows->at);
    }
    return p;
}

bool dump_rows_next(struct dump_rows *rows, struct dump_rows_row *row)
{
    while (!rows->failed && !rows->incomplete && !(rows->skipping && !skip(rows))) {
        const char *const end = rows->end, *begin = skip_gap(rows);
        bool is_row = false;
        if (begin == end) {
            end_block(rows);
            return false;
        }
        struct dump_cursor cursor = {begin, end, NULL};
        switch (advance(rows, row, &cursor, &is_row)) {
        case DUMP_STEP_CUT:
            cut(rows, begin);
            return false;
        case DUMP_STEP_WRONG:
            note(rows, begin, cursor.at, cursor.expected);
            continue;
        case DUMP_STEP_DONE:
            rows->at = cursor.at;
        }
        if (is_row) {
            rows->count++;
            return true;
        }
    }
    return false;
}

void dump_rows_free(struct dump_rows *rows)
{
    buf_free(&rows->unknown);
    *rows = (struct dump_rows){0};
}
