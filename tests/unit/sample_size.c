/* Sizes of samples, and the quantiles they rest on. */
#include "sample/size.h"

#include <math.h>
#include <string.h>

#include "sample/internal.h"
#include "tests/tap.h"

/* Sample sizes against published ones and against scipy 1.10 (norm.isf), margins against
 * R; the text of a size, right and wrong. */

static const struct {
    const char *name;
    int64_t frame;
    struct sample_size_rule rule;
    int64_t up, down, nearest;
} sizes[] = {
    {"published: 380 of 39,628", 39628, {0.95, 0.05, 0, 0, 0}, 381, 380, 380},
    {"published: 297 of 1,325", 1325, {0.95, 0.05, 0, 0, 0}, 298, 297, 298},
    {"published: 307 of 1,533", 1533, {0.95, 0.05, 0, 0, 0}, 308, 307, 307},
    {"empty frame", 0, {0.95, 0.05, 0, 0, 0}, 0, 0, 0},
    {"one item: exactly 1", 1, {0.95, 0.05, 0, 0, 0}, 1, 1, 1},
    {"two items: 1.99", 2, {0.95, 0.05, 0, 0, 0}, 2, 1, 2},
    {"ten items: 9.77", 10, {0.95, 0.05, 0, 0, 0}, 10, 9, 10},
    {"large frame: 384.146",
     INT64_C(1000000000000),
     {0.95, 0.05, 0, 0, 0},
     385,
     384,
     384},
    {"other levels: 1556.34", 10000, {0.99, 0.03, 0, 0, 0}, 1557, 1556, 1556},
    {"wide margin: 67.19", 10000, {0.9, 0.1, 0, 0, 0}, 68, 67, 67},
    {"share 20%: 234.38", 5000, {0.95, 0.05, 0.2, 0, 0}, 235, 234, 234},
    {"share 80% is share 20%", 5000, {0.95, 0.05, 0.8, 0, 0}, 235, 234, 234},
    {"rare: 92.19", 3000, {0.95, 0.02, 0.01, 0, 0}, 93, 92, 92},
    {"below one item is one", 1000000, {0.5, 0.49, 0, 0, 0}, 1, 1, 1},
    {"margin beyond reach: all", 7, {0.95, 1e-12, 0, 0, 0}, 7, 7, 7},
    {"two categories: as one share", 2000, {0.95, 0.05, 0, 2, 0}, 323, 322, 322},
    {"three categories: 406.18", 2000, {0.95, 0.05, 0, 3, 0}, 407, 406, 406},
    {"many: the share plays no part", 2000, {0.95, 0.05, 0.1, 72, 0}, 407, 406, 406},
};

static void check_sizes(void)
{
    for (size_t i = 0; i < ROWS(sizes); i++) {
        struct sample_size_rule rule = sizes[i].rule;
        tap_case("size: %s", sizes[i].name);
        CHECK(sample_size_needed(&rule, sizes[i].frame) == sizes[i].up);
        rule.round = SAMPLE_SIZE_DOWN;
        CHECK(sample_size_needed(&rule, sizes[i].frame) == sizes[i].down);
        rule.round = SAMPLE_SIZE_NEAREST;
        CHECK(sample_size_needed(&rule, sizes[i].frame) == sizes[i].nearest);
    }
}

/* margin^2 n0 from scipy; for 95% Thompson (1987) prints 1.27359. */
static const struct {
    double confidence;
    int categories;
    double spread;
} many[] = {
    {0.50, 3, 0.42503839013219},   {0.50, 10, 0.44128609586335},
    {0.60, 10, 0.50728939764289},  {0.70, 10, 0.60123187868787},
    {0.80, 10, 0.74738730921329},  {0.90, 10, 1.0063503374972},
    {0.95, 3, 1.2735865070975716}, {0.95, 10, 1.27358650709757},
    {0.99, 10, 1.9698596441556},   {0.999, 10, 3.0289162865993},
};

static void check_many(void)
{
    for (size_t i = 0; i < ROWS(many); i++) {
        struct sample_size_rule rule = {.confidence = many[i].confidence,
                                        .margin = 0.05,
                                        .categories = many[i].categories};
        tap_case("%d categories at once, confidence %g", many[i].categories,
                 many[i].confidence);
        CHECK_NEAR(sample_size_unlimited(&rule) * 0.0025, many[i].spread, 1e-12);
    }
}

