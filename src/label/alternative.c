/* Labels are put into a matrix of items and raters first. */
#include "label/alternative.h"

#include <math.h>

#include "stats/adjust.h"
#include "stats/alternative.h"

const double label_alternative_epsilons[LABEL_ALTERNATIVE_EPSILONS] = {0.1, 0.15, 0.2};

static double nearness(const struct label_agree_label *a,
                       const struct label_agree_label *b)
{
    size_t both = 0;

    for (size_t i = 0; i < a->code_count; i++)
        for (size_t k = 0; k < b->code_count; k++)
            both += a->codes[i] == b->codes[k];
    return (double)both / (double)(a->code_count + b->code_count - both);
}

struct alternative_labels {
    const struct label_agree_label **at; /* items x raters; NULL: none */
    size_t items, raters;
};

static const struct label_agree_label *label_at(const struct alternative_labels *labels,
                                                size_t item, size_t rater)
{
    return labels->at[item * labels->raters + rater];
}

/* How near a label is to those of all people but one. */
static double near_others(const struct alternative_labels *labels, size_t item,
                          size_t people, size_t out, const struct label_agree_label *it)
{
    double sum = 0, count = 0;

    for (size_t r = 0; r < people; r++) {
        const struct label_agree_label *other = label_at(labels, item, r);
        if (r == out || other == NULL)
            continue;
        sum += nearness(it, other);
        count++;
    }
    return count > 0 ? sum / count : NAN;
}

static struct label_alternative_rater test_rater(const struct alternative_labels *labels,
                                                 size_t people, size_t rater,
                                                 size_t model, struct arena *arena)
{
    struct label_alternative_rater out = {.rater = rater};
    double *own = arena_array(arena, double, labels->items + 1),
           *its = arena_array(arena, double, labels->items + 1);

    for (size_t i = 0; i < labels->items; i++) {
        const struct label_agree_label *one = label_at(labels, i, rater),
                                       *two = label_at(labels, i, model);
        double near =
            one != NULL && two != NULL ? near_others(labels, i, people, rater, one) : NAN;
        if (isnan(near))
            continue;
        own[out.items] = near;
        its[out.items++] = near_others(labels, i, people, rater, two);
    }
    for (size_t e = 0; e < LABEL_ALTERNATIVE_EPSILONS; e++) {
        struct stats_alternative test = stats_alternative(
            (struct stats_values){own, out.items}, (struct stats_values){its, out.items},
            label_alternative_epsilons[e]);
        out.advantage = test.advantage;
        out.p[e] = test.p;
        out.undefined = test.undefined;
    }
    return out;
}

static void adjust(struct label_alternative *out, size_t e, struct arena *arena)
{
    double *p = arena_array(arena, double, out->rater_count + 1);
    size_t won = 0;

    for (size_t r = 0; r < out->rater_count; r++)
        p[r] = out->raters[r].p[e];
    const double *adjusted = stats_adjust_benjamini_yekutieli(
        (struct stats_values){p, out->rater_count}, arena);
    for (size_t r = 0; r < out->rater_count; r++) {
        out->raters[r].p[e] = adjusted[r];
        won += adjusted[r] <= 0.05;
    }
    out->winning[e] = out->tested > 0 ? (double)won / (double)out->tested : NAN;
}

struct label_alternative label_alternative(const struct label_agree_data *data,
                                           size_t people, size_t model,
                                           struct arena *arena)
{
    struct label_alternative out = {
        .raters = arena_array(arena, struct label_alternative_rater, people + 1),
        .rater_count = people};
    struct alternative_labels labels = {
        arena_array(arena, const struct label_agree_label *,
                    data->item_count * data->rater_count + 1),
        data->item_count, data->rater_count};
    double sum = 0;

    for (size_t i = 0; i < data->label_count; i++)
        labels.at[data->labels[i].item * labels.raters + data->labels[i].rater] =
            &data->labels[i];
    for (size_t r = 0; r < people; r++) {
        struct arena_mark mark = arena_mark(arena);
        out.raters[r] = test_rater(&labels, people, r, model, arena);
        arena_rewind(arena, mark);
        if (out.raters[r].undefined == NULL) {
            out.tested++;
            sum += out.raters[r].advantage;
        }
    }
    out.advantage = out.tested > 0 ? sum / (double)out.tested : NAN;
    for (size_t e = 0; e < LABEL_ALTERNATIVE_EPSILONS; e++)
        adjust(&out, e, arena);
    return out;
}
