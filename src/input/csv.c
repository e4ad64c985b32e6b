/* Four masks of 64 bits tell where in a block of 64 bytes the quotes, separators, line
 * ends and odd bytes are; the walk then hops from bit to bit and never looks at what lies
 * between. A row that a piece cuts is gathered in `kept`, each byte once, so that time
 * is proportional to the number of bytes whatever the size of the pieces. */
#include "input/csv.h"

#include <stdio.h>

#include "base/file.h"
#include "base/near.h"

#ifdef __SSE2__
#include <emmintrin.h>
#define HAVE_SSE2 1
#else
#define HAVE_SSE2 0
#endif

enum { BLOCK = 64 };

struct csv_cell {
    uint32_t begin, end; /* in the row, without quotes */
    bool doubled;
};

static const char separators[] = {',', ';', '\t'};

void input_csv_free(struct input_csv *csv)
{
    buf_free(&csv->head);
    buf_free(&csv->kept);
    buf_free(&csv->cells);
    buf_free(&csv->fields);
    buf_free(&csv->text);
    buf_free(&csv->turned);
    buf_free(&csv->again);
}

/* --- where in the row something stands --- */

static uint32_t offset_of(const struct input_csv *csv, const char *p)
{
    return (uint32_t)(csv->kept.len + (size_t)(p - csv->at));
}

#if HAVE_SSE2
/* Line feeds in the text's whole blocks of 16 bytes, which are cut off. A counter for
 * each of the 16 places goes up to 255. */
static int64_t count_feeds(struct str *text)
{
    const __m128i feed = _mm_set1_epi8('\n'), zero = _mm_setzero_si128();
    int64_t feeds = 0;

    while (text->len >= 16) {
        size_t blocks = text->len / 16 < 255 ? text->len / 16 : 255;
        __m128i counts = zero;
        for (size_t i = 0; i < blocks; i++) {
            const char *at = text->ptr + 16 * i;
            __m128i v = _mm_loadu_si128((const __m128i *)(const void *)at);
            counts = _mm_sub_epi8(counts, _mm_cmpeq_epi8(v, feed)); /* equal is -1 */
        }
        counts = _mm_sad_epu8(counts, zero);
        feeds += _mm_cvtsi128_si32(counts);
        feeds += _mm_cvtsi128_si32(_mm_unpackhi_epi64(counts, counts));
        *text = str_slice(*text, 16 * blocks, text->len);
    }
    return feeds;
}
#endif

/* Line ends in text: a CRLF counts once. */
static int64_t count_lines(struct str text)
{
    int64_t lines = 0;
    struct str rest = text, line;

#if HAVE_SSE2
    lines += count_feeds(&rest);
#endif
    while (str_cut(&rest, '\n', &line))
        lines++;
    for (rest = text; str_cut(&rest, '\r', &line);)
        lines += rest.len == 0 || rest.ptr[0] != '\n';
    return lines;
}

/* Puts the place of byte `offset` of row before the error's text. */
static bool fail_at(struct input_csv *csv, struct str row, size_t offset, struct err *err)
{
    struct str before = str_slice(row, 0, offset);
    long long line = csv->line + count_lines(before), column = 1;

    for (size_t i = before.len; i-- > 0 && row.ptr[i] != '\n' && row.ptr[i] != '\r';)
        column += (row.ptr[i] & 0xC0) != 0x80;
    csv->failed = true;
    return err_at(err, "%s:%lld:%lld: ", csv->path, line, column);
}

/* The row in progress up to p, in one piece: for messages, as it takes the bytes. */
static struct str row_up_to(struct input_csv *csv, const char *p)
{
    if (p > csv->at)
        buf_add(&csv->kept, (struct str){csv->at, (size_t)(p - csv->at)});
    csv->at = csv->end;
    return buf_str(&csv->kept);
}

static const char *separator_name(char separator)
{
    return separator == '\t' ? "a tab" : separator == ';' ? "';'" : "','";
}

/* --- blocks --- */

struct masks {
    uint64_t quotes, separators, line_ends, odd;
};

