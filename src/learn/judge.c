/* Rounds of training and testing, several at once, their results taken in order; and the
 * law that a learning curve follows. */
#include "learn/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/parallel.h"
#include "base/real.h"
#include "base/rng.h"
#include "base/stop.h"

void learn_judge_items(const struct learn_model *model,
                       const struct learn_examples *examples,
                       struct learn_fold_items items, struct arena *arena,
                       struct learn_judged *out)
{
    size_t classes = model->classes;
    double *probabilities = arena_array(arena, double, items.count *classes + 1);
    double *scores = arena_array(arena, double, classes + 1);
    bool *untold = arena_array(arena, bool, items.count + 1);
    struct learn_model_scratch scratch = {0};

    *out = (struct learn_judged){
        .truth = learn_membership_of(&examples->truth, items.at, items.count, arena),
        .repeats = 1,
        .predicted = learn_membership_new(items.count, classes, model->several, arena),
        .probabilities = probabilities,
        .untold = untold};
    for (size_t i = 0; i < items.count; i++) {
        struct learn_rows_row counts = learn_rows_at(&examples->counts, items.at[i]);
        if (counts.count == 0 || !learn_model_knows(model, &examples->table, counts)) {
            untold[i] = true; /* no class, as where a model is applied */
            out->silent++;
            continue;
        }
        learn_model_predict(model, counts, &scratch, scores, probabilities + i * classes);
        learn_model_decide(model, scores, out->predicted.is + i * classes);
    }
    learn_model_scratch_free(&scratch);
}

/* One round: what is learned from, what is asked, and what came out. */
struct round {
    const struct learn_model_settings *settings;
    const struct learn_examples *examples;
    struct learn_fold_items train, test;
};

struct judge_slot {
    struct arena arena;
    struct learn_judged judged;
    struct learn_model model;
    bool ok;
    struct err err;
};

struct judge_job {
    const struct round *rounds;
    size_t folds;             /* rounds of a repetition */
    struct learn_judged *out; /* NULL: only the scores are wanted */
    double *macro_f1;
    struct learn_model_tuned *tuned;
    struct learn_model *models; /* of the first repetition; NULL: not kept */
    struct arena *kept;
    struct progress *progress;
};

static void make_round(void *context, size_t piece, void *slot_of)
{
    const struct judge_job *job = context;
    const struct round *round = job->rounds + piece;
    struct judge_slot *slot = slot_of;

    arena_free(&slot->arena);
    slot->ok = stop_check(&slot->err) &&
               learn_model_train(round->settings, round->examples, round->train,
                                 &slot->arena, &slot->model, &slot->err);
    if (slot->ok)
        learn_judge_items(&slot->model, round->examples, round->test, &slot->arena,
                          &slot->judged);
}

static bool take_round(void *context, size_t piece, void *slot_of, struct err *err)
{
    const struct judge_job *job = context;
    const struct round *round = job->rounds + piece;
    struct judge_slot *slot = slot_of;
    struct learn_judged *judged = &slot->judged;

    if (!slot->ok) {
        *err = slot->err;
        return false;
    }
    progress_piece(job->progress);
    job->macro_f1[piece] =
        learn_score_of(&judged->truth, &judged->predicted, &slot->arena)
            .overall[LEARN_SCORE_MACRO_F1];
    job->tuned[piece] = slot->model.tuned;
    if (job->out == NULL)
        return true;
    size_t classes = judged->truth.classes;
    size_t before = piece / job->folds * job->out->truth.items;
    job->out->silent += judged->silent;
    for (size_t i = 0; i < round->test.count; i++) {
        size_t item = before + round->test.at[i];
        ((size_t *)job->out->fold_of)[item] = piece % job->folds;
        ((bool *)job->out->untold)[item] = judged->untold[i];
        memcpy(job->out->predicted.is + item * classes,
               judged->predicted.is + i * classes, classes);
        memcpy((double *)job->out->probabilities + item * classes,
               judged->probabilities + i * classes, classes * sizeof(double));
    }
    if (job->models != NULL && piece < job->folds) { /* its memory changes hands */
        job->models[piece] = slot->model;
        job->kept[piece] = slot->arena;
        slot->arena = (struct arena){0};
    }
    return true;
}

static bool run_rounds(struct judge_job *job, size_t count, int threads,
                       struct arena *arena, struct err *err)
{
    size_t slots = parallel_slots(threads);
    struct judge_slot *own = arena_array(arena, struct judge_slot, slots);
    void **at = arena_array(arena, void *, slots);

    for (size_t i = 0; i < slots; i++)
        at[i] = own + i;
    bool ok = parallel_run(&(struct parallel_job){.pieces = count,
                                                  .threads = threads,
                                                  .context = job,
                                                  .slots = at,
                                                  .make = make_round,
                                                  .take = take_round},
                           err);
    for (size_t i = 0; i < slots; i++)
        arena_free(&own[i].arena);
    return ok;
}

