/* Numbers of topics compared, and the words of the topics kept. */
#include "topic/topic.h"

#include "tests/unit/topic_planted.h"
#include "tests/vectors/read.h"

/* Several models: what is told of each number of topics, and the choice. */

static void count_models(void *context, size_t done, size_t all)
{
    size_t *told = context;

    CHECK(all == 6 && done == *told + 1);
    *told = done;
}

static void check_run(void)
{
    static const size_t numbers[] = {2, 5};
    struct arena arena = {0};
    struct planted planted = {
        .topics = 5, .words = 100, .documents = 300, .length = 40, .seed = 4};
    size_t told = 0;
    struct topic_sweep_settings settings = {
        .lda = {.iterations = 60, .seed = 9, .threads = 1},
        .topics = numbers,
        .count = 2,
        .runs = 2,
        .tell = count_models,
        .context = &told};
    struct topic_sweep_step one[2], two[2];
    struct err err = {0};

    planted_draw(&planted, &arena);
    tap_case("models are told of in order");
    CHECK(topic_sweep_run(&planted.tokens, &settings, &arena, one, &err));
    CHECK(told == 6);
    tap_case("the number of topics that was planted foresees better");
    CHECK(one[1].perplexity < one[0].perplexity);
    tap_case("and finds the same topics again");
    CHECK(one[1].stability.mean > 0.8);
    tap_case("the seed is that of the typical run");
    CHECK(one[1].seed == 9 + one[1].stability.typical);
    settings.lda.threads = 2;
    settings.tell = NULL;
    tap_case("two threads find the same");
    CHECK(topic_sweep_run(&planted.tokens, &settings, &arena, two, &err));
    for (size_t i = 0; i < 2; i++) {
        CHECK_NEAR(one[i].perplexity, two[i].perplexity, 0);
        CHECK_NEAR(one[i].coherence.c_v, two[i].coherence.c_v, 0);
        CHECK_NEAR(one[i].stability.mean, two[i].stability.mean, 0);
    }
    arena_free(&arena);
}

static void check_problems(void)
{
    static const size_t number = 3;
    struct arena arena = {0};
    int64_t lengths[] = {2}, at[] = {0, 1};
    struct topic_tokens tokens = planted_tokens(lengths, 1, at, 2, &arena);
    struct topic_sweep_settings settings = {
        .lda = {.iterations = 5, .threads = 1}, .topics = &number, .count = 1, .runs = 1};
    struct topic_sweep_step step;
    struct err err = {0};

    tap_case("more topics than words");
    CHECK(!topic_sweep_run(&tokens, &settings, &arena, &step, &err));
    CHECK(err.kind == ERR_INPUT);
    CHECK_TEXT(err.text, "3 topics of 1 documents with 2 different words: there are more "
                         "topics than words");
    static const size_t fewer = 2;
    settings.topics = &fewer;
    tap_case("one document: nothing can be foreseen, the rest is sound");
    CHECK(topic_sweep_run(&tokens, &settings, &arena, &step, &err));
    CHECK_NEAR(step.perplexity, NAN, 0);
    CHECK_NEAR(step.stability.mean, NAN, 0);
    arena_free(&arena);
}

static void check_choice(void)
{
    struct topic_sweep_step steps[] = {
        {.perplexity = 50, .coherence = {0, 0.3, 0.5}, .stability = {.mean = NAN}},
        {.perplexity = 40, .coherence = {0, 0.1, 0.6}, .stability = {.mean = NAN}},
        {.perplexity = 30, .coherence = {0, 0.2, 0.6}, .stability = {.mean = NAN}}};
    static const struct {
        const char *name;
        enum topic_sweep_choice by;
        size_t best;
    } rows[] = {{"c_v, the first of equals", TOPIC_SWEEP_BY_CV, 1},
                {"npmi", TOPIC_SWEEP_BY_NPMI, 0},
                {"perplexity: the least", TOPIC_SWEEP_BY_PERPLEXITY, 2},
                {"stability, undefined: the first", TOPIC_SWEEP_BY_STABILITY, 0}};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("chosen by %s", rows[i].name);
        CHECK(topic_sweep_choose(steps, 3, rows[i].by) == rows[i].best);
    }
}

static void test_sweep(void)
{
    check_run();
    check_problems();
    check_choice();
}

/* Words of a topic in the order of relevance, against NumPy. */

enum { TOP = 4 };

