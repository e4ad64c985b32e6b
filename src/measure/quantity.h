/* The number that an item has for a measure: views, score, waiting time. */
#ifndef MEASURE_QUANTITY_H
#define MEASURE_QUANTITY_H

#include "measure/frame.h"
#include "stats/survival.h"
#include "study/measure.h"

struct quantity {
    const struct frame *frame;
    const struct measure *measure;
    int round_first;          /* digits; -1: not */
    struct frame_texts texts; /* of a field */
    const double *field;      /* the same as numbers; NAN: none */
};

/* Prepares: reads the field, if it is one. A field's text that is no number is missing.
 */
bool quantity_open(const struct frame *frame, const struct measure *measure,
                   int round_first, struct quantity *out, struct err *err) MUST_USE;

/* Of one item; NAN: it has none. A time before the question is none, and counted in
 * *negative. */
double quantity_value(const struct quantity *quantity, size_t item, int64_t *negative);

/* Of the items that have one. Times before the question are left out, and counted in
 * *negative. */
struct values quantity_values(const struct quantity *quantity, struct bits items,
                              struct arena *arena, int64_t *negative);

/* How long an item waits, for survival analysis: until the event, or until the end of the
 * corpus when it still waits; false for times before the question and unknown ones. */
bool quantity_wait(const struct quantity *quantity, size_t item,
                   struct survival_case *out);

/* The same of all items that have one. *count is their number. */
struct survival_case *quantity_waits(const struct quantity *quantity, struct bits items,
                                     struct arena *arena, size_t *count);

/* Distinct askers, answerers or texts of a field. */
int64_t quantity_distinct(const struct quantity *quantity, struct bits items);

/* To so many digits behind the point, the nearest decimal fraction of the exact value. */
double quantity_round(double value, int digits);

#endif
