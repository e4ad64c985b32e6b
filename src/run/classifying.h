/* What a classifier of a study shares with labelled posts without one: scores and what
 * else says how well it tells, the model that is kept, keywords. */
#ifndef RUN_CLASSIFYING_H
#define RUN_CLASSIFYING_H

#include "learn/judge.h"
#include "learn/model.h"
#include "measure/labels.h"
#include "result/result.h"

/* Items with labels, and their classes: the codes that some item has. */
struct run_classifying_labelled {
    struct str *ids, *names; /* of classes, in the order of the codes */
    size_t class_count;
    size_t *items; /* that have a code, in the frame, ascending */
    size_t item_count;
    struct learn_membership truth;
};

/* level: of the codebook's tree that counts; 0: as labelled. also: of each code, whether
 * it is a class although no item may have it; NULL: none is. */
struct run_classifying_labelled
run_classifying_labelled_list(const struct measure_labels *labels, int level,
                              const bool *also, struct arena *arena);

/* How well classes were told on items that were not learned from. */
struct run_classifying_scored {
    const struct str *names; /* of classes */
    const struct learn_judged *judged;
    struct learn_score score;
    struct learn_score_intervals intervals;
};

struct run_classifying_scored run_classifying_score(const struct learn_judged *judged,
                                                    const struct str *names,
                                                    uint64_t seed, struct arena *arena);

/* Each as `tables.*.show` names it; of NULL: without rows. */
struct result_table run_classifying_scores(const struct run_classifying_scored *of,
                                           struct arena *arena);
struct result_table run_classifying_overall(const struct run_classifying_scored *of,
                                            struct arena *arena);
struct result_table run_classifying_confusion(const struct run_classifying_scored *of,
                                              struct arena *arena);
struct result_table run_classifying_calibration(const struct run_classifying_scored *of,
                                                struct arena *arena);
struct result_table run_classifying_learning(const struct learn_judge_step *steps,
                                             size_t count, size_t folds,
                                             struct arena *arena);

/* The model for use elsewhere, which learns from the first `count` examples, all that
 * have labels; without the names of its classes. ids: theirs. */
bool run_classifying_model(const struct learn_model_settings *settings,
                           const struct learn_examples *examples, const struct str *ids,
                           size_t count, struct arena *arena,
                           struct learn_model_file *out, struct err *err) MUST_USE;

/* Words that people picked: a csv with the columns class and word. */
struct run_classifying_keywords {
    const char *path;
    const struct str *ids, *names; /* of the classes, which go by either */
    size_t classes;
    const char *what; /* they are: "code of the labels" */
};

/* Into the keywords of *out, which live in arena. ERR_INPUT with the place for a class
 * that there is none of. */
bool run_classifying_keywords_read(const struct run_classifying_keywords *of,
                                   struct arena *arena, struct learn_model_settings *out,
                                   struct err *err) MUST_USE;

#endif
