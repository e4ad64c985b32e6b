/* How many to draw: the rule for a confidence and a margin, and the ways in which a study
 * may write a size. Pure; the same numbers on every machine. */
#ifndef SAMPLE_SIZE_H
#define SAMPLE_SIZE_H

#include "base/buf.h"
#include "base/err.h"

enum sample_size_round {
    SAMPLE_SIZE_UP,      /* the margin is kept: the usual rule */
    SAMPLE_SIZE_DOWN,    /* as many published studies do */
    SAMPLE_SIZE_NEAREST, /* halves go up */
};

/* So many that a share found in the sample is, with this confidence, at most the margin
 * away from the frame's share (normal approximation; Cochran, "Sampling Techniques", 3rd
 * edition 1977, 4.4): n0 = z^2 p (1 - p) / margin^2, and for a frame of N items
 * n = n0 / (1 + (n0 - 1) / N).
 *
 * For three categories or more all their shares are to lie within the margin at once,
 * whatever they are: Thompson, "Sample size for estimating multinomial proportions", The
 * American Statistician 41 (1987): n0 is the largest of z(m)^2 (1/m) (1 - 1/m) / margin^2
 * for m = 2 .. categories, where z(m) leaves (1 - confidence) / (2 m) above it. The
 * expected share plays no part then. Two categories are one share and its complement. */
struct sample_size_rule {
    double confidence; /* 0.5 <= confidence < 1 */
    double margin;     /* 1e-12 <= margin < 1 */
    double share;      /* expected, 0 < share < 1; 0 stands for 0.5, the worst case */
    int categories;    /* 0, 1 and 2: a single share */
    enum sample_size_round round;
};

/* n0: the size for a frame without end, not rounded. */
double sample_size_unlimited(const struct sample_size_rule *rule);

/* The size for a frame: at least 1 and at most the frame; 0 for an empty one. */
int64_t sample_size_needed(const struct sample_size_rule *rule, int64_t frame);

/* The reverse: the margin that `size` items out of the frame give with the rule's
 * confidence, share and categories (its margin plays no part). 0 when all were taken, NAN
 * for no items. 0 <= size <= frame. */
double sample_size_margin(const struct sample_size_rule *rule, int64_t size,
                          int64_t frame);

enum sample_size_kind {
    SAMPLE_SIZE_BY_RULE,  /* 95% +- 5% */
    SAMPLE_SIZE_BY_COUNT, /* 300 */
    SAMPLE_SIZE_BY_SHARE, /* 20% of the frame */
    SAMPLE_SIZE_ALL,      /* all */
    SAMPLE_SIZE_TOP,      /* top 50 by views: not random */
    SAMPLE_SIZE_LIST,     /* what a file names: not random; no text stands for it */
};

enum sample_size_key { /* largest first; `created`: newest first */
                       SAMPLE_SIZE_VIEWS,
                       SAMPLE_SIZE_SCORE,
                       SAMPLE_SIZE_ANSWERS,
                       SAMPLE_SIZE_COMMENTS,
                       SAMPLE_SIZE_FAVORITES,
                       SAMPLE_SIZE_CREATED,
};

struct sample_size_spec {
    enum sample_size_kind kind;
    struct sample_size_rule
        rule;      /* SAMPLE_SIZE_BY_RULE; its `round` also for SAMPLE_SIZE_BY_SHARE */
    int64_t count; /* SAMPLE_SIZE_BY_COUNT, SAMPLE_SIZE_TOP: at least 1 */
    double share;  /* SAMPLE_SIZE_BY_SHARE: above 0, at most 1 */
    enum sample_size_key key; /* SAMPLE_SIZE_TOP */
};

/* Reads a size as written in a study: `95% +- 5%` (also with the sign for plus-minus, or
 * +/-; blanks are free), `300`, `20%`, `all`, `top 50 by views`. What the text does not
 * say is 0, that is its default. ERR_INPUT says what was found and what is allowed; *out
 * is then untouched. A confidence below 50% or a margin of 50% or more is refused: the
 * two were swapped. A percentage has at most 9 digits after its point. */
bool sample_size_parse(struct str text, struct sample_size_spec *out,
                       struct err *err) MUST_USE;

/* The one way to write what was read; reading that gives the same size again. */
void sample_size_add(struct buf *buf, const struct sample_size_spec *spec);

/* How many of a frame that is; never more than the frame. */
int64_t sample_size_of(const struct sample_size_spec *spec, int64_t frame);

#endif
