/* From a text to its terms. Each word is stemmed once and remembered: a corpus has few
 * words. */
#include "search/internal.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

#include "extract/errors.h"
#include "text/utf8.h"

enum { WORD_MAX = 80 }; /* bytes; what is longer is data */

/* Seeds of hashes: the same letters as a word and as a tag are two terms. */
enum { OF_WORD, OF_MESSAGE, OF_FRAME, OF_TAG, OF_VECTOR };

/* What a word weighs by where it stands. */
static const struct {
    float term, vector;
} weights[LEARN_PARTS_COUNT] = {
    [LEARN_PARTS_TITLE] = {3, 2},
    [LEARN_PARTS_PROSE] = {1, 1},
    [LEARN_PARTS_CODE] = {0.5F, 0},
};
static const float message_weight = 3, frame_weight = 2, tag_weight = 2;

/* Usual values; Robertson and Zaragoza, 3.2. */
static const double saturation = 1.2, by_length = 0.75;

void search_reader_free(struct search_reader *reader)
{
    text_stem_close(&reader->stem);
    buf_free(&reader->lower);
    buf_free(&reader->scratch);
    list_free(&reader->terms);
    list_free(&reader->slots);
    list_free(&reader->known);
}

double search_saturated(double weight, double length, double average)
{
    double norm = average > 0 ? length / average : 1;

    return weight / (weight + saturation * (1 - by_length + by_length * norm));
}

uint64_t search_word_hash(struct str word)
{
    return XXH3_64bits_withSeed(word.ptr, word.len, OF_VECTOR);
}

static void add_term(struct search_reader *reader, uint64_t hash, float weight)
{
    list_add(&reader->terms, ((struct search_term){hash, weight}));
}

static bool is_number(struct str word)
{
    for (size_t i = 0; i < word.len; i++)
        if ((word.ptr[i] < '0' || word.ptr[i] > '9') && word.ptr[i] != '.')
            return false;
    return true;
}

/* What there is to know of a word. */
static struct search_known known_word(struct search_reader *reader, struct str word,
                                      const struct search_rows *rows)
{
    size_t before = reader->words.count;
    size_t place = map_number(&reader->words, word);

    if (place < before)
        return reader->known.at[place];
    if (reader->stem.snowball == NULL)
        text_stem_open(&reader->stem);
    struct str stem = text_stem_word(&reader->stem, word);
    struct search_known known = {
        .hash = XXH3_64bits_withSeed(stem.ptr, stem.len, OF_WORD),
        .row = rows->row_of(rows->context, word),
        .counts = !learn_stopwords_has(word) && !is_number(word) && word.len > 1};
    list_add(&reader->known, known);
    return known;
}

static void add_word(struct search_reader *reader, struct str word, float weight,
                     float vector, const struct search_rows *rows)
{
    struct search_known known = known_word(reader, word, rows);

    if (known.counts) {
        add_term(reader, known.hash, weight);
        reader->length += (double)weight;
    }
    if (reader->vector != NULL && vector > 0 && known.row != LEARN_VECTORS_NONE) {
        const float *row = rows->row(rows->context, known.row);
        for (size_t d = 0; d < reader->dimensions; d++)
            reader->vector[d] += vector * row[d];
    }
}

static bool parts_words(char c)
{
    return c == '.' || c == '_';
}

/* tf.nn.conv2d: tf, nn and conv2d as well. */
static void add_pieces(struct search_reader *reader, struct str word, float weight,
                       const struct search_rows *rows)
{
    for (size_t begin = 0, end; begin < word.len; begin = end + 1) {
        for (end = begin; end < word.len && !parts_words(word.ptr[end]);)
            end++;
        if (end > begin && end - begin < word.len)
            add_word(reader, str_slice(word, begin, end), weight, 0, rows);
    }
}

/* Letters of scripts that part no words have at least this as their first byte. */
enum { UNSPACED_FIRST = 0xE0 };

static bool has_unspaced(struct str word)
{
    uint32_t code;

    for (size_t at = 0; at < word.len;) {
        if ((unsigned char)word.ptr[at] < UNSPACED_FIRST) {
            at++;
            continue;
        }
        at += text_utf8_read(word, at, &code);
        if (text_letter_unspaced(code))
            return true;
    }
    return false;
}

/* A run of letters of one manner: a name as a word, a clause as its pairs of letters. */
static void add_run(struct search_reader *reader, struct str run, bool unspaced,
                    unsigned part, const struct search_rows *rows)
{
    size_t before = 0, at = 0;
    uint32_t code;

    if (!unspaced) {
        /* What joins names does not join a name to a clause. */
        while (run.len > 0 && parts_words(run.ptr[0]))
            run = str_slice(run, 1, run.len);
        while (run.len > 0 && parts_words(run.ptr[run.len - 1]))
            run.len--;
        if (run.len > 0 && run.len <= WORD_MAX) {
            add_word(reader, run, weights[part].term, weights[part].vector, rows);
            add_pieces(reader, run, weights[part].term / 2, rows);
        }
        return;
    }
    at = text_utf8_read(run, 0, &code);
    if (at == run.len)
        add_word(reader, run, weights[part].term, weights[part].vector, rows);
    while (at < run.len) {
        size_t end = at + text_utf8_read(run, at, &code);
        add_word(reader, str_slice(run, before, end), weights[part].term,
                 weights[part].vector, rows);
        before = at;
        at = end;
    }
}

