/* Each part is cut into words and runs of letters; a word is hashed where it stands. */
#include "learn/features_find.h"

#include "learn/features_table.h"
#include "learn/stopwords.h"
#include "text/words.h"

enum {
    PAD = FEATURES_TABLE_PAD,
    SHORT = WORDS_PAD, /* bytes of a word that are copied whether it has them or not */
};

/* A word in the reader's text. */
struct span {
    uint32_t begin, end;
    uint64_t base;
    bool plain; /* it has neither dots nor underscores */
};

static bool wants(const struct features_reader *reader, enum features_kind kind)
{
    return (reader->options.kinds & 1u << kind) != 0;
}

static inline void find_based(struct features_reader *reader, size_t begin, size_t end,
                              unsigned part, enum features_kind kind, uint64_t base)
{
    struct features_found *found =
        (struct features_found *)(void *)buf_reserve(&reader->found, sizeof *found);

    found->hash = features_table_hash(base, part, kind);
    found->at = (uint32_t)begin;
    found->len = (uint16_t)(end - begin);
    found->kind = (uint16_t)kind;
    reader->found.len += sizeof *found;
}

static inline void find(struct features_reader *reader, size_t begin, size_t end,
                        unsigned part, enum features_kind kind)
{
    size_t len = end - begin;

    if (len > 0 && len <= FEATURES_NAME_MAX)
        find_based(reader, begin, end, part, kind,
                   features_table_base(reader->text.ptr + begin, len));
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

struct str features_word(struct str word)
{
    static const char version[3 + WORDS_PAD] = "<v>", number[3 + WORDS_PAD] = "<n>";
    size_t digits = 0, dots = 0, at = word.ptr[0] == 'v' && word.len > 1;
    size_t from = at;

    for (; at < word.len && (is_digit(word.ptr[at]) || word.ptr[at] == '.'); at++) {
        digits += is_digit(word.ptr[at]);
        dots += word.ptr[at] == '.';
    }
    if (at < word.len || digits == 0)
        return word;
    return (struct str){dots >= 2 || from == 1 ? version : number, 3};
}

static bool is_number(const char *text, uint32_t begin, uint32_t end)
{
    while (begin < end && is_digit(text[begin]))
        begin++;
    return begin == end;
}

/* Where the first dot or underscore is, or `end`. Eight bytes at once: a byte of x is 0
 * where the text has the character, and of (x - 1) & ~x the lowest highest bit of a byte
 * that is set is that of the first such byte. Reads up to PAD bytes behind the end. */
static uint32_t find_joint(const char *text, uint32_t at, uint32_t end)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;

    for (; at < end; at += 8) {
        uint64_t bytes = 0;
        for (int i = 0; i < 8; i++) /* compilers make one load of it */
            bytes |= (uint64_t)(unsigned char)text[at + (uint32_t)i] << 8 * i;
        uint64_t dots = bytes ^ ones * '.', lines = bytes ^ ones * '_';
        uint64_t hits = (((dots - ones) & ~dots) | ((lines - ones) & ~lines)) & high;
        if (hits != 0) {
            at += (uint32_t)__builtin_ctzll(hits) / 8;
            break;
        }
    }
    return at < end ? at : end;
}

/* tf.nn.conv2d also as tf, nn and conv2d; the numbers in 18.3.0.canary say nothing. */
static void find_pieces(struct features_reader *reader, struct span word, unsigned part)
{
    const char *text = reader->text.ptr;

    for (uint32_t begin = word.begin, end; begin < word.end; begin = end + 1) {
        end = find_joint(text, begin, word.end);
        if (end > begin && end - begin < word.end - word.begin &&
            !is_number(text, begin, end))
            find(reader, begin, end, part, FEATURES_WORD);
    }
}

static bool names_an_error(struct str word)
{
    char last = word.ptr[word.len - 1]; /* rules out nearly all at once */

    if (last != 'r' && last != 'n' && last != 'g')
        return false;
    return (word.len > 5 && str_ends(word, STR("error"))) ||
           (word.len > 9 && str_ends(word, STR("exception"))) ||
           (word.len > 7 && str_ends(word, STR("warning")));
}

static inline void find_word(struct features_reader *reader, struct span word,
                             unsigned part)
{
    struct str name = {reader->text.ptr + word.begin, word.end - word.begin};

    if (wants(reader, FEATURES_WORD)) {
        find_based(reader, word.begin, word.end, part, FEATURES_WORD, word.base);
        if (!word.plain)
            find_pieces(reader, word, part);
    }
    if (wants(reader, FEATURES_ERROR) && names_an_error(name))
        find_based(reader, word.begin, word.end, part, FEATURES_ERROR, word.base);
}

/* The word, with a blank behind it, goes into the reader's text. */
static inline struct span copy_word(struct features_reader *reader, struct str word,
                                    bool plain)
{
    struct buf *text = &reader->text;
    char *to = buf_reserve(text, FEATURES_NAME_MAX + SHORT + PAD);
    struct span span = {.begin = (uint32_t)text->len,
                        .end = (uint32_t)(text->len + word.len),
                        .base = features_table_base(word.ptr, word.len),
                        .plain = plain};

    memcpy(to, word.ptr, SHORT); /* at once, as compilers know the length */
    if (word.len > SHORT)
        memcpy(to + SHORT, word.ptr + SHORT, word.len - SHORT);
    memset(to + word.len, ' ', PAD); /* find_joint() reads behind the last word */
    text->len += word.len + 1;
    return span;
}

