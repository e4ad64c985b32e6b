/* One cell: what each measure says about some items. Values are worked out by hand,
 * Wilson's intervals from his formula with z = 1.959963984540054. */
#include "measure/internal.h"

#include <math.h>
#include <string.h>

#include "tests/unit/measured.h"

enum { NONE = MEASURED_NONE, DAY = 24 * 60 };

/* Waits to the accepted answer, in minutes: 10, 20, 40, none, none; the corpus ends at
 * 20 days. Item 50 is a row of a table, of which nobody knows whether it was answered. */
static const struct measured_post posts[] = {
    {.id = 10,
     .kind = 1,
     .accepted = 11,
     .created = 0,
     .views = 10,
     .score = 4,
     .owner = 1},
    {.id = 11, .kind = 2, .parent = 10, .created = 10, .owner = 3},
    {.id = 20,
     .kind = 1,
     .accepted = 21,
     .created = 0,
     .views = 30,
     .score = 2,
     .owner = 1},
    {.id = 21, .kind = 2, .parent = 20, .created = 20, .owner = 4},
    {.id = 30,
     .kind = 1,
     .accepted = 31,
     .created = 0,
     .views = NONE,
     .score = 0,
     .owner = 2,
     .closed = 9},
    {.id = 31, .kind = 2, .parent = 30, .created = 40, .owner = 3},
    {.id = 40, .kind = 1, .created = 0, .views = 20, .score = -3},
    {.id = 41, .kind = 1, .created = 20 * DAY, .views = 60, .score = 0, .answers = 2},
    {.id = 50,
     .kind = ITEM_ROW,
     .created = NONE,
     .views = NONE,
     .score = NONE,
     .answers = NONE},
};

static const struct measured_field fields[] = {{10, "n", "1.005"}, {20, "n", "2.675"}};

