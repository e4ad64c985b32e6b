/* A sample of the study, drawn from the set it names. */
#ifndef RUN_SAMPLING_H
#define RUN_SAMPLING_H

#include "measure/groups.h"
#include "sample/draw.h"

struct sampling {
    int64_t *ids; /* in draw order */
    size_t count;
    size_t *strata; /* of each; NULL: none */
    struct str *stratum_names;
    size_t stratum_count;
    int64_t *frames, *sizes; /* of each stratum; one without names when there are none */
    int64_t frame;           /* items drawn from */
    uint64_t frame_hash;
    int64_t outside; /* of the set, in no stratum: not drawn from */
    size_t kept, gone;
};

struct sampling_inputs {
    const struct study_sample *sample;
    const struct frame *frame;
    struct bits of;
    const struct groups *strata; /* NULL: none */
    struct sampling keep;        /* the sample to enlarge; ids NULL: none */
};

bool sampling_draw(const struct sampling_inputs *inputs, struct arena *arena,
                   struct sampling *out, struct err *err) MUST_USE;

/* The stratum of each item: that of the first group that has it, `none` where none has.
 * Without groups all are of stratum 0. */
size_t *sampling_strata(const struct groups *strata, size_t items, size_t none,
                        struct arena *arena);

#endif
