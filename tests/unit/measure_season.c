/* Which part of a year a row is of: its time tells, where that fits, else its place. */
#include "measure/season.h"

#include "tests/tap.h"

static const struct {
    const char *name;
    size_t parts;
    const char *times[4];
    size_t phase[4];
} rows[] = {
    {"months of 12, one missing",
     12,
     {"2021-11", "2021-12", "2022-02", "2022-03"},
     {10, 11, 1, 2}},
    {"quarters of 4, one missing",
     4,
     {"2021-Q3", "2021-Q4", "2022-Q2", "2022-Q3"},
     {2, 3, 1, 2}},
    {"quarters are no months",
     12,
     {"2021-Q3", "2021-Q4", "2022-Q2", "2022-Q3"},
     {0, 1, 2, 3}},
    {"months are no quarters",
     4,
     {"2021-02", "2021-03", "2021-04", "2022-01"},
     {0, 1, 2, 3}},
    {"months are no weeks",
     52,
     {"2021-02", "2021-03", "2021-04", "2022-01"},
     {0, 1, 2, 3}},
    {"a quarter among months",
     12,
     {"2021-03", "2021-Q4", "2022-02", "2022-03"},
     {0, 1, 2, 3}},
    {"a month beyond 12", 12, {"2021-12", "2021-13", "2022-02", "2022-03"}, {0, 1, 2, 3}},
    {"a quarter beyond 4", 4, {"2021-Q4", "2021-Q5", "2022-Q2", "2022-Q3"}, {0, 1, 2, 3}},
    {"others go by rows", 3, {"a", "b", "c", "d"}, {0, 1, 2, 0}},
};

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct str times[4];
        tap_case("%s", rows[i].name);
        for (size_t t = 0; t < 4; t++)
            times[t] = str_from(rows[i].times[t]);
        struct stats_season season = measure_season(times, 4, rows[i].parts, &arena);
        if (CHECK(season.count == rows[i].parts))
            for (size_t t = 0; t < 4; t++)
                CHECK(season.phase[t] == rows[i].phase[t]);
    }
    tap_case("one part is no season");
    CHECK(measure_season(NULL, 0, 1, &arena).count == 0);
    arena_free(&arena);
    return tap_done();
}