#if HAVE_SSE2
static struct masks masks_sse2(const char *p, char separator)
{
    const __m128i quote = _mm_set1_epi8('"'), parts = _mm_set1_epi8(separator);
    const __m128i cr = _mm_set1_epi8('\r'), lf = _mm_set1_epi8('\n');
    struct masks masks = {0};

    for (int i = 0; i < BLOCK; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(v, cr), _mm_cmpeq_epi8(v, lf));
        __m128i odd = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_setzero_si128()), v);
        masks.quotes |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, quote)) << i;
        masks.separators |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, parts)) << i;
        masks.line_ends |= (uint64_t)_mm_movemask_epi8(ends) << i;
        masks.odd |= (uint64_t)_mm_movemask_epi8(odd) << i;
    }
    return masks;
}
#endif

/* From a word whose bytes are 0x80 or 0 to a bit for each of them. */
static uint64_t gather(uint64_t highs)
{
    return (highs >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

/* 0x80 in exactly the bytes of word that equal c. */
static uint64_t equal_bytes(uint64_t word, char c)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), low = ones * 0x7F;
    uint64_t x = word ^ ones * (unsigned char)c;

    return ~(((x & low) + low) | x | low);
}

static struct masks masks_portable(const char *p, char separator)
{
    const uint64_t highs = UINT64_C(0x8080808080808080);
    struct masks masks = {0};

    for (int i = 0; i < BLOCK; i += 8) {
        uint64_t word = str_word(p + i);
        uint64_t ends = equal_bytes(word, '\r') | equal_bytes(word, '\n');
        masks.quotes |= gather(equal_bytes(word, '"')) << i;
        masks.separators |= gather(equal_bytes(word, separator)) << i;
        masks.line_ends |= gather(ends) << i;
        masks.odd |= gather(equal_bytes(word, '\0') | (word & highs)) << i;
    }
    return masks;
}

/* Turns to the 64 bytes from p on, or to as many as there are; false when there are
 * none. */
static bool load_block(struct input_csv *csv, const char *p)
{
    char copy[BLOCK];
    size_t len = (size_t)(csv->end - p);
    struct masks masks;

    csv->block = p;
    csv->left = 0;
    csv->block_odd = false;
    if (len == 0)
        return false;
    if (len < BLOCK) {
        memset(copy, ' ', sizeof copy);
        memcpy(copy, p, len);
        p = copy;
    }
#if HAVE_SSE2
    masks =
        csv->portable ? masks_portable(p, csv->separator) : masks_sse2(p, csv->separator);
#else
    masks = masks_portable(p, csv->separator);
#endif
    csv->left = len < BLOCK ? (UINT64_C(1) << len) - 1 : ~UINT64_C(0);
    csv->quotes = masks.quotes;
    csv->separators = masks.separators;
    csv->line_ends = masks.line_ends;
    csv->block_odd = masks.odd != 0;
    csv->odd |= csv->block_odd;
    return true;
}

static bool next_block(struct input_csv *csv)
{
    size_t rest = (size_t)(csv->end - csv->block);

    return load_block(csv, csv->block + (rest < BLOCK ? rest : BLOCK));
}

/* --- pieces --- */

static void turn_to(struct input_csv *csv, struct str piece)
{
    csv->at = piece.len > 0 ? piece.ptr : "";
    csv->end = csv->at + piece.len;
    load_block(csv, csv->at);
}

/* Reads the first row as far as it goes and counts its separators. How many bytes lie
 * before the end of that row, or text.len when it does not end. Quotes open behind any
 * of the separators. */
static size_t guess_more(struct input_csv_guess *guess, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '"' && (guess->quoted || guess->closed || !guess->open)) {
            guess->closed = guess->quoted;
            guess->quoted = !guess->quoted;
            guess->open = guess->any = true;
            continue;
        }
        guess->closed = false;
        if (guess->quoted)
            continue;
        if (c == '\n' || c == '\r') {
            if (guess->any)
                return i;
            continue;
        }
        guess->open = guess->any = true;
        for (size_t s = 0; s < sizeof separators; s++) {
            if (c == separators[s]) {
                guess->counts[s]++;
                guess->open = false;
            }
        }
    }
    return text.len;
}

