/* The sweep, the choice, and the model that is kept. */
#include "topic/topics.h"

#include <math.h>

/* By the words that the sweep looked at. */
static struct coherence *judge(const struct tokens *tokens, const struct lda_model *model,
                               struct arena *arena)
{
    size_t top = tokens->words < SWEEP_TOP ? tokens->words : SWEEP_TOP;
    struct coherence *out = arena_array(arena, struct coherence, model->topics);

    if (top >= 2)
        coherence_topics(tokens, relevance_likely(model, top, arena), model->topics, top,
                         arena, out);
    for (size_t k = 0; k < model->topics && top < 2; k++)
        out[k] = (struct coherence){NAN, NAN, NAN};
    return out;
}

bool topics_find(const struct tokens *tokens, const struct topics_settings *settings,
                 struct arena *arena, struct topics *out, struct err *err)
{
    size_t count = settings->sweep.count;
    struct sweep_step *steps = arena_array(arena, struct sweep_step, count);
    struct lda_settings lda = settings->sweep.lda;

    *out = (struct topics){.steps = steps, .step_count = count};
    if (!sweep_run(tokens, &settings->sweep, arena, steps, err))
        return false;
    out->chosen = sweep_choose(steps, count, settings->choose);
    lda.topics = steps[out->chosen].topics;
    lda.seed = steps[out->chosen].seed;
    lda.shares = true;
    if (!lda_fit(tokens, &lda, arena, &out->model, err))
        return false;
    out->top = tokens->words < TOPICS_WORDS ? tokens->words : TOPICS_WORDS;
    struct relevance *words =
        arena_array(arena, struct relevance, lda.topics * out->top + 1);
    relevance_words(&out->model, tokens, settings->lambda, out->top, arena, words);
    out->words = words;
    out->coherence = judge(tokens, &out->model, arena);
    out->stability = steps[out->chosen].stability.topics;
    return true;
}

void topics_add_label(const struct topics *topics, const struct tokens *tokens,
                      size_t topic, struct buf *out)
{
    size_t count = topics->top < TOPICS_LABEL_WORDS ? topics->top : TOPICS_LABEL_WORDS;

    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            buf_add(out, STR(", "));
        buf_add(out, tokens->names[topics->words[topic * topics->top + i].word]);
    }
}
