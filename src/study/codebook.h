/* A codebook: the codes that raters may give, as a tree, in one dimension or several; and
 * which code a label made elsewhere means. Read from a YAML file:
 *
 *   codebook: deployment
 *   title: Challenges in deployment
 *   several: no                  may a post have several codes of a dimension? no
 *   codes:                       a tree; the keys are ids: letters, digits, - _ .
 *     data:
 *       name: Data processing    the id if not given
 *       definition: ...          use-when, not-when: texts; examples: a list
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
enum { CODEBOOK_CODES_MAX = 10000 };

#define CODEBOOK_NONE SIZE_MAX /* an index that leads nowhere */

struct codebook_texts {
    struct str *at;
    size_t count;
};

struct codebook_code {
    struct str id;   /* stable; once among its siblings */
    struct str path; /* ids from the top on, "data/parsing"; once in the dimension */
    struct str name;
    struct str definition, use_when, not_when; /* empty: not given */
    struct codebook_texts examples, also;
    size_t parent; /* CODEBOOK_NONE at the top */
    int level;     /* 1: top */
    bool leaf;     /* has no codes below it */
    bool special;  /* such as "unclear": outside of the tree, level 1 */
};

struct codebook_dimension {
    struct str id;   /* without `dimensions` in the file: that of the codebook */
    struct str name; /* the id, or for the only one the title, if not given */
    bool several;
    struct codebook_code *codes; /* as written, a parent before its children; then the
                                    special ones */
    size_t count;
    struct spelling *spellings; /* for codebook_find() */
    size_t spelling_count;
};

struct codebook {
    struct str id, title;
    struct codebook_dimension *dimensions;
    size_t count;
    struct codebook_change *changes; /* oldest first; see history.h */
    size_t change_count;
};

/* Reads and checks the file. All that is wrong is added to *problems, a line each, with
 * file:line:column; then the result is ERR_INPUT and counts them. *out lives in arena. */
bool codebook_load(const char *path, struct arena *arena, struct codebook *out,
                   struct buf *problems, struct err *err) MUST_USE;

/* The same for text already in memory; path names it in messages. */
bool codebook_parse(struct str text, const char *path, struct arena *arena,
                    struct codebook *out, struct buf *problems, struct err *err) MUST_USE;

/* The dimension with this id; an empty id is the only one. ERR_INPUT when there is none,
 * with the nearest, or when there are several to choose from. */
bool codebook_choose(const struct codebook *codebook, struct str id,
                     const struct codebook_dimension **out, struct err *err) MUST_USE;

/* The index of the code that a text means: a path, else an id, else a name or another
 * spelling. Case (of A to Z), blanks around it and their number inside do not matter.
 * ERR_INPUT when there is none, with the nearest, or when it may mean several codes. */
bool codebook_find(const struct codebook_dimension *dimension, struct str text,
                   size_t *code, struct err *err) MUST_USE;

#endif
