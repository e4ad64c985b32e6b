/* Kappa of two and of many raters, Gwet's AC1 and AC2, Brennan and Prediger, and
 * Krippendorff's alpha with its distances. */
#include "stats/agreement.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "stats/distribution.h"

const char *stats_agree_word(double value)
{
    static const struct {
        double up_to;
        const char *word;
    } bands[] = {
        {0.20, "slight"}, {0.40, "fair"}, {0.60, "moderate"}, {0.80, "substantial"}};

    if (value < 0)
        return "poor";
    for (size_t i = 0; i < ROWS_OF(bands); i++)
        if (value <= bands[i].up_to)
            return bands[i].word;
    return "almost perfect";
}

static void set_undefined(struct stats_agreement *result, const char *why)
{
    result->value = result->std_error = result->low = result->high = NAN;
    result->undefined = result->interval_undefined = why;
}

/* A coefficient is not below -1, unless chance rests on items with one label as well,
 * which can agree with none: then the least is what no agreement at all gives. */
static void set_interval(struct stats_agreement *result, double variance, double quantile)
{
    double least = result->value < -1 ? -result->expected / (1 - result->expected) : -1;

    result->std_error = sqrt(fmax(0, variance));
    result->low = fmax(least, result->value - quantile * result->std_error);
    result->high = fmin(1, result->value + quantile * result->std_error);
}

static double weight(size_t a, size_t b, size_t categories,
                     enum stats_agree_weights weights)
{
    double apart = (a > b ? (double)(a - b) : (double)(b - a)) / (double)(categories - 1);

    if (weights == STATS_AGREE_NOMINAL || categories == 1)
        return a == b;
    return 1 - (weights == STATS_AGREE_LINEAR ? apart : apart * apart);
}

/* What the margins of a table have, with the mean weights that they give each row and
 * column. */
struct agreement_shares {
    double *rows, *columns, *row_weights, *column_weights;
};

static struct agreement_shares shares_of(const struct stats_agree_cell *cells,
                                         size_t count, size_t k, double total,
                                         enum stats_agree_weights weights,
                                         struct arena *arena)
{
    struct agreement_shares shares = {
        arena_array(arena, double, k), arena_array(arena, double, k),
        arena_array(arena, double, k), arena_array(arena, double, k)};

    for (size_t i = 0; i < count; i++) {
        shares.rows[cells[i].row] += (double)cells[i].count / total;
        shares.columns[cells[i].column] += (double)cells[i].count / total;
    }
    for (size_t a = 0; a < k; a++) {
        bool nominal = weights == STATS_AGREE_NOMINAL; /* only the same has a weight */
        for (size_t b = nominal ? a : 0; b < (nominal ? a + 1 : k); b++) {
            shares.row_weights[a] += weight(a, b, k, weights) * shares.columns[b];
            shares.column_weights[b] += weight(a, b, k, weights) * shares.rows[a];
        }
    }
    return shares;
}

/* True when all items are in one row and one column that count as the same: then chance
 * alone agrees fully. Decided on counts, since shares are rounded. */
static bool one_category(const struct stats_agree_cell *cells, size_t count,
                         int64_t total)
{
    for (size_t i = 0; i < count; i++)
        if (cells[i].row == cells[i].column && cells[i].count == total)
            return true;
    return false;
}

static double cohen_variance(const struct stats_agree_cell *cells, size_t count,
                             const struct agreement_shares *shares, size_t k,
                             enum stats_agree_weights weights,
                             const struct stats_agreement *result)
{
    double sum = 0, free = 1 - result->expected, miss = 1 - result->observed,
           total = (double)result->items,
           centre = result->observed * result->expected - 2 * result->expected +
                    result->observed;

    for (size_t i = 0; i < count; i++) {
        size_t a = cells[i].row, b = cells[i].column;
        double term = weight(a, b, k, weights) * free -
                      (shares->row_weights[a] + shares->column_weights[b]) * miss;
        sum += (double)cells[i].count / total * term * term;
    }
    return (sum - centre * centre) / (total * free * free * free * free);
}

