/* Which verbs may mean the same, and which objects, before anybody has decided: by
 * WordNet, by what stands beside them in titles, by their vectors in the corpus. */
#include <math.h>
#include <string.h>

#include "base/list.h"
#include "base/real.h"
#include "phrase/internal.h"

#define SCORE_MIN 0.3
#define RARE      3.0

/* How far each kind of evidence alone may carry. */
#define BY_SYNONYMS 0.6
#define BY_SHARED   0.5
#define BY_NEAR     0.5
#define BY_BEFORE   0.8

/* Of a verb's senses so many are common; a rarer one says less. */
enum { FREQUENT_SENSES = 2 };
#define BY_RARE_SENSE 0.8

/* What a term may mean. */
struct senses {
    struct phrase_wordnet_sense at[PHRASE_WORDNET_SENSES];
    size_t count;
};

static double synonyms_of(const struct senses *a, const struct senses *b)
{
    double best = 0;

    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) {
            double here = 0;
            if (a->at[i].synset == b->at[j].synset)
                here = 1;
            else if (a->at[i].above == b->at[j].synset ||
                     b->at[j].above == a->at[i].synset)
                here = 0.7;
            else if (a->at[i].above == b->at[j].above && a->at[i].above != 0)
                here = 0.4;
            if (i >= FREQUENT_SENSES || j >= FREQUENT_SENSES)
                here *= BY_RARE_SENSE;
            best = here > best ? here : best;
        }
    return best;
}

/* What stands beside a term, weighed by how few terms have it, with length 1. */
struct companions {
    struct companion {
        size_t what;
        double value;
    } * at;
    size_t count;
};

static void find_companions(const struct phrase_terms *terms, size_t count,
                            struct arena *arena, struct companions *out)
{
    double *terms_with = arena_array(arena, double, terms->beside_max + 1);
    size_t *place = arena_array(arena, size_t, terms->beside_max + 1);

    for (size_t t = 0; t < count; t++) {
        const struct phrase_term *term = &terms->at[t];
        out[t].at = arena_array(arena, struct companion, (size_t)term->count + 1);
        for (int64_t i = 0; i < term->count; i++) {
            size_t what = term->beside[i], p;
            if (what == PHRASE_NONE)
                continue;
            p = place[what];
            if (p >= out[t].count || out[t].at[p].what != what) {
                p = place[what] = out[t].count++;
                out[t].at[p] = (struct companion){what, 0};
                terms_with[what]++;
            }
            out[t].at[p].value++;
        }
    }
    for (size_t t = 0; t < count; t++) {
        double squares = 0;
        for (size_t i = 0; i < out[t].count; i++) {
            struct companion *it = &out[t].at[i];
            it->value =
                sqrt(it->value) * real_log(((double)count + 1) / terms_with[it->what]);
            squares += it->value * it->value;
        }
        for (size_t i = 0; i < out[t].count && squares > 0; i++)
            out[t].at[i].value /= sqrt(squares);
    }
}

static double near_of(const float *a, const float *b, size_t dimensions)
{
    double product = 0, squares_a = 0, squares_b = 0;

    for (size_t i = 0; i < dimensions && a != NULL && b != NULL; i++) {
        product += (double)a[i] * (double)b[i];
        squares_a += (double)a[i] * (double)a[i];
        squares_b += (double)b[i] * (double)b[i];
    }
    return product > 0 ? product / sqrt(squares_a * squares_b) : 0;
}

/* The best so far of one term, in order. */
static void keep(struct phrase_merge *best, size_t *count, struct phrase_merge merge)
{
    size_t at = *count;

    while (at > 0 && best[at - 1].score < merge.score)
        at--;
    if (at == PHRASE_PROPOSALS)
        return;
    if (*count < PHRASE_PROPOSALS)
        ++*count;
    memmove(best + at + 1, best + at, (*count - at - 1) * sizeof *best);
    best[at] = merge;
}

size_t phrase_merges(const struct phrase_terms *terms, struct arena *arena,
                     struct phrase_merge **out)
{
    size_t count = terms->count < PHRASE_TERMS_MAX ? terms->count : PHRASE_TERMS_MAX;
    struct companions *beside = arena_array(arena, struct companions, count + 1);
    struct senses *senses = arena_array(arena, struct senses, count + 1);
    double *wide = arena_array(arena, double, terms->beside_max + 1);
    LIST(struct phrase_merge) all = {0};

    find_companions(terms, count, arena, beside);
    for (size_t t = 0; t < count; t++)
        senses[t].count =
            phrase_wordnet_senses(terms->part, terms->at[t].name, senses[t].at);
    for (size_t from = 0; from < count; from++) {
        struct phrase_merge best[PHRASE_PROPOSALS];
        size_t kept = 0;
        for (size_t i = 0; i < beside[from].count; i++)
            wide[beside[from].at[i].what] = beside[from].at[i].value;
        /* Terms come by frequency: the ones before it are those it may go into. */
        for (size_t into = 0; into < from; into++) {
            const struct phrase_term *a = &terms->at[from], *b = &terms->at[into];
            struct phrase_merge merge = {.from = from, .into = into};
            for (size_t i = 0; i < beside[into].count; i++)
                merge.shared += wide[beside[into].at[i].what] * beside[into].at[i].value;
            /* One title each says little: two titles of ten beside the same is more. */
            merge.shared *= (double)a->count / ((double)a->count + RARE);
            merge.synonyms = synonyms_of(&senses[from], &senses[into]);
            merge.near = near_of(a->vector, b->vector, terms->dimensions);
            for (size_t i = 0; i < a->before_count; i++)
                if (a->before[i].class == into)
                    merge.before = a->before[i].score;
            merge.score =
                1 - (1 - BY_SYNONYMS * merge.synonyms) * (1 - BY_SHARED * merge.shared) *
                        (1 - BY_NEAR * merge.near) * (1 - BY_BEFORE * merge.before);
            if (merge.score >= SCORE_MIN)
                keep(best, &kept, merge);
        }
        for (size_t i = 0; i < beside[from].count; i++)
            wide[beside[from].at[i].what] = 0;
        for (size_t i = 0; i < kept; i++)
            list_add(&all, best[i]);
    }
    size_t found = all.count;
    *out = list_copy(&all, arena);
    list_free(&all);
    return found;
}
