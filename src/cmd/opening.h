/* What the commands on a study share: its operand, its options, opening it. */
#ifndef CMD_OPENING_H
#define CMD_OPENING_H

#include "base/lock.h"
#include "cmd/cmd.h"
#include "label/label.h"
#include "run/run.h"
#include "study/study.h"

/* Where the study is, as every command on one takes it. */
struct cmd_opening_args {
    const char *study; /* NULL: here */
    const char *data;  /* NULL: what ASSAY_DATA says */
    bool skip_broken, quiet;
    int64_t threads, checkpoint;
};

/* Rows for the tables of a command whose args begin with struct cmd_opening_args. */
#define CMD_OPENING_OPERAND \
    { \
        "STUDY", offsetof(struct cmd_opening_args, study), \
            "the study file, or the folder that holds study.yaml; the current folder " \
            "when " \
            "it is left out", \
            false \
    }
#define CMD_OPENING_DATA \
    { \
        "--data", CMD_TEXT, offsetof(struct cmd_opening_args, data), "DIR", \
            .help = "what $data/ stands for in the study's paths; without it the " \
                    "environment variable ASSAY_DATA" \
    }
#define CMD_OPENING_READING \
    {"--skip-broken", CMD_FLAG, offsetof(struct cmd_opening_args, skip_broken), NULL, \
     .help = "go on after a row that cannot be read, and count them"}, \
        {"--checkpoint", \
         CMD_INT, \
         offsetof(struct cmd_opening_args, checkpoint), \
         "MB", \
         .help = "megabytes that are at most read again after an interruption", \
         .lowest = 1, \
         .highest = 1000000, \
         .fallback = "256"}, \
    { \
        "--threads", CMD_INT, offsetof(struct cmd_opening_args, threads), "N", \
            .help = "threads; 0 is one a core, and no number changes the result", \
            .highest = 256, .fallback = "0" \
    }
#define CMD_OPENING_QUIET \
    { \
        "--quiet", CMD_FLAG, offsetof(struct cmd_opening_args, quiet), NULL, \
            .help = "no progress and no summary" \
    }

/* What $data/ in paths stands for; NULL: nothing. */
const char *cmd_opening_data(const struct cmd_opening_args *args);

/* Whether a path is a study, where a table may stand as well: a folder or a yaml file. */
bool cmd_opening_is_study(const char *path);

/* Reads the study; what is wrong with it is printed on standard error. */
bool cmd_opening_study(struct cmd_session *session, const struct cmd_opening_args *args,
                       struct study *out, struct err *err) MUST_USE;

struct run_options cmd_opening_options(const struct cmd_opening_args *args);

/* Nobody else may change the study meanwhile; released by lock_release(). */
bool cmd_opening_lock(struct cmd_session *session, const struct study *study,
                      const char *who, struct lock *out, struct err *err) MUST_USE;

/* A study that was brought up to date, and is still locked: lock_release(). */
struct cmd_opening_run {
    struct study study;
    struct lock lock;
    int64_t made; /* steps */
};

/* Opens, locks and runs the study; tell may be NULL. *out is to be released also when it
 * fails. */
bool cmd_opening_run(struct cmd_session *session, const struct cmd_opening_args *args,
                     const char *who,
                     void (*tell)(void *context, struct str step, const char *what,
                                  struct str text),
                     struct cmd_opening_run *out, struct err *err) MUST_USE;

/* What the commands on a study's labels share: opening one of its labelling tasks. */
/* A row for the table of options of a command. */
#define CMD_TASK_OPTION(type, field) \
    { \
        "--task", CMD_TEXT, offsetof(type, field), "NAME", \
            .help = "which `labelling` of the study; may be left out when there is one" \
    }

/* Reads the study and opens the task; what is wrong with the study or its codebook is
 * printed on standard error. With must_exist, ERR_INPUT when there is no labels.db yet.
 * The caller hands *out to label_close(). */
bool cmd_task_open(struct cmd_session *session, const struct cmd_opening_args *args,
                   const char *name, bool must_exist, struct study *study,
                   struct label **out, struct err *err) MUST_USE;

#endif