struct stats_agreement stats_agree_cohen_cells(const struct stats_agree_cell *cells,
                                               size_t count, size_t categories,
                                               enum stats_agree_weights weights,
                                               double level, struct arena *arena)
{
    struct stats_agreement result = {.observed = NAN, .expected = NAN};
    struct arena_mark mark = arena_mark(arena);
    struct agreement_shares shares;

    assert(level > 0 && level < 1);
    for (size_t i = 0; i < count; i++) {
        assert(cells[i].count >= 0);
        result.items += cells[i].count;
    }
    if (result.items == 0) {
        set_undefined(&result, "no item has two labels");
        return result;
    }
    shares = shares_of(cells, count, categories, (double)result.items, weights, arena);
    result.observed = result.expected = 0;
    for (size_t a = 0; a < categories; a++)
        result.expected += shares.rows[a] * shares.row_weights[a];
    for (size_t i = 0; i < count; i++)
        result.observed += weight(cells[i].row, cells[i].column, categories, weights) *
                           ((double)cells[i].count / (double)result.items);
    if (one_category(cells, count, result.items)) {
        result.observed = result.expected = 1;
        set_undefined(&result, "only one category was used");
    } else {
        result.value = (result.observed - result.expected) / (1 - result.expected);
        set_interval(&result,
                     cohen_variance(cells, count, &shares, categories, weights, &result),
                     stats_normal_quantile(0.5 + level / 2));
        if (result.observed == 0 && result.expected == 0) {
            /* The formula gives 0: it is of many items, and knows no chance here. */
            result.std_error = result.low = result.high = NAN;
            result.interval_undefined = "the two used no category in common";
        }
    }
    arena_rewind(arena, mark);
    return result;
}

struct stats_agreement stats_agree_cohen(const int64_t *table, size_t categories,
                                         enum stats_agree_weights weights, double level,
                                         struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    size_t room = categories * categories, count = 0;
    struct stats_agree_cell *cells = arena_array(arena, struct stats_agree_cell, room);

    for (size_t i = 0; i < room; i++)
        if (table[i] != 0)
            cells[count++] =
                (struct stats_agree_cell){i / categories, i % categories, table[i]};
    struct stats_agreement result =
        stats_agree_cohen_cells(cells, count, categories, weights, level, arena);
    arena_rewind(arena, mark);
    return result;
}

/* What the rater said of the item. */
static int32_t label_by(struct stats_agree_ratings ratings, size_t item, size_t rater)
{
    struct stats_agree_span span = stats_agree_labels(ratings, item);

    if (ratings.spans == NULL)
        return ratings.at[span.begin + rater];
    for (size_t i = span.begin; i < span.begin + span.count; i++)
        if (ratings.who[i] == rater)
            return ratings.at[i];
    return STATS_AGREE_MISSING;
}

int64_t *stats_agree_table(struct stats_agree_ratings ratings, size_t first,
                           size_t second, struct arena *arena)
{
    int64_t *table = arena_array(arena, int64_t, ratings.categories * ratings.categories);

    assert(first < ratings.raters && second < ratings.raters);
    for (size_t item = 0; item < ratings.items; item++) {
        int32_t a = label_by(ratings, item, first), b = label_by(ratings, item, second);
        if (a != STATS_AGREE_MISSING && b != STATS_AGREE_MISSING)
            table[(size_t)a * ratings.categories + (size_t)b]++;
    }
    return table;
}

/* What one item contributes to the coefficients of many raters. */
struct agreement_item {
    double labels;   /* how many */
    double agreeing; /* share of pairs of labels that are the same; 0 without a pair */
    double chance;   /* mean over labels of how likely chance agrees with them */
};

/* The labels of an item by category: those that it has, ascending. Most items have few,
 * however many categories there are. */
struct agreement_counted {
    struct counted_category {
        size_t category;
        double labels;
    } * at; /* room for all categories */
    size_t count;
    double labels; /* of all */
};

static void count_label(struct agreement_counted *counted, size_t category)
{
    size_t place = counted->count;

    while (place > 0 && counted->at[place - 1].category > category)
        place--;
    if (place == 0 || counted->at[place - 1].category != category) {
        memmove(counted->at + place + 1, counted->at + place,
                (counted->count - place) * sizeof *counted->at);
        counted->at[place++] = (struct counted_category){category, 0};
        counted->count++;
    }
    counted->at[place - 1].labels++;
    counted->labels++;
}

