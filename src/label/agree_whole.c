/* A coefficient is a function of a table; the bootstrap draws the table's items anew. */
#include "label/agree_whole.h"

#include <math.h>

#include "stats/bootstrap.h"

enum { BOOTSTRAP_MAX = 20000000 }; /* items times resamples */

static const struct {
    const char *name, *key;
} coefficients[] = {
    [AGREE_COHEN] = {"Cohen's kappa", "cohen"},
    [AGREE_FLEISS] = {"Fleiss' kappa", "fleiss"},
    [AGREE_ALPHA] = {"Krippendorff's alpha", "alpha"},
    [AGREE_AC1] = {"Gwet's AC1", "ac1"},
    [AGREE_BRENNAN_PREDIGER] = {"Brennan-Prediger", "brennan-prediger"},
    [AGREE_COHEN_LINEAR] = {"Cohen, linear", "cohen-linear"},
    [AGREE_COHEN_QUADRATIC] = {"Cohen, quadratic", "cohen-quadratic"},
    [AGREE_ALPHA_ORDINAL] = {"alpha, ordinal", "alpha-ordinal"},
    [AGREE_ALPHA_INTERVAL] = {"alpha, interval", "alpha-interval"},
    [AGREE_AC2_LINEAR] = {"AC2, linear", "ac2-linear"},
    [AGREE_AC2_QUADRATIC] = {"AC2, quadratic", "ac2-quadratic"},
    [AGREE_BRENNAN_PREDIGER_LINEAR] = {"Brennan-P., linear", "brennan-prediger-linear"},
    [AGREE_BRENNAN_PREDIGER_QUADRATIC] = {"Brennan-P., quadratic",
                                          "brennan-prediger-quadratic"},
};

const char *agree_name(enum agree_coefficient which)
{
    return coefficients[which].name;
}

const char *agree_key(enum agree_coefficient which)
{
    return coefficients[which].key;
}

bool agree_find(struct str key, enum agree_coefficient *out)
{
    for (size_t i = 0; i < ROWS_OF(coefficients); i++)
        if (str_eq(key, str_from(coefficients[i].key))) {
            *out = (enum agree_coefficient)i;
            return true;
        }
    return false;
}

/* What the coefficient is taken of. */
struct whole {
    enum agree_coefficient which;
    struct agree_table table;
    const double *distance; /* of alpha; NULL where it depends on the labels drawn */
    double level;
    struct arena *arena;
    struct agreement_span *drawn; /* of the bootstrap: the labels of each item drawn */
};

static struct agreement many(const struct whole *whole, enum agreement_chance chance,
                             enum agreement_weights weights)
{
    return agreement_many(whole->table.ratings, chance, weights, whole->level,
                          whole->arena);
}

static struct agreement cohen(const struct whole *whole, enum agreement_weights weights)
{
    return agree_table_cohen(&whole->table, weights, whole->level, whole->arena);
}

static struct agreement alpha(const struct whole *whole)
{
    const double *distance = whole->distance != NULL
                                 ? whole->distance
                                 : agreement_ordinal(whole->table.ratings, whole->arena);

    return agreement_alpha(whole->table.ratings, distance, whole->arena);
}

static struct agreement coefficient(const struct whole *whole)
{
    switch (whole->which) {
    case AGREE_COHEN:
        return cohen(whole, AGREEMENT_NOMINAL);
    case AGREE_FLEISS:
        return many(whole, AGREEMENT_FLEISS, AGREEMENT_NOMINAL);
    case AGREE_AC1:
        return many(whole, AGREEMENT_GWET, AGREEMENT_NOMINAL);
    case AGREE_BRENNAN_PREDIGER:
        return many(whole, AGREEMENT_BRENNAN_PREDIGER, AGREEMENT_NOMINAL);
    case AGREE_COHEN_LINEAR:
        return cohen(whole, AGREEMENT_LINEAR);
    case AGREE_COHEN_QUADRATIC:
        return cohen(whole, AGREEMENT_QUADRATIC);
    case AGREE_AC2_LINEAR:
        return many(whole, AGREEMENT_GWET, AGREEMENT_LINEAR);
    case AGREE_AC2_QUADRATIC:
        return many(whole, AGREEMENT_GWET, AGREEMENT_QUADRATIC);
    case AGREE_BRENNAN_PREDIGER_LINEAR:
        return many(whole, AGREEMENT_BRENNAN_PREDIGER, AGREEMENT_LINEAR);
    case AGREE_BRENNAN_PREDIGER_QUADRATIC:
        return many(whole, AGREEMENT_BRENNAN_PREDIGER, AGREEMENT_QUADRATIC);
    case AGREE_ALPHA:
    case AGREE_ALPHA_ORDINAL:
    case AGREE_ALPHA_INTERVAL:
    case AGREE_COEFFICIENTS:
        break;
    }
    return alpha(whole);
}

