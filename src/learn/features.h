/* From posts to rows of counts: the parts of a post, the features in them, and the table
 * that gives features their numbers. */
#ifndef LEARN_FEATURES_H
#define LEARN_FEATURES_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/list.h"
#include "base/str.h"
#include "text/html.h"
#include "text/words.h"

/* A post as a classifier sees it: five parts, each of which becomes features of its own.
 */

enum parts_name {
    PARTS_TITLE,
    PARTS_PROSE,
    PARTS_CODE,
    PARTS_INLINE,
    PARTS_TAGS,
    PARTS_COUNT,
};

/* As the study file calls them: "title", "inline-code". */
extern const char *const parts_names[PARTS_COUNT];

struct parts {
    struct str at[PARTS_COUNT];
};

/* What splitting needs; a zeroed one is ready, and is used for post after post. */
struct parts_splitter {
    struct html_parts html;
    struct buf prose, code, inline_code;
};

void parts_splitter_free(struct parts_splitter *splitter);

/* Sets prose, code and inline code from a body: html when it has a paragraph or a code
 * element of html, else Markdown, whose fences (``` or ~~~) are code and whose single
 * backticks are inline code. Inline code stays in the prose as well. They last until the
 * next call. */
void parts_split(struct str body, struct parts_splitter *splitter, struct parts *parts);

/* The same, but what *parts has already stays. */
void parts_complete(struct str body, struct parts_splitter *splitter,
                    struct parts *parts);

/* Sparse rows: of each post the columns that are not zero. Plain data; a row's columns
 * are in no particular order but always in the same. */

struct rows {
    size_t count, columns;
    const size_t *begin; /* count + 1 of them: where a row's cells begin and end */
    const struct rows_cell *cells;
};

struct rows_cell {
    uint32_t column;
    float value;
};

/* One row, borrowed. */
struct rows_row {
    const struct rows_cell *cells;
    size_t count;
};

static inline struct rows_row rows_at(const struct rows *rows, size_t row)
{
    return (struct rows_row){rows->cells + rows->begin[row],
                             rows->begin[row + 1] - rows->begin[row]};
}

/* Rows while they grow. A zeroed one is empty; rows_builder_free() gives it back. */
struct rows_builder {
    LIST(size_t) begins;
    LIST(struct rows_cell) cells;
};

void rows_builder_free(struct rows_builder *builder);
void rows_add_cell(struct rows_builder *builder, uint32_t column, float value);
void rows_end_row(struct rows_builder *builder);

/* What was added so far, as rows of so many columns; valid until more is added. */
struct rows rows_of(struct rows_builder *builder, size_t columns);

/* The sum of a row's cells, each times the weight of its column. */
double rows_dot(struct rows_row row, const double *weights);

/* From the parts of a post to counts of features. A feature is a part, a kind and a name:
 * the word "crash" in the title and the same in the prose are two.
 *
 * Words are those of text/words.h with names of code whole; a name with dots or
 * underscores gives its pieces as well (tf.nn.conv2d: tf, nn, conv2d). A number is "<n>",
 * a version such as 2.1.0 is "<v>". Names longer than FEATURES_NAME_MAX bytes, such as
 * encoded pictures, are left out. */

enum features_kind {
    FEATURES_WORD,
    FEATURES_STEM,
    FEATURES_RUN,     /* two or three words in a row */
    FEATURES_LETTERS, /* a few characters in a row, within a word and its two edges */
    FEATURES_ERROR,   /* a name such as ValueError */
    FEATURES_KINDS,
};

extern const char *const features_kinds[FEATURES_KINDS]; /* "word", "stem", ... */

enum { FEATURES_NAME_MAX = 120 };

struct features_options {
    unsigned kinds;               /* a bit for each enum features_kind */
    int run_max;                  /* 2 or 3 words */
    int letters_min, letters_max; /* characters */
    bool no_stop_words;           /* leave them out */
    bool one_part;  /* the same name is the same feature in whichever part it stands */
    bool body_wins; /* with one_part: a word in title and body has its body's count alone,
                       as in the package of Zhang et al. (ISSRE 2019) */
};

/* Features and their numbers, which count from 0 in the order of their first appearance.
 * A zeroed table is empty; features_table_free() gives its memory back. */
struct features_table {
    size_t count;
    struct buf entries; /* struct features_entry */
    struct buf names;
    struct buf slots; /* struct features_slot */
};

struct features_slot {
    uint64_t hash;
    uint64_t next; /* the feature's number + 1; 0: the slot is free */
};

struct features_entry {
    uint64_t hash;
    size_t name;
    uint32_t name_len;
    uint8_t part, kind;
};

void features_table_free(struct features_table *table);
const struct features_entry *features_entry(const struct features_table *table,
                                            size_t feature);
struct str features_name(const struct features_table *table, size_t feature);

/* Its number; a new feature is entered. *fresh says which it was, NULL is fine. */
size_t features_put(struct features_table *table, enum parts_name part,
                    enum features_kind kind, struct str name, bool *fresh);

/* Its number, or SIZE_MAX when it is not in the table. */
size_t features_look_up(const struct features_table *table, enum parts_name part,
                        enum features_kind kind, struct str name);

/* What a word of a text is counted as: "42" as any number, "2.1.0" and "v2.1" as any
 * version, everything else as itself. WORDS_PAD bytes behind it may be read. */
struct str features_word(struct str word);

/* One thread's means to read posts. */
struct features_reader {
    struct features_options options;
    struct features_table *grown; /* NULL: features that are new are left out */
    const struct features_table *table;
    struct stem stem;
    struct buf lower, text, words, found; /* of the part in work */
    struct buf seen;                      /* of each feature: row and place in it */
    struct buf row;
    uint32_t rows;
};

/* With a table that grows, or one that several readers share and that stays as it is. */
void features_open(struct features_reader *reader, struct features_options options,
                   struct features_table *grown, const struct features_table *fixed);
void features_close(struct features_reader *reader);

/* The counts of a post, until the next call. */
struct rows_row features_read(struct features_reader *reader, const struct parts *parts);

/* English words that say nothing about a post's subject: articles, pronouns, auxiliaries
 * and the like. Words that tell kinds of question apart (how, why, not, error) are not
 * among them. */

bool stopwords_has(struct str word); /* in lower case */

#endif
