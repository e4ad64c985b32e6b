/* Published numbers against what the data give. */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include "result/numbers.h"
#include "study/study.h"

enum verify_verdict {
    VERIFY_AS_PUBLISHED,
    VERIFY_KNOWN, /* differs, for a reason that is shown; and is what we say is right */
    VERIFY_UNPROVEN,  /* differs, and the study gives a reason without showing it */
    VERIFY_DIFFERS,   /* unexplained */
    VERIFY_CANNOT,    /* cannot be computed, for want of what it is said to need */
    VERIFY_ELSEWHERE, /* is about another dump than the source */
    VERIFY_FAILED,    /* cannot be computed, and nothing says so */
    VERIFY_VERDICTS,
};

/* What a number was compared with, and what it was made from. */
enum verify_basis {
    VERIFY_ROWS,    /* a printed number; from items and labels */
    VERIFY_PRINTED, /* a printed number; from others that are printed */
    VERIFY_OWN,     /* a number of our own */
    VERIFY_BASES,
};

struct verify_line {
    enum verify_verdict verdict;
    enum verify_basis basis;
    const struct study_expectation *expectation;
    double ours;     /* NAN: not computed */
    struct str text; /* what to print */
};

struct verify {
    struct verify_line *lines;
    size_t count;
    size_t counts[VERIFY_VERDICTS];
    size_t as_published[VERIFY_BASES]; /* of those */
    struct str elsewhere; /* how the source is another dump; empty: it is not */
};

/* "62 expectations: 40 as published, 15 from printed numbers alone, ..." */
void verify_add_counts(const struct verify *verify, const char *word, struct buf *out);

/* `numbers`: of every step. Everything in *out lives in arena. */
void verify_study(const struct study *study, const struct result_numbers *numbers,
                  size_t count, struct arena *arena, struct verify *out);

/* A text of the study with numbers in it: {tables.kinds.crash.share} stands for that
 * number, {tables.kinds.crash.share = 34.5%} says what it was when the text was written.
 * In the braces may be any expression. */
struct verify_piece {
    struct str text;       /* words, or a number as the report shows it */
    struct str expression; /* of a number; empty: it is words */
    struct str was;        /* what the number no longer is; empty: it is as it was */
    struct str wrong;      /* why there is no number; empty: there is */
    bool unknown;          /* that it waits for labels, or is undefined */
};

struct verify_piece *verify_fill(const struct study *study,
                                 const struct result_numbers *numbers,
                                 size_t number_count, struct str text,
                                 struct arena *arena, size_t *count);

/* A number as printed, such as 70.7%, 1,301, 0.018 or < .05: its value, half a unit of
 * its last digit, and -1 or 1 for < or >. */
bool verify_published(struct str text, double *value, double *tolerance, int *side);

#endif
