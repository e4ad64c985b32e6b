/* Word vectors: reading, counting neighbours, factoring the table, and the rows that
 * follow. */
#include "learn/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/real.h"
#include "base/rng.h"
#include "learn/internal.h"
#include "text/words.h"

enum {
    SPARE = 10,  /* directions beyond those asked for, which makes these exact */
    ROUNDS = 4,  /* of multiplying by the matrix and back */
    SWEEPS = 60, /* of rotations; a dozen are enough */
};

/* rows x wide = matrix * (columns x wide) */
static void multiply(const struct learn_rows *matrix, const double *by, size_t wide,
                     double *out)
{
    memset(out, 0, matrix->count * wide * sizeof *out);
    for (size_t i = 0; i < matrix->count; i++) {
        struct learn_rows_row row = learn_rows_at(matrix, i);
        for (size_t c = 0; c < row.count; c++) {
            const double *from = by + row.cells[c].column * wide;
            double value = (double)row.cells[c].value;
            for (size_t k = 0; k < wide; k++)
                out[i * wide + k] += value * from[k];
        }
    }
}

/* columns x wide = matrix transposed * (rows x wide) */
static void multiply_back(const struct learn_rows *matrix, const double *by, size_t wide,
                          double *out)
{
    memset(out, 0, matrix->columns * wide * sizeof *out);
    for (size_t i = 0; i < matrix->count; i++) {
        struct learn_rows_row row = learn_rows_at(matrix, i);
        for (size_t c = 0; c < row.count; c++) {
            double *to = out + row.cells[c].column * wide;
            double value = (double)row.cells[c].value;
            for (size_t k = 0; k < wide; k++)
                to[k] += value * by[i * wide + k];
        }
    }
}

/* The products of all pairs of columns. */
static void products(const double *table, size_t count, size_t wide, double *out)
{
    memset(out, 0, wide * wide * sizeof *out);
    for (size_t i = 0; i < count; i++) {
        const double *row = table + i * wide;
        for (size_t a = 0; a < wide; a++)
            for (size_t b = 0; b < wide; b++)
                out[a * wide + b] += row[a] * row[b];
    }
}

/* In place, the lower triangle L of L L' = square. A direction that adds nothing to those
 * before it has 0 on the diagonal. */
static void cholesky(double *square, size_t wide)
{
    double largest = 0;

    for (size_t a = 0; a < wide; a++)
        largest = fmax(largest, square[a * wide + a]);
    for (size_t a = 0; a < wide; a++)
        for (size_t b = 0; b <= a; b++) {
            double sum = square[a * wide + b];
            for (size_t k = 0; k < b; k++)
                sum -= square[a * wide + k] * square[b * wide + k];
            double pivot = square[b * wide + b];
            if (a == b)
                square[a * wide + a] = sum > 1e-14 * largest ? sqrt(sum) : 0;
            else
                square[a * wide + b] = pivot > 0 ? sum / pivot : 0;
        }
}

/* Makes the columns orthonormal, twice, because once leaves the rounding of nearly
 * parallel ones; a column that depends on those before it becomes 0. */
static void orthonormalise(double *table, size_t count, size_t wide, double *square)
{
    for (int round = 0; round < 2; round++) {
        products(table, count, wide, square);
        cholesky(square, wide);
        for (size_t i = 0; i < count; i++)
            for (size_t a = 0; a < wide; a++) {
                double *row = table + i * wide, sum = row[a];
                double pivot = square[a * wide + a];
                for (size_t k = 0; k < a; k++)
                    sum -= square[a * wide + k] * row[k];
                row[a] = pivot > 0 ? sum / pivot : 0;
            }
    }
}

/* Turns rows and columns a and b of the square so that their product becomes 0, and
 * collects the turns in vectors. */
