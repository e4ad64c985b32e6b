/* The keys of the study file: one table, from which come the checks and their messages,
 * `assay help study.KEY`, the manual page and the JSON schema for editors. To add a key
 * is to add a row here and to read it where its section is read. */
#ifndef STUDY_KEYS_H
#define STUDY_KEYS_H

#include "base/arena.h"
#include "base/buf.h"
#include "query/query.h"
#include "yaml/yaml.h"

/* What may stand under a key. One kind of scalar, and how it may be held together. */
enum study_keys_form {
    STUDY_KEYS_TEXT = 1 << 0,
    STUDY_KEYS_PATH = 1 << 1,
    STUDY_KEYS_DATE = 1 << 2,
    STUDY_KEYS_YES_NO = 1 << 3,
    STUDY_KEYS_WHOLE = 1 << 4,  /* from lowest to highest */
    STUDY_KEYS_NUMBER = 1 << 5, /* from lowest to highest; 5% is 0.05 */
    STUDY_KEYS_CHOICE = 1 << 6, /* one of detail, "a|b|c" */
    STUDY_KEYS_QUERY = 1 << 7,
    STUDY_KEYS_MEASURE = 1 << 8,
    STUDY_KEYS_SIZE = 1 << 9, /* of a sample */
    STUDY_KEYS_REF = 1 << 10, /* the name of something under one of the keys in detail */
    STUDY_KEYS_GROUPING = 1 << 11, /* "created by year", "source" */
    STUDY_KEYS_SCALARS = (1 << 12) - 1,
    STUDY_KEYS_LIST = 1 << 12,      /* several of these, in [ ] or with - */
    STUDY_KEYS_ONLY_LIST = 1 << 13, /* a list, even of one */
    STUDY_KEYS_MAP = 1 << 14,       /* names of the user's own, each with such a value */
    STUDY_KEYS_SECTION = 1 << 15,   /* the keys that follow in the table */
    STUDY_KEYS_NAMES = 1 << 16, /* names of the user's own, each with what PATH.* says */
};

struct study_keys_row {
    const char *path; /* "samples.*.seed" */
    unsigned forms;
    const char *detail; /* choices, or where a name must be found */
    const char *fallback;
    const char *help; /* sentences */
    bool required;
    double lowest, highest;
};

extern const struct study_keys_row study_keys_table[];
extern const size_t study_keys_count;

enum { STUDY_KEYS_PATH_BYTES = 200 }; /* of a path, with its end */

/* The row of a path as it stands in the table; NULL: none. */
const struct study_keys_row *study_keys_at(const char *path);

/* The row of a path; its * and - may be left out, as in "samples.seed". NULL: none. */
const struct study_keys_row *study_keys_find(struct str path);

/* The row that somebody means who asks for help on a word: a path, its last name, one of
 * the choices, or what others call one. NULL: none. */
const struct study_keys_row *study_keys_meant(struct str word);

/* What others call a choice, as the choices that are meant: "box" of "boxplot", which is
 * under the row; NULL: nobody does. */
const char *study_keys_choice(const struct study_keys_row *row, struct str word);

/* The path nearest to a misspelt one; NULL: none is near. */
const char *study_keys_nearest(struct str path);

/* Collects what is wrong; study_keys_report() puts it in the order of the file. */
struct study_keys_problems {
    const char *path; /* of the study file */
    struct arena *arena;
    struct study_keys_problem *list;
    size_t count, room;
};

struct study_keys_problem {
    int line, column;
    struct str text;
};

void study_keys_complain(struct study_keys_problems *problems, const struct yaml_node *at,
                         const char *format, ...) PRINTF_LIKE(3, 4);

/* "path:line:column: text", a line or more each. */
void study_keys_report(struct study_keys_problems *problems, struct buf *out);

/* Checks the whole document against the table: known keys, right forms, names that exist.
 * What passes can be read without further looking at types. */
void study_keys_check(const struct yaml_node *root, struct arena *arena,
                      struct study_keys_problems *problems);

/* The names that the document's sources add to those of queries and measures. */
struct query_own study_keys_own(const struct yaml_node *root, struct arena *arena);

/* The part of a document that a step rests on, in one form for all ways to write it:
 * comments, order of keys and kinds of quotes are gone. Order counts in lists and among
 * the names of a STUDY_KEYS_MAP. */
void study_keys_canonical(const struct yaml_node *node, const char *path,
                          struct buf *out);

bool study_keys_is_name(struct str name); /* letters, digits, - _ . behind a letter */
bool study_keys_number(struct str text, double *out); /* "5%" is 0.05; false: no number */

/* Whether the row's path is `path` and one key more; "" is the top. */
bool study_keys_is_below(const struct study_keys_row *row, const char *path);

/* For people and editors. */
void study_keys_wanted(const struct study_keys_row *row,
                       struct buf *out); /* what may stand there */
void study_keys_help(const struct study_keys_row *row, struct buf *out);
void study_keys_help_all(struct buf *out);
void study_keys_manual(
    struct buf *out); /* the manual's list of keys, in man's language */
void study_keys_schema(struct buf *out); /* JSON schema, draft 2020-12 */

#endif
