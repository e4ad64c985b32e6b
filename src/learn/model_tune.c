/* Tuning by cross-validation inside the training part: every item is scored by a model
 * that has not seen it, for each candidate; then the candidate with the highest macro F1
 * wins, of equals the first. Word vectors are tried after that, with what has won so far,
 * beside the same without them: they are used only if they make it better; then the
 * posts' own vectors in the same way. Near duplicates stay together here too. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "learn/internal.h"
#include "learn/score.h"

enum { ALPHAS = 101, WEIGHTS = 5, CANDIDATES_MAX = ALPHAS + 2 * WEIGHTS };

static const double vector_weights[] = {0, 0.5, 1},
                    given_weights[WEIGHTS] = {0, 0.5, 1, 2, 4};

static struct learn_model_tuned candidate(double value, bool balanced)
{
    return (struct learn_model_tuned){
        .value = value, .balanced = balanced, .macro_f1 = NAN};
}

static size_t candidates(const struct learn_model_settings *settings,
                         struct learn_model_tuned *out)
{
    static const double strengths[] = {0.1, 0.3, 1, 3},
                        smoothings[] = {0.01, 0.1, 0.3, 1};
    size_t count = 0;

    if (!isnan(settings->fixed)) {
        out[0] = candidate(settings->fixed, settings->balanced);
        out[0].vectors = settings->vectors;
        out[0].given = settings->given;
        return 1;
    }
    switch (settings->method) {
    case LEARN_MODEL_KEYWORD_WEIGHT: /* without picked words alpha plays no part */
        for (int i = 0; i < (settings->keyword_count > 0 ? ALPHAS : 1); i++)
            out[count++] = candidate(i / 100.0, false);
        return count;
    case LEARN_MODEL_NAIVE_BAYES:
    case LEARN_MODEL_COMPLEMENT_BAYES:
        for (size_t i = 0; i < ROWS_OF(smoothings); i++)
            out[count++] = candidate(smoothings[i], false);
        return count;
    case LEARN_MODEL_LINEAR:
    case LEARN_MODEL_LOGISTIC:
        for (size_t i = 0; i < (isnan(settings->strength) ? ROWS_OF(strengths) : 1); i++)
            for (int balanced = settings->weighting == LEARN_MODEL_BALANCED;
                 balanced <= (settings->weighting != LEARN_MODEL_PLAIN); balanced++) {
                /* Logistic loss wants about ten times as much. */
                double by = settings->method == LEARN_MODEL_LOGISTIC ? 10 : 1;
                out[count++] = candidate(isnan(settings->strength) ? by * strengths[i]
                                                                   : settings->strength,
                                         balanced);
            }
        return count;
    default:
        out[0] = candidate(NAN, false);
        return 1;
    }
}

/* Scores of the items by models that have not seen them: candidates x items x classes. */
struct unseen {
    const struct learn_model_settings *settings;
    const struct learn_examples *examples;
    struct learn_fold_items items;
    const size_t *fold_of;
    size_t folds;
    struct learn_model_tuned tries[CANDIDATES_MAX];
    size_t try_count, best;
    double *scores;
};

static double *scores_of(const struct unseen *unseen, size_t try)
{
    return unseen->scores + try * unseen->items.count * unseen->examples->truth.classes;
}

/* A fold's parts as rows, weighted as a candidate wants them. */
struct weighted {
    struct learn_rows_builder learned, asked;
    struct learn_rows rows, questions;
};

static void weigh_fold(struct learn_weigh *weigh, struct learn_weigh_options options,
                       const struct learn_examples *examples,
                       struct learn_fold_items train, struct learn_fold_items test,
                       struct weighted *out)
{
    learn_rows_builder_free(&out->learned);
    learn_rows_builder_free(&out->asked);
    weigh->options = options;
    learn_weigh_rows(weigh, &examples->counts, train.at, train.count, &out->learned);
    learn_weigh_rows(weigh, &examples->counts, test.at, test.count, &out->asked);
    out->rows = learn_rows_of(&out->learned, weigh->columns);
    out->questions = learn_rows_of(&out->asked, weigh->columns);
}

