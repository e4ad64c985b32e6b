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

/* In the order of learn_model_methods. */
enum learn_model_method {
    LEARN_MODEL_MAJORITY,
    LEARN_MODEL_KEYWORD_WEIGHT,
    LEARN_MODEL_NAIVE_BAYES,
    LEARN_MODEL_COMPLEMENT_BAYES,
    LEARN_MODEL_LINEAR,   /* squared hinge loss: a support vector machine */
    LEARN_MODEL_LOGISTIC, /* the same with logistic loss */
    LEARN_MODEL_CENTROID,
    LEARN_MODEL_METHODS,
    LEARN_MODEL_MEAN = LEARN_MODEL_METHODS, /* of several models: learn_model_mean() */
};

extern const char
    *const learn_model_methods[LEARN_MODEL_METHODS]; /* "keyword-weight", ... */

/* How several labels are learned. */
enum learn_model_several {
    LEARN_MODEL_REST,     /* each class against the rest */
    LEARN_MODEL_POWERSET, /* each set of labels as a class */
    LEARN_MODEL_CHOOSE, /* whichever has the higher macro F1 by cross-validation inside */
};

/* A word picked by hand for a class. */
struct learn_model_keyword {
    struct str word;
    size_t class;
};

/* Whether errors on small classes cost more; see learn_fit_linear. */
enum learn_model_weighting {
    LEARN_MODEL_EITHER, /* whichever is better inside */
    LEARN_MODEL_PLAIN,
    LEARN_MODEL_BALANCED,
};

struct learn_model_settings {
    enum learn_model_method method;
    struct learn_features_options features;
    struct learn_weigh_options weigh;
    struct learn_fit_keyword keyword; /* alpha and picked are set from what follows */
    const struct learn_model_keyword *keywords;
    size_t keyword_count;
    double fixed;       /* C, smoothing or alpha; NAN: tuned inside */
    bool balanced;      /* with `fixed`: see learn_fit_linear */
    double vectors;     /* with `fixed`: their weight, see weigh_options */
    double given;       /* the same of the posts' own */
    bool without_given; /* the posts' own vectors are not used */
    double strength;    /* C of linear methods, with what else is tuned; NAN: tuned too */
    enum learn_model_weighting weighting; /* of linear methods */
    const double *class_weights; /* see learn_fit_linear; not of sets of labels */
    size_t inner_folds;          /* of tuning */
    enum learn_model_several several;
    uint64_t seed;
};

/* Whether it, or a part of it, can use vectors: others only count words, which are never
 * below 0. */
bool learn_model_uses_vectors(enum learn_model_method method);

/* Whether it has a C and weights of classes, or a part of it has. */
bool learn_model_is_linear(enum learn_model_method method);

/* What suits the method. */
struct learn_model_settings learn_model_defaults(enum learn_model_method method);

/* Words and pairs of words alone, without stems and runs of letters: several times as
 * fast, a little less exact. */
void learn_model_take_words(struct learn_model_settings *settings);

/* The value that was tuned: C, smoothing or alpha, and what goes with it. */
struct learn_model_tuned {
    double value;
    bool balanced;
    double vectors;  /* weight of word vectors; 0: they did not help, or there are none */
    double given;    /* the same of the posts' own vectors */
    double macro_f1; /* in the inner cross-validation: an optimistic number */
};

struct learn_model {
    enum learn_model_method method;
    size_t classes;
    bool several;
    struct learn_weigh weigh;
    struct learn_scorer scorer;
    double sharpness;         /* probabilities are softmax(sharpness * score) */
    const double *thresholds; /* of each class's score; several labels only */
    /* With several labels the probability of a class is 1 / (1 + exp(-slope * score -
     * bias)); Platt, "Probabilistic outputs for support vector machines", 1999. NULL: of
     * means and powersets, whose scores are probabilities. */
    const double *slopes, *biases;
    struct learn_model_tuned tuned;
    const struct learn_model *members; /* of a mean; it has no weights of its own */
    size_t member_count;
    const struct learn_powerset *powerset; /* NULL: none */
    const struct learn_model *inner; /* of a powerset: its classes are the sets; it has no
                                  weights of its own */
};

/* Learns from those items of the examples. ERR_INPUT when there are fewer than two. */
bool learn_model_train(const struct learn_model_settings *settings,
                       const struct learn_examples *examples,
                       struct learn_fold_items items, struct arena *arena,
                       struct learn_model *out, struct err *err) MUST_USE;

/* Dimensions of the posts' own vectors that it has weights for; 0: it uses none. */
size_t learn_model_given(const struct learn_model *model);

/* The mean of their probabilities, `count` > 0; they stay where they are. */
struct learn_model learn_model_mean(const struct learn_model *models, size_t count,
                                    struct arena *arena);

/* What one thread needs to predict; zeroed is ready. */
struct learn_model_scratch {
    struct learn_rows_builder row;
    struct buf scores, sets;
};

void learn_model_scratch_free(struct learn_model_scratch *scratch);

