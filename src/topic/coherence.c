/* Of each document the windows that hold a word are bits, so that windows with two words
 * are the bits that both have. */
#include "topic/topic.h"

#include <math.h>

#include "base/real.h"

enum { WINDOW_NPMI = 10, WINDOW_CV = 110 };

static const double TINY = 1e-12;

/* What is counted: of each topic's words, in how many windows each and each pair stands.
 */
struct coherence_counting {
    const struct topic_tokens *tokens;
    const uint32_t *words;
    size_t topics, count;
    size_t window;
    uint32_t *place; /* of each word of the vocabulary: row in work plus 1; 0: none yet */
    double *pairs;   /* [topic][i][j]; i with itself: windows with i */
    double windows;  /* in all */
};

static size_t windows_of(const struct coherence_counting *counting, size_t length)
{
    return length <= counting->window ? 1 : length - counting->window + 1;
}

static void set_bits(uint64_t *bits, size_t from, size_t to)
{
    for (size_t i = from; i <= to;) {
        size_t end = (i / 64 + 1) * 64 - 1 < to ? (i / 64 + 1) * 64 - 1 : to;
        bits[i / 64] |= UINT64_MAX >> (63 - (end - i)) << i % 64;
        i = end + 1;
    }
}

static double count_both(const uint64_t *a, const uint64_t *b, size_t words)
{
    int64_t count = 0;

    for (size_t i = 0; i < words; i++)
        count += __builtin_popcountll(a[i] & b[i]);
    return (double)count;
}

/* The row of bits of a word, a new one if need be. */
static uint64_t *row_of(struct coherence_counting *counting, uint32_t word,
                        uint64_t *rows, size_t row_words, uint32_t *found, size_t *used)
{
    if (counting->place[word] == 1) { /* asked for, not met before */
        found[*used] = word;
        counting->place[word] = (uint32_t)++ * used + 1;
    }
    return rows + (counting->place[word] - 2) * row_words;
}

static void count_topic(struct coherence_counting *counting, size_t topic,
                        const uint64_t *rows, size_t row_words)
{
    const uint32_t *words = counting->words + topic * counting->count;
    double *pairs = counting->pairs + topic * counting->count * counting->count;

    for (size_t i = 0; i < counting->count; i++) {
        uint32_t first = counting->place[words[i]];
        if (first < 2)
            continue;
        for (size_t j = 0; j <= i; j++) {
            uint32_t second = counting->place[words[j]];
            if (second < 2)
                continue;
            pairs[i * counting->count + j] +=
                count_both(rows + (first - 2) * row_words,
                           rows + (second - 2) * row_words, row_words);
        }
    }
}

static void count_document(struct coherence_counting *counting, size_t document,
                           struct arena *arena)
{
    const uint32_t *at = counting->tokens->at + counting->tokens->begin[document];
    size_t length = topic_tokens_length(counting->tokens, document), relevant = 0,
           used = 0;
    size_t windows = windows_of(counting, length), row_words = (windows + 63) / 64;
    struct arena_mark mark = arena_mark(arena);

    if (length == 0)
        return;
    counting->windows += (double)windows;
    for (size_t i = 0; i < length; i++)
        relevant += counting->place[at[i]] > 0;
    size_t most = counting->topics * counting->count;
    most = relevant < most ? relevant : most;
    uint64_t *rows = arena_array(arena, uint64_t, most * row_words + 1);
    uint32_t *found = arena_array(arena, uint32_t, most + 1);
    for (size_t i = 0; i < length; i++)
        if (counting->place[at[i]] > 0)
            set_bits(row_of(counting, at[i], rows, row_words, found, &used),
                     i >= counting->window ? i - counting->window + 1 : 0,
                     i < windows ? i : windows - 1);
    for (size_t k = 0; k < counting->topics && used > 0; k++)
        count_topic(counting, k, rows, row_words);
    for (size_t i = 0; i < used; i++)
        counting->place[found[i]] = 1;
    arena_rewind(arena, mark);
}

/* Fills pairs for windows of that size. */
static void count_windows(struct coherence_counting *counting, size_t window,
                          struct arena *arena)
{
    size_t all = counting->topics * counting->count;

