/* assay.lock: what every result rests on. For each step the hash of its section of the
 * study file, of what went in and of what came out; readable in a diff. */
#ifndef RUN_LEDGER_H
#define RUN_LEDGER_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

struct ledger_pair {
    struct str name; /* of an input, or path of a file from the study's folder */
    uint64_t hash;
};

struct ledger_step {
    struct str name; /* "sets.B" */
    uint64_t section;
    int engine;
    struct ledger_pair *inputs, *files;
    size_t input_count, file_count;
    struct str says; /* what came out, in a few words */
};

struct ledger {
    struct ledger_step *steps;
    size_t count;
};

/* A file that is not there is an empty ledger; ERR_INPUT for one that is none of ours. */
bool ledger_load(const char *path, struct arena *arena, struct ledger *out,
                 struct err *err) MUST_USE;
bool ledger_parse(struct str text, const char *path, struct arena *arena,
                  struct ledger *out, struct err *err) MUST_USE;
void ledger_print(const struct ledger *ledger, struct buf *out);

const struct ledger_step *ledger_find(const struct ledger *ledger, struct str name);

/* One hash for all of a step's files: what later steps rest on. */
uint64_t ledger_output(const struct ledger_step *step);

#endif
