/* The command line. A command is a table row: what it is called, what it takes, what it
 * does. Parsing, --help, manual pages and shell completion all read the same tables. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#define CMD_VERSION "0.1.0"
#define CMD_DATE    "2026-11-16" /* of the version, for the manual */

enum cmd_type {
    CMD_FLAG,   /* bool */
    CMD_INT,    /* int64_t from lowest to highest */
    CMD_REAL,   /* struct cmd_real, from lowest to highest */
    CMD_TEXT,   /* const char * */
    CMD_CHOICE, /* const char *, one of choices */
};

struct cmd_real {
    bool given;
    double value;
};

struct cmd_option {
    const char *name; /* "--from"; NULL ends the table */
    enum cmd_type type;
    size_t offset;        /* of the field in the args struct */
    const char *argument; /* "FILE"; NULL for a flag */
    const char *help;     /* one sentence, no final dot */
    bool required;
    int64_t lowest, highest;
    const char *choices;  /* "a|b|c"; of a CMD_TEXT: those that are known beforehand */
    const char *fallback; /* the default, as the user would type it; NULL: none */
};

/* A word that is not an option, taken in the order of the table. */
struct cmd_operand {
    const char *name; /* "DUMP"; NULL ends the table */
    size_t offset;    /* of a const char * in the args struct */
    const char *help;
    bool required;
};

/* Room for the args struct of any command, and how many options it may have. */
enum { CMD_ARGS_BYTES_MAX = 512, CMD_OPTIONS_MAX = 64 };

/* What every command works with; closed after it, whatever happens. */
struct cmd_session {
    struct arena arena;
};

/* What is said of it at length, for help and manual, stands in prose/NAME.txt:
 * paragraphs, and behind a line "examples:" lines as they are. */
struct cmd {
    const char *name;
    const char *summary;  /* one sentence without final dot, for lists */
    const char *see_also; /* "assay-synth(5)", further pages by commas; NULL: none */
    const struct cmd_operand *operands;
    const struct cmd_option *options;
    bool (*run)(struct cmd_session *session, const void *args, struct err *err);
};

extern const struct cmd cmd_demo;
extern const struct cmd cmd_scan;
extern const struct cmd cmd_init;
extern const struct cmd cmd_ingest;
extern const struct cmd cmd_plan;
extern const struct cmd cmd_run;
extern const struct cmd cmd_label;
extern const struct cmd cmd_report;
extern const struct cmd cmd_handbook;
extern const struct cmd cmd_agree;
extern const struct cmd cmd_codebook;
extern const struct cmd cmd_import;
extern const struct cmd cmd_verify;
extern const struct cmd cmd_export;
extern const struct cmd cmd_power;
extern const struct cmd cmd_series;
extern const struct cmd cmd_classify;
extern const struct cmd cmd_keywords;
extern const struct cmd cmd_topics;
extern const struct cmd cmd_embed;
extern const struct cmd cmd_ask;
extern const struct cmd cmd_phrases;
extern const struct cmd cmd_compare;
extern const struct cmd cmd_pack;
extern const struct cmd cmd_synth;
extern const struct cmd cmd_help;
extern const struct cmd cmd_completion;

/* All commands in the order of the manual; NULL ends the list. */
extern const struct cmd *const cmd_all[];

const struct cmd *cmd_find(const char *name);           /* NULL: none */
const char *cmd_nearest(const char *name);              /* NULL: none is near */
bool cmd_names_a_path(const struct cmd_option *option); /* its argument is FILE or DIR */

/* "a|b|c" as "a, b, c". */
void cmd_add_choices(struct buf *out, const char *choices, const char *between);

/* Fills the zeroed struct args from argv, the words after the command's name. *help is
 * set, and nothing else counts, when the user asked for help. */
bool cmd_parse(const struct cmd *command, char **argv, void *args, bool *help,
               struct err *err) MUST_USE;

void cmd_help_text(const struct cmd *command, struct buf *out);
void cmd_help_overview(struct buf *out);

/* Prints text on standard output, and frees it; a failed write is found by main(). */
void cmd_print(struct buf *text);

/* The same on standard error, for what is wrong with a file. */
void cmd_complain(struct buf *problems);

int cmd_threads(int64_t asked); /* 0: one a core */

#endif
