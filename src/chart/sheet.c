/* The page in the making: a list of shapes and texts with the areas that they cover. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "chart/internal.h"

bool area_overlaps(struct area a, struct area b)
{
    const double touch = 1e-6; /* rounding of sums is no overlap */

    return a.left + touch < area_right(b) && b.left + touch < area_right(a) &&
           a.top + touch < area_bottom(b) && b.top + touch < area_bottom(a);
}

/* Cuts the line at each edge (Liang and Barsky 1984): something is left if it crosses. */
bool area_crossed(struct area area, struct point from, struct point to)
{
    double dx = to.x - from.x, dy = to.y - from.y, enter = 0, leave = 1;
    double way[] = {-dx, dx, -dy, dy};
    double room[] = {from.x - area.left, area_right(area) - from.x, from.y - area.top,
                     area_bottom(area) - from.y};

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

bool sheet_open(struct sheet *sheet, const struct chart *chart, struct arena *arena,
                struct err *err)
{
    double width_cm = chart->width_cm > 0 ? chart->width_cm : CHART_ONE_COLUMN_CM;

    *sheet = (struct sheet){
        .chart = chart,
        .arena = arena,
        .width = width_cm / 2.54 * 72,
        .top = SHEET_MARGIN,
    };
    return text_open(&sheet->text, err);
}

void sheet_close(struct sheet *sheet)
{
    text_close(&sheet->text);
}

double sheet_inner(const struct sheet *sheet)
{
    return sheet->width - 2 * SHEET_MARGIN;
}

struct point *sheet_points(struct sheet *sheet, size_t count)
{
    return arena_array(sheet->arena, struct point, count);
}

static void add(struct sheet *sheet, struct item item)
{
    if (sheet->count == sheet->capacity) {
        size_t capacity = sheet->capacity > 0 ? 2 * sheet->capacity : 64;
        struct item *items = arena_array(sheet->arena, struct item, capacity);
        if (sheet->count > 0)
            memcpy(items, sheet->items, sheet->count * sizeof *items);
        sheet->items = items;
        sheet->capacity = capacity;
    }
    sheet->items[sheet->count++] = item;
}

void sheet_box(struct sheet *sheet, struct tag tag, struct area area, struct ink ink)
{
    if (area.width < 0) {
        area.left += area.width;
        area.width = -area.width;
    }
    if (area.height < 0) {
        area.top += area.height;
        area.height = -area.height;
    }
    add(sheet, (struct item){.kind = ITEM_BOX, .tag = tag, .area = area, .ink = ink});
}

void sheet_line(struct sheet *sheet, struct tag tag, struct point from, struct point to,
                struct ink ink)
{
    struct point *points = sheet_points(sheet, 2);

    points[0] = from;
    points[1] = to;
    sheet_path(sheet, tag, points, 2, false, ink);
}

static struct area around(const struct point *points, size_t count)
{
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;

    for (size_t i = 0; i < count; i++) {
        left = fmin(left, points[i].x);
        right = fmax(right, points[i].x);
        top = fmin(top, points[i].y);
        bottom = fmax(bottom, points[i].y);
    }
    return (struct area){left, top, right - left, bottom - top};
}

void sheet_path(struct sheet *sheet, struct tag tag, struct point *points, size_t count,
                bool closed, struct ink ink)
{
    assert(count > 0);
    add(sheet, (struct item){
                   .kind = ITEM_PATH,
                   .tag = tag,
                   .area = around(points, count),
                   .ink = ink,
                   .points = points,
                   .count = count,
                   .closed = closed,
               });
}

void sheet_dot(struct sheet *sheet, struct tag tag, struct point centre, double radius,
               enum shape shape, struct ink ink)
{
    add(sheet, (struct item){
                   .kind = ITEM_DOT,
                   .tag = tag,
                   .area = {centre.x - radius, centre.y - radius, 2 * radius, 2 * radius},
                   .ink = ink,
                   .shape = shape,
               });
}

struct extent sheet_measure(struct sheet *sheet, struct str text,
                            const struct style *style)
{
    return text_measure(&sheet->text, text, style);
}

struct area sheet_held(struct extent extent, struct point at, struct grip grip)
{
    return (struct area){
        .left = at.x - grip.x * extent.width,
        .top = at.y - grip.y * extent.height,
        .width = extent.width,
        .height = extent.height,
    };
}

struct area sheet_text(struct sheet *sheet, struct tag tag, struct str text,
                       const struct style *style, struct point at, struct grip grip)
{
    struct area area;

    if (text.len == 0)
        return (struct area){at.x, at.y, 0, 0};
    area = sheet_held(sheet_measure(sheet, text, style), at, grip);
    add(sheet, (struct item){
                   .kind = ITEM_TEXT,
                   .tag = tag,
                   .area = area,
                   .text = text,
                   .style = *style,
               });
    return area;
}

/* Lines that belong to labels lead from a mark to its name. */
bool sheet_is_free(const struct sheet *sheet, struct area area)
{
    for (size_t i = 0; i < sheet->count; i++) {
        const struct item *item = &sheet->items[i];
        if ((item->kind == ITEM_TEXT || item->kind == ITEM_DOT) &&
            area_overlaps(item->area, area))
            return false;
        if (item->kind == ITEM_PATH && item->tag.role == ROLE_LABEL &&
            area_crossed(area, item->points[0], item->points[1]))
            return false;
    }
    return true;
}

void sheet_title(struct sheet *sheet)
{
    struct style style = STYLE_TITLE;
    struct area area;

    style.width_max = sheet_inner(sheet);
    area = sheet_text(sheet, (struct tag){ROLE_TITLE, 0, 0}, sheet->chart->title, &style,
                      (struct point){SHEET_MARGIN, sheet->top}, (struct grip){0, 0});
    if (area.height > 0)
        sheet->top = area_bottom(area) + SHEET_GAP;
}

void sheet_finish(struct sheet *sheet, double bottom)
{
    struct style style = STYLE_NOTE;
    struct area note;

    if (sheet->left_out > 0) {
        style.width_max = sheet_inner(sheet);
        style.lines_max = 2;
        note = sheet_text(
            sheet, (struct tag){ROLE_NOTE, 0, 0},
            arena_format(sheet->arena,
                         "%zu value%s of 0 or less cannot be shown on a log scale.",
                         sheet->left_out, sheet->left_out == 1 ? "" : "s"),
            &style, (struct point){SHEET_MARGIN, bottom + SHEET_GAP},
            (struct grip){0, 0});
        bottom = area_bottom(note);
    }
    sheet->height = fmax(bottom + SHEET_MARGIN, sheet->chart->height_cm / 2.54 * 72);
}

/* Boxes that touch each other move as one block, to the mean of what its members want. */
struct block {
    size_t first, count;
    double wanted; /* sum over members: where the block would begin to suit each */
    double height;
};

static double block_top(const struct block *block, double low, double high)
{
    double top = block->wanted / (double)block->count;

    return fmax(low, fmin(top, high - block->height));
}

void sheet_spread(double *centres, const double *heights, size_t count, double low,
                  double high, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct block *blocks = arena_array(arena, struct block, count);
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        struct block *last = &blocks[n++];
        *last = (struct block){i, 1, centres[i] - heights[i] / 2, heights[i]};
        while (n > 1 && block_top(last - 1, low, high) + last[-1].height >
                            block_top(last, low, high)) {
            struct block *before = last - 1;
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
