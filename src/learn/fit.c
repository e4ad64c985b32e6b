/* How each method comes to its weights: by counting, by keywords picked by hand, by dual
 * coordinate descent; and how weights score a row. */
#include "learn/fit.h"

#include <math.h>
#include <string.h>

#include "base/order.h"
#include "base/real.h"
#include "base/rng.h"

struct learn_scorer learn_scorer_new(size_t columns, size_t classes, struct arena *arena)
{
    return (struct learn_scorer){columns, classes,
                                 arena_array(arena, double, columns *classes + 1),
                                 arena_array(arena, double, classes + 1)};
}

void learn_scorer_score(const struct learn_scorer *scorer, struct learn_rows_row row,
                        double *scores)
{
    size_t classes = scorer->classes;

    memcpy(scores, scorer->constants, classes * sizeof *scores);
    for (size_t i = 0; i < row.count; i++) {
        const double *weights = scorer->weights + row.cells[i].column * classes;
        double value = (double)row.cells[i].value;
        for (size_t k = 0; k < classes; k++)
            scores[k] += value * weights[k];
    }
}

size_t learn_scorer_best(const double *scores, size_t classes)
{
    size_t best = 0;

    for (size_t k = 1; k < classes; k++)
        if (scores[k] > scores[best])
            best = k;
    return best;
}

/* The methods that only count: majority, naive Bayes, centroid. */

/* Sums of the rows of each class (columns x classes), and how many rows it has. */
static struct learn_scorer class_sums(const struct learn_rows *rows,
                                      const struct learn_membership *truth,
                                      struct arena *arena)
{
    size_t classes = truth->classes;
    struct learn_scorer sums = learn_scorer_new(rows->columns, classes, arena);

    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0; k < classes; k++) {
            if (!learn_membership_has(truth, i, k))
                continue;
            struct learn_rows_row row = learn_rows_at(rows, i);
            sums.constants[k]++;
            for (size_t c = 0; c < row.count; c++)
                sums.weights[row.cells[c].column * classes + k] +=
                    (double)row.cells[c].value;
        }
    return sums;
}

/* log of each class's share of labels; a class without any is as if it had half a one. */
static void log_shares(double *sizes, size_t classes)
{
    double labels = 0;

    for (size_t k = 0; k < classes; k++)
        labels += sizes[k];
    for (size_t k = 0; k < classes; k++)
        sizes[k] = real_log((sizes[k] > 0 ? sizes[k] : 0.5) / (labels > 0 ? labels : 1));
}

struct learn_scorer learn_fit_majority(const struct learn_rows *rows,
                                       const struct learn_membership *truth,
                                       struct arena *arena)
{
    struct learn_scorer scorer = learn_scorer_new(rows->columns, truth->classes, arena);

    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0; k < truth->classes; k++)
            scorer.constants[k] += learn_membership_has(truth, i, k);
    if (!truth->several)
        log_shares(scorer.constants, truth->classes);
    /* With several labels each class is a question of its own: the log of how often it is
     * to how often it is not, half an item added to both. */
    for (size_t k = 0; k < truth->classes && truth->several; k++)
        scorer.constants[k] = real_log((scorer.constants[k] + 0.5) /
                                       ((double)rows->count - scorer.constants[k] + 0.5));
    return scorer;
}

static double column_total(const struct learn_scorer *sums, size_t column)
{
    double total = 0;

    for (size_t k = 0; k < sums->classes; k++)
        total += sums->weights[column * sums->classes + k];
    return total;
}

struct learn_scorer learn_fit_bayes(const struct learn_rows *rows,
                                    const struct learn_membership *truth,
                                    double smoothing, struct arena *arena)
{
    size_t classes = truth->classes;
    struct learn_scorer scorer = class_sums(rows, truth, arena);

    for (size_t k = 0; k < classes; k++) {
        double all = smoothing * (double)rows->columns;
        for (size_t c = 0; c < rows->columns; c++)
            all += scorer.weights[c * classes + k];
        for (size_t c = 0; c < rows->columns; c++)
            scorer.weights[c * classes + k] =
                real_log((scorer.weights[c * classes + k] + smoothing) / all);
    }
    log_shares(scorer.constants, classes);
    return scorer;
}

