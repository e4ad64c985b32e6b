/* Published numbers: how exact they are meant, and each verdict with its line. */
#include "verify/verify.h"

#include <math.h>

#include "tests/tap.h"

static const struct {
    const char *text;
    bool ok;
    double value, tolerance;
    int side;
} published[] = {
    {"12", true, 12, 0.5, 0},
    {"0.018", true, 0.018, 0.0005, 0},
    {".05", true, 0.05, 0.005, 0},
    {"-.5", true, -0.5, 0.05, 0},
    {"70.7%", true, 0.707, 0.0005, 0},
    {"1,301", true, 1301, 0.5, 0},
    {"< .05", true, 0.05, 0.005, -1},
    {">1", true, 1, 0.5, 1},
    {"1e-5", true, 1e-5, 0.5e-5, 0},
    {"1.2e-5", true, 1.2e-5, 0.5e-6, 0},
    {"2.5E+3", true, 2500, 50, 0},
    {"", false, 0, 0, 0},
    {"%", false, 0, 0, 0},
    {"<", false, 0, 0, -1},
    {"many", false, 0, 0, 0},
    {"1 2", false, 0, 0, 0},
};

static void check_published(void)
{
    for (size_t i = 0; i < ROWS(published); i++) {
        double value = 0, tolerance = 0;
        int side = 0;
        tap_case("published '%s'", published[i].text);
        bool ok =
            verify_published(str_from(published[i].text), &value, &tolerance, &side);
        CHECK(ok == published[i].ok);
        if (!ok || !published[i].ok)
            continue;
        CHECK_NEAR(value, published[i].value, 1e-15);
        CHECK_NEAR(tolerance, published[i].tolerance, 1e-15);
        CHECK(side == published[i].side);
    }
}

static struct result_number table[] = {
    {.row = STR_INIT("a"),
     .column = STR_INIT("count"),
     .value = 12,
     .low = 10,
     .high = 14,
     .n = 40},
    {.row = STR_INIT("b"),
     .column = STR_INIT("count"),
     .value = 4,
     .low = NAN,
     .high = NAN,
     .n = -1},
    {.row = STR_INIT("c"),
     .column = STR_INIT("count"),
     .value = NAN,
     .low = NAN,
     .high = NAN,
     .n = 0,
     .undefined = STR_INIT("no items")},
};
static struct result_number size[] = {{.column = STR_INIT("count"), .value = 70}};
static const struct result_numbers numbers[] = {
    {STR_INIT("tables.t"), table, ROWS(table)},
    {STR_INIT("tables.p"), table, ROWS(table)},
    {STR_INIT("tests.x"), table, ROWS(table)},
    {STR_INIT("sets.B"), size, 1}};
static struct study_table tables[] = {{.name = STR_INIT("t")},
                                      {.name = STR_INIT("p"), .printed = true}};
static struct study_test tests[] = {{.name = STR_INIT("x"), .table = 1}};