static char guessed(const struct input_csv_guess *guess)
{
    size_t best = 0;

    for (size_t s = 1; s < sizeof separators; s++)
        if (guess->counts[s] > guess->counts[best])
            best = s;
    return separators[best];
}

/* Takes the byte-order mark off; false when more bytes are needed to know. Bytes that
 * only began like one go to the head. */
static bool take_mark(struct input_csv *csv, struct str *piece)
{
    static const char mark[] = "\xEF\xBB\xBF";

    while (csv->mark_len < 3 && piece->len > 0 && piece->ptr[0] == mark[csv->mark_len]) {
        csv->mark_len++;
        *piece = str_slice(*piece, 1, piece->len);
    }
    if (csv->mark_len < 3 && piece->len == 0 && !csv->last)
        return false;
    if (csv->mark_len < 3)
        buf_add(&csv->head, (struct str){mark, csv->mark_len});
    csv->begun = true;
    csv->guessing = csv->separator == '\0';
    csv->line = 1;
    if (csv->guessing)
        guess_more(&csv->guess, buf_str(&csv->head));
    return true;
}

void input_csv_push(struct input_csv *csv, struct str piece, bool last)
{
    csv->last = last;
    if (!csv->begun) {
        if (!take_mark(csv, &piece))
            return;
        if (!csv->guessing && csv->head.len > 0) {
            csv->waiting = piece;
            turn_to(csv, buf_str(&csv->head));
            return;
        }
    }
    if (!csv->guessing) {
        turn_to(csv, piece);
        return;
    }
    size_t len = guess_more(&csv->guess, piece);
    buf_add(&csv->head, str_slice(piece, 0, len));
    if (len == piece.len && !last && csv->head.len <= INPUT_CSV_ROW_MAX)
        return;
    csv->guessing = false;
    csv->separator = guessed(&csv->guess);
    csv->waiting = str_slice(piece, len, piece.len);
    turn_to(csv, buf_str(&csv->head));
}

/* --- rows --- */

static void end_cell(struct input_csv *csv, uint32_t end)
{
    struct csv_cell *cell =
        (struct csv_cell *)(void *)buf_reserve(&csv->cells, sizeof *cell);

    *cell = (struct csv_cell){csv->begin, end, false};
    if (csv->state == INPUT_CSV_CLOSED)
        *cell = (struct csv_cell){csv->begin + 1, end - 1, csv->doubled};
    csv->cells.len += sizeof *cell;
    csv->begin = end + 1;
    csv->state = INPUT_CSV_PLAIN;
    csv->doubled = false;
}

/* The row in progress is behind us; the next one begins at p. */
static void begin_row(struct input_csv *csv, const char *p, int64_t lines)
{
    csv->line += lines;
    csv->at = p;
    csv->begin = 0;
    csv->cells.len = 0;
    csv->any_quoted = false;
    csv->odd = csv->block_odd;
}

/* A line end at p with nothing before it: the LF of a CRLF, or an empty line. False when
 * it is a row. */
static bool skip_empty(struct input_csv *csv, const char *p)
{
    bool second = csv->after_cr && *p == '\n';

    if (!second && csv->columns == 1)
        return false;
    csv->after_cr = *p == '\r';
    begin_row(csv, p + 1, second ? 0 : 1);
    return true;
}

enum walk { WALK_ROW, WALK_END, WALK_STRAY, WALK_LONG, WALK_MANY };

/* Goes on to the end of the row, which *stop then points at, to the end of the piece, or
 * to what is wrong. */
