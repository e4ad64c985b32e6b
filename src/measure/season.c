/* Parts of years are read from what follows the year. */
#include "measure/season.h"

/* 1 .. parts; 0: the time does not say it. Quarters are parts of 4 and months of 12. */
static size_t part_of(struct str time, size_t parts)
{
    struct str year, rest = str_trim(time);
    int64_t number, part;

    if (!str_cut(&rest, '-', &year) || year.len != 4 || !str_to_int(year, &number))
        return 0;
    bool quarter = rest.len > 0 && rest.ptr[0] == 'Q';
    if (quarter)
        rest = str_slice(rest, 1, rest.len);
    if (parts != (quarter ? 4 : 12) || !str_to_int(rest, &part) || part < 1 ||
        part > (int64_t)parts)
        return 0;
    return (size_t)part;
}

struct stats_season measure_season(const struct str *times, size_t count, size_t parts,
                                   struct arena *arena)
{
    size_t *phase = arena_array(arena, size_t, count + 1);
    bool named = true;

    if (parts < 2)
        return (struct stats_season){NULL, 0};
    for (size_t i = 0; i < count; i++) {
        phase[i] = part_of(times[i], parts);
        named = named && phase[i] > 0;
    }
    for (size_t i = 0; i < count; i++)
        phase[i] = named ? phase[i] - 1 : i % parts;
    return (struct stats_season){phase, parts};
}
