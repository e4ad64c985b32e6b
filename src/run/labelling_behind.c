/* Which items count is told by the labels themselves, as agreement is computed from
 * them: those that two raters or more have labelled. */
#include "run/labelling_behind.h"

#include <stdlib.h>

struct labelling_behind_ids {
    int64_t *at;
    size_t count;
};

static void add(const struct run_labelling_behind *it, struct result_table *out,
                size_t row, size_t column, struct str what,
                struct labelling_behind_ids ids)
{
    result_add_evidence(
        out, &(struct result_evidence){row, column, what, ids.at, ids.count}, it->lists);
}

static struct labelling_behind_ids no_ids(const struct run_labelling_behind *it)
{
    return (struct labelling_behind_ids){
        arena_array(it->lists, int64_t, it->report->data->item_count + 1), 0};
}

/* Items of the labels are ids of the corpus. */
static void add_id(const struct run_labelling_behind *it, size_t item,
                   struct labelling_behind_ids *out)
{
    struct err ignored = {0};

    out->count += item_key_read(it->spaces, it->report->data->items[item],
                                &out->at[out->count], &ignored);
}

/* Items with two labels or more, in the order of their last labels. */

struct done {
    size_t item, last, labels;
};

static int by_last(const void *a, const void *b)
{
    const struct done *one = a, *two = b;

    return one->last < two->last ? -1 : one->last > two->last;
}

static struct labelling_behind_ids shared_items(const struct run_labelling_behind *it)
{
    const struct label_agree_data *data = it->report->data;
    struct done *items = arena_array(it->arena, struct done, data->item_count + 1);
    struct labelling_behind_ids ids = no_ids(it);

    for (size_t i = 0; i < data->label_count; i++) {
        struct done *item = &items[data->labels[i].item];
        *item = (struct done){data->labels[i].item, i, item->labels + 1};
    }
    qsort(items, data->item_count, sizeof *items, by_last);
    for (size_t i = 0; i < data->item_count; i++)
        if (items[i].labels > 1)
            add_id(it, items[i].item, &ids);
    return ids;
}

void run_labelling_behind_shared(const struct run_labelling_behind *it, size_t row,
                                 size_t count, struct result_table *out)
{
    struct arena_mark mark = arena_mark(it->arena);
    struct labelling_behind_ids ids = shared_items(it);

    ids.count = count < ids.count ? count : ids.count;
    add(it, out, row, RESULT_NONE, STR("items that two raters or more have labelled"),
        ids);
    arena_rewind(it->arena, mark);
}

/* The code itself or one below it. */
static bool has_code(const struct label_agree_data *data,
                     const struct label_agree_label *label, size_t code)
{
    for (size_t c = 0; c < label->code_count; c++)
        for (size_t at = label->codes[c]; at != LABEL_AGREE_NONE;
             at = data->codes[at].parent)
            if (at == code)
                return true;
    return false;
}

static struct labelling_behind_ids items_with(const struct run_labelling_behind *it,
                                              size_t code)
{
    const struct label_agree_data *data = it->report->data;
    bool *has = arena_array(it->arena, bool, data->item_count + 1);
    struct labelling_behind_ids ids = no_ids(it);

    for (size_t i = 0; i < data->label_count; i++)
        if (has_code(data, &data->labels[i], code))
            has[data->labels[i].item] = true;
    for (size_t i = 0; i < data->item_count; i++)
        if (has[i])
            add_id(it, i, &ids);
    return ids;
}

void run_labelling_behind_codes(const struct run_labelling_behind *it,
                                struct result_table *out)
{
    const struct label_agree_report *report = it->report;
    struct buf what = {0};

    run_labelling_behind_shared(it, RESULT_NONE, report->all.items, out);
    for (size_t i = 0; i < report->code_count; i++) {
        struct arena_mark mark = arena_mark(it->arena);
        buf_clear(&what);
        buf_add_format(&what, "items that a rater called '%.*s'",
                       STR_ARG(report->data->codes[report->codes[i].code].name));
        add(it, out, i, 0, buf_str(&what), items_with(it, report->codes[i].code));
        arena_rewind(it->arena, mark);
    }
    buf_free(&what);
}

/* Pairs of raters. */

/* Of each item, the label that the rater gave it; NULL: none. */
static const struct label_agree_label **labels_by(const struct run_labelling_behind *it,
                                                  size_t rater)
{
    const struct label_agree_data *data = it->report->data;
    const struct label_agree_label **labels =
        arena_array(it->arena, const struct label_agree_label *, data->item_count + 1);

    for (size_t i = 0; i < data->label_count; i++)
        if (data->labels[i].rater == rater)
            labels[data->labels[i].item] = &data->labels[i];
    return labels;
}

void run_labelling_behind_raters(const struct run_labelling_behind *it,
                                 struct result_table *out)
{
    const struct label_agree_report *report = it->report;

