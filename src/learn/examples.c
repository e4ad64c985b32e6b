/* Labelled posts: their classes, their features, and which are near duplicates. */
#include "learn/examples.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/order.h"
#include "learn/internal.h"
#include "text/words.h"

struct learn_membership learn_membership_new(size_t items, size_t classes, bool several,
                                             struct arena *arena)
{
    return (struct learn_membership){items, classes, several,
                                     arena_array(arena, uint8_t, items * classes + 1)};
}

size_t learn_membership_class(const struct learn_membership *membership, size_t item)
{
    size_t class = 0;

    while (class < membership->classes && !learn_membership_has(membership, item, class))
        class ++;
    return class;
}

struct learn_membership learn_membership_of(const struct learn_membership *membership,
                                            const size_t *items, size_t count,
                                            struct arena *arena)
{
    size_t classes = membership->classes;
    struct learn_membership some =
        learn_membership_new(count, classes, membership->several, arena);

    for (size_t i = 0; i < count; i++)
        memcpy(some.is + i * classes, membership->is + items[i] * classes, classes);
    return some;
}

/* Min-hash sketches in 16 bands of 4; two texts meet when a band is the same, and a
 * resemblance of 0.8 misses all bands with a chance below 1e-3. */

enum { BAND = 4, BANDS = LEARN_DUPLICATES_HASHES / BAND, RUN = 3, BUCKET_MAX = 200 };

static void add_run(struct learn_duplicates_sketch *sketch, uint64_t hash)
{
    uint32_t low = (uint32_t)hash, high = (uint32_t)(hash >> 32) | 1;

    /* Double hashing gives all hash functions from one: Kirsch and Mitzenmacher, 2006.
     * The multiplication mixes, since the smallest of plain sums would be alike. */
    for (uint32_t i = 0; i < LEARN_DUPLICATES_HASHES; i++) {
        uint32_t value = (low + i * high) * UINT32_C(0x9E3779B1);
        value = (value ^ value >> 15) * UINT32_C(0x85EBCA77);
        if (value < sketch->at[i])
            sketch->at[i] = value;
    }
}

struct learn_duplicates_sketch learn_duplicates_sketch(struct str text, struct buf *lower)
{
    struct text_words_reader reader = text_words_open(text, 0, lower);
    struct learn_duplicates_sketch sketch;
    uint64_t last[RUN] = {0};
    size_t count = 0;
    struct str word;

    memset(sketch.at, 0xFF, sizeof sketch.at);
    while (text_words_next(&reader, &word)) {
        last[count++ % RUN] = XXH3_64bits(word.ptr, word.len);
        if (count >= RUN) {
            uint64_t run[RUN];
            for (size_t i = 0; i < RUN; i++)
                run[i] = last[(count + i) % RUN];
            add_run(&sketch, XXH3_64bits(run, sizeof run));
        }
    }
    for (size_t i = 0; i < count && count < RUN; i++) /* too short for a run */
        add_run(&sketch, last[i]);
    sketch.empty = count == 0;
    return sketch;
}

double learn_duplicates_resemblance(const struct learn_duplicates_sketch *a,
                                    const struct learn_duplicates_sketch *b)
{
    int same = 0;

    if (a->empty || b->empty)
        return 0;
    for (size_t i = 0; i < LEARN_DUPLICATES_HASHES; i++)
        same += a->at[i] == b->at[i];
    return same / (double)LEARN_DUPLICATES_HASHES;
}

static size_t root_of(size_t *parents, size_t item)
{
    while (parents[item] != item) {
        parents[item] = parents[parents[item]];
        item = parents[item];
    }
    return item;
}

static void join(size_t *parents, size_t a, size_t b)
{
    a = root_of(parents, a);
    b = root_of(parents, b);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
}

struct banded {
    uint64_t hash;
    size_t item;
};

static int by_hash(const void *left, const void *right)
{
    const struct banded *a = left, *b = right;

    return order_then(ORDER_BY(a->hash, b->hash), ORDER_BY(a->item, b->item));
}

static bool alike(const struct learn_duplicates_sketch *a,
                  const struct learn_duplicates_sketch *b)
{
    return learn_duplicates_resemblance(a, b) >= LEARN_DUPLICATES_RESEMBLANCE;
}

/* Joins those of the same band that are alike. Each is compared with at most
 * BUCKET_MAX others before it, so that a band that all texts share costs no square. */
static void join_alike(const struct learn_duplicates_sketch *sketches,
                       const struct banded *banded, size_t count, size_t *parents)
{
    for (size_t i = 1; i < count; i++) {
        size_t stop = i > BUCKET_MAX ? i - BUCKET_MAX : 0;
        for (size_t j = i; j-- > stop && banded[j].hash == banded[i].hash;) {
            size_t a = banded[i].item, b = banded[j].item;
            if (root_of(parents, a) != root_of(parents, b) &&
                alike(sketches + a, sketches + b))
                join(parents, a, b);
        }
    }
}

