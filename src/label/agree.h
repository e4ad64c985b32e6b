/* How far raters agree: all coefficients over a table of labels, for the whole, and by
 * pair of raters, code, level of the tree and checkpoint of the work. Pure: labels in,
 * numbers out; they may come from labels.db or from any csv.
 *
 * Where items may have several codes, observed agreement, kappas and AC1 take two labels
 * as equal when their sets of codes are; alpha takes MASI's distance between the sets. */
#ifndef LABEL_AGREE_H
#define LABEL_AGREE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "stats/agreement.h"

#define LABEL_AGREE_NONE SIZE_MAX /* an index that leads nowhere */

/* Of all intervals, wherever they are shown: the report, `assay agree` and the labelling
 * pages say the same of the same labels. */
#define LABEL_AGREE_LEVEL 0.95
enum { LABEL_AGREE_RESAMPLES = 2000 };

struct label_agree_code {
    struct str path, name;
    size_t parent; /* LABEL_AGREE_NONE: at the top */
    int level;     /* 1: top */
};

/* What one rater said of one item: at most one of each pair. */
struct label_agree_label {
    size_t item, rater;
    const size_t *codes; /* at least one, ascending, each once */
    size_t code_count;
    double seconds; /* NAN: not known */
};

/* An order of codes, for coefficients that count how far two labels are apart. */
struct label_agree_order {
    const size_t *places; /* of each code; LABEL_AGREE_NONE: it is outside of the order */
    const double *numbers;   /* of each place; NULL: codes are no numbers */
    const struct str *names; /* of each place */
    size_t count;            /* of places; 0: there is no order */
};

struct label_agree_data {
    const struct str *items, *raters;
    size_t item_count, rater_count;
    size_t planned; /* items that two raters or more are to label; 0: all */
    const struct label_agree_code *codes;
    size_t code_count;
    const struct label_agree_label *labels; /* in the order in which they were given */
    size_t label_count;
    struct label_agree_order order;
    /* Where items have units, `items` are units that raters marked alike, one or more of
     * them, and these the items that they are in; NULL: items have none. */
    const size_t *whole_of;   /* of each unit */
    const struct str *wholes; /* names of items */
    size_t whole_count;
    /* Parts that labels belong to, such as a kind of items; NULL: none. */
    const struct str *parts;
    size_t part_count;
    const size_t *part_of; /* of each label */
};

/* The item, or what a unit is in. */
struct str label_agree_whole(const struct label_agree_data *data, size_t item);

/* What has labels, in words: "units" or "items". */
const char *label_agree_counted(bool units);

/* Sets the order: that of the list of paths or names by commas, in which some may be that
 * nobody used; without a list that of numbers, if there are three codes or more and all
 * of them are numbers. ERR_USAGE when the list has a code twice, fewer than two, or none
 * that was used. */
bool label_agree_set_order(struct label_agree_data *data, struct str list,
                           struct arena *arena, struct err *err) MUST_USE;

/* How many labels of this code have no place in the order; code_count: of several codes
 * at once; LABEL_AGREE_NONE: of all. */
size_t label_agree_outside(const struct label_agree_data *data, size_t code);

/* Coefficients over the items with at least two labels. As in R's irrCAC, items with one
 * count where it is asked how often categories are used, and for the standard error, but
 * for Cohen's kappa and alpha. */
struct label_agree_measures {
    size_t items, labels, raters; /* that count */
    double observed;              /* share of pairs of labels that are equal */
    struct stats_agreement cohen; /* undefined unless just two raters share items */
    struct stats_agreement fleiss, alpha, ac1, brennan_prediger;
    bool sets;           /* some label has several codes: alpha is MASI's */
    const char *warning; /* such as too few items; NULL: none */
    const char *few;     /* that there are too few; NULL: there are not */
};

/* From LABEL_AGREE_ORDERED on they need an order of codes. */
enum label_agree_coefficient {
    LABEL_AGREE_COHEN,
    LABEL_AGREE_FLEISS,
    LABEL_AGREE_ALPHA,
    LABEL_AGREE_AC1,
    LABEL_AGREE_BRENNAN_PREDIGER,
    LABEL_AGREE_COHEN_LINEAR,
    LABEL_AGREE_COHEN_QUADRATIC,
    LABEL_AGREE_ALPHA_ORDINAL,
    LABEL_AGREE_ALPHA_INTERVAL,
    LABEL_AGREE_AC2_LINEAR,
    LABEL_AGREE_AC2_QUADRATIC,
    LABEL_AGREE_BRENNAN_PREDIGER_LINEAR,
    LABEL_AGREE_BRENNAN_PREDIGER_QUADRATIC,
    LABEL_AGREE_COEFFICIENTS,
    LABEL_AGREE_ORDERED = LABEL_AGREE_COHEN_LINEAR,
};

