/* Shared inside chart/ alone. A figure comes about in two steps: a kind puts items on a
 * sheet (all measures in points of 1/72 inch, y downwards), then the painter hands the
 * items to Cairo. Tests look at the items. */
#ifndef CHART_INTERNAL_H
#define CHART_INTERNAL_H

#include <pango/pango.h>

#include "base/arena.h"
#include "chart/chart.h"

struct point {
    double x, y;
};

struct area {
    double left, top, width, height;
};

static inline double area_right(struct area area)
{
    return area.left + area.width;
}

static inline double area_bottom(struct area area)
{
    return area.top + area.height;
}

bool area_overlaps(struct area a, struct area b); /* sharing an edge is no overlap */
bool area_crossed(struct area area, struct point from, struct point to); /* by a line */

/* theme.c: colours and lines */

struct colour {
    double red, green, blue, alpha; /* alpha 0: not drawn */
};

enum pattern {
    PATTERN_NONE,
    PATTERN_RISING,
    PATTERN_FALLING,
    PATTERN_LEVEL,
    PATTERN_CROSS
};
enum dash { DASH_NONE, DASH_LONG, DASH_SHORT, DASH_DOTS };
enum shape { SHAPE_CIRCLE, SHAPE_SQUARE, SHAPE_TRIANGLE, SHAPE_DIAMOND };

struct ink {
    struct colour fill, stroke;
    double line; /* width of the stroke */
    enum dash dash;
    enum pattern pattern;
};

extern const struct colour THEME_TEXT, THEME_QUIET, THEME_AXIS, THEME_GRID, THEME_PALE;
extern const struct colour THEME_WHITE;

struct colour theme_colour(size_t series); /* safe for the colour-blind */
struct colour theme_text(size_t series); /* the same, dark enough for letters on white */
struct colour theme_mix(struct colour colour, double share); /* the rest is white */
struct colour theme_on(struct colour background);            /* of text: black or white */
struct colour theme_ramp(double share, bool diverging);      /* 0 .. 1, or -1 .. 1 */
struct ink theme_fill(size_t series, bool patterns);
struct ink theme_line(size_t series, bool patterns);
struct ink theme_rule(struct colour colour, double width);
enum shape theme_shape(size_t series);

/* fonts.c: the fonts of figures, which the caller gives back with g_object_unref(). NULL,
 * with ERR_SYSTEM, when they are not on this machine. */
PangoFontMap *fonts_open(struct err *err);

/* text.c: measuring with Pango */

struct style {
    double size;
    bool bold;
    bool upright;     /* read from bottom to top */
    double width_max; /* along the line; 0: any. What is longer is wrapped, */
    int lines_max;    /* then cut with an ellipsis; 0: one line */
    PangoAlignment align;
    struct colour colour;
};

struct extent {
    double width, height;
    int lines;
    bool cut; /* with an ellipsis, or a word was broken */
};

extern const struct style STYLE_TITLE, STYLE_AXIS, STYLE_TICK, STYLE_VALUE, STYLE_NOTE;

struct text {
    PangoFontMap *fonts;
    PangoContext *context;
    PangoLayout *layout; /* of the text looked at last */
};

bool text_open(struct text *text, struct err *err) MUST_USE;
void text_close(struct text *text); /* a zeroed one is fine */
PangoLayout *text_layout(struct text *text, struct str s, const struct style *style);

/* UTF-8 as XML and Pango want it, in one line: what is no character becomes U+FFFD,
 * controls become blanks. What is longer than any figure can show is cut. */
struct str text_clean(struct str s, struct arena *arena);

struct extent text_measure(struct text *text, struct str s, const struct style *style);

/* sheet.c: what has been drawn so far */

enum role {
    ROLE_TITLE,
    ROLE_AXIS, /* lines and titles of axes */
    ROLE_GRID,
    ROLE_TICK, /* names at an axis */
    ROLE_LEGEND,
    ROLE_MARK,     /* shows a value */
    ROLE_INTERVAL, /* around a value */
    ROLE_LABEL,    /* names or numbers beside marks */
    ROLE_NOTE,
};

