/* Near duplicates: texts that share most of their runs of three words. Found by
 * min-hashing (Broder, "On the resemblance and containment of documents", 1997) with
 * banding, so that not every pair has to be compared. */
#ifndef LEARN_DUPLICATES_H
#define LEARN_DUPLICATES_H

#include "base/arena.h"
#include "base/buf.h"

enum { DUPLICATES_HASHES = 64 };

/* The share of runs that two texts must have in common to be near duplicates. */
#define DUPLICATES_RESEMBLANCE 0.8

/* A text in small: equal places are as frequent as the texts' resemblance is high. */
struct duplicates_sketch {
    uint32_t at[DUPLICATES_HASHES];
    bool empty; /* no words: resembles nothing */
};

/* `lower` is what reading words needs. */
struct duplicates_sketch duplicates_sketch(struct str text, struct buf *lower);

/* Estimated from two sketches: 0 .. 1. */
double duplicates_resemblance(const struct duplicates_sketch *a,
                              const struct duplicates_sketch *b);

/* A number for each text: the smallest index among those that it is linked with by a
 * chain of near duplicates, itself included. */
const size_t *duplicates_groups(const struct duplicates_sketch *sketches, size_t count,
                                struct arena *arena);

#endif
