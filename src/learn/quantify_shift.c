/* Shares that differ from those learned from, while posts of a class stay as they are.
 * All three corrections find the weights of a mixture whose parts are known; only what is
 * observed differs. */
#include "learn/internal.h"

#include <math.h>
#include <string.h>

#include "base/real.h"

enum { ROUNDS_MAX = 5000, EM_ROUNDS_MAX = 100 };

static const double close_enough = 1e-10, em_close_enough = 1e-7, leap_max = 1e6;

/* How often each outcome is predicted for posts of a class, and how often for the set. */
struct adjusting {
    const double *rates, *counts; /* rates: a row for each class */
    size_t classes, outcomes;
};

/* One step: new shares into next; the largest change is returned. */
static double adjust_step(const struct adjusting *it, double *shares, double *next)
{
    size_t classes = it->classes;
    double all = 0, change = 0;

    memset(next, 0, classes * sizeof *next);
    for (size_t said = 0; said < it->outcomes; said++) {
        double expected = 0;
        for (size_t k = 0; k < classes; k++)
            expected += shares[k] * it->rates[k * it->outcomes + said];
        if (it->counts[said] <= 0 || expected <= 0)
            continue;
        all += it->counts[said];
        for (size_t k = 0; k < classes; k++)
            next[k] += it->counts[said] * shares[k] * it->rates[k * it->outcomes + said] /
                       expected;
    }
    for (size_t k = 0; k < classes && all > 0; k++) {
        double off = fabs(next[k] / all - shares[k]);
        change = off > change ? off : change;
        shares[k] = next[k] / all;
    }
    return change;
}

bool learn_quantify_shift_solve(double *rows, size_t count, size_t size, double *out)
{
    size_t wide = size + 1;

    for (size_t c = 0; c < size; c++) {
        size_t best = c;
        for (size_t r = c + 1; r < count; r++)
            best = fabs(rows[r * wide + c]) > fabs(rows[best * wide + c]) ? r : best;
        if (fabs(rows[best * wide + c]) < 1e-12)
            return false;
        for (size_t i = 0; i < wide; i++) {
            double kept = rows[c * wide + i];
            rows[c * wide + i] = rows[best * wide + i];
            rows[best * wide + i] = kept;
        }
        for (size_t r = 0; r < count; r++) {
            double by = r == c ? 0 : rows[r * wide + c] / rows[c * wide + c];
            for (size_t i = c; i < wide && by != 0; i++)
                rows[r * wide + i] -= by * rows[c * wide + i];
        }
    }
    for (size_t r = 0; r < size; r++)
        out[r] = rows[r * wide + size] / rows[r * wide + r];
    return true;
}

/* Inverts the matrix of rates; false when it cannot be inverted, as predictions are then
 * the same for different shares. */
static bool invert(const struct adjusting *it, double *shares, struct arena *arena)
{
    size_t classes = it->classes;
    double *rows = arena_array(arena, double, it->outcomes *(classes + 1)), all = 0;

    for (size_t said = 0; said < it->outcomes; said++)
        all += it->counts[said];
    for (size_t said = 0; said < it->outcomes; said++) {
        for (size_t k = 0; k < classes; k++)
            rows[said * (classes + 1) + k] = it->rates[k * it->outcomes + said];
        rows[said * (classes + 1) + classes] = it->counts[said] / all;
    }
    return learn_quantify_shift_solve(rows, it->outcomes, classes, shares);
}

static bool all_within(const double *shares, size_t classes)
{
    bool within = true;

    for (size_t k = 0; k < classes; k++)
        within = within && shares[k] >= 0 && shares[k] <= 1;
    return within;
}

/* What is predicted for no labelled post tells nothing of the set, but a class must be.
 */
static size_t outcomes_seen(const double *confusion, size_t classes, size_t outcomes)
{
    size_t seen = classes;

    for (size_t said = classes; said < outcomes; said++)
        for (size_t k = 0; k < classes; k++)
            if (confusion[k * outcomes + said] > 0)
                seen = said + 1;
    return seen;
}

