/* assay.lock: what every result rests on. For each step the hash of its section of the
 * study file, of what went in and of what came out; readable in a diff. */
#ifndef RUN_LEDGER_H
#define RUN_LEDGER_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

struct run_ledger_pair {
    struct str name; /* of an input, or path of a file from the study's folder */
    uint64_t hash;
};

struct run_ledger_step {
    struct str name; /* "sets.B" */
    uint64_t section;
    int engine;
    struct run_ledger_pair *inputs, *files;
    size_t input_count, file_count;
    struct str says; /* what came out, in a few words */
};

struct run_ledger {
    struct run_ledger_step *steps;
    size_t count;
};

/* A file that is not there is an empty ledger; ERR_INPUT for one that is none of ours. */
bool run_ledger_load(const char *path, struct arena *arena, struct run_ledger *out,
                     struct err *err) MUST_USE;
bool run_ledger_parse(struct str text, const char *path, struct arena *arena,
                      struct run_ledger *out, struct err *err) MUST_USE;
void run_ledger_print(const struct run_ledger *ledger, struct buf *out);

const struct run_ledger_step *run_ledger_find(const struct run_ledger *ledger,
                                              struct str name);

/* One hash for all of a step's files: what later steps rest on. */
uint64_t run_ledger_output(const struct run_ledger_step *step);

#endif
