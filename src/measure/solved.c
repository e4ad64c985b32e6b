/* Which items are solved, and by what. */
#include "measure/solved.h"

bool measure_solved_open(const struct measure_frame *frame, struct measure_solved *out,
                         struct err *err)
{
    *out = (struct measure_solved){.frame = frame};
    return measure_frame_endorsed(frame, &out->endorsed, err);
}

bool measure_solved_by_closing(const struct measure_frame *frame, size_t item)
{
    return measure_column_at(frame->kind, item) == ITEM_ISSUE ||
           measure_column_at(frame->kind, item) == ITEM_PULL_REQUEST;
}

int64_t measure_solved_ms(const struct measure_solved *solved, size_t item)
{
    const struct measure_frame *frame = solved->frame;
    int64_t accepted = measure_column_at(frame->accepted_ms, item),
            endorsed = measure_column_at(solved->endorsed.ms, item);

    if (measure_bits_has(frame->accepted, item) && accepted != ITEM_NONE)
        return accepted;
    if (endorsed != ITEM_NONE)
        return endorsed;
    if (measure_bits_has(frame->accepted, item))
        return 0;
    return measure_solved_by_closing(frame, item)
               ? measure_column_at(frame->closed_ms, item)
               : ITEM_NONE;
}

int64_t measure_solved_answer(const struct measure_solved *solved, size_t item)
{
    const struct measure_frame *frame = solved->frame;
    int64_t accepted = measure_column_at(frame->accepted_id, item),
            endorsed = measure_column_at(solved->endorsed.answers, item);
    bool there = measure_bits_has(frame->accepted, item) &&
                 measure_column_at(frame->accepted_ms, item) != ITEM_NONE;

    return there || endorsed == ITEM_NONE ? accepted : endorsed;
}
