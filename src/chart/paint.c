/* From a sheet to the bytes of a file, through Cairo. What depends on the time or on what
 * was drawn before is taken out, so that the same sheet gives the same bytes. */
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <stdio.h>
#include <string.h>

#include "chart/internal.h"

static const double png_dpi = 300;

static void set_colour(cairo_t *cairo, struct chart_colour colour)
{
    cairo_set_source_rgba(cairo, colour.red, colour.green, colour.blue, colour.alpha);
}

static void outline(cairo_t *cairo, const struct chart_item *item)
{
    struct chart_area area = item->area;
    struct chart_point centre = {area.left + area.width / 2, area.top + area.height / 2};

    if (item->kind == CHART_ITEM_BOX ||
        (item->kind == CHART_ITEM_DOT && item->shape == CHART_SHAPE_SQUARE)) {
        cairo_rectangle(cairo, area.left, area.top, area.width, area.height);
    } else if (item->kind == CHART_ITEM_PATH) {
        for (size_t i = 0; i < item->count; i++)
            cairo_line_to(cairo, item->points[i].x, item->points[i].y);
        if (item->closed)
            cairo_close_path(cairo);
    } else if (item->shape == CHART_SHAPE_CIRCLE) {
        cairo_new_sub_path(cairo);
        cairo_arc(cairo, centre.x, centre.y, area.width / 2, 0, 2 * acos(-1));
    } else if (item->shape == CHART_SHAPE_TRIANGLE) {
        cairo_move_to(cairo, centre.x, area.top);
        cairo_line_to(cairo, chart_area_right(area), chart_area_bottom(area));
        cairo_line_to(cairo, area.left, chart_area_bottom(area));
        cairo_close_path(cairo);
    } else {
        cairo_move_to(cairo, centre.x, area.top);
        cairo_line_to(cairo, chart_area_right(area), centre.y);
        cairo_line_to(cairo, centre.x, chart_area_bottom(area));
        cairo_line_to(cairo, area.left, centre.y);
        cairo_close_path(cairo);
    }
}

/* Parallel lines all over the area, slope -1, 0 or 1. */
static void hatch_lines(cairo_t *cairo, struct chart_area area, int slope)
{
    const double gap = 3.5;
    double rise = slope == 0 ? 0 : area.width;

    for (double y = ceil((area.top - rise) / gap) * gap;
         y < chart_area_bottom(area) + rise; y += gap) {
        cairo_move_to(cairo, area.left, y);
        cairo_line_to(cairo, chart_area_right(area), y + slope * area.width);
    }
}

static void hatch(cairo_t *cairo, const struct chart_item *item)
{
    enum chart_pattern pattern = item->ink.pattern;

    cairo_save(cairo);
    outline(cairo, item);
    cairo_clip(cairo);
    if (pattern == CHART_PATTERN_RISING || pattern == CHART_PATTERN_CROSS)
        hatch_lines(cairo, item->area, -1);
    if (pattern == CHART_PATTERN_FALLING || pattern == CHART_PATTERN_CROSS)
        hatch_lines(cairo, item->area, 1);
    if (pattern == CHART_PATTERN_LEVEL)
        hatch_lines(cairo, item->area, 0);
    set_colour(cairo, CHART_THEME_WHITE);
    cairo_set_line_width(cairo, 0.7);
    cairo_stroke(cairo);
    cairo_restore(cairo);
}

static void set_dash(cairo_t *cairo, enum chart_dash dash)
{
    static const double lengths[][2] = {{0, 0}, {5, 2}, {2.5, 1.5}, {0.8, 1.6}};

    cairo_set_dash(cairo, lengths[dash], dash == CHART_DASH_NONE ? 0 : 2, 0);
}

static void paint_shape(cairo_t *cairo, const struct chart_item *item)
{
    if (item->ink.fill.alpha > 0) {
        outline(cairo, item);
        set_colour(cairo, item->ink.fill);
        cairo_fill(cairo);
    }
    if (item->ink.pattern != CHART_PATTERN_NONE)
        hatch(cairo, item);
    if (item->ink.stroke.alpha > 0 && item->ink.line > 0) {
        outline(cairo, item);
        set_colour(cairo, item->ink.stroke);
        cairo_set_line_width(cairo, item->ink.line);
        set_dash(cairo, item->ink.dash);
        cairo_stroke(cairo);
    }
}

static void paint_text(cairo_t *cairo, struct chart_text *text,
                       const struct chart_item *item)
{
    PangoLayout *layout = text_layout(text, item->text, &item->style);
    PangoRectangle logical;

    pango_layout_get_extents(layout, NULL, &logical);
    cairo_save(cairo);
    if (item->style.upright) {
        cairo_translate(cairo, item->area.left, chart_area_bottom(item->area));
        cairo_rotate(cairo, -acos(-1) / 2);
    } else {
        cairo_translate(cairo, item->area.left, item->area.top);
    }
    cairo_move_to(cairo, -(double)logical.x / PANGO_SCALE, 0);
    set_colour(cairo, item->style.colour);
    pango_cairo_show_layout(cairo, layout);
    cairo_restore(cairo);
}

static void paint_items(cairo_t *cairo, struct chart_sheet *sheet)
{
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    for (size_t i = 0; i < sheet->count; i++) {
        cairo_new_path(cairo);
        if (sheet->items[i].kind == CHART_ITEM_TEXT)
            paint_text(cairo, &sheet->text, &sheet->items[i]);
        else
            paint_shape(cairo, &sheet->items[i]);
    }
}