static void count_labels(struct stats_agree_ratings ratings, size_t item,
                         struct agreement_counted *counted)
{
    struct stats_agree_span span = stats_agree_labels(ratings, item);

    counted->count = 0;
    counted->labels = 0;
    for (size_t i = span.begin; i < span.begin + span.count; i++) {
        int32_t label = ratings.at[i];
        if (label == STATS_AGREE_MISSING)
            continue;
        assert(label >= 0 && (size_t)label < ratings.categories);
        count_label(counted, (size_t)label);
    }
}

/* Mean over the items that have a label of each category's share, also of those that have
 * none. */
static struct agreement_counted mean_shares(struct stats_agree_ratings ratings,
                                            struct agreement_counted *counted,
                                            struct arena *arena, double *labelled)
{
    struct agreement_counted shares = {
        arena_array(arena, struct counted_category, ratings.categories),
        ratings.categories, 1};

    *labelled = 0;
    for (size_t item = 0; item < ratings.items; item++) {
        count_labels(ratings, item, counted);
        *labelled += counted->labels > 0;
        for (size_t c = 0; c < counted->count; c++)
            shares.at[counted->at[c].category].labels +=
                counted->at[c].labels / counted->labels;
    }
    for (size_t c = 0; c < ratings.categories; c++) {
        shares.at[c].category = c;
        if (*labelled > 0)
            shares.at[c].labels /= *labelled;
    }
    return shares;
}

/* How many labels agree with one in this category, in parts where they are near. */
static double agreeing_with(const struct agreement_counted *counted, size_t which,
                            size_t categories, enum stats_agree_weights weights)
{
    double sum = 0;

    if (weights == STATS_AGREE_NOMINAL)
        return counted->at[which].labels;
    for (size_t c = 0; c < counted->count; c++)
        sum += weight(counted->at[which].category, counted->at[c].category, categories,
                      weights) *
               counted->at[c].labels;
    return sum;
}

/* The coefficient in the making. */
struct many {
    struct stats_agree_ratings ratings;
    enum stats_agree_weights weights;
    struct agreement_counted *counted; /* scratch: labels of an item */
    struct agreement_counted shares;   /* of each category, the mean over items */
    double *chances; /* how likely chance agrees with a label of each category */
    double labelled; /* items with any label */
};

static struct agreement_item item_of(const struct many *many, size_t index)
{
    struct agreement_counted *counted = many->counted;

    count_labels(many->ratings, index, counted);
    struct agreement_item item = {counted->labels, 0, 0};
    for (size_t c = 0; c < counted->count; c++) {
        double labels = counted->at[c].labels;
        if (item.labels > 1)
            item.agreeing +=
                labels *
                (agreeing_with(counted, c, many->ratings.categories, many->weights) - 1) /
                (item.labels * (item.labels - 1));
        item.chance += labels * many->chances[counted->at[c].category] / item.labels;
    }
    return item;
}

/* The variance over items of what each would make of the coefficient (Gwet 2014). */
static double item_variance(const struct many *many, const struct stats_agreement *result)
{
    double sum = 0, free = 1 - result->expected;

    for (size_t i = 0; i < many->ratings.items; i++) {
        struct agreement_item item = item_of(many, i);
        double own = 0;
        if (item.labels == 0)
            continue;
        if (item.labels > 1)
            own = many->labelled / (double)result->items *
                  (item.agreeing - result->expected) / free;
        own -= 2 * (1 - result->value) * (item.chance - result->expected) / free;
        sum += (own - result->value) * (own - result->value);
    }
    return sum / (many->labelled * (many->labelled - 1));
}

/* All coefficients: the mean over all labels of how likely chance agrees with them is the
 * expected agreement. */
static struct stats_agreement from_chances(const struct many *many, double level)
{
    struct stats_agreement result = {.observed = 0, .expected = 0};
    double free;

