/* Documents as the words that count. Reading gives every spelling a number; what is left
 * out, stems, pairs and frequencies are then matters of numbers. */
#include "topic/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/real.h"
#include "learn/features.h"
#include "text/words.h"

enum { SLOTS_FIRST = 1024 };

static struct topic_tokens_slot *slots_of(const struct topic_tokens_table *table)
{
    return (struct topic_tokens_slot *)(void *)table->slots.ptr;
}

static bool is_at(const struct topic_tokens_table *table,
                  const struct topic_tokens_slot *slot, struct str word, uint64_t key)
{
    return slot->key == key && slot->len == word.len &&
           (word.len <= sizeof key ||
            str_eq(topic_tokens_table_name(table, slot->number - 1), word));
}

/* The slot of the word, or the free one where it belongs. The table has slots. */
static struct topic_tokens_slot *find_slot(const struct topic_tokens_table *table,
                                           struct str word, uint64_t key)
{
    struct topic_tokens_slot *slots = slots_of(table);
    size_t mask = table->slots.len / sizeof *slots - 1;

    for (size_t i = topic_tokens_table_place(table, key, word.len);; i = (i + 1) & mask)
        if (slots[i].number == 0 || is_at(table, slots + i, word, key))
            return slots + i;
}

static void grow_slots(struct topic_tokens_table *table)
{
    struct buf old = table->slots;
    size_t bytes =
        old.len > 0 ? 2 * old.len : SLOTS_FIRST * sizeof(struct topic_tokens_slot);

    table->slots = (struct buf){0};
    memset(buf_reserve(&table->slots, bytes), 0, bytes);
    table->slots.len = bytes;
    for (size_t i = 0; i < old.len; i += sizeof(struct topic_tokens_slot)) {
        const struct topic_tokens_slot *slot =
            (struct topic_tokens_slot *)(void *)(old.ptr + i);
        if (slot->number > 0)
            *find_slot(table, topic_tokens_table_name(table, slot->number - 1),
                       slot->key) = *slot;
    }
    buf_free(&old);
}

uint32_t topic_tokens_table_enter(struct topic_tokens_table *table, struct str word,
                                  uint64_t key)
{
    if (2 * (table->count + 1) * sizeof(struct topic_tokens_slot) > table->slots.len)
        grow_slots(table);
    struct topic_tokens_slot *slot = find_slot(table, word, key);
    if (slot->number == 0) {
        struct str name = arena_copy(&table->arena, word);
        *slot =
            (struct topic_tokens_slot){key, (uint32_t)++table->count, (uint32_t)word.len};
        buf_add(&table->names, (struct str){(const char *)&name, sizeof name});
    }
    return slot->number - 1;
}

enum { TOKENS_TABLE_PAD = 16 }; /* bytes behind a word that may be read for its key */

uint32_t topic_tokens_table_number(struct topic_tokens_table *table, struct str word)
{
    char padded[TOKENS_TABLE_PAD] = {0};
    struct str copy = {padded, word.len};

    if (word.len > sizeof padded)
        return topic_tokens_table_put(table, word, topic_tokens_table_key(word));
    if (word.len > 0)
        memcpy(padded, word.ptr, word.len);
    return topic_tokens_table_put(table, copy, topic_tokens_table_key(copy));
}

void topic_tokens_table_free(struct topic_tokens_table *table)
{
    arena_free(&table->arena);
    buf_free(&table->names);
    buf_free(&table->slots);
    table->count = 0;
}

/* Reading gives every spelling a number; what is left out, stems, pairs and frequencies
 * are then matters of numbers. */

/* A pair is taken for one word from this normalised pointwise mutual information on
 * (Bouma, "Normalized (pointwise) mutual information in collocation extraction", GSCL
 * 2009): 0 is chance, 1 is never apart. */
static const double PAIR_NPMI_MIN = 0.5;

static const uint32_t NONE = UINT32_MAX;

/* What questions are made of whatever they are about; stopwords.h keeps these, because
 * they tell kinds of question apart. */
static const struct str asking[] = {
    STR_INIT("able"),      STR_INIT("all"),      STR_INIT("also"),   STR_INIT("any"),
    STR_INIT("anyone"),    STR_INIT("can"),      STR_INIT("cannot"), STR_INIT("could"),
    STR_INIT("don"),       STR_INIT("doesn"),    STR_INIT("get"),    STR_INIT("getting"),
    STR_INIT("got"),       STR_INIT("help"),     STR_INIT("how"),    STR_INIT("know"),
    STR_INIT("like"),      STR_INIT("may"),      STR_INIT("might"),  STR_INIT("more"),
    STR_INIT("need"),      STR_INIT("no"),       STR_INIT("not"),    STR_INIT("now"),
    STR_INIT("one"),       STR_INIT("only"),     STR_INIT("other"),  STR_INIT("out"),
    STR_INIT("please"),    STR_INIT("question"), STR_INIT("should"), STR_INIT("someone"),
    STR_INIT("something"), STR_INIT("thank"),    STR_INIT("thanks"), STR_INIT("tried"),
    STR_INIT("try"),       STR_INIT("trying"),   STR_INIT("up"),     STR_INIT("use"),
    STR_INIT("used"),      STR_INIT("using"),    STR_INIT("want"),   STR_INIT("way"),
    STR_INIT("what"),      STR_INIT("when"),     STR_INIT("where"),  STR_INIT("why"),
    STR_INIT("would"),
};

