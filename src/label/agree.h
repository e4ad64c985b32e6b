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

#define AGREE_NONE SIZE_MAX /* an index that leads nowhere */

/* Of all intervals, wherever they are shown: the report, `assay agree` and the labelling
 * pages say the same of the same labels. */
#define AGREE_LEVEL 0.95
enum { AGREE_RESAMPLES = 2000 };

struct agree_code {
    struct str path, name;
    size_t parent; /* AGREE_NONE: at the top */
    int level;     /* 1: top */
};

/* What one rater said of one item: at most one of each pair. */
struct agree_label {
    size_t item, rater;
    const size_t *codes; /* at least one, ascending, each once */
    size_t code_count;
    double seconds; /* NAN: not known */
};

/* An order of codes, for coefficients that count how far two labels are apart. */
struct agree_order {
    const size_t *places;    /* of each code; AGREE_NONE: it is outside of the order */
    const double *numbers;   /* of each place; NULL: codes are no numbers */
    const struct str *names; /* of each place */
    size_t count;            /* of places; 0: there is no order */
};

struct agree_data {
    const struct str *items, *raters;
    size_t item_count, rater_count;
    size_t planned; /* items that two raters or more are to label; 0: all */
    const struct agree_code *codes;
    size_t code_count;
    const struct agree_label *labels; /* in the order in which they were given */
    size_t label_count;
    struct agree_order order;
};

/* Sets the order: that of the list of paths or names by commas, in which some may be that
 * nobody used; without a list that of numbers, if there are three codes or more and all
 * of them are numbers. ERR_USAGE when the list has a code twice, fewer than two, or none
 * that was used. */
bool agree_set_order(struct agree_data *data, struct str list, struct arena *arena,
                     struct err *err) MUST_USE;

/* Coefficients over the items with at least two labels. As in R's irrCAC, items with one
 * count where it is asked how often categories are used, and for the standard error, but
 * for Cohen's kappa and alpha. */
struct agree_measures {
    size_t items, labels, raters; /* that count */
    double observed;              /* share of pairs of labels that are equal */
    struct agreement cohen;       /* undefined unless just two raters share items */
    struct agreement fleiss, alpha, ac1, brennan_prediger;
    bool sets;           /* some label has several codes: alpha is MASI's */
    const char *warning; /* such as too few items; NULL: none */
    const char *few;     /* that there are too few; NULL: there are not */
};

/* From AGREE_ORDERED on they need an order of codes. */
enum agree_coefficient {
    AGREE_COHEN,
    AGREE_FLEISS,
    AGREE_ALPHA,
    AGREE_AC1,
    AGREE_BRENNAN_PREDIGER,
    AGREE_COHEN_LINEAR,
    AGREE_COHEN_QUADRATIC,
    AGREE_ALPHA_ORDINAL,
    AGREE_ALPHA_INTERVAL,
    AGREE_AC2_LINEAR,
    AGREE_AC2_QUADRATIC,
    AGREE_BRENNAN_PREDIGER_LINEAR,
    AGREE_BRENNAN_PREDIGER_QUADRATIC,
    AGREE_COEFFICIENTS,
    AGREE_ORDERED = AGREE_COHEN_LINEAR,
};

const char *agree_name(enum agree_coefficient which); /* "Cohen's kappa" */
const char *agree_key(enum agree_coefficient which);  /* "cohen" */
bool agree_find(struct str key, enum agree_coefficient *out);

struct agree_options {
    const double
        *checkpoints; /* shares of the items, ascending; none: 5%, 10%, 20% ... */
    size_t checkpoint_count;
    double level;      /* of the intervals */
    size_t resamples;  /* for alpha's interval, of the whole alone; 0: no interval */
    bool resample_all; /* for those of all other coefficients, too */
    uint64_t seed;     /* of these */
    bool chosen;       /* one coefficient was chosen: it comes first in the text */
    enum agree_coefficient choice;
    size_t top; /* how many items are listed as slowest and most disputed */
};

struct agree_estimate {
    struct agreement agreement;  /* with the interval that a formula gives */
    double std_error, low, high; /* by resampling the items (BCa) */
    const char *undefined;       /* of these */
};

struct agree_part { /* a checkpoint, a level or a code */
    double share;   /* CHECKPOINT: of the work, in the order of labelling */
    int level;      /* LEVEL: codes below it count as their ancestor there */
    size_t code;    /* CODE: given or not, with all below it */
    int64_t given;  /* CODE: labels that have it */
    struct agree_measures measures;
};

struct agree_pair {
    size_t first, second; /* raters */
    struct agree_measures measures;
    int64_t *table; /* [a * code_count + b], of labels with a single code */
};

struct agree_item {
    size_t item;
    double seconds;      /* the mean over its raters; NAN: not known */
    double disagreement; /* share of pairs that differ; NAN: fewer than two labels */
};

/* Saturation: after so many items, so many codes had been used at least once. */
struct agree_step {
    size_t items, codes;
};

struct agree_report {
    const struct agree_data *data;
    struct agree_measures all;
    struct agree_estimate estimates[AGREE_COEFFICIENTS]; /* of the whole */
    bool chosen;                                         /* as the options say */
    enum agree_coefficient choice;
    struct agree_part *checkpoints, *levels, *codes;
    size_t checkpoint_count, level_count, code_count;
    struct agree_pair *pairs; /* those that share items */
    size_t pair_count;
    struct agree_step *saturation; /* one for each item that brought a new code, and the
                                      last item */
    size_t saturation_count;
    struct agree_item *slowest, *disputed;
    size_t slowest_count, disputed_count;
};

/* Everything lives in arena; *data must last as long as the report. */
struct agree_report agree_report(const struct agree_data *data,
                                 const struct agree_options *options,
                                 struct arena *arena);

/* The whole alone. */
struct agree_measures agree_measure(const struct agree_data *data,
                                    const struct agree_options *options,
                                    struct arena *arena);

/* Labels from a csv, in which several rows of one item and rater are several codes. Empty
 * labels are no labels. ERR_INPUT with "path:line: " for a missing column or an empty
 * item or rater. */
struct agree_columns {
    struct str item, rater, label;
    char separator; /* of several codes in a cell; 0: none */
};

bool agree_read(const char *path, const struct agree_columns *columns,
                struct arena *arena, struct agree_data *out, struct err *err) MUST_USE;

/* The same for text already in memory; path names it in messages. */
bool agree_parse(struct str text, const char *path, const struct agree_columns *columns,
                 struct arena *arena, struct agree_data *out, struct err *err) MUST_USE;

/* The report for people and for programs. */
void agree_row(const struct agree_measures *measures, struct buf *out); /* of a table */
void agree_text(const struct agree_report *report, struct buf *out);
void agree_json(const struct agree_report *report, struct buf *out);

#endif
