/* A draft of a paper's section on methods and of its threats to validity, and the
 * checklists of the ACM SIGSOFT Empirical Standards, from what a study really did: a
 * sentence stands there only when it is true of this study, with the study's numbers. */
#ifndef REPORT_METHODS_H
#define REPORT_METHODS_H

#include "report/internal.h"
#include "result/health.h"
#include "result/numbers.h"
#include "stats/agreement.h"
#include "study/codebook.h"
#include "study/study.h"

/* How far raters agreed on something: a dimension of a labelling, or labels of a file
 * that names raters. */
struct report_methods_agreement {
    size_t labelling, labels;     /* of the study; the other is STUDY_NONE */
    struct str name;              /* of the dimension or the labels, for people */
    size_t raters;                /* who were asked, or whom the file names */
    size_t items;                 /* with labels of two raters or more */
    double observed;              /* share of pairs of labels that are equal */
    const char *coefficient;      /* chosen by the design, never by its value */
    struct stats_agreement value; /* of that coefficient */
    struct str address;           /* "labelling.bugs.cause"; empty: of a file */
};

struct report_methods_round {
    const char *kind;             /* "pilot", "training", "main" */
    int64_t opened_ms, closed_ms; /* closed_ms 0: open */
    struct str source;            /* not empty: labels imported from this file */
    size_t items, assigned, done;
    bool chosen; /* its items were picked, not drawn */
};

/* A model among the raters, as the records of its answers have it. */
struct report_methods_model {
    int64_t requests, answered, refused, cut, unreadable;
    int64_t first_ms, last_ms;                /* 0: never asked */
    struct str answered_as, digests, servers; /* as replies name them, by commas */
    struct str temperatures, seeds, settings; /* as requests name them, likewise */
    bool constrained, plain; /* some were held to the codes by a schema; some were not */
};

/* A labelling of the study, as labels.db has it. */
struct report_methods_labelling {
    const struct study_labelling *settings;
    const struct study_codebook *codebook; /* NULL: nobody has begun */
    size_t items;                          /* to be labelled */
    size_t versions;       /* of the codebook that labels were made under */
    size_t accepted_codes; /* proposed while labelling */
    size_t reviews;        /* labels that a human must still look at */
    const struct report_methods_round *rounds;
    size_t round_count;
    const struct report_methods_model *models; /* as the settings have them; NULL: none */
};

struct report_methods_sample {
    double confidence, margin; /* as drawn; margin NAN: it says nothing */
};

struct report_methods_facts {
    const struct study *study;
    const char *version;                  /* of assay */
    const struct result_numbers *numbers; /* of all steps */
    size_t number_count;
    struct result_health health;
    const struct report_methods_sample *samples;       /* one for each of the study */
    const struct report_methods_labelling *labellings; /* likewise */
    const struct report_methods_agreement
        *agreements; /* by labelling, then those of files */
    size_t agreement_count;
    const struct str *label_says; /* of each `labels`, what the run said of it */
};

/* All of it: Markdown with the checklists, LaTeX without. */
void report_methods_write(const struct report_methods_facts *facts, struct buf *markdown,
                          struct buf *latex);

/* One of the parts in src/report/prose/, filled in with the facts. */
void report_methods_part(const struct report_methods_facts *facts, const char *part,
                         struct report_prose *prose);

/* What the parts know by name. */
void report_methods_name(const struct report_methods_facts *facts,
                         struct report_scope *scope);

#endif
