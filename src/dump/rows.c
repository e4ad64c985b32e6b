/* Rows are read by the loop in walk.h; here is what stands around them, and every way to
 * go wrong. A '<' never stands in a value, so it always begins markup, and "<row" begins
 * a row wherever it is not in a comment: that is what lets a walk start in the middle. */
#include "dump/rows.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "dump/internal.h"
#include "dump/value.h"

enum { PATTERN_BYTES = 24 };

#define NOINLINE __attribute__((noinline)) /* so that the loop keeps its registers */

_Static_assert(DUMP_ROWS_ATTRIBUTES <= 64, "one bit each");

static const char pattern[DUMP_ROWS_ATTRIBUTES][PATTERN_BYTES + 1] = {
#define PATTERN_TEXT(constant, name) " " #name "=\"",
    DUMP_ROWS_ATTRIBUTE_LIST(PATTERN_TEXT)
#undef PATTERN_TEXT
};

static const uint8_t pattern_len[DUMP_ROWS_ATTRIBUTES] = {
#define PATTERN_LEN(constant, name) sizeof " " #name "=\"" - 1,
    DUMP_ROWS_ATTRIBUTE_LIST(PATTERN_LEN)
#undef PATTERN_LEN
};

struct str dump_rows_attribute_name(enum dump_rows_attribute attribute)
{
    return (struct str){pattern[attribute] + 1, pattern_len[attribute] - 3U};
}

/* Of ` Name="`, which begins at p: `open` is its last byte. From the first four letters
 * (`Id="` has as many), the last one and the length; with this multiplier no two names
 * fall together. */
static inline uint8_t pattern_hash(const char *p, const char *open)
{
    const unsigned char *s = (const unsigned char *)p;
    uint32_t first = (uint32_t)s[1] | (uint32_t)s[2] << 8 | (uint32_t)s[3] << 16 |
                     (uint32_t)s[4] << 24;
    uint32_t last = (unsigned char)open[-2], len = (uint32_t)(open - p);

    return (uint8_t)((first + last * 64 + len * 8) * UINT32_C(0xC21E1BAD) >> 24);
}

static void make_ready(struct dump_rows *rows)
{
    for (size_t a = 0; a < DUMP_ROWS_ATTRIBUTES; a++) {
        const char *text = pattern[a];
        uint8_t *place = &rows->by_hash[pattern_hash(text, text + pattern_len[a] - 1)];
        assert(*place == 0);
        *place = (uint8_t)a;
        memcpy(rows->patterns[a].text, text, PATTERN_BYTES);
        memset(rows->patterns[a].mask, 0xFF, pattern_len[a]);
    }
    rows->best = rows->way;
    if (rows->best == DUMP_ROWS_BEST && !dump_stops_have_wide())
        rows->best = DUMP_ROWS_NARROW;
    if (rows->best == DUMP_ROWS_NARROW && !dump_stops_have_avx2())
        rows->best = DUMP_ROWS_PORTABLE;
    rows->problem.offset = rows->root_end = -1;
    rows->ready = true;
}

