/* What a labelling task has given so far: final labels, and how far raters agree. */
#ifndef RUN_LABELLING_H
#define RUN_LABELLING_H

#include "label/label.h"
#include "run/output.h"

/* Opens the task; NULL in *out when nobody has labelled anything yet: there is no
 * labels.db, and none is made. The caller hands *out to label_close(). */
bool labelling_open(const struct study *study, const struct study_labelling *labelling,
                    struct label **out, struct err *err) MUST_USE;

/* Fills output with out/labelling/NAME/: final.csv, and a csv for each of what
 * `tables.*.show` names. Of a codebook with several dimensions each has its own, as
 * final.cause.csv. behind/ holds the items behind the numbers of these. */
bool labelling_make(const struct study *study, const struct study_labelling *labelling,
                    struct output *output, struct err *err) MUST_USE;

#endif
