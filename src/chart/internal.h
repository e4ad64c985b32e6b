/* Shared inside chart/ alone. A figure comes about in two steps: a kind puts items on a
 * sheet (all measures in points of 1/72 inch, y downwards), then the painter hands the
 * items to Cairo. Tests look at the items. */
#ifndef CHART_INTERNAL_H
#define CHART_INTERNAL_H

#include <pango/pango.h>

#include "base/arena.h"
#include "chart/chart.h"

struct chart_point {
    double x, y;
};

struct chart_area {
    double left, top, width, height;
};

static inline double chart_area_right(struct chart_area area)
{
    return area.left + area.width;
}

static inline double chart_area_bottom(struct chart_area area)
{
    return area.top + area.height;
}

bool chart_area_overlaps(struct chart_area a,
                         struct chart_area b); /* sharing an edge is no overlap */
bool chart_area_crossed(struct chart_area area, struct chart_point from,
                        struct chart_point to); /* by a line */

/* theme.c: colours and lines */

enum chart_pattern {
    CHART_PATTERN_NONE,
    CHART_PATTERN_RISING,
    CHART_PATTERN_FALLING,
    CHART_PATTERN_LEVEL,
    CHART_PATTERN_CROSS
};
enum chart_dash { CHART_DASH_NONE, CHART_DASH_LONG, CHART_DASH_SHORT, CHART_DASH_DOTS };
enum chart_shape {
    CHART_SHAPE_CIRCLE,
    CHART_SHAPE_SQUARE,
    CHART_SHAPE_TRIANGLE,
    CHART_SHAPE_DIAMOND
};

struct chart_ink {
    struct chart_colour fill, stroke;
    double line; /* width of the stroke */
    enum chart_dash dash;
    enum chart_pattern pattern;
};

extern const struct chart_colour THEME_TEXT, THEME_QUIET, THEME_AXIS, THEME_GRID,
    THEME_PALE;
extern const struct chart_colour CHART_THEME_WHITE;

/* Of the chart's palette; without one safe for the colour-blind. */
struct chart_colour chart_theme_colour(const struct chart *chart, size_t series);
struct chart_colour
chart_theme_text(const struct chart *chart,
                 size_t series); /* the same, dark enough for letters on white */
struct chart_colour chart_theme_mix(struct chart_colour colour,
                                    double share); /* the rest is white */
struct chart_colour
chart_theme_on(struct chart_colour background); /* of text: black or white */
struct chart_colour chart_theme_ramp(const struct chart *chart, double share,
                                     bool diverging); /* 0 .. 1, or -1 .. 1 */
struct chart_ink chart_theme_fill(const struct chart *chart, size_t series);
struct chart_ink chart_theme_line(const struct chart *chart, size_t series);
struct chart_ink chart_theme_rule(struct chart_colour colour, double width);
enum chart_shape chart_theme_shape(size_t series);
struct chart_ink chart_theme_partial(struct chart_ink ink); /* of what is not complete */

/* fonts.c: the fonts of figures, which the caller gives back with g_object_unref(). NULL,
 * with ERR_SYSTEM, when they are not on this machine. */
PangoFontMap *fonts_open(struct err *err);

/* text.c: measuring with Pango */

struct chart_style {
    double size;
    bool bold;
    bool upright;     /* read from bottom to top */
    double width_max; /* along the line; 0: any. What is longer is wrapped, */
    int lines_max;    /* then cut with an ellipsis; 0: one line */
    PangoAlignment align;
    struct chart_colour colour;
};

struct chart_extent {
    double width, height;
    int lines;
    bool cut; /* with an ellipsis, or a word was broken */
};

extern const struct chart_style STYLE_TITLE, STYLE_AXIS, STYLE_TICK, STYLE_VALUE,
    STYLE_NOTE;

struct chart_text {
    PangoFontMap *fonts;
    PangoContext *context;
    PangoLayout *layout; /* of the text looked at last */
};

bool chart_text_open(struct chart_text *text, struct err *err) MUST_USE;
void chart_text_close(struct chart_text *text); /* a zeroed one is fine */
PangoLayout *text_layout(struct chart_text *text, struct str s,
                         const struct chart_style *style);

/* UTF-8 as XML and Pango want it, in one line: what is no character becomes U+FFFD,
 * controls become blanks. What is longer than any figure can show is cut. */
struct str chart_text_clean(struct str s, struct arena *arena);

struct chart_extent chart_text_measure(struct chart_text *text, struct str s,
                                       const struct chart_style *style);

/* sheet.c: what has been drawn so far */

enum chart_role {
    CHART_ROLE_TITLE,
    CHART_ROLE_AXIS, /* lines and titles of axes */
    CHART_ROLE_GRID,
    CHART_ROLE_TICK, /* names at an axis */
    CHART_ROLE_LEGEND,
    CHART_ROLE_MARK,     /* shows a value */
    CHART_ROLE_INTERVAL, /* around a value */
    CHART_ROLE_LABEL,    /* names or numbers beside marks */
    CHART_ROLE_NOTE,
};

struct chart_tag {
    enum chart_role role;
    size_t series, index; /* of the value that a mark shows */
};

