/* From a chart to a file's bytes. */
#include "chart/internal.h"

static void (*const kinds[])(struct sheet *sheet) = {
    [CHART_BARS] = bars_draw,         [CHART_BARS_STACKED] = bars_draw,
    [CHART_BARS_FULL] = bars_draw,    [CHART_LINES] = lines_draw,
    [CHART_BOXES] = boxes_draw,       [CHART_HISTOGRAM] = distribution_draw,
    [CHART_ECDF] = distribution_draw, [CHART_SURVIVAL] = survival_draw,
    [CHART_HEAT] = heat_draw,         [CHART_FUNNEL] = funnel_draw,
    [CHART_TREE] = tree_draw,         [CHART_ALLUVIAL] = alluvial_draw,
    [CHART_SCATTER] = scatter_draw,   [CHART_FOREST] = forest_draw,
};

static void draw_nothing(struct sheet *sheet)
{
    const double height = 60;
    struct area area;

    sheet_title(sheet);
    area = (struct area){SHEET_MARGIN, sheet->top, sheet_inner(sheet), height};
    sheet_box(sheet, (struct tag){ROLE_AXIS, 0, 0}, area, theme_rule(THEME_GRID, 0.6));
    sheet_text(sheet, (struct tag){ROLE_NOTE, 0, 0}, STR("no data"), &STYLE_NOTE,
               (struct point){sheet->width / 2, sheet->top + height / 2},
               (struct grip){0.5, 0.5});
    sheet_finish(sheet, area_bottom(area));
}

bool chart_layout(struct sheet *sheet, struct err *err)
{
    bool empty;

    if (!check_chart(sheet->chart, &empty, err))
        return false;
    if (empty)
        draw_nothing(sheet);
    else
        kinds[sheet->chart->kind](sheet);
    return true;
}

bool chart_draw(const struct chart *chart, enum chart_format format, struct buf *out,
                struct err *err)
{
    struct arena arena = {0};
    struct sheet sheet;
    bool ok = sheet_open(&sheet, chart, &arena, err) && chart_layout(&sheet, err) &&
              paint_sheet(&sheet, format, out, err);

    sheet_close(&sheet);
    arena_free(&arena);
    return ok;
}