static void check_vectors(void)
{
    struct vectors_file vectors = vectors_open_file("tests/vectors/topic.csv");

    while (vectors_next(&vectors, "relevance")) {
        struct stats_values phi = vectors_values(&vectors, "phi");
        struct stats_values lengths = vectors_values(&vectors, "lengths");
        struct stats_values words = vectors_values(&vectors, "words");
        struct stats_values relevance = vectors_values(&vectors, "relevance");
        size_t vocabulary = (size_t)vectors_number(&vectors, "vocabulary");
        struct topic_tokens tokens =
            planted_tokens(vectors_ints(&vectors, "lengths"), lengths.count,
                           vectors_ints(&vectors, "at"), vocabulary, &vectors.arena);
        float *given = arena_array(&vectors.arena, float, phi.count);
        for (size_t i = 0; i < phi.count; i++)
            given[i] = (float)phi.at[i];
        struct topic_lda_model model = {.topics = phi.count / vocabulary,
                                        .words = vocabulary,
                                        .words_given_topic = given};
        struct topic_relevance *out =
            arena_array(&vectors.arena, struct topic_relevance, model.topics * TOP);
        topic_relevance_words(&model, &tokens, TOPIC_RELEVANCE_LAMBDA, TOP,
                              &vectors.arena, out);
        for (size_t i = 0; i < words.count; i++) {
            CHECK(out[i].word == (uint32_t)words.at[i]);
            CHECK_CLOSE(out[i].relevance, relevance.at[i], 1e-10);
        }
    }
    vectors_close(&vectors);
}

static void check_order(void)
{
    /* Two topics of four words. */
    static const float given[] = {0.1F, 0.4F, 0.5F, 0.1F, 0.1F, 0.4F, 0.3F, 0.1F};
    struct arena arena = {0};
    struct topic_lda_model model = {.topics = 2, .words = 4, .words_given_topic = given};
    const uint32_t *words = topic_relevance_likely(&model, 4, &arena);

    tap_case("the most likely words first, the lower number of equals");
    CHECK(words[0] == 1 && words[1] == 3 && words[2] == 0 && words[3] == 2);
    CHECK(words[4] == 0 && words[5] == 2 && words[6] == 1 && words[7] == 3);
    words = topic_relevance_likely(&model, 1, &arena);
    tap_case("only the first");
    CHECK(words[0] == 1 && words[1] == 0);
    arena_free(&arena);
}

static void test_relevance(void)
{
    check_vectors();
    check_order();
}

/* From tokens to topics that are ready to be told. */

static void check_find(void)
{
    static const size_t numbers[] = {2, 4, 8};
    struct arena arena = {0};
    struct planted planted = {
        .topics = 4, .words = 80, .documents = 300, .length = 40, .seed = 6};
    struct topic_settings settings = {
        .sweep = {.lda = {.iterations = 60, .seed = 1, .threads = 1},
                  .topics = numbers,
                  .count = 3,
                  .runs = 2},
        .choose = TOPIC_SWEEP_BY_STABILITY,
        .lambda = 1};
    struct topic_set found, again;
    struct buf label = {0}, want = {0};
    struct err err = {0};

    planted_draw(&planted, &arena);
    tap_case("topics are found");
    CHECK(topic_find(&planted.tokens, &settings, &arena, &found, &err));
    CHECK(found.step_count == 3 && found.top == TOPIC_WORDS);
    tap_case("the model is that of the step chosen");
    CHECK(found.chosen == topic_sweep_choose(found.steps, 3, TOPIC_SWEEP_BY_STABILITY));
    CHECK(found.model.topics == numbers[found.chosen]);
    CHECK(found.model.shares != NULL);
    tap_case("it is the typical run: its words are those that stability was told of");
    const uint32_t *likely = topic_relevance_likely(&found.model, 1, &arena);
    CHECK(found.words[0].word == likely[0]);
    CHECK(found.stability == found.steps[found.chosen].stability.topics);
    tap_case("coherence of topics is that of the model");
    CHECK(found.coherence[0].c_v > 0 && found.coherence[0].c_v <= 1);
    settings.sweep.lda.threads = 2;
    tap_case("threads do not matter");
    CHECK(topic_find(&planted.tokens, &settings, &arena, &again, &err));
    CHECK(memcmp(found.model.shares, again.model.shares,
                 300 * found.model.topics * sizeof(float)) == 0);
    topic_add_label(&found, &planted.tokens, 0, &label);
    buf_add_char(&label, '\0');
    for (size_t i = 0; i < TOPIC_LABEL_WORDS; i++)
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
    struct topic_tokens tokens = planted_tokens(lengths, 2, at, 1, &arena);
    struct topic_settings settings = {.sweep = {.lda = {.iterations = 2, .threads = 1},
                                                .topics = &number,
                                                .count = 1,
                                                .runs = 1}};
    struct topic_set found;
    struct err err = {0};

    tap_case("a single word: coherence is undefined");
    CHECK(topic_find(&tokens, &settings, &arena, &found, &err));
    CHECK_NEAR(found.coherence[0].c_v, NAN, 0);
    CHECK(found.top == 1);
    arena_free(&arena);
}

static void test_topics(void)
{
    check_find();
    check_few();
}

int main(void)
{
    test_sweep();
    test_relevance();
    test_topics();
    return tap_done();
}
