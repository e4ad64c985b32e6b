/* Shares one question at a time: all classes together where each item has one, else each
 * class against the rest; as means over strata where these were drawn at different rates.
 */
#include "learn/quantify.h"

#include <math.h>
#include <string.h>

#include "learn/internal.h"

enum { ENOUGH = 2, SMALL = 20 /* one of so many posts at most */ };

struct finding {
    size_t *items, *drawn; /* of each stratum as given */
    size_t all_items, all_drawn;
    struct learn_quantify_strata out;
};

static void count_items(const struct learn_quantify_items *items, const size_t *at,
                        size_t count, struct finding *finding)
{
    for (size_t i = 0; i < count; i++) {
        size_t stratum = items->stratum != NULL ? items->stratum[at[i]] : 0;
        finding->items[stratum]++;
        finding->drawn[stratum] += items->role[at[i]] == LEARN_QUANTIFY_DRAWN;
        finding->all_drawn += items->role[at[i]] == LEARN_QUANTIFY_DRAWN;
    }
    finding->all_items = count;
}

static void put(struct finding *finding, size_t stratum, size_t place)
{
    struct learn_quantify_strata *out = &finding->out;

    if (place == out->count)
        out->count++;
    out->of[stratum] = place;
    out->items[place] += finding->items[stratum];
    out->drawn[place] += finding->drawn[stratum];
}

/* The place of strata drawn at the same rate, or a new one. */
static size_t same_rate(const struct finding *finding, size_t stratum)
{
    const struct learn_quantify_strata *out = &finding->out;
    size_t place = 0;

    while (place < out->count && out->drawn[place] * finding->items[stratum] !=
                                     finding->drawn[stratum] * out->items[place])
        place++;
    return place;
}

/* At most 5% of the posts: where their share of a class is 20 points off, that of the
 * whole is one point off. How much of the others is labelled plays no part, else more
 * labels there could make a share undefined. Without any label nothing can be told
 * apart. */
static bool is_small(const struct finding *finding, size_t items)
{
    return items * SMALL <= finding->all_items || finding->all_drawn == 0;
}

static size_t largest(const struct learn_quantify_strata *strata)
{
    size_t best = 0;

    for (size_t h = 1; h < strata->count; h++)
        if (strata->items[h] > strata->items[best])
            best = h;
    return best;
}

/* Small strata with too few labels are one. Where they are too few even so, they are a
 * part of the largest if they are small together, and else not known. */
static void put_small(struct finding *finding, size_t strata)
{
    size_t drawn = 0, items = 0, place = finding->out.count;

    for (size_t h = 0; h < strata; h++)
        if (finding->items[h] > 0 && finding->out.of[h] == SIZE_MAX) {
            drawn += finding->drawn[h];
            items += finding->items[h];
        }
    bool known = drawn >= ENOUGH || is_small(finding, items);
    if (known && drawn < ENOUGH)
        place = largest(&finding->out);
    *(known ? &finding->out.joined : &finding->out.unknown) += items;
    for (size_t h = 0; h < strata; h++)
        if (finding->items[h] > 0 && finding->out.of[h] == SIZE_MAX)
            put(finding, h, place);
}

struct learn_quantify_strata
learn_quantify_strata_find(const struct learn_quantify_items *items, const size_t *at,
                           size_t count, struct arena *arena)
{
    size_t strata = items->stratum != NULL ? items->strata : 1, used = 0;
    struct finding finding = {.items = arena_array(arena, size_t, strata + 1),
                              .drawn = arena_array(arena, size_t, strata + 1),
                              .out = {.of = arena_array(arena, size_t, strata + 1),
                                      .items = arena_array(arena, size_t, strata + 1),
                                      .drawn = arena_array(arena, size_t, strata + 1)}};

    count_items(items, at, count, &finding);
    for (size_t h = 0; h < strata; h++) {
        finding.out.of[h] = SIZE_MAX;
        used += finding.items[h] > 0;
    }
    for (size_t h = 0; h < strata; h++) {
        if (finding.items[h] == 0)
            continue;
        if (finding.drawn[h] >= ENOUGH || used == 1) {
            put(&finding, h, same_rate(&finding, h));
        } else if (!is_small(&finding, finding.items[h])) {
            finding.out.unknown += finding.items[h];
            put(&finding, h, finding.out.count);
        }
    }
    put_small(&finding, strata);
    return finding.out;
}

