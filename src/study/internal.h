/* What the readers of the study's parts share. A reader takes what it needs from a
 * section and passes over what has a wrong form: study_keys_check() has complained about
 * that.
 */
#ifndef STUDY_INTERNAL_H
#define STUDY_INTERNAL_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "study/keys.h"
#include "study/study.h"

struct study_reader {
    struct study *study;
    const struct study_options *options;
    struct arena *arena;
    struct study_keys_problems problems;
    struct query_own own;            /* names that its sources bring */
    struct query_tagset *tagsets;    /* those that can be read */
    size_t tagset_count;
    size_t *written;   /* of each set: see write_set() */
    size_t label_room; /* of study->labels */
};

/* Of a key in a section; empty, or the fallback, when it is not there. */
struct str study_read_text(const struct yaml_node *section, const char *key);
double study_read_number(const struct yaml_node *section, const char *key,
                         double fallback);
bool study_read_is(const struct yaml_node *section, const char *key, const char *text);

/* One or several scalars. */
struct str *study_read_texts(struct study_reader *reader, const struct yaml_node *node,
                             size_t *count);
struct str *study_read_slugs(struct study_reader *reader, const struct yaml_node *node,
                             size_t *count); /* as they stand in addresses */
/* Complains about names under a key that mean no column of the table, as far as the study
 * file tells which it has. */
void study_read_check_columns(struct study_reader *reader,
                              const struct yaml_node *section, const char *key,
                              size_t table);
struct str study_read_item(const struct yaml_node *list, size_t i);

/* The mapping of names under a top key; an empty one when it is not there. */
const struct yaml_node *study_read_section(const struct study_reader *reader,
                                           const char *key);

/* What such a section names, as structs with their names first and their nodes. */
#define STUDY_READ_NAMED(reader, key, type, count) \
    study_read_named((reader), (key), sizeof(type), offsetof(type, node), (count))
void *study_read_named(struct study_reader *reader, const char *key, size_t size,
                       size_t node, size_t *count);

/* Paths are taken from the study's folder; $data/ stands for what the user says. */
const char *study_read_path(struct study_reader *reader, const struct yaml_node *at,
                            struct str path);

/* The address of a server of models and the variable of its key, checked. */
void study_read_server(struct study_reader *reader, const struct yaml_node *node,
                       struct str *url, struct str *key);

/* What a step gives: out/results/SECTION.NAME.result; and in it "states", or
 * "states.DIMENSION" of a task with several. */
const char *study_read_result(struct study_reader *reader, const char *section,
                              struct str name);
struct str study_read_part(struct study_reader *reader, struct str what,
                           struct str dimension);

/* Complains about a name that is not a set; names the nearest. */
void study_read_unknown_set(struct study_reader *reader, const struct yaml_node *at,
                            struct str name);

/* "name: value" lines. */
struct study_pair *study_read_pairs(struct study_reader *reader,
                                    const struct yaml_node *node, size_t *count);

/* Before any query is read; and a query with them. */
void study_read_synonyms(struct study_reader *reader);
struct query_node *study_read_synonyms_in(struct study_reader *reader,
                                          struct query_node *query);

/* The same of tag sets; what their `among` asks is read after the sets, which it may
 * name. */
void study_read_tagsets(struct study_reader *reader);
void study_read_tagsets_among(struct study_reader *reader);
struct query_node *study_read_tagsets_in(struct study_reader *reader,
                                         const struct yaml_node *at,
                                         struct query_node *query);

/* A query; NULL when it cannot be read. And with every in:SET written out. */
struct query_node *study_read_query(struct study_reader *reader,
                                    const struct yaml_node *at, struct str text);
struct query_node *study_read_written(struct study_reader *reader,
                                      const struct yaml_node *at,
                                      const struct query_node *query);

/* The labels that a section's key names, under `labels` or `labelling`; of several
 * dimensions that of the key `dimension`. */
size_t study_read_labels_of(struct study_reader *reader, const struct yaml_node *section,
                            const char *key);

/* The labels of a labelling, in a dimension of its codebook (empty: its only one), and of
 * a classifier. */
size_t study_read_labels_made(struct study_reader *reader, size_t labelling,
                              struct str dimension);
size_t study_read_predicted(struct study_reader *reader, size_t classifier);
size_t study_find_classifier(const struct study *study, struct str name);

/* Whether the query has conditions that cannot be told while a single source is read:
 * which sources, or which fields of them, an item has that stands in several. */
bool study_asks_elsewhere(const struct study *study, const struct query_node *query);

/* Each a section of the study file, in the order in which they need each other. */
void study_read_sources(struct study_reader *reader);
void study_read_sets(struct study_reader *reader);
void study_read_labels(struct study_reader *reader);
void study_read_labellings(struct study_reader *reader);
void study_read_learning(struct study_reader *reader);
void study_read_groups(struct study_reader *reader);
void study_read_samples(struct study_reader *reader);
void study_read_conditions(struct study_reader *reader);
void study_read_regressions(struct study_reader *reader);
void study_read_tables(struct study_reader *reader);
void study_read_handbook(struct study_reader *reader);

/* Complains when a measure asks for a set, or for comments, that are not there. */
void study_read_check_measure(struct study_reader *reader, const struct yaml_node *at,
                              const struct study_measure *measure);

void study_read_tests(struct study_reader *reader);
void study_read_figures(struct study_reader *reader);
void study_read_questions(struct study_reader *reader);
void study_read_expectations(struct study_reader *reader);

/* Complains when sources are missing that sections read before need. */
void study_read_check_sources(struct study_reader *reader);

/* All complaints into `problems`; false, with how many there are, when there are any. */
bool study_read_report(struct study_reader *reader, struct buf *problems,
                       struct err *err) MUST_USE;

/* Of a study that has been read: its codebooks, and which dimensions are asked for. */
bool study_check_codebooks(const struct study *study, const struct study_options *options,
                           struct arena *arena, struct buf *problems,
                           struct err *err) MUST_USE;

/* The texts by which codes are found, without regard to the case of A to Z, to blanks
 * around a text and to their number inside it. */
/* What a text is to its code. The first of them wins when a text is several. */
enum study_spelling_kind {
    STUDY_SPELLING_PATH,
    STUDY_SPELLING_ID,
    STUDY_SPELLING_NAME,
    STUDY_SPELLING_ALSO
};

struct study_spelling {
    struct str text;
    enum study_spelling_kind kind;
    size_t code;
    int line, column; /* where it is written, or its code */
};

/* A run of spellings: from, up to, not including, to. */
struct study_spelling_run {
    size_t from, to;
};

/* Below 0, 0 or above 0, as strcmp(). */
int study_spelling_compare(struct str a, struct str b);

/* By text, then kind, then code. */
void study_spelling_sort(struct study_spelling *spellings, size_t count);

/* Among sorted ones those with this text, of the first kind that has any. */
struct study_spelling_run study_spelling_find(const struct study_spelling *spellings,
                                              size_t count, struct str text);

#endif
