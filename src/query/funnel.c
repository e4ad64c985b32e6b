/* What each condition of a query lets through. */
#include "query/internal.h"

struct query_funnel query_funnel_begin(const struct query_compiled *compiled,
                                       struct arena *arena)
{
    struct query_funnel funnel = {
        .rows = arena_array(arena, struct query_funnel_row, compiled->condition_count),
        .count = compiled->condition_count,
    };

    for (size_t i = 0; i < funnel.count; i++)
        funnel.rows[i].condition = arena_copy(arena, compiled->condition_texts[i]);
    return funnel;
}

bool query_funnel_note(struct query_funnel *funnel, size_t passed)
{
    funnel->posts++;
    funnel->passed = passed;
    for (size_t i = 0; i < passed; i++)
        funnel->rows[i].together++;
    return passed == funnel->count;
}

bool query_funnel_add(struct query_funnel *funnel, const struct query_compiled *compiled,
                      struct query_scratch *scratch, const struct query_item *item,
                      bool *passes, struct err *err)
{
    enum query_verdict result = QUERY_YES;
    size_t passed = 0;

    query_scratch_begin(scratch, item);
    while (passed < funnel->count && result == QUERY_YES) {
        result = query_step_test(compiled->conditions[passed], scratch);
        passed += result == QUERY_YES;
    }
    if (result == QUERY_GAVE_UP)
        return query_scratch_gave_up(scratch, err);
    *passes = query_funnel_note(funnel, passed);
    return true;
}