/* Scores and probabilities of a row of counts, one a class. With one label the
 * probabilities add up to 1; with several each stands for itself. */
void learn_model_predict(const struct learn_model *model, struct learn_rows_row counts,
                         struct learn_model_scratch *scratch, double *scores,
                         double *probabilities);

/* The classes that follow: the best, or with several labels all above their thresholds
 * and at least the best. */
void learn_model_decide(const struct learn_model *model, const double *scores,
                        uint8_t *is);

/* Whether the model has weights for a word of the post, or for its vector. Runs of
 * letters tell only where features were selected, since they are then few, and of words
 * that tell classes apart: else some of them stand in whatever is written in the same
 * letters. A post of which it knows nothing has no class, neither where it is judged nor
 * where it is applied. */
bool learn_model_knows(const struct learn_model *model,
                       const struct learn_features_table *table,
                       struct learn_rows_row counts);

/* The features that spoke loudest for or against a class, by weight times value. */
struct learn_model_reason {
    uint32_t feature;
    double weight;  /* above 0: for the class */
    bool by_vector; /* by words of its kind, through its vector; with the feature
                       LEARN_ROWS_GIVEN by the post's own vector */
};

/* At most `room` reasons, strongest first; of a mean those of its first member. */
size_t learn_model_explain(const struct learn_model *model, struct learn_rows_row counts,
                           size_t class, struct learn_model_scratch *scratch,
                           struct learn_model_reason *out, size_t room,
                           struct arena *arena);

/* A model applied to many posts, on several threads, with the same result for any number
 * of them. */

struct learn_apply {
    const struct learn_model *model;
    struct learn_features_options features;
    const struct learn_features_table *table;
    int threads;
};

/* Posts, some of which may be left to be split. */
struct learn_apply_posts {
    size_t count;
    const struct learn_parts *parts;
    const struct str *bodies; /* completes the parts of each post; NULL: they are whole */
    struct learn_given given; /* the posts' own vectors; zeroed: none */
};

/* Fills said (posts x classes) and probabilities (the same) for the posts. One without
 * text, or of whose words the model knows none, has no class, and every probability is 0:
 * without this it would be in the class that is likely before anything is read. */
bool learn_apply_model(const struct learn_apply *apply, struct learn_apply_posts posts,
                       struct arena *arena, uint8_t *said, double *probabilities,
                       struct err *err) MUST_USE;

/* What a user may choose about features and the keyword-weight method. Zeroed is what
 * suits the method. */

struct learn_choice {
    int64_t run_max;           /* words in a row that count together, 1 to 3 */
    int64_t df_min;            /* posts that must have a feature */
    double df_max;             /* share of posts that may have it */
    int64_t select;            /* so many features, by chi-square */
    struct str idf;            /* "smooth", "plain" or "none" */
    struct str stops;          /* stop words: "keep" or "drop" */
    bool words_alone, letters; /* see learn_model_take_words(); neither: as it suits */
    double parts[LEARN_PARTS_COUNT]; /* how much each part counts, where `chosen` */
    bool chosen[LEARN_PARTS_COUNT];

    /* Of keyword-weight; see learn_fit_keyword and features_options. */
    bool length, only_top, body_wins;
    int64_t top;
};

void learn_choice_apply(const struct learn_choice *choice,
                        struct learn_model_settings *settings);

/* "title=0.7,code=0": ERR_USAGE for a part that there is not, a weight that is no number
 * of 0 or more, or a part twice. */
bool learn_choice_read_weights(struct str text, struct learn_choice *choice,
                               struct err *err) MUST_USE;

/* A model as text: its features, weights and how it was made, so that it predicts the
 * same elsewhere. What is read may come from anywhere and is checked. */

enum { LEARN_MODEL_FILE_VERSION = 2 };

struct learn_model_file {
    struct learn_features_options features;
    struct learn_features_table table; /* freed by learn_model_file_free() */
    struct learn_vectors
        *vectors; /* what was read; freed by learn_model_file_free(); NULL: none */
    struct learn_vectors_use use; /* of them */
    size_t given; /* dimensions of the posts' own vectors; 0: they are not used */
    struct learn_model model;
    struct str text;           /* the columns that were read, by commas; may be empty */
    const struct str *classes; /* their names */
    uint64_t training;         /* hash of the ids of the posts learned from */
    int64_t training_count;
};

/* Adds the model to out. Only features that a weight belongs to are written. */
void learn_model_file_write(const struct learn_model_file *file, struct arena *arena,
                            struct buf *out);

/* ERR_INPUT with "path:line: " for anything that learn_model_file_write() cannot have
 * made. */
bool learn_model_file_read(struct str text, const char *path, struct arena *arena,
                           struct learn_model_file *out, struct err *err) MUST_USE;
void learn_model_file_free(struct learn_model_file *file);

/* The hash of ids in their order. */
uint64_t learn_model_file_hash(const struct str *ids, size_t count);

#endif
