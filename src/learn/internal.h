/* What the files of learn/ share only with each other. */
#ifndef LEARN_INTERNAL_H
#define LEARN_INTERNAL_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "learn/features.h"
#include "learn/model.h"
#include "learn/quantify.h"

struct learn_weigh_source learn_model_source(const struct learn_model_settings *settings,
                                             const struct learn_examples *examples);

/* The settings' weights, with those that were tuned. */
struct learn_weigh_options
learn_model_weights(const struct learn_model_settings *settings,
                    struct learn_model_tuned tuned);

/* The weights for one candidate value; rows and truth are the training part. `start` is
 * where linear methods begin and leave what they came to, classes x rows, which makes the
 * next candidate's way short; NULL: from 0. */
struct learn_scorer
learn_model_fit(const struct learn_model_settings *settings,
                const struct learn_examples *examples, const struct learn_weigh *weigh,
                const struct learn_rows *rows, const struct learn_membership *truth,
                struct learn_model_tuned tuned, double *start, struct arena *arena);

/* Sets tuned, sharpness, thresholds, slopes and biases by cross-validation within the
 * items. */
void learn_model_tune(const struct learn_model_settings *settings,
                      const struct learn_examples *examples,
                      struct learn_fold_items items, struct arena *arena,
                      struct learn_model *out);

/* LEARN_MODEL_REST or LEARN_MODEL_POWERSET, whichever has the higher macro F1 by
 * cross-validation within the items; of equals the first. */
enum learn_model_several learn_model_choose(const struct learn_model_settings *settings,
                                            const struct learn_examples *examples,
                                            struct learn_fold_items items);

/* With several labels: that an item with that score has the class. */
double learn_model_probability(const struct learn_model *model, size_t class,
                               double score);

/* Uses sharpness, or slopes and biases. */
void learn_model_probabilities(const struct learn_model *model, const double *scores,
                               double *probabilities);

/* Near duplicates: texts that share most of their runs of three words. Found by
 * min-hashing (Broder, "On the resemblance and containment of documents", 1997) with
 * banding, so that not every pair has to be compared. */

enum { LEARN_DUPLICATES_HASHES = 64 };

/* The share of runs that two texts must have in common to be near duplicates. */
#define LEARN_DUPLICATES_RESEMBLANCE 0.8

/* A text in small: equal places are as frequent as the texts' resemblance is high. */
struct learn_duplicates_sketch {
    uint32_t at[LEARN_DUPLICATES_HASHES];
    bool empty; /* no words: resembles nothing */
};

/* `lower` is what reading words needs. */
struct learn_duplicates_sketch learn_duplicates_sketch(struct str text,
                                                       struct buf *lower);

/* Estimated from two sketches: 0 .. 1. */
double learn_duplicates_resemblance(const struct learn_duplicates_sketch *a,
                                    const struct learn_duplicates_sketch *b);

/* A number for each text: the smallest index among those that it is linked with by a
 * chain of near duplicates, itself included. */
size_t *learn_duplicates_groups(const struct learn_duplicates_sketch *sketches,
                                size_t count, struct arena *arena);

/* How features are hashed and looked up: what reading a post shares with the table. Two
 * features whose 64-bit hashes are the same would be taken for one: with a million
 * features the chance is below 1e-7. */

enum { LEARN_FEATURES_TABLE_PAD = 16 }; /* bytes behind a name that may be read */