enum chart_item_kind { CHART_ITEM_BOX, CHART_ITEM_PATH, CHART_ITEM_DOT, CHART_ITEM_TEXT };

struct chart_item {
    enum chart_item_kind kind;
    struct chart_tag tag;
    struct chart_area area; /* that it covers on the page, without the width of lines */
    struct chart_ink ink;
    struct chart_point *points; /* path */
    size_t count;
    bool closed;
    enum chart_shape shape; /* dot */
    struct str text;
    struct chart_style style;
};

struct chart_sheet {
    const struct chart *chart;
    struct arena *arena;
    struct chart_text text;
    double width, height; /* height is known when everything is laid out */
    double top;           /* where the next thing may begin */
    struct chart_item *items;
    size_t count, capacity;
    size_t left_out; /* values that a log scale cannot show */
    size_t beyond;   /* values outside the limits of an axis */
};

#define CHART_SHEET_MARGIN     3.0
#define CHART_SHEET_GAP        4.0
#define CHART_SHEET_HEIGHT_MAX (24.0 / 2.54 * 72) /* what stands on a page of A4 */

/* Where a text is held: the point of its box at these shares of width and height. */
struct chart_grip {
    double x, y;
};

bool chart_sheet_open(struct chart_sheet *sheet, const struct chart *chart,
                      struct arena *arena, struct err *err) MUST_USE;
void chart_sheet_close(struct chart_sheet *sheet);
double chart_sheet_inner(const struct chart_sheet *sheet); /* width between the margins */
struct chart_point *chart_sheet_points(struct chart_sheet *sheet, size_t count);

void chart_sheet_box(struct chart_sheet *sheet, struct chart_tag tag,
                     struct chart_area area, struct chart_ink ink);
void chart_sheet_line(struct chart_sheet *sheet, struct chart_tag tag,
                      struct chart_point from, struct chart_point to,
                      struct chart_ink ink);
/* Keeps points. */
void chart_sheet_path(struct chart_sheet *sheet, struct chart_tag tag,
                      struct chart_point *points, size_t count, bool closed,
                      struct chart_ink ink);
void chart_sheet_dot(struct chart_sheet *sheet, struct chart_tag tag,
                     struct chart_point centre, double radius, enum chart_shape shape,
                     struct chart_ink ink);
struct chart_area chart_sheet_text(struct chart_sheet *sheet, struct chart_tag tag,
                                   struct str text, const struct chart_style *style,
                                   struct chart_point at, struct chart_grip grip);

struct chart_extent chart_sheet_measure(struct chart_sheet *sheet, struct str text,
                                        const struct chart_style *style);
struct chart_area chart_sheet_held(struct chart_extent extent, struct chart_point at,
                                   struct chart_grip grip);
bool chart_sheet_is_free(const struct chart_sheet *sheet,
                         struct chart_area area); /* of texts, dots, leaders */
void chart_sheet_title(struct chart_sheet *sheet);
/* A sentence below what ends at `bottom`; where it ends. */
double chart_sheet_note(struct chart_sheet *sheet, struct str text, double bottom);
void chart_sheet_finish(struct chart_sheet *sheet,
                        double bottom); /* notes and the page's height */

/* Moves boxes of the given heights along a line so that they overlap nowhere and stay
 * between low and high, each as near to its centre as can be (least squares). Centres
 * must ascend; what is too much for the room goes on beyond high. */
void chart_sheet_spread(double *centres, const double *heights, size_t count, double low,
                        double high, struct arena *arena);

/* axis.c */

/* 1234567.891 with 1 decimal: "1,234,567.9"; a minus is U+2212. */
struct str chart_number_fixed(double value, int decimals, struct arena *arena);

/* As beside a mark: whole numbers in full up to a million, else three digits and k, M, G
 * or T; percents with one decimal. */
struct str chart_number_short(double value, enum chart_number number,
                              struct arena *arena);

/* A share in whole percents, with a decimal near the ends: "37%", "0.4%", "99.7%",
 * "<0.1%". Only nothing is 0% and only all is 100%. */
struct str chart_number_percent(double share, struct arena *arena);

/* axis.c */

