/* labels.db: the log of a study's labelling, to which rows are only ever added. Here are
 * rows and nothing else; what they mean is label/'s business. */
#ifndef STORE_ACTS_H
#define STORE_ACTS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

enum { STORE_ACTS_SCHEMA = 8 }; /* number of the newest section of labels.sql */

struct store_acts; /* one open labels.db; for one thread at a time */

/* Opens the file, or makes it, for this study. ERR_INPUT when it is no labels.db, of
 * another study, of a newer schema or damaged. What has been committed survives a crash
 * of the program and of the machine. The caller hands *out to store_acts_close(). */
bool store_acts_open(const char *path, struct str study, struct store_acts **out,
                     struct err *err) MUST_USE;
void store_acts_close(struct store_acts *acts); /* NULL is fine */

/* Which source the numbers of items belong to: remembered the first time, and compared
 * from then on. ERR_INPUT when another source has that number now; the only source of a
 * study may be renamed. */
bool store_acts_check_source(struct store_acts *acts, size_t number, struct str called,
                             bool only, struct err *err) MUST_USE;

/* Labels of an assay that did not remember sources had plain numbers for the items of all
 * of them. Calls name() once with each such item, ascending, and with what people have
 * said of it by hand (about 'item 7000'; empty: nothing), and has all rows speak of the
 * item that it gives from then on: all or none. Does nothing to a file that remembers its
 * sources. STORE_ACTS_TELL is how people say it, of a number and a key. */
#define STORE_ACTS_TELL \
    "sqlite3 labels.db \"INSERT INTO about VALUES ('item %lld', '%s')\""
typedef bool store_acts_name(void *context, int64_t *item, struct str told,
                             struct err *err);
bool store_acts_name_items(struct store_acts *acts, store_acts_name *name, void *context,
                           struct err *err) MUST_USE;

/* The whole as it is at this moment, also what a copy of the file alone would lack while
 * somebody has it open. */
bool store_acts_copy(struct store_acts *acts, struct buf *out, struct err *err) MUST_USE;

/* What was added moves from the log beside the file into the file, unless somebody is
 * just reading or writing; then later. */
void store_acts_settle(struct store_acts *acts);

/* One transaction at a time, which keeps other writers out; rolling back when none is
 * open does nothing. What is added without one is a transaction of its own. */
bool store_acts_begin(struct store_acts *acts, struct err *err) MUST_USE;
bool store_acts_commit(struct store_acts *acts, struct err *err) MUST_USE;

/* A transaction for reading alone, in which all tables are seen as of one moment. */
bool store_acts_begin_reading(struct store_acts *acts, struct err *err) MUST_USE;
void store_acts_rollback(struct store_acts *acts);

/* The tables' columns are explained in labels.sql. Adding a row sets its id and, where it
 * is 0, its at_ms. */

struct store_acts_codebook {
    int64_t id, at_ms;
    struct str task, version;
    int64_t changes;
    struct str text;
};

struct store_acts_round {
    int64_t id, at_ms;
    struct str task, kind, by, source;
};

struct store_acts_round_end {
    int64_t id, at_ms, round;
    struct str by;
};

struct store_acts_assignment {
    int64_t id, round;
    struct str rater;
    int64_t position, item;
    bool again;
    double score; /* NAN: NULL */
};

struct store_acts_codes {
    struct str *at; /* paths: letters, digits, - _ . / */
    size_t count;
};

struct store_acts_act {
    int64_t id, at_ms;
    struct str kind;
    int64_t round;
    struct str rater;
    int64_t item;
    bool again;
    struct str dimension;
    struct store_acts_codes codes;
    struct str memo;
    bool unsure;
    double seconds; /* NAN: NULL */
    struct str version;
    int64_t supersedes;    /* 0: NULL */
    struct str client_key; /* empty: NULL */
    struct str source;
    struct str unit, place; /* empty: NULL */
    struct str seen;        /* empty: NULL */
};

