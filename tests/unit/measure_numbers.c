/* Numbers of a step: written and read back, and found by their names. */
#include "measure/numbers.h"

#include <math.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    double value;
    const char *text;
} prints[] = {
    {"zero", 0, "0"},
    {"a whole number", 1301, "1301"},
    {"a large whole number has no exponent", 123456789012345, "123456789012345"},
    {"beyond exact whole numbers", 1e22, "1e+22"},
    {"a tenth", 0.1, "0.1"},
    {"a sum of tenths", 0.1 + 0.2, "0.30000000000000004"},
    {"a third", 1.0 / 3, "0.3333333333333333"},
    {"negative", -2.5, "-2.5"},
    {"small", 1.5e-9, "1.5e-09"},
    {"the smallest", 5e-324, "5e-324"},
};

static void check_printing(void)
{
    for (size_t i = 0; i < ROWS(prints); i++) {
        struct buf text = {0};
        double back = NAN;
        tap_case("print: %s", prints[i].name);
        numbers_print(prints[i].value, &text);
        CHECK(str_to_real(buf_str(&text), &back) && back == prints[i].value);
        buf_add_char(&text, '\0');
        CHECK_TEXT(text.ptr, prints[i].text);
        buf_free(&text);
    }
}

static const struct number written[] = {
    {.column = STR_INIT("count"), .value = 3, .low = NAN, .high = NAN, .n = -1},
    {.row = STR_INIT("D/data"),
     .column = STR_INIT("A.share"),
     .value = 0.5,
     .low = 0.25,
     .high = 0.75,
     .n = 12},
    {.row = STR_INIT("a,b\"c"),
     .column = STR_INIT("A.share"),
     .value = NAN,
     .low = NAN,
     .high = NAN,
     .n = 0,
     .undefined = STR_INIT("no items, none"),
     .total_row = true},
    {.row = STR_INIT("t"),
     .column = STR_INIT("statistic"),
     .value = INFINITY,
     .low = -INFINITY,
     .high = NAN,
     .n = -1},
};

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_round_trip(struct arena *arena)
{
    struct buf text = {0};
    struct numbers got;
    struct err err = {0};

    numbers_head(&text);
    for (size_t i = 0; i < ROWS(written); i++)
        numbers_add(&text, &written[i]);
    tap_case("what is written is read back");
    CHECK(numbers_parse(buf_str(&text), "n.csv", STR("tables.t"), arena, &got, &err));
    CHECK(got.count == ROWS(written) && str_eq(got.step, STR("tables.t")));
    for (size_t i = 0; i < got.count; i++) {
        const struct number *a = &got.at[i], *b = &written[i];
        CHECK(str_eq(a->row, b->row) && str_eq(a->column, b->column));
        CHECK(same(a->value, b->value) && same(a->low, b->low) && same(a->high, b->high));
        CHECK(a->n == b->n && a->total_row == b->total_row &&
              a->total_column == b->total_column && str_eq(a->undefined, b->undefined));
    }
    buf_free(&text);
}

static void check_refusals(struct arena *arena)
{
    static const struct {
        const char *name, *row; /* the first six fields */
    } rows[] = {{"a word for a value", "a,count,many,,,"},
                {"a value too large", "a,count,1e999,,,"},
                {"n below 0", "a,count,1,,,-1"},
                {"n too large", "a,count,1,,,1e300"}};
    struct buf head = {0};
    size_t commas = 0;

    numbers_head(&head);
    for (size_t i = 0; i < head.len; i++)
        commas += head.ptr[i] == ',';
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct buf text = {0};
        struct numbers got;
        struct err err = {0};
        tap_case("refused: %s", rows[i].name);
        buf_add(&text, buf_str(&head));
        buf_add_format(&text, "%s", rows[i].row);
        for (size_t c = 5; c < commas; c++)
            buf_add_char(&text, ',');
        CHECK(!numbers_parse(buf_str(&text), "n.csv", STR("s"), arena, &got, &err));
        CHECK_TEXT(err.text, "n.csv:2: not as assay writes it");
        buf_free(&text);
    }
    buf_free(&head);
}

/* Found by patterns; "" as result: nothing. */
static const struct number table[] = {
    {.row = STR_INIT("D"), .column = STR_INIT("TF.count"), .value = 1},
    {.row = STR_INIT("D/data"), .column = STR_INIT("TF.count"), .value = 2},
    {.row = STR_INIT("D/data"), .column = STR_INIT("Keras.count"), .value = 3},
    {.row = STR_INIT("D/tensor"), .column = STR_INIT("TF.count"), .value = 4},
    {.row = STR_INIT("v1.2"), .column = STR_INIT("TF.count"), .value = 5},
    {.row = STR_INIT("total"),
     .column = STR_INIT("TF.count"),
     .value = 6,
     .total_row = true},
};

static const struct {
    const char *name, *pattern, *values;
} finds[] = {
    {"a row and a column", "D.data.TF.count", " 2"},
    {"a leading dot does not matter", ".D.data.TF.count", " 2"},
    {"the only measure may be left out", "D.data.Keras", " 3"},
    {"a row above others", "D.TF.count", " 1"},
    {"a list", "D[data,tensor].TF.count", " 2 4"},
    {"a list with blanks", "D[data, tensor].TF", " 2 4"},
    {"a star for a row leaves totals out", "*.TF.count", " 1 5"},
    {"a star for a row below", "D.*.TF.count", " 2 4"},
    {"a star for the column", "D.data.*", " 2 3"},
    {"a total by its name", "total.TF.count", " 6"},
    {"a name with a dot", "v1.2.TF.count", " 5"},
    {"the beginning of a name", "D.dat.TF.count", ""},
    {"a row alone, with several columns", "D.data", ""},
    {"a list that is not closed", "D[data", ""},
    {"nothing", "", ""},
    {"something behind it", "D.data.TF.count.n", ""},
};

static void check_finding(struct arena *arena)
{
    struct number copy[ROWS(table)];
    struct numbers numbers = {STR("tables.t"), copy, ROWS(table)};

    for (size_t i = 0; i < ROWS(table); i++)
        copy[i] = table[i];
    for (size_t i = 0; i < ROWS(finds); i++) {
        struct buf values = {0};
        size_t count;
        tap_case("find: %s", finds[i].name);
        const struct number **found =
            numbers_find(&numbers, str_from(finds[i].pattern), arena, &count);
        for (size_t f = 0; f < count; f++)
            buf_add_format(&values, " %g", found[f]->value);
        buf_add_char(&values, '\0');
        CHECK_TEXT(values.ptr, finds[i].values);
        buf_free(&values);
    }
}

static void check_columns(void)
{
    static const struct {
        const char *name, *column, *wanted;
        bool is;
    } rows[] = {{"all of it", "TF.count", "TF.count", true},
                {"the group alone", "TF.count", "TF", true},
                {"the beginning of a group", "TF2.count", "TF", false},
                {"the measure alone", "TF.count", "count", true},
                {"nothing", "TF.count", "", false}};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("column: %s", rows[i].name);
        CHECK(numbers_column_is(str_from(rows[i].column), str_from(rows[i].wanted)) ==
              rows[i].is);
    }
}

int main(void)
{
    struct arena arena = {0};

    check_printing();
    check_round_trip(&arena);
    check_refusals(&arena);
    check_finding(&arena);
    check_columns();
    arena_free(&arena);
    return tap_done();
}
