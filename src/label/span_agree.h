/* How far raters mark the same words.
 *
 * Taken are the items that both raters of a pair have labelled in closed rounds that
 * count, each rater's spans of the newest. With `spans: per code` spans of different
 * codes have nothing in common.
 * - Characters: what both marked, against what each did: twice the common characters by
 *   the sum of both (F1, the same as Dice's coefficient), and the common ones by those
 *   that any of the two marked (Jaccard).
 * - Spans: one of the first is matched with one of the second where they overlap, each at
 *   most once, those that share the largest part first (label/unit.h); twice the matched
 *   by the sum of both is their F1. Exact are those with the same beginning and end.
 * - Krippendorff's alpha for unitizing (stats/unitize.h); the continuum is the text of
 *   all these items, part by part, also where nobody marked anything. Of more than two
 *   raters it is over the items that all of them have labelled. */
#ifndef LABEL_SPAN_AGREE_H
#define LABEL_SPAN_AGREE_H

#include "label/label.h"

struct label_span_pair {
    struct str first, second;   /* raters; empty: all pairs together */
    struct str dimension, code; /* empty: all codes, or spans are not per code */
    int64_t items;              /* of pairs together, each pair's */
    int64_t first_spans, second_spans, matched, exact;
    int64_t first_characters, second_characters, common;
    double f1, f1_characters, jaccard, alpha; /* NAN: undefined */
};

struct label_span_report {
    struct label_span_pair *pairs; /* pairs of raters, all together, then codes */
    size_t count;
    int64_t spans;  /* that were taken */
    int64_t lost;   /* that are not in the text of their item any longer */
    int64_t *items; /* that were taken */
    size_t item_count;
};

/* ERR_INPUT when there is no corpus. */
bool label_span_agree(struct label *label, struct arena *arena,
                      struct label_span_report *out, struct err *err) MUST_USE;

#endif
