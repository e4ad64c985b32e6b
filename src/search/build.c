/* An index while it grows. Texts are read on several threads, some of them together, and
 * entered in their order. The postings of a term are a list of chunks, each twice as long
 * as the one before, in one pool: of every item that has it the distance to the item
 * before and a byte of weight. When all are there, the mean length is known, and weights
 * become the shares that questions add up. */
#include "search/internal.h"

#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/file.h"
#include "base/order.h"
#include "base/parallel.h"

enum {
    PIECE = 128,         /* texts that a thread reads together */
    WORDS_KEPT = 200000, /* by a thread, before it begins anew */
};
enum { CHUNK_FIRST = 12, CHUNK_LAST = 1 << 14, WRITE_BYTES = 1 << 20 };

/* A term's weight in a byte: in halves, up to 127. */
static const float weight_steps = 2;

struct chunk {
    uint32_t next; /* in units of 4 bytes; 0: it is the last */
    uint32_t room;
};

struct growing {
    uint64_t hash;
    uint32_t count, last; /* items that have it, and the last of them */
    uint32_t first, tail; /* chunks */
    uint32_t used;        /* of the tail */
    uint32_t bytes;
};

/* What was read of the texts of a piece, one behind the other. */
struct search_read_piece {
    struct arena arena;
    struct search_reader reader;
    LIST(struct search_term) terms;
    size_t ends[PIECE];
    float lengths[PIECE];
    struct buf vectors; /* packed */
};

struct search_builder {
    struct arena arena;
    const struct learn_vectors *vectors;
    int threads;
    struct search_read_piece *read; /* a slot of parallel work each */
    void **slots_of_read;
    struct buf pool, packed;
    LIST(struct growing) terms;
    uint32_t *slots; /* place in terms + 1; a power of two, at most half full */
    size_t slot_count;
    LIST(struct search_item) items;
    double length;
};

static uint32_t row_of(const void *context, struct str word)
{
    const struct learn_vectors *vectors = context;

    if (vectors->dimensions == 0)
        return LEARN_VECTORS_NONE;
    size_t row = learn_features_look_up(&vectors->words, LEARN_PARTS_TITLE,
                                        LEARN_FEATURES_WORD, word);
    return row == SIZE_MAX ? LEARN_VECTORS_NONE : (uint32_t)row;
}

static const float *row(const void *context, uint32_t number)
{
    const struct learn_vectors *vectors = context;

    return vectors->at + (size_t)number * vectors->dimensions;
}

struct search_builder *search_builder_new(const struct learn_vectors *vectors,
                                          int threads)
{
    struct arena arena = {0};
    struct search_builder *builder = arena_array(&arena, struct search_builder, 1);
    size_t pieces = parallel_slots(threads);

    builder->arena = arena;
    builder->vectors = vectors;
    builder->threads = threads;
    builder->read = arena_array(&builder->arena, struct search_read_piece, pieces);
    builder->slots_of_read = arena_array(&builder->arena, void *, pieces);
    for (size_t i = 0; i < pieces; i++) {
        struct search_read_piece *piece = &builder->read[i];
        builder->slots_of_read[i] = piece;
        piece->reader.arena = &piece->arena;
        piece->reader.dimensions = vectors->dimensions;
        if (vectors->dimensions > 0)
            piece->reader.vector =
                arena_array(&builder->arena, float, vectors->dimensions);
    }
    buf_add(&builder->pool, STR("\0\0\0\0")); /* no chunk has number 0 */
    return builder;
}

void search_builder_free(struct search_builder *builder)
{
    if (builder == NULL)
        return;
    struct arena arena = builder->arena;
    for (size_t i = 0; i < parallel_slots(builder->threads); i++) {
        search_reader_free(&builder->read[i].reader);
        list_free(&builder->read[i].terms);
        buf_free(&builder->read[i].vectors);
        arena_free(&builder->read[i].arena);
    }
    buf_free(&builder->pool);
    buf_free(&builder->packed);
    list_free(&builder->terms);
    list_release(builder->slots);
    list_free(&builder->items);
    arena_free(&arena);
}

