/* All words are weighed, the best few kept in order. */
#include "topic/relevance.h"

#include "base/real.h"

/* Enters a word that is better than the last of them; earlier words win. */
static void enter(struct relevance *best, size_t count, size_t *used,
                  struct relevance word)
{
    size_t at = *used < count ? (*used)++ : count;

    if (at == count) {
        if (best[count - 1].relevance >= word.relevance)
            return;
        at = count - 1;
    }
    for (; at > 0 && best[at - 1].relevance < word.relevance; at--)
        best[at] = best[at - 1];
    best[at] = word;
}

/* A word that does not occur here counts as half a token. */
static double *shares_of_words(const struct tokens *tokens, struct arena *arena)
{
    double *shares = arena_array(arena, double, tokens->words + 1);
    size_t all = tokens->begin[tokens->documents];

    for (size_t i = 0; i < all; i++)
        shares[tokens->at[i]]++;
    for (size_t w = 0; w < tokens->words; w++)
        shares[w] = (shares[w] > 0 ? shares[w] : 0.5) / (double)all;
    return shares;
}

void relevance_words(const struct lda_model *model, const struct tokens *tokens,
                     double lambda, size_t count, struct arena *arena,
                     struct relevance *out)
{
    const double *shares = shares_of_words(tokens, arena);

    for (size_t k = 0; k < model->topics; k++)
        for (size_t w = 0, used = 0; w < model->words; w++) {
            double probability = lda_word(model, k, w);
            double lift = real_log(probability / shares[w]);
            double relevance = lambda * real_log(probability) + (1 - lambda) * lift;
            enter(out + k * count, count, &used,
                  (struct relevance){(uint32_t)w, relevance, probability});
        }
}

uint32_t *relevance_likely(const struct lda_model *model, size_t count,
                           struct arena *arena)
{
    uint32_t *words = arena_array(arena, uint32_t, model->topics * count + 1);
    struct relevance *best = arena_array(arena, struct relevance, count + 1);

    for (size_t k = 0; k < model->topics; k++) {
        for (size_t w = 0, used = 0; w < model->words; w++) {
            double probability = lda_word(model, k, w);
            enter(best, count, &used,
                  (struct relevance){(uint32_t)w, probability, probability});
        }
        for (size_t i = 0; i < count; i++)
            words[k * count + i] = best[i].word;
    }
    return words;
}
