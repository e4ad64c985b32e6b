/* Null distributions of rank statistics, counted out by recurrences that add one rank or
 * item at a time. */
#include "stats/internal.h"

#include <assert.h>
#include <math.h>

#include "stats/distribution.h"

double stats_exact_two_sided(struct stats_exact tails)
{
    return fmin(1, 2 * fmin(tails.lower, tails.upper));
}

static struct stats_exact tails_at(const double *counts, size_t size, double at)
{
    double lower = 0, upper = 0, all = 0;

    for (size_t i = 0; i < size; i++) {
        all += counts[i];
        lower += (double)i <= at ? counts[i] : 0;
        upper += (double)i >= at ? counts[i] : 0;
    }
    return (struct stats_exact){lower / all, upper / all};
}

/* Counts grow by differences of larger ones, which is exact or nearly so only below the
 * middle; above it they are what symmetry says. */
static void mirror(double *counts, size_t size)
{
    for (size_t s = 0; s < size / 2; s++)
        counts[size - 1 - s] = counts[s];
}

struct stats_exact stats_exact_mann_whitney(double u, size_t first, size_t second,
                                            struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    size_t size = first * second + 1;
    double *counts = arena_array(arena, double, size);
    struct stats_exact tails;

    /* The generating function is the Gaussian binomial coefficient: the product over i of
     * (1 - q^(second + i)) / (1 - q^i), i = 1 .. first. */
    counts[0] = 1;
    for (size_t i = 1; i <= first; i++) {
        for (size_t s = size; s-- > second + i;)
            counts[s] -= counts[s - second - i];
        for (size_t s = i; s < size; s++)
            counts[s] += counts[s - i];
    }
    mirror(counts, size);
    tails = tails_at(counts, size, u);
    arena_rewind(arena, mark);
    return tails;
}

struct stats_exact stats_exact_signed_rank(double v, size_t count, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    size_t size = count * (count + 1) / 2 + 1;
    double *counts = arena_array(arena, double, size);
    struct stats_exact tails;

    counts[0] = 1;
    for (size_t rank = 1; rank <= count; rank++)
        for (size_t s = size; s-- > rank;)
            counts[s] += counts[s - rank];
    tails = tails_at(counts, size, v);
    arena_rewind(arena, mark);
    return tails;
}

struct stats_exact stats_exact_kendall(double concordant, size_t count,
                                       struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    size_t size = count * (count - 1) / 2 + 1;
    double *counts = arena_array(arena, double, size);
    double *next = arena_array(arena, double, size);
    struct stats_exact tails;

    /* The i-th item can be concordant with 0 .. i-1 of those before it, all equally
     * likely; shares, not counts, since the counts are n!. */
    counts[0] = 1;
    for (size_t i = 2; i <= count; i++) {
        double window = 0, *kept = counts;
        for (size_t s = 0; s < size; s++) {
            window += counts[s] - (s >= i ? counts[s - i] : 0);
            next[s] = window / (double)i;
        }
        counts = next;
        next = kept;
    }
    mirror(counts, size);
    tails = tails_at(counts, size, concordant);
    arena_rewind(arena, mark);
    return tails;
}

static void swap(int *a, int *b)
{
    int kept = *a;

    *a = *b;
    *b = kept;
}

/* The next order of the numbers in the dictionary's sense; false behind the last. */
static bool next_permutation(int *order, int count)
{
    int from = count - 2, to = count - 1;

    while (from >= 0 && order[from] > order[from + 1])
        from--;
    if (from < 0)
        return false;
    while (order[to] < order[from])
        to--;
    swap(&order[from], &order[to]);
    for (int low = from + 1, high = count - 1; low < high; low++, high--)
        swap(&order[low], &order[high]);
    return true;
}

enum { EXACT_SPEARMAN_COUNTED_MAX = 9 };

static struct stats_exact spearman_counted(double squares, int count)
{
    int order[EXACT_SPEARMAN_COUNTED_MAX];
    double lower = 0, upper = 0, all = 0;

    for (int i = 0; i < count; i++)
        order[i] = i;
    do {
        double sum = 0;
        for (int i = 0; i < count; i++)
            sum += (order[i] - i) * (order[i] - i);
        all++;
        lower += sum <= squares;
        upper += sum >= squares;
    } while (next_permutation(order, count));
    return (struct stats_exact){lower / all, upper / all};
}

/* P(S >= squares), or P(S < squares) when `lower`, by the series of AS 89. */
static double edgeworth(double squares, double n, bool lower)
{
    double b = 1 / n, x = (6 * (squares - 1) * b / (n * n - 1) - 1) * sqrt(n - 1),
           y = x * x, u;

    u = 0.0072 - 0.0831 * b + y * b * (0.0131 - 4.6e-4 * y);
    u = 0.0879 + 0.0151 * b - y * u;
    u = -0.0758 + b * (0.1033 + 0.3932 * b) - y * b * u;
    u = x * b * (0.2274 + b * (0.2531 + 0.1745 * b) + y * u) / exp(y / 2);
    u = lower ? stats_normal_upper(-x) - u : stats_normal_upper(x) + u;
    return fmax(0, fmin(1, u));
}

struct stats_exact stats_exact_spearman(double squares, size_t count)
{
    double n = (double)count;

    assert(count >= 2);
    if (count <= EXACT_SPEARMAN_COUNTED_MAX)
        return spearman_counted(squares, (int)count);
    /* S takes even values only, so P(S <= s) is P(S < s + 2); the upper tail is taken at
     * s - 1, half-way to the value below, as R does. */
    return (struct stats_exact){edgeworth(squares + 2, n, true),
                                edgeworth(squares - 1, n, false)};
}