static inline uint64_t learn_features_table_mix(uint64_t x)
{
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

/* Both factors times each other, upper half on lower half: the step of wyhash
 * (https://github.com/wangyi-fudan/wyhash, public domain). */
static inline uint64_t learn_features_table_fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* What a name comes to before its part and kind. Up to 16 bytes there is no branch that
 * lengths, which nobody foretells, could go either way. No factor becomes 0, since no
 * text has the bytes of the constants. */
static inline uint64_t learn_features_table_base(const char *name, size_t len)
{
    static const unsigned char masks[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                            255, 255, 255, 255, 255, 255, 255, 255};
    uint64_t low, high, low_mask, high_mask;

    if (len > 16)
        return XXH3_64bits(name, len);
    memcpy(&low, name, 8);
    memcpy(&high, name + 8, 8);
    memcpy(&low_mask, masks + 16 - len, 8);
    memcpy(&high_mask, masks + 24 - len, 8);
    return learn_features_table_fold((low & low_mask) ^ UINT64_C(0xA0761D6478BD642F),
                                     (high & high_mask) ^ UINT64_C(0xE7037ED1A0B428DB));
}

/* Of a run of words from those of its words. */
static inline uint64_t learn_features_table_joined(uint64_t before, uint64_t word)
{
    return learn_features_table_mix(before * UINT64_C(0x9E3779B97F4A7C15)) ^ word;
}

static inline uint64_t learn_features_table_hash(uint64_t base, unsigned part,
                                                 unsigned kind)
{
    return base + (part * LEARN_FEATURES_KINDS + kind + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

static inline struct learn_features_slot *
learn_features_table_slots(const struct learn_features_table *table)
{
    return (struct learn_features_slot *)(void *)table->slots.ptr;
}

static inline size_t
learn_features_table_capacity(const struct learn_features_table *table)
{
    return table->slots.len / sizeof(struct learn_features_slot);
}

/* The slot of the hash, or the free one where it belongs. The mask is the number of slots
 * less 1; a table that is empty has none. */
static inline struct learn_features_slot *
learn_features_table_find(struct learn_features_slot *slots, size_t mask, uint64_t hash)
{
    for (size_t i = hash & mask;; i = (i + 1) & mask)
        if (slots[i].hash == hash || slots[i].next == 0)
            return slots + i;
}

/* What features a part of a post has, before they are looked up. */

/* Something found; its name is in the reader's text. */
struct learn_features_found {
    uint64_t hash;
    uint32_t at;
    uint16_t len, kind;
};

/* Sets the reader's text and found. `as` is the part that features are said to be in. */
void learn_features_find(struct learn_features_reader *reader, struct str part,
                         unsigned as);

/* The strongest directions of a sparse matrix: its largest singular values and their left
 * vectors, by subspace iteration from random directions; Halko, Martinsson and Tropp,
 * "Finding structure with randomness", SIAM Review 53, 2011, algorithm 4.4. One thread,
 * one order of sums: the same seed gives the same bits. */

struct learn_factor {
    size_t rank;    /* as asked for, or what the matrix has columns or rows for */
    double *left;   /* rows x rank, orthonormal, 0 where the matrix has no more
                       directions; the sign of each is chance */
    double *values; /* falling */
};

struct learn_factor learn_factor_make(const struct learn_rows *matrix, size_t rank,
                                      struct rng *rng, struct arena *arena);

/* What the corrections by themselves (see quantify.h) share with others. */

/* Solves the system of size unknowns by elimination with pivots; its count rows are size
 * + 1 long, the right side last, and are used up. False when it has no single solution;
 * when there are more rows than unknowns, out fits as many rows as it can. */
bool learn_quantify_shift_solve(double *rows, size_t count, size_t size, double *out);

/* Probabilities made right by labels. */

/* Probabilities made right by labels: softmax(slope * log p + bias), "bias-corrected
 * temperature scaling"; Alexandari, Kundaje and Shrikumar, "Maximum likelihood with
 * bias-corrected calibration is hard-to-beat at label shift adaptation", ICML 2020. */
struct learn_quantify_calibration {
    double slope;
    double *bias; /* of each class */
};

/* Logarithms of probabilities: items x classes. */
void learn_quantify_calibrate_logarithms(const double *probabilities, size_t count,
                                         double *out);

/* What makes the labels most likely, found by Newton's method from where *fit is, in at
 * most so many rounds. The smallest of penalties keeps it defined when labels are few. */
void learn_quantify_calibrate(const double *logarithms, const size_t *truth,
                              const double *weights, size_t items, size_t classes,
                              int rounds, struct learn_quantify_calibration *fit,
                              struct arena *arena);
void learn_quantify_calibrated(const struct learn_quantify_calibration *fit,
                               const double *logarithms, size_t items, size_t classes,
                               double *out);

/* Corrections that rest on errors being the same everywhere, with intervals. */

/* Items as one question sees them: of its answers exactly one is true. */
struct learn_quantify_seen {
    size_t count;
    size_t *said, *truth;  /* said: answers where there is none; truth: NULL where it is
                              not known */
    double *probabilities; /* items x answers */
    double *none;          /* of each item: what its probabilities leave to 1 */
};

/* How labelled items were drawn. */
struct learn_quantify_drawn {
    size_t strata;
    const size_t *stratum; /* of each labelled item */
    const double *weight;  /* of each labelled item: 1 on average */
    /* Of each stratum: the variance that its labels bring, as a share of what it would be
     * if they were drawn from very many; see quantify_limits.c. */
    const double *variance;
};

struct learn_quantify_question {
    size_t classes; /* answers */
    struct learn_quantify_seen labelled, set;
    struct learn_quantify_drawn drawn;
};

/* Shares by adjusted count, probabilistic adjusted count and EM, with intervals: out is
 * 3 x answers. */
void learn_quantify_corrected(const struct learn_quantify_question *question,
                              double level, struct arena *arena,
                              struct learn_quantify_share *out);

/* Numbers of a prediction whose means over items of a class tell it from others. */
struct learn_quantify_features {
    const double *of;   /* labelled items x wide */
    const double *mean; /* over the set */
    size_t wide;
    bool centred; /* estimates are not what means alone would give; where they are within
                     0 .. 1 the interval is about them */
};

/* The intervals of estimated shares, or why they are undefined (quantify_limits.c). */
void learn_quantify_limits(const struct learn_quantify_question *question,
                           const struct learn_quantify_features *features, double level,
                           struct arena *arena, struct learn_quantify_share *out);
void learn_quantify_undefine(struct learn_quantify_share *share, const char *why);

/* Which strata of a set count by themselves when its shares are estimated. */

/* The strata of some of the items, as shares use them. Those drawn at the same rate are
 * one; so are those that are small, at most 5% of the items, and have fewer than two
 * labels. */
struct learn_quantify_strata {
    size_t count;
    size_t *of; /* of each stratum as given: its place here; SIZE_MAX: it has no item */
    size_t *items, *drawn; /* of each place */
    size_t joined;         /* items of small strata that have fewer than two labels */
    size_t unknown;        /* the same of strata that are not small */
};

struct learn_quantify_strata
learn_quantify_strata_find(const struct learn_quantify_items *items, const size_t *at,
                           size_t count, struct arena *arena);

#endif