/* The candidates from a place on. */
static void score_fold(struct unseen *unseen, size_t from, size_t fold,
                       struct arena *arena)
{
    const size_t *fold_of = unseen->fold_of;
    const struct learn_examples *examples = unseen->examples;
    const struct learn_model_settings *settings = unseen->settings;
    struct learn_fold_items train =
        learn_fold_take(unseen->items, fold_of, fold, false, arena);
    struct learn_fold_items test =
        learn_fold_take(unseen->items, fold_of, fold, true, arena);
    size_t classes = examples->truth.classes;
    struct weighted weighted = {0};
    struct learn_weigh_source source = learn_model_source(settings, examples);
    struct learn_weigh weigh = learn_weigh_learn(&source, &examples->truth, train.at,
                                                 train.count, &settings->weigh, arena);
    struct learn_membership truth =
        learn_membership_of(&examples->truth, train.at, train.count, arena);
    double *start = arena_array(arena, double, train.count *classes + 1);

    for (size_t try = from; try < unseen->try_count; try++) {
        struct arena_mark mark = arena_mark(arena);
        struct learn_model_tuned tuned = unseen->tries[try];
        if (try == from || tuned.vectors != unseen->tries[try - 1].vectors ||
            tuned.given != unseen->tries[try - 1].given) {
            weigh_fold(&weigh, learn_model_weights(settings, tuned), examples, train,
                       test, &weighted);
            memset(start, 0, train.count * classes * sizeof *start);
        }
        struct learn_scorer scorer = learn_model_fit(
            settings, examples, &weigh, &weighted.rows, &truth, tuned, start, arena);
        double *scores = scores_of(unseen, try);
        for (size_t i = 0, q = 0; i < unseen->items.count; i++)
            if (fold_of[i] == fold)
                learn_scorer_score(&scorer, learn_rows_at(&weighted.questions, q++),
                                   scores + i * classes);
        arena_rewind(arena, mark);
    }
    learn_rows_builder_free(&weighted.learned);
    learn_rows_builder_free(&weighted.asked);
}

static double f1_above(const double *scores, const struct learn_membership *truth,
                       size_t class, double threshold)
{
    double hits = 0, items = 0, said = 0;

    for (size_t i = 0; i < truth->items; i++) {
        bool is = learn_membership_has(truth, i, class);
        bool over = scores[i * truth->classes + class] > threshold;
        items += is, said += over, hits += is && over;
    }
    return items + said > 0 ? 2 * hits / (items + said) : 0;
}

/* The threshold of a class with the highest F1, tried on a grid of its own scores. */
static double best_threshold(const double *scores, const struct learn_membership *truth,
                             size_t class)
{
    enum { STEPS = 64 };
    double low = INFINITY, high = -INFINITY, best = 0, best_f1 = -1;

    for (size_t i = 0; i < truth->items; i++) {
        double score = scores[i * truth->classes + class];
        low = score < low ? score : low;
        high = score > high ? score : high;
    }
    for (int s = 0; s < STEPS; s++) {
        double threshold = low + (high - low) * (s + 0.5) / STEPS;
        double f1 = f1_above(scores, truth, class, threshold);
        if (f1 > best_f1) {
            best_f1 = f1;
            best = threshold;
        }
    }
    return best;
}

/* A majority has one score a class, whatever the text, which is above 0 where most items
 * have it. */
static void set_thresholds(const struct unseen *unseen, const double *scores,
                           const struct learn_membership *truth, double *thresholds)
{
    for (size_t k = 0; k < truth->classes && truth->several; k++)
        thresholds[k] = unseen->settings->method == LEARN_MODEL_MAJORITY
                            ? 0
                            : best_threshold(scores, truth, k);
}

