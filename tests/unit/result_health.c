/* Findings about sources: asked for by id, over several sources, and as Markdown. */
#include "result/health.h"

#include <math.h>

#include "tests/tap.h"

int main(void)
{
    static const char *const findings[][2] = {
        {"a: answers", "3"},
        {"b: answers", "4"},
        {"stored: answers", "5"},
        {"no answers", "9"},
        {"a: first post", "2015-01-01T00:00:00.000"},
        {"b: first post", "2014-01-01T00:00:00.000"},
        {"c: first post", "none"},
        {"tags are written", "|a|b|"}};
    struct arena arena = {0};
    struct result_health health = {0}, none = {0};
    struct buf out = {0};
    int64_t ms = 0;

    for (size_t i = 0; i < ROWS(findings); i++)
        result_health_add(&health, str_from(findings[i][0]), str_from(findings[i][1]),
                          &arena);
    tap_case("findings of several sources are added up; what was stored is another");
    CHECK_NEAR(result_health_sum(&health, "answers"), 7, 0);
    CHECK_NEAR(result_health_sum(&health, "stored: answers"), 5, 0);
    CHECK_NEAR(result_health_sum(&health, "questions"), 0, 0);
    tap_case("each has the type of its id");
    CHECK(health.at[0].type == RESULT_COUNT && health.at[0].value == 3 &&
          str_eq(health.at[0].id, STR("answers")));
    CHECK(health.at[3].type == RESULT_TEXT && isnan(health.at[3].value));
    CHECK(health.at[6].type == RESULT_MOMENT && isnan(health.at[6].value));
    tap_case("the first moment of all sources, and the last");
    CHECK(result_health_moment(&health, "first post", false, &ms) &&
          ms == INT64_C(1388534400000));
    CHECK(result_health_moment(&health, "first post", true, &ms) &&
          ms == INT64_C(1420070400000));
    CHECK(!result_health_moment(&health, "last post", true, &ms));
    tap_case("troubles, those of all sources together; none is nothing");
    result_health_troubles(&health, &out);
    CHECK(out.len == 0);
    result_health_add(&health, STR("a: repeated ids"), STR("1"), &arena);
    result_health_add(&health, STR("a: broken rows skipped"), STR("2"), &arena);
    result_health_add(&health, STR("b: Comments: broken rows skipped"), STR("3"), &arena);
    result_health_add(&health, STR("c: values that are not what their member says"),
                      STR("1"), &arena);
    result_health_troubles(&health, &out);
    CHECK(str_eq(buf_str(&out), STR("5 broken rows skipped, 1 row left out whose id was "
                                    "there before, 1 value of json unreadable")));
    buf_clear(&out);
    tap_case("Markdown, in which no bar ends a cell");
    health.at += 6;
    health.count = 2;
    result_health_markdown(&health, &out);
    result_health_markdown(&none, &out);
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, "# Health of the sources\n\n| finding | value |\n|---|---|\n"
                        "| c: first post | none |\n| tags are written | \\|a\\|b\\| |\n"
                        "# Health of the sources\n\n| finding | value |\n|---|---|\n");
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