struct store_acts_decision {
    int64_t id, at_ms;
    struct str task;
    int64_t item;
    struct str dimension;
    struct store_acts_codes codes;
    struct str version, by, reason, text;
    struct str unit, unit_of; /* empty: NULL */
};

struct store_acts_proposal {
    int64_t id, at_ms;
    struct str task, rater, dimension, parent, code, name, text;
    int64_t item;
};

struct store_acts_verdict {
    int64_t id, at_ms, proposal;
    bool accepted;
    struct str by, reason;
};

struct store_acts_token {
    int64_t id, at_ms;
    struct str task, person;
    struct str token; /* its hash, or of an older assay itself */
};

struct store_acts_import {
    int64_t id, at_ms;
    struct str task, by, source, hash;
};

struct store_acts_message {
    int64_t id;
    struct str hash, before, text;
};

struct store_acts_answer {
    int64_t id, at_ms;
    struct str task, rater;
    int64_t item;
    struct str dimension;
    int64_t run, try;
    struct str state;
    struct store_acts_codes codes;
    double probability; /* NAN: NULL */
    struct str asked, answered, url, server, fingerprint, digest, version, prompt,
        request, reply;
    bool constrained;
    double temperature;
    int64_t seed, tokens_in, tokens_out;
    double seconds;
    int64_t sent;
    struct str says;
    struct str unit, place, called; /* empty: NULL */
};

/* Puts another text in place of each token: of an older assay they stand there for
 * whoever reads the file. Nothing of what was there is left in it. */
typedef struct str store_acts_hide(void *context, const struct store_acts_token *token);
bool store_acts_hide_tokens(struct store_acts *acts, store_acts_hide *hide, void *context,
                            struct err *err) MUST_USE;

/* Where rows stand, each a struct of the same name. */
enum store_acts_table {
    STORE_ACTS_CODEBOOK,
    STORE_ACTS_ROUND,
    STORE_ACTS_ROUND_END,
    STORE_ACTS_ASSIGNMENT,
    STORE_ACTS_ACT,
    STORE_ACTS_DECISION,
    STORE_ACTS_PROPOSAL,
    STORE_ACTS_VERDICT,
    STORE_ACTS_TOKEN,
    STORE_ACTS_IMPORT,
    STORE_ACTS_MESSAGE,
    STORE_ACTS_ANSWER,
    STORE_ACTS_TABLES,
};

/* Adds a row of the table, and gives it its id and, where it has none, its moment. */
bool store_acts_add(struct store_acts *acts, enum store_acts_table table, void *row,
                    struct err *err) MUST_USE;

/* Reads the rows with an id above `after`, which is 0 or that of a row that was read
 * before, ascending, and calls take() with each, a struct of the table's kind whose texts
 * last during the call; its false, with err, ends the pass. ERR_INPUT, after rows that
 * are right, where one is not as it was written or is missing. */
typedef bool store_acts_take(void *context, const void *row, struct err *err);
bool store_acts_each(struct store_acts *acts, enum store_acts_table table, int64_t after,
                     store_acts_take *take, void *context, struct err *err) MUST_USE;

/* The act that a message brought; *found is false when there is none. Texts live in
 * arena. */
bool store_acts_find_act(struct store_acts *acts, struct str client_key,
                         struct arena *arena, struct store_acts_act *out, bool *found,
                         struct err *err) MUST_USE;

/* The message of a hash, as it is stored; *found is false when there is none. Texts live
 * in arena. */
bool store_acts_find_message(struct store_acts *acts, struct str hash,
                             struct arena *arena, struct store_acts_message *out,
                             bool *found, struct err *err) MUST_USE;

/* A number that stands for what labels.db says of a task, so that results which rest on
 * it can be told to be up to date without being computed. */
/* Moments, memos and links of people do not count. 0: there is no such file. */
bool store_acts_digest(const char *path, struct str task, uint64_t *out,
                       struct err *err) MUST_USE;

#endif
