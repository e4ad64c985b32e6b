/* Spans of all items become ranges in pieces of one long text, sorted; pairs of raters
 * and codes are sums over them. */
#include "label/span_agree.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "label/internal.h"
#include "stats/unitize.h"

struct span_at {
    size_t item, category, piece, rater;
    int64_t begin, end;
};

/* A part of an item's text. */
struct span_piece {
    size_t item;
    int64_t length;
};

struct span_item {
    int64_t id;
    bool *by; /* raters who labelled it */
};

struct span_category {
    struct str dimension, code;
};

struct span_data {
    struct label *label;
    struct arena *arena;
    size_t raters;
    LIST(struct span_at) spans;
    LIST(struct span_piece) pieces;
    LIST(struct span_item) items;
    LIST(struct span_category) categories;
    struct map category_of;
    int64_t lost;
};

static int compare_spans(const void *a, const void *b)
{
    const struct span_at *one = a, *two = b;
    int order = order_then(ORDER_BY(one->item, two->item),
                           order_then(ORDER_BY(one->category, two->category),
                                      order_then(ORDER_BY(one->piece, two->piece),
                                                 ORDER_BY(one->rater, two->rater))));

    return order_then(order, order_then(ORDER_BY(one->begin, two->begin),
                                        ORDER_BY(one->end, two->end)));
}

/* Gathering. */

static size_t category_of(struct span_data *data, const struct label_span_said *said)
{
    struct buf key = {0};

    buf_add_format(&key, "%.*s\n%.*s", STR_ARG(said->dimension), STR_ARG(said->code));
    size_t number = map_number(&data->category_of, buf_str(&key));
    buf_free(&key);
    if (number == data->categories.count) {
        struct span_category category = {said->dimension, said->code};
        list_add(&data->categories, category);
    }
    return number;
}

static bool add_spans(struct span_data *data, const struct label_parts *parts,
                      size_t first_piece, size_t rater, struct err *err)
{
    const struct span_item *item = &data->items.at[data->items.count - 1];
    struct label_span_said *said;
    struct str name = data->label->settings->raters[rater];
    const struct label_assigned *at = label_span_round(data->label, item->id, name);
    struct label_place place = {.round = at->round, .item = item->id};
    size_t count;

    if (!label_spans_said(data->label, name, &place, data->arena, &said, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct label_span_range range;
        if (!said[i].counts)
            continue;
        if (!label_span_find(parts, said[i].place, &range) ||
            (said[i].quote.len > 0 &&
             !str_eq(label_span_quote(parts, &range), said[i].quote))) {
            data->lost++;
            continue;
        }
        struct span_at span = {.item = data->items.count - 1,
                               .category = category_of(data, &said[i]),
                               .piece = first_piece + range.part,
                               .rater = rater,
                               .begin = (int64_t)range.begin,
                               .end = (int64_t)range.end};
        list_add(&data->spans, span);
    }
    return true;
}

/* Whether the corpus has it no longer; one that cannot be read is there. */
static bool is_gone(struct label *label, int64_t id)
{
    struct label_text text;
    struct err ignored = {0};

    return label_text_of(label, id, &text, &ignored) && text.seen[0] == '\0';
}

/* An item that at least two raters have labelled. One that is gone from the corpus is
 * left out, with its spans. */
static bool add_item(struct span_data *data, int64_t id, struct err *err)
{
    struct label *label = data->label;
    struct arena texts = {0};
    struct label_parts parts;
    struct span_item item = {id, arena_array(data->arena, bool, data->raters)};
    size_t by = 0;

    for (size_t r = 0; r < data->raters; r++) {
        item.by[r] = label_span_round(label, id, label->settings->raters[r]) != NULL;
        by += item.by[r];
    }
    if (by < 2)
        return true;
    bool ok = label_item_parts(label, id, &texts, &parts, err);
    bool gone = !ok && is_gone(label, id);
    if (ok) {
        size_t first = data->pieces.count;
        list_add(&data->items, item);
        for (size_t i = 0; i < parts.count; i++) {
            struct span_piece piece = {data->items.count - 1,
                                       (int64_t)parts.at[i].characters};
            list_add(&data->pieces, piece);
        }
        for (size_t r = 0; r < data->raters && ok; r++)
            ok = !item.by[r] || add_spans(data, &parts, first, r, err);
    }
    arena_free(&texts);
    if (gone)
        *err = (struct err){0};
    return ok || gone;
}

static bool gather(struct span_data *data, struct err *err)
{
    const struct label_log *log = &data->label->log;
    size_t count = log->assigned.count; /* raters may be adding to it */
    int64_t *ids = arena_array(data->arena, int64_t, count + 1);

    for (size_t i = 0; i < count; i++)
        ids[i] = log->assigned.at[i].item;
    order_ints(ids, count);
    for (size_t i = 0; i < count; i++)
        if ((i == 0 || ids[i] != ids[i - 1]) && !add_item(data, ids[i], err))
            return false;
    if (data->spans.count > 0)
        qsort(data->spans.at, data->spans.count, sizeof *data->spans.at, compare_spans);
    return true;
}

/* Sums. */

/* Ranges of one rater, category and piece, which ascend, without overlaps. */
static size_t merge(struct span_at *spans, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (kept == 0 || spans[i].begin >= spans[kept - 1].end)
            spans[kept++] = spans[i];
        else if (spans[i].end > spans[kept - 1].end)
            spans[kept - 1].end = spans[i].end;
    return kept;
}

static int64_t sum_of(const struct span_at *spans, size_t count)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += spans[i].end - spans[i].begin;
    return sum;
}