struct learn_scorer learn_fit_complement(const struct learn_rows *rows,
                                         const struct learn_membership *truth,
                                         double smoothing, struct arena *arena)
{
    size_t classes = truth->classes;
    struct learn_scorer scorer = class_sums(rows, truth, arena);
    double *others = arena_array(arena, double, classes + 1);

    for (size_t c = 0; c < rows->columns; c++) {
        double total = column_total(&scorer, c);
        for (size_t k = 0; k < classes; k++) {
            double *weight = scorer.weights + c * classes + k;
            *weight = total - *weight + smoothing; /* in all classes but this one */
            others[k] += *weight;
        }
    }
    for (size_t c = 0; c < rows->columns; c++)
        for (size_t k = 0; k < classes; k++) {
            double *weight = scorer.weights + c * classes + k;
            *weight = -real_log(*weight / others[k]);
        }
    for (size_t k = 0; k < classes; k++)
        scorer.constants[k] = 0; /* as in the paper: class sizes play no part */
    return scorer;
}

struct learn_scorer learn_fit_centroid(const struct learn_rows *rows,
                                       const struct learn_membership *truth,
                                       struct arena *arena)
{
    size_t classes = truth->classes;
    struct learn_scorer scorer = class_sums(rows, truth, arena);

    for (size_t k = 0; k < classes; k++) {
        double squares = 0;
        for (size_t c = 0; c < rows->columns; c++)
            squares += scorer.weights[c * classes + k] * scorer.weights[c * classes + k];
        for (size_t c = 0; c < rows->columns && squares > 0; c++)
            scorer.weights[c * classes + k] /= sqrt(squares);
        scorer.constants[k] = 0;
    }
    return scorer;
}

/* The keyword-weight classifier. A post's score for a class is the sum over its words of
 * count times weight, which is what a scorer does with rows of plain counts. */

/* Sets to 0 what is not among the class's `top` most frequent words. */
static void keep_top(double *thetas, size_t columns, size_t top, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    const size_t *ranked = order_places(thetas, columns, true, arena);

    for (size_t i = top; i < columns; i++)
        thetas[ranked[i]] = 0;
    arena_rewind(arena, mark);
}

static void normalise(double *thetas, size_t columns, bool length)
{
    double all = 0;

    for (size_t c = 0; c < columns; c++)
        all += length ? thetas[c] * thetas[c] : thetas[c];
    if (length)
        all = sqrt(all);
    for (size_t c = 0; c < columns && all > 0; c++)
        thetas[c] /= all;
}

static void count_words(const struct learn_rows *counts,
                        const struct learn_membership *truth, size_t class,
                        double *thetas)
{
    for (size_t c = 0; c < counts->columns; c++)
        thetas[c] = 0;
    for (size_t i = 0; i < counts->count; i++) {
        if (!learn_membership_has(truth, i, class))
            continue;
        struct learn_rows_row row = learn_rows_at(counts, i);
        for (size_t c = 0; c < row.count; c++)
            thetas[row.cells[c].column] += (double)row.cells[c].value;
    }
}

struct learn_scorer learn_fit_keyword(const struct learn_rows *counts,
                                      const struct learn_membership *truth,
                                      struct learn_fit_keyword options,
                                      struct arena *arena)
{
    size_t columns = counts->columns, classes = truth->classes;
    struct learn_scorer scorer = learn_scorer_new(columns, classes, arena);
    double *thetas = arena_array(arena, double, columns + 1);

    for (size_t k = 0; k < classes; k++) {
        count_words(counts, truth, k, thetas);
        if (options.top > 0 && options.top < columns)
            keep_top(thetas, columns, options.top, arena);
        normalise(thetas, columns, options.length);
        for (size_t c = 0; c < columns; c++) {
            size_t at = c * classes + k;
            bool picked = options.picked != NULL && options.picked[at] != 0 &&
                          (thetas[c] > 0 || !options.only_top);
            scorer.weights[at] = thetas[c] + (picked ? options.alpha : 0);
        }
    }
    return scorer;
}

/* Linear classifiers by dual coordinate descent. Every row has one more column, always 1,
 * whose weight is the constant. */

enum { PASSES_MAX = 1000, NEWTON_MAX = 100 };

/* One class against the rest. */
struct problem {
    const struct learn_rows *rows;
    const double *squares; /* of each row's length, the constant's column included */
    double *weights;       /* columns + 1 */
    bool *positive;
    const double *by_class; /* see class_costs() */
    double *cost;           /* of an error on each row */
    double tolerance;
    struct rng rng;
    double *alpha; /* multipliers of the rows, where the search begins */
};

static double margin(const struct problem *problem, size_t row)
{
    double sum = learn_rows_dot(learn_rows_at(problem->rows, row), problem->weights) +
                 problem->weights[problem->rows->columns];

    return problem->positive[row] ? sum : -sum;
}