/* The stream of numbers while it is worked on, in place. */
struct stream {
    uint32_t *at;
    size_t *ends; /* of documents */
    size_t documents, words;
    struct topic_tokens_table *table; /* names of the numbers */
};

/* A word of the text in work: where it stands in the reader's `lower`. */
struct found {
    uint64_t key;
    size_t at;
    uint32_t len;
};

/* Lookups between fetching a slot of the table and reading it. */
enum { AHEAD = 8 };

static size_t find_words(struct topic_tokens_reader *reader, struct str text)
{
    struct text_words_reader words =
        text_words_open(text, TEXT_WORDS_CODE, &reader->lower);
    struct str word;
    size_t count = 0;

    buf_clear(&reader->found);
    while (text_words_next(&words, &word)) {
        if (word.len < 2 || word.len > TOPIC_TOKENS_WORD_MAX)
            continue;
        struct found *found =
            (struct found *)(void *)buf_reserve(&reader->found, sizeof *found);
        found->key = topic_tokens_table_key(word);
        found->at = (size_t)(word.ptr - reader->lower.ptr);
        found->len = (uint32_t)word.len;
        reader->found.len += sizeof *found;
        count++;
    }
    return count;
}

void topic_tokens_add(struct topic_tokens_reader *reader, const struct learn_parts *parts,
                      enum learn_parts_name part)
{
    size_t count = find_words(reader, learn_parts_words(parts, part, &reader->plain));
    const struct found *found = (const struct found *)(const void *)reader->found.ptr;

    list_reserve(&reader->at, count);
    for (size_t i = 0; i < count; i++) {
        struct str word = {reader->lower.ptr + found[i].at, found[i].len};
        if (i + AHEAD < count)
            topic_tokens_table_fetch(&reader->table, found[i + AHEAD].key,
                                     found[i + AHEAD].len);
        reader->at.at[reader->at.count++] =
            topic_tokens_table_put(&reader->table, word, found[i].key);
    }
}

void topic_tokens_end_document(struct topic_tokens_reader *reader)
{
    list_add(&reader->ends, reader->at.count);
}

void topic_tokens_reader_free(struct topic_tokens_reader *reader)
{
    topic_tokens_table_free(&reader->table);
    list_free(&reader->at);
    list_free(&reader->ends);
    buf_free(&reader->lower);
    buf_free(&reader->plain);
    buf_free(&reader->found);
}

/* Puts to[n] for every number n, leaving out NONE. */
static void replace(struct stream *stream, const uint32_t *to)
{
    size_t from = 0, used = 0;

    for (size_t d = 0; d < stream->documents; d++) {
        for (; from < stream->ends[d]; from++) {
            uint32_t number = to[stream->at[from]];
            stream->at[used] = number; /* never ahead of `from` */
            used += number != NONE;
        }
        stream->ends[d] = used;
    }
}

/* One character of several bytes is one character, too. */
static bool is_one_character(struct str word)
{
    for (size_t i = 1; i < word.len; i++)
        if (((unsigned char)word.ptr[i] & 0xC0) != 0x80)
            return false;
    return true;
}

/* Markdown's _emphasis_, and __init__. */
static struct str without_underscores(struct str word)
{
    while (word.len > 0 && word.ptr[0] == '_')
        word = str_slice(word, 1, word.len);
    while (word.len > 0 && word.ptr[word.len - 1] == '_')
        word.len--;
    return word;
}

static bool has_letter(struct str word)
{
    for (size_t i = 0; i < word.len; i++)
        if ((word.ptr[i] >= 'a' && word.ptr[i] <= 'z') || (word.ptr[i] & 0x80) != 0)
            return true;
    return false;
}

static void enter_words(struct str text, struct map *out)
{
    struct buf lower = {0};
    struct text_words_reader words = text_words_open(text, TEXT_WORDS_CODE, &lower);
    struct str word;

    while (text_words_next(&words, &word))
        map_put(out, word);
    buf_free(&lower);
}

/* What stems are called: the form that stands most often in the texts, the first of
 * equals. Forms of different stems differ, so that numbers stay. */
