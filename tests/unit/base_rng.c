/* Published samples and simulated corpora depend on these numbers: the frozen ones must
 * never change. The others check shares and means; seeds are fixed, so that a bound that
 * holds once holds always, and each is at least 6 standard errors wide. */
#include "base/rng.h"

#include <math.h>
#include <string.h>

#include "tests/tap.h"

/* xoshiro256++ from state {1, 2, 3, 4}, as its authors' program prints it. */
static const uint64_t reference[] = {
    41943041u,
    58720359u,
    3588806011781223u,
    3591011842654386u,
    9228616714210784205u,
    9973669472204895162u,
    14011001112246962877u,
    12406186145184390807u,
    15849039046786891736u,
    10450023813501588000u,
};

static const struct {
    uint64_t seed, next[3];
} seeds[] = {
    {0, {5987356902031041503u, 7051070477665621255u, 6633766593972829180u}},
    {1, {14971601782005023387u, 13781649495232077965u, 1847458086238483744u}},
    {UINT64_MAX, {6254647548650071986u, 16610832622747802512u, 16422857234328439435u}},
};

static const struct {
    uint64_t seed, stream, index, next[3];
} streams[] = {
    {1, 2, 3, {5298041080994355231u, 17864264540299904093u, 12163302920390429877u}},
    {1, 2, 4, {11880313524546577699u, 8168464015092818425u, 12201767791156298044u}},
    {1, 3, 2, {17201361220436013011u, 7845614421363326844u, 12108735741227158203u}},
    {0, 0, 0, {13455478169099370058u, 3106000864563739563u, 2921810637271418517u}},
};

static void check_generator(void)
{
    struct rng rng = {{1, 2, 3, 4}};

    tap_case("frozen: xoshiro256++ gives its reference values");
    for (size_t i = 0; i < ROWS(reference); i++)
        CHECK(rng_next(&rng) == reference[i]);
    tap_case("frozen: a seed fills the state by SplitMix64");
    rng = rng_seeded(1234567);
    CHECK(rng.state[0] == 6457827717110365317u && rng.state[1] == 3203168211198807973u);
    CHECK(rng.state[2] == 9817491932198370423u && rng.state[3] == 4593380528125082431u);
    for (size_t i = 0; i < ROWS(seeds); i++) {
        tap_case("frozen: seed %llu", (unsigned long long)seeds[i].seed);
        rng = rng_seeded(seeds[i].seed);
        for (size_t n = 0; n < ROWS(seeds[i].next); n++)
            CHECK(rng_next(&rng) == seeds[i].next[n]);
    }
    for (size_t i = 0; i < ROWS(streams); i++) {
        tap_case("frozen: stream %llu, %llu, %llu", (unsigned long long)streams[i].seed,
                 (unsigned long long)streams[i].stream,
                 (unsigned long long)streams[i].index);
        rng = rng_stream(streams[i].seed, streams[i].stream, streams[i].index);
        for (size_t n = 0; n < ROWS(streams[i].next); n++)
            CHECK(rng_next(&rng) == streams[i].next[n]);
    }
}

