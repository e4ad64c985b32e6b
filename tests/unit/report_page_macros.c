/* numbers.tex: a macro for every number that there is. */
#include "tests/unit/paged.h"

static void check_macros(struct buf *out)
{
    struct result_number table[] = {
        {.row = STR("a/b"),
         .column = STR("share"),
         .type = RESULT_SHARE,
         .digits = 1,
         .value = 0.7069,
         .low = 0.5,
         .high = NAN},
        {.row = STR("c"),
         .column = STR("count"),
         .type = RESULT_COUNT,
         .value = 12345,
         .low = NAN,
         .high = NAN},
        {.column = STR("p"), .type = RESULT_P, .value = 0.00012, .low = NAN, .high = NAN},
        {.column = STR("effect"),
         .type = RESULT_REAL,
         .digits = -1,
         .value = -0.123456,
         .low = NAN,
         .high = NAN},
        {.row = STR("e"),
         .column = STR("wait"),
         .type = RESULT_DURATION,
         .digits = 1,
         .value = 4,
         .low = 2,
         .high = INFINITY},
        {.row = STR("d"), .column = STR("count"), .value = NAN, .low = NAN, .high = NAN}};
    struct result_numbers numbers = {STR("tables.t"), table, 6};

    report_page_macros(&numbers, 1, out);
    tap_case("macros: a name for every number that there is");
    CHECK(paged_holds(out, "\\assaydefine{tables.t.a.b.share}{70.7\\%}{0.7069}\n"));
    CHECK(paged_holds(out, "\\assaydefine{tables.t.a.b.share.low}{50.0\\%}{0.5}\n"));
    CHECK(paged_holds(out, "\\assaydefine{tables.t.a.b.share.percent}{70.7}{70.69}\n"));
    CHECK(paged_holds(out, "\\assaydefine{tables.t.c.count}{12,345}{12345}\n"));
    CHECK(paged_holds(out, "\\assaydefine{tables.t.p}{$<$ .001}{0.00012}\n"));
    CHECK(paged_holds(out, "\\assaydefine{tables.t.effect}{$-$0.1235}{-0.123456}\n"));
    CHECK(paged_holds(out, "\\assaydefine{tables.t.e.wait.high}{$\\infty$}{inf}\n"));
    CHECK(!paged_holds(out, "tables.t.d"));
    buf_clear(out);
}

int main(void)
{
    struct buf out = {0};

    check_macros(&out);
    tap_case("a number as text");
    buf_add_number(&out, 1234567);
    buf_add_char(&out, ' ');
    buf_add_number(&out, 0.25);
    buf_add_char(&out, ' ');
    buf_add_number(&out, NAN);
    CHECK(paged_holds(&out, "1,234,567 0.25 –"));
    buf_free(&out);
    return tap_done();
}