static double draw_again(const size_t *items, size_t count, void *context)
{
    struct whole drawn = *(const struct whole *)context;
    struct agreement_ratings *ratings = &drawn.table.ratings;
    struct arena_mark mark = arena_mark(drawn.arena);

    for (size_t i = 0; i < count; i++)
        drawn.drawn[i] = ratings->spans[items[i]];
    ratings->spans = drawn.drawn;
    ratings->items = count;
    double value = coefficient(&drawn).value;
    arena_rewind(drawn.arena, mark);
    return value;
}

static void resample(struct whole *whole, const struct agree_options *options,
                     struct agree_estimate *out)
{
    size_t items = whole->table.ratings.items;

    out->std_error = out->low = out->high = NAN;
    out->undefined = out->agreement.undefined;
    if (out->undefined != NULL)
        return;
    if (options->resamples == 0) {
        out->undefined = "no resamples were asked for";
        return;
    }
    if (items * (items + options->resamples) > BOOTSTRAP_MAX) {
        out->undefined = "too many items to resample";
        return;
    }
    whole->drawn = arena_array(whole->arena, struct agreement_span, items + 1);
    struct bootstrap interval = bootstrap_bca(
        draw_again, whole, items,
        (struct bootstrap_options){options->level, options->resamples, options->seed},
        whole->arena);
    out->undefined = interval.undefined;
    out->std_error = interval.std_error;
    out->low = interval.low;
    out->high = interval.high;
}

/* Why there is nothing to compute; NULL: there is. */
static const char *problem_of(const struct agree_data *data, const struct whole *whole)
{
    bool ordered = whole->which >= AGREE_ORDERED;

    if (ordered && data->order.count == 0)
        return "the labels have no order";
    if (whole->which == AGREE_ALPHA_INTERVAL && data->order.numbers == NULL)
        return "the labels are no numbers";
    if (whole->table.shared == 0)
        return ordered ? "no item has two labels in that order"
                       : "no item has two labels";
    if (whole->table.ratings.categories > AGREE_TABLE_CATEGORIES_MAX)
        return "there are too many different labels";
    return NULL;
}

struct agree_estimate agree_whole_estimate(const struct agree_table_view *all,
                                           enum agree_coefficient which,
                                           const struct agree_options *options,
                                           struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    const struct agree_data *data = all->data;
    struct agree_table_view view = *all;
    struct whole whole = {.which = which, .level = options->level, .arena = arena};
    struct agree_estimate estimate = {.std_error = NAN, .low = NAN, .high = NAN};

    view.ordered = which >= AGREE_ORDERED;
    if (!view.ordered || data->order.count > 0)
        whole.table = agree_table_of(&view, arena);
    const char *problem = problem_of(data, &whole);
    if (problem != NULL) {
        estimate.agreement = agree_table_undefined(problem);
        estimate.undefined = problem;
    } else {
        if (which == AGREE_ALPHA)
            whole.distance = agree_table_distance(&whole.table, arena);
        if (which == AGREE_ALPHA_INTERVAL)
            whole.distance = agreement_interval(
                (struct values){data->order.numbers, data->order.count}, arena);
        estimate.agreement = coefficient(&whole);
        resample(&whole, options, &estimate);
    }
    arena_rewind(arena, mark);
    return estimate;
}
