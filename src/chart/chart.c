/* From a chart to a file's bytes. */
#include "chart/internal.h"

static void (*const kinds[])(struct chart_sheet *sheet) = {
    [CHART_BARS] = chart_bars_draw,         [CHART_BARS_STACKED] = chart_bars_draw,
    [CHART_BARS_FULL] = chart_bars_draw,    [CHART_LINES] = chart_lines_draw,
    [CHART_BOXES] = chart_boxes_draw,       [CHART_HISTOGRAM] = chart_distribution_draw,
    [CHART_ECDF] = chart_distribution_draw, [CHART_SURVIVAL] = chart_survival_draw,
    [CHART_HEAT] = chart_heat_draw,         [CHART_FUNNEL] = chart_funnel_draw,
    [CHART_TREE] = chart_tree_draw,         [CHART_ALLUVIAL] = chart_alluvial_draw,
    [CHART_SCATTER] = chart_scatter_draw,   [CHART_FOREST] = chart_forest_draw,
};

static void draw_nothing(struct chart_sheet *sheet)
{
    const double height = 60;
    struct chart_area area;

    chart_sheet_title(sheet);
    area = (struct chart_area){CHART_SHEET_MARGIN, sheet->top, chart_sheet_inner(sheet),
                               height};
    chart_sheet_box(sheet, (struct chart_tag){CHART_ROLE_AXIS, 0, 0}, area,
                    chart_theme_rule(THEME_GRID, 0.6));
    chart_sheet_text(sheet, (struct chart_tag){CHART_ROLE_NOTE, 0, 0}, STR("no data"),
                     &STYLE_NOTE,
                     (struct chart_point){sheet->width / 2, sheet->top + height / 2},
                     (struct chart_grip){0.5, 0.5});
    chart_sheet_finish(sheet, chart_area_bottom(area));
}

bool chart_layout(struct chart_sheet *sheet, struct err *err)
{
    bool empty;

    if (!chart_check_chart(sheet->chart, &empty, err))
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
    struct chart_sheet sheet;
    bool ok = chart_sheet_open(&sheet, chart, &arena, err) && chart_layout(&sheet, err) &&
              chart_paint_sheet(&sheet, format, out, err);

    chart_sheet_close(&sheet);
    arena_free(&arena);
    return ok;
}