static enum walk walk(struct input_csv *csv, const char **stop)
{
    for (;;) {
        uint64_t stops = csv->state == INPUT_CSV_QUOTED ? csv->quotes
                         : csv->state == INPUT_CSV_PLAIN
                             ? csv->quotes | csv->separators | csv->line_ends
                             : ~UINT64_C(0);
        stops &= csv->left;
        if (stops == 0) {
            if (csv->block > csv->at && offset_of(csv, csv->block) > INPUT_CSV_ROW_MAX)
                return WALK_LONG;
            if (!next_block(csv))
                return WALK_END;
            continue;
        }
        int i = __builtin_ctzll(stops);
        uint64_t bit = UINT64_C(1) << i;
        const char *p = csv->block + i;
        uint32_t offset = offset_of(csv, p);
        if (offset > INPUT_CSV_ROW_MAX)
            return WALK_LONG;
        csv->left &= ~bit & ~(bit - 1);
        if (csv->quotes & bit) {
            if (csv->state == INPUT_CSV_PLAIN && offset == csv->begin) {
                csv->state = INPUT_CSV_QUOTED;
                csv->quote = offset;
                csv->any_quoted = true;
            } else if (csv->state == INPUT_CSV_QUOTED) {
                csv->state = INPUT_CSV_CLOSED;
            } else if (csv->state == INPUT_CSV_CLOSED) {
                csv->state = INPUT_CSV_QUOTED;
                csv->doubled = true;
            }
        } else if (csv->separators & bit) {
            end_cell(csv, offset);
            if (csv->cells.len == INPUT_CSV_FIELDS_MAX * sizeof(struct csv_cell))
                return WALK_MANY;
        } else if (csv->line_ends & bit) {
            if (offset == 0 && skip_empty(csv, p))
                continue;
            end_cell(csv, offset);
            *stop = p;
            return WALK_ROW;
        } else {
            *stop = p;
            return WALK_STRAY;
        }
    }
}

/* The length of the character that begins at byte `at`; 0 when none does. The sequences
 * are those of the Unicode standard, table 3-7. */
static size_t character_at(struct str text, size_t at)
{
    const unsigned char *s = (const unsigned char *)text.ptr + at;
    size_t left = text.len - at, len = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    unsigned char low = s[0] == 0xE0 ? 0xA0 : s[0] == 0xF0 ? 0x90 : 0x80;
    unsigned char high = s[0] == 0xED ? 0x9F : s[0] == 0xF4 ? 0x8F : 0xBF;

    if (s[0] < 0x80)
        return s[0] != 0;
    if (s[0] < 0xC2 || s[0] > 0xF4 || left < len || s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < len; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    return len;
}

/* Whether the eight bytes from p on are ASCII and none is 0. */
static bool is_plain(const char *p)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
    uint64_t word = str_word(p);

    return ((word | (word - ones)) & highs) == 0;
}

static bool check_text(struct input_csv *csv, struct str row, struct err *err)
{
    csv->foreign = false;
    for (size_t at = 0, len; at < row.len; at += len) {
        len = row.len - at >= 8 && is_plain(row.ptr + at) ? 8 : character_at(row, at);
        if (len > 0)
            continue;
        unsigned char byte = (unsigned char)row.ptr[at];
        bool utf16 =
            csv->line == 1 && at == 0 && row.len > 1 &&
            (memcmp(row.ptr, "\xFF\xFE", 2) == 0 || memcmp(row.ptr, "\xFE\xFF", 2) == 0);
        if (csv->latin && byte != 0 && !utf16) {
            csv->foreign = true;
            len = 1;
            continue;
        }
        err_record(err, ERR_INPUT, "found byte 0x%02X, expected text in UTF-8%s", byte,
                   utf16 ? ": this file is UTF-16" : "");
        return fail_at(csv, row, at, err);
    }
    return true;
}

/* Copies a field without the second of each pair of quotes. There is room for it. */
static struct str undouble(struct input_csv *csv, struct str raw)
{
    char *to = csv->text.ptr + csv->text.len, *begin = to;
    struct str run;

    while (str_cut(&raw, '"', &run)) {
        memcpy(to, run.ptr, run.len);
        to += run.len;
        *to++ = '"';
        raw = str_slice(raw, 1, raw.len);
    }
    if (run.len > 0)
        memcpy(to, run.ptr, run.len);
    to += run.len;
    csv->text.len += (size_t)(to - begin);
    return (struct str){begin, (size_t)(to - begin)};
}

static bool is_utf8(struct str text)
{
    size_t at = 0, len = 1;

    for (; at < text.len && len > 0; at += len)
        len = character_at(text, at);
    return len > 0;
}

