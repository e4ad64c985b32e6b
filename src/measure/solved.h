/* What solves an item, by one rule wherever solved ones are shown: the answer that was
 * accepted; where there is none, or its post is not in the corpus, the first that who
 * asked gave thanks for (query/endorsed.h); and an issue or pull request is solved when
 * it is closed. */
#ifndef MEASURE_SOLVED_H
#define MEASURE_SOLVED_H

#include "measure/frame.h"

struct measure_solved {
    const struct measure_frame *frame;
    struct measure_endorsed endorsed;
};

bool measure_solved_open(const struct measure_frame *frame, struct measure_solved *out,
                         struct err *err) MUST_USE;

/* When it was solved: 0 where nobody knows, ITEM_NONE where it is not solved. */
int64_t measure_solved_ms(const struct measure_solved *solved, size_t item);

/* The answer that solves it; ITEM_NONE: none does, as where an issue was closed. */
int64_t measure_solved_answer(const struct measure_solved *solved, size_t item);

/* Whether closing solves it. */
bool measure_solved_by_closing(const struct measure_frame *frame, size_t item);

#endif
