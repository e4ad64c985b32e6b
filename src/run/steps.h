/* The steps of a study in the order in which they can be made, and why each would have to
 * be made again. By content, never by time stamps: a step is up to date when its section
 * of the study file (in canonical form), everything that went in, its engine and what
 * came out are as assay.lock has them. */
#ifndef RUN_STEPS_H
#define RUN_STEPS_H

#include "run/ledger.h"
#include "study/study.h"

enum run_steps_kind {
    RUN_STEPS_SET,
    RUN_STEPS_LABELS,
    RUN_STEPS_SAMPLE,
    RUN_STEPS_LABELLING,
    RUN_STEPS_CLASSIFIER,
    RUN_STEPS_TOPICS,
    RUN_STEPS_TABLE,
    RUN_STEPS_TEST,
    RUN_STEPS_FAMILY,
    RUN_STEPS_FIGURE,
    RUN_STEPS_REPORT,
    RUN_STEPS_KINDS,
};

/* Before the names of parts among a step's inputs in the ledger. */
#define RUN_STEPS_PART "study file: "

struct run_step {
    enum run_steps_kind kind;
    size_t index;    /* of the set, sample, table ... in the study; 0 */
    struct str name; /* "sets.B" */
    uint64_t section;
    /* Sections of the study file besides its own, each with a hash: groups that it uses,
     * and of the report all. */
    struct run_ledger_pair *parts;
    size_t part_count;
    size_t *needs; /* earlier steps */
    size_t need_count;
    const char **files; /* outside of the study that go in: labels, codebooks */
    size_t file_count;
    bool log;    /* labels.db goes in, as far as it is about this labelling */
    bool corpus; /* the corpus goes in */
    bool whole;  /* and it matters which questions it holds besides those of sets */

    struct str reason; /* why it has to be made; empty: it is up to date */
    bool open;         /* it has to be made if a step before it comes out differently */
    struct run_ledger_step made; /* what is there: as recorded, or as just made */
};

struct run_steps {
    const struct study *study;
    struct run_step *at;
    size_t count;
    uint64_t taken; /* stands for the questions that the corpus is to hold */
};

void run_steps_list(const struct study *study, struct arena *arena,
                    struct run_steps *out);

/* Judges one step, all before it being judged: sets reason and open, and `made` where it
 * is up to date. A step before it whose reason is not empty is taken for not made yet.
 * `corpus` stands for what the corpus holds. Fails when a file outside cannot be read. */
bool run_steps_judge(struct run_steps *steps, size_t step,
                     const struct run_ledger *ledger, uint64_t corpus, bool corpus_known,
                     struct arena *arena, struct err *err) MUST_USE;

/* The inputs of a step as they now are, for the ledger. */
bool run_steps_inputs(const struct run_steps *steps, size_t step, uint64_t corpus,
                      struct arena *arena, struct run_ledger_pair **out, size_t *count,
                      struct err *err) MUST_USE;

size_t run_steps_find(const struct run_steps *steps, enum run_steps_kind kind,
                      size_t index);

int run_steps_engine(
    enum run_steps_kind kind); /* changes when the same inputs give other bytes */

uint64_t run_steps_hash(struct str bytes);

#endif