static void rotate(double *square, double *vectors, size_t wide, size_t a, size_t b)
{
    double off = square[a * wide + b];

    if (off == 0)
        return;
    double theta = (square[b * wide + b] - square[a * wide + a]) / (2 * off);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double cosine = 1 / sqrt(t * t + 1), sine = t * cosine;

    for (size_t k = 0; k < wide; k++) {
        double x = square[k * wide + a], y = square[k * wide + b];
        square[k * wide + a] = cosine * x - sine * y;
        square[k * wide + b] = sine * x + cosine * y;
    }
    for (size_t k = 0; k < wide; k++) {
        double x = square[a * wide + k], y = square[b * wide + k];
        square[a * wide + k] = cosine * x - sine * y;
        square[b * wide + k] = sine * x + cosine * y;
        x = vectors[k * wide + a], y = vectors[k * wide + b];
        vectors[k * wide + a] = cosine * x - sine * y;
        vectors[k * wide + b] = sine * x + cosine * y;
    }
}

/* Eigenvectors of a symmetric square, as columns, by Jacobi's rotations; its diagonal
 * becomes the eigenvalues. */
static void diagonalise(double *square, double *vectors, size_t wide)
{
    memset(vectors, 0, wide * wide * sizeof *vectors);
    for (size_t a = 0; a < wide; a++)
        vectors[a * wide + a] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double off = 0, all = 0;
        for (size_t a = 0; a < wide; a++)
            for (size_t b = 0; b < wide; b++) {
                double value = square[a * wide + b] * square[a * wide + b];
                all += value;
                off += a != b ? value : 0;
            }
        if (off <= 1e-28 * all)
            return;
        for (size_t a = 0; a < wide; a++)
            for (size_t b = a + 1; b < wide; b++)
                rotate(square, vectors, wide, a, b);
    }
}

/* The directions in the order of their values, largest first. */
static size_t *by_value(const double *square, size_t wide, struct arena *arena)
{
    size_t *order = arena_array(arena, size_t, wide);

    for (size_t a = 0; a < wide; a++) {
        size_t place = a;
        for (;
             place > 0 && square[order[place - 1] * (wide + 1)] < square[a * (wide + 1)];
             place--)
            order[place] = order[place - 1];
        order[place] = a;
    }
    return order;
}

/* basis (rows x wide) turned into the strongest directions. */
static void take_strongest(const double *basis, size_t count, double *square, size_t wide,
                           struct arena *arena, struct learn_factor *out)
{
    double *vectors = arena_array(arena, double, wide *wide);

    diagonalise(square, vectors, wide);
    const size_t *order = by_value(square, wide, arena);
    for (size_t k = 0; k < out->rank; k++) {
        size_t from = order[k];
        out->values[k] = sqrt(fmax(square[from * (wide + 1)], 0));
        for (size_t i = 0; i < count; i++) {
            double sum = 0;
            for (size_t a = 0; a < wide; a++)
                sum += basis[i * wide + a] * vectors[a * wide + from];
            out->left[i * out->rank + k] = sum;
        }
    }
}

struct learn_factor learn_factor_make(const struct learn_rows *matrix, size_t rank,
                                      struct rng *rng, struct arena *arena)
{
    size_t most = matrix->count < matrix->columns ? matrix->count : matrix->columns;
    struct learn_factor out = {.rank = rank < most ? rank : most};
    size_t wide = out.rank + SPARE < most ? out.rank + SPARE : most;

    out.left = arena_array(arena, double, matrix->count *out.rank + 1);
    out.values = arena_array(arena, double, out.rank + 1);
    struct arena_mark mark = arena_mark(arena);
    double *basis = arena_array(arena, double, matrix->count *wide + 1);
    double *back = arena_array(arena, double, matrix->columns *wide + 1);
    double *square = arena_array(arena, double, wide *wide + 1);