    for (size_t i = 0; i < many->ratings.items; i++) {
        struct agreement_item item = item_of(many, i);
        result.items += item.labels > 1;
        result.observed += item.agreeing;
    }
    if (result.items == 0) {
        result.observed = result.expected = NAN;
        set_undefined(&result, "no item has two labels");
        return result;
    }
    result.observed /= (double)result.items;
    for (size_t c = 0; c < many->ratings.categories; c++)
        result.expected += many->shares.at[c].labels * many->chances[c];
    free = 1 - result.expected;
    if (free <= 1e-12) {
        result.observed = result.expected = 1;
        set_undefined(&result, "only one category was used");
        return result;
    }
    result.value = (result.observed - result.expected) / free;
    if (many->labelled < 2) {
        result.std_error = result.low = result.high = NAN;
        result.interval_undefined = "there is only one item";
        return result;
    }
    set_interval(&result, item_variance(many, &result),
                 stats_t_quantile(0.5 + level / 2, many->labelled - 1));
    return result;
}

static double total_weight(size_t categories, enum stats_agree_weights weights)
{
    double total = 0;

    for (size_t i = 0; i < categories * categories; i++)
        total += weight(i / categories, i % categories, categories, weights);
    return total;
}

struct stats_agreement stats_agree_many(struct stats_agree_ratings ratings,
                                        enum stats_agree_chance chance,
                                        enum stats_agree_weights weights, double level,
                                        struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    size_t k = ratings.categories;
    struct agreement_counted counted = {arena_array(arena, struct counted_category, k), 0,
                                        0};
    struct many many = {.ratings = ratings,
                        .weights = weights,
                        .counted = &counted,
                        .chances = arena_array(arena, double, k)};
    double total = total_weight(k, weights), all = (double)k;

    assert(level > 0 && level < 1);
    many.shares = mean_shares(ratings, &counted, arena, &many.labelled);
    for (size_t c = 0; c < k; c++)
        many.chances[c] = chance == STATS_AGREE_FLEISS
                              ? agreeing_with(&many.shares, c, k, weights)
                          : chance == STATS_AGREE_GWET
                              ? total * (1 - many.shares.at[c].labels) / (all * (all - 1))
                              : total / (all * all);
    struct stats_agreement result = from_chances(&many, level);
    if (chance != STATS_AGREE_FLEISS && k < 2) /* chance has nothing to choose from */
        set_undefined(&result, "there is only one category");
    arena_rewind(arena, mark);
    return result;
}

struct stats_agreement stats_agree_fleiss(struct stats_agree_ratings ratings,
                                          double level, struct arena *arena)
{
    return stats_agree_many(ratings, STATS_AGREE_FLEISS, STATS_AGREE_NOMINAL, level,
                            arena);
}

struct stats_agreement stats_agree_ac1(struct stats_agree_ratings ratings, double level,
                                       struct arena *arena)
{
    return stats_agree_many(ratings, STATS_AGREE_GWET, STATS_AGREE_NOMINAL, level, arena);
}

/* Krippendorff's alpha and its distances. */

/* Sum of distances over ordered pairs of labels of the item, by its labels less one, and
 * how often each category is in a pair. Returns the number of labels. */
static double add_item(struct stats_agree_ratings ratings, size_t item,
                       const double *distance, double *used, double *disagreement)
{
    struct stats_agree_span span = stats_agree_labels(ratings, item);
    const int32_t *labels = ratings.at + span.begin;
    double given = 0, sum = 0;

    for (size_t r = 0; r < span.count; r++)
        given += labels[r] != STATS_AGREE_MISSING;
    if (given < 2)
        return 0;
    for (size_t r = 0; r < span.count; r++) {
        if (labels[r] == STATS_AGREE_MISSING)
            continue;
        assert(labels[r] >= 0 && (size_t)labels[r] < ratings.categories);
        used[labels[r]]++;
        for (size_t s = 0; distance != NULL && s < span.count; s++)
            if (s != r && labels[s] != STATS_AGREE_MISSING)
                sum +=
                    distance[(size_t)labels[r] * ratings.categories + (size_t)labels[s]];
    }
    *disagreement += sum / (given - 1);
    return given;
}

