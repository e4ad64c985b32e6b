/* A chart laid out for looking at what stands where, shared by the tests of chart/. */
#ifndef TESTS_UNIT_CHART_LAID_H
#define TESTS_UNIT_CHART_LAID_H

#include <stdio.h>

#include "chart/internal.h"
#include "tests/tap.h"

struct laid {
    struct arena arena;
    struct chart_sheet sheet;
    struct err err;
    bool ok;
};

static inline void lay(struct laid *laid, const struct chart *chart)
{
    *laid = (struct laid){0};
    laid->ok = chart_sheet_open(&laid->sheet, chart, &laid->arena, &laid->err) &&
               chart_layout(&laid->sheet, &laid->err);
}

static inline void laid_free(struct laid *laid)
{
    chart_sheet_close(&laid->sheet);
    arena_free(&laid->arena);
}

static inline size_t laid_count(const struct laid *laid, enum chart_item_kind kind,
                                enum chart_role role)
{
    size_t count = 0;

    for (size_t i = 0; i < laid->sheet.count; i++)
        count +=
            laid->sheet.items[i].kind == kind && laid->sheet.items[i].tag.role == role;
    return count;
}

/* The first of its kind for this value, or an item of nothing far away. */
static inline const struct chart_item *
laid_find(const struct laid *laid, enum chart_item_kind kind, struct chart_tag tag)
{
    static const struct chart_item none = {.area = {-1e6, -1e6, 0, 0}};

    for (size_t i = 0; i < laid->sheet.count; i++) {
        const struct chart_item *item = &laid->sheet.items[i];
        if (item->kind == kind && item->tag.role == tag.role &&
            item->tag.series == tag.series && item->tag.index == tag.index)
            return item;
    }
    return &none;
}

static inline struct chart_area
laid_mark(const struct laid *laid, enum chart_item_kind kind, size_t series, size_t index)
{
    return laid_find(laid, kind, (struct chart_tag){CHART_ROLE_MARK, series, index})
        ->area;
}

/* The text that reads so, or NULL. */
static inline const struct chart_item *laid_text(const struct laid *laid,
                                                 const char *text)
{
    for (size_t i = 0; i < laid->sheet.count; i++)
        if (laid->sheet.items[i].kind == CHART_ITEM_TEXT &&
            str_eq(laid->sheet.items[i].text, str_from(text)))
            return &laid->sheet.items[i];
    return NULL;
}

static inline bool laid_on_page(const struct laid *laid, struct chart_area area)
{
    return area.left > -1e-6 && area.top > -1e-6 &&
           chart_area_right(area) < laid->sheet.width + 1e-6 &&
           chart_area_bottom(area) < laid->sheet.height + 1e-6;
}

/* Texts that overlap another, and items beyond the page: there must be none. */
static inline size_t laid_faults(struct laid *laid)
{
    const struct chart_sheet *sheet = &laid->sheet;
    size_t faults = 0;

    for (size_t i = 0; i < sheet->count; i++) {
        const struct chart_item *a = &sheet->items[i];
        if (!laid_on_page(laid, a->area)) {
            printf("# beyond the page: kind %d, role %d, at %g %g, %g by %g\n",
                   (int)a->kind, (int)a->tag.role, a->area.left, a->area.top,
                   a->area.width, a->area.height);
            faults++;
        }
        for (size_t j = 0; a->kind == CHART_ITEM_TEXT && j < i; j++) {
            const struct chart_item *b = &sheet->items[j];
            if (b->kind != CHART_ITEM_TEXT || !chart_area_overlaps(a->area, b->area))
                continue;
            printf("# overlap: role %d '%.*s' and role %d '%.*s'\n", (int)b->tag.role,
                   STR_ARG(chart_text_clean(b->text, &laid->arena)), (int)a->tag.role,
                   STR_ARG(chart_text_clean(a->text, &laid->arena)));
            faults++;
        }
    }
    return faults;
}

#endif
