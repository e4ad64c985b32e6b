/* Hyperscan finds what the automaton finds, also in texts that are scanned in blocks. */
#include "query/internal.h"

#include "base/rng.h"
#include "tests/tap.h"

enum { TERMS = 60 };

static void add_terms(struct query_finder *finder, struct rng *rng, struct arena *arena)
{
    static const enum query_match matches[] = {QUERY_WORDS, QUERY_PREFIX,
                                               QUERY_SUBSTRING};

    for (int i = 0; i < TERMS; i++) {
        char term[50];
        size_t size = 1 + rng_below(rng, rng_below(rng, 8) == 0 ? sizeof term : 4);
        for (size_t k = 0; k < size; k++)
            term[k] = "abc_\xC3\xA9 .*\\"[rng_below(rng, 10)];
        term[0] = "ab.\xC3"[rng_below(rng, 4)];
        term[size - 1] = "ab."[rng_below(rng, 3)];
        query_finder_add(finder, matches[rng_below(rng, 3)], (struct str){term, size},
                         QUERY_NEW_TARGET, arena);
    }
}

static size_t count_differences(const struct query_finder *a,
                                const struct query_finder *b, struct str text,
                                size_t *hits)
{
    struct arena arena = {0};
    uint64_t met[2][TERMS] = {0};
    struct query_hyperscan_room *room = query_hyperscan_room_open(&arena);
    size_t different = 0;

    query_hyperscan_room_add(room, a->hyperscan);
    query_finder_run(a, &(struct query_found){.text = text, .met = met[0], .serial = 1},
                     room);
    query_finder_run(b, &(struct query_found){.text = text, .met = met[1], .serial = 1},
                     room);
    for (int i = 0; i < TERMS; i++) {
        different += met[0][i] != met[1][i];
        *hits += met[0][i] == 1;
    }
    query_hyperscan_room_close(room);
    arena_free(&arena);
    return different;
}

static void check_random(size_t block_max)
{
    struct rng rng = rng_seeded(5400 + block_max);
    size_t different = 0, hits = 0;

    tap_case("random terms, blocks of %zu bytes", block_max);
    for (int round = 0; round < 40; round++) {
        struct arena arena = {0};
        struct query_finder fast = {.block_max = block_max}, plain = {0};
        struct rng same = rng;
        add_terms(&fast, &rng, &arena);
        add_terms(&plain, &same, &arena);
        query_finder_build(&fast, false, &arena);
        query_finder_build(&plain, true, &arena);
        if (fast.hyperscan == NULL) {
            tap_skip("Hyperscan is not built in or does not run here");
            round = 40;
        }
        for (int texts = 0; texts < 50; texts++) {
            char text[400];
            size_t len = rng_below(&rng, sizeof text);
            for (size_t i = 0; i < len; i++)
                text[i] = "abcABC_\xC3\xA9  .*\\\n"[rng_below(&rng, 15)];
            different += count_differences(&fast, &plain, (struct str){text, len}, &hits);
        }
        query_finder_free(&fast);
        arena_free(&arena);
    }
    CHECK(different == 0);
    CHECK(hits > 0);
}

int main(void)
{
    check_random(0);
    check_random(65);
    check_random(100);
    return tap_done();
}
