/* Vectors of the study's items, by what the study calls them. */
#ifndef RUN_VECTORING_H
#define RUN_VECTORING_H

#include "measure/frame.h"
#include "run/steps.h"

struct run_vectors {
    size_t dimensions;
    const float **at; /* of each item of the frame; NULL: it has none */
    size_t rows;      /* of the file */
    size_t unknown;   /* those of no item of the corpus */
    struct str hash;  /* of the file: SHA-256 */
};

/* ERR_INPUT with the place of what is wrong in the file, for a key that can be none, and
 * for two keys of one item. */
bool run_vectoring_read(const struct study_vectors *from,
                        const struct measure_frame *frame, struct arena *arena,
                        struct run_vectors *out, struct err *err) MUST_USE;

/* Of a step that reads them: the files it rests on. STUDY_NONE: it reads none. */
void run_vectoring_add_files(struct run_listing *listing, struct run_step *step,
                             size_t index);

#endif
