/* The page in the making: a list of shapes and texts with the areas that they cover. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "chart/internal.h"

bool chart_area_overlaps(struct chart_area a, struct chart_area b)
{
    const double touch = 1e-6; /* rounding of sums is no overlap */

    return a.left + touch < chart_area_right(b) && b.left + touch < chart_area_right(a) &&
           a.top + touch < chart_area_bottom(b) && b.top + touch < chart_area_bottom(a);
}

/* Cuts the line at each edge (Liang and Barsky 1984): something is left if it crosses. */
bool chart_area_crossed(struct chart_area area, struct chart_point from,
                        struct chart_point to)
{
    double dx = to.x - from.x, dy = to.y - from.y, enter = 0, leave = 1;
    double way[] = {-dx, dx, -dy, dy};
    double room[] = {from.x - area.left, chart_area_right(area) - from.x,
                     from.y - area.top, chart_area_bottom(area) - from.y};

    for (size_t i = 0; i < ROWS_OF(way); i++) {
        if (way[i] == 0 && room[i] <= 0)
            return false;
        if (way[i] < 0)
            enter = fmax(enter, room[i] / way[i]);
        else if (way[i] > 0)
            leave = fmin(leave, room[i] / way[i]);
    }
    return enter < leave;
}

bool chart_sheet_open(struct chart_sheet *sheet, const struct chart *chart,
                      struct arena *arena, struct err *err)
{
    double width_cm = chart->width_cm > 0 ? chart->width_cm : CHART_ONE_COLUMN_CM;

    *sheet = (struct chart_sheet){
        .chart = chart,
        .arena = arena,
        .width = width_cm / 2.54 * 72,
        .top = CHART_SHEET_MARGIN,
    };
    return chart_text_open(&sheet->text, err);
}

void chart_sheet_close(struct chart_sheet *sheet)
{
    chart_text_close(&sheet->text);
}

double chart_sheet_inner(const struct chart_sheet *sheet)
{
    return sheet->width - 2 * CHART_SHEET_MARGIN;
}

struct chart_point *chart_sheet_points(struct chart_sheet *sheet, size_t count)
{
    return arena_array(sheet->arena, struct chart_point, count);
}

static void add(struct chart_sheet *sheet, struct chart_item item)
{
    if (sheet->count == sheet->capacity) {
        size_t capacity = sheet->capacity > 0 ? 2 * sheet->capacity : 64;
        struct chart_item *items = arena_array(sheet->arena, struct chart_item, capacity);
        if (sheet->count > 0)
            memcpy(items, sheet->items, sheet->count * sizeof *items);
        sheet->items = items;
        sheet->capacity = capacity;
    }
    sheet->items[sheet->count++] = item;
}

void chart_sheet_box(struct chart_sheet *sheet, struct chart_tag tag,
                     struct chart_area area, struct chart_ink ink)
{
    if (area.width < 0) {
        area.left += area.width;
        area.width = -area.width;
    }
    if (area.height < 0) {
        area.top += area.height;
        area.height = -area.height;
    }
    add(sheet, (struct chart_item){
                   .kind = CHART_ITEM_BOX, .tag = tag, .area = area, .ink = ink});
}

void chart_sheet_line(struct chart_sheet *sheet, struct chart_tag tag,
                      struct chart_point from, struct chart_point to,
                      struct chart_ink ink)
{
    struct chart_point *points = chart_sheet_points(sheet, 2);

    points[0] = from;
    points[1] = to;
    chart_sheet_path(sheet, tag, points, 2, false, ink);
}

static struct chart_area around(const struct chart_point *points, size_t count)
{
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;

    for (size_t i = 0; i < count; i++) {
        left = fmin(left, points[i].x);
        right = fmax(right, points[i].x);
        top = fmin(top, points[i].y);
        bottom = fmax(bottom, points[i].y);
    }
    return (struct chart_area){left, top, right - left, bottom - top};
}

void chart_sheet_path(struct chart_sheet *sheet, struct chart_tag tag,
                      struct chart_point *points, size_t count, bool closed,
                      struct chart_ink ink)
{
    assert(count > 0);
    add(sheet, (struct chart_item){
                   .kind = CHART_ITEM_PATH,
                   .tag = tag,
                   .area = around(points, count),
                   .ink = ink,
                   .points = points,
                   .count = count,
                   .closed = closed,
               });
}

void chart_sheet_dot(struct chart_sheet *sheet, struct chart_tag tag,
                     struct chart_point centre, double radius, enum chart_shape shape,
                     struct chart_ink ink)
{
    add(sheet, (struct chart_item){
                   .kind = CHART_ITEM_DOT,
                   .tag = tag,
                   .area = {centre.x - radius, centre.y - radius, 2 * radius, 2 * radius},
                   .ink = ink,
                   .shape = shape,
               });
}

struct chart_extent chart_sheet_measure(struct chart_sheet *sheet, struct str text,
                                        const struct chart_style *style)
{
    return chart_text_measure(&sheet->text, text, style);
}

