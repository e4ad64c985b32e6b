/* Which items are nearest to a text: an index of a corpus, and questions to it.
 *
 * An item is its words (stems; names of code whole and in their pieces), the errors that
 * it shows with their messages, the frames of its stack traces, its tags; and the sum of
 * its words' vectors, which tells that "out of memory" and "CUDA alloc failed" are near
 * though they share no word. Words are compared by BM25 (Robertson and Zaragoza, "The
 * probabilistic relevance framework: BM25 and beyond", 2009) with weights for title,
 * prose and code as in BM25F: a word counts by where it stands before it is saturated.
 * Where a script puts no blanks between words, each two letters that touch stand for a
 * word, and names in other letters among them are words of their own.
 * Of a long text the words that tell most are looked up, and the vectors decide among the
 * items that are nearest by words.
 *
 * The index is a file that is mapped, not read: a question touches the words that it has.
 * It is of the machine that made it; the same corpus gives the same bytes. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/err.h"
#include "base/list.h"
#include "base/map.h"
#include "learn/vectors.h"

/* Changes when the same corpus gives another index. */
enum { SEARCH_ENGINE = 5 };

/* The terms of a text: whatever it may share with another one. */
struct search_term {
    uint64_t hash;
    float weight; /* how often, each by where it stands */
};

/* One thread's means to read texts; zeroed with its arena set it is ready. */
struct search_reader {
    struct arena *arena; /* of words that were met */
    struct map words;    /* to places in `known` */
    LIST(struct search_known) known;
    struct text_stem stem;
    struct buf lower, scratch;
    LIST(struct search_term) terms; /* of the text in work */
    LIST(uint32_t) slots;           /* the same by hash, while they are put together */
    float *vector;                  /* and the sum of its vectors; NULL: none */
    size_t dimensions;
    double length; /* the weight of its words */
};

struct search_known {
    uint64_t hash;
    uint32_t row; /* of its vector; LEARN_VECTORS_NONE */
    bool counts;  /* it is no stop word */
};

void search_reader_free(struct search_reader *reader);

/* An item of an index. */
struct search_item {
    int64_t id;
    int64_t wait_ms; /* until it was resolved, or has been waiting; ITEM_NONE: unknown */
    int64_t answer;  /* by which it was; ITEM_NONE: by none */
    uint32_t resolved; /* 1: it is */
    float length;
};

struct search_builder;

/* With the vectors of words, which must outlive it; texts are read on so many threads.
 * The caller hands the result to search_builder_free(). */
struct search_builder *search_builder_new(const struct learn_vectors *vectors,
                                          int threads);
void search_builder_free(struct search_builder *builder); /* NULL is fine */

/* Items come in ascending order of their ids, each with its text. */
bool search_builder_add(struct search_builder *builder, const struct search_item *items,
                        const struct learn_parts *texts, size_t count,
                        struct err *err) MUST_USE;

/* Writes the index, whole or not at all. */
bool search_builder_write(struct search_builder *builder, uint64_t key, const char *path,
                          struct err *err) MUST_USE;

/* An index that is open. */
struct search_index {
    struct str bytes;
    bool mapped;
    const struct search_header *head;
};

/* ERR_INPUT when it is none of ours or not whole; the caller hands *out to
 * search_close(). */
bool search_open(const char *path, struct search_index *out, struct err *err) MUST_USE;

/* The same of bytes that are there, and stay; aligned to 8. */
bool search_open_bytes(struct str bytes, struct search_index *out,
                       struct err *err) MUST_USE;
void search_close(struct search_index *index);

uint64_t search_key(const struct search_index *index);
size_t search_count(const struct search_index *index); /* of items */

/* An item of the index by its id; NULL: it has none. */
const struct search_item *search_item_find(const struct search_index *index, int64_t id);

struct search_hit {
    struct search_item item;
    double score;  /* from 0 to 1: how near, all told */
    double words;  /* of what the text has, the share that the item has as well */
    double cosine; /* between the vectors; NAN: there are none */
};

enum { SEARCH_HITS_MAX = 200 };

struct search_ranking {
    struct search_hit at[SEARCH_HITS_MAX]; /* the nearest first, of equals the lower id */
    size_t count;
};

struct search_found {
    struct search_ranking all, resolved;
    size_t terms; /* of the text that the index knows */
};

/* Nothing is found of an item with the id `without`; ITEM_NONE: of any. ERR_INPUT when
 * the index is damaged. */
bool search_find(const struct search_index *index, struct search_reader *reader,
                 const struct learn_parts *text, int64_t without,
                 struct search_found *out, struct err *err) MUST_USE;

#endif
