/* Tests of independence: chi-square of a table and of two shares, and Fisher's exact test
 * by counting tables out or by drawing them. */
#include "stats/contingency.h"

#include <assert.h>
#include <math.h>

#include "base/real.h"
#include "base/rng.h"
#include "stats/distribution.h"

struct contingency_margins {
    double *rows, *columns, total;
};

/* Sums of rows and columns. NULL, or why nothing can be said about the table. */
static const char *contingency_margins(struct stats_contingency table,
                                       struct arena *arena,
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

struct stats_contingency_chi_square
stats_contingency_chi_square(struct stats_contingency table, bool yates,
                             struct arena *arena)
{
    struct stats_contingency_chi_square result = {NAN, NAN, NAN, NAN, false, NULL};
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
    result.p = stats_chi_square_upper(result.chi_square, result.df);
    result.rough = result.expected_min < 5;
done:
    arena_rewind(arena, mark);
    return result;
}

struct stats_contingency_shares stats_contingency_two_shares(const int64_t x[2],
                                                             const int64_t n[2],
                                                             bool yates, double level)
{
    struct stats_contingency_shares result = {
        .first = NAN, .second = NAN, .difference = NAN, .low = NAN, .high = NAN};
    struct arena arena = {0};
    int64_t cells[] = {x[0], n[0] - x[0], x[1], n[1] - x[1]};
    double n1 = (double)n[0], n2 = (double)n[1], margin;

    assert(level > 0 && level < 1);
    result.test = stats_contingency_chi_square((struct stats_contingency){cells, 2, 2},
                                               yates, &arena);
    arena_free(&arena);
    if (n[0] == 0 || n[1] == 0) {
        result.undefined = "the group is empty";
        return result;
    }
    result.first = (double)x[0] / n1;
    result.second = (double)x[1] / n2;
    result.difference = result.first - result.second;
    margin = stats_normal_quantile(0.5 + level / 2) *
             sqrt(result.first * (1 - result.first) / n1 +
                  result.second * (1 - result.second) / n2);
    if (yates)
        margin += fmin(0.5 * (1 / n1 + 1 / n2), fabs(result.difference));
    result.low = fmax(-1, result.difference - margin);
    result.high = fmin(1, result.difference + margin);
    return result;
}

/* How far having it in one group goes with having it in the other, of items in both. */
static double correlation(const struct stats_contingency_overlap *groups)
{
    double both = (double)groups->both, first = (double)groups->shared[0] / both,
           second = (double)groups->shared[1] / both,
           scale = sqrt(first * (1 - first) * second * (1 - second));

    if (groups->shared[0] == groups->twice && groups->shared[1] == groups->twice)
        return 1; /* nothing changed, though all may be the same */
    return scale > 0 ? ((double)groups->twice / both - first * second) / scale : 0;
}

struct stats_contingency_chi_square
stats_contingency_overlapping(const struct stats_contingency_overlap *groups)
{
    struct stats_contingency_chi_square result = {NAN, NAN, NAN, NAN, false, NULL};
    double n1 = (double)groups->n[0], n2 = (double)groups->n[1],
           both = (double)groups->both,
           x = (double)(groups->x[0] + groups->x[1]) -
               (double)(groups->shared[0] + groups->shared[1]) / 2,
           share = x / (n1 + n2 - both);

    if (groups->n[0] == 0 || groups->n[1] == 0) {
        result.undefined = "the group is empty";
        return result;
    }
    double difference = (double)groups->x[0] / n1 - (double)groups->x[1] / n2,
           spread = 1 / n1 + 1 / n2;
    if (groups->both > 0)
        spread -= 2 * both * correlation(groups) / (n1 * n2);
    double variance = share * (1 - share) * spread;
    if (!(variance > 1e-15 * (1 / n1 + 1 / n2))) {
        result.undefined = "nothing varies between the groups";
        return result;
    }
    /* What tells them apart is what is in one of them alone, or has changed: of that
     * half is expected to change each way. */
    double apart = fmax(n1, n2) - both,
           changed = (double)(groups->shared[0] + groups->shared[1] - 2 * groups->twice);
    result.expected_min =
        fmax(fmin(share, 1 - share) * fmin(apart, fmin(n1, n2)), changed / 2);
    result.rough = result.expected_min < 5;
    result.df = 1;
    result.chi_square = difference * difference / variance;
    result.p = stats_chi_square_upper(result.chi_square, 1);
    return result;
}

/* Twice the tail of the binomial distribution, from its largest term outwards. */
double stats_contingency_mcnemar(int64_t come, int64_t gone)
{
    double n = (double)(come + gone), fewer = (double)(come < gone ? come : gone),
           term = exp(stats_log_gamma(n + 1) - stats_log_gamma(fewer + 1) -
                      stats_log_gamma(n - fewer + 1) - n * log(2)),
           tail = 0;

    for (double k = fewer; k >= 0 && term > tail * 1e-18; k--) {
        tail += term;
        term *= k / (n - k + 1);
    }
    return fmin(1, 2 * tail);
}

/* Fisher's exact test. Probabilities of 2 x 2 tables come from the ratios of neighbours,
 * outwards from the likeliest, so that tables of any size keep their digits. */

static const double slack =
    1 + 1e-7; /* tables as likely as the one seen, but for rounding */

/* The hypergeometric distribution of the first cell, relative to the likeliest. */
struct cell {
    double row, other_row, column; /* margins */
    double low, high, mode;
};

/* P(k + 1) / P(k) */
static double ratio(const struct cell *cell, double k)
{
    return (cell->row - k) / (k + 1) * (cell->column - k) /
           (cell->other_row - cell->column + k + 1);
}

static double weight_at(const struct cell *cell, double k)
{
    double weight = 1;

    for (double i = cell->mode; i < k; i++)
        weight *= ratio(cell, i);
    for (double i = cell->mode; i > k; i--)
        weight /= ratio(cell, i - 1);
    return weight;
}

static struct cell cell_of(double row, double other_row, double column)
{
    struct cell cell = {row, other_row, column, 0, 0, 0};

    cell.low = fmax(0, column - other_row);
    cell.high = fmin(row, column);
    cell.mode = floor((row + 1) * (column + 1) / (row + other_row + 2));
    cell.mode = fmax(cell.low, fmin(cell.high, cell.mode));
    return cell;
}

static double two_by_two(double seen, const struct contingency_margins *margins)
{
    struct cell cell = cell_of(margins->rows[0], margins->rows[1], margins->columns[0]);
    double limit, all = 0, extreme = 0, weight;

    limit = weight_at(&cell, seen) * slack;
    weight = 1;
    for (double k = cell.mode; k <= cell.high; weight *= ratio(&cell, k), k++) {
        all += weight;
        extreme += weight <= limit ? weight : 0;
    }
    weight = 1;
    for (double k = cell.mode - 1; k >= cell.low; k--) {
        weight /= ratio(&cell, k);
        all += weight;
        extreme += weight <= limit ? weight : 0;
    }
    return extreme / all;
}

/* Counting out all tables with the given margins, cell by cell down each column. What
 * can follow is not counted out where it is clear that all of it is extreme, or nothing:
 * its whole weight is known in closed form, and so are bounds of each table's. */
struct count_out {
    const struct contingency_margins *margins;
    size_t rows, columns;
    double *left;                 /* what each row has still to give */
    const double *log_factorials; /* of 0 .. total */
    double limit;                 /* in logarithms */
    double extreme;
    int64_t steps, steps_max;
};

/* Bounds of the sum of -log x! over the cells of the columns from `column` on, and the
 * logarithm of the sum of 1 / prod x! over all ways to fill them. Rows and columns give a
 * bound each: -log x! is concave, so a line of sum s is highest when it is spread evenly
 * and lowest when all of it is in one cell. */
struct contingency_rest {
    double low, high, all;
};

static struct contingency_rest rest_of(const struct count_out *out, size_t column)
{
    double columns = (double)(out->columns - column), rows = (double)out->rows, left = 0,
           row_low = 0, row_high = 0, column_low = 0, column_high = 0;

    for (size_t r = 0; r < out->rows; r++) {
        left += out->left[r];
        row_low -= out->log_factorials[(size_t)out->left[r]];
        row_high -= columns * stats_log_gamma(out->left[r] / columns + 1);
    }
    for (size_t c = column; c < out->columns; c++) {
        double sum = out->margins->columns[c];
        column_low -= out->log_factorials[(size_t)sum];
        column_high -= rows * stats_log_gamma(sum / rows + 1);
    }
    return (struct contingency_rest){
        fmax(row_low, column_low), fmin(row_high, column_high),
        out->log_factorials[(size_t)left] + row_low + column_low};
}

static bool count_column(struct count_out *out, size_t row, size_t column, double to_give,
                         double log_weight);

/* `log_weight` is that of the columns before. False when there are too many tables. */
static bool count_from(struct count_out *out, size_t column, double log_weight)
{
    struct contingency_rest rest = rest_of(out, column);

    if (log_weight + rest.high <= out->limit || column + 1 == out->columns) {
        out->extreme +=
            log_weight + rest.low <= out->limit ? exp(log_weight + rest.all) : 0;
        return true;
    }
    if (log_weight + rest.low > out->limit)
        return true;
    return count_column(out, 0, column, out->margins->columns[column], log_weight);
}

static bool count_column(struct count_out *out, size_t row, size_t column, double to_give,
                         double log_weight)
{
    double most = fmin(out->left[row], to_give);
    bool ok = true;

    if (++out->steps > out->steps_max)
        return false;
    if (row + 1 == out->rows) {
        if (to_give > out->left[row])
            return true; /* does not fit */
        out->left[row] -= to_give;
        ok = count_from(out, column + 1,
                        log_weight - out->log_factorials[(size_t)to_give]);
        out->left[row] += to_give;
        return ok;
    }
    for (double cell = 0; ok && cell <= most; cell++) {
        out->left[row] -= cell;
        ok = count_column(out, row + 1, column, to_give - cell,
                          log_weight - out->log_factorials[(size_t)cell]);
        out->left[row] += cell;
    }
    return ok;
}

/* The logarithm of the table's probability, up to what the margins contribute. */
static double log_weight_of(const int64_t *cells, size_t count,
                            const double *log_factorials)
{
    double log_weight = 0;

    for (size_t i = 0; i < count; i++)
        log_weight -= log_factorials[cells[i]];
    return log_weight;
}

/* Inversion, outwards from the likeliest: some standard deviations of steps. */
static double draw_cell(const struct cell *cell, const double *log_factorials,
                        struct rng *rng)
{
    double k = cell->mode, up = k, down = k, all = cell->row + cell->other_row,
           left = rng_unit(rng), above, below;

    above = below = real_exp(
        log_factorials[(size_t)cell->row] + log_factorials[(size_t)cell->other_row] +
        log_factorials[(size_t)cell->column] +
        log_factorials[(size_t)(all - cell->column)] - log_factorials[(size_t)all] -
        log_factorials[(size_t)k] - log_factorials[(size_t)(cell->row - k)] -
        log_factorials[(size_t)(cell->column - k)] -
        log_factorials[(size_t)(cell->other_row - cell->column + k)]);
    left -= above;
    while (left >= 0 && (up < cell->high || down > cell->low)) {
        if (up < cell->high) {
            above *= ratio(cell, up++);
            left -= above;
            k = up;
        }
        if (left >= 0 && down > cell->low) {
            below /= ratio(cell, --down);
            left -= below;
            k = down;
        }
    }
    return left < 0 ? k : cell->mode; /* rounding has left something over */
}

/* Row by row and cell by cell, each given those before it (Patefield 1981, AS 159). */
static void draw_table(struct stats_contingency table, const double *log_factorials,
                       const struct contingency_margins *m, double *columns,
                       struct rng *rng, int64_t *drawn)
{
    double total = m->total;

    for (size_t c = 0; c < table.columns; c++)
        columns[c] = m->columns[c];
    for (size_t r = 0; r < table.rows; r++) {
        double row = m->rows[r], all = total;
        for (size_t c = 0; c < table.columns; c++) {
            struct cell cell = cell_of(row, all - row, columns[c]);
            double k = draw_cell(&cell, log_factorials, rng);
            *drawn++ = (int64_t)k;
            all -= columns[c];
            columns[c] -= k;
            row -= k;
        }
        total -= m->rows[r];
    }
}

static int64_t draw_tables(struct stats_contingency table, double limit,
                           const double *log_factorials,
                           const struct contingency_margins *m,
                           struct stats_contingency_options options, struct arena *arena)
{
    size_t cells = table.rows * table.columns;
    double *columns = arena_array(arena, double, table.columns);
    int64_t *drawn = arena_array(arena, int64_t, cells), extreme = 0;

    for (int64_t draw = 0; draw < options.draws; draw++) {
        struct rng rng = rng_stream(options.seed, 0, (uint64_t)draw);
        draw_table(table, log_factorials, m, columns, &rng, drawn);
        extreme += log_weight_of(drawn, cells, log_factorials) <= limit;
    }
    return extreme;
}

static void larger(struct stats_contingency table,
                   const struct contingency_margins *margins,
                   struct stats_contingency_options options, struct arena *arena,
                   struct stats_contingency_fisher *result)
{
    double *log_factorials = arena_array(arena, double, (size_t)margins->total + 1);
    struct count_out out = {.margins = margins,
                            .rows = table.rows,
                            .columns = table.columns,
                            .left = arena_array(arena, double, table.rows),
                            .log_factorials = log_factorials,
                            .steps_max = options.steps_max};
    double seen, base = 0;

    for (double i = 1; i <= margins->total; i++)
        log_factorials[(size_t)i] = stats_log_gamma(i + 1);
    for (size_t r = 0; r < table.rows; r++) {
        out.left[r] = margins->rows[r];
        base += log_factorials[(size_t)margins->rows[r]];
    }
    for (size_t c = 0; c < table.columns; c++)
        base += log_factorials[(size_t)margins->columns[c]];
    base -= log_factorials[(size_t)margins->total];
    seen = log_weight_of(table.at, table.rows * table.columns, log_factorials);
    out.limit = base + seen + log(slack);
    if (count_from(&out, 0, base)) {
        result->p = fmin(1, out.extreme);
        result->exact = true;
        return;
    }
    result->p = (double)(draw_tables(table, seen + log(slack), log_factorials, margins,
                                     options, arena) +
                         1) /
                (double)(options.draws + 1);
}

struct stats_contingency_fisher
stats_contingency_fisher(struct stats_contingency table,
                         struct stats_contingency_options options, struct arena *arena)
{
    struct stats_contingency_fisher result = {.p = NAN};
    struct arena_mark mark = arena_mark(arena);
    struct contingency_margins margins;

    if (options.steps_max == 0)
        options.steps_max = 2000000;
    if (options.draws == 0)
        options.draws = 100000;
    result.undefined = contingency_margins(table, arena, &margins);
    if (result.undefined == NULL && table.rows == 2 && table.columns == 2) {
        result.exact = true;
        result.p = two_by_two((double)table.at[0], &margins);
    } else if (result.undefined == NULL) {
        larger(table, &margins, options, arena, &result);
    }
    arena_rewind(arena, mark);
    return result;
}