/* Runs of words are found later, when the words behind are known; with them, so are
 * words, since features come in the order of the words that they begin with. */
static void collect_words(struct features_reader *reader, struct str part, unsigned as)
{
    struct words_reader words = words_open(part, WORDS_CODE, &reader->lower);
    bool runs = wants(reader, FEATURES_RUN), kept = runs || wants(reader, FEATURES_STEM);
    struct str word;

    buf_clear(&reader->words);
    while (words_next(&words, &word)) {
        if (word.len > FEATURES_NAME_MAX ||
            (reader->options.no_stop_words && stopwords_has(word)))
            continue;
        if (word.ptr[0] <= '9' || word.ptr[0] == 'v') /* hardly ever */
            word = features_word(word);
        struct span span = copy_word(reader, word, words.plain);
        if (!runs)
            find_word(reader, span, as);
        if (kept)
            buf_add(&reader->words, (struct str){(const char *)&span, sizeof span});
    }
}

static void find_words_and_runs(struct features_reader *reader, unsigned part)
{
    const struct span *words = (const struct span *)(const void *)reader->words.ptr;
    size_t count = reader->words.len / sizeof *words;

    for (size_t i = 0; i < count; i++) {
        uint64_t base = words[i].base;
        find_word(reader, words[i], part);
        for (size_t run = 2; run <= (size_t)reader->options.run_max && i + run <= count;
             run++) {
            size_t begin = words[i].begin, end = words[i + run - 1].end;
            base = features_table_joined(base, words[i + run - 1].base);
            if (end - begin <= FEATURES_NAME_MAX)
                find_based(reader, begin, end, part, FEATURES_RUN, base);
        }
    }
}

static void find_stems(struct features_reader *reader, unsigned part)
{
    size_t count = reader->words.len / sizeof(struct span);

    for (size_t i = 0; i < count; i++) {
        struct span word = ((const struct span *)(const void *)reader->words.ptr)[i];
        struct str stem =
            stem_word(&reader->stem,
                      (struct str){reader->text.ptr + word.begin, word.end - word.begin});
        size_t begin = reader->text.len;
        /* Reserving may move the text, and with it a stem that is the word itself. */
        bool itself = stem.ptr == reader->text.ptr + word.begin;
        buf_reserve(&reader->text, stem.len + PAD);
        if (itself)
            stem.ptr = reader->text.ptr + word.begin;
        buf_add(&reader->text, stem);
        find(reader, begin, reader->text.len, part, FEATURES_STEM);
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* The part in lower case, every run of blanks one blank, one at both ends. */
static size_t collect_letters(struct features_reader *reader, struct str part)
{
    size_t begin = reader->text.len;
    struct buf *text = &reader->text;

    buf_clear(&reader->lower);
    words_lower(part, &reader->lower);
    buf_reserve(text, reader->lower.len + 2 + PAD);
    text->ptr[text->len++] = ' ';
    for (size_t i = 0; i < reader->lower.len; i++) {
        char c = reader->lower.ptr[i];
        if (!is_blank(c))
            text->ptr[text->len++] = c;
        else if (text->ptr[text->len - 1] != ' ')
            text->ptr[text->len++] = ' ';
    }
    if (text->ptr[text->len - 1] != ' ')
        text->ptr[text->len++] = ' ';
    return begin;
}

static size_t next_letter(const char *text, size_t at, size_t end)
{
    for (at++; at < end && ((unsigned char)text[at] & 0xC0) == 0x80;)
        at++;
    return at;
}

/* All runs within one word from its blank before to its blank behind. */
static void find_runs(struct features_reader *reader, struct span word, unsigned part)
{
    const char *text = reader->text.ptr;
    int min = reader->options.letters_min, max = reader->options.letters_max;

    for (size_t at = word.begin; at < word.end; at = next_letter(text, at, word.end)) {
        size_t end = at;
        for (int letters = 1; letters <= max && end < word.end; letters++) {
            end = next_letter(text, end, word.end);
            if (letters >= min)
                find(reader, at, end, part, FEATURES_LETTERS);
        }
    }
}

static void find_letters(struct features_reader *reader, struct str part, unsigned number)
{
    size_t begin = collect_letters(reader, part), end = reader->text.len;

    for (size_t at = begin; at + 1 < end;) {
        const char *blank = memchr(reader->text.ptr + at + 1, ' ', end - at - 1);
        size_t next = (size_t)(blank - reader->text.ptr);
        /* What is longer is no word: a key, a picture, a line of dashes. */
        if (next - at <= FEATURES_NAME_MAX)
            find_runs(reader,
                      (struct span){.begin = (uint32_t)at, .end = (uint32_t)next + 1},
                      number);
        at = next;
    }
}

void features_find(struct features_reader *reader, struct str part, unsigned as)
{
    buf_clear(&reader->text);
    buf_clear(&reader->found);
    collect_words(reader, part, as);
    if (wants(reader, FEATURES_RUN))
        find_words_and_runs(reader, as);
    if (wants(reader, FEATURES_STEM))
        find_stems(reader, as);
    if (wants(reader, FEATURES_LETTERS))
        find_letters(reader, part, as);
}
