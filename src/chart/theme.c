/* The one look of all figures: thin grey axes, colours that stay apart for the
 * colour-blind and in print. */
#include <math.h>

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

struct chart_colour chart_theme_colour(size_t series)
{
    return palette[series % ROWS_OF(palette)];
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

struct chart_colour chart_theme_ramp(double share, bool diverging)
{
    double most = share < 0 ? -share : share;
    struct chart_colour end = palette[diverging && share > 0 ? 3 : 0];

    return chart_theme_mix(end, most > 1 ? 1 : most);
}

struct chart_colour chart_theme_text(size_t series)
{
    struct chart_colour colour = chart_theme_colour(series);
    double share = fmin(1, 0.37 / luma(colour));

    return (struct chart_colour){share * colour.red, share * colour.green,
                                 share * colour.blue, 1};
}

/* After a round of the palette hatching tells series apart, asked for or not. */
struct chart_ink chart_theme_fill(size_t series, bool patterns)
{
    size_t round = series / ROWS_OF(palette);
    struct chart_ink ink = {.fill = chart_theme_colour(series)};

    if (patterns)
        ink.pattern = (enum chart_pattern)(series % (CHART_PATTERN_CROSS + 1));
    else
        ink.pattern = (enum chart_pattern)(round % (CHART_PATTERN_CROSS + 1));
    return ink;
}

struct chart_ink chart_theme_line(size_t series, bool patterns)
{
    size_t round = series / ROWS_OF(palette);

    return (struct chart_ink){
        .stroke = chart_theme_colour(series),
        .line = 1.2,
        .dash = (enum chart_dash)((patterns ? series : round) % (CHART_DASH_DOTS + 1)),
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

/* Paler and hatched, or broken. */
struct chart_ink chart_theme_partial(struct chart_ink ink)
{
    if (ink.fill.alpha > 0) {
        ink.fill = chart_theme_mix(ink.fill, 0.6);
        ink.pattern = ink.pattern == CHART_PATTERN_NONE ? CHART_PATTERN_RISING
                                                        : CHART_PATTERN_CROSS;
    }
    ink.dash = CHART_DASH_SHORT;
    return ink;
}
