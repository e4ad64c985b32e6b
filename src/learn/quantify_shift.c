/* Shares that differ from those learned from, while posts of a class stay as they are.
 * All three corrections find the weights of a mixture whose parts are known; only what is
 * observed differs. */
#include "learn/quantify_shift.h"

#include <math.h>
#include <string.h>

#include "base/real.h"

enum { ROUNDS_MAX = 5000, EM_ROUNDS_MAX = 100 };

static const double close_enough = 1e-10, em_close_enough = 1e-7, leap_max = 1e6;

/* One step: new shares into next; the largest change is returned. */
static double adjust_step(const double *rates, const double *counts, size_t classes,
                          double *shares, double *next)
{
    double all = 0, change = 0;

    memset(next, 0, classes * sizeof *next);
    for (size_t said = 0; said < classes; said++) {
        double expected = 0;
        for (size_t k = 0; k < classes; k++)
            expected += shares[k] * rates[k * classes + said];
        if (counts[said] <= 0 || expected <= 0)
            continue;
        all += counts[said];
        for (size_t k = 0; k < classes; k++)
            next[k] += counts[said] * shares[k] * rates[k * classes + said] / expected;
    }
    for (size_t k = 0; k < classes && all > 0; k++) {
        double off = fabs(next[k] / all - shares[k]);
        change = off > change ? off : change;
        shares[k] = next[k] / all;
    }
    return change;
}

bool quantify_shift_solve(double *rows, size_t size, double *out)
{
    size_t wide = size + 1;

    for (size_t c = 0; c < size; c++) {
        size_t best = c;
        for (size_t r = c + 1; r < size; r++)
            best = fabs(rows[r * wide + c]) > fabs(rows[best * wide + c]) ? r : best;
        if (fabs(rows[best * wide + c]) < 1e-12)
            return false;
        for (size_t i = 0; i < wide; i++) {
            double kept = rows[c * wide + i];
            rows[c * wide + i] = rows[best * wide + i];
            rows[best * wide + i] = kept;
        }
        for (size_t r = 0; r < size; r++) {
            double by = r == c ? 0 : rows[r * wide + c] / rows[c * wide + c];
            for (size_t i = c; i < wide && by != 0; i++)
                rows[r * wide + i] -= by * rows[c * wide + i];
        }
    }
    for (size_t r = 0; r < size; r++)
        out[r] = rows[r * wide + size] / rows[r * wide + r];
    return true;
}

/* Inverts the matrix of rates; false when that gives no shares of 0 .. 1. */
static bool invert(const double *rates, const double *counts, size_t classes,
                   double *shares, struct arena *arena)
{
    double *rows = arena_array(arena, double, classes *(classes + 1)), all = 0;
    bool inside;

    for (size_t k = 0; k < classes; k++)
        all += counts[k];
    for (size_t said = 0; said < classes; said++) {
        for (size_t k = 0; k < classes; k++)
            rows[said * (classes + 1) + k] = rates[k * classes + said];
        rows[said * (classes + 1) + classes] = counts[said] / all;
    }
    inside = quantify_shift_solve(rows, classes, shares);
    for (size_t k = 0; k < classes && inside; k++)
        inside = shares[k] >= 0 && shares[k] <= 1;
    return inside;
}

bool quantify_adjust(const double *confusion, const double *counts, size_t classes,
                     double *shares, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    double *rates = arena_array(arena, double, classes *classes);
    double *next = arena_array(arena, double, classes);
    bool known = true;

    for (size_t k = 0; k < classes; k++) {
        double all = 0;
        for (size_t said = 0; said < classes; said++)
            all += confusion[k * classes + said];
        known = known && all > 0;
        for (size_t said = 0; said < classes && all > 0; said++)
            rates[k * classes + said] = confusion[k * classes + said] / all;
    }
    if (!known || !invert(rates, counts, classes, shares, arena)) {
        for (size_t k = 0; k < classes; k++)
            shares[k] = known ? 1 / (double)classes : NAN;
        for (int i = 0; i < ROUNDS_MAX && known; i++)
            if (adjust_step(rates, counts, classes, shares, next) < close_enough)
                break;
    }
    arena_rewind(arena, mark);
    return known;
}

