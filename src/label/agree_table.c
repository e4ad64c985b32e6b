/* Labels are sorted once, by item and then by rater; each part then goes through its own,
 * and an item's labels stand beside each other. */
#include "label/agree_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t ancestor(const struct label_agree_data *data, size_t code, int level)
{
    while (level > 0 && data->codes[code].level > level)
        code = data->codes[code].parent;
    return code;
}

static bool is_within(const struct label_agree_data *data, size_t code, size_t above)
{
    while (code != above && data->codes[code].parent != LABEL_AGREE_NONE)
        code = data->codes[code].parent;
    return code == above;
}

static bool gives(const struct label_agree_data *data,
                  const struct label_agree_label *label, size_t code)
{
    for (size_t i = 0; i < label->code_count; i++)
        if (is_within(data, label->codes[i], code))
            return true;
    return false;
}

static int compare_sizes(const void *a, const void *b)
{
    size_t one = *(const size_t *)a, two = *(const size_t *)b;

    return one < two ? -1 : one > two;
}

/* The codes of a label as the view sees them, ascending, each once. */
static size_t seen_codes(const struct label_agree_table_view *view,
                         const struct label_agree_label *label, size_t *out)
{
    size_t count = 0, kept = 0;

    if (view->code != LABEL_AGREE_NONE) {
        out[0] = gives(view->data, label, view->code);
        return 1;
    }
    for (; count < label->code_count; count++)
        out[count] = ancestor(view->data, label->codes[count], view->level);
    qsort(out, count, sizeof *out, compare_sizes);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || out[i] != out[i - 1])
            out[kept++] = out[i];
    return kept;
}

/* The labels that come after one another are those of `order`, or all in their own order;
 * they are put into `out` by ascending key, and stay as they were where keys are equal.
 */
static void sort_by(const struct label_agree_data *data, bool by_item,
                    const size_t *order, struct arena *arena, size_t *out)
{
    size_t keys = by_item ? data->item_count : data->rater_count;
    struct arena_mark mark = arena_mark(arena);
    size_t *begin = arena_array(arena, size_t, keys + 1);

    for (size_t i = 0; i < data->label_count; i++)
        begin[(by_item ? data->labels[i].item : data->labels[i].rater) + 1]++;
    for (size_t k = 0; k < keys; k++)
        begin[k + 1] += begin[k];
    for (size_t i = 0; i < data->label_count; i++) {
        size_t label = order != NULL ? order[i] : i;
        const struct label_agree_label *at = &data->labels[label];
        out[begin[by_item ? at->item : at->rater]++] = label;
    }
    arena_rewind(arena, mark);
}

struct label_agree_table_view label_agree_table_whole(const struct label_agree_data *data,
                                                      struct arena *arena)
{
    size_t *labels = arena_array(arena, size_t, data->label_count + 1);
    struct arena_mark mark = arena_mark(arena);
    size_t *by_rater = arena_array(arena, size_t, data->label_count + 1);

    sort_by(data, false, NULL, arena, by_rater);
    sort_by(data, true, by_rater, arena, labels);
    arena_rewind(arena, mark);
    return (struct label_agree_table_view){.data = data,
                                           .labels = labels,
                                           .label_count = data->label_count,
                                           .code = LABEL_AGREE_NONE};
}

struct label_agree_table_view *
label_agree_table_by_rater(const struct label_agree_table_view *whole,
                           struct arena *arena)
{
    const struct label_agree_data *data = whole->data;
    struct label_agree_table_view *views =
        arena_array(arena, struct label_agree_table_view, data->rater_count + 1);
    size_t *labels = arena_array(arena, size_t, data->label_count + 1);

    sort_by(data, false, whole->labels, arena, labels);
    for (size_t r = 0, begin = 0; r < data->rater_count; r++) {
        views[r] = *whole;
        views[r].labels = labels + begin;
        for (views[r].label_count = 0;
             begin < data->label_count && data->labels[labels[begin]].rater == r; begin++)
            views[r].label_count++;
    }
    return views;
}