/* Terms by hash: hashes are even already, so their low bits are a place. */
static void enlarge(struct search_builder *builder)
{
    size_t count = builder->slot_count == 0 ? 1 << 16 : 2 * builder->slot_count, room = 0;

    list_release(builder->slots);
    builder->slots = list_grown(NULL, count, sizeof *builder->slots, &room);
    memset(builder->slots, 0, count * sizeof *builder->slots);
    builder->slot_count = count;
    for (size_t i = 0; i < builder->terms.count; i++) {
        size_t place = builder->terms.at[i].hash & (count - 1);
        while (builder->slots[place] != 0)
            place = (place + 1) & (count - 1);
        builder->slots[place] = (uint32_t)i + 1;
    }
}

static struct growing *term_of(struct search_builder *builder, uint64_t hash)
{
    if (2 * (builder->terms.count + 1) > builder->slot_count)
        enlarge(builder);
    size_t place = hash & (builder->slot_count - 1);
    for (; builder->slots[place] != 0; place = (place + 1) & (builder->slot_count - 1))
        if (builder->terms.at[builder->slots[place] - 1].hash == hash)
            return &builder->terms.at[builder->slots[place] - 1];
    list_add(&builder->terms, ((struct growing){.hash = hash}));
    builder->slots[place] = (uint32_t)builder->terms.count;
    return &builder->terms.at[builder->terms.count - 1];
}

static struct chunk *chunk_at(const struct search_builder *builder, uint32_t number)
{
    return (struct chunk *)(void *)(builder->pool.ptr + (size_t)number * 4);
}

static void add_byte(struct search_builder *builder, struct growing *term, uint8_t byte)
{
    if (term->tail == 0 || term->used == chunk_at(builder, term->tail)->room) {
        uint32_t room = CHUNK_FIRST, number = (uint32_t)(builder->pool.len / 4);
        if (term->tail != 0) {
            room = chunk_at(builder, term->tail)->room;
            room = room < CHUNK_LAST ? 2 * room : room;
        }
        size_t bytes = sizeof(struct chunk) + room;
        memset(buf_reserve(&builder->pool, bytes), 0, bytes);
        builder->pool.len += bytes;
        chunk_at(builder, number)->room = room;
        if (term->tail != 0)
            chunk_at(builder, term->tail)->next = number;
        else
            term->first = number;
        term->tail = number;
        term->used = 0;
    }
    uint8_t *to = (uint8_t *)(chunk_at(builder, term->tail) + 1);
    to[term->used++] = byte;
    term->bytes++;
}

/* Texts that are being added. */
struct adding {
    struct search_builder *builder;
    const struct search_item *items;
    const struct learn_parts *texts;
    size_t count;
};

static size_t piece_size(const struct adding *adding, size_t number)
{
    size_t left = adding->count - number * PIECE;

    return left < PIECE ? left : PIECE;
}

static void read_piece(void *context, size_t number, void *slot)
{
    const struct adding *adding = context;
    struct search_read_piece *piece = slot;
    struct search_reader *reader = &piece->reader;
    struct search_rows rows = {row_of, row, adding->builder->vectors};

    list_clear(&piece->terms);
    buf_clear(&piece->vectors);
    if (reader->words.count > WORDS_KEPT) {
        arena_free(&piece->arena);
        reader->words = (struct map){0};
        list_clear(&reader->known);
    }
    for (size_t i = 0; i < piece_size(adding, number); i++) {
        search_read(reader, &adding->texts[number * PIECE + i], &rows);
        for (size_t t = 0; t < reader->terms.count; t++)
            list_add(&piece->terms, reader->terms.at[t]);
        piece->ends[i] = piece->terms.count;
        piece->lengths[i] = (float)reader->length;
        if (reader->vector != NULL) {
            int8_t *to = (int8_t *)buf_reserve(&piece->vectors, reader->dimensions);
            search_pack_vector(reader->vector, reader->dimensions, to);
            piece->vectors.len += reader->dimensions;
        }
    }
}

static void enter_term(struct search_builder *builder, uint32_t item,
                       const struct search_term *from)
{
    struct growing *term = term_of(builder, from->hash);
    uint32_t step = item - (term->count > 0 ? term->last : 0);
    long steps = lrintf(from->weight * weight_steps);

    for (; step >= 128; step >>= 7)
        add_byte(builder, term, (uint8_t)(step | 128));
    add_byte(builder, term, (uint8_t)step);
    add_byte(builder, term, (uint8_t)(steps < 1 ? 1 : steps > 255 ? 255 : steps));
    term->last = item;
    term->count++;
}

