/* Overlap and matching against independent computations; runs that agree or not. */
#include "topic/topic.h"

#include "tests/vectors/read.h"

static uint32_t *numbers(struct vectors_file *vectors, const char *field, size_t *count)
{
    struct stats_values values = vectors_values(vectors, field);
    uint32_t *out = arena_array(&vectors->arena, uint32_t, values.count + 1);

    for (size_t i = 0; i < values.count; i++)
        out[i] = (uint32_t)values.at[i];
    *count = values.count;
    return out;
}

static void check_vectors(void)
{
    struct vectors_file vectors = vectors_open_file("tests/vectors/topic.csv");

    while (vectors_next(&vectors, "overlap match")) {
        size_t count;
        if (vectors_is(&vectors, "overlap")) {
            uint32_t *a = numbers(&vectors, "a", &count);
            uint32_t *b = numbers(&vectors, "b", &count);
            CHECK_NEAR(topic_stability_overlap(a, b, count),
                       vectors_number(&vectors, "overlap"), 1e-12);
            continue;
        }
        struct stats_values likeness = vectors_values(&vectors, "likeness");
        count = (size_t)(sqrt((double)likeness.count) + 0.5);
        size_t *to = arena_array(&vectors.arena, size_t, count);
        bool *taken = arena_array(&vectors.arena, bool, count);
        double sum = 0;
        topic_stability_match(likeness.at, count, &vectors.arena, to);
        for (size_t i = 0; i < count; i++) {
            CHECK(to[i] < count && !taken[to[i]]);
            taken[to[i]] = true;
            sum += likeness.at[i * count + to[i]];
        }
        CHECK_NEAR(sum, vectors_number(&vectors, "best"), 1e-12);
    }
    vectors_close(&vectors);
}

static void check_runs(void)
{
    /* Two topics of three words; the second run has them in the other order, the third
     * has one of them with other words. */
    static const uint32_t first[] = {0, 1, 2, 3, 4, 5}, second[] = {3, 4, 5, 0, 1, 2},
                          third[] = {0, 1, 2, 6, 7, 8};
    static const uint32_t *const words[] = {third, first, second};
    struct arena arena = {0};
    struct topic_stability found =
        topic_stability_of(&(struct topic_stability_runs){words, 3, 2, 3}, &arena);

    tap_case("the order of topics does not matter; the typical run is like the others");
    CHECK(found.typical == 1);
    CHECK_NEAR(found.topics[0], 1, 1e-12);
    CHECK_NEAR(found.topics[1], 0.5, 1e-12);
    tap_case("the mean is over all pairs of runs");
    CHECK_NEAR(found.mean, (1 + 0.5 + 0.5) / 3, 1e-12);
    found = topic_stability_of(&(struct topic_stability_runs){words, 1, 2, 3}, &arena);
    tap_case("one run: undefined");
    CHECK_NEAR(found.mean, NAN, 0);
    CHECK_NEAR(found.topics[0], NAN, 0);
    CHECK(found.typical == 0);
    arena_free(&arena);
}

int main(void)
{
    check_vectors();
    check_runs();
    return tap_done();
}
