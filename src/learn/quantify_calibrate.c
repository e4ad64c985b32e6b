/* Bias-corrected temperature scaling by Newton's method. */
#include "learn/quantify_calibrate.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "learn/quantify_shift.h"

/* A penalty of a thousandth of a label's on each parameter's square. A slope of 0 or less
 * would make a classifier's favourite its last choice. Below least a probability says
 * nothing more; files hold six digits of it. */
static const double penalty = 1e-3, slope_min = 0.05, least = 1e-6, close_enough = 1e-7;

void quantify_calibrate_logarithms(const double *probabilities, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = real_log(fmax(probabilities[i], least));
}

void quantify_calibrated(const struct quantify_calibration *fit, const double *logarithms,
                         size_t items, size_t classes, double *out)
{
    for (size_t i = 0; i < items; i++) {
        const double *from = logarithms + i * classes;
        double *to = out + i * classes, top = -INFINITY, sum = 0;
        for (size_t k = 0; k < classes; k++) {
            to[k] = fit->slope * from[k] + fit->bias[k];
            top = fmax(top, to[k]);
        }
        for (size_t k = 0; k < classes; k++)
            sum += to[k] = real_exp(to[k] - top);
        for (size_t k = 0; k < classes; k++)
            to[k] /= sum;
    }
}

/* Labelled items while they are fitted: parameters are the slope, then the biases. */
struct fitting {
    const double *logarithms, *weights;
    const size_t *truth;
    size_t items, classes;
    double *probabilities, *rows; /* rows: curvature, and the gradient last */
};

static double loss_of(const struct fitting *fitting,
                      const struct quantify_calibration *fit)
{
    double loss = penalty / 2 * (fit->slope - 1) * (fit->slope - 1);

    for (size_t k = 0; k < fitting->classes; k++)
        loss += penalty / 2 * fit->bias[k] * fit->bias[k];
    quantify_calibrated(fit, fitting->logarithms, fitting->items, fitting->classes,
                        fitting->probabilities);
    for (size_t i = 0; i < fitting->items; i++)
        if (fitting->weights[i] > 0)
            loss -= fitting->weights[i] *
                    real_log(fmax(
                        fitting->probabilities[i * fitting->classes + fitting->truth[i]],
                        1e-300));
    return loss;
}

static void add_item(struct fitting *fitting, size_t item)
{
    size_t classes = fitting->classes, wide = classes + 2;
    const double *x = fitting->logarithms + item * classes;
    const double *p = fitting->probabilities + item * classes;
    double weight = fitting->weights[item], mean = 0, *rows = fitting->rows;

    for (size_t k = 0; k < classes; k++)
        mean += p[k] * x[k];
    for (size_t k = 0; k < classes; k++) {
        double off = weight * (p[k] - (fitting->truth[item] == k));
        double *row = rows + (1 + k) * wide;
        rows[0] += weight * p[k] * (x[k] - mean) * (x[k] - mean);
        rows[classes + 1] += off * x[k];
        rows[1 + k] += weight * p[k] * (x[k] - mean);
        row[classes + 1] += off;
        row[1 + k] += weight * p[k];
        for (size_t j = 0; j < classes; j++)
            row[1 + j] -= weight * p[k] * p[j];
    }
}

/* The step of Newton's method, from probabilities at *fit. */
static void find_step(struct fitting *fitting, const struct quantify_calibration *fit,
                      double *step)
{
    size_t classes = fitting->classes, size = classes + 1, wide = size + 1;
    double *rows = fitting->rows;

    memset(rows, 0, size * wide * sizeof *rows);
    for (size_t i = 0; i < fitting->items; i++)
        if (fitting->weights[i] > 0)
            add_item(fitting, i);
    for (size_t a = 0; a < size; a++) {
        rows[a * wide + a] += penalty;
        rows[a * wide + size] += penalty * (a == 0 ? fit->slope - 1 : fit->bias[a - 1]);
        rows[a * wide] = rows[a];
    }
    if (!quantify_shift_solve(rows, size, step))
        memset(step, 0, size * sizeof *step);
}

static void move(const struct quantify_calibration *from, const double *step, double by,
                 size_t classes, struct quantify_calibration *to)
{
    to->slope = fmax(from->slope - by * step[0], slope_min);
    for (size_t k = 0; k < classes; k++)
        to->bias[k] = from->bias[k] - by * step[1 + k];
}

void quantify_calibrate(const double *logarithms, const size_t *truth,
                        const double *weights, size_t items, size_t classes, int rounds,
                        struct quantify_calibration *fit, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    double *step = arena_array(arena, double, classes + 1);
    struct quantify_calibration next = {0, arena_array(arena, double, classes)};
    struct fitting fitting = {logarithms,
                              weights,
                              truth,
                              items,
                              classes,
                              arena_array(arena, double, items *classes + 1),
                              arena_array(arena, double, (classes + 1) * (classes + 2))};
    double loss = loss_of(&fitting, fit), by = 1;

    for (int round = 0; round < rounds && by > 1e-6; round++) {
        find_step(&fitting, fit, step);
        double after = INFINITY;
        for (by = 1; by > 1e-6; by /= 2) {
            move(fit, step, by, classes, &next);
            after = loss_of(&fitting, &next);
            if (after <= loss)
                break;
        }
        if (after > loss)
            break;
        fit->slope = next.slope;
        memcpy(fit->bias, next.bias, classes * sizeof *fit->bias);
        if (loss - after < close_enough)
            break;
        loss = after;
    }
    arena_rewind(arena, mark);
}
