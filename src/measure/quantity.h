/* The number that an item has for a measure: views, score, waiting time. */
#ifndef MEASURE_QUANTITY_H
#define MEASURE_QUANTITY_H

#include "measure/frame.h"
#include "stats/survival.h"
#include "study/measure.h"

struct measure_quantity {
    const struct measure_frame *frame;
    const struct study_measure *measure;
    int round_first;                  /* digits; -1: not */
    struct measure_frame_texts texts; /* of a field */
    const double *field;              /* the same as numbers; NAN: none */
    struct measure_endorsed endorsed; /* of a time to an endorsed answer; else none */
};

/* Prepares: reads the field or the comments, if it asks for one. A field's text that is
 * no number is missing.
 */
bool measure_quantity_open(const struct measure_frame *frame,
                           const struct study_measure *measure, int round_first,
                           struct measure_quantity *out, struct err *err) MUST_USE;

/* A sentence on those of the items whose text in the field is no number; nothing where
 * there are none. */
void measure_quantity_tell_unreadable(const struct measure_quantity *quantity,
                                      struct measure_bits items, struct buf *out);

/* Of one item; NAN: it has none. A time before the question does not count, except in
 * *negative. */
double measure_quantity_value(const struct measure_quantity *quantity, size_t item,
                              int64_t *negative);

/* Of the items that have one. Times before the question are left out, and counted in
 * *negative. */
struct stats_values measure_quantity_values(const struct measure_quantity *quantity,
                                            struct measure_bits items,
                                            struct arena *arena, int64_t *negative);

/* How long an item waits, for survival analysis: until the event, or until the end of the
 * corpus when it still waits; false for times before the question and unknown ones. */
bool measure_quantity_wait(const struct measure_quantity *quantity, size_t item,
                           struct stats_survival_case *out);

/* Whether there is an answer of which the moment is not known, or, of endorsed ones, it
 * is not known whether there is one. */
bool measure_quantity_unknown(const struct measure_quantity *quantity, size_t item);

/* The same of all items that have one, and how many they are; there must be room for a
 * case more than these. */
size_t measure_quantity_waits(const struct measure_quantity *quantity,
                              struct measure_bits items, struct stats_survival_case *out);

/* Distinct askers, answerers or texts of a field; ITEM_NONE when there are items, and
 * of none of them it is known. */
int64_t measure_quantity_distinct(const struct measure_quantity *quantity,
                                  struct measure_bits items);

/* To so many digits behind the point, the nearest decimal fraction of the exact value. */
double measure_quantity_round(double value, int digits);

#endif