static void check_frozen_whole(void)
{
    static const uint64_t tens[] = {7, 5, 6, 2, 4, 7, 3, 7, 4, 8, 5, 6};
    static const uint64_t large[] = {674878619080, 879879680003, 976620262244,
                                     454166198150};
    /* Half of all throws are refused for this bound. */
    static const uint64_t huge[] = {5199240362394974758u, 3399524784755263184u,
                                    1454944493607204139u, 5464762770364511965u};
    static const size_t chosen[] = {0, 2, 3, 2, 3, 3, 3, 2, 3, 0, 0, 2, 3, 0, 3, 0};
    static const double weights[] = {1, 0, 2, 3.5, 0};
    static const int shuffled[] = {8, 0, 5, 1, 6, 7, 4, 2, 9, 3};
    static const uint64_t pass[] = {2, 4, 5, 7, 13, 18};
    static const uint64_t thrown[] = {150, 191, 202, 233, 265, 456, 511, 987};
    struct rng rng = rng_seeded(2);

    tap_case("frozen: below");
    for (size_t i = 0; i < ROWS(tens); i++)
        CHECK(rng_below(&rng, 10) == tens[i]);
    for (size_t i = 0; i < ROWS(large); i++)
        CHECK(rng_below(&rng, 1000000000000) == large[i]);
    for (size_t i = 0; i < ROWS(huge); i++)
        CHECK(rng_below(&rng, ((uint64_t)1 << 63) + 1) == huge[i]);
    CHECK(rng_below(&rng, 1) == 0);
    CHECK(rng_below(&rng, UINT64_MAX) == 15526394232015288831u);
    tap_case("frozen: weighted");
    rng = rng_seeded(7);
    for (size_t i = 0; i < ROWS(chosen); i++)
        CHECK(rng_weighted(&rng, weights, ROWS(weights)) == chosen[i]);
    tap_case("frozen: shuffle");
    int items[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    rng = rng_seeded(8);
    rng_shuffle(&rng, items, ROWS(items), sizeof *items);
    CHECK(memcmp(items, shuffled, sizeof items) == 0);
    tap_case("frozen: draw, large part and small part");
    uint64_t out[8];
    rng = rng_seeded(9);
    rng_draw(&rng, 20, ROWS(pass), out);
    CHECK(memcmp(out, pass, sizeof pass) == 0);
    rng_draw(&rng, 1000, ROWS(thrown), out);
    CHECK(memcmp(out, thrown, sizeof thrown) == 0);
}

static void check_frozen_real(void)
{
    static const double units[] = {0x1.a57d7237232d0p-5, 0x1.4bbbd93edc60dp-1,
                                   0x1.bbe94484d1c7cp-1, 0x1.b08c8e71aa4b5p-1,
                                   0x1.40eb6c3d2d2e5p-1};
    static const double normals[] = {0x1.9c0df6dcf90a8p+0, -0x1.de943fd2ff8b3p-1,
                                     -0x1.371913b9bd827p-1, 0x1.e54ba974b74c2p-4,
                                     -0x1.447b94dc7b085p-2};
    static const double logs[] = {0x1.74b244474c703p+5, 0x1.c516dccf6acf6p+6,
                                  0x1.82415797c5d2cp+6, 0x1.1f65dbca5b47cp+7};
    struct rng rng = rng_seeded(3);

    tap_case("frozen: unit");
    for (size_t i = 0; i < ROWS(units); i++)
        CHECK(rng_unit(&rng) == units[i]);
    tap_case("frozen: normal");
    rng = rng_seeded(4);
    for (size_t i = 0; i < ROWS(normals); i++)
        CHECK_NEAR(rng_normal(&rng), normals[i], 0);
    tap_case("frozen: log_normal");
    rng = rng_seeded(5);
    for (size_t i = 0; i < ROWS(logs); i++)
        CHECK_NEAR(rng_log_normal(&rng, 100, 0.5), logs[i], 0);
}

/* Chi-square of what was seen against what was expected, as standard errors from its
 * mean: its degrees of freedom d are its mean and 2 d its variance. Drawing without
 * replacement makes the sum smaller by the share that is left out. */
static double chi_excess(const double *seen, const double *expected, size_t cells,
                         double left_out)
{
    double sum = 0, freedom = (double)cells - 1;

    for (size_t i = 0; i < cells; i++)
        sum += (seen[i] - expected[i]) * (seen[i] - expected[i]) / expected[i];
    return (sum / left_out - freedom) / sqrt(2 * freedom);
}

static void check_below(void)
{
    static const uint64_t bounds[] = {1, 2, 3, 7, 10, 64, 100};
    struct rng rng = rng_seeded(21);
    bool below = true;

    for (size_t b = 0; b < ROWS(bounds); b++) {
        double seen[100] = {0}, expected[100];
        size_t cells = (size_t)bounds[b];
        tap_case("below %zu: every number equally often", cells);
        for (int i = 0; i < 200000; i++) {
            uint64_t number = rng_below(&rng, bounds[b]);
            if (CHECK(number < bounds[b]))
                seen[number]++;
        }
        for (size_t i = 0; i < cells; i++)
            expected[i] = 200000 / (double)cells;
        if (cells > 1)
            CHECK(chi_excess(seen, expected, cells, 1) < 6);
    }
    tap_case("below: never reaches its bound");
    for (uint64_t bound = 1; bound < 2000; bound++)
        below = below && rng_below(&rng, bound) < bound;
    for (int shift = 0; shift < 64; shift++) {
        uint64_t bound = UINT64_MAX >> shift;
        for (int i = 0; i < 100; i++)
            below = below && rng_below(&rng, bound) < bound;
    }
    CHECK(below);
    tap_case("below: three quarters of the whole range has no bias");
    /* A remainder by 3 * 2^62 would give its lower third half of all draws. */
    const uint64_t bound = (uint64_t)3 << 62;
    int low = 0;
    for (int i = 0; i < 100000; i++)
        low += rng_below(&rng, bound) < (uint64_t)1 << 62;
    CHECK_NEAR(low / 100000.0, 1.0 / 3, 0.01);
}

static void check_reals(void)
{
    enum { DRAWS = 400000 };
    struct rng rng = rng_seeded(22);
    double tenths[10] = {0}, expected[10], sum = 0, squares = 0, fourth = 0;
    int within = 0, below_median = 0;
    bool ranged = true;

    tap_case("unit: from 0 to below 1, evenly");
    for (int i = 0; i < DRAWS; i++) {
        double unit = rng_unit(&rng);
        ranged = ranged && unit >= 0 && unit < 1;
        tenths[(int)(unit * 10)]++;
    }
    for (int i = 0; i < 10; i++)
        expected[i] = DRAWS / 10.0;
    CHECK(ranged);
    CHECK(chi_excess(tenths, expected, 10, 1) < 6);
    tap_case("unit: the largest value is below 1, the smallest is 0");
    struct rng ones = {{UINT64_MAX, 0, 0, 0}}, zeros = {{0, 1, 0, 0}};
    CHECK(rng_unit(&zeros) == 0);
    CHECK(rng_unit(&ones) < 1); /* rotating all ones and adding them: all ones but one */
    tap_case("normal: moments and the share within one standard deviation");
    for (int i = 0; i < DRAWS; i++) {
        double x = rng_normal(&rng);
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
        within += fabs(x) < 1;
    }
    CHECK_NEAR(sum / DRAWS, 0, 0.0095);
    CHECK_NEAR(squares / DRAWS, 1, 0.0135);
    CHECK_NEAR(fourth / DRAWS, 3, 0.1);
    CHECK_NEAR(within / (double)DRAWS, 0.682689492137, 0.0045);
    tap_case("log_normal: its median, and its mean, median * exp(sigma^2 / 2)");
    sum = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = rng_log_normal(&rng, 40, 0.75);
        below_median += x < 40;
        sum += x;
        ranged = ranged && x > 0;
    }
    CHECK(ranged);
    CHECK_NEAR(below_median / (double)DRAWS, 0.5, 0.0048);
    CHECK_NEAR(sum / DRAWS, 40 * exp(0.75 * 0.75 / 2), 0.45);
    CHECK(rng_log_normal(&rng, 40, 0) == 40);
}

