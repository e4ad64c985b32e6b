/* A classifier from its settings to its predictions. What a method leaves to be tuned
 * (C, smoothing, alpha, thresholds, how sure a score makes it) is tuned by
 * cross-validation inside the items that it is given to learn from. Of other items no
 * label is ever looked at; their texts are only where they are part of the unlabelled
 * text that word vectors were learned from. */
#ifndef LEARN_MODEL_H
#define LEARN_MODEL_H

#include "base/err.h"
#include "learn/examples.h"
#include "learn/fit.h"
#include "learn/folds.h"
#include "learn/weigh.h"

/* In the order of model_methods. */
enum model_method {
    MODEL_MAJORITY,
    MODEL_KEYWORD_WEIGHT,
    MODEL_NAIVE_BAYES,
    MODEL_COMPLEMENT_BAYES,
    MODEL_LINEAR,   /* squared hinge loss: a support vector machine */
    MODEL_LOGISTIC, /* the same with logistic loss */
    MODEL_CENTROID,
    MODEL_AVERAGE, /* mean probability of linear, logistic and complement Bayes */
    MODEL_METHODS,
};

extern const char *const model_methods[MODEL_METHODS]; /* "keyword-weight", ... */

/* How several labels are learned. */
enum model_several {
    MODEL_REST,     /* each class against the rest */
    MODEL_POWERSET, /* each set of labels as a class */
    MODEL_CHOOSE,   /* whichever has the higher macro F1 by cross-validation inside */
};

/* A word picked by hand for a class. */
struct model_keyword {
    struct str word;
    size_t class;
};

struct model_settings {
    enum model_method method;
    struct features_options features;
    struct weigh_options weigh;
    struct fit_keyword keyword; /* alpha and picked are set from what follows */
    const struct model_keyword *keywords;
    size_t keyword_count;
    double fixed;       /* C, smoothing or alpha; NAN: tuned inside */
    bool balanced;      /* with `fixed`: see fit_linear */
    double vectors;     /* with `fixed`: their weight, see weigh_options */
    size_t inner_folds; /* of tuning */
    enum model_several several;
    uint64_t seed;
};

/* Whether it, or a part of it, can use word vectors: others only count words, which are
 * never below 0. */
bool model_uses_vectors(enum model_method method);

/* What suits the method. */
struct model_settings model_defaults(enum model_method method);

/* Words and pairs of words alone, without stems and runs of letters: several times as
 * fast, a little less exact. */
void model_take_words(struct model_settings *settings);

/* The value that was tuned: C, smoothing or alpha, and what goes with it. */
struct model_tuned {
    double value;
    bool balanced;
    double vectors;  /* weight of word vectors; 0: they did not help, or there are none */
    double macro_f1; /* in the inner cross-validation: an optimistic number */
};

struct model {
    enum model_method method;
    size_t classes;
    bool several;
    struct weigh weigh;
    struct scorer scorer;
    double sharpness;         /* probabilities are softmax(sharpness * score) */
    const double *thresholds; /* of each class's score; several labels only */
    struct model_tuned tuned;
    const struct model *members; /* of an average; it has no weights of its own */
    size_t member_count;
    const struct powerset *powerset; /* NULL: none */
    const struct model *inner;       /* of a powerset: its classes are the sets; it has no
                                        weights of its own */
};

/* Learns from those items of the examples. ERR_INPUT when there are fewer than two. */
bool model_train(const struct model_settings *settings, const struct examples *examples,
                 struct folds_items items, struct arena *arena, struct model *out,
                 struct err *err) MUST_USE;

/* The mean of their probabilities, `count` > 0; they stay where they are. */
struct model model_mean(const struct model *models, size_t count, struct arena *arena);

/* What one thread needs to predict; zeroed is ready. */
struct model_scratch {
    struct rows_builder row;
    struct buf scores, sets;
};

void model_scratch_free(struct model_scratch *scratch);

/* Scores and probabilities of a row of counts, one a class. With one label the
 * probabilities add up to 1; with several each stands for itself. */
void model_predict(const struct model *model, struct rows_row counts,
                   struct model_scratch *scratch, double *scores, double *probabilities);

/* The classes that follow: the best, or with several labels all above their thresholds
 * and at least the best. */
void model_decide(const struct model *model, const double *scores, uint8_t *is);

/* The features that spoke loudest for or against a class, by weight times value. */
struct model_reason {
    uint32_t feature;
    double weight;  /* above 0: for the class */
    bool by_vector; /* by words of its kind, through its vector */
};

/* At most `room` reasons, strongest first; of an average those of its first member. */
size_t model_explain(const struct model *model, struct rows_row counts, size_t class,
                     struct model_scratch *scratch, struct model_reason *out, size_t room,
                     struct arena *arena);

/* A model applied to many posts, on several threads, with the same result for any number
 * of them. */

struct apply {
    const struct model *model;
    struct features_options features;
    const struct features_table *table;
    int threads;
};

/* Posts, some of which may be left to be split. */
struct apply_posts {
    size_t count;
    const struct parts *parts;
    const struct str *bodies; /* completes the parts of each post; NULL: they are whole */
};

/* Fills said (posts x classes) and probabilities (the same) for the posts. */
bool apply_model(const struct apply *apply, struct apply_posts posts, struct arena *arena,
                 uint8_t *said, double *probabilities, struct err *err) MUST_USE;

/* What a user may choose about features and the keyword-weight method. Zeroed is what
 * suits the method. */

struct choice {
    int64_t run_max;           /* words in a row that count together, 1 to 3 */
    int64_t df_min;            /* posts that must have a feature */
    double df_max;             /* share of posts that may have it */
    int64_t select;            /* so many features, by chi-square */
    struct str idf;            /* "smooth", "plain" or "none" */
    struct str stops;          /* stop words: "keep" or "drop" */
    bool words_alone;          /* see model_take_words() */
    double parts[PARTS_COUNT]; /* how much each part counts, where `chosen` */
    bool chosen[PARTS_COUNT];

    /* Of keyword-weight; see fit_keyword and features_options. */
    bool length, only_top, body_wins;
    int64_t top;
};

void choice_apply(const struct choice *choice, struct model_settings *settings);

/* "title=0.7,code=0": ERR_USAGE for a part that there is not, a weight that is no number
 * of 0 or more, or a part twice. */
bool choice_read_weights(struct str text, struct choice *choice,
                         struct err *err) MUST_USE;

/* A model as text: its features, weights and how it was made, so that it predicts the
 * same elsewhere. What is read may come from anywhere and is checked. */

enum { MODEL_FILE_VERSION = 2 };

struct model_file {
    struct features_options features;
    struct features_table table; /* freed by model_file_free() */
    struct vectors *vectors; /* what was read; freed by model_file_free(); NULL: none */
    struct vectors_use use;  /* of them */
    struct model model;
    struct str text;           /* the columns that were read, by commas; may be empty */
    const struct str *classes; /* their names */
    uint64_t training;         /* hash of the ids of the posts learned from */
    int64_t training_count;
};

/* Adds the model to out. Only features that a weight belongs to are written. */
void model_file_write(const struct model_file *file, struct arena *arena,
                      struct buf *out);

/* ERR_INPUT with "path:line: " for anything that model_file_write() cannot have made. */
bool model_file_read(struct str text, const char *path, struct arena *arena,
                     struct model_file *out, struct err *err) MUST_USE;
void model_file_free(struct model_file *file);

/* The hash of ids in their order. */
uint64_t model_file_hash(const struct str *ids, size_t count);

#endif
