/* Names of series with their colours, in rows below the title. */
#include <math.h>

#include "chart/internal.h"

static void draw_key(struct sheet *sheet, size_t series, enum key key, struct point at)
{
    const struct tag tag = {ROLE_LEGEND, series, 0};
    bool patterns = sheet->chart->patterns;

    if (key == KEY_LINE)
        sheet_line(sheet, tag, (struct point){at.x, at.y},
                   (struct point){at.x + 12, at.y}, theme_line(series, patterns));
    else if (key == KEY_DOT)
        sheet_dot(sheet, tag, (struct point){at.x + 3.5, at.y}, 2.5, theme_shape(series),
                  (struct ink){.fill = theme_colour(series)});
    else
        sheet_box(sheet, tag, (struct area){at.x, at.y - 3.5, 7, 7},
                  theme_fill(series, patterns));
}

void legend_draw(struct sheet *sheet, enum key key)
{
    const struct chart *chart = sheet->chart;
    const double indent = key == KEY_LINE ? 15 : 10, gap = 10;
    struct style style = STYLE_TICK;
    double x = SHEET_MARGIN, end = sheet->width - SHEET_MARGIN, row = 0;

    style.width_max = sheet_inner(sheet) - indent;
    for (size_t i = 0; i < chart->series_count; i++) {
        struct extent extent = sheet_measure(sheet, chart->series[i].name, &style);
        if (x > SHEET_MARGIN && x + indent + extent.width > end) {
            x = SHEET_MARGIN;
            sheet->top += row + 1;
            row = 0;
        }
        row = fmax(row, extent.height);
        draw_key(sheet, i, key, (struct point){x, sheet->top + extent.height / 2});
        sheet_text(sheet, (struct tag){ROLE_LEGEND, i, 0}, chart->series[i].name, &style,
                   (struct point){x + indent, sheet->top}, (struct grip){0, 0});
        x += indent + extent.width + gap;
    }
    sheet->top += row + SHEET_GAP;
}
