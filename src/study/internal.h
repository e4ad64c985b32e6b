/* What the readers of the study's parts share. A reader takes what it needs from a
 * section and passes over what has a wrong form: keys_check() has complained about that.
 */
#ifndef STUDY_INTERNAL_H
#define STUDY_INTERNAL_H

#include "study/keys.h"
#include "study/study.h"

struct reader {
    struct study *study;
    const struct study_options *options;
    struct arena *arena;
    struct keys_problems problems;
    struct query_own own; /* names that its sources bring */
    size_t *written;      /* of each set: see write_set() */
};

/* Of a key in a section; empty, or the fallback, when it is not there. */
struct str reader_text(const struct yaml_node *section, const char *key);
double reader_number(const struct yaml_node *section, const char *key, double fallback);
bool reader_is(const struct yaml_node *section, const char *key, const char *text);

/* One or several scalars. */
struct str *reader_texts(struct reader *reader, const struct yaml_node *node,
                         size_t *count);
struct str *reader_slugs(struct reader *reader, const struct yaml_node *node,
                         size_t *count); /* as they stand in addresses */
struct str reader_item(const struct yaml_node *list, size_t i);

/* The mapping of names under a top key; an empty one when it is not there. */
const struct yaml_node *reader_section(const struct reader *reader, const char *key);

/* Paths are taken from the study's folder; $data/ stands for what the user says. */
const char *reader_path(struct reader *reader, const struct yaml_node *at,
                        struct str path);

/* Complains about a name that is not a set; names the nearest. */
void reader_unknown_set(struct reader *reader, const struct yaml_node *at,
                        struct str name);

/* "name: value" lines. */
struct study_pair *reader_pairs(struct reader *reader, const struct yaml_node *node,
                                size_t *count);

/* A query; NULL when it cannot be read. And with every in:SET written out. */
struct query_node *reader_query(struct reader *reader, const struct yaml_node *at,
                                struct str text);
struct query_node *reader_written(struct reader *reader, const struct yaml_node *at,
                                  const struct query_node *query);

/* The labels that a section's key names, under `labels` or `labelling`; of several
 * dimensions that of the key `dimension`. */
size_t reader_labels_of(struct reader *reader, const struct yaml_node *section,
                        const char *key);

/* Whether the query has conditions that cannot be told while a single source is read:
 * which sources, or which fields of them, an item has that stands in several. */
bool study_asks_elsewhere(const struct study *study, const struct query_node *query);

/* Each a section of the study file, in the order in which they need each other. */
void reader_sources(struct reader *reader);
void reader_sets(struct reader *reader);
void reader_labels(struct reader *reader);
void reader_labellings(struct reader *reader);
void reader_learning(struct reader *reader);
void reader_groups(struct reader *reader);
void reader_samples(struct reader *reader);
void reader_tables(struct reader *reader);
/* Of a table that is not computed from items (tables_made.c). */
void reader_table_from(struct reader *reader, const struct yaml_node *node,
                       struct study_table *table);
void reader_table_made(struct reader *reader, const struct yaml_node *node,
                       struct study_table *table);
void reader_table_correlate(struct reader *reader, const struct yaml_node *node,
                            struct study_table *table);

/* Complains when a measure asks for a set that is not there. */
void reader_check_sets(struct reader *reader, const struct yaml_node *at,
                       const struct measure *measure);

void reader_tests(struct reader *reader);
void reader_figures(struct reader *reader);
void reader_expectations(struct reader *reader);

/* Complains when sources are missing that sections read before need. */
void reader_check_sources(struct reader *reader);

/* All complaints into `problems`; false, with how many there are, when there are any. */
bool reader_report(struct reader *reader, struct buf *problems, struct err *err) MUST_USE;

/* Of a study that has been read: its codebooks, and which dimensions are asked for. */
bool study_check_codebooks(const struct study *study, const struct study_options *options,
                           struct arena *arena, struct buf *problems,
                           struct err *err) MUST_USE;

#endif