static struct round *make_rounds(const struct learn_model_settings *settings,
                                 const struct learn_examples *examples,
                                 struct learn_judge_options options, struct arena *arena)
{
    struct learn_fold_items all = learn_fold_all(examples->truth.items, arena);
    struct round *rounds =
        arena_array(arena, struct round, options.folds * options.repeats);

    for (size_t r = 0; r < options.repeats; r++) {
        struct rng rng = rng_stream(options.seed, 4, r);
        const size_t *fold_of = options.fold_of;
        if (fold_of == NULL)
            fold_of = learn_fold_make(&examples->truth, examples->groups, all,
                                      options.folds, &rng, arena);
        for (size_t f = 0; f < options.folds; f++)
            rounds[r * options.folds + f] = (struct round){
                settings, examples, learn_fold_take(all, fold_of, f, false, arena),
                learn_fold_take(all, fold_of, f, true, arena)};
    }
    return rounds;
}

static bool check_folds(const struct learn_examples *examples,
                        struct learn_judge_options *options, struct err *err)
{
    if (examples->truth.items < 2)
        return err_set(err, ERR_INPUT,
                       "cross-validation needs at least 2 labelled posts, there %s",
                       examples->truth.items == 1 ? "is 1" : "are none");
    if (options->folds > examples->truth.items)
        options->folds = examples->truth.items;
    return true;
}

bool learn_judge_folds(const struct learn_model_settings *settings,
                       const struct learn_examples *examples,
                       struct learn_judge_options options, struct arena *arena,
                       struct learn_judged *out, struct err *err)
{
    size_t items = examples->truth.items, classes = examples->truth.classes;

    if (!check_folds(examples, &options, err))
        return false;
    size_t count = options.folds * options.repeats;
    const struct round *rounds = make_rounds(settings, examples, options, arena);
    double *macro_f1 = arena_array(arena, double, count);
    struct learn_model_tuned *tuned = arena_array(arena, struct learn_model_tuned, count);
    struct judge_job job = {rounds, options.folds, out,  macro_f1,
                            tuned,  NULL,          NULL, options.progress};
    if (options.keep) {
        job.models = arena_array(arena, struct learn_model, options.folds);
        job.kept = arena_array(arena, struct arena, options.folds);
    }
    *out = (struct learn_judged){
        .truth = examples->truth,
        .repeats = options.repeats,
        .predicted = learn_membership_new(items * options.repeats, classes,
                                          examples->truth.several, arena),
        .probabilities = arena_array(arena, double, items *options.repeats *classes + 1),
        .untold = arena_array(arena, bool, items *options.repeats + 1),
        .fold_of = arena_array(arena, size_t, items * options.repeats + 1),
        .rounds = count,
        .macro_f1 = macro_f1,
        .tuned = tuned,
        .test_share = 1 / ((double)options.folds - 1),
        .models = job.models,
        .model_count = options.keep ? options.folds : 0,
        .kept = job.kept};
    return run_rounds(&job, count, options.threads, arena, err);
}

void learn_judge_free(struct learn_judged *judged)
{
    for (size_t i = 0; i < judged->model_count; i++)
        arena_free(judged->kept + i);
    judged->model_count = 0;
}

size_t learn_judge_rounds_with_vectors(const struct learn_judged *judged)
{
    size_t count = 0;

    for (size_t r = 0; r < judged->rounds; r++)
        count += judged->tuned[r].vectors > 0;
    return count;
}

size_t learn_judge_rounds_with_given(const struct learn_judged *judged)
{
    size_t count = 0;

    for (size_t r = 0; r < judged->rounds; r++)
        count += judged->tuned[r].given > 0;
    return count;
}

static void mean_and_deviation(const double *values, size_t count, double *mean,
                               double *deviation)
{
    double squares = 0;

    *mean = 0;
    for (size_t i = 0; i < count; i++)
        *mean += values[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - *mean) * (values[i] - *mean);
    *deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : NAN;
}

struct learn_judge_spread learn_judge_spread(const struct learn_judged *judged,
                                             enum learn_score_overall score,
                                             struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct learn_judge_spread out = {.least = INFINITY, .most = -INFINITY};
    double *values = arena_array(arena, double, judged->repeats + 1);

    for (size_t r = 0; r < judged->repeats; r++) {
        struct learn_membership said = judged->predicted;
        said.items = judged->truth.items;
        said.is += r * said.items * said.classes;
        values[r] = learn_score_of(&judged->truth, &said, arena).overall[score];
        out.least = fmin(out.least, values[r]);
        out.most = fmax(out.most, values[r]);
    }
    mean_and_deviation(values, judged->repeats, &out.mean, &out.deviation);
    arena_rewind(arena, mark);
    return out;
}