static void add_runs(struct search_reader *reader, struct str word, unsigned part,
                     const struct search_rows *rows)
{
    bool unspaced = false;
    size_t begin = 0;
    uint32_t code;

    for (size_t at = 0, bytes; at < word.len; at += bytes) {
        bytes = text_utf8_read(word, at, &code);
        bool now = text_letter_unspaced(code);
        if (at > begin && now != unspaced) {
            add_run(reader, str_slice(word, begin, at), unspaced, part, rows);
            begin = at;
        }
        unspaced = now;
    }
    add_run(reader, str_slice(word, begin, word.len), unspaced, part, rows);
}

static void add_words(struct search_reader *reader, struct str text, unsigned part,
                      const struct search_rows *rows)
{
    struct text_words_reader words =
        text_words_open(text, TEXT_WORDS_CODE, &reader->lower);
    float weight = weights[part].term;
    struct str word;

    while (text_words_next(&words, &word)) {
        if (!words.plain && has_unspaced(word)) {
            add_runs(reader, word, part, rows);
            continue;
        }
        if (word.len > WORD_MAX)
            continue;
        add_word(reader, word, weight, weights[part].vector, rows);
        if (!words.plain)
            add_pieces(reader, word, weight / 2, rows);
    }
}

static void take_error(void *context, const struct extract_error *error)
{
    struct search_reader *reader = context;

    if (error->message.len > 0)
        add_term(reader,
                 XXH3_64bits_withSeed(error->message.ptr, error->message.len, OF_MESSAGE),
                 message_weight);
}

static void take_frame(void *context, const struct extract_frame *frame)
{
    struct search_reader *reader = context;
    XXH64_hash_t seed = XXH3_64bits_withSeed(frame->file.ptr, frame->file.len, OF_FRAME);

    add_term(reader, XXH3_64bits_withSeed(frame->function.ptr, frame->function.len, seed),
             frame_weight);
}

/* Tags as "<a><b>", "|a|b|" or "a b". */
static void add_tags(struct search_reader *reader, struct str tags)
{
    for (size_t begin = 0, end; begin < tags.len; begin = end + 1) {
        for (end = begin; end < tags.len && strchr("<>| ,;", tags.ptr[end]) == NULL;)
            end++;
        if (end > begin)
            add_term(reader, XXH3_64bits_withSeed(tags.ptr + begin, end - begin, OF_TAG),
                     tag_weight);
    }
}

/* Each term once, in the order in which they first came. */
static void merge_terms(struct search_reader *reader)
{
    size_t count = 0, room = 64;

    while (room < 2 * reader->terms.count)
        room *= 2;
    list_clear(&reader->slots);
    list_reserve(&reader->slots, room);
    memset(reader->slots.at, 0, room * sizeof *reader->slots.at);
    for (size_t i = 0; i < reader->terms.count; i++) {
        struct search_term term = reader->terms.at[i];
        size_t slot = term.hash & (room - 1);
        while (reader->slots.at[slot] != 0 &&
               reader->terms.at[reader->slots.at[slot] - 1].hash != term.hash)
            slot = (slot + 1) & (room - 1);
        if (reader->slots.at[slot] != 0) {
            reader->terms.at[reader->slots.at[slot] - 1].weight += term.weight;
        } else {
            reader->terms.at[count++] = term;
            reader->slots.at[slot] = (uint32_t)count;
        }
    }
    reader->terms.count = count;
}

void search_read(struct search_reader *reader, const struct learn_parts *text,
                 const struct search_rows *rows)
{
    static const unsigned parts[] = {LEARN_PARTS_TITLE, LEARN_PARTS_PROSE,
                                     LEARN_PARTS_CODE};

    reader->words.arena = reader->arena;
    list_clear(&reader->terms);
    reader->length = 0;
    for (size_t d = 0; reader->vector != NULL && d < reader->dimensions; d++)
        reader->vector[d] = 0;
    for (size_t p = 0; p < ROWS_OF(parts); p++) {
        add_words(reader, text->at[parts[p]], parts[p], rows);
        extract_errors(text->at[parts[p]], EXTRACT_ANYWHERE, &reader->scratch, take_error,
                       reader);
        extract_frames(text->at[parts[p]], take_frame, reader);
    }
    add_tags(reader, text->at[LEARN_PARTS_TAGS]);
    merge_terms(reader);
}

void search_pack_vector(const float *from, size_t dimensions, int8_t *to)
{
    double sum = 0;

    for (size_t d = 0; d < dimensions; d++)
        sum += (double)from[d] * (double)from[d];
    for (size_t d = 0; d < dimensions; d++)
        to[d] = sum > 0 && isfinite(sum)
                    ? (int8_t)lrint(127 * (double)from[d] / sqrt(sum))
                    : 0;
}
