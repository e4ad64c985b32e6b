/* Without groups the sets stand side by side; with them the groups of the first set. */
#include "run/sides.h"

bool sides_find(struct needs *needs, const struct sides *sides, struct arena *arena,
                struct testing_group **out, size_t *count, struct err *err)
{
    const struct groups *groups = NULL;
    size_t sets = sides->of_count > 0 ? sides->of_count : 1;

    if (sides->by != STUDY_NONE) {
        if (!needs_group(needs, sides->by, err))
            return false;
        groups = &needs->groups[sides->by];
    }
    *count = groups != NULL ? groups->count : sets;
    *out = arena_array(arena, struct testing_group, *count + sets);
    (*out)[0] = (struct testing_group){STR("all"), bits_all(needs->frame.count, arena)};
    for (size_t i = 0; i < sides->of_count; i++) {
        (*out)[i].name = sides->of[i];
        if (!needs_set(needs, sides->of[i], &(*out)[i].bits))
            return err_set(err, ERR_INPUT, "%.*s: there is no set '%.*s'",
                           STR_ARG(sides->what), STR_ARG(sides->of[i]));
    }
    struct bits of = (*out)[0].bits;
    for (size_t i = 0; groups != NULL && i < *count; i++)
        (*out)[i] = (struct testing_group){groups->values[i].name,
                                           bits_and(of, groups->values[i].bits, arena)};
    return true;
}