struct stats_agreement stats_agree_alpha(struct stats_agree_ratings ratings,
                                         const double *distance, struct arena *arena)
{
    struct stats_agreement result = {
        NAN, NAN, NAN, NAN, NAN, NAN, 0, NULL, "resample the items for an interval"};
    struct arena_mark mark = arena_mark(arena);
    double *used = arena_array(arena, double, ratings.categories), observed = 0,
           expected = 0, labels = 0;

    for (size_t item = 0; item < ratings.items; item++) {
        double given = add_item(ratings, item, distance, used, &observed);
        labels += given;
        result.items += given > 0;
    }
    for (size_t a = 0; a < ratings.categories; a++)
        for (size_t b = 0; b < ratings.categories; b++)
            expected += used[a] * used[b] * distance[a * ratings.categories + b];
    arena_rewind(arena, mark);
    if (result.items == 0) {
        result.undefined = "no item has two labels";
    } else {
        result.observed = 1 - observed / labels;
        result.expected = 1 - expected / (labels * (labels - 1));
        if (expected == 0)
            result.undefined = "only one category was used";
        else
            result.value = 1 - (labels - 1) * observed / expected;
    }
    if (result.undefined != NULL)
        result.interval_undefined = result.undefined;
    return result;
}

double *stats_agree_nominal(size_t categories, struct arena *arena)
{
    double *distance = arena_array(arena, double, categories *categories);

    for (size_t i = 0; i < categories * categories; i++)
        distance[i] = i / categories != i % categories;
    return distance;
}

double *stats_agree_ordinal(struct stats_agree_ratings ratings, struct arena *arena)
{
    size_t k = ratings.categories;
    double *distance = arena_array(arena, double, k *k), none = 0;
    struct arena_mark mark = arena_mark(arena);
    double *used = arena_array(arena, double, k);

    for (size_t item = 0; item < ratings.items; item++)
        add_item(ratings, item, NULL, used, &none);
    for (size_t a = 0; a < k; a++) {
        double between = used[a] / 2;
        for (size_t b = a + 1; b < k; b++) {
            double apart = between + used[b] / 2;
            distance[a * k + b] = distance[b * k + a] = apart * apart;
            between += used[b];
        }
    }
    arena_rewind(arena, mark);
    return distance;
}

double *stats_agree_interval(struct stats_values numbers, struct arena *arena)
{
    size_t k = numbers.count;
    double *distance = arena_array(arena, double, k *k);

    for (size_t i = 0; i < k * k; i++) {
        double apart = numbers.at[i / k] - numbers.at[i % k];
        distance[i] = apart * apart;
    }
    return distance;
}

/* Sizes of what two sets share, of what either has, and of each. */
struct overlap {
    int both, either, first, second;
};

static int bits_in(uint64_t word)
{
    int bits = 0;

    for (; word != 0; word &= word - 1)
        bits++;
    return bits;
}

static struct overlap overlap_of(struct stats_agree_sets sets, size_t a, size_t b)
{
    struct overlap result = {0};

    for (size_t w = 0; w < sets.words; w++) {
        uint64_t x = sets.at[a * sets.words + w], y = sets.at[b * sets.words + w];
        result.both += bits_in(x & y);
        result.either += bits_in(x | y);
        result.first += bits_in(x);
        result.second += bits_in(y);
    }
    return result;
}

static double jaccard(struct overlap overlap)
{
    return overlap.either == 0 ? 1 : (double)overlap.both / overlap.either;
}

/* 1 for equal sets, 2/3 when one is part of the other, 1/3 when each has something of its
 * own, 0 when they share nothing. */
static double monotonicity(struct overlap overlap)
{
    if (overlap.both == overlap.either)
        return 1;
    if (overlap.both == 0)
        return 0;
    return overlap.both == overlap.first || overlap.both == overlap.second ? 2.0 / 3
                                                                           : 1.0 / 3;
}

double *stats_agree_masi(struct stats_agree_sets sets, struct arena *arena)
{
    double *distance = arena_array(arena, double, sets.count *sets.count);

    for (size_t i = 0; i < sets.count * sets.count; i++) {
        struct overlap overlap = overlap_of(sets, i / sets.count, i % sets.count);
        distance[i] = 1 - jaccard(overlap) * monotonicity(overlap);
    }
    return distance;
}
