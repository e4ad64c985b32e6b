/* Numbers are found by step, row and column; of several with the same names the first is
 * compared with the first, the second with the second. */
#include "package/compare.h"

#include <math.h>
#include <string.h>

#include "base/list.h"
#include "base/map.h"

#define SAME_WITHIN 1e-9

struct comparing {
    struct arena *arena;
    LIST(struct package_compare_difference) differences;
    size_t numbers;
};

/* One number of a step, wherever it stands. */
struct compare_place {
    struct str step;
    const struct result_number *number;
};

static bool same(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= SAME_WITHIN * fmax(fabs(a), fabs(b));
}

static void add_difference(struct comparing *comparing, struct compare_place place,
                           const char *part, struct package_compare_difference difference)
{
    struct buf address = {0};

    result_numbers_address(place.step, place.number, &address);
    buf_add(&address, str_from(part));
    difference.address = buf_keep(&address, comparing->arena);
    list_add(&comparing->differences, difference);
}

static void compare_pair(struct comparing *comparing, struct compare_place ours,
                         const struct result_number *theirs)
{
    const struct result_number *number = ours.number;
    const struct {
        const char *part;
        double theirs, ours;
    } parts[] = {{"", theirs->value, number->value},
                 {".low", theirs->low, number->low},
                 {".high", theirs->high, number->high},
                 {".n", (double)theirs->n, (double)number->n}};

    comparing->numbers++;
    for (size_t i = 0; i < ROWS_OF(parts); i++) {
        if (same(parts[i].theirs, parts[i].ours))
            continue;
        add_difference(comparing, ours, parts[i].part,
                       (struct package_compare_difference){.side = PACKAGE_COMPARE_BOTH,
                                                           .theirs = parts[i].theirs,
                                                           .ours = parts[i].ours});
        return; /* where a value differs, so does most often what goes with it */
    }
}

static struct compare_place *places_of(const struct result_numbers *numbers, size_t steps,
                                       struct arena *arena, size_t *count)
{
    size_t room = 0;

    for (size_t s = 0; s < steps; s++)
        room += numbers[s].count;
    struct compare_place *places = arena_array(arena, struct compare_place, room + 1);
    *count = 0;
    for (size_t s = 0; s < steps; s++)
        for (size_t i = 0; i < numbers[s].count; i++)
            places[(*count)++] =
                (struct compare_place){numbers[s].step, &numbers[s].at[i]};
    return places;
}

static void compare_places(struct comparing *comparing,
                           const struct compare_place *theirs, size_t their_count,
                           const struct compare_place *ours, size_t our_count)
{
    struct map index = {.arena = comparing->arena};
    struct map their_seen = index, our_seen = index;
    bool *found = arena_array(comparing->arena, bool, their_count + 1);

    for (size_t i = 0; i < their_count; i++)
        *map_put(&index, result_numbers_key(theirs[i].step, theirs[i].number,
                                            &their_seen)) = (int64_t)i;
    for (size_t i = 0; i < our_count; i++) {
        const int64_t *at =
            map_get(&index, result_numbers_key(ours[i].step, ours[i].number, &our_seen));
        if (at != NULL) {
            found[*at] = true;
            compare_pair(comparing, ours[i], theirs[*at].number);
        } else {
            add_difference(
                comparing, ours[i], "",
                (struct package_compare_difference){.side = PACKAGE_COMPARE_ONLY_OURS,
                                                    .theirs = NAN,
                                                    .ours = ours[i].number->value});
        }
    }
    for (size_t i = 0; i < their_count; i++)
        if (!found[i])
            add_difference(
                comparing, theirs[i], "",
                (struct package_compare_difference){.side = PACKAGE_COMPARE_ONLY_THEIRS,
                                                    .theirs = theirs[i].number->value,
                                                    .ours = NAN});
}

void package_compare_numbers(const struct result_numbers *theirs, size_t their_count,
                             const struct result_numbers *ours, size_t our_count,
                             struct arena *arena, struct package_compare *out)
{
    struct comparing comparing = {.arena = arena};
    size_t their_places, our_places;
    struct compare_place *at_theirs =
        places_of(theirs, their_count, arena, &their_places);
    struct compare_place *at_ours = places_of(ours, our_count, arena, &our_places);

    compare_places(&comparing, at_theirs, their_places, at_ours, our_places);
    *out =
        (struct package_compare){.count = comparing.differences.count,
                                 .differences = list_copy(&comparing.differences, arena),
                                 .numbers = comparing.numbers};
    list_free(&comparing.differences);
}