static const struct {
    const char *name, *measure;
    const char *items; /* ids; "" is nobody, NULL everybody */
    int round_first;
    double minimum_age;
    double value;
    int64_t n;
    double low, high;
    const char *undefined; /* how it begins; NULL: it is defined */
} rows[] = {
    {"count", "count", NULL, -1, 0, 6, 6, NAN, NAN, NULL},
    {"count of nobody is 0", "count", "", -1, 0, 0, 0, NAN, NAN, NULL},
    {"count with a condition", "count without accepted", NULL, -1, 0, 2, 2, NAN, NAN,
     NULL},
    {"count: of a row nothing is known, so how many are without is not",
     "count without answer", "50", -1, 0, NAN, 0, NAN, NAN, "it is known of no item"},
    {"count in a set", "count in b", NULL, -1, 0, 2, 2, NAN, NAN, NULL},
    {"count of a minimum age", "count", NULL, -1, 20, 4, 4, NAN, NAN, NULL},
    {"count of a minimum age that nobody has", "count", NULL, -1, 21, 0, 0, NAN, NAN,
     NULL},
    {"share with a condition: 1 of 3", "share without accepted", "20 30 40", -1, 0,
     1.0 / 3, 3, 0.061491944720396, 0.792340399197952, NULL},
    {"share of a condition leaves out what is unknown", "share without accepted",
     "20 30 40 50", -1, 0, 1.0 / 3, 3, 0.061491944720396, 0.792340399197952, NULL},
    {"share closed", "share closed", "10 20 30", -1, 0, 1.0 / 3, 3, 0.061491944720396,
     0.792340399197952, NULL},
    {"share answered: the number of answers counts too", "share with answer", "40 41", -1,
     0, 0.5, 2, 0.094531205734230, 0.905468794265770, NULL},
    /* 41 was asked when the corpus ended, of 50 nothing is known. */
    {"share within a time: exactly so long counts", "share accepted within 20 minutes",
     NULL, -1, 0, 0.5, 4, 0.150038989152149, 0.849961010847851, NULL},
    {"share not within a time", "share without accepted within 1200 seconds", NULL, -1, 0,
     0.5, 4, 0.150038989152149, 0.849961010847851, NULL},
    {"count within a time", "count accepted within 20 minutes", NULL, -1, 0, 2, 2, NAN,
     NAN, NULL},
    /* 10 and 20 minutes, which are 0 hours when they are rounded. */
    {"count within a time: waits are not rounded first",
     "count accepted within 0.1 hours", NULL, 0, 0, 0, 0, NAN, NAN, NULL},
    {"share within more time than there was", "share answered within 21 days", NULL, -1,
     0, NAN, 0, NAN, NAN, "it is known of no item"},
    {"share of nobody", "share closed", "", -1, 0, NAN, 0, NAN, NAN, ""},
    {"share of only unknown ones", "share closed", "50", -1, 0, NAN, 0, NAN, NAN, ""},
    {"share in a set counts rows as well", "share in b", "10 50", -1, 0, 0, 2, 0,
     0.657619772493347, NULL},
    {"sum", "sum views", NULL, -1, 0, 120, 4, NAN, NAN, NULL},
    {"mean of those who have it", "mean views", NULL, -1, 0, 30, 4, NAN, NAN, NULL},
    {"median of an even group", "median views", NULL, -1, 0, 25, 4, NAN, NAN, NULL},
    {"median of one", "median views", "40", -1, 0, 20, 1, NAN, NAN, NULL},
    {"median of nobody", "median views", "", -1, 0, NAN, 0, NAN, NAN, ""},
    {"median of missing values is undefined, not 0", "median views", "30 50", -1, 0, NAN,
     0, NAN, NAN, ""},
    {"min", "min score", NULL, -1, 0, -3, 5, NAN, NAN, NULL},
    {"max", "max score", NULL, -1, 0, 4, 5, NAN, NAN, NULL},
    {"standard deviation of a sample", "sd views", "10 20", -1, 0, 14.142135623730951, 2,
     NAN, NAN, NULL},
    {"standard deviation of one", "sd views", "10", -1, 0, NAN, 1, NAN, NAN,
     "there is only one value"},
    {"first quartile, type 7", "first quartile views", NULL, -1, 0, 17.5, 4, NAN, NAN,
     NULL},
    {"quantile", "quantile 90% views", NULL, -1, 0, 51, 4, NAN, NAN, NULL},
    {"distinct", "distinct askers", NULL, -1, 0, 2, 6, NAN, NAN, NULL},
    {"distinct of nobody is 0", "distinct answerers", "40", -1, 0, 0, 1, NAN, NAN, NULL},
    {"distinct of no item is 0", "distinct askers", "", -1, 0, 0, 0, NAN, NAN, NULL},
    {"distinct of unknown ones is undefined, not 0", "distinct askers", "40 50", -1, 0,
     NAN, 0, NAN, NAN, "it is known of no item"},
    {"distinct answerers where none are told of", "distinct answerers", "41 50", -1, 0,
     NAN, 0, NAN, NAN, "it is known of no item"},
    {"distinct texts of a field that nobody has", "distinct field n", "30 40", -1, 0, NAN,
     0, NAN, NAN, "it is known of no item"},
    {"rounded first at x.xx5", "mean field n", NULL, 2, 0, 1.835, 2, NAN, NAN, NULL},
    {"not rounded first", "mean field n", NULL, -1, 0, 1.84, 2, NAN, NAN, NULL},
    {"median wait of the accepted ones", "median minutes to accepted", NULL, -1, 0, 20, 3,
     NAN, NAN, NULL},
    /* 5 at risk, 41 leaves at 0: 3/4, 2/4, 1/4. Half are left from 20 to 40: the middle.
     */
    {"Kaplan-Meier: who still waits counts", "kaplan-meier median minutes to accepted",
     NULL, -1, 0, 30, 5, 10, INFINITY, NULL}, /* R: 0.95UCL is NA */
    {"Kaplan-Meier: more than half still wait", "kaplan-meier median minutes to accepted",
     "40 41", -1, 0, NAN, 2, NAN, NAN,
     "for more than half it did not happen while they were watched"},
    {"Kaplan-Meier of nobody", "kaplan-meier median minutes to accepted", "", -1, 0, NAN,
     0, NAN, NAN, ""},
    {"Kaplan-Meier of all accepted", "kaplan-meier median minutes to accepted",
     "10 20 30", -1, 0, 20, 3, 10, INFINITY, NULL},
    {"the measure that is ranked", "rank of median views", NULL, -1, 0, 25, 4, NAN, NAN,
     NULL},
};

static struct measure_bits items_of(struct measured *test, const char *ids)
{
    struct measure_bits bits = measure_bits_make(test->frame.count, &test->arena);
    struct str rest, word;
    int64_t id;

    if (ids == NULL)
        return measure_bits_all(test->frame.count, &test->arena);
    rest = str_from(ids);
    for (bool more = true; more;) {
        more = str_cut(&rest, ' ', &word);
        if (str_to_int(word, &id))
            measure_bits_set(bits, measure_frame_find(&test->frame, id));
    }
    return bits;
}

static bool open_column(struct measured *test, struct study_column *column,
                        const char *measure, struct measure_cell_column *out)
{
    column->text = str_from(measure);
    return CHECK(study_measure_parse(column->text, NULL, &test->arena, &column->measure,
                                     &test->err)) &&
           CHECK(measure_cell_open(column, &test->frame, 0.95, measured_find_set, test,
                                   out, &test->err));
}