static void name_stems(const struct stream *stream, const uint32_t *to, size_t stems,
                       struct topic_tokens_table *names, struct arena *arena)
{
    size_t all = stream->documents > 0 ? stream->ends[stream->documents - 1] : 0;
    uint32_t *times = arena_array(arena, uint32_t, stream->words + 1);
    uint32_t *best = arena_array(arena, uint32_t, stems + 1);
    struct str *forms = arena_array(arena, struct str, stems + 1);

    for (size_t i = 0; i < all; i++)
        times[stream->at[i]]++;
    for (size_t i = 0; i < stream->words; i++)
        if (to[i] != NONE && (times[i] > best[to[i]] || forms[to[i]].len == 0)) {
            best[to[i]] = times[i];
            forms[to[i]] = without_underscores(topic_tokens_table_name(stream->table, i));
        }
    for (size_t i = 0; i < stems; i++)
        topic_tokens_table_number(names, forms[i]);
}

/* Leaves out stop words and what is not a word, and takes words of one stem for one. */
static void normalise(struct stream *stream, const struct topic_tokens_options *options,
                      struct topic_tokens_table *names, struct arena *arena)
{
    uint32_t *to = arena_array(arena, uint32_t, stream->words + 1);
    struct topic_tokens_table stems = {0};
    struct map stop = {.arena = arena};
    struct text_stem stem = {0};

    text_stem_open(&stem);
    if (options->stop != NULL)
        enter_words(str_from(options->stop), &stop);
    for (size_t i = 0; i < ROWS_OF(asking) && !options->all_words; i++)
        map_put(&stop, asking[i]);
    for (size_t i = 0; i < stream->words; i++) {
        struct str word = without_underscores(topic_tokens_table_name(stream->table, i));
        to[i] = NONE;
        if (is_one_character(word) || !has_letter(word) || map_get(&stop, word) != NULL ||
            (!options->all_words && learn_stopwords_has(word)))
            continue;
        to[i] = options->stems
                    ? topic_tokens_table_number(&stems, text_stem_word(&stem, word))
                    : topic_tokens_table_number(names, word);
    }
    text_stem_close(&stem);
    if (options->stems)
        name_stems(stream, to, stems.count, names, arena);
    topic_tokens_table_free(&stems);
    replace(stream, to);
    stream->table = names;
    stream->words = names->count;
}

static int by_number(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

static uint64_t pair_of(uint32_t first, uint32_t second)
{
    return (uint64_t)first << 32 | second;
}

/* All pairs of neighbours, ascending, a pair as often as it occurs. */
static size_t list_pairs(const struct stream *stream, uint64_t *pairs)
{
    size_t count = 0, from = 0;

    for (size_t d = 0; d < stream->documents; from = stream->ends[d++])
        for (size_t i = from; i + 1 < stream->ends[d]; i++)
            pairs[count++] = pair_of(stream->at[i], stream->at[i + 1]);
    qsort(pairs, count, sizeof *pairs, by_number);
    return count;
}

static double npmi(double both, double first, double second, double all)
{
    return real_log(both * all / (first * second)) / -real_log(both / all);
}

/* Keeps, of all pairs, those that are words of their own; the result is ascending. */
static size_t pick_pairs(const struct stream *stream, size_t count, int64_t times_min,
                         uint64_t *pairs, struct arena *arena)
{
    size_t all = stream->documents > 0 ? stream->ends[stream->documents - 1] : 0,
           used = 0;
    uint32_t *times = arena_array(arena, uint32_t, stream->words + 1);

    for (size_t i = 0; i < all; i++)
        times[stream->at[i]]++;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && pairs[end] == pairs[i]; end++)
            ;
        double first = times[pairs[i] >> 32], second = times[(uint32_t)pairs[i]];
        if ((int64_t)(end - i) >= times_min && end - i < all &&
            npmi((double)(end - i), first, second, (double)all) >= PAIR_NPMI_MIN)
            pairs[used++] = pairs[i];
    }
    return used;
}

/* From left to right; a word is part of one pair at the most. */
static void join_pairs(struct stream *stream, const uint64_t *pairs, size_t count)
{
    size_t from = 0, used = 0;
    struct buf name = {0};

    for (size_t d = 0; d < stream->documents; d++) {
        for (; from < stream->ends[d]; from++) {
            uint32_t number = stream->at[from];
            uint64_t pair =
                from + 1 < stream->ends[d] ? pair_of(number, stream->at[from + 1]) : 0;
            if (from + 1 < stream->ends[d] &&
                bsearch(&pair, pairs, count, sizeof *pairs, by_number) != NULL) {
                buf_clear(&name);
                buf_add(&name, topic_tokens_table_name(stream->table, number));
                buf_add_char(&name, '_');
                buf_add(&name, topic_tokens_table_name(stream->table, (uint32_t)pair));
                number = topic_tokens_table_number(stream->table, buf_str(&name));
                from++;
            }
            stream->at[used++] = number;
        }
        stream->ends[d] = used;
    }
    stream->words = stream->table->count;
    buf_free(&name);
}

