/* Shares that differ from those learned from, while posts of a class stay as they are.
 * All three corrections find the weights of a mixture whose parts are known; only what is
 * observed differs. */
#include "learn/internal.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "base/rng.h"
#include "stats/distribution.h"

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

/* The three corrections that rest on errors being the same everywhere, and how much they
 * vary with the labels. Items without a prediction have one of their own, "none", and so
 * has what probabilities leave to 1: how often that is so may differ by class.
 *
 * Each is right, whatever the classifier, when the labelled items are all of the set. So
 * its error is the difference between labelled items and the set in how a class's items
 * are predicted. With n labelled items its variance is v (1/n + 1/N - 2 o / (n N)), where
 * o of the n are among the N of the set; drawn from very many it is v / n. Resampling
 * with weights that vary less than counts do shows the first directly; Rao and Wu,
 * "Resampling inference with complex survey data", JASA 83, 1988. */

enum {
    THIN = 2000, /* items of the set that resamples go over: enough to see how EM reacts
                    to other labels */
    ROUNDS = 30, /* of calibration */
    ROUNDS_AGAIN = 4, /* from a neighbour */
};

static const double missed = 0.5; /* of a post: errors that no label shows */

/* Calibration is fitted to the labels, which makes EM vary less among resamples than
 * among samples: simulated intervals held 91 to 94% without it. */
static const double em_variance = 1.25;

static const double too_wide = 3; /* as wide as the interval of labels alone */

struct quantify_shift_work {
    const struct learn_quantify_question *question;
    double *counts, *sums;    /* of the set: predictions, probabilities */
    double *confusion, *soft; /* of labelled items, classes x (classes and none) */
    double *labelled, *thin;  /* logarithms of probabilities */
    double *room, *prior;
    size_t thin_count;
    struct learn_quantify_calibration fit, again;
    size_t *members, *first; /* labelled items by stratum; where each begins */
    double *weights;         /* of a resample */
    double *answered;        /* weights of labelled items that have a prediction */
    double *silent;          /* the probability of each class without a prediction */
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

/* Resamples go over every so many of the set. */
static size_t thinned(const struct learn_quantify_question *question)
{
    return (question->set.count + THIN - 1) / THIN;
}

static void thin_out(struct quantify_shift_work *work, struct arena *arena)
{
    const struct learn_quantify_seen *set = &work->question->set;
    size_t classes = work->question->classes, every = thinned(work->question);

    work->thin = arena_array(arena, double, (set->count / every + 1) * classes);
    work->room = arena_array(arena, double, (set->count / every + 1) * classes);
    for (size_t i = 0; i < set->count; i += every)
        learn_quantify_calibrate_logarithms(set->probabilities + i * classes, classes,
                                            work->thin + work->thin_count++ * classes);
}

static void list_members(struct quantify_shift_work *work)
{
    const struct learn_quantify_drawn *drawn = &work->question->drawn;
    size_t count = work->question->labelled.count;

    for (size_t i = 0; i < count; i++)
        work->first[drawn->stratum[i] + 1]++;
    for (size_t h = 0; h < drawn->strata; h++)
        work->first[h + 1] += work->first[h];
    for (size_t i = count; i-- > 0;)
        work->members[--work->first[drawn->stratum[i] + 1]] = i;
    /* Each begin has moved to its stratum's own, one place too far to the right. */
    memmove(work->first, work->first + 1, drawn->strata * sizeof *work->first);
    work->first[drawn->strata] = count;
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
        .again = {1, arena_array(arena, double, classes)},
        .members = arena_array(arena, size_t, labelled + 1),
        .first = arena_array(arena, size_t, question->drawn.strata + 2),
        .weights = arena_array(arena, double, labelled + 1),
        .answered = arena_array(arena, double, labelled + 1),
        .silent = arena_array(arena, double, classes)};

    count_set(&work);
    thin_out(&work, arena);
    list_members(&work);
    learn_quantify_calibrate_logarithms(question->labelled.probabilities,
                                        labelled * classes, work.labelled);
    return work;
}