static void check_weighted(void)
{
    enum { DRAWS = 200000 };
    static const double weights[] = {0, 1, 2, 0, 4, 0.5, 0};
    struct rng rng = rng_seeded(24);
    double seen[ROWS(weights)] = {0};

    tap_case("weighted: shares follow the weights, weight 0 never comes");
    for (int i = 0; i < DRAWS; i++)
        seen[rng_weighted(&rng, weights, ROWS(weights))]++;
    for (size_t i = 0; i < ROWS(weights); i++)
        CHECK_NEAR(seen[i] / DRAWS, weights[i] / 7.5, weights[i] > 0 ? 0.007 : 0);
    tap_case("weighted: one item alone, whatever its weight");
    CHECK(rng_weighted(&rng, (double[]){1e-300}, 1) == 0);
    CHECK(rng_weighted(&rng, (double[]){0, 0, 1e300}, 3) == 2);
    tap_case("weighted: the first throw does not choose a weight of 0");
    struct rng zeros = {{0, 1, 0, 0}};
    CHECK(rng_weighted(&zeros, (double[]){0, 0, 3, 1}, 4) == 2);
}

static void check_shuffle(void)
{
    enum { TURNS = 120000 };
    struct rng rng = rng_seeded(25);
    double seen[24] = {0}, expected[24];
    bool permuted = true;

    tap_case("shuffle: all 24 orders of four items, equally often");
    for (int turn = 0; turn < TURNS; turn++) {
        int items[] = {0, 1, 2, 3}, rank = 0, set = 0;
        rng_shuffle(&rng, items, 4, sizeof *items);
        for (int i = 0; i < 4; i++) {
            int smaller = 0;
            for (int j = i + 1; j < 4; j++)
                smaller += items[j] < items[i];
            rank = rank * (4 - i) + smaller;
            set |= 1 << items[i];
        }
        permuted = permuted && set == 15;
        seen[rank]++;
    }
    for (int i = 0; i < 24; i++)
        expected[i] = TURNS / 24.0;
    CHECK(permuted);
    CHECK(chi_excess(seen, expected, 24, 1) < 6);
    tap_case("shuffle: items of any size stay whole");
    struct {
        char letter, text[6];
    } odd[26];
    for (int i = 0; i < 26; i++) {
        odd[i].letter = (char)('a' + i);
        memset(odd[i].text, 'a' + i, sizeof odd[i].text);
    }
    rng_shuffle(&rng, odd, 26, sizeof *odd);
    int moved = 0, set = 0;
    for (int i = 0; i < 26; i++) {
        for (size_t b = 0; b < sizeof odd[i].text; b++)
            CHECK(odd[i].text[b] == odd[i].letter);
        moved += odd[i].letter != 'a' + i;
        set |= 1 << (odd[i].letter - 'a');
    }
    CHECK(moved > 13 && set == (1 << 26) - 1);
    tap_case("shuffle: none or one is left alone, and costs no draw");
    struct rng before = rng;
    rng_shuffle(&rng, NULL, 0, 4);
    rng_shuffle(&rng, odd, 1, sizeof *odd);
    CHECK(memcmp(&before, &rng, sizeof rng) == 0);
}

