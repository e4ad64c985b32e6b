/* Whatever the names and numbers: a figure comes out, on it no two texts overlap, and
 * nothing leaves the page. */
#include "tests/property/chart_random.h"
#include "tests/unit/chart_laid.h"

enum { ROUNDS = 60 };

static const char *const kinds[] = {
    "bars",      "stacked bars", "bars of 100%", "lines",  "boxes",
    "histogram", "ecdf",         "survival",     "heat",   "funnel",
    "tree",      "alluvial",     "scatter",      "forest",
};

static size_t faults_of(enum chart_kind kind, uint64_t seed)
{
    struct rng rng = rng_stream(seed, (uint64_t)kind, 0);
    struct arena arena = {0};
    struct chart chart = random_chart(&rng, kind, &arena);
    struct laid laid;
    size_t faults;

    lay(&laid, &chart);
    faults = laid.ok ? laid_faults(&laid) : 1;
    /* Cells without numbers have a key, whatever the size. */
    if (kind == CHART_HEAT && laid_count(&laid, CHART_ITEM_BOX, CHART_ROLE_MARK) > 0)
        faults += laid_count(&laid, CHART_ITEM_TEXT, CHART_ROLE_LABEL) == 0 &&
                  laid_count(&laid, CHART_ITEM_BOX, CHART_ROLE_LEGEND) == 0;
    if (faults > 0)
        printf("# seed %llu, %g by %g cm: %s\n", (unsigned long long)seed, chart.width_cm,
               chart.height_cm, laid.err.text);
    laid_free(&laid);
    arena_free(&arena);
    return faults;
}

int main(int count, char **arguments)
{
    int64_t rounds = ROUNDS;

    if (count > 1) /* more, by hand */
        CHECK(str_to_int(str_from(arguments[1]), &rounds));
    for (size_t kind = 0; kind < ROWS(kinds); kind++) {
        size_t faults = 0;
        tap_case("any %s: no overlap, nothing beyond the page", kinds[kind]);
        for (int64_t seed = 0; seed < rounds && faults == 0; seed++)
            faults = faults_of((enum chart_kind)kind, (uint64_t)seed);
        CHECK(faults == 0);
    }
    return tap_done();
}