/* Windows-1252 to UTF-8; what it does not define becomes U+FFFD. */
static struct str turn(struct buf *out, struct str text)
{
    static const uint16_t upper[32] = {
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD,
        0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};
    size_t begin = out->len;

    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        unsigned code = byte >= 0x80 && byte < 0xA0 ? upper[byte - 0x80] : byte;
        if (code >= 0x800)
            buf_add_char(out, (char)(0xE0 | code >> 12));
        if (code >= 0x80)
            buf_add_char(out, (char)(code >= 0x800 ? 0x80 | (code >> 6 & 0x3F)
                                                   : 0xC0 | code >> 6));
        buf_add_char(out, (char)(code >= 0x80 ? 0x80 | (code & 0x3F) : code));
    }
    return (struct str){out->ptr + begin, out->len - begin};
}

/* Fields that are not UTF-8. */
static void turn_fields(struct input_csv *csv, struct str *fields, size_t count)
{
    size_t len = 0;

    for (size_t i = 0; i < count; i++)
        len += fields[i].len;
    buf_clear(&csv->turned);
    buf_reserve(&csv->turned, 3 * len); /* so that what is given does not move */
    for (size_t i = 0; i < count; i++)
        if (!is_utf8(fields[i]))
            fields[i] = turn(&csv->turned, fields[i]);
    if (csv->latin_rows++ == 0)
        csv->latin_line = csv->line;
}

static void give(struct input_csv *csv, struct str raw, struct input_csv_row *row)
{
    size_t count = csv->cells.len / sizeof(struct csv_cell);
    const struct csv_cell *cells = (const struct csv_cell *)(const void *)csv->cells.ptr;

    buf_clear(&csv->fields);
    buf_clear(&csv->text);
    struct str *fields =
        (struct str *)(void *)buf_reserve(&csv->fields, count * sizeof *fields);
    if (csv->any_quoted)
        buf_reserve(&csv->text, raw.len);
    for (size_t i = 0; i < count; i++) {
        fields[i] = (struct str){raw.ptr + cells[i].begin, cells[i].end - cells[i].begin};
        if (cells[i].doubled)
            fields[i] = undouble(csv, fields[i]);
    }
    if (csv->odd && csv->foreign)
        turn_fields(csv, fields, count);
    *row = (struct input_csv_row){fields, count, csv->line};
}

/* The row is whole, its line end, if any, at p: gives it out and goes behind it. */
static bool finish_row(struct input_csv *csv, const char *p, struct input_csv_row *row,
                       struct err *err)
{
    struct str raw = {csv->at, (size_t)(p - csv->at)};
    size_t count = csv->cells.len / sizeof(struct csv_cell);
    bool at_end = p == csv->end;

    if (csv->kept.len > 0) {
        buf_add(&csv->kept, raw);
        raw = buf_str(&csv->kept);
    }
    int64_t lines = csv->any_quoted ? count_lines(raw) : 0;
    csv->broken =
        (struct input_csv_broken){INPUT_CSV_WHOLE, NULL, p, csv->end, lines + 1};
    if (csv->odd && !check_text(csv, raw, err))
        return false;
    if (csv->columns == 0)
        csv->columns = count;
    if (count != csv->columns) {
        char where[60] = "";
        if (lines > 0)
            snprintf(where, sizeof where, " (the row ends in line %lld)",
                     (long long)(csv->line + lines));
        err_record(err, ERR_INPUT, "found %zu field%s, expected %zu as in the header%s",
                   count, count == 1 ? "" : "s", csv->columns, where);
        return fail_at(csv, raw, 0, err);
    }
    give(csv, raw, row);
    csv->given = true;
    csv->after_cr = !at_end && *p == '\r';
    begin_row(csv, at_end ? p : p + 1, lines + 1);
    return true;
}

/* Before row_up_to(), of a row whose quotes are wrong, as is known at p. */
static void note_open(struct input_csv *csv, const char *p)
{
    csv->broken = (struct input_csv_broken){
        INPUT_CSV_OPEN, csv->kept.len == 0 ? csv->at : NULL, p, csv->end, 0};
}

