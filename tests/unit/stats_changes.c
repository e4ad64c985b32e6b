/* Steps of a series: where least squares put them. How often they are told of series that
 * have none: tests/property/changes.c. */
#include "stats/changes.h"

#include <math.h>

#include "tests/tap.h"

static struct stats_changes changes_of(const double *values, size_t count,
                                       const size_t *phase, size_t phases,
                                       struct arena *arena)
{
    return stats_changes((struct stats_values){values, count},
                         &(struct stats_changes_search){
                             .season = {phase, phases}, .resamples = 99, .seed = 1},
                         arena);
}

/* The best pair of all, found by trying each with numpy.linalg.lstsq; the best single
 * step, at 12, takes less than a third of what the line leaves. */
static void check_places(struct arena *arena)
{
    static const double saw[] = {3,  5,  4,  6, 5,  7, 13, 12, 15,
                                 13, 15, 16, 8, 10, 9, 11, 10, 13};
    double times[18];

    tap_case("up and down again: the best two of all steps");
    struct stats_changes got = changes_of(saw, 18, NULL, 0, arena);
    CHECK(got.undefined == NULL && got.count == 2 && got.at[0].at == 6 &&
          got.at[1].at == 12);
    CHECK_NEAR(got.at[0].step, 4.94285714, 1e-8);
    CHECK_NEAR(got.at[1].step, -7.89047619, 1e-8);
    CHECK_NEAR(got.slope, 0.67619048, 1e-8);
    CHECK(got.p <= 0.05 && got.at[0].p <= 0.05 && got.at[1].p <= 0.05);
    CHECK(got.at[0].first <= 6 && got.at[0].last >= 6 && got.at[1].first <= 12);
    for (size_t i = 0; i < 18; i++)
        times[i] = 1e200 * saw[i];
    struct stats_changes large = changes_of(times, 18, NULL, 0, arena);
    CHECK(large.count == 2 && large.p == got.p && large.at[1].p == got.at[1].p);
    CHECK_NEAR(large.at[1].step / 1e200, -7.89047619, 1e-8);
}

/* A season that nobody says looks like related noise; said, it is neither that nor steps.
 */
static void check_season(struct arena *arena)
{
    double values[36];
    size_t phase[36];

    for (size_t i = 0; i < 36; i++) {
        phase[i] = i % 12;
        values[i] = (phase[i] < 6 ? 20 : 0) + 0.01 * (double)(i * 7 % 5);
    }
    tap_case("half a year up, half a year down");
    CHECK(changes_of(values, 36, NULL, 0, arena).related > 0.5);
    struct stats_changes got = changes_of(values, 36, phase, 12, arena);
    CHECK(got.undefined == NULL && got.count == 0 && fabs(got.slope) < 0.01 &&
          got.related < 0.5);
    tap_case("less than two seasons: undefined");
    CHECK_TEXT(changes_of(values, 23, phase, 12, arena).undefined,
               "there are fewer than two whole seasons");
}

static void check_undefined(struct arena *arena)
{
    double values[40];
    size_t phase[40];

    tap_case("all alike, on a line, on a line with a season, too few: undefined");
    for (size_t i = 0; i < 40; i++)
        values[i] = 1;
    CHECK(changes_of(values, 40, NULL, 0, arena).undefined != NULL);
    CHECK(changes_of(values, 5, NULL, 0, arena).undefined != NULL);
    for (size_t i = 0; i < 40; i++) {
        phase[i] = i % 4;
        values[i] = 0.1 * (double)i;
    }
    CHECK(changes_of(values, 40, NULL, 0, arena).undefined != NULL);
    for (size_t i = 0; i < 40; i++)
        values[i] += (double)(phase[i] * phase[i]);
    CHECK(changes_of(values, 40, phase, 4, arena).undefined != NULL);
    tap_case("a step without any noise is where it is");
    for (size_t i = 0; i < 40; i++)
        values[i] = i < 17 ? 3 : 8;
    struct stats_changes got = changes_of(values, 40, NULL, 0, arena);
    CHECK(got.undefined == NULL && got.count == 1 && got.at[0].at == 17 &&
          got.at[0].first == 17 && got.at[0].last == 17);
    CHECK_NEAR(got.at[0].step, 5, 1e-9);
}

int main(void)
{
    struct arena arena = {0};

    check_places(&arena);
    check_season(&arena);
    check_undefined(&arena);
    arena_free(&arena);
    return tap_done();
}
