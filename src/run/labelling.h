/* What a labelling task has given so far: final labels, and how far raters agree. */
#ifndef RUN_LABELLING_H
#define RUN_LABELLING_H

#include "label/label.h"
#include "study/codebook.h"

/* Opens the task; NULL in *out when nobody has labelled anything yet: there is no
 * labels.db, and none is made. The caller hands *out to label_close(). */
bool run_labelling_open(const struct study *study,
                        const struct study_labelling *labelling, struct label **out,
                        struct err *err) MUST_USE;

/* The step leaves all that later ones need of labels.db, which raters may be adding to
 * while the study runs: these read it. Codes have paths, names and their places in the
 * tree. */
bool run_labelling_codebook(const struct study *study,
                            const struct study_labelling *labelling, struct arena *arena,
                            struct study_codebook *out, struct err *err) MUST_USE;

struct run_labelling_final {
    int64_t item;
    bool coded;  /* it has a code: it is neither disputed nor pending */
    bool chosen; /* or outside: see struct label_final */
};

/* The final labels behind labels that raters of this study gave, in their dimension, each
 * item once; none of others. */
bool run_labelling_finals(const struct study *study, size_t labels, struct arena *arena,
                          struct run_labelling_final **out, size_t *count,
                          struct err *err) MUST_USE;

/* The same of a labelling of this study, in its first dimension, as it was last made. */
bool run_labelling_first(const struct study *study, size_t index, struct arena *arena,
                         struct run_labelling_final **out, size_t *count,
                         struct err *err) MUST_USE;

#endif