static const struct {
    const char *name;
    int64_t size, frame;
    struct sample_size_rule rule;
    double margin;
} margins[] = {
    {"715 of 39,628", 715, 39628, {0.95, 0, 0, 0, 0}, 0.03631757432774844},
    {"297 of 1,325", 297, 1325, {0.95, 0, 0, 0, 0}, 0.0501063116712979},
    {"expected share 10%", 100, 1000, {0.99, 0, 0.1, 0, 0}, 0.0733460693747109},
    {"seven categories", 500, 2000, {0.95, 0, 0, 7, 0}, 0.04371882235788764},
    {"all", 12, 12, {0.95, 0, 0, 0, 0}, 0},
    {"all of one", 1, 1, {0.95, 0, 0, 0, 0}, 0},
    {"none: undefined", 0, 12, {0.95, 0, 0, 0, 0}, NAN},
    {"none of none: undefined", 0, 0, {0.95, 0, 0, 0, 0}, NAN},
};

static void check_margins(void)
{
    for (size_t i = 0; i < ROWS(margins); i++) {
        tap_case("margin: %s", margins[i].name);
        CHECK_NEAR(
            sample_size_margin(&margins[i].rule, margins[i].size, margins[i].frame),
            margins[i].margin, 1e-12);
    }
}

static const struct {
    const char *text, *canonical;
    int64_t of_1325, of_15; /* the sizes for these frames */
} right[] = {
    {"95% +- 5%", "95% +- 5%", 298, 15},
    {"95%+-5%", "95% +- 5%", 298, 15},
    {" 95 %  +/-  5 % ", "95% +- 5%", 298, 15},
    {"95% \xC2\xB1 5%", "95% +- 5%", 298, 15},
    {"99.5% +- 2.50%", "99.5% +- 2.5%", 934, 15},
    {"95% +- 7%", "95% +- 7%", 171, 14},
    {"50% +- 49.99999999%", "50% +- 49.99999999%", 1, 1},
    {"300", "300", 300, 15},
    {"1", "1", 1, 1},
    {"20%", "20%", 265, 3},
    {"0.5%", "0.5%", 7, 1},
    {".07%", "0.07%", 1, 1},
    {".000000301%", "0.000000301%", 1, 1},
    {"100%", "100%", 1325, 15},
    {"all", "all", 1325, 15},
    {"\n all ", "all", 1325, 15},
    {"top 50 by views", "top 50 by views", 50, 15},
    {" top  7  by  score ", "top 7 by score", 7, 7},
    {"top 1 by answers", "top 1 by answers", 1, 1},
    {"top 1 by comments", "top 1 by comments", 1, 1},
    {"top 1 by favorites", "top 1 by favorites", 1, 1},
    {"top 1 by created", "top 1 by created", 1, 1},
};

static void check_right(void)
{
    for (size_t i = 0; i < ROWS(right); i++) {
        struct sample_size_spec spec;
        struct err err = {0};
        struct buf buf = {0};
        tap_case("read and written: %s", right[i].canonical);
        if (!CHECK(sample_size_parse(str_from(right[i].text), &spec, &err)))
            continue;
        sample_size_add(&buf, &spec);
        buf_add_char(&buf, '\0');
        CHECK_TEXT(buf.ptr, right[i].canonical);
        CHECK(sample_size_of(&spec, 1325) == right[i].of_1325);
        CHECK(sample_size_of(&spec, 15) == right[i].of_15);
        CHECK(sample_size_of(&spec, 0) == 0);
        buf_free(&buf);
    }
}

#define CONFIDENCE \
    " as the confidence; expected 50% or more and less than 100%, as in 95% +- 5%"
#define MARGIN " as the margin; expected more than 0% and less than 50%, as in 95% +- 5%"
#define SIZE \
    " as the size; expected one like 95% +- 5%, 300, 20%, all or 'top 50 by views'"
#define SHARE " as the share of the frame; expected more than 0% and at most 100%"
#define KEYS  " expected views, score, answers, comments, favorites or created"

