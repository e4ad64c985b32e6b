/* From posts to rows of counts: the parts of a post, the features in them, and the table
 * that gives features their numbers. */
#ifndef LEARN_FEATURES_H
#define LEARN_FEATURES_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/list.h"
#include "base/str.h"
#include "text/form.h"
#include "text/math.h"
#include "text/words.h"

/* A post as a classifier sees it: five parts, each of which becomes features of its own.
 */

enum learn_parts_name {
    LEARN_PARTS_TITLE,
    LEARN_PARTS_PROSE,
    LEARN_PARTS_CODE,
    LEARN_PARTS_INLINE,
    LEARN_PARTS_TAGS,
    LEARN_PARTS_COUNT,
};

/* As the study file calls them: "title", "inline-code". */
extern const char *const learn_parts_names[LEARN_PARTS_COUNT];

struct learn_parts {
    struct str at[LEARN_PARTS_COUNT];
};

/* What splitting needs; a zeroed one is ready, and is used for post after post. */
struct learn_parts_splitter {
    struct text_html_parts html;
};

void learn_parts_splitter_free(struct learn_parts_splitter *splitter);

/* Sets prose, code and inline code from a body, by its form (text/form.h). Inline code
 * stays in the prose as well. They last until the next call. */
void learn_parts_split_form(enum item_form form, struct str body,
                            struct learn_parts_splitter *splitter,
                            struct learn_parts *parts);

/* The form where nobody says what it is: html when it has a paragraph or a code element
 * of html, else Markdown. */
enum item_form learn_parts_form(struct str body);

/* Splits by that form. */
void learn_parts_split(struct str body, struct learn_parts_splitter *splitter,
                       struct learn_parts *parts);

/* The same, but what *parts has already stays. */
void learn_parts_complete(struct str body, struct learn_parts_splitter *splitter,
                          struct learn_parts *parts);

/* Whether no part has anything but blanks. */
bool learn_parts_empty(const struct learn_parts *parts);

/* What words are read from: of title and prose without mathematics (text/math.h), which
 * may be in `room`. */
struct str learn_parts_words(const struct learn_parts *parts, enum learn_parts_name part,
                             struct buf *room);

/* Sparse rows: of each post the columns that are not zero. Plain data; a row's columns
 * are in no particular order but always in the same. */

struct learn_rows {
    size_t count, columns;
    const size_t *begin; /* count + 1 of them: where a row's cells begin and end */
    const struct learn_rows_cell *cells;
};

struct learn_rows_cell {
    uint32_t column;
    float value;
};

/* In a row of counts, columns from here on are numbers of the post's own vector, which
 * was made elsewhere. */
#define LEARN_ROWS_GIVEN (UINT32_C(1) << 31)

/* One row, borrowed. */
struct learn_rows_row {
    const struct learn_rows_cell *cells;
    size_t count;
};

static inline struct learn_rows_row learn_rows_at(const struct learn_rows *rows,
                                                  size_t row)
{
    return (struct learn_rows_row){rows->cells + rows->begin[row],
                                   rows->begin[row + 1] - rows->begin[row]};
}

/* Rows while they grow. A zeroed one is empty; learn_rows_builder_free() gives it back.
 */
struct learn_rows_builder {
    LIST(size_t) begins;
    LIST(struct learn_rows_cell) cells;
};

void learn_rows_builder_free(struct learn_rows_builder *builder);
void learn_rows_add_cell(struct learn_rows_builder *builder, uint32_t column,
                         float value);
void learn_rows_end_row(struct learn_rows_builder *builder);

/* Adds a post's vector to its row of counts; NULL: it has none. */
void learn_rows_add_given(struct learn_rows_builder *builder, const float *vector,
                          size_t dimensions);

/* What was added so far, as rows of so many columns; valid until more is added. */
struct learn_rows learn_rows_of(struct learn_rows_builder *builder, size_t columns);

/* The sum of a row's cells, each times the weight of its column. */
double learn_rows_dot(struct learn_rows_row row, const double *weights);

