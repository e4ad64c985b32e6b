/* Single items: the slowest, the most disputed, and when each code was first used. */
#include "label/agree_items.h"

#include "tests/unit/agreed.h"

int main(void)
{
    struct arena arena = {0};
    struct agree_data data = agreed_data();
    struct agree_report report = {.data = &data};
    struct agree_table_view whole = agree_table_whole(&data, &arena);

    agree_items_add(&whole, 5, &arena, &report);
    tap_case("saturation: each code when it came, and the last item");
    CHECK(report.saturation_count == 2);
    CHECK(report.saturation[0].items == 1 && report.saturation[0].codes == 1);
    CHECK(report.saturation[1].items == 2 && report.saturation[1].codes == 2);
    tap_case("the slowest first, by the mean over raters");
    CHECK(report.slowest_count == 2);
    CHECK(report.slowest[0].item == 0 && report.slowest[0].seconds == 4);
    tap_case("only items on which raters differ");
    CHECK(report.disputed_count == 1 && report.disputed[0].item == 1);
    CHECK(report.disputed[0].disagreement == 1);
    tap_case("no more than are asked for");
    report = (struct agree_report){.data = &data};
    agree_items_add(&whole, 1, &arena, &report);
    CHECK(report.slowest_count == 1);
    tap_case("no labels");
    data.label_count = 0;
    whole = agree_table_whole(&data, &arena);
    report = (struct agree_report){.data = &data};
    agree_items_add(&whole, 5, &arena, &report);
    CHECK(report.saturation_count == 0 && report.slowest_count == 0);
    arena_free(&arena);
    return tap_done();
}