/* What comes first beyond the limit decides, so that pieces play no part. */
static bool refuse_long(struct input_csv *csv, struct err *err)
{
    bool quoted = csv->state == INPUT_CSV_QUOTED;

    err_record(err, ERR_INPUT, "%s %d MiB",
               quoted ? "the quote that opens here is not closed within"
                      : "the row that begins here is longer than",
               INPUT_CSV_ROW_MAX >> 20);
    csv->broken.how = INPUT_CSV_LOST;
    return fail_at(csv, row_up_to(csv, csv->end), quoted ? csv->quote : 0, err);
}

/* Nothing follows: what is there is the last row, or it is cut. */
static bool finish(struct input_csv *csv, struct input_csv_row *row, struct err *err)
{
    uint32_t offset = offset_of(csv, csv->end);

    csv->finished = true;
    if (offset > INPUT_CSV_ROW_MAX)
        return refuse_long(csv, err);
    if (csv->state == INPUT_CSV_QUOTED) {
        err_record(err, ERR_INPUT, "the quote that opens here is never closed");
        note_open(csv, csv->end);
        return fail_at(csv, row_up_to(csv, csv->end), csv->quote, err);
    }
    if (offset == 0)
        return false;
    end_cell(csv, offset);
    return finish_row(csv, csv->end, row, err);
}

static bool refuse_stray(struct input_csv *csv, const char *p, struct err *err)
{
    unsigned char byte = (unsigned char)*p; /* the piece may cut a longer character */
    size_t offset = offset_of(csv, p);
    char found[20];

    snprintf(found, sizeof found, byte >= 0x20 && byte < 0x7F ? "'%c'" : "byte 0x%02X",
             byte);
    err_record(err, ERR_INPUT,
               "found %s behind a closing quote, expected %s or the end of the line; a "
               "quote inside quotes is written twice",
               found, separator_name(csv->separator));
    note_open(csv, p);
    return fail_at(csv, row_up_to(csv, p), offset, err);
}

static bool refuse_many(struct input_csv *csv, struct err *err)
{
    err_record(err, ERR_INPUT, "the row that begins here has more than %d fields",
               INPUT_CSV_FIELDS_MAX);
    csv->broken.how = INPUT_CSV_LOST;
    return fail_at(csv, row_up_to(csv, csv->at), 0, err);
}

/* --- rows that are wrong --- */

/* The first line end in text, or text.len. */
static size_t line_end(struct str text)
{
    size_t at = 0;

    while (at < text.len && text.ptr[at] != '\n' && text.ptr[at] != '\r')
        at++;
    return at;
}

/* Begins a row where the text, which a line end of a wrong row precedes, begins. */
static void go_on(struct input_csv *csv, struct str text, char before, int64_t lines)
{
    csv->skipping = false;
    csv->after_cr = before == '\r';
    turn_to(csv, text);
    begin_row(csv, csv->at, lines);
}

/* The line in which the quote opens goes on in what is to come. */
static void skip_to_line_end(struct input_csv *csv)
{
    struct str piece = {csv->at, (size_t)(csv->end - csv->at)};
    size_t at = line_end(piece);

    if (at < piece.len)
        go_on(csv, str_slice(piece, at + 1, piece.len), piece.ptr[at], 1);
    else
        csv->at = csv->end;
}

/* The row stands in the piece, or, up to `stop`, in csv->kept. */
static void skip_open(struct input_csv *csv, const struct input_csv_broken *broken)
{
    struct str text = {broken->from, 0};

    if (broken->from != NULL) {
        text.len = (size_t)(broken->end - broken->from);
    } else {
        buf_clear(&csv->again);
        buf_add(&csv->again, buf_str(&csv->kept));
        buf_add(&csv->again,
                (struct str){broken->stop, (size_t)(broken->end - broken->stop)});
        text = buf_str(&csv->again);
    }
    buf_clear(&csv->kept);
    turn_to(csv, str_slice(text, csv->quote, text.len));
    begin_row(csv, csv->at, count_lines(str_slice(text, 0, csv->quote)));
    csv->state = INPUT_CSV_PLAIN;
    csv->doubled = false;
    csv->skipping = true; /* the first input_csv_next() does it */
}

