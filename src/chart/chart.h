/* Figures that go straight into a paper, as SVG, PDF or PNG. The caller fills in names
 * and numbers; size, ticks, labels and colours are chosen here so that nothing overlaps.
 * The same chart gives the same bytes with the same versions of Liberation Sans, Cairo
 * and Pango, whatever other fonts the machine has. */
#ifndef CHART_CHART_H
#define CHART_CHART_H

#include "base/buf.h"
#include "base/err.h"

enum chart_kind {
    CHART_BARS,         /* a bar for each category and series, beside each other */
    CHART_BARS_STACKED, /* the series on top of each other */
    CHART_BARS_FULL,    /* the same, each category's sum being 100% */
    CHART_LINES,        /* y over x; with `steps` for saturation; agreement by checkpoint,
                           learning curves */
    CHART_BOXES,
    CHART_HISTOGRAM, /* of the x of one series */
    CHART_ECDF,      /* of the x of each series */
    CHART_SURVIVAL,  /* Kaplan-Meier curves with a table of those at risk */
    CHART_HEAT,      /* a row for each series, a column for each category */
    CHART_FUNNEL,    /* categories are the steps, the series is what each let through */
    CHART_TREE,
    CHART_ALLUVIAL, /* from each series (left, y_title) to each category (right) */
    CHART_SCATTER,
    CHART_FOREST, /* an estimate with its interval for each category */
};

struct chart_colour {
    double red, green, blue, alpha; /* alpha 0: not drawn */
};

/* "#0072B2", with or without the sign, or one of blue, orange, green, vermillion, sky,
 * purple, yellow, grey; false: none of these. */
bool chart_colour_parse(struct str text, struct chart_colour *out) MUST_USE;

enum chart_format { CHART_SVG, CHART_PDF, CHART_PNG /* 300 dpi */ };
enum chart_scale { CHART_LINEAR, CHART_LOG, CHART_YEARS };
enum chart_number { CHART_PLAIN, CHART_PERCENT /* 0.25 is shown as 25% */ };
enum chart_direction {
    CHART_AUTO, /* lying when names are long */
    CHART_UPRIGHT,
    CHART_LYING,
};

/* Widths of a column and of two in most journals and proceedings. */
#define CHART_ONE_COLUMN_CM  8.5
#define CHART_TWO_COLUMNS_CM 17.5

enum {
    CHART_CATEGORIES_MAX = 120, /* names that still can be told apart on a page */
    CHART_SERIES_MAX = 40,
    CHART_LEVELS_MAX = 4,
};

/* Each array is NULL or has `count` numbers; NAN is a value that is missing. */
struct chart_series {
    struct str name;
    const double *x;          /* not for kinds with categories; survival: ascending */
    const double *y;          /* kinds with categories: one for each of them */
    const double *low, *high; /* interval around each y */
    const double *at_risk;    /* survival: how many just before x */
    const struct str *labels; /* scatter: names of points */
    const bool *partial;      /* bars, lines: of a period that was not over when the data
                                 ended: hatched, or at the end of a broken line */
    size_t count;
};

/* Bars: categories first .. first + count stand together, below or beside the name. */
struct chart_panel {
    struct str name;
    size_t first, count;
};

/* What a box shows is computed by the caller, who knows which quantile is meant. */
struct chart_box {
    struct str name;
    int64_t n;
    double low, first, median, third, high; /* whiskers, quartiles; NAN: no values */
    double notch_low, notch_high; /* interval of the median, within the box; equal: no
                                     notch */
    const double *outliers;
    size_t outlier_count;
    size_t hidden; /* values of 0 or less that a log scale does not have: no whisker
                      reaches to them, and they are no outliers */
};

/* Nodes come in reading order: each after its parent, level by level deeper by one. */
struct chart_node {
    struct str name;
    int level;    /* 0: a root */
    double share; /* of the whole, 0 .. 1; NAN: not shown */
};

/* All zeros is a good start. Texts are UTF-8; what is not is replaced by U+FFFD. */
struct chart {
    enum chart_kind kind;
    struct str title;            /* may be empty: captions often say it */
    struct str x_title, y_title; /* with units. x is the axis of categories, y that of
                                    values, also when bars lie */
    double width_cm;             /* 0: one column */
    double height_cm;            /* 0: suitable. More is taken where names need it */
    enum chart_scale x_scale, y_scale;
    enum chart_number x_number, y_number;
    enum chart_direction direction; /* bars and boxes */
    int x_parts;                    /* years: into how many parts they go, 4 or 12 */
    bool
        limited; /* the axis of values (histogram, ecdf, survival: of x; heat: colours) */
    double limit_low, limit_high;       /* goes from here to here */
    const struct chart_colour *palette; /* of series, in this order; then hatched */
    size_t palette_count;               /* 0: the usual one */
    bool patterns;                      /* hatching besides colour, for print */
    bool steps;                         /* lines: values hold until the next x */
    bool diverging;                     /* heat: -1 .. 1 around a neutral 0 */
    bool equal; /* scatter: x and y go from 0 to 1, with a line where they are equal */
    double neutral;  /* forest: a line at the value of no effect, 1 of ratios; 0: none */
    size_t bins;     /* histogram: so many at most; 0: suitable */
    struct str note; /* sentences below the figure */

    const struct str *categories;
    size_t category_count;
    const double *few; /* bars of 100%: what a category's shares rest on, where that is
                          little; NAN: it is not. May be NULL */
    const struct chart_panel *panels; /* of all categories, one after the other */
    size_t panel_count;               /* 0: none */
    const struct chart_series *series;
    size_t series_count;
    const struct chart_box *boxes;
    size_t box_count;
    const struct chart_node *nodes;
    size_t node_count;
};

/* Adds the figure's bytes to out. Without data the figure says "no data". ERR_INPUT when
 * numbers contradict the kind, such as a negative part of a stack; ERR_SYSTEM when
 * the font is not installed. */
bool chart_draw(const struct chart *chart, enum chart_format format, struct buf *out,
                struct err *err) MUST_USE;

/* 0, or a number for the further fonts that ASSAY_FONTS names: figures drawn with others
 * have other bytes. */
uint64_t chart_fonts_named(void);

/* Adds the letters of a text that no font has, each once, as UTF-8; a figure shows boxes
 * for them. */
bool chart_missing(struct str text, struct buf *out, struct err *err) MUST_USE;

/* Adds how to have letters drawn that chart_missing() gave: what to install on Debian,
 * unless it is, and what to set. */
void chart_fonts_advise(struct str missing, struct buf *out);

/* What the figure shows, in words, on one line: its kind, axes and values. */
void chart_describe(const struct chart *chart, struct buf *out);

#endif