/* Settings that were tuned in each round, and are not tuned again. */
static const struct learn_model_settings *
settled(const struct learn_model_settings *settings, const struct learn_judged *whole,
        struct arena *arena)
{
    struct learn_model_settings *each =
        arena_array(arena, struct learn_model_settings, whole->rounds + 1);

    for (size_t r = 0; r < whole->rounds; r++) {
        each[r] = *settings;
        each[r].fixed = whole->tuned[r].value;
        each[r].balanced = whole->tuned[r].balanced;
        each[r].vectors = whole->tuned[r].vectors;
        each[r].given = whole->tuned[r].given;
    }
    return each;
}

bool learn_judge_curve(const struct learn_model_settings *settings,
                       const struct learn_examples *examples,
                       struct learn_judge_options options,
                       const struct learn_judged *whole, struct arena *arena,
                       struct learn_judge_step steps[LEARN_JUDGE_STEPS], struct err *err)
{
    if (!check_folds(examples, &options, err))
        return false;
    size_t count = options.folds * options.repeats;
    struct learn_model_tuned *tuned = arena_array(arena, struct learn_model_tuned, count);
    struct learn_judged own;

    if (whole == NULL) {
        if (!learn_judge_folds(settings, examples, options, arena, &own, err))
            return false;
        whole = &own;
    }
    const struct learn_model_settings *each = settled(settings, whole, arena);

    for (size_t s = 0; s < LEARN_JUDGE_STEPS; s++) {
        double *macro_f1 = arena_array(arena, double, count);
        struct round *rounds = make_rounds(settings, examples, options, arena);
        struct judge_job job = {rounds, 0,    NULL, macro_f1,
                                tuned,  NULL, NULL, options.progress};
        steps[s] = (struct learn_judge_step){.share = (double)(s + 1) / LEARN_JUDGE_STEPS,
                                             .scores = {macro_f1, count}};
        for (size_t r = 0; r < count; r++) {
            struct rng rng = rng_stream(options.seed, 5, r);
            struct learn_fold_items part = rounds[r].train, rest;
            if (s + 1 < LEARN_JUDGE_STEPS)
                learn_fold_hold_out(&examples->truth, examples->groups, rounds[r].train,
                                    steps[s].share, &rng, arena, &part, &rest);
            if (part.count < 2) /* too few to learn from: take two */
                part = (struct learn_fold_items){
                    rounds[r].train.at,
                    rounds[r].train.count < 2 ? rounds[r].train.count : 2};
            rounds[r].train = part;
            rounds[r].settings = &each[r];
            steps[s].items += (double)part.count / (double)count;
        }
        if (s + 1 == LEARN_JUDGE_STEPS)
            memcpy(macro_f1, whole->macro_f1, count * sizeof *macro_f1);
        else if (!run_rounds(&job, count, options.threads, arena, err))
            return false;
        mean_and_deviation(macro_f1, count, &steps[s].macro_f1, &steps[s].deviation);
    }
    return true;
}

/* For a given c the law is a straight line in n^-c, so only c has to be searched. */

enum { STEPS_MIN = 4, RUNS_MIN = 3, STEPS_MAX = 64, GRID = 60 };

static const double rate_min = 0.01, rate_max = 3;

static double power(double x, double y)
{
    return real_exp(y * real_log(x));
}

/* a and b for that c; the sum of squares is returned. */
static double fit_line(struct stats_values labels, struct stats_values scores,
                       double rate, struct learn_curve_forecast *out)
{
    double n = (double)labels.count, x_mean = 0, y_mean = 0, xx = 0, xy = 0, squares = 0;
    double about_one = 0, all = 0, x[STEPS_MAX];

    for (size_t i = 0; i < labels.count; i++) {
        x[i] = power(labels.at[i] / labels.at[0], -rate); /* 1 at first: no underflow */
        x_mean += x[i] / n;
        y_mean += scores.at[i] / n;
    }
    for (size_t i = 0; i < labels.count; i++) {
        xx += (x[i] - x_mean) * (x[i] - x_mean);
        xy += (x[i] - x_mean) * (scores.at[i] - y_mean);
        about_one += x[i] * (1 - scores.at[i]);
        all += x[i] * x[i];
    }
    double loss = xx > 0 ? -xy / xx : 0, highest = y_mean + loss * x_mean;
    if (highest > 1) {
        highest = 1;
        loss = about_one / all;
    }
    for (size_t i = 0; i < labels.count; i++) {
        double off = scores.at[i] - (highest - loss * x[i]);
        squares += off * off;
    }
    out->highest = highest;
    out->loss = loss * power(labels.at[0], rate);
    out->rate = rate;
    return squares;
}

