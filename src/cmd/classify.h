/* What the files of assay classify share: the work in hand, and how it is shown. */
#ifndef CMD_CLASSIFY_H
#define CMD_CLASSIFY_H

#include "cmd/labelled.h"
#include "learn/judge.h"
#include "learn/model_file.h"
#include "learn/quantify.h"

struct classify_args {
    const char *from, *text, *label, *id, *separator, *test, *method, *keywords, *tune;
    const char *features;
    const char *save, *model, *in;
    bool json, curve;
    int64_t folds, repeats, seed, threads, explain;
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
    struct labelled learned, tested; /* --from; --test, empty without it */
    struct parts *posts;             /* of both */
    struct membership truth;
    struct folds_items train, test; /* places in both; test is empty without --test */
    size_t left_out;                /* training posts that resemble a test post */
    const struct model_keyword *keywords;
    size_t keyword_count;
    struct classify_trial trials[MODEL_METHODS];
    size_t trial_count;
    struct buf out;
};

/* Each adds to work->out. Text is for people, JSON has an object a method. */
void classify_add_text(struct classify_work *work);
void classify_add_json(struct classify_work *work);
void classify_add_curve(struct classify_work *work,
                        const struct judge_step steps[JUDGE_STEPS]);
void classify_add_shares(struct classify_work *work, const struct quantify *shares,
                         size_t posts);

/* A csv line for each class of each post: the post's id, the class, its probability. */
void classify_add_predictions(struct classify_work *work, const struct model_file *file,
                              const struct labelled *posts, const uint8_t *said,
                              const double *probabilities);

#endif
