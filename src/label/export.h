/* What the writers of labels share: who is called how, and what is left out. */
#ifndef LABEL_EXPORT_H
#define LABEL_EXPORT_H

#include "label/internal.h"

struct export_writer {
    struct label *label;
    const struct label_export_options *options;
    struct buf *out;
    struct map people; /* from names to numbers from 1 */
    struct arena arena;
};

struct str export_person(struct export_writer *writer, struct str name);
struct str export_memo(const struct export_writer *writer, struct str memo);
double export_seconds(const struct export_writer *writer, double seconds);
bool export_wants(const struct export_writer *writer, struct str rater,
                  struct str dimension);
struct str export_kind(const struct export_writer *writer, int64_t round);
void export_add_cell(struct export_writer *writer, struct str text); /* and a comma */
void export_add_codes(struct buf *out, const struct str *codes, size_t count);

/* Of every round, in the order in which they were first given. */
typedef void export_take(struct export_writer *writer, const struct label_said *said);
void export_each(struct export_writer *writer, export_take *take);

/* One label for each item, dimension and rater: what was said in the newest round that
 * counts, without re-tests. Items in draw order; in each the raters of the study file,
 * then others by number; dimensions as in the codebook. */
struct export_labels {
    struct label_said *at;
    size_t count;
};

struct export_labels export_newest(struct export_writer *writer);

void export_wide(struct export_writer *writer);
void export_jsonl(struct export_writer *writer);
bool export_studio(struct export_writer *writer, struct err *err) MUST_USE;
bool export_doccano(struct export_writer *writer, struct err *err) MUST_USE;

#endif