    counting->window = window;
    counting->windows = 0;
    counting->place = arena_array(arena, uint32_t, counting->tokens->words + 1);
    counting->pairs = arena_array(arena, double, all * counting->count + 1);
    for (size_t i = 0; i < all; i++)
        counting->place[counting->words[i]] = 1;
    for (size_t d = 0; d < counting->tokens->documents; d++)
        count_document(counting, d, arena);
}

static double npmi(const struct coherence_counting *counting, const double *pairs,
                   size_t i, size_t j)
{
    size_t count = counting->count, low = i < j ? i : j, high = i < j ? j : i;
    double first = pairs[i * count + i] / counting->windows;
    double second = pairs[j * count + j] / counting->windows;
    double both = pairs[high * count + low] / counting->windows;

    if (both >= 1)
        return 0;
    return real_log((both + TINY) / (first * second)) / -real_log(both + TINY);
}

static double umass_of(const double *pairs, size_t count)
{
    double sum = 0;

    for (size_t i = 1; i < count; i++)
        for (size_t j = 0; j < i; j++)
            sum += real_log((pairs[i * count + j] + 1) / pairs[j * count + j]);
    return sum / (double)(count * (count - 1) / 2);
}

static double npmi_of(const struct coherence_counting *counting, const double *pairs)
{
    size_t count = counting->count;
    double sum = 0;

    for (size_t i = 1; i < count; i++)
        for (size_t j = 0; j < i; j++)
            sum += npmi(counting, pairs, i, j);
    return sum / (double)(count * (count - 1) / 2);
}

static double cv_of(const struct coherence_counting *counting, const double *pairs,
                    struct arena *arena)
{
    size_t count = counting->count;
    struct arena_mark mark = arena_mark(arena);
    double *vectors = arena_array(arena, double, count *count);
    double *all = arena_array(arena, double, count), all_squares = 0, sum = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            vectors[i * count + j] = npmi(counting, pairs, i, j);
            all[j] += vectors[i * count + j];
        }
    for (size_t j = 0; j < count; j++)
        all_squares += all[j] * all[j];
    for (size_t i = 0; i < count; i++) {
        double product = 0, squares = 0;
        for (size_t j = 0; j < count; j++) {
            product += vectors[i * count + j] * all[j];
            squares += vectors[i * count + j] * vectors[i * count + j];
        }
        if (product != 0)
            sum += product / (sqrt(squares) * sqrt(all_squares));
    }
    arena_rewind(arena, mark);
    return sum / (double)count;
}

void topic_coherence_topics(const struct topic_tokens *tokens, const uint32_t *words,
                            size_t topics, size_t count, struct arena *arena,
                            struct topic_coherence *out)
{
    struct arena_mark mark = arena_mark(arena);
    struct coherence_counting counting = {
        .tokens = tokens, .words = words, .topics = topics, .count = count};
    size_t pairs = count * count;

    count_windows(&counting, SIZE_MAX, arena);
    for (size_t k = 0; k < topics; k++)
        out[k].umass = umass_of(counting.pairs + k * pairs, count);
    count_windows(&counting, WINDOW_NPMI, arena);
    for (size_t k = 0; k < topics; k++)
        out[k].npmi = npmi_of(&counting, counting.pairs + k * pairs);
    count_windows(&counting, WINDOW_CV, arena);
    for (size_t k = 0; k < topics; k++)
        out[k].c_v = cv_of(&counting, counting.pairs + k * pairs, arena);
    arena_rewind(arena, mark);
}

struct topic_coherence topic_coherence_mean(const struct topic_coherence *topics,
                                            size_t count)
{
    struct topic_coherence mean = {0};
    size_t known = 0;

    for (size_t k = 0; k < count; k++)
        known += isnan(topics[k].c_v) ? 0 : 1;
    if (known == 0)
        return (struct topic_coherence){NAN, NAN, NAN};
    for (size_t k = 0; k < count; k++) {
        if (isnan(topics[k].c_v))
            continue;
        mean.umass += topics[k].umass / (double)known;
        mean.npmi += topics[k].npmi / (double)known;
        mean.c_v += topics[k].c_v / (double)known;
    }
    return mean;
}
