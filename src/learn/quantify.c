/* Shares one question at a time: all classes together where each item has one, else each
 * class against the rest. */
#include "learn/quantify.h"

#include <math.h>

#include "learn/internal.h"

const char *const quantify_names[QUANTIFY_METHODS] = {
    "prediction-powered",
    "labelled alone",
    "plain count",
    "adjusted count",
    "probabilistic adjusted count",
    "EM",
};

const char *const quantify_assumptions[QUANTIFY_METHODS] = {
    "the labelled posts are a random sample of the set; a bad classifier only makes the "
    "interval wider",
    "the labelled posts are a random sample of the set; the classifier plays no part",
    "the classifier makes no errors, or as many in one direction as in the other",
    "posts of a class are mistaken for others as often in the set as among the labelled "
    "posts",
    "probabilities of a class's posts are spread in the set as among the labelled posts",
    "the classifier's probabilities are right but for the shares that it learned from; "
    "the interval does not know of errors in them",
};

/* The items of the set, and those that were drawn at random and labelled. */
struct places {
    size_t *set, set_count;
    size_t *drawn, drawn_count; /* in the set or not */
};

static struct places find_places(const struct quantify_items *items, const uint8_t *in,
                                 struct arena *arena)
{
    struct places places = {arena_array(arena, size_t, items->count + 1), 0,
                            arena_array(arena, size_t, items->count + 1), 0};

    for (size_t i = 0; i < items->count; i++) {
        if (in == NULL || in[i] != 0)
            places.set[places.set_count++] = i;
        if (items->role[i] == QUANTIFY_DRAWN)
            places.drawn[places.drawn_count++] = i;
    }
    return places;
}

/* One class: labels and predictions of the set as numbers. What was not drawn at random
 * is a part of the set like all that has no label. */
static void count_class(const struct quantify_items *items, const struct places *places,
                        size_t class, double level, struct arena *arena,
                        struct quantify_powered *powered, struct quantify *out)
{
    struct arena_mark mark = arena_mark(arena);
    double *truth = arena_array(arena, double, places->set_count + 1);
    double *predicted = arena_array(arena, double, places->set_count + 1);
    double *others = arena_array(arena, double, places->set_count + 1);
    size_t labelled = 0, unlabelled = 0, ones = 0, said = 0;

    for (size_t i = 0; i < places->set_count; i++) {
        size_t at = places->set[i] * items->classes + class;
        said += items->said[at] != 0;
        if (items->role[places->set[i]] == QUANTIFY_DRAWN) {
            ones += items->truth[at] != 0;
            truth[labelled] = items->truth[at] != 0;
            predicted[labelled++] = items->probabilities[at];
        } else {
            others[unlabelled++] = items->probabilities[at];
        }
    }
    struct interval alone = interval_wilson_finite((int64_t)ones, (int64_t)labelled,
                                                   (int64_t)places->set_count, level);
    struct interval plain =
        interval_wilson((int64_t)said, (int64_t)places->set_count, level);
    powered[class] = quantify_powered((struct values){truth, labelled},
                                      (struct values){predicted, labelled},
                                      (struct values){others, unlabelled}, level);
    out->labelled = labelled;
    out->of[QUANTIFY_LABELLED][class] =
        (struct quantify_share){alone.estimate, alone.low, alone.high};
    out->of[QUANTIFY_PLAIN][class] =
        (struct quantify_share){plain.estimate, plain.low, plain.high};
    arena_rewind(arena, mark);
}

/* Spreads what is missing to 1 by the variances: least squares under that condition, but
 * for covariances. */