static int64_t common_of(const struct span_at *one, size_t one_count,
                         const struct span_at *two, size_t two_count)
{
    int64_t sum = 0;

    for (size_t i = 0, j = 0; i < one_count && j < two_count;) {
        int64_t begin = one[i].begin > two[j].begin ? one[i].begin : two[j].begin;
        int64_t end = one[i].end < two[j].end ? one[i].end : two[j].end;
        sum += end > begin ? end - begin : 0;
        if (one[i].end < two[j].end)
            i++;
        else
            j++;
    }
    return sum;
}

/* Which spans are the same one, as of units: in one item, category and piece. */
static void match(const struct span_at *one, size_t one_count, const struct span_at *two,
                  size_t two_count, struct arena *arena, struct label_span_pair *out)
{
    size_t count = one_count + two_count;
    struct label_unit *units = arena_array(arena, struct label_unit, count + 1);
    size_t *groups = arena_array(arena, size_t, count + 1);

    for (size_t i = 0; i < count; i++) {
        const struct span_at *span = i < one_count ? &one[i] : &two[i - one_count];
        units[i] = (struct label_unit){
            .rater = i >= one_count,
            .place = {STR("piece"), '\0', span->begin + 1, span->end}};
    }
    out->matched += (int64_t)(count - label_unit_match(units, count, groups));
    for (size_t i = 0; i < one_count; i++)
        for (size_t j = 0; j < two_count; j++)
            out->exact += groups[i] == groups[one_count + j] &&
                          one[i].begin == two[j].begin && one[i].end == two[j].end;
}

/* The spans of a rater among some that are sorted by rater. */
static const struct span_at *of_rater(const struct span_at *spans, size_t count,
                                      size_t rater, size_t *found)
{
    size_t begin = 0;

    while (begin < count && spans[begin].rater != rater)
        begin++;
    for (*found = 0; begin + *found < count && spans[begin + *found].rater == rater;)
        ++*found;
    return spans + begin;
}

/* Adds what two raters marked in one category of a piece. */
static void compare_raters(const struct span_at *spans, size_t count, size_t first,
                           size_t second, struct arena *arena,
                           struct label_span_pair *out)
{
    struct arena_mark mark = arena_mark(arena);
    size_t one_count, two_count;
    const struct span_at *one = of_rater(spans, count, first, &one_count),
                         *two = of_rater(spans, count, second, &two_count);

    out->first_spans += (int64_t)one_count;
    out->second_spans += (int64_t)two_count;
    match(one, one_count, two, two_count, arena, out);
    struct span_at *merged_one = list_copied(one, one_count, sizeof *one, arena),
                   *merged_two = list_copied(two, two_count, sizeof *two, arena);
    one_count = merge(merged_one, one_count);
    two_count = merge(merged_two, two_count);
    out->first_characters += sum_of(merged_one, one_count);
    out->second_characters += sum_of(merged_two, two_count);
    out->common += common_of(merged_one, one_count, merged_two, two_count);
    arena_rewind(arena, mark);
}

#define ANY SIZE_MAX

/* Adds what a pair has in common, in a category or in all. */
static void add_pair(const struct span_data *data, size_t first, size_t second,
                     size_t category, struct label_span_pair *out)
{
    const struct span_at *spans = data->spans.at;

    for (size_t i = 0; i < data->items.count; i++)
        out->items += data->items.at[i].by[first] && data->items.at[i].by[second];
    for (size_t i = 0, end; i < data->spans.count; i = end) {
        const struct span_item *item = &data->items.at[spans[i].item];
        for (end = i + 1; end < data->spans.count && spans[end].item == spans[i].item &&
                          spans[end].category == spans[i].category &&
                          spans[end].piece == spans[i].piece;)
            end++;
        if (item->by[first] && item->by[second] &&
            (category == ANY || spans[i].category == category))
            compare_raters(spans + i, end - i, first, second, data->arena, out);
    }
}

static void finish(struct label_span_pair *pair)
{
    double spans = (double)(pair->first_spans + pair->second_spans),
           characters = (double)(pair->first_characters + pair->second_characters),
           common = (double)pair->common;

    pair->f1 = spans > 0 ? 2 * (double)pair->matched / spans : NAN;
    pair->f1_characters = characters > 0 ? 2 * common / characters : NAN;
    pair->jaccard = characters > 0 ? common / (characters - common) : NAN;
}

/* Alpha over the items that all of some raters have labelled: of each category, and
 * behind them of all together. */
