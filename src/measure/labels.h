/* What raters said, as far as it was said elsewhere: a csv or a field of the items, read
 * through the codebook that knows spellings and the tree. */
#ifndef MEASURE_LABELS_H
#define MEASURE_LABELS_H

#include "measure/frame.h"
#include "study/codebook.h"
#include "study/study.h"

struct measure_labels_code {
    struct str name, id;
    size_t parent; /* STUDY_NONE: at the top */
    int level;     /* 1: at the top */
    bool leaf, used;
    bool special; /* outside of the tree, such as "unclear" */
};

struct measure_labels_entry {
    size_t item; /* in the frame */
    size_t code;
};

struct measure_labels_unit {
    size_t item; /* in the frame */
    struct str name, place;
};

struct measure_labels_unit_entry {
    size_t unit, code;
};

/* Where labels name raters, an item has a code when more than half of its raters gave it.
 */
struct measure_labels {
    struct measure_labels_code
        *codes; /* in the codebook's order, else in that of bytes */
    size_t code_count;
    struct measure_labels_entry *entries; /* by item, then code; each once */
    size_t count;
    /* Units in items, in the order in which they come, and the codes of each; none where
     * labels are of items as a whole. An item then has the codes of all its units. */
    struct measure_labels_unit *units;
    size_t unit_count;
    struct measure_labels_unit_entry *unit_entries; /* each once */
    size_t unit_entry_count;
    int64_t given;     /* labels of items that the corpus holds */
    int64_t unknown;   /* rows of items that it does not hold */
    int64_t undecided; /* items whose raters have no majority for any code */
};

/* codebook: that to read them by; NULL: the one that `from` names, if it does.
 * ERR_INPUT, with "path:line: ", for an empty file, a missing column, an item that is
 * none or unknown, a code that the codebook does not have (with the nearest that it has).
 */
bool measure_labels_load(const struct study_labels *from,
                         const struct study_codebook *codebook,
                         const struct measure_frame *frame, struct measure_labels *out,
                         struct err *err) MUST_USE;

/* The item that a key or a link means; a link to an answer means its question. What is
 * neither is ITEM_NONE with `skip`, else ERR_INPUT without a place. The corpus need not
 * have the item. */
bool measure_labels_item(const struct measure_frame *frame, struct str text, bool skip,
                         int64_t *id, struct err *err) MUST_USE;

/* The code's ancestor at that level; itself when it stands higher, or for level 0. */
size_t measure_labels_at_level(const struct measure_labels *labels, size_t code,
                               int level);

#endif
