/* Measuring and setting text with Pango. Hinting is off and glyphs stand where the
 * outline says, so that a text is as wide in SVG and PDF as in PNG at any resolution. */
#include <assert.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#include "chart/internal.h"

const struct chart_style STYLE_TITLE = {
    .size = 8.5, .bold = true, .lines_max = 3, .colour = {0.10, 0.10, 0.10, 1}};
const struct chart_style STYLE_AXIS = {.size = 7.5, .colour = {0.10, 0.10, 0.10, 1}};
const struct chart_style STYLE_TICK = {.size = 7, .colour = {0.10, 0.10, 0.10, 1}};
const struct chart_style STYLE_VALUE = {.size = 6.5, .colour = {0.10, 0.10, 0.10, 1}};
const struct chart_style STYLE_NOTE = {.size = 6.5, .colour = {0.40, 0.40, 0.40, 1}};

bool chart_text_open(struct chart_text *text, struct err *err)
{
    cairo_font_options_t *options;

    text->fonts = fonts_open(err);
    if (text->fonts == NULL)
        return false;
    options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    text->context = pango_font_map_create_context(text->fonts);
    pango_cairo_context_set_font_options(text->context, options);
    pango_cairo_context_set_resolution(text->context, 72); /* a point is a unit */
    pango_context_set_round_glyph_positions(text->context, FALSE);
    pango_context_set_language(text->context, pango_language_from_string("en"));
    text->layout = pango_layout_new(text->context);
    cairo_font_options_destroy(options);
    return true;
}

void chart_text_close(struct chart_text *text)
{
    if (text->layout != NULL)
        g_object_unref(text->layout);
    if (text->context != NULL)
        g_object_unref(text->context);
    if (text->fonts != NULL)
        g_object_unref(text->fonts);
    *text = (struct chart_text){0};
}

enum { BYTES_MAX = 2000 };

/* The caller hands the result to g_free(). */
static char *clean(struct str s)
{
    size_t len = s.len;
    char *valid;

    if (len > BYTES_MAX) /* not inside a character */
        for (len = BYTES_MAX; len > 0 && ((unsigned char)s.ptr[len] & 0xC0) == 0x80;)
            len--;
    valid = g_utf8_make_valid(len > 0 ? s.ptr : "", (gssize)len);
    for (char *c = valid; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == '\x7F')
            *c = ' ';
        else if (strncmp(c, "\xEF\xBF", 2) == 0 && (unsigned char)c[2] > 0xBD)
            c[2] = '\xBD'; /* U+FFFE and U+FFFF are no characters in XML */
    }
    return valid;
}

struct str chart_text_clean(struct str s, struct arena *arena)
{
    char *valid = clean(s);
    struct str copy = arena_copy(arena, str_from(valid));

    g_free(valid);
    return copy;
}

PangoLayout *text_layout(struct chart_text *text, struct str s,
                         const struct chart_style *style)
{
    PangoFontDescription *font = pango_font_description_from_string("Liberation Sans");
    char *valid = clean(s);

    pango_font_description_set_absolute_size(font, style->size * PANGO_SCALE);
    if (style->bold)
        pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD);
    pango_layout_set_font_description(text->layout, font);
    pango_layout_set_text(text->layout, valid, -1);
    pango_layout_set_single_paragraph_mode(text->layout, TRUE);
    pango_layout_set_alignment(text->layout, style->align);
    if (style->width_max > 0) {
        pango_layout_set_width(text->layout, (int)ceil(style->width_max * PANGO_SCALE));
        pango_layout_set_wrap(text->layout, PANGO_WRAP_WORD_CHAR);
        pango_layout_set_ellipsize(text->layout, PANGO_ELLIPSIZE_END);
        pango_layout_set_height(text->layout,
                                style->lines_max > 1 ? -style->lines_max : -1);
    } else {
        pango_layout_set_width(text->layout, -1);
        pango_layout_set_ellipsize(text->layout, PANGO_ELLIPSIZE_NONE);
        pango_layout_set_height(text->layout, -1);
    }
    pango_font_description_free(font);
    g_free(valid);
    return text->layout;
}

/* A word is broken where a line begins at a place that is no end of a word. */
static bool breaks_a_word(PangoLayout *layout)
{
    const char *text = pango_layout_get_text(layout);

    for (int i = 1; i < pango_layout_get_line_count(layout); i++) {
        int start = pango_layout_get_line_readonly(layout, i)->start_index;
        if (g_unichar_isalnum(g_utf8_get_char(text + start)) &&
            g_unichar_isalnum(g_utf8_get_char(g_utf8_prev_char(text + start))))
            return true;
    }
    return false;
}

struct chart_extent chart_text_measure(struct chart_text *text, struct str s,
                                       const struct chart_style *style)
{
    PangoLayout *layout = text_layout(text, s, style);
    PangoRectangle logical;
    struct chart_extent extent;

    pango_layout_get_extents(layout, NULL, &logical);
    extent = (struct chart_extent){
        .width = (double)logical.width / PANGO_SCALE,
        .height = (double)logical.height / PANGO_SCALE,
        .lines = pango_layout_get_line_count(layout),
        .cut = pango_layout_is_ellipsized(layout) || breaks_a_word(layout),
    };
    if (style->upright) {
        double width = extent.width;
        extent.width = extent.height;
        extent.height = width;
    }
    return extent;
}

/* Letters below are in Liberation Sans, and so is punctuation. */
static bool may_lack(gunichar letter)
{
    return letter >= 0x530 && !(letter >= 0x2000 && letter < 0x2070);
}

bool chart_missing(struct str text, struct buf *out, struct err *err)
{
    static const struct chart_style style = {.size = 7};
    struct chart_text fonts = {0};
    char *valid = g_utf8_make_valid(text.len > 0 ? text.ptr : "", (gssize)text.len);
    bool ok = true;

    for (const char *c = valid, *next; ok && *c != '\0'; c = next) {
        next = g_utf8_find_next_char(c, NULL);
        struct str letter = {c, (size_t)(next - c)};
        if (!may_lack(g_utf8_get_char(c)) ||
            g_utf8_strchr(valid, c - valid, g_utf8_get_char(c)) != NULL)
            continue;
        ok = fonts.layout != NULL || chart_text_open(&fonts, err);
        if (ok && pango_layout_get_unknown_glyphs_count(
                      text_layout(&fonts, letter, &style)) > 0)
            buf_add(out, letter);
    }
    chart_text_close(&fonts);
    g_free(valid);
    return ok;
}
