/* How far corrected shares may be off: intervals of adjusted counts and EM, and when
 * there is none.
 *
 * Each of these estimates is, to first order, the mean over the set of a number g(x) that
 * depends on an item's prediction x and is 1 on average for labelled items of the class
 * and 0 for those of any other. Were items of each class predicted in the set as among
 * the labelled, that mean would be the share. So its error, when the shares are p, is the
 * sum over classes of p times the difference between two means of g, the variance of
 * which the labelled items show. It depends on p and not on what was estimated, as in
 * Fieller's interval of a ratio and Wilson's of a share: what is taken for a rare class
 * by mistake comes from the frequent ones, and is no less where the class itself is
 * hardly there. With two classes this is where Lang and Reiczigel, "Confidence limits for
 * prevalence of disease adjusted for estimated sensitivity and specificity", Preventive
 * Veterinary Medicine 113, 2014, start from; like them, one item is added to each class
 * that is as likely to be of any: few labels show few errors.
 *
 * With n labelled items the variance of a difference is v (1/n + 1/N - 2 o / (n N)),
 * where o of the n are among the N of the set; drawn from very many it is v / n.
 *
 * No share is below 0 or above 1. Limits that are only cut off there hold 97.5% where a
 * share is near; those of an order by the ratio of likelihoods hold what is asked for:
 * Feldman and Cousins, "Unified approach to the classical statistical analysis of small
 * signals", Physical Review D 57, 1998. */
#include "learn/internal.h"

#include <math.h>
#include <string.h>

#include "stats/distribution.h"

/* A share is told unless its error at a likely share is more than so many times that of
 * labels alone, or its interval as much wider than theirs. The former refuses those whose
 * error comes out large, which by itself leaves too many that miss; the latter those
 * whose share comes out large, which by itself leaves too few. */
static const double error_max = 4, width_max = 5;

static const char hardly[] = "predictions hardly tell classes apart",
                  far_less[] = "predictions tell far less of the share than the labels "
                               "alone do";

/* Labelled items by class. */
struct by_class {
    double *rates;  /* classes x wide: means of features */
    double *weight; /* the sum of weights */
    double *count;
    double added; /* what an item more would bring, in the stratum where it counts most */
};

static struct by_class count_by_class(const struct learn_quantify_question *question,
                                      const struct learn_quantify_features *features,
                                      struct arena *arena)
{
    size_t classes = question->classes, wide = features->wide;
    const struct learn_quantify_drawn *drawn = &question->drawn;
    struct by_class by = {.rates = arena_array(arena, double, classes *wide),
                          .weight = arena_array(arena, double, classes),
                          .count = arena_array(arena, double, classes)};

    for (size_t i = 0; i < question->labelled.count; i++) {
        size_t class = question->labelled.truth[i];
        by.weight[class] += drawn->weight[i];
        by.count[class]++;
        by.added = fmax(by.added, drawn->weight[i] * drawn->weight[i] *
                                      drawn->variance[drawn->stratum[i]]);
        for (size_t j = 0; j < wide; j++)
            by.rates[class * wide + j] += drawn->weight[i] * features->of[i * wide + j];
    }
    for (size_t k = 0; k < classes; k++)
        for (size_t j = 0; j < wide; j++)
            by.rates[k * wide + j] /= by.weight[k];
    return by;
}

/* weights: of each feature in g. Of all that make it 1 on average for the class and 0 for
 * others, those that vary least if the features were counts of outcomes, of which one
 * that the set has none of still tells classes apart: half an item. */