/* With more outcomes than classes no shares need fit all of them. */
bool learn_quantify_adjust(const double *confusion, const double *counts, size_t classes,
                           size_t outcomes, double *shares, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    double *rates = arena_array(arena, double, classes *outcomes);
    double *next = arena_array(arena, double, classes);
    struct adjusting it = {rates, counts, classes,
                           outcomes_seen(confusion, classes, outcomes)};
    bool known = true;

    for (size_t k = 0; k < classes; k++) {
        double all = 0;
        for (size_t said = 0; said < it.outcomes; said++)
            all += confusion[k * outcomes + said];
        known = known && all > 0;
        for (size_t said = 0; said < it.outcomes && all > 0; said++)
            rates[k * it.outcomes + said] = confusion[k * outcomes + said] / all;
    }
    known = known && invert(&it, shares, arena);
    if (!known || it.outcomes > classes || !all_within(shares, classes)) {
        for (size_t k = 0; k < classes; k++)
            shares[k] = known ? 1 / (double)classes : NAN;
        for (int i = 0; i < ROUNDS_MAX && known; i++)
            if (adjust_step(&it, shares, next) < close_enough)
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
void learn_quantify_em(const double *probabilities, size_t items, const double *prior,
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

/* Bias-corrected temperature scaling by Newton's method. */

/* A penalty of a thousandth of a label's on each parameter's square. A slope of 0 or less
 * would make a classifier's favourite its last choice. Below least a probability says
 * nothing more; files hold six digits of it. */
static const double penalty = 1e-3, slope_min = 0.05, least = 1e-6,
                    calibrate_close_enough = 1e-7;

void learn_quantify_calibrate_logarithms(const double *probabilities, size_t count,
                                         double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = real_log(fmax(probabilities[i], least));
}

void learn_quantify_calibrated(const struct learn_quantify_calibration *fit,
                               const double *logarithms, size_t items, size_t classes,
                               double *out)
{
    for (size_t i = 0; i < items; i++) {
        const double *from = logarithms + i * classes;
        double *to = out + i * classes, top = -INFINITY;
        for (size_t k = 0; k < classes; k++) {
            to[k] = fit->slope * from[k] + fit->bias[k];
            top = fmax(top, to[k]);
        }
        for (size_t k = 0; k < classes; k++)
            to[k] -= top;
    }
    real_exp_each(out, items * classes);
    for (size_t i = 0; i < items; i++) {
        double *to = out + i * classes, sum = 0;
        for (size_t k = 0; k < classes; k++)
            sum += to[k];
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
                      const struct learn_quantify_calibration *fit)
{
    double loss = penalty / 2 * (fit->slope - 1) * (fit->slope - 1);

    for (size_t k = 0; k < fitting->classes; k++)
        loss += penalty / 2 * fit->bias[k] * fit->bias[k];
    learn_quantify_calibrated(fit, fitting->logarithms, fitting->items, fitting->classes,
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
static void find_step(struct fitting *fitting,
                      const struct learn_quantify_calibration *fit, double *step)
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
    /* At its limit the slope stays, and biases are fitted to it; else the mean of what is
     * calibrated would not be the share of a class among the labelled. */
    if (fit->slope <= slope_min && rows[size] > 0) {
        for (size_t a = 0; a < size; a++)
            rows[a * wide] = rows[a] = 0;
        rows[0] = 1;
        rows[size] = 0;
    }
    if (!learn_quantify_shift_solve(rows, size, size, step))
        memset(step, 0, size * sizeof *step);
}

static void move(const struct learn_quantify_calibration *from, const double *step,
                 double by, size_t classes, struct learn_quantify_calibration *to)
{
    to->slope = fmax(from->slope - by * step[0], slope_min);
    for (size_t k = 0; k < classes; k++)
        to->bias[k] = from->bias[k] - by * step[1 + k];
}

void learn_quantify_calibrate(const double *logarithms, const size_t *truth,
                              const double *weights, size_t items, size_t classes,
                              int rounds, struct learn_quantify_calibration *fit,
                              struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    double *step = arena_array(arena, double, classes + 1);
    struct learn_quantify_calibration next = {0, arena_array(arena, double, classes)};
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
        if (loss - after < calibrate_close_enough)
            break;
        loss = after;
    }
    arena_rewind(arena, mark);
}

/* The three corrections that rest on errors being the same everywhere. Items without a
 * prediction have one of their own, "none", and so has what probabilities leave to 1: how
 * often that is so may differ by class. Each is right, whatever the classifier, when the
 * labelled items are all of the set. Intervals are those of quantify_limits.c. */

enum {
    ROUNDS = 30, /* of calibration */
    EM_FEW = 10, /* labels of a class */
};

struct quantify_shift_work {
    const struct learn_quantify_question *question;
    double *counts, *sums;    /* of the set: predictions, probabilities */
    double *confusion, *soft; /* of labelled items, classes x (classes and none) */
    double *labelled;         /* logarithms of probabilities */
    double *prior;
    struct learn_quantify_calibration fit;
    double *answered; /* weights of labelled items that have a prediction */
    double *silent;   /* the probability of each class without a prediction */
};

static void count_set(struct quantify_shift_work *work)
{
    const struct learn_quantify_seen *set = &work->question->set;
    size_t classes = work->question->classes;

    for (size_t i = 0; i < set->count; i++) {
        work->counts[set->said[i]]++;
        for (size_t k = 0; k < classes; k++)
            work->sums[k] += set->probabilities[i * classes + k];
        work->sums[classes] += set->none[i];
    }
}

static struct quantify_shift_work begin(const struct learn_quantify_question *question,
                                        struct arena *arena)
{
    size_t classes = question->classes, labelled = question->labelled.count;
    struct quantify_shift_work work = {
        .question = question,
        .counts = arena_array(arena, double, classes + 1),
        .sums = arena_array(arena, double, classes + 1),
        .confusion = arena_array(arena, double, classes *(classes + 1)),
        .soft = arena_array(arena, double, classes *(classes + 1)),
        .labelled = arena_array(arena, double, labelled *classes + 1),
        .prior = arena_array(arena, double, classes),
        .fit = {1, arena_array(arena, double, classes)},
        .answered = arena_array(arena, double, labelled + 1),
        .silent = arena_array(arena, double, classes)};

    count_set(&work);
    learn_quantify_calibrate_logarithms(question->labelled.probabilities,
                                        labelled * classes, work.labelled);
    return work;
}

/* False when a class has no labelled item. */
static bool count_labelled(struct quantify_shift_work *work)
{
    const double *weights = work->question->drawn.weight;
    const struct learn_quantify_seen *labelled = &work->question->labelled;
    size_t classes = work->question->classes, wide = classes + 1;
    bool known = true;

    memset(work->confusion, 0, classes * wide * sizeof(double));
    memset(work->soft, 0, classes * wide * sizeof(double));
    for (size_t i = 0; i < labelled->count; i++) {
        size_t row = labelled->truth[i] * wide;
        work->confusion[row + labelled->said[i]] += weights[i];
        for (size_t k = 0; k < classes; k++)
            work->soft[row + k] += weights[i] * labelled->probabilities[i * classes + k];
        work->soft[row + classes] += weights[i] * labelled->none[i];
    }
    for (size_t t = 0; t < classes; t++) {
        double all = 0;
        for (size_t k = 0; k < wide; k++)
            all += work->confusion[t * wide + k];
        known = known && all > 0;
    }
    return known;
}

/* Where nothing is predicted, probabilities are the shares among labelled items of that
 * kind, to which one is added that is like all: few may be labelled, or none. */
static void find_silent(struct quantify_shift_work *work)
{
    const double *weights = work->question->drawn.weight;
    const struct learn_quantify_seen *labelled = &work->question->labelled;
    size_t classes = work->question->classes;
    double all = 0, silent = 1;

    memset(work->silent, 0, classes * sizeof *work->silent);
    for (size_t i = 0; i < labelled->count; i++) {
        work->silent[labelled->truth[i]] += weights[i];
        all += weights[i];
    }
    for (size_t k = 0; k < classes; k++)
        work->silent[k] /= all;
    for (size_t i = 0; i < labelled->count; i++) {
        bool none = labelled->said[i] == classes;
        work->answered[i] = none ? 0 : weights[i];
        work->silent[labelled->truth[i]] += none ? weights[i] : 0;
        silent += none ? weights[i] : 0;
    }
    for (size_t k = 0; k < classes; k++)
        work->silent[k] /= silent;
}

/* Probabilities of those seen, calibrated. */
static double *calibrate_seen(const struct quantify_shift_work *work,
                              const struct learn_quantify_seen *seen, struct arena *arena)
{
    size_t classes = work->question->classes;
    double *out = arena_array(arena, double, seen->count *classes + 1);

    learn_quantify_calibrate_logarithms(seen->probabilities, seen->count * classes, out);
    learn_quantify_calibrated(&work->fit, out, seen->count, classes, out);
    for (size_t i = 0; i < seen->count; i++)
        if (seen->said[i] == classes)
            memcpy(out + i * classes, work->silent, classes * sizeof *out);
    return out;
}

/* The shares that calibrated probabilities are right for: their mean over labelled items,
 * which is the share of each class among these. */
static void find_prior(struct quantify_shift_work *work, const double *calibrated)
{
    const double *weights = work->question->drawn.weight;
    size_t classes = work->question->classes, count = work->question->labelled.count;
    double sum = 0;

    memset(work->prior, 0, classes * sizeof *work->prior);
    for (size_t i = 0; i < count; i++) {
        sum += weights[i];
        for (size_t k = 0; k < classes; k++)
            work->prior[k] += weights[i] * calibrated[i * classes + k];
    }
    for (size_t k = 0; k < classes; k++)
        work->prior[k] /= sum;
}

/* Each class's part in how likely an item is, beside that of the shares found: EM ends
 * where the mean of each over the set is 1. In place. */
static void take_parts(const struct quantify_shift_work *work,
                       const struct learn_quantify_share *shares, double *calibrated,
                       size_t count)
{
    const double share_min = 1e-4; /* of a class that is not there, next to nothing */
    size_t classes = work->question->classes;

    for (size_t i = 0; i < count; i++) {
        double *of = calibrated + i * classes, sum = 0;
        for (size_t k = 0; k < classes; k++) {
            of[k] /= work->prior[k];
            sum += of[k] * fmax(shares[k].estimate, share_min);
        }
        for (size_t k = 0; k < classes; k++)
            of[k] /= sum;
    }
}

/* No interval when the set does not tell the classes apart: every item is alike. */
static void find_em(struct quantify_shift_work *work, double level, struct arena *arena,
                    struct learn_quantify_share *out)
{
    const struct learn_quantify_question *question = work->question;
    size_t classes = question->classes, count = question->set.count;
    double *shares = arena_array(arena, double, classes);
    double *mean = arena_array(arena, double, classes);
    bool differ = false;

    find_silent(work);
    learn_quantify_calibrate(work->labelled, question->labelled.truth, work->answered,
                             question->labelled.count, classes, ROUNDS, &work->fit,
                             arena);
    double *labelled = calibrate_seen(work, &question->labelled, arena);
    double *set = calibrate_seen(work, &question->set, arena);
    find_prior(work, labelled);
    learn_quantify_em(set, count, work->prior, classes, shares, arena);
    for (size_t k = 0; k < classes; k++)
        out[k].estimate = shares[k];
    for (size_t i = classes; i < count * classes && !differ; i++)
        differ = fabs(set[i] - set[i - classes]) > 1e-9;
    if (!differ)
        return;
    take_parts(work, out, labelled, question->labelled.count);
    take_parts(work, out, set, count);
    for (size_t i = 0; i < count * classes; i++)
        mean[i % classes] += set[i] / (double)count;
    learn_quantify_limits(
        question, &(struct learn_quantify_features){labelled, mean, classes, true}, level,
        arena, out);
}

/* By counts, or by probabilities. */
static void find_adjusted(const struct quantify_shift_work *work, bool probable,
                          double level, struct arena *arena,
                          struct learn_quantify_share *out)
{
    const struct learn_quantify_question *question = work->question;
    const struct learn_quantify_seen *labelled = &question->labelled;
    size_t classes = question->classes, wide = classes + 1;
    const double *confusion = probable ? work->soft : work->confusion;
    const double *counts = probable ? work->sums : work->counts;
    double *shares = arena_array(arena, double, classes);
    double *mean = arena_array(arena, double, wide);
    double *features = arena_array(arena, double, labelled->count *wide), all = 0;
    size_t seen = outcomes_seen(confusion, classes, wide);

    if (!learn_quantify_adjust(confusion, counts, classes, wide, shares, arena)) {
        for (size_t k = 0; k < classes; k++)
            learn_quantify_undefine(out + k, learn_quantify_same_said);
        return;
    }
    for (size_t j = 0; j < seen; j++)
        all += counts[j];
    for (size_t k = 0; k < classes; k++) {
        out[k].estimate = shares[k];
        if (all <= 0)
            learn_quantify_undefine(out + k, "no item has a prediction");
    }
    if (all <= 0)
        return;
    for (size_t j = 0; j < seen; j++)
        mean[j] = counts[j] / all;
    for (size_t i = 0; i < labelled->count; i++) {
        double *to = features + i * wide;
        if (probable)
            memcpy(to, labelled->probabilities + i * classes, classes * sizeof *to);
        to[probable ? classes : labelled->said[i]] = probable ? labelled->none[i] : 1;
    }
    learn_quantify_limits(
        question, &(struct learn_quantify_features){features, mean, wide, seen > classes},
        level, arena, out);
}

/* What few labelled items are predicted to be cannot be corrected by their counts. */
static void refuse_few_said(const struct quantify_shift_work *work,
                            struct learn_quantify_share *out)
{
    const struct learn_quantify_seen *labelled = &work->question->labelled;

    for (size_t k = 0; k < work->question->classes; k++) {
        size_t said = 0;
        for (size_t i = 0; i < labelled->count; i++)
            said += labelled->said[i] == k;
        if (said < LEARN_QUANTIFY_CLASS_FEW && out[k].high > out[k].low)
            learn_quantify_undefine(
                out + k, "fewer than 5 labelled items are predicted to be of the class");
    }
}

/* EM asks more than means of probabilities do, and calibration that is fitted to few
 * labels of a class makes it look easier to tell than it is. */
static void refuse_em(const struct quantify_shift_work *work,
                      const struct learn_quantify_share *probable,
                      struct learn_quantify_share *out)
{
    const struct learn_quantify_seen *labelled = &work->question->labelled;

    for (size_t k = 0; k < work->question->classes; k++) {
        size_t labels = 0;
        for (size_t i = 0; i < labelled->count; i++)
            labels += labelled->truth[i] == k;
        if (probable[k].undefined != NULL &&
            probable[k].undefined != learn_quantify_same_said)
            learn_quantify_undefine(out + k, probable[k].undefined);
        else if (labels < EM_FEW && out[k].high > out[k].low)
            learn_quantify_undefine(out + k, "fewer than 10 labelled items of the class");
    }
}

void learn_quantify_corrected(const struct learn_quantify_question *question,
                              double level, struct arena *arena,
                              struct learn_quantify_share *out)
{
    size_t classes = question->classes;

    for (size_t a = 0; a < 3 * classes; a++)
        learn_quantify_undefine(out + a, NULL);
    if (question->set.count == 0 || question->labelled.count == 0)
        return;
    struct quantify_shift_work work = begin(question, arena);
    if (!count_labelled(&work)) {
        for (size_t a = 0; a < 3 * classes; a++)
            learn_quantify_undefine(out + a, "a class has no labelled item");
        return;
    }
    find_adjusted(&work, false, level, arena, out);
    refuse_few_said(&work, out);
    find_adjusted(&work, true, level, arena, out + classes);
    find_em(&work, level, arena, out + 2 * classes);
    refuse_em(&work, out + classes, out + 2 * classes);
}
