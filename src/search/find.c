/* Asking an index. Of each term its items get what it weighs, in an array of all items;
 * no list is left out, so that what comes first is exact for the terms that are asked. */
#include "search/internal.h"

#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/file.h"
#include "base/order.h"
#include "item/item.h"

enum { TERMS_MAX = 64 }; /* of a question: those that tell most */

/* How much of the nearness is the angle between vectors. */
static const double by_vector = 0.25;

bool search_open_bytes(struct str bytes, struct search_index *out, struct err *err)
{
    const struct search_header *head =
        (const struct search_header *)(const void *)bytes.ptr;
    struct search_layout layout;

    *out = (struct search_index){.bytes = bytes, .head = head};
    if (bytes.len < sizeof *head ||
        memcmp(head->magic, SEARCH_MAGIC, sizeof SEARCH_MAGIC))
        return err_set(err, ERR_INPUT, "this is no index of assay's");
    if (head->order != SEARCH_ORDER)
        return err_set(err, ERR_INPUT, "this index was made on another kind of machine");
    if (head->sum != XXH3_64bits(head, offsetof(struct search_header, sum)) ||
        !search_layout(head, &layout) || layout.end != bytes.len ||
        head->size != bytes.len || !isfinite(head->average) || head->average < 0)
        return err_set(err, ERR_INPUT, "this index is damaged");
    return true;
}

bool search_open(const char *path, struct search_index *out, struct err *err)
{
    struct str bytes;

    *out = (struct search_index){0};
    if (!file_map(path, &bytes, err))
        return false;
    bool ok = search_open_bytes(bytes, out, err);
    out->mapped = true;
    if (!ok) {
        search_close(out);
        return err_at(err, "%s: ", path);
    }
    return true;
}

void search_close(struct search_index *index)
{
    if (index->mapped)
        file_unmap(index->bytes);
    *index = (struct search_index){0};
}

uint64_t search_key(const struct search_index *index)
{
    return index->head->key;
}

size_t search_count(const struct search_index *index)
{
    return (size_t)index->head->items;
}

/* What is asked of it, and where its parts are. */
struct search_finding {
    const struct search_index *index;
    struct search_layout layout;
    const struct search_item *items;
    const int8_t *vectors;
    const struct search_entry *entries;
    const uint8_t *postings;
    const struct search_word *words;
    const float *rows;
    float *scores; /* of each item */
};

static struct search_finding finding_of(const struct search_index *index)
{
    struct search_finding finding = {.index = index};
    const char *base = index->bytes.ptr;

    search_layout(index->head, &finding.layout);
    finding.items = (const void *)(base + finding.layout.items);
    finding.vectors = (const void *)(base + finding.layout.vectors);
    finding.entries = (const void *)(base + finding.layout.entries);
    finding.postings = (const void *)(base + finding.layout.postings);
    finding.words = (const void *)(base + finding.layout.words);
    finding.rows = (const void *)(base + finding.layout.rows);
    return finding;
}

const struct search_item *search_item_find(const struct search_index *index, int64_t id)
{
    struct search_finding finding = finding_of(index);
    size_t place, count = (size_t)index->head->items;

    ORDER_SEEK(place, count, finding.items[place].id < id);
    return place < count && finding.items[place].id == id ? &finding.items[place] : NULL;
}

static uint32_t row_of(const void *context, struct str word)
{
    const struct search_finding *finding = context;
    uint64_t hash = search_word_hash(word);
    size_t place, count = (size_t)finding->index->head->words;

    ORDER_SEEK(place, count, finding->words[place].hash < hash);
    return place < count && finding->words[place].hash == hash &&
                   finding->words[place].row < count
               ? (uint32_t)finding->words[place].row
               : LEARN_VECTORS_NONE;
}

static const float *row(const void *context, uint32_t number)
{
    const struct search_finding *finding = context;

    return finding->rows + (size_t)number * finding->index->head->dimensions;
}