/* Adds `by` times the row, seen from its side, to the weights. */
static void step(struct problem *problem, size_t row, double by)
{
    struct learn_rows_row cells = learn_rows_at(problem->rows, row);

    if (!problem->positive[row])
        by = -by;
    for (size_t i = 0; i < cells.count; i++)
        problem->weights[cells.cells[i].column] += by * (double)cells.cells[i].value;
    problem->weights[problem->rows->columns] += by;
}

static void swap(size_t *order, size_t a, size_t b)
{
    size_t kept = order[a];

    order[a] = order[b];
    order[b] = kept;
}

static size_t *first_order(size_t count, struct arena *arena)
{
    size_t *order = arena_array(arena, size_t, count + 1);

    for (size_t i = 0; i < count; i++)
        order[i] = i;
    return order;
}

/* Algorithm 3 of Hsieh et al.: rows whose multiplier stays at 0 are set aside, and taken
 * back once the others are done. */
static void solve_hinge(struct problem *problem, struct arena *arena)
{
    size_t count = problem->rows->count, active = count;
    size_t *order = first_order(count, arena);
    double *alpha = problem->alpha, highest_before = INFINITY;

    for (size_t i = 0; i < count; i++)
        if (alpha[i] > 0)
            step(problem, i, alpha[i]);
    for (int pass = 0; pass < PASSES_MAX; pass++) {
        double highest = -INFINITY, lowest = INFINITY;
        rng_shuffle(&problem->rng, order, active, sizeof *order);
        for (size_t s = 0; s < active; s++) {
            size_t i = order[s];
            double diagonal = 0.5 / problem->cost[i];
            double gradient = margin(problem, i) - 1 + alpha[i] * diagonal;
            double projected = gradient;
            if (alpha[i] == 0) {
                if (gradient > highest_before) {
                    swap(order, s--, --active);
                    continue;
                }
                projected = gradient < 0 ? gradient : 0;
            }
            highest = projected > highest ? projected : highest;
            lowest = projected < lowest ? projected : lowest;
            if (fabs(projected) > 1e-12) {
                double old = alpha[i];
                double next = old - gradient / (problem->squares[i] + diagonal);
                alpha[i] = next > 0 ? next : 0;
                step(problem, i, alpha[i] - old);
            }
        }
        if (highest - lowest <= problem->tolerance) {
            if (active == count)
                return;
            active = count;
            highest_before = INFINITY;
            continue;
        }
        highest_before = highest > 0 ? highest : INFINITY;
    }
}

/* The root of a (z - old) + b + ln(z / (cost - z)) in 0 < z < cost, by Newton's steps
 * from a safe side (Yu et al., algorithm 4); *slope is its value at the beginning. */
static double newton(double a, double b, double old, double cost, double tolerance,
                     int *steps, double *slope)
{
    double z = cost - old < 0.5 * cost ? 0.1 * old : old;
    double value = a * (z - old) + b + real_log(z / (cost - z));

    *slope = fabs(value);
    for (*steps = 0; *steps <= NEWTON_MAX && fabs(value) >= tolerance; ++*steps) {
        double next = z - value / (a + cost / (cost - z) / z);
        z = next <= 0 ? 0.1 * z : next;
        value = a * (z - old) + b + real_log(z / (cost - z));
    }
    return z;
}

/* Algorithm 5 of Yu et al. Each row has two multipliers that add up to its cost. */
static void solve_logistic(struct problem *problem, struct arena *arena)
{
    size_t count = problem->rows->count, *order = first_order(count, arena);
    double *alphas = arena_array(arena, double, 2 * count + 2);
    double inner = 1e-2,
           inner_min = problem->tolerance < 1e-8 ? problem->tolerance : 1e-8;

    for (size_t i = 0; i < count; i++) {
        double cost = problem->cost[i];
        alphas[2 * i] = 0.001 * cost < 1e-8 ? 0.001 * cost : 1e-8;
        alphas[2 * i + 1] = cost - alphas[2 * i];
        step(problem, i, alphas[2 * i]);
    }
    for (int pass = 0; pass < PASSES_MAX; pass++) {
        double worst = 0;
        size_t all_steps = 0;
        rng_shuffle(&problem->rng, order, count, sizeof *order);
        for (size_t s = 0; s < count; s++) {
            size_t i = order[s];
            double a = problem->squares[i], b = margin(problem, i), slope;
            double *own = alphas + 2 * i, cost = problem->cost[i];
            bool second = 0.5 * a * (own[1] - own[0]) + b < 0;
            double old = own[second];
            int steps;
            double z = newton(a, second ? -b : b, old, cost, inner, &steps, &slope);
            worst = slope > worst ? slope : worst;
            if (steps == 0)
                continue;
            own[second] = z;
            own[!second] = cost - z;
            step(problem, i, second ? old - z : z - old);
            all_steps += (size_t)steps;
        }
        if (worst < problem->tolerance)
            return;
        if (all_steps <= count / 10)
            inner = 0.1 * inner > inner_min ? 0.1 * inner : inner_min;
    }
}

