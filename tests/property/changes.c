/* Simulated series: are changes told of at most some 5% that have none, and of most that
 * have them, and do the sets of places hold these in 95%? Seeds are fixed: the same
 * numbers come out every time. With a number as its argument it writes a table of so many
 * series of each kind instead (docs/quality.md; tools/coverage changes). */
#include "stats/changes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "tests/tap.h"

enum { COUNT_MAX = 240, STEPS = 4 };

enum noise { NORMAL, SKEWED, COUNTS };

struct plan {
    size_t count, season;
    double relation; /* of noise to that before */
    enum noise noise;
    struct {
        size_t at;
        double by; /* in deviations of noise that is not related; 0: none */
    } steps[STEPS];
};

static size_t steps_of(const struct plan *plan)
{
    size_t count = 0;

    while (count < STEPS && plan->steps[count].by != 0)
        count++;
    return count;
}

static double draw_noise(struct rng *rng, enum noise noise)
{
    if (noise == SKEWED) /* log-normal, with mean 0 and deviation 1 */
        return (exp(rng_normal(rng)) - exp(0.5)) / sqrt(exp(2) - exp(1));
    return rng_normal(rng);
}

static void draw(const struct plan *plan, uint64_t seed, double *values, size_t *phase)
{
    struct rng rng = rng_stream(seed, 1, plan->count);
    double noise = rng_normal(&rng) / sqrt(1 - plan->relation * plan->relation);

    for (size_t i = 0; i < plan->count; i++) {
        if (i > 0)
            noise = plan->relation * noise + draw_noise(&rng, plan->noise);
        phase[i] = plan->season > 1 ? i % plan->season : 0;
        values[i] = noise + 0.05 * (double)i;
        if (plan->season > 1)
            values[i] += 3 * sin(6.283 * (double)phase[i] / (double)plan->season) +
                         (phase[i] == 3 ? 2 : 0);
        for (size_t s = 0; s < steps_of(plan); s++)
            values[i] += i >= plan->steps[s].at ? plan->steps[s].by : 0;
        if (plan->noise == COUNTS) /* of some hundred, of which a unit is a deviation */
            values[i] = fmax(0, round(100 + 10 * values[i]));
    }
}

struct tally {
    double told[STEPS + 2]; /* none, one, ... more than can be */
    double right;           /* as many as there are, each within two rows */
    double held, width;     /* sets of places, where as many are told as there are */
};

static bool is_right(const struct plan *plan, const struct stats_changes *got)
{
    bool right = got->count == steps_of(plan);

    for (size_t s = 0; right && s < got->count; s++)
        right = got->at[s].at + 2 >= plan->steps[s].at &&
                got->at[s].at <= plan->steps[s].at + 2;
    return right;
}

static struct tally simulate(const struct plan *plan, size_t series, size_t resamples,
                             struct arena *arena)
{
    size_t phase[COUNT_MAX], wanted = steps_of(plan), sets = 0;
    double values[COUNT_MAX];
    struct tally out = {{0}, 0, 0, 0};

    for (uint64_t seed = 1; seed <= series; seed++) {
        struct arena_mark mark = arena_mark(arena);
        draw(plan, seed, values, phase);
        struct stats_changes got = stats_changes(
            (struct stats_values){values, plan->count},
            &(struct stats_changes_search){
                .season = {phase, plan->season}, .resamples = resamples, .seed = seed},
            arena);
        out.told[got.count < STEPS + 1 ? got.count : STEPS + 1] += 1 / (double)series;
        out.right += is_right(plan, &got) / (double)series;
        for (size_t s = 0; s < wanted && got.count == wanted; s++, sets++) {
            out.held += got.at[s].first <= plan->steps[s].at &&
                        plan->steps[s].at <= got.at[s].last;
            out.width += (double)(got.at[s].last - got.at[s].first + 1);
        }
        arena_rewind(arena, mark);
    }
    out.held /= (double)sets;
    out.width /= (double)sets;
    return out;
}

