/* Which items count is told by the labels themselves, as agreement is computed from
 * them: those that two raters or more have labelled. */
#include "run/labelling_behind.h"

#include <stdlib.h>

#include "measure/evidence.h"

/* Columns of a table of coefficients: see MEASURE_HEADS in labelling.c. */
enum { COLUMN_COHEN = 2 };

struct ids {
    int64_t *at;
    size_t count;
};

struct buf *labelling_behind_file(const struct labelling_behind *it, const char *shown)
{
    struct buf name = {0};

    buf_add_format(&name, "behind/%s%s%.*s.csv", shown, it->suffix.len > 0 ? "." : "",
                   STR_ARG(it->suffix));
    buf_add_char(&name, '\0');
    struct buf *file = output_add_below(it->output, "labelling", it->task, name.ptr);
    buf_free(&name);
    evidence_begin(file);
    return file;
}

static struct ids no_ids(const struct labelling_behind *it)
{
    return (struct ids){arena_array(it->arena, int64_t, it->report->data->item_count + 1),
                        0};
}

/* Items of the labels are ids of the corpus. */
static void add_id(const struct labelling_behind *it, size_t item, struct ids *out)
{
    struct err ignored = {0};

    out->count += item_key_read(it->spaces, it->report->data->items[item],
                                &out->at[out->count], &ignored);
}

