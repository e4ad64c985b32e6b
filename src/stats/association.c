/* Effect sizes of tables: Cramer's V and the odds ratio. */
#include <assert.h>
#include <math.h>

#include "stats/distribution.h"
#include "stats/internal.h"

static double total_of(struct contingency table)
{
    double total = 0;

    for (size_t i = 0; i < table.rows * table.columns; i++)
        total += (double)table.at[i];
    return total;
}

static double lesser_side(struct contingency table)
{
    return (double)(table.rows < table.columns ? table.rows : table.columns) - 1;
}

static const char *cramer_word(double v, double lesser)
{
    return effect_word(v * sqrt(lesser), 0.1, 0.3, 0.5);
}

/* The non-centrality with which chi-square is at most `x` with the given probability; 0
 * when it is less likely already without any. */
static double noncentrality(double x, double df, double probability)
{
    double low = 0, high = 1;

    if (distribution_noncentral_lower(x, df, 0) <= probability)
        return 0;
    while (distribution_noncentral_lower(x, df, high) > probability)
        high *= 2;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (high - low <= 1e-13 * high)
            return middle;
        if (distribution_noncentral_lower(x, df, middle) > probability)
            low = middle;
        else
            high = middle;
    }
}

struct effect effect_cramer(struct contingency table, double level, struct arena *arena)
{
    struct contingency_chi_square test = contingency_chi_square(table, false, arena);
    double size = total_of(table) * lesser_side(table), tail = (1 - level) / 2, low, high;
    struct effect result = {0};

    assert(level > 0 && level < 1);
    if (test.undefined != NULL)
        return effect_undefined(test.undefined);
    low = noncentrality(test.chi_square, test.df, 1 - tail);
    high = noncentrality(test.chi_square, test.df, tail);
    result.estimate = fmin(1, sqrt(test.chi_square / size));
    /* The expectation of chi-square is its non-centrality plus df. */
    result.low = low > 0 ? fmin(1, sqrt((low + test.df) / size)) : 0;
    result.high = high > 0 ? fmin(1, sqrt((high + test.df) / size)) : 0;
    result.low = fmin(result.low, result.estimate);
    result.high = fmax(result.high, result.estimate);
    result.word = cramer_word(result.estimate, lesser_side(table));
    return result;
}

struct effect effect_cramer_corrected(struct contingency table, struct arena *arena)
{
    struct contingency_chi_square test = contingency_chi_square(table, false, arena);
    double n = total_of(table), r = (double)table.rows, c = (double)table.columns, lesser;
    struct effect result = {.low = NAN, .high = NAN};

    if (test.undefined != NULL)
        return effect_undefined(test.undefined);
    r -= (r - 1) * (r - 1) / (n - 1);
    c -= (c - 1) * (c - 1) / (n - 1);
    lesser = fmin(r, c) - 1;
    if (lesser <= 0)
        return effect_undefined("there are too few values");
    result.estimate =
        fmin(1, sqrt(fmax(0, test.chi_square / n - test.df / (n - 1)) / lesser));
    result.word = cramer_word(result.estimate, lesser_side(table));
    result.interval_undefined = "none is known for the corrected V";
    return result;
}

struct effect effect_odds_ratio(const int64_t cells[4], double level)
{
    struct effect result = {0};
    double count[4], add = 0, margin, ratio;

    assert(level > 0 && level < 1);
    for (int i = 0; i < 4; i++) {
        assert(cells[i] >= 0);
        add = cells[i] == 0 ? 0.5 : add;
    }
    if (cells[0] + cells[1] == 0 || cells[2] + cells[3] == 0)
        return effect_undefined("the group is empty");
    if (cells[0] + cells[2] == 0 || cells[1] + cells[3] == 0)
        return effect_undefined("both groups have the same outcome throughout");
    for (int i = 0; i < 4; i++)
        count[i] = (double)cells[i] + add;
    ratio = count[0] / count[1] * (count[3] / count[2]);
    margin = distribution_normal_quantile(0.5 + level / 2) *
             sqrt(1 / count[0] + 1 / count[1] + 1 / count[2] + 1 / count[3]);
    result.estimate = ratio;
    result.low = exp(log(ratio) - margin);
    result.high = exp(log(ratio) + margin);
    result.word = effect_word(fmax(ratio, 1 / ratio), 1.68, 3.47, 6.71);
    return result;
}