static double macro_f1(const struct learn_model *model, const double *scores,
                       const struct learn_membership *truth, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct learn_membership said =
        learn_membership_new(truth->items, truth->classes, truth->several, arena);

    for (size_t i = 0; i < truth->items; i++)
        learn_model_decide(model, scores + i * truth->classes,
                           said.is + i * truth->classes);
    double value = learn_score_of(truth, &said, arena).overall[LEARN_SCORE_MACRO_F1];
    arena_rewind(arena, mark);
    return value;
}

/* Minus the mean log probability of what is true, with that sharpness. */
static double log_loss(struct learn_model *model, double log_sharpness,
                       const double *scores, const struct learn_membership *truth,
                       double *probabilities)
{
    double sum = 0;

    model->sharpness = real_exp(log_sharpness);
    for (size_t i = 0; i < truth->items; i++) {
        learn_model_probabilities(model, scores + i * truth->classes, probabilities);
        for (size_t k = 0; k < truth->classes; k++) {
            if (learn_membership_has(truth, i, k))
                sum -= real_log(fmax(probabilities[k], 1e-12));
        }
    }
    return sum;
}

/* Temperature scaling (Guo, Pleiss, Sun and Weinberger, ICML 2017) by golden section. */
static void tune_sharpness(struct learn_model *model, const double *scores,
                           const struct learn_membership *truth, struct arena *arena)
{
    const double golden = 0.6180339887498949;
    double low = -5, high = 9, *room = arena_array(arena, double, truth->classes + 1);
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = log_loss(model, a, scores, truth, room);
    double at_b = log_loss(model, b, scores, truth, room);

    for (int i = 0; i < 25; i++) {
        if (at_a <= at_b) {
            high = b, b = a, at_b = at_a;
            a = high - golden * (high - low);
            at_a = log_loss(model, a, scores, truth, room);
        } else {
            low = a, a = b, at_a = at_b;
            b = low + golden * (high - low);
            at_b = log_loss(model, b, scores, truth, room);
        }
    }
    model->sharpness = real_exp((low + high) / 2);
}

/* Slope and bias of one class: how unlikely they make the labels, its gradient and
 * curvature. */
struct platt {
    double slope, bias;
    double loss, by_slope, by_bias, slopes, both, biases;
};

/* Labels count as not quite 0 and 1, so that few of them do not make it sure. */
static void platt_at(struct platt *it, const double *scores,
                     const struct learn_membership *truth, size_t class, double have)
{
    double yes = (have + 1) / (have + 2), no = 1 / ((double)truth->items - have + 2);

    *it = (struct platt){
        .slope = it->slope, .bias = it->bias, .slopes = 1e-12, .biases = 1e-12};
    for (size_t i = 0; i < truth->items; i++) {
        double score = scores[i * truth->classes + class];
        double x = it->slope * score + it->bias, fall = real_exp(-fabs(x));
        double p = x > 0 ? 1 / (1 + fall) : fall / (1 + fall), curve = p * (1 - p);
        double target = learn_membership_has(truth, i, class) ? yes : no;
        it->loss += (x > 0 ? (1 - target) * x : -target * x) + real_log(1 + fall);
        it->by_slope += (p - target) * score;
        it->by_bias += p - target;
        it->slopes += curve * score * score;
        it->both += curve * score;
        it->biases += curve;
    }
}

/* By Newton's method; Lin, Lin and Weng, "A note on Platt's probabilistic outputs for
 * support vector machines", Machine Learning 68, 2007. A slope below 0 would turn a
 * classifier round: then scores say nothing. */
