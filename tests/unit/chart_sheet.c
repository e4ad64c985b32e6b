/* Areas, the list of what is drawn, and labels moved apart. */
#include "chart/internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "tests/unit/chart_laid.h"

static const struct {
    const char *name;
    struct chart_area a, b;
    bool overlap;
} pairs[] = {
    {"apart", {0, 0, 10, 10}, {20, 0, 10, 10}, false},
    {"one inside the other", {0, 0, 10, 10}, {2, 2, 3, 3}, true},
    {"corners", {0, 0, 10, 10}, {9, 9, 10, 10}, true},
    {"side by side", {0, 0, 10, 10}, {10, 0, 10, 10}, false},
    {"above each other", {0, 0, 10, 10}, {0, 10, 10, 10}, false},
    {"same columns, other rows", {0, 0, 10, 10}, {0, 30, 10, 10}, false},
    {"a cross", {0, 4, 10, 2}, {4, 0, 2, 10}, true},
};

static const struct {
    const char *name;
    struct chart_point from, to;
    bool crosses;
} lines[] = {
    {"through", {-5, 5}, {15, 5}, true},
    {"past above", {-5, -1}, {15, -1}, false},
    {"ends before", {-5, 5}, {-1, 5}, false},
    {"ends inside", {-5, 5}, {5, 5}, true},
    {"inside", {4, 4}, {5, 5}, true},
    {"past a corner", {-5, 4}, {4, -5}, false},
    {"over a corner", {-2, 5}, {5, -2}, true},
    {"upright through", {5, -5}, {5, 15}, true},
    {"along the edge", {0, -5}, {0, 15}, false},
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void check_spread_once(struct rng *rng, struct arena *arena, size_t *wrong)
{
    double centres[12], wanted[12], heights[12], all = 0;
    size_t count = 1 + (size_t)rng_below(rng, 12);

    for (size_t i = 0; i < count; i++) {
        wanted[i] = 100 * rng_unit(rng);
        heights[i] = 1 + 9 * rng_unit(rng);
        all += heights[i];
    }
    qsort(wanted, count, sizeof *wanted, ascending);
    for (size_t i = 0; i < count; i++)
        centres[i] = wanted[i];
    chart_sheet_spread(centres, heights, count, -5, 110, arena);
    for (size_t i = 0; i < count; i++) {
        *wrong += centres[i] - heights[i] / 2 < -5 - 1e-9;
        *wrong += all <= 115 && centres[i] + heights[i] / 2 > 110 + 1e-9;
        if (i > 0)
            *wrong +=
                centres[i] - heights[i] / 2 < centres[i - 1] + heights[i - 1] / 2 - 1e-9;
    }
}

static void check_spread(struct arena *arena)
{
    double alone[] = {10, 50, 90}, heights[] = {8, 8, 8}, heap[] = {50, 50, 50};
    double low[] = {0, 1};
    struct rng rng = rng_seeded(3);
    size_t wrong = 0;

    tap_case("spread: what is apart stays");
    chart_sheet_spread(alone, heights, 3, 0, 100, arena);
    CHECK_NEAR(alone[0], 10, 1e-12);
    CHECK_NEAR(alone[1], 50, 1e-12);
    CHECK_NEAR(alone[2], 90, 1e-12);
    tap_case("spread: a heap moves to both sides");
    chart_sheet_spread(heap, heights, 3, 0, 100, arena);
    CHECK_NEAR(heap[0], 42, 1e-12);
    CHECK_NEAR(heap[1], 50, 1e-12);
    CHECK_NEAR(heap[2], 58, 1e-12);
    tap_case("spread: at the end of the room");
    chart_sheet_spread(low, heights, 2, 0, 100, arena);
    CHECK_NEAR(low[0], 4, 1e-12);
    CHECK_NEAR(low[1], 12, 1e-12);
    tap_case("spread: any labels");
    for (int i = 0; i < 5000; i++)
        check_spread_once(&rng, arena, &wrong);
    CHECK(wrong == 0);
}

static void check_items(struct chart_sheet *sheet)
{
    struct chart_tag tag = {CHART_ROLE_MARK, 1, 2};
    struct chart_area held;

    tap_case("a box upside down is put right");
    chart_sheet_box(sheet, tag, (struct chart_area){10, 20, -4, -6},
                    (struct chart_ink){0});
    CHECK_NEAR(sheet->items[0].area.left, 6, 1e-12);
    CHECK_NEAR(sheet->items[0].area.top, 14, 1e-12);
    CHECK_NEAR(chart_area_bottom(sheet->items[0].area), 20, 1e-12);
    CHECK(sheet->items[0].tag.series == 1 && sheet->items[0].tag.index == 2);
    tap_case("a line covers its box");
    chart_sheet_line(sheet, tag, (struct chart_point){5, 9}, (struct chart_point){1, 2},
                     (struct chart_ink){0});
    CHECK_NEAR(sheet->items[1].area.left, 1, 1e-12);
    CHECK_NEAR(sheet->items[1].area.height, 7, 1e-12);
    tap_case("a text is held by its middle");
    held = chart_sheet_text(sheet, tag, STR("text"), &STYLE_TICK,
                            (struct chart_point){50, 60}, (struct chart_grip){0.5, 0.5});
    CHECK_NEAR(held.left + held.width / 2, 50, 1e-9);
    CHECK_NEAR(held.top + held.height / 2, 60, 1e-9);
    tap_case("free or not");
    CHECK(!chart_sheet_is_free(sheet, held));
    CHECK(chart_sheet_is_free(sheet, (struct chart_area){100, 100, 5, 5}));
    tap_case("a leader is not free either");
    tag.role = CHART_ROLE_LABEL;
    chart_sheet_line(sheet, tag, (struct chart_point){90, 90},
                     (struct chart_point){110, 110}, (struct chart_ink){0});
    CHECK(!chart_sheet_is_free(sheet, (struct chart_area){100, 100, 5, 5}));
    tap_case("an empty text is not drawn");
    held = chart_sheet_text(sheet, tag, STR(""), &STYLE_TICK, (struct chart_point){5, 6},
                            (struct chart_grip){0, 0});
    CHECK(sheet->count == 4 && held.height == 0);
    tap_case("many items keep their places");
    for (size_t i = 0; i < 1000; i++)
        chart_sheet_dot(sheet, (struct chart_tag){CHART_ROLE_MARK, 9, i},
                        (struct chart_point){(double)i, 0}, 1, CHART_SHAPE_CIRCLE,
                        (struct chart_ink){0});
    CHECK(sheet->count == 1004 && sheet->items[1003].tag.index == 999);
    CHECK_NEAR(sheet->items[0].area.left, 6, 1e-12);
}

static void check_page(struct arena *arena)
{
    struct chart chart = {.title = STR_INIT("A title"), .width_cm = 2.54};
    struct chart_sheet sheet;
    struct err err;

    tap_case("page: an inch is 72 points");
    CHECK(chart_sheet_open(&sheet, &chart, arena, &err));
    CHECK_NEAR(sheet.width, 72, 1e-9);
    tap_case("page: the title pushes down what follows");
    chart_sheet_title(&sheet);
    CHECK(sheet.top > chart_area_bottom(sheet.items[0].area));
    tap_case("page: no higher than needed");
    chart_sheet_finish(&sheet, 100);
    CHECK_NEAR(sheet.height, 100 + CHART_SHEET_MARGIN, 1e-9);
    tap_case("page: as high as asked for");
    chart.height_cm = 25.4;
    chart_sheet_finish(&sheet, 100);
    CHECK_NEAR(sheet.height, 720, 1e-9);
    tap_case("page: what a log scale cannot show is said");
    sheet.left_out = 3;
    chart_sheet_finish(&sheet, 100);
    CHECK(str_starts(sheet.items[1].text, STR("3 values of 0 or less")));
    chart_sheet_close(&sheet);
}

int main(void)
{
    const struct chart_area box = {0, 0, 10, 10};
    struct chart chart = {0};
    struct arena arena = {0};
    struct chart_sheet sheet;
    struct err err;

    for (size_t i = 0; i < ROWS(pairs); i++) {
        tap_case("overlap: %s", pairs[i].name);
        CHECK(chart_area_overlaps(pairs[i].a, pairs[i].b) == pairs[i].overlap);
        CHECK(chart_area_overlaps(pairs[i].b, pairs[i].a) == pairs[i].overlap);
    }
    for (size_t i = 0; i < ROWS(lines); i++) {
        tap_case("crossed: %s", lines[i].name);
        CHECK(chart_area_crossed(box, lines[i].from, lines[i].to) == lines[i].crosses);
        CHECK(chart_area_crossed(box, lines[i].to, lines[i].from) == lines[i].crosses);
    }
    check_spread(&arena);
    tap_case("a sheet opens");
    CHECK(chart_sheet_open(&sheet, &chart, &arena, &err));
    check_items(&sheet);
    chart_sheet_close(&sheet);
    check_page(&arena);
    arena_free(&arena);
    return tap_done();
}
