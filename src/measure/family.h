/* Tests that were made together: the more of them, the likelier a false alarm. Their p
 * values are adjusted for each other. */
#ifndef MEASURE_FAMILY_H
#define MEASURE_FAMILY_H

#include "result/numbers.h"
#include "study/study.h"

struct family_member {
    struct str test, row; /* row empty: the test has one result */
    double p, adjusted;   /* NAN: undefined */
};

struct family {
    const struct study_family *study;
    struct family_member *members;
    size_t count;
};

/* Takes every p value of the tests' numbers, which stand in the order of the study. */
struct family family_make(const struct study_family *study, const struct numbers *tests,
                          struct arena *arena);

void family_csv(const struct family *family, struct buf *out);
void family_markdown(const struct family *family, struct buf *out);
void family_html(const struct family *family, struct buf *out);

/* The adjusted p values as numbers. */
struct result_table family_table(const struct family *family, struct arena *arena);

#endif
