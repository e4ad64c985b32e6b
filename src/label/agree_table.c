/* From labels to categories. */
#include "label/agree_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t ancestor(const struct agree_data *data, size_t code, int level)
{
    while (level > 0 && data->codes[code].level > level)
        code = data->codes[code].parent;
    return code;
}

static bool is_within(const struct agree_data *data, size_t code, size_t above)
{
    while (code != above && data->codes[code].parent != AGREE_NONE)
        code = data->codes[code].parent;
    return code == above;
}

static bool gives(const struct agree_data *data, const struct agree_label *label,
                  size_t code)
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
static size_t seen_codes(const struct agree_table_view *view,
                         const struct agree_label *label, size_t *out)
{
    size_t count = 0, kept = 0;

    if (view->code != AGREE_NONE) {
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

static size_t column_of(const struct agree_table_view *view, size_t rater)
{
    if (view->raters[0] == AGREE_NONE)
        return rater;
    return rater == view->raters[0] ? 0 : rater == view->raters[1] ? 1 : AGREE_NONE;
}

static size_t columns_of(const struct agree_table_view *view)
{
    return view->raters[0] == AGREE_NONE ? view->data->rater_count : 2;
}

/* The category of each label, in all items; categories are numbered as they come. */
int32_t *agree_table_categories(const struct agree_table_view *view, struct map *sets,
                                struct arena *arena)
{
    const struct agree_data *data = view->data;
    size_t raters = columns_of(view), longest = 1;
    int32_t *at = arena_array(arena, int32_t, data->item_count * raters + 1);

    for (size_t i = 0; i < data->item_count * raters; i++)
        at[i] = AGREEMENT_MISSING;
    for (size_t i = 0; i < data->label_count; i++)
        if (data->labels[i].code_count > longest)
            longest = data->labels[i].code_count;
    size_t *codes = arena_array(arena, size_t, longest);
    for (size_t i = 0; i < data->label_count; i++) {
        const struct agree_label *label = &data->labels[i];
        size_t column = column_of(view, label->rater);
        if (column == AGREE_NONE || (view->items != NULL && !view->items[label->item]))
            continue;
        size_t count = seen_codes(view, label, codes), before = sets->count;
        int64_t *number =
            map_put(sets, (struct str){(const char *)codes, count * sizeof *codes});
        if (sets->count > before)
            *number = (int64_t)before;
        at[label->item * raters + column] = (int32_t)*number;
    }
    return at;
}

/* Moves items with labels to the front. */
static void keep_labelled(int32_t *at, size_t items, struct agree_table *table,
                          struct arena *arena)
{
    size_t raters = table->ratings.raters;
    bool *used = arena_array(arena, bool, raters + 1);

    for (size_t i = 0; i < items; i++) {
        const int32_t *labels = at + i * raters;
        size_t given = 0;
        for (size_t r = 0; r < raters; r++)
            given += labels[r] != AGREEMENT_MISSING;
        for (size_t r = 0; given > 1 && r < raters; r++)
            used[r] = used[r] || labels[r] != AGREEMENT_MISSING;
        if (given > 1) {
            table->shared++;
            table->labels += given;
        }
        if (given > 0)
            memmove(at + table->ratings.items++ * raters, labels, raters * sizeof *at);
    }
    for (size_t r = 0; r < raters; r++)
        table->raters += used[r];
}

/* Categories that no item of the view has do not count: renumbers the rest. */
static int32_t *renumber(int32_t *at, size_t cells, size_t categories,
                         struct agree_table *table, struct arena *arena)
{
    int32_t *number = arena_array(arena, int32_t, categories + 1);

    for (size_t i = 0; i < cells; i++)
        if (at[i] != AGREEMENT_MISSING) {
            if (number[at[i]] == 0)
                number[at[i]] = (int32_t)++table->ratings.categories;
            at[i] = number[at[i]] - 1;
        }
    return number;
}

static void fill_sets(const struct map *sets, const int32_t *number, size_t code_count,
                      struct agree_table *table, struct arena *arena)
{
    size_t words = code_count / 64 + 1;
    uint64_t *bits =
        arena_array(arena, uint64_t, (table->ratings.categories + 1) * words);

    for (size_t e = 0; e < sets->capacity; e++) {
        const struct map_entry *entry = &sets->entries[e];
        if (entry->key.ptr == NULL || number[entry->value] == 0)
            continue;
        uint64_t *set = bits + ((size_t)number[entry->value] - 1) * words;
        size_t count = entry->key.len / sizeof(size_t);
        for (size_t i = 0; i < count; i++) {
            size_t code;
            memcpy(&code, entry->key.ptr + i * sizeof code, sizeof code);
            set[code / 64] |= UINT64_C(1) << code % 64;
        }
        table->several = table->several || count > 1;
    }
    table->sets = (struct agreement_sets){bits, table->ratings.categories, words};
}

struct agree_table agree_table_of(const struct agree_table_view *view,
                                  struct arena *arena)
{
    struct map sets = {.arena = arena};
    int32_t *at = agree_table_categories(view, &sets, arena);
    struct agree_table table = {.ratings = {.at = at, .raters = columns_of(view)}};

    keep_labelled(at, view->data->item_count, &table, arena);
    int32_t *number = renumber(at, table.ratings.items * table.ratings.raters, sets.count,
                               &table, arena);
    if (table.ratings.categories <= AGREE_TABLE_CATEGORIES_MAX)
        fill_sets(&sets, number, view->data->code_count, &table, arena);
    return table;
}

struct agree_table agree_table_ordered(const struct agree_data *data, struct arena *arena)
{
    size_t raters = data->rater_count;
    int32_t *at = arena_array(arena, int32_t, data->item_count * raters + 1);
    struct agree_table table = {
        .ratings = {.at = at, .raters = raters, .categories = data->order.count}};

    for (size_t i = 0; i < data->item_count * raters; i++)
        at[i] = AGREEMENT_MISSING;
    for (size_t i = 0; i < data->label_count; i++) {
        const struct agree_label *label = &data->labels[i];
        size_t place =
            label->code_count == 1 ? data->order.places[label->codes[0]] : AGREE_NONE;
        if (place != AGREE_NONE)
            at[label->item * raters + label->rater] = (int32_t)place;
    }
    keep_labelled(at, data->item_count, &table, arena);
    return table;
}

/* Coefficients. */

double agree_table_equal_pairs(const int32_t *labels, size_t raters)
{
    double pairs = 0, equal = 0;

    for (size_t a = 0; a < raters; a++)
        for (size_t b = a + 1; b < raters; b++)
            if (labels[a] != AGREEMENT_MISSING && labels[b] != AGREEMENT_MISSING) {
                pairs++;
                equal += labels[a] == labels[b];
            }
    return pairs > 0 ? equal / pairs : NAN;
}

double agree_table_observed(const struct agreement_ratings *ratings)
{
    double sum = 0, shared = 0;

    for (size_t i = 0; i < ratings->items; i++) {
        double equal =
            agree_table_equal_pairs(ratings->at + i * ratings->raters, ratings->raters);
        shared += !isnan(equal);
        sum += isnan(equal) ? 0 : equal;
    }
    return shared > 0 ? sum / shared : NAN;
}

struct agree_table_view agree_table_whole(const struct agree_data *data)
{
    return (struct agree_table_view){
        .data = data, .raters = {AGREE_NONE, AGREE_NONE}, .code = AGREE_NONE};
}

struct agreement agree_table_undefined(const char *why)
{
    return (struct agreement){NAN, NAN, NAN, NAN, NAN, NAN, 0, why, why};
}

struct agreement agree_table_cohen(const struct agree_table *table,
                                   enum agreement_weights weights, double level,
                                   struct arena *arena)
{
    size_t used[2] = {0, 0}, count = 0, raters = table->ratings.raters;

    if (table->raters != 2)
        return agree_table_undefined("it is for two raters");
    for (size_t i = 0; i < table->ratings.items && count < 2; i++) {
        count = 0;
        for (size_t r = 0; r < raters && count < 2; r++)
            if (table->ratings.at[i * raters + r] != AGREEMENT_MISSING)
                used[count++] = r;
    }
    if (count < 2)
        return agree_table_undefined("no item has two labels");
    return agreement_cohen(agreement_table(table->ratings, used[0], used[1], arena),
                           table->ratings.categories, weights, level, arena);
}

double *agree_table_distance(const struct agree_table *table, struct arena *arena)
{
    return table->several ? agreement_masi(table->sets, arena)
                          : agreement_nominal(table->ratings.categories, arena);
}
