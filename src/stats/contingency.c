/* Chi-square of a table and of two shares. */
#include "stats/contingency.h"

#include <assert.h>
#include <math.h>

#include "stats/distribution.h"
#include "stats/internal.h"

const char *contingency_margins(struct contingency table, struct arena *arena,
                                struct contingency_margins *margins)
{
    *margins = (struct contingency_margins){arena_array(arena, double, table.rows),
                                            arena_array(arena, double, table.columns), 0};
    for (size_t r = 0; r < table.rows; r++) {
        for (size_t c = 0; c < table.columns; c++) {
            double count = (double)table.at[r * table.columns + c];
            assert(count >= 0);
            margins->rows[r] += count;
            margins->columns[c] += count;
            margins->total += count;
        }
    }
    if (table.rows < 2 || table.columns < 2)
        return "there is only one group or one outcome";
    if (margins->total == 0)
        return "the table is empty";
    for (size_t r = 0; r < table.rows; r++)
        if (margins->rows[r] == 0)
            return "a row is empty";
    for (size_t c = 0; c < table.columns; c++)
        if (margins->columns[c] == 0)
            return "a column is empty";
    return NULL;
}

struct contingency_chi_square contingency_chi_square(struct contingency table, bool yates,
                                                     struct arena *arena)
{
    struct contingency_chi_square result = {NAN, NAN, NAN, NAN, false, NULL};
    struct arena_mark mark = arena_mark(arena);
    struct contingency_margins margins;
    bool correct = yates && table.rows == 2 && table.columns == 2;

    result.undefined = contingency_margins(table, arena, &margins);
    if (result.undefined != NULL)
        goto done;
    result.chi_square = 0;
    result.expected_min = margins.total;
    for (size_t i = 0; i < table.rows * table.columns; i++) {
        double expected = margins.rows[i / table.columns] / margins.total *
                          margins.columns[i % table.columns],
               off = fabs((double)table.at[i] - expected);
        off -= correct ? fmin(0.5, off) : 0;
        result.chi_square += off * off / expected;
        result.expected_min = fmin(result.expected_min, expected);
    }
    result.df = (double)(table.rows - 1) * (double)(table.columns - 1);
    result.p = distribution_chi_square_upper(result.chi_square, result.df);
    result.rough = result.expected_min < 5;
done:
    arena_rewind(arena, mark);
    return result;
}

struct contingency_shares contingency_two_shares(const int64_t x[2], const int64_t n[2],
                                                 bool yates, double level)
{
    struct contingency_shares result = {
        .first = NAN, .second = NAN, .difference = NAN, .low = NAN, .high = NAN};
    struct arena arena = {0};
    int64_t cells[] = {x[0], n[0] - x[0], x[1], n[1] - x[1]};
    double n1 = (double)n[0], n2 = (double)n[1], margin;

    assert(level > 0 && level < 1);
    result.test =
        contingency_chi_square((struct contingency){cells, 2, 2}, yates, &arena);
    arena_free(&arena);
    if (n[0] == 0 || n[1] == 0) {
        result.undefined = "the group is empty";
        return result;
    }
    result.first = (double)x[0] / n1;
    result.second = (double)x[1] / n2;
    result.difference = result.first - result.second;
    margin = distribution_normal_quantile(0.5 + level / 2) *
             sqrt(result.first * (1 - result.first) / n1 +
                  result.second * (1 - result.second) / n2);
    if (yates)
        margin += fmin(0.5 * (1 / n1 + 1 / n2), fabs(result.difference));
    result.low = fmax(-1, result.difference - margin);
    result.high = fmin(1, result.difference + margin);
    return result;
}