static const struct {
    const char *name, *expression;
    struct study_expectation
        more; /* besides the expression; tolerance 0: by the digits */
    enum verify_verdict verdict;
    const char *line;
} rows[] = {
    {"as published",
     "tables.t.a",
     {.value = STR_INIT("12")},
     VERIFY_AS_PUBLISHED,
     "as published: 12"},
    {"within half a digit",
     "tables.t.a.count / 7",
     {.value = STR_INIT("1.71")},
     VERIFY_AS_PUBLISHED,
     "as published: 1.71"},
    {"beyond half a digit",
     "tables.t.a.count / 7",
     {.value = STR_INIT("1.72")},
     VERIFY_DIFFERS,
     "DIFFERS: published 1.72, ours 1.714"},
    {"a tolerance of its own",
     "tables.t.a",
     {.value = STR_INIT("13"), .tolerance = 1},
     VERIFY_AS_PUBLISHED,
     "as published: 13"},
    {"a percentage",
     "tables.t.b / (tables.t.a + tables.t.b)",
     {.value = STR_INIT("25%")},
     VERIFY_AS_PUBLISHED,
     "as published: 25%"},
    {"a bound that holds",
     "tables.t.b / 100",
     {.value = STR_INIT("< .05")},
     VERIFY_AS_PUBLISHED,
     "as published: < .05"},
    {"a bound that does not",
     "tables.t.b / 10",
     {.value = STR_INIT("< .05")},
     VERIFY_DIFFERS,
     "DIFFERS: published < .05, ours 0.400"},
    {"what is not 0 is not shown as 0",
     "tables.t.b / 100000000",
     {.value = STR_INIT("0.01")},
     VERIFY_DIFFERS,
     "DIFFERS: published 0.01, ours 4e-08"},
    {"a known slip",
     "tables.t.b",
     {.value = STR_INIT("5"),
      .known = STR_INIT("one more was counted"),
      .reproduces = STR_INIT("tables.t.b + 1"),
      .right = STR_INIT("4")},
     VERIFY_KNOWN,
     "differs: known slip: published 5, ours 4: one more was counted"},
    {"a reason that is not shown",
     "tables.t.b",
     {.value = STR_INIT("5"), .known = STR_INIT("a misprint"), .right = STR_INIT("4")},
     VERIFY_UNPROVEN,
     "differs for an unproven reason: published 5, ours 4: a misprint"},
    {"a reason that gives another number",
     "tables.t.b",
     {.value = STR_INIT("5"),
      .known = STR_INIT("two more were counted"),
      .reproduces = STR_INIT("tables.t.b + 2")},
     VERIFY_DIFFERS,
     "DIFFERS: published 5, ours 4, `reproduces` gives 6: two more were counted"},
    {"a reason that gives none",
     "tables.t.b",
     {.value = STR_INIT("5"),
      .known = STR_INIT("a misprint"),
      .reproduces = STR_INIT("tables.t.c")},
     VERIFY_DIFFERS,
     "DIFFERS: published 5, ours 4, `reproduces` cannot be computed: tables.t.c is "
     "undefined: no items: a misprint"},
    {"a reason that repeats the number",
     "tables.t.b",
     {.value = STR_INIT("5"),
      .known = STR_INIT("a misprint"),
      .reproduces = STR_INIT("5")},
     VERIFY_DIFFERS,
     "DIFFERS: published 5, ours 4, `reproduces` cannot be computed: a printed number is "
     "compared with itself: a misprint"},
    {"from printed numbers alone",
     "tables.p.a + 1",
     {.value = STR_INIT("13")},
     VERIFY_AS_PUBLISHED,
     "as published: 13, from printed numbers alone"},
    {"from a test of printed numbers",
     "tests.x.a",
     {.value = STR_INIT("12")},
     VERIFY_AS_PUBLISHED,
     "as published: 12, from printed numbers alone"},
    {"from printed numbers and others",
     "tables.p.a + sets.B",
     {.value = STR_INIT("82")},
     VERIFY_AS_PUBLISHED,
     "as published: 82"},
    {"a printed number with itself",
     "tables.p.a",
     {.value = STR_INIT("12")},
     VERIFY_FAILED,
     "cannot be computed: a printed number is compared with itself"},
    {"a number with itself",
     "12",
     {.value = STR_INIT("12")},
     VERIFY_FAILED,
     "cannot be computed: a printed number is compared with itself"},
    {"a number of our own",
     "sets.B",
     {.value = STR_INIT("70"), .own = true},
     VERIFY_AS_PUBLISHED,
     "as before: 70, a number of our own"},
    {"a number of our own that changed",
     "sets.B",
     {.value = STR_INIT("71"), .own = true},
     VERIFY_DIFFERS,
     "DIFFERS: before 71, ours 70"},
    {"a slip that is another one",
     "tables.t.b",
     {.value = STR_INIT("5"), .known = STR_INIT("a misprint"), .right = STR_INIT("3")},
     VERIFY_DIFFERS,
     "DIFFERS: published 5, ours 4, expected 3: a misprint"},
    {"a slip that is none",
     "tables.t.b",
     {.value = STR_INIT("4"), .known = STR_INIT("a misprint")},
     VERIFY_DIFFERS,
     "DIFFERS: published 4, ours 4: as published, although a slip is declared"},
    {"something is missing, as declared",
     "tables.u.b",
     {.value = STR_INIT("4"), .needs = STR_INIT("dump")},
     VERIFY_CANNOT,
     "cannot be computed: needs the dump"},
    {"no such step",
     "tables.u.b",
     {.value = STR_INIT("4")},
     VERIFY_FAILED,
     "cannot be computed: there is no 'tables.u.b'; did you mean 'tables.t'?"},
    {"no such row",
     "tables.t.d",
     {.value = STR_INIT("4")},
     VERIFY_FAILED,
     "cannot be computed: tables.t has no 'd'"},
    {"undefined",
     "tables.t.c",
     {.value = STR_INIT("4")},
     VERIFY_FAILED,
     "cannot be computed: tables.t.c is undefined: no items"},
    {"no number was published",
     "tables.t.a",
     {.value = STR_INIT("many")},
     VERIFY_FAILED,
     "cannot be compared: the value 'many' is not a number as printed, such as 1,301, "
     "70.7% or < .05"},
    {"no number was published, of what is not there either",
     "tables.u.b",
     {.value = STR_INIT("many")},
     VERIFY_FAILED,
     "cannot be compared: the value 'many' is not a number as printed, such as 1,301, "
     "70.7% or < .05"},
    {"a set alone is its size",
     "sets.B",
     {.value = STR_INIT("70")},
     VERIFY_AS_PUBLISHED,
     "as published: 70"},
    {"the interval's end",
     "tables.t.a.high",
     {.value = STR_INIT("14")},
     VERIFY_AS_PUBLISHED,
     "as published: 14"},
    {"the items behind it",
     "tables.t.a.n",
     {.value = STR_INIT("40")},
     VERIFY_AS_PUBLISHED,
     "as published: 40"},
    {"items that are not told",
     "tables.t.b.n",
     {.value = STR_INIT("-1")},
     VERIFY_FAILED,
     "cannot be computed: tables.t.b.n is undefined"},
};

