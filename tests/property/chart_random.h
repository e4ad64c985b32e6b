/* Charts of every kind with names and numbers of every sort, from a seed. */
#ifndef TESTS_PROPERTY_CHART_RANDOM_H
#define TESTS_PROPERTY_CHART_RANDOM_H

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/rng.h"
#include "chart/chart.h"

static inline struct str random_name(struct rng *rng, struct arena *arena)
{
    static const char *const words[] = {
        "model",
        "data",
        "of",
        "the",
        "accepted",
        "answer",
        "tensorflow",
        "GPU",
        "Donaudampfschifffahrtsgesellschaftskapit\xC3\xA4n",
        "[c++]",
        "\xE4\xB8\xAD\xE6\x96\x87\xE6\x96\x87\xE6\x9C\xAC",
        "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85",
        "e\xCC\x81\xCC\x82\xCC\x83",
        "\xFF\xFE",
        "a\nb\tc",
        "<b>&amp;</b>",
        "i_am_a_very_long_identifier_without_any_blank_in_it",
    };
    struct buf out = {0};
    struct str name;
    uint64_t count = rng_below(rng, rng_below(rng, 10) == 0 ? 30 : 5);

    for (uint64_t i = 0; i < count; i++) {
        if (i > 0)
            buf_add_char(&out, ' ');
        buf_add(&out, str_from(words[rng_below(rng, sizeof words / sizeof *words)]));
    }
    name = arena_copy(arena, buf_str(&out));
    buf_free(&out);
    return name;
}

struct random_numbers {
    double size;
    bool whole, negative, missing;
};

static inline struct random_numbers random_sort(struct rng *rng)
{
    return (struct random_numbers){
        .size = pow(10, floor(24 * rng_unit(rng)) - 8),
        .whole = rng_below(rng, 2) == 0,
        .negative = rng_below(rng, 4) == 0,
        .missing = rng_below(rng, 4) == 0,
    };
}

static inline double random_number(struct rng *rng, const struct random_numbers *sort)
{
    double value = sort->size * rng_log_normal(rng, 1, 1);

    if (sort->missing && rng_below(rng, 5) == 0)
        return NAN;
    if (rng_below(rng, 8) == 0)
        return 0;
    if (sort->negative && rng_below(rng, 2) == 0)
        value = -value;
    return sort->whole ? floor(value) : value;
}

static inline int random_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static inline struct chart_series random_series(struct rng *rng,
                                                const struct chart *chart,
                                                struct random_numbers sort, size_t count,
                                                struct arena *arena)
{
    double *numbers[5];
    struct str *labels = arena_array(arena, struct str, count + 1);

    if (chart->kind == CHART_BARS_STACKED || chart->kind == CHART_BARS_FULL ||
        chart->kind == CHART_FUNNEL || chart->kind == CHART_ALLUVIAL ||
        chart->kind == CHART_SURVIVAL)
        sort.negative = false;
    for (int n = 0; n < 5; n++) {
        numbers[n] = arena_array(arena, double, count + 1);
        for (size_t i = 0; i < count; i++)
            numbers[n][i] = random_number(rng, &sort);
    }
    for (size_t i = 0; i < count; i++)
        labels[i] = random_name(rng, arena);
    for (size_t i = 0; i < count && chart->x_scale == CHART_YEARS; i++)
        numbers[0][i] = 2008 + (double)i;
    if (chart->kind == CHART_SURVIVAL)
        for (size_t i = 0; i < count; i++) {
            numbers[0][i] = sort.size * (double)(i + rng_below(rng, 2));
            numbers[1][i] = 1 - (double)i / (double)count;
        }
    return (struct chart_series){
        .name = random_name(rng, arena),
        .x = numbers[0],
        .y = numbers[1],
        .low = rng_below(rng, 2) == 0 ? numbers[2] : NULL,
        .high = numbers[3],
        .at_risk = rng_below(rng, 2) == 0 ? numbers[4] : NULL,
        .labels = rng_below(rng, 2) == 0 ? labels : NULL,
        .count = count,
    };
}

static inline struct chart_box random_box(struct rng *rng, struct random_numbers sort,
                                          struct arena *arena)
{
    double five[5], *outliers = arena_array(arena, double, 20);
    bool none;

    sort.missing = false;
    for (int i = 0; i < 5; i++)
        five[i] = random_number(rng, &sort);
    for (int i = 0; i < 20; i++)
        outliers[i] = random_number(rng, &sort);
    qsort(five, 5, sizeof *five, random_ascending);
    none = rng_below(rng, 6) == 0;
    return (struct chart_box){
        .name = random_name(rng, arena),
        .n = (int64_t)rng_below(rng, 1000000),
        .low = none ? NAN : five[0],
        .first = none ? NAN : five[1],
        .median = none ? NAN : five[2],
        .third = none ? NAN : five[3],
        .high = none ? NAN : five[4],
        .notch_low = five[1],
        .notch_high = rng_below(rng, 2) == 0 ? five[3] : five[1],
        .outliers = outliers,
        .outlier_count = (size_t)rng_below(rng, 21),
    };
}

