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
#include "learn/powerset.h"
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

#endif
