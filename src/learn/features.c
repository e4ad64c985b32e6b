/* Each part is cut into words and runs of letters; what is found is hashed first and
 * looked up afterwards, so that the processor can fetch the table's slots ahead. Two
 * features whose 64-bit hashes are the same would be taken for one: with a million
 * features the chance is below 1e-7. */
#include "learn/features.h"

#include <assert.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "learn/stopwords.h"
#include "text/words.h"

const char *const features_kinds[FEATURES_KINDS] = {"word", "stem", "run", "letters",
                                                    "error"};

enum {
    PAD = 8,   /* bytes behind a name that may be read */
    AHEAD = 8, /* lookups between fetching a slot and reading it */
};

/* Something found in the reader's text. */
struct found {
    uint64_t hash;
    uint32_t at;
    uint16_t len, kind;
};

/* A word in the reader's text. */
struct span {
    uint32_t begin, end;
    uint64_t base;
};

struct seen {
    uint32_t row, place;
};

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

/* What a name comes to before its part and kind; short ones are their own bytes. Reads
 * PAD bytes from a short name on. */
static uint64_t base_of(const char *name, size_t len)
{
    uint64_t bytes;

    if (len > PAD)
        return XXH3_64bits(name, len);
    memcpy(&bytes, name, sizeof bytes);
    return bytes & ~UINT64_C(0) >> (64 - 8 * len);
}

/* Of a run of words from those of its words. */
static uint64_t joined(uint64_t before, uint64_t word)
{
    return mix(before * UINT64_C(0x9E3779B97F4A7C15)) ^ word;
}

static uint64_t seeded(uint64_t base, unsigned part, unsigned kind)
{
    uint64_t seed = part * FEATURES_KINDS + kind + 1;

    return mix((base ^ seed << 56) * UINT64_C(0x9E3779B97F4A7C15) + seed);
}

void features_table_free(struct features_table *table)
{
    buf_free(&table->entries);
    buf_free(&table->names);
    buf_free(&table->slots);
    table->count = 0;
}

const struct features_entry *features_entry(const struct features_table *table,
                                            size_t feature)
{
    return (const struct features_entry *)(const void *)table->entries.ptr + feature;
}

struct str features_name(const struct features_table *table, size_t feature)
{
    const struct features_entry *entry = features_entry(table, feature);

    return (struct str){table->names.ptr + entry->name, entry->name_len};
}

static struct features_slot *slots_of(const struct features_table *table)
{
    return (struct features_slot *)(void *)table->slots.ptr;
}

static size_t capacity_of(const struct features_table *table)
{
    return table->slots.len / sizeof(struct features_slot);
}

/* The slot of the hash, or the free one where it belongs. The table has slots. */
static inline struct features_slot *find_slot(struct features_slot *slots, size_t mask,
                                              uint64_t hash)
{
    for (size_t i = hash & mask;; i = (i + 1) & mask)
        if (slots[i].hash == hash || slots[i].next == 0)
            return slots + i;
}

static void grow_slots(struct features_table *table)
{
    size_t capacity = capacity_of(table) == 0 ? 1024 : 2 * capacity_of(table);
    size_t bytes = capacity * sizeof(struct features_slot);

    buf_clear(&table->slots);
    memset(buf_reserve(&table->slots, bytes), 0, bytes);
    table->slots.len = bytes;
    for (size_t i = 0; i < table->count; i++) {
        uint64_t hash = features_entry(table, i)->hash;
        *find_slot(slots_of(table), capacity - 1, hash) =
            (struct features_slot){hash, i + 1};
    }
}

static size_t enter(struct features_table *table, struct features_entry entry,
                    struct str name, bool *fresh)
{
    if (2 * (table->count + 1) > capacity_of(table))
        grow_slots(table);
    struct features_slot *slot =
        find_slot(slots_of(table), capacity_of(table) - 1, entry.hash);
    *fresh = slot->next == 0;
    if (slot->next != 0)
        return slot->next - 1;
    *slot = (struct features_slot){entry.hash, table->count + 1};
    entry.name = table->names.len;
    entry.name_len = (uint32_t)name.len;
    buf_add(&table->names, name);
    buf_add(&table->entries, (struct str){(const char *)&entry, sizeof entry});
    return table->count++;
}

/* The same as the reader finds: a run's from those of its words. */
static uint64_t base_of_feature(enum features_kind kind, struct str name)
{
    char padded[FEATURES_NAME_MAX + PAD] = {0};
    uint64_t base = 0;
    size_t begin = 0;

    memcpy(padded, name.ptr, name.len);
    if (kind != FEATURES_RUN)
        return base_of(padded, name.len);
    for (size_t at = 0; at <= name.len; at++)
        if (at == name.len || padded[at] == ' ') {
            uint64_t word = at > begin ? base_of(padded + begin, at - begin) : 0;
            base = begin == 0 ? word : joined(base, word);
            begin = at + 1;
        }
    return base;
}