    for (size_t p = 0; p < report->pair_count; p++) {
        struct arena_mark mark = arena_mark(it->arena);
        const struct label_agree_label **one = labels_by(it, report->pairs[p].first);
        const struct label_agree_label **two = labels_by(it, report->pairs[p].second);
        struct labelling_behind_ids ids = no_ids(it);
        for (size_t i = 0; i < report->data->item_count; i++)
            if (one[i] != NULL && two[i] != NULL)
                add_id(it, i, &ids);
        add(it, out, p, RESULT_NONE, STR("items that both raters have labelled"), ids);
        arena_rewind(it->arena, mark);
    }
}

/* An item that both raters of a pair gave one code, and the two codes. */
struct taken {
    size_t low, high, item;
};

static int by_codes(const void *a, const void *b)
{
    const struct taken *one = a, *two = b;

    if (one->low != two->low)
        return one->low < two->low ? -1 : 1;
    if (one->high != two->high)
        return one->high < two->high ? -1 : 1;
    return one->item < two->item ? -1 : one->item > two->item;
}

static struct taken *taken_for(const struct run_labelling_behind *it, size_t *count)
{
    const struct label_agree_report *report = it->report;
    struct buf all = {0};

    for (size_t p = 0; p < report->pair_count && report->pairs[p].table != NULL; p++) {
        struct arena_mark mark = arena_mark(it->arena);
        const struct label_agree_label **one = labels_by(it, report->pairs[p].first);
        const struct label_agree_label **two = labels_by(it, report->pairs[p].second);
        for (size_t i = 0; i < report->data->item_count; i++) {
            if (one[i] == NULL || two[i] == NULL || one[i]->code_count != 1 ||
                two[i]->code_count != 1)
                continue;
            size_t a = one[i]->codes[0], b = two[i]->codes[0];
            struct taken taken = {a < b ? a : b, a < b ? b : a, i};
            buf_add(&all, (struct str){(const char *)&taken, sizeof taken});
        }
        arena_rewind(it->arena, mark);
    }
    *count = all.len / sizeof(struct taken);
    struct taken *list = arena_array(it->arena, struct taken, *count + 1);
    for (size_t i = 0; i < *count; i++)
        list[i] = ((const struct taken *)(const void *)all.ptr)[i];
    qsort(list, *count, sizeof *list, by_codes);
    buf_free(&all);
    return list;
}

/* The number of each code among those that were used: rows and columns of the table. */
static size_t *places_of(const struct run_labelling_behind *it, const struct taken *taken,
                         size_t count)
{
    size_t codes = it->report->data->code_count, used = 0;
    size_t *places = arena_array(it->arena, size_t, codes + 1);
    bool *is_used = arena_array(it->arena, bool, codes + 1);

    for (size_t i = 0; i < count; i++)
        is_used[taken[i].low] = is_used[taken[i].high] = true;
    for (size_t c = 0; c < codes; c++) {
        places[c] = used;
        used += is_used[c];
    }
    return places;
}

static void add_taken(const struct run_labelling_behind *it, const struct taken *first,
                      struct labelling_behind_ids ids, const size_t *places,
                      struct result_table *out)
{
    const struct label_agree_code *codes = it->report->data->codes;
    size_t low = places[first->low], high = places[first->high];
    struct buf what = {0};

    if (low == high)
        buf_add_format(&what, "items that both raters called '%.*s'",
                       STR_ARG(codes[first->low].name));
    else
        buf_add_format(&what, "items that one rater called '%.*s' and the other '%.*s'",
                       STR_ARG(codes[first->low].name), STR_ARG(codes[first->high].name));
    add(it, out, low, high, buf_str(&what), ids);
    if (low != high)
        add(it, out, high, low, buf_str(&what), ids);
    buf_free(&what);
}

void run_labelling_behind_confusion(const struct run_labelling_behind *it,
                                    struct result_table *out)
{
    size_t count;
    struct taken *taken = taken_for(it, &count);
    const size_t *places = places_of(it, taken, count);
    struct labelling_behind_ids ids = {arena_array(it->lists, int64_t, count + 1), 0};

    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && taken[next].low == taken[i].low &&
                       taken[next].high == taken[i].high;
             next++)
            if (next == i || taken[next].item != taken[next - 1].item)
                add_id(it, taken[next].item, &ids);
        add_taken(it, &taken[i], ids, places, out);
        ids = (struct labelling_behind_ids){ids.at + ids.count, 0};
    }
}

void run_labelling_behind_states(const struct run_labelling_behind *it,
                                 const struct label_final *finals, size_t count,
                                 struct result_table *out)
{
    struct labelling_behind_ids ids = {arena_array(it->lists, int64_t, count + 1), 0};
    struct buf what = {0};

    for (enum label_state s = 0; s <= LABEL_PENDING; s++) {
        for (size_t i = 0; i < count; i++)
            if (finals[i].state == s &&
                (it->dimension.len == 0 || str_eq(finals[i].dimension, it->dimension)))
                ids.at[ids.count++] = finals[i].item;
        buf_clear(&what);
        buf_add_format(&what, "items whose label is %s", label_state_word(s));
        add(it, out, (size_t)s, RESULT_NONE, buf_str(&what), ids);
        ids = (struct labelling_behind_ids){ids.at + ids.count, 0};
    }
    buf_free(&what);
}