static double *row_squares(const struct learn_rows *rows, struct arena *arena)
{
    double *squares = arena_array(arena, double, rows->count + 1);

    for (size_t i = 0; i < rows->count; i++) {
        struct learn_rows_row row = learn_rows_at(rows, i);
        squares[i] = 1;
        for (size_t c = 0; c < row.count; c++)
            squares[i] += (double)row.cells[c].value * (double)row.cells[c].value;
    }
    return squares;
}

/* What an error on a row costs beside the strength: with one label a row, all classes
 * weigh the same, in the class and in the rest, whose small classes would otherwise be
 * lost among the large. A row without a class, or with several labels, is left to
 * set_costs(). */
static double *class_costs(const struct learn_membership *truth, struct arena *arena)
{
    double *costs = arena_array(arena, double, truth->items + 1);
    double *sizes = arena_array(arena, double, truth->classes + 1), used = 0;
    size_t *classes = arena_array(arena, size_t, truth->items + 1);

    if (truth->several)
        return costs;
    for (size_t i = 0; i < truth->items; i++)
        sizes[classes[i] = learn_membership_class(truth, i)]++;
    for (size_t k = 0; k < truth->classes; k++)
        used += sizes[k] > 0;
    for (size_t i = 0; i < truth->items; i++)
        if (classes[i] < truth->classes)
            costs[i] = (double)truth->items / (used * sizes[classes[i]]);
    return costs;
}

/* The costs of all rows for one class against the rest, `in` rows having it: where a row
 * belongs to no one class, the two sides weigh the same. */
static void set_costs(struct problem *problem, size_t class, double in,
                      const struct learn_fit_linear *options)
{
    double all = (double)problem->rows->count;

    for (size_t i = 0; i < problem->rows->count; i++) {
        double cost = 1;
        if (options->balanced)
            cost = problem->by_class[i] > 0
                       ? problem->by_class[i]
                       : all / (2 * (problem->positive[i] ? in : all - in));
        if (options->class_weights != NULL && problem->positive[i])
            cost *= options->class_weights[class];
        problem->cost[i] = options->strength * cost;
    }
}

/* The class's weights start from 0; without rows on both sides there is nothing to
 * learn, and the constant says which side it is. */
static void fit_class(struct problem *problem, const struct learn_membership *truth,
                      size_t class, const struct learn_fit_linear *options,
                      struct arena *arena)
{
    double in = 0, all = (double)truth->items;

    for (size_t i = 0; i < truth->items; i++)
        in += problem->positive[i] = learn_membership_has(truth, i, class);
    for (size_t c = 0; c <= problem->rows->columns; c++)
        problem->weights[c] = 0;
    if (in == 0 || in == all) {
        problem->weights[problem->rows->columns] = in > 0 ? 1 : -1;
        return;
    }
    set_costs(problem, class, in, options);
    problem->rng = rng_stream(options->seed, 1, class);
    if (options->logistic)
        solve_logistic(problem, arena);
    else
        solve_hinge(problem, arena);
}

struct learn_scorer learn_fit_linear(const struct learn_rows *rows,
                                     const struct learn_membership *truth,
                                     struct learn_fit_linear options, struct arena *arena)
{
    size_t columns = rows->columns, classes = truth->classes;
    struct learn_scorer scorer = learn_scorer_new(columns, classes, arena);
    struct arena_mark mark = arena_mark(arena);
    struct problem problem = {
        .rows = rows,
        .squares = row_squares(rows, arena),
        .weights = arena_array(arena, double, columns + 1),
        .positive = arena_array(arena, bool, rows->count + 1),
        .by_class = class_costs(truth, arena),
        .cost = arena_array(arena, double, rows->count + 1),
        .tolerance = options.tolerance > 0 ? options.tolerance : 0.1,
    };

    double *alpha = options.alpha != NULL
                        ? options.alpha
                        : arena_array(arena, double, rows->count *classes + 1);
    for (size_t k = 0; k < classes; k++) {
        problem.alpha = alpha + k * rows->count;
        fit_class(&problem, truth, k, &options, arena);
        for (size_t c = 0; c < columns; c++)
            scorer.weights[c * classes + k] = problem.weights[c];
        scorer.constants[k] = problem.weights[columns];
    }
    arena_rewind(arena, mark);
    return scorer;
}
