/* Tests as text. */
#include <math.h>
#include <string.h>

#include "measure/testing.h"
#include "tests/tap.h"

static const struct {
    double p;
    const char *text;
} values[] = {{0.0230, "0.0230"}, {0.00099, "< .001"}, {0.001, "0.0010"},
              {1, "1.0000"},      {0, "< .001"},       {NAN, "–"}};

static void expect(struct buf *got, const char *want)
{
    buf_add_char(got, '\0');
    CHECK_TEXT(got->ptr, want);
    buf_clear(got);
}

static struct measure_testing_result result_of(const char *name, double p)
{
    return (struct measure_testing_result){.name = str_from(name),
                                           .statistic = 78.153,
                                           .df = 1,
                                           .p = p,
                                           .adjusted = p,
                                           .effect = 1.43,
                                           .low = 1.32,
                                           .high = NAN,
                                           .effect_name = "odds ratio",
                                           .effect_word = "negligible"};
}

static void check_p(void)
{
    static const struct {
        const char *name;
        double p;
        const char *text;
    } rows[] = {{"tiny", 0.00099, "< .001"},
                {"at the border", 0.001, "0.0010"},
                {"usual", 0.02304, "0.0230"},
                {"undefined", NAN, "–"}};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct buf text = {0};
        tap_case("p: %s", rows[i].name);
        result_numbers_add_p(rows[i].p, &text);
        CHECK(str_eq(buf_str(&text), str_from(rows[i].text)));
        buf_free(&text);
    }
}

int main(void)
{
    static const struct yaml_node node = {.type = YAML_MAPPING};
    struct study_test test = {.name = STR("harder"),
                              .node = &node,
                              .kind = STUDY_PROPORTION,
                              .level = 0.05,
                              .table = STUDY_NONE};
    struct measure_testing_result results[3] = {result_of("a <b>", 0.01),
                                                result_of("c", 0.5), result_of("d", NAN)};
    struct measure_testing testing = {.test = &test,
                                      .statistic_name = "chi-square",
                                      .results = results,
                                      .count = 3,
                                      .warning = STR("few & weak")};
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(values); i++) {
        tap_case("p of %g", values[i].p);
        result_numbers_add_p(values[i].p, &out);
        expect(&out, values[i].text);
    }
    results[2].undefined = "the group is empty";
    results[0].sides = STR("x v y");
    tap_case("csv");
    measure_testing_csv(&testing, &out);
    expect(&out, "name,statistic,df,p,adjusted,effect,low,high,word,undefined\n"
                 "a <b>,78.153,1,0.01,0.01,1.43,1.32,,negligible,\n"
                 "c,78.153,1,0.5,0.5,1.43,1.32,,negligible,\n"
                 "d,78.153,1,,,1.43,1.32,,negligible,the group is empty\n");
    tap_case("markdown says what differs, what does not, and what is undefined");
    measure_testing_markdown(&testing, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr, "| a \\<b> | 78.15 | 1 | 0.0100 | 0.0100 | odds ratio 1.43, "
                          "negligible | differ at the 5% level |") != NULL);
    CHECK(strstr(out.ptr, "no difference shown at the 5% level") != NULL);
    CHECK(strstr(out.ptr, "undefined: the group is empty") != NULL);
    CHECK(strstr(out.ptr, "Warning: few & weak") != NULL);
    buf_clear(&out);
    tap_case("an effect without an interval says why");
    results[1].no_interval = "all pairs differ";
    measure_testing_markdown(&testing, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr, "negligible (no interval: all pairs differ) |") != NULL);
    results[1].no_interval = NULL;
    buf_clear(&out);
    tap_case("stars only if asked");
    measure_testing_markdown(&testing, &out);
    buf_add_char(&out, '\0');
    CHECK(strchr(out.ptr, '*') == NULL);
    buf_clear(&out);
    test.stars = true;
    results[1].statistic = 84640;
    results[1].p = 0.0004;
    measure_testing_markdown(&testing, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr, "| 0.0100 * | 0.0100 * |") != NULL);
    CHECK(strstr(out.ptr, "| < .001 *** | 0.5000 |") != NULL);
    tap_case("large numbers in full");
    CHECK(strstr(out.ptr, "| c | 84,640 |") != NULL);
    buf_clear(&out);
    tap_case("html is escaped");
    measure_testing_html(&testing, &(struct result_table){0}, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr, "a &lt;b&gt;") != NULL && strstr(out.ptr, "<b>") == NULL);
    CHECK(strstr(out.ptr, "few &amp; weak") != NULL);
    CHECK(strstr(out.ptr, "<p>Chi-square test of proportions: x v y. p values") != NULL);
    buf_clear(&out);
    tap_case("sides lead to their items, if there are any");
    struct measure_testing_side sides[] = {{.text = STR("x <1>")}, {.text = STR("y")}};
    struct result_list list = {.number = 4};
    struct result_cell cells[] = {{.list = &list}, {.list = NULL}};
    testing.sides = sides;
    testing.side_count = 2;
    measure_testing_html(&testing, &(struct result_table){.cells = cells}, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr, "/4.html#c0\">x &lt;1&gt;</a> v y. p values") != NULL);
    buf_clear(&out);
    tap_case("numbers stand under slugs");
    struct arena arena = {0};
    struct result_table table = measure_testing_table(&testing, &arena);
    CHECK(table.numbers && str_eq(table.rows[0].slug, STR("a-b")) &&
          table.rows[0].name.len == 0);
    CHECK(str_eq(table.columns[2].path, STR("p")) && table.cells[2].value == 0.01);
    CHECK_TEXT(table.cells[2 * table.column_count + 2].undefined, "the group is empty");
    arena_free(&arena);
    buf_free(&out);
    check_p();
    return tap_done();
}