/* Coefficients that have no interval say why. */
static void add_reasons(const struct agree_measures *measures, int64_t row,
                        int64_t column, struct buf *out)
{
    const struct agreement *const all[] = {&measures->cohen, &measures->fleiss,
                                           &measures->alpha, &measures->ac1,
                                           &measures->brennan_prediger};

    for (size_t i = 0; i < ROWS_OF(all); i++) {
        struct evidence_place place = {row, column + (int64_t)i};
        if (all[i]->undefined == NULL && all[i]->interval_undefined != NULL)
            evidence_no_interval(
                out, place,
                all[i] == &measures->alpha
                    ? "that of alpha comes from resampling the items, which is done for "
                      "all of them together and not for parts"
                    : all[i]->interval_undefined);
    }
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

static struct ids shared_items(const struct labelling_behind *it)
{
    const struct agree_data *data = it->report->data;
    struct done *items = arena_array(it->arena, struct done, data->item_count + 1);
    struct ids ids = no_ids(it);

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

static void add_shared(const struct labelling_behind *it, int64_t row, size_t count,
                       struct buf *out)
{
    struct arena_mark mark = arena_mark(it->arena);
    struct ids ids = shared_items(it);

    evidence_add(out, (struct evidence_place){row, EVIDENCE_ALL},
                 STR("items that two raters or more have labelled"), ids.at,
                 count < ids.count ? count : ids.count);
    arena_rewind(it->arena, mark);
}

void labelling_behind_whole(const struct labelling_behind *it, int64_t row,
                            struct buf *out)
{
    add_shared(it, row, it->report->all.items, out);
    add_reasons(&it->report->all, row, COLUMN_COHEN, out);
}

/* A checkpoint has the first so many of them. */
static void add_checkpoints(const struct labelling_behind *it)
{
    struct buf *out = labelling_behind_file(it, "checkpoints");
    const struct agree_report *report = it->report;

    for (size_t i = 0; i < report->checkpoint_count; i++) {
        add_shared(it, (int64_t)i, report->checkpoints[i].measures.items, out);
        add_reasons(&report->checkpoints[i].measures, (int64_t)i, COLUMN_COHEN, out);
    }
}

static void add_levels(const struct labelling_behind *it)
{
    struct buf *out = labelling_behind_file(it, "levels");
    const struct agree_report *report = it->report;

    add_shared(it, EVIDENCE_ALL, report->all.items, out);
    for (size_t i = 0; i < report->level_count; i++)
        add_reasons(&report->levels[i].measures, (int64_t)i, COLUMN_COHEN, out);
}

/* The code itself or one below it. */
static bool has_code(const struct agree_data *data, const struct agree_label *label,
                     size_t code)
{
    for (size_t c = 0; c < label->code_count; c++)
        for (size_t at = label->codes[c]; at != AGREE_NONE; at = data->codes[at].parent)
            if (at == code)
                return true;
    return false;
}

static struct ids items_with(const struct labelling_behind *it, size_t code)
{
    const struct agree_data *data = it->report->data;
    bool *has = arena_array(it->arena, bool, data->item_count + 1);
    struct ids ids = no_ids(it);

    for (size_t i = 0; i < data->label_count; i++)
        if (has_code(data, &data->labels[i], code))
            has[data->labels[i].item] = true;
    for (size_t i = 0; i < data->item_count; i++)
        if (has[i])
            add_id(it, i, &ids);
    return ids;
}

static void add_codes(const struct labelling_behind *it)
{
    struct buf *out = labelling_behind_file(it, "codes"), what = {0};
    const struct agree_report *report = it->report;

    add_shared(it, EVIDENCE_ALL, report->all.items, out);
    for (size_t i = 0; i < report->code_count; i++) {
        struct arena_mark mark = arena_mark(it->arena);
        struct ids ids = items_with(it, report->codes[i].code);
        buf_clear(&what);
        buf_add_format(&what, "items that a rater called '%.*s'",
                       STR_ARG(report->data->codes[report->codes[i].code].name));
        evidence_add(out, (struct evidence_place){(int64_t)i, 0}, buf_str(&what), ids.at,
                     ids.count);
        add_reasons(&report->codes[i].measures, (int64_t)i, COLUMN_COHEN + 1, out);
        arena_rewind(it->arena, mark);
    }
    buf_free(&what);
}

/* Pairs of raters. */

/* Of each item, the label that the rater gave it; NULL: none. */
static const struct agree_label **labels_by(const struct labelling_behind *it,
                                            size_t rater)
{
    const struct agree_data *data = it->report->data;
    const struct agree_label **labels =
        arena_array(it->arena, const struct agree_label *, data->item_count + 1);

    for (size_t i = 0; i < data->label_count; i++)
        if (data->labels[i].rater == rater)
            labels[data->labels[i].item] = &data->labels[i];
    return labels;
}

static void add_raters(const struct labelling_behind *it)
{
    struct buf *out = labelling_behind_file(it, "raters");
    const struct agree_report *report = it->report;

    for (size_t p = 0; p < report->pair_count; p++) {
        struct arena_mark mark = arena_mark(it->arena);
        const struct agree_label **one = labels_by(it, report->pairs[p].first);
        const struct agree_label **two = labels_by(it, report->pairs[p].second);
        struct ids ids = no_ids(it);
        for (size_t i = 0; i < report->data->item_count; i++)
            if (one[i] != NULL && two[i] != NULL)
                add_id(it, i, &ids);
        evidence_add(out, (struct evidence_place){(int64_t)p, EVIDENCE_ALL},
                     STR("items that both raters have labelled"), ids.at, ids.count);
        add_reasons(&report->pairs[p].measures, (int64_t)p, COLUMN_COHEN, out);
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

static struct taken *taken_for(const struct labelling_behind *it, size_t *count)
{
    const struct agree_report *report = it->report;
    struct buf all = {0};

    for (size_t p = 0; p < report->pair_count && report->pairs[p].table != NULL; p++) {
        struct arena_mark mark = arena_mark(it->arena);
        const struct agree_label **one = labels_by(it, report->pairs[p].first);
        const struct agree_label **two = labels_by(it, report->pairs[p].second);
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
static size_t *places_of(const struct labelling_behind *it, const struct taken *taken,
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

static void add_taken(const struct labelling_behind *it, const struct taken *first,
                      struct ids ids, const size_t *places, struct buf *out)
{
    const struct agree_code *codes = it->report->data->codes;
    int64_t low = (int64_t)places[first->low], high = (int64_t)places[first->high];
    struct buf what = {0};

    if (low == high)
        buf_add_format(&what, "items that both raters called '%.*s'",
                       STR_ARG(codes[first->low].name));
    else
        buf_add_format(&what, "items that one rater called '%.*s' and the other '%.*s'",
                       STR_ARG(codes[first->low].name), STR_ARG(codes[first->high].name));
    evidence_add(out, (struct evidence_place){low, high}, buf_str(&what), ids.at,
                 ids.count);
    if (low != high)
        evidence_add(out, (struct evidence_place){high, low}, buf_str(&what), ids.at,
                     ids.count);
    buf_free(&what);
}

static void add_confusion(const struct labelling_behind *it)
{
    struct buf *out = labelling_behind_file(it, "confusion");
    size_t count;
    struct taken *taken = taken_for(it, &count);
    const size_t *places = places_of(it, taken, count);
    struct ids ids = no_ids(it);

    for (size_t i = 0, next; i < count; i = next) {
        ids.count = 0;
        for (next = i; next < count && taken[next].low == taken[i].low &&
                       taken[next].high == taken[i].high;
             next++)
            if (next == i || taken[next].item != taken[next - 1].item)
                add_id(it, taken[next].item, &ids);
        add_taken(it, &taken[i], ids, places, out);
    }
}

void labelling_behind_parts(const struct labelling_behind *it)
{
    add_checkpoints(it);
    add_levels(it);
    add_codes(it);
    add_raters(it);
    add_confusion(it);
}

void labelling_behind_states(const struct labelling_behind *it,
                             const struct label_final *finals, size_t count)
{
    struct buf *out = labelling_behind_file(it, "states"), what = {0};
    int64_t *ids = arena_array(it->arena, int64_t, count + 1);

    for (enum label_state s = 0; s <= LABEL_PENDING; s++) {
        size_t found = 0;
        for (size_t i = 0; i < count; i++)
            if (finals[i].state == s &&
                (it->suffix.len == 0 || str_eq(finals[i].dimension, it->suffix)))
                ids[found++] = finals[i].item;
        buf_clear(&what);
        buf_add_format(&what, "items whose label is %s", label_state_word(s));
        evidence_add(out, (struct evidence_place){(int64_t)s, EVIDENCE_ALL},
                     buf_str(&what), ids, found);
    }
    buf_free(&what);
}