static inline void random_nodes(struct rng *rng, struct chart *chart, size_t count,
                                struct arena *arena)
{
    struct chart_node *nodes = arena_array(arena, struct chart_node, count + 1);
    int level = 0;

    for (size_t i = 0; i < count; i++) {
        nodes[i] = (struct chart_node){random_name(rng, arena), level,
                                       rng_below(rng, 5) == 0 ? NAN : rng_unit(rng)};
        level = (int)rng_below(rng, (uint64_t)(level < 2 ? level + 2 : 4));
        level = level >= CHART_LEVELS_MAX ? CHART_LEVELS_MAX - 1 : level;
    }
    chart->nodes = nodes;
    chart->node_count = count;
}

/* Panels one after the other, what rests on few, what is not complete. */
static inline void random_doubts(struct rng *rng, struct chart *chart,
                                 struct chart_series *series, struct arena *arena)
{
    size_t room = chart->category_count + 30;
    struct chart_panel *panels = arena_array(arena, struct chart_panel, room);
    double *few = arena_array(arena, double, room);
    bool *partial = arena_array(arena, bool, room);

    for (size_t i = 0; i < room; i++) {
        few[i] = rng_below(rng, 3) == 0 ? (double)rng_below(rng, 30) : NAN;
        partial[i] = rng_below(rng, 5) == 0;
    }
    chart->few = rng_below(rng, 2) == 0 ? few : NULL;
    for (size_t i = 0; i < chart->series_count; i++)
        series[i].partial = rng_below(rng, 2) == 0 ? partial : NULL;
    for (size_t at = 0, count; rng_below(rng, 2) == 0 || at > 0; at += count) {
        if (at == chart->category_count)
            break;
        count = 1 + (size_t)rng_below(rng, chart->category_count - at);
        panels[chart->panel_count++] =
            (struct chart_panel){random_name(rng, arena), at, count};
    }
    chart->panels = panels;
    chart->note = random_name(rng, arena);
}

static inline struct chart random_chart(struct rng *rng, enum chart_kind kind,
                                        struct arena *arena)
{
    struct random_numbers sort = random_sort(rng);
    struct chart chart = {
        .kind = kind,
        .title = random_name(rng, arena),
        .x_title = random_name(rng, arena),
        .y_title = random_name(rng, arena),
        .width_cm = rng_below(rng, 2) == 0 ? 0 : 5 + 15 * rng_unit(rng),
        .height_cm = rng_below(rng, 2) == 0 ? 0 : 25 * rng_unit(rng),
        .x_scale = (enum chart_scale)rng_below(rng, 3),
        .y_scale = (enum chart_scale)rng_below(rng, 2),
        .x_number = (enum chart_number)rng_below(rng, 2),
        .y_number = (enum chart_number)rng_below(rng, 2),
        .direction = (enum chart_direction)rng_below(rng, 3),
        .patterns = rng_below(rng, 2) == 0,
        .steps = rng_below(rng, 2) == 0,
        .diverging = rng_below(rng, 2) == 0,
        .category_count = (size_t)rng_below(rng, rng_below(rng, 6) == 0 ? 70 : 8),
        .series_count = (size_t)rng_below(rng, rng_below(rng, 6) == 0 ? 30 : 5),
        .box_count = (size_t)rng_below(rng, 8),
    };
    struct str *categories = arena_array(arena, struct str, chart.category_count + 1);
    struct chart_series *series =
        arena_array(arena, struct chart_series, chart.series_count + 1);
    struct chart_box *boxes = arena_array(arena, struct chart_box, chart.box_count + 1);

    if (chart.kind <= CHART_BARS_FULL)
        chart.y_scale = CHART_LINEAR;
    if (chart.kind == CHART_SURVIVAL && chart.x_scale == CHART_YEARS)
        chart.x_scale = CHART_LINEAR;
    if (chart.kind == CHART_HISTOGRAM || chart.kind == CHART_FUNNEL)
        chart.series_count = chart.series_count > 0;
    for (size_t i = 0; i < chart.category_count; i++)
        categories[i] = random_name(rng, arena);
    for (size_t i = 0; i < chart.series_count; i++) {
        bool by_category = chart.kind <= CHART_BARS_FULL || chart.kind == CHART_HEAT ||
                           chart.kind == CHART_FUNNEL || chart.kind == CHART_ALLUVIAL ||
                           chart.kind == CHART_FOREST;
        series[i] = random_series(
            rng, &chart, sort,
            by_category ? chart.category_count : (size_t)rng_below(rng, 30), arena);
    }
    for (size_t i = 0; i < chart.box_count; i++)
        boxes[i] = random_box(rng, sort, arena);
    if (chart.kind == CHART_TREE && chart.width_cm > 0)
        chart.width_cm = fmax(chart.width_cm, CHART_ONE_COLUMN_CM);
    random_nodes(rng, &chart, (size_t)rng_below(rng, 60), arena);
    random_doubts(rng, &chart, series, arena);
    chart.categories = categories;
    chart.series = series;
    chart.boxes = boxes;
    return chart;
}

#endif