struct label_agree_table_view
label_agree_table_pair(const struct label_agree_table_view *first,
                       const struct label_agree_table_view *second, struct arena *arena)
{
    const struct label_agree_label *said = first->data->labels;
    size_t *labels = arena_array(arena, size_t, first->label_count + second->label_count);
    struct label_agree_table_view pair = *first;
    size_t a = 0, b = 0;

    pair.labels = labels;
    for (pair.label_count = 0; a < first->label_count || b < second->label_count;)
        labels[pair.label_count++] =
            b == second->label_count ||
                    (a < first->label_count &&
                     said[first->labels[a]].item <= said[second->labels[b]].item)
                ? first->labels[a++]
                : second->labels[b++];
    return pair;
}

/* From labels to categories, which are numbered as they come. */

struct categories {
    const struct label_agree_table_view *view;
    struct map sets; /* from codes to the number of the category */
    size_t *codes;   /* scratch */
};

static struct categories begin_categories(const struct label_agree_table_view *view,
                                          struct arena *arena)
{
    size_t longest = 1;

    for (size_t i = 0; i < view->label_count; i++) {
        const struct label_agree_label *label = &view->data->labels[view->labels[i]];
        if (label->code_count > longest)
            longest = label->code_count;
    }
    return (struct categories){
        view, {.arena = arena}, arena_array(arena, size_t, longest)};
}

/* STATS_AGREE_MISSING: it does not count. */
static int32_t category_of(struct categories *categories,
                           const struct label_agree_label *label)
{
    const struct label_agree_table_view *view = categories->view;

    if (view->items != NULL && !view->items[label->item])
        return STATS_AGREE_MISSING;
    if (view->ordered) {
        const size_t *places = view->data->order.places;
        size_t place =
            label->code_count == 1 ? places[label->codes[0]] : LABEL_AGREE_NONE;
        return place == LABEL_AGREE_NONE ? STATS_AGREE_MISSING : (int32_t)place;
    }
    size_t count = seen_codes(view, label, categories->codes);
    struct str set = {(const char *)categories->codes, count * sizeof *categories->codes};

    return (int32_t)map_number(&categories->sets, set);
}

/* Labels of one item stand beside each other. */
static void fill_ratings(struct categories *categories, struct label_agree_table *table,
                         struct arena *arena)
{
    const struct label_agree_table_view *view = categories->view;
    size_t count = view->label_count, filled = 0;
    int32_t *at = arena_array(arena, int32_t, count + 1);
    size_t *who = arena_array(arena, size_t, count + 1);
    size_t *items = arena_array(arena, size_t, count + 1);
    struct stats_agree_span *spans =
        arena_array(arena, struct stats_agree_span, count + 1);
    struct stats_agree_ratings *ratings = &table->ratings;

    for (size_t i = 0; i < count; i++) {
        const struct label_agree_label *label = &view->data->labels[view->labels[i]];
        int32_t category = category_of(categories, label);
        if (category == STATS_AGREE_MISSING)
            continue;
        if (ratings->items == 0 || items[ratings->items - 1] != label->item) {
            spans[ratings->items].begin = filled;
            items[ratings->items++] = label->item;
        }
        spans[ratings->items - 1].count++;
        who[filled] = label->rater;
        at[filled++] = category;
    }
    ratings->at = at;
    ratings->who = who;
    ratings->spans = spans;
    table->items = items;
}

/* Items with at least two labels, and who gave these. */
static void count_shared(struct label_agree_table *table, struct arena *arena)
{
    const struct stats_agree_ratings *ratings = &table->ratings;
    struct map seen = {.arena = arena}; /* a pair must not cost all raters */

    for (size_t i = 0; i < ratings->items; i++) {
        struct stats_agree_span span = ratings->spans[i];
        if (span.count < 2)
            continue;
        table->shared++;
        table->labels += span.count;
        for (size_t l = span.begin; l < span.begin + span.count; l++)
            map_number(&seen, (struct str){(const char *)&ratings->who[l],
                                           sizeof ratings->who[l]});
    }
    table->raters = seen.count;
}