/* Prediction-powered means of labels that are 0 or 1, and means over strata. */

static double mean(struct stats_values values)
{
    return values.count > 0 ? stats_values_sum(values) / (double)values.count : 0;
}

/* The sum of (a - mean a) (b - mean b). */
static double products(struct stats_values a, struct stats_values b)
{
    double mean_a = mean(a), mean_b = mean(b), sum = 0;

    for (size_t i = 0; i < a.count; i++)
        sum += (a.at[i] - mean_a) * (b.at[i] - mean_b);
    return sum;
}

/* Of both together: within each, and between their means. */
static double squares_of_both(struct stats_values a, struct stats_values b)
{
    double n = (double)a.count, m = (double)b.count, apart = mean(a) - mean(b);

    return products(a, a) + products(b, b) + n * m / (n + m) * apart * apart;
}

/* What minimises the variance, kept to 0 .. 1 as in ppi_py. */
static double tune(struct stats_values truth, struct stats_values predicted,
                   struct stats_values unlabelled)
{
    double n = (double)truth.count, m = (double)unlabelled.count,
           ones = stats_values_sum(truth);
    double squares = squares_of_both(predicted, unlabelled);

    if (m == 0 || squares <= 0 || fmin(ones, n - ones) < LEARN_QUANTIFY_CLASS_FEW)
        return 0;
    double lambda = products(truth, predicted) / n / (squares / (n + m)) / (1 + n / m);
    return fmin(fmax(lambda, 0), 1);
}

/* The sum of squares of truth - by * predicted about its mean. */
static double squares_left(struct stats_values truth, struct stats_values predicted,
                           double by)
{
    double left = products(truth, truth) - 2 * by * products(truth, predicted) +
                  by * by * products(predicted, predicted);

    return fmax(left, 0);
}

static void set_interval(struct learn_quantify_powered *powered, double level)
{
    powered->low = powered->high = powered->estimate;
    if (isinf(powered->size) || isnan(powered->estimate))
        return;
    struct stats_interval wilson =
        stats_interval_wilson_effective(powered->estimate, powered->size, level);
    powered->low = wilson.low;
    powered->high = wilson.high;
}

void learn_quantify_powered_move(struct learn_quantify_powered *powered, double estimate,
                                 double level)
{
    double by = fmin(fmax(estimate, 0), 1) - powered->estimate;

    powered->estimate = fmin(fmax(estimate, 0), 1);
    if (!isnan(powered->size)) {
        set_interval(powered, level);
    } else {
        powered->low = fmax(powered->low + by, 0);
        powered->high = fmin(powered->high + by, 1);
    }
}