struct chart_axis {
    enum chart_scale scale;
    enum chart_number number;
    bool whole;       /* counts: no ticks between whole numbers */
    bool tight;       /* ends where the data end instead of at a tick */
    bool limited;     /* what is beyond the ends is left out, not put at the end */
    int parts;        /* of a year: 4, 12; else years are whole */
    bool in_parts;    /* result: ticks are at parts of years */
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
void chart_axis_choose(struct chart_axis *axis, double low, double high, size_t ticks_max,
                       struct arena *arena);
double chart_axis_at(const struct chart_axis *axis,
                     double value); /* its place; ends for beyond */
/* 2018.25 as "2018", "2018-Q2" or "2018-04": by the parts that years go into. */
struct str chart_year_name(double year, int parts, struct arena *arena);
bool chart_axis_reaches(const struct chart_axis *axis, double value); /* its limits */
struct str chart_axis_name(const struct chart_axis *axis, double tick,
                           struct arena *arena);

/* frame.c: a plot between its axes */

/* One direction of a plot: names of bands of equal width, or an axis of numbers that
 * takes in low .. high. */
struct chart_side {
    struct str title;
    const struct str *names;
    size_t count;
    struct chart_axis axis;
    double low, high;
    bool no_grid;
};

struct chart_frame {
    struct chart_side across, up;
    bool lying;             /* categories are at the left, values go across */
    double right;           /* kept free at the right, for labels */
    double above;           /* and above the plot */
    double below;           /* and between the names of the axis and its title */
    double foot;            /* and below everything, from `bottom` on */
    double left_min;        /* the plot does not begin before this */
    double plot_height;     /* suitable one */
    double row_min;         /* least height of a band */
    struct chart_area plot; /* results: the inside, */
    double below_top;       /* what was kept free below, */
    double bottom;          /* and the end of it all */
};

/* frame.c. Widens low .. high to take in the values that the axis can show. Begin with
 * chart_side_begin(); chart_side_settle() makes a range of nothing, and lets it begin at
 * 0 if asked to or if 0 is near. */
void chart_side_begin(struct chart_side *side);
void chart_side_begin_x(struct chart_side *side,
                        const struct chart *chart); /* with all x of its series */
void chart_side_begin_y(struct chart_side *side,
                        const struct chart *chart); /* with all y and their intervals */
void chart_side_include(struct chart_side *side, const double *values, size_t count);
void chart_side_settle(struct chart_side *side, bool from_zero);
void chart_side_limit(struct chart_side *side,
                      const struct chart *chart); /* to the limits it asks for */

void chart_frame_draw(struct chart_sheet *sheet, struct chart_frame *frame);
double chart_frame_band(const struct chart_frame *frame, bool up,
                        size_t band); /* its centre */

/* For kinds that may lie: the sides, whichever way; the place of a value along its axis;
 * a point by its places along and across the direction of values. */
void chart_frame_lay(struct chart_frame *frame, const struct chart_side *categories,
                     const struct chart_side *values);
double chart_frame_value(const struct chart_frame *frame, double value);
struct chart_point chart_frame_turned(const struct chart_frame *frame, double along,
                                      double across);
double chart_frame_band_width(const struct chart_frame *frame);

/* A thin line from value low to value high with small ends, if both can be shown. */
void chart_frame_whisker(struct chart_sheet *sheet, const struct chart_frame *frame,
                         struct chart_tag tag, double low, double high, double centre);

/* Whether the axis can show the value. What a log scale cannot show is counted, and what
 * lies beyond limits. */
bool chart_frame_shows(struct chart_sheet *sheet, const struct chart_axis *axis,
                       double value);

/* Whether the names fit under bands of this width in two lines each, no word broken. If
 * so, *style, unless it is NULL, is how. */
bool chart_frame_names_fit(struct chart_sheet *sheet, const struct str *names,
                           size_t count, double band, struct chart_style *style);

/* frame.c: the names of all series with their colours, in rows below the title */

enum chart_key { CHART_KEY_FILL, CHART_KEY_LINE, CHART_KEY_DOT };
void chart_legend_draw(struct chart_sheet *sheet, enum chart_key key);

/* curve.c: lines and steps */

struct chart_curve {
    const double *x, *y, *low, *high;
    const bool *partial; /* may be NULL */
    size_t count;
    bool steps;
    bool dots;
};

void chart_curve_draw(struct chart_sheet *sheet, const struct chart_frame *frame,
                      const struct chart_curve *curve, size_t series);

/* The names of the series at the right end of their curves. ends: where, by series; NAN
 * has none. */
void chart_curve_names(struct chart_sheet *sheet, const struct chart_frame *frame,
                       const double *ends);
double chart_curve_names_width(struct chart_sheet *sheet); /* 0: a legend is better */

/* The kinds: each puts its chart, which has been checked, on the sheet. */
void chart_bars_draw(struct chart_sheet *sheet);
void chart_lines_draw(struct chart_sheet *sheet);
void chart_boxes_draw(struct chart_sheet *sheet);
void chart_distribution_draw(struct chart_sheet *sheet);
void chart_survival_draw(struct chart_sheet *sheet);
void chart_heat_draw(struct chart_sheet *sheet);
void chart_funnel_draw(struct chart_sheet *sheet);
void chart_tree_draw(struct chart_sheet *sheet);
void chart_alluvial_draw(struct chart_sheet *sheet);
void chart_scatter_draw(struct chart_sheet *sheet);
void chart_forest_draw(struct chart_sheet *sheet);

/* check.c: whether the numbers are what the kind needs. *empty: there is none to show. */
bool chart_check_chart(const struct chart *chart, bool *empty, struct err *err) MUST_USE;

/* chart.c: checks the chart and lays it out on the sheet, which is open. */
bool chart_layout(struct chart_sheet *sheet, struct err *err) MUST_USE;

/* paint.c: the sheet's items as a file's bytes */
bool chart_paint_sheet(struct chart_sheet *sheet, enum chart_format format,
                       struct buf *out, struct err *err) MUST_USE;

#endif
