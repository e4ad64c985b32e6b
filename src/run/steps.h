/* The steps of a study in the order in which they can be made, and why each would have to
 * be made again. By content, never by time stamps: a step is up to date when its section
 * of the study file (in canonical form), everything that went in, its engine and what
 * came out are as assay.lock has them. */
#ifndef RUN_STEPS_H
#define RUN_STEPS_H

#include "run/ledger.h"
#include "study/study.h"

struct run_needs;
struct run_output;
struct run_step;
struct run_steps;

/* While steps are listed. */
struct run_listing {
    const struct study *study;
    struct arena *arena;
    struct run_steps *out;
};

/* A kind of step: all that there is to know of it stands in the file that makes it. */
struct run_kind {
    const char
        *name; /* its section of the study file; names of its steps begin with it */
    size_t
        counted;  /* where struct study has the number of them; 0: there is always one */
    int engine;   /* changes when the same inputs give other bytes */
    bool funnels; /* of sets not only the items go in */
    bool no_result; /* it is for people alone: it has no numbers */

    /* Lays out a step, of which only kind and index are known: its name, its section,
     * what it needs. */
    void (*list)(struct run_listing *listing, struct run_step *step);

    /* Makes its files, and says in a few words what came out. Nothing is written yet. */
    bool (*make)(struct run_needs *needs, const struct run_step *step,
                 struct run_output *output, struct err *err);
};

extern const struct run_kind run_kind_tagset, run_kind_accepted, run_kind_set,
    run_kind_labels, run_kind_sample, run_kind_labelling, run_kind_classifier,
    run_kind_topics, run_kind_phrases, run_kind_extract, run_kind_vectors,
    run_kind_regression, run_kind_table, run_kind_test, run_kind_family, run_kind_figure,
    run_kind_handbook, run_kind_report;

/* All of them as they are listed, then NULL. A step that another one needs comes before
 * it whatever their kinds. */
extern const struct run_kind *const run_kinds[];

struct run_step {
    const struct run_kind *kind;
    size_t index;    /* of the set, sample, table ... in the study; 0 */
    struct str name; /* "sets.B" */
    uint64_t section;
    /* Sections of the study file besides its own, each with a hash: groups that it uses,
     * and of the report all. */
    struct run_ledger_pair *parts;
    size_t part_count;
    size_t *needs; /* earlier steps */
    size_t need_count;
    size_t *groups; /* that making it asks for */
    size_t group_count;
    size_t *asked; /* labels that conditions of its queries ask for */
    size_t asked_count;
    const char **files; /* outside of the study that go in: labels, codebooks */
    size_t file_count;
    struct str lacks; /* it waits for files that are not made yet; empty: for none */
    bool log;         /* labels.db goes in, as far as it is about this labelling */
    bool corpus;      /* the corpus goes in */
    bool whole;       /* and it matters which questions it holds besides those of sets */
    bool ordered;     /* its section is the order of all others */

    struct str reason; /* why it has to be made; empty: it is up to date */
    bool open;         /* it has to be made if a step before it comes out differently */
    struct str waits;  /* for what; it cannot be made before. Empty: for nothing */
    struct run_ledger_step made; /* what is there: as recorded, or as just made */
    bool now;                    /* it was made in this run */
    bool wrong; /* what the study asks for cannot be: to be made again in any case */
};

struct run_steps {
    const struct study *study;
    struct run_step *at;
    size_t count;
    uint64_t taken; /* stands for the questions that the corpus is to hold */
};

void run_steps_list(const struct study *study, struct arena *arena,
                    struct run_steps *out);

/* For kinds that list a step. Its name within the section, and the hash of what stands
 * there: a node in canonical form, or other text. */
void run_steps_name(struct run_listing *listing, struct run_step *step, struct str name,
                    const struct yaml_node *node);
void run_steps_name_text(struct run_listing *listing, struct run_step *step,
                         struct str name, struct str text);

/* What it rests on: another step, a set or sample by name, labels and whatever makes
 * them, the labels that a query asks for, a group with what that rests on, the set of a
 * measure; all steps of other kinds. They are listed first. */
void run_steps_need(struct run_listing *listing, struct run_step *step,
                    const struct run_kind *kind, size_t index);
void run_steps_need_source(struct run_listing *listing, struct run_step *step,
                           struct str name);
void run_steps_need_labels(struct run_listing *listing, struct run_step *step,
                           size_t index);
void run_steps_need_conditions(struct run_listing *listing, struct run_step *step,
                               const struct query_node *query);
void run_steps_need_group(struct run_listing *listing, struct run_step *step,
                          size_t index);
void run_steps_need_measure(struct run_listing *listing, struct run_step *step,
                            const struct study_measure *measure);
void run_steps_need_all(struct run_listing *listing, struct run_step *step);

/* A group that making it asks for, and that goes in with a step before it. */
void run_steps_add_group(struct run_listing *listing, struct run_step *step,
                         size_t index);
void run_steps_add_file(struct run_listing *listing, struct run_step *step,
                        const char *path);

/* Another section of the study file, of which `text` is there. */
void run_steps_add_part(struct run_listing *listing, struct run_step *step,
                        struct str key, struct str name, struct str text);

/* Without `until` a source ends with its newest post, which of a table may be any moment
 * that its rows tell. */
bool run_steps_open_end(const struct study *study);

/* Judges one step, all before it being judged: sets reason and open, and `made` where it
 * is up to date. A step before it whose reason is not empty is taken for not made yet.
 * `corpus` stands for what the corpus holds. Fails when a file outside cannot be read. */
bool run_steps_judge(struct run_steps *steps, size_t step,
                     const struct run_ledger *ledger, uint64_t corpus, bool corpus_known,
                     struct arena *arena, struct err *err) MUST_USE;

/* The first step that it needs and that has yet to be made, or STUDY_NONE. Steps that
 * wait for labels do not count. */
size_t run_steps_waits_for(const struct run_steps *steps, const struct run_step *step);

/* The inputs of a step as they now are, for the ledger. */
bool run_steps_inputs(const struct run_steps *steps, size_t step, uint64_t corpus,
                      struct arena *arena, struct run_ledger_pair **out, size_t *count,
                      struct err *err) MUST_USE;

/* STUDY_NONE: it is not listed. */
size_t run_steps_find(const struct run_steps *steps, const struct run_kind *kind,
                      size_t index);

uint64_t run_steps_hash(struct str bytes);

#endif