/* Probabilities of items, and the shares that these are right for. */
struct posteriors {
    const double *probabilities, *prior;
    size_t items, classes;
    double *ratio, *one; /* room for a number of each class */
};

/* A sum of logarithms, of which few are taken: numbers are multiplied as long as they
 * fit. */
struct logarithms {
    double sum, product;
};

static void add_logarithm(struct logarithms *to, double of)
{
    to->product *= fmin(fmax(of, 1e-100), 1e100);
    if (to->product < 1e-100 || to->product > 1e100) {
        to->sum += real_log(to->product);
        to->product = 1;
    }
}

/* New shares: the means of probabilities that fit the shares so far. Returns the
 * logarithm of the likelihood of the latter, but for a constant. */
static double em_step(const struct posteriors *it, const double *shares, double *next)
{
    size_t classes = it->classes;
    struct logarithms likelihood = {0, 1};

    for (size_t k = 0; k < classes; k++) {
        it->ratio[k] = it->prior[k] > 0 ? shares[k] / it->prior[k] : 0;
        next[k] = 0;
    }
    for (size_t i = 0; i < it->items; i++) {
        double sum = 0;
        for (size_t k = 0; k < classes; k++)
            sum += it->one[k] = it->probabilities[i * classes + k] * it->ratio[k];
        for (size_t k = 0; k < classes && sum > 0; k++)
            next[k] += it->one[k] / sum;
        add_logarithm(&likelihood, sum);
    }
    for (size_t k = 0; k < classes; k++)
        next[k] /= (double)it->items;
    return likelihood.sum + real_log(likelihood.product);
}

/* As far ahead as two steps suggest, but within 0 .. 1: EM by itself creeps where classes
 * are hard to tell apart. False: nothing is suggested. Varadhan and Roland, "Simple and
 * globally convergent methods for accelerating the convergence of any EM algorithm",
 * Scandinavian Journal of Statistics 35, 2008. */
static bool leap(const double *from, const double *first, const double *second,
                 size_t classes, double *to)
{
    double speed = 0, bend = 0;

    for (size_t k = 0; k < classes; k++) {
        double step = first[k] - from[k], turn = second[k] - first[k] - step;
        speed += step * step;
        bend += turn * turn;
    }
    if (bend <= 0)
        return false;
    double by = fmin(fmax(sqrt(speed / bend), 1), leap_max);
    for (bool inside = false; !inside; by = fmax((by + 1) / 2, 1)) {
        inside = true;
        for (size_t k = 0; k < classes; k++) {
            double step = first[k] - from[k], turn = second[k] - first[k] - step;
            to[k] = from[k] + 2 * by * step + by * by * turn;
            /* A share of 0 would stay so. */
            inside = inside && (to[k] > 0 || (to[k] == 0 && second[k] == 0));
        }
        if (by < 1.01 && !inside) {
            memcpy(to, second, classes * sizeof *to);
            break;
        }
    }
    return true;
}

static double largest_change(const double *a, const double *b, size_t count)
{
    double change = 0;

    for (size_t k = 0; k < count; k++)
        change = fmax(change, fabs(a[k] - b[k]));
    return change;
}

/* Each round is two steps, a leap and a step from there. Where the leap makes what is
 * seen less likely than the first step did it is not taken, so that the likelihood never
 * falls; a round that hardly moves, leap and all, is the last. */
void quantify_em(const double *probabilities, size_t items, const double *prior,
                 size_t classes, double *shares, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    double *room = arena_array(arena, double, 6 * classes), *first = room + 2 * classes;
    double *second = first + classes, *ahead = second + classes, *next = ahead + classes;
    struct posteriors it = {probabilities, prior, items, classes, room, room + classes};

    memcpy(shares, prior, classes * sizeof *shares);
    for (int round = 0; round < EM_ROUNDS_MAX; round++) {
        em_step(&it, shares, first);
        double before = em_step(&it, first, second);
        if (!leap(shares, first, second, classes, ahead) ||
            em_step(&it, ahead, next) < before)
            memcpy(next, second, classes * sizeof *next);
        double change = largest_change(next, shares, classes);
        memcpy(shares, next, classes * sizeof *shares);
        if (change < em_close_enough)
            break;
    }
    arena_rewind(arena, mark);
}
