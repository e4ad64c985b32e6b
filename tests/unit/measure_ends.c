/* Periods that a source does not cover: they are whole where no more than a twentieth of
 * them is lacking. */
#include "measure/ends.h"

#include "base/date.h"
#include "tests/tap.h"

#define YEAR    STUDY_GROUPING_YEAR
#define QUARTER STUDY_GROUPING_QUARTER
#define MONTH   STUDY_GROUPING_MONTH

/* The first moment that was not observed, and the first that was, beside a site that has
 * been there for years. */
static const struct {
    const char *name;
    enum study_grouping period;
    const char *moment, *cut, *begun;
} rows[] = {
    {"a month's beginning", MONTH, "2025-12-01", "", ""},
    {"a day of 31", MONTH, "2025-12-02", "2025-12", ""},
    {"a twentieth of 31 days", MONTH, "2025-12-02T13:12", "2025-12", ""},
    {"a minute more", MONTH, "2025-12-02T13:13", "2025-12", "2025-12"},
    {"a minute less than all but that", MONTH, "2025-12-30T10:47", "2025-12", "2025-12"},
    {"all but a twentieth of 31 days", MONTH, "2025-12-30T10:48", "", "2025-12"},
    {"all but a day", MONTH, "2025-12-31", "", "2025-12"},
    {"all but two days", MONTH, "2025-12-30", "2025-12", "2025-12"},
    {"all but a day of February", MONTH, "2025-02-28", "", "2025-02"},
    {"four of 90 days lacking", QUARTER, "2025-03-28", "", "2025-Q1"},
    {"a twentieth of 90 days lacking", QUARTER, "2025-03-27T12:00", "", "2025-Q1"},
    {"more of them lacking", QUARTER, "2025-03-27T11:59", "2025-Q1", "2025-Q1"},
    {"four days into a quarter", QUARTER, "2025-10-05", "2025-Q4", ""},
    {"18 days of a year lacking", YEAR, "2025-12-14", "", "2025"},
    {"a twentieth of a year lacking", YEAR, "2025-12-13T18:00", "", "2025"},
    {"more of it lacking", YEAR, "2025-12-13T17:59", "2025", "2025"},
    {"of a leap year", YEAR, "2024-12-13T16:48", "", "2024"},
    {"more of that", YEAR, "2024-12-13T16:47", "2024", "2024"},
    {"a year's beginning", YEAR, "2025-01-01", "", ""},
    {"18 days into a year", YEAR, "2025-01-19T06:00", "2025", ""},
    {"a minute further", YEAR, "2025-01-19T06:01", "2025", "2025"},
};

/* The period that lacks something before the moment at which the second of two sites
 * begins. */
static struct str begun(enum study_grouping period, int64_t ms, struct arena *arena)
{
    const struct item_space at[] = {{.name = STR("old"), .space = 0},
                                    {.name = STR("new"), .space = 1}};
    const struct item_spaces spaces = {.at = at, .count = 2};
    int64_t later = ms + 3650 * DATE_DAY_MS, ends[] = {later, later}, begins[] = {0, ms};
    struct str names[] = {STR("old"), STR("new")};
    const struct measure_ends all = {&spaces, ends, names, begins, names, 2};
    const bool in[] = {true, true};
    struct buf name = {0}, lacking = {0};

    study_grouping_period(period, ms, &name);
    const struct measure_table_period of = {.name = buf_keep(&name, arena),
                                            .grouping = period};
    const struct measure_table_period *periods[] = {&of, NULL};
    bool cut = measure_ends_judge(&all, in, periods, arena, &lacking) == MEASURE_ENDS_CUT;
    buf_free(&lacking);
    return cut ? of.name : (struct str){0};
}

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        int64_t ms;
        tap_case("%s", rows[i].name);
        if (!CHECK(date_parse(str_from(rows[i].moment), &ms)))
            continue;
        CHECK(str_eq(measure_ends_cut(rows[i].period, ms - 1, &arena),
                     str_from(rows[i].cut)));
        CHECK(str_eq(begun(rows[i].period, ms, &arena), str_from(rows[i].begun)));
    }
    tap_case("nobody knows the end");
    CHECK(measure_ends_cut(YEAR, ITEM_NONE, &arena).len == 0);
    arena_free(&arena);
    return tap_done();
}
