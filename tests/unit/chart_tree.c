/* Trees: children at the right of their parent, around its middle; all on one page. */
#include "chart/internal.h"

#include <math.h>

#include "tests/unit/chart_laid.h"

enum { MANY = 300 };

static const struct chart_node small[] = {
    {STR_INIT("challenges"), 0, 1},      {STR_INIT("server"), 1, 0.6},
    {STR_INIT("requests"), 2, 0.4},      {STR_INIT("batching"), 2, 0.2},
    {STR_INIT("mobile"), 1, 0.4},        {STR_INIT("conversion"), 2, 0.25},
    {STR_INIT("quantization"), 2, 0.15}, {STR_INIT("unknown"), 2, NAN},
};

static double middle(struct chart_area area)
{
    return area.top + area.height / 2;
}

static struct chart_area node(const struct laid *laid, size_t i)
{
    return laid_mark(laid, CHART_ITEM_BOX, 0, i);
}

static void check_small(void)
{
    struct chart chart = {.kind = CHART_TREE, .nodes = small, .node_count = 8};
    struct laid laid;

    lay(&laid, &chart);
    tap_case("children stand at the right of their parent");
    CHECK(node(&laid, 2).left > chart_area_right(node(&laid, 1)));
    CHECK_NEAR(node(&laid, 2).left, node(&laid, 5).left, 1e-9);
    tap_case("a parent stands in the middle of its children");
    CHECK_NEAR(middle(node(&laid, 1)),
               (middle(node(&laid, 2)) + middle(node(&laid, 3))) / 2, 1e-6);
    CHECK_NEAR(middle(node(&laid, 4)), middle(node(&laid, 6)), 1e-6);
    tap_case("a single root stands above everything");
    CHECK(chart_area_bottom(node(&laid, 0)) < node(&laid, 2).top);
    tap_case("shares are said where they are known");
    CHECK(laid_text(&laid, "25.0%") != NULL && laid_text(&laid, "100.0%") != NULL);
    CHECK(laid_count(&laid, CHART_ITEM_TEXT, CHART_ROLE_LABEL) == 15);
    tap_case("each child is linked");
    CHECK(laid_count(&laid, CHART_ITEM_PATH, CHART_ROLE_GRID) == 5);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);

    tap_case("a level without the one above it is refused");
    chart.nodes = small + 1;
    chart.node_count = 7;
    lay(&laid, &chart);
    CHECK(!laid.ok);
    laid_free(&laid);
}

/* Many categories with four leaves each. */
static void check_many(double width_cm, size_t count, bool fits)
{
    struct chart_node nodes[MANY];
    struct chart chart = {
        .kind = CHART_TREE, .width_cm = width_cm, .nodes = nodes, .node_count = count};
    struct laid laid;
    double right = 0;

    for (size_t i = 0; i < count; i++)
        nodes[i] = (struct chart_node){i % 5 == 0 ? STR("Quantization of models")
                                                  : STR("Saving and loading a model"),
                                       i % 5 == 0 ? 0 : 1, 0.01};
    lay(&laid, &chart);
    CHECK(laid.ok && laid_faults(&laid) == 0);
    CHECK((laid.sheet.height <= CHART_SHEET_HEIGHT_MAX + 1) == fits);
    for (size_t i = 0; i < count; i++)
        right = fmax(right, chart_area_right(node(&laid, i)));
    CHECK(right <= laid.sheet.width - CHART_SHEET_MARGIN + 1e-6);
    laid_free(&laid);
}

int main(void)
{
    check_small();
    tap_case("50 nodes in a column's width");
    check_many(CHART_ONE_COLUMN_CM, 50, true);
    tap_case("150 nodes wrap onto one page");
    check_many(CHART_TWO_COLUMNS_CM, 150, true);
    tap_case("300 nodes in a column's width need more than a page");
    check_many(CHART_ONE_COLUMN_CM, MANY, false);
    tap_case("one node");
    check_many(CHART_ONE_COLUMN_CM, 1, true);
    return tap_done();
}