static void check_row(struct measured *test, size_t i)
{
    struct study_column column = {.round_first = rows[i].round_first,
                                  .minimum_age_days = rows[i].minimum_age};
    struct measure_cell_column open;
    struct measure_bits items = items_of(test, rows[i].items);

    if (!open_column(test, &column, rows[i].measure, &open))
        return;
    struct result_cell cell =
        measure_cell_compute(&open, (struct measure_cell_items){&items, 1},
                             (struct measure_cell_whole){0}, &test->arena);
    CHECK_NEAR(cell.value, rows[i].value, 1e-12);
    CHECK(cell.n == rows[i].n);
    CHECK((cell.undefined != NULL) == (rows[i].undefined != NULL));
    if (cell.undefined != NULL && rows[i].undefined != NULL)
        CHECK(cell.undefined[0] != '\0' &&
              strstr(cell.undefined, rows[i].undefined) == cell.undefined);
    if (!isnan(rows[i].low)) {
        CHECK_NEAR(cell.low, rows[i].low, 1e-12);
        CHECK(isinf(rows[i].high) ? cell.high == rows[i].high
                                  : fabs(cell.high - rows[i].high) < 1e-12);
    }
}

static const struct {
    const char *name;
    int64_t x, whole;
    const char *undefined;
    double value;
    bool interval;
} shares[] = {
    {"2 of 4", 2, 4, NULL, 0.5, true},
    {"all", 2, 2, NULL, 1, true},
    {"more labels than items: no interval", 2, 1, NULL, 2, false},
    {"of an empty whole", 2, 0, NULL, NAN, false},
    {"of no whole", 2, 5, "the sources have no census", NAN, false},
};

static void check_shares(struct measured *test)
{
    struct study_column column = {.round_first = -1};
    struct measure_bits items = items_of(test, "10 20");
    struct measure_cell_column open;

    for (size_t i = 0; i < ROWS(shares); i++) {
        tap_case("share of a whole: %s", shares[i].name);
        if (!open_column(test, &column, "share", &open))
            continue;
        struct result_cell cell = measure_cell_compute(
            &open, (struct measure_cell_items){&items, 1},
            (struct measure_cell_whole){shares[i].whole, shares[i].undefined},
            &test->arena);
        CHECK_NEAR(cell.value, shares[i].value, 1e-12);
        CHECK(isnan(cell.low) != shares[i].interval);
        CHECK((cell.undefined != NULL) == isnan(shares[i].value));
    }
}

/* An item that stands in two rows counts twice in their total. */
static void check_parts(struct measured *test)
{
    struct study_column column = {.round_first = -1};
    struct measure_bits parts[] = {items_of(test, "10 20"), items_of(test, "20 40")};
    struct measure_cell_items items = {parts, 2};
    struct measure_cell_column open;
    static const struct {
        const char *measure;
        double value;
    } wanted[] = {{"count", 4},
                  {"share without accepted", 0.25},
                  {"median views", 25}, /* 10 20 30 30 */
                  {"distinct askers", 1},
                  {"kaplan-meier median minutes to accepted", 20}};

    for (size_t i = 0; i < ROWS(wanted); i++) {
        tap_case("several parts: %s", wanted[i].measure);
        if (open_column(test, &column, wanted[i].measure, &open))
            CHECK_NEAR(measure_cell_compute(&open, items, (struct measure_cell_whole){0},
                                            &test->arena)
                           .value,
                       wanted[i].value, 1e-12);
    }
}

int main(void)
{
    const struct measured_inputs inputs = {.posts = posts,
                                           .post_count = ROWS(posts),
                                           .fields = fields,
                                           .field_count = ROWS(fields),
                                           .study = "sets: {b: 'score:0'}"};
    struct study_column column = {.round_first = -1};
    struct measure_cell_column open;
    struct measured test;

    if (measured_open(&test, &inputs)) {
        for (size_t i = 0; i < ROWS(rows); i++) {
            tap_case("cell: %s", rows[i].name);
            check_row(&test, i);
        }
        check_shares(&test);
        check_parts(&test);
        tap_case("a set that is not there");
        CHECK(study_measure_parse(STR("share in c"), NULL, &test.arena, &column.measure,
                                  &test.err));
        CHECK(!measure_cell_open(&column, &test.frame, 0.95, measured_find_set, &test,
                                 &open, &test.err));
        CHECK_TEXT(test.err.text, "there is no set 'c'");
    }
    measured_close(&test);
    return tap_done();
}
