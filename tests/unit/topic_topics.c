/* From tokens to topics that are ready to be told. */
#include "topic/topics.h"

#include "tests/unit/topic_planted.h"

static void check_find(void)
{
    static const size_t numbers[] = {2, 4, 8};
    struct arena arena = {0};
    struct planted planted = {
        .topics = 4, .words = 80, .documents = 300, .length = 40, .seed = 6};
    struct topics_settings settings = {
        .sweep = {.lda = {.iterations = 60, .seed = 1, .threads = 1},
                  .topics = numbers,
                  .count = 3,
                  .runs = 2},
        .choose = SWEEP_BY_STABILITY,
        .lambda = 1};
    struct topics found, again;
    struct buf label = {0}, want = {0};
    struct err err = {0};

    planted_draw(&planted, &arena);
    tap_case("topics are found");
    CHECK(topics_find(&planted.tokens, &settings, &arena, &found, &err));
    CHECK(found.step_count == 3 && found.top == TOPICS_WORDS);
    tap_case("the model is that of the step chosen");
    CHECK(found.chosen == sweep_choose(found.steps, 3, SWEEP_BY_STABILITY));
    CHECK(found.model.topics == numbers[found.chosen]);
    CHECK(found.model.shares != NULL);
    tap_case("it is the typical run: its words are those that stability was told of");
    const uint32_t *likely = relevance_likely(&found.model, 1, &arena);
    CHECK(found.words[0].word == likely[0]);
    CHECK(found.stability == found.steps[found.chosen].stability.topics);
    tap_case("coherence of topics is that of the model");
    CHECK(found.coherence[0].c_v > 0 && found.coherence[0].c_v <= 1);
    settings.sweep.lda.threads = 2;
    tap_case("threads do not matter");
    CHECK(topics_find(&planted.tokens, &settings, &arena, &again, &err));
    CHECK(memcmp(found.model.shares, again.model.shares,
                 300 * found.model.topics * sizeof(float)) == 0);
    topics_add_label(&found, &planted.tokens, 0, &label);
    buf_add_char(&label, '\0');
    for (size_t i = 0; i < TOPICS_LABEL_WORDS; i++)
        buf_add_format(&want, "%sw%u", i > 0 ? ", " : "", found.words[i].word);
    tap_case("a label is made of the first words");
    CHECK_TEXT(label.ptr, want.ptr);
    buf_free(&label);
    buf_free(&want);
    arena_free(&arena);
}

static void check_few(void)
{
    static const size_t number = 1;
    struct arena arena = {0};
    int64_t lengths[] = {3, 2}, at[] = {0, 0, 0, 0, 0};
    struct tokens tokens = planted_tokens(lengths, 2, at, 1, &arena);
    struct topics_settings settings = {.sweep = {.lda = {.iterations = 2, .threads = 1},
                                                 .topics = &number,
                                                 .count = 1,
                                                 .runs = 1}};
    struct topics found;
    struct err err = {0};

    tap_case("a single word: coherence is undefined");
    CHECK(topics_find(&tokens, &settings, &arena, &found, &err));
    CHECK_NEAR(found.coherence[0].c_v, NAN, 0);
    CHECK(found.top == 1);
    arena_free(&arena);
}

int main(void)
{
    check_find();
    check_few();
    return tap_done();
}
