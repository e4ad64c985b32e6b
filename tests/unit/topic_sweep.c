/* Several models: what is told of each number of topics, and the choice. */
#include "topic/sweep.h"

#include "tests/unit/topic_planted.h"

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
    struct sweep_settings settings = {.lda = {.iterations = 60, .seed = 9, .threads = 1},
                                      .topics = numbers,
                                      .count = 2,
                                      .runs = 2,
                                      .tell = count_models,
                                      .context = &told};
    struct sweep_step one[2], two[2];
    struct err err = {0};

    planted_draw(&planted, &arena);
    tap_case("models are told of in order");
    CHECK(sweep_run(&planted.tokens, &settings, &arena, one, &err));
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
    CHECK(sweep_run(&planted.tokens, &settings, &arena, two, &err));
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
    struct tokens tokens = planted_tokens(lengths, 1, at, 2, &arena);
    struct sweep_settings settings = {
        .lda = {.iterations = 5, .threads = 1}, .topics = &number, .count = 1, .runs = 1};
    struct sweep_step step;
    struct err err = {0};

    tap_case("more topics than words");
    CHECK(!sweep_run(&tokens, &settings, &arena, &step, &err));
    CHECK(err.kind == ERR_INPUT);
    CHECK_TEXT(err.text, "3 topics of 1 documents with 2 different words: there are more "
                         "topics than words");
    static const size_t fewer = 2;
    settings.topics = &fewer;
    tap_case("one document: nothing can be foreseen, the rest is sound");
    CHECK(sweep_run(&tokens, &settings, &arena, &step, &err));
    CHECK_NEAR(step.perplexity, NAN, 0);
    CHECK_NEAR(step.stability.mean, NAN, 0);
    arena_free(&arena);
}

static void check_choice(void)
{
    struct sweep_step steps[] = {
        {.perplexity = 50, .coherence = {0, 0.3, 0.5}, .stability = {.mean = NAN}},
        {.perplexity = 40, .coherence = {0, 0.1, 0.6}, .stability = {.mean = NAN}},
        {.perplexity = 30, .coherence = {0, 0.2, 0.6}, .stability = {.mean = NAN}}};
    static const struct {
        const char *name;
        enum sweep_choice by;
        size_t best;
    } rows[] = {{"c_v, the first of equals", SWEEP_BY_CV, 1},
                {"npmi", SWEEP_BY_NPMI, 0},
                {"perplexity: the least", SWEEP_BY_PERPLEXITY, 2},
                {"stability, undefined: the first", SWEEP_BY_STABILITY, 0}};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("chosen by %s", rows[i].name);
        CHECK(sweep_choose(steps, 3, rows[i].by) == rows[i].best);
    }
}

int main(void)
{
    check_run();
    check_problems();
    check_choice();
    return tap_done();
}
