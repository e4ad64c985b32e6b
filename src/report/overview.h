/* One page over several studies: what each found, its figures, and the way to its report.
 */
#ifndef REPORT_OVERVIEW_H
#define REPORT_OVERVIEW_H

#include "study/study.h"
#include "verify/verify.h"

struct report_overview_study {
    const struct study *study;
    const struct verify *verify;
    const char *folder; /* of its results, from the page; such as "zhang2019" */
};

struct report_overview {
    struct str title, about; /* about: a sentence below the title */
    const struct report_overview_study *studies;
    size_t count;
};

/* The page needs page_style() beside it as report.css. */
void report_overview_page(const struct report_overview *overview, struct buf *out);

#endif