static bool ascends(const uint64_t *out, size_t take, uint64_t count)
{
    for (size_t i = 0; i < take; i++)
        if (out[i] >= count || (i > 0 && out[i] <= out[i - 1]))
            return false;
    return true;
}

static const struct {
    uint64_t count;
    size_t take;
} parts[] = {{2, 1},      {10, 1},     {10, 3},    {10, 9},   {40, 4},
             {40, 5},     {40, 6},     {100, 12},  {100, 13}, {1000, 2},
             {1000, 125}, {1000, 126}, {1000, 999}};

static void check_draw(void)
{
    struct rng rng = rng_seeded(26);
    uint64_t out[1000];
    double seen[1000], expected[1000];

    for (size_t p = 0; p < ROWS(parts); p++) {
        uint64_t count = parts[p].count;
        size_t take = parts[p].take;
        int draws = (int)(400000 / take);
        double left_out = 1 - (double)take / (double)count;
        bool fine = true;
        tap_case("draw %zu of %d: ascending, distinct, each equally often", take,
                 (int)count);
        memset(seen, 0, sizeof seen);
        for (int i = 0; i < draws; i++) {
            rng_draw(&rng, count, take, out);
            fine = fine && ascends(out, take, count);
            for (size_t t = 0; t < take && fine; t++)
                seen[out[t]]++;
        }
        CHECK(fine);
        for (size_t i = 0; i < count; i++)
            expected[i] = (double)take * draws / (double)count;
        CHECK(fabs(chi_excess(seen, expected, (size_t)count, left_out)) < 6);
    }
    tap_case("draw: all 15 pairs of 6, equally often; also of 16, thrown");
    double pairs[120] = {0}, wanted[120];
    for (int i = 0; i < 60000; i++) {
        rng_draw(&rng, 6, 2, out);
        pairs[out[1] * (out[1] - 1) / 2 + out[0]]++;
    }
    for (int i = 0; i < 15; i++)
        wanted[i] = 4000;
    CHECK(chi_excess(pairs, wanted, 15, 1) < 6);
    memset(pairs, 0, sizeof pairs);
    for (int i = 0; i < 60000; i++) {
        rng_draw(&rng, 16, 2, out);
        pairs[out[1] * (out[1] - 1) / 2 + out[0]]++;
    }
    for (int i = 0; i < 120; i++)
        wanted[i] = 500;
    CHECK(chi_excess(pairs, wanted, 120, 1) < 6);
    tap_case("draw: none, also of none, writes nothing");
    rng_draw(&rng, 0, 0, NULL);
    rng_draw(&rng, 1000, 0, NULL);
    tap_case("draw: all are 0, 1, 2, ...");
    rng_draw(&rng, 1000, 1000, out);
    CHECK(ascends(out, 1000, 1000));
    tap_case("draw: from the largest range");
    rng_draw(&rng, UINT64_MAX, 1000, out);
    CHECK(ascends(out, 1000, UINT64_MAX));
    CHECK(out[500] > UINT64_MAX / 3 && out[500] < UINT64_MAX / 3 * 2);
}

int main(void)
{
    check_generator();
    check_frozen_whole();
    check_frozen_real();
    check_below();
    check_reals();
    check_weighted();
    check_shuffle();
    check_draw();
    return tap_done();
}