/* A term of the question that the index knows. */
struct asked {
    const struct search_entry *entry;
    double weight;
    double own; /* its share in the question itself */
};

static int by_weight(const void *a, const void *b)
{
    const struct asked *left = a, *right = b;

    return order_then(ORDER_BY(right->weight, left->weight),
                      ORDER_BY(left->entry->hash, right->entry->hash));
}

/* How rare a term is; Robertson and Sparck Jones, never below 0. */
static double rarity(double items, double have)
{
    return log(1 + (items - have + 0.5) / (have + 0.5));
}

/* *missed: what an item would get that had the terms which none has. */
static size_t look_up(const struct search_finding *finding,
                      const struct search_reader *reader, struct asked *out,
                      double *missed)
{
    const struct search_header *head = finding->index->head;
    size_t found = 0, count = (size_t)head->terms;

    *missed = 0;
    for (size_t i = 0; i < reader->terms.count; i++) {
        const struct search_term *term = &reader->terms.at[i];
        size_t place;
        ORDER_SEEK(place, count, finding->entries[place].hash < term->hash);
        double own =
            search_saturated((double)term->weight, reader->length, head->average);
        if (place == count || finding->entries[place].hash != term->hash) {
            *missed += rarity((double)head->items, 0) * own * own;
            continue;
        }
        out[found++] = (struct asked){
            &finding->entries[place],
            rarity((double)head->items, finding->entries[place].count) * own, own};
    }
    qsort(out, found, sizeof *out, by_weight);
    return found;
}

static bool add_scores(const struct search_finding *finding, const struct asked *asked,
                       struct err *err)
{
    const struct search_header *head = finding->index->head;
    const struct search_entry *entry = asked->entry;
    float weight = (float)(asked->weight / 255);
    size_t item = 0, items = (size_t)head->items;

    if (entry->at > head->posting_bytes || entry->bytes > head->posting_bytes - entry->at)
        return err_set(err, ERR_INPUT, "this index is damaged");
    const uint8_t *at = finding->postings + entry->at, *end = at + entry->bytes;
    while (at < end) {
        size_t step = *at & 127;
        for (unsigned shift = 7; (*at++ & 128) != 0 && shift < 32; shift += 7) {
            if (at == end)
                return err_set(err, ERR_INPUT, "this index is damaged");
            step |= (size_t)(*at & 127) << shift;
        }
        item += step;
        if (item >= items || at == end)
            return err_set(err, ERR_INPUT, "this index is damaged");
        finding->scores[item] += weight * (float)*at++;
    }
    return true;
}

/* The best so far, the worst of them first: a heap. */
struct best {
    uint32_t at[SEARCH_HITS_MAX];
    size_t count;
};

/* The later one is the worse of two that score the same. */
static bool is_worse(const float *scores, uint32_t a, uint32_t b)
{
    return scores[a] < scores[b] || (scores[a] == scores[b] && a > b);
}

static void sink(struct best *best, const float *scores, size_t at)
{
    for (;;) {
        size_t least = at, left = 2 * at + 1;
        for (size_t child = left; child < left + 2 && child < best->count; child++)
            if (is_worse(scores, best->at[child], best->at[least]))
                least = child;
        if (least == at)
            return;
        uint32_t other = best->at[at];
        best->at[at] = best->at[least];
        best->at[least] = other;
        at = least;
    }
}

static void keep_best(struct best *best, const float *scores, uint32_t item)
{
    if (best->count < SEARCH_HITS_MAX) {
        best->at[best->count++] = item;
        for (size_t i = best->count == SEARCH_HITS_MAX ? SEARCH_HITS_MAX / 2 : 0;
             i-- > 0;)
            sink(best, scores, i);
    } else if (is_worse(scores, best->at[0], item)) {
        best->at[0] = item;
        sink(best, scores, 0);
    }
}