static size_t find_name(struct str name)
{
    size_t a = 0;

    while (a < DUMP_ROWS_ATTRIBUTES &&
           !str_eq(name, dump_rows_attribute_name((enum dump_rows_attribute)a)))
        a++;
    return a;
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

/* What is not written as most attributes are. */
struct miss {
    const char *p;    /* where it begins, and then where it ends */
    uint64_t present; /* of the row, so far */
    bool end;         /* it was the end of the tag */
};

/* Enters an attribute, known or not, whose value begins at the cursor. */
static enum dump_step take_other(struct dump_rows *rows, struct dump_rows_row *row,
                                 struct dump_cursor *cursor, struct miss *miss,
                                 struct str name, char quote)
{
    struct dump_rows_pair pair = {.name = name};
    enum dump_step step = dump_markup_value(cursor, quote, &pair.value);
    size_t a = find_name(name);

    if (step != DUMP_STEP_DONE)
        return step;
    miss->p = cursor->at;
    if (a == DUMP_ROWS_ATTRIBUTES)
        return add_unknown(rows, row, cursor, pair);
    if (miss->present >> a & 1)
        return refuse_twice(cursor, name.ptr);
    miss->present |= UINT64_C(1) << a;
    row->raw[a] = pair.value;
    return DUMP_STEP_DONE;
}

static NOINLINE enum dump_step read_other(struct dump_rows *rows,
                                          struct dump_rows_row *row,
                                          struct dump_cursor *cursor, struct miss *miss,
                                          bool *empty)
{
    enum dump_markup_next next;
    struct str name;
    char quote;

    cursor->at = miss->p;
    enum dump_step step = dump_markup_next(cursor, &next, &name, &quote);
    if (step != DUMP_STEP_DONE)
        return step;
    if (next == DUMP_MARKUP_ATTRIBUTE)
        return take_other(rows, row, cursor, miss, name, quote);
    miss->p = cursor->at;
    miss->end = true;
    *empty = next == DUMP_MARKUP_CLOSE_EMPTY;
    return DUMP_STEP_DONE;
}

/* Lists stops from p on and returns the first. */
static NOINLINE const uint16_t *list_stops(struct dump_rows *rows, const char *p,
                                           const char *limit)
{
    struct dump_stops *stops = &rows->stops;

    stops->from = p;
    switch (rows->best) {
    case DUMP_ROWS_BEST:
        dump_stops_list_wide(stops, limit);
        break;
    case DUMP_ROWS_NARROW:
        dump_stops_list_avx2(stops, limit);
        break;
    default:
        dump_stops_list_portable(stops, limit);
    }
    return stops->list;
}

/* The first stop from p on, of those that are listed; they are now, if those around p
 * were not. Walks go forward, but for the one that goes on behind a broken row. */
static NOINLINE const uint16_t *find_stop(struct dump_rows *rows, const char *p,
                                          const char *limit)
{
    const struct dump_stops *stops = &rows->stops;
    const uint16_t *stop = stops->list + stops->at, *last = stops->list + stops->count;

    if (p < stops->from || p >= stops->to)
        return list_stops(rows, p, limit);
    while (stop < last && stops->from + *stop < p)
        stop++;
    return stop;
}

/* The same at the beginning of a row, whose '<' is the first stop behind the last row. */
static inline const uint16_t *find_row_stop(struct dump_rows *rows, const char *p,
                                            const char *limit)
{
    const struct dump_stops *stops = &rows->stops;
    const uint16_t *less = stops->list + stops->at;

    if (p >= stops->from && stops->at + 1 < stops->count && stops->from + less[0] < p &&
        stops->from + less[1] >= p)
        return less + 1;
    return find_stop(rows, p, limit);
}

#define WALK read_tag_portable
#define WALK_TARGET
#define WALK_MATCHES matches
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
#include "dump/walk.h"
#else
#define read_tag_avx2 read_tag_portable
#endif

/* Whether a known attribute stands a second time before `limit`: where it does. */
static bool find_twice(struct dump_cursor *cursor, const char *limit)
{
    enum dump_markup_next next;
    uint64_t present = 0;
    struct str name, value;
    char quote;

    while (cursor->at < limit &&
           dump_markup_next(cursor, &next, &name, &quote) == DUMP_STEP_DONE &&
           next == DUMP_MARKUP_ATTRIBUTE && name.ptr < limit) {
        size_t a = find_name(name);
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
    const char *begin = cursor->at;
    enum dump_step step = rows->best == DUMP_ROWS_PORTABLE
                              ? read_tag_portable(rows, row, cursor, empty)
                              : read_tag_avx2(rows, row, cursor, empty);

    /* The walk itself sees only in the end that something is wrong. A row of which more
     * is to come is walked once more. */
    if (step != DUMP_STEP_DONE && (step == DUMP_STEP_WRONG || rows->last)) {
        struct dump_cursor again = {begin, cursor->end, NULL};
        if (find_twice(&again, step == DUMP_STEP_CUT ? again.end : cursor->at))
            return refuse_twice(cursor, again.at);
    }
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
    rows->stops.from = rows->stops.to = NULL;
    rows->stops.at = rows->stops.count = 0;
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