struct learn_quantify_powered learn_quantify_powered(struct stats_values truth,
                                                     struct stats_values predicted,
                                                     struct stats_values unlabelled,
                                                     double level)
{
    const double missed = 0.5;
    double n = (double)truth.count, m = (double)unlabelled.count;
    struct learn_quantify_powered out = {.lambda = tune(truth, predicted, unlabelled)};

    if (truth.count < 3)
        return (struct learn_quantify_powered){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    /* Lambda goes with predictions of the others alone; with those of the whole set, of
     * which labelled items are a part, the same estimate has this factor. */
    double factor = m > 0 ? out.lambda * (n + m) / m : 0;
    double squares = products(truth, truth);
    double left = squares_left(truth, predicted, factor) * n / (n - 2);
    out.estimate = mean(truth) + out.lambda * (mean(unlabelled) - mean(predicted));
    out.estimate = fmin(fmax(out.estimate, 0), 1);
    out.error = sqrt(left / n / n * m / (n + m));
    out.error_beyond = sqrt(
        squares_left(truth, predicted, out.lambda) / n / n +
        (m > 0 ? out.lambda * out.lambda * products(unlabelled, unlabelled) / m / m : 0));
    double worth = out.lambda > 0 ? fmin((left + missed) / (squares + missed), 1) : 1;
    out.size = m > 0 ? n / worth * (n + m - 1) / m : INFINITY;
    set_interval(&out, level);
    return out;
}

/* The posts of a stratum, and its part in the variance of a mean over strata: W squared
 * over n, times the share without a label. */
struct quantify_part {
    double labelled, items, weight, by;
};

static struct quantify_part part_of(const struct learn_quantify_stratum *stratum,
                                    double all)
{
    struct quantify_part part = {
        .labelled = (double)stratum->truth.count,
        .items = (double)(stratum->truth.count + stratum->unlabelled.count)};

    part.weight = part.items / all;
    part.by = part.weight * part.weight / part.labelled *
              (double)stratum->unlabelled.count / part.items;
    return part;
}

/* What each square about the mean of a stratum's labels adds to that variance. */
static double variance_of(struct quantify_part part)
{
    return part.by / fmax(part.labelled - 1, 1);
}

static double count_all(const struct learn_quantify_stratum *strata, size_t count,
                        double *labelled, double *ones)
{
    double all = 0;

    *labelled = *ones = 0;
    for (size_t h = 0; h < count; h++) {
        all += (double)(strata[h].truth.count + strata[h].unlabelled.count);
        *labelled += (double)strata[h].truth.count;
        *ones += stats_values_sum(strata[h].truth);
    }
    return all;
}

/* How much a label follows its prediction, the same in all strata: what minimises the
 * variance of the mean over them, kept to what tune() keeps it to. Both sums are over
 * labelled posts, so that predictions without an error give 1 whichever were drawn. */
static double common_factor(const struct learn_quantify_stratum *strata, size_t count,
                            double all, double labelled, double ones)
{
    double together = 0, squares = 0;

    if (labelled >= all || fmin(ones, labelled - ones) < LEARN_QUANTIFY_CLASS_FEW)
        return 0;
    for (size_t h = 0; h < count; h++) {
        const struct learn_quantify_stratum *it = strata + h;
        double each = variance_of(part_of(it, all));
        together += each * products(it->truth, it->predicted);
        squares += each * products(it->predicted, it->predicted);
    }
    return squares > 0 ? fmin(fmax(together / squares, 0), all / (all - labelled)) : 0;
}

/* What a stratum adds to the squares of the distances to the limits: by Wilson for as
 * many draws as its labels are worth. */
static void add_limits(const struct learn_quantify_stratum *stratum,
                       struct quantify_part part, double share, double worth,
                       double level, double *below, double *above)
{
    if (stratum->unlabelled.count == 0)
        return;
    double left = (double)stratum->unlabelled.count;
    double size = part.labelled * (part.items - 1) / left / worth;
    share = fmin(fmax(share, 0), 1);
    struct stats_interval wilson = stats_interval_wilson_effective(share, size, level);
    *below += pow(part.weight * (share - wilson.low), 2);
    *above += pow(part.weight * (wilson.high - share), 2);
}

static double share_of(const struct learn_quantify_stratum *it, double factor)
{
    double all = (double)(it->truth.count + it->unlabelled.count);
    double lambda = factor * (double)it->unlabelled.count / all;

    return mean(it->truth) + lambda * (mean(it->unlabelled) - mean(it->predicted));
}

struct learn_quantify_powered
learn_quantify_powered_strata(const struct learn_quantify_stratum *strata, size_t count,
                              bool predictions, double level)
{
    const double missed = 0.5;
    double labelled, ones, all = count_all(strata, count, &labelled, &ones);
    double factor = predictions ? common_factor(strata, count, all, labelled, ones) : 0;
    double alone = 0, left = 0, half = 0, below = 0, above = 0;
    double free = labelled - (double)count;
    struct learn_quantify_powered out = {
        .lambda = factor * (all - labelled) / all, .error_beyond = NAN, .size = NAN};

    if (free < 2)
        return (struct learn_quantify_powered){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    for (size_t h = 0; h < count; h++) {
        const struct learn_quantify_stratum *it = strata + h;
        struct quantify_part part = part_of(it, all);
        double each = variance_of(part);
        out.estimate += part.weight * share_of(it, factor);
        alone += each * products(it->truth, it->truth);
        left += each * squares_left(it->truth, it->predicted, factor);
        half = fmax(half, missed * part.by / part.labelled);
    }
    left *= factor > 0 ? free / (free - 1) : 1;
    out.estimate = fmin(fmax(out.estimate, 0), 1);
    out.error = sqrt(left);
    double worth = factor > 0 ? fmin((left + half) / (alone + half), 1) : 1;
    for (size_t h = 0; h < count; h++)
        add_limits(strata + h, part_of(strata + h, all), share_of(strata + h, factor),
                   worth, level, &below, &above);
    out.low = fmax(out.estimate - sqrt(below), 0);
    out.high = fmin(out.estimate + sqrt(above), 1);
    return out;
}

/* Shares one question at a time: all classes together where each item has one, else each
 * class against the rest. */

const char learn_quantify_same_said[] = "different shares would lead to the same "
                                        "predictions",
           learn_quantify_few_of_class[] = "fewer than 5 labelled items of the class";

const char *const learn_quantify_names[LEARN_QUANTIFY_METHODS] = {
    "prediction-powered",
    "labelled alone",
    "plain count",
    "adjusted count",
    "probabilistic adjusted count",
    "EM",
};

const char *const learn_quantify_assumptions[LEARN_QUANTIFY_METHODS] = {
    "the labelled posts are a random sample of the set, or of each stratum; a bad "
    "classifier only makes the interval wider",
    "the labelled posts are a random sample of the set, or of each stratum; the "
    "classifier plays no part",
    "the classifier makes no errors, or as many in one direction as in the other",
    "posts of a class are mistaken for others as often in the set as among the labelled "
    "posts",
    "probabilities of a class's posts are spread in the set as among the labelled posts",
    "probabilities, once calibrated on the labelled posts, are right in the set but for "
    "its shares",
};

/* The items of the set by stratum, and those that were drawn at random and labelled. */
struct places {
    size_t *set, set_count;
    size_t *drawn, drawn_count; /* in the set or not */
    struct learn_quantify_strata strata;
};

static size_t stratum_of(const struct learn_quantify_items *items,
                         const struct learn_quantify_strata *strata, size_t item)
{
    return strata->of[items->stratum != NULL ? items->stratum[item] : 0];
}

static void sort_by_stratum(const struct learn_quantify_items *items,
                            struct places *places, struct arena *arena)
{
    size_t *sorted = arena_array(arena, size_t, places->set_count + 1);
    size_t *next = arena_array(arena, size_t, places->strata.count + 1);

    for (size_t h = 0; h < places->strata.count; h++)
        next[h + 1] = next[h] + places->strata.items[h];
    for (size_t i = 0; i < places->set_count; i++)
        sorted[next[stratum_of(items, &places->strata, places->set[i])]++] =
            places->set[i];
    places->set = sorted;
}

static struct places find_places(const struct learn_quantify_items *items,
                                 const uint8_t *in, struct arena *arena)
{
    struct places places = {.set = arena_array(arena, size_t, items->count + 1),
                            .drawn = arena_array(arena, size_t, items->count + 1)};

    for (size_t i = 0; i < items->count; i++) {
        if (in == NULL || in[i] != 0)
            places.set[places.set_count++] = i;
        if (items->role[i] == LEARN_QUANTIFY_DRAWN)
            places.drawn[places.drawn_count++] = i;
    }
    places.strata =
        learn_quantify_strata_find(items, places.set, places.set_count, arena);
    if (places.strata.count > 1)
        sort_by_stratum(items, &places, arena);
    return places;
}

static struct learn_quantify_share undefined_share(void)
{
    return (struct learn_quantify_share){NAN, NAN, NAN, NULL};
}

/* Labels and predictions of one class, by stratum. */
struct class_values {
    struct learn_quantify_stratum *strata;
    size_t ones, labelled, said;
};

/* What was not drawn at random is a part of the set like all that has no label. */
static struct class_values values_of(const struct learn_quantify_items *items,
                                     const struct places *places, size_t class,
                                     struct arena *arena)
{
    size_t count = places->set_count, at = 0, unlabelled = 0;
    double *truth = arena_array(arena, double, count + 1);
    double *predicted = arena_array(arena, double, count + 1);
    double *others = arena_array(arena, double, count + 1);
    struct class_values out = {.strata = arena_array(arena, struct learn_quantify_stratum,
                                                     places->strata.count + 1)};

    for (size_t h = 0; h < places->strata.count; h++) {
        size_t drawn = out.labelled, rest = unlabelled;
        for (size_t i = 0; i < places->strata.items[h]; i++, at++) {
            size_t cell = places->set[at] * items->classes + class;
            out.said += items->said[cell] != 0;
            if (items->role[places->set[at]] == LEARN_QUANTIFY_DRAWN) {
                out.ones += items->truth[cell] != 0;
                truth[out.labelled] = items->truth[cell] != 0;
                predicted[out.labelled++] = items->probabilities[cell];
            } else {
                others[unlabelled++] = items->probabilities[cell];
            }
        }
        out.strata[h] =
            (struct learn_quantify_stratum){{truth + drawn, out.labelled - drawn},
                                            {predicted + drawn, out.labelled - drawn},
                                            {others + rest, unlabelled - rest}};
    }
    return out;
}

/* From labels alone, and with predictions. */
static void count_labels(const struct class_values *values, const struct places *places,
                         double level, struct learn_quantify_powered *powered,
                         struct learn_quantify_share *alone)
{
    bool known = values->labelled == places->set_count; /* see take_labelled() */

    if (places->strata.unknown > 0 && !known) {
        *powered = (struct learn_quantify_powered){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
        *alone = undefined_share();
    } else if (places->strata.count > 1 && !known) {
        struct learn_quantify_powered labels = learn_quantify_powered_strata(
            values->strata, places->strata.count, false, level);
        *powered = learn_quantify_powered_strata(values->strata, places->strata.count,
                                                 true, level);
        *alone =
            (struct learn_quantify_share){labels.estimate, labels.low, labels.high, NULL};
    } else {
        const struct learn_quantify_stratum *whole = values->strata;
        struct stats_interval wilson =
            stats_interval_wilson_finite((int64_t)values->ones, (int64_t)values->labelled,
                                         (int64_t)places->set_count, level);
        *powered = learn_quantify_powered(whole->truth, whole->predicted,
                                          whole->unlabelled, level);
        *alone =
            (struct learn_quantify_share){wilson.estimate, wilson.low, wilson.high, NULL};
    }
}

static void count_class(const struct learn_quantify_items *items,
                        const struct places *places, size_t class, double level,
                        struct arena *arena, struct learn_quantify_powered *powered,
                        struct learn_quantify *out)
{
    struct arena_mark mark = arena_mark(arena);
    struct class_values values = values_of(items, places, class, arena);
    struct stats_interval plain = stats_interval_wilson(
        (int64_t)values.said, (int64_t)(places->set_count - out->silent), level);

    count_labels(&values, places, level, powered + class,
                 out->of[LEARN_QUANTIFY_LABELLED] + class);
    out->labelled = values.labelled;
    out->of[LEARN_QUANTIFY_PLAIN][class] =
        (struct learn_quantify_share){plain.estimate, plain.low, plain.high, NULL};
    arena_rewind(arena, mark);
}

/* Spreads what is missing to 1 by the variances: least squares under that condition, but
 * for covariances. */
static void add_up(struct learn_quantify_powered *powered, size_t classes, double level)
{
    double missing = 1, variance = 0;

    for (size_t k = 0; k < classes; k++) {
        missing -= powered[k].estimate;
        variance += powered[k].error * powered[k].error;
    }
    for (size_t k = 0; k < classes && variance > 0; k++) {
        double part = powered[k].error * powered[k].error / variance;
        learn_quantify_powered_move(powered + k, powered[k].estimate + missing * part,
                                    level);
    }
}

/* The class of an item among the answers of the question: `class` or not, or, when
 * `class` is SIZE_MAX, which. */
static size_t answer(const uint8_t *is, size_t classes, size_t class)
{
    size_t first = 0;

    if (class != SIZE_MAX)
        return is[class] ? 0 : 1;
    while (first + 1 < classes && !is[first])
        first++;
    return first;
}

/* Files and models may give probabilities that do not add up to 1; those that do were
 * rounded. */
static const double rounded = 1e-4;

static double add_up_to_one(double *probabilities, size_t count)
{
    double sum = 0;

    for (size_t k = 0; k < count; k++)
        sum += probabilities[k];
    for (size_t k = 0; k < count && sum > 1 + rounded; k++)
        probabilities[k] /= sum;
    return sum < 1 - rounded ? 1 - sum : 0;
}

static bool is_silent(const struct learn_quantify_items *items, size_t item)
{
    return items->silent != NULL && items->silent[item];
}

static void take_item(const struct learn_quantify_items *items, size_t item, size_t class,
                      size_t answers, struct learn_quantify_seen *out, size_t place)
{
    size_t classes = items->classes;
    const double *from = items->probabilities + item * classes;
    double *to = out->probabilities + place * answers;

    out->said[place] = answer(items->said + item * classes, classes, class);
    if (out->truth != NULL)
        out->truth[place] = answer(items->truth + item * classes, classes, class);
    for (size_t k = 0; k < answers; k++)
        to[k] = class == SIZE_MAX ? from[k] : k == 0 ? from[class] : 1 - from[class];
    if (is_silent(items, item)) {
        out->said[place] = answers;
        memset(to, 0, answers * sizeof *to);
    }
    out->none[place] = add_up_to_one(to, answers);
}

static struct learn_quantify_seen take_items(const struct learn_quantify_items *items,
                                             const size_t *at, size_t count, size_t class,
                                             bool labelled, struct arena *arena)
{
    size_t answers = class == SIZE_MAX ? items->classes : 2;
    struct learn_quantify_seen seen = {count, arena_array(arena, size_t, count + 1),
                                       labelled ? arena_array(arena, size_t, count + 1)
                                                : NULL,
                                       arena_array(arena, double, count *answers + 1),
                                       arena_array(arena, double, count + 1)};

    for (size_t i = 0; i < count; i++)
        take_item(items, at[i], class, answers, &seen, i);
    return seen;
}

/* How labelled items were drawn, each for the items of its stratum in the set or not. The
 * share of variance is known for each stratum where all of them are in the set, else for
 * all together. */
static struct learn_quantify_drawn drawn_from(const struct learn_quantify_items *items,
                                              const struct places *places, size_t shared,
                                              struct arena *arena)
{
    size_t *all = arena_array(arena, size_t, items->count + 1);
    size_t count = places->drawn_count;
    size_t *stratum = arena_array(arena, size_t, count + 1);
    double *weight = arena_array(arena, double, count + 1), *variance;
    double n = (double)count, set = (double)places->set_count, sum = 0;

    for (size_t i = 0; i < items->count; i++)
        all[i] = i;
    struct learn_quantify_strata strata =
        learn_quantify_strata_find(items, all, items->count, arena);
    for (size_t i = 0; i < count; i++) {
        stratum[i] = stratum_of(items, &strata, places->drawn[i]);
        sum += weight[i] =
            (double)strata.items[stratum[i]] / (double)strata.drawn[stratum[i]];
    }
    for (size_t i = 0; i < count; i++)
        weight[i] = strata.count > 1 ? weight[i] * n / sum : 1;
    variance = arena_array(arena, double, strata.count + 1);
    for (size_t h = 0; h < strata.count; h++) {
        double of = (double)strata.items[h], drawn = (double)strata.drawn[h];
        bool whole = places->set_count == items->count && strata.count > 1;
        variance[h] =
            whole ? 1 - drawn / of : fmax(1 + (n - 2 * (double)shared) / set, 0);
    }
    return (struct learn_quantify_drawn){strata.count, stratum, weight, variance};
}

/* The methods that rest on errors being the same everywhere. */
static void answer_question(const struct learn_quantify_items *items,
                            const struct places *places,
                            struct learn_quantify_drawn drawn, size_t class, double level,
                            struct arena *arena, struct learn_quantify *out)
{
    struct arena_mark mark = arena_mark(arena);
    size_t answers = class == SIZE_MAX ? items->classes : 2;
    size_t first = class == SIZE_MAX ? 0 : class;
    struct learn_quantify_share *shares =
        arena_array(arena, struct learn_quantify_share, 3 * answers);
    struct learn_quantify_question question = {
        .classes = answers,
        .labelled =
            take_items(items, places->drawn, places->drawn_count, class, true, arena),
        .set = take_items(items, places->set, places->set_count, class, false, arena),
        .drawn = drawn};

    learn_quantify_corrected(&question, level, arena, shares);
    for (size_t k = 0; k < (class == SIZE_MAX ? answers : 1); k++) {
        out->of[LEARN_QUANTIFY_ADJUSTED][first + k] = shares[k];
        out->of[LEARN_QUANTIFY_PROBABLE][first + k] = shares[answers + k];
        out->of[LEARN_QUANTIFY_EM][first + k] = shares[2 * answers + k];
    }
    arena_rewind(arena, mark);
}

/* All are labelled, so there is nothing left to estimate. Corrections come near what is
 * known, and would have an interval of no width beside it. */
static void take_labelled(struct learn_quantify *out, size_t classes)
{
    out->joined = out->unknown = 0;
    out->strata = 1;
    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        if (m != LEARN_QUANTIFY_PLAIN)
            memcpy(out->of[m], out->of[LEARN_QUANTIFY_LABELLED],
                   classes * sizeof *out->of[m]);
}

struct learn_quantify learn_quantify_shares(const struct learn_quantify_items *items,
                                            const uint8_t *in, double level,
                                            struct arena *arena)
{
    struct learn_quantify out = {0};

    for (int m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        out.of[m] = arena_array(arena, struct learn_quantify_share, items->classes + 1);
    struct arena_mark mark = arena_mark(arena);
    struct places places = find_places(items, in, arena);
    struct learn_quantify_powered *powered =
        arena_array(arena, struct learn_quantify_powered, items->classes + 1);
    for (size_t i = 0; i < places.set_count; i++)
        if (is_silent(items, places.set[i])) {
            out.silent++;
            out.silent_labelled += items->role[places.set[i]] == LEARN_QUANTIFY_DRAWN;
        }
    for (size_t k = 0; k < items->classes; k++)
        count_class(items, &places, k, level, arena, powered, &out);
    struct learn_quantify_drawn drawn = drawn_from(items, &places, out.labelled, arena);
    for (size_t k = 0; k < items->classes && items->several; k++)
        answer_question(items, &places, drawn, k, level, arena, &out);
    if (!items->several) {
        add_up(powered, items->classes, level);
        answer_question(items, &places, drawn, SIZE_MAX, level, arena, &out);
    }
    for (size_t k = 0; k < items->classes; k++)
        out.of[LEARN_QUANTIFY_POWERED][k] = (struct learn_quantify_share){
            powered[k].estimate, powered[k].low, powered[k].high, NULL};
    out.items = places.set_count;
    out.few = out.labelled < LEARN_QUANTIFY_FEW;
    out.strata = places.strata.count;
    out.joined = places.strata.joined;
    out.unknown = places.strata.unknown;
    if (out.labelled == places.set_count)
        take_labelled(&out, items->classes);
    arena_rewind(arena, mark);
    return out;
}
