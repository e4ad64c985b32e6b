/* Two runs side by side: what differs, by how much, and what only one of them has. */
#include "package/compare.h"

#include <math.h>

#include "tests/tap.h"

enum { NUMBERS_MAX = 4 };

struct side {
    struct {
        const char *step, *row, *column;
        double value;
        double low;
        int64_t n;
    } at[NUMBERS_MAX];
};

static const struct {
    const char *name;
    struct side theirs, ours;
    const char *want; /* "address package ours" a line; - where a side has none */
    size_t both;
} rows[] = {
    {"the same",
     {{{"sets.B", "", "count", 3, 0, 0}, {"tables.t", "a/b", "count", NAN, 0, 0}}},
     {{{"sets.B", "", "count", 3, 0, 0}, {"tables.t", "a/b", "count", NAN, 0, 0}}},
     "",
     2},
    {"in another order",
     {{{"sets.B", "", "count", 3, 0, 0}, {"sets.A", "", "count", 4, 0, 0}}},
     {{{"sets.A", "", "count", 4, 0, 0}, {"sets.B", "", "count", 3, 0, 0}}},
     "",
     2},
    {"another value",
     {{{"tables.t", "a/b", "x.count", 3, 0, 0}}},
     {{{"tables.t", "a/b", "x.count", 5, 0, 0}}},
     "tables.t.a.b.x.count 3 5\n",
     1},
    {"another value in the last digits",
     {{{"tests.t", "", "p", 0.1, 0, 0}}},
     {{{"tests.t", "", "p", 0.1 + 1e-17 + 2e-17, 0, 0}}},
     "",
     1},
    {"another value in the seventh digit",
     {{{"tests.t", "", "p", 0.1, 0, 0}}},
     {{{"tests.t", "", "p", 0.1000001, 0, 0}}},
     "tests.t.p 0.1 0.1\n",
     1},
    {"no longer undefined",
     {{{"tests.t", "", "p", NAN, 0, 0}}},
     {{{"tests.t", "", "p", 1, 0, 0}}},
     "tests.t.p nan 1\n",
     1},
    {"infinite on both sides",
     {{{"tests.t", "", "t", INFINITY, 0, 0}}},
     {{{"tests.t", "", "t", INFINITY, 0, 0}}},
     "",
     1},
    {"only the interval",
     {{{"tables.t", "a", "count", 3, 1, 0}}},
     {{{"tables.t", "a", "count", 3, 2, 0}}},
     "tables.t.a.count.low 1 2\n",
     1},
    {"only the items behind it",
     {{{"tables.t", "a", "count", 3, 1, 7}}},
     {{{"tables.t", "a", "count", 3, 1, 8}}},
     "tables.t.a.count.n 7 8\n",
     1},
    {"a value and its interval are one difference",
     {{{"tables.t", "a", "count", 3, 1, 7}}},
     {{{"tables.t", "a", "count", 4, 2, 8}}},
     "tables.t.a.count 3 4\n",
     1},
    {"only one side has it",
     {{{"tables.t", "a", "count", 3, 0, 0}, {"sets.B", "", "count", 1, 0, 0}}},
     {{{"tables.t", "b", "count", 4, 0, 0}, {"sets.B", "", "count", 1, 0, 0}}},
     "tables.t.b.count - 4\ntables.t.a.count 3 -\n",
     1},
    {"the same name twice",
     {{{"tables.t", "a", "count", 3, 0, 0}, {"tables.t", "a", "count", 4, 0, 0}}},
     {{{"tables.t", "a", "count", 3, 0, 0}, {"tables.t", "a", "count", 5, 0, 0}}},
     "tables.t.a.count 4 5\n",
     2},
    {"names that only together are the same",
     {{{"tables.t", "a", "b.count", 3, 0, 0}}},
     {{{"tables.t", "a/b", "count", 3, 0, 0}}},
     "tables.t.a.b.count - 3\ntables.t.a.b.count 3 -\n",
     0},
};

/* One step for each number, which must not matter. */
static size_t numbers_of(const struct side *side, struct arena *arena,
                         struct result_numbers *out)
{
    size_t count = 0;

    for (; count < NUMBERS_MAX && side->at[count].step != NULL; count++) {
        struct result_number *number = arena_array(arena, struct result_number, 1);
        *number = (struct result_number){.row = str_from(side->at[count].row),
                                         .column = str_from(side->at[count].column),
                                         .value = side->at[count].value,
                                         .low = side->at[count].low,
                                         .high = NAN,
                                         .n = side->at[count].n};
        out[count] = (struct result_numbers){str_from(side->at[count].step), number, 1};
    }
    return count;
}

static void add_value(struct buf *out, bool there, double value)
{
    if (there)
        buf_add_format(out, " %g", value);
    else
        buf_add(out, STR(" -"));
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct arena arena = {0};
        struct result_numbers theirs[NUMBERS_MAX], ours[NUMBERS_MAX];
        size_t their_count = numbers_of(&rows[i].theirs, &arena, theirs);
        size_t our_count = numbers_of(&rows[i].ours, &arena, ours);
        struct package_compare got;
        struct buf text = {0};
        tap_case("%s", rows[i].name);
        package_compare_numbers(theirs, their_count, ours, our_count, &arena, &got);
        for (size_t d = 0; d < got.count; d++) {
            const struct package_compare_difference *one = &got.differences[d];
            buf_add(&text, one->address);
            add_value(&text, one->side != PACKAGE_COMPARE_ONLY_OURS, one->theirs);
            add_value(&text, one->side != PACKAGE_COMPARE_ONLY_THEIRS, one->ours);
            buf_add_char(&text, '\n');
        }
        buf_add_char(&text, '\0');
        CHECK_TEXT(text.ptr, rows[i].want);
        CHECK(got.numbers == rows[i].both);
        buf_free(&text);
        arena_free(&arena);
    }
    return tap_done();
}
