/* The bytes of files: the right beginning, nothing of the time or of earlier figures. */
#include "chart/internal.h"

#include <string.h>

#include "tests/tap.h"

static const double y[] = {3, 1, 2};
static const struct str names[] = {STR_INIT("a"), STR_INIT("b"), STR_INIT("c")};
static const struct chart_series series[] = {
    {.name = STR_INIT("first"), .y = y, .count = 3},
    {.name = STR_INIT("second"), .y = y, .count = 3},
};
static struct chart chart = {
    .kind = CHART_BARS_STACKED,
    .title = STR_INIT("Bugs < 3 & \"more\" \xFF"),
    .patterns = true,
    .categories = names,
    .category_count = 3,
    .series = series,
    .series_count = 2,
};

static bool holds(const struct buf *buf, const char *text)
{
    struct str s = buf_str(buf), what = str_from(text);

    for (size_t i = 0; i + what.len <= s.len; i++)
        if (memcmp(s.ptr + i, what.ptr, what.len) == 0)
            return true;
    return false;
}

static struct buf drawn(const struct chart *figure, enum chart_format format)
{
    struct buf out = {0};
    struct err err = {0};

    CHECK(chart_draw(figure, format, &out, &err));
    return out;
}

static const struct {
    const char *name;
    enum chart_format format;
    struct str begin;
} formats[] = {
    {"svg", CHART_SVG, STR_INIT("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ")},
    {"pdf", CHART_PDF, STR_INIT("%PDF-1.5")},
    {"png", CHART_PNG, STR_INIT("\x89PNG\r\n\x1A\n\0\0\0\rIHDR")},
};

static void check_same_bytes(size_t row)
{
    struct buf first = drawn(&chart, formats[row].format), again;
    struct chart other = chart;

    tap_case("%s: begins as it should", formats[row].name);
    CHECK(str_starts(buf_str(&first), formats[row].begin));
    tap_case("%s: the same bytes after other figures", formats[row].name);
    other.title = STR("another");
    for (int i = 0; i < 3; i++) {
        struct buf between = drawn(&other, formats[(row + (size_t)i) % 3].format);
        buf_free(&between);
    }
    again = drawn(&chart, formats[row].format);
    CHECK(str_eq(buf_str(&first), buf_str(&again)));
    buf_free(&again);
    tap_case("%s: other bytes for another figure", formats[row].name);
    other.series_count = 1;
    again = drawn(&other, formats[row].format);
    CHECK(!str_eq(buf_str(&first), buf_str(&again)));
    buf_free(&again);
    buf_free(&first);
}

static void check_svg(void)
{
    struct buf svg = drawn(&chart, CHART_SVG);

    tap_case("svg: has the title as text, escaped");
    CHECK(holds(&svg, "<title>Bugs &lt; 3 &amp; &quot;more&quot; \xEF\xBF\xBD</title>"));
    tap_case("svg: letters are shapes, no font is needed");
    CHECK(!holds(&svg, "<text") && !holds(&svg, "font-family"));
    tap_case("svg: no number of a surface");
    CHECK(!holds(&svg, "surface"));
    tap_case("svg: names of parts are those of this figure alone");
    CHECK(!holds(&svg, " id=\"glyph") && !holds(&svg, "\"#glyph") &&
          !holds(&svg, "url(#clip"));
    buf_free(&svg);
}

static void check_pdf(void)
{
    struct buf pdf = drawn(&chart, CHART_PDF);

    tap_case("pdf: no date");
    CHECK(!holds(&pdf, "CreationDate") && !holds(&pdf, "ModDate"));
    tap_case("pdf: the font is inside");
    CHECK(holds(&pdf, "/FontFile"));
    tap_case("pdf: whole");
    CHECK(str_ends(buf_str(&pdf), STR("%%EOF\n")));
    buf_free(&pdf);
}

static uint32_t number_at(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;

    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* The check sum of PNG, bit by bit (PNG specification, annex D). */
static uint32_t check_sum(const char *bytes, size_t len)
{
    uint32_t sum = UINT32_MAX;

    for (size_t i = 0; i < len; i++) {
        sum ^= (unsigned char)bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ 0xEDB88320 : sum >> 1;
    }
    return ~sum;
}

static void check_png(void)
{
    struct buf png = drawn(&chart, CHART_PNG);
    size_t at = 8, chunks = 0, density = 0;

    tap_case("png: every chunk has its length and check sum");
    while (at + 12 <= png.len) {
        uint32_t len = number_at(png.ptr + at);
        const char *body = png.ptr + at + 4;
        if (len > png.len - at - 12)
            break;
        CHECK(number_at(body + 4 + len) == check_sum(body, len + 4));
        if (memcmp(body, "pHYs", 4) == 0)
            density = number_at(body + 4);
        at += 12 + len;
        chunks++;
    }
    CHECK(at == png.len && chunks >= 4);
    tap_case("png: 300 dots an inch");
    CHECK(density == 11811);
    CHECK(number_at(png.ptr + 16) == 1004); /* 8.5 cm */
    buf_free(&png);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(formats); i++)
        check_same_bytes(i);
    check_svg();
    check_pdf();
    check_png();
    return tap_done();
}
