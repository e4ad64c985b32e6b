/* What the parts of the search share: terms of a text, and how an index is laid out. */
#ifndef SEARCH_INTERNAL_H
#define SEARCH_INTERNAL_H

#include "search/search.h"

/* The file: this, then items, their vectors, terms by hash, postings, words by hash and
 * their vectors, each from a multiple of 8. */
#define SEARCH_MAGIC "assay index 3\n"

struct search_header {
    char magic[16];
    uint64_t order; /* tells the machine's order of bytes */
    uint64_t key;   /* what it was made of */
    uint64_t size;  /* of the file */
    uint64_t items, terms, posting_bytes, words, dimensions;
    double average; /* length of an item */
    uint64_t sum;   /* of all above */
};

#define SEARCH_ORDER UINT64_C(0x0102030405060708)

struct search_entry {
    uint64_t hash;
    uint64_t at;    /* of its postings, among them */
    uint32_t count; /* items that have it */
    uint32_t bytes;
};

struct search_word {
    uint64_t hash;
    uint64_t row;
};

/* Where the parts are. */
struct search_layout {
    size_t items, vectors, entries, postings, words, rows, end;
};

/* False when the numbers of the head are beyond what a file can hold. */
bool search_layout(const struct search_header *head, struct search_layout *out);

/* Fills reader->terms, each term once, reader->length and, where the reader has one, the
 * vector. `row_of` finds the vector of a word. */
struct search_rows {
    uint32_t (*row_of)(const void *context, struct str word);
    const float *(*row)(const void *context, uint32_t row);
    const void *context;
};

void search_read(struct search_reader *reader, const struct learn_parts *text,
                 const struct search_rows *rows);

/* The share of its full weight that a term of so much weight has in a text of so much
 * length: below 1. */
double search_saturated(double weight, double length, double average);

uint64_t search_word_hash(struct str word);

/* To signed bytes with a length of 127, or zeros. */
void search_pack_vector(const float *from, size_t dimensions, int8_t *to);

#endif
