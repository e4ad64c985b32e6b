/* Questions to a study's corpus: which solved items are nearest to a text, what answers
 * them, what the study's classifiers call it, whether it was asked before, and how long
 * such questions wait. The index (search/) is a file of the study, ask.index, made when
 * somebody first asks and again when the corpus is another. */
#ifndef RUN_ASKING_H
#define RUN_ASKING_H

#include "learn/model.h"
#include "run/run.h"
#include "search/search.h"
#include "stats/survival.h"
#include "store/corpus.h"

/* From which nearness on an item is told to be a likely duplicate. docs/quality.md says how
 * often it is one. */
#define RUN_ASKING_DUPLICATE 0.6

enum {
    RUN_ASKING_WAITS = 100, /* nearest items whose waiting tells what to expect */
    /* Terms that a text must have of the index's for that: many an item holds the two or
     * three of a short one. */
    RUN_ASKING_DUPLICATE_TERMS = 5,
};

struct run_asking_model {
    struct str name; /* of the classifier */
    struct learn_model_file file;
};

/* Vectors of items that another program made, of length 1. */
struct run_asking_vectors {
    struct str name;
    size_t dimensions, count;
    const float *units;
    const struct search_item **items; /* that have them, in the order of the file */
    size_t without;                   /* items of the index that have none */
};

struct run_asking {
    const struct study *study;
    struct store *corpus;
    struct search_index index;
    struct search_reader reader;
    struct search_found *found; /* of the question in work */
    struct run_asking_model *models;
    size_t model_count;
    struct run_asking_vectors vectors; /* zeroed: none */
    struct arena *arena;
};

/* Opens the corpus and its index, which is made where it is not there or of another
 * corpus; `tell` is told once before. ERR_INPUT when there is no corpus yet. *out is to
 * be handed to run_asking_close() also when it fails. */
bool run_asking_open(const struct study *study, void (*tell)(const char *text),
                     struct arena *arena, struct run_asking *out,
                     struct err *err) MUST_USE;
void run_asking_close(struct run_asking *asking);

/* Items can be found by their vectors from then on. ERR_INPUT with the place of what is
 * wrong in the file. */
bool run_asking_use(struct run_asking *asking, const struct study_vectors *vectors,
                    struct err *err) MUST_USE;

/* The vector of an item; NULL: it has none. */
const float *run_asking_vector_of(const struct run_asking *asking, int64_t id);

/* An item that was found, with what answers it; texts live in the answer's arena. */
struct run_asking_item {
    struct search_hit hit;
    struct item item;   /* with its body */
    bool answered;      /* the next is there: */
    struct item answer; /* what solved it, or else the one with the highest score */
    bool accepted;      /* it is the accepted one */
    bool endorsed;      /* it is none, but who asked gave thanks for it */
};

struct run_asking_class {
    struct str classifier, class; /* empty: it knows none of the question's words */
    double probability;           /* NAN then */
    bool words; /* it was taught with vectors, and the question has none: words alone */
};

struct run_asking_answer {
    struct run_asking_item *nearest; /* solved items, the nearest first */
    size_t count;
    struct run_asking_item *alike; /* the same by vectors; their score is the cosine */
    size_t alike_count;
    struct run_asking_item *duplicate; /* of all items; NULL: none is near enough */
    struct run_asking_class *classes;  /* what each classifier says */
    size_t class_count;
    struct stats_survival_median wait; /* minutes until items like it were solved */
    int64_t waits;                     /* items that it rests on */
    double solved;                     /* share of them that were; NAN: none */
    size_t terms;                      /* of the question that the corpus knows */
};

/* The question's parts are split. `without`: an item that is not to be found, or
 * ITEM_NONE; `any`: unsolved items as well. */
struct run_asking_question {
    struct learn_parts parts;
    int64_t without;
    size_t count; /* items to find */
    bool any;
    const float *vector; /* as long as those of the items; NULL: none */
};

bool run_asking_ask(struct run_asking *asking, const struct run_asking_question *question,
                    struct arena *arena, struct run_asking_answer *out,
                    struct err *err) MUST_USE;

/* The same texts of an item of the corpus, as a question: ERR_INPUT when it has none of
 * that id. */
bool run_asking_of_item(struct run_asking *asking, int64_t id, struct arena *arena,
                        struct learn_parts *out, struct err *err) MUST_USE;

#endif