const char *label_agree_name(enum label_agree_coefficient which); /* "Cohen's kappa" */
const char *label_agree_key(enum label_agree_coefficient which);  /* "cohen" */
bool label_agree_find(struct str key, enum label_agree_coefficient *out);

struct label_agree_options {
    const double
        *checkpoints; /* shares of the items, ascending; none: 5%, 10%, 20% ... */
    size_t checkpoint_count;
    double level;      /* of the intervals */
    size_t resamples;  /* for alpha's interval, of the whole alone; 0: no interval */
    bool resample_all; /* for those of all other coefficients, too */
    uint64_t seed;     /* of these */
    bool chosen;       /* one coefficient was chosen: it comes first in the text */
    enum label_agree_coefficient choice;
    size_t top; /* how many items are listed as slowest and most disputed */
};

struct label_agree_estimate {
    struct stats_agreement agreement; /* with the interval that a formula gives */
    double std_error, low, high;      /* by resampling the items (BCa) */
    const char *undefined;            /* of these */
};

struct label_agree_part { /* a checkpoint, a level or a code */
    double share;         /* CHECKPOINT: of the work, in the order of labelling */
    int level;            /* LEVEL: codes below it count as their ancestor there */
    size_t code;          /* CODE: given or not, with all below it */
    int64_t given;        /* CODE: labels that have it */
    struct label_agree_measures measures;
};

struct label_agree_pair {
    size_t first, second; /* raters */
    struct label_agree_measures measures;
    int64_t *table; /* [a * code_count + b], of labels with a single code */
};

struct label_agree_item {
    size_t item;
    double seconds;      /* the mean over its raters; NAN: not known */
    double disagreement; /* share of pairs that differ; NAN: fewer than two labels */
};

/* How far two raters mark the same units, over the items in which each has any: twice
 * those that both have by the sum of what each has, which is the F1 of one against the
 * other. */
struct label_agree_units {
    size_t first, second; /* raters; LABEL_AGREE_NONE: all pairs together */
    int64_t items, first_units, second_units, matched;
    double f1; /* NAN: no items */
};

/* Labels of one part. */
struct label_agree_among {
    struct str name;
    size_t items, labels; /* that have a label there */
    struct label_agree_measures measures;
};

/* Saturation: after so many items, so many codes had been used at least once. */
struct label_agree_step {
    size_t items, codes;
};

struct label_agree_report {
    const struct label_agree_data *data;
    struct label_agree_measures all;
    struct label_agree_estimate estimates[LABEL_AGREE_COEFFICIENTS]; /* of the whole */
    bool chosen; /* as the options say */
    enum label_agree_coefficient choice;
    struct label_agree_part *checkpoints, *levels, *codes;
    size_t checkpoint_count, level_count, code_count;
    struct label_agree_pair *pairs; /* those that share items */
    size_t pair_count;
    struct label_agree_units *units; /* of pairs, then of all; where items have units */
    size_t unit_count;
    struct label_agree_among *among; /* of each part of the data */
    size_t among_count;
    struct label_agree_step *saturation; /* one for each item that brought a new code, and
                                      the last item */
    size_t saturation_count;
    struct label_agree_item *slowest, *disputed;
    size_t slowest_count, disputed_count;
};

/* Everything lives in arena; *data must last as long as the report. */
struct label_agree_report label_agree_report(const struct label_agree_data *data,
                                             const struct label_agree_options *options,
                                             struct arena *arena);

/* The whole alone. */
struct label_agree_measures label_agree_measure(const struct label_agree_data *data,
                                                const struct label_agree_options *options,
                                                struct arena *arena);

/* Labels from a csv, in which several rows of one item and rater are several codes. Empty
 * labels are no labels. ERR_INPUT with "path:line: " for a missing column or an empty
 * item or rater. */
struct label_agree_columns {
    struct str item, rater, label;
    /* Which unit of the item, and where it is; empty: none, or with `usual` "unit", and
     * with that "place", if there are such columns. Units of several raters are matched
     * as label/unit.h has it. */
    struct str unit, place;
    bool usual;
    struct str by;   /* the part that a label belongs to; empty: none */
    char separator;  /* of several codes in a cell; 0: none */
    struct str wide; /* columns by commas, one for each rater, in place of `rater` and
                      * `label`; empty: a row is one label */
};

bool label_agree_read(const char *path, const struct label_agree_columns *columns,
                      struct arena *arena, struct label_agree_data *out,
                      struct err *err) MUST_USE;

/* The same for text already in memory; path names it in messages. */
bool label_agree_parse(struct str text, const char *path,
                       const struct label_agree_columns *columns, struct arena *arena,
                       struct label_agree_data *out, struct err *err) MUST_USE;

/* The report for people and for programs. */
void label_agree_head(const char *what, bool units, struct buf *out); /* of a table */
void label_agree_row(const struct label_agree_measures *measures, struct buf *out);
void label_agree_text(const struct label_agree_report *report, struct buf *out);
void label_agree_json(const struct label_agree_report *report, struct buf *out);

#endif
