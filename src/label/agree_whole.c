/* A coefficient is a function of a table; the bootstrap draws the table's items anew. */
#include "label/agree_whole.h"

#include <math.h>

#include "stats/bootstrap.h"

/* Items times resamples, and the same where nothing else gives an interval; items are
 * then left out by groups. */
enum { BOOTSTRAP_MAX = 20000000, BOOTSTRAP_MAX_ALPHA = 1000000000, GROUPS = 200 };

static const struct {
    const char *name, *key;
} coefficients[] = {
    [LABEL_AGREE_COHEN] = {"Cohen's kappa", "cohen"},
    [LABEL_AGREE_FLEISS] = {"Fleiss' kappa", "fleiss"},
    [LABEL_AGREE_ALPHA] = {"Krippendorff's alpha", "alpha"},
    [LABEL_AGREE_AC1] = {"Gwet's AC1", "ac1"},
    [LABEL_AGREE_BRENNAN_PREDIGER] = {"Brennan-Prediger", "brennan-prediger"},
    [LABEL_AGREE_COHEN_LINEAR] = {"Cohen, linear", "cohen-linear"},
    [LABEL_AGREE_COHEN_QUADRATIC] = {"Cohen, quadratic", "cohen-quadratic"},
    [LABEL_AGREE_ALPHA_ORDINAL] = {"alpha, ordinal", "alpha-ordinal"},
    [LABEL_AGREE_ALPHA_INTERVAL] = {"alpha, interval", "alpha-interval"},
    [LABEL_AGREE_AC2_LINEAR] = {"AC2, linear", "ac2-linear"},
    [LABEL_AGREE_AC2_QUADRATIC] = {"AC2, quadratic", "ac2-quadratic"},
    [LABEL_AGREE_BRENNAN_PREDIGER_LINEAR] = {"Brennan-P., linear",
                                             "brennan-prediger-linear"},
    [LABEL_AGREE_BRENNAN_PREDIGER_QUADRATIC] = {"Brennan-P., quadratic",
                                                "brennan-prediger-quadratic"},
};

const char *label_agree_name(enum label_agree_coefficient which)
{
    return coefficients[which].name;
}

const char *label_agree_key(enum label_agree_coefficient which)
{
    return coefficients[which].key;
}

bool label_agree_find(struct str key, enum label_agree_coefficient *out)
{
    for (size_t i = 0; i < ROWS_OF(coefficients); i++)
        if (str_eq(key, str_from(coefficients[i].key))) {
            *out = (enum label_agree_coefficient)i;
            return true;
        }
    return false;
}

/* What the coefficient is taken of. */
struct whole {
    enum label_agree_coefficient which;
    struct label_agree_table table;
    const double *distance; /* of alpha; NULL where it depends on the labels drawn */
    double level;
    struct arena *arena;
    struct stats_agree_span *drawn; /* of the bootstrap: the labels of each item drawn */
};

static struct stats_agreement many(const struct whole *whole,
                                   enum stats_agree_chance chance,
                                   enum stats_agree_weights weights)
{
    return stats_agree_many(whole->table.ratings, chance, weights, whole->level,
                            whole->arena);
}

static struct stats_agreement cohen(const struct whole *whole,
                                    enum stats_agree_weights weights)
{
    return label_agree_table_cohen(&whole->table, weights, whole->level, whole->arena);
}

static struct stats_agreement alpha(const struct whole *whole)
{
    const double *distance =
        whole->distance != NULL ? whole->distance
                                : stats_agree_ordinal(whole->table.ratings, whole->arena);

    return stats_agree_alpha(whole->table.ratings, distance, whole->arena);
}