static const struct plan plans[] = {
    {.count = 24},
    {.count = 60},
    {.count = 120},
    {.count = 24, .relation = 0.3},
    {.count = 60, .relation = 0.3},
    {.count = 60, .relation = 0.6},
    {.count = 120, .relation = 0.6},
    {.count = 60, .noise = SKEWED},
    {.count = 60, .noise = COUNTS},
    {.count = 60, .season = 12},
    {.count = 60, .season = 12, .relation = 0.4},
    {.count = 120, .season = 12, .relation = 0.6},
    {.count = 60, .steps = {{40, 1.5}}},
    {.count = 60, .steps = {{40, 2.5}}},
    {.count = 60, .steps = {{40, 4}}},
    {.count = 60, .relation = 0.3, .steps = {{40, 4}}},
    {.count = 60, .relation = 0.6, .steps = {{40, 6}}},
    {.count = 60, .noise = SKEWED, .steps = {{40, 4}}},
    {.count = 60, .season = 12, .steps = {{40, 4}}},
    {.count = 60, .season = 12, .relation = 0.4, .steps = {{40, 4}}},
    {.count = 60, .steps = {{20, 3}, {40, -3}}},
    {.count = 60, .steps = {{15, 3}, {40, 3}}},
    {.count = 60, .steps = {{28, 4}, {34, -4}}},
    {.count = 120, .season = 12, .steps = {{50, 3}, {80, -3}}},
    {.count = 120, .steps = {{20, 3}, {40, -3}, {60, 3}, {80, -3}}},
};

static void write_plan(const struct plan *plan)
{
    static const char *const noises[] = {"normal", "skewed", "rounded"};

    printf("| %zu | %s | %.1f | %s | ", plan->count, plan->season > 1 ? "yes" : "no",
           plan->relation, noises[plan->noise]);
    for (size_t s = 0; s < steps_of(plan); s++)
        printf("%s%+g at %zu", s > 0 ? ", " : "", plan->steps[s].by, plan->steps[s].at);
    printf("%s |", steps_of(plan) == 0 ? "none" : "");
}

static int write_table(size_t series)
{
    struct arena arena = {0};

    printf(
        "| values | season | related by | noise | changes | none told | fewer | as many "
        "| more | right | places held | rows wide |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t p = 0; p < sizeof plans / sizeof *plans; p++) {
        size_t wanted = steps_of(&plans[p]);
        struct tally got = simulate(&plans[p], series, 199, &arena);
        double fewer = 0, more = 0;
        for (size_t t = 1; t < STEPS + 2; t++)
            *(t < wanted ? &fewer : &more) += t == wanted ? 0 : got.told[t];
        write_plan(&plans[p]);
        printf(" %.1f%% | ", 100 * got.told[0]);
        if (wanted == 0)
            printf("- | - | %.1f%% | - | - | - |\n", 100 * more);
        else
            printf("%.1f%% | %.1f%% | %.1f%% | %.1f%% | %.1f%% | %.1f |\n", 100 * fewer,
                   100 * got.told[wanted], 100 * more, 100 * got.right, 100 * got.held,
                   got.width);
        fflush(stdout);
    }
    arena_free(&arena);
    return 0;
}

/* Of 40 series without a change at most 2 on average have one told: 7 or more would be
 * seen in 1 of 300 sets of 40. */
static void check_none(const struct plan *plan, struct arena *arena)
{
    struct tally got = simulate(plan, 40, 99, arena);

    tap_case("no change in %zu values, season %zu, related by %.1f: %.0f%% have one told",
             plan->count, plan->season, plan->relation, fabs(100 * (1 - got.told[0])));
    CHECK(1 - got.told[0] <= 6.5 / 40);
}

static void check_some(const char *name, const struct plan *plan, struct arena *arena)
{
    struct tally got = simulate(plan, 20, 99, arena);

    tap_case("%s: right for %.0f%%, places held by %.0f%%", name, 100 * got.right,
             100 * got.held);
    CHECK(got.right >= 0.8 && got.held >= 0.8);
}

int main(int count, char **arguments)
{
    struct arena arena = {0};

    if (count > 1)
        return write_table((size_t)strtoul(arguments[1], NULL, 10));
    check_none(&(struct plan){.count = 40}, &arena);
    check_none(&(struct plan){.count = 40, .relation = 0.4}, &arena);
    check_none(&(struct plan){.count = 48, .season = 12, .relation = 0.3}, &arena);
    check_some("one of five deviations", &(struct plan){.count = 60, .steps = {{40, 5}}},
               &arena);
    check_some("the same with a season",
               &(struct plan){.count = 60, .season = 12, .steps = {{40, 5}}}, &arena);
    check_some("half a year of four deviations",
               &(struct plan){.count = 60, .steps = {{28, 4}, {34, -4}}}, &arena);
    arena_free(&arena);
    return tap_done();
}