bool learn_curve_fit(struct stats_values labels, struct stats_values scores,
                     struct learn_curve_forecast *out)
{
    const double golden = 0.6180339887498949;
    double step = real_log(rate_max / rate_min) / GRID, best = INFINITY, at = 0;

    for (int g = 0; g <= GRID; g++) {
        double squares = fit_line(labels, scores, rate_min * real_exp(g * step), out);
        if (squares < best) {
            best = squares;
            at = g;
        }
    }
    double low = fmax(at - 1, 0), high = fmin(at + 1, GRID);
    for (int i = 0; i < 40; i++) {
        double a = high - golden * (high - low), b = low + golden * (high - low);
        if (fit_line(labels, scores, rate_min * real_exp(a * step), out) <=
            fit_line(labels, scores, rate_min * real_exp(b * step), out))
            high = b;
        else
            low = a;
    }
    fit_line(labels, scores, rate_min * real_exp((low + high) / 2 * step), out);
    return out->loss > 0;
}

static double law_at(const struct learn_curve_forecast *law, double labels)
{
    return law->highest - law->loss * power(labels, -law->rate);
}

/* Is the last step above the first, beyond what the runs differ? */
static bool rises(const struct learn_curve_step *first,
                  const struct learn_curve_step *last)
{
    double runs = (double)first->scores.count, mean = 0, squares = 0;

    for (size_t r = 0; r < first->scores.count; r++)
        mean += (last->scores.at[r] - first->scores.at[r]) / runs;
    for (size_t r = 0; r < first->scores.count; r++) {
        double off = last->scores.at[r] - first->scores.at[r] - mean;
        squares += off * off;
    }
    return mean > 0 && mean >= 2 * sqrt(squares / (runs - 1) / runs);
}

static const char *problem(const struct learn_curve_step *steps, size_t count)
{
    if (count < STEPS_MIN || count > STEPS_MAX || steps[0].scores.count < RUNS_MIN)
        return "the curve has too few steps or folds";
    for (size_t s = 0; s < count; s++)
        if (stats_values_problem(steps[s].scores, RUNS_MIN) != NULL ||
            steps[s].labels <= 0)
            return "some scores of the curve are undefined";
    if (!rises(steps, steps + count - 1))
        return "the curve is flat: from its first step to its last it rises by no more "
               "than chance";
    return NULL;
}

/* Fits the means over the runs in the list. */
static bool fit_runs(const struct learn_curve_step *steps, size_t count,
                     const size_t *runs, struct learn_curve_forecast *out)
{
    double labels[STEPS_MAX], means[STEPS_MAX];

    for (size_t s = 0; s < count; s++) {
        size_t all = steps[s].scores.count;
        labels[s] = steps[s].labels;
        means[s] = 0;
        for (size_t r = 0; r < all; r++)
            means[s] += steps[s].scores.at[runs[r]] / (double)all;
    }
    return learn_curve_fit((struct stats_values){labels, count},
                           (struct stats_values){means, count}, out);
}

static struct learn_curve_forecast refuse(const char *why)
{
    return (struct learn_curve_forecast){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, why};
}

struct learn_curve_forecast learn_curve_forecast(const struct learn_curve_step *steps,
                                                 size_t count,
                                                 struct learn_curve_options options,
                                                 struct arena *arena)
{
    const char *noisy = "the curve is too noisy: it does not follow a law";
    const char *why = problem(steps, count);
    struct learn_curve_forecast out = {0}, again;

    if (why != NULL)
        return refuse(why);
    size_t runs = steps[0].scores.count, used = 0;
    double then = options.now + options.more;
    size_t *drawn = arena_array(arena, size_t, runs);
    double *values = arena_array(arena, double, options.resamples + 1);
    for (size_t r = 0; r < runs; r++)
        drawn[r] = r;
    if (!fit_runs(steps, count, drawn, &out))
        return refuse(noisy);
    out.now = law_at(&out, options.now);
    out.score = law_at(&out, then);
    out.gain = out.score - out.now;
    for (size_t i = 0; i < options.resamples; i++) {
        struct rng rng = rng_stream(options.seed, 7, i);
        for (size_t r = 0; r < runs; r++)
            drawn[r] = rng_below(&rng, runs);
        if (fit_runs(steps, count, drawn, &again))
            values[used++] = law_at(&again, then);
    }
    if (used < 2 || (double)used < 0.9 * (double)options.resamples)
        return refuse(noisy);
    order_reals(values, used);
    size_t cut = (size_t)((1 - options.level) / 2 * (double)(used - 1));
    out.low = values[cut];
    out.high = values[used - 1 - cut];
    return out;
}
