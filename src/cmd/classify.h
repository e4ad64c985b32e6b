/* What the files of assay classify share: the work in hand, and how it is shown. */
#ifndef CMD_CLASSIFY_H
#define CMD_CLASSIFY_H

#include "cmd/cmd.h"
#include "cmd/embedding.h"
#include "cmd/given.h"
#include "cmd/labelled.h"
#include "learn/hierarchy.h"
#include "learn/quantify.h"
#include "run/classifying.h"
#include "study/study.h"

struct cmd_classify_args {
    const char *study; /* instead of all that follows */
    const char *from, *text, *label, *id, *separator, *test, *method, *keywords, *tune;
    const char *unlabelled, *vectors, *keys, *explain, *weights, *idf, *stop_words;
    struct cmd_embedding_args embed;
    const char *fold, *group, *class_weights, *out;
    struct cmd_real max_share, c;
    const char *features, *hierarchy, *several;
    const char *save, *model, *in, *by, *chosen, *strata;
    const char *normaliser, *outside, *title; /* of keyword-weight */
    bool json, curve, every_class;
    int64_t folds, repeats, seed, threads, top, level, runs, min_posts, select;
};

enum { CMD_CLASSIFY_MORE = 100 }; /* labels that a forecast is made for */

/* Shares in all posts of --in, which has no name, or in a group of them. */
struct cmd_classify_set {
    struct str name;
    struct learn_quantify shares;
};

/* One method and what came out of it. */
struct cmd_classify_trial {
    const char *name; /* of the method, and whether --vectors are left out */
    struct learn_model_settings settings;
    struct learn_examples examples;
    struct learn_judged judged;
    struct run_classifying_scored scored;
};

static inline bool cmd_classify_uses_given(const struct cmd_classify_trial *trial)
{
    return trial->examples.given > 0 && !trial->settings.without_given;
}

struct cmd_classify_work {
    const struct cmd_classify_args *args;
    struct arena *arena;
    struct progress *progress;
    struct cmd_labelled learned, tested; /* --data; --test, empty without it */
    struct learn_parts *posts;           /* of both */
    struct learn_membership truth;
    struct learn_vectors vectors; /* of --unlabelled */
    struct input_vectors given;   /* of --vectors; zeroed: none */
    struct learn_given given_of;  /* the posts */
    struct str *ids;              /* of both */
    struct learn_hierarchy tree;  /* of the classes */
    struct learn_fold_items train,
        test; /* places in both; test is empty without --test */
    const size_t
        *duplicates; /* near duplicates have the same number, that of the first */
    size_t left_out; /* training posts that resemble a test post */
    size_t same;     /* posts of --in with the text of a labelled one, without --id */
    struct cmd_classify_trial trials[LEARN_MODEL_METHODS + 1];
    size_t trial_count;
    struct learn_judge_step *steps; /* with --curve: LEARN_JUDGE_STEPS of them */
    struct learn_curve_forecast forecast;
    struct result_table shares;    /* with --in */
    struct cmd_classify_set *sets; /* the same as numbers */
    size_t set_count;
    size_t outside, repeated; /* with --id: labelled posts that are not in --in; its rows
                               * whose id an earlier one has */
    struct buf out;
};

/* Learns from --data, judges that, and adds what came out of it to work->out. */
bool cmd_classify_learn(struct cmd_classify_work *work, struct err *err) MUST_USE;

/* Each adds to work->out. Text is for people, JSON has an object a method. */
void cmd_classify_add_text(struct cmd_classify_work *work);
void cmd_classify_add_json(struct cmd_classify_work *work);
void cmd_classify_add_shares(struct cmd_classify_work *work);

/* The files of --out. */
bool cmd_classify_write(struct cmd_classify_work *work, struct err *err) MUST_USE;

/* A table as studies show it, called after what it is of. */
void cmd_classify_add_table(struct result_table *table, struct str of,
                            struct arena *arena, struct buf *out);

/* Reads --in and sets the shares in it. */
bool cmd_classify_shares(struct cmd_classify_work *work, struct err *err) MUST_USE;

/* Prints a csv line for each class of each post of --in: the post's id, or the number of
 * its row, the class, its probability. */
bool cmd_classify_apply_saved(struct cmd_classify_work *work, struct err *err) MUST_USE;

/* What explaining a post needs. */
struct cmd_classify_explained {
    const struct learn_model *model;
    const struct learn_features_table *table;
    const struct str *classes;
};

/* Each adds what decided about the post of --explain: one learned from, one of --in,
 * whose columns `text` are read, or an item of the study's corpus, by each of its
 * classifiers. ERR_USAGE when there is no such post. */
bool cmd_classify_explain_learned(struct cmd_classify_work *work,
                                  const struct learn_model *model,
                                  struct err *err) MUST_USE;
bool cmd_classify_explain_saved(struct cmd_classify_work *work,
                                const struct learn_model_file *file, const char *text,
                                struct err *err) MUST_USE;
bool cmd_classify_explain_study(const struct study *study, const char *wanted,
                                struct arena *arena, struct buf *out,
                                struct err *err) MUST_USE;

/* ERR_INPUT when the classes are not what --hierarchy and --level ask for. */
bool cmd_classify_check_levels(const struct learn_hierarchy *tree, bool several,
                               const struct cmd_classify_args *args,
                               struct err *err) MUST_USE;
enum learn_hierarchy_rule cmd_classify_rule(const struct cmd_classify_args *args);

#endif