/* Published numbers of the dump that ended on 2 January 1970. */
static const struct {
    const char *name, *site;
    double newest, late; /* NAN: no dump was read */
    double questions;    /* that it must have */
    enum verify_verdict verdict;
    const char *elsewhere;
} dumps[] = {
    {"that dump", "so.com", 1.9, 0, 1000, VERIFY_DIFFERS, ""},
    {"one that ends a little earlier", "so.com", -1.5, 0, 1000, VERIFY_DIFFERS, ""},
    {"one that has a few later posts", "so.com", 1.9, 9, 1000, VERIFY_DIFFERS, ""},
    {"one that ends earlier", "so.com", -3, 0, 1000, VERIFY_ELSEWHERE,
     "ends on 1969-12-29"},
    {"one of later", "so.com", 1.9, 500, 1000, VERIFY_ELSEWHERE, "has 500 later posts"},
    {"one of another site", "ai.com", 1.9, 0, 1000, VERIFY_ELSEWHERE,
     "is not said to be of that site (`site:`)"},
    {"one of nobody knows where", "", 1.9, 0, 1000, VERIFY_ELSEWHERE,
     "is not said to be of that site (`site:`)"},
    {"a part of it", "so.com", 1.9, 0, 1001, VERIFY_ELSEWHERE, "has 1000 questions only"},
    {"no dump", "so.com", NAN, NAN, 1000, VERIFY_ELSEWHERE, "has no posts with a date"},
};

static void check_dumps(struct arena *arena)
{
    for (size_t i = 0; i < ROWS(dumps); i++) {
        const double day = 24 * 3600 * 1000.0;
        struct result_number counts[] = {
            {.column = STR("questions"), .value = 1000},
            {.column = STR("late"), .value = dumps[i].late},
            {.column = STR("newest"), .value = dumps[i].newest * day}};
        struct result_numbers given[] = {numbers[0], {STR("census"), counts, 3}};
        struct study_source source = {.site = str_from(dumps[i].site)};
        struct study_expectation expected[] = {
            {.expression = STR("tables.t.a"),
             .value = STR("13"),
             .needs = STR("dump"),
             .needs_dump = true,
             .tolerance = NAN},
            {.expression = STR("tables.t.a"), .value = STR("12"), .tolerance = NAN}};
        struct study study = {.sources = &source,
                              .source_count = 1,
                              .dump_site = STR("so.com"),
                              .dump_newest_ms = (int64_t)day,
                              .dump_questions = dumps[i].questions,
                              .expectations = expected,
                              .expectation_count = 2};
        struct verify got;
        tap_case("dump: %s", dumps[i].name);
        verify_study(&study, given, 2, arena, &got);
        CHECK(got.lines[0].verdict == dumps[i].verdict);
        CHECK(got.lines[1].verdict == VERIFY_AS_PUBLISHED);
        CHECK_TEXT(arena_c_string(arena, got.elsewhere), dumps[i].elsewhere);
        if (dumps[i].verdict == VERIFY_ELSEWHERE)
            CHECK_TEXT(arena_c_string(arena, got.lines[0].text),
                       "not compared: published 13, ours 12: needs the dump of so.com of "
                       "1970-01-02");
    }
}

int main(void)
{
    struct arena arena = {0};

    check_published();
    check_dumps(&arena);
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct study_expectation expectation = rows[i].more;
        struct study study = {.tables = tables,
                              .table_count = ROWS(tables),
                              .tests = tests,
                              .test_count = ROWS(tests),
                              .expectations = &expectation,
                              .expectation_count = 1};
        struct verify got;
        tap_case("verdict: %s", rows[i].name);
        expectation.expression = str_from(rows[i].expression);
        if (expectation.tolerance == 0)
            expectation.tolerance = NAN;
        verify_study(&study, numbers, ROWS(numbers), &arena, &got);
        CHECK(got.lines[0].verdict == rows[i].verdict);
        CHECK(got.counts[rows[i].verdict] == 1);
        CHECK_TEXT(arena_c_string(&arena, got.lines[0].text), rows[i].line);
    }
    arena_free(&arena);
    return tap_done();
}