static void tune_class(const double *scores, const struct learn_membership *truth,
                       size_t class, double *slope, double *bias)
{
    double have = 0, all = (double)truth->items, gained = INFINITY;

    for (size_t i = 0; i < truth->items; i++)
        have += learn_membership_has(truth, i, class);
    const struct platt start = {.bias = real_log((have + 1) / (all - have + 1))};
    struct platt best = start;
    platt_at(&best, scores, truth, class, have);
    for (int round = 0; round < 100 && gained > 1e-9 * all; round++) {
        double det = best.slopes * best.biases - best.both * best.both;
        double to_slope = -(best.biases * best.by_slope - best.both * best.by_bias) / det;
        double to_bias = -(best.slopes * best.by_bias - best.both * best.by_slope) / det;
        struct platt next = best;
        gained = 0;
        for (double by = 1; det > 0 && by > 1e-10 && gained <= 0; by /= 2) {
            next = (struct platt){.slope = best.slope + by * to_slope,
                                  .bias = best.bias + by * to_bias};
            platt_at(&next, scores, truth, class, have);
            gained = best.loss - next.loss;
        }
        if (gained > 0)
            best = next;
    }
    *slope = best.slope > 0 ? best.slope : 0;
    *bias = best.slope > 0 ? best.bias : start.bias;
}

/* Each class by itself: an item may have several. */
static void tune_classes(struct learn_model *model, const double *scores,
                         const struct learn_membership *truth, double *slopes,
                         double *biases)
{
    for (size_t k = 0; k < truth->classes; k++)
        tune_class(scores, truth, k, slopes + k, biases + k);
    model->sharpness = 1;
    model->slopes = slopes;
    model->biases = biases;
}

/* Sets out->tuned to the best of the candidates from a place on, if it is better than
 * what is there. */
static void choose(struct unseen *unseen, size_t from,
                   const struct learn_membership *truth, double *thresholds,
                   struct arena *arena, struct learn_model *out)
{
    for (size_t try = from; try < unseen->try_count; try++) {
        const double *scores = scores_of(unseen, try);
        struct learn_model model = *out;
        set_thresholds(unseen, scores, truth, thresholds);
        model.thresholds = thresholds;
        double value = macro_f1(&model, scores, truth, arena);
        if (try == 0 || value > out->tuned.macro_f1) {
            unseen->best = try;
            out->tuned = unseen->tries[try];
            out->tuned.macro_f1 = value;
        }
    }
}

/* Tries the candidates from a place on. */
static void try_from(struct unseen *unseen, size_t from, double *thresholds,
                     struct arena *arena, struct learn_model *out)
{
    struct arena_mark mark = arena_mark(arena);
    struct learn_membership truth = learn_membership_of(
        &unseen->examples->truth, unseen->items.at, unseen->items.count, arena);

    for (size_t fold = 0; fold < unseen->folds; fold++) {
        struct arena_mark in_fold = arena_mark(arena);
        score_fold(unseen, from, fold, arena);
        arena_rewind(arena, in_fold);
    }
    choose(unseen, from, &truth, thresholds, arena, out);
    arena_rewind(arena, mark);
}

/* The best so far with each of the weights, of word vectors or of the posts' own. */
static void try_vectors(struct unseen *unseen, const double *weights, size_t count,
                        bool given, double *thresholds, struct arena *arena,
                        struct learn_model *out)
{
    size_t from = unseen->try_count, before = unseen->best;
    struct learn_model_tuned best = out->tuned, without = best;

    for (size_t i = 0; i < count; i++) {
        *(given ? &best.given : &best.vectors) = weights[i];
        unseen->tries[unseen->try_count++] = best;
    }
    out->tuned.macro_f1 = -1; /* what has won began where others had ended */
    try_from(unseen, from, thresholds, arena, out);
    if (given && out->tuned.given <= 0) { /* the same model as if there were none */
        out->tuned = without;
        unseen->best = before;
    }
}

void learn_model_tune(const struct learn_model_settings *settings,
                      const struct learn_examples *examples,
                      struct learn_fold_items items, struct arena *arena,
                      struct learn_model *out)
{
    size_t classes = examples->truth.classes;
    double *thresholds = arena_array(arena, double, classes + 1);
    struct arena work = {0};
    struct unseen unseen = {.settings = settings, .examples = examples, .items = items};
    struct rng rng = rng_stream(settings->seed, 3, 0);

