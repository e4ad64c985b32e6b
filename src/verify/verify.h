/* Published numbers against what the data give. */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include "result/numbers.h"
#include "study/study.h"

enum verify_verdict {
    VERIFY_AS_PUBLISHED,
    VERIFY_KNOWN,   /* differs, for a reason that is known; and is what we say is right */
    VERIFY_DIFFERS, /* unexplained */
    VERIFY_CANNOT,  /* cannot be computed, for want of what it is said to need */
    VERIFY_FAILED,  /* cannot be computed, and nothing says so */
    VERIFY_VERDICTS,
};

struct verify_line {
    enum verify_verdict verdict;
    const struct study_expectation *expectation;
    double ours;     /* NAN: not computed */
    struct str text; /* what to print */
};

struct verify {
    struct verify_line *lines;
    size_t count;
    size_t counts[VERIFY_VERDICTS];
};

/* `numbers`: of every step. Everything in *out lives in arena. */
void verify_study(const struct study *study, const struct result_numbers *numbers,
                  size_t count, struct arena *arena, struct verify *out);

/* A number as printed, such as 70.7%, 1,301, 0.018 or < .05: its value, half a unit of
 * its last digit, and -1 or 1 for < or >. */
bool verify_published(struct str text, double *value, double *tolerance, int *side);

#endif