struct tag {
    enum role role;
    size_t series, index; /* of the value that a mark shows */
};

enum item_kind { ITEM_BOX, ITEM_PATH, ITEM_DOT, ITEM_TEXT };

struct item {
    enum item_kind kind;
    struct tag tag;
    struct area area; /* that it covers on the page, without the width of lines */
    struct ink ink;
    struct point *points; /* path */
    size_t count;
    bool closed;
    enum shape shape; /* dot */
    struct str text;
    struct style style;
};

struct sheet {
    const struct chart *chart;
    struct arena *arena;
    struct text text;
    double width, height; /* height is known when everything is laid out */
    double top;           /* where the next thing may begin */
    struct item *items;
    size_t count, capacity;
    size_t left_out; /* values that a log scale cannot show */
};

#define SHEET_MARGIN     3.0
#define SHEET_GAP        4.0
#define SHEET_HEIGHT_MAX (24.0 / 2.54 * 72) /* what stands on a page of A4 */

/* Where a text is held: the point of its box at these shares of width and height. */
struct grip {
    double x, y;
};

bool sheet_open(struct sheet *sheet, const struct chart *chart, struct arena *arena,
                struct err *err) MUST_USE;
void sheet_close(struct sheet *sheet);
double sheet_inner(const struct sheet *sheet); /* width between the margins */
struct point *sheet_points(struct sheet *sheet, size_t count);

void sheet_box(struct sheet *sheet, struct tag tag, struct area area, struct ink ink);
void sheet_line(struct sheet *sheet, struct tag tag, struct point from, struct point to,
                struct ink ink);
/* Keeps points. */
void sheet_path(struct sheet *sheet, struct tag tag, struct point *points, size_t count,
                bool closed, struct ink ink);
void sheet_dot(struct sheet *sheet, struct tag tag, struct point centre, double radius,
               enum shape shape, struct ink ink);
struct area sheet_text(struct sheet *sheet, struct tag tag, struct str text,
                       const struct style *style, struct point at, struct grip grip);

struct extent sheet_measure(struct sheet *sheet, struct str text,
                            const struct style *style);
struct area sheet_held(struct extent extent, struct point at, struct grip grip);
bool sheet_is_free(const struct sheet *sheet,
                   struct area area); /* of texts, dots, leaders */
void sheet_title(struct sheet *sheet);
void sheet_finish(struct sheet *sheet, double bottom); /* notes and the page's height */

/* Moves boxes of the given heights along a line so that they overlap nowhere and stay
 * between low and high, each as near to its centre as can be (least squares). Centres
 * must ascend; what is too much for the room goes on beyond high. */
void sheet_spread(double *centres, const double *heights, size_t count, double low,
                  double high, struct arena *arena);

/* axis.c */

/* 1234567.891 with 1 decimal: "1,234,567.9"; a minus is U+2212. */
struct str number_fixed(double value, int decimals, struct arena *arena);

/* As beside a mark: whole numbers in full up to a million, else three digits and k, M, G
 * or T; percents with one decimal. */
struct str number_short(double value, enum chart_number number, struct arena *arena);

/* A share in whole percents, with a decimal near the ends: "37%", "0.4%", "99.7%",
 * "<0.1%". Only nothing is 0% and only all is 100%. */
struct str number_percent(double share, struct arena *arena);

/* axis.c */

struct axis {
    enum chart_scale scale;
    enum chart_number number;
    bool whole;       /* counts: no ticks between whole numbers */
    bool tight;       /* ends where the data end instead of at a tick */
    double low, high; /* ends */
    double from, to;  /* their places on the page */
    double *ticks;
    size_t tick_count;
    int decimals;
    double unit; /* 1, or 1e6 when ticks are in M */
};

/* Chooses ticks at round numbers, at most ticks_max of them (3 or more, as
 * a range around 0 needs), and ends that
 * take in low .. high. On a log scale low must be above 0. */
void axis_choose(struct axis *axis, double low, double high, size_t ticks_max,
                 struct arena *arena);
double axis_at(const struct axis *axis, double value); /* its place; ends for beyond */
struct str axis_name(const struct axis *axis, double tick, struct arena *arena);