static struct stats_agreement coefficient(const struct whole *whole)
{
    switch (whole->which) {
    case LABEL_AGREE_COHEN:
        return cohen(whole, STATS_AGREE_NOMINAL);
    case LABEL_AGREE_FLEISS:
        return many(whole, STATS_AGREE_FLEISS, STATS_AGREE_NOMINAL);
    case LABEL_AGREE_AC1:
        return many(whole, STATS_AGREE_GWET, STATS_AGREE_NOMINAL);
    case LABEL_AGREE_BRENNAN_PREDIGER:
        return many(whole, STATS_AGREE_BRENNAN_PREDIGER, STATS_AGREE_NOMINAL);
    case LABEL_AGREE_COHEN_LINEAR:
        return cohen(whole, STATS_AGREE_LINEAR);
    case LABEL_AGREE_COHEN_QUADRATIC:
        return cohen(whole, STATS_AGREE_QUADRATIC);
    case LABEL_AGREE_AC2_LINEAR:
        return many(whole, STATS_AGREE_GWET, STATS_AGREE_LINEAR);
    case LABEL_AGREE_AC2_QUADRATIC:
        return many(whole, STATS_AGREE_GWET, STATS_AGREE_QUADRATIC);
    case LABEL_AGREE_BRENNAN_PREDIGER_LINEAR:
        return many(whole, STATS_AGREE_BRENNAN_PREDIGER, STATS_AGREE_LINEAR);
    case LABEL_AGREE_BRENNAN_PREDIGER_QUADRATIC:
        return many(whole, STATS_AGREE_BRENNAN_PREDIGER, STATS_AGREE_QUADRATIC);
    case LABEL_AGREE_ALPHA:
    case LABEL_AGREE_ALPHA_ORDINAL:
    case LABEL_AGREE_ALPHA_INTERVAL:
    case LABEL_AGREE_COEFFICIENTS:
        break;
    }
    return alpha(whole);
}

static double draw_again(const size_t *items, size_t count, void *context)
{
    struct whole drawn = *(const struct whole *)context;
    struct stats_agree_ratings *ratings = &drawn.table.ratings;
    struct arena_mark mark = arena_mark(drawn.arena);

    for (size_t i = 0; i < count; i++)
        drawn.drawn[i] = ratings->spans[items[i]];
    ratings->spans = drawn.drawn;
    ratings->items = count;
    double value = coefficient(&drawn).value;
    arena_rewind(drawn.arena, mark);
    return value;
}

static void resample(struct whole *whole, const struct label_agree_options *options,
                     struct label_agree_estimate *out)
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
    bool many = items * (items + options->resamples) > BOOTSTRAP_MAX;
    if (many && !isnan(out->agreement.low)) {
        out->undefined = "too many items to resample; the formula holds for so many";
        return;
    }
    if (many && items * (GROUPS + options->resamples) > BOOTSTRAP_MAX_ALPHA) {
        out->undefined = "too many items to resample";
        return;
    }
    whole->drawn = arena_array(whole->arena, struct stats_agree_span, items + 1);
    struct stats_bootstrap interval = stats_bootstrap_bca(
        draw_again, whole, items,
        (struct stats_bootstrap_options){options->level, options->resamples,
                                         options->seed, many ? GROUPS : 0},
        whole->arena);
    out->undefined = interval.undefined;
    out->std_error = interval.std_error;
    out->low = interval.low;
    out->high = interval.high;
}

/* Why there is nothing to compute; NULL: there is. */
static const char *problem_of(const struct label_agree_data *data,
                              const struct whole *whole)
{
    bool ordered = whole->which >= LABEL_AGREE_ORDERED;

    if (ordered && data->order.count == 0)
        return "the labels have no order";
    if (whole->which == LABEL_AGREE_ALPHA_INTERVAL && data->order.numbers == NULL)
        return "the labels are no numbers";
    if (whole->table.shared == 0)
        return ordered                  ? "no item has two labels in that order"
               : data->whole_of != NULL ? "no unit has two labels"
                                        : "no item has two labels";
    if (whole->table.ratings.categories > LABEL_AGREE_TABLE_CATEGORIES_MAX)
        return "there are too many different labels";
    return NULL;
}

struct label_agree_estimate
label_agree_whole_estimate(const struct label_agree_table_view *all,
                           enum label_agree_coefficient which,
                           const struct label_agree_options *options, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    const struct label_agree_data *data = all->data;
    struct label_agree_table_view view = *all;
    struct whole whole = {.which = which, .level = options->level, .arena = arena};
    struct label_agree_estimate estimate = {.std_error = NAN, .low = NAN, .high = NAN};

    view.ordered = which >= LABEL_AGREE_ORDERED;
    if (!view.ordered || data->order.count > 0)
        whole.table = label_agree_table_of(&view, arena);
    const char *problem = problem_of(data, &whole);
    if (problem != NULL) {
        estimate.agreement = label_agree_table_undefined(problem);
        estimate.undefined = problem;
    } else {
        if (which == LABEL_AGREE_ALPHA)
            whole.distance = label_agree_table_distance(&whole.table, arena);
        if (which == LABEL_AGREE_ALPHA_INTERVAL)
            whole.distance = stats_agree_interval(
                (struct stats_values){data->order.numbers, data->order.count}, arena);
        estimate.agreement = coefficient(&whole);
        resample(&whole, options, &estimate);
    }
    arena_rewind(arena, mark);
    return estimate;
}