static const struct {
    const char *text, *message;
} wrong[] = {
    {"", "found ''" SIZE},
    {"some", "found 'some'" SIZE},
    {"3.5", "found '3.5'" SIZE},
    {"1,325", "found '1,325'" SIZE},
    {"-20%", "found '-20%'" SIZE},
    {"2e1%", "found '2e1%'" SIZE},
    {"0.0000000001%", "found '0.0000000001%'" SIZE},
    {"1.2.3%", "found '1.2.3%'" SIZE},
    {"%", "found '%'" SIZE},
    {"99999999999999999999", "found '99999999999999999999'" SIZE},
    {"all of them", "found 'all of them'" SIZE},
    {"0", "found '0' as the size; expected a number from 1 up"},
    {"-3", "found '-3' as the size; expected a number from 1 up"},
    {"0%", "found '0%'" SHARE},
    {"101%", "found '101%'" SHARE},
    {"5% +- 95%", "found '5%'" CONFIDENCE},
    {"100% +- 5%", "found '100%'" CONFIDENCE},
    {"95 +- 5%", "found '95'" CONFIDENCE},
    {"+- 5%", "found ''" CONFIDENCE},
    {"95% +- 5", "found '5'" MARGIN},
    {"95% +- 0%", "found '0%'" MARGIN},
    {"95% +- 50%", "found '50%'" MARGIN},
    {"95% +-", "found ''" MARGIN},
    {"95% +- 5% +- 5%", "found '5% +- 5%'" MARGIN},
    {"top", "found '' after 'top'; expected a number from 1 up, as in 'top 50 by views'"},
    {"top 0 by views",
     "found '0' after 'top'; expected a number from 1 up, as in 'top 50 by views'"},
    {"top 50", "found '' after 'top 50'; expected 'by', as in 'top 50 by views'"},
    {"top 50 of views",
     "found 'of' after 'top 50'; expected 'by', as in 'top 50 by views'"},
    {"top 50 by veiws", "cannot take the top by 'veiws'; did you mean 'views'?" KEYS},
    {"top 50 by", "cannot take the top by '';" KEYS},
    {"top 50 by rank and file", "cannot take the top by 'rank and file';" KEYS},
};

static void check_wrong(void)
{
    for (size_t i = 0; i < ROWS(wrong); i++) {
        struct sample_size_spec spec = {.count = 77}, before = spec;
        struct err err = {0};
        tap_case("refused: '%s'", wrong[i].text);
        CHECK(!sample_size_parse(str_from(wrong[i].text), &spec, &err));
        CHECK(err.kind == ERR_INPUT);
        CHECK_TEXT(err.text, wrong[i].message);
        CHECK(memcmp(&spec, &before, sizeof spec) == 0);
    }
}

static void check_share_rounding(void)
{
    struct sample_size_spec spec = {.kind = SAMPLE_SIZE_BY_SHARE, .share = 0.3};

    tap_case("a share is rounded as the rule says, and only if it must be");
    CHECK(sample_size_of(&spec, 15) == 5);
    CHECK(sample_size_of(&spec, 10) ==
          3); /* 0.3 * 10 is not exactly 3 in all arithmetics */
    spec.rule.round = SAMPLE_SIZE_DOWN;
    CHECK(sample_size_of(&spec, 15) == 4);
    CHECK(sample_size_of(&spec, 2) == 1);
    spec.share = 0.29;
    CHECK(sample_size_of(&spec, 100) == 29); /* 0.29 * 100 is below 29 */
    spec.rule.round = SAMPLE_SIZE_NEAREST;
    CHECK(sample_size_of(&spec, 15) == 4);
    spec.share = 0.5;
    CHECK(sample_size_of(&spec, 15) == 8);
}

static void test_size(void)
{
    check_sizes();
    check_many();
    check_margins();
    check_right();
    check_wrong();
    check_share_rounding();
}

/* The normal quantile against R's qnorm(). */

static const struct {
    const char *name;
    double p, z;
} rows[] = {
    {"far tail", 1e-300, -37.047096299361201},
    {"where the far tail begins", 1e-20, -9.2623400897984052},
    {"tail", 1e-10, -6.3613409024040557},
    {"0.001", 0.001, -3.0902323061678132},
    {"confidence 99%", 0.005, -2.5758293035488999},
    {"confidence 95%", 0.025, -1.9599639845400538},
    {"confidence 90%", 0.05, -1.6448536269514726},
    {"beside the middle's edge", 0.0751, -1.4388253927525398},
    {"middle", 0.3, -0.52440051270804067},
    {"half", 0.5, 0},
    {"above half", 0.6, 0.25334710313579978},
    {"above the middle's edge", 0.9249, 1.4388253927525403},
    {"upper 2.5%", 0.975, 1.9599639845400536},
    {"upper tail", 0.9999999, 5.1993375822906618},
    {"nothing below", 0, -INFINITY},
    {"everything below", 1, INFINITY},
    {"no probability: negative", -0.1, NAN},
    {"no probability: above 1", 1.1, NAN},
    {"no probability: undefined", NAN, NAN},
};

static void test_normal(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        double z = rows[i].z, got = sample_normal_quantile(rows[i].p);
        tap_case("quantile: %s", rows[i].name);
        if (isinf(z))
            CHECK(got == z);
        else
            CHECK_NEAR(got, z, 1e-14 * fmax(1, fabs(z)));
        tap_case("upper quantile: %s", rows[i].name);
        CHECK(isnan(z) ? isnan(sample_normal_upper_quantile(rows[i].p))
                       : sample_normal_upper_quantile(rows[i].p) == -got);
    }
}

int main(void)
{
    test_size();
    test_normal();
    return tap_done();
}
