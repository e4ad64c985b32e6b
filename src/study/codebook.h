/* A codebook: the codes that raters may give, as a tree, in one dimension or several; and
 * which code a label made elsewhere means. Read from a YAML file:
 *
 *   codebook: deployment
 *   title: Challenges in deployment
 *   several: no                  may a post have several codes of a dimension? no
 *   codes:                       a tree; the keys are ids: letters, digits, - _ .
 *     data:
 *       name: Data processing    the id if not given
 *       definition: ...          use-when, not-when: texts; examples, counter-examples:
 *                                lists
 *       also: [preprocessing]    other spellings, for labels made elsewhere
 *       codes: {parsing: Parsing output}          a plain text is a code's name
 *   special: {unclear: Unclear question}          codes outside of the tree
 *   changes: ...                 what became of codes of earlier versions: history.h
 *
 * or, instead of `codes`, `dimensions: {cause: {name: ..., several: ..., codes: ...,
 * special: ...}}`. What the file says in `several` and `special` is for each of them. */
#ifndef STUDY_CODEBOOK_H
#define STUDY_CODEBOOK_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

/* Of codes in a file, all dimensions together. How deep the tree may be follows from the
 * 32 levels of a YAML file: 15 levels of codes, 14 below `dimensions`. */
enum { STUDY_CODEBOOK_CODES_MAX = 10000 };

#define STUDY_CODEBOOK_NONE SIZE_MAX /* an index that leads nowhere */

struct study_codebook_texts {
    struct str *at;
    size_t count;
};

struct study_codebook_code {
    struct str id;   /* stable; once among its siblings */
    struct str path; /* ids from the top on, "data/parsing"; once in the dimension */
    struct str name;
    struct str definition, use_when, not_when; /* empty: not given */
    struct study_codebook_texts examples, counter_examples, also;
    size_t parent; /* STUDY_CODEBOOK_NONE at the top */
    int level;     /* 1: top */
    bool leaf;     /* has no codes below it */
    bool special;  /* such as "unclear": outside of the tree, level 1 */
};

struct study_codebook_dimension {
    struct str id;   /* without `dimensions` in the file: that of the codebook */
    struct str name; /* the id, or for the only one the title, if not given */
    bool several;
    struct study_codebook_code *codes; /* as written, a parent before its children; then
                                    the special ones */
    size_t count;
    struct study_spelling *spellings; /* for study_codebook_find() */
    size_t spelling_count;
};

struct study_codebook {
    struct str id, title;
    struct study_codebook_dimension *dimensions;
    size_t count;
    struct study_codebook_change *changes; /* oldest first; see history.h */
    size_t change_count;
};

/* Reads and checks the file. All that is wrong is added to *problems, a line each, with
 * file:line:column; then the result is ERR_INPUT and counts them. *out lives in arena. */
bool study_codebook_load(const char *path, struct arena *arena,
                         struct study_codebook *out, struct buf *problems,
                         struct err *err) MUST_USE;

/* The same for text already in memory; path names it in messages. */
bool study_codebook_parse(struct str text, const char *path, struct arena *arena,
                          struct study_codebook *out, struct buf *problems,
                          struct err *err) MUST_USE;

/* The dimension with this id; an empty id is the only one. ERR_INPUT when there is none,
 * with the nearest, or when there are several to choose from. */
bool study_codebook_choose(const struct study_codebook *codebook, struct str id,
                           const struct study_codebook_dimension **out,
                           struct err *err) MUST_USE;

/* The index of the code that a text means: a path, else an id, else a name or another
 * spelling. Case (of A to Z), blanks around it and their number inside do not matter.
 * ERR_INPUT when there is none, with the nearest, or when it may mean several codes. */
bool study_codebook_find(const struct study_codebook_dimension *dimension,
                         struct str text, size_t *code, struct err *err) MUST_USE;

#endif
