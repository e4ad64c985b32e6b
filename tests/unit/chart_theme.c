/* Colours that can be told apart, text that can be read on them, hatching. */
#include "chart/internal.h"

#include <math.h>

#include "tests/tap.h"

enum { COLOURS = 8 };

static const struct chart usual, hatched = {.patterns = true};

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
                CHECK(distance(chart_theme_colour(&usual, a),
                               chart_theme_colour(&usual, b), blindness[eye]) > 0.1);
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
        CHECK(contrast(chart_theme_on(chart_theme_colour(&usual, i)),
                       chart_theme_colour(&usual, i)) > 3);
    tap_case("text on every step of a ramp can be read");
    for (int i = -100; i <= 100; i++) {
        struct chart_colour back = chart_theme_ramp(&usual, i / 100.0, true);
        CHECK(contrast(chart_theme_on(back), back) > 3);
    }
    tap_case("names in the colour of their series, on white");
    for (size_t i = 0; i < COLOURS; i++)
        CHECK(contrast(chart_theme_text(&usual, i), CHART_THEME_WHITE) > 4);
    tap_case("quiet text on white");
    CHECK(contrast(THEME_QUIET, CHART_THEME_WHITE) > 4.5);
}

static void check_ramp(void)
{
    tap_case("ramp: nothing is white");
    CHECK_NEAR(chart_theme_ramp(&usual, 0, true).red, 1, 1e-12);
    CHECK_NEAR(chart_theme_ramp(&usual, 0, false).blue, 1, 1e-12);
    tap_case("ramp: ends differ");
    CHECK(chart_theme_ramp(&usual, -1, true).red < 0.1 &&
          chart_theme_ramp(&usual, 1, true).red > 0.8);
    tap_case("ramp: beyond the ends");
    CHECK_NEAR(chart_theme_ramp(&usual, 7, false).green,
               chart_theme_ramp(&usual, 1, false).green, 1e-12);
}

static void check_patterns(void)
{
    tap_case("hatching: not asked for, first round");
    for (size_t i = 0; i < COLOURS; i++)
        CHECK(chart_theme_fill(&usual, i).pattern == CHART_PATTERN_NONE);
    tap_case("hatching: the second round of colours has it");
    CHECK(chart_theme_fill(&usual, COLOURS).pattern != CHART_PATTERN_NONE);
    tap_case("what is not complete is hatched otherwise than a series that is hatched");
    CHECK(chart_theme_partial(chart_theme_fill(&usual, 0)).pattern !=
          chart_theme_fill(&usual, COLOURS).pattern);
    tap_case("hatching: neighbours differ when asked for");
    for (size_t i = 1; i < 20; i++) {
        CHECK(chart_theme_fill(&hatched, i).pattern !=
              chart_theme_fill(&hatched, i - 1).pattern);
        CHECK(chart_theme_line(&hatched, i).dash !=
              chart_theme_line(&hatched, i - 1).dash);
    }
}

static void check_own(void)
{
    static const struct {
        const char *text;
        bool ok;
        double red, green, blue;
    } rows[] = {
        {"#0072B2", true, 0, 0x72 / 255.0, 0xB2 / 255.0},
        {"d55e00", true, 0xD5 / 255.0, 0x5E / 255.0, 0},
        {"vermillion", true, 0.835, 0.369, 0},
        {"#0072B", false, 0, 0, 0},
        {"#0072BG", false, 0, 0, 0},
        {"red", false, 0, 0, 0},
        {"", false, 0, 0, 0},
    };
    struct chart_colour own[2] = {{0, 0, 0, 1}, {1, 1, 0, 1}}, colour;
    struct chart chart = {.palette = own, .palette_count = 2};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("a colour: '%s'", rows[i].text);
        CHECK(chart_colour_parse(str_from(rows[i].text), &colour) == rows[i].ok);
        if (rows[i].ok)
            CHECK(colour.red == rows[i].red && colour.green == rows[i].green &&
                  colour.blue == rows[i].blue);
    }
    tap_case("a palette of one's own: in its order, then hatched");
    CHECK(chart_theme_colour(&chart, 1).green == 1 &&
          chart_theme_colour(&chart, 2).green == 0);
    CHECK(chart_theme_fill(&chart, 1).pattern == CHART_PATTERN_NONE &&
          chart_theme_fill(&chart, 2).pattern != CHART_PATTERN_NONE &&
          chart_theme_line(&chart, 2).dash != CHART_DASH_NONE);
    tap_case("and letters in it can be read");
    for (size_t i = 0; i < 2; i++)
        CHECK(contrast(chart_theme_text(&chart, i), CHART_THEME_WHITE) > 4);
    tap_case("a ramp goes to its first, the other way to its second");
    CHECK(chart_theme_ramp(&chart, 1, false).green == 0 &&
          chart_theme_ramp(&chart, 1, true).green == 1);
}

int main(void)
{
    check_own();
    check_palette();
    check_text();
    check_ramp();
    check_patterns();
    return tap_done();
}
