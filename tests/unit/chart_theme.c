/* Colours that can be told apart, text that can be read on them, hatching. */
#include "chart/internal.h"

#include <math.h>

#include "tests/tap.h"

enum { COLOURS = 8 };

/* Viénot, Brettel and Mollon (1999): what a person without red or green cones sees, as a
 * matrix on linear RGB. */
static const double blindness[][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}},
    {{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}},
};

static double linear(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double gamma_of(double c)
{
    return pow(fmax(0, c), 1 / 2.2);
}

/* How far apart two colours are for such a person, 0 .. 1.73. */
static double distance(struct chart_colour a, struct chart_colour b,
                       const double eye[3][3])
{
    double from[] = {linear(a.red), linear(a.green), linear(a.blue)};
    double to[] = {linear(b.red), linear(b.green), linear(b.blue)};
    double sum = 0;

    for (int i = 0; i < 3; i++) {
        double x = 0, y = 0;
        for (int j = 0; j < 3; j++) {
            x += eye[i][j] * from[j];
            y += eye[i][j] * to[j];
        }
        sum += pow(gamma_of(x) - gamma_of(y), 2);
    }
    return sqrt(sum);
}

static void check_palette(void)
{
    static const char *const eyes[] = {"all cones", "no red cones", "no green cones"};

    for (size_t eye = 0; eye < ROWS(eyes); eye++) {
        tap_case("colours are apart: %s", eyes[eye]);
        for (size_t a = 0; a < COLOURS; a++)
            for (size_t b = 0; b < a; b++)
                CHECK(distance(chart_theme_colour(a), chart_theme_colour(b),
                               blindness[eye]) > 0.1);
    }
}

/* Contrast of WCAG 2: (lighter + 0.05) / (darker + 0.05). */
static double contrast(struct chart_colour a, struct chart_colour b)
{
    double x =
        0.2126 * linear(a.red) + 0.7152 * linear(a.green) + 0.0722 * linear(a.blue);
    double y =
        0.2126 * linear(b.red) + 0.7152 * linear(b.green) + 0.0722 * linear(b.blue);

    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

static void check_text(void)
{
    tap_case("text on every colour can be read");
    for (size_t i = 0; i < COLOURS; i++)
        CHECK(contrast(chart_theme_on(chart_theme_colour(i)), chart_theme_colour(i)) > 3);
    tap_case("text on every step of a ramp can be read");
    for (int i = -100; i <= 100; i++) {
        struct chart_colour back = chart_theme_ramp(i / 100.0, true);
        CHECK(contrast(chart_theme_on(back), back) > 3);
    }
    tap_case("names in the colour of their series, on white");
    for (size_t i = 0; i < COLOURS; i++)
        CHECK(contrast(chart_theme_text(i), CHART_THEME_WHITE) > 4);
    tap_case("quiet text on white");
    CHECK(contrast(THEME_QUIET, CHART_THEME_WHITE) > 4.5);
}

static void check_ramp(void)
{
    tap_case("ramp: nothing is white");
    CHECK_NEAR(chart_theme_ramp(0, true).red, 1, 1e-12);
    CHECK_NEAR(chart_theme_ramp(0, false).blue, 1, 1e-12);
    tap_case("ramp: ends differ");
    CHECK(chart_theme_ramp(-1, true).red < 0.1 && chart_theme_ramp(1, true).red > 0.8);
    tap_case("ramp: beyond the ends");
    CHECK_NEAR(chart_theme_ramp(7, false).green, chart_theme_ramp(1, false).green, 1e-12);
}

static void check_patterns(void)
{
    tap_case("hatching: not asked for, first round");
    for (size_t i = 0; i < COLOURS; i++)
        CHECK(chart_theme_fill(i, false).pattern == CHART_PATTERN_NONE);
    tap_case("hatching: the second round of colours has it");
    CHECK(chart_theme_fill(COLOURS, false).pattern != CHART_PATTERN_NONE);
    tap_case("hatching: neighbours differ when asked for");
    for (size_t i = 1; i < 20; i++) {
        CHECK(chart_theme_fill(i, true).pattern != chart_theme_fill(i - 1, true).pattern);
        CHECK(chart_theme_line(i, true).dash != chart_theme_line(i - 1, true).dash);
    }
}

int main(void)
{
    check_palette();
    check_text();
    check_ramp();
    check_patterns();
    return tap_done();
}
