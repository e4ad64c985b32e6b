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

static void make_ready(struct dump_rows *rows)
{
    for (size_t a = 0; a < DUMP_ROWS_ATTRIBUTES; a++) {
        uint8_t hash = name_hash(dump_rows_attribute_name((enum dump_rows_attribute)a));
        while (rows->by_hash[hash] != 0)
            hash++;
        rows->by_hash[hash] = (uint8_t)(a + 1);
    }
    rows->best = rows->way;
    if (rows->best == DUMP_ROWS_BEST && !dump_stops_have_wide())
        rows->best = DUMP_ROWS_NARROW;
    if (rows->best == DUMP_ROWS_NARROW && !dump_stops_have_avx2())
        rows->best = DUMP_ROWS_PORTABLE;
    for (size_t k = 0; k < PATTERNS; k++) {
        memcpy(rows->patterns[k].text, pattern[k], PATTERN_BYTES);
        memset(rows->patterns[k].mask, 0xFF, pattern_len[k]);
        rows->steps[k] = (struct dump_rows_step){
            .bit = k < DUMP_ROWS_ATTRIBUTES ? UINT64_C(1) << k : 0,
            .len = pattern_len[k],
            .special = k == DUMP_ROWS_POST_TYPE_ID || k >= PATTERN_END};
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

/* Steps are told by their offset, and so are patterns and values: that much larger. */
enum {
    STEP_BYTES = sizeof(struct dump_rows_step),
    STEP_START = PATTERN_START * STEP_BYTES,
    STEP_END = PATTERN_END * STEP_BYTES,
};

_Static_assert(STEP_BYTES == sizeof(struct str), "a value's offset is its step's");
_Static_assert(4 * STEP_BYTES == sizeof(struct dump_rows_pattern), "and a pattern's");

static inline struct dump_rows_step *step_at(struct dump_rows *rows, size_t at)
{
    return (struct dump_rows_step *)(void *)((char *)rows->steps + at);
}

static inline const struct dump_rows_pattern *pattern_at(const struct dump_rows *rows,
                                                         size_t at)
{
    return (const void *)((const char *)rows->patterns + 4 * at);
}

static inline struct str *raw_at(struct dump_rows_row *row, size_t at)
{
    return (struct str *)(void *)((char *)row->raw + at);
}

/* What stands where another pattern was expected. */
struct miss {
    const char *p;
    uint16_t *next;   /* the step that was expected, and then what was found */
    uint64_t present; /* of the row, so far */
    enum {
        MISS_KNOWN, /* the pattern of a known attribute, at p */
        MISS_OPEN,  /* one that is written unusually: p is behind its opening '"' */
        MISS_TAKEN, /* some attribute, entered into the row: p is behind it */
        MISS_END,   /* the end of the tag: p is behind it */
    } found;
};

/* Enters an attribute that is unknown or stands in single quotes. */
static enum dump_step take_other(struct dump_rows *rows, struct dump_rows_row *row,
                                 struct dump_cursor *cursor, struct miss *miss,
                                 struct str name, size_t a, char quote)
{
    struct dump_rows_pair pair = {.name = name};
    enum dump_step step = dump_markup_value(cursor, quote, &pair.value);

    if (step != DUMP_STEP_DONE)
        return step;
    miss->found = MISS_TAKEN;
    miss->p = cursor->at;
    if (a == DUMP_ROWS_ATTRIBUTES)
        return add_unknown(rows, row, cursor, pair);
    if (miss->present >> a & 1)
        return refuse_twice(cursor, name.ptr);
    miss->present |= UINT64_C(1) << a;
    row->raw[a] = pair.value;
    return DUMP_STEP_DONE;
}

/* When the guess was wrong: reads what is really there. */
static NOINLINE enum dump_step read_other(struct dump_rows *rows,
                                          struct dump_rows_row *row,
                                          struct dump_cursor *cursor, struct miss *miss,
                                          bool *empty)
{
    const char *begin = miss->p, *quote = memchr(begin, '"', PATTERN_BYTES);
    enum dump_markup_next next;
    struct str name;
    char opening;

    if (quote != NULL && quote - begin >= 3) {
        name = (struct str){begin + 1, (size_t)(quote - begin) - 2};
        size_t k = rows->by_hash[name_hash(name)];
        if (k > 0 && matches(&rows->patterns[k - 1], begin)) {
            *miss->next = (uint16_t)((k - 1) * STEP_BYTES);
            return DUMP_STEP_DONE;
        }
    }
    cursor->at = begin;
    enum dump_step step = dump_markup_next(cursor, &next, &name, &opening);
    if (step != DUMP_STEP_DONE)
        return step;
    miss->p = cursor->at;
    if (next != DUMP_MARKUP_ATTRIBUTE) {
        size_t k = *begin == ' ' ? PATTERN_END : PATTERN_END_TIGHT;
        *miss->next = (uint16_t)(k * STEP_BYTES);
        miss->found = MISS_END;
        *empty = next == DUMP_MARKUP_CLOSE_EMPTY;
        return DUMP_STEP_DONE;
    }
    size_t a = find_name(rows, name);
    if (a == DUMP_ROWS_ATTRIBUTES || opening != '"')
        return take_other(rows, row, cursor, miss, name, a, opening);
    *miss->next = (uint16_t)(a * STEP_BYTES);
    miss->found = MISS_OPEN;
    return DUMP_STEP_DONE;
}

/* How far ahead memory was asked for. Rows whose attributes are read slowly and their
 * bodies fast are asked for evenly, a line for each attribute and for each two lines of a
 * body: so memory is not idle while attributes are read. */
static inline const char *ask_from(const struct dump_rows *rows, const char *p)
{
    const char *least = p + DUMP_STOPS_AHEAD, *most = least + DUMP_STOPS_AHEAD;
    const char *ahead = rows->asked < least ? least : rows->asked;

    return ahead > most ? most : ahead;
}

#define WALK read_tag_portable
#define WALK_TARGET
#define WALK_MATCHES matches
#define WALK_SEE     dump_stops_see_portable
#define WALK_FAR     dump_stops_far_portable
#include "dump/walk.h"

#ifdef DUMP_STOPS_AVX2
DUMP_STOPS_AVX2 static inline bool matches_avx2(const struct dump_rows_pattern *want,
                                                const char *p)
{
    __m256i have = _mm256_loadu_si256((const __m256i *)(const void *)p);
    __m256i text = _mm256_loadu_si256((const __m256i *)(const void *)want->text);
    __m256i mask = _mm256_loadu_si256((const __m256i *)(const void *)want->mask);

    return _mm256_testz_si256(_mm256_xor_si256(have, text), mask);
}

#define WALK         read_tag_avx2
#define WALK_TARGET  DUMP_STOPS_AVX2
#define WALK_MATCHES matches_avx2
#define WALK_SEE     dump_stops_see_avx2
#define WALK_FAR     dump_stops_far_avx2
#include "dump/walk.h"

#define WALK         read_tag_wide
#define WALK_TARGET  DUMP_STOPS_WIDE
#define WALK_MATCHES matches_avx2
#define WALK_SEE     dump_stops_see_wide
#define WALK_FAR     dump_stops_far_wide
#include "dump/walk.h"
#else
#define read_tag_avx2 read_tag_portable
#define read_tag_wide read_tag_portable
#endif

/* Whether a known attribute stands a second time before `limit`: where it does. */
static bool find_twice(const struct dump_rows *rows, struct dump_cursor *cursor,
                       const char *limit)
{
    enum dump_markup_next next;
    uint64_t present = 0;
    struct str name, value;
    char quote;

    while (cursor->at < limit &&
           dump_markup_next(cursor, &next, &name, &quote) == DUMP_STEP_DONE &&
           next == DUMP_MARKUP_ATTRIBUTE && name.ptr < limit) {
        size_t a = find_name(rows, name);
        if (a < DUMP_ROWS_ATTRIBUTES && (present >> a & 1) != 0) {
            cursor->at = name.ptr;
            return true;
        }
        present |= a < DUMP_ROWS_ATTRIBUTES ? UINT64_C(1) << a : 0;
        if (dump_markup_value(cursor, quote, &value) != DUMP_STEP_DONE)
            return false;
    }
    return false;
}

/* From behind "<row" to behind the '>' that ends the tag. */
static enum dump_step read_tag(struct dump_rows *rows, struct dump_rows_row *row,
                               struct dump_cursor *cursor, bool *empty)
{
    struct dump_cursor again = *cursor;
    enum dump_step step = DUMP_STEP_WRONG;

    switch (rows->best) {
    case DUMP_ROWS_BEST:
        step = read_tag_wide(rows, row, cursor, empty);
        break;
    case DUMP_ROWS_NARROW:
        step = read_tag_avx2(rows, row, cursor, empty);
        break;
    default:
        step = read_tag_portable(rows, row, cursor, empty);
    }
    /* The walk itself sees only in the end that something is wrong. A row of which more is
     * to come is walked once more. */
    if ((step == DUMP_STEP_WRONG || (step == DUMP_STEP_CUT && rows->last)) &&
        find_twice(rows, &again, step == DUMP_STEP_CUT ? again.end : cursor->at))
        return refuse_twice(cursor, again.at);
    return step;
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
    rows->seen.from = NULL;
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
