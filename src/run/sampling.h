/* A sample of the study, drawn from the set it names. */
#ifndef RUN_SAMPLING_H
#define RUN_SAMPLING_H

#include "measure/groups.h"
#include "run/output.h"

struct run_sampling {
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
    int64_t absent, beside; /* of a list: not in the corpus; there, but not in the set */
    struct str missed;      /* the first of both, as the list names them */
};

struct run_sampling_inputs {
    const struct study_sample *sample;
    const struct measure_frame *frame;
    struct measure_bits of;
    const struct measure_groups *strata; /* NULL: none */
    struct run_sampling keep;            /* the sample to enlarge; ids NULL: none */
};

bool run_sampling_draw(const struct run_sampling_inputs *inputs, struct arena *arena,
                       struct run_sampling *out, struct err *err) MUST_USE;

/* Instead of that, what the sample's file names of its set, each item once. */
bool run_sampling_list(const struct run_sampling_inputs *inputs, struct arena *arena,
                       struct run_sampling *out, struct err *err) MUST_USE;

/* The stratum of each item: that of the first group that has it, `none` where none has.
 * Without groups all are of stratum 0. */
size_t *run_sampling_strata(const struct measure_groups *strata, size_t items,
                            size_t none, struct arena *arena);

/* out/samples/NAME.csv: ids in draw order with their stratum; NAME.json: how it was
 * drawn, from which frame. */
void run_sampling_write(struct run_output *output, const struct study_sample *sample,
                        const struct run_sampling *drawn);

#endif