static void add_up(struct quantify_powered *powered, size_t classes, double level)
{
    double missing = 1, variance = 0;

    for (size_t k = 0; k < classes; k++) {
        missing -= powered[k].estimate;
        variance += powered[k].error * powered[k].error;
    }
    for (size_t k = 0; k < classes && variance > 0; k++) {
        double part = powered[k].error * powered[k].error / variance;
        powered[k].estimate = fmin(fmax(powered[k].estimate + missing * part, 0), 1);
        quantify_powered_interval(powered + k, level);
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

static void take_item(const struct quantify_items *items, size_t item, size_t class,
                      size_t answers, struct quantify_seen *out, size_t place)
{
    size_t classes = items->classes;
    const double *from = items->probabilities + item * classes;
    double *to = out->probabilities + place * answers;

    out->said[place] = answer(items->said + item * classes, classes, class);
    if (out->truth != NULL)
        out->truth[place] = answer(items->truth + item * classes, classes, class);
    for (size_t k = 0; k < answers; k++)
        to[k] = class == SIZE_MAX ? from[k] : k == 0 ? from[class] : 1 - from[class];
}

static struct quantify_seen take_items(const struct quantify_items *items,
                                       const size_t *at, size_t count, size_t class,
                                       bool labelled, struct arena *arena)
{
    size_t answers = class == SIZE_MAX ? items->classes : 2;
    struct quantify_seen seen = {count, arena_array(arena, size_t, count + 1),
                                 labelled ? arena_array(arena, size_t, count + 1) : NULL,
                                 arena_array(arena, double, count *answers + 1)};

    for (size_t i = 0; i < count; i++)
        take_item(items, at[i], class, answers, &seen, i);
    return seen;
}

/* The methods that rest on errors being the same everywhere. */
static void answer_question(const struct quantify_items *items,
                            const struct places *places, size_t class,
                            struct quantify_options options, struct arena *arena,
                            struct quantify *out)
{
    struct arena_mark mark = arena_mark(arena);
    size_t answers = class == SIZE_MAX ? items->classes : 2, first = 0;
    struct quantify_share *shares =
        arena_array(arena, struct quantify_share, 3 * answers);
    double prior[2];
    struct quantify_question question = {
        .classes = answers,
        .labelled =
            take_items(items, places->drawn, places->drawn_count, class, true, arena),
        .set = take_items(items, places->set, places->set_count, class, false, arena),
        .shared = out->labelled,
        .prior = items->prior};

    if (class != SIZE_MAX) {
        first = class;
        if (items->prior != NULL) {
            prior[0] = items->prior[class];
            prior[1] = 1 - prior[0];
            question.prior = prior;
        }
    }
    quantify_answer(&question, options, arena, shares);
    for (size_t k = 0; k < (class == SIZE_MAX ? answers : 1); k++) {
        out->of[QUANTIFY_ADJUSTED][first + k] = shares[k];
        out->of[QUANTIFY_PROBABLE][first + k] = shares[answers + k];
        out->of[QUANTIFY_EM][first + k] = shares[2 * answers + k];
    }
    arena_rewind(arena, mark);
}

struct quantify quantify_shares(const struct quantify_items *items, const uint8_t *in,
                                struct quantify_options options, struct arena *arena)
{
    struct quantify out = {0};

    for (int m = 0; m < QUANTIFY_METHODS; m++)
        out.of[m] = arena_array(arena, struct quantify_share, items->classes + 1);
    struct arena_mark mark = arena_mark(arena);
    struct places places = find_places(items, in, arena);
    out.items = places.set_count;
    struct quantify_powered *powered =
        arena_array(arena, struct quantify_powered, items->classes + 1);
    for (size_t k = 0; k < items->classes; k++) {
        count_class(items, &places, k, options.level, arena, powered, &out);
        if (items->several)
            answer_question(items, &places, k, options, arena, &out);
    }
    if (!items->several) {
        add_up(powered, items->classes, options.level);
        answer_question(items, &places, SIZE_MAX, options, arena, &out);
    }
    for (size_t k = 0; k < items->classes; k++)
        out.of[QUANTIFY_POWERED][k] =
            (struct quantify_share){powered[k].estimate, powered[k].low, powered[k].high};
    out.few = out.labelled < QUANTIFY_FEW;
    arena_rewind(arena, mark);
    return out;
}
