/* Tests that were made together: the more of them, the likelier a false alarm. Their p
 * values are adjusted for each other. */
#ifndef MEASURE_FAMILY_H
#define MEASURE_FAMILY_H

#include "result/numbers.h"
#include "study/study.h"

struct measure_family_member {
    struct str test, row; /* row empty: the test has one result */
    double p, adjusted;   /* NAN: undefined */
};

struct measure_family {
    const struct study_family *study;
    struct measure_family_member *members;
    size_t count;
};

/* Takes every p value of the tests' numbers, which stand in the order of the study. */
struct measure_family measure_family_make(const struct study_family *study,
                                          const struct result_numbers *tests,
                                          struct arena *arena);

void measure_family_csv(const struct measure_family *family, struct buf *out);
void measure_family_markdown(const struct measure_family *family, struct buf *out);
void measure_family_html(const struct measure_family *family, struct buf *out);

/* The adjusted p values as numbers. */
struct result_table measure_family_table(const struct measure_family *family,
                                         struct arena *arena);

#endif
