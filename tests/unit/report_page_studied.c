/* The report's first part: sources, sets with their funnels, samples, health. */
#include <string.h>

#include "report/internal.h"
#include "tests/unit/paged.h"

static void check_studied(const struct study *study, struct arena *arena, struct buf *out)
{
    struct result_number set[] = {
        {.column = STR("count"), .value = 1234},
        {.column = STR("funnel.1"), .value = 5000, .heading = STR("[<x>]")},
        {.column = STR("funnel.2"), .value = 1234, .heading = STR("score:5..")}};
    struct result_list list = {.number = 7};
    struct result_cell cells[4];
    struct result_table funnels[] = {
        {.cells = cells, .row_count = 2, .column_count = REPORT_PAGE_FUNNEL_COLUMNS},
        {.row_count = 0}};
    struct result_number none[] = {{.column = STR("count"), .value = 0}};
    struct result_number sample[] = {{.column = STR("count"), .value = 2},
                                     {.column = STR("frame"), .value = 1234}};
    struct result_numbers numbers[] = {
        {STR("sets.x"), set, 3}, {STR("sets.y"), none, 1}, {STR("samples.p"), sample, 2}};
    struct report_page_inputs inputs = {
        .study = study, .numbers = numbers, .number_count = 3, .funnels = funnels};

    result_health_add(&inputs.health, STR("broken"), STR("3 <x>|"), arena);
    memset(cells, 0, sizeof cells);
    cells[3].list = &list;
    report_page_add_studied(&inputs, out);
    tap_case("sources with their limits");
    CHECK(paged_holds(out, "until 2019-12-01"));
    tap_case("the size of a set leads to its items; an empty one nowhere");
    CHECK(paged_holds(
        out, "<th scope=\"row\">x</th><td><a href=\"sets/x.html\">1,234</a></td>"));
    CHECK(paged_holds(out, "<th scope=\"row\">y</th><td>0</td>"));
    tap_case("what each condition left, escaped");
    CHECK(paged_holds(out, "<code>[&lt;x&gt;]</code></th><td>5,000</td><td></td>"));
    tap_case("what it took out leads to the items, what is left at the end to the set");
    CHECK(paged_holds(out,
                      "<code>score:5..</code></th><td><a href=\"sets/x.html\">1,234</a>"
                      "</td><td><a href=\"funnels/x/7.html#c3\">3,766</a></td>"));
    tap_case("samples");
    CHECK(paged_holds(out,
                      "p: <a href=\"samples/p.html\">2</a> of 1,234 items of x, seed 7"));
    tap_case("health");
    CHECK(paged_holds(out, "<td>broken</td><td>3 &lt;x&gt;|</td>"));
}

int main(void)
{
    struct arena arena = {0};
    struct buf out = {0};
    struct study study;

    if (paged_study(PAGED_STUDY, &arena, &study))
        check_studied(&study, &arena, &out);
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
