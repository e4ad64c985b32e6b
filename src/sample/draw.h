/* Draws from a frame: which items, in which order. Pure: the same frame, rule and seed
 * give the same sample for ever, on every machine, in whatever order the frame's items
 * are given.
 *
 * Every item has a random number of its own, the first of rng_stream(seed, stream, id),
 * and a simple random sample of n are the n items with the smallest numbers (Ohlsson,
 * "Coordination of samples using permanent random numbers", 1995). From this follow:
 * - The sample of n is the front part of the sample of any larger size (prefix property),
 *   so that a sample can grow.
 * - Strata are drawn independently of each other, whatever their numbers and order (a
 *   systematic draw has a start of its own for each number).
 * - Two samples with the same seed and stream prefer the same items; give each sample of
 *   a study a stream of its own, unless that is wanted. */
#ifndef SAMPLE_DRAW_H
#define SAMPLE_DRAW_H

#include "base/arena.h"
#include "base/err.h"
#include "sample/size.h"

/* What is drawn from; in any order, no id twice. */
struct sample_draw_frame {
    size_t count;
    const int64_t *ids;
    const size_t *strata; /* of each item, from 0; NULL: all in stratum 0 */
    const int64_t *keys;  /* of each item; for SAMPLE_DRAW_TOP only */
};

enum sample_draw_method {
    SAMPLE_DRAW_SIMPLE, /* random, without replacement; stratified if the frame has strata
                         */
    /* In the order of ids, at an interval of N / n from a random start. The interval need
     * not be whole: item floor((start + k N) / n) for k = 0 .. n-1 and a start below N,
     * so that each item has the same chance of exactly n / N. */
    SAMPLE_DRAW_SYSTEMATIC,
    SAMPLE_DRAW_TOP, /* the largest keys; of equal ones the smaller ids */
};

struct sample_draw_rule {
    enum sample_draw_method method;
    uint64_t seed, stream;
    size_t strata;        /* how many; the frame's numbers are below it */
    const int64_t *sizes; /* of each stratum; all of it when it has fewer */
};

struct sample_draw_item {
    int64_t id;
    size_t stratum;
};

struct sample_draw {
    /* In draw order, as a rater gets them: in a random order (SAMPLE_DRAW_TOP: from the
     * top) within each stratum, the strata spread evenly, so that any front part of the
     * list holds each stratum in its proportion. Kept items come first, as they were. */
    struct sample_draw_item *items;
    size_t count;
    size_t kept;        /* how many of them are from the earlier sample */
    int64_t *ascending; /* the same ids, ascending */
    int64_t *gone;      /* of the earlier sample: no longer in the frame, in its order */
    size_t gone_count;
};

/* An earlier sample in its draw order; all zeros: none. */
struct sample_draw_earlier {
    const int64_t *ids;
    size_t count;
};

/* Draws, or tops an earlier sample up to the rule's sizes: its items that are still in
 * the frame are kept, even where they are more than asked for, and only the rest is drawn
 * anew, from the items left. Where the frame is unchanged and there is one stratum, a
 * sample of n topped up to m is the sample of m, in the same order; with several strata
 * it has the same items. Items that have come into a frame since compete for the places
 * left only, so their chance is smaller than that of those there before.
 * ERR_INPUT for a systematic sample, whose interval depends on its size, and when the
 * earlier sample has an item twice. Everything in *out lives in arena. */
bool sample_draw(const struct sample_draw_frame *frame,
                 const struct sample_draw_rule *rule, struct sample_draw_earlier earlier,
                 struct arena *arena, struct sample_draw *out, struct err *err) MUST_USE;

/* Says whether a frame is still the one that was drawn from: XXH3 (64 bits) of its ids in
 * ascending order, each as 8 bytes, lowest first. */
uint64_t sample_draw_frame_hash(const struct sample_draw_frame *frame,
                                struct arena *arena);

/* How a sample is shared out over strata. Whole numbers throughout: no rounding differs
 * between machines. */

enum sample_allocate_method {
    SAMPLE_ALLOCATE_PROPORTIONAL, /* each stratum by its part of the frame */
    SAMPLE_ALLOCATE_EQUAL,        /* the same number from each */
    SAMPLE_ALLOCATE_OWN,          /* the size applies to each stratum by itself */
};

struct sample_allocate_rule {
    enum sample_allocate_method method;
    struct sample_size_spec
        size;        /* of the whole sample; SAMPLE_ALLOCATE_OWN: of each stratum */
    int64_t minimum; /* from each stratum that has so many; else all it has */
};

/* Fills sizes[0 .. strata) for strata of frames[0 .. strata) items. No stratum gives more
 * than it has. The sizes add up to the sample's size, unless the minimums alone are more.
 *
 * Proportional: the largest-remainder method (Hamilton); of equal remainders the earlier
 * stratum wins. A stratum whose part would be below the minimum gets the minimum, and the
 * others share the rest in proportion. The arena is for the work only.
 * Equal: what a small stratum cannot give, the others give; what does not divide evenly
 * goes to the earlier strata. */
void sample_allocate(const struct sample_allocate_rule *rule, const int64_t *frames,
                     size_t strata, struct arena *arena, int64_t *sizes);

#endif