size_t features_put(struct features_table *table, enum parts_name part,
                    enum features_kind kind, struct str name, bool *fresh)
{
    struct features_entry entry = {.part = (uint8_t)part, .kind = (uint8_t)kind};
    bool ignored;

    assert(name.len > 0 && name.len <= FEATURES_NAME_MAX);
    entry.hash = seeded(base_of_feature(kind, name), part, kind);
    return enter(table, entry, name, fresh != NULL ? fresh : &ignored);
}

void features_open(struct features_reader *reader, struct features_options options,
                   struct features_table *grown, const struct features_table *fixed)
{
    *reader = (struct features_reader){
        .options = options, .grown = grown, .table = grown != NULL ? grown : fixed};
    if (options.kinds & 1u << FEATURES_STEM)
        stem_open(&reader->stem);
}

void features_close(struct features_reader *reader)
{
    stem_close(&reader->stem);
    buf_free(&reader->lower);
    buf_free(&reader->text);
    buf_free(&reader->words);
    buf_free(&reader->found);
    buf_free(&reader->seen);
    buf_free(&reader->row);
}

static bool wants(const struct features_reader *reader, enum features_kind kind)
{
    return (reader->options.kinds & 1u << kind) != 0;
}

static inline void find_based(struct features_reader *reader, size_t begin, size_t end,
                              unsigned part, enum features_kind kind, uint64_t base)
{
    struct found found = {seeded(base, part, kind), (uint32_t)begin,
                          (uint16_t)(end - begin), (uint16_t)kind};

    buf_add(&reader->found, (struct str){(const char *)&found, sizeof found});
}

static inline void find(struct features_reader *reader, size_t begin, size_t end,
                        unsigned part, enum features_kind kind)
{
    size_t len = end - begin;

    if (len > 0 && len <= FEATURES_NAME_MAX)
        find_based(reader, begin, end, part, kind,
                   base_of(reader->text.ptr + begin, len));
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "42" is any number, "2.1.0" and "v2.1" any version; everything else is itself. */
static struct str placeholder(struct str word)
{
    size_t digits = 0, dots = 0, at = word.ptr[0] == 'v' && word.len > 1;
    size_t from = at;

    for (; at < word.len && (is_digit(word.ptr[at]) || word.ptr[at] == '.'); at++) {
        digits += is_digit(word.ptr[at]);
        dots += word.ptr[at] == '.';
    }
    if (at < word.len || digits == 0)
        return word;
    return dots >= 2 || from == 1 ? STR("<v>") : STR("<n>");
}

/* The words of a part, each with a blank behind it, into the reader's text. */
static void collect_words(struct features_reader *reader, struct str part)
{
    struct words_reader words = words_open(part, WORDS_CODE, &reader->lower);
    struct buf *text = &reader->text;
    struct str word;

    buf_clear(&reader->words);
    while (words_next(&words, &word)) {
        if (word.len > FEATURES_NAME_MAX ||
            (reader->options.no_stop_words && stopwords_has(word)))
            continue;
        word = placeholder(word);
        char *to = buf_reserve(text, FEATURES_NAME_MAX + 1 + PAD);
        memcpy(to, word.ptr, word.len);
        to[word.len] = ' ';
        struct span span = {(uint32_t)text->len, (uint32_t)(text->len + word.len),
                            base_of(to, word.len)};
        text->len += word.len + 1;
        buf_add(&reader->words, (struct str){(const char *)&span, sizeof span});
    }
    memset(buf_reserve(text, PAD), 0, PAD); /* has_joint() reads behind the last word */
}

static bool is_number(const char *text, uint32_t begin, uint32_t end)
{
    while (begin < end && is_digit(text[begin]))
        begin++;
    return begin == end;
}

/* Eight bytes at once: a byte of x is 0 where the text has a dot or an underscore, and
 * then the highest bit of that byte of (x - 1) & ~x is set; behind a borrow it may be set
 * without, which only costs time. Reads up to PAD bytes behind the word. */
static bool has_joint(const char *word, size_t len)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;

    for (size_t at = 0; at < len; at += 8) {
        uint64_t bytes;
        memcpy(&bytes, word + at, sizeof bytes);
        uint64_t dots = bytes ^ ones * '.', lines = bytes ^ ones * '_';
        if (((dots - ones) & ~dots & high) | ((lines - ones) & ~lines & high))
            return true;
    }
    return false;
}

