/* Every kind can be drawn, also from nothing; what is wrong gives a message, no bytes. */
#include "chart/chart.h"

#include "tests/unit/chart_laid.h"

static const double x[] = {1, 2, 3}, y[] = {3, 1, 2};
static const struct str names[] = {STR_INIT("a"), STR_INIT("b"), STR_INIT("c")};
static const struct chart_series series = {
    .name = STR_INIT("first"), .x = x, .y = y, .count = 3};
static const struct chart_box box = {
    .name = STR_INIT("b"), .low = 1, .first = 2, .median = 3, .third = 4, .high = 5};
static const struct chart_node node = {STR_INIT("root"), 0, 1};

static struct chart chart_of(enum chart_kind kind)
{
    return (struct chart){
        .kind = kind,
        .title = STR("A figure"),
        .categories = names,
        .category_count = 3,
        .series = &series,
        .series_count = 1,
        .boxes = &box,
        .box_count = 1,
        .nodes = &node,
        .node_count = 1,
    };
}

int main(void)
{
    struct chart wrong = chart_of(CHART_BARS);
    struct buf out = {0};
    struct err err = {0};
    struct laid laid;

    for (int kind = CHART_BARS; kind <= CHART_FOREST; kind++) {
        struct chart chart = chart_of((enum chart_kind)kind),
                     empty = {.kind = chart.kind};

        tap_case("kind %d: shows its value", kind);
        lay(&laid, &chart);
        CHECK(laid.ok && laid_faults(&laid) == 0);
        CHECK(laid_text(&laid, "no data") == NULL &&
              laid_text(&laid, "A figure") != NULL);
        laid_free(&laid);

        tap_case("kind %d: says when there is no data", kind);
        lay(&laid, &empty);
        CHECK(laid.ok && laid_text(&laid, "no data") != NULL && laid_faults(&laid) == 0);
        laid_free(&laid);

        tap_case("kind %d: is drawn", kind);
        buf_clear(&out);
        CHECK(chart_draw(&chart, CHART_SVG, &out, &err) && out.len > 1000);
    }
    tap_case("adds to what is there");
    buf_clear(&out);
    buf_add(&out, STR("before"));
    CHECK(chart_draw(&wrong, CHART_PDF, &out, &err));
    CHECK(str_starts(buf_str(&out), STR("before%PDF")));
    tap_case("a wrong chart gives no bytes");
    buf_clear(&out);
    wrong.y_scale = CHART_LOG;
    CHECK(!chart_draw(&wrong, CHART_SVG, &out, &err));
    CHECK(out.len == 0 && err.kind == ERR_INPUT);
    buf_free(&out);
    return tap_done();
}