static void measure_alpha(const struct span_data *data, const size_t *raters,
                          size_t rater_count, struct stats_unitize_alpha *out)
{
    struct arena *arena = data->arena;
    size_t piece_count = 0, count = 0;
    int64_t *pieces = arena_array(arena, int64_t, data->pieces.count + 1);
    size_t *piece_of = arena_array(arena, size_t, data->pieces.count + 1);
    bool *takes = arena_array(arena, bool, data->items.count + 1);
    struct stats_unitize_unit *units =
        arena_array(arena, struct stats_unitize_unit, data->spans.count + 1);

    for (size_t i = 0; i < data->items.count; i++) {
        takes[i] = true;
        for (size_t r = 0; r < rater_count; r++)
            takes[i] = takes[i] && data->items.at[i].by[raters[r]];
    }
    for (size_t i = 0; i < data->pieces.count; i++) {
        piece_of[i] = piece_count;
        if (takes[data->pieces.at[i].item])
            pieces[piece_count++] = data->pieces.at[i].length;
    }
    struct span_at *spans =
        list_copied(data->spans.at, data->spans.count, sizeof *data->spans.at, arena);
    for (size_t i = 0, end; i < data->spans.count; i = end) {
        size_t rater = 0;
        for (end = i; end < data->spans.count && spans[end].item == spans[i].item &&
                      spans[end].category == spans[i].category &&
                      spans[end].piece == spans[i].piece &&
                      spans[end].rater == spans[i].rater;)
            end++;
        while (rater < rater_count && raters[rater] != spans[i].rater)
            rater++;
        if (!takes[spans[i].item] || rater == rater_count)
            continue;
        size_t merged = merge(spans + i, end - i);
        for (size_t s = i; s < i + merged; s++)
            units[count++] = (struct stats_unitize_unit){
                rater, spans[s].category, piece_of[spans[s].piece], spans[s].begin,
                spans[s].end - spans[s].begin};
    }
    struct stats_unitize_continuum continuum = {pieces, piece_count, rater_count,
                                                data->categories.count};
    stats_unitize_alpha(&continuum, units, count, arena, out);
}

/* Raters who have labelled any of the items. */
static size_t *active_raters(const struct span_data *data, size_t *count)
{
    size_t *raters = arena_array(data->arena, size_t, data->raters + 1);

    *count = 0;
    for (size_t r = 0; r < data->raters; r++)
        for (size_t i = 0; i < data->items.count; i++)
            if (data->items.at[i].by[r]) {
                raters[(*count)++] = r;
                break;
            }
    return raters;
}

static void report(const struct span_data *data, struct label_span_report *out)
{
    const struct str *names = data->label->settings->raters;
    size_t categories = data->categories.count, count;
    size_t *raters = active_raters(data, &count);
    struct stats_unitize_alpha *alphas =
        arena_array(data->arena, struct stats_unitize_alpha, categories + 1);
    bool codes = data->label->settings->spans == STUDY_SPANS_PER_CODE;

    out->pairs =
        arena_array(data->arena, struct label_span_pair, count * count + categories + 2);
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++) {
            struct label_span_pair *pair = &out->pairs[out->count];
            *pair = (struct label_span_pair){.first = names[raters[a]],
                                             .second = names[raters[b]]};
            add_pair(data, raters[a], raters[b], ANY, pair);
            if (pair->items == 0)
                continue;
            finish(pair);
            measure_alpha(data, (size_t[]){raters[a], raters[b]}, 2, alphas);
            pair->alpha = alphas[categories].alpha;
            out->count++;
        }
    measure_alpha(data, raters, count, alphas);
    for (size_t c = 0; c <= (codes ? categories : 0); c++) {
        struct label_span_pair *pair = &out->pairs[out->count++];
        *pair = (struct label_span_pair){0};
        if (c > 0)
            *pair = (struct label_span_pair){.dimension =
                                                 data->categories.at[c - 1].dimension,
                                             .code = data->categories.at[c - 1].code};
        for (size_t a = 0; a < count; a++)
            for (size_t b = a + 1; b < count; b++)
                add_pair(data, raters[a], raters[b], c == 0 ? ANY : c - 1, pair);
        finish(pair);
        pair->alpha = alphas[c == 0 ? categories : c - 1].alpha;
    }
}

bool label_span_agree(struct label *label, struct arena *arena,
                      struct label_span_report *out, struct err *err)
{
    struct span_data data = {.label = label,
                             .arena = arena,
                             .raters = label->settings->rater_count,
                             .category_of = {.arena = arena}};

    *out = (struct label_span_report){0};
    if (!label_has_corpus(label))
        return err_set(err, ERR_INPUT,
                       "agreement on spans needs the corpus: 'assay ingest'");
    bool ok = label_follow(label, err) && gather(&data, err);
    if (ok) {
        report(&data, out);
        out->spans = (int64_t)data.spans.count;
        out->lost = data.lost;
        out->item_count = data.items.count;
        out->items = arena_array(arena, int64_t, data.items.count + 1);
        for (size_t i = 0; i < data.items.count; i++)
            out->items[i] = data.items.at[i].id;
    }
    list_free(&data.spans);
    list_free(&data.pieces);
    list_free(&data.items);
    list_free(&data.categories);
    return ok;
}