    for (size_t i = 0; i < matrix->columns * wide; i++)
        back[i] = rng_normal(rng);
    for (int round = 0; round < ROUNDS; round++) {
        multiply(matrix, back, wide, basis);
        orthonormalise(basis, matrix->count, wide, square);
        multiply_back(matrix, basis, wide, back);
        if (round + 1 < ROUNDS)
            orthonormalise(back, matrix->columns, wide, square);
    }
    products(back, matrix->columns, wide, square);
    take_strongest(basis, matrix->count, square, wide, arena, &out);
    arena_rewind(arena, mark);
    return out;
}

/* Reading, counting neighbours, and the rows that follow. */

enum {
    WINDOW = 5,        /* words on either side; the nearest counts 5, the farthest 1 */
    COUNT_MIN = 5,     /* a rarer word has no row */
    WORDS_MAX = 20000, /* the most frequent have one */
    CONTEXTS_MAX = 1500,
    TOKENS_MAX = 8 << 20,
};

static const double frequent = 1e-3; /* a word as frequent as that has half its length */

/* The parts whose words have rows; inline code stands in the prose as well. */
static const enum learn_parts_name used_parts[] = {LEARN_PARTS_TITLE, LEARN_PARTS_PROSE};

/* Reading. */

static void add_text(struct learn_vectors_reader *reader, struct str text)
{
    struct text_words_reader words =
        text_words_open(text, TEXT_WORDS_CODE, &reader->lower);
    struct str word;

    while (text_words_next(&words, &word))
        if (word.len <= LEARN_FEATURES_NAME_MAX)
            list_add(&reader->tokens,
                     (uint32_t)learn_features_put(&reader->words, LEARN_PARTS_TITLE,
                                                  LEARN_FEATURES_WORD,
                                                  learn_features_word(word), NULL));
    list_add(&reader->tokens, LEARN_VECTORS_BREAK);
}

/* Leaves every second post. */
static void thin_out(struct learn_vectors_reader *reader)
{
    size_t *ends = reader->posts.at, kept = 0, used = 0, begin = 0;
    uint32_t *tokens = reader->tokens.at;

    for (size_t i = 0; i < reader->posts.count; i++) {
        size_t end = ends[i];
        if (i % 2 == 0) {
            memmove(tokens + used, tokens + begin, (end - begin) * sizeof *tokens);
            used += end - begin;
            ends[kept++] = used;
        }
        begin = end;
    }
    reader->posts.count = kept;
    reader->tokens.count = used;
    reader->every *= 2;
}

void learn_vectors_add(struct learn_vectors_reader *reader,
                       const struct learn_parts *post)
{
    if (reader->every == 0)
        reader->every = 1;
    if (reader->seen++ % reader->every != 0)
        return;
    for (size_t i = 0; i < ROWS_OF(used_parts); i++)
        add_text(reader, learn_parts_words(post, used_parts[i], &reader->plain));
    list_add(&reader->posts, reader->tokens.count);
    if (reader->tokens.count > TOKENS_MAX)
        thin_out(reader);
}

bool learn_vectors_wants(const struct learn_vectors_reader *reader, size_t number)
{
    return reader->every <= 1 || number % reader->every == 0;
}

void learn_vectors_go_to(struct learn_vectors_reader *reader, size_t number)
{
    reader->seen = number;
}

void learn_vectors_reader_free(struct learn_vectors_reader *reader)
{
    learn_features_table_free(&reader->words);
    list_free(&reader->tokens);
    list_free(&reader->posts);
    buf_free(&reader->lower);
    buf_free(&reader->plain);
    *reader = (struct learn_vectors_reader){0};
}

/* Learning. */

struct vectors_ranked {
    uint32_t word, count;
};

static int by_count(const void *left, const void *right)
{
    const struct vectors_ranked *a = left, *b = right;

    return order_then(ORDER_BY(b->count, a->count), ORDER_BY(a->word, b->word));
}

/* The tokens with words numbered by how frequent they are; rare words are taken out, so
 * that those on their two sides are neighbours. */
