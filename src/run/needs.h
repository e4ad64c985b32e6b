/* What the steps of a run rest on and share: the corpus as columns, sets, samples, groups
 * and labels. Each is made when the first step asks for it and lasts as long as the run:
 * most runs need little of it. */
#ifndef RUN_NEEDS_H
#define RUN_NEEDS_H

#include "measure/ends.h"
#include "measure/groups.h"
#include "measure/labelled.h"
#include "measure/labels.h"
#include "measure/testing.h"
#include "result/numbers.h"
#include "run/run.h"
#include "run/sampling.h"
#include "store/corpus.h"

/* A slot whose query asks for labels: it is filled when somebody asks for it, since by
 * then the labels have been made. */
struct run_needs_later {
    const struct query_node *query; /* NULL: the slot is there */
    size_t parts;                   /* slots of its parts, the first of them */
};

/* The first part is given; the rest is zeros until it is needed. */
struct run_needs {
    const struct study *study;
    const struct run_options *options;
    struct progress *progress;     /* of the step that is made; NULL: nobody is told */
    const struct run_steps *steps; /* judged: those with a reason are to be made */
    struct store *corpus;          /* NULL: the study has no sources */
    struct arena *arena;

    struct measure_frame frame;
    struct measure_frame_slot
        *slots; /* sets first, in the order of steps; then queries of groups; then parts
                   of those that ask for labels */
    size_t slot_count;
    struct run_needs_later *later; /* of each slot but parts */
    size_t *set_slot;              /* of each set */
    size_t *group_slot; /* of each group with queries: its first; STUDY_NONE: none */
    struct measure_groups *groups;
    bool *group_made;
    struct measure_labels *labels;
    bool *labels_made;
    struct run_sampling *samples; /* drawn or read; ids NULL: not yet */
    struct store_counts counts;   /* of the corpus */
    bool counted;
    bool loaded; /* the frame and what goes with it */
    bool broken; /* it could not be: no step can be made */
};

/* The corpus as columns, with sets and groups as bits. All others but run_needs_all(),
 * run_needs_counts() and run_needs_numbers() come after it. */
bool run_needs_frame(struct run_needs *needs, struct err *err) MUST_USE;

/* What the pass, and labels, have found of a set. */
bool run_needs_set_slot(struct run_needs *needs, size_t set,
                        const struct measure_frame_slot **out, struct err *err) MUST_USE;

/* A set or sample by name. `context` is a struct run_needs, so that
 * groups, tables and tests can be given this function. */
bool run_needs_set(void *context, struct str name, struct measure_bits *out,
                   struct err *err) MUST_USE;

/* needs->labels[index] and needs->groups[index] are there from then on. */
bool run_needs_labels(struct run_needs *needs, size_t index, struct err *err) MUST_USE;
bool run_needs_group(struct run_needs *needs, size_t index, struct err *err) MUST_USE;

/* All groups that the step asks for. */
bool run_needs_groups(struct run_needs *needs, const struct run_step *step,
                      struct err *err) MUST_USE;

/* What the corpus holds, which a run does not change. */
bool run_needs_counts(struct run_needs *needs, struct err *err) MUST_USE;

/* All that sets are drawn from: the questions of the sources, as far as they are known,
 * and with them, where `mixed` is set, the commits, issues and the like of the corpus. 0:
 * not known. */
bool run_needs_all(struct run_needs *needs, int64_t *out, bool *mixed,
                   struct err *err) MUST_USE;

/* The numbers of a step that was made before. */
bool run_needs_numbers(struct run_needs *needs, const struct run_kind *kind, size_t index,
                       struct arena *arena, struct result_numbers *out,
                       struct err *err) MUST_USE;

/* What a test compares and a figure shows side by side: several sets, or the groups of
 * one. */
struct run_needs_sides {
    struct str what;      /* for messages: "harder" */
    const struct str *of; /* sets; none: all items */
    size_t of_count;
    size_t by; /* group or STUDY_NONE */
};

bool run_needs_sides(struct run_needs *needs, const struct run_needs_sides *sides,
                     struct arena *arena, struct measure_testing_group **out,
                     size_t *count, struct err *err) MUST_USE;

/* Puts the place of a section's key, or of the section where it has none, before a
 * message about what only the data tell; is false. */
bool run_needs_at(const struct run_needs *needs, const struct yaml_node *section,
                  const char *key, struct err *err);

/* Whether rows or columns of the table are years, quarters or months; and which of its
 * numbers are of periods that were not over when their sources ended. `numbers` are all
 * of the table. */
bool run_needs_periods(const struct study *study, const struct study_table *table);
bool run_needs_unfinished(const struct study *study, struct store *corpus,
                          const struct study_table *table,
                          const struct result_numbers *numbers, struct arena *arena,
                          struct measure_unfinished *out, struct err *err) MUST_USE;

#endif