/* From the parts of a post to counts of features. A feature is a part, a kind and a name:
 * the word "crash" in the title and the same in the prose are two.
 *
 * Words are those of text/words.h with names of code whole; a name with dots or
 * underscores gives its pieces as well (tf.nn.conv2d: tf, nn, conv2d). A number is "<n>",
 * a version such as 2.1.0 is "<v>". Names longer than LEARN_FEATURES_NAME_MAX bytes, such
 * as encoded pictures, are left out. */

enum learn_features_kind {
    LEARN_FEATURES_WORD,
    LEARN_FEATURES_STEM,
    LEARN_FEATURES_RUN,     /* two or three words in a row */
    LEARN_FEATURES_LETTERS, /* a few characters in a row, within a word and its two edges
                             */
    LEARN_FEATURES_ERROR,   /* a name such as ValueError */
    LEARN_FEATURES_KINDS,
};

extern const char
    *const learn_features_kinds[LEARN_FEATURES_KINDS]; /* "word", "stem", ... */

enum { LEARN_FEATURES_NAME_MAX = 120 };

struct learn_features_options {
    unsigned kinds;               /* a bit for each enum learn_features_kind */
    int run_max;                  /* 2 or 3 words */
    int letters_min, letters_max; /* characters */
    bool no_stop_words;           /* leave them out */
    bool one_part;  /* the same name is the same feature in whichever part it stands */
    bool body_wins; /* with one_part: a word in title and body has its body's count alone,
                       as in the package of Zhang et al. (ISSRE 2019) */
};

/* Features and their numbers, which count from 0 in the order of their first appearance.
 * A zeroed table is empty; learn_features_table_free() gives its memory back. */
struct learn_features_table {
    size_t count;
    struct buf entries; /* struct learn_features_entry */
    struct buf names;
    struct buf slots; /* struct learn_features_slot */
};

struct learn_features_slot {
    uint64_t hash;
    uint64_t next; /* the feature's number + 1; 0: the slot is free */
};

struct learn_features_entry {
    uint64_t hash;
    size_t name;
    uint32_t name_len;
    uint8_t part, kind;
};

void learn_features_table_free(struct learn_features_table *table);
const struct learn_features_entry *
learn_features_entry(const struct learn_features_table *table, size_t feature);
struct str learn_features_name(const struct learn_features_table *table, size_t feature);

/* Its number; a new feature is entered. *fresh says which it was, NULL is fine. */
size_t learn_features_put(struct learn_features_table *table, enum learn_parts_name part,
                          enum learn_features_kind kind, struct str name, bool *fresh);

/* Its number, or SIZE_MAX when it is not in the table. */
size_t learn_features_look_up(const struct learn_features_table *table,
                              enum learn_parts_name part, enum learn_features_kind kind,
                              struct str name);

/* What a word of a text is counted as: "42" as any number, "2.1.0" and "v2.1" as any
 * version, everything else as itself. TEXT_WORDS_PAD bytes behind it may be read. */
struct str learn_features_word(struct str word);

/* One thread's means to read posts. */
struct learn_features_reader {
    struct learn_features_options options;
    struct learn_features_table *grown; /* NULL: features that are new are left out */
    const struct learn_features_table *table;
    struct text_stem stem;
    struct buf plain, lower, text, words, found; /* of the part in work */
    struct buf seen; /* of each feature: row and place in it */
    struct buf row;
    uint32_t rows;
};

/* With a table that grows, or one that several readers share and that stays as it is. */
void learn_features_open(struct learn_features_reader *reader,
                         struct learn_features_options options,
                         struct learn_features_table *grown,
                         const struct learn_features_table *fixed);
void learn_features_close(struct learn_features_reader *reader);

/* The counts of a post, until the next call. */
struct learn_rows_row learn_features_read(struct learn_features_reader *reader,
                                          const struct learn_parts *parts);

/* English words that say nothing about a post's subject: articles, pronouns, auxiliaries
 * and the like. Words that tell kinds of question apart (how, why, not, error) are not
 * among them. */

bool learn_stopwords_has(struct str word); /* in lower case */

#endif