size_t *learn_duplicates_groups(const struct learn_duplicates_sketch *sketches,
                                size_t count, struct arena *arena)
{
    size_t *parents = arena_array(arena, size_t, count + 1);
    struct arena_mark mark = arena_mark(arena);
    struct banded *banded = arena_array(arena, struct banded, count + 1);

    for (size_t i = 0; i < count; i++)
        parents[i] = i;
    for (size_t band = 0; band < BANDS; band++) {
        size_t used = 0;
        for (size_t i = 0; i < count; i++)
            if (!sketches[i].empty)
                banded[used++] = (struct banded){
                    XXH3_64bits(sketches[i].at + band * BAND, BAND * sizeof(uint32_t)),
                    i};
        qsort(banded, used, sizeof *banded, by_hash);
        join_alike(sketches, banded, used, parents);
    }
    for (size_t i = 0; i < count; i++)
        parents[i] = root_of(parents, i);
    arena_rewind(arena, mark);
    return parents;
}

/* One pass over the texts for the features, one for the sketches. */

/* Title and body together: two posts with the same title are two posts. */
static struct learn_duplicates_sketch sketch_of(const struct learn_parts *post,
                                                struct buf *text, struct buf *lower)
{
    buf_clear(text);
    for (size_t i = 0; i < LEARN_PARTS_COUNT; i++) {
        if (i == LEARN_PARTS_INLINE ||
            i == LEARN_PARTS_TAGS) /* repeats the prose; says little */
            continue;
        buf_add(text, post->at[i]);
        buf_add_char(text, '\n');
    }
    return learn_duplicates_sketch(buf_str(text), lower);
}

static bool is_zero(const float *vector, size_t dimensions)
{
    size_t at = 0;

    while (at < dimensions && vector[at] == 0)
        at++;
    return at == dimensions;
}

/* Who has the same vector as an earlier post is one of its group. Zeros say nothing: they
 * stand for a post without text, or one that could not be made. */
static void join_given(const struct learn_given *given, size_t count, size_t *groups)
{
    struct arena arena = {0};
    struct map first = {.arena = &arena};

    for (size_t i = 0; i < count && given->dimensions > 0; i++) {
        if (given->at[i] == NULL || is_zero(given->at[i], given->dimensions))
            continue;
        int64_t *place =
            map_put(&first, (struct str){(const char *)(const void *)given->at[i],
                                         given->dimensions * sizeof(float)});
        if (*place > 0)
            join(groups, i, (size_t)*place - 1);
        else
            *place = (int64_t)i + 1;
    }
    for (size_t i = 0; i < count; i++)
        groups[i] = root_of(groups, i);
    arena_free(&arena);
}

static const size_t *groups_of(const struct learn_posts *posts, struct arena *arena)
{
    size_t count = posts->truth.items;
    struct learn_duplicates_sketch *sketches =
        arena_array(arena, struct learn_duplicates_sketch, count + 1);
    struct buf text = {0}, lower = {0};

    for (size_t i = 0; i < count; i++)
        sketches[i] = sketch_of(posts->parts + i, &text, &lower);
    buf_free(&text);
    buf_free(&lower);
    size_t *groups = learn_duplicates_groups(sketches, count, arena);
    join_given(&posts->given, count, groups);
    return groups;
}

void learn_examples_make(const struct learn_posts *posts,
                         struct learn_features_options options, struct arena *arena,
                         struct learn_examples *out)
{
    const struct learn_vectors *vectors = posts->vectors;
    const struct learn_given *given = &posts->given;
    struct learn_features_reader reader;

    *out = (struct learn_examples){.truth = posts->truth, .given = given->dimensions};
    if (vectors != NULL && vectors->dimensions == 0)
        vectors = NULL;
    if (vectors != NULL)
        learn_vectors_enter(vectors, &out->table);
    learn_features_open(&reader, options, &out->table, NULL);
    for (size_t i = 0; i < posts->truth.items; i++) {
        struct learn_rows_row row = learn_features_read(&reader, posts->parts + i);
        for (size_t c = 0; c < row.count; c++)
            learn_rows_add_cell(&out->builder, row.cells[c].column, row.cells[c].value);
        if (given->dimensions > 0)
            learn_rows_add_given(&out->builder, given->at[i], given->dimensions);
        learn_rows_end_row(&out->builder);
    }
    learn_features_close(&reader);
    out->counts = learn_rows_of(&out->builder, out->table.count);
    if (vectors != NULL)
        out->vectors = learn_vectors_use(vectors, &out->table, arena);
    out->groups = groups_of(posts, arena);
}

void learn_examples_join(struct learn_examples *examples, const size_t *group,
                         size_t count, size_t groups, struct arena *arena)
{
    size_t items = examples->truth.items;
    size_t *parents = arena_array(arena, size_t, items + 1);
    size_t *first = arena_array(arena, size_t, groups + 1);

    memcpy(parents, examples->groups, items * sizeof *parents);
    for (size_t i = count; i-- > 0;)
        first[group[i]] = i;
    for (size_t i = 0; i < count; i++)
        join(parents, first[group[i]], i);
    for (size_t i = 0; i < items; i++)
        parents[i] = root_of(parents, i);
    examples->groups = parents;
}

void learn_examples_free(struct learn_examples *examples)
{
    learn_features_table_free(&examples->table);
    learn_rows_builder_free(&examples->builder);
}