static cairo_status_t take(void *context, const unsigned char *bytes, unsigned length)
{
    buf_add(context, (struct str){(const char *)bytes, length});
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *open_surface(const struct chart_sheet *sheet,
                                     enum chart_format format, struct buf *bytes)
{
    cairo_surface_t *surface;

    switch (format) {
    case CHART_SVG:
        return cairo_svg_surface_create_for_stream(take, bytes, sheet->width,
                                                   sheet->height);
    case CHART_PDF:
        surface =
            cairo_pdf_surface_create_for_stream(take, bytes, sheet->width, sheet->height);
        cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_5);
        /* Cairo would write the present time. */
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                       "2000-01-01T00:00:00Z");
        return surface;
    default:
        return cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                          (int)ceil(sheet->width * png_dpi / 72),
                                          (int)ceil(sheet->height * png_dpi / 72));
    }
}

/* The place of what in s from byte `from` on, or s.len. */
static size_t find(struct str s, size_t from, struct str what)
{
    for (size_t i = from; i + what.len <= s.len; i++)
        if (memcmp(s.ptr + i, what.ptr, what.len) == 0)
            return i;
    return s.len;
}

/* Adds svg with the prefix before each name of a part: id="NAME", "#NAME" and url(#NAME).
 * Cairo numbers them from 0 in each file, so that figures in one page of HTML would take
 * each other's letters. Nothing else in its files holds an id or a number sign: text is
 * drawn as shapes. */
static void add_prefixed(struct str svg, const char *prefix, struct buf *out)
{
    for (size_t i = 0; i < svg.len; i++) {
        buf_add_char(out, svg.ptr[i]);
        if (svg.ptr[i] == '#' ||
            (svg.ptr[i] == '"' && str_ends(str_slice(svg, 0, i), STR(" id="))))
            buf_add(out, str_from(prefix));
    }
}

/* FNV-1a: a name for the content. */
static uint32_t hash(struct str s)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < s.len; i++)
        hash = (hash ^ (unsigned char)s.ptr[i]) * 16777619u;
    return hash;
}

/* Cairo 1.16 names the outermost group by a number that counts all surfaces of the
 * process: that goes. The title comes in for those who listen instead of look. */
static void add_svg(struct str svg, struct chart_sheet *sheet, struct buf *out)
{
    const struct str head_end = STR("version=\"1.1\">\n"), group = STR("<g id=\"surface");
    size_t head = find(svg, 0, head_end), start = find(svg, 0, group);
    struct buf rest = {0};
    char prefix[16];

    head = head < svg.len ? head + head_end.len : 0;
    buf_add(&rest, str_slice(svg, head, start));
    if (start < svg.len) {
        buf_add(&rest, STR("<g>"));
        buf_add(&rest, str_slice(svg, find(svg, start, STR(">")) + 1, svg.len));
    }
    snprintf(prefix, sizeof prefix, "c%08x-", (unsigned)hash(buf_str(&rest)));
    buf_add(out, str_slice(svg, 0, head));
    if (head > 0 && sheet->chart->title.len > 0) {
        buf_add(out, STR("<title>"));
        buf_add_xml(out, chart_text_clean(sheet->chart->title, sheet->arena));
        buf_add(out, STR("</title>\n"));
    }
    add_prefixed(buf_str(&rest), prefix, out);
    buf_free(&rest);
}

/* The date goes, with blanks in its place: a PDF knows its parts by their offsets. */
static void add_pdf(struct str pdf, struct buf *out)
{
    size_t start = find(pdf, 0, STR("/CreationDate (")), end = find(pdf, start, STR(")"));

    buf_add(out, str_slice(pdf, 0, start));
    for (size_t i = start; i < pdf.len && i <= end; i++)
        buf_add_char(out, ' ');
    buf_add(out, str_slice(pdf, end < pdf.len ? end + 1 : end, pdf.len));
}

/* 300 dots an inch, as the chunk pHYs with its check sum, so that programs place the
 * picture at its true size. It goes behind the header, which always has 33 bytes. */
static void add_png(struct str png, struct buf *out)
{
    static const char density[] =
        "\0\0\0\x09pHYs\0\0\x2E\x23\0\0\x2E\x23\x01\x78\xA5\x3F\x76";

    buf_add(out, str_slice(png, 0, 33));
    buf_add(out, (struct str){density, sizeof density - 1});
    buf_add(out, str_slice(png, 33, png.len));
}

bool chart_paint_sheet(struct chart_sheet *sheet, enum chart_format format,
                       struct buf *out, struct err *err)
{
    struct buf bytes = {0};
    cairo_surface_t *surface = open_surface(sheet, format, &bytes);
    cairo_t *cairo = cairo_create(surface);
    cairo_status_t status;

    if (format == CHART_PNG)
        cairo_scale(cairo, png_dpi / 72, png_dpi / 72);
    if (format != CHART_PDF) { /* a page on the screen may be dark */
        set_colour(cairo, CHART_THEME_WHITE);
        cairo_paint(cairo);
    }
    paint_items(cairo, sheet);
    status = cairo_status(cairo);
    cairo_destroy(cairo);
    if (status == CAIRO_STATUS_SUCCESS && format == CHART_PNG)
        status = cairo_surface_write_to_png_stream(surface, take, &bytes);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS && format == CHART_SVG)
        add_svg(buf_str(&bytes), sheet, out);
    else if (status == CAIRO_STATUS_SUCCESS && format == CHART_PNG)
        add_png(buf_str(&bytes), out);
    else if (status == CAIRO_STATUS_SUCCESS)
        add_pdf(buf_str(&bytes), out);
    buf_free(&bytes);
    if (status == CAIRO_STATUS_SUCCESS)
        return true;
    return err_set(err, ERR_SYSTEM, "cannot draw a figure: %s",
                   cairo_status_to_string(status));
}