struct chart_area chart_sheet_held(struct chart_extent extent, struct chart_point at,
                                   struct chart_grip grip)
{
    return (struct chart_area){
        .left = at.x - grip.x * extent.width,
        .top = at.y - grip.y * extent.height,
        .width = extent.width,
        .height = extent.height,
    };
}

struct chart_area chart_sheet_text(struct chart_sheet *sheet, struct chart_tag tag,
                                   struct str text, const struct chart_style *style,
                                   struct chart_point at, struct chart_grip grip)
{
    struct chart_area area;

    if (text.len == 0)
        return (struct chart_area){at.x, at.y, 0, 0};
    area = chart_sheet_held(chart_sheet_measure(sheet, text, style), at, grip);
    add(sheet, (struct chart_item){
                   .kind = CHART_ITEM_TEXT,
                   .tag = tag,
                   .area = area,
                   .text = text,
                   .style = *style,
               });
    return area;
}

/* Lines that belong to labels lead from a mark to its name. */
bool chart_sheet_is_free(const struct chart_sheet *sheet, struct chart_area area)
{
    for (size_t i = 0; i < sheet->count; i++) {
        const struct chart_item *item = &sheet->items[i];
        if ((item->kind == CHART_ITEM_TEXT || item->kind == CHART_ITEM_DOT) &&
            chart_area_overlaps(item->area, area))
            return false;
        if (item->kind == CHART_ITEM_PATH && item->tag.role == CHART_ROLE_LABEL &&
            chart_area_crossed(area, item->points[0], item->points[1]))
            return false;
    }
    return true;
}

void chart_sheet_title(struct chart_sheet *sheet)
{
    struct chart_style style = STYLE_TITLE;
    struct chart_area area;

    style.width_max = chart_sheet_inner(sheet);
    area = chart_sheet_text(
        sheet, (struct chart_tag){CHART_ROLE_TITLE, 0, 0}, sheet->chart->title, &style,
        (struct chart_point){CHART_SHEET_MARGIN, sheet->top}, (struct chart_grip){0, 0});
    if (area.height > 0)
        sheet->top = chart_area_bottom(area) + CHART_SHEET_GAP;
}

double chart_sheet_note(struct chart_sheet *sheet, struct str text, double bottom)
{
    struct chart_style style = STYLE_NOTE;

    style.width_max = chart_sheet_inner(sheet);
    style.lines_max = 4;
    return chart_area_bottom(chart_sheet_text(
        sheet, (struct chart_tag){CHART_ROLE_NOTE, 0, 0}, text, &style,
        (struct chart_point){CHART_SHEET_MARGIN, bottom + CHART_SHEET_GAP},
        (struct chart_grip){0, 0}));
}

void chart_sheet_finish(struct chart_sheet *sheet, double bottom)
{
    if (sheet->left_out > 0)
        bottom = chart_sheet_note(
            sheet,
            arena_format(sheet->arena,
                         "%zu value%s of 0 or less cannot be shown on a log scale.",
                         sheet->left_out, sheet->left_out == 1 ? "" : "s"),
            bottom);
    if (sheet->beyond > 0)
        bottom = chart_sheet_note(
            sheet,
            arena_format(sheet->arena, "%zu value%s beyond the limits of the axis.",
                         sheet->beyond, sheet->beyond == 1 ? " lies" : "s lie"),
            bottom);
    if (sheet->chart->note.len > 0)
        bottom = chart_sheet_note(sheet, sheet->chart->note, bottom);
    sheet->height =
        fmax(bottom + CHART_SHEET_MARGIN, sheet->chart->height_cm / 2.54 * 72);
}

/* Boxes that touch each other move as one block, to the mean of what its members want. */
struct sheet_block {
    size_t first, count;
    double wanted; /* sum over members: where the block would begin to suit each */
    double height;
};

static double block_top(const struct sheet_block *block, double low, double high)
{
    double top = block->wanted / (double)block->count;

    return fmax(low, fmin(top, high - block->height));
}

void chart_sheet_spread(double *centres, const double *heights, size_t count, double low,
                        double high, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct sheet_block *blocks = arena_array(arena, struct sheet_block, count);
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        struct sheet_block *last = &blocks[n++];
        *last = (struct sheet_block){i, 1, centres[i] - heights[i] / 2, heights[i]};
        while (n > 1 && block_top(last - 1, low, high) + last[-1].height >
                            block_top(last, low, high)) {
            struct sheet_block *before = last - 1;
            before->wanted += last->wanted - (double)last->count * before->height;
            before->count += last->count;
            before->height += last->height;
            last = before;
            n--;
        }
    }
    for (size_t b = 0; b < n; b++) {
        double top = block_top(&blocks[b], low, high);
        for (size_t i = blocks[b].first; i < blocks[b].first + blocks[b].count; i++) {
            centres[i] = top + heights[i] / 2;
            top += heights[i];
        }
    }
    arena_rewind(arena, mark);
}