    unseen.folds =
        settings->inner_folds < items.count ? settings->inner_folds : items.count;
    unseen.fold_of = learn_fold_make(&examples->truth, examples->groups, items,
                                     unseen.folds, &rng, &work);
    unseen.try_count = candidates(settings, unseen.tries);
    unseen.scores = arena_array(
        &work, double, (unseen.try_count + 2 * WEIGHTS) * items.count * classes + 1);
    try_from(&unseen, 0, thresholds, &work, out);
    struct learn_weigh_source source = learn_model_source(settings, examples);
    if (isnan(settings->fixed) && source.vectors.vectors != NULL)
        try_vectors(&unseen, vector_weights, ROWS_OF(vector_weights), false, thresholds,
                    &work, out);
    if (isnan(settings->fixed) && source.given > 0)
        try_vectors(&unseen, given_weights, WEIGHTS, true, thresholds, &work, out);
    struct learn_membership truth =
        learn_membership_of(&examples->truth, items.at, items.count, &work);
    const double *scores = scores_of(&unseen, unseen.best);
    set_thresholds(&unseen, scores, &truth, thresholds);
    out->thresholds = thresholds;
    if (truth.several)
        tune_classes(out, scores, &truth, arena_array(arena, double, classes + 1),
                     arena_array(arena, double, classes + 1));
    else
        tune_sharpness(out, scores, &truth, &work);
    arena_free(&work);
}

/* Macro F1 of predictions for items by models that have not seen them. */
static double judge_several(const struct learn_model_settings *settings,
                            const struct learn_examples *examples,
                            struct learn_fold_items items, const size_t *fold_of,
                            struct arena *arena)
{
    size_t classes = examples->truth.classes;
    struct learn_membership said =
        learn_membership_new(items.count, classes, true, arena);
    struct learn_membership truth =
        learn_membership_of(&examples->truth, items.at, items.count, arena);
    double *scores = arena_array(arena, double, 2 * classes + 1);
    struct learn_model_scratch scratch = {0};

    for (size_t fold = 0; fold < settings->inner_folds; fold++) {
        struct arena_mark mark = arena_mark(arena);
        struct learn_fold_items train =
            learn_fold_take(items, fold_of, fold, false, arena);
        struct learn_model model;
        struct err err;
        if (!learn_model_train(settings, examples, train, arena, &model, &err))
            continue; /* nothing to learn from: its items have no class */
        for (size_t i = 0; i < items.count; i++) {
            struct learn_rows_row counts = learn_rows_at(&examples->counts, items.at[i]);
            if (fold_of[i] != fold ||
                !learn_model_knows(&model, &examples->table, counts))
                continue;
            learn_model_predict(&model, counts, &scratch, scores, scores + classes);
            learn_model_decide(&model, scores, said.is + i * classes);
        }
        arena_rewind(arena, mark);
    }
    learn_model_scratch_free(&scratch);
    return learn_score_of(&truth, &said, arena).overall[LEARN_SCORE_MACRO_F1];
}

enum learn_model_several learn_model_choose(const struct learn_model_settings *settings,
                                            const struct learn_examples *examples,
                                            struct learn_fold_items items)
{
    struct arena arena = {0};
    struct learn_model_settings own = *settings;
    struct rng rng = rng_stream(settings->seed, 8, 0);
    const size_t *fold_of = learn_fold_make(&examples->truth, examples->groups, items,
                                            settings->inner_folds, &rng, &arena);

    own.several = LEARN_MODEL_REST;
    double rest = judge_several(&own, examples, items, fold_of, &arena);
    own.several = LEARN_MODEL_POWERSET;
    double powerset = judge_several(&own, examples, items, fold_of, &arena);
    arena_free(&arena);
    return powerset > rest ? LEARN_MODEL_POWERSET : LEARN_MODEL_REST;
}