struct text {
    uint32_t *tokens;
    size_t count;
    struct vectors_ranked *words;
    size_t word_count;
    double all; /* tokens that are words, rare ones too */
};

static struct text rank_words(struct learn_vectors_reader *reader, struct arena *arena)
{
    size_t known = reader->words.count, tokens = reader->tokens.count;
    struct text text = {.tokens = reader->tokens.at};
    uint32_t *number = arena_array(arena, uint32_t, known + 1);

    text.words = arena_array(arena, struct vectors_ranked, known + 1);
    for (uint32_t w = 0; w < known; w++)
        text.words[w].word = w;
    for (size_t i = 0; i < tokens; i++)
        if (text.tokens[i] != LEARN_VECTORS_BREAK) {
            text.words[text.tokens[i]].count++;
            text.all++;
        }
    qsort(text.words, known, sizeof *text.words, by_count);
    while (text.word_count < known && text.word_count < WORDS_MAX &&
           text.words[text.word_count].count >= COUNT_MIN)
        text.word_count++;
    for (uint32_t w = 0; w < known; w++)
        number[text.words[w].word] = w;
    for (size_t i = 0; i < tokens; i++) {
        uint32_t word = text.tokens[i];
        if (word != LEARN_VECTORS_BREAK && number[word] >= text.word_count)
            continue;
        text.tokens[text.count++] = word == LEARN_VECTORS_BREAK ? word : number[word];
    }
    return text;
}

/* How often each word stands near each of the most frequent: words x contexts. Whole
 * numbers, whose sum is exact in any order. */
static uint32_t *count_neighbours(const struct text *text, size_t contexts,
                                  struct arena *arena)
{
    uint32_t *counts = arena_array(arena, uint32_t, text->word_count * contexts + 1);

    for (size_t i = 0; i < text->count; i++) {
        uint32_t word = text->tokens[i];
        for (size_t far = 1; far <= WINDOW && i + far < text->count; far++) {
            uint32_t other = text->tokens[i + far], by = (uint32_t)(WINDOW + 1 - far);
            if (word == LEARN_VECTORS_BREAK || other == LEARN_VECTORS_BREAK)
                break;
            if (other < contexts)
                counts[word * contexts + other] += by;
            if (word < contexts)
                counts[other * contexts + word] += by;
        }
    }
    return counts;
}

/* Of each context ln of its share, smoothed: rare contexts would otherwise seem to tell
 * much. */
static double *context_shares(const uint32_t *counts, size_t words, size_t contexts,
                              struct arena *arena)
{
    double *shares = arena_array(arena, double, contexts + 1), all = 0;

    for (size_t w = 0; w < words; w++)
        for (size_t c = 0; c < contexts; c++)
            shares[c] += counts[w * contexts + c];
    for (size_t c = 0; c < contexts; c++) {
        shares[c] = shares[c] > 0 ? 0.75 * real_log(shares[c]) : 0;
        all += real_exp(shares[c]);
    }
    for (size_t c = 0; c < contexts && all > 0; c++)
        shares[c] -= real_log(all);
    return shares;
}

/* Pointwise mutual information where it is above 0. */
static void add_information(const uint32_t *counts, size_t words, size_t contexts,
                            struct arena *arena, struct learn_rows_builder *out)
{
    const double *shares = context_shares(counts, words, contexts, arena);

    for (size_t w = 0; w < words; w++) {
        const uint32_t *row = counts + w * contexts;
        double all = 0;
        for (size_t c = 0; c < contexts; c++)
            all += row[c];
        for (size_t c = 0; c < contexts; c++) {
            double value = row[c] > 0 ? real_log((double)row[c] / all) - shares[c] : 0;
            if (value > 0)
                learn_rows_add_cell(out, (uint32_t)c, (float)value);
        }
        learn_rows_end_row(out);
    }
}

