/* What the files of assay classify share: the work in hand, and how it is shown. */
#ifndef CMD_CLASSIFY_H
#define CMD_CLASSIFY_H

#include "cmd/cmd.h"
#include "cmd/labelled.h"
#include "learn/hierarchy.h"
#include "learn/judge.h"
#include "learn/model.h"
#include "learn/quantify.h"
#include "study/study.h"

struct classify_args {
    const char *study; /* instead of all that follows */
    const char *from, *text, *label, *id, *separator, *test, *method, *keywords, *tune;
    const char *unlabelled, *explain, *weights, *idf, *stop_words;
    struct cmd_real max_share;
    const char *features, *hierarchy, *several;
    const char *save, *model, *in, *by, *chosen, *strata;
    const char *normaliser, *outside, *title; /* of keyword-weight */
    bool json, curve;
    int64_t folds, repeats, seed, threads, top, level, runs, min_posts, select;
};

enum { CLASSIFY_MORE = 100 }; /* labels that a forecast is made for */

/* Shares in all posts of --in, which has no name, or in a group of them. */
struct classify_set {
    struct str name;
    struct quantify shares;
};

/* One method and what came out of it. */
struct classify_trial {
    struct model_settings settings;
    struct examples examples;
    struct judged judged;
    struct score score;
    struct score_intervals intervals;
};

struct classify_work {
    const struct classify_args *args;
    struct arena *arena;
    struct labelled learned, tested; /* --data; --test, empty without it */
    struct parts *posts;             /* of both */
    struct membership truth;
    struct vectors vectors;         /* of --unlabelled */
    struct hierarchy tree;          /* of the classes */
    struct folds_items train, test; /* places in both; test is empty without --test */
    size_t left_out;                /* training posts that resemble a test post */
    const struct model_keyword *keywords;
    size_t keyword_count;
    struct classify_trial trials[MODEL_METHODS];
    size_t trial_count;
    struct judge_step *steps; /* with --curve: JUDGE_STEPS of them */
    struct curve_forecast forecast;
    struct classify_set *sets; /* with --in */
    size_t set_count;
    size_t outside, repeated; /* with --id: labelled posts that are not in --in; its rows
                               * whose id an earlier one has */
    struct buf out;
};

/* Scores of the study's classifiers. */
bool classify_study(struct cmd_session *session, const struct classify_args *args,
                    struct err *err) MUST_USE;

/* Learns from --data, judges that, and adds what came out of it to work->out. */
bool classify_learn(struct classify_work *work, struct err *err) MUST_USE;

/* Word vectors from the text of --unlabelled. */
bool classify_read_vectors(struct classify_work *work, struct err *err) MUST_USE;

/* Each adds to work->out. Text is for people, JSON has an object a method. */
void classify_add_text(struct classify_work *work);
void classify_add_json(struct classify_work *work);
void classify_add_shares(struct classify_work *work);

/* What tables are made of: a column of class names, and a line without blanks that fill
 * up an empty last column. */
int classify_name_width(const struct labelled_classes *classes);
void classify_add_name(struct buf *out, struct str name, int width);
void classify_end_line(struct buf *out);

/* Reads --in and sets the shares in it. */
bool classify_shares(struct classify_work *work, struct err *err) MUST_USE;

/* Prints a csv line for each class of each post of --in: the post's id, or the number of
 * its row, the class, its probability. */
bool classify_apply_saved(struct classify_work *work, struct err *err) MUST_USE;

/* What explaining a post needs. */
struct classify_explained {
    const struct model *model;
    const struct features_table *table;
    const struct str *classes;
};

/* Each adds what decided about the post of --explain: one learned from, one of --in,
 * whose columns `text` are read, or an item of the study's corpus, by each of its
 * classifiers. ERR_USAGE when there is no such post. */
bool classify_explain_learned(struct classify_work *work, const struct model *model,
                              struct err *err) MUST_USE;
bool classify_explain_saved(struct classify_work *work, const struct model_file *file,
                            const char *text, struct err *err) MUST_USE;
bool classify_explain_study(const struct study *study, const char *wanted,
                            struct arena *arena, struct buf *out,
                            struct err *err) MUST_USE;

/* With --hierarchy: scores of each level, as text. */
void classify_add_levels(struct classify_work *work);

/* ERR_INPUT when the classes are not what --hierarchy and --level ask for. */
bool classify_check_levels(const struct hierarchy *tree, bool several,
                           const struct classify_args *args, struct err *err) MUST_USE;
enum hierarchy_rule classify_rule(const struct classify_args *args);

int classify_threads(const struct classify_args *args);

#endif