static void fill_sets(const struct map *sets, size_t code_count,
                      struct label_agree_table *table, struct arena *arena)
{
    size_t words = code_count / 64 + 1;
    uint64_t *bits =
        arena_array(arena, uint64_t, (table->ratings.categories + 1) * words);

    for (size_t e = 0; e < sets->capacity; e++) {
        const struct map_entry *entry = &sets->entries[e];
        if (entry->key.ptr == NULL)
            continue;
        uint64_t *set = bits + (size_t)entry->value * words;
        size_t count = entry->key.len / sizeof(size_t);
        for (size_t i = 0; i < count; i++) {
            size_t code;
            memcpy(&code, entry->key.ptr + i * sizeof code, sizeof code);
            set[code / 64] |= UINT64_C(1) << code % 64;
        }
        table->several = table->several || count > 1;
    }
    table->sets = (struct stats_agree_sets){bits, table->ratings.categories, words};
}

struct label_agree_table label_agree_table_of(const struct label_agree_table_view *view,
                                              struct arena *arena)
{
    struct categories categories = begin_categories(view, arena);
    struct label_agree_table table = {.ratings = {.raters = view->data->rater_count}};

    fill_ratings(&categories, &table, arena);
    count_shared(&table, arena);
    table.ratings.categories =
        view->ordered ? view->data->order.count : categories.sets.count;
    if (!view->ordered && table.ratings.categories <= LABEL_AGREE_TABLE_CATEGORIES_MAX)
        fill_sets(&categories.sets, view->data->code_count, &table, arena);
    return table;
}

/* Coefficients. */

double label_agree_table_equal_pairs(const struct stats_agree_ratings *ratings,
                                     size_t item)
{
    struct stats_agree_span span = ratings->spans[item];
    const int32_t *labels = ratings->at + span.begin;
    double pairs = 0, equal = 0;

    for (size_t a = 0; a < span.count; a++)
        for (size_t b = a + 1; b < span.count; b++) {
            pairs++;
            equal += labels[a] == labels[b];
        }
    return pairs > 0 ? equal / pairs : NAN;
}

double label_agree_table_observed(const struct stats_agree_ratings *ratings)
{
    double sum = 0, shared = 0;

    for (size_t i = 0; i < ratings->items; i++) {
        double equal = label_agree_table_equal_pairs(ratings, i);
        shared += !isnan(equal);
        sum += isnan(equal) ? 0 : equal;
    }
    return shared > 0 ? sum / shared : NAN;
}

struct stats_agreement label_agree_table_undefined(const char *why)
{
    return (struct stats_agreement){NAN, NAN, NAN, NAN, NAN, NAN, 0, why, why};
}

struct stats_agreement label_agree_table_cohen(const struct label_agree_table *table,
                                               enum stats_agree_weights weights,
                                               double level, struct arena *arena)
{
    const struct stats_agree_ratings *ratings = &table->ratings;
    size_t item = 0;

    if (table->raters != 2)
        return label_agree_table_undefined("it is for two raters");
    while (item < ratings->items && ratings->spans[item].count < 2)
        item++;
    if (item == ratings->items)
        return label_agree_table_undefined("no item has two labels");
    const size_t *who = ratings->who + ratings->spans[item].begin;
    return stats_agree_cohen(stats_agree_table(*ratings, who[0], who[1], arena),
                             ratings->categories, weights, level, arena);
}

double *label_agree_table_distance(const struct label_agree_table *table,
                                   struct arena *arena)
{
    return table->several ? stats_agree_masi(table->sets, arena)
                          : stats_agree_nominal(table->ratings.categories, arena);
}
