/* Optimal string alignment, the restricted form of Damerau's distance. */
#include "base/near.h"

enum { LONGEST = 64 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t near_distance(struct str a, struct str b)
{
    size_t rows[3]
               [LONGEST + 1]; /* of the table of prefixes: this one and the two above */

    if (a.len > LONGEST || b.len > LONGEST)
        return LONGEST + 1;
    for (size_t j = 0; j <= b.len; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t differs = str_lower(a.ptr[i - 1]) != str_lower(b.ptr[j - 1]);
            row[j] = least(least(above[j] + 1, row[j - 1] + 1), above[j - 1] + differs);
            if (i > 1 && j > 1 && str_lower(a.ptr[i - 1]) == str_lower(b.ptr[j - 2]) &&
                str_lower(a.ptr[i - 2]) == str_lower(b.ptr[j - 1]))
                row[j] = least(row[j], rows[(i - 2) % 3][j - 2] + 1);
        }
    }
    return rows[a.len % 3][b.len];
}

size_t near_find(struct str name, const struct str *candidates, size_t count)
{
    size_t best = count, best_distance = LONGEST + 1;

    for (size_t i = 0; i < count; i++) {
        size_t distance = near_distance(name, candidates[i]);
        size_t letters = name.len > candidates[i].len ? name.len : candidates[i].len;
        if (distance < best_distance && 3 * distance <= letters) {
            best = i;
            best_distance = distance;
        }
    }
    return best;
}