static bool find_weights(const struct learn_quantify_question *question,
                         const double *rates,
                         const struct learn_quantify_features *features, size_t class,
                         double *weights, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    size_t classes = question->classes, wide = features->wide, row = classes + 1;
    double least = 0.5 / (double)question->set.count;
    double *rows = arena_array(arena, double, classes *row);
    double *of = arena_array(arena, double, classes);

    for (size_t a = 0; a < classes; a++) {
        rows[a * row + classes] = a == class;
        for (size_t b = 0; b < classes; b++)
            for (size_t j = 0; j < wide; j++)
                rows[a * row + b] += rates[a * wide + j] * rates[b * wide + j] /
                                     fmax(features->mean[j], least);
    }
    bool known = learn_quantify_shift_solve(rows, classes, classes, of);
    for (size_t j = 0; j < wide; j++) {
        weights[j] = 0;
        for (size_t a = 0; a < classes && known; a++)
            weights[j] += of[a] * rates[a * wide + j] / fmax(features->mean[j], least);
    }
    arena_rewind(arena, mark);
    return known;
}

static double product(const double *a, const double *b, size_t count)
{
    double sum = 0;

    for (size_t j = 0; j < count; j++)
        sum += a[j] * b[j];
    return sum;
}

/* The variance of the mean of g in each class. */
static void find_varies(const struct learn_quantify_question *question,
                        const struct learn_quantify_features *features,
                        const struct by_class *by, size_t class, const double *weights,
                        double *varies)
{
    size_t classes = question->classes, wide = features->wide;
    const struct learn_quantify_drawn *drawn = &question->drawn;
    double any = 0;

    memset(varies, 0, classes * sizeof *varies);
    for (size_t i = 0; i < question->labelled.count; i++) {
        size_t truth = question->labelled.truth[i];
        double off =
            product(features->of + i * wide, weights, wide) - (truth == class ? 1 : 0);
        varies[truth] += drawn->variance[drawn->stratum[i]] * drawn->weight[i] *
                         drawn->weight[i] * off * off;
        any += drawn->weight[i] * off * off / by->weight[truth] / (double)classes;
    }
    for (size_t k = 0; k < classes; k++) {
        double others = k == class ? (double)(classes - 1) : 1;
        varies[k] += by->added * (any + others / (double)classes);
        varies[k] /= by->weight[k] * by->weight[k];
    }
}

/* What is known of one class's share. */
struct limits {
    const double *varies;
    const struct learn_quantify_share *shares; /* of all classes */
    size_t classes, class;
    double estimate; /* not kept to 0 .. 1 */
    double level;
};

/* When the class has so large a share, and others share the rest as was estimated. */
static double error_at(const struct limits *it, double share)
{
    double others = 0, sum = share * share * it->varies[it->class];

    for (size_t k = 0; k < it->classes; k++)
        others += k == it->class ? 0 : it->shares[k].estimate;
    for (size_t k = 0; k < it->classes; k++) {
        double part =
            others > 0 ? it->shares[k].estimate / others : 1 / (double)(it->classes - 1);
        part *= 1 - share;
        sum += k == it->class ? 0 : part * part * it->varies[k];
    }
    return sqrt(sum);
}

/* How far from the truth, in errors, an estimate is still taken to go with it when the
 * truth is so many errors from the end, beyond which estimates may be but no truth. */
static double reach_at(double from_end, double level)
{
    double low = stats_normal_quantile(level),
           high = stats_normal_quantile(0.5 + level / 2);

    if (from_end >= high)
        return high;
    for (int i = 0; i < 40; i++) {
        double reach = (low + high) / 2, below = 0;
        /* As likely, beside the best truth for it, as what is at `reach` above. */
        if (from_end > 0)
            below = stats_normal_upper(from_end > reach
                                           ? reach
                                           : (from_end * from_end + reach * reach) /
                                                 (2 * from_end));
        if (1 - stats_normal_upper(reach) - below < level)
            low = reach;
        else
            high = reach;
    }
    return high;
}

static bool goes_with(const struct limits *it, double share)
{
    double error = error_at(it, share);
    double estimate = share > 0.5 ? 1 - it->estimate : it->estimate;
    double truth = share > 0.5 ? 1 - share : share;

    if (error <= 0)
        return false;
    double off = (estimate - truth) / error, beyond = fmin(estimate / error, 0);
    double reach = reach_at(truth / error, it->level);
    return off * off - beyond * beyond <= reach * reach;
}