static bool enter_piece(void *context, size_t number, void *slot, struct err *err)
{
    const struct adding *adding = context;
    struct search_builder *builder = adding->builder;
    const struct search_read_piece *piece = slot;
    size_t term = 0;

    (void)err;
    for (size_t i = 0; i < piece_size(adding, number); i++) {
        struct search_item item = adding->items[number * PIECE + i];
        uint32_t place = (uint32_t)builder->items.count;
        item.length = piece->lengths[i];
        builder->length += (double)item.length;
        list_add(&builder->items, item);
        for (; term < piece->ends[i]; term++)
            enter_term(builder, place, &piece->terms.at[term]);
    }
    buf_add(&builder->packed, buf_str(&piece->vectors));
    return true;
}

bool search_builder_add(struct search_builder *builder, const struct search_item *items,
                        const struct learn_parts *texts, size_t count, struct err *err)
{
    struct adding adding = {builder, items, texts, count};

    return parallel_run(&(struct parallel_job){.pieces = (count + PIECE - 1) / PIECE,
                                               .threads = builder->threads,
                                               .context = &adding,
                                               .slots = builder->slots_of_read,
                                               .make = read_piece,
                                               .take = enter_piece},
                        err);
}

bool search_layout(const struct search_header *head, struct search_layout *out)
{
    const uint64_t most = UINT64_C(1) << 40;
    size_t at = sizeof *head;

    if (head->items > most || head->terms > most || head->posting_bytes > most ||
        head->words > most || head->dimensions > LEARN_VECTORS_DIMENSIONS_MAX)
        return false;
    const struct {
        size_t *place;
        uint64_t bytes;
    } parts[] = {{&out->items, head->items * sizeof(struct search_item)},
                 {&out->vectors, head->items * head->dimensions},
                 {&out->entries, head->terms * sizeof(struct search_entry)},
                 {&out->postings, head->posting_bytes},
                 {&out->words, head->words * sizeof(struct search_word)},
                 {&out->rows, head->words * head->dimensions * sizeof(float)}};
    for (size_t i = 0; i < ROWS_OF(parts); i++) {
        *parts[i].place = at;
        at += (size_t)((parts[i].bytes + 7) / 8 * 8);
    }
    out->end = at;
    return true;
}

/* Writing. */

struct writing {
    struct search_builder *builder;
    const struct search_header *head;
    struct file_out *file;
    struct buf block;
};

static bool flush(struct writing *writing, struct err *err)
{
    bool ok = file_out_write(writing->file, buf_str(&writing->block), err);

    buf_clear(&writing->block);
    return ok;
}

static bool put(struct writing *writing, const void *bytes, size_t count, struct err *err)
{
    buf_add(&writing->block, (struct str){bytes, count});
    return writing->block.len < WRITE_BYTES || flush(writing, err);
}

/* Up to the next multiple of 8. */
static bool fill(struct writing *writing, uint64_t bytes, struct err *err)
{
    return put(writing, "\0\0\0\0\0\0\0", (size_t)((8 - bytes % 8) % 8), err);
}

static bool put_part(struct writing *writing, const void *bytes, size_t count,
                     struct err *err)
{
    for (size_t done = 0; done < count; done += WRITE_BYTES) {
        size_t more = count - done < WRITE_BYTES ? count - done : WRITE_BYTES;
        if (!put(writing, (const char *)bytes + done, more, err))
            return false;
    }
    return fill(writing, count, err);
}

static int by_hash(const void *a, const void *b)
{
    const struct growing *left = a, *right = b;

    return ORDER_BY(left->hash, right->hash);
}

static bool put_entries(struct writing *writing, struct err *err)
{
    const struct search_builder *builder = writing->builder;
    uint64_t at = 0;

    for (size_t i = 0; i < builder->terms.count; i++) {
        const struct growing *term = &builder->terms.at[i];
        struct search_entry entry = {term->hash, at, term->count, term->bytes};
        if (!put(writing, &entry, sizeof entry, err))
            return false;
        at += term->bytes;
    }
    return true;
}

/* The bytes of a term, with shares for weights. */
static void share_weights(struct writing *writing, const struct growing *term,
                          struct buf *bytes)
{
    const struct search_builder *builder = writing->builder;
    size_t item = 0, left = term->bytes;

