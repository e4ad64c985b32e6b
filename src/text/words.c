/* ASCII, which is nearly everything, is decided here; other characters ask letter.h. */
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

static bool is_ascii_letter(unsigned char byte)
{
    return (kinds[byte] == L || kinds[byte] == U) && !is_ascii_digit(byte);
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

/* Where the word ends that begins at `at`. *changes becomes true when its lower case is
 * not itself. */
static size_t end_word(struct str text, size_t at, bool code_names, bool *changes)
{
    unsigned seen = 0;

    if (text.ptr[at] == '.')
        at++;
    for (;;) {
        unsigned kind = P;
        uint32_t code;
        size_t more;
        for (; at < text.len; at++) {
            kind = kinds[(unsigned char)text.ptr[at]];
            if (kind == P || kind == W)
                break;
            seen |= kind;
        }
        *changes |= (seen & U) != 0;
        if (at == text.len)
            return at;
        if (kind == W) {
            more = utf8_read(text, at, &code);
            if (!letter_in_word(code))
                return at;
            *changes |= letter_fold(code) != code;
        } else {
            more = code_names ? joint(text, at) : 0;
            if (more == 0)
                return at;
        }
        at += more;
    }
}

struct words_reader words_open(struct str text, unsigned how, struct buf *lower)
{
    return (struct words_reader){.text = text, .how = how, .lower = lower};
}

/* Finds the next word; false at the end. */
static bool next_word(struct words_reader *reader, bool *changes)
{
    bool code_names = (reader->how & WORDS_CODE) != 0;

    *changes = false;
    reader->begin = code_names ? find_name(reader->text, reader->end)
                               : find_word(reader->text, reader->end);
    reader->end = reader->begin;
    if (reader->begin == reader->text.len)
        return false;
    reader->end = end_word(reader->text, reader->begin, code_names, changes);
    return true;
}

bool words_next(struct words_reader *reader, struct str *word)
{
    bool changes;

    if (!next_word(reader, &changes))
        return false;
    *word = (struct str){reader->text.ptr + reader->begin, reader->end - reader->begin};
    if (changes) {
        buf_clear(reader->lower);
        words_lower(*word, reader->lower);
        *word = buf_str(reader->lower);
    }
    return true;
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

void words_lower(struct str text, struct buf *out)
{
    if (text.len > 0)
        out->len += write_lower(text, buf_reserve(out, text.len + text.len / 2));
}

struct words words_split(struct str text, unsigned how, struct arena *arena)
{
    struct words_reader reader = words_open(text, how, NULL);
    struct words words = {0};
    size_t bytes = 0, count = 0;
    char *lower;
    bool changes;

    while (next_word(&reader, &changes)) {
        count++;
        bytes += reader.end - reader.begin;
    }
    words.at = arena_array(arena, struct str, count);
    lower = arena_array(arena, char, bytes + bytes / 2);
    reader = words_open(text, how, NULL);
    while (next_word(&reader, &changes)) {
        struct str word = str_slice(text, reader.begin, reader.end);
        size_t len = write_lower(word, lower);
        words.at[words.count++] = (struct str){lower, len};
        lower += len;
    }
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
