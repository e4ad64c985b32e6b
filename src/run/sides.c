/* Without groups the sets stand side by side; with them the groups of the first set. */
#include "run/sides.h"

bool run_sides_find(struct run_needs *needs, const struct run_sides *sides,
                    struct arena *arena, struct measure_testing_group **out,
                    size_t *count, struct err *err)
{
    const struct measure_groups *groups = NULL;
    size_t sets = sides->of_count > 0 ? sides->of_count : 1;

    if (sides->by != STUDY_NONE) {
        if (!run_needs_group(needs, sides->by, err))
            return false;
        groups = &needs->groups[sides->by];
    }
    *count = groups != NULL ? groups->count : sets;
    *out = arena_array(arena, struct measure_testing_group, *count + sets);
    (*out)[0] = (struct measure_testing_group){
        STR("all"), measure_bits_all(needs->frame.count, arena)};
    for (size_t i = 0; i < sides->of_count; i++) {
        (*out)[i].name = sides->of[i];
        if (!run_needs_set(needs, sides->of[i], &(*out)[i].bits))
            return err_set(err, ERR_INPUT, "%.*s: there is no set '%.*s'",
                           STR_ARG(sides->what), STR_ARG(sides->of[i]));
    }
    struct measure_bits of = (*out)[0].bits;
    for (size_t i = 0; groups != NULL && i < *count; i++)
        (*out)[i] = (struct measure_testing_group){
            groups->values[i].name, measure_bits_and(of, groups->values[i].bits, arena)};
    return true;
}