static double limit(const struct limits *it, double end)
{
    double inside = fmin(fmax(it->estimate, 0), 1);

    if (goes_with(it, end))
        return end;
    for (int i = 0; i < 40; i++) {
        double middle = (inside + end) / 2;
        *(goes_with(it, middle) ? &inside : &end) = middle;
    }
    return inside;
}

/* What the interval is about: at the ends, or where the estimate is but the means kept to
 * 0 .. 1, what the means give. But where these reject an estimate in between, no shares
 * explain them, and it is about the estimate. */
static void find_centre(struct limits *it, const struct learn_quantify_features *features,
                        const double *weights)
{
    double estimate = it->estimate;
    bool at_end = estimate < 1e-6 || estimate > 1 - 1e-6;

    if (at_end || !features->centred)
        it->estimate = product(features->mean, weights, features->wide);
    if (!at_end && !goes_with(it, estimate))
        it->estimate = estimate;
}

void learn_quantify_undefine(struct learn_quantify_share *share, const char *why)
{
    *share = (struct learn_quantify_share){NAN, NAN, NAN, why};
}

/* What the labels by themselves would tell of the class, drawn from very many. */
static struct learn_quantify_share labels_alone(const struct by_class *by, size_t classes,
                                                size_t class, double level, double *error)
{
    double all = 0, weight = 0;

    for (size_t k = 0; k < classes; k++) {
        all += by->count[k];
        weight += by->weight[k];
    }
    double share = by->weight[class] / weight;
    struct stats_interval wilson = stats_interval_wilson_effective(share, all, level);
    *error = sqrt((share * (1 - share) + 0.5 / all) / all);
    return (struct learn_quantify_share){share, wilson.low, wilson.high, NULL};
}

static double width_of(const struct learn_quantify_share *share)
{
    return share->high - share->low;
}

/* Why a share is not told, or NULL. */
static const char *refused(const struct limits *it, const struct by_class *by,
                           struct learn_quantify_share *share)
{
    double error;
    struct learn_quantify_share labels =
        labels_alone(by, it->classes, it->class, it->level, &error);
    double likely = (labels.estimate + it->shares[it->class].estimate) / 2;

    if (by->count[it->class] < LEARN_QUANTIFY_CLASS_FEW)
        return learn_quantify_few_of_class;
    if (error_at(it, likely) > error_max * error ||
        width_of(share) > width_max * width_of(&labels))
        return far_less;
    return NULL;
}

void learn_quantify_limits(const struct learn_quantify_question *question,
                           const struct learn_quantify_features *features, double level,
                           struct arena *arena, struct learn_quantify_share *out)
{
    struct arena_mark mark = arena_mark(arena);
    size_t classes = question->classes;
    struct by_class by = count_by_class(question, features, arena);
    double *weights = arena_array(arena, double, features->wide);
    double *varies = arena_array(arena, double, classes);
    struct learn_quantify_share *found =
        arena_array(arena, struct learn_quantify_share, classes);

    for (size_t k = 0; k < classes; k++) {
        struct limits it = {varies, out, classes, k, out[k].estimate, level};
        found[k] = out[k];
        if (!find_weights(question, by.rates, features, k, weights, arena)) {
            learn_quantify_undefine(found + k, hardly);
            continue;
        }
        find_varies(question, features, &by, k, weights, varies);
        found[k].low = found[k].high = out[k].estimate;
        if (error_at(&it, out[k].estimate) <= 0)
            continue; /* all items are labelled */
        find_centre(&it, features, weights);
        found[k].low = fmin(limit(&it, 0), out[k].estimate);
        found[k].high = fmax(limit(&it, 1), out[k].estimate);
        const char *why = refused(&it, &by, found + k);
        if (why != NULL)
            learn_quantify_undefine(found + k, why);
    }
    memcpy(out, found, classes * sizeof *found);
    arena_rewind(arena, mark);
}