    buf_clear(bytes);
    for (uint32_t number = term->first; number != 0 && left > 0;
         number = chunk_at(builder, number)->next) {
        const struct chunk *chunk = chunk_at(builder, number);
        size_t count = left < chunk->room ? left : chunk->room;
        buf_add(bytes, (struct str){(const char *)(chunk + 1), count});
        left -= count;
    }
    uint8_t *at = (uint8_t *)bytes->ptr, *end = at + bytes->len;
    while (at < end) {
        size_t step = 0;
        for (unsigned shift = 0;; shift += 7) {
            step |= (size_t)(*at & 127) << shift;
            if ((*at++ & 128) == 0)
                break;
        }
        item += step;
        double share = search_saturated((double)*at / (double)weight_steps,
                                        (double)builder->items.at[item].length,
                                        writing->head->average);
        long byte = lrint(255 * share);
        *at++ = (uint8_t)(byte < 1 ? 1 : byte);
    }
}

static bool put_postings(struct writing *writing, struct err *err)
{
    const struct search_builder *builder = writing->builder;
    struct buf bytes = {0};
    bool ok = true;

    for (size_t i = 0; i < builder->terms.count && ok; i++) {
        share_weights(writing, &builder->terms.at[i], &bytes);
        ok = put(writing, bytes.ptr, bytes.len, err);
    }
    buf_free(&bytes);
    return ok && fill(writing, writing->head->posting_bytes, err);
}

static int by_word(const void *a, const void *b)
{
    const struct search_word *left = a, *right = b;

    return order_then(ORDER_BY(left->hash, right->hash), ORDER_BY(left->row, right->row));
}

static bool put_words(struct writing *writing, struct err *err)
{
    const struct learn_vectors *vectors = writing->builder->vectors;
    size_t count = (size_t)writing->head->words;
    struct search_word *words =
        arena_array(&writing->builder->arena, struct search_word, count + 1);

    for (size_t i = 0; i < count; i++)
        words[i] = (struct search_word){
            search_word_hash(learn_features_name(&vectors->words, i)), i};
    qsort(words, count, sizeof *words, by_word);
    return put_part(writing, words, count * sizeof *words, err) &&
           put_part(writing, vectors->at, count * vectors->dimensions * sizeof(float),
                    err);
}

static struct search_header head_of(const struct search_builder *builder, uint64_t key)
{
    size_t dimensions = builder->vectors->dimensions;
    struct search_header head = {
        .magic = SEARCH_MAGIC,
        .order = SEARCH_ORDER,
        .key = key,
        .items = builder->items.count,
        .terms = builder->terms.count,
        .words = dimensions > 0 ? builder->vectors->words.count : 0,
        .dimensions = dimensions,
        .average = builder->items.count > 0
                       ? builder->length / (double)builder->items.count
                       : 0};
    struct search_layout layout;

    for (size_t i = 0; i < builder->terms.count; i++)
        head.posting_bytes += builder->terms.at[i].bytes;
    if (search_layout(&head, &layout))
        head.size = layout.end;
    head.sum = XXH3_64bits(&head, offsetof(struct search_header, sum));
    return head;
}

bool search_builder_write(struct search_builder *builder, uint64_t key, const char *path,
                          struct err *err)
{
    struct writing writing = {.builder = builder};

    if (builder->terms.count > 0) {
        qsort(builder->terms.at, builder->terms.count, sizeof *builder->terms.at,
              by_hash);
        builder->slot_count = 0; /* places are no longer what they were */
    }
    struct search_header head = head_of(builder, key);
    writing.head = &head;
    if (!file_out_open(path, &writing.file, err))
        return false;
    bool ok = put(&writing, &head, sizeof head, err) &&
              put_part(&writing, builder->items.at,
                       builder->items.count * sizeof(struct search_item), err) &&
              put_part(&writing, builder->packed.ptr, builder->packed.len, err) &&
              put_entries(&writing, err) && put_postings(&writing, err) &&
              put_words(&writing, err) && flush(&writing, err);
    if (ok)
        ok = file_out_commit(writing.file, err);
    else
        file_out_discard(writing.file);
    buf_free(&writing.block);
    return ok;
}
