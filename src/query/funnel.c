/* What each condition of a query lets through. */
#include "query/internal.h"

struct query_funnel query_funnel_begin(const struct query_compiled *compiled, bool alone,
                                       struct arena *arena)
{
    struct query_funnel funnel = {
        .rows = arena_array(arena, struct query_funnel_row, compiled->condition_count),
        .count = compiled->condition_count,
        .alone = alone,
    };

    for (size_t i = 0; i < funnel.count; i++)
        funnel.rows[i].condition = arena_copy(arena, compiled->condition_texts[i]);
    return funnel;
}

/* How far the post comes: the number of conditions before the first that it fails. */
static enum query_verdict pass(const struct query_compiled *compiled,
                               struct query_scratch *scratch, size_t *passed)
{
    for (*passed = 0; *passed < compiled->condition_count; ++*passed) {
        enum query_verdict result =
            query_step_test(compiled->conditions[*passed], scratch);
        if (result != QUERY_YES)
            return result;
    }
    return QUERY_YES;
}

static void count_alone(struct query_funnel *funnel,
                        const struct query_compiled *compiled,
                        struct query_scratch *scratch)
{
    for (size_t i = 0; i < funnel->count; i++)
        funnel->rows[i].alone +=
            query_step_test(compiled->conditions[i], scratch) == QUERY_YES;
}

/* The answer of the first condition that does not say yes or no; otherwise `known`. */
static enum query_verdict first_open(const struct query_compiled *compiled,
                                     struct query_scratch *scratch,
                                     enum query_verdict known)
{
    for (size_t i = 0; i < compiled->condition_count; i++) {
        enum query_verdict result = query_step_test(compiled->conditions[i], scratch);
        if (result != QUERY_NO && result != QUERY_YES)
            return result;
    }
    return known;
}

static enum query_verdict add(struct query_funnel *funnel,
                              const struct query_compiled *compiled,
                              struct query_scratch *scratch)
{
    size_t passed;
    enum query_verdict result = pass(compiled, scratch, &passed);

    if (funnel->alone)
        result = first_open(compiled, scratch, result);
    if (result == QUERY_NEEDS_TEXT || result == QUERY_GAVE_UP)
        return result;
    funnel->posts++;
    funnel->passed = passed;
    for (size_t i = 0; i < passed; i++)
        funnel->rows[i].together++;
    if (funnel->alone)
        count_alone(funnel, compiled, scratch);
    return result;
}

bool query_funnel_add(struct query_funnel *funnel, const struct query_compiled *compiled,
                      struct query_scratch *scratch, const struct query_item *item,
                      bool *passes, struct err *err)
{
    query_scratch_begin(scratch, item, false);
    enum query_verdict result = add(funnel, compiled, scratch);
    if (result == QUERY_GAVE_UP)
        return query_scratch_gave_up(scratch, err);
    *passes = result == QUERY_YES;
    return true;
}

enum query_verdict query_funnel_add_cheap(struct query_funnel *funnel,
                                          const struct query_compiled *compiled,
                                          struct query_scratch *scratch,
                                          const struct query_item *item)
{
    query_scratch_begin(scratch, item, true);
    return add(funnel, compiled, scratch);
}

void query_funnel_merge(struct query_funnel *into, const struct query_funnel *from)
{
    into->posts += from->posts;
    for (size_t i = 0; i < into->count; i++) {
        into->rows[i].alone += from->rows[i].alone;
        into->rows[i].together += from->rows[i].together;
    }
}
