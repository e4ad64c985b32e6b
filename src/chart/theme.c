/* The one look of all figures: thin grey axes, colours that stay apart for the
 * colour-blind and in print. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "chart/internal.h"

const struct chart_colour THEME_TEXT = {0.10, 0.10, 0.10, 1};
const struct chart_colour THEME_QUIET = {0.40, 0.40, 0.40, 1};
const struct chart_colour THEME_AXIS = {0.35, 0.35, 0.35, 1};
const struct chart_colour THEME_GRID = {0.90, 0.90, 0.90, 1};
const struct chart_colour THEME_PALE = {0.95, 0.95, 0.95, 1};
const struct chart_colour CHART_THEME_WHITE = {1, 1, 1, 1};

/* Okabe and Ito, "Color universal design" (2008), the strong ones first and the black
 * softened to grey so that text and axes stay apart from data. */
static const struct chart_colour palette[] = {
    {0.000, 0.447, 0.698, 1}, /* blue */
    {0.902, 0.624, 0.000, 1}, /* orange */
    {0.000, 0.620, 0.451, 1}, /* bluish green */
    {0.835, 0.369, 0.000, 1}, /* vermillion */
    {0.337, 0.706, 0.914, 1}, /* sky blue */
    {0.800, 0.475, 0.655, 1}, /* reddish purple */
    {0.941, 0.894, 0.259, 1}, /* yellow */
    {0.380, 0.380, 0.380, 1}, /* grey */
};

static const char *const colour_names[] = {"blue", "orange", "green",  "vermillion",
                                           "sky",  "purple", "yellow", "grey"};

static size_t colour_count(const struct chart *chart)
{
    return chart->palette_count > 0 ? chart->palette_count : ROWS_OF(palette);
}

struct chart_colour chart_theme_colour(const struct chart *chart, size_t series)
{
    return (chart->palette_count > 0 ? chart->palette
                                     : palette)[series % colour_count(chart)];
}

bool chart_colour_parse(struct str text, struct chart_colour *out)
{
    double parts[3] = {0};

    for (size_t i = 0; i < ROWS_OF(palette); i++)
        if (str_eq(text, str_from(colour_names[i]))) {
            *out = palette[i];
            return true;
        }
    if (str_starts(text, STR("#")))
        text = str_slice(text, 1, text.len);
    if (text.len != 6)
        return false;
    for (size_t i = 0; i < 6; i++) {
        const char *digits = "0123456789abcdef";
        const char *at = strchr(digits, tolower((unsigned char)text.ptr[i]));
        if (at == NULL || *at == '\0')
            return false;
        parts[i / 2] = 16 * parts[i / 2] + (double)(at - digits);
    }
    *out = (struct chart_colour){parts[0] / 255, parts[1] / 255, parts[2] / 255, 1};
    return true;
}

struct chart_colour chart_theme_mix(struct chart_colour colour, double share)
{
    return (struct chart_colour){
        1 - share * (1 - colour.red),
        1 - share * (1 - colour.green),
        1 - share * (1 - colour.blue),
        colour.alpha,
    };
}

/* Of Rec. 601: near enough to tell what can be read. */
static double luma(struct chart_colour colour)
{
    return 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue;
}

struct chart_colour chart_theme_on(struct chart_colour background)
{
    return luma(background) < 0.52 ? CHART_THEME_WHITE : THEME_TEXT;
}

struct chart_colour chart_theme_ramp(const struct chart *chart, double share,
                                     bool diverging)
{
    double most = share < 0 ? -share : share;
    size_t other = chart->palette_count > 0 ? 1 : 3; /* blue, and vermillion */
    struct chart_colour end =
        chart_theme_colour(chart, diverging && share > 0 ? other : 0);

    return chart_theme_mix(end, most > 1 ? 1 : most);
}

struct chart_colour chart_theme_text(const struct chart *chart, size_t series)
{
    struct chart_colour colour = chart_theme_colour(chart, series);
    double share = fmin(1, 0.37 / fmax(luma(colour), 0.37));

    return (struct chart_colour){share * colour.red, share * colour.green,
                                 share * colour.blue, 1};
}

/* After a round of the palette hatching tells series apart, asked for or not. */
struct chart_ink chart_theme_fill(const struct chart *chart, size_t series)
{
    size_t round = series / colour_count(chart);
    struct chart_ink ink = {.fill = chart_theme_colour(chart, series)};

    if (chart->patterns)
        ink.pattern = (enum chart_pattern)(series % (CHART_PATTERN_CROSS + 1));
    else
        ink.pattern = (enum chart_pattern)(round % (CHART_PATTERN_CROSS + 1));
    return ink;
}

struct chart_ink chart_theme_line(const struct chart *chart, size_t series)
{
    size_t round = series / colour_count(chart);

    return (struct chart_ink){
        .stroke = chart_theme_colour(chart, series),
        .line = 1.2,
        .dash =
            (enum chart_dash)((chart->patterns ? series : round) % (CHART_DASH_DOTS + 1)),
    };
}

struct chart_ink chart_theme_rule(struct chart_colour colour, double width)
{
    return (struct chart_ink){.stroke = colour, .line = width};
}

enum chart_shape chart_theme_shape(size_t series)
{
    return (enum chart_shape)(series % (CHART_SHAPE_DIAMOND + 1));
}

/* Paler and hatched, the other way than series are, or broken. */
struct chart_ink chart_theme_partial(struct chart_ink ink)
{
    if (ink.fill.alpha > 0) {
        ink.fill = chart_theme_mix(ink.fill, 0.6);
        ink.pattern = ink.pattern == CHART_PATTERN_NONE ? CHART_PATTERN_FALLING
                                                        : CHART_PATTERN_CROSS;
    }
    ink.dash = CHART_DASH_SHORT;
    return ink;
}