bool input_csv_skip(struct input_csv *csv)
{
    struct input_csv_broken broken = csv->broken;

    if (!csv->failed || csv->columns == 0 || broken.how == INPUT_CSV_LOST)
        return false;
    csv->failed = csv->finished = false;
    if (broken.how == INPUT_CSV_OPEN) {
        skip_open(csv, &broken);
        return true;
    }
    bool at_end = broken.stop == broken.end;
    buf_clear(&csv->kept);
    csv->after_cr = !at_end && *broken.stop == '\r';
    begin_row(csv, at_end ? broken.stop : broken.stop + 1, broken.lines);
    return true;
}

bool input_csv_next(struct input_csv *csv, struct input_csv_row *row, struct err *err)
{
    const char *stop = NULL;

    if (csv->failed || csv->finished || !csv->begun || csv->guessing)
        return false;
    if (csv->given) {
        buf_clear(&csv->kept);
        csv->given = false;
    }
    for (;;) {
        if (csv->skipping)
            skip_to_line_end(csv);
        switch (csv->skipping ? WALK_END : walk(csv, &stop)) {
        case WALK_ROW:
            return finish_row(csv, stop, row, err);
        case WALK_STRAY:
            return refuse_stray(csv, stop, err);
        case WALK_LONG:
            return refuse_long(csv, err);
        case WALK_MANY:
            return refuse_many(csv, err);
        case WALK_END:
            break;
        }
        if (csv->last && csv->waiting.len == 0)
            return finish(csv, row, err);
        struct str rest = {csv->at, (size_t)(csv->end - csv->at)};
        buf_add(&csv->kept, rest);
        turn_to(csv, csv->waiting);
        if (csv->waiting.len == 0)
            return false;
        csv->waiting = (struct str){NULL, 0};
    }
}

/* Rows come from csv.c; here is what all tables with heads have in common. */

static bool read_rows(struct input_csv *csv, const struct input_csv_rows *to,
                      struct err *err)
{
    struct input_csv_row row;
    bool head = true;

    while (input_csv_next(csv, &row, err)) {
        if (!(head ? to->head : to->row)(to->context, &row, err))
            return err_at(err, "%s:%lld: ", csv->path, (long long)row.line);
        head = false;
    }
    if (head && !csv->failed)
        return err_set(err, ERR_INPUT, "%s:1: the file is empty; expected a row of heads",
                       csv->path);
    return !csv->failed;
}

bool input_csv_rows_read(struct str text, const char *path,
                         const struct input_csv_rows *to, struct err *err)
{
    struct input_csv csv = {.path = path};
    const char *instead = file_no_text(text);

    if (instead != NULL)
        return err_set(err, ERR_INPUT, "%s: is %s", path, instead);
    input_csv_push(&csv, text, true);
    bool ok = read_rows(&csv, to, err);
    input_csv_free(&csv);
    return ok;
}

size_t input_csv_rows_find(const struct input_csv_row *head, struct str name)
{
    size_t column = 0;

    while (column < head->count && !str_eq(str_trim(head->fields[column]), name))
        column++;
    return column;
}

bool input_csv_rows_need(const struct input_csv_row *head, struct str name,
                         size_t *column, struct err *err)
{
    *column = input_csv_rows_find(head, name);
    if (*column < head->count)
        return true;
    size_t near = near_find(name, head->fields, head->count);
    if (near < head->count)
        return err_set(err, ERR_INPUT, "there is no column '%.*s'; did you mean '%.*s'?",
                       STR_ARG(name), STR_ARG(head->fields[near]));
    struct buf all = {0};
    for (size_t i = 0; i < head->count; i++)
        buf_add_format(&all, "%s%.*s", i > 0 ? ", " : "", STR_ARG(head->fields[i]));
    err_record(err, ERR_INPUT, "there is no column '%.*s'; there are %.*s", STR_ARG(name),
               STR_ARG(str_slice(buf_str(&all), 0, 300)));
    buf_free(&all);
    return false;
}