static int by_score(const void *a, const void *b)
{
    const struct search_hit *left = a, *right = b;

    return order_then(ORDER_BY(right->score, left->score),
                      ORDER_BY(left->item.id, right->item.id));
}

static double cosine_of(const struct search_finding *finding, const int8_t *own,
                        uint32_t item)
{
    size_t dimensions = (size_t)finding->index->head->dimensions;
    const int8_t *of = finding->vectors + (size_t)item * dimensions;
    int64_t sum = 0, own_square = 0, of_square = 0;

    for (size_t d = 0; d < dimensions; d++) {
        sum += own[d] * of[d];
        own_square += own[d] * own[d];
        of_square += of[d] * of[d];
    }
    if (dimensions == 0)
        return NAN;
    if (own_square == 0 || of_square == 0) /* none of its words has a vector */
        return 0;
    /* Packing rounds, so that lengths are no longer 127 but up to some percent off. */
    return fmin((double)sum / sqrt((double)own_square * (double)of_square), 1);
}

static void rank(const struct search_finding *finding, const struct best *best,
                 double full, const int8_t *own, struct search_ranking *out)
{
    out->count = 0;
    for (size_t i = 0; i < best->count; i++) {
        struct search_hit hit = {.item = finding->items[best->at[i]],
                                 .words = (double)finding->scores[best->at[i]] / full,
                                 .cosine = cosine_of(finding, own, best->at[i])};
        if (hit.words > 1)
            hit.words = 1;
        hit.score = isnan(hit.cosine) ? hit.words
                                      : (1 - by_vector) * hit.words +
                                            by_vector * (hit.cosine > 0 ? hit.cosine : 0);
        out->at[out->count++] = hit;
    }
    qsort(out->at, out->count, sizeof *out->at, by_score);
}

static void rank_all(const struct search_finding *finding, int64_t without, double full,
                     const int8_t *own, struct search_found *out)
{
    struct best all = {.count = 0}, resolved = {.count = 0};
    size_t count = (size_t)finding->index->head->items;
    float least = 0; /* what scores no more is among the best of neither */

    for (size_t i = 0; i < count; i++) {
        if (finding->scores[i] <= least || finding->items[i].id == without)
            continue;
        keep_best(&all, finding->scores, (uint32_t)i);
        if (finding->items[i].resolved == 0)
            continue;
        keep_best(&resolved, finding->scores, (uint32_t)i);
        if (resolved.count == SEARCH_HITS_MAX) /* then there are as many of all */
            least = finding->scores[resolved.at[0]];
    }
    rank(finding, &all, full, own, &out->all);
    rank(finding, &resolved, full, own, &out->resolved);
}

bool search_find(const struct search_index *index, struct search_reader *reader,
                 const struct learn_parts *text, int64_t without,
                 struct search_found *out, struct err *err)
{
    struct search_finding finding = finding_of(index);
    struct search_rows rows = {row_of, row, &finding};
    struct arena arena = {0};
    size_t dimensions = (size_t)index->head->dimensions;
    double full = 0;
    bool ok = true;

    out->all.count = out->resolved.count = 0;
    reader->dimensions = dimensions;
    reader->vector = dimensions > 0 ? arena_array(&arena, float, dimensions) : NULL;
    search_read(reader, text, &rows);
    int8_t *own = arena_array(&arena, int8_t, dimensions + 1);
    if (dimensions > 0)
        search_pack_vector(reader->vector, dimensions, own);
    struct asked *asked = arena_array(&arena, struct asked, reader->terms.count + 1);
    out->terms = look_up(&finding, reader, asked, &full);
    finding.scores = arena_array(&arena, float, (size_t)index->head->items + 1);
    for (size_t i = 0; i < out->terms && i < TERMS_MAX && ok; i++) {
        ok = add_scores(&finding, &asked[i], err);
        full += asked[i].weight * asked[i].own;
    }
    if (ok && full > 0)
        rank_all(&finding, without, full, own, out);
    reader->vector = NULL;
    arena_free(&arena);
    return ok;
}
