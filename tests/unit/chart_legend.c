/* Legends wrap onto rows, with a key before each name. */
#include "chart/internal.h"

#include "tests/unit/chart_laid.h"

static void check_legend(void)
{
    struct chart_series series[12] = {0};
    struct chart chart = {.series = series, .series_count = 12};
    struct laid laid = {0};
    double first;

    for (size_t i = 0; i < 12; i++)
        series[i].name =
            i == 5
                ? STR("Calling an interface with arguments of the wrong shape, or none")
                : STR("name of a series");
    tap_case("legend: wraps onto rows, nothing overlaps");
    CHECK(sheet_open(&laid.sheet, &chart, &laid.arena, &laid.err));
    legend_draw(&laid.sheet, KEY_FILL);
    first = laid.sheet.items[1].area.top;
    CHECK(laid_count(&laid, ITEM_TEXT, ROLE_LEGEND) == 12);
    CHECK(laid_count(&laid, ITEM_BOX, ROLE_LEGEND) == 12);
    CHECK(laid.sheet.items[23].area.top > first + 20);
    sheet_finish(&laid.sheet, laid.sheet.top);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

int main(void)
{
    check_legend();
    return tap_done();
}
