/* The number that an item has: rounding, what is missing, negative waits, censoring. All
 * expected values are worked out by hand; roundings agree with Python's round(). */
#include "measure/quantity.h"

#include <math.h>
#include <string.h>

#include "tests/unit/measured.h"

enum { NONE = MEASURED_NONE };

static const struct {
    const char *name;
    double value;
    int digits;
    double rounded;
} roundings[] = {
    {"not at all", 1.23456, -1, 1.23456},
    {"1.005 is a little less", 1.005, 2, 1.0},
    {"2.675 is a little less", 2.675, 2, 2.67},
    {"1.115 is a little less", 1.115, 2, 1.11},
    {"1.125 is a tie: to even", 1.125, 2, 1.12},
    {"1.135 is a little more", 1.135, 2, 1.14},
    {"0.375 is a tie: to even", 0.375, 2, 0.38},
    {"to whole numbers", 2.5, 0, 2},
    {"negative", -2.675, 2, -2.67},
    {"large", 123456789.125, 2, 123456789.12},
    {"nine digits", 0.1234567894, 9, 0.123456789},
    {"undefined stays", NAN, 2, NAN},
};

/* Waits to the accepted answer: 60, 90 (by a table), -10 and none four times, of which
 * one is accepted without its moment. */
static const struct measured_post posts[] = {
    {.id = 1, .kind = 1, .accepted = 2, .created = 100, .views = 7, .owner = 5},
    {.id = 2, .kind = 2, .parent = 1, .created = 160, .owner = 6},
    {.id = 3, .kind = 2, .parent = 1, .created = 130, .owner = 7},
    {.id = 4, .kind = 1, .created = 200, .views = NONE, .owner = 5},
    {.id = 5, .kind = 2, .parent = 4, .created = 260, .owner = 6},
    {.id = 6, .kind = 1, .accepted = 7, .created = 300, .views = 0, .owner = 0},
    {.id = 7, .kind = 2, .parent = 6, .created = 290, .owner = 5},
    {.id = 8, .kind = 1, .accepted = 99, .created = 400, .views = 3, .owner = 8},
    {.id = 9, .kind = 1, .created = NONE, .views = 1},
    {.id = 10, .kind = ITEM_ROW, .accepted = 11, .created = 10, .accepted_at = 100},
    {.id = 12, .kind = 1, .created = 1000, .views = 2},
};

static const struct measured_field fields[] = {
    {1, "size", "1.5"}, {4, "size", " 2 "}, {6, "size", "many"}, {8, "size", "1.5"}};

static const struct {
    const char *name, *measure;
    const char *values; /* in the order of items */
    int64_t negative;
} rows[] = {
    {"a missing number is left out, 0 is not", "views", " 7 0 3 1 0 2", 0},
    {"waits to the accepted answer", "minutes to accepted", " 60 90", 1},
    {"waits to the first answer", "minutes to first answer", " 30 60", 1},
    {"in seconds", "seconds to accepted", " 3600 5400", 1},
    {"in hours", "hours to first answer", " 0.5 1", 1},
    {"a field: what is no number is missing", "field size", " 1.5 2 1.5", 0},
    {"a field that nobody has", "field none", "", 0},
    {"a number that nobody has", "favorites", "", 0},
};

static const struct {
    const char *name, *measure;
    int64_t distinct;
} distincts[] = {
    {"askers: unknown ones are nobody", "distinct askers", 2},
    {"answerers over all answers", "distinct answerers", 3},
    {"texts of a field", "distinct field size", 3}, /* " 2 ", "1.5", "many" */
};

static void check_values(struct measured *test, struct buf *out)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct study_measure measure;
        struct measure_quantity quantity;
        int64_t negative = 0;
        tap_case("values: %s", rows[i].name);
        CHECK(study_measure_parse(str_from(rows[i].measure), NULL, &test->arena, &measure,
                                  &test->err) &&
              measure_quantity_open(&test->frame, &measure, -1, &quantity, &test->err));
        struct measure_bits all = measure_bits_all(test->frame.count, &test->arena);
        struct stats_values values =
            measure_quantity_values(&quantity, all, &test->arena, &negative);
        for (size_t v = 0; v < values.count; v++)
            buf_add_format(out, " %g", values.at[v]);
        measured_expect(out, rows[i].values);
        CHECK(negative == rows[i].negative);
    }
}

static void check_distinct(struct measured *test)
{
    for (size_t i = 0; i < ROWS(distincts); i++) {
        struct study_measure measure;
        struct measure_quantity quantity;
        tap_case("distinct: %s", distincts[i].name);
        CHECK(study_measure_parse(str_from(distincts[i].measure), NULL, &test->arena,
                                  &measure, &test->err) &&
              measure_quantity_open(&test->frame, &measure, -1, &quantity, &test->err));
        struct measure_bits all = measure_bits_all(test->frame.count, &test->arena);
        struct measure_bits none = measure_bits_make(test->frame.count, &test->arena);
        CHECK(measure_quantity_distinct(&quantity, all) == distincts[i].distinct);
        CHECK(measure_quantity_distinct(&quantity, none) == 0);
    }
}