/* frame.c: a plot between its axes */

/* One direction of a plot: names of bands of equal width, or an axis of numbers that
 * takes in low .. high. */
struct side {
    struct str title;
    const struct str *names;
    size_t count;
    struct axis axis;
    double low, high;
    bool no_grid;
};

struct frame {
    struct side across, up;
    bool lying;         /* categories are at the left, values go across */
    double right;       /* kept free at the right, for labels */
    double above;       /* and above the plot */
    double below;       /* and between the names of the axis and its title */
    double foot;        /* and below everything, from `bottom` on */
    double left_min;    /* the plot does not begin before this */
    double plot_height; /* suitable one */
    double row_min;     /* least height of a band */
    struct area plot;   /* results: the inside, */
    double below_top;   /* what was kept free below, */
    double bottom;      /* and the end of it all */
};

/* frame.c. Widens low .. high to take in the values that the axis can show. Begin with
 * side_begin(); side_settle() makes a range of nothing, and lets it begin at 0 if asked
 * to or if 0 is near. */
void side_begin(struct side *side);
void side_include(struct side *side, const double *values, size_t count);
void side_settle(struct side *side, bool from_zero);

void frame_draw(struct sheet *sheet, struct frame *frame);
double frame_band(const struct frame *frame, bool up, size_t band); /* its centre */

/* For kinds that may lie: the sides, whichever way; the place of a value along its axis;
 * a point by its places along and across the direction of values. */
void frame_lay(struct frame *frame, const struct side *categories,
               const struct side *values);
double frame_value(const struct frame *frame, double value);
struct point frame_turned(const struct frame *frame, double along, double across);
double frame_band_width(const struct frame *frame);

/* A thin line from value low to value high with small ends, if both can be shown. */
void frame_whisker(struct sheet *sheet, const struct frame *frame, struct tag tag,
                   double low, double high, double centre);

/* Whether the axis can show the value. What a log scale cannot show is counted. */
bool frame_shows(struct sheet *sheet, const struct axis *axis, double value);

/* Whether the names fit under bands of this width in two lines each, no word broken. If
 * so, *style, unless it is NULL, is how. */
bool frame_names_fit(struct sheet *sheet, const struct str *names, size_t count,
                     double band, struct style *style);

/* frame.c: the names of all series with their colours, in rows below the title */

enum key { KEY_FILL, KEY_LINE, KEY_DOT };
void legend_draw(struct sheet *sheet, enum key key);

/* curve.c: lines and steps */

struct curve {
    const double *x, *y, *low, *high;
    size_t count;
    bool steps;
    bool dots;
};

void curve_draw(struct sheet *sheet, const struct frame *frame, const struct curve *curve,
                size_t series);

/* The names of the series at the right end of their curves. ends: where, by series; NAN
 * has none. */
void curve_names(struct sheet *sheet, const struct frame *frame, const double *ends);
double curve_names_width(struct sheet *sheet); /* 0: a legend is better */

/* The kinds: each puts its chart, which has been checked, on the sheet. */
void bars_draw(struct sheet *sheet);
void lines_draw(struct sheet *sheet);
void boxes_draw(struct sheet *sheet);
void distribution_draw(struct sheet *sheet);
void survival_draw(struct sheet *sheet);
void heat_draw(struct sheet *sheet);
void funnel_draw(struct sheet *sheet);
void tree_draw(struct sheet *sheet);
void alluvial_draw(struct sheet *sheet);
void scatter_draw(struct sheet *sheet);
void forest_draw(struct sheet *sheet);

/* check.c: whether the numbers are what the kind needs. *empty: there is none to show. */
bool check_chart(const struct chart *chart, bool *empty, struct err *err) MUST_USE;

/* chart.c: checks the chart and lays it out on the sheet, which is open. */
bool chart_layout(struct sheet *sheet, struct err *err) MUST_USE;

/* paint.c: the sheet's items as a file's bytes */
bool paint_sheet(struct sheet *sheet, enum chart_format format, struct buf *out,
                 struct err *err) MUST_USE;

#endif
