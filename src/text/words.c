/* wordmask.h says where words of ASCII, which are nearly all, begin and end. What it is
 * not sure of is decided here, byte by byte; other characters ask letter.h. */
#include "text/words.h"

#include "text/letter.h"
#include "text/utf8.h"

/* What a byte is to a word: what parts words, a lower-case letter or digit, an upper-case
 * letter, and what takes more than one byte to know. */
enum { P, L, U, W = 4 };

/* clang-format off */
static const unsigned char kinds[256] = {
    P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
    P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
    P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
    L, L, L, L, L, L, L, L, L, L, P, P, P, P, P, P,
    P, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U,
    U, U, U, U, U, U, U, U, U, U, U, P, P, P, P, P,
    P, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L,
    L, L, L, L, L, L, L, L, L, L, L, P, P, P, P, P,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
};
/* clang-format on */

static bool is_ascii_digit(unsigned char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_ascii_inside(unsigned char byte)
{
    return kinds[byte] == L || kinds[byte] == U;
}

static bool is_ascii_letter(unsigned char byte)
{
    return is_ascii_inside(byte) && !is_ascii_digit(byte);
}

static bool is_space(unsigned char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* The byte at a place, 0 beyond the text. */
static unsigned char byte_at(struct str text, size_t at)
{
    return at < text.len ? (unsigned char)text.ptr[at] : 0;
}

/* How many bytes the character at `at` has (at < text.len), and its code. */
static size_t read_one(struct str text, size_t at, uint32_t *code)
{
    *code = (unsigned char)text.ptr[at];
    return *code < 0x80 ? 1 : utf8_read(text, at, code);
}

/* Whether words are made of what stands at `at`. */
static bool in_word(struct str text, size_t at)
{
    unsigned char byte = byte_at(text, at);
    uint32_t code;

    if (kinds[byte] != W)
        return kinds[byte] != P;
    utf8_read(text, at, &code);
    return letter_in_word(code);
}

static bool in_word_before(struct str text, size_t at)
{
    uint32_t code;

    if (at == 0)
        return false;
    utf8_read_back(text, at, &code);
    return letter_in_word(code);
}

static size_t skip_underscores(struct str text, size_t at)
{
    while (byte_at(text, at) == '_')
        at++;
    return at;
}

/* With WORDS_CODE: how many bytes at `at`, behind a character of a word, belong to the
 * word although words are not made of them. */
static size_t joint(struct str text, size_t at)
{
    unsigned char byte = byte_at(text, at), next = byte_at(text, at + 1);
    bool letter = is_ascii_letter(byte_at(text, at - 1));

    if (byte == '_')
        return 1;
    if (byte == '.')
        return in_word(text, skip_underscores(text, at + 1));
    if (byte == '#' && letter)
        return next != '#' && next != '_' && !in_word(text, at + 1);
    if (byte == '+' && letter && next == '+') {
        next = byte_at(text, at + 2);
        if (is_ascii_digit(next) ||
            (next != '+' && next != '_' && !in_word(text, at + 2)))
            return 2;
    }
    return 0;
}

/* With WORDS_CODE: whether the dot at `at` begins a word. */
static bool dot_begins(struct str text, size_t at)
{
    unsigned char before = at > 0 ? byte_at(text, at - 1) : ' ';

    return (is_space(before) || before == '(' || before == '"' || before == '\'') &&
           is_ascii_letter(byte_at(text, at + 1));
}

/* With WORDS_CODE: the same as find_word. */
static size_t find_name(struct str text, size_t at)
{
    while (at < text.len && !in_word(text, at)) {
        size_t underscores;
        uint32_t code;
        if (kinds[(unsigned char)text.ptr[at]] == P && text.ptr[at] != '_' &&
            text.ptr[at] != '.') {
            at++; /* nearly always */
            continue;
        }
        underscores = skip_underscores(text, at);
        if (underscores > at) {
            if (in_word(text, underscores))
                break;
            at = underscores;
            continue;
        }
        if (text.ptr[at] == '.' && dot_begins(text, at))
            break;
        at += read_one(text, at, &code);
    }
    return at;
}

/* The place at or after `at` where a word begins; text.len when none does. */
static size_t find_word(struct str text, size_t at)
{
    while (at < text.len) {
        unsigned char kind = kinds[(unsigned char)text.ptr[at]];
        uint32_t code;
        size_t len;
        if (kind == P) {
            at++;
            continue;
        }
        if (kind != W)
            break;
        len = utf8_read(text, at, &code);
        if (letter_in_word(code))
            break;
        at += len;
    }
    return at;
}

/* Where a word ends that goes on up to `at` at least. *folds becomes true when it has
 * characters beyond ASCII from there on whose lower case is another. */
static size_t end_word(struct str text, size_t at, bool code_names, bool *folds)
{
    for (;;) {
        unsigned kind = P;
        uint32_t code;
        size_t more;
        for (; at < text.len; at++) {
            kind = kinds[(unsigned char)text.ptr[at]];
            if (kind == P || kind == W)
                break;
        }
        if (at == text.len)
            return at;
        if (kind == W) {
            more = utf8_read(text, at, &code);
            if (!letter_in_word(code))
                return at;
            *folds |= letter_fold(code) != code;
        } else {
            more = code_names ? joint(text, at) : 0;
            if (more == 0)
                return at;
        }
        at += more;
    }
}

/* The reader's buffer holds the masks, then the text in lower case as far as ASCII goes,
 * then WORDS_PAD blanks. Words with other letters are lowered behind all that, one behind
 * the other. */
struct words_reader words_open(struct str text, unsigned how, struct buf *lower)
{
    struct words_reader reader = {
        .text = text, .how = how, .lower = lower, .left = ~UINT64_C(0)};
    size_t count = wordmask_count(text);
    size_t lowered = count * WORDMASK_BLOCK;

    buf_clear(lower);
    reader.lowered = count * sizeof(struct wordmask);
    buf_reserve(lower, reader.lowered + lowered + WORDS_PAD);
    wordmask_find(text, (how & WORDS_CODE) != 0, (struct wordmask *)(void *)lower->ptr,
                  lower->ptr + reader.lowered);
    memset(lower->ptr + reader.lowered + lowered, ' ', WORDS_PAD);
    lower->len = reader.lowered + lowered + WORDS_PAD;
    return reader;
}

/* Writes text in lower case to out, which has room for half as much again: no character
 * but U+023A and U+023E has a longer one, three bytes for two. */
static size_t write_lower(struct str text, char *out)
{
    size_t len = 0;

    for (size_t at = 0; at < text.len;) {
        unsigned char byte = (unsigned char)text.ptr[at];
        uint32_t code, folded;
        size_t more;
        if (byte < 0x80) {
            out[len++] = (char)(kinds[byte] == U ? byte + ('a' - 'A') : byte);
            at++;
            continue;
        }
        more = utf8_read(text, at, &code);
        folded = letter_fold(code);
        if (folded != code) {
            len += utf8_write(folded, out + len);
        } else {
            memcpy(out + len, text.ptr + at, more);
            len += more;
        }
        at += more;
    }
    return len;
}

/* Gives the word out. `folds`: it has letters beyond ASCII that change. */
static bool give_word(struct words_reader *reader, size_t begin, size_t end, bool folds,
                      struct str *word)
{
    struct buf *lower = reader->lower;

    reader->begin = begin;
    reader->end = end;
    reader->block = end / WORDMASK_BLOCK;
    reader->left = ~UINT64_C(0) << end % WORDMASK_BLOCK;
    *word = (struct str){lower->ptr + reader->lowered + begin, end - begin};
    if (folds) {
        struct str raw = str_slice(reader->text, begin, end);
        char *out = buf_reserve(lower, raw.len + raw.len / 2 + WORDS_PAD);
        *word = (struct str){out, write_lower(raw, out)};
        memset(out + word->len, ' ', WORDS_PAD);
        lower->len += word->len;
    }
    return true;
}

static bool is_code(const struct words_reader *reader)
{
    return (reader->how & WORDS_CODE) != 0;
}

bool words_look_closer(struct words_reader *reader, size_t at, struct str *word)
{
    struct str text = reader->text;
    size_t begin = is_code(reader) ? find_name(text, at) : find_word(text, at), end;
    bool folds = false;

    if (begin == text.len) {
        give_word(reader, begin, begin, false, word);
        return false;
    }
    reader->plain = false;
    end = end_word(text, begin + (text.ptr[begin] == '.'), is_code(reader), &folds);
    return give_word(reader, begin, end, folds, word);
}

/* The first place from `at` on where the masks have a stop; *sure is whether they are. */
static size_t next_stop(const struct words_reader *reader, size_t at, bool *sure)
{
    const struct wordmask *mask =
        (const struct wordmask *)(const void *)reader->lower->ptr;
    size_t block = at / WORDMASK_BLOCK;
    uint64_t stops = mask[block].stops & ~UINT64_C(0) << at % WORDMASK_BLOCK;

    while (stops == 0)
        stops = mask[++block].stops;
    *sure = (mask[block].unsure & stops & -stops) == 0;
    return block * WORDMASK_BLOCK + (size_t)__builtin_ctzll(stops);
}

/* Names of code with ASCII around their joints, which most are, go from stop to stop. */
bool words_go_on(struct words_reader *reader, size_t begin, size_t at, struct str *word)
{
    struct str text = reader->text;
    bool folds = false, sure = false;
    size_t end = at;

    while (!sure && is_code(reader) && end + 1 < text.len &&
           (text.ptr[end] == '_' ||
            (text.ptr[end] == '.' && is_ascii_inside((unsigned char)text.ptr[end + 1]))))
        end = next_stop(reader, end + 1, &sure);
    if (!sure)
        end = end_word(text, end, is_code(reader), &folds);
    reader->plain = end == at;
    return give_word(reader, begin, end, folds, word);
}

void words_lower(struct str text, struct buf *out)
{
    if (text.len > 0)
        out->len += write_lower(text, buf_reserve(out, text.len + text.len / 2));
}

struct words words_split(struct str text, unsigned how, struct arena *arena)
{
    struct buf lower = {0};
    struct words_reader reader = words_open(text, how, &lower);
    struct words words = {0};
    struct str word;
    size_t bytes = 0, count = 0;

    for (; words_next(&reader, &word); count++)
        bytes += word.len;
    words.at = arena_array(arena, struct str, count);
    char *out = arena_array(arena, char, bytes);
    reader.block = 0;
    reader.left = ~UINT64_C(0);
    while (words_next(&reader, &word)) {
        words.at[words.count++] = (struct str){memcpy(out, word.ptr, word.len), word.len};
        out += word.len;
    }
    buf_free(&lower);
    return words;
}

/* Whether `place` is within a character. */
static bool within(struct str text, size_t place)
{
    for (size_t back = 1; back <= 3 && back <= place && place < text.len; back++) {
        uint32_t code;
        if ((text.ptr[place - back + 1] & 0xC0) != 0x80)
            break;
        if (utf8_read(text, place - back, &code) > back)
            return true;
    }
    return false;
}

bool words_boundary(struct str text, size_t place)
{
    return !within(text, place) && in_word_before(text, place) != in_word(text, place);
}

static bool cuts(struct str text, size_t place)
{
    return within(text, place) || (in_word_before(text, place) && in_word(text, place));
}

bool words_whole(struct str text, size_t begin, size_t end)
{
    return !cuts(text, begin) && !cuts(text, end);
}