static void check_waits(struct measured *test, struct buf *out)
{
    struct study_measure measure;
    struct measure_quantity quantity;
    size_t count;

    tap_case("waits: censored at the end of the corpus; no moment, no case");
    CHECK(study_measure_parse(STR("kaplan-meier median minutes to accepted"), NULL,
                              &test->arena, &measure, &test->err) &&
          measure_quantity_open(&test->frame, &measure, 0, &quantity, &test->err));
    struct measure_bits all = measure_bits_all(test->frame.count, &test->arena);
    struct stats_survival_case *cases =
        arena_array(&test->arena, struct stats_survival_case, all.count + 1);
    count = measure_quantity_waits(&quantity, all, cases);
    for (size_t i = 0; i < count; i++)
        buf_add_format(out, " %g%s", cases[i].time, cases[i].happened ? "" : "+");
    /* The newest moment is 1000: 4 waits since 200, 12 since then. 6 is negative, 8 is
     * accepted at no known moment, 9 has no date. */
    measured_expect(out, " 60 800+ 90 0+");
}

/* The source ends with the first day, at minute 1440. 1 was answered before, and its
 * accepted answer came later; all answers of 4 came later, of 6 nothing is known but that
 * there are some; 8 is answered, 9 not; a table tells of 10 that it was solved later. */
static const struct measured_post until_posts[] = {
    {.id = 1, .kind = 1, .accepted = 3, .created = 40, .answers = 2},
    {.id = 2, .kind = 2, .parent = 1, .created = 50},
    {.id = 4, .kind = 1, .accepted = 5, .created = 440, .answers = 1},
    {.id = 6, .kind = 1, .accepted = 7, .created = 500, .answers = 1},
    {.id = 8, .kind = 1, .accepted = 81, .created = 700, .answers = 1},
    {.id = 81, .kind = 2, .parent = 8, .created = 720},
    {.id = 9, .kind = 1, .created = 1000},
    {.id = 10, .kind = ITEM_ROW, .accepted = 11, .created = 1040, .accepted_at = 1440},
};
static const int64_t until_late[][2] = {{3, 1}, {5, 4}};

/* The first answer of 20 is older than it, the second is not; of 23 both are older. */
static const struct measured_post older_posts[] = {
    {.id = 20, .kind = 1, .created = 100, .answers = 3},
    {.id = 21, .kind = 2, .parent = 20, .created = 90},
    {.id = 22, .kind = 2, .parent = 20, .created = 130},
    {.id = 26, .kind = 2, .parent = 20, .created = 170},
    {.id = 23, .kind = 1, .created = 200, .answers = 2},
    {.id = 24, .kind = 2, .parent = 23, .created = 150},
    {.id = 25, .kind = 2, .parent = 23, .created = 160},
};

static const struct {
    const char *name;
    struct measured_inputs inputs;
    const char *measure;
    const char *waits, *values;
    int64_t negative;
} ends[] = {
    {"to accepted, after the end of the source",
     {.posts = until_posts,
      .post_count = ROWS(until_posts),
      .late = until_late,
      .late_count = ROWS(until_late),
      .until = "2018-01-01"},
     "minutes to accepted",
     " 1400+ 1000+ 20 440+ 400+",
     " 20",
     0},
    {"to the first answer, after the end of the source",
     {.posts = until_posts,
      .post_count = ROWS(until_posts),
      .late = until_late,
      .late_count = ROWS(until_late),
      .until = "2018-01-01"},
     "minutes to first answer",
     " 10 1000+ 20 440+ 400+",
     " 10 20",
     0},
    {"to the first answer that is not older than the question",
     {.posts = older_posts, .post_count = ROWS(older_posts)},
     "minutes to first answer",
     " 30",
     " 30",
     1},
};

static void check_ends(size_t row, struct buf *out)
{
    struct study_measure measure;
    struct measure_quantity quantity;
    struct measured test;
    int64_t negative = 0;
    size_t count;

    tap_case("waits: %s", ends[row].name);
    if (measured_open(&test, &ends[row].inputs) &&
        CHECK(study_measure_parse(str_from(ends[row].measure), NULL, &test.arena,
                                  &measure, &test.err) &&
              measure_quantity_open(&test.frame, &measure, -1, &quantity, &test.err))) {
        struct measure_bits all = measure_bits_all(test.frame.count, &test.arena);
        struct stats_survival_case *cases =
            arena_array(&test.arena, struct stats_survival_case, all.count + 1);
        count = measure_quantity_waits(&quantity, all, cases);
        for (size_t i = 0; i < count; i++)
            buf_add_format(out, " %g%s", cases[i].time, cases[i].happened ? "" : "+");
        measured_expect(out, ends[row].waits);
        struct stats_values values =
            measure_quantity_values(&quantity, all, &test.arena, &negative);
        for (size_t v = 0; v < values.count; v++)
            buf_add_format(out, " %g", values.at[v]);
        measured_expect(out, ends[row].values);
        CHECK(negative == ends[row].negative);
    }
    measured_close(&test);
}

int main(void)
{
    const struct measured_inputs inputs = {.posts = posts,
                                           .post_count = ROWS(posts),
                                           .fields = fields,
                                           .field_count = ROWS(fields)};
    struct measured test;
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(roundings); i++) {
        tap_case("round first: %s", roundings[i].name);
        CHECK_NEAR(measure_quantity_round(roundings[i].value, roundings[i].digits),
                   roundings[i].rounded, 0);
    }
    if (measured_open(&test, &inputs)) {
        check_values(&test, &out);
        check_distinct(&test);
        check_waits(&test, &out);
    }
    measured_close(&test);
    for (size_t i = 0; i < ROWS(ends); i++)
        check_ends(i, &out);
    buf_free(&out);
    return tap_done();
}