/* Each word's row gets the length that its frequency leaves it. */
static void set_rows(const struct text *text, const struct learn_factor *factor,
                     struct learn_vectors *out)
{
    size_t wide = factor->rank;

    for (size_t w = 0; w < text->word_count; w++) {
        float *row = out->at + w * wide;
        double share = text->words[w].count / text->all, squares = 0;
        for (size_t k = 0; k < wide; k++) {
            double value = factor->left[w * wide + k] * sqrt(factor->values[k]);
            row[k] = (float)value;
            squares += value * value;
        }
        double by = squares > 0 ? frequent / (frequent + share) / sqrt(squares) : 0;
        for (size_t k = 0; k < wide; k++)
            row[k] = (float)((double)row[k] * by);
    }
}

void learn_vectors_learn(struct learn_vectors_reader *reader, uint64_t seed,
                         struct learn_vectors *out)
{
    struct arena arena = {0};
    struct text text = rank_words(reader, &arena);
    size_t contexts = text.word_count < CONTEXTS_MAX ? text.word_count : CONTEXTS_MAX;
    struct learn_rows_builder information = {0};
    struct rng rng = rng_stream(seed, 9, 0);

    const uint32_t *counts = count_neighbours(&text, contexts, &arena);
    add_information(counts, text.word_count, contexts, &arena, &information);
    struct learn_rows rows = learn_rows_of(&information, contexts);
    struct learn_factor factor =
        learn_factor_make(&rows, LEARN_VECTORS_DIMENSIONS, &rng, &arena);
    *out = learn_vectors_new(text.word_count, factor.rank);
    for (size_t w = 0; w < text.word_count; w++)
        learn_features_put(&out->words, LEARN_PARTS_TITLE, LEARN_FEATURES_WORD,
                           learn_features_name(&reader->words, text.words[w].word), NULL);
    set_rows(&text, &factor, out);
    learn_rows_builder_free(&information);
    arena_free(&arena);
    learn_vectors_reader_free(reader);
}

/* Using. */

struct learn_vectors learn_vectors_new(size_t words, size_t dimensions)
{
    struct learn_vectors vectors = {.dimensions = dimensions};
    size_t bytes = words * dimensions * sizeof *vectors.at;

    vectors.at = (float *)(void *)buf_reserve(&vectors.numbers, bytes + 1);
    memset(vectors.at, 0, bytes);
    return vectors;
}

void learn_vectors_free(struct learn_vectors *vectors)
{
    learn_features_table_free(&vectors->words);
    buf_free(&vectors->numbers);
    *vectors = (struct learn_vectors){0};
}

void learn_vectors_enter(const struct learn_vectors *vectors,
                         struct learn_features_table *table)
{
    for (size_t w = 0; w < vectors->words.count; w++)
        for (size_t i = 0; i < ROWS_OF(used_parts); i++)
            learn_features_put(table, used_parts[i], LEARN_FEATURES_WORD,
                               learn_features_name(&vectors->words, w), NULL);
}

struct learn_vectors_use learn_vectors_use(const struct learn_vectors *vectors,
                                           const struct learn_features_table *table,
                                           struct arena *arena)
{
    uint32_t *rows = arena_array(arena, uint32_t, table->count + 1);
    uint8_t *parts = arena_array(arena, uint8_t, table->count + 1);
    size_t words = vectors->words.count;

    for (size_t f = 0; f < table->count; f++) {
        rows[f] = LEARN_VECTORS_NONE;
        parts[f] = learn_features_entry(table, f)->part;
    }
    for (size_t w = 0; w < words; w++)
        for (size_t i = 0; i < ROWS_OF(used_parts); i++) {
            size_t feature =
                learn_features_look_up(table, used_parts[i], LEARN_FEATURES_WORD,
                                       learn_features_name(&vectors->words, w));
            if (feature < table->count)
                rows[feature] = (uint32_t)w;
        }
    return (struct learn_vectors_use){vectors, rows, parts};
}
