/* Raters that are models. What they were asked and said stands in labels.db beside what
 * people did, by rows that are only ever added; it is never a final label. */
#ifndef LABEL_MODELS_H
#define LABEL_MODELS_H

#include "label/label.h"
#include "store/acts.h"

/* An item as text, with all that raters see of it. UTF-8. */
bool label_item_text(struct label *label, int64_t item, struct arena *arena,
                     struct str *out, struct err *err) MUST_USE;

/* Where items have units, models are asked about those that came out of what people
 * marked, once nothing about them is pending; they mark none of their own. */
struct label_model_unit {
    int64_t item;
    struct str unit, place, called; /* empty: the item as a whole, not said */
};

/* What a model is asked about: the items of its own sets and samples, else those of the
 * labelling, as a whole or by the units in them; *items: how many of them have any. */
bool label_model_about(struct label *label, const struct study_model_rater *model,
                       struct arena *arena, struct label_model_unit **out, size_t *count,
                       size_t *items, struct err *err) MUST_USE;

/* What raters see of the unit: how it is called, where it is and what stands there. */
bool label_unit_text(struct label *label, const struct label_model_unit *unit,
                     struct arena *arena, struct str *out, struct err *err) MUST_USE;

/* Rows. */

/* Those of the task, in the order in which they came; as store_acts_each(). */
bool label_answers_each(struct label *label, store_acts_take *take, void *context,
                        struct err *err) MUST_USE;

/* Adds a row; the task is set. */
bool label_answer_add(struct label *label, struct store_acts_answer *row,
                      struct err *err) MUST_USE;

/* SHA-256, 64 hex digits. */
struct str label_message_hash(struct str text, struct arena *arena);

/* Stores bytes, unless they are there: they begin with the message `before`, unless that
 * is empty, and go on with text. */
bool label_message_add(struct label *label, struct str hash, struct str before,
                       struct str text, struct err *err) MUST_USE;

/* All of a message. ERR_INPUT when there is none, or it is not what its hash says. */
bool label_message(struct label *label, struct str hash, struct arena *arena,
                   struct str *out, struct err *err) MUST_USE;

/* What they mean. */

/* What a model says of an item or a unit in it, as it counts now: of each run the last
 * row. What it said of units that are there no more does not count. */
struct label_model_word {
    size_t model; /* in the task's settings */
    int64_t item;
    const struct label_model_unit *unit; /* NULL: the item as a whole */
    int64_t run;        /* 0: of all runs together, what most of them say */
    struct str *codes;  /* carried over to the codebook as it is now, ascending */
    size_t code_count;  /* 0: it gave no answer */
    double probability; /* as the model tells; of several runs the share that says so;
                           NAN: not known */
};

/* Of a row whose reply was no chat completion, such as the page of a proxy: the model has
 * said nothing, and the question is still open. */
bool label_answer_is_broken(const struct store_acts_answer *row);

/* In a dimension; by model, then item, then unit, then run. runs: each by itself, else together. */
bool label_model_words(struct label *label, struct str dimension, bool runs,
                       struct arena *arena, struct label_model_word **out, size_t *count,
                       struct err *err) MUST_USE;

/* How far a model's runs agree, as raters. */
bool label_model_self(struct label *label, struct str dimension, size_t model,
                      struct arena *arena, struct label_agree_measures *out,
                      struct err *err) MUST_USE;

/* What was recorded of a model, over all dimensions. */
struct label_model_record {
    const struct study_model_rater *settings;
    int64_t requests, answered, refused, cut, unreadable, rejected; /* tries */
    int64_t plainer; /* requests with a schema that the server did not take, asked again
                        without */
    int64_t broken; /* questions that were given up: no reply was a chat completion */
    int64_t again;  /* of the requests: further tries */
    int64_t resent; /* sent more than once, for limits of rate and broken connections */
    int64_t items;  /* or units, with an answer of every run */
    int64_t left;   /* the same, with some answer missing, that were asked about */
    int64_t tokens_in, tokens_out;
    double seconds;
    int64_t first_ms, last_ms; /* 0: never asked */
    bool constrained, plain;   /* some requests had a schema; some had none */
    bool probable;             /* some answers have a probability */
    /* As the rows name them, each once, by commas. */
    struct str asked, answered_as, urls, fingerprints, digests, versions, prompts,
        servers, temperatures, seeds;
    struct str settings_sent; /* further members of requests: "max_tokens 200" */
};

bool label_model_records(struct label *label, struct arena *arena,
                         struct label_model_record **out, size_t *count,
                         struct err *err) MUST_USE;

#endif
