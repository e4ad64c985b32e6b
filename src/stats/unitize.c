/* Units are sorted by category, piece, rater, beginning; those of a category and piece
 * are compared pair by pair, and expected disagreement follows from lengths alone. */
#include "stats/unitize.h"

#include <math.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/order.h"

static int compare_units(const void *a, const void *b)
{
    const struct stats_unitize_unit *one = a, *two = b;

    return order_then(ORDER_BY(one->category, two->category),
                      order_then(ORDER_BY(one->piece, two->piece),
                                 order_then(ORDER_BY(one->rater, two->rater),
                                            ORDER_BY(one->begin, two->begin))));
}

static double squared(double value)
{
    return value * value;
}

/* What one unit adds against another rater, whose units of the piece these are: squared
 * distances of the ends of those that overlap it, and where none does, so that it lies in
 * a gap, its squared length twice, as a unit in a gap and as a gap around a unit. */
static double differ(const struct stats_unitize_unit *unit,
                     const struct stats_unitize_unit *others, size_t count)
{
    int64_t end = unit->begin + unit->length;
    double sum = 0;
    bool alone = true;

    for (size_t i = 0; i < count; i++) {
        int64_t other = others[i].begin + others[i].length;
        if (others[i].begin >= end || other <= unit->begin)
            continue;
        alone = false;
        sum += squared((double)(unit->begin - others[i].begin)) +
               squared((double)(end - other));
    }
    return alone ? 2 * squared((double)unit->length) : sum;
}

/* Of the units of one category and piece, which stand together by rater. */
static double observe(const struct stats_unitize_unit *units, size_t count, size_t raters)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        size_t with = 0; /* other raters that have units here */
        for (size_t j = 0, end; j < count; j = end) {
            for (end = j + 1; end < count && units[end].rater == units[j].rater;)
                end++;
            if (units[j].rater == units[i].rater)
                continue;
            with++;
            sum += differ(&units[i], units + j, end - j);
        }
        /* For all others the piece is one gap. */
        sum += (double)(raters - 1 - with) * 2 * squared((double)units[i].length);
    }
    return sum;
}

struct unitize_gaps {
    LIST(int64_t) lengths;
};

static void add_gap(struct unitize_gaps *gaps, int64_t length)
{
    if (length > 0)
        list_add(&gaps->lengths, length);
}

/* The gaps of all raters in one piece. */
static void add_gaps(struct unitize_gaps *gaps, const struct stats_unitize_unit *units,
                     size_t count, int64_t length, size_t raters)
{
    size_t with = 0;

    for (size_t j = 0, end; j < count; j = end, with++) {
        int64_t at = 0;
        for (end = j; end < count && units[end].rater == units[j].rater; end++) {
            add_gap(gaps, units[end].begin - at);
            at = units[end].begin + units[end].length;
        }
        add_gap(gaps, length - at);
    }
    for (; with < raters; with++)
        add_gap(gaps, length);
}

/* In how many ways a unit of this length fits into gaps, which ascend; after[i] is what
 * gaps from i on are long together. */
static double ways(const struct unitize_gaps *gaps, const double *after, int64_t length)
{
    size_t low;

    ORDER_SEEK(low, gaps->lengths.count, gaps->lengths.at[low] < length);
    return after[low] - (double)(gaps->lengths.count - low) * ((double)length - 1);
}

static double expect(const struct stats_unitize_unit *units, size_t count,
                     struct unitize_gaps *gaps, double total, size_t raters,
                     struct arena *arena)
{
    size_t gap_count = gaps->lengths.count;
    double *after = arena_array(arena, double, gap_count + 1);
    double sum = 0, within = 0, all = (double)raters * total;

    order_ints(gaps->lengths.at, gap_count);
    for (size_t i = gap_count; i > 0; i--)
        after[i - 1] = after[i] + (double)gaps->lengths.at[i - 1];
    for (size_t i = 0; i < count; i++) {
        double length = (double)units[i].length;
        sum += ((double)count - 1) / 3 *
                   (2 * length * length * length - 3 * length * length + length) +
               length * length * ways(gaps, after, units[i].length);
        within += length * (length - 1);
    }
    return 2 / total * sum / (all * (all - 1) - within);
}

static struct stats_unitize_alpha measure(double observed, double expected)
{
    return (struct stats_unitize_alpha){expected > 0 ? 1 - observed / expected : NAN,
                                        observed, expected};
}

/* The units of one category, piece by piece. */
static struct stats_unitize_alpha
measure_category(const struct stats_unitize_continuum *continuum,
                 const struct stats_unitize_unit *units, size_t count, double total,
                 struct arena *arena)
{
    struct unitize_gaps gaps = {{0}};
    size_t raters = continuum->raters, next = 0;
    double observed = 0;

    for (size_t p = 0; p < continuum->piece_count; p++) {
        size_t begin = next;
        while (next < count && units[next].piece == p)
            next++;
        observed += observe(units + begin, next - begin, raters);
        add_gaps(&gaps, units + begin, next - begin, continuum->pieces[p], raters);
    }
    struct stats_unitize_alpha out =
        measure(observed / ((double)raters * ((double)raters - 1) * total * total),
                expect(units, count, &gaps, total, raters, arena));
    list_free(&gaps.lengths);
    return out;
}

void stats_unitize_alpha(const struct stats_unitize_continuum *continuum,
                         const struct stats_unitize_unit *given, size_t count,
                         struct arena *arena, struct stats_unitize_alpha *out)
{
    struct stats_unitize_unit *units = list_copied(given, count, sizeof *given, arena);
    double total = 0, observed = 0, expected = 0;
    size_t next = 0;

    for (size_t p = 0; p < continuum->piece_count; p++)
        total += (double)continuum->pieces[p];
    if (count > 0)
        qsort(units, count, sizeof *units, compare_units);
    for (size_t c = 0; c < continuum->categories; c++) {
        size_t begin = next;
        while (next < count && units[next].category == c)
            next++;
        out[c] =
            next == begin || continuum->raters < 2
                ? (struct stats_unitize_alpha){.alpha = NAN}
                : measure_category(continuum, units + begin, next - begin, total, arena);
        observed += out[c].observed;
        expected += out[c].expected;
    }
    out[continuum->categories] = measure(observed, expected);
}