static void find_pairs(struct stream *stream, int64_t times_min, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    size_t all = stream->documents > 0 ? stream->ends[stream->documents - 1] : 0;
    uint64_t *pairs = arena_array(arena, uint64_t, all + 1);
    size_t count = list_pairs(stream, pairs);

    count = pick_pairs(stream, count, times_min, pairs, arena);
    join_pairs(stream, pairs, count);
    arena_rewind(arena, mark);
}

/* Without a branch: whether a word stood in the document before is anyone's guess. */
static uint32_t *count_documents(const struct stream *stream, struct arena *arena)
{
    struct {
        uint32_t documents, last; /* the document that it stood in last, from 1 */
    } *words = arena_alloc(arena, stream->words + 1, sizeof *words);
    uint32_t *frequency = arena_array(arena, uint32_t, stream->words + 1);
    size_t from = 0;

    for (size_t d = 0; d < stream->documents; from = stream->ends[d++])
        for (size_t i = from; i < stream->ends[d]; i++) {
            uint32_t word = stream->at[i];
            words[word].documents += words[word].last != (uint32_t)(d + 1);
            words[word].last = (uint32_t)(d + 1);
        }
    for (size_t i = 0; i < stream->words; i++)
        frequency[i] = words[i].documents;
    return frequency;
}

/* Leaves out words in too few or too many documents, and numbers the others anew. */
static void keep_words(struct stream *stream, const struct topic_tokens_options *options,
                       struct arena *arena, struct topic_tokens *out)
{
    uint32_t *all = count_documents(stream, arena), *frequency;
    uint32_t *to = arena_array(arena, uint32_t, stream->words + 1);
    struct str *names = arena_array(arena, struct str, stream->words + 1);
    double most = options->share_max * (double)stream->documents;

    frequency = arena_array(arena, uint32_t, stream->words + 1);
    for (size_t i = 0; i < stream->words; i++) {
        to[i] = NONE;
        if (all[i] == 0 || (int64_t)all[i] < options->documents_min || all[i] > most)
            continue;
        names[out->words] = arena_copy(arena, topic_tokens_table_name(stream->table, i));
        frequency[out->words] = all[i];
        to[i] = (uint32_t)out->words++;
    }
    out->names = names;
    out->frequency = frequency;
    replace(stream, to);
}

static void copy_stream(const struct stream *stream, struct arena *arena,
                        struct topic_tokens *out)
{
    size_t documents = stream->documents;
    size_t all = documents > 0 ? stream->ends[documents - 1] : 0;
    size_t *begin = arena_array(arena, size_t, documents + 1);
    uint32_t *at = arena_array(arena, uint32_t, all + 1);

    if (all > 0)
        memcpy(at, stream->at, all * sizeof *at);
    for (size_t d = 0; d < documents; d++) {
        begin[d + 1] = stream->ends[d];
        out->empty += begin[d + 1] == begin[d];
    }
    out->documents = documents;
    out->begin = begin;
    out->at = at;
}

void topic_tokens_finish(struct topic_tokens_reader *reader,
                         const struct topic_tokens_options *options, struct arena *arena,
                         struct topic_tokens *out)
{
    struct stream stream = {.at = reader->at.at,
                            .ends = reader->ends.at,
                            .documents = reader->ends.count,
                            .words = reader->table.count,
                            .table = &reader->table};
    struct topic_tokens_table names = {0};

    *out = (struct topic_tokens){0};
    normalise(&stream, options, &names, arena);
    if (options->bigrams)
        find_pairs(&stream, options->documents_min, arena);
    keep_words(&stream, options, arena, out);
    copy_stream(&stream, arena, out);
    topic_tokens_table_free(&names);
}

struct topic_tokens topic_tokens_some(const struct topic_tokens *tokens, const bool *keep,
                                      bool value, struct arena *arena)
{
    struct topic_tokens some = *tokens;
    size_t *begin = arena_array(arena, size_t, tokens->documents + 1), used = 0;
    uint32_t *at = arena_array(arena, uint32_t, tokens->begin[tokens->documents] + 1);

    some.documents = some.empty = 0;
    for (size_t d = 0; d < tokens->documents; d++) {
        size_t length = topic_tokens_length(tokens, d);
        if (keep[d] != value)
            continue;
        if (length > 0)
            memcpy(at + used, tokens->at + tokens->begin[d], length * sizeof *at);
        used += length;
        begin[++some.documents] = used;
        some.empty += length == 0;
    }
    some.begin = begin;
    some.at = at;
    return some;
}