/* False when a class has no labelled item. */
static bool count_labelled(struct quantify_shift_work *work, const double *weights)
{
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

/* The sign of the determinant of what is predicted for posts of each class; 0: some
 * shares lead to the same predictions. */
static int sign_of(const double *confusion, size_t classes, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    double *rows = arena_array(arena, double, classes *classes);
    int sign = 1;

    for (size_t k = 0; k < classes; k++)
        memcpy(rows + k * classes, confusion + k * (classes + 1), classes * sizeof *rows);
    for (size_t c = 0; c < classes && sign != 0; c++) {
        size_t best = c;
        for (size_t r = c + 1; r < classes; r++)
            best =
                fabs(rows[r * classes + c]) > fabs(rows[best * classes + c]) ? r : best;
        double pivot = rows[best * classes + c];
        if (fabs(pivot) < 1e-12)
            sign = 0;
        else if ((pivot < 0) != (best != c)) /* two rows change places */
            sign = -sign;
        for (size_t i = c; i < classes; i++) {
            double kept = rows[c * classes + i];
            rows[c * classes + i] = rows[best * classes + i];
            rows[best * classes + i] = kept;
        }
        for (size_t r = c + 1; r < classes && sign != 0; r++) {
            double by = rows[r * classes + c] / pivot;
            for (size_t i = c; i < classes; i++)
                rows[r * classes + i] -= by * rows[c * classes + i];
        }
    }
    arena_rewind(arena, mark);
    return sign;
}

/* Whether each of them is defined, as bits. */
static int adjust_both(const struct quantify_shift_work *work, double *shares,
                       struct arena *arena)
{
    size_t classes = work->question->classes, wide = classes + 1;
    int defined = learn_quantify_adjust(work->confusion, work->counts, classes, wide,
                                        shares, arena);

    return defined | learn_quantify_adjust(work->soft, work->sums, classes, wide,
                                           shares + classes, arena)
                         << 1;
}

/* Where nothing is predicted, probabilities are the shares among labelled items of that
 * kind, to which one is added that is like all: few may be labelled, or none. */
static void find_silent(struct quantify_shift_work *work, const double *weights)
{
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

/* Every `every`th item of those seen, calibrated; logarithms are of these alone. */
static void calibrate_seen(const struct quantify_shift_work *work,
                           const struct learn_quantify_calibration *fit,
                           const struct learn_quantify_seen *seen, size_t every,
                           const double *logarithms, double *out)
{
    size_t classes = work->question->classes, count = (seen->count + every - 1) / every;

    learn_quantify_calibrated(fit, logarithms, count, classes, out);
    for (size_t i = 0; i < count; i++)
        if (seen->said[i * every] == classes)
            memcpy(out + i * classes, work->silent, classes * sizeof *out);
}

/* The shares that calibrated probabilities are right for: their mean over labelled items,
 * which is the share of each class among these. */
static void find_prior(struct quantify_shift_work *work,
                       const struct learn_quantify_calibration *fit,
                       const double *weights, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    size_t classes = work->question->classes, count = work->question->labelled.count;
    double *calibrated = arena_array(arena, double, count *classes + 1), sum = 0;

    calibrate_seen(work, fit, &work->question->labelled, 1, work->labelled, calibrated);
    memset(work->prior, 0, classes * sizeof *work->prior);
    for (size_t i = 0; i < count; i++) {
        sum += weights[i];
        for (size_t k = 0; k < classes; k++)
            work->prior[k] += weights[i] * calibrated[i * classes + k];
    }
    for (size_t k = 0; k < classes; k++)
        work->prior[k] /= sum;
    arena_rewind(arena, mark);
}

/* False when the set does not tell the classes apart: every item is alike. */
static bool em_whole(struct quantify_shift_work *work, double *shares,
                     struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    const struct learn_quantify_question *question = work->question;
    const double *weights = question->drawn.weight;
    size_t classes = question->classes, count = question->set.count;
    double *set = arena_array(arena, double, count *classes + 1);
    bool differ = false;

    find_silent(work, weights);
    learn_quantify_calibrate(work->labelled, question->labelled.truth, work->answered,
                             question->labelled.count, classes, ROUNDS, &work->fit,
                             arena);
    find_prior(work, &work->fit, weights, arena);
    learn_quantify_calibrate_logarithms(question->set.probabilities, count * classes,
                                        set);
    calibrate_seen(work, &work->fit, &question->set, 1, set, set);
    learn_quantify_em(set, count, work->prior, classes, shares, arena);
    for (size_t i = classes; i < count * classes && !differ; i++)
        differ = fabs(set[i] - set[i - classes]) > 1e-9;
    arena_rewind(arena, mark);
    return differ;
}

static void em_again(struct quantify_shift_work *work, double *shares,
                     struct arena *arena)
{
    const struct learn_quantify_question *question = work->question;
    size_t classes = question->classes;

    work->again.slope = work->fit.slope;
    memcpy(work->again.bias, work->fit.bias, classes * sizeof *work->fit.bias);
    find_silent(work, work->weights);
    learn_quantify_calibrate(work->labelled, question->labelled.truth, work->answered,
                             question->labelled.count, classes, ROUNDS_AGAIN,
                             &work->again, arena);
    find_prior(work, &work->again, work->weights, arena);
    calibrate_seen(work, &work->again, &question->set, thinned(question), work->thin,
                   work->room);
    learn_quantify_em(work->room, work->thin_count, work->prior, classes, shares, arena);
}

/* Weights of a stratum's items whose variance is `variance` of that of counts when as
 * many are drawn with replacement. n - 1 of those would vary as n labels do. */
static void resample_stratum(struct quantify_shift_work *work, size_t stratum,
                             struct rng *rng)
{
    const size_t *members = work->members + work->first[stratum];
    size_t count = work->first[stratum + 1] - work->first[stratum], draws = count;
    double variance = work->question->drawn.variance[stratum];
    double base = 1, by = 0;

    if (count > 1) {
        variance *= (double)count / ((double)count - 1);
        draws = variance > 1 ? (size_t)fmax(round((double)count / variance), 1) : count;
        by = variance > 1 ? (double)count / (double)draws : sqrt(variance);
        base = variance > 1 ? 0 : 1 - by;
    }
    for (size_t i = 0; i < count; i++)
        work->weights[members[i]] = base;
    for (size_t i = 0; i < draws && by > 0; i++)
        work->weights[members[rng_below(rng, count)]] += by;
    for (size_t i = 0; i < count; i++)
        work->weights[members[i]] *= work->question->drawn.weight[members[i]];
}

/* The variance that half a post brings which no label shows, in the stratum where it
 * counts most; 0 when all posts are labelled. */
static double missed_variance(const struct quantify_shift_work *work)
{
    const struct learn_quantify_drawn *drawn = &work->question->drawn;
    double most = 0, all = (double)work->question->labelled.count;

    for (size_t h = 0; h < drawn->strata; h++) {
        size_t count = work->first[h + 1] - work->first[h];
        double weight = 0;
        for (size_t i = work->first[h]; i < work->first[h + 1]; i++)
            weight += drawn->weight[work->members[i]] / all;
        if (count > 0)
            most =
                fmax(most, missed * pow(weight / (double)count, 2) * drawn->variance[h]);
    }
    return most;
}

/* Wilson's interval for as many draws as would vary like the resamples do, `by` times,
 * and at least as far as so many errors reach on either side: Wilson's takes it that a
 * rarer class varies less, but what is taken for it by mistake comes from the frequent
 * ones, and is no less where the class itself is hardly there. */
static void set_interval(const struct quantify_shift_work *work,
                         struct stats_values resampled, double by, double level,
                         struct learn_quantify_share *out)
{
    double used = (double)resampled.count, unseen = missed_variance(work), variance = 0;
    double labelled = (double)work->question->labelled.count;

    if (resampled.count < 2 || isnan(out->estimate))
        return;
    out->low = out->high = out->estimate;
    if (unseen <= 0)
        return;
    double mean = stats_values_sum(resampled) / used;
    for (size_t r = 0; r < resampled.count; r++)
        variance += (resampled.at[r] - mean) * (resampled.at[r] - mean) / (used - 1);
    double size = fmax(mean * (1 - mean), missed / labelled) / (by * variance + unseen);
    struct stats_interval wilson =
        stats_interval_wilson_effective(fmin(fmax(out->estimate, 0), 1), size, level);
    double reach = stats_normal_quantile(0.5 + level / 2) * sqrt(by * variance + unseen);
    out->low = fmin(wilson.low, fmax(out->estimate - reach, 0));
    out->high = fmax(wilson.high, fmin(out->estimate + reach, 1));
}

/* Where a correction is refused. What it leads to was seen in simulation (tools/coverage
 * with rare classes): with fewer labels of a class, or where resamples of the labels turn
 * predictions round, intervals begin too high. */

static double width_of(const struct learn_quantify_share *share)
{
    return share->high - share->low;
}

static void undefine(struct learn_quantify_share *share, const char *why)
{
    *share = (struct learn_quantify_share){NAN, NAN, NAN, why};
}

/* What the labels by themselves would tell of a class, drawn from very many. */
static double labels_width(const struct quantify_shift_work *work, size_t class,
                           double level, size_t *labels)
{
    const struct learn_quantify_seen *labelled = &work->question->labelled;
    double with = 0, all = 0;

    *labels = 0;
    for (size_t i = 0; i < labelled->count; i++) {
        double weight = work->question->drawn.weight[i];
        *labels += labelled->truth[i] == class;
        with += labelled->truth[i] == class ? weight : 0;
        all += weight;
    }
    struct stats_interval wilson =
        stats_interval_wilson_effective(with / all, (double)labelled->count, level);
    return wilson.high - wilson.low;
}

/* turned: of so many resamples that have every class. */
static void refuse(const struct quantify_shift_work *work, const size_t turned[2],
                   size_t of, double level, struct learn_quantify_share *out)
{
    size_t classes = work->question->classes, labels;

    for (size_t a = 0; a < 3 * classes; a++) {
        double width = labels_width(work, a % classes, level, &labels);
        bool often = turned[a >= classes] * 100 > of;
        if (isnan(out[a].estimate) || missed_variance(work) <= 0)
            continue;
        if (labels < LEARN_QUANTIFY_CLASS_FEW)
            undefine(out + a, learn_quantify_few_of_class);
        else if (often)
            undefine(out + a, "predictions hardly tell classes apart");
        else if (width_of(out + a) > too_wide * width)
            undefine(out + a, "predictions tell far less of it than labels");
    }
}

void learn_quantify_resample(const struct learn_quantify_question *question,
                             struct learn_quantify_options options, struct arena *arena,
                             struct learn_quantify_share *out)
{
    size_t classes = question->classes, used = 0;
    double *shares = arena_array(arena, double, 3 * classes);
    double *values = arena_array(arena, double, 3 * classes * options.resamples + 1);

    for (size_t a = 0; a < 3 * classes; a++)
        undefine(out + a, NULL);
    if (question->set.count == 0 || question->labelled.count == 0)
        return;
    struct quantify_shift_work work = begin(question, arena);
    if (!count_labelled(&work, question->drawn.weight))
        return;
    int defined = adjust_both(&work, shares, arena);
    const int signs[2] = {sign_of(work.confusion, classes, arena),
                          sign_of(work.soft, classes, arena)};
    size_t turned[2] = {0, 0}, tried = 0;
    bool differ = em_whole(&work, shares + 2 * classes, arena);
    for (size_t a = 0; a < 3 * classes; a++)
        out[a].estimate = shares[a];
    for (size_t r = 0; r < options.resamples; r++) {
        struct rng rng = rng_stream(options.seed, 6, r);
        progress_piece(options.progress);
        for (size_t h = 0; h < question->drawn.strata; h++)
            resample_stratum(&work, h, &rng);
        if (!count_labelled(&work, work.weights))
            continue;
        tried++;
        turned[0] += sign_of(work.confusion, classes, arena) != signs[0];
        turned[1] += sign_of(work.soft, classes, arena) != signs[1];
        if (adjust_both(&work, shares, arena) != defined)
            continue;
        em_again(&work, shares + 2 * classes, arena);
        for (size_t a = 0; a < 3 * classes; a++)
            values[a * options.resamples + used] = shares[a];
        used++;
    }
    for (size_t a = 0; a < (differ ? 3 : 2) * classes; a++)
        set_interval(&work, (struct stats_values){values + a * options.resamples, used},
                     a < 2 * classes ? 1 : em_variance, options.level, out + a);
    refuse(&work, turned, tried, options.level, out);
}
