/* A model as text: its features, weights and how it was made, so that it predicts the
 * same elsewhere. What is read may come from anywhere and is checked. */
#ifndef LEARN_MODEL_FILE_H
#define LEARN_MODEL_FILE_H

#include "learn/model.h"

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
