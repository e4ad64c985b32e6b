/* What the writers of labels share: who is called how, and what is left out. */
#ifndef LABEL_EXPORT_H
#define LABEL_EXPORT_H

#include "label/internal.h"

struct label_export_writer {
    struct label *label;
    const struct label_export_options *options;
    struct buf *out;
    struct map people; /* from names to numbers from 1 */
    struct label_export_index *index; /* made when spans are first asked for */
    struct arena arena;
};

struct str label_export_person(struct label_export_writer *writer, struct str name);
struct str label_export_memo(const struct label_export_writer *writer, struct str memo);
double label_export_seconds(const struct label_export_writer *writer, double seconds);
bool label_export_wants(const struct label_export_writer *writer, struct str rater,
                        struct str dimension);
struct str label_export_kind(const struct label_export_writer *writer, int64_t round);
void label_export_add_codes(struct buf *out, const struct str *codes, size_t count);

/* Of every round, in the order in which they were first given. */
typedef void label_export_take(struct label_export_writer *writer,
                               const struct label_said *said);
void label_export_each(struct label_export_writer *writer, label_export_take *take);

/* Whether raters mark evidence, and all that they marked and that counts. */
bool label_export_has_spans(const struct label_export_writer *writer);
typedef void label_export_take_span(struct label_export_writer *writer,
                                    const struct label_span_said *said);
void label_export_each_span(struct label_export_writer *writer,
                            label_export_take_span *take);

/* One label for each item, dimension and rater: what was said in the newest round that
 * counts, without re-tests. Items in draw order; in each the raters of the study file,
 * then others by number; dimensions as in the codebook. */
struct label_export_labels {
    struct label_said *at;
    size_t count;
};

struct label_export_labels label_export_newest(struct label_export_writer *writer);

/* What raters marked in an item, with where it is in the item's document. Spans that are
 * no longer in its text are left out. Of each rater those of the newest round that
 * counts, also of one that is open. */
struct label_export_mark {
    struct label_span_said said;
    size_t begin, end; /* characters */
};

struct label_export_evidence {
    struct label_parts parts;
    struct str document; /* all parts */
    struct label_export_mark *at; /* raters as they are among the labels */
    size_t count;
};

bool label_export_evidence(struct label_export_writer *writer, int64_t item,
                           struct arena *arena, struct label_export_evidence *out,
                           struct err *err) MUST_USE;

void label_export_wide(struct label_export_writer *writer);
void label_export_jsonl(struct label_export_writer *writer);
bool label_export_studio(struct label_export_writer *writer, struct err *err) MUST_USE;
bool label_export_doccano(struct label_export_writer *writer, struct err *err) MUST_USE;
bool label_export_webanno(struct label_export_writer *writer, struct err *err) MUST_USE;
bool label_export_refi(struct label_export_writer *writer, struct err *err) MUST_USE;

#endif
