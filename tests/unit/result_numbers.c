/* Numbers of a step: taken from its result, written, and found by their names. */
#include "result/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
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
    {"minus zero", -0.0, "-0"},
    {"a power of two", 0.125, "0.125"},
    {"the last without an exponent", 0.0001, "0.0001"},
    {"below it", 0.00009999, "9.999e-05"},
    {"rounded up to more digits", 9.9999999999999982, "9.999999999999998"},
    {"half a large number", 123456789012345.5, "123456789012345.5"},
};

static void check_printing(void)
{
    for (size_t i = 0; i < ROWS(prints); i++) {
        struct buf text = {0};
        double back = NAN;
        tap_case("print: %s", prints[i].name);
        result_numbers_print(prints[i].value, &text);
        CHECK(str_to_real(buf_str(&text), &back) && back == prints[i].value);
        buf_add_char(&text, '\0');
        CHECK_TEXT(text.ptr, prints[i].text);
        buf_free(&text);
    }
}

/* The shortest of 15 to 17 digits that is the number, as printf() and strtod() say. */
static void check_digits(void)
{
    struct rng rng = rng_seeded(17);
    struct buf text = {0};
    int wrong = 0;

    tap_case("print: the same as by printf()");
    for (int i = 0; i < 200000; i++) {
        static const double units[] = {3600000, 60000, 86400000, 1000, 7, 1e9, 1024};
        double value = (double)rng_below(&rng, UINT64_C(1) << rng_below(&rng, 53)) /
                       units[rng_below(&rng, ROWS(units))] *
                       (rng_below(&rng, 2) == 0 ? 1 : -rng_unit(&rng));
        char want[40];
        if (value == floor(value))
            continue;
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(want, sizeof want, "%.*g", digits, value);
            if (strtod(want, NULL) == value)
                break;
        }
        buf_clear(&text);
        result_numbers_print(value, &text);
        wrong += !str_eq(buf_str(&text), str_from(want));
    }
    CHECK(wrong == 0);
    buf_free(&text);
}

/* A tree of two rows, a total, a column of texts; and a table that is no number. */
static void check_view(struct arena *arena)
{
    struct result_column columns[] = {
        {.type = RESULT_COUNT, .across = STR("A"), .name = STR("n"), .path = STR("A.n")},
        {.type = RESULT_TEXT, .name = STR("word")},
        {.type = RESULT_SHARE, .name = STR("part"), .total = true}};
    struct result_table tables[2] = {result_new(STR("t"), columns, 3, arena),
                                     result_new(STR("u"), columns, 3, arena)};
    struct result result = {STR("tables.t"), tables, 2};
    struct result_numbers got;
    struct buf csv = {0};

    tables[0].numbers = true;
    for (size_t t = 0; t < 2; t++) {
        struct result_cell *cells =
            result_add_row(&tables[t], STR("D, all"), RESULT_NONE, arena);
        cells[0] = result_count(3);
        cells[0].n = 12;
        cells[2] = result_estimate(0.5, 0.25, INFINITY);
        result_add_row(&tables[t], STR("data"), 0, arena)[2].undefined = "no items, none";
        tables[t].rows[1].total = true;
    }
    result_numbers_from(&result, arena, &got);
    tap_case("every number of a result, under its address, with its type");
    CHECK(str_eq(got.step, STR("tables.t")) && got.count == 4);
    CHECK(str_eq(got.at[3].row, STR("D-all/data")) &&
          str_eq(got.at[3].column, STR("part")) && got.at[3].type == RESULT_SHARE &&
          str_eq(got.at[3].unit, STR("%")) && got.at[3].total_row &&
          got.at[3].total_column);
    tap_case("as a csv");
    result_numbers_csv(&got, &csv);
    buf_add_char(&csv, '\0');
    CHECK_TEXT(csv.ptr, "row,column,value,low,high,n,undefined,total,label,heading\n"
                        "D-all,A.n,3,,,12,,,\"D, all\",A: n\n"
                        "D-all,part,0.5,0.25,inf,,,column,\"D, all\",part\n"
                        "D-all/data,A.n,,,,,,row,data,A: n\n"
                        "D-all/data,part,,,,,\"no items, none\",rowcolumn,data,part\n");
    buf_free(&csv);
}

/* Found by patterns; "" as result: nothing. */
static const struct result_number table[] = {
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
    struct result_number copy[ROWS(table)];
    struct result_numbers numbers = {STR("tables.t"), copy, ROWS(table)};

    for (size_t i = 0; i < ROWS(table); i++)
        copy[i] = table[i];
    for (size_t i = 0; i < ROWS(finds); i++) {
        struct buf values = {0};
        size_t count;
        tap_case("find: %s", finds[i].name);
        const struct result_number **found =
            result_numbers_find(&numbers, str_from(finds[i].pattern), arena, &count);
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
        CHECK(result_numbers_column_is(str_from(rows[i].column),
                                       str_from(rows[i].wanted)) == rows[i].is);
    }
}

int main(void)
{
    struct arena arena = {0};

    check_printing();
    check_digits();
    check_view(&arena);
    check_finding(&arena);
    check_columns();
    arena_free(&arena);
    return tap_done();
}