/* tf.nn.conv2d also as tf, nn and conv2d; the numbers in 18.3.0.canary say nothing. */
static void find_pieces(struct features_reader *reader, struct span word, unsigned part)
{
    const char *text = reader->text.ptr;
    uint32_t begin = word.begin;

    if (!has_joint(text + word.begin, word.end - word.begin))
        return;
    for (uint32_t at = word.begin; at <= word.end; at++)
        if (at == word.end || text[at] == '.' || text[at] == '_') {
            if (at > begin && at - begin < word.end - word.begin &&
                !is_number(text, begin, at))
                find(reader, begin, at, part, FEATURES_WORD);
            begin = at + 1;
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

static void find_words(struct features_reader *reader, unsigned part)
{
    const struct span *words = (const struct span *)(const void *)reader->words.ptr;
    size_t count = reader->words.len / sizeof *words;
    size_t run_max = wants(reader, FEATURES_RUN) ? (size_t)reader->options.run_max : 1;

    for (size_t i = 0; i < count; i++) {
        struct str word = {reader->text.ptr + words[i].begin,
                           words[i].end - words[i].begin};
        uint64_t base = words[i].base;
        if (wants(reader, FEATURES_WORD)) {
            find_based(reader, words[i].begin, words[i].end, part, FEATURES_WORD, base);
            find_pieces(reader, words[i], part);
        }
        if (wants(reader, FEATURES_ERROR) && names_an_error(word))
            find_based(reader, words[i].begin, words[i].end, part, FEATURES_ERROR, base);
        for (size_t run = 2; run <= run_max && i + run <= count; run++) {
            size_t begin = words[i].begin, end = words[i + run - 1].end;
            base = joined(base, words[i + run - 1].base);
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
            find_runs(reader, (struct span){(uint32_t)at, (uint32_t)next + 1, 0}, number);
        at = next;
    }
}

/* The feature's number, or SIZE_MAX when it is new and the table does not grow. */
static size_t number_of(struct features_reader *reader, const struct found *found,
                        unsigned part)
{
    if (reader->grown != NULL) {
        bool fresh;
        struct features_entry entry = {
            .hash = found->hash, .part = (uint8_t)part, .kind = (uint8_t)found->kind};
        struct str name = {reader->text.ptr + found->at, found->len};
        return enter(reader->grown, entry, name, &fresh);
    }
    const struct features_table *table = reader->table;
    size_t next = find_slot(slots_of(table), capacity_of(table) - 1, found->hash)->next;
    return next - 1;
}

static struct seen *seen_of(struct features_reader *reader, size_t feature)
{
    size_t bytes = (feature + 1) * sizeof(struct seen), len = reader->seen.len;

    if (len < bytes) {
        bytes = 2 * bytes;
        memset(buf_reserve(&reader->seen, bytes - len), 0, bytes - len);
        reader->seen.len = bytes;
    }
    return (struct seen *)(void *)reader->seen.ptr + feature;
}

/* `from_title` cells at the row's beginning came from the title and give way. */
static void count_one(struct features_reader *reader, size_t feature, size_t from_title)
{
    struct seen *seen = seen_of(reader, feature);
    struct rows_cell cell = {(uint32_t)feature, 1};

    if (seen->row != reader->rows) {
        *seen = (struct seen){reader->rows,
                              (uint32_t)(reader->row.len / sizeof(struct rows_cell))};
        buf_add(&reader->row, (struct str){(const char *)&cell, sizeof cell});
        return;
    }
    struct rows_cell *old = (struct rows_cell *)(void *)reader->row.ptr + seen->place;
    if (seen->place < from_title) { /* from now on it is a body's word */
        seen->place = (uint32_t)(reader->row.len / sizeof(struct rows_cell));
        old->value = 0;
        buf_add(&reader->row, (struct str){(const char *)&cell, sizeof cell});
        return;
    }
    old->value += 1;
}

static void count_found(struct features_reader *reader, unsigned part, size_t from_title)
{
    const struct found *found = (const struct found *)(const void *)reader->found.ptr;
    size_t count = reader->found.len / sizeof *found;

    if (capacity_of(reader->table) == 0 && reader->grown == NULL)
        return;
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count && capacity_of(reader->table) > 0)
            __builtin_prefetch(
                slots_of(reader->table) +
                (found[i + AHEAD].hash & (capacity_of(reader->table) - 1)));
        size_t feature = number_of(reader, found + i, part);
        if (feature != SIZE_MAX)
            count_one(reader, feature, from_title);
    }
}

struct rows_row features_read(struct features_reader *reader, const struct parts *parts)
{
    const struct features_options *options = &reader->options;
    size_t from_title = 0;

    reader->rows++;
    buf_clear(&reader->row);
    for (unsigned part = 0; part < PARTS_COUNT; part++) {
        unsigned as = options->one_part ? 0 : part;
        buf_clear(&reader->text);
        buf_clear(&reader->found);
        collect_words(reader, parts->at[part]);
        find_words(reader, as);
        if (wants(reader, FEATURES_STEM))
            find_stems(reader, as);
        if (wants(reader, FEATURES_LETTERS))
            find_letters(reader, parts->at[part], as);
        count_found(reader, as, from_title);
        if (options->one_part && options->body_wins && part == PARTS_TITLE)
            from_title = reader->row.len / sizeof(struct rows_cell);
    }
    return (struct rows_row){(const struct rows_cell *)(const void *)reader->row.ptr,
                             reader->row.len / sizeof(struct rows_cell)};
}
